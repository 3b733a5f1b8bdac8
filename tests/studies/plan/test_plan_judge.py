"""Plans of topics by people and others by a judge: the study and its command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from conftest import Irgauge
from irgauge.errors import DesignError
from irgauge.planning.judged import people_and_judge
from irgauge.planning.sizes import Goal, topics_for

TOPICS, PEOPLE, SYSTEMS = 120, 30, ("a", "b", "c", "d")


def tables() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Scores by people on a quarter of the topics, and by a judge on all; on odd topics systems hardly differ."""
    rng = np.random.default_rng(4)
    spread = np.where(np.arange(TOPICS) % 2, 0.01, 0.2)[:, None]
    taste = spread * rng.standard_normal((TOPICS, len(SYSTEMS)))
    judged = 0.5 + taste
    people = 0.5 + 0.8 * taste + 0.5 * spread * rng.standard_normal(taste.shape)
    names = [(str(t), system) for t in range(TOPICS) for system in SYSTEMS]
    rows = [[(*name, score) for name, score in zip(names, own.ravel(), strict=True)] for own in (people, judged)]
    schema = ["topic", "system", "score"]
    by_people, by_judge = (pl.DataFrame(own, schema, orient="row").with_columns(measure=pl.lit("AP")) for own in rows)
    return by_people.filter(pl.col("topic").cast(int) < PEOPLE), by_judge


def test_topics_by_people_and_by_the_judge_are_planned_for_together() -> None:
    people, judged = tables()
    result = ig.plan(people, judge={"model": judged}, width=0.04, cost_topic=40, cost_judged=1)
    pair, designs = result.first.pair, result.first.designs
    d, f = (_differences(own, pair.system, pair.against) for own in (people, judged))
    seen = people_and_judge(d, f[:PEOPLE], f[PEOPLE:])
    goal = Goal("width", 0.04, level=0.05 / 6)
    assert [own.replicates for own in designs] == [0, 50, 90, 100, 200, 500, 1000, 2000, 5000]
    assert [own.topics for own in designs] == [topics_for(seen.variances, own.replicates, goal) for own in designs]
    assert [own.cost for own in designs[:2]] == [40 * (designs[0].topics or 0), 41 * (designs[1].topics or 0) + 50]
    assert result.first.cheapest is not None
    assert (result.first.cheapest.cost or np.inf) <= min(own.cost or np.inf for own in designs)
    assert result.here == (PEOPLE, TOPICS - PEOPLE)
    said = " ".join(finding.text for finding in result.findings())
    assert f"{designs[0].topics:,} topics by people alone" in said
    assert "there are 30 topics by people and 90 more by the judge" in said


def _differences(table: pl.DataFrame, first: str, second: str) -> np.ndarray:
    wide = table.pivot("system", index="topic", values="score", maintain_order=True)
    return (wide[first] - wide[second]).to_numpy()


def test_people_are_given_topics_where_their_differences_vary_most() -> None:
    people, judged = tables()
    result = ig.plan(people, judge={"model": judged}, width=0.04)
    following = result.frame("next")
    waiting = following.filter(pl.col("place").is_not_null()).sort("place")
    assert len(following) == TOPICS
    assert set(waiting["topic"]) == {str(t) for t in range(PEOPLE, TOPICS)}
    assert all(int(topic) % 2 == 0 for topic in waiting["topic"][:20])
    assert result.people_next is not None
    assert float(sum(own.share for own in result.people_next.strata)) == pytest.approx(1)
    other = ig.plan(people, judge={"model": judged}, width=0.04, seed=1).frame("next")
    assert set(other["topic"][PEOPLE:]) == set(waiting["topic"])
    assert other["topic"].to_list() != following["topic"].to_list()


def test_a_judge_without_other_topics_is_planned_with() -> None:
    people, judged = tables()
    result = ig.plan(people, judge={"model": judged.filter(pl.col("topic").is_in(people["topic"].to_list()))})
    assert (result.people_next, result.here) == (None, (PEOPLE, 0))
    assert result.frame("next").is_empty()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judge": {"a": 1, "b": 2}}, "2 judges are given; a plan is with one at a time"),
        ({"judge": {"a": 1}, "shards": "even:5"}, "'shards' is of shards, instances, wordings or documents"),
        ({"judge": {"a": 1}, "variants": "wording"}, "'variants' is of shards, instances, wordings or documents"),
        ({"cost_judged": 1.0}, "'cost_judged' is of a judge, and none is given"),
        ({"depth": 5}, "'depth' is of files that are read"),
    ],
)
def test_what_cannot_be_planned_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        ig.plan(tables()[0], width=0.04, **options)


def test_the_command_writes_the_topics_to_give_to_people_next(run: Irgauge, tmp_path: Path) -> None:
    simulated = ig.simulate(topics=30, systems=3, families=2, depth=20, corpus_size=200, judge="noise=0.1", seed=3)
    simulated.write(tmp_path / "made")
    lines = (tmp_path / "made" / "qrels.txt").read_text().splitlines(keepends=True)
    topics = list(dict.fromkeys(line.split()[0] for line in lines))
    few, listed = tmp_path / "people.txt", tmp_path / "next.csv"
    few.write_text("".join(line for line in lines if line.split()[0] in topics[::2]))
    files = [str(few), str(tmp_path / "made" / "runs"), "--judge", f"model={tmp_path / 'made' / 'judge.qrels'}"]
    code, out, err = run("plan", *files, "--topics", "judged", "--width", "0.1", "--next", str(listed))
    assert (code, "by people and" in " ".join(out.split())) == (0, True), err
    written = pl.read_csv(listed, schema_overrides={"topic": pl.String})
    assert written.columns == ["topic", "stratum", "place"]
    assert set(written.filter(pl.col("place").is_not_null())["topic"]) == set(topics) - set(topics[::2])
