"""Claims that would be lost if a column that looks like one of clusters were taken as such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from irgauge.errors import DesignError
from irgauge.inference.sampling import SamplingColumns, cluster_columns, sampling_of
from irgauge.inference.verdicts import is_weaker
from irgauge.studies.compare.options import CompareOptions
from irgauge.studies.compare.testing import Change, ComparedScores, MeasureClaims, changed_claims, chosen_test, decided


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
