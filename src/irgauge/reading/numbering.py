"""Numbers for names, equal ones the same; for documents one for every docno, or, faster, one for every judgment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bytes, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.errors import InputError
from irgauge.reading.byte_strings import BITS, WORD, Hashes, word_at
from irgauge.reading.tokens import NEWLINE, equal

if TYPE_CHECKING:
    import polars as pl

UNKNOWN = -1  # the number of a string that has none; empty slots hold it too
_CHUNK = 1 << 14  # fields interned at a time, so that little room is kept for names that may not be new
Numbers = NDArray[np.int32]


class _Table(NamedTuple):
    """Numbers in slots by hash, and the hash and text of each; there is room for more."""

    slots: NDArray[np.int32]  # a power of two of them
    hashes: Hashes  # name
    pool: Bytes  # names, each followed by a newline
    ends: Ints  # name + 1: where its text starts in the pool


@kernel
def _place(slots: NDArray[np.int32], hashes: Hashes) -> None:
    mask = np.uint64(len(slots) - 1)
    for name in range(len(hashes)):
        slot = hashes[name] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = name


@kernel
def _intern(
    text: Bytes, starts: Ints, stops: Ints, values: Hashes, table: _Table, known: int, ids: NDArray[np.int32]
) -> int:
    """Number the fields. Short loops, each with independent memory accesses, keep many of them under way at once."""
    slots, hashes, pool, ends = table
    mask = np.uint64(len(slots) - 1)
    for i in range(len(starts)):
        ids[i] = slots[values[i] & mask]
    for i in range(len(starts)):
        slot = values[i] & mask
        name = ids[i] if ids[i] >= 0 else slots[slot]  # which may have been filled since
        while name >= 0:
            if hashes[name] == values[i]:
                if equal(text, starts[i], stops[i], pool, ends[name], ends[name + 1] - 1):
                    break
            slot = (slot + np.uint64(1)) & mask
            name = slots[slot]
        if name < 0:  # a new one: to the end of the pool, followed by a newline
            name, at = known, ends[known]
            slots[slot], hashes[name] = name, values[i]
            for place in range(starts[i], stops[i]):
                pool[at] = text[place]
                at += 1
            pool[at], ends[name + 1] = NEWLINE, at + 1
            known += 1
        ids[i] = name
    return known


class Names:
    """Gives equal byte strings one number, in the order of their first appearance."""

    def __init__(self) -> None:
        self._known = 0
        self._slots = np.full(1 << 10, UNKNOWN, np.int32)
        self._hashes = np.empty(1 << 9, np.uint64)
        self._ends = np.zeros((1 << 9) + 1, np.int64)
        self._pool = np.empty(1 << 13, np.uint8)

    def __len__(self) -> int:
        return self._known

    def intern(self, text: Bytes, starts: Ints, stops: Ints, values: Hashes) -> NDArray[np.int32]:
        """The number of each field, given its hash; a new field gets the next number. None may hold a line break."""
        ids = np.empty(len(starts), np.int32)
        for first in range(0, len(starts), _CHUNK):
            part = slice(first, first + _CHUNK)
            self._reserve(len(starts[part]), int((stops[part] - starts[part] + 1).sum()))
            fields = (text, starts[part], stops[part], values[part])
            table = _Table(self._slots, self._hashes, self._pool, self._ends)
            self._known = _intern(*fields, table, self._known, ids[part])
        return ids

    def to_list(self) -> list[str]:
        """The strings by number."""
        return self.text.tobytes().decode().removesuffix("\n").split("\n") if self._known else []

    def to_series(self) -> pl.Series:
        """The strings by number, where there are many."""
        return split(self.text)

    @property
    def text(self) -> Bytes:
        """The strings by number, each followed by a newline."""
        return self._pool[: self._ends[self._known]]

    def _reserve(self, names: int, size: int) -> None:
        """Make room for that many new names of that total size, at least doubling what grows."""
        if (need := self._known + names) > len(self._hashes):
            capacity = 1 << (need - 1).bit_length()
            self._hashes = _grown(self._hashes, self._known, capacity)
            self._ends = _grown(self._ends, self._known + 1, capacity + 1)
            self._slots = np.full(2 * capacity, UNKNOWN, np.int32)
            _place(self._slots, self._hashes[: self._known])
        if (need := int(self._ends[self._known]) + size) > len(self._pool):
            self._pool = _grown(self._pool, int(self._ends[self._known]), 1 << (need - 1).bit_length())


def split(text: Bytes) -> pl.Series:
    """The names in a text, where each ends with a newline."""
    import polars as pl

    lines = text.tobytes().decode().removesuffix("\n")
    return pl.Series([lines], dtype=pl.String).str.split("\n").explode()


def _grown(array: NDArray[Any], used: int, capacity: int) -> NDArray[Any]:
    grown = np.empty(capacity, array.dtype)
    grown[:used] = array[:used]
    return grown


class Docnos(NamedTuple):
    """Where docnos are in a text, and their hashes: list after list and then any others, or as rows say."""

    text: Bytes
    starts: Ints  # row
    stops: Ints  # row
    hashes: Hashes  # row
    bounds: Ints  # list + 1


@dataclass(frozen=True)
class Numbered:
    """The documents of a collection: their number, what names them, and the numbers of entries and judgments."""

    count: int
    name: Callable[[], pl.Series]
    docs: Numbers  # entry
    judged_docs: Numbers  # judgment


class RunNumbers(NamedTuple):
    """Numbers of the documents of one run, which come from one of several groups of Names."""

    names: int  # the group; of several Names, the lowest bits of a number say which
    docs: Numbers  # row


class Numbering(Protocol):
    """A way to number documents, given the judgments when it is made."""

    def of_run(self, docnos: Docnos, rows: Ints, topics: Ints) -> RunNumbers:
        """Number the documents of a run, given the rows that its lists have and the topic of each; safe in threads."""

    def together(self, runs: Sequence[RunNumbers]) -> Numbered:
        """One numbering of all runs, one after the other."""


class ByJudgment:
    """Every judgment is a document of its own, and all others are UNKNOWN.

    A document of a run is looked up among those of its topic alone, in a table that fits the cache.
    """

    def __init__(self, judged: Docnos) -> None:
        self._judged = judged
        sizes = 4 << np.ceil(np.log2(np.diff(judged.bounds))).astype(np.int64)  # topic: a power of two
        self._slot_bounds = np.concatenate([[0], np.cumsum(sizes)])
        self._slots = np.full(self._slot_bounds[-1], UNKNOWN, np.int32)
        _place_all(self._slots, self._slot_bounds, judged.hashes, judged.bounds)
        self._keys = np.empty((int(judged.bounds[-1]), 3), np.uint64)
        _fill_keys(judged, self._keys)

    def of_run(self, docnos: Docnos, rows: Ints, topics: Ints) -> RunNumbers:
        """Look the documents of a run up."""
        numbers = np.empty(len(rows), np.int32)
        _find_all(docnos, rows, topics, self._judged, self._keys, (self._slots, self._slot_bounds), numbers)
        return RunNumbers(0, numbers)

    def together(self, runs: Sequence[RunNumbers]) -> Numbered:
        """The judgments are the documents."""
        docs = np.concatenate([run.docs for run in runs])
        count = int(self._judged.bounds[-1])
        return Numbered(count, self._names, docs, np.arange(count, dtype=np.int32))

    def _names(self) -> pl.Series:
        import polars as pl

        text, starts, stops, _, bounds = self._judged
        places = zip(starts[: bounds[-1]], stops[: bounds[-1]], strict=True)
        names = [text[start:stop].tobytes().decode() for start, stop in places]
        return pl.Series("docno", names, dtype=pl.String)


@kernel
def _place_all(slots: Numbers, slot_bounds: Ints, hashes: Hashes, bounds: Ints) -> None:
    for topic in range(len(bounds) - 1):
        first, mask = np.uint64(slot_bounds[topic]), np.uint64(slot_bounds[topic + 1] - slot_bounds[topic] - 1)
        for row in range(bounds[topic], bounds[topic + 1]):
            slot = hashes[row] & mask
            while slots[first + slot] >= 0:
                slot = (slot + np.uint64(1)) & mask
            slots[first + slot] = row


@inlined
def _ends(text: Bytes, start: np.uint64, stop: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The first and the last eight bytes of a docno, or all where it has fewer: with its size, all of most docnos."""
    if stop - start >= WORD:
        return word_at(text, start), word_at(text, stop - WORD)
    word = np.uint64(0)
    while start < stop:
        word = (word << BITS) | np.uint64(text[start])
        start += np.uint64(1)
    return word, word


