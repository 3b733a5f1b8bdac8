"""A collection of the size of MS MARCO's dev set: many topics, deep lists, millions of documents, few relevant."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.data import Data
from irgauge.compute.arrays import Floats, Ints

CORPUS, TOPICS, DEPTH, SYSTEMS = 8_841_823, 6_980, 1_000, 10
_REACH = 2 * DEPTH  # documents of a topic that some system may retrieve
_QUALITY = (1.5, 3.0)  # of systems: what a relevant document scores more than others
_SHARED, _OWN = 1.0, 0.5  # standard deviations of what systems say of a document: all of them, and each for itself
_TWO = 0.07  # of topics, which have two relevant documents
_BLOCK = 349  # topics that are drawn and written at a time


def write(folder: Path, topics: int = TOPICS) -> Data:
    """Write qrels and runs, the same for the same number of topics: 2.5 GB where all topics are asked for."""
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    data = Data("MS MARCO size", folder / "qrels.txt", tuple(folder / "runs" / f"s{s}.run" for s in range(SYSTEMS)))
    for path in (data.qrels, *data.runs):
        path.unlink(missing_ok=True)
    for first in range(0, topics, _BLOCK):
        _add(data, range(first, min(first + _BLOCK, topics)))
    return data


def _add(data: Data, topics: range) -> None:
    """Draw some topics and add them to the files."""
    rng = np.random.default_rng(topics.start)
    documents = np.stack([rng.choice(CORPUS, _REACH, replace=False) for _ in topics])  # topic, document
    relevant = 1 + (rng.random(len(topics)) < _TWO)  # topic: the first so many of its documents
    numbers = np.array(topics) + 1
    is_relevant = np.arange(_REACH) < relevant[:, None]
    judged = pl.DataFrame({"topic": np.repeat(numbers, relevant), "docno": documents[is_relevant]})
    _append(data.qrels, judged.select("topic", pl.lit("0"), "docno", pl.lit("1").alias("grade")))
    shared = rng.normal(0, _SHARED, documents.shape)
    for path, quality in zip(data.runs, np.linspace(*_QUALITY, SYSTEMS), strict=True):
        scores = shared + rng.normal(0, _OWN, documents.shape) + quality * is_relevant
        best = np.argsort(-scores, axis=1)[:, :DEPTH]
        _append(path, _lists(path.stem, numbers, *(np.take_along_axis(of, best, 1) for of in (documents, scores))))


def _lists(name: str, topics: Ints, docs: Ints, scores: Floats) -> pl.DataFrame:
    """The rows of a run."""
    ranks = np.tile(np.arange(1, DEPTH + 1), len(topics))
    columns = {
        "topic": np.repeat(topics, DEPTH),
        "docno": docs.ravel(),
        "rank": ranks,
        "score": scores.ravel().round(6),
    }
    return pl.DataFrame(columns).select("topic", pl.lit("Q0"), "docno", "rank", "score", pl.lit(name).alias("name"))


def _append(path: Path, rows: pl.DataFrame) -> None:
    with path.open("ab") as file:
        rows.write_csv(file, include_header=False, separator=" ")
