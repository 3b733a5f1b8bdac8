"""Claims from runs on a corpus that is drawn from a population of documents: whole studies, as a user starts them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np

from benchmarks.calibration.cells import SEED, Cell, Group, Method, What
from calibration.worlds import Floats, RunWorld
from irgauge import bootstrap, compare, load, partition, pools, score
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.studies.bootstrap.options import Draw
from irgauge.studies.bootstrap.study import Bootstrapped
from irgauge.studies.partition.study import Partitioned

MEASURES = ("AP", "nDCG", "nDCG@10", "P@10", "RR", "P@1")
IMAGES = 200
TRIALS = 300
_TRUTHS = 300  # corpora whose mean is the truth
_EQUAL = (1.4,) * 5
_UNEQUAL = (0.8, 1.1, 1.4, 1.7, 2.0)


@dataclass(frozen=True, eq=False)
class Drawn:
    """A corpus with its runs, and the mean of each system over all corpora and these topics, where it is asked for."""

    collection: Collection
    truth: Floats | None = None  # measure, system


Observe = Callable[[Drawn, int], float]


def by_compare(shards: str, population: str) -> Observe:
    """Whether `compare` calls any pair different, for a population."""

    def observe(drawn: Drawn, seed: int) -> float:
        found = compare(drawn.collection, "AP", shards=shards, seed=seed, population=population, workers=1)  # type: ignore[arg-type]  # any text
        return float(found.first.under(population).significant.any())

    return observe


def by_partition(study: Callable[..., Partitioned]) -> Observe:
    """The share of what all splits find that is wrong: all of it, where systems are equal."""

    def observe(drawn: Drawn, seed: int) -> float:
        found = study(drawn.collection, "AP", seed=seed, workers=1, fill="drop", splits=11)
        return float(found.first.splits.significant_count > 0)

    return observe


def by_images(measure: str, draw: Draw) -> Observe:
    """The share of systems whose interval holds the truth, of those that have one."""

    def observe(drawn: Drawn, seed: int) -> float:
        found = _imaged(drawn, seed, draw)
        low, high = found.interval[:, MEASURES.index(measure)]
        has_one = ~np.isnan(low)
        if drawn.truth is None or not has_one.any():
            raise DesignError("no interval")
        truth = drawn.truth[MEASURES.index(measure)]
        return float(((low <= truth) & (truth <= high))[has_one].mean())

    return observe


@lru_cache(maxsize=1)
def _imaged(drawn: Drawn, seed: int, draw: Draw) -> Bootstrapped:
    """All measures in the same images."""
    return bootstrap(drawn.collection, MEASURES, images=IMAGES, seed=seed, draw=draw, workers=1)


def by_pools(drawn: Drawn, seed: int) -> float:
    """Whether fewer judgments are said to bring more, or less, confidence."""
    pair = drawn.collection.only([0, 1])
    found = pools(pair, "AP", images=50, depths=(10, 25), seed=seed, workers=1)
    return float((found.gains() > 0).any())


def _method(name: str, population: str, what: What, observe: Observe) -> Method[Drawn]:
    return Method(name, population, what, observe)


def _images(draw: Draw) -> tuple[Method[Drawn], ...]:
    return tuple(_method(f"images, {one}", draw, "coverage", by_images(one, draw)) for one in MEASURES)


PARTITION: dict[str, Callable[..., Partitioned]] = {
    "partition, all of 11 splits": partition,
    "partition, twice-median of 11 splits": partial(partition, aggregate="twice-median"),
    "partition, all of 11 splits, as in the paper": partial(partition, p="paper", draws=1000),
}
DOCUMENTS = (
    _method("compare, even:5", "documents", "any pair", by_compare("even:5", "documents")),
    *(_method(name, "documents", "false discoveries", by_partition(study)) for name, study in PARTITION.items()),
    _method("pools, more confidence with fewer judgments", "topics", "each pair", by_pools),
)
BOTH = (
    _method("compare", "topics", "any pair", by_compare("even:5", "topics")),
    _method("compare, even:5", "both", "any pair", by_compare("even:5", "both")),
    _method(
        "partition, all of 11 splits", "both", "false discoveries", by_partition(partial(partition, drawn="topics"))
    ),
)
KINDS = (_method("compare, match:", "shards", "any pair", by_compare("match:^(.)", "shards")),)
KINDS_AND_TOPICS = (_method("compare, match:", "topics+shards", "any pair", by_compare("match:^(.)", "topics+shards")),)


def draw_corpus(world: RunWorld, topics: int, *, fixed: bool, truth: bool, rng: np.random.Generator) -> Drawn:
    """A corpus, for the same topics in every draw or for others."""
    same = np.random.default_rng(SEED + topics)
    asked = world.topics(same if fixed else rng, topics)
    collection = load(*world.corpus(rng, asked))
    return Drawn(collection, _truth(world, topics, fixed=fixed) if truth else None)


@cache
def _truth(world: RunWorld, topics: int, *, fixed: bool) -> Floats:
    """The mean of whole-corpus scores over many corpora, for the topics that are the same in every draw, or for all."""
    asked = world.topics(np.random.default_rng(SEED + topics), topics)
    rng = np.random.default_rng([SEED, topics])
    corpora = (load(*world.corpus(rng, asked if fixed else world.topics(rng, topics))) for _ in range(_TRUTHS))
    return np.mean([_means(corpus) for corpus in corpora], axis=0)


def _means(collection: Collection) -> Floats:
    """measure, system."""
    return np.asarray(score(collection, MEASURES, workers=1).values[..., 0].mean(axis=1))


def cell(
    name: str, world: RunWorld, topics: int, methods: tuple[Method[Drawn], ...], *, fixed: bool, truth: bool = False
) -> Cell[Drawn]:
    """One world and number of topics."""
    draw = partial(_draw, world=world, topics=topics, fixed=fixed, truth=truth)
    return Cell(name, f"{topics} topics", draw, methods, TRIALS, TRIALS)


def _draw(rng: np.random.Generator, *, world: RunWorld, topics: int, fixed: bool, truth: bool) -> Drawn:
    return draw_corpus(world, topics, fixed=fixed, truth=truth, rng=rng)


def cells() -> list[Cell[Drawn]]:
    """All worlds and numbers of topics."""
    equal = RunWorld(_EQUAL)
    over_topics = RunWorld(_EQUAL, topic_system=0.4)
    of_kinds = RunWorld(_EQUAL, documents=2000, kinds=5, kind_system=0.4)
    unlike = RunWorld(_UNEQUAL, topic_system=0.3)
    found: list[Cell[Drawn]] = []
    for topics in (10, 25):
        found += [
            cell("systems of unequal strength", unlike, topics, _images("documents"), fixed=True, truth=True),
            cell("systems of unequal strength, other topics", unlike, topics, _images("both"), fixed=False, truth=True),
            cell("equal systems, these topics", equal, topics, DOCUMENTS, fixed=True),
            cell("equal systems over topics", over_topics, topics, BOTH, fixed=False),
            cell("equal systems over kinds, these topics", of_kinds, topics, KINDS, fixed=True),
            cell("equal systems over kinds and topics", of_kinds, topics, KINDS_AND_TOPICS, fixed=False),
        ]
    return found


GROUP = Group(
    "runs",
    "Whole studies, from runs",
    "Each draw is a new corpus of 1,000 documents (2,000 where there are kinds of documents) and the runs of 5 systems "
    "on it. The truth is that of the population from which documents, and topics or kinds where these are not fixed, "
    f"are drawn. Images are {IMAGES}. Where a study refuses to give an interval, the share of draws is given.",
    cells,
)
