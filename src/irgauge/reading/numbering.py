"""Numbers for documents: one for every docno, or, faster, one for every judgment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bytes, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.reading.docnos import UNKNOWN, Names
from irgauge.reading.hashing import Hashes
from irgauge.reading.machine_words import BITS, WORD, word_at
from irgauge.reading.tokens import equal

if TYPE_CHECKING:
    import polars as pl

Numbers = NDArray[np.int32]


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
    """Numbers of the documents of one run, which come from one of several Names."""

    names: int
    docs: Numbers  # row


class Numbering(Protocol):
    """A way to number documents, given the judgments when it is made."""

    def of_run(self, docnos: Docnos, rows: Ints, topics: Ints) -> RunNumbers:
        """Number the documents of a run, given the rows that its lists have and the topic of each; safe in threads."""

    def together(self, runs: Sequence[RunNumbers]) -> Numbered:
        """One numbering of all runs, one after the other."""


class ByDocno:
    """Every docno has a number, in byte order. Each thread has Names of its own until the end."""

    def __init__(self, judged: Docnos) -> None:
        self._names = [Names()]
        self._judged = self._names[0].intern(*judged[:4])[: judged.bounds[-1]]
        self._own, self._lock = threading.local(), threading.Lock()

    def of_run(self, docnos: Docnos, rows: Ints, topics: Ints) -> RunNumbers:  # noqa: ARG002  # one signature for all
        """Number the documents of a run."""
        if not hasattr(self._own, "number"):
            with self._lock:
                self._own.number = len(self._names)
                self._names.append(Names())
        number = int(self._own.number)
        places = docnos.starts[rows], docnos.stops[rows], docnos.hashes[rows]
        return RunNumbers(number, self._names[number].intern(docnos.text, *places))

    def together(self, runs: Sequence[RunNumbers]) -> Numbered:
        """Bring all docnos into byte order."""
        import polars as pl

        docnos = pl.concat([name.to_series() for name in self._names if len(name)]).alias("docno")
        order = docnos.arg_sort().to_numpy()
        ordered = docnos.gather(order)
        is_new = (ordered != ordered.shift()).fill_null(value=True)
        places = np.empty(len(docnos), np.int32)
        places[order] = is_new.cum_sum().to_numpy() - 1
        of_names = np.split(places, np.cumsum([len(name) for name in self._names])[:-1])
        docs = np.concatenate([of_names[run.names][run.docs] for run in runs])
        distinct = ordered.filter(is_new)
        return Numbered(len(distinct), lambda: distinct, docs, of_names[0][self._judged])


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
        found = np.empty(len(rows), np.int32)
        _find_all(docnos, rows, topics, self._judged, self._keys, (self._slots, self._slot_bounds), found)
        return RunNumbers(0, found)

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
