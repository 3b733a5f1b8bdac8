"""Kinds of topics on the page of a report: a forest and a table, where they were asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.studies.compare.slice_charts import forest
from irgauge.studies.compare.slice_tables import slice_table
from irgauge.studies.compare.study import MeasureCompared
from irgauge.studies.report_part import BEST, FEW


def slice_panels(key: str, results: Sequence[MeasureCompared]) -> Iterator[Panel]:
    """Differences on each kind of topics, by each measure."""
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
