"""What is said of teams and their best runs, in sentences and in tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.inference.assertions import Assertion, of_verdicts
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Record, Table
from irgauge.show.verdicts import FOR, alike, best_of
from irgauge.show.words import counted, percent, some
from irgauge.studies.cautions import direction_guessed
from irgauge.studies.teams.study import POPULATION, BestRuns


def findings(result: BestRuns) -> Iterator[Finding]:
    """The best of the best runs, and runs without a team."""
    first, leaders = result.teams[0], result.leaders
    names = {team.team: f"{team.best} of {team.team}" for team in result.teams}
    finding = best_team(
        measure=result.measure,
        system=first.best,
        team=first.team,
        tied=[names[team] for team in leaders.tied],
        mean=leaders.mean,
        teams=leaders.systems,
        others=None if result.alike is None else [names[team] for team in result.alike],
    )
    is_claim = len(result.teams) > 1 and result.alike is not None
    told = finding.about(population=POPULATION if is_claim else None, measure=result.measure)
    yield told.claiming(_claimed(result), "primary" if is_claim else None)
    if result.is_guessed:
        yield direction_guessed(measure=result.measure).about(measure=result.measure)
    if result.without_team:
        yield without_team(systems=result.without_team)


def _claimed(result: BestRuns) -> Iterator[Assertion]:
    """From which teams' best runs that of the first differs."""
    first, *others = result.teams
    below = [team.best for team in others if result.alike is not None and team.team not in result.alike]
    yield from of_verdicts(
        [((first.best, other), "better") for other in below],
        measure=result.measure,
        population=POPULATION,
        margin=None,
        direction=result.direction,
    )


@sentence("best-team", claims=("difference",))
def best_team(
    *,
    measure: str,
    system: str,
    team: str,
    tied: Sequence[str],
    mean: float,
    teams: int,
    others: Sequence[str] | None,
) -> str:
    """The best of the teams' best runs, and those that do not differ from it; None where that was not tested."""
    if teams == 1:
        return f"By {measure}, {system} is the best run of {team}, the only team (mean {mean:.3f})."
    first = (f"{system} of {team}", *tied)
    clause = best_of(first, teams, f"{teams:,} teams' best runs", mean=f"mean {mean:.3f}")
    head = f"By {measure}, {clause}"
    if others is None or len(first) == teams:
        return f"{head}."
    names = [other for other in others if other not in tied]
    return f"{head}; {FOR[POPULATION]} {alike(len(names), first, teams, noun='run', names=names)}."


@sentence("without-team", tone="note")
def without_team(*, systems: Sequence[str]) -> str:
    """Systems that are teams of their own, since the groups do not name them."""
    verb, each = ("has", "it is a team") if len(systems) == 1 else ("have", "each is a team")
    return f"{counted(len(systems), 'system')} {verb} no team, and {each} of its own: {some(systems)}."


def tables(result: BestRuns) -> list[Table]:
    """Every team."""
    return [team_table(result)]


def team_table(result: BestRuns) -> Table:
    """Every team, the one with the best run first."""
    records: list[Record] = [
        {
            "place": place,
            "team": team.team,
            "best": team.best,
            "mean": team.mean,
            "low": team.low,
            "high": team.high,
            "rank": team.rank,
            "differs": None if result.alike is None or place == 1 else team.team not in result.alike,
            "runs": team.runs,
            "median": team.median,
        }
        for place, team in enumerate(result.teams, 1)
    ]
    tested = [Column("differs", explained="from the best run of all, significantly for other topics")]
    return Table.of(
        "teams",
        f"Teams by their best run in {result.measure}",
        records,
        [
            Column("place", is_minor=True),
            Column("team"),
            Column("best", "best run", role="system"),
            Column("mean", explained="of the best run"),
            Column("low", "", f"its {percent(1 - result.alpha)} interval, for other topics", "low, high"),
            Column("high"),
            Column("rank", explained="of the best run among all runs"),
            *(tested if result.alike is not None else []),
            Column("runs"),
            Column("median", explained="of the means of the team's runs"),
        ],
    )
