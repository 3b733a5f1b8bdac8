"""ByDocno: one number for every docno, in byte order; long runs are divided, so that what is looked up fits a cache."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irgauge.compute.arrays import Bytes, Ints
from irgauge.compute.jit import kernel
from irgauge.reading.byte_order import byte_order
from irgauge.reading.byte_strings import Hashes, Place
from irgauge.reading.numbering import Docnos, Names, Numbered, Numbers, RunNumbers, split
from irgauge.reading.tokens import NEWLINE

if TYPE_CHECKING:
    import polars as pl

_LONG = 1 << 20  # documents of a run that are divided: the names of several such do not fit the cache
_PIECE = 1 << 21  # documents that are divided at a time: of all of a run they would take most of the memory
_SHARE_BITS = 8
_SHARES = 1 << _SHARE_BITS
_SHARE_SHIFT = np.uint64(64 - _SHARE_BITS)


class ByDocno:
    """Every docno has a number, in byte order.

    Each thread has Names of its own until the end. Documents of long runs are divided by their hashes among Names that
    all threads share, each of which fits the cache of a core: looking one up is then a tenth of the work, and a
    document that several runs have is kept once.
    """

    def __init__(self, judged: Docnos) -> None:
        self._groups = [[Names()]]
        self._judged = self._groups[0][0].intern(*judged[:4])[: judged.bounds[-1]]
        self._own, self._lock = threading.local(), threading.Lock()
        self._shared: int | None = None  # the group of long runs
        self._locks = [threading.Lock() for _ in range(_SHARES)]

    def of_run(self, docnos: Docnos, rows: Ints, topics: Ints) -> RunNumbers:  # noqa: ARG002  # one signature for all
        """Number the documents of a run."""
        if len(rows) >= _LONG:
            return self._of_long_run(docnos, rows)
        if not hasattr(self._own, "group"):
            with self._lock:
                self._own.group = self._add([Names()])
        group = int(self._own.group)
        places = docnos.starts[rows], docnos.stops[rows], docnos.hashes[rows]
        return RunNumbers(group, self._groups[group][0].intern(docnos.text, *places))

    def _of_long_run(self, docnos: Docnos, rows: Ints) -> RunNumbers:
        with self._lock:
            if self._shared is None:
                self._shared = self._add([Names() for _ in range(_SHARES)])
        docs = np.empty(len(rows), np.int32)
        for first in range(0, len(rows), _PIECE):
            part = slice(first, first + _PIECE)
            self._intern(_divided(docnos, rows[part]), self._groups[self._shared], docs[part])
        return RunNumbers(self._shared, docs)

    def _intern(self, divided: _Divided, names: Sequence[Names], docs: Numbers) -> None:
        """Number divided docnos, those of each share by its Names."""
        for share, (first, last) in enumerate(zip(divided.bounds[:-1], divided.bounds[1:], strict=True)):
            fields = divided.ends[first:last], divided.ends[first + 1 : last + 1], divided.hashes[first:last]
            with self._locks[share]:
                numbers = names[share].intern(divided.text, *fields)
            docs[divided.places[first:last]] = (numbers << _SHARE_BITS) | np.int32(share)

    def _add(self, group: list[Names]) -> int:
        self._groups.append(group)
        return len(self._groups) - 1

    def together(self, runs: Sequence[RunNumbers]) -> Numbered:
        """Bring all docnos into byte order; they are made into strings only when they are asked for."""
        every = [names for group in self._groups for names in group]
        text, firsts = np.concatenate([names.text for names in every]), np.cumsum([0, *map(len, every)])
        of_groups = np.split(firsts[:-1], np.cumsum([len(group) for group in self._groups])[:-1])
        del every, self._groups  # their tables may be as large as what comes
        stops = np.flatnonzero(text == NEWLINE)
        starts = np.concatenate([[0], stops[:-1] + 1])
        order, is_new = byte_order(text, starts, stops - starts)
        places = np.empty(len(order), np.int32)
        places[order] = np.cumsum(is_new) - 1
        docs = np.concatenate([run.docs for run in runs])
        for run, numbers in zip(runs, np.split(docs, np.cumsum([len(run.docs) for run in runs])[:-1]), strict=True):
            _to_places(numbers, of_groups[run.names], places)
        distinct = order[is_new].astype(np.int32)
        return Numbered(len(distinct), partial(_named, text, distinct), docs, places[self._judged])


class _Divided(NamedTuple):
    """The docnos of a run share by share, each after the one before it in the text."""

    text: Bytes
    ends: Ints  # docno + 1
    hashes: Hashes  # docno
    places: Numbers  # docno: its place in the run
    bounds: Ints  # share + 1


def _divided(docnos: Docnos, rows: Ints) -> _Divided:
    """The docnos of a run, divided by the highest bits of their hashes; Names look at the lowest."""
    sizes = np.zeros((2, _SHARES + 1), np.int64)  # docnos and bytes; share + 1
    _measure(docnos, rows, sizes[:, 1:])
    bounds, offsets = np.cumsum(sizes, axis=1)
    text, ends = np.empty(offsets[-1], np.uint8), np.zeros(len(rows) + 1, np.int64)
    divided = _Divided(text, ends, np.empty(len(rows), np.uint64), np.empty(len(rows), np.int32), bounds)
    _divide(docnos, rows, divided._replace(bounds=bounds[:-1].copy()), offsets[:-1].copy())
    return divided


@kernel
def _measure(docnos: Docnos, rows: Ints, sizes: Ints) -> None:
    """Count the docnos of each share, and their bytes."""
    for row in rows:
        share = docnos.hashes[row] >> _SHARE_SHIFT
        sizes[0, share] += 1
        sizes[1, share] += docnos.stops[row] - docnos.starts[row]


@kernel
def _divide(docnos: Docnos, rows: Ints, divided: _Divided, offsets: Ints) -> None:
    """Write each docno behind the last of its share; bounds and offsets are those of the next one."""
    text, ends, hashes, places, bounds = divided
    for place in range(len(rows)):
        row = rows[place]
        share = docnos.hashes[row] >> _SHARE_SHIFT
        to, at = bounds[share], Place(offsets[share])
        start, stop = Place(docnos.starts[row]), Place(docnos.stops[row])
        for byte in range(stop - start):
            text[at + byte] = docnos.text[start + byte]
        hashes[to], places[to] = docnos.hashes[row], place
        ends[to + 1] = offsets[share] = np.int64(at + stop - start)
        bounds[share] = to + 1


@kernel
def _to_places(numbers: Numbers, firsts: Ints, places: Numbers) -> None:
    """Write over each number, in a group of Names whose first names are given, its place among all."""
    mask, bits = len(firsts) - 1, 0 if len(firsts) == 1 else _SHARE_BITS
    for entry in range(len(numbers)):
        numbers[entry] = places[firsts[numbers[entry] & mask] + (numbers[entry] >> bits)]


def _named(text: Bytes, places: Numbers) -> pl.Series:
    """The names at these places of a text, where each ends with a newline."""
    return split(text).gather(places).alias("docno")
