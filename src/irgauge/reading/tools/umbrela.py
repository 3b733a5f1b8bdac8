"""Judgments of umbrela as it gives them to its caller: of passages by their text, which no run can be joined with."""

from __future__ import annotations

from irgauge.reading.tools.tool import Content, Tool, ToolScores

_IDS = {"qid", "query_id", "topic_id", "docid", "doc_id", "docno"}  # with which it would be judgments as any others


def _looks(content: Content) -> bool:
    return {"judgment", "passage", "query"} <= content.first.keys() and _IDS.isdisjoint(content.first)


def _scores(content: Content) -> ToolScores:
    raise content.error(
        "judgments of umbrela by the text of passages, without ids of topics and documents: give the qrels that it "
        "writes (topic 0 docno grade) as judgments, before the runs"
    )


TOOL = Tool("judgments of umbrela", "", _looks, _scores)
