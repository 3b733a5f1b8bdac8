"""`irgauge simulate`, and the verb behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import irgauge
from irgauge.reading.collection import load
from irgauge.replicates.instances import score_instances
from irgauge.replicates.labels import labelling
from irgauge.simulation.instances import InstanceTruth
from irgauge.simulation.truth import Truth

Irgauge = Callable[..., tuple[int, str, str]]


def test_simulate_writes_a_collection_that_can_be_scored(run: Irgauge, tmp_path: Path) -> None:
    small = ["--systems", "4", "--families", "2", "--topics", "5", "--depth", "20", "--corpus-size", "200"]
    code, _, err = run("simulate", "-o", tmp_path / "demo", *small, "--truth-topics", "10", "--equal", "2")
    assert code == 0
    assert "wrote" in err
    truth = json.loads((tmp_path / "demo" / "truth.json").read_text())
    means = truth["measures"]["AP"]
    assert means["F1-1"] == means["F1-2"]
    assert run("score", tmp_path / "demo" / "qrels.txt", tmp_path / "demo" / "runs")[0] == 0


def test_simulate_refuses_an_impossible_design(run: Irgauge, tmp_path: Path) -> None:
    code, _, err = run("simulate", "-o", tmp_path / "demo", "--systems", "2", "--families", "3")
    assert code == 2
    assert "2 systems cannot make 3 families" in err
    assert not (tmp_path / "demo").exists()


INSTANCES = ["--topics", "5", "--depth", "20", "--corpus-size", "200", "--truth-topics", "10"]


def test_simulate_writes_instances_with_their_manifest_and_truth(run: Irgauge, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    code, out, err = run("simulate", "-o", folder, "--instances", "2", *INSTANCES)
    assert (code, out) == (0, "")
    assert "9 runs of 5 algorithms on 5 topics, with their manifest and their truth over 10 others" in err
    lines = (folder / "manifest.txt").read_text().splitlines()
    assert lines[:3] == ["exhaustive exhaustive", "sampled-0.1.1 sampled-0.1 1", "sampled-0.1.2 sampled-0.1 2"]
    scores = score_instances(load(folder / "qrels.txt", folder / "runs"), "AP", labelling(folder / "manifest.txt"))
    assert scores.instance_counts.tolist() == [1, 2, 2, 2, 2]
    truth = json.loads((folder / "truth.json").read_text())
    assert tuple(truth["measures"]["AP"]["algorithms"]) == scores.algorithms
    assert run("score", folder / "qrels.txt", folder / "runs")[0] == 0


def test_simulate_gives_the_same_instances_for_a_seed(run: Irgauge, tmp_path: Path) -> None:
    for name in ("a", "b"):
        shown = run("simulate", "-o", tmp_path / name, "--instances", "1", "--seed", "5", "-q", *INSTANCES)
        assert shown == (0, "", "")
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
        for folder in (tmp_path / "a", tmp_path / "b")
    )
    assert first == second
    assert len(first) == 8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--instances", "0"], "instances=0 is not possible; it is from 1 to"),
        (["--instances", "2", "--equal", "2"], "'equal' cannot be given beside 'instances'"),
        (["--instances", "2", "--systems", "20"], "'systems' cannot be given beside 'instances'"),
        (["--instances", "2", "--truth-topics", "1"], "the truth is taken over at least 2"),
    ],
)
def test_simulate_refuses_impossible_instances(options: list[str], message: str, run: Irgauge, tmp_path: Path) -> None:
    code, _, err = run("simulate", "-o", tmp_path / "demo", "--topics", "3", "--depth", "20", *options)
    assert code == 2
    assert message in err
    assert not (tmp_path / "demo").exists()


def test_the_verb_makes_what_the_command_writes(run: Irgauge, tmp_path: Path) -> None:
    assert run("simulate", "-o", tmp_path / "a", "-q", "--seed", "3", *INSTANCES)[0] == 0
    made = irgauge.simulate(topics=5, depth=20, corpus_size=200, seed=3)
    made.write(tmp_path / "b")
    made.truth(10).save(tmp_path / "b" / "truth.json")
    for name in ("qrels.txt", "truth.json", "runs/F1-1.run"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert isinstance(made.truth(2), Truth)
    assert repr(made).startswith("Simulated\n  runs         20 (F1-1, F1-2, F1-3, ...)")


def test_instances_have_a_truth_of_their_own() -> None:
    made = irgauge.simulate(instances=1, topics=3, depth=10, corpus_size=100)
    assert made.collection().systems[:2] == ("exhaustive", "sampled-0.1.1")
    assert isinstance(made.truth(2), InstanceTruth)
    with pytest.raises(irgauge.DesignError, match="'families' cannot be given beside 'instances'"):
        irgauge.simulate(instances=1, families=2)
