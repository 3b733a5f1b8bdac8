"""Damaged files of text for the lab: documents, topics and indexes are read, or refused."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from fuzz.files import File, assert_read_or_refused, damaged_one_of, written
from fuzz.mutations import damaged
from fuzz.trials import try_each
from irgauge.lab.index import Index, build
from irgauge.lab.running import search
from irgauge.lab.systems import System
from irgauge.lab.texts import Document, read_documents, read_topics
from oracles.every_format import lines

TEXTS = {"d1": "radio waves &amp; noise", "d2": "waves <b>of</b> é &#233;", "x-3": "noise"}
DOCUMENTS = {
    "documents.trec": lines(
        *(f"<DOC>\n<DOCNO> {name} </DOCNO>\n<TEXT>{text}</TEXT>\n</DOC>" for name, text in TEXTS.items())
    ),
    "documents.tsv": lines(*(f"{name}\t{text}" for name, text in TEXTS.items())),
    "documents.jsonl": lines(*(json.dumps({"_id": name, "title": "a", "text": text}) for name, text in TEXTS.items())),
}
TOPICS = {
    "topics.trec": lines("<top>", "<num> Number: 401", "<title> Topic: radio &lt; waves", "<desc> more", "</top>") * 2,
    "topics.tsv": lines("401\tradio waves", "402\tnoise"),
    "topics.jsonl": lines('{"qid": "401", "query": "radio waves"}', '{"id": 402, "title": "noise"}'),
}


def test_the_samples_are_read_as_they_are() -> None:
    for name, data in DOCUMENTS.items():
        with written(File(name, data)) as path:
            assert [document.docno for document in read_documents([path])] == list(TEXTS)
    for name, data in TOPICS.items():
        with written(File(name, data.replace(b"401", b"7", 1))) as path:
            assert len(read_topics(path)) == 2


def test_damaged_documents() -> None:
    def attempt(file: File) -> None:
        with written(file) as path:
            assert_read_or_refused(lambda: list(read_documents([path])), path)

    try_each("documents of text", 600, damaged_one_of(DOCUMENTS), attempt)


def test_damaged_topics() -> None:
    def attempt(file: File) -> None:
        with written(file) as path:
            assert_read_or_refused(lambda: read_topics(path), path)

    try_each("topics", 500, damaged_one_of(TOPICS), attempt)


def test_damaged_indexes() -> None:
    build(Document(name, text) for name, text in TEXTS.items()).save("index")
    files = {str(path): path.read_bytes() for path in sorted(Path("index").iterdir())}

    def make(rng: Random) -> File:
        name = rng.choice(list(files))
        return File(name, damaged(files[name], rng))

    def attempt(file: File) -> None:
        try:
            Path(file.name).write_bytes(file.data)
            assert_read_or_refused(lambda: _searched(Index.load("index")), "index")
        finally:
            Path(file.name).write_bytes(files[file.name])

    try_each("indexes", 500, make, attempt)


def _searched(index: Index) -> None:
    """A search reads all of an index."""
    search(index, "radio noise", System.of("bm25"), 10)
    repr(index)
