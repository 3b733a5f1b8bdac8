"""What JSON says of how a result was made: the time, the command, the files that were read, with their SHA-256."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import irgauge as ig
from conftest import Irgauge
from irgauge.studies.result import Result

ROWS = "topic,system,score\n" + "".join(
    f"{topic},{name},0.{topic}{place}\n" for topic in range(1, 7) for place, name in enumerate("ab")
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    topics = range(1, 7)
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 d{topic} 1\n" for topic in topics))
    for name, place in {"a": 1, "b": 2}.items():
        lists = (f"{topic} Q0 {'d' if topic % 3 else 'e'}{topic} {place} {9 - place} {name}\n" for topic in topics)
        (tmp_path / "runs" / name).write_text("".join(lists))
    (tmp_path / "scores.csv").write_text(ROWS)
    (tmp_path / "topics.csv").write_text("topic,kind\n" + "".join(f"{topic},x\n" for topic in topics))
    (tmp_path / "teams.csv").write_text("a one\nb two\n")
    return tmp_path


def made(result: Result, path: Path) -> Any:  # noqa: ANN401  # JSON
    result.save(path / "result.json")
    return json.loads((path / "result.json").read_text())["made"]


def digests(folder: Path, *names: str) -> dict[str, str]:
    return {str(folder / name): hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


RUNS = ("qrels.txt", "runs/a", "runs/b")
ASKED: list[tuple[Callable[[Path], Any], tuple[str, ...]]] = [
    (lambda of: ig.compare(ig.load(of / "qrels.txt", of / "runs", warn=False), "AP"), RUNS),
    (lambda of: ig.score((of / "qrels.txt", [of / "runs/a"]), "AP"), RUNS[:2]),
    (lambda of: ig.score(ig.load(of / "qrels.txt", of / "runs", warn=False).only("a"), "AP"), RUNS),
    (lambda of: ig.compare(of / "scores.csv"), ("scores.csv",)),
    (lambda of: ig.compare(ig.load_scores(of / "scores.csv")), ("scores.csv",)),
    (lambda of: ig.compare(ig.score(of / "scores.csv")), ("scores.csv",)),
    (lambda of: ig.compare(of / "scores.csv", topics_table=of / "topics.csv"), ("scores.csv", "topics.csv")),
    (
        lambda of: ig.report((of / "qrels.txt", of / "runs"), "AP", groups=of / "teams.csv", shards=None),
        ("teams.csv", *RUNS),
    ),
    (lambda _: ig.compare({"a": {"1": 0.1, "2": 0.2}, "b": {"1": 0.3, "2": 0.1}}), ()),
]


@pytest.mark.parametrize(("ask", "names"), ASKED)
def test_every_file_that_was_read_has_its_hash(ask: Callable[[Path], Any], names: tuple[str, ...], files: Path) -> None:
    told = made(ask(files), files)
    assert told["files"] == digests(files, *names)
    assert told["command"] == "from Python"


def test_a_file_that_was_changed_since_it_was_read_has_none(files: Path) -> None:
    result = ig.compare(files / "scores.csv")
    (files / "scores.csv").write_text(f"{ROWS}9,a,0.5\n9,b,0.5\n")
    assert made(result, files)["files"] == {str(files / "scores.csv"): None}


def test_the_command_says_itself(files: Path, run: Irgauge) -> None:
    words = ["compare", str(files / "scores.csv"), "-o", str(files / "my result.json")]
    run(*words)
    told = json.loads((files / "my result.json").read_text())["made"]
    assert told["command"] == f"irgauge compare {files}/scores.csv -o '{files}/my result.json'"
    assert told["files"] == digests(files, "scores.csv")


def test_the_same_question_gives_the_same_bytes_but_for_when_and_how(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    for epoch in ("946684800", "946684801", "946684800"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        ig.compare(files / "scores.csv", test="randomization", seed=3).save(files / "result.json")
        written.append((files / "result.json").read_bytes())
    first, second, third = written
    assert first == third
    assert first.replace(b"2000-01-01T00:00:00Z", b"2000-01-01T00:00:01Z") == second


def test_what_is_read_keeps_it(files: Path) -> None:
    first = made(ig.compare(files / "scores.csv"), files)
    copy = ig.read(files / "result.json")
    (files / "scores.csv").unlink()
    assert made(copy, files) == first
