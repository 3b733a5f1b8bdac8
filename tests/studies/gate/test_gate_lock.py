"""A lock holds judgments, baseline, topics and settings, and nothing else."""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import irgauge as ig
from irgauge.studies.gate.study import Gated
from oracles.gate_runs import BASE, QRELS, lower, ranked, write_qrels, write_run


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments, a baseline and two candidates, locked."""
    monkeypatch.chdir(tmp_path)
    write_qrels(Path("qrels.txt"))
    for name, ranks in {"old": BASE, "new": lower(BASE, every=9), "newer": lower(BASE, every=8)}.items():
        write_run(Path(f"{name}.run"), ranked(ranks))
    gated()
    return tmp_path


def gated(candidate: str = "new.run", **asked: Any) -> Gated:  # noqa: ANN401  # options
    usual = {"measures": ["RR:1%", "P@2:0.1"], "lock": "gate.lock"}
    return ig.gate(asked.pop("qrels", "qrels.txt"), asked.pop("baseline", "old.run"), candidate, **(usual | asked))


@pytest.mark.usefixtures("data")
def test_the_first_gate_writes_fingerprints_and_settings() -> None:
    kept = json.loads(Path("gate.lock").read_text())
    assert kept["judgments"] == sha256(Path("qrels.txt").read_bytes()).hexdigest()
    assert kept["baseline"] == [sha256(Path("old.run").read_bytes()).hexdigest()]
    names = json.dumps(sorted(QRELS)).encode()
    assert kept["topics"] == {"count": 30, "names": sha256(names).hexdigest()}
    assert kept["settings"] == {
        "measures": {"RR": "1%", "P@2": "0.1"},
        "alpha": 0.05,
        "missing": "zero",
        "precision": "double",
        "undecided": "3",
    }
    assert kept["method"] == {
        "irgauge": version("irgauge"),
        "test": "skewed-t",
        "correction": "holm",
        "order": "score descending, ties by docno descending",
        "undefined": "zero",
        "candidate runs": 1,
    }


@pytest.mark.parametrize("name", ["irgauge", "test", "correction", "order", "undefined"])
@pytest.mark.usefixtures("data")
def test_another_method_is_refused(name: str) -> None:
    kept = json.loads(Path("gate.lock").read_text())
    now, kept["method"][name] = kept["method"][name], "another"
    Path("gate.lock").write_text(json.dumps(kept))
    with pytest.raises(ig.InputError, match=rf"since the gate was locked, {name} changed \(from another to {now}\)"):
        gated()


@pytest.mark.usefixtures("data")
def test_a_candidate_may_not_leave_out_or_add_runs_which_would_choose_the_test() -> None:
    runs = [str(write_run(Path(f"seeds/{seed}.run"), ranked(lower(BASE, every=seed + 3)))) for seed in range(3)]
    with pytest.raises(ig.InputError, match=r"candidate runs changed \(from 1 to 3\)"):
        gated(runs)  # type: ignore[arg-type]  # several
    gated(runs, lock="seeds.lock")  # type: ignore[arg-type]  # several
    with pytest.raises(ig.InputError, match=r"locked, candidate runs changed \(from 3 to 2\); restore"):
        gated(runs[1:], lock="seeds.lock")  # type: ignore[arg-type]  # several


@pytest.mark.usefixtures("data")
def test_a_folder_is_not_called_damaged() -> None:
    with pytest.raises(ig.InputError, match="this is a folder where one file is needed"):
        gated(lock=".")


@pytest.mark.usefixtures("data")
def test_that_there_was_no_lock_is_a_warning_and_a_lock_that_holds_is_none() -> None:
    assert not gated().findings().of("locked")
    assert gated(lock="other.lock").findings().of("locked")[0].tone == "warning"


def test_candidates_may_change_and_files_may_be_moved_or_compressed(data: Path) -> None:
    locked = Path("gate.lock").read_bytes()
    moved = data / "elsewhere" / "base.run.gz"
    moved.parent.mkdir()
    moved.write_bytes(gzip.compress(Path("old.run").read_bytes()))
    gated("newer.run")
    gated(baseline=moved)
    assert Path("gate.lock").read_bytes() == locked


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"measures": ["RR:2%", "P@2:0.1"]}, "the margin of RR changed (from 1% to 2%)"),
        ({"measures": "RR:1%"}, "the measure P@2 was left out"),
        ({"measures": ["RR:1%", "P@2:0.1", "AP:0.1"]}, "the measure AP was added"),
        ({"alpha": 0.1}, "the setting alpha changed (from 0.05 to 0.1)"),
        ({"missing": "drop"}, "the setting missing changed (from zero to drop)"),
        ({"precision": "single"}, "the setting precision changed (from double to single)"),
        ({"undecided": "pass"}, "the setting undecided changed (from 3 to pass)"),
        ({"baseline": "newer.run"}, "the baseline changed (from "),
    ],
    ids=lambda one: next(iter(one)) if isinstance(one, dict) else "",
)
@pytest.mark.usefixtures("data")
def test_what_changed_is_named(asked: dict[str, Any], expected: str) -> None:
    with pytest.raises(ig.InputError) as error:
        gated(**asked)
    assert str(error.value).startswith(f"gate.lock: since the gate was locked, {expected}")
    assert str(error.value).endswith("restore what was locked, or delete the lock file to accept the change")


@pytest.mark.usefixtures("data")
def test_judgments_that_changed_are_named_with_both_fingerprints() -> None:
    before = sha256(Path("qrels.txt").read_bytes()).hexdigest()[:12]
    with Path("qrels.txt").open("a") as file:
        file.write("q01 0 y 1\n")
    after = sha256(Path("qrels.txt").read_bytes()).hexdigest()[:12]
    with pytest.raises(ig.InputError, match=rf"the judgments changed \(from {before} to {after}\)"):
        gated()


@pytest.mark.usefixtures("data")
def test_topics_that_changed_are_named_with_both_numbers() -> None:
    kept = json.loads(Path("gate.lock").read_text())
    kept["topics"]["count"] = 31
    Path("gate.lock").write_text(json.dumps(kept))
    with pytest.raises(ig.InputError, match=r"the topics changed \(from 31 with the fingerprint \w+ to 30 with the"):
        gated()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "damaged, as it is not JSON"),
        ("[" * 100_000, "damaged, as it is not JSON"),
        ('{"kind": "irgauge gate lock", "version": 3', "damaged, as it is not JSON"),
        ("[]", "no lock file of a gate, or it is damaged"),
        ('{"kind": "something else", "version": 3}', "no lock file of a gate, or it is damaged"),
        ('{"kind": "irgauge gate lock", "version": 3}', "no lock file of a gate, or it is damaged"),
        (
            '{"kind": "irgauge gate lock", "version": 4, "irgauge": "9.0", "more": 1}',
            "has version 4 of its format, and this irgauge reads version 3; use irgauge 9.0",
        ),
    ],
    ids=["empty", "nested deep", "cut off", "a list", "another kind", "without fingerprints", "another version"],
)
@pytest.mark.usefixtures("data")
def test_a_lock_that_cannot_be_read_is_an_error_and_stays(content: str, expected: str) -> None:
    Path("gate.lock").write_text(content)
    with pytest.raises(ig.InputError) as error:
        gated()
    assert str(error.value).startswith("gate.lock: ")
    assert expected in str(error.value)
    assert Path("gate.lock").read_text() == content


def test_a_lock_of_objects_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ig.DesignError, match="a lock keeps fingerprints of files"):
        ig.gate(QRELS, ranked(BASE), ranked(BASE), "RR:1%", lock=tmp_path / "gate.lock")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("data")
def test_kinds_of_topics_are_locked() -> None:
    kinds = {topic: "ab"[number % 2] for number, topic in enumerate(sorted(QRELS))}
    others = kinds | dict.fromkeys(sorted(QRELS)[:4], "a")
    for name, table in {"kinds.csv": kinds, "others.csv": others}.items():
        Path(name).write_text("topic,kind\n" + "".join(f"{topic},{kind}\n" for topic, kind in table.items()))
    asked = {"by": "kind", "lock": "kinds.lock"}
    for _ in range(2):
        gated(topics_table="kinds.csv", **asked)
    with pytest.raises(ig.InputError, match=r"locked, the kinds of topics changed \(from \w{12} to \w{12}\); restore"):
        gated(topics_table="others.csv", **asked)
