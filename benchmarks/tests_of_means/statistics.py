"""The statistics of six paired tests of differences over topics, all in one pass; p-values follow from them."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.tests_of_means.stream import State, word
from irgauge.compute.arrays import Floats
from irgauge.compute.jit import kernel

T, SKEWED_T, RANKS, SPREAD, EXACT, MORE, FEWER, FLIPPED, SHIFTED, MEAN = range(10)  # columns of what is found
COLUMNS = 10
TIED = 0.01  # the sign test leaves out differences of at most this, as Urbano, Lima and Hanjalic do
ROUNDING = 1e-9  # of sums: those that differ by no more are equal
_BITS = 8  # topics whose signs are drawn together
_U = np.uint64


@kernel(makes_arrays=True)
def statistics(d: Floats, draws: int, most: int, slack: float, s: State, found: Floats) -> None:
    """All statistics of the differences d[topic], into found[COLUMNS].

    Resampling stops early once `most` draws were as extreme as the data: what is found is then the p-value at that
    point (Besag and Clifford, Biometrika 1991), which lies above most / draws as it would have at the end. A draw is as
    extreme as the data if it falls short by no more than `slack`, which is ROUNDING, or 0 to lose some ties.
    """
    found[T], found[SKEWED_T] = student(d)
    found[RANKS], found[SPREAD], found[EXACT] = signed_ranks(d)
    found[MORE], found[FEWER] = signs(d)
    found[FLIPPED] = flipped(d, draws, most, slack, s)
    found[SHIFTED] = shifted(d, draws, most, slack, s)
    found[MEAN] = total(d) / len(d)


@kernel
def total(d: Floats) -> float:
    """Σ d."""
    found = 0.0
    for one in d:
        found += one
    return found


@kernel
def student(d: Floats) -> tuple[float, float]:
    """Student's t, and the less of it and its correction for skewness; 0 where differences do not vary."""
    n, mean = len(d), total(d) / len(d)
    second, third = 0.0, 0.0
    for one in d:
        off = one - mean
        second += off * off
        third += off * off * off
    if second < ROUNDING**2 * n:
        return 0.0, 0.0
    w = mean / math.sqrt(second / (n - 1))
    gamma = math.sqrt(n * (n - 1.0)) / (n - 2) * (third / n) / (second / n) ** 1.5
    g = w + gamma * w * w / 3 + gamma * gamma * w**3 / 27 + gamma / (6 * n)
    less = 0.0 if w * g <= 0 else math.copysign(min(abs(w), abs(g)), w)
    return math.sqrt(n) * w, math.sqrt(n) * less


@kernel(makes_arrays=True)
def signed_ranks(d: Floats) -> tuple[float, float, float]:
    """Wilcoxon's signed ranks: how far their sum is from its mean, its standard deviation, and the topics if none ties.

    Differences of 0 are left out; equal ones share their ranks.
    """
    ordered = np.empty(len(d))
    n = _by_size(d, ordered)
    above, ties, start = 0.0, 0.0, 0
    while start < n:
        end = start + 1
        while end < n and abs(ordered[end]) - abs(ordered[start]) <= ROUNDING:
            end += 1
        ties += (end - start) ** 3 - (end - start)
        for place in range(start, end):
            above += (start + end + 1) / 2 if ordered[place] > 0 else 0.0
        start = end
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    return above - n * (n + 1) / 4, math.sqrt(variance), float(n if n == len(d) and ties == 0 else 0)


@kernel
def _by_size(d: Floats, ordered: Floats) -> int:
    """Put the differences that are not 0 in the order of their size, and count them."""
    n = 0
    for one in d:
        if abs(one) > ROUNDING:
            place = n
            while place and abs(ordered[place - 1]) > abs(one):
                ordered[place] = ordered[place - 1]
                place -= 1
            ordered[place] = one
            n += 1
    return n


@kernel
def signs(d: Floats) -> tuple[int, int]:
    """The topics for each of the two systems."""
    more, fewer = 0, 0
    for one in d:
        more += one > TIED
        fewer += one < -TIED
    return more, fewer


@kernel(makes_arrays=True)
def flipped(d: Floats, draws: int, most: int, slack: float, s: State) -> float:
    """The p-value by draws that flip signs: (1 + those with |Σ ± d| ≥ |Σ d|) / (1 + draws)."""
    sums = _signed_sums(d)
    least, reached = abs(total(d)) - slack, 0
    for draw in range(draws):
        drawn = 0.0
        bits = word(s)
        for group in range(len(sums)):
            if group and group % _BITS == 0:  # a word has the signs of eight groups
                bits = word(s)
            drawn += sums[group, bits & _U(255)]
            bits >>= _U(_BITS)
        reached += abs(drawn) >= least
        if reached == most:
            return (1 + reached) / (2 + draw)
    return (1 + reached) / (1 + draws)


@kernel(makes_arrays=True)
def _signed_sums(d: Floats) -> Floats:
    """Σ ± d of each eight topics, for all signs of them."""
    groups = (len(d) + _BITS - 1) // _BITS
    sums = np.zeros((groups, 1 << _BITS))
    for topic in range(len(d)):
        group, bit = topic // _BITS, 1 << (topic % _BITS)
        for signs in range(1 << _BITS):
            sums[group, signs] += d[topic] if signs & bit else -d[topic]
    return sums


@kernel(makes_arrays=True)
def shifted(d: Floats, draws: int, most: int, slack: float, s: State) -> float:
    """The p-value by the bootstrap: topics are drawn with replacement from the differences shifted to a mean of 0."""
    n, mean = len(d), total(d) / len(d)
    both = np.empty(n * n)  # the sums of all two topics
    for i in range(n):
        for j in range(n):
            both[i * n + j] = d[i] - mean + d[j] - mean
    least, reached = abs(total(d)) - slack, 0
    for draw in range(draws):
        drawn = d[_below(n, word(s) >> _U(32))] - mean if n % 2 else 0.0
        for _ in range(n // 4):
            bits = word(s)
            drawn += both[_below(n * n, bits >> _U(32))] + both[_below(n * n, bits & _U(0xFFFFFFFF))]
        if n % 4 > 1:
            drawn += both[_below(n * n, word(s) >> _U(32))]
        reached += abs(drawn) >= least
        if reached == most:
            return (1 + reached) / (2 + draw)
    return (1 + reached) / (1 + draws)


@kernel
def _below(count: int, bits: np.uint64) -> int:
    """A number from 0 to count − 1, from 32 random bits."""
    return int((bits * _U(count)) >> _U(32))
