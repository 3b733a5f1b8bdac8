"""What scores of both sides must be: by the same measures, on one scale, and complete where that is asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.reading.missing import MissingRule, MissingTopics, counted_topics
from irgauge.replicates.given import ScoreTable, several_measures
from irgauge.scoring.measures import Measure, range_of
from irgauge.studies.gate.sides import ScoredSide


def measured_by_both(measures: Sequence[str | Measure], sides: Sequence[ScoredSide]) -> tuple[Measure, ...]:
    """Measures, of which both sides must have scores."""
    asked = several_measures(ScoreTable(sides[0].scores), measures)
    for side in (side.named_by(asked) for side in sides):
        for measure in asked:
            if measure not in side.scores.measures:
                there = ", ".join(map(str, side.scores.measures))
                raise DesignError(f"{side.name} has no scores of {measure}; it has {there}")
    return asked


def refuse_other_scale(measures: Sequence[Measure], baseline: Floats, candidate: Floats, name: str) -> None:
    """Refuse a candidate whose scores leave the range of a measure, where those of the baseline do not."""
    for measure, base, new in zip(measures, baseline, candidate, strict=True):
        within = range_of(measure, base[~np.isnan(base)])
        if within is not None and range_of(measure, own := new[~np.isnan(new)]) is None:
            worst = own[np.argmax(np.abs(own - np.mean(within)))]
            raise InputError(
                f"{name} has the score {worst:g} by {measure}, which lies between {within[0]:g} and {within[1]:g}, as "
                "the scores of the baseline do; give scores on the same scale"
            )


def settled(missing: MissingTopics, rule: MissingRule) -> MissingTopics:
    """What is missing under a rule, which must be possible."""
    if rule == "fail" and missing.topics_of:
        lines = [f"  {run}: {counted_topics(topics)}" for run, topics in missing.topics_of.items()]
        advice = "complete them, or say by the option 'missing' that they are 0 (zero) or their topics left out (drop)"
        raise InputError("\n".join([f"scores are missing on some of the {missing.of} topics:", *lines, advice]))
    return missing.under(rule)
