"""Numbers of documents against Python dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.reading.by_docno import ByDocno
from irgauge.reading.byte_strings import hashes
from irgauge.reading.numbering import UNKNOWN, ByJudgment, Docnos, Numbering, RunNumbers

short = st.text("ab\u00e91", min_size=1, max_size=3)
long = st.builds(lambda size, middle: "a" * size + middle + "a" * size, st.integers(3, 9), short)  # of the same ends
words = st.one_of(short, long)
Case = tuple[list[list[str]], list[tuple[list[int], list[list[str]]]]]  # judged docnos by topic; runs
judgments = st.lists(st.lists(words, min_size=1, max_size=12, unique=True), min_size=1, max_size=4)
slow_start = settings(deadline=None)  # the first example compiles


def docnos_of(lists: Sequence[Sequence[str]], hash_of: Mapping[str, int] | None = None) -> Docnos:
    encoded = [one.encode() for names in lists for one in names]
    sizes = np.array([len(one) for one in encoded], np.int64)
    starts = np.cumsum(sizes + 1) - sizes
    text = np.frombuffer(bytearray(b"|" + b"|".join(encoded) + b"|"), np.uint8)
    values = hashes(text, starts, starts + sizes)
    if hash_of is not None:
        values = np.array([hash_of[one] for names in lists for one in names], np.uint64)
    bounds = np.cumsum([0, *(len(names) for names in lists)])
    return Docnos(text, starts, starts + sizes, values, bounds)


def of_run(numbering: Numbering, docnos: Docnos, topics: Sequence[int]) -> RunNumbers:
    """The numbers of a run whose lines are moved about, and whose rows say where they are."""
    moved = np.random.default_rng(len(docnos.starts)).permutation(len(docnos.starts))
    places = docnos._replace(starts=docnos.starts[moved], stops=docnos.stops[moved], hashes=docnos.hashes[moved])
    return numbering.of_run(places, np.argsort(moved), np.array(topics))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Judged docnos by topic, and runs: topics, and the docnos of their lists."""
    judged = draw(judgments)
    runs = []
    for _ in range(draw(st.integers(1, 3))):
        topics = draw(st.lists(st.integers(0, len(judged) - 1), min_size=1, max_size=4, unique=True))
        runs.append((topics, [draw(st.lists(words, min_size=1, max_size=12, unique=True)) for _ in topics]))
    return judged, runs


@slow_start
@given(cases(), st.sampled_from([1, 5, 1 << 20]))
def test_every_docno_has_one_number_in_byte_order(case: Case, long: int) -> None:
    judged, runs = case
    numbering = ByDocno(docnos_of(judged))
    with patch.multiple("irgauge.reading.by_docno", _LONG=long, _PIECE=3):  # long runs are divided, piece by piece
        found = [of_run(numbering, docnos_of(lists), topics) for topics, lists in runs]
    numbered = numbering.together(found)
    entries = [one for _, lists in runs for names in lists for one in names]
    known = [one for names in judged for one in names]
    names = sorted({*entries, *known}, key=str.encode)
    assert numbered.name().to_list() == names
    assert numbered.count == len(names)
    assert [names[i] for i in numbered.docs] == entries
    assert [names[i] for i in numbered.judged_docs] == known


@slow_start
@given(cases(), st.sampled_from(["own", "shared"]), st.data())
def test_a_judgment_is_found_in_its_own_topic_alone(case: Case, hashing: str, data: st.DataObject) -> None:
    judged, runs = case
    every = {one for names in [*judged, *(names for _, lists in runs for names in lists)] for one in names}
    few = st.sampled_from([0, 1, 2**10, 2**64 - 1])  # hashes that meet
    hash_of = {one: data.draw(few) for one in sorted(every)} if hashing == "shared" else None
    numbering = ByJudgment(docnos_of(judged, hash_of))
    found = [of_run(numbering, docnos_of(lists, hash_of), topics) for topics, lists in runs]
    place = {key: i for i, key in enumerate((t, one) for t, names in enumerate(judged) for one in names)}
    expected = [
        place.get((topic, one), UNKNOWN)
        for topics, lists in runs
        for topic, names in zip(topics, lists, strict=True)
        for one in names
    ]
    numbered = numbering.together(found)
    assert numbered.docs.tolist() == expected
    assert numbered.judged_docs.tolist() == list(range(len(place)))
    assert numbered.name().to_list() == [one for names in judged for one in names]


@pytest.mark.parametrize("kind", [ByDocno, ByJudgment])
def test_judgments_after_the_last_topic_are_of_no_topic(kind: type[ByDocno] | type[ByJudgment]) -> None:
    docnos = docnos_of([["d1", "d2"], ["d3"]])
    numbering: Numbering = kind(docnos._replace(bounds=np.array([0, 2])))  # d3 is judged for a topic left out
    numbered = numbering.together([of_run(numbering, docnos_of([["d3", "d1"]]), [0])])
    assert [numbered.name()[int(i)] for i in numbered.judged_docs] == ["d1", "d2"]
    assert numbered.count == (3 if kind is ByDocno else 2)
    assert numbered.docs.tolist() == ([2, 0] if kind is ByDocno else [UNKNOWN, 0])
