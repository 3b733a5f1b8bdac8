"""The lab: documents a second, fifty systems on a small collection, and time and memory of a large one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.clock import Usage, irgauge, run_process
from benchmarks.figures import Figure
from irgauge.lab.generated import generate
from irgauge.lab.index import Index

_FIFTY = "{none,short,long}-{none,porter}-{bm25,dirichlet,jm,tfidf}{,+rm3},long-porter-{bm25(b=0.75),pl2}"
_LARGE = 200_000  # documents
_ROOM = 4096  # MiB


class Text(NamedTuple):
    """Documents and topics."""

    name: str
    documents: Path
    topics: Path


def run() -> Iterator[Figure]:
    """A small collection, then a large one."""
    with tempfile.TemporaryDirectory() as name:
        yield from _small(_text(Path(name)), Path(name))
    with tempfile.TemporaryDirectory() as name:
        yield from _large(Path(name))


def _text(folder: Path) -> Text:
    """The Vaswani collection where IRGAUGE_VASWANI names its folder, else generated text of its size."""
    if source := os.environ.get("IRGAUGE_VASWANI"):
        return Text("Vaswani", Path(source, "documents.trec.gz"), Path(source, "topics.trec"))
    generate(documents=11_429, topics=93).write(folder / "text")
    return Text("generated text", folder / "text" / "documents.trec", folder / "text" / "topics.trec")


def _small(text: Text, folder: Path) -> Iterator[Figure]:
    index = folder / "index"
    _run("index", text.documents, "-o", folder / "warm")  # files that are read for the first time
    took = _run("index", text.documents, "-o", index)
    documents = Index.load(index).n_documents / took.processor
    yield Figure("lab index, small collection", documents, "documents a second", 5000, "at least")
    took = _run("run", index, text.topics, "--systems", _FIFTY, "-o", folder / "runs")
    yield Figure("lab run of 50 systems, small collection", took.seconds, "s", 60)


def _large(folder: Path) -> Iterator[Figure]:
    text, index = folder / "text", folder / "index"
    steps = {
        "generate": ("--documents", _LARGE, "--clusters", 50, "-o", text),
        "index": (text / "documents.trec", "-o", index),
        "run": (
            index,
            text / "topics.trec",
            "--systems",
            "{none,short}-porter-{bm25,jm}{,+rm3}",
            "-o",
            folder / "runs",
        ),
        "shards": (index, "--topical", 50, "-o", folder / "map.tsv"),
    }
    for name, arguments in steps.items():
        took = _run(name, *arguments)
        yield Figure(f"lab {name}, 200,000 documents", took.seconds, "s")
        yield Figure(f"memory of lab {name}, 200,000 documents", took.megabytes, "MiB", _ROOM)


def _run(*arguments: object) -> Usage:
    return run_process(irgauge("lab", *arguments, "--quiet"))
