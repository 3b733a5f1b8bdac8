"""Bytes to columns: white space, widths, and numbers against Python's own."""

from __future__ import annotations

import math
import re
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge.compute.arrays import Bytes
from irgauge.compute.jit import kernel
from irgauge.reading.tokens import WidthError, columns, equal, fields_at, fields_of_lines, first_width, line_at, pieces

slow_start = settings(deadline=None)  # the first call may compile

SEPARATORS = (" ", "\t", "   ", " \t ", "\x0b", "\x0c", "\r", "\x00", "\x1c")
LINE_ENDS = ("\n", "\r\n", "\n\n", " \t\n", "\n \t \r\n\n")
NUMBER = re.compile(r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|(?i:inf(inity)?))")


def as_text(content: str | bytes) -> NDArray[np.uint8]:
    data = content.encode() if isinstance(content, str) else content
    return np.frombuffer(bytearray(data), np.uint8)


def names(text: NDArray[np.uint8], starts: NDArray[np.int64], stops: NDArray[np.int64]) -> list[str]:
    return [text[start:stop].tobytes().decode() for start, stop in zip(starts, stops, strict=True)]


def numbers_of(fields: list[str]) -> list[float]:
    """What `columns` reads in lines of a name and a field."""
    text = as_text("".join(f"name {field}\n" for field in fields))
    read: list[float] = columns(text, 2, 0, (1,), ()).numbers[0].tolist()
    return read


def assert_same_doubles(fields: list[str]) -> None:
    read = numbers_of(fields)
    expected = [float(field) for field in fields]
    for field, ours, theirs in zip(fields, read, expected, strict=True):
        assert ours.hex() == theirs.hex(), field  # hex tells -0.0 from 0.0


# lines and fields

words = st.text(st.characters(min_codepoint=33, max_codepoint=0x2FFFF, exclude_categories=["Cs"]), min_size=1)


@st.composite
def layouts(draw: st.DrawFn) -> tuple[list[tuple[str, str, str]], str]:
    """Rows of a group, a name and a whole number, and a text that holds them in some layout."""
    group = st.sampled_from(["401", "402", "é"])
    rows = draw(st.lists(st.tuples(group, words, st.integers(0, 10**6).map(str)), min_size=1, max_size=8))
    separators, ends = st.sampled_from(SEPARATORS), st.sampled_from(LINE_ENDS)
    text = draw(st.sampled_from(("", "\n", " \n\t\n")))
    for row in rows:
        text += draw(st.sampled_from(("", " ", "\t "))) + draw(separators).join(row[:2]) + draw(separators) + row[2]
        text += draw(ends)
    return rows, text if draw(st.booleans()) else text.rstrip("\n\r\t ")


@slow_start
@given(layouts())
def test_columns_are_those_of_the_rows_whatever_the_white_space(case: tuple[list[tuple[str, str, str]], str]) -> None:
    rows, content = case
    text = as_text(content)
    found = columns(text, 3, 1, (2,), (0,))
    assert names(text, found.starts, found.stops) == [name for _, name, _ in rows]
    assert found.numbers[0].tolist() == [float(number) for _, _, number in rows]
    groups = [group for group, _, _ in rows]
    assert found.changes[0].tolist() == [i for i in range(len(rows)) if i == 0 or groups[i] != groups[i - 1]]


@pytest.mark.parametrize(
    "content",
    [
        "a 1\nb 2\n",
        "a 1\nb 2",
        "a\t1\r\nb\t2\r\n",
        "  a   1  \n\tb \t2\t\n",
        "\n\na 1\n\n  \nb 2\n\n",
        "\r\na 1\r\n\r\nb 2",
    ],
)
def test_layouts_of_the_same_two_rows_read_the_same(content: str) -> None:
    text = as_text(content)
    found = columns(text, 2, 0, (1,), ())
    assert names(text, found.starts, found.stops) == ["a", "b"]
    assert found.numbers.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("content", ["", "\n", " \t\r\n\n"])
def test_text_without_fields_has_no_rows(content: str) -> None:
    found = columns(as_text(content), 2, 0, (1,), (0,))
    assert len(found.starts) == len(found.stops) == len(found.changes[0]) == 0
    assert found.numbers.shape == (1, 0)


