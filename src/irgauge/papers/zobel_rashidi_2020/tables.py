"""The tables of Zobel and Rashidi (2020), and the measures, best systems and bootstraps that its figures share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.papers.entry import Dataset, Entry, Reason, Recomputed
from irgauge.papers.published import Computed, Key
from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.replicates.images import draw_images
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import score
from irgauge.show.verdicts import SHORT
from irgauge.show.words import counted
from irgauge.studies.bootstrap.held_out import places
from irgauge.studies.bootstrap.options import METHODS, Draw
from irgauge.studies.bootstrap.study import Bootstrapped, bootstrap

PAPER = "zobel-rashidi-2020"
Shares = tuple[float, float, float]  # below, in and above an interval
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
    "between 6 and 7 in place of 2T − 1 = 9 gives the values of Table 3 but not Table 4 (0.072, printed 0.08); none of "
    "some 40 weightings tried gives all four",
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


def held_out(dataset: Dataset, study: Bootstrapped) -> list[Shares]:
    """The last image of a study held out of those before, by each measure, as `bootstrap --held-out 1` does."""
    collection = dataset.collection.only([dataset.collection.systems.index(name) for name in study.systems])
    last = draw_images(collection, 1, seed=study.seed, first=study.images - 1, workers=dataset.workers)
    values = score(collection, study.measures, last, workers=dataset.workers).filled("zero").values
    return [_shares(study, m, values[m]) for m in range(len(study.measures))]


def _shares(study: Bootstrapped, measure: int, last: Floats) -> Shares:
    """Where the differences of last[topic, system, 1] lie; it is taken out of the study's moments."""
    first, second = np.triu_indices(last.shape[1], 1)
    mean, sd, n = study.drawn.difference_mean(measure), study.drawn.difference_sd(measure), study.images
    off = last[:, first, 0] - last[:, second, 0] - mean  # topic, pair: from the mean over all images
    variance = ((n - 1) * sd**2 - off**2 * n / (n - 1)) / (n - 2)
    return places(last, mean - off / (n - 1), np.sqrt(np.maximum(variance, 0)), study.alpha).shares


Values = dict[Key, Computed | bool]
TYPICAL = {"trec6": 7, "trec7": 6, "trec8": 2, "trec9": 5}  # the system of Table 4, from 1
_LARGE = 0.5  # a deviation of RR that the text remarks on
_HOW = f"best {BEST} {SYSTEMS}; {DOCUMENTS}; {STUDIES} studies of {IMAGES} images, a seed each: the printed is one"


def sizes(dataset: Dataset) -> Recomputed:
    """Table 1."""
    collection = dataset.collection
    counts = {
        "systems": len(collection.systems),
        "topics": len(collection.topics),
        "corpus": collection.corpus_size,
        "assessed": 100 * len(np.unique(collection.judged_docs)) / collection.corpus_size,
    }
    return Recomputed({("count", name): Computed(value) for name, value in counts.items()})


