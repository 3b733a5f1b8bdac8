"""From statistics to p-values."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import bdtr, ndtr, stdtr

from benchmarks.tests_of_means.statistics import EXACT, FEWER, FLIPPED, MORE, RANKS, SHIFTED, SKEWED_T, SPREAD, T
from irgauge.compute.arrays import Floats

TESTS = ("t", "skewed-t", "wilcoxon", "sign", "permutation", "bootstrap")
_EXACTLY = 50  # topics from which R takes the normal distribution for signed ranks


def p_values(found: Floats, topics: int) -> Floats:
    """Two-sided p-values from found[trial, statistic]; trial, test. 1 where all differences are the same, or tied."""
    t, skewed = (2 * stdtr(topics - 1, -np.abs(found[:, column])) for column in (T, SKEWED_T))
    more, fewer = (found[:, column].astype(int) for column in (MORE, FEWER))
    sign = np.minimum(1, 2 * bdtr(np.minimum(more, fewer), more + fewer, 0.5))
    return np.stack([t, skewed, _signed_ranks(found), sign, found[:, FLIPPED], found[:, SHIFTED]], axis=1)


def _signed_ranks(found: Floats) -> Floats:
    """As R does: exact with fewer than 50 topics and no ties, else normal with a correction for continuity."""
    off, spread, exact = np.abs(found[:, RANKS]), found[:, SPREAD], found[:, EXACT].astype(int)
    p = 2 * ndtr(-np.maximum(off - 0.5, 0) / np.where(spread > 0, spread, 1))
    p[spread == 0] = 1
    for n in set(exact[(exact > 0) & (exact < _EXACTLY)].tolist()):
        rows = exact == n
        p[rows] = np.minimum(1, 2 * _at_least(n)[np.ceil(off[rows] + n * (n + 1) / 4 - 1e-6).astype(int)])
    return p


@cache
def _at_least(n: int) -> Floats:
    """The chance that the ranks of n topics, each with a sign at random, sum to so much or more."""
    chances = np.ones(1)
    for rank in range(1, n + 1):
        chances = (np.append(chances, np.zeros(rank)) + np.append(np.zeros(rank), chances)) / 2
    return np.asarray(chances[::-1].cumsum()[::-1])