def test_several_columns_of_numbers_and_groups_are_read() -> None:
    text = as_text("x 401 a 1 5 u\nx 401 b 2 6.5 v\ny 402 c 3 -7 v\nx 402 d 4 8 v\n")
    found = columns(text, 6, 2, (4, 3), (0, 1, 5))
    assert names(text, found.starts, found.stops) == ["a", "b", "c", "d"]
    assert found.numbers.tolist() == [[5.0, 6.5, -7.0, 8.0], [1.0, 2.0, 3.0, 4.0]]
    assert [changes.tolist() for changes in found.changes] == [[0, 2, 3], [0, 2], [0, 1]]


@pytest.mark.parametrize(
    ("content", "offset", "width"),
    [
        ("a 1 x\n", 0, 3),
        ("a\nb 1\n", 0, 1),
        ("a 1\nb 2\nc\nd 4\n", 8, 1),
        ("a 1\nb 2\nc 3 4 5\n", 8, 4),
        ("a 1\r\n\r\nb 2 3\r\n", 7, 3),
        ("a 1\n  b", 4, 1),
        ("a 1\nb \n", 4, 1),
        ("a 1\nb 2 3\nc\n", 4, 3),
    ],
)
def test_a_line_of_another_width_is_located(content: str, offset: int, width: int) -> None:
    with pytest.raises(WidthError) as caught:
        columns(as_text(content), 2, 0, (1,), ())
    assert (caught.value.offset, caught.value.width) == (offset, width)


@slow_start
@given(st.binary(max_size=60).map(lambda data: data.replace(b"x", b"\n")), st.data())
def test_line_at_counts_the_line_breaks_before(content: bytes, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(content)))
    assert line_at(as_text(content), offset) == content[:offset].count(b"\n") + 1


@slow_start
@given(st.lists(st.lists(st.sampled_from(["a", "bé", "401", "0.5"]), max_size=4), min_size=1), st.data())
def test_fields_at_gives_the_fields_of_the_line(lines: list[list[str]], data: st.DataObject) -> None:
    texts = [" ".join(line) for line in lines]
    number = data.draw(st.integers(0, len(lines) - 1))
    before = texts[number][: data.draw(st.integers(0, len(texts[number])))]
    offset = len("\n".join([*texts[:number], before]).encode())
    assert fields_at(as_text("\n".join(texts)), offset) == lines[number]


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2028", "\u0085"])
def test_fields_at_splits_where_columns_does_and_not_at_unicode_spaces(space: str) -> None:
    line = f"401 Q0 doc{space}1 1 0.5 tag\n"
    assert len(columns(as_text(line), 6, 2, (4,), (0,)).starts) == 1
    assert fields_at(as_text(line), 7) == ["401", "Q0", f"doc{space}1", "1", "0.5", "tag"]


def test_fields_at_reads_lines_with_a_very_long_field() -> None:
    docno = "d" * 20_000
    assert fields_at(as_text(f"before\n401 Q0 {docno} 1 0.5 tag\nafter\n"), 14) == [
        "401",
        "Q0",
        docno,
        "1",
        "0.5",
        "tag",
    ]


@pytest.mark.parametrize(
    ("content", "width"),
    [
        ("", 0),
        ("\n \t\r\n", 0),
        ("a", 1),
        ("a b c\nd\n", 3),
        ("\n\r\n \n a\tb \nc\n", 2),
        ("401 Q0 d\u00a01\n", 3),
    ],
)
def test_first_width_counts_the_fields_of_the_first_line_that_is_not_blank(content: str, width: int) -> None:
    assert first_width(as_text(content)) == width


@pytest.mark.parametrize("separator", SEPARATORS)
def test_first_width_splits_where_columns_does(separator: str) -> None:
    text = as_text(separator.join(["a", "1"]) + "\n")
    assert len(columns(text, 2, 0, (1,), ()).starts) == 1
    assert first_width(text) == 2


