"""The part of a report that compares the best runs of teams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.reporting.parts.teams import charts, tables
from irgauge.reporting.parts.teams.best import BestRuns, best_runs
from irgauge.show.finding import Finding
from irgauge.show.page import Panel, Section, Variant, of_measure, panel
from irgauge.studies.reporting import Ran, Reporting, ranked

KEY, TITLE = "teams", "Which team's best run is best?"
REFERENCES: tuple[str, ...] = ()
USES = ("score", "compare")


def run(reporting: Reporting, score: Ran, compare: Ran) -> Ran:
    """The best run of each team by each measure; nothing where no teams are given."""
    if reporting.groups is None or not score.results:
        return Ran(())
    compared = {one.first.measure: one.first for one in compare.results}
    scored, given = score.results[0], reporting.groups.groups
    return Ran(tuple(best_runs(scored, str(one), given, compared.get(str(one))) for one in reporting.measures))


def headline(result: BestRuns) -> Iterator[Finding]:
    """The best of the best."""
    yield from list(result.findings())[:1]


def section(ran: Ran, reporting: Reporting) -> Section:
    """A chart and a table for each measure."""
    del reporting
    told = {one.text: one for result in ran.results for one in result.findings()}
    return Section(KEY, TITLE, tuple(told.values()), tuple(_panels(ran.results)))


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
        (Variant(of_measure(one.measure), table=tables.team_table(one), provenance=one.provenance) for one in results),
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
