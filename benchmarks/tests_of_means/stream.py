"""Random numbers within kernels: xoshiro256++ of Blackman and Vigna (2021), whose state is four words."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.jit import kernel

State = NDArray[np.uint64]  # 4 words
_U = np.uint64
_UNIT = 2.0**-53


def state(*key: int) -> State:
    """The state of a stream of its own for each key.

    >>> word(state(1, 2)) == word(state(1, 2)), word(state(1, 2)) == word(state(2, 1))
    (True, False)
    """
    words = np.random.SeedSequence(key[0], spawn_key=key[1:]).generate_state(4, np.uint64)
    return words.astype(np.uint64)


@kernel
def word(s: State) -> np.uint64:
    """The next 64 random bits."""
    total = s[0] + s[3]
    found = ((total << _U(23)) | (total >> _U(41))) + s[0]
    shifted = s[1] << _U(17)
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= shifted
    s[3] = (s[3] << _U(45)) | (s[3] >> _U(19))
    return found


@kernel
def uniform(s: State) -> float:
    """Between 0 and 1, and neither."""
    return (float(word(s) >> _U(11)) + 0.5) * _UNIT


@kernel
def normals(s: State) -> tuple[float, float]:
    """Two independent standard normal numbers (Box and Muller)."""
    radius, angle = math.sqrt(-2 * math.log(uniform(s))), 2 * math.pi * uniform(s)
    return radius * math.cos(angle), radius * math.sin(angle)
