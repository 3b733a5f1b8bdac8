"""Claims over collections: for other topics of these, for other collections, and what one more would show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from benchmarks.calibration.cells import ALPHA, Cell, Group, Method
from calibration.worlds import Floats
from irgauge.inference.comparison import Comparison
from irgauge.inference.strata import Disagreement, strata_t, stratified_t

TRIALS, SPREAD = 1000, 0.2  # of differences over topics
COUNTS, BETWEEN = (3, 5, 10), (0.0, 0.03, 0.1)  # collections; standard deviation of the true difference between them
_SIZES = {"30 topics each": (30,), "10 or 200 topics": (10, 200)}
_NAMES = ("a", "b")
_NOISES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "normal": lambda rng, topics: rng.normal(size=topics),
    "skewed": lambda rng, topics: rng.exponential(size=topics) - 1,
}


@dataclass(frozen=True, eq=False)
class Drawn:
    """Collections of two systems, their true differences, and what one more collection showed; the mean of all is 0."""

    strata: list[Floats]  # values[topic, system]
    truth: Floats  # collection
    more: dict[str, float]  # by how it was chosen among sizes: as often as others, or as topics are

    def weights(self, by: str) -> Floats:
        """How much each collection counts."""
        return np.array([float(len(values)) for values in self.strata]) ** (by == "topics")


def draw(noise: str, between: float, sizes: tuple[int, ...], count: int, rng: np.random.Generator) -> Drawn:
    """A suite of so many collections."""
    topics, of = np.resize(sizes, count), _NOISES[noise]
    truth, other = rng.normal(0, between, count), rng.normal(0, between)
    strata = [
        np.column_stack([own + SPREAD * of(rng, n), np.zeros(n)]) + rng.random((n, 1))
        for own, n in zip(truth, topics, strict=True)
    ]
    chosen = {"equal": int(rng.choice(topics)), "topics": int(rng.choice(topics, p=topics / topics.sum()))}
    more = {by: float(other + SPREAD * of(rng, n).mean()) for by, n in chosen.items()}
    return Drawn(strata, truth, more)


def _difference(comparison: Comparison) -> tuple[float, float]:
    """The interval of the first system minus the second."""
    low, high = float(comparison.low[0]), float(comparison.high[0])
    return (low, high) if comparison.names[0] == _NAMES else (-high, -low)


def misses_these(drawn: Drawn, _: int, by: str) -> float:
    """Whether the interval for other topics misses the true mean over these collections."""
    w = drawn.weights(by)
    low, high = _difference(stratified_t(drawn.strata, _NAMES, alpha=ALPHA, weights=w))
    return float(not low <= np.average(drawn.truth, weights=w) <= high)


def misses_others(drawn: Drawn, _: int, by: str) -> float:
    """Whether the interval for other collections misses the mean of all there are."""
    low, high = _difference(strata_t(drawn.strata, _NAMES, alpha=ALPHA, weights=drawn.weights(by)))
    return float(not low <= 0 <= high)


def holds_one_more(drawn: Drawn, _: int, by: str) -> float:
    """Whether one more collection shows what was expected."""
    comparison = strata_t(drawn.strata, _NAMES, alpha=ALPHA, weights=drawn.weights(by))
    expected = Disagreement.of(drawn.strata, _NAMES, comparison, weights=drawn.weights(by))
    sign = 1 if comparison.names[0] == _NAMES else -1
    return float(expected.low[0] <= sign * drawn.more[by] <= expected.high[0])


METHODS: list[Method[Drawn]] = [
    method
    for by in ("equal", "topics")
    for method in (
        Method(f"stratified t, {by} weights", "same collections", "each pair", partial(misses_these, by=by)),
        Method(f"t over collections, {by} weights", "collections", "each pair", partial(misses_others, by=by)),
        Method(f"one more collection, {by} weights", "collections", "coverage", partial(holds_one_more, by=by)),
    )
]


def cells() -> list[Cell[Drawn]]:
    """All worlds and designs."""
    return [
        Cell(
            f"{noise}, {size}, τ = {between:g}",
            f"{count} collections",
            partial(draw, noise, between, sizes, count),
            METHODS,
            TRIALS,
            TRIALS,
        )
        for noise, (size, sizes), between, count in product(_NOISES, _SIZES.items(), BETWEEN, COUNTS)
    ]


GROUP = Group(
    "suites",
    "Many collections",
    "Two systems whose differences vary over topics by 0.2; the true difference varies between collections by τ, "
    "about a mean of 0. A false claim is an interval that misses the true mean over these collections, or over all "
    "there are. The test for other collections is never bolder than that for the same ones, and conservative where τ "
    "is small. By the paired t over the means of collections, which it was before, other collections were claimed to "
    "differ where the same ones were not in 3, 3, 2 % of suites of 3, 5, 10 collections with τ = 0 (1,500 each). *One "
    "more collection*: the interval of the difference that another collection of these sizes shows.",
    cells,
)
