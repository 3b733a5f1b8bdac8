"""Hashes of docnos: SipHash-1-3 under a key of this process, so that no file can be made whose docnos collide.

Aumasson and Bernstein (2012), SipHash: a fast short-input PRF; with one round a word and three at the end, as Python
and Rust have it. Nothing but speed depends on the key.
"""

from __future__ import annotations

import secrets
from functools import cache

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Bytes, Ints
from irgauge.jit import kernel

Hashes = NDArray[np.uint64]
Key = tuple[np.uint64, np.uint64]
_State = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_WORD = np.uint64(8)  # bytes
_BITS = np.uint64(8)  # of a byte
_SIZE_SHIFT = np.uint64(56)  # the last word ends in the size of the whole
_START = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
_0, _1, _2, _3 = (np.uint64(word) for word in _START)
_END = np.uint64(0xFF)


@cache
def _key() -> Key:
    """The key of this process."""
    return np.uint64(secrets.randbits(64)), np.uint64(secrets.randbits(64))


def hashes(text: Bytes, starts: Ints, stops: Ints) -> Hashes:
    """The hash of each field."""
    return keyed_hashes(text, starts, stops, _key())


@kernel
def keyed_hashes(text: Bytes, starts: Ints, stops: Ints, key: Key) -> Hashes:
    """The hash of each field under a key."""
    values = np.empty(len(starts), np.uint64)
    for i in range(len(starts)):
        values[i] = _hash(text, np.uint64(starts[i]), np.uint64(stops[i]), key)
    return values


@kernel
def _hash(text: Bytes, start: np.uint64, stop: np.uint64, key: Key) -> np.uint64:
    state = key[0] ^ _0, key[1] ^ _1, key[0] ^ _2, key[1] ^ _3
    size, at = stop - start, start
    while at + _WORD <= stop:
        state = _absorbed(state, _word(text, at))
        at += _WORD
    a, b, c, d = _absorbed(state, _last_word(text, at, stop, size))
    c ^= _END
    a, b, c, d = _round(*_round(*_round(a, b, c, d)))
    return a ^ b ^ c ^ d


@kernel
def _absorbed(state: _State, word: np.uint64) -> _State:
    a, b, c, d = state
    a, b, c, d = _round(a, b, c, d ^ word)
    return a ^ word, b, c, d


@kernel
def _round(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> _State:
    a, c = a + b, c + d
    b, d = _turned(b, 13) ^ a, _turned(d, 16) ^ c
    a = _turned(a, 32)
    a, c = a + d, c + b
    b, d = _turned(b, 17) ^ c, _turned(d, 21) ^ a
    return a, b, _turned(c, 32), d


@kernel
def _turned(word: np.uint64, bits: int) -> np.uint64:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@kernel
def _word(text: Bytes, at: np.uint64) -> np.uint64:
    """Eight bytes, the first the lowest; written so that the compiler sees one load."""
    word = np.uint64(text[at])
    for place in range(1, 8):
        word |= np.uint64(text[at + np.uint64(place)]) << (_BITS * np.uint64(place))
    return word


@kernel
def _last_word(text: Bytes, at: np.uint64, stop: np.uint64, size: np.uint64) -> np.uint64:
    """The bytes that are left, and the size."""
    last = size << _SIZE_SHIFT
    if size >= _WORD and stop > at:
        return last | (_word(text, stop - _WORD) >> (_BITS * (_WORD - (stop - at))))
    shift = np.uint64(0)
    while at < stop:
        last |= np.uint64(text[at]) << shift
        shift += _BITS
        at += np.uint64(1)
    return last
