"""The part of a report that compares the best runs of teams, and its chart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.finding import Finding
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.standing import tested_by
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.words import counted, percent
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown, ranked
from irgauge.studies.teams.findings import findings, team_table
from irgauge.studies.teams.study import BestRuns, teams

_WIDTH, _STEP = 560, 34  # pixels: of the chart, of a row
_BEST, _ALIKE, _BELOW = "the best", "not significantly different from the best", "significantly below the best"
_UNTESTED = "another team's best run"
_COLOURS = {_BEST: style.ACCENT, _ALIKE: "#e8b021", _BELOW: style.MUTED, _UNTESTED: style.MUTED}


def best_of_teams(result: BestRuns, best: int | None = None) -> Figure:
    """A row a team, best first: the mean of its best run with its interval, and the means of its other runs."""
    rows = list(_best_rows(result))[:best]
    labels = {str(row["team"]): str(row["row"]) for row in rows}
    title = f"{counted(len(labels), 'team')} with their best runs, best first"
    axis = alt.Axis(title=title, labelLimit=style.LONGEST, labelExpr=style.ON_LINES, ticks=False, labelPadding=6)
    y = alt.Y("row:O", scale=alt.Scale(domain=list(labels.values())), axis=axis)
    chart = layered(*_others(result, labels, y), *_best_marks(rows, y, result.measure))
    left_out = len(result.teams) - len(labels)
    return Figure(
        chart.properties(width=_WIDTH, height=_STEP * len(rows)),
        _title(result),
        (
            f"Points: the best run of each team, by its mean over topics; bars: {percent(1 - result.alpha)} intervals "
            "of each mean, for other topics; small ticks: the means of its other runs.",
            *((f"Shown: the best {len(labels)} of {len(result.teams)} teams.",) if left_out else ()),
        ),
        width=_WIDTH + 240,
        provenance=result.facts,
        alternative="Teams from best to worst: the mean of the best run of each, with its interval.",
    )


def _title(result: BestRuns) -> str:
    first = result.teams[0]
    if len(result.teams) == 1:
        return f"The best run of {first.team} in {result.measure}: {first.best}"
    return f"The best runs of {counted(len(result.teams), 'team')} in {result.measure}; the first: {first.best}"


def _best_marks(rows: list[Row], y: alt.Y, measure: str) -> Iterator[alt.Chart]:
    base = alt.Chart(data(rows)).encode(
        y=y,
        opacity=style.fading("system"),
        tooltip=tips("team:N", "system:N", "mean:Q", "low:Q", "high:Q", "rank:O", "runs:O", system="best run"),
    )
    x = alt.X("low:Q", title=f"mean {measure}", scale=alt.Scale(zero=False))
    yield base.mark_rule(strokeWidth=5, color=style.INTERVALS["Tukey"]).encode(x=x, x2=alt.X2("high:Q"))
    groups = {group: colour for group, colour in _COLOURS.items() if any(row["group"] == group for row in rows)}
    colour = alt.Color("group:N", scale=scale(groups), legend=alt.Legend(title=None, orient="top"))
    at_mean = alt.X("mean:Q")
    yield base.mark_point(filled=True, size=55, opacity=1).encode(x=at_mean, color=colour)


def _others(result: BestRuns, labels: Mapping[str, str], y: alt.Y) -> Iterator[alt.Chart]:
    """The means of the other runs, where there are any."""
    rows = [row | {"row": labels[str(row["team"])]} for row in _run_rows(result) if row["team"] in labels]
    if rows:
        base = alt.Chart(data(rows)).mark_tick(thickness=1.5, height=8, color=style.MUTED)
        tip = tips("team:N", "system:N", "mean:Q", "rank:O")
        yield base.encode(x=alt.X("mean:Q"), y=y, opacity=style.fading("system", opacity=0.7), tooltip=tip)


def _best_rows(result: BestRuns) -> Iterator[Row]:
    for number, team in enumerate(result.teams):
        yield {
            "team": team.team,
            "system": team.best,
            "rank": team.rank,
            "mean": team.mean,
            "low": team.low,
            "high": team.high,
            "row": f"{team.team}\n{team.best}",
            "runs": team.runs,
            "group": _group(result, number),
        }


def _group(result: BestRuns, number: int) -> str:
    if number == 0:
        return _BEST
    if result.alike is None:
        return _UNTESTED
    return _ALIKE if result.teams[number].team in result.alike else _BELOW


def _run_rows(result: BestRuns) -> Iterator[Row]:
    for other in result.others:
        yield {"team": other.team, "system": other.system, "rank": other.rank, "mean": other.mean}


CHARTS: Mapping[str, Callable[..., Figure]] = {"best": best_of_teams}


def run(reporting: Reporting) -> Ran:
    """The best run of each team by each measure; nothing where no teams are given."""
    if reporting.groups is None:
        return Ran(())
    options: dict[str, Any] = {"alpha": reporting.alpha, "workers": reporting.workers}
    groups = reporting.groups.groups
    return reporting.each_measure(lambda measure: teams(reporting.data, measure, groups=groups, **options), "teams")


def headline(result: BestRuns) -> Iterator[Finding]:
    """The best of the best."""
    yield next(findings(replace(result, alike=None)))


def shown(ran: Ran, _: Reporting) -> Shown:
    """A chart and a table for each measure."""
    described = (replace(result, alike=None) for result in ran.results)
    sentences = {finding.text: finding for result in described for finding in findings(result)}
    where = tested_by(shown="How these runs compare stands in the charts and tables.", command="teams")
    return (*sentences.values(), where), _panels(ran.results)


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
        (Variant(of_measure(result.measure), table=team_table(result), provenance=result.facts) for result in results),
    )


def _charts(result: BestRuns) -> Iterator[Variant]:
    for more, best in ranked(len(result.teams)):
        yield Variant((*of_measure(result.measure), *more), best_of_teams(result, best))


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
