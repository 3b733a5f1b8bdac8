"""Means as a front names them: those on the whole corpus, whatever a claim covers."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from irgauge.inference.comparison import Comparison
from irgauge.scoring.measures import Measure
from irgauge.studies.compare.study import MeasureCompared

SAME = 1e-9  # means that differ by less are taken as the same


def whole_means(result: MeasureCompared) -> Mapping[str, float]:
    """System -> its mean on the whole corpus; of a table that has replicates only, over these."""
    one = result.comparisons[0]
    found = result.scored.whole_means or dict(zip(one.systems, one.means.tolist(), strict=True))
    is_log = Measure.read(result.measure).over_topics == "geometric mean"  # scores are logarithms
    return {system: math.exp(mean) for system, mean in found.items()} if is_log else found


def first_of(one: Comparison) -> tuple[str, ...]:
    """The best system under a population, and those with the same mean."""
    tied = np.flatnonzero(one.means >= one.means[0] - SAME).tolist()
    return tuple(one.systems[system] for system in tied)


def is_other_order(result: MeasureCompared, first: str, second: str) -> bool:
    """Whether a system that is ahead of another over shards is behind it on the whole corpus."""
    means = whole_means(result)
    return means[first] < means[second] - SAME


def over_shards(measure: str, *, by_shards: bool) -> str:
    """`AP`, or `AP over shards`, where it orders systems otherwise than on the whole corpus."""
    return f"{measure} over shards" if by_shards else measure
