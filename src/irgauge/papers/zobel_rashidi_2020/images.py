"""What the tables and figures of Zobel and Rashidi (2020) share: their measures, best systems and bootstraps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from irgauge.papers.entry import Reason
from irgauge.papers.sources import Dataset
from irgauge.reading.collection import Collection
from irgauge.replicates.measured import Bench
from irgauge.scoring.measures import parse_measures
from irgauge.show.verdicts import SHORT
from irgauge.show.words import counted
from irgauge.studies.bootstrap.options import Draw
from irgauge.studies.bootstrap.study import METHODS, Bootstrapped, bootstrap

PAPER = "zobel-rashidi-2020"
COLLECTIONS = ("trec6", "trec7", "trec8", "trec9")
NEEDS: Mapping[str, tuple[str, ...]] = dict.fromkeys(COLLECTIONS, ())
RBP = "RBP(p=0.95, rel=1)@1000"
LABELS = ("AP", "INSQ@5", "nDCG", "P@10", "RBP@0.95", "RR")  # as the paper calls them
BEST, BEST_OF_FIGURES, BEST_OF_PAIRS = 50, 25, 10  # systems
IMAGES = 100
STUDIES = 12  # repeated bootstraps of 100 images, over which a printed value is one draw
IMAGES_OF_FIGURES = 300
SYSTEMS = (
    "systems by mean RBP (persistence 0.95, cut at 1000) on the root; AP, INSQ with T = 5, nDCG at 1000 with binary "
    "gains and log2(rank + 1), P@10, RBP and RR; undefined topics score 0"
)
DOCUMENTS = "images of the corpus drawn with replacement (population: other documents, these topics)"
INSQ = Reason(
    ("INSQ@5",),
    "with the weights of Moffat et al. (2012), 1/(rank + 2T − 1)² for T = 5, INSQ varies less than printed; an offset "
    "between 6 and 7 in place of 2T − 1 = 9 gives the values of Table 3",
)


def measures(dataset: Dataset) -> list[str]:
    """The six measures; nDCG takes all grades as 1, as the paper's judgments are binary."""
    gains = {int(grade): 1 for grade in np.unique(dataset.collection.grades) if grade > 1}
    ndcg = f"nDCG(gains={gains})@1000" if gains else "nDCG@1000"
    return ["AP", "INSQ(T=5)", ndcg, "P@10", RBP, "RR"]


def best(dataset: Dataset, count: int) -> Collection:
    """The best systems by RBP, best first: system #3 is the third."""
    order = dataset.once(f"{PAPER} order", lambda: _order(dataset))
    return dataset.collection.only(order[:count])


def _bench(dataset: Dataset) -> Bench:
    """All runs, which every bootstrap scores once on the whole corpus."""
    return dataset.once(f"{PAPER} bench", lambda: Bench(dataset.collection, workers=dataset.workers))


def _order(dataset: Dataset) -> list[int]:
    scores = _bench(dataset).whole(parse_measures([RBP])).filled("zero")
    return np.argsort(-scores.values.mean(axis=(0, 1, 3)), kind="stable").tolist()


def drawn(dataset: Dataset, count: int, names: Sequence[str], **options: Any) -> Bootstrapped:  # noqa: ANN401  # passed on
    """A bootstrap of the best systems."""
    kept = str(min(count, len(dataset.collection.systems)))
    asked: dict[str, Any] = {"keep_systems": kept, "keep_by": RBP, "sparse": True, "workers": dataset.workers}
    return bootstrap(_bench(dataset), names, **asked, **options)


def studies(dataset: Dataset) -> list[Bootstrapped]:
    """The paper's bootstrap of the best 50 systems, repeated with a seed each."""
    return dataset.once(f"{PAPER} studies", lambda: [_study(dataset, number) for number in range(STUDIES)])


def _study(dataset: Dataset, number: int) -> Bootstrapped:
    return drawn(dataset, BEST, measures(dataset), images=IMAGES, seed=dataset.seed + number)


def populations(dataset: Dataset) -> dict[Draw, Bootstrapped]:
    """The best 25 systems where documents, topics or both are drawn."""
    return dataset.once(f"{PAPER} populations", lambda: {kind: _population(dataset, kind) for kind in get_args(Draw)})


def _population(dataset: Dataset, kind: Draw) -> Bootstrapped:
    options = {"images": IMAGES_OF_FIGURES, "seed": dataset.seed, "draw": kind}
    return drawn(dataset, BEST_OF_FIGURES, measures(dataset), **options)


def by_label(values: Iterable[float]) -> dict[str, float]:
    """The values of the six measures by their names."""
    return dict(zip(LABELS, map(float, values), strict=True))


def told(values: Iterable[float], decimals: int) -> str:
    """The values of the six measures in a sentence."""
    return ", ".join(f"{label} {value:.{decimals}f}" for label, value in by_label(values).items())


def claim(result: Bootstrapped) -> str:
    """The beginning of a sentence: what a claim covers, and what is drawn."""
    how = f"{METHODS[result.draw]}, {counted(result.images, 'image')}, seed {result.seed}"
    return f"For {SHORT[result.draw]} ({how}),"
