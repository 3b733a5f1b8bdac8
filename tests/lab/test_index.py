"""The index: counts and statistics, parts, other analysers, and files."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.errors import DesignError, InputError
from irgauge.lab import index as lab_index
from irgauge.lab.analysis import Analyser
from irgauge.lab.index import Index, build
from irgauge.lab.texts import Document
from oracles.made_text import collections, index_of

Collection = dict[str, list[str]]
TWO = {"b": ["of", "waves"], "a": ["waves", "waves", "noise"]}


def counted(index: Index) -> dict[str, Counter[str]]:
    """The terms of each document."""
    dense = index.counts.toarray()
    return {
        docno: Counter({index.terms[term]: int(count) for term, count in enumerate(dense[:, place]) if count})
        for place, docno in enumerate(index.docnos)
    }


def assert_same(one: Index, other: Index) -> None:
    assert (one.docnos, one.terms, one.analyser) == (other.docnos, other.terms, other.analyser)
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(one.counts, name), getattr(other.counts, name))


@settings(deadline=None)
@given(collections)
def test_an_index_counts_the_terms_of_documents(documents: Collection) -> None:
    index = index_of(documents)
    assert counted(index) == {docno: Counter(words) for docno, words in documents.items()}
    assert index.docnos == tuple(sorted(documents, key=str.encode))
    assert list(index.terms) == sorted({word for words in documents.values() for word in words})
    assert dict(zip(index.docnos, index.lengths.tolist(), strict=True)) == {d: len(w) for d, w in documents.items()}
    for term, df, cf in zip(index.terms, index.document_frequencies, index.collection_frequencies, strict=True):
        assert df == sum(term in words for words in documents.values())
        assert cf == sum(words.count(term) for words in documents.values())
    assert index.mean_length == pytest.approx(np.mean([len(words) for words in documents.values()]))


@settings(deadline=None)
@given(collections, st.randoms())
def test_the_order_of_documents_does_not_matter(documents: Collection, order: st.Random) -> None:  # type: ignore[name-defined]  # hypothesis's
    docnos = list(documents)
    order.shuffle(docnos)
    assert_same(index_of(documents), index_of({docno: documents[docno] for docno in docnos}))


@settings(deadline=None)
@given(collections, st.integers(1, 20))
def test_how_many_words_are_counted_at_a_time_does_not_matter(documents: Collection, batch: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lab_index, "_BATCH", batch)
        found = index_of(documents)
    assert_same(found, index_of(documents))


@settings(deadline=None)
@given(collections)
def test_the_part_of_all_documents_is_the_index_itself(documents: Collection) -> None:
    index = index_of(documents)
    assert_same(index.part(np.arange(index.n_documents)), index)
    assert_same(index.part(np.ones(index.n_documents, bool)), index)


@settings(deadline=None)
@given(collections, st.data())
def test_a_part_is_the_index_of_its_documents(documents: Collection, data: st.DataObject) -> None:
    index = index_of(documents)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents))), bool)
    part = index.part(mask)
    kept = {docno: documents[docno] for docno, is_kept in zip(index.docnos, mask, strict=True) if is_kept}
    assert counted(part) == {docno: Counter(words) for docno, words in kept.items()}
    assert part.terms == index.terms
    assert part.n_tokens == sum(map(len, kept.values()))
    assert part.document_frequencies.tolist() == [sum(term in w for w in kept.values()) for term in part.terms]
    np.testing.assert_array_equal(part.by_document.toarray(), part.counts.toarray().T)
    assert_same(index.part(np.flatnonzero(mask)[::-1]), part)


@settings(deadline=None)
@given(collections, st.sampled_from(["none", "short", "long"]), st.sampled_from(["none", "porter", "english"]))
def test_another_analyser_gives_what_its_terms_give(documents: Collection, stop: str, stemmer: str) -> None:
    analyser = Analyser(stop, stemmer)
    found = index_of(documents).analysed(analyser)
    expected = {docno: Counter(analyser.terms(" ".join(words))) for docno, words in documents.items()}
    assert counted(found) == expected
    assert list(found.terms) == sorted({term for terms in expected.values() for term in terms})
    assert_same(build((Document(d, " ".join(w)) for d, w in documents.items()), analyser), found)


def test_what_is_stemmed_cannot_be_undone() -> None:
    stemmed = index_of(TWO).analysed(Analyser("none", "porter"))
    assert stemmed.analysed(None) is stemmed
    assert stemmed.analysed(Analyser("none", "porter")) is stemmed
    with pytest.raises(DesignError, match="a system asks for short-porter, and the index was made with none-porter"):
        stemmed.analysed(Analyser("short", "porter"))


def test_a_text_is_analysed_as_the_documents_are() -> None:
    index = index_of(TWO)
    assert [index.terms[number] for number in index.analyse("Waves, noise; radio waves")] == ["waves", "noise", "waves"]
    stemmed = index.analysed(Analyser("short", "porter"))
    assert [stemmed.terms[number] for number in stemmed.analyse("the waving of noises")] == ["wave", "nois"]


def test_documents_without_terms_after_stopping_stay() -> None:
    index = index_of({"a": ["of", "the"], "b": ["waves"]}).analysed(Analyser("short", "none"))
    assert (index.n_documents, index.lengths.tolist()) == (2, [0, 1])


@settings(deadline=None, max_examples=20)
@given(collections)
def test_an_index_that_was_written_is_read_back(documents: Collection) -> None:
    import tempfile

    index = index_of(documents)
    with tempfile.TemporaryDirectory() as folder:
        index.save(Path(folder, "index"))
        assert_same(Index.load(Path(folder, "index")), index)


def test_arrays_stay_on_disk(tmp_path: Path) -> None:
    index_of(TWO).save(tmp_path / "index")
    found = Index.load(tmp_path / "index")
    for name in ("data", "indices", "indptr"):
        array = getattr(found.counts, name)
        while not isinstance(array, np.memmap):
            assert array.base is not None, f"{name} was copied into memory"
            array = array.base


@pytest.mark.parametrize("name", ["index.json", "docnos.txt", "terms.txt", "data.npy", "indices.npy", "indptr.npy"])
def test_a_damaged_index_is_refused(name: str, tmp_path: Path) -> None:
    index_of(TWO).save(tmp_path / "index")
    path = tmp_path / "index" / name
    whole = path.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"[]"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="this is no index of the lab, or a damaged one") as caught:
            Index.load(tmp_path / "index")
        assert caught.value.path == str(tmp_path / "index")
    path.unlink()
    with pytest.raises(InputError, match="make it with irgauge lab index"):
        Index.load(tmp_path / "index")


def test_an_index_of_another_format_is_refused(tmp_path: Path) -> None:
    index_of(TWO).save(tmp_path / "index")
    about = json.loads((tmp_path / "index" / "index.json").read_text())
    (tmp_path / "index" / "index.json").write_text(json.dumps(about | {"format": 99}))
    with pytest.raises(InputError, match="the index has format 99, and this version reads 1; make it again"):
        Index.load(tmp_path / "index")


def test_an_index_shows_its_size() -> None:
    told = repr(index_of(TWO))
    assert re.findall(r"^  (.*?)  +(.*)$", told, re.MULTILINE) == [
        ("documents", "2"),
        ("terms", "3"),
        ("mean length", "2.5"),
        ("analyser", "none-none"),
    ]


def test_progress_is_told_while_the_number_of_documents_is_not_known() -> None:
    told: list[tuple[int, int]] = []
    build((Document(str(i), "x") for i in range(2500)), progress=lambda *one: told.append(one))
    assert told == [(1000, 0), (2000, 0)]
