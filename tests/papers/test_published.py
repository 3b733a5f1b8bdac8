from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irgauge.papers.published import exhibit, is_printed, number, papers

PAPERS = [
    "boytsov-2013",
    "faggioli-ferro-2021",
    "ferro-kim-sanderson-2019",
    "ferro-sanderson-2019",
    "ihemelandu-ekstrand-2023",
    "jayasinghe-2014",
    "jayasinghe-2014-lab",
    "otero-2025",
    "parapar-2020",
    "urbano-lima-hanjalic-2019",
    "voorhees-2017",
    "zobel-rashidi-2020",
]


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_a_value_is_printed_as_its_own_digits(value: float, decimals: int) -> None:
    text = f"{value:.{decimals}f}"
    if text.lstrip("-") != "0":  # that is kept for what double precision does not hold
        assert is_printed(number(text), value)


@given(st.floats(1e-200, 1), st.integers(1, 6))
def test_a_small_value_is_printed_as_its_own_digits(value: float, decimals: int) -> None:
    assert is_printed(number(f"{value:.{decimals}e}"), value)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 5))
def test_two_values_that_are_printed_differently_are_told_apart(one: float, other: float, decimals: int) -> None:
    text = f"{one:.{decimals}f}"
    half = 0.5 * 10.0**-decimals
    if abs(other - float(text)) > half * 1.001:
        assert not is_printed(number(text), other)


@pytest.mark.parametrize(
    ("text", "printed", "not_printed"),
    [
        ("0", 0.0, 1e-250),
        ("<1e-2", 0.0099, 0.0101),
        ("+18.81%", 18.812, 18.82),
        ("-0.05%", -0.052, 0.05),
        ("4833", 4833, 4832),
        ("2.449e-27", 2.4492e-27, 2.45e-27),
    ],
)
def test_numbers_as_papers_print_them(text: str, printed: float, not_printed: float) -> None:
    assert is_printed(number(text), printed)
    assert not is_printed(number(text), not_printed)


@pytest.mark.parametrize("text", ["", "abc", "1.2.3", "0,5", "--1", "nan"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number as papers print them"):
        number(text)


def test_all_papers_are_there() -> None:
    assert sorted(papers()) == PAPERS


@pytest.mark.parametrize("paper", PAPERS)
def test_every_typed_value_can_be_read(paper: str) -> None:
    assert papers()[paper].reference.endswith(".") or "doi.org" in papers()[paper].reference
    for name, found in papers()[paper].exhibits.items():
        assert exhibit(f"{paper}/{name}") is found
        assert found.values or found.illegible, f"{found.name} has nothing to be judged by"
        for value in found.values:
            assert value.text in ("yes", "no") or math.isfinite(number(value.text).value)