@kernel
def asked_whether_equal(text: Bytes, start: int, stop: int, other: Bytes, other_start: int, other_stop: int) -> bool:
    return equal(text, start, stop, other, other_start, other_stop)  # which only kernels call


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("abc", "abc", True), ("abc", "abd", False), ("abc", "ab", False), ("", "", True), ("xbc", "abc", False)],
)
def test_equal_compares_pieces_of_text(one: str, other: str, same: bool) -> None:  # noqa: FBT001  # a parameter
    text, other_text = as_text("<" + one + ">"), as_text("((" + other + "))")
    assert bool(asked_whether_equal(text, 1, 1 + len(one), other_text, 2, 2 + len(other))) is same


# numbers

finite = st.floats(allow_nan=False, allow_infinity=False)
digits = st.text("0123456789", min_size=1, max_size=40)


@st.composite
def decimals(draw: st.DrawFn) -> str:
    """A decimal number in any of the ways it may be written."""
    sign = draw(st.sampled_from(["", "", "-", "+"]))
    whole = draw(digits)
    number = draw(st.sampled_from([whole, f"{whole}.", f".{whole}", f"{whole}.{draw(digits)}"]))
    zeros = "0" * draw(st.sampled_from([0, 0, 1, 5, 30])) if "." in number else ""
    exponent = f"{draw(st.sampled_from('eE'))}{draw(st.sampled_from(['', '-', '+']))}{draw(st.integers(0, 400))}"
    return sign + number + zeros + draw(st.sampled_from(["", exponent]))


@slow_start
@given(st.lists(finite.map(repr), min_size=1, max_size=20))
@example(["0.1", "-0.0", "5e-324", "1.7976931348623157e+308", "2.2250738585072014e-308", "1e22", "1e23"])
def test_the_shortest_text_of_a_double_is_read_back_exactly(fields: list[str]) -> None:
    assert_same_doubles(fields)


@slow_start
@given(st.lists(st.one_of(st.integers(), st.integers(-(10**40), 10**40)).map(str), min_size=1, max_size=20))
@example([str(2**53 + k) for k in range(-2, 4)])
@example(["9" * 19, "1" + "0" * 19, "9" * 400, "0" * 50 + "7"])
def test_integers_are_correctly_rounded(fields: list[str]) -> None:
    assert_same_doubles(fields)


@slow_start
@given(st.lists(decimals(), min_size=1, max_size=20))
@example(["9007199254740993", "9007199254740993.0000000000000000000000001", "0." + "0" * 330 + "1", "0e999", "-0e5"])
@example(["1e400", "-1e400", "1e-400", "+.5", "5.", "0.50000000000000000000000000000"])
def test_decimals_are_correctly_rounded(fields: list[str]) -> None:
    assert_same_doubles(fields)


@slow_start
@given(st.lists(st.tuples(finite, st.sampled_from([".6f", ".17g", ".20e", ".40f", "+.3E", "025.10f"])), min_size=1))
def test_formatted_doubles_are_correctly_rounded(cases: list[tuple[float, str]]) -> None:
    assert_same_doubles([format(value, form) for value, form in cases])


@pytest.mark.parametrize("multiple", [1, 2, 3, 5])
@pytest.mark.parametrize("more", [0, 1, 5])
def test_digits_just_above_a_multiple_of_two_to_the_64_are_read(multiple: int, more: int) -> None:
    digits = str(multiple * 2**64 + more)
    assert_same_doubles([digits, f"{digits}0", f"-0.{digits}", f"{digits[:3]}.{digits[3:]}", f"{digits}e-20"])


@pytest.mark.parametrize("bits", [52, 53, 54, 55, 56, 60, 63])
def test_digits_around_what_a_double_holds_exactly_are_correctly_rounded(bits: int) -> None:
    rng = np.random.default_rng(bits)
    mantissas = rng.integers(2 ** (bits - 1), 2**bits, 1_000)
    assert_same_doubles(
        [f"{mantissa}e{power}" for mantissa, power in zip(mantissas, rng.integers(-25, 25, 1_000), strict=True)]
    )


