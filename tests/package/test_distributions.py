"""The source distribution and the wheel: what an index takes, and nothing but what belongs to them."""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import irgauge
from package.environment import printed

BUILT = {"__pycache__", ".venv", ".git", "dist", "demo", "site", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
COMPILED = (".pyc", ".nbi", ".nbc", ".so")
WANTED = ("LICENSE", "README.md", "CITATION.cff", "CHANGELOG.md", "Makefile", "pyproject.toml", "src/irgauge/py.typed")


def in_wheel(wheel: Path) -> set[str]:
    return set(ZipFile(wheel).namelist())


def in_sdist(dist: Path) -> set[str]:
    (found,) = dist.glob("*.tar.gz")
    with tarfile.open(found) as opened:
        return {one.name.partition("/")[2] for one in opened.getmembers() if one.isfile()}


def test_an_index_would_take_them(dist: Path) -> None:
    shown = printed(sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir())
    assert shown.count("PASSED") == 2


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    source = Path(irgauge.__file__).parent
    files = {path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    wanted = {path.relative_to(source.parent).as_posix() for path in files}
    assert {name for name in in_wheel(wheel) if ".dist-info/" not in name} == wanted
    assert [name for name in in_wheel(wheel) if name.endswith("/licenses/LICENSE")]


def test_the_sources_have_what_tests_and_readers_need(dist: Path) -> None:
    names = in_sdist(dist)
    assert not set(WANTED) - names
    for folder in ("benchmarks", "docs", "examples", "src", "tests"):
        assert any(name.startswith(f"{folder}/") for name in names), folder


def test_nothing_that_is_built_is_packed(dist: Path, wheel: Path) -> None:
    names = in_sdist(dist) | in_wheel(wheel)
    assert [name for name in names if BUILT & set(name.split("/")) or name.endswith(COMPILED)] == []
