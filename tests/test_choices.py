"""Names out of several: what is found, what is refused, and which name is the nearest."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irgauge import DesignError, InputError
from irgauge.choices import known, nearest

NAMES = st.lists(st.text("abcABC-2", min_size=1, max_size=5), min_size=1, max_size=14, unique=True)


def likeness(one: str, other: str) -> float:
    """The share of letters that two names have in common, upper and lower case aside, as difflib counts them."""
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()


@given(NAMES, st.text("abcABC-2", max_size=5))
def test_no_other_name_is_nearer(names: list[str], name: str) -> None:
    found = nearest(name, names)
    assert found in names
    assert likeness(found, name) == max(likeness(one, name) for one in names)


@given(NAMES, st.data())
def test_a_name_is_found_as_it_is(names: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(names))
    assert known(name, names, "thing") == name


@given(NAMES, st.data())
def test_a_name_is_found_in_any_case_where_it_is_the_only_one(names: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(names))
    other = name.swapcase()
    if other not in names and sum(one.lower() == name.lower() for one in names) == 1:
        assert known(other, names, "thing") == name


@given(NAMES, st.text("xyzab", min_size=1, max_size=4).map("x".join).map("{}x".format))
def test_an_error_says_what_was_given_and_what_is_allowed(names: list[str], name: str) -> None:
    with pytest.raises(DesignError) as caught:
        known(name, names, "thing")
    message = str(caught.value)
    assert message.startswith(f"the thing '{name}' is unknown; ")
    shown = names if len(names) <= 10 else names[:5]
    assert f"hoose from {', '.join(shown)}" in message
    assert message.endswith(f" and {len(names) - 5} more") == (len(names) > 10)
    is_near = likeness(nearest(name, names), name) >= 0.5
    assert (f"did you mean '{nearest(name, names)}'?" in message) == is_near


def test_names_that_differ_in_case_alone_are_told_apart() -> None:
    assert known("BM25", ["bm25", "BM25"], "system") == "BM25"
    with pytest.raises(DesignError, match="the system 'Bm25' is unknown; did you mean 'BM25'"):
        known("Bm25", ["bm25", "BM25"], "system")


def test_the_class_of_the_error_its_place_and_its_last_words_can_be_given() -> None:
    with pytest.raises(InputError) as caught:
        known("ab", ["aa"], "run", error=partial(InputError, path="m.txt", line=3), hint="Fix this line")
    assert str(caught.value) == "m.txt:3: the run 'ab' is unknown; did you mean 'aa'? Fix this line"


def test_of_many_names_none_of_which_is_alike_the_first_are_listed() -> None:
    with pytest.raises(DesignError) as caught:
        known("nope", [f"F{i}-{j}" for i in range(1, 6) for j in range(1, 5)], "baseline")
    assert str(caught.value) == "the baseline 'nope' is unknown; choose from F1-1, F1-2, F1-3, F1-4, F2-1 and 15 more"


def test_where_there_is_nothing_to_choose_from_the_error_says_so() -> None:
    with pytest.raises(DesignError, match="the model 'x' is unknown; there is none to choose from"):
        known("x", [], "model")
