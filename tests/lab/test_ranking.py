"""The first documents, in the order in which trec_eval and we read a run."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.lab.ranking import Query, first
from irgauge.lab.running import listed, search, search_all
from irgauge.lab.systems import System
from irgauge.lab.texts import Topic
from oracles.made_text import collections, index_of, queries

Collection = dict[str, list[str]]


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 40))
def test_the_first_are_those_of_a_full_sort(scores: list[int], depth: int) -> None:
    documents = np.arange(len(scores)) * 2
    found = first(documents, np.array(scores, float), depth)
    expected = sorted(zip(scores, documents.tolist(), strict=True), reverse=True)[:depth]
    assert list(zip(found.scores.tolist(), found.documents.tolist(), strict=True)) == expected


@settings(deadline=None, max_examples=50)
@given(collections, queries, st.sampled_from(["bm25", "dirichlet", "pl2+rm3"]), st.integers(1, 5))
def test_ties_are_in_the_order_of_trec_eval(documents: Collection, query: list[str], system: str, depth: int) -> None:
    index, topics = index_of(documents), [Topic("1", " ".join(query))]
    ((topic, docnos, scores),) = listed(index, topics, search_all(index, topics, System.of(system), depth))
    every = listed(index, topics, search_all(index, topics, System.of(system), 1000))
    ((_, all_docnos, all_scores),) = every
    ranked = sorted(zip(all_scores, map(str.encode, all_docnos), strict=True), reverse=True)
    assert list(zip(scores, map(str.encode, docnos), strict=True)) == ranked[:depth]
    assert topic == "1"


@settings(deadline=None, max_examples=50)
@given(collections, queries, st.sampled_from(["bm25", "jm+rm3"]), st.randoms())
def test_the_order_of_documents_does_not_matter(
    documents: Collection,
    query: list[str],
    system: str,
    order: st.Random,  # type: ignore[name-defined]  # hypothesis's
) -> None:
    docnos = list(documents)
    order.shuffle(docnos)
    found = [
        search(index_of({docno: documents[docno] for docno in some}), " ".join(query), System.of(system))
        for some in (documents, docnos)
    ]
    assert found[0].documents.tolist() == found[1].documents.tolist()
    assert found[0].scores.tolist() == found[1].scores.tolist()


@settings(deadline=None, max_examples=50)
@given(collections, queries, st.integers(1, 4))
def test_a_deeper_list_begins_with_the_shorter_one(documents: Collection, query: list[str], depth: int) -> None:
    index, system = index_of(documents), System.of("tfidf")
    shallow, deep = (search(index, " ".join(query), system, some) for some in (depth, 1000))
    assert deep.documents[:depth].tolist() == shallow.documents.tolist()


@settings(deadline=None, max_examples=100)
@given(collections, queries, st.sampled_from(["bm25", "dirichlet", "jm", "tfidf", "pl2"]), st.data())
def test_a_part_is_searched_as_an_index_of_its_documents(
    documents: Collection, query: list[str], system: str, data: st.DataObject
) -> None:
    index = index_of(documents)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents))), bool)
    kept = {docno: documents[docno] for docno, is_kept in zip(index.docnos, mask, strict=True) if is_kept}
    found = search(index.part(mask), " ".join(query), System.of(system))
    expected = search(index_of(kept), " ".join(query), System.of(system))
    assert found.documents.tolist() == expected.documents.tolist()
    assert found.scores.tolist() == expected.scores.tolist()


def test_a_query_holds_each_term_once() -> None:
    query = Query.of(np.array([4, 1, 4, 4]))
    assert (query.terms.tolist(), query.weights.tolist()) == ([1, 4], [1.0, 3.0])
    assert query.normalised().weights.tolist() == [0.25, 0.75]
