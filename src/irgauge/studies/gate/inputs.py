"""What a gate is given: both sides, their scores, and what names and fingerprints them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple, Protocol

import numpy as np

from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import DesignError, InputError
from irgauge.options.fields import options_of, refuse
from irgauge.reading.collection import Collection, gathered, judgments_of
from irgauge.reading.few_topics import joined_on
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.missing import MissingRule, MissingTopics, counted_topics, rule_of
from irgauge.reading.notes import Note
from irgauge.reading.options import Documents, Joining, Reads, refuse_reading
from irgauge.reading.telling_apart import documents_needed
from irgauge.reading.topic_table import TopicTable
from irgauge.reading.trec import Qrels
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import of_measures
from irgauge.replicates.given import ScoreTable, claimable_measures
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import Scores
from irgauge.studies.gate.criteria import Wanted, wanted
from irgauge.studies.gate.lock import fingerprint
from irgauge.studies.gate.options import GateOptions
from irgauge.studies.gate.sides import (
    RunSide,
    ScoredSide,
    Side,
    holds_systems,
    listed,
    loaded_sides,
    measured_by_both,
    opened_sides,
    refuse_other_scale,
    refuse_run,
    scored_sides,
    settled,
    sides_of,
    taken_as,
)


class Fingerprints(NamedTuple):
    """SHA-256 of what must stay as it was."""

    judgments: str | None  # of the file, decompressed; None where there are none
    baseline: tuple[str, ...]  # of each run, sorted


class Given(Protocol):
    """Judgments and runs, or tables of scores."""

    @property
    def baseline(self) -> Side:
        """What the candidate is compared with."""

    @property
    def candidate(self) -> Side:
        """What may ship."""

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """The measures and their margins."""

    @property
    def words(self) -> Sequence[str] | None:
        """What names it on the command line; None where that cannot be."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that count, whatever the candidate answers; `missing` says which of them a run lacks."""

    @property
    def about(self) -> TopicTable:
        """What the inputs say of topics besides their scores."""

    @property
    def not_counted(self) -> tuple[str, ...]:
        """The topics on which only the candidate has scores."""

    @property
    def missing(self) -> MissingTopics:
        """The topics that a run has no score on."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What else a careful reader should know."""

    @property
    def rule(self) -> MissingRule:
        """What becomes of topics that a run lacks."""

    def under(self, rule: MissingRule) -> Measured:
        """The scores of the runs of the baseline, then of the candidate, with missing topics treated as a rule says."""

    def fingerprints(self) -> Fingerprints:
        """Of judgments and baseline."""

    def documents_on(self, topics: Sequence[str]) -> Collection | None:
        """The documents of the first run of either side on some topics; None where there are scores alone."""


USUAL = ("nDCG@10",)  # measures, where none is named


