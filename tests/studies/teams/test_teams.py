"""The best runs of teams, against means and tests by hand; and groups that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from scipy import stats

from conftest import Irgauge
from irgauge import Scores, load_scores
from irgauge.errors import DesignError, InputError
from irgauge.reading.groups import Grouping
from irgauge.replicates.given import ScoreTable
from irgauge.reporting.report import report
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.report_part import Reporting
from irgauge.studies.teams.section import PART
from irgauge.studies.teams.study import BestRuns, teams

DESIGN = Design(systems=8, families=4, topics=12, depth=40, corpus_size=300, relevant_median=10, seed=3)


def table(systems: int = 7, topics: int = 15) -> Scores:
    """Scores of systems of which some are clearly better."""
    drawn = np.random.default_rng(5).uniform(0, 0.4, (topics, systems)) + np.linspace(0.5, 0, systems)
    return load_scores({f"s{j}": {f"{t}": float(drawn[t, j]) for t in range(topics)} for j in range(systems)})


TEAMS = {"s0": "b", "s1": "a", "s2": "b", "s3": "a", "s4": "c", "s5": "a"}  # s6 has none


@pytest.fixture(scope="module")
def found() -> BestRuns:
    return teams(table(), groups=TEAMS)


def test_best_runs_are_those_with_the_highest_means(found: BestRuns) -> None:
    given = table()
    values = given.values[0, :, :, 0]  # topic, system
    means = dict(zip(given.systems, values.mean(axis=0).tolist(), strict=True))
    ranking = sorted(means, key=lambda system: -means[system])
    members: dict[str, list[str]] = {}
    for system in given.systems:
        members.setdefault(TEAMS.get(system, system), []).append(system)
    expected = sorted(members, key=lambda team: -max(means[one] for one in members[team]))
    assert [one.team for one in found.teams] == expected
    for one in found.teams:
        own = members[one.team]
        assert one.best == max(own, key=lambda system: means[system])
        assert one.mean == pytest.approx(means[one.best])
        assert one.median == pytest.approx(median(means[system] for system in own))
        assert (one.runs, one.rank) == (len(own), ranking.index(one.best) + 1)
        assert one.low < one.mean < one.high
    assert found.without_team == ("s6",)


def test_teams_are_alike_by_the_test_of_all_pairs_of_systems(found: BestRuns) -> None:
    given = table()
    values = given.values[0, :, :, 0]
    pairs = [(i, j) for i in range(7) for j in range(i)]
    p = {frozenset(pair): float(stats.ttest_rel(values[:, pair[0]], values[:, pair[1]]).pvalue) for pair in pairs}
    adjusted, largest = {}, 0.0
    for number, pair in enumerate(sorted(p, key=lambda one: p[one])):  # Holm's
        largest = max(largest, min(1.0, p[pair] * (len(p) - number)))
        adjusted[pair] = largest
    place = {system: i for i, system in enumerate(given.systems)}
    first = place[found.teams[0].best]
    alike = [one.team for one in found.teams[1:] if adjusted[frozenset((first, place[one.best]))] > 0.05]
    assert list(found.alike or ()) == alike
    assert 0 < len(alike) < len(found.teams) - 1  # both occur


def test_what_is_said_names_the_best_and_how_it_was_tested(found: BestRuns) -> None:
    first, *others = found.findings()
    assert first.kind == "best-team"
    assert first.text.startswith("By score, s0 of b is the best of 4 teams' best runs (mean 0.")
    assert [one.text for one in others] == ["1 system has no team, and it is a team of its own: s6."]
    assert found.table().column("rank") == [one.rank for one in found.teams]
    assert found.to_dict()["teams"][0]["best"] == "s0"
    assert "guarded t-test" in found.to_text()


def test_its_section_has_a_chart_and_a_table(found: BestRuns) -> None:
    given = ScoreTable(table())
    reporting = Reporting(given, given.measures, groups=Grouping(TEAMS))
    ran = PART.run(reporting)
    told = [text.partition(";")[0].rstrip(".") + "." for text in found.findings().texts()]
    assert PART.section(ran, reporting).texts[:-1] == tuple(told)
    assert PART.section(ran, reporting).texts[-1].endswith("`irgauge teams` tests it.")
    assert [panel.key for panel in PART.section(ran, reporting).panels] == ["team-best", "team-table"]
    assert [one.text for one in PART.headline(ran.results[0])] == told[:1]
    assert "the test" in dict(PART.methods(ran, reporting))["Teams"]


def test_without_groups_there_are_no_teams() -> None:
    with pytest.raises(DesignError, match="there are no teams; name the team of each system"):
        teams(table())
    given = ScoreTable(table())
    assert PART.run(Reporting(given, given.measures)).results == ()


def test_teams_of_runs_are_by_means_on_the_whole_corpus() -> None:
    collection = simulate(DESIGN).collection()
    groups = {system: system.split("-")[0] for system in collection.systems}
    whole = score(collection, ["AP"]).filled().values[0, :, :, 0].mean(axis=0)
    means = dict(zip(collection.systems, whole.tolist(), strict=True))
    for one in teams(collection, "AP", groups=groups).teams:
        assert one.mean == pytest.approx(max(means[system] for system in groups if groups[system] == one.team))


@pytest.mark.parametrize("systems", [1, 2])
def test_one_team_and_one_system_are_told(systems: int) -> None:
    found = teams(table(systems), groups={f"s{i}": "a" for i in range(systems)})
    assert "the only team" in found.findings()[0].text
    assert "nan" not in " ".join(found.findings().texts()).lower()


def test_teams_of_equal_runs_are_told() -> None:
    same = load_scores({name: {str(t): 0.5 for t in range(6)} for name in "abc"})
    found = teams(same, groups={"a": "x", "b": "y", "c": "y"})
    assert "nan" not in found.to_text().lower()
    assert found.chart().to_dict()


def test_many_teams_are_shown_in_two_forms() -> None:
    given = ScoreTable(table(70, 4))
    reporting = Reporting(given, given.measures, groups=Grouping({}))
    panel = PART.section(PART.run(reporting), reporting).panels[0]
    assert [dict(one.choices)["systems"] for one in panel.variants] == ["best 20", "all"]


@pytest.mark.parametrize("ask", [teams, report])
def test_groups_of_unknown_systems_are_refused(ask: Callable[..., object], tmp_path: Path) -> None:
    with pytest.raises(DesignError, match=r"the groups name 1 system \(zz\) that is not among the runs"):
        ask(table(), groups={"zz": "a"})
    path = tmp_path / "groups.txt"
    path.write_text("s0 a\nzz b\n")
    with pytest.raises(InputError, match=r"groups\.txt:2: the groups name 1 system \(zz\)"):
        ask(table(), groups=path)
    with pytest.raises(DesignError, match="'s1' is a team, and a system without a team"):
        ask(table(), groups={"s0": "s1"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("F1-1 a\nnone b\n", "groups.txt:2: the groups name 1 system (none)"),
        ("F1-1 a b\n", "3 columns where a file of groups has 2: system group"),
        ("F1-1 a\nF1-1 b\n", "this system appears twice"),
        ("", "groups.txt"),
        (None, "there is no such file"),
    ],
)
def test_the_command_refuses_bad_groups(run: Irgauge, demo: Path, tmp_path: Path, text: str | None, said: str) -> None:
    path, page = tmp_path / "groups.txt", tmp_path / "page.html"
    if text is not None:
        path.write_text(text)
    files = (demo / "qrels.txt", demo / "runs", "--groups", path, "-q")
    for code, _, err in (run("report", *files, "-o", page), run("teams", *files)):
        assert code == 2
        assert said in err
    assert not page.exists()


def test_the_command_shows_teams(run: Irgauge, demo: Path, tmp_path: Path) -> None:
    path, page = tmp_path / "groups.txt", tmp_path / "page.html"
    path.write_text("F1-1 one\nF1-2 one\nF2-1 two\n")
    few = ("--shards", "none", "--images", 2, "--resamples", 1, "-m", "AP", "-q")
    code, _, err = run("report", demo / "qrels.txt", demo / "runs", "--groups", path, "-o", page, *few)
    assert code == 0, err
    assert "is the best of 3 teams" in page.read_text()
