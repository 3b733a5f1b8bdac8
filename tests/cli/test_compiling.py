"""Compiling is told on a terminal while it lasts, and leaves nothing there."""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from rich.progress import Progress
from typer import Typer

from irgauge.cli import terminal, warming
from irgauge.cli.app import app_for
from irgauge.studies.registry import studies

PROGRAM = Path(sys.executable).with_name("irgauge")


def seen_on_a_terminal(*command: object, **environment: str) -> str:
    """What a process writes to its terminal beside its result."""
    ours, theirs = pty.openpty()
    everything = os.environ | {"TERM": "xterm"} | environment
    with subprocess.Popen(  # noqa: S603  # our own words
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=theirs, env=everything
    ) as process:
        os.close(theirs)
        told = b""
        with suppress(OSError):  # how Linux says that the other end is closed
            while chunk := os.read(ours, 4096):
                told += chunk
    os.close(ours)
    assert process.returncode == 0
    return told.decode()


def test_a_command_tells_that_it_compiles_at_its_first_use_alone(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("topic,old,new\n1,3.5,4\n2,4.5,5\n3,1.5,3\n4,2,2.5\n5,3,4\n6,2.5,3.5\n")
    command = (PROGRAM, "instances", table, "--no-posterior")  # which needs few kernels
    told = [seen_on_a_terminal(*command, NUMBA_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    counts = [re.findall(r"compiling function \d+", one) for one in told]  # a bar may miss one, at ten looks a second
    assert [bool(count) for count in counts] == [True, False]


def test_where_there_is_no_bar_a_line_is_shown_and_cleared() -> None:
    code = "from irgauge.cli.terminal import show_compiling as show\n"
    code += "show(3, is_under_way=True)\nshow(3, is_under_way=False)"
    assert seen_on_a_terminal(sys.executable, "-c", code) == "\r\x1b[Kcompiling function 3\r\x1b[K"


def test_a_bar_tells_of_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    of_bar = io.StringIO()
    monkeypatch.setattr(sys, "stderr", of_bar)  # as a bar does
    with Progress(terminal.compiling_column(), console=Console(file=shown, force_terminal=True)) as bar:
        bar.add_task("")
        terminal.show_compiling(7, is_under_way=True)
        bar.refresh()
        terminal.show_compiling(7, is_under_way=False)
        bar.refresh()
    assert "compiling function 7" in shown.getvalue()
    assert terminal.compiling_text() == ""
    assert of_bar.getvalue() == ""


_ON_A_TABLE = """
import sys
from irgauge.cli.program import code_of_main
gate = "gate", "old", "new", "--margin", "1%"
for command, *others in (gate, ("compare",), ("compare", "--baseline", "old"), ("topics",)):
    sys.argv = ["irgauge", command, "scores.csv", *others, "--quiet"]
    assert code_of_main() == 0, command
heavy = ("numba", "altair", "scipy.stats", "scipy.optimize", "scipy.linalg", "jinja2", "rich.console")
print([name for name in heavy if name in sys.modules], file=sys.stderr)
"""


def test_commands_on_a_table_of_scores_import_neither_numba_nor_altair(tmp_path: Path) -> None:
    rows = [f"{n},{n % 5 / 10},{n % 5 / 10 + n % 3 / 100 + 0.1},{n % 7 / 10}\n" for n in range(20)]
    (tmp_path / "scores.csv").write_text("topic,old,new,other\n" + "".join(rows))
    command = [sys.executable, "-c", _ON_A_TABLE]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603  # ours
    assert shown.stderr == "[]\n"


_REPORT = ("report", "scores.csv", "--topics-table", "topics.csv", "--by", "kind", "--output", "page.html")
_ON_TABLES = (
    ("check", "scores.csv"),
    ("score", "scores.csv"),
    *(("compare", "scores.csv", "--test", test) for test in ("tukey", "wilcoxon", "bootstrap-t", "max-t", "skewed-t")),
    ("compare", "shards.csv", "--population", "shards"),
    ("compare", "scores.csv", "--topics-table", "topics.csv", "--cluster", "talk"),
    ("compare", "scores.csv", "--topics-table", "topics.csv", "--weights", "traffic"),
    ("compare", "variants.csv", "--variants", "variant"),
    ("gate", "scores.csv", "old", "new", "--margin", "1%", "--history", "gates.history"),
    ("history", "gates.history"),
    ("suite", "shards.csv", "again.csv"),
    ("teams", "scores.csv", "--groups", "teams.txt"),
    ("topics", "scores.csv"),
    ("agreement", "measures.csv"),
    ("judges", "scores.csv", "--judge", "model=scores.csv", "--groups", "teams.txt"),
    ("anova", "scores.csv"),
    ("sensitivity", "measures.csv"),
    ("effects", "shards.csv"),
    ("partition", "shards.csv", "--all-effects", "--tests"),
    ("calibrate", "scores.csv", "--trials", "100"),
    ("plan", "scores.csv"),
    _REPORT,
)
_COMPILE = {"instances"}  # its models are fitted, and their posteriors drawn, by kernels; so is its part of a report


def test_commands_on_tables_of_scores_compile_nothing(tmp_path: Path) -> None:
    systems, topics = ("old", "new", "other"), range(20)
    rng = np.random.default_rng(1)
    scores = (rng.random((len(topics), 1, 1)) + rng.random((len(topics), 3, 3))) / 2  # topic, system, replicate
    long = {
        name: "".join(
            f"{topic},{system},{columns[replicate]},{scores[topic, place, replicate]:.4f}\n"
            for topic in topics
            for place, system in enumerate(systems)
            for replicate in range(3)
        )
        for name, columns in {"shard": "123", "variant": "abc", "measure": ("AP", "P@5", "nDCG")}.items()
    }
    for name, lines in long.items():
        (tmp_path / f"{name}s.csv").write_text(f"topic,system,{name},score\n{lines}")
    rows = [f"{topic},{','.join(f'{score:.4f}' for score in scores[topic, :, 0])}\n" for topic in topics]
    (tmp_path / "scores.csv").write_text("topic,old,new,other\n" + "".join(rows))
    shutil.copy(tmp_path / "shards.csv", tmp_path / "again.csv")
    known = [f"{topic},{'ab'[topic % 2]},{topic // 2},{topic % 3 + 1}\n" for topic in topics]
    (tmp_path / "topics.csv").write_text("topic,kind,talk,traffic\n" + "".join(known))
    (tmp_path / "teams.txt").write_text("old ours\nnew ours\nother theirs\n")
    code = "import sys\nfrom irgauge.cli.program import code_of_main\n"
    code += f"for command in {_ON_TABLES}:\n    sys.argv = ['irgauge', *command, '--quiet']\n"
    code += "    assert code_of_main() in (0, 1, 3), command\n    assert 'numba' not in sys.modules, command\n"
    shown = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603  # ours
    assert shown.returncode == 0, shown.stderr
    tried = {command for command, *_ in _ON_TABLES} - {"report"}
    assert tried == {study.name for study in studies().values() if not study.needs_runs} - _COMPILE


def test_what_commands_need_is_compiled_by_running_them_where_nothing_is_left(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    called: list[str] = []

    def noted(words: list[str]) -> Typer:
        called.append(words[0])
        return app_for(words)

    monkeypatch.setattr(warming, "app_for", noted)
    monkeypatch.setattr(warming, "_COMMANDS", warming._COMMANDS[:2])  # the report takes seconds
    code, out, err = run("--warm")
    assert (code, out) == (0, "")
    assert re.fullmatch(r"functions compiled now: \d+\n", err)
    assert called == ["score", "compare"]
    assert list(tmp_path.iterdir()) == []
