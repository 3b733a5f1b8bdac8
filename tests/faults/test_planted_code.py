"""Code that others planted, in a folder of data or where they can write, is not run: neither settings nor pickles."""

from __future__ import annotations

import os
import pickle
import pwd
import subprocess
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from irgauge.cli import program
from irgauge.compute.jit_cache import check_own

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders have modes and owners on POSIX")
OTHER = 12345  # a user
KERNEL = """
from irgauge.compute.jit import kernel

@kernel
def double(a):
    return 2 * a
"""


class Hostile:
    """What writes a file when it is unpickled."""

    def __init__(self, ran: Path) -> None:
        self.ran = ran

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.ran,)


class Kernel:
    """A module with a kernel, whose compiled code can be kept."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "kernels.py"
        self.path.write_text(KERNEL)
        (folder / "__pycache__").touch()  # it is not kept there
        self.ran = folder / "ran"

    def double(self, number: int) -> int:
        """Call it as a new process would."""
        spec = spec_from_file_location("kernels", self.path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules["kernels"] = module
        spec.loader.exec_module(module)
        return module.double(number)

    def plant(self, cache: Path) -> None:
        """Keep compiled code in a folder, and make every file there run other code."""
        assert self.double(21) == 42
        kept = [path for path in cache.rglob("*.nb?") if path.is_file()]
        assert len(kept) == 2
        for path in kept:
            path.write_bytes(pickle.dumps(Hostile(self.ran)))


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    folder = tmp_path / "program"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "shared" / "cache"))
    monkeypatch.chdir(tmp_path)
    kernel = Kernel(folder)
    kernel.plant(tmp_path / "shared" / "cache")
    return kernel


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file belong to another user."""
    if os.getuid() == 0:
        os.chown(path, OTHER, -1, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "getuid", lambda: OTHER)


def test_what_lies_in_the_users_own_folder_is_loaded(kernel: Kernel) -> None:
    assert kernel.double(21) == 42
    assert kernel.ran.exists()


def of_another(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    give_away(cache, monkeypatch)


def open_to_all(cache: Path, _: pytest.MonkeyPatch) -> None:
    cache.chmod(0o777)


def open_folder_above(cache: Path, _: pytest.MonkeyPatch) -> None:
    cache.parent.chmod(0o777)


def open_to_a_group(cache: Path, _: pytest.MonkeyPatch) -> None:
    next(cache.iterdir()).chmod(0o775)


def open_as_temporary_folders_are(cache: Path, _: pytest.MonkeyPatch) -> None:
    next(cache.iterdir()).chmod(0o1777)


def linked(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.parent.chmod(0o777)
    Path("link").symlink_to("shared/cache")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(Path.cwd() / "link"))


def relative(_: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "shared/cache")


def open_files(cache: Path, _: pytest.MonkeyPatch) -> None:
    for path in cache.rglob("*.nb?"):
        path.chmod(0o666)


def no_home(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user whom the system does not know."""
    (Path("~") / ".cache").mkdir(parents=True)
    cache.rename(Path("~") / ".cache" / "irgauge")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", dict[int, object]().__getitem__)


def linked_files(cache: Path, _: pytest.MonkeyPatch) -> None:
    (cache.parent / "open").mkdir()
    (cache.parent / "open").chmod(0o777)
    for path in list(cache.rglob("*.nb?")):
        path.symlink_to(path.rename(cache.parent / "open" / path.name))


PLACES = (
    of_another,
    open_to_all,
    open_folder_above,
    open_to_a_group,
    open_as_temporary_folders_are,
    linked,
    relative,
    open_files,
    linked_files,
    no_home,
)


@pytest.mark.parametrize("change", PLACES, ids=lambda change: change.__name__)
def test_what_others_could_have_put_there_is_not(
    change: Callable[[Path, pytest.MonkeyPatch], None], kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(Path.cwd() / "shared" / "cache", monkeypatch)
    assert [kernel.double(21) for _ in range(2)] == [42, 42]
    assert not kernel.ran.exists()


SETTINGS = "cache_dir: {cache}\ncache_locator_classes: planted.Locator\ndisable_jit: 1\n"
CALL = """
import sys
{before}
sys.path.insert(0, {folder!r})
import irgauge.compute.jit, kernels, yaml
print(kernels.double(21), len(kernels.double.made.signatures), yaml.safe_load("1"))
"""


@pytest.mark.parametrize("before", ["", "import numba"])
def test_settings_of_numba_in_the_working_folder_are_not_read(before: str, kernel: Kernel) -> None:
    folder = kernel.path.parent
    (folder / "planted.py").write_text(f"open({str(kernel.ran)!r}, 'w')")
    settings = SETTINGS.format(cache=Path.cwd() / "shared" / "cache")
    Path(".numba_config.yaml").write_text(settings.replace("disable_jit: 1\n", "") if before else settings)
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-W", "error", "-c", CALL.format(before=before, folder=str(folder))]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # ours
    assert (shown.stdout, shown.stderr) == ("42 1 1\n", "")
    assert not kernel.ran.exists()


def test_a_temporary_folder_may_hold_what_is_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir(mode=0o700)
    tmp_path.chmod(0o1777)
    check_own(tmp_path / "own")
    tmp_path.chmod(0o777)
    with pytest.raises(PermissionError, match=f"others can write to {tmp_path}"):
        check_own(tmp_path / "own")


def test_links_belong_to_the_user_and_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("own/../own")
    (tmp_path / "own" / "whole").symlink_to(tmp_path / "link")
    check_own(tmp_path / "own" / "whole")
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(PermissionError, match="too many links"):
        check_own(tmp_path / "circle")
    give_away(tmp_path / "link", monkeypatch)
    with pytest.raises(PermissionError, match="belongs to another user"):
        check_own(tmp_path / "link")


def test_without_a_home_no_folder_of_that_name_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", ".")
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    program._leave_out_working_folder()
    assert (os.environ["HOME"], os.environ["PYTHONSAFEPATH"]) == ("/nonexistent", "1")
