"""The max-|t| test by its definition: every draw, every pair and every t, one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev

Pair = tuple[int, int]
_ROUNDING = 1e-9  # t of the same signs is the same


def t_of(d: Sequence[float]) -> float:
    """Student's t of differences; infinite where they do not vary, 0 where they are 0."""
    mean, sd = fmean(d), stdev(d)
    if max(d) - min(d) < 1e-12 * max(map(abs, (*d, 1e-300))):
        return math.copysign(math.inf, mean) if mean else 0.0
    return mean * math.sqrt(len(d)) / sd


def p_values(values: Sequence[Sequence[float]], pairs: Sequence[Pair], flips: Sequence[Sequence[int]]) -> list[float]:
    """Step by step: of the largest |t| that is left, the share of draws whose largest |t| of all left is as large.

    The first step of several pairs also asks the draws of d − d̄.
    """
    sizes = {pair: abs(t_of(_differences(values, pair))) for pair in pairs}
    left, p = sorted(pairs, key=lambda pair: -sizes[pair]), {}
    so_far = max(_p(sizes[left[0]], largest) for largest in _first_draws(values, pairs, flips))
    while left:
        so_far = max(so_far, _p(sizes[left[0]], _largest(values, left, flips)))
        p[left.pop(0)] = so_far
    return [p[pair] for pair in pairs]


def first_step(values: Sequence[Sequence[float]], pairs: Sequence[Pair], flips: Sequence[Sequence[int]]) -> list[float]:
    """For each pair the share of draws whose largest |t| of all pairs is at least its own, the data among them."""
    sizes = [abs(t_of(_differences(values, pair))) for pair in pairs]
    drawn = _first_draws(values, pairs, flips)
    return [max(_p(size, largest) for largest in drawn) for size in sizes]


def intervals(
    values: Sequence[Sequence[float]], pairs: Sequence[Pair], flips: Sequence[Sequence[int]], alpha: float
) -> list[tuple[float, float]]:
    """d̄ ± c s / √T, where c is the largest |t| of a draw that would not be significant at the first step."""
    drawn = _first_draws(values, pairs, flips)
    critical = max(t for largest in drawn for t in largest if _p(t, largest) > alpha)
    ends = []
    for pair in pairs:
        d = _differences(values, pair)
        margin = critical * stdev(d) / math.sqrt(len(d))
        ends.append((fmean(d) - margin, fmean(d) + margin))
    return ends


def _first_draws(
    values: Sequence[Sequence[float]], pairs: Sequence[Pair], flips: Sequence[Sequence[int]]
) -> list[list[float]]:
    """The largest |t| of each draw of d, and of d − d̄ where pairs are several."""
    means = [fmean(scores) for scores in zip(*values, strict=True)]
    centred = [[score - mean for score, mean in zip(topic, means, strict=True)] for topic in values]
    tables = (values, centred) if len(pairs) > 1 else (values,)
    return [_largest(table, pairs, flips) for table in tables]


def _differences(values: Sequence[Sequence[float]], pair: Pair) -> list[float]:
    return [topic[pair[0]] - topic[pair[1]] for topic in values]


def _largest(values: Sequence[Sequence[float]], pairs: Sequence[Pair], flips: Sequence[Sequence[int]]) -> list[float]:
    found = []
    for flipped in flips:
        signed = [
            [-d if flip else d for d, flip in zip(_differences(values, pair), flipped, strict=True)] for pair in pairs
        ]
        found.append(max(abs(t_of(d)) for d in signed))
    return found


def _p(t: float, largest: Sequence[float]) -> float:
    return (1 + sum(drawn >= t * (1 - _ROUNDING) for drawn in largest)) / (1 + len(largest))
