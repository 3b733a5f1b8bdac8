"""Compiled code that is damaged, cannot be kept, or is made by several processes at once: results stay the same."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from irgauge.compute import compilation

_KERNEL = """
from irgauge.compute.jit import kernel
from irgauge.compute.compilation import on_trouble

on_trouble(lambda reason: print("trouble:", reason))

@kernel
def double(a):
    return 2 * a
"""
_CALL = "import kernels\nprint(kernels.double(21), len(kernels.double.made.stats.cache_hits))"
_WITHOUT_FOLDERS = """
import tempfile

def fail(dir=None, **_):
    raise OSError(30, "Read-only file system")

given, tempfile.TemporaryFile = tempfile.TemporaryFile, fail
"""


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """A folder with a module that has a kernel."""
    (tmp_path / "kernels.py").write_text(_KERNEL)
    return tmp_path


def call(folder: Path, before: str = "", **environment: str) -> str:
    """What a process of its own prints that calls the kernel twice as large, and how often it was found compiled."""
    given = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}", **environment}
    command = [sys.executable, "-W", "error", "-c", f"{before}\n{_CALL}"]
    return subprocess.run(command, env=given, capture_output=True, text=True, check=True).stdout  # noqa: S603  # ours


def test_damaged_code_is_compiled_again_and_kept(kernels: Path) -> None:
    cache = kernels / "cache"
    assert call(kernels, NUMBA_CACHE_DIR=str(cache)) == "42 0\n"
    assert call(kernels, NUMBA_CACHE_DIR=str(cache)) == "42 1\n"
    for ending, size in (("nbi", 0), ("nbi", 40), ("nbc", 1), ("nbc", 400)):
        (path,) = cache.rglob(f"*.{ending}")
        path.write_bytes(path.read_bytes()[:size])
        assert call(kernels, NUMBA_CACHE_DIR=str(cache)) == "42 0\n"
    assert call(kernels, NUMBA_CACHE_DIR=str(cache)) == "42 1\n"


_OTHERS = """
import numpy as np
from irgauge.compute.jit import inlined, kernel

FACTOR = {factor}

@kernel
def inner(a):
    return a + {added}

@inlined
def outer(a):
    return inner(a)
"""
_CALLS = """
import others
from irgauge.compute.jit import kernel
from others import FACTOR, outer

@kernel
def double(a):
    return FACTOR * outer(a) + others.FACTOR
"""


def test_what_is_compiled_is_made_again_where_anything_that_it_calls_or_uses_has_changed(kernels: Path) -> None:
    (kernels / "kernels.py").write_text(_CALLS)
    shown = []
    for factor, added in ((2, 1), (2, 1), (2, 3), (3, 3)):
        (kernels / "others.py").write_text(_OTHERS.format(factor=factor, added=added))
        shown.append(call(kernels, NUMBA_CACHE_DIR=str(kernels / "cache"), PYTHONDONTWRITEBYTECODE="1"))
    assert shown == ["46 0\n", "46 1\n", "50 0\n", "75 0\n"]


def test_where_no_folder_can_be_written_it_is_compiled_each_time_and_told(kernels: Path) -> None:
    told = "trouble: no folder for it can be written by you alone\n42 0\n"
    assert call(kernels, _WITHOUT_FOLDERS, HOME="/nonexistent", TMPDIR=str(kernels)) == told
    assert [path.name for path in kernels.rglob("*.nb?")] == []


def test_a_full_disk_is_told_and_the_result_is_there(kernels: Path) -> None:
    full = "import numba.core.caching as caching\n" + _failing("caching.IndexDataCacheFile.save", errno.ENOSPC)
    assert call(kernels, full) == "trouble: No space left on device\n42 0\n"


def _failing(what: str, error: int) -> str:
    return f"def fail(*_): raise OSError({error}, {os.strerror(error)!r})\n{what} = fail"


@pytest.mark.skipif(os.name != "posix", reason="folders have modes and owners on POSIX")
def test_the_last_resort_is_a_temporary_folder_that_only_the_user_can_write(kernels: Path) -> None:
    temporary = kernels / "tmp"
    temporary.mkdir()
    (kernels / "__pycache__").touch()
    environment = {"TMPDIR": str(temporary), "HOME": "/dev/null", "XDG_CACHE_HOME": ""}
    assert [call(kernels, **environment) for _ in range(2)] == ["42 0\n", "42 1\n"]
    (made,) = temporary.iterdir()
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    made.chmod(0o777)  # anyone could have put code there
    assert call(kernels, **environment) == "trouble: no folder for it can be written by you alone\n42 0\n"


def test_the_first_trouble_is_told_to_who_asks_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "TROUBLE", compilation.Trouble())
    told: list[str] = []
    compilation.TROUBLE.note("first")
    compilation.TROUBLE.note("second")
    compilation.on_trouble(told.append)
    assert told == ["first"]


def test_cold_compilers_side_by_side_give_the_same_and_keep_it(kernels: Path) -> None:
    cache = str(kernels / "cache")
    with ThreadPoolExecutor(3) as pool:
        assert set(pool.map(lambda _: call(kernels, NUMBA_CACHE_DIR=cache).split()[0], range(3))) == {"42"}
    assert call(kernels, NUMBA_CACHE_DIR=cache) == "42 1\n"


_FIRST = "from irgauge.compute.jit_cache import is_first_use\nprint(is_first_use(), is_first_use())"


def test_the_first_use_is_the_first_of_all_processes_that_share_a_folder(kernels: Path) -> None:
    cache = str(kernels / "cache")
    first, second = (call(kernels, _FIRST, NUMBA_CACHE_DIR=cache).splitlines()[0] for _ in range(2))
    assert (first, second) == ("True False", "False False")
    without = _WITHOUT_FOLDERS + _FIRST
    assert call(kernels, without, HOME="/nonexistent", TMPDIR=str(kernels)).splitlines()[0] == "True True"
