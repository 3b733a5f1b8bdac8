"""The part of a report that compares the best runs of teams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irgauge.show.finding import Finding
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown, ranked
from irgauge.studies.teams import charts, tables
from irgauge.studies.teams.findings import findings
from irgauge.studies.teams.study import BestRuns, teams


def run(reporting: Reporting) -> Ran:
    """The best run of each team by each measure; nothing where no teams are given."""
    if reporting.groups is None:
        return Ran(())
    options: dict[str, Any] = {"alpha": reporting.alpha, "workers": reporting.workers}
    groups = reporting.groups.groups
    return reporting.each_measure(lambda measure: teams(reporting.data, measure, groups=groups, **options), "teams")


def headline(result: BestRuns) -> Iterator[Finding]:
    """The best of the best."""
    yield next(findings(result))


def shown(ran: Ran, _: Reporting) -> Shown:
    """A chart and a table for each measure."""
    told = {finding.text: finding for result in ran.results for finding in findings(result)}
    return told.values(), _panels(ran.results)


def _panels(results: Sequence[BestRuns]) -> Iterator[Panel]:
    yield from panel(
        "team-best",
        "The best run of each team",
        "Teams by the mean of their best run, with its interval for other topics.",
        (form for result in results for form in _charts(result)),
    )
    yield from panel(
        "team-table",
        "All teams",
        "Teams by the mean of their best run.",
        (
            Variant(of_measure(result.measure), table=tables.team_table(result), provenance=result.facts)
            for result in results
        ),
    )


def _charts(result: BestRuns) -> Iterator[Variant]:
    for more, best in ranked(len(result.teams)):
        yield Variant((*of_measure(result.measure), *more), charts.best_of_teams(result, best))


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield (
            "Teams",
            "The best run of a team is the one with the highest mean. It was chosen by the same scores that it is "
            "judged by, so that its mean is a little too high, the more so the more runs a team has. Whether the best "
            f"runs of two teams differ for other topics, at α = {reporting.alpha:g}, was decided by the test of all "
            "pairs of systems, whose correction covers the choice of runs.",
        )


PART = ReportPart(
    key="teams",
    title="Which team's best run is best?",
    run=run,
    shown=shown,
    methods=methods,
    headline=headline,
)
