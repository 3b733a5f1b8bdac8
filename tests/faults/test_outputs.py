"""Outputs that are closed, full or left by their readers, and a user without a home: a result or a sentence."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from faults.commands import PROGRAM

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams are closed by a POSIX shell")


def shell(line: str, arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which "$@" is the program with these arguments."""
    command = ["bash", "-o", "pipefail", "-c", line, "bash", *PROGRAM, *arguments.split(" ")]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})  # noqa: S603  # ours


ARGUMENTS = ["--help", "measures", "score {data}/qrels.txt {data}/runs -m AP -q --format json"]
arguments = pytest.mark.parametrize("arguments", ARGUMENTS)


@arguments
def test_closed_streams_take_nothing_and_break_nothing(arguments: str, data: Path) -> None:
    for line in ('"$@" >&-', '"$@" >&- 2>&- <&-'):
        ended = shell(line, arguments.format(data=data))
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@arguments
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_output_is_told(arguments: str, data: Path) -> None:
    ended = shell('"$@" > /dev/full', arguments.format(data=data))
    assert ended.returncode == 2
    assert "No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr


@arguments
def test_who_reads_may_stop(arguments: str, data: Path) -> None:
    ended = shell('"$@" | head -c 1', arguments.format(data=data))
    assert (ended.returncode, len(ended.stdout), ended.stderr) == (0, 1, "")


def test_a_file_is_whole_where_no_stream_is_open(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    ended = shell('"$@" >&- 2>&- <&-', f"score {data}/qrels.txt {data}/runs -m AP -o {out}")
    assert ended.returncode == 0
    assert out.read_text().startswith("measure,system,mean")
    assert out.read_text().count("\n") == 5


def test_nobody_needs_a_home(data: Path) -> None:
    ended = shell('env -u USER -u LOGNAME "$@"', f"score {data}/qrels.txt {data}/runs -m AP -q", HOME="/nonexistent")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "4 systems on 12 topics" in ended.stdout
