"""The tie rule against Python's sort, and duplicates against a slow check."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge.reading.byte_strings import Hashes, hashes
from irgauge.reading.ordering import first_duplicate, ranking

slow_start = settings(deadline=None)  # the first call may compile

Entry = tuple[float, str]
Ints = NDArray[np.int64]

docnos = st.text("ab\x7fé漢😀", max_size=4)  # many are prefixes of each other
scores = st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e-300, float("inf"), float("-inf")]) | st.floats(allow_nan=False)
topics = st.lists(st.lists(st.tuples(scores, docnos), max_size=12, unique_by=lambda entry: entry[1]), max_size=4)


def layout(lists: Sequence[Sequence[str]]) -> tuple[NDArray[np.uint8], Ints, Ints, Ints]:
    """The docnos of all lists in one text, where they start and stop, and the bounds of the lists."""
    encoded = [docno.encode() for one in lists for docno in one]
    sizes = np.array([len(docno) for docno in encoded], np.int64)
    starts = np.cumsum(sizes + 1) - sizes - 1
    text = np.frombuffer(bytearray(b" ".join(encoded) + b" "), np.uint8)
    bounds = np.cumsum([0, *(len(one) for one in lists)]).astype(np.int64)
    return text, starts, starts + sizes, bounds


def ranked(lists: Sequence[Sequence[Entry]]) -> list[Entry]:
    """The entries of all lists, each list in rank order."""
    text, starts, stops, bounds = layout([[docno for _, docno in one] for one in lists])
    entries = [entry for one in lists for entry in one]
    values = np.array([score for score, _ in entries], np.float64)
    return [entries[row] for row in ranking(text, starts, stops, values, bounds)]


def in_rank_order(entries: Sequence[Entry]) -> list[Entry]:
    """The tie rule, in Python."""
    return sorted(entries, key=lambda entry: (entry[0], entry[1].encode()), reverse=True)


@slow_start
@given(topics)
@example([[(0.0, "a"), (-0.0, "b"), (0.0, "c")]])
@example([[(1.0, "a"), (1.0, "ab"), (1.0, "abc"), (1.0, "")]])
@example([[(2.0, "x"), (1.0, "b"), (1.0, "a")], [(1.0, "a"), (1.0, "b"), (3.0, "c")]])
def test_ranking_is_score_then_docno_descending(lists: list[list[Entry]]) -> None:
    assert ranked(lists) == [entry for one in lists for entry in in_rank_order(one)]


@slow_start
@given(topics)
def test_the_order_of_the_input_does_not_matter(lists: list[list[Entry]]) -> None:
    assert ranked(lists) == ranked([one[::-1] for one in lists])


def test_zero_and_minus_zero_are_one_score() -> None:
    assert [docno for _, docno in ranked([[(0.0, "a"), (-0.0, "c"), (0.0, "b")]])] == ["c", "b", "a"]


def test_a_longer_docno_comes_before_its_prefix() -> None:
    assert [docno for _, docno in ranked([[(1.0, "FT1"), (1.0, "FT10"), (1.0, "FT"), (1.0, "FT2")]])] == [
        "FT2",
        "FT10",
        "FT1",
        "FT",
    ]


def test_bytes_above_127_come_before_ascii() -> None:
    assert [docno for _, docno in ranked([[(1.0, "z"), (1.0, "é"), (1.0, "Z")]])] == ["é", "z", "Z"]


def test_infinite_scores_stand_at_the_ends() -> None:
    entries = [(float("-inf"), "a"), (1e308, "b"), (float("inf"), "c"), (-1e308, "d"), (float("inf"), "e")]
    assert [docno for _, docno in ranked([entries])] == ["e", "c", "b", "d", "a"]


@pytest.mark.parametrize("arrangement", ["shuffled", "ascending", "descending"])
def test_a_large_group_of_ties_is_in_order(arrangement: str) -> None:
    rng = np.random.default_rng(7)
    tied = [f"FT{i:04}" if i % 3 else f"FT{i}" for i in range(5_000)]
    if arrangement == "shuffled":
        tied = [tied[i] for i in rng.permutation(len(tied))]
    else:
        tied.sort(reverse=arrangement == "descending")
    entries = [(2.0, "first"), *((1.0, docno) for docno in tied), (0.5, "last")]
    assert ranked([entries]) == in_rank_order(entries)


def test_long_lists_with_ties_are_in_order() -> None:
    rng = np.random.default_rng(8)
    lists = [[(float(rng.integers(0, 300)), f"LA{i}") for i in rng.permutation(1_000)] for _ in range(3)]
    assert ranked(lists) == [entry for one in lists for entry in in_rank_order(one)]


# duplicates

many_docnos = st.text("ab", max_size=3)


def slow_first_duplicate(lists: Sequence[Sequence[str]]) -> int:
    row = 0
    for one in lists:
        for i, docno in enumerate(one):
            if docno in one[:i]:
                return row + i
        row += len(one)
    return -1


@slow_start
@given(st.lists(st.lists(many_docnos, max_size=6), max_size=5))
@example([["a", "b"], ["a", "b"], ["a"]])
@example([["a", "b", "b", "a"]])
def test_the_first_duplicate_within_a_list_is_found(lists: list[list[str]]) -> None:
    text, starts, stops, bounds = layout(lists)
    found = first_duplicate(text, starts, stops, hashes(text, starts, stops), bounds)
    assert found == slow_first_duplicate(lists)


@slow_start
@given(st.lists(st.lists(many_docnos, max_size=6), max_size=4), st.sampled_from([0, 3, 2**64 - 1]))
def test_docnos_that_share_a_hash_are_no_duplicates(lists: list[list[str]], shared: int) -> None:
    text, starts, stops, bounds = layout(lists)
    values: Hashes = np.full(len(starts), shared, np.uint64)
    assert first_duplicate(text, starts, stops, values, bounds) == slow_first_duplicate(lists)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 1_000])
def test_a_full_list_without_duplicates_has_none_and_one_more_row_is_found(size: int) -> None:
    unique = [f"d{i}" for i in range(size)]
    for lists, expected in [([unique], -1), ([["x"], [*unique, unique[-1]]], size + 1)]:
        text, starts, stops, bounds = layout(lists)
        assert first_duplicate(text, starts, stops, hashes(text, starts, stops), bounds) == expected
