"""The full dependence model against its definition, and positions against the texts that they are of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.errors import DesignError, InputError
from irgauge.lab.analysis import Analyser
from irgauge.lab.index import Index, build
from irgauge.lab.models import MODELS
from irgauge.lab.ranking import Query
from irgauge.lab.running import run_all, search, with_feedback
from irgauge.lab.systems import FULL_GRID, System, systems_of
from irgauge.lab.texts import Document, Topic

WORDS = ("wave", "noise", "radio", "the", "x9")
Documents = Mapping[str, Sequence[str | None]]  # docno -> its words, None where one is stopped
documents_drawn = st.dictionaries(
    st.text("ab12", min_size=1, max_size=3), st.lists(st.sampled_from(WORDS), max_size=14), min_size=1, max_size=6
).filter(lambda documents: any(documents.values()))
queries_drawn = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5)


def index_of(documents: Mapping[str, Sequence[str]]) -> Index:
    return build((Document(docno, " ".join(words)) for docno, words in documents.items()), positions=True)


def phrase_count(words: Sequence[str | None], phrase: Sequence[str]) -> int:
    return sum(list(words[at : at + len(phrase)]) == list(phrase) for at in range(len(words)))


def window_count(words: Sequence[str | None], terms: Sequence[str]) -> int:
    """Every place of one of the terms from which on all stand within four words for each."""
    width = 4 * len(terms)
    return sum(word in terms and set(terms) <= set(words[at : at + width]) for at, word in enumerate(words))


def features(query: Sequence[str], size: int) -> Iterator[tuple[bool, tuple[str, ...]]]:
    runs = {
        tuple(query[at : at + number])
        for number in range(2, size + 1)
        for at in range(len(query))
        if at + number <= len(query)
    }
    yield from ((True, run) for run in runs)
    yield from ((False, some) for number in range(2, size + 1) for some in combinations(sorted(set(query)), number))


def slow_fdm(documents: Documents, query: Sequence[str], docno: str, values: Mapping[str, float]) -> float:
    """λ_T Σ f_T + λ_O Σ f_O + λ_U Σ f_U (Metzler and Croft 2005), but for what is the same for all documents."""
    mu, words = values["mu"], documents[docno]
    length = sum(word is not None for word in words)
    total = sum(word is not None for text in documents.values() for word in text)

    def f(tf: int, cf: int) -> float:
        background = cf / total
        return math.log((tf + mu * background) / (length + mu)) - math.log(background)

    known = [word for word in query if any(word in text for text in documents.values())]
    single = sum(
        f(list(words).count(word), sum(list(text).count(word) for text in documents.values())) for word in known
    )
    score = (1 - values["ordered"] - values["unordered"]) * single
    for is_ordered, terms in features(known, int(values["size"])):
        count = phrase_count if is_ordered else window_count
        cf = sum(count(text, terms) for text in documents.values())
        if cf:
            score += values["ordered" if is_ordered else "unordered"] * f(count(words, terms), cf)
    return score


@settings(deadline=None, max_examples=200)
@given(documents_drawn, queries_drawn, st.sampled_from(["fdm", "fdm(size=2)", "fdm(size=5,mu=3,ordered=0.3)"]))
def test_scores_are_those_of_the_definition(documents: dict[str, list[str]], query: list[str], text: str) -> None:
    index, system = index_of(documents), System.of(text)
    ranking = search(index, " ".join(query), system)
    found = {index.docnos[n]: score for n, score in zip(ranking.documents, ranking.scores, strict=True)}
    assert set(found) == {docno for docno, words in documents.items() if set(words) & set(query)}
    expected = {docno: slow_fdm(documents, query, docno, system.chosen.values) for docno in found}
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(documents_drawn, queries_drawn)
def test_single_terms_alone_are_query_likelihood(documents: dict[str, list[str]], query: list[str]) -> None:
    index = index_of(documents)
    for text, system in ((query, "fdm(ordered=0,unordered=0)"), (query, "fdm(size=1,ordered=0,unordered=0)")):
        ours = search(index, " ".join(text), System.of(system))
        likelihood = search(index, " ".join(text), System.of("dirichlet"))
        assert ours.documents.tolist() == likelihood.documents.tolist()
        assert ours.scores == pytest.approx(likelihood.scores)


@settings(deadline=None, max_examples=60)
@given(documents_drawn, queries_drawn)
def test_a_part_with_stopped_words_is_an_index_of_it(documents: dict[str, list[str]], query: list[str]) -> None:
    kept = {docno: words for number, (docno, words) in enumerate(sorted(documents.items())) if number % 2 == 0}
    if not any(word != "the" for words in kept.values() for word in words):
        return
    system, index = System.of("fdm"), index_of(documents).analysed(Analyser("short", "none"))
    chosen = [number for number, docno in enumerate(index.docnos) if docno in kept]
    ranking = search(index.part(np.array(chosen)), " ".join(query), system)
    stopped = {docno: [None if word == "the" else word for word in words] for docno, words in kept.items()}
    asked = [word for word in query if word != "the"]
    docnos = [index.docnos[chosen[document]] for document in ranking.documents]
    expected = [slow_fdm(stopped, asked, docno, system.chosen.values) for docno in docnos]
    assert ranking.scores.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_document_with_the_phrase_comes_first() -> None:
    index = index_of(
        {"a": ["radio", "x", "y", "z", "u", "v", "q", "r", "s", "wave"], "b": [*"xyzuvqrs", "radio", "wave"]}
    )
    assert search(index, "radio wave", System.of("dirichlet")).documents.tolist() == [1, 0]  # equal, by docno
    both = search(index, "radio wave", System.of("fdm"))
    assert both.documents.tolist() == [1, 0]
    assert both.scores[0] > both.scores[1]


def test_feedback_keeps_the_dependences_of_the_query() -> None:
    index = index_of({"a": ["radio", "wave", "noise"], "b": ["wave", "x9", "radio"], "c": ["noise", "x9"]})
    system = System.of("fdm+rm3(docs=2,terms=3)")
    query = with_feedback(index, Query.of(index.analyse("radio wave")), system)
    assert query.weights.sum() == pytest.approx(1)
    assert [index.terms[term] for term in query.order] == ["radio", "wave"]
    plain = search(index, Query(query.terms, query.weights), System.of("fdm"))  # without an order nothing depends
    gain = dict(zip(*search(index, query, System.of("fdm")), strict=True)).items()
    assert dict(gain)[0] - dict(zip(*plain, strict=True))[0] > dict(gain)[1] - dict(zip(*plain, strict=True))[1]


def test_positions_are_stored(tmp_path: Path) -> None:
    index = index_of({"b": ["radio", "wave", "radio"], "a": ["noise"], "c": []})
    index.save(tmp_path / "index")
    loaded = Index.load(tmp_path / "index")
    assert loaded.positions is not None
    assert [loaded.terms[term] for term in loaded.positions.terms] == ["noise", "radio", "wave", "radio"]
    assert loaded.positions.starts.tolist() == [0, 1, 4, 4]
    found = search(loaded, "radio wave", System.of("fdm"))
    assert found.scores.tolist() == search(index, "radio wave", System.of("fdm")).scores.tolist()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("terms", [0, 1, 2, 3]),
        ("terms", [-2, 1, 2, 1]),
        ("terms", [0, 1, 1, 1]),
        ("terms", [0, 1, 2]),
        ("starts", [0, 4, 1, 4]),
        ("starts", [0, 1, 4]),
        ("starts", [1, 1, 4, 4]),
    ],
)
def test_positions_that_cannot_be_are_refused(name: str, values: list[int], tmp_path: Path) -> None:
    index_of({"b": ["radio", "wave", "radio"], "a": ["noise"], "c": []}).save(tmp_path / "index")
    path = tmp_path / "index" / f"positions-{name}.npy"
    np.save(path, np.array(values, np.load(path).dtype))
    with pytest.raises(InputError, match="this is no index of the lab, or a damaged one"):
        Index.load(tmp_path / "index")


def test_without_positions_it_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    index = build([Document("a", "radio wave")])
    with pytest.raises(DesignError, match="the system fdm cannot be run: a model of dependences needs positions"):
        run_all(tmp_path / "runs", index, [Topic("1", "radio wave")], systems_of("bm25,fdm"))
    assert not (tmp_path / "runs").exists()
    with pytest.raises(DesignError, match="make it with --positions"):
        search(index, "radio wave", System.of("fdm"))
    assert "fdm" in MODELS
    assert "fdm" not in FULL_GRID
