"""Every model against its definition, computed one document and one term at a time; BM25 against bm25s too."""

from __future__ import annotations

from collections import Counter
from typing import Any

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.lab.index import Index
from irgauge.lab.models import MODELS
from irgauge.lab.ranking import Query, RankedList
from irgauge.lab.running import search
from irgauge.lab.systems import System
from oracles import slow_search
from oracles.made_text import collections, index_of, queries

Collection = dict[str, list[str]]
VALUES = {  # of parameters, beside the usual ones
    "bm25": ("bm25", "bm25(k1=0)", "bm25(k1=1.2,b=0.75)", "bm25(b=0)", "bm25(b=1)"),
    "dirichlet": ("dirichlet", "dirichlet(mu=0.5)", "dirichlet(mu=3)"),
    "jm": ("jm", "jm(lambda=0.1)", "jm(lambda=0.9)"),
    "tfidf": ("tfidf", "tfidf(s=0)", "tfidf(s=1)"),
    "pl2": ("pl2", "pl2(c=7)", "pl2(c=0.3)"),
}
systems = st.sampled_from([System.of(text) for texts in VALUES.values() for text in texts])


def named(index: Index, ranking: RankedList) -> dict[str, float]:
    return {index.docnos[document]: score for document, score in zip(ranking.documents, ranking.scores, strict=True)}


def test_every_model_is_tried() -> None:
    assert set(VALUES) == set(slow_search.MODELS) == set(MODELS) - {"fdm"}  # which test_dependence tries


@settings(deadline=None, max_examples=300)
@given(collections, queries, systems)
def test_scores_are_those_of_the_definition(documents: Collection, query: list[str], system: System) -> None:
    index = index_of(documents)
    found = named(index, search(index, " ".join(query), system))
    weights = {term: float(count) for term, count in Counter(query).items()}
    expected = slow_search.ranked(documents, weights, system.chosen.name, system.chosen.values, 1000)
    assert found == pytest.approx(dict(expected), rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=100)
@given(collections, queries, systems, st.floats(0.1, 10))
def test_weights_of_the_query_count(documents: Collection, query: list[str], system: System, weight: float) -> None:
    index = index_of(documents)
    weights = {term: weight * (place + 1) for place, term in enumerate(sorted(set(query))) if term in index.terms}
    terms = np.array([index.terms.index(term) for term in weights], np.int64)
    found = named(index, search(index, Query(terms, np.array(list(weights.values()))), system))
    expected = slow_search.ranked(documents, weights, system.chosen.name, system.chosen.values, 1000)
    assert found == pytest.approx(dict(expected), rel=1e-9, abs=1e-9)


def scores_of_bm25s(documents: Collection, query: list[str], k1: float, b: float) -> dict[str, float]:
    engine: Any = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    engine.index(list(documents.values()), show_progress=False)
    known = [term for term in query if any(term in words for words in documents.values())]
    scores = engine.get_scores(known) if known else np.zeros(len(documents))
    return {docno: score for docno, score in zip(documents, scores, strict=True) if score > 0}


@settings(deadline=None, max_examples=50)
@given(collections, queries, st.sampled_from([(0.9, 0.4), (1.2, 0.75), (2.0, 0.0)]))
def test_bm25_gives_the_scores_of_bm25s(documents: Collection, query: list[str], given: tuple[float, float]) -> None:
    index = index_of(documents)
    found = named(index, search(index, " ".join(query), System.of(f"bm25(k1={given[0]},b={given[1]})")))
    assert found == pytest.approx(scores_of_bm25s(documents, query, *given), abs=1e-6)
