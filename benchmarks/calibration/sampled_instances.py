"""Two algorithms that are equally good, over other instances, on topics in clusters and with weights."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from benchmarks.calibration.sampling import SIZES
from calibration.worlds import Floats, Noise, Places, Rng, clustered, gaussian, lopsided, weighed
from irgauge.inference.instance_tests import Claiming, Pair, squares_on, tested_by_squares
from irgauge.inference.sampling import Sampling, SamplingColumns

TRIALS = 500
COUNTS: dict[str, tuple[int, int]] = {"5 instances": (5, 5), "3 instances against 1": (3, 1)}
_NOISES: dict[str, Noise] = {"normal": gaussian, "skewed": lopsided}
_INSTANCE, _RESIDUAL = 0.2, 1.0  # standard deviations, where that of topics by algorithm is 1
_PAIR = Pair("new", "old")


class Drawn(NamedTuple):
    """The values[instance, topic] of two algorithms, and how topics came together."""

    new: Floats
    old: Floats
    weight: Floats  # topic
    cluster: Places  # topic
    columns: SamplingColumns

    @property
    def sampling(self) -> Sampling:
        """Where no topic has nearly all of the weight."""
        size = len(self.weight)
        return Sampling(self.weight / self.weight.sum(), self.cluster, np.zeros(size, np.intp), self.columns)


def _instances(rng: Rng, noise: Noise, count: int, on_topics: Floats, left: list[Floats]) -> Floats:
    """An algorithm with one instance always answers alike."""
    if count == 1:
        return on_topics[None]
    return on_topics + _INSTANCE * noise(rng, (count, 1)) + _RESIDUAL * np.array(left)


def in_clusters(noise: Noise, sizes: tuple[int, ...], correlation: float, counts: tuple[int, int], rng: Rng) -> Drawn:
    """Clusters of some sizes: what algorithms do on topics, and what instances do, is correlated within each."""
    tables = []
    for count in counts:
        on_topics, cluster = clustered(rng, sizes, correlation, noise)
        left = [clustered(rng, sizes, correlation, noise)[0] for _ in range(count)]
        tables.append(_instances(rng, noise, count, on_topics, left))
    return Drawn(tables[0], tables[1], np.ones(len(cluster)), cluster, SamplingColumns(cluster="cluster"))


def with_weights(noise: Noise, topics: int, spread: float, tilt: float, counts: tuple[int, int], rng: Rng) -> Drawn:
    """Weights that are the more unequal the larger their spread."""
    d, weight = weighed(rng, topics, spread, tilt, noise)
    on_topics = (d, noise(rng, (topics,)))
    tables = [
        _instances(rng, noise, count, own, [noise(rng, (topics,)) for _ in range(count)])
        for count, own in zip(counts, on_topics, strict=True)
    ]
    return Drawn(tables[0], tables[1], weight, np.arange(topics), SamplingColumns(weights="weight"))


def differ(drawn: Drawn, _: int, *, is_known: bool = True) -> float:
    """Whether a difference is claimed; clusters and weights may be ignored."""
    squares = squares_on({"new": drawn.new, "old": drawn.old}, [_PAIR], drawn.sampling if is_known else None)
    tested = tested_by_squares(squares, "nested", 2, Claiming(0.01, ALPHA, "none"))
    return float(tested.contrasts[0].p <= ALPHA)


POPULATION = "clusters or traffic, and instances"
KNOWN = Method("own variances, clusters or weights", POPULATION, "each pair", differ)
IGNORED = Method("own variances, clusters ignored", POPULATION, "each pair", partial(differ, is_known=False))


def cells() -> list[Cell[Drawn]]:
    """All worlds and designs."""
    clusters = [
        Cell(
            f"{noise}, correlation {correlation:g}, {counts}",
            sizes,
            partial(in_clusters, _NOISES[noise], SIZES[sizes], correlation, COUNTS[counts]),
            (IGNORED, KNOWN),
            TRIALS,
            TRIALS,
        )
        for noise, correlation, counts, sizes in product(_NOISES, (0.0, 0.8), COUNTS, SIZES)
    ]
    weights = [
        Cell(
            f"{noise}, log-normal weights of spread {spread:g}, {counts}",
            f"{topics} topics",
            partial(with_weights, _NOISES[noise], topics, spread, 0.5, COUNTS[counts]),
            (KNOWN,),
            TRIALS,
            TRIALS,
        )
        for noise, counts, topics, spread in product(_NOISES, COUNTS, (25, 100), (0.5, 1.5))
    ]
    return clusters + weights


GROUP = Group(
    "sampled-instances",
    "Pairs of algorithms, clusters and weights",
    "Two algorithms with the same true mean over other instances, on topics in clusters, in which both what an "
    "algorithm does on topics and what one of its instances does are correlated, or with log-normal weights where "
    "frequent topics differ from others.",
    cells,
)
