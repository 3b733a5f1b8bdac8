"""Claims over collections that would be lost if a column that looks like one of clusters were taken as such."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from irgauge.errors import DesignError
from irgauge.inference.sampling import Sampling, SamplingColumns, cluster_columns, sampling_of
from irgauge.inference.verdicts import Verdict, is_weaker
from irgauge.replicates.measured import Measured
from irgauge.studies.suite.claims import SuiteClaims


class CollectionClusters(NamedTuple):
    """A column that was not asked for, and the pairs of which less would be said with it."""

    column: str
    clusters: int  # of all collections
    changes: tuple[tuple[str, str, Verdict, Verdict], ...]  # two systems, the verdict, and that with clusters


def ignored_clusters(
    measured: Sequence[Measured], claims: SuiteClaims, claims_with: Callable[[Sequence[Sampling]], SuiteClaims]
) -> tuple[CollectionClusters, ...]:
    """Of each column that looks like one of clusters on every collection."""
    on_each = [cluster_columns(collection.scores.about, collection.scores.topics) for collection in measured]
    ignored = []
    for column in on_each[0]:
        if all(column in columns for columns in on_each):
            try:
                samplings = [_clustered(collection, column) for collection in measured]
                others = _verdicts(claims_with(samplings))
            except DesignError:  # what cannot be asked with clusters
                continue
            changes = tuple(
                (*pair, verdict, others[pair])
                for pair, verdict in _verdicts(claims).items()
                if is_weaker(others.get(pair, verdict), verdict)
            )
            if changes:
                ignored.append(CollectionClusters(column, sum(own.clusters for own in samplings), changes))
    return tuple(ignored)


def _clustered(collection: Measured, column: str) -> Sampling:
    sampling = sampling_of(collection.scores.about, collection.scores.topics, SamplingColumns(cluster=column))
    if sampling is None:
        raise ValueError("a column was asked for")
    return sampling


def _verdicts(claims: SuiteClaims) -> Mapping[tuple[str, str], Verdict]:
    return dict(zip(claims.comparison.names, claims.verdicts.verdicts, strict=True))
