"""Conventions of test collections: the lowest grade that counts as relevant, where a path or a name tells."""

from __future__ import annotations

import re
from typing import NamedTuple


class Convention(NamedTuple):
    """What the organisers of a track count as relevant by binary measures."""

    tasks: str
    rel: int  # the lowest relevant grade


_DEEP_LEARNING = re.compile(r"(?<![a-z0-9])dl[-_]?(20)?(19|2[0-3])(?![0-9])|trec-dl(?![a-z])", re.IGNORECASE)
_DOCUMENTS = re.compile(r"docs?(?![a-z])|document", re.IGNORECASE)  # whose tasks count from grade 1 on
_FOLDER = re.compile(r"(?<![^/\\])(docs|documents)(?=[/\\])", re.IGNORECASE)  # where people keep anything


def convention_of(name: str) -> Convention | None:
    """The convention of the collection whose judgments have this path, or this name in ir_datasets.

    >>> convention_of("data/dl20/qrels.txt").rel, convention_of("msmarco-passage/trec-dl-2019/judged").rel
    (2, 2)
    >>> convention_of("data/idl200/qrels.txt"), convention_of("msmarco-document/trec-dl-2019")
    (None, None)
    >>> convention_of("/home/me/Documents/dl20/qrels.txt").rel
    2
    """
    if _DEEP_LEARNING.search(name) and not _DOCUMENTS.search(_FOLDER.sub("", name)):
        return Convention("the passage tasks of TREC Deep Learning", 2)
    return None
