"""The lab: documents a second, fifty systems on a small collection, and time and memory of a large one."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.clock import Usage, run_process
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


def run() -> None:
    """A small collection, then a large one."""
    with tempfile.TemporaryDirectory() as name:
        _small(_text(Path(name)), Path(name))
    with tempfile.TemporaryDirectory() as name:
        _large(Path(name))


def _text(folder: Path) -> Text:
    """The Vaswani collection where IRGAUGE_VASWANI names its folder, else generated text of its size."""
    if source := os.environ.get("IRGAUGE_VASWANI"):
        return Text("Vaswani", Path(source, "documents.trec.gz"), Path(source, "topics.trec"))
    generate(documents=11_429, topics=93).write(folder / "text")
    return Text("generated text", folder / "text" / "documents.trec", folder / "text" / "topics.trec")


def _small(text: Text, folder: Path) -> None:
    index = folder / "index"
    _run("index", text.documents, "-o", folder / "warm")  # files that are read for the first time
    took = _run("index", text.documents, "-o", index)
    found = Index.load(index)
    each_second = found.n_documents / took.processor
    print(f"\nThe lab on {text.name}: {found.n_documents:,} documents of {found.mean_length:.0f} words")
    print(f"  index       {took.seconds:6.1f} s, {each_second:,.0f} documents a second and core (asked: 5,000)")
    took = _run("run", index, text.topics, "--systems", _FIFTY, "-o", folder / "runs")
    runs = len(list((folder / "runs").iterdir()))
    print(f"  {runs} systems  {took.seconds:6.1f} s (asked: at most 60)")


def _large(folder: Path) -> None:
    print(f"\nThe lab on {_LARGE:,} generated documents, in at most {_ROOM:,} MiB:")
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
        told = "" if took.megabytes <= _ROOM else ": too much"
        print(f"  {name:<10} {took.seconds:7.1f} s, peak memory {took.megabytes:6.0f} MiB{told}")


def _run(*arguments: object) -> Usage:
    program = str(Path(sys.executable).with_name("irgauge"))
    return run_process([program, "lab", *map(str, arguments), "--quiet"])


if __name__ == "__main__":
    run()
