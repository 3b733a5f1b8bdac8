"""Long calls: how far they are, how long they took, and warnings that are read: one for many systems."""

from __future__ import annotations

import io
import logging
import sys
import warnings
from pathlib import Path

import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.options import progress

QRELS = {str(topic): {"a": 1, "b": 0} for topic in range(4)}
RUNS = {name: {str(topic): {"a": 2.0, "b": 1.0} for topic in range(4)} for name in ("x", "y", "z")}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch, delay: float = 0.0) -> Terminal:
    """A terminal in which every call is a long one; set in the test, since pytest sets its own before that."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "DELAY", delay)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_a_bar_is_shown_at_a_prompt_and_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    ig.load(QRELS, RUNS)
    assert terminal.getvalue() == ""  # a script
    ig.load(QRELS, RUNS, progress=True)
    assert "loading" in terminal.getvalue()
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    for wanted, is_shown in ((None, True), (False, False)):
        terminal.truncate(0)
        ig.load(QRELS, RUNS, progress=wanted)
        assert ("loading" in terminal.getvalue()) is is_shown


def test_nothing_is_shown_where_nobody_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    ig.load(QRELS, RUNS, progress=True)
    assert capsys.readouterr().err == ""


def test_a_short_call_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch, delay=60.0)
    ig.load(QRELS, RUNS, progress=True)
    assert terminal.getvalue() == ""


def test_a_verb_that_works_for_another_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    outer = progress.Telling(progress=True)
    with outer.while_running():
        ig.load(QRELS, RUNS, progress=True)
        assert terminal.getvalue() == ""
        outer.told(1, 2)  # type: ignore[misc]  # there is a bar
    assert "telling" in terminal.getvalue()


def test_a_function_is_told_and_what_is_none_is_refused() -> None:
    told: list[tuple[int, int]] = []
    ig.load(QRELS, RUNS, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)
    with pytest.raises(DesignError, match="progress is 'yes'; it is True, False, or a function of two numbers"):
        ig.load(QRELS, RUNS, progress="yes")  # type: ignore[arg-type]  # wrong on purpose


def test_the_log_says_what_was_read_and_how_long_it_took(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    (tmp_path / "x.run").write_text("1 Q0 a 1 2.0 x\n")
    with caplog.at_level(logging.DEBUG, "irgauge"):
        ig.load(tmp_path / "qrels.txt", tmp_path / "x.run")
    said = [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "irgauge"]
    assert ("DEBUG", f"read {tmp_path / 'x.run'}: 15 bytes") in said
    assert ("INFO", "read 1 runs on 1 topics") in said
    assert any(level == "INFO" and text.startswith("loading took ") for level, text in said)


def test_one_warning_is_of_all_systems() -> None:
    more = {
        name: {**run, **{f"extra{i}": {"a": 1.0} for i in range(3 - number)}}
        for number, (name, run) in enumerate(RUNS.items())
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ig.load(QRELS, more)
    texts = [str(warning.message) for warning in caught]
    assert texts == ["3 systems (x, y and z), such as x: 3 of its topics not in the qrels, left out"]


def test_a_margin_of_a_measure_that_is_not_asked_for_is_refused() -> None:
    runs = ig.load(QRELS, RUNS)
    with pytest.raises(DesignError, match="the measure in margin 'RRR' is unknown; did you mean 'RR'"):
        ig.compare(runs, ["AP", "RR"], margin={"AP": 0.1, "RR": 0.1, "RRR": 0.1})
    with pytest.raises(DesignError, match="the measure in margin 'P@5' is unknown"):
        ig.compare(runs, ["AP"], margin={"AP": 0.1, "P@5": 0.1})
    assert ig.compare(runs, ["AP"], margin={"map": 0.1}).margins is not None
