"""What editors and type checkers know of irgauge, and what help says."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import irgauge as ig
from irgauge.scoring.catalogue import RECORDS
from website import names, reference

PROGRAM = """# pyright: strict
import irgauge as ig

def compared(runs: ig.Collection) -> float:
    result = ig.compare(runs, ig.nDCG @ 10, test="{test}", correction="holm", population="topics")
    ig.compare(ig.score(runs, "AP"))
    ig.anova(ig.measure(runs, "AP", shards="even:2"))
    return float(result.comparison.p_matrix[0, 0])

text: str = ig.__version__
measure: ig.Measure = ig.{measure}
"""
PROGRAMS = {"right": ("tukey", "nDCG"), "wrong_test": ("tuckey", "nDCG"), "wrong_measure": ("tukey", "nDCGG")}


def test_the_types_of_names_are_those_of_the_registries() -> None:
    assert names.PLACE.read_text(encoding="utf-8") == names.content(), "run `make names`"


def test_the_reference_in_the_repository_is_what_the_code_says() -> None:
    kept = reference.PLACE.read_text(encoding="utf-8")
    assert kept == reference.page(kept), "run `make names`"


def test_mypy_accepts_choices_and_measures_and_refuses_others(tmp_path: Path) -> None:
    for name, (test, measure) in PROGRAMS.items():
        (tmp_path / f"{name}.py").write_text(PROGRAM.format(test=test, measure=measure))
    command = [sys.executable, "-m", "mypy", "--strict", *(str(tmp_path / f"{name}.py") for name in PROGRAMS)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own program
    errors = [line for line in run.stdout.splitlines() if ": error: " in line]
    assert [Path(line.split(":")[0]).stem for line in sorted(errors)] == ["wrong_measure", "wrong_test"], run.stdout
    assert 'Module has no attribute "nDCGG"' in run.stdout
    assert 'Argument "test" to "compare" has incompatible type "Literal[\'tuckey\']"' in run.stdout


def test_pyright_accepts_what_a_program_makes_of_verbs_and_refuses_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1")  # asks for no newer version of itself
    for name, (test, measure) in PROGRAMS.items():
        (tmp_path / f"{name}.py").write_text(PROGRAM.format(test=test, measure=measure))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own program
    errors = {(Path(error["file"]).stem, error["rule"]) for error in json.loads(run.stdout)["generalDiagnostics"]}
    assert {name for name, _ in errors} == {"wrong_test", "wrong_measure"}, run.stdout
    assert errors > {("wrong_test", "reportArgumentType"), ("wrong_measure", "reportAttributeAccessIssue")}


def test_a_misspelt_name_is_an_error_that_says_what_is_meant() -> None:
    with pytest.raises(AttributeError, match=r"module 'irgauge' has no attribute 'nDCGG'; did you mean nDCG\?"):
        ig.nDCGG  # type: ignore[attr-defined]  # noqa: B018  # it is looked up
    with pytest.raises(AttributeError, match=r"no attribute 'xyzzyxyzzy'$"):
        ig.xyzzyxyzzy  # type: ignore[attr-defined]  # noqa: B018  # it is looked up


def test_it_says_its_version_and_what_measures_are() -> None:
    assert ig.__version__ == version("irgauge")
    for record in RECORDS:
        assert record.explanation in (getattr(ig, record.name).__doc__ or "")


@pytest.mark.parametrize("name", ["compare", "load", "gate", "report"])
def test_help_has_parameters_choices_what_it_gives_and_an_example(name: str) -> None:
    text = getattr(ig, name).__doc__
    assert all(part in text for part in ("\nParameters\n----------\n", "\nReturns\n-------\n", ">>> "))
    if name == "compare":
        assert "One of: none, bonferroni, holm, hochberg, bh, by." in " ".join(text.split())
