"""Intervals against the truth of simulations."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores
from irgauge.simulation.collections import Design, draw_systems, simulate
from irgauge.simulation.truth import Truth, true_means
from irgauge.studies.score.study import score, truth_check

DESIGN = Design(systems=4, families=2, topics=30, depth=50, corpus_size=2000)


def truth_of(means: list[float], measure: str = "AP") -> Truth:
    return Truth(DESIGN, (Measure.parse(measure),), 100, np.array([means]), np.zeros((1, 4)))


def test_intervals_that_hold_the_truth_are_counted() -> None:
    rng = np.random.default_rng(1)
    values = rng.uniform(0.3, 0.5, (1, 30, 4, 1))  # measure, topic, system, replicate
    names = draw_systems(DESIGN).names
    topics = tuple(str(t) for t in range(30))
    scored = score(Scores(values, (Measure("AP"),), topics, names, ("all",)))
    means = values[0, :, :, 0].mean(axis=0)
    found = truth_check(scored, truth_of([means[0], means[1] + 0.001, 0.9, 0.0]))
    assert (found.inside, found.total, found.alpha, found.measures) == (2, 4, 0.05, ("AP",))


def test_about_95_of_100_intervals_hold_the_truth() -> None:
    truth = true_means(DESIGN, ["AP", "P@10"], topics=1000)
    inside = total = 0
    for draw in range(1, 61):  # the same systems on fresh topics
        found = truth_check(score(simulate(DESIGN, draw=draw).collection(), ["AP", "P@10"]), truth)
        inside, total = inside + found.inside, total + found.total
    assert total == 60 * 8
    assert 0.9 < inside / total < 0.99


def test_a_truth_of_other_measures_or_systems_is_refused() -> None:
    values = np.full((1, 3, 1, 1), 0.5)
    scored = score(Scores(values, (Measure("AP"),), ("1", "2", "3"), ("mine",), ("all",)))
    with pytest.raises(DesignError, match=r"the truth is of AP of simulated systems; it says nothing of AP of these"):
        truth_check(scored, truth_of([0.1] * 4))
