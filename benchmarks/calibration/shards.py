"""Which systems differ, by scores on shards: for other documents, other topics, both, or other shards like these."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.calibration import partition, real
from benchmarks.calibration.cells import Cell, Group, Method
from calibration.worlds import Floats, ShardWorld, heavy_tailed, lopsided
from irgauge.inference.tests.crossed_t import crossed_t
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.tukey import tukey
from irgauge.models.anova import Population, fit

Shape = tuple[int, int, int]  # topics, systems, shards
World = Callable[[np.random.Generator, Shape], Floats]
SHAPES: tuple[Shape, ...] = (
    (10, 5, 2),
    (10, 5, 5),
    (25, 20, 2),
    (25, 20, 3),
    (25, 20, 5),
    (25, 20, 10),
    (25, 20, 50),
    (50, 20, 5),
    (50, 100, 5),
)
_KIND = 0.04  # standard deviation of system:shard where shards differ in kind
_LITTLE, _MUCH = 0.01, 0.15  # the same where one system depends on the kind of shard: of the others, of this one
_SPREAD = 2.5  # of the standard deviations of systems, largest over smallest; 2.2 in TREC-8


def by_tukey(model: str, population: Population) -> Callable[[Floats, int], float]:
    """Whether Tukey's test calls any pair different."""

    def observe(values: Floats, _: int) -> float:
        return float(tukey(fit(values, model), _names(values), population=population).significant.any())

    return observe


def by_crossed_t(population: Population) -> Callable[[Floats, int], float]:
    """Whether the t-test of topics and shards calls any pair different, after Holm's correction."""

    def observe(values: Floats, _: int) -> float:
        return float(crossed_t(values, _names(values), population=population, correction="holm").significant.any())

    return observe


def by_paired_t(values: Floats, _: int) -> float:
    """Whether the paired t-test of means over shards calls any pair different, after Holm's correction."""
    return float(paired_t(values, _names(values), correction="holm").significant.any())


def _names(values: Floats) -> list[str]:
    return [str(system) for system in range(values.shape[1])]


METHODS: dict[Population, tuple[Method[Floats], ...]] = {
    "documents": (
        Method("crossed t, Holm", "documents", "any pair", by_crossed_t("documents")),
        *(
            Method(f"Tukey, {model}", "documents", "any pair", by_tukey(model, "documents"))
            for model in ("MD6", "MD3", "MD2")
        ),
        *partition.methods("residuals", "documents"),
    ),
    "topics": (
        Method("paired t of shard means, Holm", "topics", "any pair", by_paired_t),
        Method("Tukey, MD6", "topics", "any pair", by_tukey("MD6", "topics")),
    ),
    "both": (
        Method("crossed t, Holm", "both", "any pair", by_crossed_t("both")),
        Method("Tukey, MD6", "both", "any pair", by_tukey("MD6", "both")),
        *partition.methods("topics", "both"),
    ),
    "shards": (
        Method("crossed t, Holm", "shards", "any pair", by_crossed_t("shards")),
        Method("Tukey, MD6", "shards", "any pair", by_tukey("MD6", "shards")),
        Method("Tukey, MD6, residual as in the paper", "shards", "any pair", by_tukey("MD6", "sources")),
    ),
    "topics+shards": (
        Method("crossed t, Holm", "topics+shards", "any pair", by_crossed_t("topics+shards")),
        Method("Tukey, MD6", "topics+shards", "any pair", by_tukey("MD6", "topics+shards")),
    ),
    "sources": (
        Method("crossed t, Holm", "sources", "any pair", by_crossed_t("sources")),
        Method("Tukey, MD6", "sources", "any pair", by_tukey("MD6", "sources")),
    ),
}
_PLAIN = {
    "normal": ShardWorld(),
    "no topic:system": ShardWorld(topic_system=0.0),
    "unequal spread": ShardWorld(spread=_SPREAD),
    "skewed": ShardWorld(noise=lopsided),
}
_KINDS = {
    "normal": ShardWorld(system_shard=_KIND),
    "unequal spread": ShardWorld(system_shard=_KIND, spread=_SPREAD),
    "skewed": ShardWorld(system_shard=_KIND, noise=lopsided),
    "heavy tails": ShardWorld(system_shard=_KIND, spread=_SPREAD, noise=heavy_tailed),
    "one source-dependent system": ShardWorld(system_shard=_LITTLE, dependent=_MUCH),
}


def worlds(population: Population) -> dict[str, World]:
    """Worlds in which systems are equally good for a population."""
    of_shards = population in ("shards", "topics+shards", "sources")
    topics, shards = population in ("documents", "shards", "sources"), population == "sources"  # are these
    made: dict[str, World] = {
        f"{name}, {'shards of a kind' if of_shards else 'random shards'}": partial(
            world.values, these_topics=topics, these_shards=shards
        )
        for name, world in (_KINDS if of_shards else _PLAIN).items()
    }
    if real.is_there() and not of_shards:
        trec8 = real.shards_without_copies()
        resampled = {"documents": trec8.documents, "topics": trec8.topics, "both": trec8.both}
        made["TREC-8 shards resampled"] = resampled[population]
    return made


def cell(population: Population, name: str, world: World, shape: Shape) -> Cell[Floats]:
    """One population, world and design."""
    trials = 200 if shape[1] == 100 else 300

    def draw(rng: np.random.Generator) -> Floats:
        return world(rng, shape)

    return Cell(name, " × ".join(map(str, shape)), draw, METHODS[population], trials, trials // 3)


def cells() -> list[Cell[Floats]]:
    """All populations, worlds and designs."""
    return [
        cell(population, name, world, shape)
        for population in METHODS
        for name, world in worlds(population).items()
        for shape in SHAPES
    ]


GROUP = Group(
    "shards",
    "Pairs of systems, scores on shards",
    "All systems are equally good in the population that is named: *documents* (these topics, random shards of other "
    "documents), *topics*, *both*, *shards* (these topics, other shards of the same kind), *topics+shards*, *sources* "
    f"(these topics, other documents of these same shards; the standard deviation of system:shard is {_KIND}, that of "
    "the residual 0.1). A design is topics × systems × shards.",
    cells,
)