@dataclass(frozen=True, eq=False)
class GivenRuns:
    """Judgments, and the runs of both sides, which are read when they are needed."""

    qrels: object
    baseline: RunSide
    candidate: RunSide
    wanted: tuple[Wanted, ...]
    asked: GateOptions

    @classmethod
    def of(cls, qrels: object, options: GateOptions) -> GivenRuns:
        """As `load` takes them."""
        if options.candidate is None:
            raise DesignError("there is no candidate; name the judgments, the baseline and the candidate")
        refuse_run(qrels)
        measures = wanted(USUAL if options.measures is None else options.measures, options.margin, parse_measures)
        return cls(qrels, *sides_of(options.baseline, options.candidate), measures, options)

    @property
    def words(self) -> Sequence[str] | None:
        """Files; a baseline in several places has no words."""
        baseline, candidate = self.baseline.given, self.candidate.given
        if not isinstance(self.qrels, str | os.PathLike) or candidate is None or baseline is None or len(baseline) > 1:
            return None
        return [str(self.qrels), *baseline, *candidate]

    @cached_property
    def _judgments(self) -> Qrels:
        return judgments_of(self.qrels)

    @property
    def _told_apart(self) -> Documents:
        """All documents of two runs, of which unjudged ones are looked at, unless their files are large."""
        if len(self.baseline.runs) + len(self.candidate.runs) > 2:
            return "judged"
        return documents_needed((*(self.baseline.paths or ()), *(self.candidate.paths or ())), are_drawn=False)

    @cached_property
    def collection(self) -> Collection:
        """Judgments and runs."""
        joining = Joining.of(self.asked, documents=self._told_apart)
        collection = gathered(self._judgments, [*self.baseline.readers, *self.candidate.readers], joining)
        return _judged(collection).only((*self.baseline.runs, *self.candidate.runs))

    @property
    def rule(self) -> MissingRule:
        """As asked."""
        return rule_of(self.asked.missing)

    @property
    def topics(self) -> tuple[str, ...]:
        """Those of the judgments."""
        return self.collection.topics

    @property
    def about(self) -> TopicTable:
        """Nothing: runs and judgments name topics alone."""
        return TopicTable()

    @property
    def not_counted(self) -> tuple[str, ...]:
        """None: that runs answer topics without judgments is usual, and noted."""
        return ()

    @property
    def missing(self) -> MissingTopics:
        """The judged topics that a run does not answer."""
        return self.collection.missing

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noted when runs and judgments were joined."""
        return self.collection.notes

    def bench(self, rule: MissingRule) -> Bench:
        """All runs, with missing topics treated as a rule says."""
        return Bench(self.collection.under(rule), workers=self.asked.workers)

    def under(self, rule: MissingRule) -> Measured:
        """The scores of all runs on the whole corpus."""
        measures = tuple(criterion.measure for criterion in self.wanted)
        measured = self.bench(rule).measured(Measuring(measures))
        if rule == "zero":  # that is the least of a measure which has a range
            unlimited = [measure for measure in measures if measure.range is None]
            of_measures(measured.scores, unlimited).refuse_zeros(self.missing)
        return measured

    def fingerprints(self) -> Fingerprints:
        """Of the files, which there must be."""
        if not isinstance(self.qrels, str | os.PathLike) or self.baseline.paths is None:
            what = "the judgments were" if self.baseline.paths is not None else "the baseline was"
            raise DesignError(f"a lock keeps fingerprints of files, and {what} not given as files; give paths")
        return Fingerprints(fingerprint(self.qrels), tuple(sorted(map(fingerprint, self.baseline.paths))))

    def documents_on(self, topics: Sequence[str]) -> Collection | None:
        """With the names of unjudged documents too: the runs are joined once more, on these topics alone."""
        runs = [side.readers[0]() for side in (self.baseline, self.candidate)]
        return joined_on(topics, self._judgments, runs, Joining.of(self.asked, documents="all", progress=None))


@dataclass(frozen=True, eq=False)
class GivenCollection(GivenRuns):
    """Judgments and runs that were loaded before; the sides are systems of theirs."""

    loaded: Collection

    @classmethod
    def of_loaded(cls, loaded: Collection, options: GateOptions) -> GivenCollection:
        """As `load` gives them."""
        if options.candidate is None:
            raise DesignError("there is no candidate; name the baseline and the candidate among the systems")
        refuse_reading(options, Reads)
        measures = wanted(USUAL if options.measures is None else options.measures, options.margin, parse_measures)
        return cls(None, *loaded_sides(loaded.systems, options), measures, options, loaded)

    @cached_property
    def collection(self) -> Collection:
        """Those of the sides."""
        return _judged(self.loaded.unsettled.only((*self.baseline.runs, *self.candidate.runs)))

    @property
    def rule(self) -> MissingRule:
        """As it was settled when they were loaded."""
        return self.loaded.missing.rule

    def documents_on(self, topics: Sequence[str]) -> Collection | None:
        """Those that were loaded."""
        return self.collection.without(set(self.topics) - set(topics))


def _judged(collection: Collection) -> Collection:
    """A run that has nothing to do with the judgments is bad input, not a bad run."""
    for system, path in enumerate(collection.origins):
        lists = zip(collection.firsts[:, system], collection.lengths[:, system], strict=True)
        if all(np.all(collection.levels[first : first + size] == UNJUDGED) for first, size in lists):
            raise InputError("none of its documents is judged; is it a run on another collection?", path=path)
    return collection


_OF_SCORES = ("missing",)  # options of reading that are of scores too


@dataclass(frozen=True, eq=False)
class GivenScores:
    """The scores of both sides."""

    baseline: ScoredSide
    candidate: ScoredSide
    wanted: tuple[Wanted, ...]
    words: tuple[str, ...] | None  # that name it on the command line
    rule: MissingRule  # what becomes of topics that a run lacks

    @classmethod
    def of(cls, first: object, options: GateOptions) -> GivenScores:
        """Of a table and the names of systems in it, or of two tables."""
        _check_options(options)
        baseline, candidate = scored_sides(first, options)
        measures = wanted(
            claimable_measures(baseline.scores.measures) if options.measures is None else options.measures,
            options.margin,
            partial(measured_by_both, sides=(baseline, candidate)),
            tuple(map(str, baseline.scores.measures)) if baseline.scores.is_nameless else (),
        )
        asked = [criterion.measure for criterion in measures]
        sides = baseline.named_by(asked), candidate.named_by(asked)
        return cls(*sides, measures, _words(first, options), rule_of(options.missing, _usual_rule(baseline, candidate)))

    @cached_property
    def _values(self) -> tuple[Floats, Floats]:
        """Of the baseline and of the candidate: measure, topic of the tables, run."""
        measures = tuple(criterion.measure for criterion in self.wanted)
        baseline, candidate = (side.values(measures, self._table_topics) for side in (self.baseline, self.candidate))
        refuse_other_scale(measures, baseline, candidate, self.candidate.name)
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
        measures = tuple(criterion.measure for criterion in self.wanted)
        topics = tuple(self._table_topics[t] for t in kept)
        runs = (*self.baseline.runs, *self.candidate.runs)
        files = tuple(dict.fromkeys((*self.baseline.scores.files, *self.candidate.scores.files)))
        about = self.baseline.scores.about  # a candidate does not choose kinds, clusters or weights of topics
        return Scores(values[:, kept, :, None], measures, topics, runs, ("all",), files, about=about)

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
    def about(self) -> TopicTable:
        """The columns of the baseline's table."""
        return self._scores.about

    @property
    def not_counted(self) -> tuple[str, ...]:
        """The topics on which only the candidate has a score, by some measure."""
        return tuple(self._table_topics[t] for t in np.flatnonzero(self._only_candidate.any(axis=0)))

    @cached_property
    def missing(self) -> MissingTopics:
        """The topics on which a run has no score by some measure."""
        scores = self._scores
        return MissingTopics.among(scores.topics, scores.systems, np.asarray(scores.gaps.any(axis=(0, 3))))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Topics of the tables that no run has a score on, and what replicates are taken as."""
        others = [t for known in [{*self.topics, *self.not_counted}] for t in self._table_topics if t not in known]
        left_out = [Note(None, f"{counted_topics(others)} without a score of either side, left out")] * bool(others)
        return (*left_out, *taken_as(self.baseline, self.candidate))

    def under(self, rule: MissingRule) -> Measured:
        """The scores without gaps."""
        missing = settled(self.missing, rule)
        if rule == "zero":
            self._scores.refuse_zeros(missing)
        left = self._scores.dropped() if rule == "drop" else self._scores.filled("zero")
        return replace(ScoreTable(left).measured(Measuring(left.measures)), missing=missing)

    def fingerprints(self) -> Fingerprints:
        """Of the scores of the baseline; candidates may change, also in the same table."""
        return Fingerprints(None, self.baseline.fingerprints)

    def documents_on(self, topics: Sequence[str]) -> Collection | None:  # noqa: ARG002  # a table names no documents
        """None."""
        return None


def _usual_rule(*sides: ScoredSide) -> MissingRule:
    """Missing scores are refused, but where it was settled before that they are 0."""
    settled = [side.scores.missing for side in sides]
    return "zero" if any(missing is not None and missing.rule == "zero" for missing in settled) else "fail"


def _check_options(options: GateOptions) -> None:
    """Refuse what is said of runs."""
    of_runs = (option.name for option in options_of(Reads) if option.name not in _OF_SCORES)
    refuse(options, of_runs, "runs, and scores were given; leave it out, or give the runs")


def _words(first: object, options: GateOptions) -> tuple[str, ...] | None:
    """Files and names; several names of a baseline have no words."""
    tables = [first] if options.candidate is not None else [first, options.baseline]
    paths = [str(table) for table in tables if isinstance(table, str | os.PathLike)]
    if len(paths) < len(tables):
        return None
    if options.candidate is None:
        return tuple(paths)
    baseline, candidate = listed(options.baseline), listed(options.candidate)
    return (*paths, *baseline, *candidate) if len(baseline) == 1 else None


def inputs_of(data: object, options: GateOptions) -> Given:
    """What was given, be it judgments with runs beside them, a table of scores, two tables, or what was loaded."""
    if not holds_systems(data, options):
        return GivenRuns.of(data, options)
    if options.candidate is None:
        return GivenScores.of(data, options)
    opened_data = opened_sides(data, options)
    if opened_data.has_runs:
        return GivenCollection.of_loaded(opened_data.runs().collection, options)
    return GivenScores.of(data, options)
