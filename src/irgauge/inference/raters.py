"""How well two raters agree on the grades of the same items: κ, weighted κ, α, leniency, with intervals over topics.

All are functions of the confusion of their grades. Items of a topic belong together: topics are drawn, not items.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from irgauge.compute.arrays import Floats, Ints
from irgauge.inference.two_orders import TopicEstimate


class Statistic(NamedTuple):
    """A number of agreement: what it is, and how it follows from a confusion[..., grade, other grade] of grades."""

    title: str
    explained: str
    of: Callable[[Floats, Floats], Floats]


def confusion_of(topics: Ints, first: Ints, second: Ints, grades: Sequence[int], count: int) -> Ints:
    """counts[topic, grade by the first, grade by the second] of items on so many topics.

    >>> confusion_of(np.array([0, 0]), np.array([1, 1]), np.array([0, 1]), [0, 1], 1).tolist()
    [[[0, 0], [1, 1]]]
    """
    size = len(grades)
    rows, columns = np.searchsorted(grades, first), np.searchsorted(grades, second)
    cells = (topics * size + rows) * size + columns
    return np.bincount(cells, minlength=count * size * size).reshape(count, size, size)


def agreement(
    counts: Ints, grades: Sequence[int], *, draws: int = 1000, seed: int = 0, alpha: float = 0.05
) -> dict[str, TopicEstimate]:
    """Every statistic of counts[topic, grade, other grade], with its interval.

    An interval is the estimate ± the quantile of Student's t, with one degree of freedom less than topics, times the
    standard deviation over draws of topics.
    """
    topics = len(counts)
    weights = np.random.default_rng(seed).multinomial(topics, np.full(topics, 1 / topics), size=draws)
    drawn = np.tensordot(weights, counts, axes=1).astype(float)  # draw, grade, other grade
    scale, whole = np.asarray(grades, float), counts.sum(axis=0).astype(float)
    quantile = float(stdtrit(topics - 1, 1 - alpha / 2)) if topics > 1 else np.nan
    return {
        name: _estimate(float(statistic.of(whole, scale)), statistic.of(drawn, scale), quantile, name)
        for name, statistic in STATISTICS.items()
    }


def _estimate(value: float, drawn: Floats, quantile: float, name: str) -> TopicEstimate:
    known = drawn[~np.isnan(drawn)]
    half = quantile * float(known.std()) if len(known) else np.nan
    low, high = value - half, value + half
    return TopicEstimate(value, low, high) if name == LENIENCY else TopicEstimate(value, max(low, -1.0), min(high, 1.0))


def _same(confusion: Floats, _: Floats) -> Floats:
    return np.asarray(np.trace(confusion, axis1=-2, axis2=-1) / confusion.sum(axis=(-2, -1)))


def _lenient(confusion: Floats, grades: Floats) -> Floats:
    return np.asarray(
        (confusion * (grades[None, :] - grades[:, None])).sum(axis=(-2, -1)) / confusion.sum(axis=(-2, -1))
    )


def _kappa(power: int) -> Callable[[Floats, Floats], Floats]:
    """Cohen's κ with the weights |g − h|^power of disagreement; 0: all disagreements weigh the same."""

    def of(confusion: Floats, grades: Floats) -> Floats:
        apart = np.abs(grades[:, None] - grades[None, :])
        weights = (apart > 0).astype(float) if power == 0 else apart**power
        rows, columns = confusion.sum(axis=-1), confusion.sum(axis=-2)
        expected = np.einsum("...g,...h,gh->...", rows, columns, weights)
        seen = (confusion * weights).sum(axis=(-2, -1)) * confusion.sum(axis=(-2, -1))
        return _one_less(seen, expected)

    return of


def _alpha(apart: Callable[[Floats], Floats]) -> Callable[[Floats, Floats], Floats]:
    """Krippendorff's α of two raters who both rated all items, by the squared distance of grades."""

    def of(confusion: Floats, _: Floats) -> Floats:
        both = confusion + np.swapaxes(confusion, -2, -1)  # how often two grades coincide
        totals = both.sum(axis=-1)  # ..., grade
        distance, n = apart(totals), totals.sum(axis=-1)
        expected = (totals[..., :, None] * totals[..., None, :] * distance).sum(axis=(-2, -1))
        return _one_less((both * distance).sum(axis=(-2, -1)) * (n - 1), expected)

    return of


def _nominal(totals: Floats) -> Floats:
    return 1 - np.broadcast_to(np.eye(totals.shape[-1]), (*totals.shape, totals.shape[-1]))


def _ordinal(totals: Floats) -> Floats:
    """(Σ of the totals from one grade to the other, the two ends by half)²."""
    middles = np.cumsum(totals, axis=-1) - totals / 2
    return np.square(middles[..., :, None] - middles[..., None, :])


def _one_less(seen: Floats, expected: Floats) -> Floats:
    """1 − seen / expected; NaN where nothing could differ."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(1 - np.where(expected > 0, seen / expected, np.nan))


LENIENCY = "leniency"
STATISTICS: Mapping[str, Statistic] = {
    "same": Statistic("same grade", "the share of pairs with the same grade", _same),
    "kappa": Statistic("κ", "Cohen's κ: 1 the same grades, 0 what chance gives", _kappa(0)),
    "kappa_linear": Statistic("κ linear", "κ that weighs disagreements by the difference of grades", _kappa(1)),
    "kappa_quadratic": Statistic("κ quadratic", "κ that weighs them by its square", _kappa(2)),
    "alpha_nominal": Statistic("α nominal", "Krippendorff's α of grades as names", _alpha(_nominal)),
    "alpha_ordinal": Statistic("α ordinal", "Krippendorff's α of grades as an order", _alpha(_ordinal)),
    LENIENCY: Statistic("leniency", "the mean grade less that of the other", _lenient),
}
