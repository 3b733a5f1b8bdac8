"""Verdicts of a gate that grades of unjudged documents could change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    return Verdicts(
        measure=criterion.measure,
        pairs=[(gated.topics.system, gated.topics.against)],
        verdicts=[gated.verdict],
        test=evidence.test,
        alpha=alpha,
        topics=gated.topics.topics,
        margin=criterion.margin,
        sampling=evidence.sampling,
    )
