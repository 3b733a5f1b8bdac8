"""Machine words: eight bytes of a text as one number, which kernels read and compare at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from irgauge.compute.arrays import Bytes
from irgauge.compute.jit import inlined
from irgauge.compute.jit_compiler import intrinsic, types

# Places in the text are unsigned in kernels: numba then needs no test for negative ones, which count from the end.
Place = np.uint64
WORD = np.uint64(8)  # bytes
BITS = np.uint64(8)  # of a byte
_HIGHEST = np.uint64(0x8080808080808080)  # the highest bit of each byte
_ABOVE_SPACE = np.uint64(0x2121212121212121)  # the least byte that separates no fields, eight times


@inlined
def word_at(text: Bytes, at: np.uint64) -> np.uint64:
    """Eight bytes, the first the lowest; written so that the compiler sees one load."""
    word = np.uint64(text[at])
    for place in range(1, 8):
        word |= np.uint64(text[at + np.uint64(place)]) << (BITS * np.uint64(place))
    return word


def _count_zeros(_: Any, word: Any) -> Any:  # noqa: ANN401  # numba's types
    """In a kernel: how many of a word's lowest bits are 0."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001  # numba's types
        return builder.cttz(arguments[0], context.get_constant(types.boolean, 0))

    return word(word), code


_lowest_zeros: Callable[[np.uint64], np.uint64] = intrinsic(_count_zeros)  # type: ignore[assignment]  # numba gives the first argument


@inlined
def bytes_of_field(word: np.uint64) -> np.uint64:
    """How many bytes come before the first that is at most a space: 8 if none is.

    A byte below the one taken from it borrows, and so sets its highest bit, which a byte above 127 had before; bytes
    above the first such may be wrong, but not the first.
    """
    return _lowest_zeros((word - _ABOVE_SPACE) & ~word & _HIGHEST) >> np.uint64(3)
