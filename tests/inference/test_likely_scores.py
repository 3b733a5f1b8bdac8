"""Scores that likely grades give: intervals against what all judgments give, in worlds that are made."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.likely_holes import cut, made, means, tried

from irgauge.inference.hidden_judgments import likely_grades
from irgauge.inference.likely_scores import DrawnScores, HoleDraws, LikelyScores
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


def test_the_variance_of_a_difference_is_rubins() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(30, 8, 2))  # draw, topic, system
    covariance = np.mean([np.cov(own.T) for own in values], axis=0)
    scores = LikelyScores(DrawnScores(values.mean(axis=1), covariance, 8), (1.0, 2.0))
    d = values[..., 0] - values[..., 1]
    within, between = d.var(axis=1, ddof=1).mean() / 8, d.mean(axis=1).var(ddof=1)
    parts = scores.parts(np.array([[0, 1]]))
    assert parts.variance[:, 0] == pytest.approx([within, 4 * (1 + 1 / 30) * between])
    assert parts.df[:, 0].tolist() == [7, 29]
