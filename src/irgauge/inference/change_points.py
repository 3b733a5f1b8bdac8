"""Since when do scores differ? Change points of the mean over topics in a series of measurements of the same topics.

Whether a part of a series d[time, topic] has a change: each split of it in two, and each window of 2, 4, ... times, has
a contrast, the mean within less the mean without. A change is one of the system and holds for other topics, so that two
tests must both find it. The times are permuted, and the largest contrast of the means over topics is held against its
distribution, that of splits and that of all, each at half the level (a split is seen with fewer times, what comes and
goes in windows only): without a change all orders are as likely, however skewed what varies from time to time is. The
contrasts on topics are tested by the guarded t-test, with Bonferroni's correction: topics are drawn, and on each the
whole series is kept. Where the times before a split are all the same, and those after it, nothing varies from time to
time, and the second test alone decides.

There are as few changes as leave no part with a change, each part tested at its share of α by its length, so that with
a chance of 1 − α there are not too many. A change lies where it may: not later than where parts that are as long as
possible from the start end, not earlier than where those from the end start. It is the idea of Frick, Munk and Sieling,
"Multiscale change point inference", Journal of the Royal Statistical Society B 2014, with another test of a part.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.inference.tests.skewed_t import skewed_t_outcome

DRAWS = 999
_ROUNDING = 1e-12  # what of a difference of means is an error of rounding
_AT_ONCE = 2_000_000  # cells of contrasts of permuted times


class ChangePoint(NamedTuple):
    """A change of the mean over topics."""

    place: int  # the first time after it
    first: int  # of its interval: the earliest time that may be the first after it
    last: int
    topics: Floats  # topic: mean after less mean before it, up to the changes beside it
    difference: float  # their mean
    low: float  # of its interval, as if the place were known
    high: float


def change_points(series: Floats, alpha: float, *, seed: int = 0) -> tuple[ChangePoint, ...]:
    """The changes in series[time, topic], in order: with a chance of 1 − α not more than there are.

    Where there are as many, their intervals hold them all with that chance.

    >>> rng = np.random.default_rng(1)
    >>> series = rng.normal(0, 0.1, (12, 30))
    >>> series[7:] += 0.1
    >>> [(change.place, change.first, change.last) for change in change_points(series, 0.05)]
    [(7, 4, 9)]
    """
    parts = _Parts(series, alpha, seed)
    earliest, latest = parts.from_end(), parts.from_start()
    bounds = list(zip(earliest, latest, strict=True)) if len(earliest) == len(latest) else [(i, i) for i in latest]
    places = parts.likeliest([(min(pair), max(pair)) for pair in bounds])
    ends = [0, *places, len(series)]
    return tuple(
        _described(series, (ends[i], place, ends[i + 2]), (min(*bounds[i], place), max(*bounds[i], place)), alpha)
        for i, place in enumerate(places)
    )


@dataclass(eq=False)
class _Parts:
    """The parts of a series, and whether they have a change; each is tested once."""

    series: Floats  # time, topic
    alpha: float
    seed: int
    tested: dict[tuple[int, int], bool] = field(default_factory=dict)

    def is_even(self, start: int, end: int) -> bool:
        """Whether no change is found within a part."""
        if (start, end) not in self.tested:
            level = self.alpha * (end - start) / len(self.series)
            self.tested[start, end] = _p(self.series[start:end], self.seed) > level
        return self.tested[start, end]

    def from_start(self) -> list[int]:
        """Where parts without a change end that are each as long as possible, from the first time on."""
        start, count, places = 0, len(self.series), list[int]()
        while not self.is_even(start, count):
            sizes = range(1, count - start)
            start += bisect_left(sizes, 1, key=lambda size: int(not self.is_even(start, start + size)))  # at once
            places.append(start)
        return places

    def from_end(self) -> list[int]:
        """Where such parts start, from the last time back."""
        end, places = len(self.series), list[int]()
        while not self.is_even(0, end):
            sizes = range(1, end)
            end -= bisect_left(sizes, 1, key=lambda size: int(not self.is_even(end - size, end)))  # at once
            places.append(end)
        return places[::-1]

    def likeliest(self, bounds: Sequence[tuple[int, int]]) -> list[int]:
        """Within the bounds of each place the one where means over topics part best, between the places beside it."""
        places = [last for _, last in bounds]
        for i, (first, last) in enumerate(bounds):
            start, end = ([0, *places, len(self.series)][j] for j in (i, i + 2))
            sizes = _sizes(self.series[start:end].mean(axis=1)[:, None], _splits(end - start))[:, 0]  # split
            inside = range(max(first, start + 1), min(last, end - 1) + 1)
            places[i] = max(
                inside, key=lambda place: float(sizes[place - start - 1]), default=places[i]
            )  # called at once
        return places


def _described(series: Floats, around: tuple[int, int, int], bounds: tuple[int, int], alpha: float) -> ChangePoint:
    start, place, end = around
    topics = series[place:end].mean(axis=0) - series[start:place].mean(axis=0)
    outcome = skewed_t_outcome(topics[:, None], alpha)
    ends = float(outcome.low[0]), float(outcome.high[0])
    return ChangePoint(place, *bounds, topics, float(topics.mean()), *ends)


def _p(part: Floats, seed: int) -> float:
    """Of no change: the larger of both tests; of one time alone 1."""
    if len(part) < 2 or part.shape[1] < 2:
        return 1.0
    of_topics = _p_of_topics(_means(part, *_windows(len(part))))
    if of_topics == 1.0 or _is_step(part):
        return of_topics
    orders = np.random.default_rng((seed, len(part))).permuted(np.tile(np.arange(len(part)), (DRAWS, 1)), axis=1)
    means, windows = part.mean(axis=1), _windows(len(part))
    splits = _splits(len(part))
    return max(of_topics, min(1.0, 2 * min(_p_of_times(means, orders, splits), _p_of_times(means, orders, windows))))


def _p_of_topics(contrasts: Floats) -> float:
    """By the guarded t of the contrasts over topics; those that are the same on all topics are not tested."""
    varying = contrasts[np.ptp(contrasts, axis=1) > _ROUNDING]
    if not len(varying):
        return 1.0
    least = float(skewed_t_outcome(varying.T, 0.5).p.min())  # intervals, at some level, are not used
    return min(1.0, least * len(contrasts))


def _p_of_times(means: Floats, orders: Indices, windows: tuple[Indices, Indices]) -> float:
    """By the largest contrast of the means over topics among those with the times in other orders."""
    largest = _largest(means[:, None], windows)[0]
    rows = max(1, _AT_ONCE // len(windows[0]))
    blocks = [orders[start : start + rows] for start in range(0, len(orders), rows)]
    others = np.concatenate([_largest(means[block].T, windows) for block in blocks])
    return float(1 + (others >= largest * (1 - _ROUNDING)).sum()) / (1 + len(orders))


def _largest(means: Floats, windows: tuple[Indices, Indices]) -> Floats:
    """Of means[time, order] the largest contrast in each order: that with the largest |t|, as all orders vary alike."""
    return np.asarray(_sizes(means, windows).max(axis=0))


def _sizes(means: Floats, windows: tuple[Indices, Indices]) -> Floats:
    """Of contrasts, as their |t| over times are ordered: window, order."""
    inside = windows[1] - windows[0]
    return np.asarray(np.abs(_means(means, *windows)) * np.sqrt(inside * (len(means) - inside))[:, None])


def _is_step(part: Floats) -> bool:
    """Whether the times differ at one place at most."""
    return int((np.abs(np.diff(part, axis=0)) > _ROUNDING).any(axis=1).sum()) <= 1


def _splits(times: int) -> tuple[Indices, Indices]:
    return np.zeros(times - 1, np.int64), np.arange(1, times)


@cache
def _windows(times: int) -> tuple[Indices, Indices]:
    """Where windows start and end: those of a split at the first time, those of 2, 4, ... times anywhere."""
    splits = [(0, end) for end in range(1, times)]
    sizes = [2**power for power in range(1, times.bit_length()) if 2**power < times]
    windows = [(start, start + size) for size in sizes for start in range(1, times - size)]
    starts, ends = np.array([*splits, *windows]).T
    return starts, ends


def _means(part: Floats, starts: Indices, ends: Indices) -> Floats:
    """The mean within each window less the mean without it; window, topic."""
    sums = np.concatenate([np.zeros((1, part.shape[1])), np.cumsum(part, axis=0)])
    inside, sizes = sums[ends] - sums[starts], (ends - starts)[:, None]
    contrasts = inside / sizes - (sums[-1] - inside) / (len(part) - sizes)
    return np.asarray(np.where(np.abs(contrasts) > _ROUNDING, contrasts, 0.0))
