"""Pipes: read as files are, although what comes through them comes once."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import irgauge as ig
from irgauge.cli.program import main
from irgauge.errors import InputError
from irgauge.files.limits import reading_at_most
from irgauge.files.opening import expand, first_bytes, is_there, read_bytes

QRELS = b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n"
RUN = b"q1 Q0 d2 1 0.9 mine\nq1 Q0 d1 2 0.8 mine\nq2 Q0 d3 1 0.5 mine\n"
SCORES = b"topic,system,score\nq1,a,0.25\nq2,a,0.5\nq1,b,0.75\nq2,b,1.0\n"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pipes have paths under /dev/fd")


@contextmanager
def pipe(content: bytes) -> Iterator[str]:
    """The path of a pipe through which something comes, once, as `<(...)` gives it in a shell."""
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as file:
            file.write(content)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield f"/dev/fd/{reading}"
    finally:
        os.close(reading)
        thread.join()


@pytest.mark.parametrize("given", [RUN, gzip.compress(RUN), b"\xef\xbb\xbf" + RUN], ids=["plain", "gzip", "marked"])
def test_a_pipe_can_be_read_again_and_again(given: bytes) -> None:
    with pipe(given) as path:
        assert first_bytes(path, 10) == RUN[:10]
        data = read_bytes(path)
        assert data.tobytes() == RUN
        data[0] = 0  # what was read can be written to, and stays ours
        assert read_bytes(path).tobytes() == RUN
        assert is_there(path)
        assert expand([path]) == [path]


def test_two_pipes_of_one_path_are_two() -> None:
    with pipe(QRELS) as first:
        assert read_bytes(first).tobytes() == QRELS
        with pipe(RUN) as second:
            assert read_bytes(second).tobytes() == RUN
    with pipe(RUN) as again:
        assert read_bytes(again).tobytes() == RUN


def test_more_than_a_pipe_holds_comes_through() -> None:
    large = RUN * 10_000
    with pipe(large) as path:
        assert read_bytes(path).tobytes() == large


def test_what_is_more_than_allowed_is_refused_each_time() -> None:
    with pipe(RUN * 10) as path:
        with reading_at_most(100), pytest.raises(InputError, match="more than 100 bytes"):
            read_bytes(path)
        with pytest.raises(InputError, match="more than 100 bytes"):  # the rest of it would mean nothing
            read_bytes(path)


def test_a_named_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=[RUN])
    writer.start()
    assert read_bytes(path).tobytes() == RUN
    assert read_bytes(path).tobytes() == RUN
    writer.join()


def test_a_dash_is_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irgauge.files.opening._KEPT", {})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(RUN))))
    assert expand(["-"]) == ["-"]
    assert read_bytes("-").tobytes() == RUN
    assert read_bytes("-").tobytes() == RUN


def test_judgments_and_runs_come_through_pipes() -> None:
    with pipe(QRELS) as qrels, pipe(gzip.compress(RUN)) as run, pipe(RUN.replace(b"mine", b"other")) as other:
        found = ig.load(qrels, [run, other])
    assert found.systems == ("mine", "other")
    assert found.origins == (run, other)
    assert found.lengths.tolist() == [[2, 2], [1, 1]]


def test_a_table_of_scores_comes_through_a_pipe() -> None:
    with pipe(SCORES) as path:
        assert ig.load_scores(path).systems == ("a", "b")


def test_a_check_and_a_locked_gate_read_pipes(tmp_path: Path) -> None:
    with pipe(QRELS) as qrels, pipe(RUN) as run, pipe(RUN.replace(b"0.8", b"0.95")) as other:
        assert ig.check(qrels, [run]).is_usable
        lock = tmp_path / "gate.lock"
        ig.gate(qrels, run, other, "AP:1%", lock=lock)
    for name, content in (("qrels", QRELS), ("run", RUN)):
        (tmp_path / name).write_bytes(content)
    ig.gate(
        tmp_path / "qrels", tmp_path / "run", tmp_path / "run", "AP:1%", lock=lock
    )  # the fingerprints are those of the same files


def test_the_command_line_reads_pipes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "qrels", tmp_path / "run"]
    for file, content in zip(files, (QRELS, RUN), strict=True):
        file.write_bytes(content)
    with pipe(QRELS) as qrels, pipe(gzip.compress(RUN)) as run:
        printed = []
        for names in ((qrels, run), map(str, files)):
            monkeypatch.setattr(sys, "argv", ["irgauge", "score", *names, "-m", "AP", "-f", "csv"])
            with suppress(SystemExit):
                main()
            printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != ""
