"""Tab completion: the words of a command line that is not finished, and the values that an option may have."""

from __future__ import annotations

import csv
import os
import shlex
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from glob import glob
from itertools import islice
from pathlib import Path
from typing import Literal, get_args, get_origin

import typer

from irgauge.options.fields import Option

_ASKED = "_IRGAUGE_COMPLETE"  # what a shell sets where it wants completions
_LINES = ("_TYPER_COMPLETE_ARGS", "COMP_WORDS")  # where it puts the line: zsh, fish and others; bash
_MOST_ROWS = 5000  # of a table whose systems are offered
Completer = Callable[..., Iterable[str]]  # with the context or without


def words_of(arguments: list[str], environment: Mapping[str, str] = os.environ) -> list[str]:
    """The arguments of a command line: those that are there, or those so far where a shell asks for completions."""
    if _ASKED not in environment:
        return arguments
    line = next((environment[name] for name in _LINES if name in environment), "")
    try:
        return shlex.split(line)[1:]
    except ValueError:  # a quote that is not closed yet
        return line.split()[1:]


def completer_of(option: Option) -> Completer | None:
    """What offers values of an option; None where files are as good a guess as any."""
    spec = option.help
    if option.name == "baseline":
        return _systems
    if spec.flag == "measure":
        return _measures
    if spec.names is not None:
        return _from(spec.names)
    if get_origin(option.kind) is Literal:
        return offering(map(str, get_args(option.kind)))
    return None if spec.forms is None else _from(spec.forms, lambda form: form.partition(":")[0] + ":")


def _from(registry: Callable[[], Iterable[str]], shown: Callable[[str], str] = str) -> Completer:
    return lambda: [shown(name) for name in registry()]


def offering(names: Iterable[str]) -> Completer:
    """What offers these names."""
    known = list(names)
    return lambda: known


def _systems(ctx: typer.Context) -> Iterable[str]:
    return systems_in(ctx.params.get("inputs") or ctx.args)  # which click leaves there while an option has no value


def _measures() -> Iterable[str]:
    from irgauge.scoring.parsing import MEASURES

    return list(MEASURES)


def systems_in(inputs: Iterable[str]) -> list[str]:
    """Names of systems as far as they can be told at once: those of the files of runs, or in the head of a table."""
    from irgauge.reading.run_names import file_name

    paths = [path for text in inputs for path in _expanded(text)]
    with suppress(OSError, UnicodeDecodeError, csv.Error):
        if paths and paths[0].suffix.lower() in (".csv", ".tsv"):
            return _in_table(paths[0]) if paths[0].is_file() else []
        runs = (path for given in paths[1:] for path in (sorted(given.iterdir()) if given.is_dir() else [given]))
        return [file_name(str(path)) for path in runs]
    return []


def _expanded(text: str) -> list[Path]:
    """What a shell would make of a word, which it does not expand while it completes."""
    word = os.path.expanduser(os.path.expandvars(text))  # noqa: PTH111  # a path has no variables
    return [Path(match) for match in sorted(glob(word))] or [Path(word)]  # noqa: PTH207  # any path


def _in_table(path: Path) -> list[str]:
    """The systems of a long table, or the columns of a wide one behind the topics."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = csv.reader(islice(file, _MOST_ROWS), delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
        header = next(rows, [])
        if "system" not in header:
            return header[1:]
        column = header.index("system")
        return list(dict.fromkeys(row[column] for row in rows if len(row) > column))
