"""Kinds of topics in a gate: a verdict on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irgauge.inference.slices import sliced
from irgauge.inference.tests.record import Experiment
from irgauge.reading.topic_slices import slices_of
from irgauge.replicates.measured import Measured
from irgauge.scoring.measures import range_of
from irgauge.studies.gate.criteria import Wanted, slice_margins
from irgauge.studies.gate.evidence import TEST, Evidence
from irgauge.studies.gate.options import GateOptions


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
