"""Tests by sign flips: if two systems are equal, a topic's difference might as well have had the other sign."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Indices
from irgauge.inference.comparison import Comparison, Family, Name
from irgauge.inference.corrections import BH, NONE, STEP_DOWN
from irgauge.inference.intervals import typical_values
from irgauge.inference.outcomes import (
    BLOCK,
    Names,
    Outcome,
    allowed,
    blocks,
    check_draws,
    compared,
    compared_together,
    deviations,
    differences,
    in_blocks,
    on_grid,
    on_values,
    ratio,
    step_of,
)
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.paired_t import t_outcome
from irgauge.inference.tests.record import Test

FLIPS = "randomization"
MAX_T = "max-t"

_ROUNDING = 1e-8  # relative, of shares: differences are on a grid, and equal t of two pairs equal but for that


def randomization(
    values: Floats,
    systems: Names,
    *,
    draws: int = 10_000,
    seed: int,
    sides: Literal[1, 2] = 2,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
    sampling: Sampling | None = None,
) -> Comparison:
    """The randomization test of values[topic, system]: each draw flips the signs of the differences of some topics.

    p = (1 + #{draws with |Σ ± d| ≥ |Σ d|}) / (1 + draws); one-sided (Σ ± d ≥ Σ d), it asks whether the first system of
    the pair is better. The interval is that of Hartigan, 1 − 2α if one-sided; the statistic is d̄, the effect d̄ / s.
    Draw i is the same for all pairs and any number of draws. Topics in clusters are flipped with all of their cluster.
    Smucker, Allan and Carterette (CIKM 2007).

    >>> values = np.array([[0.2, 0.5], [0.3, 0.4], [0.1, 0.6], [0.2, 0.6], [0.5, 0.7], [0.2, 0.8]])
    >>> randomization(values, ["a", "b"], seed=1).p.round(2).tolist()  # 2 of 2⁶
    [0.03]
    """
    pairs, y = on_values(values, systems, alpha, correction, baseline, sides)
    check_draws(draws, pairs)
    flips = _flips(draws, len(y), seed) if sampling is None else _flipped_clusters(draws, sampling, seed)
    y = on_grid(y, step_of(y))
    sums, sizes = _flipped_sums(y, flips), flips.sum(axis=1)  # system, draw; draw
    sizes = np.stack((sizes, len(y) - sizes))[:sides]  # of the topics that are flipped, and of the rest; side, draw
    slack, rank = len(y) * step_of(y), allowed(draws, pairs.level) + 1
    outcome = in_blocks(
        pairs,
        2 * draws,
        lambda u, v: _flipped(differences(y, u, v), _between(sums, u, v), sizes, slack, rank),
    )
    if sampling is not None:
        errors = in_blocks(pairs, len(y), lambda u, v: t_outcome(differences(y, u, v), pairs.level, sampling))
        outcome = outcome._replace(se=errors.se)
    return replace(compared(pairs, FLIPS, outcome), draws=draws, seed=seed)


def max_t(
    values: Floats, systems: Names, *, draws: int = 10_000, seed: int, alpha: float = 0.05, baseline: Name = None
) -> Comparison:
    """The paired t of values[topic, system], all pairs together: each draw flips the differences of some topics.

    Step by step, from the largest |t| down: with t* of the differences with their new signs, p_uv = (1 + #{draws with
    max |t*| ≥ |t_uv|}) / (1 + draws), the maximum over the pair itself and all pairs whose |t| is smaller, and at
    least that of the pair before. Of several pairs the first step asks the same of flips of d − d̄, and the larger p
    counts: where systems differ clearly, flips of d go together for all pairs, as errors of d̄ do not. The interval
    is d̄ ± c s / √T, where c is the largest |t| that the first step would not find at α: if a pair differs, an
    interval is beside 0; later steps may find a pair whose interval just holds 0. Each pair keeps its own spread, and
    pairs that go together are not paid for twice. As Σ d² does not change with the signs, t* follows from Σ ± d
    alone. Westfall and Young, Resampling-Based Multiple Testing (1993), algorithm 2.8.

    >>> values = np.array([[0.2, 0.5], [0.3, 0.4], [0.1, 0.6], [0.2, 0.6], [0.5, 0.7], [0.2, 0.8]])
    >>> max_t(values, ["a", "b"], seed=1).p.round(2).tolist()  # 2 of 2⁶
    [0.03]
    """
    pairs, y = on_values(values, systems, alpha, NONE.name, baseline)
    check_draws(draws, pairs)
    y, n = on_grid(y, step_of(y)), len(y)
    flips = _flips(draws, n, seed)
    shares = _shares(pairs, y)
    p, largest = _stepped(pairs, y, shares, _flipped_sums(y, flips))
    share = np.sort(largest)[-1 - allowed(draws, alpha)]
    if len(shares) > 1:
        around = _largest_around_means(pairs, y, flips)
        p = np.maximum(p, _p_of(_reached(around, shares.max()), draws))
        share = max(share, np.sort(around)[-1 - allowed(draws, alpha)])
    critical = math.sqrt(_squared_t(share * (1 + _ROUNDING), n))
    outcome = in_blocks(pairs, n, lambda u, v: _by_flips(differences(y, u, v), critical))
    comparison = compared_together(pairs, MAX_T, outcome._replace(p=p), STEP_DOWN)
    return replace(comparison, draws=draws, seed=seed, df=float(n - 1))


def _stepped(pairs: Family, y: Floats, shares: Floats, sums: Floats) -> tuple[Floats, Floats]:
    """p of each pair, from the smallest share up as `largest` grows; and `largest` of each draw over all pairs."""
    draws = sums.shape[1]
    order, largest, reached = np.argsort(shares, kind="stable"), np.zeros(draws), np.empty(len(shares))
    for block in blocks(pairs, 2 * draws):
        places = order[block]
        u, v = pairs.first[places], pairs.second[places]
        drawn = _drawn_shares(differences(y, u, v), _between(sums, u, v))  # pair, draw
        np.maximum(drawn[0], largest, out=drawn[0])
        np.maximum.accumulate(drawn, axis=0, out=drawn)
        reached[places] = _reached(drawn, shares[places, None])
        largest = drawn[-1].copy()
    p = _p_of(reached, draws)
    p[order] = np.maximum.accumulate(p[order][::-1])[::-1]  # from the largest share down, never below the step before
    return p, largest


def _largest_around_means(pairs: Family, y: Floats, flips: NDArray[np.int8]) -> Floats:
    """The largest share of each draw over all pairs, where d − d̄ is flipped."""
    centred = on_grid(y - y.mean(axis=0), step_of(y))
    sums, largest = _flipped_sums(centred, flips), np.zeros(len(flips))
    for block in blocks(pairs, 2 * len(flips)):
        u, v = pairs.first[block], pairs.second[block]
        drawn = _drawn_shares(differences(centred, u, v), _between(sums, u, v))  # pair, draw
        np.maximum(largest, drawn.max(axis=0), out=largest)
    return largest


def _reached(drawn: Floats, share: Floats | float) -> Indices:
    """How many of the draws (the last axis) have at least this share."""
    return np.count_nonzero(drawn >= share * (1 - _ROUNDING), axis=-1)


def _p_of(reached: Floats | Indices, draws: int) -> Floats:
    return (1 + reached) / (1 + draws)


def _shares(pairs: Family, y: Floats) -> Floats:
    """Of all pairs."""
    each = [_share(differences(y, pairs.first[block], pairs.second[block])) for block in blocks(pairs, len(y))]
    return np.concatenate(each)


def _share(d: Floats) -> Floats:
    """(Σ d)² / T Σ d² of each pair: it grows with t²."""
    return ratio(np.square(d.sum(axis=0)), len(d) * np.square(d).sum(axis=0))


def _drawn_shares(d: Floats, flipped: Floats) -> Floats:
    """The same of each draw; pair, draw."""
    total, square = d.sum(axis=0), len(d) * np.square(d).sum(axis=0)  # pair
    drawn = total[:, None] - 2 * flipped
    drawn *= drawn
    drawn /= np.where(square > 0, square, 1.0)[:, None]
    return drawn


def _squared_t(share: float, topics: int) -> float:
    """t² = (T − 1) r / (1 − r), where r is the share of T Σ d² that (Σ d)² takes."""
    return math.inf if share >= 1 else (topics - 1) * share / (1 - share)


def _by_flips(d: Floats, critical: float) -> Outcome:
    mean, sd = d.mean(axis=0), deviations(d)
    se = sd / math.sqrt(len(d))
    endless = 0.0 if math.isfinite(critical) else math.inf  # of a constant difference
    margin = np.where(se > 0, critical * np.where(se > 0, se, 1.0), np.where(mean == 0, 0.0, endless))
    return Outcome.around(mean, margin, ratio(mean, se), np.zeros(len(mean)), ratio(mean, sd), se)


def _flips(draws: int, topics: int, seed: int) -> NDArray[np.int8]:
    """Which topics each draw flips; draw, topic."""
    return np.random.default_rng(seed).integers(0, 2, (draws, topics), np.int8)


def _flipped_clusters(draws: int, sampling: Sampling, seed: int) -> NDArray[np.int8]:
    """Which topics each draw flips, all of a cluster together; draw, topic."""
    sampling.refuse_weights("the randomization test")
    return _flips(draws, sampling.clusters, seed)[:, sampling.cluster]


def _flipped_sums(y: Floats, flips: NDArray[np.int8]) -> Floats:
    """sums[system, draw] over the topics that are flipped: those of a pair are their difference."""
    size = max(1, BLOCK // len(y))
    starts = range(0, len(flips), size)
    return np.concatenate([y.T @ flips[start : start + size].T.astype(np.float64) for start in starts], axis=1)


def _between(sums: Floats, u: Indices, v: Indices) -> Floats:
    """Of pairs; pair, draw."""
    return sums.take(u, axis=0) - sums.take(v, axis=0)


def _flipped(d: Floats, flipped: Floats, sizes: NDArray[np.int64], slack: float, rank: int) -> Outcome:
    """With F the topics that a draw flips, Σ ± d ≥ Σ d if Σ_F d ≤ 0, and Σ ± d ≤ −Σ d if the sum of the rest is ≤ 0.

    Two-sided, where Σ d < 0, all signs are the other way round.
    """
    total = d.sum(axis=0)  # pair
    if len(sizes) == 1:
        sums, reached = flipped[:, None], np.count_nonzero(flipped <= slack, axis=1)  # pair, side, draw; pair
    else:
        sums = np.stack((flipped, total[:, None] - flipped), axis=1)
        turned = np.where(total < 0, -1, 1)[:, None, None]
        reached = np.count_nonzero((turned * sums).min(axis=1) <= slack, axis=1)
    with np.errstate(invalid="ignore"):  # of no topic there is no mean
        means = (sums / sizes).reshape(len(sums), -1)
    mean, sd, p = d.mean(axis=0), deviations(d), (1 + reached) / (1 + sizes.shape[1])
    return Outcome(*typical_values(means, rank), mean, p, ratio(mean, sd), sd / math.sqrt(len(d)))


RECORDS = (
    Test(
        name=MAX_T,
        function=max_t,
        title="max-|t| test",
        explanation="paired t of all pairs together, by sign flips of topics",
        place=30,
        takes=("draws", "seed"),
        corrected_by=STEP_DOWN,
        is_for_unequal_spread=True,
        when="many systems that are much alike, and many topics; it finds more than Holm's correction",
        assumes="topics are a sample; where two systems are equal, a topic's difference is as likely to have the "
        "other sign",
        references=("westfall-young-1993",),
        caution="the max-|t| test rests on differences that are as often above 0 as below it where systems are equal: "
        "with few topics and skewed differences it errs too often, and the paired t-test with Holm's correction less",
    ),
    Test(
        name=FLIPS,
        function=randomization,
        title="randomization test",
        explanation="sign flips of differences over topics",
        place=70,
        takes=("draws", "seed", "sides", "sampling"),
        corrected_by=BH,
        is_slow=True,
        assumes="topics, or clusters of them, are a sample; where two systems are equal, a topic's difference is as "
        "likely to have the other sign",
        references=("smucker-2007",),
    ),
)
