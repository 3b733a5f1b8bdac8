"""A reproduction as a page of the report's look, and as Markdown with its figures beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from altair.typing import ChartType

from irgauge.papers.judging import Verdict
from irgauge.papers.presented import (
    RULE,
    needs_table,
    paper_sentence,
    place,
    remarks,
    summary_table,
    value_table,
)
from irgauge.papers.published import papers
from irgauge.papers.reproduce import Outcome
from irgauge.present import charts
from irgauge.present.page import Finding, Page, Panel, Section, Variant
from irgauge.present.report_panels import heading, panel
from irgauge.present.sentences import counted
from irgauge.present.tables import Table, to_markdown

_TITLE = "Are the papers' tables and figures reproduced?"
_VERDICTS = "verdicts"
_METHOD = "every value computed by the functions of irgauge's commands; how verdicts are given stands under Methods"


def page_of(outcomes: Sequence[Outcome], settings: dict[str, Any]) -> Page:
    """The whole comparison: a sentence for each paper, then every table and figure."""
    by_paper = _by_paper(outcomes)
    values = sum(len(one.values) for one in outcomes)
    needed = needs_table(outcomes)
    return Page(
        title=_TITLE,
        subtitle=f"{counted(values, 'printed value')} of {len(outcomes)} tables and figures",
        findings=tuple(
            Finding(paper_sentence(paper, found), _population(found), _METHOD, _VERDICTS)
            for paper, found in by_paper.items()
        ),
        warnings=(),
        sections=(
            Section(_VERDICTS, "How did each table come out?", (), (_panel(_VERDICTS, summary_table(outcomes)),)),
            *map(_section, outcomes),
            *([Section("data", "Which data are needed?", (), (_panel("data", needed),))] if needed else []),
        ),
        methods=(("Verdicts", f"{RULE[0].upper()}{RULE[1:]}"),),
        references=tuple(papers()[paper].reference for paper in by_paper),
        settings=settings,
    )


def _panel(key: str, table: Table) -> Panel:
    return panel(key, table.title, "", "A table.", [Variant((), table=table)])


def _by_paper(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    return {paper: list(found) for paper, found in groupby(outcomes, lambda one: one.entry.name.partition("/")[0])}


def _population(outcomes: Sequence[Outcome]) -> str:
    """What the entries of a paper say of other populations stands with them."""
    beside = sum(bool(one.beside) for one in outcomes)
    return (
        f"as in the paper; {counted(beside, 'table')} with another population beside" if beside else "as in the paper"
    )


def _section(outcome: Outcome) -> Section:
    name = outcome.entry.name
    key, title, shows = name.replace("/", "-"), place(name), f"{outcome.entry.exhibit.shows}."
    told = tuple(remarks(outcome))
    if outcome.verdict == Verdict.NEEDS:
        return Section(key, title, (shows,), tuple(_panels(key, outcome)), reason=" ".join(told))
    return Section(key, title, (shows, f"Verdict: {outcome.verdict}.", *told), tuple(_panels(key, outcome)))


def _panels(key: str, outcome: Outcome) -> Iterator[Panel]:
    yield panel(f"{key}-values", "Printed values and ours", "", "A table.", [Variant((), table=value_table(outcome))])
    for collection, drawn in outcome.charts.items():
        for i, chart in enumerate(drawn, 1):
            title = f"Drawn again from {collection}" + (f", part {i}" if len(drawn) > 1 else "")
            yield panel(f"{key}-{collection}-{i}", title, "", "The figure, drawn again.", [Variant((), chart=chart)])


def markdown(outcomes: Sequence[Outcome], figures: Sequence[tuple[Outcome, str, Path]]) -> str:
    """The whole comparison; `figures` are the files of what was drawn again, and what each shows."""
    lines = [f"# {_TITLE}", ""]
    lines += [f"- {paper_sentence(paper, found)}" for paper, found in _by_paper(outcomes).items()]
    lines += ["", to_markdown(summary_table(outcomes))]
    for outcome in outcomes:
        lines += [f"## {place(outcome.entry.name)}", "", to_markdown(value_table(outcome))]
        lines += [f"- {told}" for told in remarks(outcome)] + [""]
        lines += [f"![{shows}]({quote(path.as_posix())})\n" for of, shows, path in figures if of is outcome]
    needed = needs_table(outcomes)
    return "\n".join([*lines, to_markdown(needed)] if needed else lines)


def draw_figures(outcomes: Sequence[Outcome], folder: Path) -> list[tuple[Outcome, str, Path]]:
    """Draw every figure to an SVG file of the folder; where each is, from the place of the folder."""
    folder.mkdir(exist_ok=True)
    found = []
    for outcome in outcomes:
        for collection, drawn in outcome.charts.items():
            for i, chart in enumerate(drawn, 1):
                name = f"{outcome.entry.name.replace('/', '-')}-{collection}-{i}.svg"
                charts.save(cast(ChartType, chart), folder / name)
                found.append((outcome, heading(chart), Path(folder.name) / name))
    return found
