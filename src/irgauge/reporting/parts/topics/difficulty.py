"""How hard each topic is, how far it sets systems apart, and whether it orders them as other topics do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irgauge.arrays import Floats
from irgauge.provenance import Provenance
from irgauge.replicates.facts import measures
from irgauge.reporting.found import Found
from irgauge.show.finding import Finding
from irgauge.show.many_topics import spaced
from irgauge.studies.score.study import Scored

MOST_SEPARATING = 4  # topics that a chart names
_EXACT = 1e-12  # a standard deviation below this share of the scores is rounding


@dataclass(frozen=True)
class TopicFound:
    """A topic by one measure."""

    topic: str
    mean: float  # over systems: its difficulty
    sd: float | None  # over systems: its separation; None for one system
    discrimination: float | None  # None where scores on the topic, or means of the others, are all the same
    best: str  # the system with the highest score
    best_score: float
    relevant: int | None  # documents; a table of scores does not say


@dataclass(frozen=True, eq=False)
class TopicsFound(Found):
    """The topics by one measure, hardest first; those without any score are left out."""

    measure: str
    topics: tuple[TopicFound, ...]
    undefined: tuple[str, ...]  # topics on which the measure is defined for no system
    systems: tuple[str, ...]  # best first
    scores: Floats  # topic, system
    facts: Provenance

    @property
    def provenance(self) -> Provenance:
        """What was scored."""
        return self.facts

    def findings(self) -> Iterable[Finding]:
        """What it says, the answer first."""
        from irgauge.reporting.parts.topics.findings import findings

        return findings(self)

    def spaced(self) -> TopicsFound:
        """The same with the topics that a chart can show: of very many, some by difficulty, and the most separating."""
        places = range(len(self.topics))
        separating = sorted(places, key=lambda t: -(self.topics[t].sd or 0.0))[:MOST_SEPARATING]
        kept = sorted({*spaced(places), *separating})
        return replace(self, topics=tuple(self.topics[t] for t in kept), scores=self.scores[kept])

    def content(self) -> dict[str, Any]:
        """The topics; the scores are many."""
        return {name: getattr(self, name) for name in ("measure", "topics", "undefined")}


def topics_found(scored: Scored, measure: str, relevant: Mapping[str, int]) -> TopicsFound:
    """The topics by a measure, of scores on the whole corpus; means over the replicates of a table."""
    place = [str(one) for one in scored.measures].index(measure)
    systems = tuple(one.system for one in scored.of(measure))
    at = [scored.scores.systems.index(system) for system in systems]
    values = scored.filled_scores.values[place].mean(axis=2)[:, at]  # topic, system
    defined = ~np.isnan(scored.values[place]).all(axis=(1, 2))  # topic
    names = np.array(scored.scores.topics, dtype=object)
    kept = np.flatnonzero(defined)[np.argsort(values[defined].mean(axis=1), kind="stable")]
    return TopicsFound(
        measure=measure,
        topics=tuple(_topics(names[kept].tolist(), systems, values[kept], relevant)),
        undefined=tuple(names[~defined].tolist()),
        systems=systems,
        scores=values[kept],
        facts=scored.provenance.without("method", "alpha", "population") | measures((measure,)),
    )


def _topics(
    names: list[str], systems: tuple[str, ...], values: Floats, relevant: Mapping[str, int]
) -> Iterable[TopicFound]:
    spread = values.std(axis=1, ddof=1) if len(systems) > 1 else None
    along = discriminations(values)
    best = values.argmax(axis=1)
    for t, topic in enumerate(names):
        yield TopicFound(
            topic=topic,
            mean=float(values[t].mean()),
            sd=None if spread is None else float(spread[t]),
            discrimination=None if np.isnan(along[t]) else float(along[t]),
            best=systems[best[t]],
            best_score=float(values[t, best[t]]),
            relevant=relevant.get(topic),
        )


def discriminations(values: Floats) -> Floats:
    """Of each topic of values[topic, system], r of its scores and the means of the other topics; NaN without variation.

    >>> discriminations(np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 1.0, 2.0]])).round(3).tolist()
    [0.866, 0.5, -0.5]
    """
    topics = len(values)
    if topics < 2:
        return np.full(topics, np.nan)
    others = (values.sum(axis=0) - values) / (topics - 1)  # topic, system
    x, y = values - values.mean(axis=1, keepdims=True), others - others.mean(axis=1, keepdims=True)
    norms = np.sqrt(np.square(x).sum(axis=1)), np.sqrt(np.square(y).sum(axis=1))
    least = _EXACT * max(float(np.abs(values).max()), np.finfo(np.float64).tiny)
    varies = (norms[0] > least) & (norms[1] > least)
    r = np.full(topics, np.nan)
    r[varies] = ((x * y).sum(axis=1)[varies] / (norms[0] * norms[1])[varies]).clip(-1, 1)
    return r
