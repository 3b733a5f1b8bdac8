"""What to know of the topics of collections that are in clusters, or count unequally."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irgauge.inference.sampling import FEW_CLUSTERS, together
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, some
from irgauge.studies.cautions import ENOUGH
from irgauge.studies.sampling_findings import DECIDING, few_decide, ignored_clusters
from irgauge.studies.suite.study import SuiteCompared


def sampling_told(result: SuiteCompared) -> Iterator[Finding]:
    """Collections with few clusters; what weights mean, and whether few topics decide; clusters not asked for."""
    samplings = result.samplings
    if not samplings:
        yield from _of_ignored_clusters(result)
        return
    columns = samplings[0].columns
    if columns.cluster is not None:
        few = {
            own.name: own.sampling.clusters
            for own in result.on
            if own.sampling is not None and own.sampling.effective_clusters < FEW_CLUSTERS
        }
        if few:
            yield few_clusters(column=columns.cluster, clusters=few)
    by = columns.weights or columns.shares
    if by is not None:
        weights = result.collection_weights
        every = together(samplings, weights / weights.sum())
        yield weighted(column=by, topics=len(every.weight), effective=every.effective_topics)
        if every.effective_topics < ENOUGH or every.deciding() <= DECIDING:
            yield few_decide(column=by, deciding=every.deciding(), effective=every.effective_topics)


def _of_ignored_clusters(result: SuiteCompared) -> Iterator[Finding]:
    """The first column, by the first pair."""
    for column, clusters, changes in result.ignored[:1]:
        finding = ignored_clusters(
            measure=result.measure, column=column, clusters=clusters, changes=len(changes), first=changes[0]
        )
        yield finding.about(population=result.sliced_for)


@sentence("few-clusters", tone="warning")
def few_clusters(*, column: str, clusters: Mapping[str, int]) -> str:
    """Collections whose claims rest on few clusters, or on few that are large."""
    named = some([f"{name} ({counted(count, 'cluster')})" for name, count in clusters.items()])
    return (
        f"By {column}, topics are in few clusters, or a few large ones count for most: {named}. What is said on these "
        "collections, and over all with them, is rough: it errs more often than α says where differences are skewed."
    )


@sentence("weighted", tone="note")
def weighted(*, column: str, topics: int, effective: float) -> str:
    """What weights mean for what is claimed."""
    return (
        f"Means count topics by {column}: claims over these collections are for queries drawn as in the traffic. "
        f"{counted(topics, 'topic')} count as {effective:.1f} that count alike."
    )
