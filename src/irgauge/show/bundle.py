"""A report as a folder of files: the page, every chart and every table by itself, and the results; all or nothing.

Or as one file of mail size: the page, and of the results those that are short.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from irgauge.compute.tasks import counting, in_threads
from irgauge.files.writing import check_free, filling, write
from irgauge.options.progress import Progress
from irgauge.show.figure import Figure
from irgauge.show.page import Page, Panel, Variant
from irgauge.show.saving import to_json
from irgauge.show.table import Table
from irgauge.show.vega import of_svg

PAGE, RESULTS = "report.html", "results.json"
CHARTS, TABLES = "charts", "tables"
_MOST = 1_000  # rows of a table that people read; CSV has all
_TEXTS: dict[str, Callable[[Table], str]] = {"md": Table.to_markdown, "tex": Table.to_latex}


def write_bundle(
    folder: str | os.PathLike[str],
    page: Page,
    html: str,
    results: object,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Write the page, charts as SVG, PNG and PDF, tables as CSV, Markdown and LaTeX, and the results as JSON.

    Of a very long table Markdown and LaTeX have the first rows, and say so; CSV has all.
    """
    check_bundle(folder)
    with filling(folder) as temporary:
        write(temporary / PAGE, html)
        write(temporary / RESULTS, to_json(results))
        for name in (CHARTS, TABLES):
            (temporary / name).mkdir()
        _write_tables(page, temporary / TABLES)
        _write_charts(page, temporary / CHARTS, workers, progress)


def check_bundle(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder that holds something, and a file."""
    check_free(folder, "a bundle needs")


def is_small(place: str | os.PathLike[str]) -> bool:
    """Whether a bundle is one file of mail size, which its name says."""
    return Path(place).suffix.lower() == ".zip"


def write_small(path: str | os.PathLike[str], html: str, results: object) -> None:
    """Write the page and results into one file, the same for the same content."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in ((PAGE, html), (RESULTS, to_json(results))):
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    write(path, out.getvalue())


def file_names(panel: Panel) -> list[str]:
    """The name of each form of a panel: its key and what is chosen.

    >>> file_names(Panel("ranks", "", "", (Variant((("measure", "nDCG@10"),)), Variant((("measure", "AP"),)))))
    ['ranks-ndcg-10', 'ranks-ap']
    """
    names: list[str] = []
    for variant in panel.variants:
        name = "-".join([panel.key, *filter(None, (_plain(value) for _, value in variant.choices))])
        alike = sum(other == name or other.startswith(f"{name}--") for other in names)
        names.append(f"{name}--{alike + 1}" if alike else name)
    return names


def _plain(text: str) -> str:
    """Letters, digits and hyphens."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")


def forms(page: Page) -> Iterator[tuple[str, Variant]]:
    """Every chart and table of a page, and the name of its files."""
    for panel in page.panels:
        yield from zip(file_names(panel), panel.variants, strict=True)


def _write_tables(page: Page, folder: Path) -> None:
    for name, variant in forms(page):
        if variant.table is not None:
            write(folder / f"{name}.csv", variant.table.to_csv())
            readable = _readable(variant.table, f"{name}.csv")
            for suffix, text in _TEXTS.items():
                write(folder / f"{name}.{suffix}", text(readable))


def _readable(table: Table, file: str) -> Table:
    """The first rows of a table that is too long to be read, and where the others are."""
    if len(table.rows) <= _MOST:
        return table
    note = f"The first {_MOST:,} of {len(table.rows):,} rows; all are in {file}."
    return replace(table, rows=table.rows[:_MOST], notes=(note, *table.notes))


def _write_charts(page: Page, folder: Path, workers: int | None, progress: Progress | None) -> None:
    figures = [(name, variant.figure) for name, variant in forms(page) if variant.figure is not None]

    def draw(chart: tuple[str, Figure]) -> None:
        _write_chart(folder / chart[0], chart[1])

    in_threads(draw, figures, workers, then=counting(progress, len(figures)))


def _write_chart(path: Path, figure: Figure) -> None:
    """Vega draws once, as SVG; the other formats are made of that."""
    svg = figure.to_svg()
    for ending in (".svg", ".png", ".pdf"):
        write(path.with_name(f"{path.name}{ending}"), of_svg(svg, ending))
