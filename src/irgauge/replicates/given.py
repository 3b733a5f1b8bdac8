"""What a study is given: runs, a table of scores, or what was measured before; and the measures asked of it.

From runs with their labels, or from a table, come the scores of instances.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.options.fields import refuse
from irgauge.provenance import Provenance
from irgauge.reading import facts as file_facts
from irgauge.reading.collection import Collection, load
from irgauge.reading.missing import MissingTopics, rule_of
from irgauge.reading.tables.looks import EXTENSIONS, are_scores
from irgauge.reading.tables.read import GivenNames, is_frame, is_to_be_read
from irgauge.reading.topic_table import GivenTopics, TopicTable, topic_table
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import Data, HoldsData, OfScores, best_systems, kept_count, known_measures, of_measures
from irgauge.replicates.exchange import Exchange
from irgauge.replicates.facts import grouped, replicates
from irgauge.replicates.instances import InstanceScores, labelled
from irgauge.replicates.labels import RunLabels
from irgauge.replicates.measured import REDRAW, Measured, Measuring, finished
from irgauge.scoring.direction import HIGHER, Direction
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import Scores, is_measure

USUAL = ("AP", "P@10", "nDCG@10")  # measures, where none is named
TABLES = EXTENSIONS  # what the files of tables of scores end in
Loaded = Collection | Scores | Data  # what is read already


@dataclass(frozen=True, eq=False)
class ScoreTable(OfScores):
    """Scores that were given as they are: nothing can be split, and no other measure scored."""

    scores: Scores  # some may be missing
    rule: str | None = None  # what becomes of these; None: refused, unless it was settled before
    made_of: Provenance | None = None  # how the scores came about, where that is known

    @cached_property
    def _settled(self) -> Scores:
        """The scores, none of which is missing."""
        return self.scores.under(self.rule)

    def settled(self) -> ScoreTable:
        """The same without scores that are missing, which are refused, 0, or left out."""
        return replace(self, scores=self._settled) if self.scores.gaps.any() else self

    @property
    def missing(self) -> MissingTopics:
        """The topics that systems lack."""
        return self._settled.missing or MissingTopics()

    @property
    def source(self) -> Provenance:
        """Where the table comes from, and how many replicates it has; or how the scores came about."""
        if self.made_of is not None:
            return self.made_of
        count = self.replicate_count if self.replicate_count > 1 else None
        return Provenance.of(
            file_facts.source("a table of scores"),
            file_facts.files(self.files or None),
            file_facts.unused(self.scores.about.unused or None),
            replicates(count, self.scores.replicate_column, (*self.systems, *self.topics, *self.files)),
        )

    @property
    def whole_source(self) -> Provenance:
        """The same, as there are no other scores."""
        return self.source

    def whole(self, measures: Sequence[Measure]) -> Scores:
        """The scores of some measures, in all replicates."""
        named = self._settled.named_by(measures)
        return of_measures(named, known_measures(measures, named))

    def measured(self, measuring: Measuring) -> Measured:
        """What is asked for, as far as a table can give it."""
        if measuring.shards is not None or measuring.fill == REDRAW:
            raise DesignError("a table of scores cannot be split; shards and the fill 'redraw' need runs and judgments")
        chosen = self.whole(measuring.measures)
        count = kept_count(measuring.keep_systems, len(self.systems))
        by = chosen if measuring.keep_by is None else self.whole((measuring.keep_by,))
        kept = list(range(count)) if count == len(self.systems) else best_systems(by, count)
        missing = self.missing.only([self.systems[s] for s in kept])
        return replace(finished(chosen, measuring, kept), missing=missing, source=self.source)

    def with_topics(self, table: TopicTable) -> ScoreTable:
        """The same, with what is known of topics."""
        return replace(self, scores=self.scores.with_topics(table))

    def exchanged(self, exchange: Exchange) -> ScoreTable:
        """A copy in which systems have changed places."""
        return ScoreTable(exchange.of(self._settled))

    def table(self, why: str) -> Scores:
        """The scores, of systems that may lack topics."""
        del why
        return self.scores


class Frame(Protocol):
    """A data frame of polars or pandas."""

    @property
    def columns(self) -> Any:  # noqa: ANN401  # of any kind
        """The names of its columns."""


# or tables of scores (files, frames, mappings, arrays), judgments and runs as `load` takes them, what holds data
Given = (
    Loaded
    | HoldsData
    | str
    | os.PathLike[str]
    | Sequence[str | os.PathLike[str]]
    | tuple[object, object]
    | Frame
    | Mapping[str, Any]
    | Floats
)


def opened(
    data: Given,
    workers: int | None = None,
    measures: str | Measure | Iterable[str | Measure] = (),
    *,
    missing: str | None = None,
    topics_table: GivenTopics | None = None,
    columns: str | Mapping[str, str] | None = None,
) -> Data:
    """What a study works on: runs on a bench, or a table of scores, either of which is read where need be.

    Work on runs is in so many threads; measures that are named here are scored together. Scores that a table lacks are
    refused, unless `missing` says what becomes of them. A table of topics says more of these.
    """
    about = None if topics_table is None else topic_table(topics_table)  # read before the long work: it may be wrong
    opened_data = opened_with_gaps(data, workers, measures, missing=missing, columns=columns)
    settled = opened_data.settled() if isinstance(opened_data, ScoreTable) else opened_data
    return settled if about is None else settled.with_topics(about)


def opened_tables(
    data: Given,
    workers: int | None = None,
    measures: str | Measure | Iterable[str | Measure] = (),
    *,
    missing: str | None = None,
    columns: str | Mapping[str, str] | None = None,
) -> Data:
    """The same where `missing` is of tables alone, as it was settled for runs when these were read."""
    is_read = isinstance(data, Collection | Bench | Measured)
    return opened(data, workers, measures, missing=None if is_read else missing, columns=columns)


def opened_with_gaps(
    data: Given,
    workers: int | None = None,
    measures: str | Measure | Iterable[str | Measure] = (),
    *,
    missing: str | None = None,
    columns: str | Mapping[str, str] | None = None,
) -> Data:
    """The same, with tables that may lack scores."""
    if isinstance(data, HoldsData):
        return opened_with_gaps(data.as_data(), workers, measures, missing=missing, columns=columns)
    if (pair := judgments_and_runs(data)) is not None:
        return Bench(
            load(*pair, workers=workers, missing=None if missing is None else rule_of(missing)),
            parse_measures(measures),
            workers=workers,
        )
    if isinstance(data, str | os.PathLike) and not is_scores(data):
        raise InputError(f"this is not a table of scores; {_HOW}", path=str(data))
    if is_to_be_read(data):
        return ScoreTable(Scores.of(data, GivenNames(columns=columns)), missing)
    if columns is not None:
        raise DesignError("columns are of a table that is read, and other data were given; leave them out")
    if isinstance(data, Scores):
        return ScoreTable(data, missing)
    if isinstance(data, ScoreTable):
        return replace(data, rule=missing) if missing is not None else data
    if missing is not None and isinstance(data, Collection | Bench | Measured):
        raise DesignError("what becomes of missing topics is settled for these runs; give 'missing' to `load`")
    if isinstance(data, Collection):
        return Bench(data, parse_measures(measures), workers=workers)
    if isinstance(data, Bench | Measured):
        return data
    raise DesignError(f"data is a {type(data).__name__}; {_HOW}")


def judgments_and_runs(data: object) -> tuple[Any, Any] | None:
    """Judgments and runs as `load` takes them, where data are these: a pair, or paths of which the first is no table.

    >>> judgments_and_runs(({"q1": {"d1": 1}}, {"mine": {"q1": {"d1": 0.5}}}))
    ({'q1': {'d1': 1}}, {'mine': {'q1': {'d1': 0.5}}})
    >>> judgments_and_runs(({"topic": "q1", "system": "a", "score": 1}, {"topic": "q1", "system": "b", "score": 0}))
    """
    if not isinstance(data, list | tuple) or len(data) < 2:
        return None
    if all(isinstance(item, str | os.PathLike) for item in data):
        return None if are_scores(str(data[0]), is_measure, is_alone=False) else (data[0], list(data[1:]))
    return (data[0], data[1]) if isinstance(data, tuple) and len(data) == 2 and not all(map(_is_row, data)) else None


def _is_row(item: object) -> bool:
    """Whether it is a row of a table, which a tuple may hold two of."""
    is_flat = isinstance(item, Mapping) and not any(isinstance(value, Mapping) for value in item.values())
    return is_flat or isinstance(item, tuple)


def is_scores(data: object) -> bool:
    """Whether scores are given, or what is read as a table of scores: a file by what it holds, a frame."""
    if isinstance(data, str | os.PathLike):
        return are_scores(str(data), is_measure)
    return isinstance(data, Scores) or is_frame(data)


_HOW = "load runs first: irgauge.load(qrels, runs), or give a table of scores: see irgauge.load_scores"


def bench(data: Given, workers: int | None = None) -> Bench:
    """The runs of a study that needs them."""
    return opened(data, workers).runs()


def whole_and_shards(data: Data, measuring: Measuring) -> tuple[Measured, Measured]:
    """Scores on the whole corpus, for claims about topics, and on the shards asked for; the same where there are none.

    A table of scores has no other scores than those on its shards.
    """
    shards = data.measured(measuring)
    if not data.has_runs or shards.shards == 1:
        return shards, shards
    fill = "zero" if measuring.fill == REDRAW else measuring.fill
    return data.measured(replace(measuring, shards=None, fill=fill)), shards


def several_measures(
    data: Data, measures: str | Measure | Iterable[str | Measure] | None, usual: Sequence[str] = USUAL
) -> tuple[Measure, ...]:
    """The measures of a study that takes several: the usual ones for runs, all of a table, if none is named."""
    if measures is None:
        return parse_measures(usual) if data.measures is None else data.measures
    named = parse_measures(measures) if data.measures is None else _read(measures)
    if not named:
        raise InputError("no measure was given; name one, such as AP")
    return named


def claimed_measures(
    data: Data, measures: str | Measure | Iterable[str | Measure] | None, usual: Sequence[str] = USUAL
) -> tuple[Measure, ...]:
    """The same of a study that calls systems better: one that has no direction is refused, or left out if not named."""
    chosen = several_measures(data, measures, usual)
    if measures is None:
        return claimable_measures(chosen)
    for measure in chosen:
        _ = measure.claimed_direction
    return chosen


def claimable_measures(measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Those by which a system can be better, such as all but counts of documents; all where there are none."""
    return tuple(measure for measure in measures if measure.direction is not None) or measures


