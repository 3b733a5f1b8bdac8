"""Scores of algorithms that answer differently each time: one row for each instance on each topic."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError, InputError
from irgauge.files import read_bytes, replacing
from irgauge.reading.collection import Collection, Precision, Progress, load
from irgauge.replicates.labels import Labelling, labelling
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import Fill, score

if TYPE_CHECKING:
    import polars as pl

ONLY = "only"  # the instance of an algorithm whose rows name none
_KEYS = ("algorithm", "instance", "topic")
_COLUMNS = (*_KEYS, "score")

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class InstanceScores:
    """The score of each instance of each algorithm on each topic; a cell that has no row is missing.

    An instance belongs to one algorithm; instances of two algorithms may have one name. Rows are in the order of
    instance, then topic.

    >>> import polars as pl
    >>> table = {"algorithm": ["a", "a", "b", "b"], "topic": ["1", "2"] * 2, "score": [0.5, 0.7, 0.4, 0.9]}
    >>> InstanceScores.from_frame(pl.DataFrame(table)).cells().tolist()
    [[0.5, 0.7], [0.4, 0.9]]
    """

    algorithms: tuple[str, ...]
    instances: tuple[str, ...]  # those of an algorithm stand together
    topics: tuple[str, ...]
    algorithm_of: Ints  # instance: its algorithm
    instance: Ints  # row
    topic: Ints  # row
    scores: Floats  # row
    measure: str | None = None
    filled: int = 0  # rows whose score the measure leaves undefined, so that it was filled in
    notes: tuple[str, ...] = ()  # what a careful reader should know of the runs

    def __post_init__(self) -> None:
        if len(self.topics) < 2:
            raise DesignError(f"{_listed('topic', self.topics)} is too few: at least 2 topics are needed; score more")
        self._refuse_labels_without_scores()
        if len(bad := np.flatnonzero(~np.isfinite(self.scores))):
            what = f"the score {self.scores[bad[0]]} of {self._cell(int(bad[0]))} is not a finite number"
            raise InputError(f"{what}; mend it, or leave it empty where a score is missing")
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
            topics=tuple(self.topics[t] for t in topics),
            algorithm_of=np.repeat(np.arange(len(order)), self.instance_counts[order]),
            instance=instance,
            topic=topic,
            scores=values[:, topics][instance, topic],
        )

    def to_frame(self) -> pl.DataFrame:
        """The long table `algorithm, instance, topic, score`."""
        import polars as pl

        axes = ((self.algorithms, self.algorithm), (self.instances, self.instance), (self.topics, self.topic))
        labels = [pl.Series(list(names), dtype=pl.String).gather(codes) for names, codes in axes]
        return pl.DataFrame(dict(zip(_COLUMNS, [*labels, self.scores], strict=True)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the long table: as CSV where the name ends so, else as Parquet."""
        frame = self.to_frame()
        with replacing(path) as temporary:
            if Path(path).suffix.lower() == ".csv":
                frame.write_csv(temporary)
            else:
                frame.write_parquet(temporary)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, measure: str | None = None) -> InstanceScores:
        """Read a long table from a CSV or Parquet file; see `from_frame`."""
        return cls.from_frame(_read_table(str(path)), measure=measure, path=str(path))

    @classmethod
    def from_frame(cls, frame: object, *, measure: str | None = None, path: str | None = None) -> InstanceScores:
        """Scores from a long table `algorithm, instance, topic, score` of polars or pandas.

        The instance may be left out for an algorithm that has one. A cell is missing if it has no row or its score
        is empty. Other columns are ignored, but for `measure`: where it names several, `measure` chooses one.
        """
        import polars as pl

        table, measure = _one_measure(_polars(frame, path), measure, path)
        table = _named(_typed(table, path), path)
        if (twice := table.filter(pl.struct(_KEYS).is_duplicated())).height:
            cell = ", ".join(f"{key} '{name}'" for key, name in zip(_KEYS, twice.row(0), strict=False))
            raise InputError(f"the cell {cell} stands twice in the table; remove one of the two", path=path)
        names = {key: table[key].unique(maintain_order=True).to_list() for key in _KEYS}
        algorithm, name, topic = (table[key].cast(pl.Enum(names[key])).to_physical().to_numpy() for key in _KEYS)
        labels, instance = np.unique(_pairs(algorithm, name, len(names["instance"])), return_inverse=True)
        scores = table["score"].to_numpy()
        kept = np.lexsort((topic, instance))
        kept = kept[~table["score"].is_null().to_numpy()[kept]]
        try:
            return cls(
                algorithms=tuple(names["algorithm"]),
                instances=tuple(names["instance"][i] for i in labels % len(names["instance"])),
                topics=tuple(names["topic"]),
                algorithm_of=labels // len(names["instance"]),
                instance=instance[kept],
                topic=topic[kept].astype(np.int64),
                scores=scores[kept],
                measure=measure,
            )
        except InputError as error:
            raise InputError(error.message, path=path) from None


