"""Parts of a result: its best systems or one of its measures, with the numbers that they have in the whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import MeanInterval
from irgauge.studies.interval_series import Series
from irgauge.studies.partitions import Partitions
from irgauge.studies.significance import Significance

Places = NDArray[np.intp]


def best_compared(significance: Significance, count: int) -> Significance:
    """The best systems, with the p-values and intervals that they have among all."""
    shown = significance.comparison.systems[:count]
    places = np.array([significance.systems.index(system) for system in shown])
    return replace(
        significance,
        comparisons=tuple(best_pairs(one, count) for one in significance.comparisons),
        intervals=tuple(_intervals_of(one, places) for one in significance.intervals),
        systems=shown,
    )


def best_pairs(comparison: Comparison, count: int) -> Comparison:
    """The pairs of the best systems, with the p-values that they have among all."""
    kept = (comparison.first < count) & (comparison.second < count)
    arrays = ("first", "second", "low", "high", "statistic", "p", "p_single", "effect")
    return replace(
        comparison,
        systems=comparison.systems[:count],
        means=comparison.means[:count],
        **{name: getattr(comparison, name)[kept] for name in arrays},
    )


def _intervals_of(interval: MeanInterval, places: Places) -> MeanInterval:
    return replace(interval, mean=interval.mean[places], low=interval.low[places], high=interval.high[places])


def best_series(series: Series, count: int) -> Series:
    """The systems that are best in the first series."""
    names, first = next(iter(series.values()))
    shown = [names[i] for i in np.argsort(-first.mean, kind="stable")[:count].tolist()]
    found = {}
    for name, (systems, interval) in series.items():
        found[name] = (tuple(shown), _intervals_of(interval, np.array([systems.index(system) for system in shown])))
    return found


def best_partitions(found: Partitions, count: int) -> Partitions:
    """The pairs of the best systems, with the p-values that they have among all."""
    kept, places = found.second < count, np.arange(count)  # the first of a pair is the better one
    inferences = tuple(
        replace(
            one,
            effects=one.effects[:count],
            plain=_intervals_of(one.plain, places),
            adjusted=_intervals_of(one.adjusted, places),
            **{name: getattr(one, name)[kept] for name in ("direction", "p_single", "p")},
        )
        for one in found.inferences
    )
    return replace(
        found,
        systems=found.systems[:count],
        means=found.means[:count],
        first=found.first[kept],
        second=found.second[kept],
        inferences=inferences,
    )