def last_images(dataset: Dataset) -> Recomputed:
    """Table 2."""
    results = studies(dataset)
    shares = 100 * np.array([held_out(dataset, study) for study in results])  # study, measure, place
    values: Values = {
        (label, place): Computed.over(shares[:, m, p])
        for m, label in enumerate(LABELS)
        for p, place in enumerate(("below", "in", "above"))
    }
    systems, topics = len(results[0].systems), len(results[0].topics)
    values["pairs and topics", "number"] = Computed(systems * (systems - 1) // 2 * topics)
    return Recomputed(values, beside=tuple(_decided(result) for result in populations(dataset).values()))


def _decided(result: Bootstrapped) -> str:
    """Of how many pairs the interval of the difference of means has 0 outside."""
    first, second = np.triu_indices(len(result.systems), 1)
    differences = result.means[:, first] - result.means[:, second]  # measure, pair, image
    low, high = np.quantile(differences, (result.alpha / 2, 1 - result.alpha / 2), axis=2)
    counts = ((low > 0) | (high < 0)).sum(axis=1)
    pairs = f"of the {counted(len(first), 'pair')} of the best {len(result.systems)} systems"
    what = f"{pairs}, the {1 - result.alpha:.0%} percentile interval of the difference in means leaves out 0 in so many"
    return f"{claim(result)} {what}: {told(counts, 0)}."


def differences(dataset: Dataset) -> Recomputed:
    """Table 3."""
    results = studies(dataset)
    spreads = np.array([study.difference_spread() for study in results])  # study, mean or sd, measure
    mean, sd = by_label(spreads[:, 0].mean(axis=0)), by_label(spreads[:, 1].mean(axis=0))
    steady = [mean[label] for label in ("AP", "nDCG", "RBP@0.95")]
    values = _spreads(spreads) | {
        ("RBP has the smallest ±", "holds"): sd["RBP@0.95"] == min(sd.values()),
        ("AP, nDCG and RBP vary less than INSQ, P@10 and RR", "holds"): max(steady)
        < min(mean[label] for label in ("INSQ@5", "P@10", "RR")),
        ("some deviations of RR are 0.5 or more", "holds"): bool(_large(results).any()),
    }
    large = (
        f"In RR {100 * float(_large(results).mean()):.1f} % of pairs and topics have a deviation of {_LARGE} or more."
    )
    return Recomputed(
        values, beside=(large, *(_difference_sd(population) for population in populations(dataset).values()))
    )


def _large(results: Sequence[Bootstrapped]) -> Floats:
    """The share of pairs and topics whose deviation in RR is large, in each study."""
    deviations = [study.moments.difference_sd(LABELS.index("RR")) for study in results if study.moments is not None]
    return np.array([(deviation >= _LARGE).mean() for deviation in deviations])


def _difference_sd(result: Bootstrapped) -> str:
    first, second = np.triu_indices(len(result.systems), 1)
    deviations = (result.means[:, first] - result.means[:, second]).std(axis=2, ddof=1)  # measure, pair
    what = "the difference of two systems' means has a standard deviation (median over pairs) of"
    return f"{claim(result)} {what} {told(np.median(deviations, axis=1), 3)}."


def _spreads(spreads: Floats) -> Values:
    """Means and deviations (study, mean or sd, measure) under their names."""
    return {
        (label, column): Computed.over(spreads[:, c, m])
        for m, label in enumerate(LABELS)
        for c, column in enumerate(("mean", "sd"))
    }


def typical(dataset: Dataset) -> Recomputed:
    """Table 4."""
    system = TYPICAL[dataset.source.key] - 1
    spreads = np.array([study.system_spread() for study in studies(dataset)])[..., system]  # study, mean or sd, measure
    mean, sd = by_label(spreads[:, 0].mean(axis=0)), by_label(spreads[:, 1].mean(axis=0))
    close = {round(mean[label], 2) for label in ("AP", "nDCG", "RBP@0.95")}
    values = _spreads(spreads) | {
        ("AP, nDCG and RBP are close", "holds"): round(max(close) - min(close), 2) <= 0.01,
        ("RBP is the most consistent over topics", "holds"): sd["RBP@0.95"] == min(sd.values()),
    }
    return Recomputed(
        values, beside=tuple(_system_sd(population, system) for population in populations(dataset).values())
    )


def _system_sd(result: Bootstrapped, system: int) -> str:
    what = f"the mean of {result.systems[system]} has a standard deviation of"
    return f"{claim(result)} {what} {told(result.sd[:, system], 3)}."


ENTRIES = (
    Entry(
        f"{PAPER}/table-1",
        "counts of runs, of topics with a relevant document and of distinct judged documents; the size of the corpus "
        "is that of its makers, as runs and judgments do not tell it",
        NEEDS,
        sizes,
    ),
    Entry(
        f"{PAPER}/table-2",
        "shares of the 100th image outside mean ± 1.96 s over the 99 before it, differences of the better system on "
        f"the root less the other; α = 0.05; {_HOW}",
        NEEDS,
        last_images,
        reasons=(INSQ,),
    ),
    Entry(
        f"{PAPER}/table-3",
        "standard deviation over images of the difference of two systems on a topic, its mean and standard deviation "
        f"(±) over pairs and topics; vary less: by the mean; the text has many deviations of {_LARGE} or more in RR, "
        f"their share stands beside; {_HOW}",
        NEEDS,
        differences,
        reasons=(INSQ,),
    ),
    Entry(
        f"{PAPER}/table-4",
        "standard deviation over images of a system on a topic, its mean and standard deviation (±) over topics; "
        "close: the means of deviations, rounded as printed, are within 0.01; most consistent: with the smallest ±; "
        f"{_HOW}",
        NEEDS,
        typical,
        reasons=(INSQ,),
    ),
)
