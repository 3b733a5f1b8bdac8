"""Means as a front names them: those on the whole corpus, whatever a claim covers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irgauge.inference.comparison import Comparison
from irgauge.studies.compare.study import MeasureCompared

_SAME = 1e-9  # means that differ by less are taken as the same


def whole_means(result: MeasureCompared) -> Mapping[str, float]:
    """System -> its mean on the whole corpus; of a table that has replicates only, over these."""
    if result.scored.whole_means:
        return result.scored.whole_means
    one = result.comparisons[0]
    return dict(zip(one.systems, one.means.tolist(), strict=True))


def first_of(one: Comparison) -> tuple[str, ...]:
    """The best system under a population, and those with the same mean."""
    tied = np.flatnonzero(one.means >= one.means[0] - _SAME).tolist()
    return tuple(one.systems[system] for system in tied)


def is_other_order(result: MeasureCompared, first: str, second: str) -> bool:
    """Whether a system that is ahead of another over shards is behind it on the whole corpus."""
    means = whole_means(result)
    return means[first] < means[second] - _SAME


def by_shards(measure: str, *, is_so: bool) -> str:
    """`AP`, or `AP over shards`, where it orders systems otherwise than on the whole corpus."""
    return f"{measure} over shards" if is_so else measure
