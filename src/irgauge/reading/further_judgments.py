"""Judgments that were made since: files of them in a folder, added to those of a collection."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Ints
from irgauge.compute.polars_pool import check_pool
from irgauge.errors import DesignError, InputError
from irgauge.files.opening import files_in, is_folder
from irgauge.reading.collection import Collection
from irgauge.reading.formats import read_qrels
from irgauge.reading.rejudging import JudgedPairs, own_pairs, rejudged
from irgauge.reading.trec import Qrels

_Pair = tuple[int, int]  # the places of a topic and of a document


class _Line(NamedTuple):
    """One judgment of such a file."""

    qrels: Qrels
    row: int
    topic: int

    @property
    def docno(self) -> str:
        return self.qrels.docno(self.row)

    @property
    def grade(self) -> int:
        return int(self.qrels.grades[self.row])


def with_judgments(collection: Collection, folder: str | os.PathLike[str]) -> tuple[Collection, int]:
    """A collection with the judgments of all files of a folder, and how many of them are new.

    A grade that differs from another for the same topic and document is refused; the same one again is nothing new.
    """
    if collection.documents != "all":
        raise DesignError("further judgments need all documents of the runs; load the collection with documents='all'")
    lines = list(_lines(collection, folder))
    own = own_pairs(collection)
    pairs = zip(own.topics.tolist(), own.docs.tolist(), strict=True)
    added = _added(lines, _numbers(collection, lines), dict(zip(pairs, own.grades.tolist(), strict=True)))
    return (_with(collection, own, added), len(added)) if added else (collection, 0)


def _lines(collection: Collection, folder: str | os.PathLike[str]) -> Iterator[_Line]:
    if not is_folder(folder):
        message = "there is no such folder; name one with files of judgments, as qrels have them"
        raise InputError(message, path=str(folder))
    places = {topic: place for place, topic in enumerate(collection.topics)}
    highest = int(collection.grades.max())
    for path in files_in(folder):
        qrels = read_qrels(path)
        for row in range(len(qrels.grades)):
            if (topic := qrels.topic(row)) not in places:
                message = f"the topic {topic} does not count, as no document is judged relevant to it; leave it out"
                raise qrels.error(row, message)
            if (grade := int(qrels.grades[row])) > highest:
                message = (
                    f"the grade {grade} is above {highest}, the highest of the judgments, which bounds take as the "
                )
                raise qrels.error(row, f"{message}most; add this judgment to the judgments themselves, and ask again")
            yield _Line(qrels, row, places[topic])


def _numbers(collection: Collection, lines: Sequence[_Line]) -> list[int]:
    """The documents of lines in a collection; after its last, one for each that it does not name."""
    import polars as pl

    check_pool()
    docnos = [line.docno for line in lines]
    names = list(dict.fromkeys(docnos))
    numbers = pl.DataFrame({"docno": collection.docnos, "number": np.arange(collection.document_count)})
    asked = pl.DataFrame({"docno": pl.Series(names, dtype=pl.String)})
    known = asked.join(numbers, on="docno", how="left", maintain_order="left")["number"].to_list()
    new = iter(range(collection.document_count, collection.document_count + len(names)))
    place = {name: next(new) if number is None else number for name, number in zip(names, known, strict=True)}
    return [place[docno] for docno in docnos]


def _added(lines: Sequence[_Line], docs: Sequence[int], judged: Mapping[_Pair, int]) -> dict[_Pair, int]:
    """The judgments that are new."""
    added: dict[_Pair, int] = {}
    for line, doc in zip(lines, docs, strict=True):
        pair = line.topic, doc
        before = judged.get(pair, added.get(pair))
        if before is not None and before != line.grade:
            message = f"the document {line.docno} has the grade {line.grade}, and {before} before; keep one of both"
            raise line.qrels.error(line.row, message)
        if pair not in judged:
            added[pair] = line.grade
    return added


def _with(collection: Collection, own: JudgedPairs, added: Mapping[_Pair, int]) -> Collection:
    topics, docs = np.array(list(added), np.int64).T
    rows: Ints = np.full(len(added), -1)  # of no row of the judgments there were
    together = JudgedPairs.ordered(
        np.concatenate([own.topics, topics]),
        np.concatenate([own.docs, docs]),
        np.concatenate([own.grades, np.array(list(added.values()))]),
        np.concatenate([own.rows, rows]),
    )
    judged = rejudged(collection, together)
    left_out = [topic for topic in collection.no_relevant if topic not in collection.topics]
    return replace(judged, topic_rule=collection.topic_rule, no_relevant=(*left_out, *judged.no_relevant))
