"""Kinds of topics as a table, and on the page of a report with a forest: every pair on every slice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.ratios import of_ratios
from irgauge.show.table import Column, Table
from irgauge.studies.compare.study import MeasureCompared
from irgauge.studies.report_part import BEST, FEW
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


def slice_panels(key: str, results: Sequence[MeasureCompared]) -> Iterator[Panel]:
    """Differences on each kind of topics, by each measure."""
    from irgauge.studies.compare.slice_charts import forest  # which imports altair; tables need none

    asked = [result for result in results if result.sliced.slices]
    if not asked:
        return
    best = BEST if len(asked[0].comparison.systems) > FEW else None
    yield from panel(
        f"{key}-chart",
        "Differences on kinds of topics",
        "All topics, then each kind, with intervals that hold for all kinds together.",
        (Variant(of_measure(result.measure), forest(result, best)) for result in asked),
    )
    yield from panel(
        key,
        "Kinds of topics",
        "Differences on each kind of topics, with p and intervals for all kinds and pairs together.",
        (
            Variant(of_measure(result.measure), table=table, provenance=result.provenance)
            for result in asked
            for table in slice_table([result])
        ),
    )
