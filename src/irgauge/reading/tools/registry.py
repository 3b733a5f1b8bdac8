"""The tools whose files are read, and which of them a file is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irgauge.reading.tables.sheet import ROW, Origin, Sheet
from irgauge.reading.tools import (
    hf_evaluate,
    inspect_ai,
    lighteval,
    mlflow,
    mteb,
    nuggetizer,
    opensearch,
    quepid,
    rank_eval,
    umbrela,
)
from irgauge.reading.tools.tool import Content, Tool

TOOLS: tuple[Tool, ...] = (  # the first that recognizes a file reads it
    inspect_ai.TOOL,
    rank_eval.TOOL,
    opensearch.TOOL,
    quepid.TOOL,
    nuggetizer.TOOL,
    nuggetizer.METRICS,
    umbrela.TOOL,
    mlflow.TOOL,
    lighteval.TOOL,
    hf_evaluate.TOOL,
    mteb.TOOL,
    mteb.BEIR,
)


def tool_of(content: object) -> Tool | None:
    """The tool that wrote what JSON holds, where one is recognized."""
    return _recognized(_content(content, Origin()))


def tool_sheet(content: object, origin: Origin) -> Sheet | None:
    """The scores of what JSON holds: an object, or a list; None where no tool is recognized."""
    held = _content(content, origin)
    tool = _recognized(held)
    if tool is None:
        return None
    for number, record in enumerate(held.records):
        if not isinstance(record, Mapping):
            raise held.error(f"record {number + 1} is a {type(record).__name__}, not an object with names", number)
    return tool.sheet(held)


def log_sheet(data: bytes, origin: Origin) -> Sheet:
    """The scores of a log of Inspect AI in an archive."""
    return inspect_ai.TOOL.sheet(_content(inspect_ai.of_archive(data, origin.path or ""), origin))


def tool_or_sheet(sheet: Sheet) -> Sheet:
    """The scores of a table as a tool wrote it; the table itself where none is recognized."""
    table = sheet.frame.drop(ROW)
    tool = _recognized(Content(table.head(1).to_dicts(), sheet.origin))
    return sheet if tool is None else tool.sheet(Content(table.to_dicts(), sheet.origin))


def _content(content: Any, origin: Origin) -> Content:  # noqa: ANN401  # whatever JSON holds
    if isinstance(content, Mapping):
        return Content([content], origin, is_object=True)
    return Content(content if isinstance(content, Sequence) else [], origin)


def _recognized(content: Content) -> Tool | None:
    """The tool of a file whose first record is an object."""
    if not content.records or not isinstance(content.first, Mapping):
        return None
    return next((tool for tool in TOOLS if tool.looks(content)), None)
