"""Topics in clusters and with weights: tests of a pair that is equally good, and intervals of a mean."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from calibration.worlds import Floats, Noise, clustered, gaussian, lopsided, stratified, weighed
from irgauge.inference.sampled_bounds import sampled_bounds
from irgauge.inference.sampling import Sampling, SamplingColumns
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import known_test
from irgauge.planning.design_effect import design_effect

TRIALS, SLOW = 1500, 500
DRAWS = 499
SIZES: dict[str, tuple[int, ...]] = {
    "5 clusters of 6": (6,) * 5,
    "5 clusters of 2 to 14": (2, 3, 4, 7, 14),
    "10 clusters of 1 to 20": (1, 1, 2, 2, 4, 4, 8, 8, 15, 20),
    "20 clusters of 5": (5,) * 20,
    "50 clusters of 1 to 10": tuple(1 + place % 10 for place in range(50)),
}
CORRELATIONS = (0.0, 0.3, 0.8)


class Sampled(NamedTuple):
    """Differences on topics, and how these came together."""

    d: Floats
    sampling: Sampling
    effect: float = 1.0  # the true design effect of clusters


def in_clusters(noise: Noise, sizes: tuple[int, ...], correlation: float, rng: np.random.Generator) -> Sampled:
    """Clusters of some sizes."""
    d, cluster = clustered(rng, sizes, correlation, noise)
    alike = np.full(len(d), 1 / len(d))
    sampling = Sampling(alike, cluster, np.zeros(len(d), np.intp), SamplingColumns(cluster="cluster"))
    return Sampled(d, sampling, 1 + (sum(size * size for size in sizes) / len(d) - 1) * correlation)


def with_weights(noise: Noise, topics: int, spread: float, tilt: float, rng: np.random.Generator) -> Sampled:
    """Weights that are the more unequal the larger their spread."""
    d, weight = weighed(rng, topics, spread, tilt, noise)
    zeros = np.zeros(topics, np.intp)
    return Sampled(d, Sampling(weight / weight.sum(), np.arange(topics), zeros, SamplingColumns(weights="weight")))


STRATA: dict[str, tuple[tuple[int, ...], tuple[float, ...]]] = {  # topics and shares of kinds
    "3 kinds of 20": ((20, 20, 20), (0.7, 0.2, 0.1)),
    "kinds of 30, 10 and 4": ((30, 10, 4), (0.2, 0.3, 0.5)),
    "6 kinds of 3": ((3,) * 6, (0.4, 0.25, 0.15, 0.1, 0.05, 0.05)),
    "kinds of 2, 2 and 40": ((2, 2, 40), (0.3, 0.3, 0.4)),
}


def with_shares(noise: Noise, strata: str, rng: np.random.Generator) -> Sampled:
    """Kinds that count otherwise than as many topics as they have."""
    sizes, shares = STRATA[strata]
    d, kind = stratified(rng, sizes, shares, noise)
    weight = (np.array(shares) / np.array(sizes))[kind]
    return Sampled(d, Sampling(weight, np.arange(len(d)), kind, SamplingColumns(shares="kind")))


def differs(test: str, *, is_known: bool = True) -> Callable[[Sampled, int], float]:
    """Whether a test finds a difference; clusters and weights may be ignored."""

    def observe(sampled: Sampled, seed: int) -> float:
        values = np.stack((sampled.d, np.zeros(len(sampled.d))), axis=1)[:, :, None]
        own = sampled.sampling if is_known else None
        experiment = Experiment(values, ["new", "old"], baseline="old", draws=DRAWS, seed=seed, sampling=own)
        return float(known_test(test).compare(experiment).p[0] <= ALPHA)

    return observe


def averaged_differ(test: str) -> Callable[[Sampled, int], float]:
    """Whether a test of means over clusters, as over the wordings of a need, finds a difference."""

    def observe(sampled: Sampled, seed: int) -> float:
        cluster = sampled.sampling.cluster
        means = np.bincount(cluster, sampled.d) / np.bincount(cluster)
        return differs(test, is_known=False)(sampled._replace(d=means), seed)

    return observe


def holds(sampled: Sampled, _: int) -> float:
    """Whether the interval of a mean holds the truth, 0."""
    low, high = sampled_bounds(sampled.d[:, None], sampled.sampling, ALPHA)
    return float(low[0] <= 0 <= high[0])


def holds_effect(sampled: Sampled, _: int) -> float:
    """Whether the interval of a design effect holds the true one."""
    effect = design_effect(sampled.d, sampled.sampling, ALPHA)
    return float("nan") if effect is None else float(effect.low <= sampled.effect <= effect.high)


EFFECT = Method("plan: design-effect", "topics", "coverage", holds_effect)
IGNORED = Method("paired t, clusters ignored", "topics", "each pair", differs("t", is_known=False))
AVERAGED = (
    Method("skewed-t, means over wordings", "topics", "each pair", averaged_differ("skewed-t")),
    Method("paired t, means over wordings", "topics", "each pair", averaged_differ("t")),
)
KNOWN = (
    Method("skewed-t, clusters or weights", "topics", "each pair", differs("skewed-t")),
    Method("paired t, clusters or weights", "topics", "each pair", differs("t")),
    Method("interval of a mean, clusters or weights", "topics", "coverage", holds),
)
SHARES = (
    Method("paired t, shares ignored", "topics", "each pair", differs("t", is_known=False)),
    Method("skewed-t, shares", "topics", "each pair", differs("skewed-t")),
    Method("paired t, shares", "topics", "each pair", differs("t")),
    Method("interval of a mean, shares", "topics", "coverage", holds),
)
DRAWN = (
    Method("randomization, clusters", "topics", "each pair", differs("randomization"), is_slow=True),
    Method("bootstrap-t, clusters", "topics", "each pair", differs("bootstrap-t"), is_slow=True),
)
WEIGHTS = tuple(product((25, 100), (0.5, 1.0, 1.5)))
_NOISES: dict[str, Noise] = {"normal": gaussian, "skewed": lopsided}


def cells() -> list[Cell[Sampled]]:
    """All worlds and designs."""
    clusters = [
        Cell(
            f"{noise}, correlation {correlation:g}",
            sizes,
            partial(in_clusters, _NOISES[noise], SIZES[sizes], correlation),
            (IGNORED, *KNOWN, *AVERAGED, *DRAWN, EFFECT),
            TRIALS,
            SLOW,
        )
        for noise, correlation, sizes in product(_NOISES, CORRELATIONS, SIZES)
    ]
    weights = [
        Cell(
            f"{noise}, log-normal weights of spread {spread:g}, {'frequent ones differ' if tilt else 'any differ'}",
            f"{topics} topics",
            partial(with_weights, _NOISES[noise], topics, spread, tilt),
            KNOWN,
            TRIALS,
            TRIALS,
        )
        for noise, tilt, (topics, spread) in product(_NOISES, (0.0, 0.5), WEIGHTS)
    ]
    shares = [
        Cell(f"{noise}, kinds differ", strata, partial(with_shares, _NOISES[noise], strata), SHARES, TRIALS, TRIALS)
        for noise, strata in product(_NOISES, STRATA)
    ]
    return clusters + weights + shares


GROUP = Group(
    "sampling",
    "Clusters and weights",
    "Two systems that are equally good, on topics in clusters (5 to 50 of them, of equal and of very unequal sizes, "
    "correlated within clusters by 0 to 0.8), with log-normal weights, or in kinds of known shares, on which both "
    "differences and spreads are others. The paired t-test that takes topics as drawn "
    "one by one is wrong where they are not; tests of clusters draw, flip or sum these. Means over wordings take the "
    "clusters as needs, and count each of these once. Where a few large clusters "
    "count for most (here 10 as 5 of one size), or a few topics stand for a kind of a large share, and differences are "
    "skewed, no test keeps 5 %: a warning says so.",
    cells,
)
