"""What runs elsewhere, the workflows and the image of a container, as far as it can be checked here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from package.environment import ROOT
from package.test_project_files import PROJECT, check, make_targets

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def steps(path: Path) -> Iterator[dict[str, Any]]:
    for job in yaml.safe_load(path.read_text())["jobs"].values():
        yield from job["steps"]


def commands(path: Path) -> list[str]:
    return [step["run"] for step in steps(path) if "run" in step]


def test_there_is_one_for_changes_one_for_the_site_and_one_for_releases() -> None:
    assert [path.stem for path in WORKFLOWS] == ["ci", "docs", "publish"]


def test_workflows_are_valid() -> None:
    checked = check("github-workflows", *WORKFLOWS)
    assert checked.returncode == 0, checked.stdout


def test_a_workflow_that_is_not_valid_is_found(tmp_path: Path) -> None:
    (tmp_path / "wrong.yml").write_text(WORKFLOWS[0].read_text().replace("runs-on:", "runs_on:"))
    assert check("github-workflows", tmp_path / "wrong.yml").returncode == 1


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_workflow_calls_exists(path: Path) -> None:
    words = [word for command in commands(path) for word in command.split()]
    targets = {after for before, after in pairwise(words) if before == "make"}
    assert targets
    assert targets <= make_targets()
    assert [word for word in words if word.startswith("tests/") and not (ROOT / word).exists()] == []


def test_the_workflow_does_what_our_own_ci_does() -> None:
    (own,) = re.findall(r"^make .*$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert own in commands(ROOT / ".github" / "workflows" / "ci.yml")


@pytest.mark.parametrize(("workflow", "last"), [("publish", "publish"), ("docs", "deploy")])
def test_only_the_job_that_publishes_may_ask_for_a_token(workflow: str, last: str) -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text())["jobs"]
    assert [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})] == [last]
    assert jobs[last]["needs"] == "build"
    assert not any("run" in step for step in jobs[last]["steps"])  # it runs nothing of ours


@pytest.mark.parametrize(("tag", "code"), [("v{}", 0), ("v{}.1", 1)])
def test_a_tag_that_is_not_the_version_publishes_nothing(tag: str, code: int) -> None:
    (test,) = [one for one in commands(ROOT / ".github" / "workflows" / "publish.yml") if one.startswith("test ")]
    named = os.environ | {"GITHUB_REF_NAME": tag.format(version("irgauge"))}
    shell = ["/bin/sh", "-c", test.replace(".venv/bin/irgauge", str(Path(sys.executable).with_name("irgauge")))]
    assert subprocess.run(shell, env=named, check=False).returncode == code  # noqa: S603  # our own


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    used = re.findall(r"uses: (.*)", path.read_text())
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)] == []


def test_what_workflows_and_the_image_install_is_pinned_by_hash() -> None:
    lines = [line for path in WORKFLOWS for line in commands(path)] + [rest for _, rest in instructions()]
    installs = [part for line in lines for part in line.split("&&") if "pip install" in part]
    assert len(installs) == 4
    assert [part for part in installs if "--require-hashes" not in part and "--no-deps" not in part] == []


def test_a_release_is_audited_and_lists_what_it_needs() -> None:
    assert {"make audit", "make sbom"} <= {*commands(ROOT / ".github" / "workflows" / "publish.yml")}


def instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines]


def test_the_image_runs_the_command_line_and_not_as_root() -> None:
    said = dict(instructions())
    assert instructions()[0][0] == "FROM"
    assert json.loads(said["ENTRYPOINT"]) == ["irgauge"]
    assert said["USER"] not in ("root", "0")


def test_the_image_stands_on_one_that_is_pinned_and_has_no_folder_that_all_can_write() -> None:
    assert re.fullmatch(r"python:3\.\d+-slim@sha256:[0-9a-f]{64}", dict(instructions())["FROM"])
    assert not re.search(r"chmod|mkdir -m", (ROOT / "Dockerfile").read_text())


def test_what_the_image_copies_is_there_and_is_all_that_is_sent() -> None:
    copied = {word for name, rest in instructions() if name == "COPY" for word in rest.split()[:-1]}
    assert [word for word in copied if not (ROOT / word).exists()] == []
    first, *kept = (ROOT / ".dockerignore").read_text().split()
    assert first == "*"
    assert {word.removeprefix("!") for word in kept} == copied


def test_the_image_has_what_the_package_is_built_from() -> None:
    needed = {"pyproject.toml", "src", PROJECT["readme"], *PROJECT["license-files"]}
    assert needed <= {word.removeprefix("!") for word in (ROOT / ".dockerignore").read_text().split()}
