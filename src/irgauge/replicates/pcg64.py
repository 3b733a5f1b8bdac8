"""Numpy's generator PCG64 in kernels: the same numbers in the same order, several times as fast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.jit import inlined, intrinsic, kernel

Words = NDArray[np.uint64]
_MULTIPLIER = (np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645))  # its high and its low half
_HALF = (1 << 64) - 1
LOW_BITS = np.uint64(2**32 - 1)
_TOGETHER = 1 << 10  # places that are drawn before they are used


def state_of(rng: np.random.Generator) -> Words:
    """State and increment of a generator, the high and the low half of each."""
    state: Any = rng.bit_generator.state
    if state["bit_generator"] != "PCG64":
        raise NotImplementedError(f"{state['bit_generator']} is not PCG64")
    numbers = state["state"]["state"], state["state"]["inc"]
    return np.array([half for number in numbers for half in (number >> 64, number & _HALF)], np.uint64)


def _high_half(_: Any, a: Any, b: Any) -> Any:  # noqa: ANN401  # numba's types
    """In a kernel: the high half of the product of two words."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:  # noqa: ANN401, ARG001  # numba's types
        from llvmlite import ir  # type: ignore[import-untyped]  # it has no types

        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(word, wide) for word in words))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)

    return a(a, b), code


_high: Callable[[np.uint64, np.uint64], np.uint64] = intrinsic(_high_half)


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


def shuffled(rng: np.random.Generator, values: NDArray[Any]) -> NDArray[Any]:
    """What `rng.permutation(values)` gives of one axis; the generator itself stays where it was.

    >>> shuffled(np.random.default_rng(1), np.arange(5)).tolist() == np.random.default_rng(1).permutation(5).tolist()
    True
    """
    state: Any = rng.bit_generator.state
    copy = values.copy()
    if len(copy) > 1:
        places = np.empty(_TOGETHER, np.uint64)
        _shuffle(state_of(rng), np.uint64(state["uinteger"]), bool(state["has_uint32"]), copy, places)
    return copy


@kernel
def _shuffle(state: Words, half: np.uint64, has_half: bool, values: NDArray[Any], places: Words) -> None:  # noqa: FBT001  # in a kernel
    """From the last value to the second, put each in the place of one up to it.

    A place has the lowest bits of half a random word, as many as the last place has, drawn again where it is beyond the
    last. Some are drawn before they are used, so that no branch depends on them: twice as fast.
    """
    high, low, one, last = state[0], state[1], np.uint64(1), np.uint64(len(values) - 1)
    mask = one
    while mask < last:
        mask = mask << one | one
    while last > 0:
        if last <= mask >> one:
            mask >>= one
        count, drawn = min(np.uint64(len(places)), last - (mask >> one)), np.uint64(0)
        while drawn < count:
            if not has_half:
                high, low = stepped(high, low, state)
                half = word_of(high, low)
            places[drawn] = half & LOW_BITS & mask
            half, has_half = half >> np.uint64(32), not has_half
            drawn += np.uint64(places[drawn] <= last - drawn)
        for i in range(count):
            values[places[i]], values[last] = values[last], values[places[i]]
            last -= one
