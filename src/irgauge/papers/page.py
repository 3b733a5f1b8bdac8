"""A reproduction as a page of the report's look, and as Markdown with its figures beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from irgauge.files.writing import filling, write
from irgauge.inference.facts import method
from irgauge.papers.presented import (
    RULE_SENTENCE,
    by_paper,
    findings,
    needs_table,
    place,
    remarks,
    summary_table,
    text_of,
    value_table,
)
from irgauge.papers.published import Verdict, papers
from irgauge.papers.reproduce import METHOD, EntryOutcome, Reproduction
from irgauge.provenance import Provenance
from irgauge.show import saving
from irgauge.show.finding import remark
from irgauge.show.finding import remarks as remarks_of
from irgauge.show.page import Claim, Front, Page, Panel, Section, Variant
from irgauge.show.table import Table
from irgauge.show.words import counted

_TITLE = "Are the papers' tables and figures reproduced?"
_VERDICTS = "verdicts"
FORMS = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".tex": "latex",
    ".txt": "text",
    ".csv": "csv",
    ".json": "json",
}


def page_of(outcomes: Sequence[EntryOutcome], settings: dict[str, Any]) -> Page:
    """The whole comparison: a sentence for each paper, then every table and figure."""
    values = sum(len(outcome.values) for outcome in outcomes)
    needed = needs_table(outcomes)
    how = Provenance.of(method(f"{METHOD}; how verdicts are given stands under Methods"))
    return Page(
        title=_TITLE,
        subtitle=f"{counted(values, 'printed value')} of {len(outcomes)} tables and figures",
        front=Front(()),
        claims=tuple(Claim(finding, how, _VERDICTS) for finding in findings(outcomes)),
        warnings=(),
        sections=(
            Section(
                _VERDICTS,
                "How did each table come out?",
                tuple(findings(outcomes)),
                (_panel(_VERDICTS, summary_table(outcomes)),),
            ),
            *map(_section, outcomes),
            *([Section("data", "Which data are needed?", (), (_panel("data", needed),))] if needed else []),
        ),
        methods=(("Verdicts", RULE_SENTENCE),),
        references=tuple(papers()[paper].reference for paper in by_paper(outcomes)),
        settings=settings,
    )


def _panel(key: str, table: Table) -> Panel:
    return Panel(key, table.title, "", (Variant((), table=table),))


def _section(outcome: EntryOutcome) -> Section:
    name = outcome.entry.name
    key, title, shows = name.replace("/", "-"), place(name), f"{outcome.entry.exhibit.shows}."
    sentences = tuple(remarks(outcome))
    if outcome.verdict == Verdict.NEEDS:
        return Section(
            key, title, (remark(text=shows),), tuple(_panels(key, outcome)), reason=" ".join(sentences), is_folded=True
        )
    texts = (f"{outcome.verdict}: {shows}", *sentences)
    return Section(key, title, tuple(remarks_of(texts)), tuple(_panels(key, outcome)), is_folded=True)


def _panels(key: str, outcome: EntryOutcome) -> Iterator[Panel]:
    yield Panel(f"{key}-values", "Printed values and ours", "", (Variant((), table=value_table(outcome)),))
    for collection, drawn in outcome.charts.items():
        for i, figure in enumerate(drawn, 1):
            title = f"Drawn again from {collection}" + (f", part {i}" if len(drawn) > 1 else "")
            yield Panel(f"{key}-{collection}-{i}", title, "", (Variant((), figure),))


def save(reproduction: Reproduction, path: Path) -> None:
    """Write what a file holds, by its extension; the figures of Markdown go into a folder beside it."""
    form = FORMS.get(path.suffix.lower())
    if form is None:
        saving.save(reproduction, path)
    elif form == "html":
        from irgauge.show.html import render

        write(path, render(reproduction.page))
    elif form == "markdown":
        save_markdown(reproduction.outcomes, path)
    else:
        write(path, text_of(reproduction, form, 100))


def markdown(outcomes: Sequence[EntryOutcome], figures: Sequence[tuple[EntryOutcome, str, Path]]) -> str:
    """The whole comparison; `figures` are the files of what was drawn again, and what each shows."""
    lines = [f"# {_TITLE}", ""]
    lines += [f"- {finding}" for finding in findings(outcomes)]
    lines += ["", summary_table(outcomes).to_markdown()]
    for outcome in outcomes:
        lines += [f"## {place(outcome.entry.name)}", "", value_table(outcome).to_markdown()]
        lines += [f"- {remark}" for remark in remarks(outcome)] + [""]
        lines += [f"![{shows}]({quote(path.as_posix())})\n" for of, shows, path in figures if of is outcome]
    needed = needs_table(outcomes)
    return "\n".join([*lines, needed.to_markdown()] if needed else lines)


def save_markdown(outcomes: Sequence[EntryOutcome], path: Path) -> None:
    """Write the comparison, and every figure as an SVG file in a folder beside it: all or nothing."""
    folder = path.with_name(f"{path.stem}_figures")
    with filling(folder) as temporary:
        drawn = _draw_figures(outcomes, temporary)
        write(path, markdown(outcomes, [(outcome, shows, Path(folder.name) / name) for outcome, shows, name in drawn]))


def _draw_figures(outcomes: Sequence[EntryOutcome], folder: Path) -> list[tuple[EntryOutcome, str, str]]:
    """Draw every figure to a file of the folder: what it shows, and its name."""
    figures = []
    for outcome in outcomes:
        for collection, drawn in outcome.charts.items():
            for i, figure in enumerate(drawn, 1):
                name = f"{outcome.entry.name.replace('/', '-')}-{collection}-{i}.svg"
                figure.save(folder / name)
                figures.append((outcome, figure.title, name))
    return figures
