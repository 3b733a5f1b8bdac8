"""Kinds of topics as a table: every pair on every slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irgauge.show.ratios import interval_columns, of_ratios
from irgauge.show.table import LEAST_P, Column, Table
from irgauge.show.words import percent
from irgauge.studies.compare.study import MeasureCompared
from irgauge.studies.tested import slice_records


def slice_table(results: Sequence[MeasureCompared]) -> list[Table]:
    """Every pair on every slice; nothing where none was asked for."""
    records: list[dict[str, Any]] = [
        of_ratios(record) for compared in results for record in slice_records(compared.measure, compared.sliced.slices)
    ]
    if not records:
        return []
    first = results[0].sliced.slices[0].comparison
    power = "the smallest true difference that is found on so many topics with a power of 80 %"
    return [
        Table.of(
            "slices",
            "Kinds of topics",
            records,
            [
                *([Column("measure")] if len(results) > 1 else []),
                Column("column"),
                Column("slice"),
                Column("n", "topics"),
                Column("system", role="system"),
                *([] if first.baseline else [Column("against", role="system")]),
                *interval_columns(records[0], f"the {percent(first.confidence)} interval, for all slices together"),
                Column("p_adjusted", "adjusted p", "over all pairs and slices", below=LEAST_P),
                Column("verdict"),
                Column("detectable", "could find", power),
            ],
            group_by="measure" if len(results) > 1 else None,
            is_long=True,
        )
    ]
