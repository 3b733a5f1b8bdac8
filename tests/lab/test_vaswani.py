"""The Vaswani collection: BM25 as bm25s has it, and about as effective as other engines report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import pytest

from irgauge import load
from irgauge.lab.analysis import Analyser
from irgauge.lab.index import Index, build
from irgauge.lab.running import run_all, search
from irgauge.lab.systems import System, systems_of
from irgauge.lab.texts import Document, Topic, read_documents, read_topics
from irgauge.scoring.scores import score

# mean AP with a stop list and Porter's stemmer: of Terrier 5.2 in PyTerrier's example notebook, and of Anserini's BM25
# in the tests of pyterrier-anserini
TERRIER = {"bm25": 0.2965, "tfidf": 0.2909, "pl2": 0.2763}
ANSERINI = 0.2856


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


@pytest.fixture(scope="module")
def means(
    vaswani: Path, index: Index, topics: list[Topic], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, float]:
    """Mean AP."""
    folder = tmp_path_factory.mktemp("runs")
    run_all(folder, index, topics, systems_of("{none-none,short-porter,long-porter}-{bm25,tfidf,pl2}"))
    scored = score(load(vaswani / "qrels.txt", [folder]), ["AP"])
    return dict(zip(scored.systems, scored.values[0, :, :, 0].mean(axis=0).tolist(), strict=True))


def test_bm25_with_stemming_lies_between_two_other_engines(means: dict[str, float]) -> None:
    for stop in ("short", "long"):
        assert ANSERINI <= means[f"{stop}-porter-bm25"] <= TERRIER["bm25"]


@pytest.mark.parametrize("model", TERRIER)
def test_systems_are_about_as_good_as_those_of_terrier(model: str, means: dict[str, float]) -> None:
    assert means[f"long-porter-{model}"] == pytest.approx(TERRIER[model], abs=0.006)
    assert means[f"long-porter-{model}"] > means[f"none-none-{model}"] + 0.05  # what stemming gains here


def test_the_page_of_the_lab_has_these_means(means: dict[str, float]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text()
    for analyser in ("none-none", "short-porter", "long-porter"):
        row = " | ".join(f"{means[f'{analyser}-{model}']:.4f}" for model in TERRIER)
        assert f"| the lab, `{analyser}-` | {row} |\n" in page
