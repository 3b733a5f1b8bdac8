"""How far collections disagree, what one more would show, and what to know of topics in clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from irgauge.inference.sampling import FEW_CLUSTERS, together
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, percent, signed, some, two_digits
from irgauge.studies.cautions import ENOUGH
from irgauge.studies.sampling_findings import DECIDING, few_decide, ignored_clusters
from irgauge.studies.suite.claims import SuiteClaims
from irgauge.studies.suite.study import SuiteCompared

_FEW_PAIRS = 3  # of which each has a sentence


def disagreement(claims: SuiteClaims) -> Iterator[Finding]:
    """Of each pair where there are few, else of all together."""
    if claims.disagreement is None:
        return
    if len(claims.comparison.first) > _FEW_PAIRS:
        yield pairs_disagree(pairs=len(claims.comparison.first), i2=float(np.median(claims.disagreement.i2)))
        return
    for record in claims.pair_records():
        yield pair_disagrees(
            system=record["system"],
            against=record["against"],
            tau=math.sqrt(record["tau2"]),
            i2=record["i2"],
            expected=(record["expected_low"], record["expected_high"]),
            confidence=claims.comparison.confidence,
        )


@sentence("disagreement", claims=("forecast",))
def pair_disagrees(
    *, system: str, against: str, tau: float, i2: float, expected: tuple[float, float], confidence: float
) -> str:
    """How far collections disagree about a pair, and what one more of them would show."""
    between = (
        "collections differ no more than by chance of topics (I² is 0)"
        if tau == 0
        else f"the difference varies between collections by {two_digits(tau)} beyond chance of topics (τ; I² is "
        f"{percent(i2)})"
    )
    ends = f"{signed(expected[0])} and {signed(expected[1])}"
    return (
        f"Of {system} and {against}, {between}; one more collection like these would show a difference between {ends}, "
        f"with confidence {percent(confidence)}."
    )


@sentence("disagreements", claims=())
def pairs_disagree(*, pairs: int, i2: float) -> str:
    """How far collections disagree about most pairs."""
    return (
        f"Of the variance of a difference between collections, {percent(i2)} is beyond chance of topics (I², the "
        f"median of {counted(pairs, 'pair')})."
    )


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
