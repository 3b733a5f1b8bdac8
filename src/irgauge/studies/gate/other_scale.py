"""A warning where scores of the two sides may not be on one scale: shares and per cent, seconds and milliseconds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from irgauge.inference.by_topic import PairOnTopics
from irgauge.scoring.measures import Measure
from irgauge.show.finding import Finding, sentence
from irgauge.studies.gate.study import Gated

_FACTOR = 10.0  # that no change is likely to bring


def other_scale(result: Gated) -> Iterator[Finding]:
    """Of measures whose range nobody knows; scores that leave a known range are refused."""
    for gated in result.each:
        measure = Measure.read(gated.measure)
        if measure.range is None and measure.logged is None and _differs(gated.topics):
            ratio = _median(gated.topics.score) / _median(gated.topics.other)
            finding = scale(measure=gated.measure, candidate=result.candidate, baseline=result.baseline, ratio=ratio)
            yield finding.about(measure=gated.measure)


def _median(scores: np.ndarray) -> float:
    """Of their sizes."""
    return float(np.median(np.abs(scores)))


def _differs(pair: PairOnTopics) -> bool:
    both = _median(pair.score), _median(pair.other)
    return min(both) > 0 and max(both) >= _FACTOR * min(both)


@sentence("other-scale", "warning", claims=())
def scale(*, measure: str, candidate: str, baseline: str, ratio: float) -> str:
    """By how much they differ."""
    times = f"{ratio:,.3g} times those of {baseline} (medians over topics)"
    return f"In {measure}, the scores of {candidate} are about {times}: are both on the same scale?"
