"""Threads and processes: several threads at once give the same numbers; forked ones work, or say why they cannot."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

import polars as pl
import pytest

import irgauge as ig
from irgauge.compute import polars_pool
from irgauge.simulation.collections import Design, simulate

DESIGN = Design(systems=4, families=2, topics=6, depth=30, corpus_size=300, relevant_median=6, seed=2)
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files") / "demo"
    simulate(DESIGN).write(folder)
    return folder


def compared(files: Path) -> list[float]:
    """What a worker does."""
    runs = ig.load(files / "qrels.txt", files / "runs", warn=False)
    result = ig.compare(runs, ["AP", "nDCG@10"], shards="even:2")
    return [*result.frame()["difference"].to_list(), *ig.score(runs, "P@5").values.ravel().tolist()]


def test_threads_give_the_same_numbers(files: Path) -> None:
    alone = compared(files)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(compared, [files] * 8)) == [alone] * 8


def test_threads_share_a_collection_and_a_result(files: Path) -> None:
    runs = ig.load(files / "qrels.txt", files / "runs", warn=False)
    result = ig.bootstrap(runs, "AP", images=20)  # which computes much only when it is asked

    def shown(_: int) -> tuple[str, str]:
        return result.to_text(), ig.compare(runs, "AP").to_text()

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(shown, range(8)))) == 1


def test_spawned_processes_work(files: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as processes:
        assert processes.submit(compared, files).result() == compared(files)


def test_a_collection_goes_to_other_processes(files: Path) -> None:
    all_documents = ig.load(files / "qrels.txt", files / "runs", warn=False)
    judged = ig.load(files / "qrels.txt", files / "runs", documents="judged", warn=False)
    for runs in (all_documents, judged, simulate(DESIGN).collection()):
        for copy in (pickle.loads(pickle.dumps(runs)), deepcopy(runs)):  # noqa: S301  # our own
            assert copy.docnos.equals(runs.docnos)
            assert ig.compare(copy, "AP").frame().equals(ig.compare(runs, "AP").frame())


def in_fork(do: Callable[[], object]) -> str:
    """What comes of it in a forked process: nothing, or an error."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python and of polars, that threads are lost
        child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60)  # ends it, should it wait for ever
        try:
            do()
            os.write(write, b"done")
        except Exception as error:  # noqa: BLE001  # told to the parent
            os.write(write, str(error).encode())
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        text = told.read()
    os.waitpid(child, 0)
    return text


ALONE = "IRGAUGE_FORKS_ALONE"


@forks
def test_forks_of_a_process_that_has_done_nothing_else() -> None:
    """In a process of its own: what other tests have left running there would be lost in a fork too."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{__file__}::{REFUSED.__name__}"]
    ended = subprocess.run(command, env=os.environ | {ALONE: "1"}, capture_output=True, text=True, check=False)  # noqa: S603  # our own
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.skipif(ALONE not in os.environ, reason="runs in a process of its own, by the test before")
@forks
def test_what_a_forked_process_cannot_do_is_refused(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pl.DataFrame({"a": [1], "b": [2]}).select(pl.col("a") + 1, pl.col("b") + 1)  # polars has threads now
    monkeypatch.setattr(polars_pool, "WAIT", 0.3)
    runs = ig.load(files / "qrels.txt", files / "runs", warn=False)
    result = ig.compare(runs, "AP")
    result.save(tmp_path / "result.json")
    table = pl.DataFrame({"system": ["a", "b"] * 2, "topic": ["1", "1", "2", "2"], "score": [0.1, 0.2, 0.4, 0.3]})
    for refused in (
        lambda: ig.load(files / "qrels.txt", files / "runs"),
        lambda: ig.compare(table),
        lambda: result.save(tmp_path / "result.parquet"),
        lambda: simulate(DESIGN).write(tmp_path / "demo"),
    ):
        assert "get_context('spawn')" in in_fork(refused)
    for works in (
        lambda: ig.compare(runs, "nDCG@10", shards="even:2").frame(),
        lambda: result.chart().save(tmp_path / "chart.svg"),
        lambda: result.save(tmp_path / "again.json"),
        lambda: ig.read(tmp_path / "result.json").to_text(),
    ):
        assert in_fork(works) == "done"


REFUSED = test_what_a_forked_process_cannot_do_is_refused
