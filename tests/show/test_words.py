"""Small words of sentences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.show.words import (
    best_note,
    counted,
    listed,
    omega2_text,
    p_text,
    percent,
    sentence,
    signed,
    some,
    two_digits,
)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True), st.integers(1, 8))
@settings(deadline=None)
def test_some_names_are_the_first_and_a_count_of_the_rest(names: list[str], most: int) -> None:
    text = some(names, most)
    if len(names) <= most:
        assert text == listed(names)
        assert text.replace(" and ", ", ").split(", ") == names
    else:
        assert text == f"{', '.join(names[:most])} and {len(names) - most} more"


@pytest.mark.parametrize(("n", "text"), [(0, "0 pairs"), (1, "1 pair"), (2, "2 pairs"), (8256, "8,256 pairs")])
def test_counts(n: int, text: str) -> None:
    assert counted(n, "pair") == text


@pytest.mark.parametrize(("share", "text"), [(0.95, "95 %"), (0.12345, "12.3 %"), (1.0, "100 %"), (0.0004, "0 %")])
def test_shares(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1234, "0.123"), (-0.1234, "−0.123"), (0.0001, "0.0001"), (-0.0001, "−0.0001"), (0.0, "0.000")],
)
def test_differences_have_a_proper_sign(value: float, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1e-9, "p < 0.001"),
        (0.001, "p = 0.001"),
        (0.04951, "p = 0.050"),
        (0.0504, "p = 0.0504"),
        (0.05001, "p = 0.05001"),
        (0.9999, "p = 1"),
        (1.0, "p = 1"),
    ],
)
def test_p_values(p: float, text: str) -> None:
    assert p_text(p) == text


@given(st.floats(-0.5, 1))
@settings(deadline=None)
def test_an_omega2_is_never_shown_as_larger_than_its_size(omega2: float) -> None:
    shown = float(omega2_text(omega2))
    assert shown == pytest.approx(max(0, omega2), abs=6e-4)
    for bound in (0.01, 0.06, 0.14):
        assert omega2 >= bound or shown < bound


@pytest.mark.parametrize(
    ("text", "whole"),
    [("mean", "Mean."), ("why?", "Why?"), ("ω² of it", "ω² of it."), ("p: adjusted.", "p: adjusted.")],
)
def test_sentences_have_a_capital_and_a_stop(text: str, whole: str) -> None:
    assert sentence(text) == whole


def test_two_digits_and_notes_of_the_best() -> None:
    assert (two_digits(0.0201), two_digits(12.3), two_digits(1431.2)) == ("0.020", "12", "1,431")
    assert best_note(30, 129) == ("Shown: the best 30 of 129 systems.",)
    assert best_note(129, 129) == best_note(200, 129) == ()