@kernel
def _fill_keys(judged: Docnos, keys: Hashes) -> None:
    """Write the ends and the size of each docno side by side, where one line of the cache has them all."""
    text, starts, stops, _, _ = judged
    for row in range(len(keys)):
        start, stop = np.uint64(starts[row]), np.uint64(stops[row])
        keys[row, 0], keys[row, 1] = _ends(text, start, stop)
        keys[row, 2] = stop - start


@kernel
def _find_all(
    docnos: Docnos,
    rows: Ints,
    topics: Ints,
    judged: Docnos,
    keys: Hashes,
    table: tuple[Numbers, Ints],
    numbers: Numbers,
) -> None:
    """Write the judgment of each document in its topic, or UNKNOWN; docnos.bounds are of the lists' rows."""
    (text, starts, stops, hashes, bounds), (slots, slot_bounds) = docnos, table
    judged_text, judged_starts, judged_stops, _, _ = judged
    for i in range(len(topics)):
        base = np.uint64(slot_bounds[topics[i]])
        mask = np.uint64(slot_bounds[topics[i] + 1]) - base - np.uint64(1)
        for place in range(bounds[i], bounds[i + 1]):
            row = rows[place]
            slot = hashes[row] & mask
            other = slots[base + slot]
            if other >= 0:
                start, stop = np.uint64(starts[row]), np.uint64(stops[row])
                first, last = _ends(text, start, stop)
                while other >= 0:
                    if keys[other, 0] == first and keys[other, 1] == last and keys[other, 2] == stop - start:
                        if stop - start <= 2 * WORD or equal(
                            text, starts[row], stops[row], judged_text, judged_starts[other], judged_stops[other]
                        ):
                            break
                    slot = (slot + np.uint64(1)) & mask
                    other = slots[base + slot]
            numbers[place] = other


def corpus_size_of(corpus: int | Iterable[str] | None, documents: Numbered) -> int:
    """The number of documents in the corpus: as given, of the given docnos, or of those seen."""
    if corpus is None:
        return documents.count
    if isinstance(corpus, int | np.integer):
        if corpus < documents.count:
            raise InputError(f"a corpus of {corpus} documents is too small: runs and qrels name {documents.count}")
        return int(corpus)
    return _corpus_of(corpus, documents.name())


def _corpus_of(corpus_docnos: Iterable[str], docnos: pl.Series) -> int:
    """The number of docnos given; all documents seen must be among them."""
    import polars as pl

    corpus = pl.Series(list(corpus_docnos), dtype=pl.String).unique()
    outside = docnos.filter(~docnos.is_in(corpus.implode()))
    if len(outside):
        some = ", ".join(outside.head(3))
        raise InputError(f"{len(outside)} documents of runs and qrels are not in the corpus given, such as {some}")
    return len(corpus)
