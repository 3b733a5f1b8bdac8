"""A gate of scores, for which there need be no runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from irgauge.arrays import Bools, Floats
from irgauge.errors import DesignError, InputError
from irgauge.options import options_of, refuse
from irgauge.reading.collection import Note
from irgauge.reading.missing import MissingRule, MissingTopics, counted_topics
from irgauge.reading.options import Reads
from irgauge.replicates.given import several_measures
from irgauge.replicates.measured import Measured, Measuring
from irgauge.replicates.score_table import ScoreTable
from irgauge.scoring.measures import Measure
from irgauge.scoring.ranges import range_of
from irgauge.scoring.scores import Scores
from irgauge.studies.gate.given import Fingerprints
from irgauge.studies.gate.options import Asked
from irgauge.studies.gate.scored_sides import ScoredSide, listed, scored_sides
from irgauge.studies.gate.wanted import Wanted, wanted

_OF_SCORES = ("missing",)  # options of reading that are of scores too


@dataclass(frozen=True, eq=False)
class GivenScores:
    """The scores of both sides."""

    baseline: ScoredSide
    candidate: ScoredSide
    wanted: tuple[Wanted, ...]
    words: tuple[str, ...] | None  # that name it on the command line

    @classmethod
    def of(cls, first: object, asked: Asked) -> GivenScores:
        """Of a table and the names of systems in it, or of two tables."""
        _check_options(asked)
        baseline, candidate = scored_sides(first, asked)
        measures = wanted(
            baseline.scores.measures if asked.measures is None else asked.measures,
            asked.margin,
            partial(_known, sides=(baseline, candidate)),
        )
        return cls(baseline, candidate, measures, _words(first, asked))

    @cached_property
    def _values(self) -> tuple[Floats, Floats]:
        """Of the baseline and of the candidate: measure, topic of the tables, run."""
        measures = tuple(one.measure for one in self.wanted)
        baseline, candidate = (side.values(measures, self._table_topics) for side in (self.baseline, self.candidate))
        _refuse_other_scale(measures, baseline, candidate, self.candidate.name)
        return baseline, candidate

    @cached_property
    def _scores(self) -> Scores:
        """A system a run, on the topics that the baseline has a score on; scores that only the candidate has are none.

        Else a candidate could choose what is counted.
        """
        baseline, candidate = self._values
        shared = np.where(self._only_candidate[..., None], np.nan, candidate)
        for run in np.flatnonzero(np.isnan(shared).all(axis=(0, 1)))[:1]:
            message = f"{self.candidate.runs[run]} has no score on any topic of {self.baseline.name}"
            raise InputError(f"{message} ({', '.join(self.baseline.scores.topics[:3])}, ...); is it of other topics?")
        values = np.concatenate([baseline, shared], axis=2)
        kept = np.flatnonzero(~np.isnan(values).all(axis=(0, 2)))
        measures, topics = tuple(one.measure for one in self.wanted), tuple(self._table_topics[t] for t in kept)
        runs = (*self.baseline.runs, *self.candidate.runs)
        files = tuple(dict.fromkeys((*self.baseline.scores.files, *self.candidate.scores.files)))
        return Scores(values[:, kept, :, None], measures, topics, runs, ("all",), files)

    @property
    def _only_candidate(self) -> Bools:
        """Measure, topic: whether a run of the candidate has a score there, and none of the baseline."""
        baseline, candidate = (np.isnan(values).all(axis=2) for values in self._values)
        return np.asarray(baseline & ~candidate)

    @cached_property
    def _table_topics(self) -> tuple[str, ...]:
        """The topics that a table names."""
        return tuple(dict.fromkeys((*self.baseline.scores.topics, *self.candidate.scores.topics)))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of the baseline."""
        return self._scores.topics

    @property
    def not_counted(self) -> tuple[str, ...]:
        """The topics on which only the candidate has a score, by some measure."""
        return tuple(self._table_topics[t] for t in np.flatnonzero(self._only_candidate.any(axis=0)))

    @cached_property
    def missing(self) -> MissingTopics:
        """The topics on which a run has no score by some measure."""
        scores = self._scores
        gaps = np.asarray(np.isnan(scores.values).any(axis=(0, 3)))  # topic, run
        lacking = {run: np.flatnonzero(gaps[:, r]).tolist() for r, run in enumerate(scores.systems)}
        named = {run: tuple(scores.topics[t] for t in places) for run, places in lacking.items() if places}
        return MissingTopics(named, of=len(scores.topics))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Topics of the tables that no run has a score on."""
        scored = {*self.topics, *self.not_counted}
        others = [topic for topic in self._table_topics if topic not in scored]
        return (Note(None, f"{counted_topics(others)} without a score of either side, left out"),) if others else ()

    def under(self, rule: MissingRule) -> Measured:
        """The scores without gaps."""
        found = _settled(self.missing, rule)
        if rule == "zero":
            self._scores.refuse_zeros(found)
        left = self._scores.dropped() if rule == "drop" else self._scores.filled("zero")
        return replace(ScoreTable(left).measured(Measuring(left.measures)), missing=found)

    def fingerprints(self) -> Fingerprints:
        """Of the scores of the baseline; candidates may change, also in the same table."""
        return Fingerprints(None, self.baseline.fingerprints)


def _check_options(asked: Asked) -> None:
    """Refuse what is said of runs."""
    of_runs = (option.name for option in options_of(Reads) if option.name not in _OF_SCORES)
    refuse(asked, of_runs, "runs, and scores were given; leave it out, or give the runs")


def _known(given: Sequence[str | Measure], sides: Sequence[ScoredSide]) -> tuple[Measure, ...]:
    """Measures, of which both sides must have scores."""
    asked = several_measures(ScoreTable(sides[0].scores), given)
    for side in sides:
        for measure in asked:
            if measure not in side.scores.measures:
                there = ", ".join(map(str, side.scores.measures))
                raise DesignError(f"{side.name} has no scores of {measure}; it has {there}")
    return asked


def _refuse_other_scale(measures: Sequence[Measure], baseline: Floats, candidate: Floats, name: str) -> None:
    """Refuse a candidate whose scores leave the range of a measure, where those of the baseline do not."""
    for measure, base, new in zip(measures, baseline, candidate, strict=True):
        within = range_of(measure, base[~np.isnan(base)])
        if within is not None and range_of(measure, own := new[~np.isnan(new)]) is None:
            worst = own[np.argmax(np.abs(own - np.mean(within)))]
            raise InputError(
                f"{name} has the score {worst:g} by {measure}, which lies between {within[0]:g} and {within[1]:g}, as "
                "the scores of the baseline do; give scores on the same scale"
            )


def _settled(missing: MissingTopics, rule: MissingRule) -> MissingTopics:
    """What is missing under a rule, which must be possible."""
    if rule == "fail" and missing.topics_of:
        lines = [f"  {run}: {counted_topics(topics)}" for run, topics in missing.topics_of.items()]
        advice = "complete them, or let missing scores be 0 ('zero') or their topics be left out ('drop')"
        raise InputError("\n".join([f"scores are missing on some of the {missing.of} topics:", *lines, advice]))
    return missing.under(rule)


def _words(first: object, asked: Asked) -> tuple[str, ...] | None:
    """Files and names; several names of a baseline have no words."""
    tables = [first] if asked.candidate is not None else [first, asked.baseline]
    paths = [str(table) for table in tables if isinstance(table, str | os.PathLike)]
    if len(paths) < len(tables):
        return None
    if asked.candidate is None:
        return tuple(paths)
    baseline, candidate = listed(asked.baseline), listed(asked.candidate)
    return (*paths, *baseline, *candidate) if len(baseline) == 1 else None
