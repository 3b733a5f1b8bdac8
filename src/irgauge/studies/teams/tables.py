"""Tables of teams and their best runs."""

from __future__ import annotations

from irgauge.show.table import Column, Record, Table
from irgauge.show.words import percent
from irgauge.studies.teams.study import BestRuns


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
