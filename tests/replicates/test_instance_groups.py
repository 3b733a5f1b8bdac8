"""Groups of instances, such as runs on one map of shards: their means are the instances that claims rest on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.inference import instance_tests
from irgauge.inference.instance_tests import Claiming, Pair, squares_of
from irgauge.reading.collection import Collection, load
from irgauge.replicates.instances import InstanceScores
from irgauge.replicates.labels import Label, labelling

RUNS = {"e": None, **{f"s-{group}.{number}": group for group in "xyz" for number in "12"}}
MANIFEST = "e e\n" + "".join(f"{run} s {run[2:]} {group}\n" for run, group in RUNS.items() if group)
RNG = np.random.default_rng(5)
QRELS = {f"q{topic}": {f"d{n}": 1 for n in range(3)} for topic in range(6)}
LISTS = {run: {topic: {f"d{n}": float(RNG.random()) for n in range(9)} for topic in QRELS} for run in RUNS}


@pytest.fixture
def collection() -> Collection:
    return load(QRELS, LISTS)


def test_means_over_groups_are_compared_as_a_table_of_them_is(collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "manifest").write_text(MANIFEST)
    result = ig.instances(collection, "AP", manifest=tmp_path / "manifest", baseline="e", posterior=False)
    rows = (
        ig.score(collection, "AP")
        .scores.frame()
        .with_columns(
            pl.col("system").str.slice(0, 1).alias("algorithm"), pl.col("system").str.slice(2, 1).alias("instance")
        )
    )
    means = rows.group_by("algorithm", "instance", "topic", maintain_order=True).agg(pl.col("score").mean())
    expected = ig.instances(InstanceScores.from_frame(means), baseline="e", posterior=False)
    assert result.contrasts[0] == pytest.approx(expected.contrasts[0])
    assert result.scores.instances == ("e", "x", "y", "z")
    assert result.population == "other topics and other groups of instances of the algorithms, of e this run only"
    assert [str(finding) for finding in result.findings() if finding.kind == "grouped"] == [
        "The means over 3 groups of 6 runs are the instances: runs of a group share what is random too, and claims "
        "cover other groups."
    ]
    assert {single.tests for single in result.singles} == {6}  # of runs, not of groups
    planned = ig.plan(collection, "AP", manifest=tmp_path / "manifest")
    for method in (result.provenance, planned.provenance):
        assert "instances are means over groups of runs, of 7 in all" in [fact.text for fact in method.facts]


@pytest.mark.parametrize("pattern", ["{algorithm}-{group}.{seed}", "e"])
def test_groups_are_named_by_patterns_and_labels_too(pattern: str, collection: Collection) -> None:
    if pattern == "e":
        given = {run: ("s", run[2:], group) if group else ("e", None) for run, group in RUNS.items()}
        result = ig.instances(collection, "AP", labels=given, posterior=False)
    else:
        result = ig.instances(collection, "AP", pattern=[pattern, "{algorithm}"], posterior=False)
    assert result.scores.instances[-3:] == ("x", "y", "z") or result.scores.instances[:3] == ("x", "y", "z")


def test_an_instance_of_a_group_is_one_run(collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "manifest").write_text("s-x.1 s 1 x\ns-x.2 s 1 x\n")
    pair = collection.only(["s-x.1", "s-x.2"])
    with pytest.raises(ig.InputError, match="are instance '1' of algorithm 's'"):
        labelling(tmp_path / "manifest")(pair)


def grouped(names: list[str | None], *, algorithms: tuple[int, ...] = (0, 0, 0, 0)) -> InstanceScores:
    values = np.arange(2.0 * len(names)).reshape(-1, 2) ** 2
    instance, topic = np.indices(values.shape).reshape(2, -1)
    codes = np.array(algorithms)
    return InstanceScores(
        tuple(f"a{number}" for number in range(codes.max() + 1)),
        tuple(map(str, range(len(names)))),
        ("1", "2"),
        codes,
        instance,
        topic,
        values.ravel(),
        groups=tuple(names),
    )


def test_groups_in_part_are_refused_and_one_group_changes_nothing() -> None:
    assert grouped(["x", "x", "y", "y"]).by_group().cells().tolist() == [[2.0, 5.0], [26.0, 37.0]]
    alone = grouped(["x"] * 4)
    assert alone.by_group() is alone
    with pytest.raises(DesignError, match="'a0' has instances with a group and instances without; name the group"):
        grouped(["x", "x", None, "y"]).by_group()
    with pytest.raises(DesignError, match="all runs of algorithm 'a1' are of one group, and others have several"):
        grouped(["x", "y", "z", "z"], algorithms=(0, 0, 1, 1)).by_group()


def test_groups_stay_with_their_instances() -> None:
    scores = grouped(["x", "y", "u", "v"], algorithms=(0, 0, 1, 1))
    assert scores.only(["a1", "a0"]).groups == ("u", "v", "x", "y")
    assert replace(scores, instances=("3", "2", "1", "0")).by_name().groups == ("y", "x", "v", "u")


def drawn(rng: np.random.Generator, maps: int, runs: int, topics: int = 25) -> InstanceScores:
    """A fixed algorithm and a random one that is as good: maps differ, and runs of a map less."""
    by_topic = rng.normal(0.4, 0.2, topics) + rng.normal(0, 0.02, (2, topics))  # algorithm, topic
    of_maps = np.repeat(rng.normal(0, 0.03, maps), runs)
    values = by_topic[1] + (of_maps + rng.normal(0, 0.005, maps * runs))[:, None]
    values = np.vstack([by_topic[:1], values + rng.normal(0, 0.03, values.shape)])
    instance, topic = np.indices(values.shape).reshape(2, -1)
    names = [str(number) for number in range(maps * runs + 1)]
    labels = [Label("e", names[0]), *(Label("s", names[1 + n], f"m{n // runs}") for n in range(maps * runs))]
    return InstanceScores(
        ("e", "s"),
        tuple(names),
        tuple(map(str, range(topics))),
        np.array([0] + [1] * (maps * runs)),
        instance,
        topic,
        values.ravel(),
        groups=tuple(label.group for label in labels),
    )


def test_claims_hold_for_other_maps() -> None:
    """Runs that count as if they shared no map differ significantly far too often; means over maps do not."""
    rng = np.random.default_rng(7)
    asked = Claiming(0.01, 0.05, "none")
    pairs = [Pair("s", "e")]
    wrong = {"runs": 0, "maps": 0}
    for _ in range(200):
        scores = drawn(rng, maps=10, runs=10)
        for name, counted in (("runs", scores), ("maps", scores.by_group())):
            contrast = instance_tests.tested_by_squares(squares_of(counted, pairs), "nested", 2, asked).contrasts[0]
            wrong[name] += contrast.p <= 0.05
    assert wrong["runs"] > 200 * 0.2
    assert wrong["maps"] <= 200 * 0.05 + 3 * np.sqrt(200 * 0.05 * 0.95)
