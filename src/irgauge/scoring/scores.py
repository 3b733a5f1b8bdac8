"""Scores: what every measure says of every system on every topic in every replicate."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from irgauge.arrays import Floats
from irgauge.brief import Brief, some
from irgauge.choices import known
from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection
from irgauge.reading.longtable import SCORE, LongTable, write_table
from irgauge.scoring.drawn import Replicates, whole
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scorer import Scorer

if TYPE_CHECKING:
    import polars as pl

NamedFill = Literal["zero", "lq", "med", "mean", "uq", "one"]
Fill = NamedFill | float
_QUANTILES = {"lq": 0.25, "med": 0.5, "uq": 0.75}
_KEYS = ("measure", "topic", "system", "replicate")
_COLUMNS = (*_KEYS, SCORE)


@dataclass(frozen=True, repr=False)
class Scores(Brief):
    """values[measure, topic, system, replicate], NaN where undefined, with labels for every axis."""

    values: Floats
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    replicates: tuple[str, ...]

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

    def frame(self) -> pl.DataFrame:
        """The long table `measure, topic, system, replicate, score`."""
        import polars as pl

        axes = ([str(measure) for measure in self.measures], self.topics, self.systems, self.replicates)
        index = np.indices(self.values.shape).reshape(4, -1)
        labels = [pl.Series(list(axis), dtype=pl.String).gather(i) for axis, i in zip(axes, index, strict=True)]
        return pl.DataFrame(dict(zip(_COLUMNS, [*labels, self.values.ravel()], strict=True)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the long table as .csv, .tsv or .parquet."""
        write_table(path, self.frame())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scores:
        """Read a long table that `save` or another tool wrote, as CSV, TSV or Parquet; see `from_frame`."""
        return cls._of(LongTable.read(path))

    @classmethod
    def from_frame(cls, frame: object, *, path: str | None = None) -> Scores:
        """Scores from a long table of polars or pandas; `replicate` may be missing where there is one.

        Cells that are not in the table, or empty, are undefined. Any scores will do, and any names of measures.

        >>> import polars as pl
        >>> table = {"measure": "clicks", "topic": ["1", "2"], "system": "a", "score": [12.0, 3.5]}
        >>> Scores.from_frame(pl.DataFrame(table)).values.tolist()
        [[[[12.0]], [[3.5]]]]
        """
        return cls._of(LongTable.of(frame, _COLUMNS, path))

    @classmethod
    def _of(cls, given: LongTable) -> Scores:
        table = given.having("replicate", "all").typed(_KEYS, f"scores have the columns {', '.join(_COLUMNS)}")
        table.refuse_empty(_KEYS)
        table.refuse_infinite()
        table = table.renamed("measure", lambda name: str(Measure.read(name)))
        table.refuse_twice(_KEYS)
        labels, index = zip(*(table.coded(key) for key in _KEYS), strict=True)
        values = np.full([len(one) for one in labels], np.nan)
        values[index] = table.frame[SCORE].to_numpy()
        measures, topics, systems, replicates = map(tuple, labels)
        return cls(values, tuple(map(Measure.read, measures)), topics, systems, replicates)


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
