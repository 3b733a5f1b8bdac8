"""Machine words: eight bytes at once, against Python's own bytes."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from irgauge.compute.arrays import Bytes
from irgauge.compute.jit import kernel
from irgauge.reading.byte_strings import bytes_of_field, word_at


@kernel
def _word(text: Bytes, at: np.uint64) -> np.uint64:
    return word_at(text, at)


@kernel
def _field(text: Bytes) -> np.uint64:
    return bytes_of_field(word_at(text, np.uint64(0)))


slow_start = settings(deadline=None)  # the first example compiles
around_space = st.integers(0, 40) | st.integers(120, 136) | st.integers(0, 255)
eight = st.lists(around_space, min_size=8, max_size=8).map(bytes)


@slow_start
@given(st.binary(min_size=8, max_size=20), st.data())
def test_a_word_is_eight_bytes_the_first_the_lowest(content: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(content) - 8))
    found = _word(np.frombuffer(bytearray(content), np.uint8), np.uint64(at))
    assert int(found) == int.from_bytes(content[at : at + 8], "little")


@slow_start
@given(eight)
@example(b"\x80\xff!~\x7f\xa0\xa1\x81")
@example(b"aaaaaaa ")
@example(bytes(8))
def test_a_field_stops_at_the_first_byte_up_to_a_space(content: bytes) -> None:
    expected = next((place for place, byte in enumerate(content) if byte <= 32), 8)
    assert _field(np.frombuffer(bytearray(content), np.uint8)) == expected
