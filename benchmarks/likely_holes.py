"""Do likely grades of unjudged documents hold? `python -m benchmarks.likely_holes`.

Worlds whose judgments are complete: 25 topics and 24 runs at a time of TREC-8 (runs of its pool, to rank 100) and of
TREC DL 2021 (to rank 10), and collections that are made. Judgments are hidden as pools would: all below a depth, of all
runs or of two thirds of them. Intervals have to hold the means, and the differences of means, that all judgments give.
For other topics, systems of a pair change places on topics at random: none is better, and p is to be 0.05 or less in
5 % of pairs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.inference.hidden_judgments import likely_grades
from irgauge.inference.likely_scores import HoleDraws, LikelyScores
from irgauge.reading.collection import Collection, load
from irgauge.reading.contributions import Contributions
from irgauge.reading.judgments import UNJUDGED
from irgauge.scoring.drawn import whole
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.retrieved import Retrieved
from irgauge.scoring.scorer import Scorer

ALPHA, DRAWS, TOPICS, SYSTEMS = 0.05, 50, 25, 24
POOLED = (1.0, 2 / 3)  # share of the runs whose documents are judged
_ROUNDING = 1e-9


class Source(NamedTuple):
    """A collection whose judgments are complete, to which depths these are cut, and by which measures it is scored."""

    name: str
    collection: Collection
    depths: tuple[int, ...]
    measures: tuple[str, ...]


class Rates(NamedTuple):
    """What was seen of one world, by one measure."""

    systems: float  # share of means within their intervals
    pairs: float  # share of differences within theirs
    half: float  # half of an interval of a difference, mean
    wrong: float  # share of pairs of systems that are equally good with p ≤ α


def made(seed: int, topics: int = TOPICS, systems: int = SYSTEMS, length: int = 60, documents: int = 300) -> Collection:
    """Runs that rank by relevance and noise, with all documents judged; some topics have many relevant ones."""
    rng = np.random.default_rng(seed)
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {f"s{s:02}": {} for s in range(systems)}
    for t in range(topics):
        relevance = rng.normal(rng.normal(0, 0.4), 1, documents)
        names = [f"d{t}-{d}" for d in range(documents)]
        grades = (relevance > 1.2).astype(int) + (relevance > 2.0)
        qrels[str(t)] = dict(zip(names, grades.tolist(), strict=True))
        for s, run in enumerate(runs.values()):
            scores = relevance + rng.normal(0, 0.8 + 1.6 * s / systems, documents)
            run[str(t)] = {names[d]: float(scores[d]) for d in np.argsort(-scores)[:length]}
    return load(qrels, runs, warn=False)


def sources() -> Iterator[Source]:
    """Those that there are."""
    deep = ("AP", "nDCG", "R@100", "P@30", "P@10", "nDCG@10", "RBP(rel=1)")
    if trec8 := os.environ.get("IRGAUGE_TREC8"):
        yield Source("TREC-8", complete(Path(trec8), 100), (5, 10, 25, 50), deep)
    if judges := os.environ.get("IRGAUGE_JUDGES"):
        shallow = ("AP@10", "nDCG@10", "R@10", "P@10", "P@5", "RBP(rel=1)")
        yield Source("DL 2021", complete(Path(judges) / "dl21", 10), (2, 3, 5), shallow)
    yield Source("made", made(0, 60, 48), (5, 10, 25), ("AP", "nDCG", "R@50", "P@30", "P@10", "nDCG@10", "RBP"))


def complete(folder: Path, depth: int) -> Collection:
    """The runs whose first documents are all judged, cut to them."""
    collection = load(folder / "qrels.txt.gz", folder / "runs", depth=depth, warn=False)
    depths = Contributions(collection, np.arange(len(collection.systems))).depths
    return collection.only(np.flatnonzero(depths >= depth).tolist())


def part_of(collection: Collection, rng: np.random.Generator) -> Collection:
    """Some topics and runs of a collection."""
    topics = set(rng.permutation(len(collection.topics))[TOPICS:].tolist())
    systems = np.sort(rng.permutation(len(collection.systems))[:SYSTEMS]).tolist()
    return collection.without({collection.topics[t] for t in topics}).only(systems)


def exchanged(collection: Collection, rng: np.random.Generator) -> Collection:
    """The same where the systems of each pair of neighbours change places on half of the topics."""
    order = np.tile(np.arange(len(collection.systems)), (len(collection.topics), 1))
    for first in range(0, len(collection.systems) - 1, 2):
        swapped = rng.random(len(order)) < 0.5
        order[swapped, first], order[swapped, first + 1] = first + 1, first
    rows = np.arange(len(order))[:, None]
    return replace(collection, firsts=collection.firsts[rows, order], lengths=collection.lengths[rows, order])


def cut(pairs: Retrieved, depth: int, share: float, rng: np.random.Generator) -> Retrieved:
    """The same where only documents of pools of some runs are judged."""
    systems = len(pairs.collection.systems)
    pooled = np.sort(rng.permutation(systems)[: round(share * systems)]).tolist()
    pool = Retrieved.of(pairs.collection.only(pooled))
    top = pool.best <= depth
    judged = pairs.among(pool.topics[top], pool.docs[top])
    return Retrieved.of(pairs.judged_as(np.where(judged, pairs.levels, UNJUDGED)))


def means(collection: Collection, measures: Sequence[Measure]) -> Floats:
    """measure, system."""
    scores = Scorer(collection, measures).score(whole(collection.document_count))[..., 0]
    return np.asarray(np.nan_to_num(scores).mean(axis=1))


def tried(collection: Collection, names: Sequence[str], depth: int, share: float, seed: int) -> list[Rates]:
    """What intervals and tests say of one world, by every measure."""
    rng = np.random.default_rng((seed, depth, round(100 * share)))
    measures = parse_measures(names)
    complete_pairs = Retrieved.of(exchanged(part_of(collection, rng), rng))
    grades, checks = likely_grades(cut(complete_pairs, depth, share, rng))
    truth, systems = means(complete_pairs.collection, measures), len(complete_pairs.collection.systems)
    pairs = np.stack(np.triu_indices(systems, 1), axis=1)
    draws = HoleDraws(grades, checks, measures, DRAWS, seed)
    scores = draws.scores(draws.held(pairs, ALPHA))
    return [_rates(own, true, pairs) for own, true in zip(scores, truth, strict=True)]


def _rates(scores: LikelyScores, truth: Floats, pairs: Ints) -> Rates:
    mean, half = scores.of_systems(ALPHA)
    difference, wide = scores.of_pairs(pairs, ALPHA)
    true = truth[pairs[:, 0]] - truth[pairs[:, 1]]
    neighbours = pairs[(pairs[:, 0] % 2 == 0) & (pairs[:, 1] == pairs[:, 0] + 1)]
    equal, _ = scores.of_pairs(neighbours, ALPHA)
    p = scores.parts(neighbours).tested(equal, ALPHA).p
    return Rates(
        float((np.abs(mean - truth) <= half + _ROUNDING).mean()),
        float((np.abs(difference - true) <= wide + _ROUNDING).mean()),
        float(wide.mean()),
        float((p <= ALPHA).mean()),
    )


def main(worlds: int = 20) -> None:
    """Print the rows of a table: means and differences held, and false alarms, in per cent."""
    for source in sources():
        print(f"| {source.name} | pooled | {' | '.join(source.measures)} |")
        for depth in source.depths:
            for share in POOLED:
                every = [tried(source.collection, source.measures, depth, share, seed) for seed in range(worlds)]
                rates = 100 * np.array(every).mean(axis=0)  # measure, rate
                cells = [f"{own[0]:.0f} / {own[1]:.0f} / {own[3]:.0f}" for own in rates]
                print(f"| {depth} | {'all' if share == 1 else '2 of 3'} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
