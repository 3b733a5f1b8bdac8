"""The command that computes the papers' tables and figures again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from irgauge.cli import terminal
from irgauge.cli.app import app
from irgauge.cli.options import PageForm, Quiet, Seed, Workers
from irgauge.errors import InputError

if TYPE_CHECKING:
    from irgauge.papers.entry import Entry
    from irgauge.papers.reproduce import Outcome


@app.command(epilog="Example: irgauge reproduce ferro-kim-sanderson-2019/table-5 --data trec")
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
    form: Annotated[PageForm | None, typer.Option("--format", "-f", help="How to print.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write to this file: .html and .md with the figures drawn again, or others."
        ),
    ] = None,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Compute the tables and figures of five papers again, and hold every printed value against ours.

    Each value is exact, within sampling, differs (and why), or needs data that
    are not there (which, and how to lay them out). The numbers are those of the
    other commands: nothing is computed in a way that users cannot.
    """
    from irgauge.papers.catalogue import named

    chosen = terminal.form(form, output, PageForm)
    terminal.check_place(output)
    entries = named(names or [])
    if show_list:
        _list(entries, chosen, output)
        return
    if data is None:
        raise InputError("there are no data; name their folder with --data DIR, or see what there is with --list")
    from irgauge.papers.reproduce import open_data
    from irgauge.papers.reproduce import reproduce as run
    from irgauge.present.report_methods import package_versions

    datasets = open_data(data, seed=seed, workers=workers)
    terminal.tell_of_compilation(quiet=quiet)

    with terminal.steps(len(entries), quiet=quiet) as told:
        outcomes = list(run(entries, datasets, told))
    if not quiet:
        read = [dataset for dataset in datasets.values() if dataset.is_read]
        terminal.tell_notes([note for dataset in read if (note := dataset.unexpected())])
    settings = {"data": str(data), "collections": list(datasets), "seed": seed, "versions": package_versions()}
    _write(outcomes, settings, chosen, output)


def _list(entries: Sequence[Entry], form: str, output: Path | None) -> None:
    from irgauge.papers.presented import list_table, list_text

    if form == "html":
        raise InputError("a list is no page; use .txt, .md, .tex, .csv or .json", path=str(output))
    if form == "table":
        terminal.emit(list_text(entries, terminal.width()), output)
    else:
        table = list_table(entries)
        terminal.show(form, output, lambda: [table], table.records)


def _write(outcomes: list[Outcome], settings: dict[str, Any], form: str, output: Path | None) -> None:
    from irgauge.papers import page, presented

    if form == "html":
        from irgauge.present.report import render

        terminal.emit(render(page.page_of(outcomes, settings)), output)
    elif form == "markdown":
        figures = [] if output is None else page.draw_figures(outcomes, output.with_name(f"{output.stem}_figures"))
        terminal.emit(page.markdown(outcomes, figures), output)
    elif form in ("csv", "json"):
        terminal.show(
            form,
            output,
            lambda: [presented.flat_table(outcomes)],
            lambda: presented.reproduction_json(outcomes, settings),
        )
    else:
        terminal.emit(presented.render(outcomes, form, terminal.width()), output)
