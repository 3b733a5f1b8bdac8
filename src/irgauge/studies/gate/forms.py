"""Forms of a gate: the verdict in one line, and a page for a pull request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from irgauge.provenance import package_versions
from irgauge.show.document import said
from irgauge.show.escapes import markdown_block, markdown_text
from irgauge.studies.gate.findings import findings
from irgauge.studies.gate.further_findings import budget_told
from irgauge.studies.gate.reason_told import folded, list_tables
from irgauge.studies.gate.study import Gated
from irgauge.visible import visible

_SIGNS = {"pass": "✅", "fail": "❌", "undecided": "❔"}


def line(result: Gated) -> str:
    """The verdict in one line, whatever names hold, and where there is a budget what is left of it."""
    return "".join(f"{visible(finding.text)}\n" for finding in (next(findings(result)), *budget_told(result)))


def summary(result: Gated) -> str:
    """The verdict, tables, cautions, the command and versions, in Markdown."""
    return "\n\n".join(_parts(result)) + "\n"


def _parts(result: Gated) -> Iterator[str]:
    first, *others = result.findings()
    yield f"## {_SIGNS[result.verdict]} {result.verdict}"
    yield markdown_text(first.text)
    if others:
        yield "\n".join(f"- {markdown_text(said(other))}" for other in others)
    lists = list_tables(result)
    shown = (table for table in result.tables() if table.rows and table not in lists)
    yield from (table.to_markdown().rstrip() for table in shown)
    yield from map(folded, lists)
    if result.command is not None:
        yield markdown_block(result.command, "sh")
    versions = ", ".join(f"{name} {number}" for name, number in package_versions().items())
    yield f"*Method:* {markdown_text(result.provenance.text)}."
    yield f"*Versions:* {versions}."


FORMS: Mapping[str, Callable[[Gated], str | bytes]] = {"line": line, "summary": summary}
