"""What the intervals of differences hold for, in words: the same under tables and in charts."""

from __future__ import annotations

from irgauge.inference.comparison import Comparison
from irgauge.show.words import over_shards
from irgauge.studies.compare.study import MeasureCompared


def held_for(comparison: Comparison) -> str:
    """Whether intervals hold for all pairs together."""
    if len(comparison.first) * comparison.families == 1:
        return "this pair"
    return "all pairs together" if comparison.is_simultaneous else "each pair by itself"


def is_wider_than_test(comparison: Comparison) -> bool:
    """Whether intervals are wider than what the test decides: Bonferroni's, beside a test that goes step by step."""
    return comparison.corrected_by.is_stepwise and len(comparison.first) > 1


def named(result: MeasureCompared, comparison: Comparison) -> str:
    """`AP`, or `AP over 5 shards`."""
    return over_shards(result.measure, result.shards_of(comparison.population))
