"""A whole result for readers: the answer first, then tables, and once at the end how it was found."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irgauge.nouns import NONE, Nouns
from irgauge.provenance import Provenance
from irgauge.show.escapes import markdown_text
from irgauge.show.finding import Finding, Findings
from irgauge.show.fitting import breakable
from irgauge.show.hints import without_hints
from irgauge.show.table import MORE, Table
from irgauge.show.words import sentence
from irgauge.visible import visible

if TYPE_CHECKING:
    from irgauge.show.figure import Figure

_WIDEST = 100  # columns of sentences; longer lines are hard to read
_FEW = 3  # findings in a summary
_MARKS = {"finding": "", "note": "Note: ", "warning": "Warning: ", "error": "Error: "}


More = Callable[[Table], str]  # a long table -> how to get all of it


@dataclass(frozen=True)
class Look:
    """How parts of a text stand out in a terminal: each makes of a line the same line with its look."""

    title: Callable[[str], str] = str
    warning: Callable[[str], str] = str
    method: Callable[[str], str] = str


def from_python(table: Table) -> str:
    """How to get all of a table in Python."""
    return f"table({table.name!r})"


def render(
    findings: Findings,
    tables: Sequence[Table],
    provenance: Provenance,
    form: str,
    *,
    width: int = _WIDEST,
    more: More = from_python,
    look: Look = Look(),
    nouns: Nouns = NONE,
) -> str:
    """Findings, tables and the method: as text for a terminal of that width, or as Markdown or LaTeX."""
    method = nouns.said(provenance.text)
    if form == "latex":
        return _latex(findings, tables, method)
    if form == "markdown":
        return _markdown(findings, tables, method)
    bullets = "\n".join(_bullet(finding, min(width, _WIDEST), look) for finding in findings)
    shown = [_shown(table, width, more, look) for table in tables]
    lines = _lines(f"Method: {method}.", min(width, _WIDEST))
    how = "\n".join(map(look.method, lines))
    return "\n".join([*([bullets + "\n"] if bullets else []), *shown, f"{how}\n"])


def said(finding: Finding) -> str:
    """The sentence of a finding, a warning marked as one."""
    return f"{_MARKS[finding.tone]}{finding.text}"


def _shown(table: Table, width: int, more: More, look: Look) -> str:
    limit = MORE if table.is_long else None
    return table.to_text(width=width, rows=limit, more=more(table), heading=look.title)


def _lines(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    """Lines no longer than that, unless a name or a path is: these are not broken."""
    whole = textwrap.TextWrapper(width, first, others, break_on_hyphens=False, break_long_words=False)
    return whole.wrap(visible(text, keep="\n"))


def _bullet(finding: Finding, width: int, look: Look) -> str:
    """A sentence with hanging indent; a number stays with its sign."""
    whole = re.sub(r"(?<=\d) (?=%)| ± ", lambda space: space[0].replace(" ", "\u00a0"), said(finding))
    lines = "\n".join(_lines(whole, width, "- ", "  "))
    text = lines.replace("\u00a0", " ")
    return text if finding.tone in ("finding", "note") else "\n".join(map(look.warning, text.splitlines()))


def _latex(findings: Findings, tables: Sequence[Table], method: str) -> str:
    items = (f"\\item {breakable(without_hints(said(finding)))}" for finding in findings)
    bullets = [r"\begin{itemize} \sloppy", *items, r"\end{itemize}", ""] if findings else []
    how = rf"{{\sloppy {breakable(f'Method: {method}.')} \par}}"  # as names are not hyphenated
    return "\n".join([*bullets, *(table.to_latex() for table in tables), how, ""])


def _markdown(findings: Findings, tables: Sequence[Table], method: str) -> str:
    bullets = [f"- {markdown_text(said(finding))}" for finding in findings]
    how = f"*Method:* {markdown_text(method)}."
    return "\n".join([*bullets, *([""] if bullets else []), *(table.to_markdown() for table in tables), how, ""])


def summary(name: str, findings: Findings, method: str) -> str:
    """A few lines for a prompt: the first findings, and how to see more."""
    first = [textwrap.shorten(visible(said(finding)), 160, placeholder=" …") for finding in findings[:_FEW]]
    more = f"… {len(findings) - _FEW} more findings" if len(findings) > _FEW else ""
    how = textwrap.shorten(visible(method), 160, placeholder=" …")
    return "\n".join(filter(None, [f"{name}:", *(f"- {text}" for text in first), more, f"({how})"]))


def notebook(findings: Findings, chart: Figure | None, table: Table, method: str) -> str:
    """Findings, one chart, if there is any, and one table as HTML that needs no network and runs no script."""
    items = "".join(f"<li>{html.escape(visible(said(finding)))}</li>" for finding in findings)
    how = html.escape(visible(sentence(method)))
    rows = table.with_rows(table.rows[:MORE])
    cut = f"<p>… {len(table.rows) - MORE:,} more rows: frame()</p>" if len(table.rows) > MORE else ""
    drawn = "" if chart is None else chart.to_html()
    return f"<ul>{items}</ul>{drawn}{rows.to_html()}{cut}<p><small>{how}</small></p>"
