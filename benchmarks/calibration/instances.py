"""Which algorithms differ, over other topics and other instances, and what an experiment needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from benchmarks.calibration.cells import Cell, Group, Method
from calibration.worlds import Floats, InstanceWorld, lopsided
from irgauge.compute.arrays import Bools
from irgauge.errors import DesignError
from irgauge.replicates.instances import InstanceScores
from irgauge.studies.instances.study import AlgorithmsCompared, instances
from irgauge.studies.plan.study import plan

TOPICS, COUNTS = (10, 25, 50), (2, 3, 5, 10)
TRIALS, SLOW_TRIALS = 300, 60
WIDTH = 0.04  # of the interval that is planned
_STEADY, _NOISY = 0.01, 0.04  # standard deviation over instances; twice as much over topics, four times in cells
Which = Callable[["Drawn", AlgorithmsCompared], Bools]  # pairs


@dataclass(frozen=True, eq=False)
class Drawn:
    """Scores from a world, and the algorithm that varies most, if any does."""

    scores: InstanceScores
    world: InstanceWorld
    noisiest: str | None


def scores_of(values: list[Floats]) -> InstanceScores:
    """Scores as the study takes them, from values[topic, instance] of each algorithm."""
    counts, topics = [one.shape[1] for one in values], len(values[0])
    instance, topic = np.indices((sum(counts), topics)).reshape(2, -1)
    return InstanceScores(
        algorithms=tuple(f"a{place}" for place in range(len(counts))),
        instances=tuple(str(number) for count in counts for number in range(count)),
        topics=tuple(f"t{number}" for number in range(topics)),
        algorithm_of=np.repeat(np.arange(len(counts)), counts),
        instance=instance,
        topic=topic,
        scores=np.concatenate(values, axis=1).T.ravel(),
    )


def every(_: Drawn, found: AlgorithmsCompared) -> Bools:
    """All pairs."""
    return np.ones(len(found.pairs), bool)


def with_noisiest(drawn: Drawn, found: AlgorithmsCompared) -> Bools:
    """The pairs with the algorithm that varies most."""
    return np.array([drawn.noisiest in (pair.system, pair.against) for pair in found.pairs])


def without_noisiest(drawn: Drawn, found: AlgorithmsCompared) -> Bools:
    """The other pairs."""
    return ~with_noisiest(drawn, found)


@lru_cache(maxsize=2)
def compared(drawn: Drawn, variances: str) -> AlgorithmsCompared:
    """What the study says, once for all that is counted of it."""
    return instances(drawn.scores, posterior=False, variances=variances)  # type: ignore[arg-type]  # any text


def wrong(drawn: Drawn, _: int, *, which: Which, variances: str) -> float:
    """The share of some pairs whose interval does not hold 0."""
    found = compared(drawn, variances)
    misses = (found.intervals[0] > 0) | (found.intervals[1] < 0)
    return float(misses[which(drawn, found)].mean())


def any_wrong(drawn: Drawn, _: int) -> float:
    """Whether any pair is called different, after Holm's correction."""
    found = compared(drawn, "own")
    return float((found.tests.p_difference <= found.alpha).any())


def hpd_covers(drawn: Drawn, seed: int) -> float:
    """The share of pairs whose interval of highest posterior density holds 0."""
    low, high = np.asarray(instances(drawn.scores, seed=seed, workers=1).hpd)
    return float(((low <= 0) & (high >= 0)).mean())


def comes_out(drawn: Drawn, seed: int) -> float:
    """Whether an experiment with the topics that a plan asks for has an interval within ± width."""
    count = drawn.world.counts[0]
    topics = {one.replicates: one.topics for one in plan(drawn.scores, width=WIDTH).first.designs}.get(count)
    if topics is None:
        raise DesignError(f"no number of topics is enough with {count} instances")
    values = drawn.world.values(np.random.default_rng([seed, count]), topics)
    low, high = instances(scores_of(values), posterior=False).intervals
    return float((high - low)[0] / 2 <= WIDTH)


