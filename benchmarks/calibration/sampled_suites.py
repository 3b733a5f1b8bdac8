"""Claims over collections whose topics are in clusters, or count unequally."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from benchmarks.calibration.sampling import SIZES
from calibration.worlds import Floats, Noise, Places, Rng, clustered, gaussian, lopsided, weighed
from irgauge.inference.sampling import Sampling, SamplingColumns
from irgauge.inference.strata import strata_t, stratified_t

TRIALS = 500
COUNTS = (3, 10)  # collections
TOPICS = (30, 100)
SPREAD, TILT = 1.0, 0.5  # of log-normal weights; how much frequent topics differ
_OF = ("5 clusters of 6", "20 clusters of 5", "50 clusters of 1 to 10")  # of collections, in turn
_NOISES: dict[str, Noise] = {"normal": gaussian, "skewed": lopsided}


class Stratum(NamedTuple):
    """Differences of two systems on the topics of a collection, whose mean is 0 in truth."""

    d: Floats
    weight: Floats
    cluster: Places
    columns: SamplingColumns

    @property
    def sampling(self) -> Sampling:
        """How its topics came together."""
        return Sampling(self.weight / self.weight.sum(), self.cluster, np.zeros(len(self.d), np.intp), self.columns)


Drawn = list[Stratum]


def in_clusters(noise: Noise, correlation: float, count: int, rng: Rng) -> Drawn:
    """Collections with few and with many clusters."""
    strata = []
    for place in range(count):
        d, cluster = clustered(rng, SIZES[_OF[place % len(_OF)]], correlation, noise)
        strata.append(Stratum(d, np.ones(len(d)), cluster, SamplingColumns(cluster="cluster")))
    return strata


def with_weights(noise: Noise, count: int, rng: Rng) -> Drawn:
    """Collections of unequal sizes with unequal weights, by whose sums they count."""
    strata = []
    for place in range(count):
        topics = TOPICS[place % len(TOPICS)]
        d, weight = weighed(rng, topics, SPREAD, TILT, noise)
        strata.append(Stratum(d, weight, np.arange(topics), SamplingColumns(weights="weight")))
    return strata


def differ(drawn: Drawn, _: int, *, is_known: bool = True, over_others: bool = False) -> float:
    """Whether a difference is claimed; clusters may be ignored."""
    strata = [np.column_stack((own.d, np.zeros(len(own.d)))) for own in drawn]
    samplings = [own.sampling for own in drawn] if is_known else []
    is_weighted = drawn[0].columns.weights is not None
    weights = np.array([own.weight.sum() if is_weighted else 1.0 for own in drawn])
    test = strata_t if over_others else stratified_t
    return float(test(strata, ["a", "b"], alpha=ALPHA, weights=weights, samplings=samplings).p[0] <= ALPHA)


SAME = Method("stratified t, clusters or weights", "same collections", "each pair", differ)
OTHERS = Method(
    "t over collections, clusters or weights", "collections", "each pair", partial(differ, over_others=True)
)
IGNORED = Method("stratified t, clusters ignored", "same collections", "each pair", partial(differ, is_known=False))


def cells() -> list[Cell[Drawn]]:
    """All worlds and designs."""
    clusters = [
        Cell(
            f"{noise}, correlation {correlation:g}",
            f"{count} collections",
            partial(in_clusters, _NOISES[noise], correlation, count),
            (IGNORED, SAME, OTHERS),
            TRIALS,
            TRIALS,
        )
        for noise, correlation, count in product(_NOISES, (0.0, 0.8), COUNTS)
    ]
    weights = [
        Cell(
            f"{noise}, log-normal weights of spread {SPREAD:g}",
            f"{count} collections",
            partial(with_weights, _NOISES[noise], count),
            (SAME, OTHERS),
            TRIALS,
            TRIALS,
        )
        for noise, count in product(_NOISES, COUNTS)
    ]
    return clusters + weights


GROUP = Group(
    "sampled-suites",
    "Many collections, clusters and weights",
    "Two systems that are equally good on every collection, whose topics are in few or many clusters, or have "
    "log-normal weights where frequent topics differ from others. One collection of three has 5 clusters: where these "
    "are skewed and topics within them alike, slightly more than 5 % may be wrong, and a warning says so.",
    cells,
)
