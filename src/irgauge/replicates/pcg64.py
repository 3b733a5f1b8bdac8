"""PCG64, the generator of numpy's default_rng, inside kernels: an array of its numbers takes longer than their use.

O'Neill (2014): a 128-bit linear congruence, of which a word is both halves xored and rotated (XSL-RR).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgauge.jit import inlined
from irgauge.jit_compiler import intrinsic, types

Words = NDArray[np.uint64]
_MULTIPLIER = (np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645))  # its high and its low half
_HALF = (1 << 64) - 1


def state_of(rng: np.random.Generator) -> Words:
    """State and increment of a generator, the high and the low half of each."""
    given: Any = rng.bit_generator.state
    if given["bit_generator"] != "PCG64":
        raise NotImplementedError(f"{given['bit_generator']} is not PCG64")
    numbers = given["state"]["state"], given["state"]["inc"]
    return np.array([half for number in numbers for half in (number >> 64, number & _HALF)], np.uint64)


def _high_half(_: Any, a: Any, b: Any) -> Any:  # noqa: ANN401, ARG001  # numba's types
    """In a kernel: the high half of the product of two words."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:  # noqa: ANN401, ARG001  # numba's types
        from llvmlite import ir  # type: ignore[import-untyped]  # it has no types

        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(one, wide) for one in words))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)

    return types.uint64(types.uint64, types.uint64), code


_high: Callable[[np.uint64, np.uint64], np.uint64] = intrinsic(_high_half)  # type: ignore[assignment]  # numba gives the first argument


@inlined
def stepped(high: np.uint64, low: np.uint64, state: Words) -> tuple[np.uint64, np.uint64]:
    """The next state: the last times the multiplier, plus the increment, modulo 2¹²⁸."""
    product = low * _MULTIPLIER[1]
    carried = _high(low, _MULTIPLIER[1]) + high * _MULTIPLIER[1] + low * _MULTIPLIER[0]
    new_low = product + state[3]
    return carried + state[2] + np.uint64(new_low < product), new_low


@inlined
def word_of(high: np.uint64, low: np.uint64) -> np.uint64:
    """The random word of a state."""
    both, turn = high ^ low, high >> np.uint64(58)
    return (both >> turn) | (both << ((np.uint64(64) - turn) & np.uint64(63)))
