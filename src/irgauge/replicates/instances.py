"""Scores of algorithms that answer differently each time: one row for each instance on each topic."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from irgauge.brief import Brief, some
from irgauge.compute.arrays import Floats, Indices, Ints
from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection
from irgauge.reading.tables.longtable import LongTable
from irgauge.reading.tables.read import frame_sheet, read_tables, table_of, together
from irgauge.reading.tables.sheet import SCORE
from irgauge.reading.tables.text import write_table
from irgauge.reading.topic_table import TopicTable
from irgauge.replicates.labels import Label, Labelling
from irgauge.scoring.direction import HIGHER, Direction
from irgauge.scoring.measures import Measure, Range, parse_measures, range_of
from irgauge.scoring.scores import Fill, Scores, is_measure, score

if TYPE_CHECKING:
    import polars as pl

ONLY = "only"  # the instance of an algorithm whose rows name none
_SAID = {"system": "algorithm", "replicate": "instance"}  # what they are called here
_KEYS = ("system", "replicate", "topic")
_COLUMNS = ("algorithm", "instance", "topic", SCORE)


@dataclass(frozen=True, repr=False)
class InstanceScores(Brief):
    """The score of each instance of each algorithm on each topic; a cell that has no row is missing.

    An instance belongs to one algorithm; instances of two algorithms may have one name. Rows are in the order of
    instance, then topic.

    >>> import polars as pl
    >>> table = {"algorithm": ["a", "a", "b", "b"], "topic": ["1", "2"] * 2, "score": [0.5, 0.7, 0.4, 0.9]}
    >>> InstanceScores.from_frame(pl.DataFrame(table)).cells().tolist()
    [[0.5, 0.7], [0.4, 0.9]]
    """

    algorithms: tuple[str, ...]
    instances: tuple[str, ...]  # those of an algorithm are together
    topics: tuple[str, ...]
    algorithm_of: Ints  # instance: its algorithm
    instance: Ints  # row
    topic: Ints  # row
    scores: Floats  # row
    measure: str | None = None
    filled: int = 0  # rows whose score the measure leaves undefined, so that it was filled in
    notes: tuple[str, ...] = ()  # what a careful reader should know of the runs
    files: tuple[str, ...] = ()  # of a table that they were read from
    direction: Direction = HIGHER  # which scores are better
    groups: tuple[str | None, ...] = ()  # instance: its group, where some have one
    members: InstanceScores | None = None  # the instances whose means over groups these are
    about: TopicTable = field(default_factory=TopicTable)  # what else is known of topics

    def _facts(self) -> dict[str, str]:
        counts = zip(self.algorithms, self.instance_counts, strict=True)
        return {
            "measure": self.measure or "not named",
            "algorithms": some([f"{name}: {count}" for name, count in counts]),
            "instances": f"{len(self.instances):,}",
            "topics": some(self.topics),
            "scores": f"{len(self.scores):,}, and {self.missing:,} missing",
        }

    def __post_init__(self) -> None:
        if len(self.topics) < 2:
            raise DesignError(f"{_listed('topic', self.topics)} is too few: at least 2 topics are needed; score more")
        self._refuse_labels_without_scores()
        if len(bad := np.flatnonzero(~np.isfinite(self.scores))):
            what = f"the score {self.scores[bad[0]]} of {self._cell(int(bad[0]))} is not a finite number"
            raise InputError(f"{what}; fix it, or leave it empty if missing")
        if (self.scores == self.scores[0]).all():
            raise DesignError(f"all {len(self.scores)} scores are {self.scores[0]}: nothing differs; check the scores")

    def _refuse_labels_without_scores(self) -> None:
        for what, labels, codes in (
            ("algorithm", self.algorithms, self.algorithm),
            ("instance", self.instances, self.instance),
            ("topic", self.topics, self.topic),
        ):
            empty = np.flatnonzero(np.bincount(codes, minlength=len(labels)) == 0)
            if len(empty):
                of = f" of algorithm '{self.algorithms[self.algorithm_of[empty[0]]]}'" if what == "instance" else ""
                raise DesignError(f"{what} '{labels[empty[0]]}'{of} has no score; add its scores or remove its rows")

    def _cell(self, row: int) -> str:
        instance = self.instances[self.instance[row]]
        algorithm, topic = self.algorithms[self.algorithm[row]], self.topics[self.topic[row]]
        return f"algorithm '{algorithm}', instance '{instance}', topic '{topic}'"

    @property
    def algorithm(self) -> Ints:
        """The algorithm of each row."""
        return self.algorithm_of[self.instance]

    @property
    def instance_counts(self) -> Ints:
        """How many instances each algorithm has."""
        return np.bincount(self.algorithm_of, minlength=len(self.algorithms))

    @property
    def deterministic(self) -> tuple[str, ...]:
        """The algorithms that have one instance."""
        return tuple(name for name, count in zip(self.algorithms, self.instance_counts, strict=True) if count == 1)

    @property
    def unchanging(self) -> tuple[str, ...]:
        """The algorithms with several instances that never differ on a topic: did the seed take effect?"""
        parts = [self.cells()[self.algorithm_of == number] for number in range(len(self.algorithms))]
        same = [len(part) > 1 and not (np.fmax.reduce(part) > np.fmin.reduce(part)).any() for part in parts]
        return tuple(name for name, is_same in zip(self.algorithms, same, strict=True) if is_same)

    @property
    def range(self) -> Range | None:
        """Between which scores the measure lies, where that is known."""
        return None if self.measure is None else range_of(Measure.read(self.measure), self.scores)

    @property
    def missing(self) -> int:
        """How many cells (instance, topic) have no score."""
        return len(self.instances) * len(self.topics) - len(self.scores)

    def cells(self) -> Floats:
        """values[instance, topic], NaN where a score is missing."""
        values = np.full((len(self.instances), len(self.topics)), np.nan)
        values[self.instance, self.topic] = self.scores
        return values

    def only(self, algorithms: Sequence[str]) -> InstanceScores:
        """The scores of some algorithms, in the order given; topics that none of them has a score on are left out."""
        unknown = [name for name in algorithms if name not in self.algorithms]
        if unknown or len(set(algorithms)) != len(algorithms) or not algorithms:
            known = ", ".join(self.algorithms)
            raise DesignError(f"algorithms {', '.join(algorithms) or '(none)'} were asked for; there are {known}")
        order = [self.algorithms.index(name) for name in algorithms]
        instances = np.concatenate([np.flatnonzero(self.algorithm_of == number) for number in order])
        values = self.cells()[instances]
        topics = np.flatnonzero(np.isfinite(values).any(axis=0))
        instance, topic = np.nonzero(np.isfinite(values[:, topics]))
        return replace(
            self,
            algorithms=tuple(algorithms),
            instances=tuple(self.instances[i] for i in instances),
            groups=tuple(self.groups[i] for i in instances) if self.groups else (),
            topics=tuple(self.topics[t] for t in topics),
            algorithm_of=np.repeat(np.arange(len(order)), self.instance_counts[order]),
            instance=instance,
            topic=topic,
            scores=values[:, topics][instance, topic],
        )

    def on(self, topics: Indices) -> InstanceScores:
        """The scores on some topics, by their places."""
        values = self.cells()[:, topics]
        instance, topic = np.nonzero(np.isfinite(values))
        names = tuple(self.topics[t] for t in topics)
        return replace(self, topics=names, instance=instance, topic=topic, scores=values[instance, topic])

    def with_topics(self, table: TopicTable) -> InstanceScores:
        """The same, with what else is known of topics."""
        return replace(self, about=self.about.beside(table.refuse_others(self.topics)))

    def by_name(self) -> InstanceScores:
        """The same scores with algorithms, their instances and topics in the order of their names."""
        algorithms = np.argsort(np.argsort(np.array(self.algorithms)))  # algorithm: its new number
        instances = np.lexsort((np.array(self.instances), algorithms[self.algorithm_of]))
        topics = np.argsort(np.array(self.topics))
        values = self.cells()[instances][:, topics]
        instance, topic = np.nonzero(np.isfinite(values))
        return replace(
            self,
            algorithms=tuple(sorted(self.algorithms)),
            instances=tuple(self.instances[i] for i in instances),
            groups=tuple(self.groups[i] for i in instances) if self.groups else (),
            topics=tuple(self.topics[t] for t in topics),
            algorithm_of=algorithms[self.algorithm_of][instances],
            instance=instance,
            topic=topic,
            scores=values[instance, topic],
        )

    def by_group(self) -> InstanceScores:
        """The means over the instances of each group, which stand for them: what they share is of the group.

        Without groups, or with one of each algorithm, the instances are as they are.
        """
        if not self._has_several_groups():
            return self
        names = [group or name for group, name in zip(self.groups, self.instances, strict=True)]
        keys = list(zip(self.algorithm_of.tolist(), names, strict=True))  # instance: its algorithm and group
        groups = list(dict.fromkeys(keys))
        cells, group_of = self.cells(), np.array([groups.index(key) for key in keys])
        means = np.array([cells[group_of == number].mean(axis=0) for number in range(len(groups))])
        instance, topic = np.nonzero(np.isfinite(means))
        return replace(
            self,
            instances=tuple(name for _, name in groups),
            algorithm_of=np.array([algorithm for algorithm, _ in groups]),
            instance=instance,
            topic=topic,
            scores=means[instance, topic],
            groups=(),
            members=self,
        )

    def _has_several_groups(self) -> bool:
        """Whether algorithms with several instances have several groups; refuses what has them in part."""
        if not any(self.groups):
            return False
        numbers = {}  # algorithm: of groups
        for number, name in enumerate(self.algorithms):
            groups = [self.groups[instance] for instance in np.flatnonzero(self.algorithm_of == number).tolist()]
            if len(groups) > 1:
                _refuse_in_part(name, groups)
                numbers[name] = len(set(groups)) if any(groups) else len(groups)
        fewest = min(numbers, key=numbers.__getitem__, default="")
        if numbers and numbers[fewest] == 1 < max(numbers.values()):
            message = f"all runs of algorithm '{fewest}' are of one group, and others have several"
            raise DesignError(f"{message}; one group shows nothing of others: add groups, or leave them out")
        return bool(numbers) and numbers[fewest] > 1

    def frame(self) -> pl.DataFrame:
        """The long table `algorithm, instance, topic, score`."""
        import polars as pl

        axes = ((self.algorithms, self.algorithm), (self.instances, self.instance), (self.topics, self.topic))
        labels = [pl.Series(list(names), dtype=pl.String).gather(codes) for names, codes in axes]
        return pl.DataFrame(dict(zip(_COLUMNS, [*labels, self.scores], strict=True)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the long table as .csv, .tsv, .jsonl or .parquet."""
        write_table(path, self.frame())

    @classmethod
    def load(cls, *paths: str | os.PathLike[str], measure: str | None = None) -> InstanceScores:
        """Read tables of scores; see `of`."""
        return cls._of(read_tables(paths, is_measure), measure)

    @classmethod
    def from_frame(cls, frame: object, *, measure: str | None = None, path: str | None = None) -> InstanceScores:
        """Scores from a table `algorithm, instance, topic, score` of polars or pandas; see `of`."""
        return cls._of(together([frame_sheet(frame, path)], is_measure), measure)

    @classmethod
    def of(cls, data: object, *, measure: str | None = None) -> InstanceScores:
        """Scores of whatever `irgauge.load_scores` reads: a system is an algorithm, and a replicate an instance of it.

        The instance may be left out for an algorithm that has one. A cell is missing if it has no row or its score
        is empty. Other columns are ignored, but for `measure`: where it names several, `measure` chooses one.
        """
        if isinstance(data, Scores):
            import polars as pl

            scores = cls.from_frame(data.frame().filter(pl.col(SCORE).is_not_nan()), measure=measure)
            return replace(scores, files=data.files, about=data.about)
        return cls._of(table_of(data, is_measure), measure)

    @classmethod
    def _of(cls, long_table: LongTable, measure: str | None) -> InstanceScores:
        table, measure = _one_measure(long_table, measure)
        table = _named(table)
        table.refuse_twice(_KEYS, _SAID)
        table.refuse_large()
        (algorithms, algorithm), (names, name), (topics, topic) = map(table.coded, _KEYS)
        labels, instance = np.unique(algorithm * len(names) + name, return_inverse=True)
        kept = np.lexsort((topic, instance))
        kept = kept[~table.frame[SCORE].is_null().to_numpy()[kept]]
        try:
            return cls(
                algorithms=tuple(algorithms),
                instances=tuple(names[i] for i in labels % len(names)),
                topics=tuple(topics),
                algorithm_of=labels // len(names),
                instance=instance[kept],
                topic=topic[kept],
                scores=table.frame[SCORE].to_numpy()[kept],
                measure=measure,
                files=table.files,
                about=table.about,
            )
        except InputError as error:
            raise table.error(error.message) from None


