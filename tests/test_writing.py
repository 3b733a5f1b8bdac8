"""Writing all or nothing: links, modes, pipes, devices, full disks, and what a killed process left."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from irgauge.errors import InputError
from irgauge.files.writing import check_folder, check_free, check_place, clear_up, filling, write

posix = pytest.mark.skipif(os.name != "posix", reason="links, modes, pipes and devices are those of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def inside(folder: Path) -> dict[str, str]:
    """The text of every file below a folder."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


# a file


def test_the_content_takes_the_place_of_the_old_and_nothing_else_is_left(tmp_path: Path) -> None:
    for content, text in (("new\n", "new\n"), (b"bytes", "bytes"), (memoryview(b"view"), "view")):
        write(tmp_path / "out.csv", content)
        assert inside(tmp_path) == {"out.csv": text}
        assert len(list(tmp_path.iterdir())) == 1


def test_what_is_not_unicode_is_written_as_an_escape(tmp_path: Path) -> None:
    write(tmp_path / "out.json", '"caf\udce9"')
    assert inside(tmp_path) == {"out.json": '"caf\\udce9"'}


def test_a_name_as_long_as_the_file_system_takes_can_be_written(tmp_path: Path) -> None:
    name = "x" * 251 + ".csv"
    write(tmp_path / name, "new")
    assert inside(tmp_path) == {name: "new"}


@posix
def test_a_new_file_has_the_mode_of_new_files_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    (tmp_path / "opened").write_text("")
    write(tmp_path / "written", "new")
    assert mode(tmp_path / "written") == mode(tmp_path / "opened")
    (tmp_path / "written").chmod(0o600)
    write(tmp_path / "written", "newer")
    assert mode(tmp_path / "written") == 0o600


@posix
def test_links_are_written_through(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for name, before in (("target", "old"), ("new", None)):
        target, link = tmp_path / "there" / name, tmp_path / f"link-to-{name}"
        if before is not None:
            target.write_text(before)
        link.symlink_to(target)
        write(link, "written")
        assert link.is_symlink()
        assert target.read_text() == "written"


@posix
def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InputError, match="loop: cannot be written"):
        write(tmp_path / "loop", "new")
    assert (tmp_path / "loop").is_symlink()


@posix
def test_a_pipe_gets_the_content_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write(pipe, b"x" * 200_000)
    reader.join()
    assert received == [b"x" * 200_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "null").symlink_to(os.devnull)
    write(tmp_path / "null", "gone")
    assert (tmp_path / "null").is_symlink()
    assert Path(os.devnull).is_char_device()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_device_is_told() -> None:
    with pytest.raises(InputError, match=r"/dev/full: cannot be written \(No space left on device\)"):
        write("/dev/full", "x")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="open files have no names here")
def test_a_file_that_is_open_is_added_to_and_not_replaced(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w") as log:
        log.write("before\n")
        log.flush()
        write(f"/dev/fd/{log.fileno()}", "after\n")
    assert inside(tmp_path) == {"log": "before\nafter\n"}


def test_a_folder_in_place_of_the_file_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("folder", "missing/out.csv"):
        with pytest.raises(InputError, match="cannot be written") as caught:
            write(tmp_path / name, "new")
        assert caught.value.path == str(tmp_path / name)
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_a_protected_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "protected").write_text("old")
    given = Path.open

    def guarded(path: Path, mode: str = "r", **options: Any) -> Any:  # noqa: ANN401  # as Path.open
        if path.name == "protected" and mode != "r":  # whoever runs the tests, root too
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return given(path, mode, **options)

    monkeypatch.setattr(Path, "open", guarded)
    with pytest.raises(InputError, match="Permission denied"):
        write(tmp_path / "protected", "new")
    monkeypatch.undo()
    assert inside(tmp_path) == {"protected": "old"}


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", fail)


@pytest.mark.usefixtures("full_disk")
def test_on_a_full_disk_the_old_file_stays_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("old")
    for name in ("out.csv", "new.csv"):
        with pytest.raises(InputError, match=rf"{name}: cannot be written \(No space left on device\)"):
            write(tmp_path / name, "new")
    assert inside(tmp_path) == {"out.csv": "old"}
    assert len(list(tmp_path.iterdir())) == 1


# a folder


def fill(folder: Path, failure: type[BaseException] | None = None) -> None:
    with filling(folder) as temporary:
        write(temporary / "a", "first")
        (temporary / "more").mkdir()
        write(temporary / "more" / "b", "second")
        if failure is not None:
            raise failure


@pytest.mark.parametrize("name", ["new", "empty", "full", "deep/er/new"])
def test_files_go_to_a_new_folder_or_into_one_that_is_there(name: str, tmp_path: Path) -> None:
    others = {}
    if name in ("empty", "full"):
        (tmp_path / name).mkdir()
    if name == "full":
        (tmp_path / name / "a").write_text("old")
        (tmp_path / name / "other").write_text("stays")
        others = {"other": "stays"}
    fill(tmp_path / name)
    assert inside(tmp_path / name) == {"a": "first", "more/b": "second", **others}
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


