"""What stands in tables beside scores of systems: rows of averages, columns of differences, and counts of topics."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from irgauge.reading.tables.across import crossing_of
from irgauge.reading.tables.named_columns import named_measures
from irgauge.reading.tables.sheet import KEYS, ROW, SCORE, Origin, Sheet, plain
from irgauge.reading.topic_table import TopicTable

if TYPE_CHECKING:
    import polars as pl

    from irgauge.compute.arrays import Floats
    from irgauge.reading.tables.longtable import LongTable

_TOTALS = (
    *("average", "averages", "avg", "mean", "total", "totals", "sum", "overall", "grand total"),
    *("gesamt", "summe", "mittelwert", "durchschnitt", "moyenne", "somme", "media", "promedio", "gemiddelde", "totaal"),
)
_DIFFERENCES = frozenset(("delta", "diff", "difference", "change", "gain", "lift", "uplift", "improvement", "δ"))
_STATISTICS = frozenset(("p_value", "pvalue", "p_val", "significance", "significant", "z_score", "t_stat"))
_FEWEST = 5  # topics; on fewer, numbers agree by chance
_ROUNDED = 0.01  # of a mean, or of the largest score: what rounding may change


def without_totals(frame: pl.DataFrame, origin: Origin) -> pl.DataFrame:
    """Scores without rows below a table that are named after averages or sums, and hold these.

    A query may be so named; where it is the last, and holds neither, it may also be an average with weights: refused.

    >>> import polars as pl
    >>> topics = ["1", "2", "3", "4", "5", "Total"]
    >>> labels = {"measure": "AP", "topic": topics, "system": "a", "replicate": "1", ROW: range(6)}
    >>> len(without_totals(pl.DataFrame({**labels, "score": [1.0, 2, 3, 4, 5, 15]}), Origin()))
    5
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
    if len(beside) and are_totals.all():
        return others
    last = frame["topic"].unique(maintain_order=True).to_list()[-len(names) :]
    if len(others) and set(last) == set(names) and others["topic"].n_unique() >= _FEWEST:
        row = frame.filter(pl.col("topic") == last[0])[ROW][0]
        what = f"the last row '{last[0]}' may hold totals, which are no topic (its scores are neither means nor sums)"
        raise origin.error(f"{what}; remove it, or give the topic another name", row)
    return frame


def no_scores(
    sheet: Sheet, labels: Mapping[str, str], scores: Sequence[str], is_measure: Callable[[str], bool]
) -> list[str]:
    """Columns among systems that are differences, statistics, or counts of topics; no measures, known or named."""
    from irgauge.reading.tables.longtable import numbers

    cells = {name: numbers(sheet, name).to_numpy() for name in scores}
    known = {*filter(is_measure, scores), *named_measures(scores)}
    return _beside_systems(cells, known, is_measure) if labels.keys().isdisjoint(("system", "measure")) else []


def _beside_systems(cells: dict[str, Floats], known: set[str], is_measure: Callable[[str], bool]) -> list[str]:
    """Those of a table whose columns are systems, or measures of systems; a column may be either of two elsewhere."""
    differences = [name for name in differences_among(cells) if name not in known]
    rest = {name: own for name, own in cells.items() if name not in differences}
    crossing = crossing_of(list(rest), is_measure)
    others = {name: own for name, own in rest.items() if name not in crossing}
    if not known.isdisjoint(others):
        return []
    statistics = [name for name in others if plain(name) in _STATISTICS and len(rest) > 2]
    others = {name: own for name, own in others.items() if name not in statistics}
    counts = [name for name, own in others.items() if _are_counts(own)] if crossing else counts_beside(others)
    return [*differences, *statistics, *counts]


def differences_among(cells: dict[str, Floats]) -> list[str]:
    """Columns that are named after differences, and are that of two others, in their unit or relative to one.

    >>> new, old = np.array([0.5, 0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.5, 0.2, 0.4, 0.3])
    >>> differences_among({"new": new, "old": old, "Delta": new - old}), differences_among({"new": new, "delta": old})
    (['Delta'], [])
    >>> differences_among({"new": new, "old": old, "change_%": (new - old) / old * 100})
    ['change_%']
    """
    named = [name for name in cells if not _DIFFERENCES.isdisjoint(re.split(r"[^a-zδ]+", name.lower()))]
    others = [own for name, own in cells.items() if name not in named]
    return [name for name in named if any(_is_difference(cells[name], *pair) for pair in permutations(others, 2))]


def _is_difference(cells: Floats, first: Floats, second: Floats) -> bool:
    there = ~np.isnan(cells) & ~np.isnan(first - second)
    difference, of = (first - second)[there], second[there]
    if there.sum() < _FEWEST:
        return False
    relative = difference[of != 0] / of[of != 0]
    return _are(difference, cells[there], np.abs(first[there]).max(initial=0.0)) or any(
        len(relative) >= _FEWEST and _are(unit * relative, cells[there][of != 0], unit * np.abs(relative).max())
        for unit in (1, 100)
    )


def _are(expected: Floats, cells: Floats, largest: float) -> bool:
    return bool(np.allclose(cells, expected, rtol=0, atol=_ROUNDED * largest / 2))


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


def without_counts(table: LongTable, is_measure: Callable[[str], bool]) -> LongTable:
    """A table without columns of counts that are the same for all systems on every topic, as others are not."""
    import polars as pl

    frame = table.frame
    if not table.reading.has_measures_across or frame["system"].n_unique() < 2 or frame["topic"].n_unique() < _FEWEST:
        return table
    values = frame.group_by("measure", "topic", maintain_order=True).agg(pl.col(SCORE).drop_nulls().n_unique())
    most = dict(values.group_by("measure", maintain_order=True).agg(pl.col(SCORE).max()).iter_rows())
    same = [name for name, count in most.items() if count <= 1]
    named = named_measures(same)
    cells = {name: frame.filter(pl.col("measure") == name) for name in same if name not in named}
    counts = [name for name, own in cells.items() if not is_measure(name) and _are_counts(own[SCORE].to_numpy())]
    if not counts or len(same) == len(most):
        return table
    own = [cells[name].select("topic", pl.col(SCORE).cast(pl.Int64)).drop_nulls() for name in counts]
    about = TopicTable({name: dict(rows.cast(pl.String).iter_rows()) for name, rows in zip(counts, own, strict=True)})
    left = frame.filter(~pl.col("measure").is_in(counts))
    return replace(table, frame=left, about=table.about.beside(about))


def _are_counts(cells: Floats) -> bool:
    there = cells[~np.isnan(cells)]
    if not len(there) or np.isinf(there).any():
        return False
    return bool((there % 1 == 0).all() and there.min() >= 0 and there.max() > 1)