def _listed(what: str, names: Sequence[str]) -> str:
    """`1 topic (401)`."""
    return f"{len(names)} {what}{'s' * (len(names) != 1)}" + (f" ({', '.join(names)})" if names else "")


def _pairs(first: NDArray[Any], second: NDArray[Any], width: int) -> Ints:
    """One number for each pair, in the order of the first, then of the second."""
    return first.astype(np.int64) * width + second


# tables


def _read_table(path: str) -> pl.DataFrame:
    """A Parquet file, by its first bytes, or else a CSV file of which all columns are text."""
    import polars as pl

    data = read_bytes(path).tobytes()
    kind = "Parquet" if data.startswith(b"PAR1") else "CSV"
    try:
        if kind == "Parquet":
            return pl.read_parquet(io.BytesIO(data))
        separator = "\t" if b"\t" in data.partition(b"\n")[0] else ","
        return pl.read_csv(io.BytesIO(data), infer_schema=False, separator=separator)
    except pl.exceptions.NoDataError:
        raise InputError("the file is empty; was it written to the end?", path=path) from None
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"this is not a readable {kind} file ({error})", path=path) from None


def _polars(frame: Any, path: str | None) -> pl.DataFrame:  # noqa: ANN401  # whatever data frame a user has
    """A table with all columns that are needed; NaN is how pandas marks what is missing."""
    import polars as pl

    if not hasattr(frame, "columns"):
        raise InputError(f"a {type(frame).__name__} cannot be read; give a polars or pandas data frame", path=path)
    if not isinstance(frame, pl.DataFrame):
        columns = [name for name in (*_COLUMNS, "measure") if name in frame.columns]
        cells = {name: [None if value != value else value for value in frame[name]] for name in columns}
        frame = pl.DataFrame(cells, strict=False)
    if "instance" not in frame.columns:
        frame = frame.with_columns(pl.lit(None, pl.String).alias("instance"))
    missing = [column for column in _COLUMNS if column not in frame.columns]
    if missing or frame.is_empty():
        lacks = f"column '{missing[0]}'" if missing else "rows"
        message = f"the table has no {lacks}; it needs the columns algorithm, topic and score, and may have instance"
        raise InputError(message, path=path)
    return frame


def _one_measure(frame: pl.DataFrame, measure: str | None, path: str | None) -> tuple[pl.DataFrame, str | None]:
    """The rows of one measure, and its name."""
    import polars as pl

    if "measure" not in frame.columns:
        return frame, measure
    present = [str(name) for name in frame["measure"].unique(maintain_order=True)]
    if measure is None and len(present) == 1:
        return frame, present[0]
    if measure not in present:
        given = "choose one" if measure is None else f"'{measure}' is not among them"
        raise InputError(f"the table has the measures {', '.join(present)}; {given}", path=path)
    return frame.filter(pl.col("measure").cast(pl.String) == measure), measure


