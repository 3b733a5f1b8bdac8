"""Ranks: what the rank column of a run says of its scores. Nothing is ordered by it; a check compares the two."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Bytes, Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.reading.ordering import ranking
from irgauge.reading.tokens import NEWLINE
from irgauge.reading.trec import Run

TOP = 10  # first ranks that are looked at
_ROWS: int = np.int64(TOP)  # type: ignore[assignment]  # plain numbers have types of their own in kernels
_NEXT: int = np.int64(1)  # type: ignore[assignment]  # the same
_SPACE = 32  # every control character up to the space separates fields
_ZERO, _NINE = 48, 57
_MOST_DIGITS = 9


class RankOrder(NamedTuple):
    """How the scores of each list go with its ranks; NaN where ranks or scores order nothing."""

    opposite: Floats  # list: of the pairs with one of the TOP first ranks, the share that scores order otherwise
    rising: Floats  # list: of the neighbours by rank, the share whose scores rise

    @property
    def is_known(self) -> Bools:
        """list: whether ranks can be compared with scores."""
        return ~np.isnan(self.opposite)


def ranks_of(run: Run) -> Floats:
    """The rank column of a run, row by row: the field after the docno; NaN where it is no number or there is none."""
    if run.line_of is not None:  # its text holds docnos only
        return np.full(len(run.scores), np.nan)
    ranks = np.full(len(run.stops), np.nan)
    _read_ranks(run.text, run.stops, ranks)
    return ranks


def rank_order(run: Run) -> RankOrder:
    """Compare the rank column with the scores, list by list. Equal scores, or equal ranks, contradict nothing."""
    return RankOrder(*_compared(ranks_of(run), run.scores, run.bounds))


def first_by_rank(run: Run, depth: int = TOP) -> Run:
    """The documents that the rank column puts first; lists that it does not order keep the order of their scores.

    Its scores fall with the rank, and its text holds no other documents.
    """
    ranks = ranks_of(run)
    is_known = np.repeat(~np.isnan(_compared(ranks, run.scores, run.bounds)[0]), np.diff(run.bounds))
    scores = np.where(is_known, -ranks, run.scores)
    rows = ranking(run.text, run.starts, run.stops, scores, run.bounds)
    sizes = np.minimum(np.diff(run.bounds), depth)
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    first = rows[np.arange(bounds[-1]) + np.repeat(run.bounds[:-1] - bounds[:-1], sizes)]
    pieces = [run.text[run.starts[row] : run.stops[row]] for row in first]
    stops = np.cumsum([len(piece) for piece in pieces])
    return replace(
        run,
        line_of=_no_line,
        bounds=bounds,
        text=np.concatenate(pieces),
        starts=np.concatenate([[0], stops[:-1]]),
        stops=stops,
        scores=scores[first],
    )


def _no_line(row: int) -> None:  # noqa: ARG001  # of no file
    return None


@kernel
def _read_ranks(text: Bytes, stops: Ints, ranks: Floats) -> None:
    for row in range(len(stops)):
        at, size = stops[row], len(text)
        while at < size and text[at] <= _SPACE and text[at] != NEWLINE:
            at += 1
        first, value = at, 0
        while at < size and _ZERO <= text[at] <= _NINE and at - first < _MOST_DIGITS:
            value = 10 * value + int(text[at]) - _ZERO
            at += 1
        if stops[row] < first < at and (at == size or text[at] <= _SPACE):
            ranks[row] = value


def _compared(ranks: Floats, scores: Floats, bounds: Ints) -> tuple[Floats, Floats]:
    """For each list, the share of pairs with one of the first ranks that are opposite, and of neighbours that rise."""
    lists = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    if not np.all((ranks[1:] >= ranks[:-1]) | (lists[1:] > lists[:-1])):
        order = np.lexsort((ranks, lists))  # NaN last
        ranks, scores = ranks[order], scores[order]
    opposite, rising = np.full(len(bounds) - 1, np.nan), np.full(len(bounds) - 1, np.nan)
    _compare(ranks, scores, bounds, opposite, rising)
    return opposite, rising


@kernel
def _compare(ranks: Floats, scores: Floats, bounds: Ints, opposite: Floats, rising: Floats) -> None:
    """Write the shares of lists that are in the order of their ranks; nothing where one has no rank."""
    for i in range(len(bounds) - 1):
        first, last = bounds[i], bounds[i + 1]
        if not np.isnan(ranks[last - 1]):
            place = first + 1
            while place < last and scores[place] <= scores[place - 1]:
                place += 1
            if place < last:
                opposite[i] = _opposite(ranks, scores, first, last, _ROWS, last)
                rising[i] = _opposite(ranks, scores, first, last, last, _NEXT)
            elif ranks[first] != ranks[last - 1] and scores[first] != scores[last - 1]:  # as in nearly all lists
                opposite[i], rising[i] = 0.0, 0.0


@inlined
def _opposite(ranks: Floats, scores: Floats, first: int, last: int, rows: int, reach: int) -> float:
    """Of pairs of one of the first rows and one within reach below: the share where the later scores more."""
    pairs, opposite = 0, 0
    for a in range(first, min(first + rows, last)):
        for b in range(a + 1, min(a + 1 + reach, last)):
            if ranks[a] != ranks[b] and scores[a] != scores[b]:
                pairs += 1
                opposite += scores[a] < scores[b]
    return opposite / pairs if pairs else np.nan
