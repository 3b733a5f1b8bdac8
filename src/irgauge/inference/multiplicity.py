"""Many tests at once: adjusted p-values, and the randomised Tukey test of all pairs of systems."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError

Adjustment = Callable[[NDArray[np.float64]], NDArray[np.float64]]
BLOCK = 256  # draws that share a seed: part of the result, so that it is not an option


def unadjusted(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each test for itself: nothing is controlled over the tests together."""
    return _checked(p).copy()


def bonferroni(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Control the family-wise error rate, whatever the dependence: min(1, m p).

    >>> bonferroni(np.array([0.01, 0.02, 0.5])).tolist()
    [0.03, 0.06, 1.0]
    """
    p = _checked(p)
    return np.minimum(p * p.size, 1.0)


def holm(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Control the family-wise error rate, whatever the dependence: max over j ≤ i of (m − j + 1) p_(j).

    Never less powerful than Bonferroni (Holm, Scandinavian Journal of Statistics 1979).

    >>> holm(np.array([0.01, 0.02, 0.5])).tolist()
    [0.03, 0.04, 0.5]
    """
    p = _checked(p)
    order = np.argsort(p, axis=None, kind="stable")
    stepped = np.maximum.accumulate(np.arange(p.size, 0, -1) * p.ravel()[order])
    return _in_place(np.minimum(stepped, 1.0), order, p.shape)


def benjamini_hochberg(p: NDArray[np.float64]) -> NDArray[np.float64]:
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
    if name not in ADJUSTMENTS:
        near = get_close_matches(name.lower(), ADJUSTMENTS, n=1, cutoff=0.0)[0]
        known = ", ".join(ADJUSTMENTS)
        raise DesignError(f"the adjustment '{name}' is unknown; did you mean '{near}'? There are {known}")
    return ADJUSTMENTS[name]


def randomised_tukey(values: NDArray[np.float64], draws: int, seed: int) -> NDArray[np.float64]:
    """p[system, system] of all pairs of systems over values[topic, system], the family-wise error rate controlled.

    p(a, b) = (1 + #{draws whose range ≥ |mean_a − mean_b|}) / (1 + draws), with the ranges of `permuted_ranges`. The
    data as observed count as one more draw, so that p is never 0 and the test never exceeds its level (Phipson and
    Smyth 2010). Carterette (TOIS 2012), after Tukey's honestly significant difference.

    >>> randomised_tukey(np.array([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [0.1, 0.8]]), draws=999, seed=1).round(1)
    array([[1. , 0.1],
           [0.1, 1. ]])
    """
    ranges = np.sort(permuted_ranges(values, draws, seed))
    means = np.mean(values, axis=0)  # system
    return range_p(ranges, np.abs(means[:, None] - means), rounding_of_sums(values))


def range_p(ranges: NDArray[np.float64], differences: NDArray[np.float64], rounding: float) -> NDArray[np.float64]:
    """(1 + #{ranges ≥ difference}) / (1 + draws), of ascending ranges; differences up to rounding count as equal."""
    reached = len(ranges) - np.searchsorted(ranges, differences - rounding, side="left")
    return np.asarray((1 + reached) / (1 + len(ranges)), np.float64)


def rounding_of_sums(values: NDArray[np.float64]) -> float:
    """By how much means over topics of the same values may differ when they are summed in another order."""
    return float(len(values) * np.finfo(np.float64).eps * np.abs(values).max())


def permuted_ranges(values: NDArray[np.float64], draws: int, seed: int) -> NDArray[np.float64]:
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


def _block_ranges(values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """BLOCK draws, one topic at a time, so that BLOCK x systems are in memory and not topics times as many."""
    topics, systems = values.shape
    sums = np.zeros((BLOCK, systems))  # draw, system
    for scores in values:
        sums += rng.permuted(np.broadcast_to(scores, (BLOCK, systems)), axis=1)
    return np.asarray(np.ptp(sums, axis=1) / topics, np.float64)


def _checked(p: NDArray[np.float64]) -> NDArray[np.float64]:
    p = np.asarray(p, np.float64)
    if not ((p >= 0) & (p <= 1)).all():  # NaN is neither
        wrong = p[~((p >= 0) & (p <= 1))]
        raise DesignError(f"p-values are between 0 and 1; {wrong.size} of {p.size} are not, such as {wrong[0]}")
    return p


def _in_place(adjusted: NDArray[np.float64], order: NDArray[np.intp], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Adjusted p-values in ascending order, put back to where they came from."""
    placed = np.empty(adjusted.size)
    placed[order] = adjusted
    return placed.reshape(shape)


def _check_scores(values: NDArray[np.float64], draws: int) -> None:
    if values.ndim != 2 or min(values.shape) < 2:
        raise DesignError(
            f"values[topic, system] need two topics and two systems at least; their shape is {values.shape}"
        )
    if not np.isfinite(values).all():
        raise DesignError("some values are undefined: fill them, or drop the topics that have them")
    if draws < 1:
        raise DesignError(f"draws is {draws}; it must be at least 1, and 10000 is usual")