def _typed(frame: pl.DataFrame, path: str | None) -> pl.DataFrame:
    """Labels as text, empty ones as nothing; scores as numbers, empty ones as nothing."""
    import polars as pl

    def text(name: str) -> pl.Expr:
        column, stored = pl.col(name), frame[name]
        if stored.dtype.is_float() and (stored.drop_nulls() % 1 == 0).all():  # numbers beside empty cells in pandas
            column = column.cast(pl.Int64)
        stripped = column.cast(pl.String).str.strip_chars()
        return pl.when(stripped != "").then(stripped).alias(name)

    score = text("score") if frame["score"].dtype == pl.String else pl.col("score")
    try:
        typed = frame.select(*map(text, _KEYS), score)
        numbers = typed["score"].cast(pl.Float64, strict=False)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"a column has values of a wrong type ({error})", path=path) from None
    bad = typed.filter(numbers.is_null() & typed["score"].is_not_null())
    if bad.height:
        message = f"the score '{bad['score'][0]}' is not a number; mend it, or leave it empty where a score is missing"
        raise InputError(message, path=path)
    return typed.with_columns(numbers)


def _named(table: pl.DataFrame, path: str | None) -> pl.DataFrame:
    """Every row with its labels; an algorithm may name no instance at all, but not in some rows only."""
    import polars as pl

    for name in ("algorithm", "topic"):
        if count := table[name].null_count():
            raise InputError(f"{count} row{'s' * (count > 1)} without {name}; fill it in", path=path)
    is_empty = pl.col("instance").is_null()
    mixed = table.filter(is_empty.any().over("algorithm") & ~is_empty.all().over("algorithm"))
    if mixed.height:
        message = f"algorithm '{mixed['algorithm'][0]}' has rows with an instance and rows without; fill it in"
        raise InputError(message, path=path)
    return table.with_columns(pl.col("instance").fill_null(ONLY))


# runs


def instance_scores(
    qrels: object,
    runs: object,
    measure: str | Measure,
    *,
    manifest: str | os.PathLike[str] | None = None,
    pattern: str | Sequence[str] | None = None,
    fill: Fill = "zero",
    precision: Precision = "double",
    workers: int | None = None,
    progress: Progress | None = None,
) -> InstanceScores:
    """Score runs, each of which is an instance of an algorithm as a manifest or a pattern says.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> first, second = {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}, {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}
    >>> scores = instance_scores(qrels, {"a-1": first, "a-2": second}, "AP", pattern="{algorithm}-{seed}")
    >>> scores.algorithms, scores.instances, scores.scores.tolist()
    (('a',), ('1', '2'), [1.0, 1.0, 1.0, 0.0])
    """
    label = labelling(manifest, pattern)
    collection = load(qrels, runs, precision=precision, documents="judged", workers=workers, progress=progress)
    return score_instances(collection, measure, label, fill=fill, workers=workers)


def score_instances(
    collection: Collection,
    measure: str | Measure,
    label: Labelling,
    *,
    fill: Fill = "zero",
    workers: int | None = None,
) -> InstanceScores:
    """Score the runs of a collection, each an instance of what `label` says."""
    labels = label(collection)
    algorithms = tuple(dict.fromkeys(one.algorithm for one in labels))
    algorithm = np.array([algorithms.index(one.algorithm) for one in labels])  # system
    order = np.argsort(algorithm, kind="stable")  # instance: its system
    scores = score(collection, parse_measures([measure]), workers=workers)
    values = scores.filled(fill).values[0, :, order, 0]  # instance, topic
    instance, topic = np.indices(values.shape).reshape(2, -1)
    return InstanceScores(
        algorithms=algorithms,
        instances=tuple(labels[s].instance or collection.systems[s] for s in order),
        topics=collection.topics,
        algorithm_of=algorithm[order],
        instance=instance,
        topic=topic,
        scores=values.ravel(),
        measure=str(scores.measures[0]),
        filled=int(np.isnan(scores.values).sum()),
        notes=collection.notes,
    )
