"""The command about shallow pools: what if fewer documents had been judged?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from irgauge.cli import terminal
from irgauge.cli.app import app
from irgauge.cli.options import (
    ChartOption,
    CorpusSize,
    Form,
    FormOption,
    Measures,
    Output,
    Precision,
    PrecisionOption,
    Qrels,
    Quiet,
    Runs,
    Seed,
    Workers,
)
from irgauge.errors import InputError

if TYPE_CHECKING:
    from irgauge.studies.pools import Pools


class PoolChart(StrEnum):
    """What the chart shows."""

    p_values = "p-values"
    topics = "topics"


@app.command(epilog="Example: irgauge pools qrels.txt a.run b.run -m AP -m 'RBP(p=0.95)' --depths 10,25,100")
def pools(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = ["AP", "RBP(p=0.95)"],  # noqa: B006  # typer copies it
    depths: Annotated[str, typer.Option(help="Depths of pools.")] = "10,25,100",
    images: Annotated[int, typer.Option(help="Bootstrap images of the corpus.")] = 100,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Every pair of any number of runs.")] = False,
    form: FormOption = None,
    output: Output = None,
    chart: ChartOption = None,
    chart_of: Annotated[
        PoolChart | None, typer.Option("--chart-of", help="p-values against differences, or differences on topics.")
    ] = None,
    precision: Precision = PrecisionOption.double,
    corpus_size: CorpusSize = None,
    alpha: Annotated[float, typer.Option(help="Two runs differ where p is at most alpha.")] = 0.05,
    seed: Seed = 0,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """What if fewer documents had been judged? Two runs under pools of their own top documents, in images.

    A measure that is surer of a difference with fewer judgments is not to be trusted on shallow pools.
    With --all-pairs: how often that happens among many runs.
    """
    from irgauge.studies.pools import pool_pair, pool_pairs

    chosen, wanted = terminal.form(form, output, Form), _depths(depths)
    _check_chart(chart, chart_of, all_pairs=all_pairs)
    paths = _files(runs, all_pairs=all_pairs)
    collection = terminal.load(qrels, paths, precision, workers, quiet=quiet, corpus_size=corpus_size)
    with terminal.progress("pairs", quiet=quiet) as progress:
        result = (pool_pairs if all_pairs else pool_pair)(
            collection,
            measure,
            depths=wanted,
            images=images,
            alpha=alpha,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    if not quiet:
        terminal.tell_notes(result.notes)
    if chart is not None:
        _draw(result, chart, chart_of)
    _show(result, chosen, output)


def _depths(text: str) -> list[int]:
    """Depths such as 10,25,100."""
    parts = [part.strip() for part in text.split(",")]
    wrong = next((part for part in parts if not (part.isascii() and part.isdigit() and int(part) > 0)), None)
    if wrong is not None:
        raise InputError(f"--depths '{text}': '{wrong}' is not a whole number from 1; write them like 10,25,100")
    return [int(part) for part in parts]


def _check_chart(chart: Path | None, chart_of: PoolChart | None, *, all_pairs: bool) -> None:
    if chart is None and chart_of is not None:
        raise InputError(f"--chart-of {chart_of.value} needs a file to draw to; name one with --chart pools.svg")
    if chart_of == PoolChart.topics and all_pairs:
        raise InputError("a chart of topics is of one pair; leave out --all-pairs, or ask for --chart-of p-values")


def _files(runs: Sequence[str], *, all_pairs: bool) -> list[str]:
    """The run files: two different ones, or with all pairs any number from two."""
    from irgauge.files import expand

    paths = expand(runs)
    if len(paths) < 2 or (len(paths) > 2 and not all_pairs):
        given = "1 run was given" if len(paths) == 1 else f"{len(paths)} runs were given"
        hint = "name two" if len(paths) == 1 else "name two, or ask for --all-pairs"
        raise InputError(f"a pair is two runs, and {given}; {hint}")
    seen: set[str] = set()
    for path in paths:
        real = os.path.realpath(path)
        if real in seen:
            raise InputError("this run is given twice; a pair is two different runs", path=path)
        seen.add(real)
    return paths


def _draw(result: Pools, chart: Path, chart_of: PoolChart | None) -> None:
    from irgauge.present import pool_charts

    draw = pool_charts.topic_differences if chart_of == PoolChart.topics else pool_charts.p_values
    terminal.draw(chart, lambda _: draw(result))


def _show(result: Pools, form: str, output: Path | None) -> None:
    """Findings first, then the tables; or the object, or the main table as CSV."""
    from irgauge.present import pool_findings, sentences, tables
    from irgauge.present import pools as presented

    if form in ("json", "csv"):
        terminal.show(form, output, lambda: presented.pools_tables(result), lambda: presented.pools_json(result))
        return
    told = sentences.render(pool_findings.findings(result), form, width=terminal.width())
    shown = tables.render(presented.pools_tables(result), form, width=terminal.width())
    terminal.emit(f"{told}\n{shown}", output)
