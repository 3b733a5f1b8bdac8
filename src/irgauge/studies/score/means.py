"""Means over topics, with their standard errors and intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irgauge.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.mean_bounds import mean_bounds
from irgauge.scoring.measures import Measure
from irgauge.scoring.ranges import range_of
from irgauge.scoring.scores import Fill, Scores


@dataclass(frozen=True)
class SystemMean:
    """The mean of a measure over topics; `low` and `high` bound it with confidence 1 − α, for other topics."""

    measure: str
    system: str
    mean: float
    se: float
    low: float
    high: float
    topics: int


def summarise(scores: Scores, *, fill: Fill = "zero", alpha: float = 0.05) -> tuple[SystemMean, ...]:
    """Mean, standard error s/√n and interval (see `mean_bounds`) over n topics, best first by measure.

    >>> scores = Scores(np.array([[[[0.2]], [[0.4]], [[0.6]]]]), (Measure("AP"),), ("1", "2", "3"), ("a",), ("all",))
    >>> first = summarise(scores)[0]
    >>> print(f"{first.mean:.3f} ± {first.se:.3f}, from {first.low:.3f} to {first.high:.3f}")
    0.400 ± 0.115, from 0.043 to 0.909
    """
    check_alpha(alpha)
    for measure, of_measure in zip(scores.measures, scores.values, strict=True):
        if np.isnan(of_measure).all():
            raise DesignError(f"{measure} is defined on no topic: none has a document that it takes as relevant")
    values = scores.filled(fill).values.mean(axis=3)  # measure, topic, system
    return tuple(
        row
        for measure, own in zip(scores.measures, values, strict=True)
        for row in _of_measure(measure, own, scores.systems, alpha)
    )


def _of_measure(measure: Measure, values: Floats, systems: tuple[str, ...], alpha: float) -> list[SystemMean]:
    """The means of values[topic, system], best first."""
    mean, topics = values.mean(axis=0), len(values)
    se = values.std(axis=0, ddof=1) / np.sqrt(topics) if topics > 1 else np.full_like(mean, np.nan)
    low, high = mean_bounds(values, alpha=alpha, within=range_of(measure, values))
    return [
        SystemMean(str(measure), systems[s], float(mean[s]), float(se[s]), float(low[s]), float(high[s]), topics)
        for s in np.argsort(-mean, kind="stable")
    ]
