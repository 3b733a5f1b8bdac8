"""Parts of a result: its best systems or one of its measures, with the numbers that they have in the whole."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import MeanInterval
from irgauge.studies.interval_series import Series
from irgauge.studies.moments import Moments
from irgauge.studies.partitions import Partitions
from irgauge.studies.pools import PairPools, Pools
from irgauge.studies.reliability import Floats, Reliability
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


def pools_part(result: Pools, measure: int) -> Pools:
    """One measure."""
    one = slice(measure, measure + 1)
    topics, root = result.topic_differences, result.root_topic_differences
    return replace(
        result,
        measures=result.measures[one],
        pairs=tuple(_pair_part(pair, one) for pair in result.pairs),
        topic_differences=None if topics is None else topics[one],
        root_topic_differences=None if root is None else root[one],
    )


def _pair_part(pair: PairPools, one: slice) -> PairPools:
    arrays = ("root_difference", "root_p", "difference", "p")  # measure, ...
    return replace(pair, **{name: getattr(pair, name)[one] for name in arrays})


@dataclass(frozen=True, eq=False)
class ReliabilityPart(Reliability):
    """One measure and some systems of a bootstrap; ranks stay those among all systems."""

    whole: Reliability
    measure: int
    places: Places  # of the systems in the whole

    @cached_property
    def root_ranks(self) -> Floats:
        """The rank of each system on the root, among all: measure, system."""
        return self.whole.root_ranks[[self.measure]][:, self.places]

    @cached_property
    def ranks(self) -> NDArray[np.float32]:
        """The rank of each system in each image, among all: measure, system, image."""
        return self.whole.ranks[[self.measure]][:, self.places]


def reliability_part(result: Reliability, measure: int, count: int | None = None) -> ReliabilityPart:
    """One measure, and its best systems: all if `count` is None."""
    one, systems = slice(measure, measure + 1), len(result.systems)
    is_whole = count is None or count >= systems
    places = np.arange(systems) if is_whole else result.order(measure)[:count]
    given = {name: value for name, value in vars(result).items() if name in Reliability.__dataclass_fields__}
    given |= {
        "measures": result.measures[one],
        "systems": tuple(result.systems[place] for place in places.tolist()),
        "undefined_share": result.undefined_share[one],
        "kept_by": result.kept_by if is_whole else result.measures[measure],
        "root": result.root[one][..., places],
        "means": result.means[one][:, places],
        "moments": None if result.moments is None else _moments_part(result.moments, measure, places),
        "held_out": result.held_out[one],
    }
    return ReliabilityPart(**given, whole=result, measure=measure, places=places)


def _moments_part(moments: Moments, measure: int, places: Places) -> Moments:
    """The moments of one measure and some systems; where these are all, nothing is copied."""
    part, one = copy(moments), slice(measure, measure + 1)
    part.counts = moments.counts[one]
    whole = moments.root[one], moments.sums[one], moments.products[one], moments.histograms[one]
    part.root, part.sums, part.products, part.histograms = whole
    if len(places) < moments.root.shape[2]:
        part.root, part.sums = part.root[..., places], part.sums[..., places]
        part.products = _products_of(part.products, places)
        part.histograms = part.histograms[:, :, places]
    return part


def _products_of(products: Floats, places: Places) -> Floats:
    """The products of some systems in a new order; only the lower half of the old order is filled."""
    chosen = products[:, :, places[:, None], places]
    return np.where(places[:, None] >= places, chosen, chosen.swapaxes(2, 3))
