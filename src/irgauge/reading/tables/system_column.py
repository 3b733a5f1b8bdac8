"""The column of systems by names that are usual for it, where it alone tells the rows of a topic apart."""

from __future__ import annotations

from dataclasses import replace

from irgauge.reading.tables.sheet import KEYS, Sheet, plain

# fmt: off
_USUAL = frozenset((
    "variant", "ranker", "retriever", "reranker", "experiment", "config", "configuration", "engine", "arm", "group",
    "ab_group", "test_group", "treatment", "bucket", "method", "approach", "version", "pipeline", "setup",
))  # words that may mean something else, such as the wording of a query: their cells must show it
# fmt: on


def with_system(sheet: Sheet) -> Sheet:
    """The table, with such a column called 'system'."""
    columns = sheet.columns
    if "system" in columns.of or "topic" not in columns.of or columns.twice or "system" in sheet.names:
        return sheet
    labels = [columns.of[key] for key in KEYS if key in columns.of]
    usual = [name for name in columns.others if plain(name) in _USUAL and name not in sheet.of_topics]
    if len(usual) != 1 or not _repeats(sheet, labels) or _repeats(sheet, [*labels, usual[0]]):
        return sheet
    frame = sheet.frame.rename({usual[0]: "system"})
    return replace(sheet, frame=frame, written={**sheet.written, "system": usual[0]})


def _repeats(sheet: Sheet, labels: list[str]) -> bool:
    """Whether two rows have the same labels."""
    return bool(sheet.frame.select(sheet.frame[name] for name in labels).is_duplicated().any())