def one_measure(data: Data, measure: str | Measure | None) -> tuple[Measure, ...]:
    """The measure of a study that takes one: AP for runs, the only one of a table, if none is named."""
    if data.measures is None:
        return parse_measures([measure or "AP"])
    if measure is not None:
        return _read([measure])
    if len(data.measures) > 1:
        there = ", ".join(map(str, data.measures))
        raise DesignError(f"this question is asked of one measure at a time; name one of {there}")
    return data.measures


def _read(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Measures of a table, which may have names of its own."""
    names = [measures] if isinstance(measures, str | Measure) else measures
    read = (measure if isinstance(measure, Measure) else Measure.asked(measure) for measure in names)
    return tuple(dict.fromkeys(read))


InstanceData = InstanceScores | Given


@dataclass(frozen=True, kw_only=True)
class Instances:
    """Which scores of instances are wanted."""

    measure: str | Measure | None
    usual: str  # the measure of runs, where none is named
    of_runs: RunLabels
    only: Sequence[str] = ()  # algorithms; none for all

    def scored(self, data: InstanceScores | Data) -> tuple[InstanceScores, Provenance]:
        """The scores of the algorithms asked for, and facts of what was measured."""
        if isinstance(data, InstanceScores) or not data.has_runs:
            scores, source = self._of_scores(data)
        else:
            scores, source = self._of_runs(data.runs())
        kept = list(dict.fromkeys(known(name, scores.algorithms, "algorithm") for name in self.only))
        scores = (scores.only(kept) if kept else scores).by_group()
        return scores, source | grouped(None if scores.members is None else len(scores.members.instances))

    def _of_scores(self, data: InstanceScores | Data) -> tuple[InstanceScores, Provenance]:
        """The scores of a table, whose systems are algorithms, and whose replicates are their instances."""
        reason = "runs, and scores were given; leave it out, or give judgments and runs instead"
        refuse(self.of_runs, ("manifest", "pattern", "labels", "fill"), reason)
        asked = None if self.measure is None else _read([self.measure])[0]
        measure = None if asked is None else str(asked)
        scores = (
            data
            if isinstance(data, InstanceScores)
            else InstanceScores.of(data.table("have no instances"), measure=measure)
        )
        if asked is not None and scores.measure is not None and Measure.read(scores.measure) != asked:
            message = f"these are scores of {scores.measure}, and {measure} was asked for"
            raise DesignError(f"{message}; leave the measure out")
        source = Provenance.of(file_facts.source("a table of scores"), file_facts.files(scores.files or None))
        direction = _direction_of(scores, data, asked)
        return replace(scores, measure=measure or scores.measure, direction=direction), source

    def _of_runs(self, runs: Bench) -> tuple[InstanceScores, Provenance]:
        if self.of_runs.fill == REDRAW:
            raise DesignError("the fill 'redraw' draws splits again, and there are none here; use another fill")
        labels = self.of_runs.of(runs.collection)
        measured = runs.measured(Measuring(parse_measures([self.measure or self.usual]), fill=self.of_runs.fill))
        notes = tuple(map(str, runs.collection.notes))
        scores = labelled(measured.scores, labels, filled=measured.undefined, notes=notes)
        kept = set(self.only) or set(scores.algorithms)
        named = zip(measured.scores.systems, labels, strict=True)
        missing = measured.missing.only([run for run, label in named if label.algorithm in kept])
        source = measured.provenance.without("systems", "keep_systems", "corpus_size", "documents")
        return scores, source | file_facts.missing(missing)


def _direction_of(scores: InstanceScores, data: InstanceScores | Data, asked: Measure | None) -> Direction:
    """Which scores of a table are better: as is asked now, as was said before, or as the measure has it."""
    if asked is not None and asked.better is not None:
        return asked.better
    if isinstance(data, InstanceScores):
        return data.direction
    own = Measure.read(scores.measure) if asked is None and scores.measure is not None else asked
    named = [measure for measure in data.measures or () if own is None or measure == own]
    return named[0].claimed_direction if named else HIGHER


def only_higher(measures: Sequence[Measure], study: str) -> tuple[Measure, ...]:
    """Refuse measures of which less is better, in a study that does not know of them."""
    for measure in measures:
        if measure.claimed_direction != HIGHER:
            raise DesignError(
                f"lower scores of {measure} are better, and `{study}` takes higher ones for better; name another "
                "measure, or use `compare`"
            )
    return tuple(measures)


def opened_instances(
    data: InstanceData, workers: int | None = None, missing: str | None = None
) -> InstanceScores | Data:
    """What a study of instances works on: their scores, of which some may be missing, or what `opened` gives."""
    return data if isinstance(data, InstanceScores) else opened_with_gaps(data, workers, missing=missing)
