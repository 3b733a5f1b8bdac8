"""Transformations of scores: to other scales on which they may vary more alike, or count alike on all topics.

To add one, write its function and its record in TRANSFORMS; help texts, errors and methods take it from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError

if TYPE_CHECKING:  # what scores is slow to import, and help texts name transformations
    from irgauge.scoring.measures import Measure
    from irgauge.scoring.scores import Scores

LOG = "ln"  # before a measure whose logarithms were taken, as in ln(latency_ms)
_FEWEST_SYSTEMS = 3  # of two systems standardised scores would keep who is ahead, and nothing else
_SAME = 1e-12  # a deviation below it, relative to the scores, is one of rounding


@dataclass(frozen=True)
class Transform:
    """A transformation: its formula, what a difference means on its scale, and what computes it."""

    name: str
    formula: str
    difference: str  # what a difference of two means is then
    apply: Callable[[Floats], Floats]  # of values[topic, system, replicate] without gaps
    is_of_shares: bool = False  # whether it takes scores from 0 to 1 alone
    is_of_positive: bool = False  # whether it takes scores above 0 alone
    is_relative: bool = False  # whether a score depends on those of other systems on the topic
    source: str = ""  # who describes it
    written: str = ""  # before a measure, where that is not its name


def _arcsine(values: Floats) -> Floats:
    return np.asarray(np.arcsin(np.sqrt(values)))


def _logit(values: Floats) -> Floats:
    """Scores are first moved off 0 and 1, whose logits are not finite, by up to half a topic's share."""
    topics = len(values)
    if topics < 2:
        raise DesignError("the transform logit needs at least 2 topics, and there is 1; use arcsine")
    inside = (values * (topics - 1) + 0.5) / topics
    return np.asarray(np.log(inside) - np.log1p(-inside))


def _log(values: Floats) -> Floats:
    return np.asarray(np.log(values))


def _ranks(values: Floats) -> Floats:
    """Of each topic's scores, over systems and replicates: 1 is the lowest; equal scores share the mean of theirs."""
    from scipy.stats import rankdata  # slow to import, and few scores need it

    return np.asarray(rankdata(_by_topic(values), axis=1)).reshape(values.shape)


def _standardised(values: Floats) -> Floats:
    """(y − mean) / s over the systems and replicates of a topic; 0 where all its scores are the same."""
    of_topic = _by_topic(values)
    mean, sd = of_topic.mean(axis=1), of_topic.std(axis=1, ddof=1)  # topic
    is_same = sd <= _SAME * np.abs(of_topic).max(axis=1)
    scale = np.where(is_same, 1.0, sd)[:, None]
    z = np.where(is_same[:, None], 0.0, (of_topic - mean[:, None]) / scale)
    return z.reshape(values.shape)


def _normal(values: Floats) -> Floats:
    from scipy.special import ndtr  # slow to import, and few scores need it

    return np.asarray(ndtr(_standardised(values)))


def _uniform(values: Floats) -> Floats:
    return np.clip(0.5 + _standardised(values) / (2 * math.sqrt(3)), 0.0, 1.0)


def _empirical(values: Floats) -> Floats:
    from scipy.stats import rankdata  # slow to import, and few scores need it

    of_topic = _by_topic(values)
    at_most = np.asarray(rankdata(of_topic, method="max", axis=1))
    return np.asarray(at_most / of_topic.shape[1]).reshape(values.shape)


def _by_topic(values: Floats) -> Floats:
    return values.reshape(len(values), -1)


