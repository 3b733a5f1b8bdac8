"""The shares of kinds of topics, such as of a day's queries: a table of two columns, or what Python gives."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from irgauge.errors import DesignError

GivenShares = str | os.PathLike[str] | Mapping[str, Mapping[str, float]] | object  # a file, a mapping, a data frame


class ShareTable(NamedTuple):
    """How much each kind of topics counts."""

    column: str  # of topics, which holds their kinds
    shares: Mapping[str, float]


def share_table(given: GivenShares) -> ShareTable:
    """A table of shares: CSV, TSV, JSON lines or Parquet, or a data frame, with a row for each kind.

    Its first column is called as that of the topics, and holds kinds; its second holds shares, or counts.

    >>> share_table({"type": {"long": 0.2, "short": 0.8}}).column
    'type'
    """
    if not isinstance(given, Mapping):
        return _of_sheet(given)
    if len(given) != 1 or not all(isinstance(shares, Mapping) for shares in given.values()):
        raise DesignError('shares are of one column of topics, such as {"type": {"long": 0.2, "short": 0.8}}')
    ((column, shares),) = given.items()
    return ShareTable(column, {str(kind): float(share) for kind, share in shares.items()})


def _of_sheet(given: GivenShares) -> ShareTable:
    from irgauge.reading.tables.longtable import labels_of
    from irgauge.reading.tables.read import frame_sheet, read_sheet

    sheet = read_sheet(str(given), lambda _: False) if isinstance(given, str | os.PathLike) else frame_sheet(given)
    if len(sheet.names) != 2:
        raise sheet.origin.error(
            f"a table of shares has two columns, a column of topics and the share of each of its kinds; this one has "
            f"{', '.join(sheet.names[:8])}"
        )
    column, numbers = sheet.names
    shares: dict[str, float] = {}
    rows = zip(labels_of(sheet, column, column).to_list(), labels_of(sheet, numbers, numbers).to_list(), strict=True)
    for row, (kind, share) in enumerate(rows):
        if kind is None or kind in shares:
            raise sheet.origin.error(f"the kind '{kind or ''}' is empty or appears twice; write a row for each", row)
        try:
            shares[kind] = float(share)
        except (TypeError, ValueError):
            raise sheet.origin.error(f"the share '{share or ''}' of '{kind}' is not a number; fix it", row) from None
    return ShareTable(column, shares)
