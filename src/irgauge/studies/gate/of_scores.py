"""A gate of scores, for which there need be no runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from irgauge.errors import InputError
from irgauge.options import options_of, refuse
from irgauge.reading.collection import Note
from irgauge.reading.missing import MissingRule, MissingTopics, counted_topics
from irgauge.reading.options import Reads
from irgauge.replicates.data import known_measures
from irgauge.replicates.given import several_measures
from irgauge.replicates.measured import Measured, Measuring
from irgauge.replicates.score_table import ScoreTable
from irgauge.scoring.measures import Measure
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
            partial(_known, tables=(baseline.scores, candidate.scores)),
        )
        return cls(baseline, candidate, measures, _words(first, asked))

    @cached_property
    def _scores(self) -> Scores:
        """A system a run, on the topics that some run has a score on."""
        sides, measures = (self.baseline, self.candidate), tuple(one.measure for one in self.wanted)
        topics = self._topics
        values = np.concatenate([side.values(measures, topics) for side in sides], axis=2)  # measure, topic, run
        kept = np.flatnonzero(~np.isnan(values).all(axis=(0, 2)))
        runs = (*self.baseline.runs, *self.candidate.runs)
        files = tuple(dict.fromkeys(file for side in sides for file in side.scores.files))
        return Scores(values[:, kept, :, None], measures, tuple(topics[t] for t in kept), runs, ("all",), files)

    @property
    def _topics(self) -> tuple[str, ...]:
        """Of the tables."""
        return tuple(dict.fromkeys((*self.baseline.scores.topics, *self.candidate.scores.topics)))

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
        kept = set(self._scores.topics)
        others = [topic for topic in self._topics if topic not in kept]
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


def _known(given: Sequence[str | Measure], tables: Sequence[Scores]) -> tuple[Measure, ...]:
    """Measures, which all tables must have."""
    found = several_measures(ScoreTable(tables[0]), given)
    for scores in tables:
        known_measures(found, scores)
    return found


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
