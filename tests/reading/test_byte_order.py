"""The byte order of names against Python's."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irgauge.reading.byte_order import byte_order

NAMES = st.lists(st.text("ab\0é", min_size=1, max_size=20).map(str.encode), min_size=1, max_size=40)


@given(NAMES, st.sampled_from([b"", b"clueweb", b"clueweb12-0000tw-"]))
def test_names_are_ordered_and_told_apart_as_python_does(names: list[bytes], prefix: bytes) -> None:
    names = [prefix + name for name in names]
    sizes = np.array([len(name) for name in names])
    text = np.frombuffer(b"\n".join(names), np.uint8)
    order, is_new = byte_order(text, np.cumsum(sizes + 1) - sizes - 1, sizes)
    ordered = [names[place] for place in order]
    assert ordered == sorted(names)
    assert is_new.tolist() == [True, *(a != b for a, b in pairwise(ordered))]
