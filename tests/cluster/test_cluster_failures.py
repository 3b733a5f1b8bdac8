"""What can go wrong on a cluster ends with a sentence that says what to do, and leaves nothing half-written."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from dask import config

import irgauge as ig
from cluster.processes import FAILURES, SOON, Cluster, cluster_in, until
from conftest import Irgauge, without_made
from irgauge.cluster import connecting, engine, working_on
from irgauge.compute.tasks import each
from irgauge.errors import DesignError, InputError, check_alpha
from irgauge.replicates.kept import UNFINISHED

PROGRAM = (sys.executable, "-c", "from irgauge.cli import entry; entry()")
ENDLESS = ("--images", "1000000", "-m", "AP", "-q")


def start(data: Path, *options: object) -> subprocess.Popen[str]:
    command = [*PROGRAM, "bootstrap", *map(str, (data / "qrels.txt", data / "runs", *options))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603  # our own program


def test_a_task_that_ends_every_worker_is_named(cluster: Cluster) -> None:
    cluster.have(FAILURES + 1)
    told = rf"the task 'split 1' ended {FAILURES + 1} workers, the last tcp://.*: is there memory enough"
    with working_on(cluster.client), pytest.raises(DesignError, match=told):
        each(os._exit, [1], named="split")


def test_an_error_of_a_task_is_that_of_the_command(cluster: Cluster) -> None:
    cluster.have(2)
    with working_on(cluster.client):
        assert each(math.sqrt, range(30), named="number") == list(map(math.sqrt, range(30)))
        with pytest.raises(DesignError, match=r"^alpha is 2; it lies between 0 and 1"):
            each(check_alpha, [0.1, 2, *[0.2] * 100], named="level")
    until(cluster.is_idle, "what was not begun is dropped")


def test_ctrl_c_ends_the_tasks_too(cluster: Cluster, data: Path, tmp_path: Path) -> None:
    cluster.have(2)
    process = start(data, *ENDLESS, "--scheduler", cluster.address, "-o", tmp_path / "out.json")
    until(lambda: not cluster.is_idle(), "work begins")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=SOON)
    assert (process.returncode, err) == (130, "irgauge: stopped; no file is left half-written\n")
    until(cluster.is_idle, "the tasks are cancelled")
    assert list(tmp_path.iterdir()) == []


def test_a_scheduler_that_dies_is_missed(data: Path, tmp_path: Path) -> None:
    (tmp_path / "cluster").mkdir()
    with cluster_in(tmp_path / "cluster") as own:
        own.have(1)
        process = start(data, *ENDLESS, "--scheduler", own.address, "-o", tmp_path / "out.json")
        until(lambda: not own.is_idle(), "work begins")
        own.scheduler.kill()
        _, err = process.communicate(timeout=SOON)
        assert process.returncode == 2
        assert err.startswith(f"irgauge: the scheduler {own.address} is gone")
        assert len(err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["cluster"]


def test_a_bootstrap_goes_on_after_its_client_was_killed(cluster: Cluster, data: Path, tmp_path: Path) -> None:
    cluster.have(2)
    options = ("-m", "AP", "--images", "3000", "-q", "--scheduler", cluster.address, "--format", "json")
    whole = start(data, *options).communicate(timeout=SOON)[0]
    process = start(data, *options, "--keep", tmp_path / "scores")
    done = tmp_path / f"scores{UNFINISHED}"
    until(lambda: (done / "images-000001-000064.parquet").exists(), "the first batch is kept")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = {path.name: path.stat().st_mtime_ns for path in done.glob("*.parquet")}
    assert 0 < len(before) < 47
    assert not (tmp_path / "scores").exists()
    out, err = start(data, *options, "--keep", tmp_path / "scores").communicate(timeout=SOON)
    assert (without_made(out), err) == (without_made(whole), "")
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "scores").iterdir()}
    assert len(kept) == 47
    assert before.items() <= kept.items(), "what was kept is not drawn again"
    assert [path.name for path in tmp_path.iterdir()] == ["scores"]


REFUSED = {
    "a text": ("nowhere", "nowhere: no scheduler answers"),
    "an unknown way": ("ftp://host:1", "no scheduler answers (unknown address scheme"),
    "no number": ("local:x", "'local:x' is not a number of processes; write local:2"),
    "no process": ("local:0", "'local:0' is not a number of processes"),
    "no setting": ("dask", "Dask's settings name no scheduler; set DASK_SCHEDULER_ADDRESS"),
    "nobody there": ("tcp://127.0.0.1:9", "no scheduler answers (Timed out"),
    "no keys": ("tls://127.0.0.1:9", "tls:// needs keys, and Dask's settings name none; set DASK_DISTRIBUTED__"),
    "a name": ("localhost:9", "no scheduler answers (Timed out"),
    "another protocol": ("inproc://there", "no scheduler answers (not enough values"),
    "no file": ("there-is-none.json", "there-is-none.json: there is no such file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_scheduler_that_is_none(case: str, data: Path, run: Irgauge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "_PATIENCE", 0.3)
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    given, told = REFUSED[case]
    code, out, err = run("bootstrap", data / "qrels.txt", data / "runs", "-m", "AP", "--scheduler", given)
    assert (code, out) == (2, "")
    assert told in err


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"address": 5}', b"\xff", b"[" * 100_000, b'{"address": "'])
def test_a_damaged_scheduler_file(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_bytes(content)
    with pytest.raises(InputError, match="this is no scheduler file, or it is damaged"), working_on(str(file)):
        pass


def test_a_scheduler_file_that_names_no_scheduler(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text('{"address": "tls://127.0.0.1:9"}')
    with pytest.raises(InputError, match=r"scheduler.json: tls:// needs keys"), working_on(str(file)):
        pass
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(InputError, match="there is no such file"), working_on(str(file)):
        pass


def test_an_object_that_is_no_scheduler(data: Path) -> None:
    with pytest.raises(InputError, match="'5' is not a scheduler; give tcp://HOST:8786"):
        ig.bootstrap(ig.load(data / "qrels.txt", data / "runs", warn=False), "AP", scheduler=5)


def test_dask_itself_may_say_which(cluster: Cluster) -> None:
    cluster.have(1)
    with config.set({"scheduler-address": cluster.address}), working_on("dask"):
        assert each(math.sqrt, [4], named="number") == [2]


def test_workers_of_another_version_are_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster.have(1)
    monkeypatch.setattr(connecting, "VERSION", "irgauge 9.9")
    told = r"the worker tcp://.* has irgauge 0\.\d\.\d, and here is irgauge 9\.9; install the same"
    with pytest.raises(InputError, match=told), working_on(cluster.client):
        pass
    monkeypatch.undo()
    monkeypatch.setattr(engine, "VERSION", "irgauge 9.9")  # a worker that came later
    with working_on(cluster.client), pytest.raises(InputError, match=r"and the client irgauge 9\.9; install the same"):
        each(math.sqrt, [4], named="number")


def test_processes_of_this_machine_run_nothing_that_lies_in_the_working_folder(
    data: Path, run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "multiprocessing.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    asked = ("partition", data / "qrels.txt", data / "runs", "-m", "AP", "--splits", 3, "--fill", "drop", "-f", "json")
    alone, together = (without_made(run(*asked, *more)[1]) for more in ((), ("--scheduler", "local:2")))
    assert alone == together
    assert not (tmp_path / "ran").exists()


WITHOUT = """
import sys
{before}
from irgauge.cli.program import main
try:
    main()
finally:
    print([name for name in ("dask", "distributed", "tornado") if sys.modules.get(name)], file=sys.stderr)
"""


def test_dask_is_imported_only_where_it_is_asked_for(data: Path) -> None:
    asked = ["bootstrap", str(data / "qrels.txt"), str(data / "runs"), "-m", "AP", "--images", "5", "-q"]
    command = [sys.executable, "-c", WITHOUT.format(before=""), *asked]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own program
    assert shown.stderr == "[]\n"
    absent = WITHOUT.format(before="sys.modules['distributed'] = None")
    command = [sys.executable, "-c", absent, *asked, "--scheduler", "local:2"]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own program
    assert shown.returncode == 2
    assert "a scheduler needs Dask" in shown.stderr
    assert "install irgauge[cluster]" in shown.stderr
