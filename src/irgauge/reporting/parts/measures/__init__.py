"""The part of a report that says whether measures agree on the order of systems."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.reporting.parts.measures import charts, tables
from irgauge.reporting.parts.measures.agreement import Agreement, agreement
from irgauge.show.finding import Finding
from irgauge.show.page import Panel, Section, Variant, panel
from irgauge.studies.reporting import Ran, Reporting

KEY, TITLE = "measures", "Do measures agree on the order of systems?"
REFERENCES = ("kendall-1945",)
USES = ("score",)
_LEAST_MEASURES, _LEAST_SYSTEMS = 2, 3  # fewer have no order to agree on


def run(reporting: Reporting, score: Ran) -> Ran:
    """All measures together; nothing where there are too few of them, or of systems."""
    is_enough = len(reporting.measures) >= _LEAST_MEASURES and len(reporting.systems) >= _LEAST_SYSTEMS
    return Ran((agreement(score.results[0]),) if score.results and is_enough else ())


def headline(result: Agreement) -> Iterator[Finding]:
    """Nothing at the top of the page, which is about systems."""
    del result
    yield from ()


def section(ran: Ran, reporting: Reporting) -> Section:
    """Sentences, a chart, the pairs of measures and the ranks of systems."""
    del reporting
    told = tuple(finding for result in ran.results for finding in result.findings())
    return Section(KEY, TITLE, told, tuple(one for result in ran.results for one in _panels(result)))


def _panels(result: Agreement) -> Iterator[Panel]:
    few = len(result.measures) == _LEAST_MEASURES
    figure = charts.scatter(result) if few else charts.matrix(result)
    yield from panel(
        "measure-agreement",
        "Systems by both measures" if few else "How well measures agree",
        "A point is a system." if few else "A cell is a pair of measures.",
        [Variant((), figure)],
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


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    del reporting
    if ran.results:
        yield (
            "Agreement of measures",
            "The orders of systems by their means under two measures were compared by Kendall's τ-b (Kendall 1945): "
            "pairs of systems in the same order less those in the opposite one, over the geometric mean of the pairs "
            "that each measure orders. 1 is the same order, −1 the reverse. It describes these systems.",
        )
