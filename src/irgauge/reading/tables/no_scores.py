"""What stands in tables beside scores of systems: rows of averages, columns of differences, and counts of topics."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from irgauge.reading.tables.named_columns import named_measures
from irgauge.reading.tables.sheet import KEYS, ROW, SCORE, Sheet, plain

if TYPE_CHECKING:
    import polars as pl

    from irgauge.compute.arrays import Floats

_TOTALS = ("average", "averages", "avg", "mean", "total", "totals", "sum", "overall", "grand total")
_DIFFERENCES = frozenset({"delta", "diff", "difference", "change", "gain", "lift", "improvement", "δ"})
_FEWEST = 5  # topics; on fewer, numbers agree by chance
_ROUNDED = 0.01  # of a mean, or of the largest score: what rounding may change


def without_totals(frame: pl.DataFrame) -> pl.DataFrame:
    """Scores without rows below a table that are named after averages or sums, and hold these; queries may be so named.

    >>> import polars as pl
    >>> topics = ["1", "2", "3", "4", "5", "Total"]
    >>> labels = {"measure": "AP", "topic": topics, "system": "a", "replicate": "1"}
    >>> [len(without_totals(pl.DataFrame({**labels, "score": [1.0, 2, 3, 4, 5, last]}))) for last in (15.0, 4)]
    [5, 6]
    """
    import polars as pl

    names = [name for name in frame["topic"].drop_nulls().unique() if name.strip().lower() in _TOTALS]
    if not names:
        return frame
    others = frame.filter(~pl.col("topic").is_in(names) | pl.col("topic").is_null())
    keys = [key for key in KEYS if key != "topic"]
    means = others.group_by(keys).agg(pl.mean(SCORE).alias("mean"), pl.len().alias("of"))
    beside = frame.filter(pl.col("topic").is_in(names)).join(means, on=keys, nulls_equal=True)
    size = _ROUNDED * pl.col("mean").abs()
    is_mean = (pl.col(SCORE) - pl.col("mean")).abs() <= size
    is_sum = (pl.col(SCORE) - pl.col("mean") * pl.col("of")).abs() <= size
    are_totals = beside.select((is_mean | is_sum) & (pl.col("of") >= _FEWEST)).to_series()
    return others if len(beside) and are_totals.all() else frame


def no_scores(sheet: Sheet, labels: Mapping[str, str], scores: Sequence[str], known: Sequence[str]) -> list[str]:
    """Columns that are differences of systems or counts of topics, and no measures that are known or named."""
    from irgauge.reading.tables.longtable import numbers

    cells = {name: numbers(sheet, name).to_numpy() for name in scores}
    if "system" not in labels:
        return [] if known else [*differences_among(cells), *counts_beside(cells)]
    if sheet.frame[labels["system"]].n_unique() < 2:
        return []
    measures = (*known, *named_measures(scores))
    return [name for name in _counts_among(sheet, labels["topic"], cells) if name not in measures]


def differences_among(cells: dict[str, Floats]) -> list[str]:
    """Columns that are named after differences, and are that of two others.

    >>> new, old = np.array([0.5, 0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.5, 0.2, 0.4, 0.3])
    >>> differences_among({"new": new, "old": old, "Delta": new - old}), differences_among({"new": new, "delta": old})
    (['Delta'], [])
    """
    named = [name for name in cells if not _DIFFERENCES.isdisjoint(re.findall(r"[^\W\d_]+", plain(name)))]
    others = [own for name, own in cells.items() if name not in named]
    return [name for name in named if any(_is_difference(cells[name], *pair) for pair in permutations(others, 2))]


def _is_difference(cells: Floats, first: Floats, second: Floats) -> bool:
    there = ~np.isnan(cells) & ~np.isnan(first - second)
    if there.sum() < _FEWEST:
        return False
    there &= second != 0  # beside which there is no share
    differences, shares = (first - second)[there], ((first - second)[there] / second[there])
    forms = ((1.0, differences, first[there]), (1.0, shares, shares), (100.0, shares, shares))
    return any(
        np.allclose(cells[there] / scale, values, rtol=0, atol=_ROUNDED * np.abs(of).max(initial=0.0) / 2)
        for scale, values, of in forms
    )


def counts_beside(cells: Mapping[str, Floats]) -> list[str]:
    """Columns of counts, such as of relevant documents, beside columns of shares, which are the scores of systems.

    >>> a, b = np.array([0.5, 0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.5, 0.2, 0.4, 1.0])
    >>> counts_beside({"a": a, "b": b, "relevant": 10 * a}), counts_beside({"a": 10 * a, "b": 10 * b, "c": 20 * b})
    (['relevant'], [])
    """
    counts = [name for name, own in cells.items() if _are_counts(own)]
    others = np.array([own for name, own in cells.items() if name not in counts])
    is_share = (others >= 0) & (others <= 1) | np.isnan(others)
    return counts if len(others) > 1 and others.shape[1] >= _FEWEST and is_share.all() else []


def _counts_among(sheet: Sheet, topic: str, cells: dict[str, Floats]) -> list[str]:
    """Columns of counts that are the same for all systems on every topic, as other columns are not."""
    import polars as pl

    topics = sheet.frame[topic].alias(ROW)  # a name that no column of scores has
    columns = [pl.Series(name, own, nan_to_null=True) for name, own in cells.items()]
    values = pl.DataFrame([topics, *columns]).group_by(ROW).agg(pl.all().drop_nulls().n_unique()).drop(ROW)
    same = [name for name in values.columns if max(values[name].to_list()) <= 1]
    is_enough = len(values) >= _FEWEST and len(same) < len(cells)
    return [name for name in same if _are_counts(cells[name])] if is_enough else []


def _are_counts(cells: Floats) -> bool:
    there = cells[~np.isnan(cells)]
    return bool(len(there) and (there % 1 == 0).all() and there.min() >= 0 and there.max() > 1)
