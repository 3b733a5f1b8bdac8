"""Ranks: what the rank column of a run says of its scores. Nothing is ordered by it; a check compares the two."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from irgauge.arrays import Bools, Bytes, Floats, Ints
from irgauge.jit import kernel
from irgauge.reading.ordering import ranking
from irgauge.reading.tokens import NEWLINE
from irgauge.reading.trec import Run

TOP = 10  # first ranks that are looked at
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
    return _ranks(run.text, run.stops)


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
def _ranks(text: Bytes, stops: Ints) -> Floats:
    ranks = np.full(len(stops), np.nan)
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
    return ranks


@kernel
def _compared(ranks: Floats, scores: Floats, bounds: Ints) -> tuple[Floats, Floats]:
    """For each list, the share of pairs with one of the first ranks that are opposite, and of neighbours that rise."""
    lists = len(bounds) - 1
    opposite, rising = np.full(lists, np.nan), np.full(lists, np.nan)
    for i in range(lists):
        given, own = ranks[bounds[i] : bounds[i + 1]], scores[bounds[i] : bounds[i + 1]]
        if _rises(given) and _rises(-own):  # as nearly all lists do
            if given[0] != given[-1] and own[0] != own[-1]:
                opposite[i], rising[i] = 0.0, 0.0
        elif not np.any(np.isnan(given)):
            order = np.argsort(given, kind="mergesort")
            opposite[i] = _opposite(given[order], own[order], TOP)
            rising[i] = _opposite_neighbours(given[order], own[order])
    return opposite, rising


@kernel
def _rises(values: Floats) -> bool:
    """Whether no value is less than the one before; not so where one is NaN."""
    for i in range(1, len(values)):
        if not values[i] >= values[i - 1]:
            return False
    return len(values) > 0 and not np.isnan(values[0])


@kernel
def _opposite(ranks: Floats, scores: Floats, first: int) -> float:
    """Of pairs with one of the `first` rows, ordered by ranks and by scores: the share where the later scores more."""
    pairs, opposite = 0, 0
    for a in range(min(first, len(ranks))):
        for b in range(a + 1, len(ranks)):
            if ranks[a] != ranks[b] and scores[a] != scores[b]:
                pairs += 1
                opposite += scores[a] < scores[b]
    return opposite / pairs if pairs else np.nan


@kernel
def _opposite_neighbours(ranks: Floats, scores: Floats) -> float:
    """Of neighbours ordered by ranks and by scores: the share whose scores rise."""
    pairs, opposite = 0, 0
    for a in range(len(ranks) - 1):
        if ranks[a] != ranks[a + 1] and scores[a] != scores[a + 1]:
            pairs += 1
            opposite += scores[a] < scores[a + 1]
    return opposite / pairs if pairs else np.nan
