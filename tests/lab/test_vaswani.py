"""The Vaswani collection: BM25 as bm25s has it, and about as effective as other engines report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import pytest

from irgauge import load
from irgauge.lab.analysis import Analyser
from irgauge.lab.building import build
from irgauge.lab.documents import Document, read_documents
from irgauge.lab.grids import systems_of
from irgauge.lab.index import Index
from irgauge.lab.running import run_all
from irgauge.lab.searching import search
from irgauge.lab.systems import System
from irgauge.lab.topics import Topic, read_topics
from irgauge.scoring.scores import score

# mean AP that PyTerrier's example notebook prints for Terrier 5.2, with its stop list and Porter's stemmer
TERRIER = {"bm25": 0.2965, "tfidf": 0.2909, "pl2": 0.2763}


@pytest.fixture(scope="module")
def documents(vaswani: Path) -> list[Document]:
    return list(read_documents([vaswani / "documents.trec.gz"]))


@pytest.fixture(scope="module")
def index(documents: list[Document]) -> Index:
    return build(documents)


@pytest.fixture(scope="module")
def topics(vaswani: Path) -> list[Topic]:
    return read_topics(vaswani / "topics.trec")


def test_all_of_it_is_read(index: Index, topics: list[Topic]) -> None:
    assert index.n_documents == 11_429
    assert len(topics) == 93


def test_bm25_gives_the_scores_of_bm25s(documents: list[Document], index: Index, topics: list[Topic]) -> None:
    analyser = Analyser("long", "porter")
    engine: Any = bm25s.BM25(method="lucene", k1=0.9, b=0.4, dtype="float64")
    engine.index([analyser.terms(document.text) for document in documents], show_progress=False)
    place = {document.docno: number for number, document in enumerate(documents)}
    analysed = index.analysed(analyser)
    for topic in topics:
        found = search(analysed, topic.text, System.of("bm25"), depth=index.n_documents)
        expected = engine.get_scores([term for term in analyser.terms(topic.text) if term in analysed.terms])
        scores = np.zeros(index.n_documents)
        scores[[place[analysed.docnos[one]] for one in found.documents]] = found.scores
        np.testing.assert_allclose(scores, expected, atol=1e-6, rtol=0)


def test_systems_are_about_as_good_as_other_engines(
    vaswani: Path, index: Index, topics: list[Topic], tmp_path: Path
) -> None:
    run_all(tmp_path, index, topics, systems_of("{none-none,long-porter}-{bm25,tfidf,pl2}"))
    scored = score(load(vaswani / "qrels.txt", [tmp_path]), ["AP"])
    means = dict(zip(scored.systems, scored.values[0, :, :, 0].mean(axis=0), strict=True))
    for model, published in TERRIER.items():
        assert means[f"long-porter-{model}"] == pytest.approx(published, abs=0.006)
        assert means[f"long-porter-{model}"] > means[f"none-none-{model}"] + 0.05  # what stemming gains here
