"""What is printed: in terminals and pipes of any encoding, with names that would command them."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Irgauge
from irgauge.cli import terminal
from irgauge.cli.process import plain_sign, replace_unknown_signs
from oracles.hostile_names import NAMES, OF_TERMINALS, unseen, written

PROGRAM = (sys.executable, "-c", "import sys; sys.argv[0] = 'irgauge'; from irgauge.cli import entry; entry()")
SCORES = ("-m", "AP", "--name-by", "file")
Printed = Callable[[str], io.BytesIO]


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> Printed:
    """Makes stdout and stderr one stream of an encoding; what it is given."""

    def of(encoding: str) -> io.BytesIO:
        given = io.BytesIO()
        for name in ("stdout", "stderr"):
            monkeypatch.setattr(sys, name, io.TextIOWrapper(given, encoding=encoding, write_through=True))
        replace_unknown_signs()
        return given

    return of


@pytest.fixture(scope="module")
def odd(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection whose runs have names that are not UTF-8, or hold controls."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "qrels.txt").write_bytes((demo / "qrels.txt").read_bytes())
    (folder / "runs").mkdir()
    names = (b"caf\xe9", b"esc\x1b[31m", b"two\nlines", "α\u202e".encode())
    for name, run in zip(names, sorted((demo / "runs").iterdir()), strict=True):
        Path(os.fsdecode(os.fsencode(folder / "runs") + b"/" + name + b".run")).write_bytes(run.read_bytes())
    return folder


# encodings


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_every_sign_is_printed_in_some_way(printed: Printed, encoding: str) -> None:
    given = printed(encoding)
    signs = [chr(i) for i in range(0x20, 0x3000) if unicodedata.category(chr(i))[0] in "LNPSZM"]
    terminal.tell("".join(signs) + "😀\udcff")
    terminal.emit("ω² ≥ 0.5 ± 0.1 – a\n", None)
    last = given.getvalue().decode(encoding).splitlines()[-1]
    expected = {"ascii": "omega^2 >= 0.5 +- 0.1 - a", "latin-1": "omega² >= 0.5 ± 0.1 - a"}
    assert last == expected.get(encoding, "omega² >= 0.5 ± 0.1 – a" if encoding == "cp1252" else "ω² ≥ 0.5 ± 0.1 – a")


def test_signs_without_a_likeness_are_written_as_python_does() -> None:
    assert [plain_sign(sign) for sign in "é日😀\udcff"] == [r"\xe9", r"\u65e5", r"\U0001f600", r"\udcff"]
    assert [plain_sign(sign) for sign in "Σ─│…₂⁻"] == ["Sigma", "-", "|", "...", "_2", "^-"]
    assert all(plain_sign(sign).isascii() for sign in map(chr, range(0x80, 0x3000)))


def test_data_in_a_pipe_are_utf_8_whatever_its_encoding(printed: Printed) -> None:
    given = printed("ascii")
    terminal.emit("system\nα\udcff\n", None, is_data=True)
    assert given.getvalue().decode() == "system\nα\\udcff\n"


@pytest.mark.parametrize("name", NAMES)
def test_messages_command_no_terminal(printed: Printed, name: str) -> None:
    given = printed("utf-8")
    terminal.tell(f"note: {name}")
    said = given.getvalue().decode()
    assert not unseen(said)
    assert said == f"note: {written(name).replace('two' + chr(92) + 'n', 'two' + chr(10))}\n"


# the whole command


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_the_command_prints_in_any_encoding(demo: Path, encoding: str) -> None:
    environment = os.environ | {"PYTHONIOENCODING": encoding, "COLUMNS": "80"}
    for arguments in (("compare", demo / "qrels.txt", demo / "runs", "-m", "AP"), ("compare", "--help")):
        done = subprocess.run(  # noqa: S603  # our own words
            [*PROGRAM, *map(str, arguments)], env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        text = done.stdout.decode(encoding)
        assert "Holm" in text or "Usage" in text


def test_names_of_files_are_printed_whatever_they_hold(run: Irgauge, odd: Path) -> None:
    for command in ("score", "compare"):
        code, out, err = run(command, odd / "qrels.txt", odd / "runs", *SCORES)
        assert code == 0, err
        assert not unseen(out + err)
        assert r"caf\xe9" in out
        assert r"esc\x1b[31m" in out
        assert r"α\u202e" in out


@pytest.mark.parametrize("form", ["json", "csv", "trec", "markdown", "latex"])
def test_data_hold_the_names_by_the_rules_of_their_form(run: Irgauge, odd: Path, form: str) -> None:
    code, out, err = run("score", odd / "qrels.txt", odd / "runs", *SCORES, "--format", form)
    assert code == 0, err
    if form == "json":
        assert {one["system"] for one in json.loads(out)["systems"]} >= {"esc\x1b[31m", "two\nlines", "α\u202e"}
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert {row["system"] for row in rows} == {r"caf\xe9", "esc\x1b[31m", "two\nlines", "α\u202e"}
    assert bool(unseen(out)) == (form in ("csv", "trec"))  # other tools find the names that the files have


def test_a_terminal_is_not_commanded_by_data(odd: Path) -> None:
    ours, theirs = pty.openpty()
    arguments = ("score", odd / "qrels.txt", odd / "runs", *SCORES, "-f", "csv", "-q")
    subprocess.run([*PROGRAM, *map(str, arguments)], stdout=theirs, check=True)  # noqa: S603  # our own words
    os.close(theirs)
    shown = os.read(ours, 100_000).decode().replace("\r\n", "\n")
    os.close(ours)
    assert not unseen(shown)
    assert r"esc\x1b[31m" in shown


@pytest.mark.parametrize("name", [name for name in OF_TERMINALS if "\0" not in name])
def test_an_error_names_a_file_in_one_line(run: Irgauge, name: str) -> None:
    code, _, err = run("score", "qrels.txt", f"nowhere/{name}")
    assert code == 2
    assert not unseen(err)
    assert len(err.splitlines()) == 1


def test_an_error_names_topics_and_documents_visibly(run: Irgauge, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("t\x1b[31m 0 d\u202e 1\nt\x1b[31m 0 d\u202e 1\n", encoding="utf-8")
    (tmp_path / "a.run").write_text("t\x1b[31m Q0 d\u202e 1 1.0 a\n", encoding="utf-8")
    code, _, err = run("score", tmp_path / "qrels.txt", tmp_path / "a.run")
    assert code == 2
    assert r"d\u202e" in err
    assert not unseen(err)
