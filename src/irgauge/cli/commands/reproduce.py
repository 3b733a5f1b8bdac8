"""The command that computes the papers' tables and figures again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from irgauge.cli import terminal
from irgauge.cli.app import Command
from irgauge.cli.places import check_places
from irgauge.cli.process import command_words
from irgauge.errors import InputError

if TYPE_CHECKING:
    from irgauge.papers.entry import Entry
    from irgauge.papers.reproduce import Reproduction

_FORMS = ("table", "markdown", "latex", "csv", "json", "html")


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Papers, tables or figures, as --list names them; all if none."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="A folder with trec8/ and the like, each with qrels and runs/; see the docs."),
    ] = None,
    show_list: Annotated[
        bool, typer.Option("--list", help="List all tables and figures with paper, method and data.")
    ] = False,
    form: Annotated[str | None, typer.Option("--format", "-f", help=f"How to print: {', '.join(_FORMS)}.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write to this file: .html and .md with the figures drawn again, or others."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same numbers.")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="Threads; all cores if not given.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Compute the tables and figures of six papers again, and hold every printed value against ours."""
    from irgauge.papers.entry import named

    chosen = terminal.form(form, output, _FORMS)
    check_places([output], [] if data is None else [str(data)])
    entries = named(names or [])
    if show_list:
        _list(entries, chosen, output)
        return
    if data is None:
        raise InputError("there are no data; name their folder with --data DIR, or see what there is with --list")
    _write(_computed(entries, data, seed, workers, quiet=quiet), chosen, output)


def _computed(entries: Sequence[Entry], data: Path, seed: int, workers: int | None, *, quiet: bool) -> Reproduction:
    from dataclasses import replace

    from irgauge.files.made import Made, noting_files
    from irgauge.papers.reproduce import open_data
    from irgauge.papers.reproduce import reproduce as run

    made, datasets = Made().by(command_words()), open_data(data, seed=seed, workers=workers)
    terminal.tell_of_compilation(quiet=quiet)
    with terminal.steps(len(entries), quiet=quiet) as progress, noting_files() as paths:
        reproduction = run(entries, datasets, told=progress)
    if not quiet:
        read = [dataset for dataset in datasets.values() if dataset.is_read]
        terminal.tell_notes([note for dataset in read if (note := dataset.unexpected())])
    told = replace(reproduction, settings={**reproduction.settings, "data": str(data)})
    told.note_made(made.of(paths))
    return told


def _list(entries: Sequence[Entry], form: str, output: Path | None) -> None:
    from irgauge.papers.presented import list_table, list_text
    from irgauge.show.saving import to_json
    from irgauge.show.table import FORMS

    if form == "html":
        where = None if output is None else str(output)
        raise InputError("a list is no page; use .txt, .md, .tex, .csv or .json", path=where)
    table = list_table(entries)
    if form == "table":
        terminal.emit(list_text(entries, terminal.width()), output)
    else:
        terminal.emit(to_json(table.records()) if form == "json" else FORMS[form](table), output, is_data=True)


def _write(reproduction: Reproduction, form: str, output: Path | None) -> None:
    from irgauge.papers import page

    if form == "html":
        from irgauge.show.html import render

        terminal.emit(render(reproduction.page), output, is_data=True)
    elif form == "markdown" and output is not None:
        page.save_markdown(reproduction.outcomes, output)
    elif form == "markdown":
        terminal.emit(page.markdown(reproduction.outcomes, []), None, is_data=True)
    else:
        terminal.emit(reproduction.to_text(form, width=terminal.width()), output)


def _make() -> Callable[..., None]:
    return reproduce


COMMAND = Command(
    question="Are the tables and figures of six papers reproduced?",
    about="Every printed value is compared with ours: it is exact, within sampling, differs (and why), or needs data "
    "that are not there (which, and how to lay them out). The numbers are those of the other commands; what "
    "papers say of tests is asked of experiments simulated from your data.",
    example="irgauge reproduce ferro-kim-sanderson-2019/table-5 --data trec",
    place=240,
    make=_make,
)
