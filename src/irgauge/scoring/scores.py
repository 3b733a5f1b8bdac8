"""Scores: what every measure says of every system on every topic in every replicate."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from irgauge.brief import Brief, some
from irgauge.choices import known
from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection
from irgauge.reading.missing import MissingRule, MissingTopics, counted_topics, rule_of
from irgauge.reading.tables.across import crossing_of
from irgauge.reading.tables.longtable import LongTable
from irgauge.reading.tables.read import GivenNames, frame_sheet, read_tables, table_of, together
from irgauge.reading.tables.sheet import KEYS, SCORE, plain
from irgauge.reading.tables.text import write_table
from irgauge.reading.topic_table import TopicTable
from irgauge.scoring.direction import LOWER, is_usually_higher, is_usually_lower
from irgauge.scoring.drawn import Replicates, whole
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scorer import Scorer
from irgauge.wording import counted

if TYPE_CHECKING:
    import polars as pl

NamedFill = Literal["zero", "lq", "med", "mean", "uq", "one"]
Fill = NamedFill | float
_QUANTILES = {"lq": 0.25, "med": 0.5, "uq": 0.75}
_COLUMNS = (*KEYS, SCORE)
_WHOLE = "all"  # the replicate of scores that name none


@dataclass(frozen=True, eq=False)
class Wordings:
    """The scores that means over the wordings of needs are of: values[measure, need, system, wording]."""

    column: str
    values: Floats  # NaN where a need has fewer wordings, or a score is undefined
    measures: tuple[Measure, ...]
    needs: tuple[str, ...]
    systems: tuple[str, ...]
    is_shared: bool = False  # whether the wordings are the same for all needs, as prompts are

    def behind(self, scores: Scores) -> Floats | None:
        """values[need, system, wording] behind means by the first measure; None where that is of the means themselves.

        A transform is such a measure: it is of means, not of what they are of.
        """
        if scores.measures[0] not in self.measures:
            return None
        places = [self.needs.index(need) for need in scores.topics]
        columns = [self.systems.index(system) for system in scores.systems]
        return self.values[self.measures.index(scores.measures[0])][np.ix_(places, columns)]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many wordings each need has."""
        return tuple((~np.isnan(self.values)).any(axis=(0, 2)).sum(axis=1).tolist())


