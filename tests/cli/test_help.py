"""What `--help` and `--help-all` print: short and by purpose, or all."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import Any

import pytest
import typer.main

from irgauge.cli.app import CommandGroup, app_for, commands, every_command
from irgauge.cli.help import Example, examples

Irgauge = Callable[..., tuple[int, str, str]]
PANELS = ("Question", "Test", "Claim", "Reading data", "Output", "Running")


@pytest.fixture(autouse=True)
def _narrow(run: Irgauge, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001  # which sets it before
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("command", every_command())
def test_the_short_help_fits_a_screen_or_two(command: str, run: Irgauge) -> None:
    code, out, _ = run(*command.split(), "--help")
    text, _, shown = out.partition("\nExample")
    assert code == 0
    assert len(out.splitlines()) <= 60
    assert shown
    assert not [line for line in text.splitlines() if len(line) > 80 and " " in line.strip()]


def test_options_stand_by_purpose_and_the_rest_is_told_of(run: Irgauge) -> None:
    _, out, _ = run("compare", "--help")
    assert [line for line in out.splitlines() if line in PANELS] == ["Question", "Test", "Claim", "Output"]
    assert "  -m, --measure TEXT        A measure, such as AP or nDCG@10; repeatable.\n" in out
    assert re.search(r"--help-all shows \d+ more options", out)
    assert "--precision" not in out


def test_all_options_are_printed_in_full_where_asked(run: Irgauge) -> None:
    _, out, _ = run("compare", "--help-all")
    assert [line for line in out.splitlines() if line in PANELS] == list(PANELS)
    assert "Which test?" in out
    assert "--precision" in out
    assert not re.search(r"\d{8}", out), "a limit that nobody reads"


def test_the_options_that_come_first_exist() -> None:
    for name, command in commands().items():
        if not isinstance(command, CommandGroup):
            assert {*command.first} <= {param.name for param in parsed(name).params}, name


@pytest.mark.parametrize("command", every_command())
def test_examples_parse(command: str) -> None:
    """Every option of an example is one of its command."""
    first, *rest = command.split()
    entry = commands()[first]
    text = (entry.commands()[rest[0]] if isinstance(entry, CommandGroup) else entry).example
    for example in examples(text):
        program, *words = shlex.split(example.command)
        assert (program, words[: 1 + len(rest)]) == ("irgauge", command.split())
        parsed(command).make_context(command, words[1 + len(rest) :])


def test_examples_have_notes() -> None:
    assert examples("irgauge a x; without data: irgauge a -c k=1") == [
        Example("irgauge a x"),
        Example("irgauge a -c k=1", "without data"),
    ]


def parsed(name: str) -> Any:  # noqa: ANN401  # click's
    """A command as click has it."""
    command: Any = typer.main.get_command(app_for(name.split()))
    for word in name.split():
        command = command.commands[word]
    return command
