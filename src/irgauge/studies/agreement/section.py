"""The part of a report that says whether measures agree on the order of systems."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.show.page import Panel, Variant, panel
from irgauge.studies.agreement import charts, tables
from irgauge.studies.agreement.findings import findings
from irgauge.studies.agreement.study import LEAST_MEASURES, LEAST_SYSTEMS, Agreement, agreement
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown, ran, tried


def run(reporting: Reporting) -> Ran:
    """All measures together; nothing where there are too few of them, or of systems."""
    if len(reporting.measures) < LEAST_MEASURES or len(reporting.systems) < LEAST_SYSTEMS:
        return Ran(())
    result = tried(lambda: agreement(reporting.data, reporting.measures, workers=reporting.workers))
    return ran({"agreement": result})


def shown(ran: Ran, _: Reporting) -> Shown:
    """Sentences, a chart, the pairs of measures and the ranks of systems."""
    (result,) = ran.results
    return findings(result), _panels(result)


def _panels(result: Agreement) -> Iterator[Panel]:
    few = len(result.measures) == 2
    yield from panel(
        "measure-agreement",
        "Systems by both measures" if few else "How well measures agree",
        "A point is a system." if few else "A cell is a pair of measures.",
        [Variant((), charts.measures(result))],
    )
    yield from panel(
        "measure-pairs",
        "Agreement of each pair of measures",
        "Kendall's τ between the orders of systems.",
        [Variant((), table=tables.pair_table(result), provenance=result.provenance)],
    )
    yield from panel(
        "measure-ranks",
        "Ranks of systems by each measure",
        "Systems whose ranks differ most come first.",
        [Variant((), table=tables.rank_table(result), provenance=result.provenance)],
    )


def methods(ran: Ran, _: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield (
            "Agreement of measures",
            "The orders of systems by their means under two measures were compared by Kendall's τ-b (Kendall 1945): "
            "pairs of systems in the same order less those in the opposite one, over the geometric mean of the pairs "
            "that each measure orders. 1 is the same order, −1 the reverse. It describes these systems.",
        )


PART = ReportPart(  # without a headline, as the top of the page is about systems
    key="measures",
    title="Do measures agree on the order of systems?",
    run=run,
    shown=shown,
    methods=methods,
    references=("kendall-1945",),
)
