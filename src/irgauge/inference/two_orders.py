"""Two orders of the same systems by two scores on the same topics: how well they agree, with intervals over topics.

Topics are drawn with replacement, for both orders together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from irgauge.compute.arrays import Floats, Ints

_DIGITS = 12  # in which means differ
_CELLS = 1 << 22  # of draws and pairs that are worked on at a time


class TopicEstimate(NamedTuple):
    """A number, and between which it lies for other topics."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class TwoOrders:
    """How well the order of systems by some scores agrees with that by others."""

    tau: TopicEstimate  # Kendall's τ-b
    tau_ap: TopicEstimate  # τ_AP, which counts the top more
    ranks: Ints  # system, by the scores that the order is held against
    other_ranks: Ints  # system, by the others
    change_low: Ints  # system: of the range of rank changes over most draws of topics
    change_high: Ints  # system
    same_best: float  # share of draws in which both have the same best system

    @property
    def change(self) -> Ints:
        """How many ranks a system falls; below 0 it rises."""
        return self.other_ranks - self.ranks


def two_orders(truth: Floats, other: Floats, *, draws: int = 1000, seed: int = 0, alpha: float = 0.05) -> TwoOrders:
    """Hold the order by other[topic, system] against that by truth[topic, system].

    An interval is the estimate ± the normal quantile times its standard deviation over draws of topics, which move both
    orders; draws themselves agree less than the data do, as they hold their noise twice.
    """
    first, second = truth.mean(axis=0), other.mean(axis=0)
    drawn = [_compared(*means) for means in _draws(truth, other, draws, seed)]
    taus, ap, changes, same = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    low, high = np.quantile(changes, (alpha / 2, 1 - alpha / 2), axis=0, method="inverted_cdf").astype(np.int64)
    change = (ranks(second) - ranks(first)).astype(np.int64)
    return TwoOrders(
        tau=_estimate(float(taus_b(first, second)), taus, alpha),
        tau_ap=_estimate(float(taus_ap(first, second)), ap, alpha),
        ranks=ranks(first),
        other_ranks=ranks(second),
        change_low=np.minimum(low, change),
        change_high=np.maximum(high, change),
        same_best=float(same.mean()),
    )


def _draws(truth: Floats, other: Floats, draws: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Means[draw, system] by both, in blocks."""
    topics, systems = truth.shape
    rng, size = np.random.default_rng(seed), max(1, _CELLS // systems**2)
    for first in range(0, draws, size):
        weights = rng.multinomial(topics, np.full(topics, 1 / topics), size=min(size, draws - first)) / topics
        yield weights @ truth, weights @ other


def _compared(first: Floats, second: Floats) -> tuple[Floats, Floats, Ints, Floats]:
    """τ-b, τ_AP, rank changes and whether the best is the same, of means[draw, system]."""
    of_first, of_second = ranks(first), ranks(second)
    same = ((of_first == 1) == (of_second == 1)).all(axis=-1).astype(float)
    return taus_b(first, second), taus_ap(first, second), of_second - of_first, same


def _estimate(value: float, drawn: Floats, alpha: float) -> TopicEstimate:
    known = drawn[~np.isnan(drawn)]
    half = float(ndtri(1 - alpha / 2) * known.std()) if len(known) else np.nan
    return TopicEstimate(value, max(-1.0, value - half), min(1.0, value + half))


def _signs(means: Floats) -> Floats:
    """The sign of means[..., i] − means[..., j]: ..., i, j."""
    rounded = means.round(_DIGITS)
    return np.sign(rounded[..., :, None] - rounded[..., None, :])


def ranks(means: Floats) -> Ints:
    """1 + the number of systems with a higher mean; those with the same share a rank.

    >>> ranks(np.array([0.2, 0.5, 0.2])).tolist()
    [2, 1, 2]
    """
    return np.asarray(1 + (_signs(means) < 0).sum(axis=-1), np.int64)


def taus_b(first: Floats, second: Floats) -> Floats:
    """Kendall's τ-b of means[..., system]; NaN where all of one side are tied.

    >>> float(taus_b(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])).round(4))
    0.3333
    """
    of_first, of_second = _signs(first), _signs(second)
    untied = np.square(of_first).sum(axis=(-2, -1)) * np.square(of_second).sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((of_first * of_second).sum(axis=(-2, -1)) / np.sqrt(untied))


def taus_ap(truth: Floats, other: Floats) -> Floats:
    """τ_AP of the order by other[..., system] with that by truth: mistakes at its top count more.

    For each system but the first, the systems above it that belong above it less those that belong below it, as a share
    of those above it; the mean of these. Systems that tie are not above each other; a pair that the truth ties is
    neither right nor wrong. Yilmaz, Aslam and Robertson, "A new rank correlation coefficient for information retrieval"
    (SIGIR 2008).

    >>> float(taus_ap(np.array([3.0, 2.0, 1.0]), np.array([2.0, 3.0, 1.0])))
    0.0
    """
    above = _signs(other) < 0  # i, j: whether j is above i
    right = (above * -_signs(truth)).sum(axis=-1)
    count = above.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(count > 0, right / count, 0.0)
        return np.asarray(shares.sum(axis=-1) / (count > 0).sum(axis=-1))


def taus_ap_b(first: Floats, second: Floats) -> Floats:
    """Symmetric τ_AP of two orders by means[..., system] that may both have ties; NaN where all of one side are tied.

    The mean of both directions. In each, the systems strictly above one count, and those that the other order does not
    put above it count against it, ties too: τ_AP,b of Urbano and Marrero, "The treatment of ties in AP correlation"
    (ICTIR 2017). Without ties it is the mean of τ_AP both ways.

    >>> float(taus_ap_b(np.array([3.0, 2.0, 1.0]), np.array([2.0, 3.0, 1.0])))
    0.0
    """
    return (_concordant_above(first, second) + _concordant_above(second, first)) / 2


def _concordant_above(truth: Floats, other: Floats) -> Floats:
    above = _signs(other) < 0  # i, j: whether j is above i
    count, concordant = above.sum(axis=-1), (above & (_signs(truth) < 0)).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(count > 0, concordant / count, 0.0)
        return np.asarray(2 * shares.sum(axis=-1) / (count > 0).sum(axis=-1) - 1)


def effects_rmse(first: Floats, second: Floats) -> float:
    """The root mean square difference of systems' effects, which are their means less the mean of all.

    >>> effects_rmse(np.array([0.1, 0.2, 0.3]), np.array([0.3, 0.4, 0.5])) < 1e-12
    True
    """
    return float(np.sqrt(np.square((first - first.mean()) - (second - second.mean())).mean()))
