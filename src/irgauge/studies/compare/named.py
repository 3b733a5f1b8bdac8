"""The measure as a comparison names it: over shards it is another number than on the whole corpus."""

from __future__ import annotations

from irgauge.inference.comparison import Comparison
from irgauge.show.words import over_shards
from irgauge.studies.compare.study import MeasureCompared


def named(result: MeasureCompared, one: Comparison) -> str:
    """`AP`, or `AP over 5 shards`."""
    return over_shards(result.measure, result.shards_of(one.population))