@posix
def test_a_new_folder_has_the_mode_of_new_folders(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    fill(tmp_path / "new")
    assert mode(tmp_path / "new") == mode(tmp_path / "made")


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("name", ["new", "deep/er/new", "there"])
def test_after_a_failure_all_is_as_before(name: str, failure: type[BaseException], tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a").write_text("old")
    with pytest.raises(failure):
        fill(tmp_path / name, failure)
    assert inside(tmp_path) == {"there/a": "old"}
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "there"]


@pytest.mark.usefixtures("full_disk")
def test_on_a_full_disk_no_folder_is_left(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No space left on device"):
        fill(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_free_if_it_is_not_there_or_empty(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("new", "empty"):
        check_free(tmp_path / name, "a box needs")
    (tmp_path / "file").write_text("")
    for name, told in ((".", "the folder is not empty; a box needs a new"), ("file", "there is a file of this name")):
        with pytest.raises(InputError, match=told):
            check_free(tmp_path / name, "a box needs")


def test_what_cannot_be_written_is_refused_before_long_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    for name in ("file", "new"):
        check_place(tmp_path / name)
        check_folder(tmp_path / "deep" / name)
    for check, name in ((check_place, "."), (check_place, "none/new"), (check_folder, "file/new")):
        with pytest.raises(InputError, match="cannot be written"):
            check(tmp_path / name)
    assert inside(tmp_path) == {"file": "old"}


# what is left behind


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """The folder that a process was filling when it was killed."""
    code = (
        "import sys, time\nfrom irgauge.files.writing import filling\n"
        f"with filling({str(tmp_path / 'out')!r}) as place:\n"
        "    (place / 'a').write_text('half'); print('ready', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:  # noqa: S603  # our code
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        fill(tmp_path / "beside")  # does not take it from a process that lives
        assert len(list(tmp_path.glob(".irgauge-*"))) == 2  # the folder and its lock
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert len(list(tmp_path.glob(".irgauge-*"))) == 2
    return tmp_path


@posix
def test_what_a_killed_process_left_is_removed_by_the_next_and_nothing_else(killed: Path) -> None:
    (killed / ".irgauge-notes").mkdir()  # without a lock: not ours
    (killed / ".irgauge-file").write_text("")
    fill(killed / "out")
    assert sorted(path.name for path in killed.iterdir()) == [".irgauge-file", ".irgauge-notes", "beside", "out"]


@posix
@pytest.mark.parametrize("there", ["lock", "lock and folder", "lock and full folder"])
def test_whenever_a_process_was_killed_the_next_removes_what_it_left(there: str, tmp_path: Path) -> None:
    (tmp_path / ".irgauge-0123.lock").write_bytes(b"")
    if "folder" in there:
        (tmp_path / ".irgauge-0123").mkdir()
    if "full" in there:
        (tmp_path / ".irgauge-0123" / "gone").mkdir()
    write(tmp_path / "out", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@posix
def test_what_others_plant_neither_blocks_nor_is_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pipe", "link", "theirs"):
        (tmp_path / f".irgauge-{name}").mkdir()
        (tmp_path / f".irgauge-{name}" / "kept").write_text("")
        os.mkfifo(tmp_path / f".irgauge-{name}" / ".made-by-irgauge")
    os.mkfifo(tmp_path / ".irgauge-pipe.lock")
    (tmp_path / "lock").write_text("")
    (tmp_path / ".irgauge-link.lock").symlink_to(tmp_path / "lock")
    write(tmp_path / "out", "new")
    (tmp_path / ".irgauge-theirs.lock").write_text("")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)  # as if another user ran it
    write(tmp_path / "out", "newer")
    monkeypatch.undo()
    assert sorted(path.parent.name for path in tmp_path.glob("*/kept")) == [
        ".irgauge-link",
        ".irgauge-pipe",
        ".irgauge-theirs",
    ]


@posix
def test_an_interrupt_while_a_folder_is_removed_leaves_what_the_next_removes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(place: Path, **_: object) -> None:
        for path in place.rglob("*"):
            path.unlink() if path.is_file() else None
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
        patched.setattr(shutil, "rmtree", interrupted)
        fill(tmp_path / "out", RuntimeError)
    write(tmp_path / "next", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["next"]


def test_threads_that_still_write_leave_nothing(tmp_path: Path) -> None:
    """A process that ends does not wait for its threads, which write files of a folder meanwhile."""
    is_done = threading.Event()

    def keep_writing(folder: Path) -> None:
        for number in count():
            if is_done.is_set():
                return
            with suppress(InputError, OSError):
                write(folder / f"{number}.run", "x")

    with suppress(InputError), filling(tmp_path / "out") as made:
        threads = [threading.Thread(target=keep_writing, args=(made,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.05)
        clear_up()
        shown = list(tmp_path.iterdir())
        is_done.set()
        for thread in threads:
            thread.join()
        raise InputError("stopped")
    assert shown == []
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_ends_at_once_can_clear_up(tmp_path: Path) -> None:
    with filling(tmp_path / "out") as temporary:
        write(temporary / "a", "half")
        clear_up()
        assert list(tmp_path.iterdir()) == []
        temporary.mkdir(parents=True)  # so that there is something to move
