"""The section of a report on the partition method: which systems differ over random splits of the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from altair.typing import ChartType

from irgauge.present import partition_charts, partition_matrices
from irgauge.present import report_findings as told
from irgauge.present.page import Panel, Section, Variant
from irgauge.present.partition_findings import Answer, covers, findings, method, setting
from irgauge.present.partitions import pair_table, partition_tables
from irgauge.present.report_absent import absent, reasons, there
from irgauge.present.report_panels import Choices, heading, of_measure, pairs_shown, panel, subtitle, tables
from irgauge.present.style import facts, finished
from irgauge.present.tables import Table
from irgauge.studies.partitions import Partitions
from irgauge.studies.ranked_subsets import best_partitions
from irgauge.studies.report import Report
from irgauge.studies.significance import COVERS

_TITLE = "Which systems differ by random splits of the documents?"
_TABLES = {
    "splits": ("partition-splits", "Pairs that differ, split by split", "A table of splits."),
    "levels": ("partition-levels", "How far the splits disagree", "A table of levels of disagreement."),
    "tests": ("partition-tests", "Tests side by side", "A table of tests."),
    "lengths": ("partition-lengths", "Lengths of intervals", "A table of models."),
    "systems": ("partition-systems", "Effects of systems", "A table of systems, best first."),
}


def partitions(report: Report) -> Section:
    """Which systems differ by the partition method."""
    found = there((one, one.partitions) for one in report.measures)
    if not found:
        return absent(told.PARTITIONS, _TITLE, [one.partitions for one in report.measures])
    answers = [told.partition_answer(result, report) for _, result in found]
    lead = [*_lead(answers), *reasons((one.measure, one.partitions) for one in report.measures)]
    return Section(told.PARTITIONS, _TITLE, tuple(lead), tuple(_panels(answers)))


def _lead(answers: Sequence[Answer]) -> Iterator[str]:
    """What was found, without the options of another command; how stands under each chart and table."""
    found, how = answers[0].found, method(answers)
    for sentence in findings(answers):
        if sentence != how:
            yield f"The topics are fixed. {COVERS[found.population]}" if sentence == covers(found) else sentence
    if answers[0].tests is None:
        yield (
            f"Tests over topics are not set beside these: of {len(found.systems)} systems they take long; "
            "irgauge partition --tests does."
        )


def _panels(answers: Sequence[Answer]) -> Iterator[Panel]:
    count = len(answers[0].found.systems)
    shown = pairs_shown(count)
    yield panel(
        "partition-effects",
        "Effects of systems with their intervals",
        "By bootstrap ANOVA of one split, without and with interactions of system and topic.",
        "Effects of systems from best to worst, each with two intervals.",
        (Variant(_of(one), chart=partition_charts.effects(one.lengths)) for one in answers if one.lengths),
    )
    yield panel(
        "partition-agreement",
        "What the splits agree on",
        "Dark cells are pairs whose decision depends on the split.",
        "A triangle of cells, one for each pair of systems; darker cells are pairs that splits decide differently.",
        (Variant(_of(one), chart=_agreement(one.found, shown)) for one in answers),
    )
    yield panel(
        "partition-densities",
        "What a p-value of the bootstrap is",
        "Of the best neighbours that overlap.",
        "Two densities, and what the worse system reaches of the better one's mean.",
        (Variant(_of(one), chart=_densities(one.found)) for one in answers),
    )
    decisions = [
        Variant(_of(one), chart=partition_matrices.decisions(one.tests)) for one in answers if one.tests is not None
    ]
    if decisions:
        seen = "A matrix of cells, one for each pair of systems, coloured by the tests that tell it apart."
        caption = "The same pairs by tests over topics and by a split of the documents."
        yield panel("partition-decisions", "Which tests tell pairs apart", caption, seen, decisions)
    yield from _table_panels(answers)
    yield panel(
        "partition-pairs",
        "Decisions on pairs",
        "Which system is better by all splits together.",
        "A table of pairs.",
        tables((_of(one), _pairs(one, shown)) for one in answers),
    )


def _of(answer: Answer) -> Choices:
    return of_measure(answer.found.measure)


def _densities(found: Partitions) -> ChartType:
    return partition_charts.densities(found, found.overlap(*found.nearest))


def _agreement(found: Partitions, count: int) -> ChartType:
    if count == len(found.systems):
        return partition_matrices.agreement([found])
    part = best_partitions(found, count)
    chart: Any = partition_matrices.agreement([part])
    title = heading(chart).replace("of pairs in", f"of the pairs of the best {count} systems in")
    note = f"Shown: the pairs of the best {count} of {len(found.systems)} systems."
    return finished(chart, title, [_of_all(subtitle(chart), part, found), note], width=chart.width + 120)


def _of_all(text: str, part: Partitions, found: Partitions) -> str:
    """A caption with the setting of all systems, over which p-values are corrected."""
    for join in (facts, lambda *given: f"{'; '.join(given)}."):
        text = text.replace(join(*setting(part)), join(*setting(found)))
    return text


def _table_panels(answers: Sequence[Answer]) -> Iterator[Panel]:
    made = [_by_name(one) for one in answers]
    for name, (key, title, seen) in _TABLES.items():
        forms = [(_of(one), of[name]) for one, of in zip(answers, made, strict=True) if name in of]
        if forms:
            yield panel(key, title, "By the partition method.", seen, tables(forms))


def _by_name(answer: Answer) -> dict[str, Table]:
    """The tables of one measure, without the column that names it."""
    names = [name for name in _TABLES if name != "tests" or answer.tests is not None]
    made = partition_tables([answer])
    return {name: _without_measure(table) for name, table in zip(names, made, strict=True)}


def _without_measure(table: Table) -> Table:
    return replace(table, columns=table.columns[1:], rows=tuple(row[1:] for row in table.rows), group_by=None)


def _pairs(answer: Answer, count: int) -> Table:
    """The decisions on the pairs of the best systems, without those of single splits."""
    found, part = answer.found, best_partitions(answer.found, count)
    table = _without_measure(pair_table([Answer(part, answer.precision)]))
    last = table.columns.index("agreement") + 1
    decided = sum(row[table.columns.index("decision")] != "neither" for row in table.rows)
    of = "" if count == len(found.systems) else f" of the best {count} of {len(found.systems)} systems"
    explained, _, how = table.caption.partition("; p_j")
    how = how.partition(". ")[2]
    return replace(
        table,
        title=f"{decided:,} of {len(table.rows):,} pairs{of} differ by all splits together",
        columns=table.columns[:last],
        rows=tuple(row[:last] for row in table.rows),
        caption=f"{explained}. {_of_all(how, part, found)}",
    )