def _refuse_in_part(algorithm: str, groups: Sequence[str | None]) -> None:
    if any(groups) and not all(groups):
        message = f"algorithm '{algorithm}' has instances with a group and instances without"
        raise DesignError(f"{message}; name the group of each, or of none")


def _listed(what: str, names: Sequence[str]) -> str:
    """`1 topic (401)`."""
    return f"{len(names)} {what}{'s' * (len(names) != 1)}" + (f" ({', '.join(names)})" if names else "")


# tables


def _one_measure(table: LongTable, measure: str | None) -> tuple[LongTable, str | None]:
    """The rows of one measure, and its name."""
    present = [str(name) for name in table.frame["measure"].unique(maintain_order=True)]
    if present == [SCORE]:  # the table names none
        return table, measure
    if measure is None and len(present) == 1:
        return table, present[0]
    asked = None if measure is None else Measure.asked(measure)
    same = [name for name in present if Measure.read(name) == asked]
    if not same:
        advice = "choose one" if measure is None else f"'{measure}' is none of them"
        raise table.error(f"the table has the measures {', '.join(present)}; {advice}")
    return table.only("measure", same[0]), same[0]


def _named(table: LongTable) -> LongTable:
    """Every row with its labels; an algorithm may name no instance at all, but not in some rows only."""
    import polars as pl

    table.refuse_empty(("system", "topic"), _SAID)
    is_empty = pl.col("replicate").is_null()
    mixed = table.frame.select(is_empty & ~is_empty.all().over("system")).to_series()
    if mixed.any():
        row = int(mixed.arg_max() or 0)
        name = table.frame["system"][row]
        raise table.error(f"algorithm '{name}' has rows with an instance and rows without; fill it in", row)
    return replace(table, frame=table.frame.with_columns(pl.col("replicate").fill_null(ONLY)))


