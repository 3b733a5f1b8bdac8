"""Scores that likely grades give: intervals against what all judgments give, in worlds that are made."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.likely_holes import cut, made, means, tried
from scipy import stats
from scipy.optimize import brentq

from irgauge.compute.arrays import Floats
from irgauge.inference.hidden_judgments import likely_grades
from irgauge.inference.likely_scores import DrawnScores, HoleDraws, LikelyScores
from irgauge.inference.skewed_parts import SkewedParts
from irgauge.inference.verdicts import Parts
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.retrieved import Retrieved

MEASURES = ("AP", "nDCG@10", "P@30")


def test_intervals_hold_what_all_judgments_give_and_equal_systems_seldom_differ() -> None:
    """Few worlds, as each takes half a second; `python -m benchmarks.likely_holes` draws many."""
    rates = np.array(
        [tried(made(seed, 25, 24), MEASURES, 10, 2 / 3, seed) for seed in range(4)]
    )  # world, measure, rate
    systems, pairs, _, wrong = rates.mean(axis=(0, 1))
    assert systems > 0.85
    assert pairs > 0.85
    assert wrong < 0.15  # of 108 pairs that are not independent; 5 % are promised


def test_draws_come_closer_than_zeros() -> None:
    pairs = Retrieved.of(made(9, 25, 12))
    hidden = cut(pairs, 10, 1.0, np.random.default_rng(0))
    measures = parse_measures(MEASURES)
    truth, as_zeros = means(pairs.collection, measures), means(hidden.collection, measures)
    grades, checks = likely_grades(hidden)
    draws = HoleDraws(grades, checks, measures, 20, seed=1)
    every = np.stack(np.triu_indices(12, 1), axis=1)
    held = draws.held(every, 0.05)
    likely = np.array([scores.of_systems(0.05)[0] for scores in draws.scores(held)])
    assert np.abs(likely - truth).mean() < 0.5 * np.abs(as_zeros - truth).mean()
    again = np.array([scores.of_systems(0.05)[0] for scores in draws.scores(held)])
    assert (again == likely).all()


def drawn(values: Floats) -> DrawnScores:
    """Of values[draw, topic, system], by plain means."""
    centred = values - values.mean(axis=1, keepdims=True)
    draws, topics, _ = values.shape
    covariance = np.einsum("dti,dtj->ij", centred, centred) / (draws * (topics - 1))
    thirds = np.einsum("dti,dti,dtj->ij", centred, centred, centred) / (draws * (topics - 1))
    return DrawnScores(values.mean(axis=1), covariance, thirds, topics)


def test_the_variance_of_a_difference_is_rubins() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(30, 8, 2))  # draw, topic, system
    scores = LikelyScores(drawn(values), (1.0, 2.0))
    d = values[..., 0] - values[..., 1]
    within, between = d.var(axis=1, ddof=1).mean() / 8, d.mean(axis=1).var(ddof=1)
    parts = scores.parts(np.array([[0, 1]]))
    assert parts.variance[:, 0] == pytest.approx([within, 4 * (1 + 1 / 30) * between])
    assert parts.df[:, 0].tolist() == [7, 29]


def test_a_difference_is_tested_with_the_guard_against_its_skewness() -> None:
    """Against Hall's formula and Banerjee's interval, written out with scipy."""
    rng = np.random.default_rng(6)
    gains = rng.exponential(1.0, 12) ** 3
    values = np.stack([gains + 0.3 * rng.normal(size=(30, 12)), 0.3 * rng.normal(size=(30, 12))], axis=2)
    d = values[..., 0] - values[..., 1]  # draw, topic
    variances = [d.var(axis=1, ddof=1).mean() / 12, (1 + 1 / 30) * d.mean(axis=1).var(ddof=1)]
    third = np.mean([stats.kstat(own, 3) for own in d]) / 12**2

    def level(estimate: float, skewness: float) -> float:
        """One-sided, of an estimate above 0."""
        t = estimate / math.sqrt(sum(variances))
        bent = t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6
        x = min(t, bent) * math.sqrt(sum(variances))
        parts = list(zip((11, 29), variances, strict=True))
        return float(brentq(lambda p: sum(stats.t.isf(p, df) ** 2 * v for df, v in parts) - x**2, 1e-12, 0.5))

    skewness = third / sum(variances) ** 1.5
    parts, estimate = LikelyScores(drawn(values), (1.0, 1.0)).parts(np.array([[0, 1]])), np.array([d.mean()])
    outcome = parts.tested(estimate, 0.05)
    assert skewness > 0.3
    assert outcome.p[0] == pytest.approx(2 * level(d.mean(), skewness))
    assert parts.tail(estimate)[0] == pytest.approx(level(d.mean(), skewness))
    below = parts.tested(-estimate, 0.05).p[0]  # a loss with rare large gains: the skewness is against it
    assert below == pytest.approx(2 * level(d.mean(), -skewness))
    assert parts.towards(np.array([-1.0])).tail(estimate)[0] == pytest.approx(below / 2)
    to_low, to_high = estimate - outcome.low, outcome.high - estimate
    assert level(float(to_low[0]), skewness) == pytest.approx(0.025)  # ends are where the test just rejects
    assert level(float(to_high[0]), -skewness) == pytest.approx(0.025)
    assert parts.half_width(0.05)[0] == pytest.approx(max(to_low[0], to_high[0]))


def test_equal_systems_with_rare_large_gains_seldom_differ() -> None:
    """By plain t about 10 % of these pairs have p ≤ 0.05."""
    rng, topics, pairs = np.random.default_rng(3), 50, 2000
    d = rng.lognormal(0, 1, (topics, pairs)) - math.exp(0.5)
    moments = d.mean(axis=0), d.var(axis=0, ddof=1) / topics, stats.kstat(d, 3, axis=0) / topics**2
    parts = SkewedParts.of(moments[1][None], np.full((1, pairs), topics - 1.0), moments[2])
    plain = 2 * Parts(parts.variance, parts.df).tail(np.abs(moments[0]))
    assert (plain <= 0.05).mean() > 0.09
    assert (parts.tested(moments[0], 0.05).p <= 0.05).mean() < 0.065


def test_systems_that_differ_alike_everywhere_do_not_vary() -> None:
    values = np.random.default_rng(1).random((9, 1, 1)) * np.array([1.0, 1.0]) + np.array([0.0, 0.1])
    scores = LikelyScores(drawn(np.broadcast_to(values.swapaxes(0, 1), (20, 9, 2))), (1.0, 1.0))
    parts = scores.parts(np.array([[1, 0]]))
    assert parts.variance[0].tolist() == [0.0]
    assert parts.tested(np.array([0.0]), 0.05).p.tolist() == [1.0]
