"""The byte order of many names in one text, eight bytes of each at a time, which a machine compares as one word."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Bools, Bytes, Ints
from irgauge.reading.byte_strings import Hashes

_WORD = 8  # bytes


def byte_order(text: Bytes, starts: Ints, sizes: Ints) -> tuple[Ints, Bools]:
    """Names in byte order, and whether each differs from the one before it in that order.

    All are ordered by their first word, then by the next one those that are the same so far.
    """
    order, is_new = np.arange(len(starts)), np.arange(len(starts)) == 0
    tied, at = order.copy(), 0  # places in the order that the bytes so far leave open
    padded = np.concatenate([text, np.zeros(_WORD, np.uint8)])
    while len(tied):
        for keys_of in (_words, _sizes):  # what ends comes before what goes on, with bytes of 0 too
            names = order[tied]
            keys = keys_of(padded, starts[names] + at, sizes[names] - at)
            by = _sorted(keys, is_new[tied])
            order[tied], keys = names[by], keys[by]
            is_new[tied[1:]] |= keys[1:] != keys[:-1]
            is_open = ~(is_new[tied] & np.append(is_new[tied[1:]], True))  # not alone in its group
            tied, keys = tied[is_open], keys[is_open]
        tied, at = tied[keys > _WORD], at + _WORD
    return order, is_new


def _sorted(keys: Hashes, is_new: Bools) -> Ints:
    """The places of keys in ascending order within each group; the first of a group is new."""
    if np.all((keys[1:] >= keys[:-1]) | is_new[1:]):
        return np.arange(len(keys))
    by = np.argsort(keys)
    if not np.any(is_new[1:]):
        return by
    ranks = np.empty(len(keys), np.int64)
    ranks[by] = np.arange(len(keys))
    return np.argsort(
        (np.cumsum(is_new) << 32) | ranks
    )  # one key, as numpy sorts machine words several times as fast as pairs


def _words(text: Bytes, starts: Ints, sizes: Ints) -> Hashes:
    """The first eight bytes of each name, the first the highest, and 0 after its end."""
    words = np.lib.stride_tricks.sliding_window_view(text, _WORD)[starts].view(">u8").ravel().astype(np.uint64)
    beyond = (8 * np.clip(_WORD - sizes, 0, _WORD - 1)).astype(np.uint64)  # bits; a shift by all of them is undefined
    return np.where(sizes > 0, (words >> beyond) << beyond, np.uint64(0))


def _sizes(_: Bytes, starts: Ints, sizes: Ints) -> Hashes:  # noqa: ARG001  # as words
    """How many bytes of the word each name has; one more where it goes on after that."""
    return np.minimum(sizes, _WORD + 1).astype(np.uint64)
