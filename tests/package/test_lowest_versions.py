"""The lowest versions of dependencies that are declared, with all extras, on the lowest Python."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from package.environment import ROOT, Environment
from package.test_project_files import PROJECT

EXTRAS = PROJECT["optional-dependencies"]
DECLARED = [Requirement(text) for text in chain(PROJECT["dependencies"], *EXTRAS.values())]
SOME = (
    "cli/test_cli.py",
    "lab/test_clusters.py",
    "lab/test_index.py",
    "reading/test_collection.py",
    "show/test_figure.py",
    "show/test_table.py",
    "test_api.py",
)
LOWEST = tuple(map(int, re.findall(r"\d+", PROJECT["requires-python"])))


def lowest() -> list[str]:
    """Every dependency, bound to the lowest version that is declared."""
    return [f"{one.name}=={bound}" for one in DECLARED for bound in bounds(one)]


def bounds(one: Requirement) -> list[str]:
    return [specifier.version for specifier in one.specifier if specifier.operator == ">="]


def test_every_dependency_has_a_lowest_version() -> None:
    assert [one.name for one in DECLARED if len(bounds(one)) != 1] == []


@pytest.fixture(scope="module")
def old(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    if sys.version_info[:2] != LOWEST:
        pytest.skip(f"the lowest versions go with Python {PROJECT['requires-python']}")
    environment = Environment.empty(tmp_path_factory.mktemp("lowest"))
    tools = [f"{name}=={version(name)}" for name in ("pytest", "hypothesis")]
    environment.install(f"{wheel}[{','.join(EXTRAS)}]", *tools, constraints=lowest())
    return environment


def test_some_of_the_tests_pass(old: Environment) -> None:
    shown = old.run("pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{one}" for one in SOME), folder=ROOT)
    assert int(re.findall(r"(\d+) passed", shown)[0]) > 100


def test_a_report_is_made(old: Environment, demo: Path, tmp_path: Path) -> None:
    small = ("-m", "AP", "--shards", "even:2", "--resamples", "1", "--images", "2", "-q")
    old.run("irgauge", "report", demo / "qrels.txt", demo / "runs", *small, "-o", tmp_path / "report.html")
    assert "Content-Security-Policy" in (tmp_path / "report.html").read_text()


def test_workers_of_a_cluster_find_the_same(old: Environment, demo: Path) -> None:
    asked = ("partition", demo / "qrels.txt", demo / "runs", "-m", "AP", "--splits", "2", "--fill", "drop", "-q")
    here, there = (old.run("irgauge", *asked, "--format", "csv", *more) for more in ((), ("--scheduler", "local:1")))
    assert here.count("AP,") == 6
    assert here == there
