"""Many tests at once: adjusted p-values, and the ranges of means that the randomised Tukey test needs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irgauge.arrays import Floats, Indices
from irgauge.choices import known
from irgauge.errors import DesignError

Adjustment = Callable[[Floats], Floats]
BLOCK = 256  # draws that share a seed: part of the result, so that it is not an option


def unadjusted(p: Floats) -> Floats:
    """Each test for itself: nothing is controlled over the tests together."""
    return _checked(p).copy()


def bonferroni(p: Floats) -> Floats:
    """Control the family-wise error rate, whatever the dependence: min(1, m p).

    >>> bonferroni(np.array([0.01, 0.02, 0.5])).tolist()
    [0.03, 0.06, 1.0]
    """
    p = _checked(p)
    return np.minimum(p * p.size, 1.0)


def holm(p: Floats) -> Floats:
    """Control the family-wise error rate, whatever the dependence: max over j ≤ i of (m − j + 1) p_(j).

    Never less powerful than Bonferroni (Holm, Scandinavian Journal of Statistics 1979).

    >>> holm(np.array([0.01, 0.02, 0.5])).tolist()
    [0.03, 0.04, 0.5]
    """
    p = _checked(p)
    order = np.argsort(p, axis=None, kind="stable")
    stepped = np.maximum.accumulate(np.arange(p.size, 0, -1) * p.ravel()[order])
    return _in_place(np.minimum(stepped, 1.0), order, p.shape)


def benjamini_hochberg(p: Floats) -> Floats:
    """Control the false discovery rate of independent or positively dependent tests: min over j ≥ i of m p_(j) / j.

    Benjamini and Hochberg (Journal of the Royal Statistical Society B 1995).

    >>> benjamini_hochberg(np.array([0.01, 0.02, 0.5])).tolist()
    [0.03, 0.03, 0.5]
    """
    p = _checked(p)
    order = np.argsort(p, axis=None, kind="stable")
    scaled = p.ravel()[order] * (p.size / np.arange(1, p.size + 1))
    stepped = np.minimum.accumulate(scaled[::-1])[::-1]
    return _in_place(np.minimum(stepped, 1.0), order, p.shape)


ADJUSTMENTS: dict[str, Adjustment] = {
    "none": unadjusted,
    "bonferroni": bonferroni,
    "holm": holm,
    "bh": benjamini_hochberg,
}


def adjustment(name: str) -> Adjustment:
    """The adjustment of that name: none, bonferroni, holm or bh.

    All entries of the array that it is given are one family, whatever the array's shape.

    >>> adjustment("holm")(np.array([0.04, 0.01])).tolist()
    [0.04, 0.02]
    """
    return ADJUSTMENTS[known(name, ADJUSTMENTS, "correction")]


def range_p(ranges: Floats, differences: Floats, rounding: float) -> Floats:
    """(1 + #{ranges ≥ difference}) / (1 + draws), of ascending ranges; differences up to rounding count as equal.

    The data as observed count as one more draw, so that p is never 0 and the test never exceeds its level (Phipson and
    Smyth 2010).
    """
    reached = len(ranges) - np.searchsorted(ranges, differences - rounding, side="left")
    return np.asarray((1 + reached) / (1 + len(ranges)), np.float64)


def rounding_of_sums(values: Floats) -> float:
    """By how much means over topics of the same values may differ when they are summed in another order."""
    return float(len(values) * np.finfo(np.float64).eps * np.abs(values).max())


def permuted_ranges(values: Floats, draws: int, seed: int) -> Floats:
    """The range of system means in each draw that permutes the systems within every topic of values[topic, system].

    Under the hypothesis that all systems are the same, labels may be exchanged within a topic; the 1 − α quantile of
    the ranges is the least significant difference. Draw i is the same whatever the number of draws.

    >>> sorted(set(permuted_ranges(np.array([[0.0, 1.0], [0.0, 1.0]]), draws=99, seed=1).tolist()))
    [0.0, 1.0]
    """
    values = np.asarray(values, np.float64)
    _check_scores(values, draws)
    blocks = np.random.SeedSequence(seed).spawn(-(-draws // BLOCK))
    return np.concatenate([_block_ranges(values, np.random.default_rng(block)) for block in blocks])[:draws]


def _block_ranges(values: Floats, rng: np.random.Generator) -> Floats:
    """BLOCK draws, one topic at a time, so that BLOCK x systems are in memory and not topics times as many."""
    topics, systems = values.shape
    sums = np.zeros((BLOCK, systems))  # draw, system
    for scores in values:
        sums += rng.permuted(np.broadcast_to(scores, (BLOCK, systems)), axis=1)
    return np.asarray(np.ptp(sums, axis=1) / topics, np.float64)


def _checked(p: Floats) -> Floats:
    p = np.asarray(p, np.float64)
    if not ((p >= 0) & (p <= 1)).all():  # NaN is neither
        wrong = p[~((p >= 0) & (p <= 1))]
        raise DesignError(f"p-values are between 0 and 1; {wrong.size} of {p.size} are not, such as {wrong[0]}")
    return p


def _in_place(adjusted: Floats, order: Indices, shape: tuple[int, ...]) -> Floats:
    """Adjusted p-values in ascending order, put back to where they came from."""
    placed = np.empty(adjusted.size)
    placed[order] = adjusted
    return placed.reshape(shape)


def _check_scores(values: Floats, draws: int) -> None:
    if values.ndim != 2 or min(values.shape) < 2:
        raise DesignError(
            f"values[topic, system] need two topics and two systems at least; their shape is {values.shape}"
        )
    if not np.isfinite(values).all():
        raise DesignError("some values are undefined: fill them, or drop the topics that have them")
    if draws < 1:
        raise DesignError(f"draws is {draws}; it must be at least 1, and 10000 is usual")
