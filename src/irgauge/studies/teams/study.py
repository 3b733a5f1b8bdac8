"""Which team's best run is best, and which do not differ from it?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, ClassVar

from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.comparison import Comparison
from irgauge.inference.leaders import Leaders
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import default_test
from irgauge.models.anova import Population
from irgauge.options.verbs import verb
from irgauge.provenance import Provenance
from irgauge.reading.groups import Grouping
from irgauge.replicates import facts as data_facts
from irgauge.replicates.given import Given, one_measure, opened
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.direction import HIGHER, Direction
from irgauge.scoring.scores import Scores
from irgauge.studies.means import SystemMean, facts_of_scores, interval_kinds, summarise
from irgauge.studies.result import Result
from irgauge.studies.teams.options import TeamsOptions
from irgauge.studies.tested import facts_of

POPULATION: Population = "topics"  # what intervals and tests are about


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

    team: str  # its name
    best: str  # the run with the highest mean
    mean: float
    low: float  # of the interval of the mean, for other topics
    high: float
    rank: int  # of the best run among all runs
    median: float  # of the means of the team's runs
    runs: int  # how many the team has


@dataclass(frozen=True, eq=False, repr=False)
class BestRuns(Result):
    """The teams by one measure, the one with the best run first."""

    study: ClassVar[str] = "teams"
    part: ClassVar[str] = "team"

    measure: str
    teams: tuple[TeamBest, ...]  # the one with the best run first
    alike: tuple[str, ...] | None  # teams whose best run does not differ from that of the first; None: not tested
    without_team: tuple[str, ...]  # systems that the groups do not name: each is a team of its own
    alpha: float
    others: tuple[TeamRun, ...]  # the runs that are not the best of their team
    facts: Provenance  # of the means
    tested: Provenance | None  # of the tests
    direction: Direction = HIGHER  # which scores are better
    is_guessed: bool = False  # whether its name sounds as if less were better, and nothing was said of it

    @property
    def parts(self) -> Mapping[str, TeamBest]:
        """Team -> its best run."""
        return {team.team: team for team in self.teams}

    @property
    def leaders(self) -> Leaders:
        """Which teams have the best run."""
        return Leaders.of([team.team for team in self.teams], [team.mean for team in self.teams])

    @property
    def provenance(self) -> Provenance:
        """How means and intervals came about, and how the best runs were tested."""
        return self.facts if self.tested is None else self.facts.with_others([self.tested])

    def provenance_for(self, population: str | None) -> Provenance:
        """Of a claim about a population, how it was tested."""
        return self.facts if population is None or self.tested is None else self.tested

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:  # noqa: ARG002  # there is one frame
        """Every team with its best run, the one with the best run first."""
        same = {"n": self.facts["topics"], "population": POPULATION, "alpha": self.alpha, "direction": self.direction}
        return [
            {
                "measure": self.measure,
                "system": team.best,
                **asdict(team),
                **same,
                "place": place,
                "differs": None if self.alike is None or place == 1 else team.team not in self.alike,
            }
            for place, team in enumerate(self.teams, 1)
        ]

    def content(self) -> dict[str, Any]:
        """All but the means of other runs, which are those of the scores."""
        kept = ("measure", "teams", "alike", "without_team", "alpha")
        return {name: getattr(self, name) for name in kept}


@verb(TeamsOptions)
def teams(data: Given, options: TeamsOptions) -> BestRuns:
    """Find the best run of each team, and compare these runs with the best of all by the test of all pairs of runs.

    `groups` is a mapping from systems to teams, or a file of it.

    >>> from irgauge import load_scores
    >>> table = load_scores({"a1": {"1": 0.9, "2": 0.5}, "a2": {"1": 0.1, "2": 0.2}})
    >>> found = teams(table, groups={"a1": "a", "a2": "a"})
    >>> found.teams[0].best, found.teams[0].runs
    ('a1', 2)
    """
    if options.groups is None:
        raise DesignError("there are no teams; name the team of each system by 'groups', such as --groups teams.txt")
    grouping = Grouping.of(options.groups)  # read before the runs are scored: it may be wrong
    opened_data = opened(data, options.workers, missing=options.missing)
    groups = grouping.as_teams(opened_data.systems).groups
    scores = opened_data.whole(one_measure(opened_data, options.measure))
    means = summarise(scores, alpha=options.alpha)
    runs = _by_team(means, groups)
    best_runs = tuple(_best(team, own) for team, own in runs.items())
    compared = _compared(opened_data.measured(Measuring(scores.measures)), options.alpha)
    scored = facts_of_scores(scores, opened_data.missing, opened_data.whole_source)
    return BestRuns(
        measure=str(scores.measures[0]),
        teams=best_runs,
        alike=None if compared is None else _alike(best_runs, compared),
        without_team=tuple(mean.system for mean in means if mean.system not in groups),
        alpha=options.alpha,
        others=tuple(
            TeamRun(team, mean.system, rank, mean.mean) for team, own in runs.items() for rank, mean in own[1:]
        ),
        facts=_facts_of_means(scores, options.alpha) | scored,
        tested=None if compared is None else facts_of(compared) | scored,
        direction=scores.measures[0].claimed_direction,
        is_guessed=scores.measures[0].needs_direction,
    )


def _by_team(means: Sequence[SystemMean], groups: Mapping[str, str]) -> dict[str, list[tuple[int, SystemMean]]]:
    """Team -> the ranks and means of its runs; teams and runs best first, as the means are."""
    runs: dict[str, list[tuple[int, SystemMean]]] = {}
    for rank, mean in enumerate(means, 1):
        runs.setdefault(groups.get(mean.system, mean.system), []).append((rank, mean))
    return runs


def _facts_of_means(scores: Scores, alpha: float) -> Provenance:
    kind, measures = interval_kinds(scores.filled("zero")), tuple(map(str, scores.measures))
    return Provenance.of(
        facts.method(kind), data_facts.measures(measures), facts.alpha(alpha), facts.population(POPULATION)
    )


def _compared(measured: Measured, alpha: float) -> Comparison | None:
    """All pairs of systems by the usual test; None where there is too little to compare."""
    test = default_test(POPULATION)
    scores, correction, direction = measured.scores, test.corrected_by.name, measured.direction
    experiment = Experiment(measured.values(), scores.systems, POPULATION, alpha, correction, direction=direction)
    try:
        return test.compare(experiment)
    except DesignError:
        return None


def _best(team: str, own: Sequence[tuple[int, SystemMean]]) -> TeamBest:
    rank, best = own[0]
    middle = median(mean.mean for _, mean in own)
    return TeamBest(team, best.system, best.mean, best.low, best.high, rank, middle, len(own))


def _alike(teams: Sequence[TeamBest], compared: Comparison) -> tuple[str, ...]:
    """Teams whose best run does not differ significantly from the best, by the test of all pairs of systems."""
    p = compared.matrix(compared.p_adjusted, [team.best for team in teams])[0][1:].tolist()
    return tuple(team.team for team, of_pair in zip(teams[1:], p, strict=True) if not of_pair <= compared.alpha)
