"""Means over topics, with their standard errors and intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irgauge.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.student import t_quantile
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
    """Mean, standard error s/√n and t interval mean ± t(1 − α/2, n − 1) s/√n over n topics, best first by measure.

    >>> from irgauge import Measure
    >>> scores = Scores(np.array([[[[0.2]], [[0.4]], [[0.6]]]]), (Measure("AP"),), ("1", "2", "3"), ("a",), ("all",))
    >>> first = summarise(scores)[0]
    >>> print(f"{first.mean:.3f} ± {first.se:.3f}")
    0.400 ± 0.115
    """
    check_alpha(alpha)
    for measure, of_measure in zip(scores.measures, scores.values, strict=True):
        if np.isnan(of_measure).all():
            raise DesignError(f"{measure} is defined on no topic: none has a document that it takes as relevant")
    values = scores.filled(fill).values.mean(axis=3)  # measure, topic, system
    mean, se, half = _interval(values, alpha)
    rows = []
    for m, measure in enumerate(scores.measures):
        for s in np.argsort(-mean[m], kind="stable"):
            low, high = mean[m, s] - half[m, s], mean[m, s] + half[m, s]
            bounds = float(mean[m, s]), float(se[m, s]), float(low), float(high)
            rows.append(SystemMean(str(measure), scores.systems[s], *bounds, topics=values.shape[1]))
    return tuple(rows)


def _interval(values: Floats, alpha: float) -> tuple[Floats, Floats, Floats]:
    """Mean, standard error and half width of the interval (measure, system); the last two NaN for one topic."""
    n = values.shape[1]
    mean = values.mean(axis=1)
    if n == 1:
        undefined = np.full_like(mean, np.nan)
        return mean, undefined, undefined
    se = values.std(axis=1, ddof=1) / np.sqrt(n)
    return mean, se, se * t_quantile(1 - alpha / 2, n - 1)
