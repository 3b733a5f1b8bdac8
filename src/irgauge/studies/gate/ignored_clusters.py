"""Verdicts of a gate that would claim less if a column that looks like one of clusters were taken as such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irgauge.inference.sampling import SamplingColumns, cluster_columns, sampling_of
from irgauge.inference.verdicts import is_weaker
from irgauge.replicates.measured import Measured
from irgauge.studies.gate.criteria import Wanted
from irgauge.studies.gate.evidence import Evidence, WeakerByClusters, by_topics


def beside_clusters(
    evidence: Evidence, measured: Measured, baseline: str, wanted: Sequence[Wanted], alpha: float
) -> Evidence:
    """With what each measure would say with clusters that were not asked for, where that is less."""
    scores, each = measured.scores, list(evidence.each)
    for column in cluster_columns(scores.about, scores.topics):
        sampling = sampling_of(scores.about, scores.topics, SamplingColumns(cluster=column))
        if sampling is None:
            continue
        again = by_topics(measured, baseline, wanted, alpha, sampling).each
        for place, (gated, other) in enumerate(zip(each, again, strict=True)):
            if is_weaker(other.verdict, gated.verdict):
                ignored = WeakerByClusters(column, sampling.clusters, other.verdict)
                each[place] = replace(gated, ignored=(*gated.ignored, ignored))
    return evidence._replace(each=tuple(each))
