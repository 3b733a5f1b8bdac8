"""Claims that would be lost if a column that looks like one of clusters were taken as such."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from irgauge.errors import DesignError
from irgauge.inference.instance_tests import Claiming, ModelName, Pair, squares_of, tested_by_squares
from irgauge.inference.sampling import SamplingColumns, cluster_columns, sampling_of
from irgauge.inference.verdicts import Verdict, is_weaker
from irgauge.replicates.instances import InstanceScores


class IgnoredClusters(NamedTuple):
    """A column that was not asked for, and the pairs of which less would be said with it."""

    column: str
    clusters: int
    changes: tuple[tuple[Pair, Verdict, Verdict], ...]  # the pair, its verdict, and that with clusters


def ignored_clusters(
    scores: InstanceScores, pairs: Sequence[Pair], verdicts: Sequence[Verdict], model: ModelName, claiming: Claiming
) -> Iterator[IgnoredClusters]:
    """Of each column that looks like one of clusters."""
    for column in cluster_columns(scores.about, scores.topics):
        try:
            sampling = sampling_of(scores.about, scores.topics, SamplingColumns(cluster=column))
            squares = squares_of(scores, pairs, sampling)
            others = tested_by_squares(squares, model, len(scores.algorithms), claiming).tests.verdicts
        except DesignError:  # what cannot be asked with clusters
            continue
        each = zip(pairs, verdicts, others, strict=True)
        changes = tuple((pair, verdict, other) for pair, verdict, other in each if is_weaker(other, verdict))
        if changes and sampling is not None:
            yield IgnoredClusters(column, sampling.clusters, changes)
