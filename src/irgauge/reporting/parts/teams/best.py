"""The best run of each team, and which of them do not differ from the best of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from irgauge.inference.leaders import Leaders
from irgauge.provenance import Provenance
from irgauge.replicates.facts import measures
from irgauge.reporting.found import Found
from irgauge.show.finding import Finding
from irgauge.studies.compare.study import MeasureCompared
from irgauge.studies.score.means import SystemMean
from irgauge.studies.score.study import Scored

POPULATION = "topics"  # what intervals and tests are about


@dataclass(frozen=True)
class TeamRun:
    """A run of a team that is not its best."""

    team: str
    system: str
    rank: int  # among all runs
    mean: float


@dataclass(frozen=True)
class TeamBest:
    """A team and its best run."""

    team: str
    best: str  # the run with the highest mean
    mean: float
    low: float  # of the interval of the mean, for other topics
    high: float
    rank: int  # of the best run among all runs
    median: float  # of the means of the team's runs
    runs: int


@dataclass(frozen=True, eq=False)
class BestRuns(Found):
    """The teams by one measure, the one with the best run first."""

    measure: str
    teams: tuple[TeamBest, ...]
    alike: tuple[str, ...] | None  # teams whose best run does not differ from that of the first; None: not tested
    without_team: tuple[str, ...]  # systems that the groups do not name: each is a team of its own
    alpha: float
    others: tuple[TeamRun, ...]  # the runs that are not the best of their team
    facts: Provenance  # of the means
    tested: Provenance | None  # of the tests

    @property
    def leaders(self) -> Leaders:
        """Which teams have the best run."""
        return Leaders.of([one.team for one in self.teams], [one.mean for one in self.teams])

    @property
    def provenance(self) -> Provenance:
        """How means and intervals came about."""
        return self.facts

    def provenance_for(self, population: str | None) -> Provenance:
        """Of a claim about a population, how it was tested."""
        return self.facts if population is None or self.tested is None else self.tested

    def findings(self) -> Iterable[Finding]:
        """What it says, the answer first."""
        from irgauge.reporting.parts.teams.findings import findings

        return findings(self)

    def content(self) -> dict[str, Any]:
        """All but the means of other runs, which are those of the scores."""
        kept = ("measure", "teams", "alike", "without_team", "alpha")
        return {name: getattr(self, name) for name in kept}


def best_runs(scored: Scored, measure: str, groups: Mapping[str, str], compared: MeasureCompared | None) -> BestRuns:
    """The best run of each team; groups are given as system -> team."""
    means = scored.of(measure)
    runs: dict[str, list[tuple[int, SystemMean]]] = {}
    for rank, one in enumerate(means, 1):
        runs.setdefault(groups.get(one.system, one.system), []).append((rank, one))
    teams = tuple(_best(team, own) for team, own in runs.items())  # best first, as the runs are
    return BestRuns(
        measure=measure,
        teams=teams,
        alike=None if compared is None else _alike(teams, compared),
        without_team=tuple(one.system for one in means if one.system not in groups),
        alpha=scored.alpha,
        others=tuple(TeamRun(team, one.system, rank, one.mean) for team, own in runs.items() for rank, one in own[1:]),
        facts=scored.provenance | measures((measure,)),
        tested=None if compared is None else compared.provenance_of(compared.under(POPULATION)),
    )


def _best(team: str, own: list[tuple[int, SystemMean]]) -> TeamBest:
    rank, best = own[0]
    middle = median(one.mean for _, one in own)
    return TeamBest(team, best.system, best.mean, best.low, best.high, rank, middle, len(own))


def _alike(teams: tuple[TeamBest, ...], compared: MeasureCompared) -> tuple[str, ...]:
    """Teams whose best run does not differ significantly from the best, by the test of all pairs of systems."""
    one = compared.under(POPULATION)
    p = one.matrix(one.p, [team.best for team in teams])[0]
    return tuple(team.team for team, of_pair in zip(teams[1:], p[1:].tolist(), strict=True) if not of_pair <= one.alpha)