@dataclass(frozen=True, repr=False)
class Scores(Brief):
    """values[measure, topic, system, replicate], NaN where undefined, with labels for every axis."""

    values: Floats
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    replicates: tuple[str, ...]
    files: tuple[str, ...] = ()  # the names of those that they were read from
    missing: MissingTopics | None = None  # topics that systems lack, once it is settled what becomes of them
    paths: tuple[str, ...] = ()  # of these files
    about: TopicTable = field(default_factory=TopicTable)  # what else is known of topics
    wordings: Wordings | None = None  # of which these are means, where topics are needs with several
    is_nameless: bool = False  # whether a table does not say its measure, as a wide one, so that others may name it
    replicate_column: str | None = None  # what a table calls its replicates

    @property
    def read_from(self) -> tuple[str, ...]:
        """The paths of all files that were read."""
        return self.paths

    def _facts(self) -> dict[str, str]:
        undefined = int(np.isnan(self.values).sum())
        axes = {"measures": self.measures, "topics": self.topics, "systems": self.systems}
        return {name: some(labels) for name, labels in axes.items()} | {
            "replicates": some(self.replicates),
            "scores": f"{self.values.size:,}, of which {undefined:,} are undefined",
        }

    def filled(self, fill: Fill = "zero") -> Scores:
        """Undefined cells given one value: zero, one, a number, or the lower quartile, median, mean or upper
        quartile of the measure's defined values over all systems (Hazen quantiles).

        >>> scores = Scores(np.array([[[[0.2, np.nan]]]]), (Measure("AP"),), ("q1",), ("a",), ("1", "2"))
        >>> scores.filled("mean").values.tolist()
        [[[[0.2, 0.2]]]]
        """  # one sentence that needs two lines
        undefined = np.isnan(self.values)
        substitutes = np.array([_substitute(values[~np.isnan(values)], fill) for values in self.values])
        return replace(self, values=np.where(undefined, substitutes[:, None, None, None], self.values))

    def dropped(self) -> Scores:
        """Only the topics that have a score in every cell."""
        kept = np.asarray(~np.isnan(self.values).any(axis=(0, 2, 3)))
        if not kept.any():
            raise DesignError("every topic has an undefined score, so that none is left; fill them instead")
        topics = tuple(topic for topic, keep in zip(self.topics, kept.tolist(), strict=True) if keep)
        return replace(self, values=self.values[:, kept], topics=topics)

    def __getitem__(self, measure: str | Measure) -> Scores:
        """The scores of one measure alone."""
        names = [str(own) for own in self.measures]
        place = names.index(known(str(Measure.read(str(measure))), names, "measure"))
        return replace(self, values=self.values[[place]], measures=(self.measures[place],))

    def __iter__(self) -> Iterator[Scores]:
        """The scores of each measure."""
        return (self[measure] for measure in self.measures)

    def __len__(self) -> int:
        """How many measures there are."""
        return len(self.measures)

    def with_topics(self, table: TopicTable) -> Scores:
        """The same, with what else is known of topics."""
        return replace(self, about=self.about.beside(table.refuse_others(self.topics)))

    def frame(self) -> pl.DataFrame:
        """The long table `measure, topic, system, replicate, score`."""
        import polars as pl

        axes = ([str(measure) for measure in self.measures], self.topics, self.systems, self.replicates)
        index = np.indices(self.values.shape).reshape(4, -1)
        labels = [pl.Series(list(axis), dtype=pl.String).gather(i) for axis, i in zip(axes, index, strict=True)]
        return pl.DataFrame(dict(zip(_COLUMNS, [*labels, self.values.ravel()], strict=True)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the long table as .csv, .tsv, .jsonl or .parquet."""
        write_table(path, self.frame().fill_nan(None))  # undefined is empty in every format

    @classmethod
    def load(cls, *paths: str | os.PathLike[str]) -> Scores:
        """Read tables of scores as they are: those that `save` wrote, and those of other tools; see `load_scores`."""
        return cls.of_table(read_tables(paths, is_measure))

    @classmethod
    def from_frame(cls, frame: object, *, path: str | None = None) -> Scores:
        """Scores from a table of polars or pandas, long or wide; see `load_scores`.

        Cells that are not in the table, or empty, are undefined. Any scores will do, and any names of measures.

        >>> import polars as pl
        >>> table = {"measure": "clicks", "topic": ["1", "2"], "system": "a", "score": [12.0, 3.5]}
        >>> Scores.from_frame(pl.DataFrame(table)).values.tolist()
        [[[[12.0]], [[3.5]]]]
        """
        return cls.of_table(together([frame_sheet(frame, path)], is_measure))

    @classmethod
    def of(cls, data: object, names: GivenNames = GivenNames()) -> Scores:  # noqa: B008  # frozen
        """Scores of an object, or of the files that it names, as they are; see `load_scores`."""
        return cls.of_table(table_of(data, is_measure, names))

    @classmethod
    def by(cls, data: object, column: str) -> dict[str, Scores]:
        """The scores of one table, or of a frame, by the values of a column that says whose they are."""
        from irgauge.reading.tables.parted import parted_by

        sheets = parted_by(data, column, is_measure)
        return {value: cls.of_table(together([sheet], is_measure)) for value, sheet in sheets.items()}

    @classmethod
    def of_table(cls, long_table: LongTable) -> Scores:
        """Scores of a long table."""
        table = long_table.named("replicate", _WHOLE)
        table.refuse_empty(KEYS)
        table.refuse_infinite()
        table.refuse_large()
        table = table.renamed("measure", lambda name: str(Measure.read(name)))
        table.refuse_twice(KEYS)
        labels, index = zip(*(table.coded(key) for key in KEYS), strict=True)
        if table.reading.has_systems_across:
            _refuse_columns(labels[KEYS.index("system")], table)
        values = np.full([len(label) for label in labels], np.nan)
        values[index] = table.frame[SCORE].to_numpy()
        measures, topics, systems, replicates = map(tuple, labels)
        axes = (tuple(_read(name, table.lower) for name in measures), topics, systems, replicates)
        is_nameless = table.is_nameless and len(measures) == 1
        scores = cls(values, *axes, files=table.files, paths=table.paths, about=table.about, is_nameless=is_nameless)
        return replace(scores, replicate_column=table.replicate_column)

    def named_by(self, asked: Sequence[Measure]) -> Scores:
        """The same scores; those of a table that does not say its measure are of the one that is asked for.

        >>> load_scores({"a": {"1": 0.5}}).named_by([Measure("AP")]).measures
        (AP,)
        """
        return replace(self, measures=tuple(asked), is_nameless=False) if self.is_nameless and len(asked) == 1 else self

    def under(self, rule: str | None = None) -> Scores:
        """The scores once it is settled what becomes of those that are missing; refused, where no rule is named.

        A score is missing where another system has one, or, by a measure that we do not know, none has: of those that
        we know it is undefined there, as are scores of runs on topics without relevant documents.

        >>> load_scores({"a": {"1": 0.5, "2": 0.5}, "b": {"1": 0.25}}, missing="drop").topics
        ('1',)
        """
        if self.missing is not None:
            return self
        gaps, lacking = self.gaps, self.lacking
        chosen = rule_of(rule, "fail")
        if chosen == "fail":
            _refuse_unequal_replicates(self)
            is_gappy = gaps.any(axis=(1, 2, 3))
            _refuse_missing(
                lacking, [] if is_gappy.all() else [str(self.measures[m]) for m in np.flatnonzero(is_gappy)]
            )
        missing = lacking.under(chosen)
        if missing.rule == "drop":
            dropped = set(missing.topics)
            kept = [t for t, topic in enumerate(self.topics) if topic not in dropped]
            left = replace(self, values=self.values[:, kept], topics=tuple(self.topics[t] for t in kept))
            return replace(left, missing=missing)
        self.refuse_zeros(missing)
        return replace(self, values=np.where(gaps, 0.0, self.values), missing=missing)

    @property
    def gaps(self) -> Bools:
        """Which scores are missing: measure, topic, system, replicate."""
        lacking = np.isnan(self.values)
        is_opaque = np.array([measure.is_opaque for measure in self.measures])[:, None, None, None]
        return np.asarray(lacking & (is_opaque | ~lacking.all(axis=2, keepdims=True)))

    @property
    def lacking(self) -> MissingTopics:
        """The topics on which each system lacks a score."""
        return MissingTopics.among(self.topics, self.systems, np.asarray(self.gaps.any(axis=(0, 3))))

    def refuse_zeros(self, missing_topics: MissingTopics) -> None:
        """Refuse to score missing topics 0 where 0 could be better: less is better, or some scores are negative."""
        for measure, values in zip(self.measures, self.values, strict=True):
            is_lower = measure.direction == LOWER
            if missing_topics.topics_of and (is_lower or np.nanmin(values, initial=0.0) < 0):
                system, topics = next(iter(missing_topics.topics_of.items()))
                why = f"lower scores of {measure} are better" if is_lower else f"{measure} has negative scores"
                raise InputError(
                    f"{system} has no score on topic '{topics[0]}', and {why}, so that 0 is no score to give it; leave "
                    "such topics out for all systems (missing: drop), or add the scores"
                )


def _read(name: str, lower: frozenset[str]) -> Measure:
    """A measure by its name; of one that we do not know, a tool may say that less of it is better."""
    measure = Measure.read(name)
    return measure.directed(LOWER) if name in lower and measure.is_opaque else measure


def _refuse_columns(systems: Sequence[str], table: LongTable) -> None:
    """Refuse columns that were read as systems, and whose names are those of measures: some, or all with systems'."""
    crossing = crossing_of(systems, lambda part: is_usually_lower(part) or is_usually_higher(part))
    told = {measure: is_usually_lower(measure) or is_usually_higher(measure) for measure, _ in crossing.values()}
    if told and all(told.values()):
        named, own = " ".join(f"-m {measure}" for measure in told), next(iter(crossing))
        raise table.error(f"the column '{own}' may be a system, or a measure of one: name the measures ({named})")
    lower = [name for name in systems if is_usually_lower(name)]
    if 0 < len(lower) < len(systems):
        other = next(name for name in systems if name not in lower)
        raise table.error(
            f"the columns can be read in two ways: '{other}' as a system, and '{lower[0]}' as one or as a measure; "
            f"leave it out, or say what it is (--columns slice={lower[0]}); add a column 'measure' if they are systems"
        )


def _refuse_unequal_replicates(scores: Scores) -> None:
    """Refuse systems that have different replicates, of which nothing else is missing; and those without any score."""
    if np.isnan(scores.values).all():
        raise InputError("all scores are empty; say which column holds them, such as --columns score=verdict")
    there = ~np.isnan(scores.values).all(axis=(0, 1))  # system, replicate
    counts = there.sum(axis=1)
    if scores.gaps.any() and not (scores.gaps & there).any() and 0 < counts.min() < counts.max():
        least, most = int(counts.argmin()), int(counts.argmax())
        raise InputError(
            f"{scores.systems[least]} has {counted(int(counts[least]), 'replicate')} (such as epochs, seeds or runs), "
            f"{scores.systems[most]} has {counts[most]}; give all systems the same, or the mean of each over its own"
        )


def _refuse_missing(missing_topics: MissingTopics, measures: Sequence[str]) -> None:
    """Refuse a table that lacks scores of some systems on some topics: by these measures, where not by all."""
    if missing_topics.topics_of:
        lines = [f"  {system}: {counted_topics(topics)}" for system, topics in missing_topics.topics_of.items()]
        advice = (
            "complete the table, or say what becomes of them by the option 'missing' (--missing): zero (they are 0) or "
            "drop (these topics are left out for all systems)"
        )
        if measures:
            advice += f"; only scores by {', '.join(measures)} are missing: the table is complete without that"
        raise InputError("\n".join([f"scores are missing on some of the {missing_topics.of} topics:", *lines, advice]))


# fmt: off
_OF_ANSWERS = frozenset((
    "faithfulness", "groundedness", "response_groundedness", "answer_relevancy", "answer_relevance",
    "response_relevancy", "answer_correctness", "factual_correctness", "answer_similarity", "semantic_similarity",
    "answer_accuracy", "context_precision", "context_recall", "context_entity_recall", "context_relevancy",
    "context_relevance", "context_utilization", "llm_context_precision_with_reference",
    "llm_context_precision_without_reference", "non_llm_context_precision_with_reference",
    "non_llm_context_recall", "exact_match",
))  # what tools that judge answers call their columns
# fmt: on


def is_measure(text: str) -> bool:
    """Whether a text is the name of a measure that we know, or of one that tools for answers write.

    >>> is_measure("nDCG@10"), is_measure("answer_relevancy"), is_measure("bm25")
    (True, True, False)
    """
    return not Measure.read(text).is_opaque or plain(text) in _OF_ANSWERS


def load_scores(
    *sources: object,
    measure: str | None = None,
    systems: Sequence[str] | None = None,
    topics: Sequence[str] | None = None,
    missing: MissingRule | None = None,
) -> Scores:
    """Scores of systems on topics from files or Python objects, where there are no runs.

    Tables are long (columns measure, topic, system, replicate and score, or names such as metric, query_id, qid, name,
    run, model, seed and value), or wide: a row for each topic, a column for each system, or for each measure where
    there is a column `system` or all columns are measures. Files are CSV, TSV, JSON, JSON lines, Parquet, lines of
    `trec_eval -q` or of ir_measures, and folders of PyTerrier's `save_dir`. Of several files each that names no system
    is one. Objects are data frames of polars and pandas, {system: {topic: score}}, {measure: {system: {topic: score}}},
    {system: frame}, {system: [scores]}, and arrays [topic, system] or [topic, system, replicate], whose systems and
    topics can be named. Averages over topics ('all') are left out. A score that is missing is refused, unless `missing`
    says that it is 0 (zero), or that its topic is left out for all systems (drop).

    >>> load_scores({"bm25": {"q1": 0.5, "q2": 0.25}, "dph": {"q1": 0.75, "q2": 0.5}}, measure="faithfulness").measures
    (faithfulness,)
    >>> load_scores(np.array([[0.5, 0.75], [0.25, 0.5]]), systems=["bm25", "dph"]).systems
    ('bm25', 'dph')
    """
    if not sources:
        raise InputError("no scores were given; give the path of a table, a data frame, a mapping or an array")
    source = sources[0] if len(sources) == 1 else sources
    return Scores.of(source, GivenNames(measure, systems, topics)).under(missing)


def known_fill(fill: str, *others: str) -> str:
    """A fill by its name; `others` are what else may be done with undefined cells."""
    names = (*get_args(NamedFill), *others)
    return known(fill, names, "fill", hint=f"a fill is {', '.join(names)} or a number")


def _substitute(defined: Floats, fill: Fill) -> float:
    if not isinstance(fill, str):
        if not np.isfinite(fill):
            raise DesignError(f"the fill {fill} is not a finite number")
        return float(fill)
    name = known_fill(fill)
    if name in ("zero", "one"):
        return float(name == "one")
    if len(defined) == 0:
        raise DesignError(f"no score is defined, so that there is no '{name}' to fill with; use zero or a number")
    return float(defined.mean() if name == "mean" else np.quantile(defined, _QUANTILES[name], method="hazen"))


def score(
    collection: Collection,
    measures: str | Measure | Iterable[str | Measure],
    replicates: Replicates | None = None,
    *,
    workers: int | None = None,
) -> Scores:
    """Score every system on every topic, on the whole corpus or in every replicate of it.

    >>> from irgauge import load
    >>> collection = load({"q1": {"d1": 1, "d2": 0}}, {"mine": {"q1": {"d2": 0.9, "d1": 0.8}}})
    >>> score(collection, ["AP", "RR"]).values.ravel().tolist()
    [0.5, 0.5]
    """
    parsed = parse_measures(measures)
    if not parsed:
        raise InputError("no measure was given; name one, such as AP")
    if replicates is not None and collection.documents == "judged":
        raise DesignError("replicates need all documents; load the collection with documents='all'")
    drawn = whole(collection.document_count) if replicates is None else replicates
    values = Scorer(collection, parsed).score(drawn, workers=workers)
    return Scores(values, parsed, collection.topics, collection.systems, drawn.names)
