"""Further looks at a gate's scores: kinds of topics, clusters nobody asked for, grades of unjudged documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irgauge.inference.corrections import any_correction
from irgauge.inference.sampling import SamplingColumns, cluster_columns, sampling_of
from irgauge.inference.slices import sliced
from irgauge.inference.tests.record import Experiment
from irgauge.inference.verdicts import is_weaker
from irgauge.reading.topic_slices import slices_of
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measured
from irgauge.scoring.measures import range_of
from irgauge.studies.gate.criteria import Wanted, slice_margins
from irgauge.studies.gate.evidence import TEST, Evidence, MeasureGated, WeakerByClusters, by_topics
from irgauge.studies.gate.options import GateOptions
from irgauge.studies.hole_changes import Verdicts, hole_changes


def on_slices(
    evidence: Evidence, measured: Measured, baseline: str, wanted: Sequence[Wanted], options: GateOptions
) -> Evidence:
    """With verdicts on kinds of topics: all slices and measures are one family, beside that of all topics."""
    parts = slices_of(measured.scores.about, options.slice_columns, measured.scores.topics)
    each = [measured.only(measure) for measure in measured.scores.measures]
    experiments = [
        Experiment(
            own.values(),
            own.scores.systems,
            "topics",
            options.alpha,
            TEST.corrected_by.name,
            baseline,
            within=range_of(own.scores.measures[0], own.values()),
            direction=own.direction,
            sampling=evidence.sampling,
        )
        for own in each
    ]
    margins = [criterion.margin for criterion in wanted]
    own = slice_margins(options.slice_margins)
    if options.scale is not None:
        own = {kind: margin.of_logs(each[0].direction) for kind, margin in own.items()}
    claims = sliced(experiments, parts, TEST, margins, own_margins=own)
    with_slices = (replace(gated, sliced=own) for gated, own in zip(evidence.each, claims, strict=True))
    return evidence._replace(each=tuple(with_slices))


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


def beside_holes(evidence: Evidence, bench: Bench, wanted: Sequence[Wanted], alpha: float) -> Evidence:
    """With what unjudged documents could change by each measure."""
    each = [
        _verdicts(gated, criterion, evidence, alpha) for gated, criterion in zip(evidence.each, wanted, strict=True)
    ]
    pairs = zip(evidence.each, hole_changes(bench, each), strict=True)
    return evidence._replace(each=tuple(replace(gated, holes=changes) for gated, changes in pairs))


def _verdicts(gated: MeasureGated, criterion: Wanted, evidence: Evidence, alpha: float) -> Verdicts:
    level = any_correction(evidence.correction).interval_level(alpha, len(evidence.each))
    return Verdicts(
        measure=criterion.measure,
        pairs=[(gated.topics.system, gated.topics.against)],
        verdicts=[gated.verdict],
        test=evidence.test,
        levels=np.array([level]),
        margin_level=2 * level,
        topics=gated.topics.topics,
        margin=criterion.margin,
        sampling=evidence.sampling,
    )
