"""The command line as a whole: help, errors, interrupts, pipes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from irgauge.cli.app import commands
from irgauge.studies.registry import studies

Irgauge = Callable[..., tuple[int, str, str]]


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = "import sys, irgauge.cli; print([m for m in ('numba', 'altair', 'polars', 'scipy') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  # our own program
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [[], *([name] for name in commands())])
def test_every_command_has_help_with_an_example(command: list[str], run: Irgauge) -> None:
    code, out, _ = run(*command, "--help")
    assert code == 0
    assert re.search(r"(Examples?|Start with):\s+irgauge", out)


def test_the_first_use_says_that_it_compiles_and_the_second_does_not(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("topic,old,new\n1,3.5,4\n2,4.5,5\n3,1.5,3\n4,2,2.5\n5,3,4\n6,2.5,3.5\n")
    command = ("instances", tmp_path / "scores.csv", "--no-posterior")  # which needs few kernels
    said = [told(*command, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    assert said == ["compiling for the first use; each command takes a few seconds more, once\n", ""]


def test_all_that_a_first_use_compiles_is_kept(demo: Path, run: Irgauge) -> None:
    command = ("score", *paths(demo), "-m", "AP")
    assert run(*command)[0] == 0
    assert told(*command) == ""


def told(*arguments: object, **environment: str) -> str:
    """What a process of the program says beside its result."""
    command = [str(Path(sys.executable).with_name("irgauge")), *map(str, arguments)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | environment)  # noqa: S603  # our own program
    return shown.stderr


def test_version(run: Irgauge) -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert re.fullmatch(r"irgauge \d+\.\d+\.\d+\n", out)


def test_commands_are_the_studies_in_their_order_then_the_others() -> None:
    names = list(commands())
    assert names[: len(studies())] == list(studies())
    assert {"report", "simulate", "shards", "measures", "studentized", "reproduce"} <= set(names)
    places = [command.place for command in commands().values()]
    assert places == sorted(places)
    assert len(set(places)) == len(places), "two commands have the same place"


@pytest.mark.parametrize("study", list(studies()))
def test_the_options_of_a_study_are_those_of_its_verb(study: str, run: Irgauge) -> None:
    from irgauge.options.fields import options_of

    _, out, _ = run(study, "--help-all")
    missing = [option.flag for option in options_of(studies()[study].options) if option.flag not in out]
    assert not missing


def test_a_failure_while_writing_leaves_the_old_file(
    demo: Path, run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "scores.csv"
    target.write_text("old")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    assert run("score", *paths(demo), "-o", target)[0] != 0
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]


def test_an_interrupt_ends_the_process_without_a_trace(tmp_path: Path) -> None:
    target = tmp_path / "out" / "truth"
    command = [
        str(Path(sys.executable).with_name("irgauge")),
        "simulate",
        "-o",
        str(target),
        "--truth-topics",
        "100000",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603  # our own program
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "Traceback" not in err
    assert not target.exists()


def test_output_that_cannot_be_written_is_an_error(demo: Path) -> None:
    qrels, runs = paths(demo)
    command = f"'{Path(sys.executable).with_name('irgauge')}' score '{qrels}' '{runs}' > /dev/full"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)  # noqa: S603, S607  # our own program
    assert shown.returncode == 2
    assert "the result cannot be printed (No space left on device)" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_closed_pipe_is_no_error(demo: Path) -> None:
    qrels, runs = paths(demo)
    command = (
        f"'{Path(sys.executable).with_name('irgauge')}' score '{qrels}' '{runs}' --per-topic --format csv | head -n 1"
    )
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)  # noqa: S603, S607  # our own program
    assert shown.stdout == "measure,topic,system,replicate,score\n"
    assert "Traceback" not in shown.stderr


def test_a_workbook_alone_is_named(run: Irgauge, tmp_path: Path) -> None:
    (tmp_path / "scores.xlsx").write_bytes(b"PK\x03\x04 and so on")
    code, _, err = run("compare", tmp_path / "scores.xlsx")
    assert code == 2
    assert "an Excel file (save it as CSV)" in err


def test_a_gate_with_its_files_in_the_wrong_order_says_that_first(run: Irgauge, demo: Path) -> None:
    first, second = sorted((demo / "runs").iterdir())[:2]
    code, _, err = run("gate", first, demo / "qrels.txt", second)
    assert code == 2
    assert "this looks like a run: name the qrels first, then the runs" in err


def test_a_table_that_may_not_be_there_writes_nothing(run: Irgauge, demo: Path, tmp_path: Path) -> None:
    runs = sorted((demo / "runs").iterdir())
    kept = ("--lock", tmp_path / "lock.json", "--history", tmp_path / "nights.sqlite")
    code, _, err = run("gate", demo / "qrels.txt", *runs[:2], "--margin", "1%", "--table", "nosuch", *kept)
    assert code == 2
    assert "leave one of the two out" in err
    assert not list(tmp_path.iterdir())


def test_a_file_of_one_table_says_what_it_leaves_out(run: Irgauge, tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("topic,old,new\n1,3.5,4\n2,4.5,5\n3,1.5,3\n4,2,2.5\n5,3,4\n6,2.5,3.5\n")
    asked = ("compare", scores, "-o")
    note = "pairs.csv leaves out the tables systems, topics: use --table systems -o systems.csv\n"
    assert run(*asked, tmp_path / "pairs.csv")[2].endswith(note)
    for words in (("all.json",), ("all.md",), ("systems.csv", "--table", "systems"), ("quiet.csv", "-q")):
        assert "leaves out" not in run(*asked, tmp_path / words[0], *words[1:])[2]
    assert "leaves out" not in run("score", scores, "-f", "csv")[2]
