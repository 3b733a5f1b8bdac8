"""Too little memory is a sentence and exit code 2: no verdict, no traceback."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from faults.commands import PROGRAM, words
from irgauge.cli import program

resource = pytest.importorskip("resource", reason="limits are those of POSIX")


@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_limit_without_room_for_libraries_is_refused(kind: str, data: Path, tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(getattr(resource, kind), (200 << 20, 200 << 20))

    command = [*PROGRAM, *words("gate", data, tmp_path / "out")]
    shown = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)  # noqa: S603  # our code
    assert (shown.returncode, shown.stdout) == (2, "")  # OpenBLAS would exit with 1, as a gate that fails does
    assert shown.stderr.startswith("irgauge: there is not enough memory: the limit of this process is 200 MiB")


def test_a_wide_limit_costs_threads_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setattr(program, "_memory_limit", lambda: program.LEAST_MEMORY)
    program.check_limits()
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"


def _during_a_lack() -> None:
    try:
        raise MemoryError
    except MemoryError:
        _ = undefined_in_a_library  # type: ignore[name-defined]  # noqa: F821


def _raising(error: Exception) -> object:
    def run() -> None:
        raise error

    return run


@pytest.mark.parametrize(
    "run",
    [
        _raising(RuntimeError("can't start new thread")),
        _raising(ImportError("lib.so: failed to map segment from shared object")),
        _raising(OSError(12, "Cannot allocate memory")),
        _during_a_lack,
    ],
    ids=["thread", "library", "system", "chained"],
)
def test_what_libraries_make_of_a_lack_of_memory_is_told_as_such(
    run: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "_run", run)
    with pytest.raises(SystemExit) as end:
        program.main()
    assert (end.value.code, capsys.readouterr().err) == (2, f"irgauge: {program.TOO_LITTLE_MEMORY}\n")


def test_another_error_is_none_of_memory() -> None:
    assert not program.lacks_memory(RuntimeError("a fault"))
