"""The guarded t of all pairs together, by topics drawn with replacement: the tails of real differences are in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.special import stdtr

from irgauge.compute.arrays import Bools, Floats
from irgauge.inference.comparison import Comparison, Family, Name
from irgauge.inference.corrections import MAXIMUM, NONE
from irgauge.inference.intervals import critical_t
from irgauge.inference.outcomes import (
    BLOCK,
    Names,
    Outcome,
    allowed,
    blocks,
    check_draws,
    compared_together,
    deviations,
    differences,
    in_blocks,
    on_values,
)
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.paired_t import freedom
from irgauge.inference.tests.record import Test
from irgauge.inference.tests.skewed_t import guarded, guarded_mean

NAME = "bootstrap-t"

FEWEST = 4  # topics: of differences that vary on fewer, draws of topics say nothing
_ROUNDING = 1e-9  # relative: of sums in another order, and of a spread beside the squares that it is made from


def bootstrap_t(
    values: Floats,
    systems: Names,
    *,
    draws: int = 10_000,
    seed: int,
    alpha: float = 0.05,
    baseline: Name = None,
    sampling: Sampling | None = None,
) -> Comparison:
    """The guarded t of values[topic, system], all pairs together: each draw takes topics with replacement.

    With d̄ and s of T topics and d̄*, s* of a draw of T of them, t* = √T (d̄* − d̄) / s*, and M the largest |t*| of all
    pairs. The interval of a pair is that of the guarded t-test at a critical |t| of c, the 1 − α quantile of M; p is
    (1 + #{draws with M ≥ |t|}) / (1 + draws), |t| the smaller of Student's and the one corrected for skewness. Neither
    is bolder than the guarded t-test of one pair. The draws have the tails and the dependence of the differences, which
    t with Bonferroni's levels has not.

    Where the spread of d rests on fewer than four topics, (Σ x²)² / Σ x⁴ with x = d − d̄, topics that are not drawn
    are all there is to it: such a pair has no interval, and does not count in a draw. Topics in clusters are drawn with
    all of their cluster: x are sums over these, and s is of them. Efron and Tibshirani, An Introduction to the
    Bootstrap (1993), chapter 12.5; the maximum: Romano and Wolf (Econometrica 2005).

    >>> values = np.random.default_rng(1).random((20, 3)) + np.array([0.0, 0.1, 0.9])
    >>> bootstrap_t(values, ["a", "b", "c"], draws=999, seed=1).significant.tolist()
    [True, True, False]
    """
    pairs, y = on_values(values, systems, alpha, NONE.name, baseline)
    check_draws(draws, pairs)
    if sampling is not None:
        sampling.refuse_weights("the bootstrap-t test")
    largest, df = np.sort(largest_drawn(y, pairs, draws, seed, sampling)), freedom(len(y), sampling)
    critical = max(critical_t(alpha, df), float(largest[-1 - allowed(draws, alpha)]) * (1 + _ROUNDING))
    outcome = in_blocks(pairs, len(y), lambda u, v: _of_pairs(differences(y, u, v), critical, largest, sampling))
    comparison = compared_together(pairs, NAME, outcome, MAXIMUM)
    return replace(comparison, draws=draws, seed=seed, df=df)


def largest_drawn(y: Floats, pairs: Family, draws: int, seed: int, sampling: Sampling | None = None) -> Floats:
    """The largest |t*| of each draw over pairs that vary on topics enough; 0 where there is none."""

    def drawn(block: slice, counts: Floats) -> Floats:
        d = differences(y, pairs.first[block], pairs.second[block])
        return _drawn(d, counts) if sampling is None else _drawn_clusters(d, counts, sampling)

    largest = [
        np.max([drawn(block, counts) for block in chunk], axis=0)
        for counts in _counts(draws, len(y) if sampling is None else sampling.clusters, seed)
        for chunk in [blocks(pairs, 8 * len(counts))]
    ]
    return np.concatenate(largest)


def _counts(draws: int, topics: int, seed: int) -> Iterator[Floats]:
    """How often each draw has each topic: draw, topic; some draws at once, the same however many these are."""
    rng, size = np.random.default_rng(seed), max(1, BLOCK // topics)
    for start in range(0, draws, size):
        count = min(size, draws - start)
        drawn = rng.integers(0, topics, (count, topics)) + topics * np.arange(count)[:, None]
        yield np.bincount(drawn.ravel(), minlength=count * topics).reshape(count, topics).astype(np.float64)


def _drawn(d: Floats, counts: Floats) -> Floats:
    """The largest |t*| of each draw, of d[topic, pair], from the moments of all draws at once."""
    x, n = d - d.mean(axis=0), len(d)
    square = x * x
    m, q, third, fourth = (counts @ power / n for power in (x, square, square * x, square * square))  # draw, pair
    shift = m * m
    v = q - shift
    central = fourth - m * (4 * third - 6 * m * q) - 3 * shift * shift
    counted = (v > _ROUNDING * q) & (n * v * v >= FEWEST * central)
    t_squared = np.divide((n - 1) * shift, v, out=np.zeros(v.shape), where=counted)
    return np.asarray(np.sqrt(t_squared.max(axis=1)))


def _drawn_clusters(d: Floats, counts: Floats, sampling: Sampling) -> Floats:
    """The largest |t*| of each draw of clusters, which have sums S of d − d̄ and n topics each.

    d̄* − d̄ = Σ S / Σ n, and x = S − (d̄* − d̄) n. The error of d̄* is √(G / (G − 1) Σ x²) / Σ n, of G clusters.
    """
    sums, n = sampling.sums_of_clusters(d - d.mean(axis=0)), sampling.sizes[:, None]  # cluster, pair; cluster, 1
    drawn = counts @ n
    m = counts @ sums / drawn  # draw, pair

    def power(order: int) -> Floats:
        """Σ x to some power, of all draws at once; draw, pair."""
        terms = [
            math.comb(order, k) * (counts @ (sums**k * n ** (order - k))) * (-m) ** (order - k)
            for k in range(order + 1)
        ]
        return np.sum(terms, axis=0)

    q = power(2)
    counted = (q > _ROUNDING * (counts @ np.square(sums))) & (q * q >= FEWEST * power(4))
    groups = sampling.clusters
    t_squared = np.divide((groups - 1) / groups * np.square(m * drawn), q, out=np.zeros(q.shape), where=counted)
    return np.asarray(np.sqrt(t_squared.max(axis=1)))


def _of_pairs(d: Floats, critical: float, largest: Floats, sampling: Sampling | None) -> Outcome:
    """Of differences d[topic, pair]; nothing is said of those that vary on few topics, or clusters, only."""
    df = freedom(len(d), sampling)

    def p(t: Floats) -> Floats:
        reached = len(largest) - np.searchsorted(largest, t * (1 - _ROUNDING))
        return np.maximum((1 + reached) / (1 + len(largest)), 2 * stdtr(df, -t))

    if sampling is None:
        outcome, few = guarded(d, critical, p), _varies_on_few(d)
    else:
        outcome = guarded_mean(sampling.of(d), deviations(d), critical, p)
        few = _varies_on_few(sampling.sums_of_clusters(d - d.mean(axis=0)))
    return outcome._replace(
        low=np.where(few, -np.inf, outcome.low),
        high=np.where(few, np.inf, outcome.high),
        p=np.where(few, 1.0, outcome.p),
    )


def _varies_on_few(d: Floats) -> Bools:
    """Whether the spread of a pair rests on too few topics; differences that do not vary at all have none."""
    square = np.square(d - d.mean(axis=0))
    return (np.square(square.sum(axis=0)) < FEWEST * np.square(square).sum(axis=0)) & (np.ptp(d, axis=0) > 0)


BOOTSTRAP_T = Test(
    name=NAME,
    function=bootstrap_t,
    title="bootstrap-t test",
    explanation="the guarded t of all pairs together, by draws of topics",
    place=35,
    takes=("draws", "seed", "sampling"),
    corrected_by=MAXIMUM,
    most_systems=129,
    fewest_varying=FEWEST,
    when="intervals of more than 20 systems together that are to hold; they are wider, and it finds less than Holm's "
    "correction",
    assumes="topics, or clusters of them, are a sample, and a draw from those at hand is like a draw of others",
    references=("efron-tibshirani-1993", "romano-wolf-2005"),
)
RECORDS = (BOOTSTRAP_T,)
