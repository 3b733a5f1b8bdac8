"""Charts and tables of very many topics or systems: as many as a reader can use and a page can hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from irgauge.show.table import Table

T = TypeVar("T")
POINTS = 2_000  # topics of which a chart shows all: more than a screen has columns
ROWS = 10_000  # topics of which a table on a page has all


def spaced(topics: Sequence[T]) -> list[T]:
    """Topics in their order; of very many, some at even distances, the first and the last among them."""
    if len(topics) <= POINTS:
        return list(topics)
    return [topics[i] for i in np.linspace(0, len(topics) - 1, POINTS).round().astype(int).tolist()]


def ends(topics: Sequence[T]) -> list[T]:
    """Topics in their order; of very many, the first and the last."""
    if len(topics) <= ROWS:
        return list(topics)
    return [*topics[: ROWS // 2], *topics[-(ROWS // 2) :]]


def spaced_note(topics: int) -> tuple[str, ...]:
    """What a chart says that shows some of so many topics; nothing where it shows all.

    >>> spaced_note(100_000), spaced_note(50)
    (('Shown: 2,000 of 100,000 topics, at even distances in their order.',), ())
    """
    return () if topics <= POINTS else (f"Shown: {POINTS:,} of {topics:,} topics, at even distances in their order.",)


def ends_note(topics: int) -> tuple[str, ...]:
    """What a table says that has some of so many topics; nothing where it has all.

    >>> ends_note(100_000)
    ('Here are the first and the last 5,000 of 100,000 topics; `-o report.json` has all.',)
    """
    if topics <= ROWS:
        return ()
    return (f"Here are the first and the last {ROWS // 2:,} of {topics:,} topics; `-o report.json` has all.",)


_ALL = 500  # systems of which a page holds all pairs
_BEST = 300  # of more, the best: all pairs would make a page that is too large


def of_best(table: Table) -> Table:
    """A table of all pairs, the better system first; of very many systems only the pairs of the best."""
    firsts, seconds = table.column("system"), table.column("against")
    better = Counter(firsts)  # the best system is first in most pairs
    systems = len({*firsts, *seconds})
    if systems <= _ALL:
        return table
    best = {name for name, _ in better.most_common(_BEST)}
    pairs = zip(table.rows, firsts, seconds, strict=True)
    note = f"Here are the pairs of the best {_BEST} of {systems:,} systems; the command that compares them has all."
    rows = (row for row, first, second in pairs if first in best and second in best)
    return replace(table.with_rows(rows), notes=(*table.notes, note))