def _method(name: str, which: Which, variances: str) -> Method[Drawn]:
    return Method(name, POPULATION, "each pair", partial(wrong, which=which, variances=variances))


POPULATION = "topics and instances"
HPD = Method("HPD interval", POPULATION, "coverage", hpd_covers, is_slow=True)
HOLM = Method("own variances, Holm", POPULATION, "any pair", any_wrong)
PLANNED = Method(f"topics needed for ± {WIDTH}", POPULATION, "assurance", comes_out, is_slow=True)
ALIKE = (_method("own variances", every, "own"), _method("common variances (REML)", every, "common"), HOLM)
UNLIKE = (
    _method("own variances, pairs with the noisiest", with_noisiest, "own"),
    _method("own variances, other pairs", without_noisiest, "own"),
    _method("common variances (REML), pairs with the noisiest", with_noisiest, "common"),
    _method("common variances (REML), other pairs", without_noisiest, "common"),
    HOLM,
)


def _like(counts: tuple[int, ...]) -> InstanceWorld:
    """All algorithms vary alike."""
    size = len(counts)
    return InstanceWorld(counts, (0.02,) * size, (0.04,) * size, (0.08,) * size)


def _unlike(counts: tuple[int, ...]) -> InstanceWorld:
    """The last algorithm varies most, in everything."""
    sd = np.geomspace(_STEADY, _NOISY, len(counts))
    return InstanceWorld(counts, tuple(sd), tuple(2 * sd), tuple(4 * sd))


def _worlds(count: int) -> dict[str, tuple[InstanceWorld, tuple[Method[Drawn], ...]]]:
    """Worlds in which the algorithm with the fewest instances has so many, and what is tried there."""
    three, pair = (count,) * 3, (*UNLIKE[::2],)
    posterior, planned = (HPD,) if count <= 3 else (), (PLANNED,) if count > 3 else ()  # 3 hardly ever suffice
    quiet = InstanceWorld((count,) * 2, (0.003,) * 2, (0.04,) * 2, (0.06,) * 2)
    worlds = {
        "three alike": (_like(three), (*ALIKE, *posterior)),
        "three of unequal variance": (_unlike(three), (*UNLIKE, *posterior)),
        "five of unequal variance": (_unlike((count,) * 5), UNLIKE),
        "three of unequal variance, skewed": (replace(_unlike(three), noise=lopsided), UNLIKE),
        "the noisier of two has fewer": (_unlike((10, count)), pair),
        "the noisier of two has more": (_unlike((count, 10)), pair),
        "two alike, a pilot": (quiet, planned),
    }
    return {name: (world, methods) for name, (world, methods) in worlds.items() if methods}


def cell(name: str, world: InstanceWorld, methods: tuple[Method[Drawn], ...], size: tuple[int, int]) -> Cell[Drawn]:
    """One world and design: topics, instances."""
    topics, count = size
    noisiest = f"a{len(world.counts) - 1}" if len(set(world.instance)) > 1 else None

    def draw(rng: np.random.Generator) -> Drawn:
        return Drawn(scores_of(world.values(rng, topics)), world, noisiest)

    trials = SLOW_TRIALS if methods == (PLANNED,) else TRIALS
    return Cell(name, f"{topics} × {count}", draw, methods, trials, SLOW_TRIALS)


def cells() -> list[Cell[Drawn]]:
    """All worlds and designs: every number of topics with 3 instances, every number of instances with 25 topics."""
    sizes = [(topics, count) for topics in TOPICS for count in COUNTS if topics == 25 or count == 3]
    return [cell(name, *what, size) for size in sizes for name, what in _worlds(size[1]).items()]


GROUP = Group(
    "instances",
    "Pairs of algorithms, other topics and instances",
    "All algorithms have the same true mean. Where their variances are unequal, the last one's standard deviations are "
    "four times the first one's. A design is topics × instances of the algorithm that has the fewest (of a pair the "
    f"other has 10). *Topics needed* is from a pilot of that design, for an interval of ± {WIDTH} in a second "
    "experiment with as many instances.",
    cells,
)
