"""Further looks at verdicts: untransformed, in clusters nobody asked for, with unjudged documents graded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.margins import Margin
from irgauge.inference.sampling import SamplingColumns, cluster_columns, sampling_of
from irgauge.inference.verdicts import is_weaker
from irgauge.replicates.data import Data
from irgauge.studies.compare.options import CompareOptions
from irgauge.studies.compare.scored import scored_by_measure
from irgauge.studies.compare.testing import Change, ComparedScores, MeasureClaims, changed_claims, chosen_test, decided
from irgauge.studies.hole_changes import HoleChanges, UnseenHoles, Verdicts, hole_changes
from irgauge.studies.survival import Survival, pair_conclusions


def survivals(
    data: Data, scored: Sequence[ComparedScores], decisions: Sequence[MeasureClaims], options: CompareOptions
) -> tuple[tuple[Survival, ...], ...]:
    """What is concluded on the scores as they are, by each measure; nothing where they are not transformed."""
    if options.own_transform is None:
        return ((),) * len(decisions)
    plain = replace(options, transform=None, scale=None, margin=None)  # a margin is of one scale
    parts = zip(scored, decisions, decided(scored_by_measure(data, plain), plain), strict=True)
    return tuple(
        tuple(
            Survival.of(
                scores.measure,
                each.population,
                "pair",
                pair_conclusions(each),
                pair_conclusions(other),
                drawn=scores.drawn(each.population),
            )
            for each, other in zip(claims.comparisons, others.comparisons, strict=True)
        )
        for scores, claims, others in parts
    )


class IgnoredClusters(NamedTuple):
    """A column that was not asked for, and what would be said with it."""

    column: str
    clusters: int
    changes: tuple[Change, ...]


def ignored_clusters(
    scored: Sequence[ComparedScores], claims: Sequence[MeasureClaims], options: CompareOptions
) -> tuple[tuple[IgnoredClusters, ...], ...]:
    """By each measure; none where clusters or weights are asked for, or the test draws or knows no clusters."""
    takes, first = chosen_test("topics", options).takes, scored[0]
    if options.is_sampled or "sampling" not in takes or "draws" in takes or first.shards.shards > 1:
        return ((),) * len(scored)
    each: list[list[IgnoredClusters]] = [[] for _ in scored]
    scores = first.whole.scores
    for column in cluster_columns(scores.about, scores.topics):
        sampling = sampling_of(scores.about, scores.topics, SamplingColumns(cluster=column))
        try:
            again = decided([replace(own, sampling=sampling) for own in scored], options)
        except DesignError:  # what cannot be asked with clusters
            continue
        for own, before, after in zip(each, claims, again, strict=True):
            changes = tuple(
                change for change in changed_claims(before, after) if is_weaker(change.on_common, change.verdict)
            )
            if changes and sampling is not None:
                own.append(IgnoredClusters(column, sampling.clusters, changes))
    return tuple(map(tuple, each))


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
