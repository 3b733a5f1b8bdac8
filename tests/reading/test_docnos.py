"""Names against a Python dict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge.reading.byte_strings import Hashes, hashes
from irgauge.reading.numbering import Names

slow_start = settings(deadline=None)  # the first call may compile

Fields = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]

strings = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12)
few_strings = st.text("ab", max_size=3)  # many of them are the same


def fields_of(given: Sequence[str]) -> Fields:
    """The strings as pieces of one text, with other bytes between them."""
    encoded = [one.encode() for one in given]
    sizes = np.array([len(one) for one in encoded], np.int64)
    starts = np.cumsum(sizes + 1) - sizes
    return np.frombuffer(bytearray(b"|" + b"|".join(encoded) + b"|"), np.uint8), starts, starts + sizes


def intern(names: Names, given: Sequence[str]) -> list[int]:
    fields = fields_of(given)
    numbers: list[int] = names.intern(*fields, hashes(*fields)).tolist()
    return numbers


def number_all(numbers: dict[str, int], given: Sequence[str]) -> list[int]:
    """What a dict makes of it: the next number for each new string."""
    return [numbers.setdefault(one, len(numbers)) for one in given]


@slow_start
@given(st.lists(st.lists(strings | few_strings, max_size=30), max_size=5))
@example([["", "a", ""], ["a", "", "b"]])
@example([["a\r", "a", "a\x00", "a\t", "é", "e\u0301"]])
def test_equal_strings_get_one_number_in_order_of_appearance(batches: list[list[str]]) -> None:
    names, numbers = Names(), dict[str, int]()
    for batch in batches:
        assert intern(names, batch) == number_all(numbers, batch)
        assert len(names) == len(numbers)
    if numbers:
        assert names.to_series().to_list() == list(numbers)


@slow_start
@given(st.lists(few_strings, max_size=40), st.lists(few_strings, max_size=10), st.data())
def test_strings_that_share_a_hash_are_told_apart(known: list[str], again: list[str], data: st.DataObject) -> None:
    same = st.sampled_from([0, 1, 2**10, 2**64 - 1])
    hash_of = {one: data.draw(same) for one in sorted({*known, *again})}

    def values(given: Sequence[str]) -> Hashes:
        return np.array([hash_of[one] for one in given], np.uint64)

    names, numbers = Names(), dict[str, int]()
    assert names.intern(*fields_of(known), values(known)).tolist() == number_all(numbers, known)
    assert names.intern(*fields_of(again), values(again)).tolist() == number_all(numbers, again)


def test_strings_whose_hashes_meet_in_one_slot_are_told_apart() -> None:
    slots = 1 << 10  # as many as there are at first
    candidates = [f"doc{i}" for i in range(200_000)]
    in_one_slot = np.flatnonzero(hashes(*fields_of(candidates)) % np.uint64(slots) == 7)[:150]
    meeting = [candidates[i] for i in in_one_slot]
    assert len(meeting) == 150
    names = Names()
    assert intern(names, meeting) == list(range(150))
    assert intern(names, [*meeting[::-1], "doc", "other"]) == [*range(149, -1, -1), 150, 151]


def test_numbers_stay_while_the_table_grows() -> None:
    rng = np.random.default_rng(1)
    names, numbers = Names(), dict[str, int]()
    for size in (1, 511, 1, 1, 3_000, 70_000):  # up to, over, and far over the room at first
        batch = [f"FT{i:x}" for i in rng.integers(0, 60_000, size)]
        assert intern(names, batch) == number_all(numbers, batch)
    assert intern(names, list(numbers)) == list(numbers.values())
    assert names.to_series().to_list() == list(numbers)


def test_long_strings_are_kept_whole() -> None:
    long = ["a" * 100_000, "a" * 100_001, "é" * 50_000, ""]
    names = Names()
    assert intern(names, ["short", *long]) == [0, 1, 2, 3, 4]
    assert intern(names, [*long, "short", "a" * 99_999]) == [1, 2, 3, 4, 0, 5]
    assert names.to_series().to_list() == ["short", *long, "a" * 99_999]


def test_new_names_know_nothing() -> None:
    names = Names()
    assert len(names) == 0
    assert intern(names, []) == []
    assert len(names) == 0


@slow_start
@given(st.lists(strings, min_size=1))
def test_equal_strings_have_equal_hashes_wherever_they_stand(given_strings: list[str]) -> None:
    together = hashes(*fields_of(given_strings))
    alone = [hashes(*fields_of([one]))[0] for one in given_strings]
    assert together.tolist() == [int(one) for one in alone]


def test_hashes_spread() -> None:
    values = hashes(*fields_of([f"FBIS3-{i}" for i in range(50_000)]))
    assert len(np.unique(values)) == 50_000
    in_slots = np.bincount((values % np.uint64(1 << 10)).astype(np.int64), minlength=1 << 10)
    assert in_slots.min() > 0
    assert in_slots.max() < 4 * in_slots.mean()
