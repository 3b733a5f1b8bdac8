"""The part of a report that says what the data are, and whether they can be used; its chart of judged shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.finding import Finding, remark
from irgauge.show.page import Variant, panel
from irgauge.show.rows import in_rows
from irgauge.show.style import Row, data, level_axis, scale, tips, width_of
from irgauge.show.table import Column, Table
from irgauge.show.words import counted
from irgauge.studies.check.facts import RunFacts
from irgauge.studies.check.study import Checked
from irgauge.studies.check.tables import data_table, order_table, prospect_table, run_table
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown

_DEPTHS = {"top 10": style.DISTINCT[0], "top 100": style.DISTINCT[4]}


def judged(result: Checked) -> Figure:
    """The share of the top 10 and of the top 100 that is judged, run by run."""
    runs = sorted(result.runs, key=lambda run: -run.judged_10)
    names = [run.system for run in runs]
    width = width_of(len(names), step=24, least=380, most=920)
    title = f"{counted(len(names), 'system')}, the most judged first"
    chart = (
        alt.Chart(data(_rows(result, names)))
        .mark_point(filled=True, size=36, opacity=1)
        .encode(
            x=alt.X(**level_axis(names, title, fields=style.SYSTEM, angle=0)),
            y=alt.Y("judged:Q", title="judged", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%")),
            color=alt.Color("of:N", title=None, scale=scale(_DEPTHS)),
            opacity=style.fading("system"),
            tooltip=tips("system:N", "of:N", "judged:Q"),
        )
    )
    return Figure(
        in_rows(chart.properties(width=width, height=280), len(names)),
        _title(runs[-1]),
        ("Points: share of judged documents among those ranked first, mean over topics.",),
        width=width + 120,
        provenance=result.provenance,
        alternative="For each run, the share of its top 10 and of its top 100 documents that is judged.",
    )


def _title(least: RunFacts) -> str:
    if least.judged_10 == 1:
        return "The top 10 of every run is judged"
    return f"Of {least.system} the least is judged: {least.judged_10:.0%} of its top 10"


def _rows(result: Checked, names: list[str]) -> Iterator[Row]:
    runs = {run.system: run for run in result.runs}
    for rank, name in enumerate(names, 1):
        shares = zip(_DEPTHS, (runs[name].judged_10, runs[name].judged_100), strict=True)
        for of, share in shares:
            yield {"system": name, "rank": rank, "of": of, "judged": share}


CHARTS: Mapping[str, Callable[..., Figure]] = {"judged": judged}


def run(reporting: Reporting) -> Ran:
    """What was found when the runs were read."""
    if reporting.checked is None:
        return Ran((), {"check": "the data were not checked when they were read"})
    return Ran((reporting.checked,))


def headline(result: Checked) -> Iterator[Finding]:
    """The warnings, which a report shows apart from its claims."""
    yield from (finding for finding in result.findings() if finding.tone in ("error", "warning"))


def shown(ran: Ran, reporting: Reporting) -> Shown:
    """A sentence, and tables of the data, of the runs and of what is remarkable."""
    collection = reporting.bench.collection
    result: Checked = ran.results[0]
    seen = "all" if collection.document_count == collection.corpus_size else f"{collection.document_count:,}"
    lead = (
        f"{counted(result.systems, 'system')} on {counted(result.topics, 'topic')} with "
        f"{counted(result.relevant, 'relevant document')}; the corpus has "
        f"{counted(collection.corpus_size, 'document')}, {seen} of them in runs and judgments."
    )
    return (
        (remark(text=lead),),
        (
            *panel("judged", "How much is judged", "Of what runs rank first.", [Variant(figure=judged(result))]),
            *panel("data", "The data", "Counts of what was read.", [_form(data_table(result), result)]),
            *panel("runs", "The runs", "What each run looks like.", [_form(run_table(result), result)]),
            *panel("order", "Order", "Runs whose scores contradict their ranks.", [_form(order_table(result), result)]),
            *panel(
                "replicates",
                "Shards and images",
                "What they would leave of the data.",
                [_form(prospect_table(result), result)],
            ),
            *panel("check", "What to know of the data", "What the check found.", [_form(_remarks(result), result)]),
        ),
    )


def _form(table: Table, result: Checked) -> Variant:
    return Variant(table=table, provenance=result.provenance.only("missing"))


def _remarks(result: Checked) -> Table:
    rows = [
        {"severity": finding.tone, "finding": finding.text}
        for finding in result.findings()
        if finding.tone != "finding"
    ]
    return Table.of("remarks", "What to know", rows, [Column("severity"), Column("finding")])


PART = ReportPart(  # without methods, which are told with the scores
    with_sampling="alike",
    key="data",
    title="Can these data be used?",
    run=run,
    shown=shown,
    headline=headline,
)