# runs


def score_instances(
    collection: Collection,
    measure: str | Measure,
    label: Labelling,
    *,
    fill: Fill = "zero",
    workers: int | None = None,
) -> InstanceScores:
    """Score the runs of a collection, each an instance of what `label` says.

    >>> from irgauge.reading.collection import load
    >>> from irgauge.replicates.labels import labelling
    >>> first, second = {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}, {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}
    >>> runs = load({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"a-1": first, "a-2": second})
    >>> scores = score_instances(runs, "AP", labelling(pattern="{algorithm}-{seed}"))
    >>> scores.algorithms, scores.instances, scores.scores.tolist()
    (('a',), ('1', '2'), [1.0, 1.0, 1.0, 0.0])
    """
    labels = label(collection)
    scores = score(collection, parse_measures([measure]), workers=workers)
    undefined = int(np.isnan(scores.values).sum())
    return labelled(scores.filled(fill), labels, filled=undefined, notes=tuple(map(str, collection.notes)))


def labelled(
    scores: Scores, labels: Sequence[Label], *, filled: int = 0, notes: tuple[str, ...] = ()
) -> InstanceScores:
    """The scores of systems on the whole corpus, without gaps, by one measure; the labels are those of the systems."""
    algorithms = tuple(dict.fromkeys(label.algorithm for label in labels))
    algorithm = np.array([algorithms.index(label.algorithm) for label in labels])  # system
    order = np.argsort(algorithm, kind="stable")  # instance: its system
    values = scores.values[0, :, order, 0]  # instance, topic
    instance, topic = np.indices(values.shape).reshape(2, -1)
    return InstanceScores(
        algorithms=algorithms,
        instances=tuple(labels[s].instance or scores.systems[s] for s in order),
        groups=tuple(labels[s].group for s in order),
        topics=scores.topics,
        algorithm_of=algorithm[order],
        instance=instance,
        topic=topic,
        scores=values.ravel(),
        measure=str(scores.measures[0]),
        filled=filled,
        notes=notes,
        direction=scores.measures[0].claimed_direction,
        about=scores.about,
    )
