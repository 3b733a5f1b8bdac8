"""Which topics are hard, which separate systems, and which order them as the other topics do?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.options.verbs import verb
from irgauge.provenance import Provenance
from irgauge.replicates.data import Data
from irgauge.replicates.given import Given, one_measure, opened
from irgauge.scoring.direction import HIGHER, sign_of
from irgauge.studies.means import facts_of_scores, summarise
from irgauge.studies.result import Result
from irgauge.studies.topics.options import TopicsOptions

_EXACT = 1e-12  # a standard deviation below this share of the scores is rounding


@dataclass(frozen=True)
class TopicDifficulty:
    """A topic by one measure."""

    topic: str
    mean: float  # over systems: its difficulty
    sd: float | None  # over systems: its separation; None for one system
    discrimination: float | None  # None where scores on the topic, or means of the others, are all the same
    best: str  # the system with the highest score
    best_score: float  # of that system
    relevant: int | None  # documents; a table of scores does not say


@dataclass(frozen=True, eq=False, repr=False)
class Topics(Result):
    """The topics by one measure, hardest first; those without any score are left out."""

    study: ClassVar[str] = "topics"
    part: ClassVar[str] = "topic"

    measure: str
    topics: tuple[TopicDifficulty, ...]
    undefined: tuple[str, ...]  # topics on which the measure is defined for no system
    systems: tuple[str, ...]  # best first
    scores: Floats  # topic, system
    facts: Provenance
    is_guessed: bool = False  # whether its name sounds as if less were better, and nothing was said of it

    @property
    def parts(self) -> Mapping[str, TopicDifficulty]:
        """Topic -> how hard it is."""
        return {topic.topic: topic for topic in self.topics}

    @property
    def provenance(self) -> Provenance:
        """What was scored."""
        return self.facts

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:  # noqa: ARG002  # there is one frame
        """The topics, hardest first."""
        return [{"measure": self.measure, **vars(topic)} for topic in self.topics]

    def content(self) -> dict[str, Any]:
        """The topics; the scores are many."""
        return {name: getattr(self, name) for name in ("measure", "topics", "undefined")}


@verb(TopicsOptions)
def topics(data: Given, options: TopicsOptions) -> Topics:
    """Describe each topic by the scores of all systems on the whole corpus; of a table, by means over its replicates.

    >>> from irgauge import load_scores
    >>> found = topics(load_scores({"good": {"1": 0.9, "2": 0.3}, "poor": {"1": 0.7, "2": 0.3}}))
    >>> [topic.topic for topic in found.topics], found.topics[1].sd
    (['2', '1'], 0.14142135623730953)
    """
    opened_data = opened(data, options.workers, missing=options.missing)
    scores = opened_data.whole(one_measure(opened_data, options.measure))
    systems = tuple(mean.system for mean in summarise(scores))
    values = scores.filled("zero").values[0].mean(axis=2)  # topic, system
    values = values[:, [scores.systems.index(system) for system in systems]]
    defined = ~np.isnan(scores.values[0]).all(axis=(1, 2))  # topic
    names = np.array(scores.topics, dtype=object)
    sign = sign_of(scores.measures[0].direction or HIGHER)
    kept = np.flatnonzero(defined)[np.argsort(sign * values[defined].mean(axis=1), kind="stable")]
    return Topics(
        measure=str(scores.measures[0]),
        topics=tuple(_topics(names[kept].tolist(), systems, values[kept], _relevant(opened_data), sign)),
        undefined=tuple(names[~defined].tolist()),
        systems=systems,
        scores=values[kept],
        facts=facts_of_scores(scores, opened_data.missing, opened_data.whole_source),
        is_guessed=scores.measures[0].needs_direction,
    )


def _relevant(data: Data) -> dict[str, int]:
    """The relevant documents of each topic; a table of scores does not say."""
    if not data.has_runs:
        return {}
    collection = data.runs().collection
    return dict(zip(collection.topics, collection.relevant_counts().tolist(), strict=True))


def _topics(
    names: list[str], systems: tuple[str, ...], values: Floats, relevant: Mapping[str, int], sign: int
) -> Iterator[TopicDifficulty]:
    spread = values.std(axis=1, ddof=1) if len(systems) > 1 else None
    along = discriminations(values)
    best = (sign * values).argmax(axis=1)
    for t, topic in enumerate(names):
        yield TopicDifficulty(
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
