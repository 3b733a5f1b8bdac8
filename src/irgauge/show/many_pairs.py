"""Tables of pairs of systems on a page: of very many systems, the pairs of the best."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from irgauge.show.table import Table

_ALL = 500  # systems of which a page holds all pairs
_BEST = 300  # of more, the best: all pairs would make a page that is too large


def of_best(table: Table) -> Table:
    """A table of all pairs, the better system first; of very many systems only the pairs of the best."""
    firsts, seconds = table.column("first"), table.column("second")
    better = Counter(firsts)  # the best system is first in most pairs
    systems = len({*firsts, *seconds})
    if systems <= _ALL:
        return table
    best = {name for name, _ in better.most_common(_BEST)}
    pairs = zip(table.rows, firsts, seconds, strict=True)
    note = f"Here are the pairs of the best {_BEST} of {systems:,} systems; the command that compares them has all."
    rows = (row for row, first, second in pairs if first in best and second in best)
    return replace(table.with_rows(rows), notes=(*table.notes, note))
