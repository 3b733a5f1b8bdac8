"""Quepid's exports of a case: the general one has the score of every query.

Its columns are those of Quepid 8; ratings and snapshots are read as judgments and as runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.reading.tools.tool import Content, Row, Tool, ToolScores

_NAME = "an export of Quepid"
_CASE, _TOPIC, _SCORE = "Case Name", "Query Text", "Score"
_ABOUT = ("Information Need", "Notes")
_NONE = ("", "--", "zsr")  # of a query without ratings, or without results


def _looks(content: Content) -> bool:
    return not content.is_object and {"Case ID", _TOPIC, _SCORE} <= content.first.keys()


def _scores(content: Content) -> ToolScores:
    case = content.first.get(_CASE)
    return ToolScores(_rows(content), None if case is None else str(case))


def _rows(content: Content) -> Iterator[Row]:
    for line, record in enumerate(content.records):
        score = record.get(_SCORE)
        about = {name: record[name] for name in _ABOUT if record.get(name)}
        yield Row(record.get(_TOPIC), "score", None if score in _NONE else score, line, about=about)


TOOL = Tool(_NAME, "a case is a system, a query a topic, the score of its scorer the measure", _looks, _scores)
