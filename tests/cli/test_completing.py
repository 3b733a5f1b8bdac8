"""Tab completion, as shells ask for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irgauge.cli.completing import systems_in, words_of

PROGRAM = str(Path(sys.executable).with_name("irgauge"))


def offered(shell: str, line: str) -> str:
    """What the program answers where a shell asks what could follow."""
    words = line.split(" ")
    of_bash = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    asked = of_bash if shell == "bash" else {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    environment = os.environ | {"_IRGAUGE_COMPLETE": f"complete_{shell}"} | asked
    shown = subprocess.run([PROGRAM], capture_output=True, text=True, check=False, env=environment)  # noqa: S603  # our own program
    assert shown.stderr == ""
    return shown.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("irgauge compare q --cor", "--correction"),
        ("irgauge compare q --test wil", "wilcoxon"),
    ],
)
def test_options_and_values_are_offered(shell: str, line: str, answer: str) -> None:
    assert answer in offered(shell, line)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("irgauge gate q a b -m nD", ["nDCG"]),
        ("irgauge compare q --shards e", ["even:"]),
        ("irgauge compare q --population top", ["topics", "topics+shards"]),
        ("irgauge compare q --chart-of sl", ["slices"]),
        ("irgauge score q -f tr", ["trec"]),
        ("irgauge lab ru", ["run"]),
        ("irgauge compare qrels", []),  # the shell then offers files
    ],
)
def test_values_come_from_the_registries(line: str, answer: list[str]) -> None:
    assert offered("bash", line).split() == answer


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_takes_the_script(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    for name in ("bm25.run", "bm25_rm3.run.gz", "dense.txt"):
        (runs / name).touch()
    ask = f"COMP_WORDS=(irgauge compare q {runs} --baseline bm); COMP_CWORD=5; _irgauge_completion '{PROGRAM}'"
    script = f"source <('{PROGRAM}' --show-completion bash); {ask}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    shown = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)  # noqa: S603, S607  # our own program
    assert shown.stdout.split() == ["bm25", "bm25_rm3"]


def test_systems_of_tables_are_known(tmp_path: Path) -> None:
    wide, long = tmp_path / "wide.csv", tmp_path / "long.tsv"
    wide.write_text("topic,old,new\n1,0,1\n")
    long.write_text("topic\tsystem\tscore\n1\told\t0\n1\tnew\t1\n2\told\t1\n")
    assert [systems_in([str(path)]) for path in (wide, long)] == [["old", "new"]] * 2
    assert systems_in([str(tmp_path / "none.csv")]) == []
    for damaged in (b"", b"\xff\xfe\x00", b'system,"\n' + b"x" * 200_000, b"topic,system\n1\n"):
        wide.write_bytes(damaged)
        assert systems_in([str(wide)]) == []
    os.mkfifo(tmp_path / "pipe.csv")
    assert systems_in([str(tmp_path / "pipe.csv")]) == []


def test_a_quote_that_is_open_is_no_error() -> None:
    asked = {"_IRGAUGE_COMPLETE": "complete_bash", "COMP_WORDS": "irgauge compare 'my ru"}
    assert words_of([], asked) == ["compare", "'my", "ru"]
    assert words_of(["score"], {}) == ["score"]


def test_words_are_expanded_as_the_shell_will(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runs").mkdir()
    for name in ("a.run", "b.run"):
        (tmp_path / "runs" / name).touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("D", str(tmp_path))
    assert [systems_in(["q", text]) for text in ("~/runs", "$D/runs", "~/runs/*.run")] == [["a", "b"]] * 3


def test_closed_choices_are_offered() -> None:
    assert offered("bash", "irgauge score q --missing ").split() == ["zero", "drop", "fail"]
