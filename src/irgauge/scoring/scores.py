"""Scores: what every measure says of every system on every topic in every replicate."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError, InputError
from irgauge.files import replacing
from irgauge.reading.collection import Collection
from irgauge.scoring.drawn import Replicates, whole
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scorer import Scorer

if TYPE_CHECKING:
    import polars as pl

Fill = Literal["zero", "lq", "med", "mean", "uq", "one"] | float
_QUANTILES = {"lq": 0.25, "med": 0.5, "uq": 0.75}
_KEYS = ("measure", "topic", "system", "replicate")
_COLUMNS = (*_KEYS, "score")


@dataclass(frozen=True)
class Scores:
    """values[measure, topic, system, replicate], NaN where undefined, with labels for every axis."""

    values: NDArray[np.float64]
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    replicates: tuple[str, ...]

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
            raise DesignError("every topic has an undefined score; none is left once these are dropped: fill them")
        topics = tuple(topic for topic, keep in zip(self.topics, kept.tolist(), strict=True) if keep)
        return replace(self, values=self.values[:, kept], topics=topics)

    def to_frame(self) -> pl.DataFrame:
        """The long table `measure, topic, system, replicate, score`."""
        import polars as pl

        axes = ([str(measure) for measure in self.measures], self.topics, self.systems, self.replicates)
        index = np.indices(self.values.shape).reshape(4, -1)
        labels = [pl.Series(list(axis), dtype=pl.String).gather(i) for axis, i in zip(axes, index, strict=True)]
        return pl.DataFrame(dict(zip(_COLUMNS, [*labels, self.values.ravel()], strict=True)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the long table as Parquet."""
        with replacing(path) as temporary:
            self.to_frame().write_parquet(temporary)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scores:
        """Read a long table that `save` or another tool wrote; cells that are not in it are undefined."""
        import polars as pl

        try:
            frame = pl.read_parquet(str(path), glob=False)
        except FileNotFoundError:
            raise InputError("there is no such file; check the path", path=str(path)) from None
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(f"this is not a readable Parquet file ({error})", path=str(path)) from None
        return cls.from_frame(frame, path=str(path))

    @classmethod
    def from_frame(cls, frame: pl.DataFrame, *, path: str | None = None) -> Scores:
        """Scores from a long table; `replicate` may be missing where there is one."""
        import polars as pl

        if "replicate" not in frame.columns:
            frame = frame.with_columns(pl.lit("all").alias("replicate"))
        missing = [column for column in _COLUMNS if column not in frame.columns]
        if missing or frame.is_empty():
            lacks = f"column '{missing[0]}'" if missing else "rows"
            raise InputError(f"the table has no {lacks}; scores have the columns {', '.join(_COLUMNS)}", path=path)
        frame = _typed(frame, path)
        if (twice := frame.filter(pl.struct(_KEYS).is_duplicated())).height:
            raise InputError(f"the cell {' '.join(twice.row(0)[:4])} stands twice in the table", path=path)
        labels = [frame[key].unique(maintain_order=True) for key in _KEYS]
        index = tuple(_index(frame[key], values) for key, values in zip(_KEYS, labels, strict=True))
        values = np.full([len(one) for one in labels], np.nan)
        values[index] = frame["score"].to_numpy()
        measures, topics, systems, replicates = (tuple(one) for one in labels)
        return cls(values, parse_measures(measures), topics, systems, replicates)


def _typed(frame: pl.DataFrame, path: str | None) -> pl.DataFrame:
    """The columns in their types, measures as they print; refuses missing labels and scores that are no numbers."""
    import polars as pl

    try:
        typed = frame.select(pl.col(*_KEYS).cast(pl.String), pl.col("score").cast(pl.Float64))
    except pl.exceptions.PolarsError as error:
        raise InputError(f"a column has values of a wrong type ({error})", path=path) from None
    for name in _KEYS:
        if typed[name].null_count():
            raise InputError(f"{typed[name].null_count()} rows have no {name}; fill it in", path=path)
    names = {name: str(Measure.parse(name)) for name in typed["measure"].unique()}
    return typed.with_columns(pl.col("measure").replace_strict(names))


def _index(column: pl.Series, labels: pl.Series) -> NDArray[np.int64]:
    import polars as pl

    positions = pl.DataFrame({"label": labels, "position": np.arange(len(labels))})
    return (
        column.to_frame("label").join(positions, on="label", how="left", maintain_order="left")["position"].to_numpy()
    )


def _substitute(defined: NDArray[np.float64], fill: Fill) -> float:
    if not isinstance(fill, str):
        if not np.isfinite(fill):
            raise DesignError(f"fill {fill} is not a finite number")
        return float(fill)
    if fill in ("zero", "one"):
        return float(fill == "one")
    if fill not in ("mean", *_QUANTILES):
        raise DesignError(f"fill '{fill}' is unknown; it is zero, lq, med, mean, uq, one or a number")
    if len(defined) == 0:
        raise DesignError(f"no score is defined, so that there is no '{fill}' to fill with; use zero or a number")
    return float(defined.mean() if fill == "mean" else np.quantile(defined, _QUANTILES[fill], method="hazen"))


def score(
    collection: Collection,
    measures: Iterable[str | Measure],
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
