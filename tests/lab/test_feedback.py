"""RM3 against its definition, computed one document and one term at a time."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.lab.models import MODELS
from irgauge.lab.ranking import Query, likelihoods
from irgauge.lab.running import search, with_feedback
from irgauge.lab.systems import System
from oracles import slow_search
from oracles.made_text import collections, index_of, queries

Collection = dict[str, list[str]]
systems = st.builds(
    lambda model, docs, terms, weight: System.of(f"{model}+rm3(docs={docs},terms={terms},weight={weight})"),
    st.sampled_from(list(slow_search.MODELS)),
    st.integers(1, 5),
    st.integers(1, 8),
    st.sampled_from([0, 0.3, 0.5, 1]),
)


def is_close_call(first: slow_search.Ranked, docs: int) -> bool:
    """Whether rounding decides which documents are the first."""
    return docs < len(first) and first[docs - 1][1] == pytest.approx(first[docs][1], rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=300)
@given(collections, queries, systems)
def test_queries_are_those_of_the_definition(documents: Collection, query: list[str], system: System) -> None:
    index, name, values = index_of(documents), system.chosen.name, system.chosen.values
    assert system.feedback is not None
    options = system.feedback.values
    weights = slow_search.known(documents, {term: float(count) for term, count in Counter(query).items()})
    found = with_feedback(index, Query.of(index.analyse(" ".join(query))), system)
    ranked = slow_search.ranked(documents, weights, name, values, 1000)
    first = ranked[: int(options["docs"])]
    if not first:
        assert len(found.terms) == 0
        return
    if is_close_call(ranked, int(options["docs"])):
        return
    every = slow_search.rm3(documents, weights, first, {**options, "terms": 1000}, MODELS[name].is_log_probability)
    expected = slow_search.rm3(documents, weights, first, options, MODELS[name].is_log_probability)
    asked = {index.terms[term]: weight for term, weight in zip(found.terms, found.weights, strict=True)}
    assert sum(asked.values()) == pytest.approx(1)
    same = sorted(asked.values()) == pytest.approx(sorted(value for value in expected.values() if value > 0))
    assert same, (asked, expected, every)  # which of equally probable terms are added, rounding may decide


def test_a_query_takes_the_terms_of_what_it_finds() -> None:
    index = index_of({"a": ["wave", "radio", "radio"], "b": ["noise"], "c": ["wave", "x9"], "d": ["x9"]})
    found = with_feedback(index, Query.of(index.analyse("wave")), System.of("bm25+rm3(docs=2,terms=3)"))
    assert [index.terms[term] for term in found.terms] == ["radio", "wave", "x9"]
    documents = search(index, "wave", System.of("bm25+rm3")).documents
    assert {index.docnos[one] for one in documents} == {"a", "c", "d"}  # d has no word of the query


def test_a_query_without_documents_stays_as_it_is() -> None:
    index = index_of({"a": ["wave"]})
    assert len(search(index, "noise", System.of("dirichlet+rm3")).documents) == 0


def test_with_a_weight_of_one_the_order_is_that_without_feedback() -> None:
    index = index_of({"a": ["wave", "radio"], "b": ["wave", "wave", "noise"], "c": ["radio", "noise", "x9"]})
    for model in slow_search.MODELS:
        plain, fed = (search(index, "wave radio", System.of(model + more)) for more in ("", "+rm3(weight=1)"))
        assert fed.documents.tolist() == plain.documents.tolist()


@pytest.mark.parametrize(
    ("model", "scores", "expected"),
    [
        ("bm25", [3.0, 1.0], [0.75, 0.25]),
        ("pl2", [1.0, -5.0], [1.0, 0.0]),
        ("pl2", [-1.0, -5.0], [0.5, 0.5]),
        ("jm", [-1000.0, -1000.0 + np.log(3)], [0.25, 0.75]),
    ],
)
def test_documents_count_by_their_likelihood_or_score(model: str, scores: list[float], expected: list[float]) -> None:
    assert likelihoods(np.array(scores), MODELS[model]).tolist() == pytest.approx(expected)
