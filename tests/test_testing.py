"""Gates in tests: what a failing one shows, and what the plugin of pytest lists."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import irgauge as ig
from irgauge.testing import UndecidedGateWarning, assert_not_worse
from oracles.gate_runs import BASE, QRELS, lower, ranked

OLD, MIXED = {"old": ranked(BASE)}, {"mixed": ranked(BASE[7:] + BASE[:7])}
TESTS = """
import math
from irgauge.testing import assert_not_worse

LOSSES = {"old": 0.0, "same": 0.001, "new": 0.2}
SCORES = {name: {f"q{t}": 0.5 + loss * math.sin(t) / 2 - loss for t in range(30)} for name, loss in LOSSES.items()}

def test_same():
    assert assert_not_worse(SCORES, "old", "same", margin=0.05).passed

def test_worse():
    assert_not_worse(SCORES, "old", "new", margin=0.05)

def test_without_a_gate():
    pass
"""


def test_a_failing_assertion_has_the_verdict_and_the_reason() -> None:
    with pytest.raises(AssertionError) as failed:
        assert_not_worse(QRELS, OLD, {"new": ranked(lower(BASE))}, "RR", margin="1%")
    verdict, *lines = str(failed.value).splitlines()
    assert verdict.startswith("fail: new is worse than old in RR (difference −0.242, ")
    assert lines[0].startswith("- In RR, new is better on 0 of 30 topics and worse on 30, most on q00 (−0.500), ")
    assert "The first 10 documents on topic q00" in lines


def test_an_undecided_gate_fails_unless_a_warning_is_asked_for() -> None:
    with pytest.raises(AssertionError, match="undecided: mixed is neither shown to be worse"):
        assert_not_worse(QRELS, OLD, MIXED, "RR", margin="1%")
    with pytest.warns(UndecidedGateWarning, match="undecided: mixed is neither shown to be worse"):
        gate = assert_not_worse(QRELS, OLD, MIXED, "RR", margin="1%", undecided="warn")
    assert gate.verdict == "undecided"
    with pytest.raises(AssertionError, match="fail: "):
        assert_not_worse(QRELS, OLD, {"new": ranked(lower(BASE))}, "RR", margin="1%", undecided="warn")
    with pytest.raises(ig.DesignError, match="an undecided gate 'pass' is unknown"):
        assert_not_worse(QRELS, OLD, MIXED, "RR", margin="1%", undecided="pass")  # type: ignore[arg-type]  # wrong


def test_bad_input_is_no_failed_assertion() -> None:
    with pytest.raises(ig.DesignError, match="RR has no margin"):
        assert_not_worse(QRELS, OLD, MIXED, "RR")


def test_the_plugin_lists_verdicts(tmp_path: Path) -> None:
    (tmp_path / "test_retrieval.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["irgauge.testing"]\n')
    arguments = ["-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "--junitxml", "out.xml", "--rootdir", "."]
    shown = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 1, shown.stdout
    listed = shown.stdout.partition("retrieval gates")[2].splitlines()[1:3]
    assert sorted(line.split(" is ")[0] for line in listed) == [
        "test_retrieval.py::test_same: pass: same",
        "test_retrieval.py::test_worse: fail: new",
    ]
    assert "new is better on 0 of 30 topics and worse on 30, most on q11 (" in shown.stdout
    cases = {case.get("name"): case.findall(".//property") for case in ET.parse(tmp_path / "out.xml").iter("testcase")}  # noqa: S314  # our own file
    assert [len(cases[name]) for name in ("test_same", "test_worse", "test_without_a_gate")] == [1, 1, 0]


def test_it_is_light_to_import() -> None:
    code = (
        "import sys, irgauge.testing; print({'numpy', 'numba', 'scipy', 'polars', 'pytest', 'typer'} & {*sys.modules})"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  # ours
    assert shown.stdout == "set()\n"