@pytest.mark.parametrize("decimals", [15, 16, 17, 18])
def test_decimals_next_to_the_middle_of_two_doubles_are_correctly_rounded(decimals: int) -> None:
    rng = np.random.default_rng(decimals)
    least = rng.uniform(0.1, 9, 500).tolist()
    middles = [(Fraction(value) + Fraction(math.nextafter(value, 10))) / 2 for value in least]
    near = [int(middle * 10**decimals) + step for middle in middles for step in (-1, 0, 1, 2)]
    assert_same_doubles([f"{number}e-{decimals}" for number in near])


@pytest.mark.parametrize(
    "field", ["1e1000000", "1e-1000000", "1e100000000", "-1e-999999999999", "1e0000000000000000002"]
)
def test_exponents_of_any_length_are_read(field: str) -> None:
    assert_same_doubles([field])


@pytest.mark.parametrize("field", ["1.8e308", "-1e309", "1e400", "2000000000000000001e306", "9" * 400])
def test_numbers_beyond_the_range_of_doubles_are_infinite_without_a_warning(field: str) -> None:
    assert_same_doubles([field])


def test_a_very_long_number_beside_short_ones_is_read() -> None:
    assert_same_doubles(["1", "0." + "123456789" * 1000, "-2.5"])


@pytest.mark.parametrize("field", ["inf", "+inf", "-inf", "INF", "Infinity", "-infinity"])
def test_infinities_are_numbers(field: str) -> None:
    assert_same_doubles([field])


NO_NUMBERS = {
    "not numbers": ["nan", "NaN", "-nan", "high", "in", "infin", "½", "１", "'1'"],
    "nothing": [".", "-", "+", "-.", "e5", ".e1"],
    "half an exponent": ["1e", "1e+", "1e5.0", "1e5e5"],
    "signs": ["--1", "+-1", "1-"],
    "other notations": ["1_0", "0x10", "0b1", "1,5", "1d5", "1f", "1.2.3", "1" * 30 + "x"],
}


@pytest.mark.parametrize("field", [field for fields in NO_NUMBERS.values() for field in fields])
def test_what_is_no_number_is_nan(field: str) -> None:
    assert math.isnan(numbers_of([field])[0])


@slow_start
@given(st.lists(st.text("0123456789+-.eEinfaNx_", min_size=1, max_size=9), min_size=1, max_size=20))
def test_exactly_the_numbers_are_read(fields: list[str]) -> None:
    expected = [float(field) if NUMBER.fullmatch(field) else math.nan for field in fields]
    np.testing.assert_array_equal(numbers_of(fields), expected)


def test_a_missing_number_is_a_missing_column() -> None:
    with pytest.raises(WidthError):
        numbers_of([""])


def test_a_field_that_is_no_number_leaves_its_neighbours() -> None:
    read = numbers_of(["1", "x", "0.1000000000000000000000001", "inf", "nan", "2"])
    np.testing.assert_array_equal(read, [1.0, math.nan, 0.1, math.inf, math.nan, 2.0])


def test_one_endless_number_among_long_ones_takes_no_more_memory_than_its_own() -> None:
    fields = [f"0.{number:030d}" for number in range(2000)]
    fields[7], fields[8], fields[9] = "0." + "7" * 100_000, "-" + "3" * 5000 + "e-4990", "Infinity"
    tracemalloc.start()
    try:
        assert_same_doubles(fields)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@slow_start
@given(layouts())
def test_a_column_of_lines_is_found_from_any_of_their_names(given: tuple[list[tuple[str, str, str]], str]) -> None:
    _, content = given
    text = as_text(content)
    starts = columns(text, 3, 1, (), ()).starts
    for column in range(3):
        assert names(text, *fields_of_lines(text, starts, column)) == [fields_at(text, at)[column] for at in starts]


@slow_start
@given(st.lists(st.sampled_from(["", "a", "bc", "d" * 9]), max_size=12).map("\n".join), st.integers(1, 20))
def test_pieces_are_whole_lines_and_give_the_text_again(content: str, size: int) -> None:
    text = as_text(content)
    found = [text[start:stop].tobytes() for start, stop in pieces(text, size)]
    assert b"".join(found) == content.encode()
    assert all(one.endswith(b"\n") for one in found[:-1])
    assert all(len(one) >= size for one in found[:-1])
