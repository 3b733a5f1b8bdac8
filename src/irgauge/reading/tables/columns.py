"""Columns: which column of a table holds the topic, the system, the score; each under the names that tools give it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SCORE = "score"
KEYS = ("measure", "topic", "system", "replicate")
# role -> its names; those of an earlier group go before those of a later one
_NAMES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "measure": (("measure", "metric"),),
    "topic": (
        ("topic",),
        ("topic_id", "query_id", "qid", "q_id", "topicid", "queryid", "question_id"),
        ("query", "question", "id"),
    ),
    "system": (("system", "algorithm"), ("name", "run", "model", "tag", "run_id", "runid")),
    "replicate": (("replicate", "instance"), ("seed", "shard", "fold")),
    SCORE: ((SCORE,), ("value",)),
}
_DOCUMENTS = frozenset({"doc_id", "docid", "docno", "document", "document_id", "corpus_id", "pid", "did", "passage_id"})
_INDEX = re.compile(r"|unnamed:_\d+|index")  # what pandas and R write over the names of rows


@dataclass(frozen=True)
class Columns:
    """The columns of a table: those that have a role, the name of the row, and all others."""

    of: Mapping[str, str]  # role -> the column that has it
    index: str | None  # a column that numbers or names the rows
    others: tuple[str, ...]
    twice: tuple[str, ...] = ()  # two columns of one role
    document: str | None = None  # a column of documents: such a table is a run or judgments


def plain(column: object) -> str:
    """The name of a column, without what tools differ in.

    >>> plain("Query-ID")
    'query_id'
    """
    return re.sub(r"[-\s]", "_", str(column).strip().lower())


def columns_of(names: Sequence[str]) -> Columns:
    """What the columns of these names hold.

    >>> found = columns_of(["Query-ID", "query", "Metric", "value"])
    >>> dict(found.of), found.others
    ({'measure': 'Metric', 'topic': 'Query-ID', 'score': 'value'}, ('query',))
    """
    named = {name: plain(name) for name in names}
    found: dict[str, str] = {}
    twice: tuple[str, ...] = ()
    for role, groups in _NAMES.items():
        there = next(filter(None, ([name for name in names if named[name] in group] for group in groups)), [])
        found |= {role: there[0]} if there else {}
        twice = twice or tuple(there[:2]) * (len(there) > 1)
    index = next((name for name in names[:1] if _INDEX.fullmatch(named[name])), None)
    others = tuple(name for name in names if name not in found.values() and name != index)
    document = next((name for name in names if named[name] in _DOCUMENTS), None)
    return Columns(found, index, others, twice, document)


def other_names(role: str) -> str:
    """What a column may be called besides.

    >>> other_names("replicate")
    'instance, seed, shard, fold'
    """
    return ", ".join(name for group in _NAMES[role] for name in group if name != role)
