"""Kinds of topics as a table: every pair on every slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irgauge.show.ratios import of_ratios
from irgauge.show.table import Column, Table
from irgauge.studies.compare.study import MeasureCompared
from irgauge.studies.slices_told import slice_columns
from irgauge.studies.tested import slice_records


def slice_table(results: Sequence[MeasureCompared]) -> list[Table]:
    """Every pair on every slice; nothing where none was asked for."""
    records: list[dict[str, Any]] = [
        of_ratios(record) for compared in results for record in slice_records(compared.measure, compared.sliced.slices)
    ]
    if not records:
        return []
    first = results[0].sliced.slices[0].comparison
    return [
        Table.of(
            "slices",
            "Kinds of topics",
            records,
            [
                *([Column("measure")] if len(results) > 1 else []),
                *slice_columns(first, records[0]),
            ],
            group_by="measure" if len(results) > 1 else None,
            is_long=True,
        )
    ]
