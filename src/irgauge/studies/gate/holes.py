"""Verdicts of a gate that grades of unjudged documents could change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irgauge.inference.corrections import any_correction
from irgauge.replicates.bench import Bench
from irgauge.studies.gate.criteria import Wanted
from irgauge.studies.gate.evidence import Evidence, MeasureGated
from irgauge.studies.hole_changes import Verdicts, hole_changes


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
