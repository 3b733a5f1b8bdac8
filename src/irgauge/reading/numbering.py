"""Numbers for documents: one for every docno, or, faster, one for every judgment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Bytes, Ints
from irgauge.jit import kernel
from irgauge.reading.docnos import UNKNOWN, Names
from irgauge.reading.hashing import Hashes
from irgauge.reading.tokens import equal

if TYPE_CHECKING:
    import polars as pl

Numbers = NDArray[np.int32]


class Docnos(NamedTuple):
    """Where docnos are in a text, list after list and then any others, and their hashes."""

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

    def of_run(self, docnos: Docnos, topics: Ints) -> RunNumbers:
        """Number the documents of a run, given the topic of each list; safe in threads."""

    def together(self, runs: Sequence[RunNumbers]) -> Numbered:
        """One numbering of all runs, one after the other."""


class ByDocno:
    """Every docno has a number, in byte order. Each thread has Names of its own until the end."""

    def __init__(self, judged: Docnos) -> None:
        self._names = [Names()]
        self._judged = self._names[0].intern(*judged[:4])[: judged.bounds[-1]]
        self._own, self._lock = threading.local(), threading.Lock()

    def of_run(self, docnos: Docnos, topics: Ints) -> RunNumbers:  # noqa: ARG002  # one signature for all
        """Number the documents of a run."""
        if not hasattr(self._own, "number"):
            with self._lock:
                self._own.number = len(self._names)
                self._names.append(Names())
        number = int(self._own.number)
        return RunNumbers(number, self._names[number].intern(*docnos[:4]))

    def together(self, runs: Sequence[RunNumbers]) -> Numbered:
        """Bring all docnos into byte order."""
        import polars as pl

        docnos = pl.concat([one.to_series() for one in self._names if len(one)]).alias("docno")
        order = docnos.arg_sort().to_numpy()
        ordered = docnos.gather(order)
        is_new = (ordered != ordered.shift()).fill_null(value=True)
        places = np.empty(len(docnos), np.int32)
        places[order] = is_new.cum_sum().to_numpy() - 1
        of_names = np.split(places, np.cumsum([len(one) for one in self._names])[:-1])
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

    def of_run(self, docnos: Docnos, topics: Ints) -> RunNumbers:
        """Look the documents of a run up."""
        return RunNumbers(0, _find_all(docnos, topics, self._judged, self._slots, self._slot_bounds))

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


@kernel
def _find_all(docnos: Docnos, topics: Ints, judged: Docnos, slots: Numbers, slot_bounds: Ints) -> Numbers:
    """The judgment of each document in its topic, or UNKNOWN."""
    found = np.full(len(docnos.starts), UNKNOWN, np.int32)
    for i in range(len(topics)):
        start, stop = slot_bounds[topics[i]], slot_bounds[topics[i] + 1]
        first, mask = np.uint64(start), np.uint64(stop - start - 1)
        for row in range(docnos.bounds[i], docnos.bounds[i + 1]):
            slot = docnos.hashes[row] & mask
            while slots[first + slot] >= 0:
                other = slots[first + slot]
                if judged.hashes[other] == docnos.hashes[row] and _is_same(docnos, row, judged, other):
                    found[row] = other
                    break
                slot = (slot + np.uint64(1)) & mask
    return found


@kernel
def _is_same(docnos: Docnos, row: int, others: Docnos, other: int) -> bool:
    start, stop = docnos.starts[row], docnos.stops[row]
    return equal(docnos.text, start, stop, others.text, others.starts[other], others.stops[other])
