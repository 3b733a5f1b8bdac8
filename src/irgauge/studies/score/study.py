"""How effective is each system? Scores of topics, their means over topics, standard errors and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.leaders import Leaders
from irgauge.inference.sampling import Sampling
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance, fact
from irgauge.reading.missing import MissingTopics
from irgauge.reading.topic_slices import slices_of
from irgauge.replicates import facts as data_facts
from irgauge.replicates.given import Given, ScoreTable, several_measures
from irgauge.replicates.needs import opened_needs
from irgauge.scoring.direction import Direction
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Fill, Scores
from irgauge.scoring.transforms import transformed
from irgauge.studies.means import SystemMean, facts_of_scores, interval_kinds, summarise
from irgauge.studies.result import Result
from irgauge.studies.sampled import drawn, sampling
from irgauge.studies.score.options import ScoreOptions

if TYPE_CHECKING:
    from irgauge.simulation.truth import Truth


@fact()
def own_topics(_: bool) -> str:  # noqa: FBT001  # the value of the fact
    """That means are over a run's own topics."""
    return "each mean over the topics that the run answers, as trec_eval without -c"


class SliceMeans(NamedTuple):
    """The means of systems over the topics of one kind, best first for each measure."""

    column: str
    value: str
    means: tuple[SystemMean, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Scored(Result):
    """Scores of systems on topics, and their means over topics, best first for each measure."""

    study: ClassVar[str] = "score"

    scores: Scores  # NaN where undefined
    means: tuple[SystemMean, ...]
    alpha: float
    fill: Fill
    own_topics: bool  # whether each mean is over the topics that the run answers
    per_topic: bool  # whether the main table has the score of every topic
    missing: MissingTopics  # judged topics that its systems do not answer
    source: Provenance  # how the collection was read
    transform: str | None = None  # of the scores, once undefined ones were filled
    filled_before: int = 0  # how many these were
    slices: tuple[SliceMeans, ...] = ()  # the same on kinds of topics
    sampling: Sampling | None = None  # clusters and weights of topics

    @property
    def parts(self) -> Mapping[str, tuple[SystemMean, ...]]:
        """Measure -> the means of systems, best first."""
        return {str(measure): self.of(str(measure)) for measure in self.measures}

    @property
    def values(self) -> Floats:
        """values[measure, topic, system, replicate], NaN where undefined."""
        return self.scores.values

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in their order."""
        return self.scores.measures

    @cached_property
    def filled_scores(self) -> Scores:
        """The scores, undefined ones filled."""
        return self.scores.filled(self.fill)

    def as_data(self) -> ScoreTable:
        """The scores for other studies, with how they came about."""
        return ScoreTable(
            replace(self.scores, missing=self.missing), made_of=self.source | data_facts.transform(self.transform)
        )

    def of(self, measure: str) -> tuple[SystemMean, ...]:
        """The means by one measure, best first."""
        return tuple(mean for mean in self.means if mean.measure == measure)

    @property
    def directions(self) -> Mapping[str, Direction | None]:
        """Measure -> which scores are better; None: neither."""
        return {str(measure): measure.direction for measure in self.measures}

    def leaders(self, measure: str) -> Leaders:
        """Which systems have the best mean by a measure."""
        means = self.of(measure)
        return Leaders.of([mean.system for mean in means], [mean.mean for mean in means])

    @cached_property
    def undefined(self) -> Mapping[str, int]:
        """Measure -> topics on which it has no score for some system."""
        gaps = np.isnan(self.values).any(axis=(2, 3)).sum(axis=1)  # measure
        return {str(measure): int(count) for measure, count in zip(self.measures, gaps, strict=True) if count}

    @property
    def intervals(self) -> str:
        """How the intervals are made; by measure, where that differs."""
        return interval_kinds(self.filled_scores)

    @property
    def drawn(self) -> str:
        """What intervals of means are for, by a name of `show.verdicts.FOR`."""
        return drawn("topics", self.sampling, self.scores.wordings)

    @property
    def provenance(self) -> Provenance:
        """How intervals are made, what was scored, and how undefined scores were filled."""
        own = own_topics(self.own_topics or None)
        scored = facts_of_scores(self.scores, self.missing, self.source, self.fill, own)
        if self.filled_before:
            filled = data_facts.fill(str(self.fill), undefined=self.filled_before)
            scored = Provenance.of(scored, filled, Fact("undefined", self.filled_before))
        return Provenance.of(
            facts.method(None if self.per_topic else self.intervals),
            data_facts.measures(tuple(map(str, self.measures))),
            data_facts.transform(self.transform),
            facts.alpha(None if self.per_topic else self.alpha),
            facts.population(None if self.per_topic else "topics", drawn=self.drawn),
            facts.sampling(self.sampling),
            scored,
        )

    def content(self) -> dict[str, Any]:
        """The means, or the score of every topic."""
        names = (self.main_frame, *(["slices"] if self.slices else []))
        return {name: list(self.frame_rows(name)) for name in names}

    @property
    def main_frame(self) -> str:
        """The means, or, where every topic was asked for, its scores."""
        return "topics" if self.per_topic else "systems"

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """The means of systems, on all topics or on each kind; or every score, null where it is undefined."""
        if name == "slices":
            return [
                self._mean(mean) | {"column": own.column, "slice": own.value}
                for own in self.slices
                for mean in own.means
            ]
        return self._scores() if name == "topics" else map(self._mean, self.means)

    def _mean(self, mean: SystemMean) -> dict[str, Any]:
        ends = {"mean": mean.mean, "low": mean.low, "high": mean.high, "n": mean.topics}
        claim = {"population": "topics", "alpha": self.alpha, "direction": self.directions[mean.measure]}
        return {"measure": mean.measure, "system": mean.system, **ends, **claim, "se": mean.se}

    def _scores(self) -> Iterator[dict[str, Any]]:
        scores = self.scores
        for measure, of_measure in zip(map(str, scores.measures), scores.values.tolist(), strict=True):
            for topic, of_topic in zip(scores.topics, of_measure, strict=True):
                for system, of_system in zip(scores.systems, of_topic, strict=True):
                    for replicate, value in zip(scores.replicates, of_system, strict=True):
                        yield {
                            "measure": measure,
                            "topic": topic,
                            "system": system,
                            "replicate": replicate,
                            "score": None if math.isnan(value) else value,
                        }


@verb(ScoreOptions)
def score(data: Given, options: ScoreOptions) -> Scored:
    """Score every system on every topic of the whole corpus.

    Means over the n topics have the standard error s/√n and an interval that covers other topics: Wilson's with the
    variance of the scores, within the range of the measure, or else Student's t interval, longer toward the longer
    tail (see `irgauge.inference.mean_bounds`). A topic that a run does not answer scores 0. With clusters, weights or
    shares they are those of `irgauge.inference.sampling`.

    >>> from irgauge import load
    >>> collection = load({"q1": {"d1": 1, "d2": 0}}, {"mine": {"q1": {"d2": 0.9, "d1": 0.8}}})
    >>> found = score(collection, ["AP", "RR"])
    >>> found.values.ravel().tolist(), found.means[0].mean
    ([0.5, 0.5], 0.5)
    """
    opened_data = opened_needs(
        data, options.workers, options.measures or (), missing=options.missing, **options.about_topics
    )
    scores = opened_data.whole(several_measures(opened_data, options.measures))
    fill: Any = options.fill  # `filled` checks it
    undefined = int(np.isnan(scores.values).sum())
    if options.transform is not None:
        scores = transformed(scores.filled(fill), options.transform)
    answered, own = _answered(scores, opened_data.missing, options), sampling(scores, options)
    return Scored(
        scores=scores,
        means=summarise(scores, fill=fill, alpha=options.alpha, answered=answered, sampling=own),
        alpha=options.alpha,
        fill=fill,
        own_topics=options.own_topics,
        per_topic=options.per_topic,
        missing=replace(opened_data.missing, is_own=options.own_topics),
        source=opened_data.whole_source,
        transform=options.transform,
        filled_before=0 if options.transform is None else undefined,
        slices=tuple(_on_slices(scores.filled(fill), answered, options, own)),
        sampling=own,
    )


def _on_slices(
    filled: Scores, answered: Bools | None, options: ScoreOptions, sampled: Sampling | None
) -> Iterator[SliceMeans]:
    """The means on the topics of each kind that is asked for."""
    if not options.slice_columns:
        return
    for part in slices_of(filled.about, options.slice_columns, filled.topics):
        topics = tuple(filled.topics[place] for place in part.topics)
        own = replace(filled, values=filled.values[:, part.topics], topics=topics)
        counted = None if answered is None else answered[part.topics]
        on_slice = None if sampled is None else sampled.on(part.topics)
        means = summarise(own, alpha=options.alpha, answered=counted, sampling=on_slice)
        yield SliceMeans(part.column, part.value, means)


def _answered(scores: Scores, missing: MissingTopics, options: ScoreOptions) -> Bools | None:
    """answered[topic, system], where means are over a run's own topics."""
    return missing.answered(scores.topics, scores.systems) if options.own_topics else None


@dataclass(frozen=True)
class TruthCheck:
    """How many intervals of a mean over topics hold the true mean."""

    inside: int
    total: int
    alpha: float
    measures: tuple[str, ...]


def truth_check(scored: Scored, truth: Truth) -> TruthCheck:
    """Count the intervals that hold the true mean of their system, for the measures whose truth is known.

    Systems are scored on the same topics, so that their intervals miss together.
    """
    from irgauge.simulation.collections import draw_systems

    names, known = draw_systems(truth.design).names, [str(measure) for measure in truth.measures]
    true = {(m, s): truth.means[i, j] for i, m in enumerate(known) for j, s in enumerate(names)}
    rows = [row for row in scored.means if (row.measure, row.system) in true]
    if not rows:
        asked = ", ".join(dict.fromkeys(row.measure for row in scored.means))
        raise DesignError(
            f"the truth is of {', '.join(known)} of simulated systems; it says nothing of {asked} of these"
        )
    inside = sum(row.low <= true[row.measure, row.system] <= row.high for row in rows)
    return TruthCheck(int(inside), len(rows), scored.alpha, tuple(dict.fromkeys(row.measure for row in rows)))
