"""The part of a report that says what the data are, and whether they can be used."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.show.finding import Finding, remark
from irgauge.show.page import Variant, panel
from irgauge.show.table import Column, Table
from irgauge.show.words import counted
from irgauge.studies.check.charts import judged
from irgauge.studies.check.study import Checked
from irgauge.studies.check.tables import data_table, order_table, prospect_table, run_table
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown


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
    key="data",
    title="Can these data be used?",
    run=run,
    shown=shown,
    headline=headline,
)
