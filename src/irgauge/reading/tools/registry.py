"""The tools whose files are read, and which of them a file is of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from irgauge.reading.tables.sheet import ROW, Origin, Sheet
from irgauge.reading.tools import (
    deepeval,
    hf_evaluate,
    inspect_ai,
    lighteval,
    lm_eval,
    mlflow,
    mteb,
    nuggetizer,
    opensearch,
    promptfoo,
    quepid,
    ragas,
    rank_eval,
    umbrela,
)
from irgauge.reading.tools.tool import Content, Tool

TOOLS: tuple[Tool, ...] = (  # the first that recognizes a file reads it
    inspect_ai.TOOL,
    lm_eval.TOOL,
    promptfoo.TOOL,
    deepeval.TOOL,
    ragas.TOOL,
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


def tool_sheet(content: object, origin: Origin, raw: Callable[[], Sheet] | None) -> Sheet | None:
    """The scores of what JSON holds: an object, or a list, of which `raw` makes a table; None if no tool wrote it."""
    held = _content(content, origin)
    tool = _recognized(held)
    if tool is None:
        return None
    for number, record in enumerate(held.records):
        if not isinstance(record, Mapping):
            raise held.error(f"record {number + 1} is a {type(record).__name__}, not an object with names", number)
    return _over(tool.sheet(held), raw)


def log_sheet(data: bytes, origin: Origin) -> Sheet:
    """The scores of a log of Inspect AI in an archive."""
    return inspect_ai.TOOL.sheet(_content(inspect_ai.of_archive(data, origin.path or ""), origin))


def tool_or_sheet(sheet: Sheet) -> Sheet:
    """The scores of a table as a tool wrote it; the table itself where none is recognized."""
    table = sheet.frame.drop(ROW)
    tool = _recognized(Content(table.head(1).to_dicts(), sheet.origin))
    return sheet if tool is None else _over(tool.sheet(Content(table.to_dicts(), sheet.origin)), lambda: sheet)


def _over(sheet: Sheet, raw: Callable[[], Sheet] | None) -> Sheet:
    """The table that a tool's file was read as, over the file's own."""
    return sheet if sheet.recognized is None else replace(sheet, recognized=replace(sheet.recognized, raw=raw))


def _content(content: Any, origin: Origin) -> Content:  # noqa: ANN401  # whatever JSON holds
    if isinstance(content, Mapping):
        return Content([content], origin, is_object=True)
    return Content(content if isinstance(content, Sequence) else [], origin)


def _recognized(content: Content) -> Tool | None:
    """The tool of a file whose first record is an object."""
    if not content.records or not isinstance(content.first, Mapping):
        return None
    return next((tool for tool in TOOLS if tool.looks(content)), None)
