"""Which verdicts of a comparison unjudged documents could change: those for other topics, on the whole corpus."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison
from irgauge.inference.margins import Margin
from irgauge.replicates.data import Data
from irgauge.studies.compare.testing import ComparedScores, MeasureClaims
from irgauge.studies.hole_changes import HoleChanges, UnseenHoles, Verdicts, hole_changes


def claims_and_holes(
    data: Data, scored: Sequence[ComparedScores], claims: Sequence[MeasureClaims]
) -> tuple[HoleChanges | UnseenHoles | None, ...]:
    """By each measure; None where there is no claim for other topics."""
    each = [_verdicts(scores, own) for scores, own in zip(scored, claims, strict=True)]
    changes = iter(hole_changes(data, [verdicts for verdicts in each if verdicts is not None]))
    return tuple(None if verdicts is None else next(changes) for verdicts in each)


def _verdicts(scored: ComparedScores, claims: MeasureClaims) -> Verdicts | None:
    for comparison in claims.comparisons:
        if comparison.population == "topics" and comparison.sides == 2:
            return Verdicts(
                measure=scored.whole.scores.measures[0],
                pairs=comparison.names,
                verdicts=claims.verdicts["topics"].verdicts,
                test=comparison.test,
                levels=_levels(comparison, claims.margin),
                margin_level=2 * comparison.level,
                topics=scored.whole.scores.topics,
                margin=claims.margin,
                sampling=scored.sampling,
            )
    return None


def _levels(comparison: Comparison, margin: Margin | None) -> Floats:
    """Below which p of each pair is significant: that of intervals beside a margin, else what the correction leaves."""
    if margin is not None:
        return np.full(len(comparison.p), comparison.level)
    least = comparison.corrected_by.least_level(comparison.own_alpha, len(comparison.p))
    is_scaled = (comparison.p > 0) & (comparison.p_adjusted > 0)
    return np.divide(
        comparison.alpha * comparison.p, comparison.p_adjusted, out=np.full(len(comparison.p), least), where=is_scaled
    )