_SHARE = "a difference is one of shares of the reference that lies below a score"
TRANSFORMS = {
    transform.name: transform
    for transform in (
        Transform(
            "arcsine",
            "asin √y",
            "a difference is one of angles: the same step of y counts more near 0 and 1 than at 0.5",
            _arcsine,
            is_of_shares=True,
            source="Tague-Sutcliffe and Blustein 1995",
        ),
        Transform(
            "logit",
            "ln(y′ / (1 − y′)), y′ = (y(n − 1) + 0.5) / n of n topics",
            "a difference d multiplies the odds y / (1 − y) by e to the power of d",
            _logit,
            is_of_shares=True,
            source="Smithson and Verkuilen 2006",
        ),
        Transform(
            "log",
            "ln y",
            "a difference d is a ratio of e to the power of d, and e to the power of a mean the geometric mean",
            _log,
            is_of_positive=True,
            source="Keene 1995",
            written=LOG,
        ),
        Transform(
            "ranks",
            "the rank of y among the topic's scores, 1 the lowest",
            "a difference is one of places among the scores of a topic",
            _ranks,
            is_relative=True,
            source="Conover and Iman 1981",
        ),
        Transform(
            "z",
            "(y − m) / s, m and s the mean and the standard deviation of the topic's scores",
            "a difference is one of standard deviations of a topic's scores, alike on easy and hard topics",
            _standardised,
            is_relative=True,
            source="Webber, Moffat and Zobel 2008",
        ),
        Transform(
            "z-normal",
            "Φ(z), z as by 'z'",
            _SHARE,
            _normal,
            is_relative=True,
            source="Webber, Moffat and Zobel 2008",
        ),
        Transform(
            "z-uniform",
            "1/2 + z / (2√3) between 0 and 1, z as by 'z'",
            _SHARE,
            _uniform,
            is_relative=True,
            source="Sakai 2016; Urbano, Lima and Hanjalic 2019",
        ),
        Transform(
            "z-empirical",
            "the share of the topic's scores that are at most y",
            _SHARE,
            _empirical,
            is_relative=True,
            source="Urbano, Lima and Hanjalic 2019",
        ),
    )
}


def known_transform(name: str) -> Transform:
    """A transformation by its name; another is refused."""
    return TRANSFORMS[known(name, TRANSFORMS, "transform")]


def transformed(scores: Scores, name: str) -> Scores:
    """Scores without gaps on another scale, whose measures are mere names then: `arcsine(AP)` has no bounds.

    >>> from irgauge.scoring.measures import Measure
    >>> from irgauge.scoring.scores import Scores
    >>> scores = Scores(np.array([[[[0.25], [1.0]]]]), (Measure("AP"),), ("q1",), ("a", "b"), ("all",))
    >>> transformed(scores, "arcsine").measures, transformed(scores, "arcsine").values.round(4).tolist()
    ((arcsine(AP),), [[[[0.5236], [1.5708]]]])
    """
    transform = known_transform(name)
    if transform.is_relative and len(scores.systems) < _FEWEST_SYSTEMS:
        raise DesignError(
            f"the transform {name} sets scores against those of other systems, and there are {len(scores.systems)}; it "
            f"needs at least {_FEWEST_SYSTEMS}: leave it out, or give more"
        )
    each = zip(scores.measures, scores.values, strict=True)
    values = [transform.apply(_checked(values, measure, transform)) for measure, values in each]
    return replace(
        scores, values=np.stack(values), measures=tuple(_named(measure, name) for measure in scores.measures)
    )


def _named(measure: Measure, transform: str) -> Measure:
    from irgauge.scoring.measures import Measure

    written = TRANSFORMS[transform].written or transform
    return replace(Measure.opaque(f"{written}({measure})"), better=measure.direction)


def _checked(values: Floats, measure: Measure, transform: Transform) -> Floats:
    """The scores; those out of the range that the formula has are refused, rounding aside."""
    from irgauge.scoring.measures import ROUNDING

    if transform.is_of_positive and (values <= 0).any():
        raise DesignError(
            f"a log scale is of scores above 0, and of {values.size:,} scores of {measure} "
            f"{int((values <= 0).sum()):,} are not (the least is {values.min():g}); leave the scale out, or the measure"
        )
    if not transform.is_of_shares:
        return values
    least, largest = float(values.min()), float(values.max())
    if least < -ROUNDING or largest > 1 + ROUNDING:
        raise DesignError(
            f"the transform {transform.name} is of scores from 0 to 1, and those of {measure} go from {least:g} to "
            f"{largest:g}; use z or ranks, or divide the scores by the largest that is possible"
        )
    return np.clip(values, 0.0, 1.0)
