"""The lock files: all that is declared, in versions that are allowed, with hashes; made by `make lock`."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from package.environment import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
GROUPS = PROJECT["dependency-groups"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
USED = [*PROJECT["project"]["dependencies"], *chain(*EXTRAS.values()), *GROUPS["build"]]
LOCKED = {
    "ci": [*USED, *(text for text in chain(GROUPS["dev"], GROUPS["docs"]) if isinstance(text, str))],
    "image": USED,
    "release": GROUPS["release"],
}
files = pytest.mark.parametrize("name", LOCKED)


def text_of(name: str) -> str:
    return Path(ROOT / "requirements" / f"{name}.txt").read_text()


def versions(name: str) -> dict[str, set[str]]:
    """The versions of each package, which may differ from system to system."""
    found: dict[str, set[str]] = {}
    for package, version in re.findall(r"^([\w.-]+)==([\w.]+)", text_of(name), re.MULTILINE):
        found.setdefault(canonicalize_name(package), set()).add(version)
    return found


@files
def test_all_that_is_declared_is_locked_in_a_version_that_is_allowed(name: str) -> None:
    locked = versions(name)
    for requirement in map(Requirement, LOCKED[name]):
        allowed = locked.get(canonicalize_name(requirement.name), set())
        assert allowed, f"{requirement} is not locked; run make lock"
        assert all(map(requirement.specifier.contains, allowed)), f"{requirement} has changed; run make lock"


@files
def test_every_package_has_hashes_and_no_place_is_named(name: str) -> None:
    lines = text_of(name).splitlines()
    pinned = [place for place, line in enumerate(lines) if "==" in line.split(";")[0]]
    assert len(pinned) > 40
    assert all(lines[place + 1].startswith("    --hash=sha256:") for place in pinned)
    others = [line for line in lines if not re.match(r"#|    --hash=sha256:[0-9a-f]{64}|[\w.-]+==", line)]
    assert others == []
    assert "://" not in text_of(name)


def test_the_image_and_the_tests_have_the_same_versions() -> None:
    tested = versions("ci")
    assert {package for package, locked in versions("image").items() if locked != tested[package]} == set()
