"""Means over topics, with their standard errors and intervals; and what a provenance says of their scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.mean_bounds import mean_bounds
from irgauge.inference.sampling import Sampling
from irgauge.provenance import Fact, Provenance
from irgauge.reading import facts
from irgauge.reading.missing import MissingTopics
from irgauge.replicates import facts as data_facts
from irgauge.scoring.direction import HIGHER, sign_of
from irgauge.scoring.measures import Measure, Range, range_of
from irgauge.scoring.scores import Fill, Scores

WITHIN_RANGE = "Wilson's interval of the mean with the variance of the scores, from 0 to 1"
WITHOUT_RANGE = "Student's t interval of the mean, longer toward the longer tail of the scores"


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


def summarise(
    scores: Scores,
    *,
    fill: Fill = "zero",
    alpha: float = 0.05,
    answered: Bools | None = None,
    sampling: Sampling | None = None,
) -> tuple[SystemMean, ...]:
    """Mean, standard error s/√n and interval (see `mean_bounds`) over n topics, best first by measure.

    `answered[topic, system]` says which topics count for each system; all, if it is not given. Of topics in clusters or
    with weights, all are as `sampled_bounds` has them.

    >>> scores = Scores(np.array([[[[0.2]], [[0.4]], [[0.6]]]]), (Measure("AP"),), ("1", "2", "3"), ("a",), ("all",))
    >>> first = summarise(scores)[0]
    >>> print(f"{first.mean:.3f} ± {first.se:.3f}, from {first.low:.3f} to {first.high:.3f}")
    0.400 ± 0.115, from 0.022 to 0.952
    """
    check_alpha(alpha)
    for measure, of_measure in zip(scores.measures, scores.values, strict=True):
        if np.isnan(of_measure).all():
            raise DesignError(f"{measure} is defined on no topic: none has a document that it takes as relevant")
    values = scores.filled(fill).values.mean(axis=3)  # measure, topic, system
    counts = np.ones(values.shape[1:], np.bool_) if answered is None else answered
    for system, topics in zip(scores.systems, counts.sum(axis=0), strict=True):
        if topics == 0:
            raise DesignError(f"{system} answers no topic, and has no mean over its own; leave it or 'own_topics' out")
    return tuple(
        row
        for measure, own in zip(scores.measures, values, strict=True)
        for row in _best_first(measure, _of_measure(measure, own, scores.systems, alpha, counts, sampling))
    )


def _best_first(measure: Measure, rows: Iterator[SystemMean]) -> list[SystemMean]:
    sign = sign_of(measure.direction or HIGHER)
    return sorted(rows, key=lambda row: -sign * row.mean)


def _of_measure(
    measure: Measure,
    values: Floats,
    systems: tuple[str, ...],
    alpha: float,
    answered: Bools,
    sampling: Sampling | None,
) -> Iterator[SystemMean]:
    """The means of values[topic, system]; systems that answer the same topics are taken together."""
    alike: dict[bytes, list[int]] = {}
    for s in range(len(systems)):
        alike.setdefault(answered[:, s].tobytes(), []).append(s)
    for together in sorted(alike.values()):
        places = np.flatnonzero(answered[:, together[0]])
        own, topics = values[places][:, together], len(places)  # topic, system
        within = range_of(measure, own)
        if sampling is None:
            mean, se = own.mean(axis=0), _errors(own)
            low, high = mean_bounds(own, alpha=alpha, within=within)
        else:
            mean, se, low, high = _sampled(own, sampling.on(places), alpha, within)
        se = np.where(np.ptp(own, axis=0) == 0, 0.0 * se, se)  # without rounding; of one topic none still
        if measure.over_topics == "geometric mean" and measure.logged is None:  # named after it; ln(…) is a logarithm
            mean, low, high = np.exp(mean), np.exp(low), np.exp(high)
            se = mean * se  # of a function of the mean, by its slope
        for i, s in enumerate(together):
            names = str(measure), systems[s]
            yield SystemMean(*names, float(mean[i]), float(se[i]), float(low[i]), float(high[i]), topics)


def _errors(values: Floats) -> Floats:
    """s/√n of values[topic, system]; NaN of one topic."""
    topics = len(values)
    return values.std(axis=0, ddof=1) / np.sqrt(topics) if topics > 1 else np.full(values.shape[1:], np.nan)


def _sampled(values: Floats, sampling: Sampling, alpha: float, within: Range | None) -> tuple[Floats, ...]:
    """The means with their errors and intervals."""
    from irgauge.inference.sampled_bounds import sampled_bounds  # with scipy, which other means do without

    sampled = sampling.of(values)
    return sampled.mean, sampled.se, *sampled_bounds(values, sampling, alpha, within)


def interval_kinds(filled: Scores) -> str:
    """How the intervals of means are made; by measure, where that differs."""
    kinds: dict[str, list[str]] = {}
    for measure, values in zip(filled.measures, filled.values, strict=True):
        kind = WITHIN_RANGE if range_of(measure, values.mean(axis=2)) else WITHOUT_RANGE
        kinds.setdefault(kind, []).append(str(measure))
    if len(kinds) == 1:
        return next(iter(kinds))
    return "; ".join(f"{', '.join(measures)}: {kind}" for kind, measures in kinds.items())


def facts_of_scores(
    scores: Scores, missing: MissingTopics, source: Provenance, fill: Fill = "zero", *besides: Fact
) -> Provenance:
    """What was scored, what is missing, and how undefined scores were filled."""
    undefined = int(np.isnan(scores.values).sum())
    return Provenance.of(
        data_facts.measures(tuple(map(str, scores.measures))),
        data_facts.systems(len(scores.systems)),
        data_facts.topics(len(scores.topics)),
        facts.missing(missing),
        *besides,
        data_facts.fill(str(fill), undefined=undefined),
        Fact("undefined", undefined),
        source,
    )
