"""Prediction-powered differences: against the formulas of the papers topic by topic, and their rate of errors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.prediction_powered import corrected


def world(judge: str, n: int, others: int, pairs: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Pairs that do not differ, by people on n topics and by a judge on these and on others."""
    d, noise = rng.normal(0, 0.2, (2, n + others, pairs))
    f = {
        "good": 0.9 * d + 0.3 * noise,
        "biased": 0.6 * d + 0.6 * noise + 0.1,
        "useless": noise,
        "constant": np.full_like(d, 0.2),
        "inverted": -0.8 * d + 0.3 * noise,
    }[judge]
    return d[:n], f[:n], f[n:]


def test_a_given_weight_is_the_estimate_of_the_papers() -> None:
    people, judged, further = world("biased", 12, 40, 1, np.random.default_rng(1))
    y, f, g = people[:, 0], judged[:, 0], further[:, 0]
    for weight in (1.0, 0.4, 0.0):
        estimate = corrected(people, judged, further, weight)
        assert estimate.difference[0] == pytest.approx(weight * g.mean() + (y - weight * f).mean(), abs=1e-12)
        variance = (y - weight * f).var(ddof=1) / 12 + weight**2 * g.var(ddof=1) / 40
        assert estimate.parts.se[0] == pytest.approx(np.sqrt(variance), abs=1e-12)
    assert (
        corrected(people, judged, further, 0.0).interval(0.05)[0][0]
        <= stats.ttest_1samp(y, 0).confidence_interval().low
    )


def test_the_weight_of_a_topic_is_tuned_on_the_others() -> None:
    people, judged, further = world("biased", 9, 30, 3, np.random.default_rng(2))
    estimate = corrected(people, judged, further)
    for pair in range(3):
        each = []
        for topic in range(9):
            y, f = np.delete(people[:, pair], topic), np.delete(judged[:, pair], topic)
            weight = np.clip(np.cov(y, f)[0, 1] / f.var(ddof=1) / (1 + 9 / 30), 0, 1)
            each.append(people[topic, pair] + weight * (further[:, pair].mean() - judged[topic, pair]))
        assert estimate.difference[pair] == pytest.approx(np.mean(each), abs=1e-12)


@pytest.mark.parametrize("judge", ["good", "biased", "useless", "constant", "inverted"])
@pytest.mark.parametrize("n", [10, 20])
def test_intervals_hold_whatever_the_judge_is_like(judge: str, n: int) -> None:
    people, judged, further = world(judge, n, 100, 4000, np.random.default_rng(n))
    estimate = corrected(people, judged, further)
    low, high = estimate.interval(0.05)
    error = np.sqrt(0.05 * 0.95 / 4000)
    assert ((low > 0) | (high < 0)).mean() <= 0.05 + 3 * error
    assert (estimate.p <= 0.05).mean() <= 0.05 + 3 * error
    alone = corrected(people, np.zeros_like(judged), np.zeros_like(further), 0.0).interval(0.05)
    ratio = np.median((high - low) / (alone[1] - alone[0]))
    assert ratio < (0.6 if judge == "good" else 0.95 if judge == "biased" else 1.06)


def test_a_judge_is_worth_what_its_correlation_says() -> None:
    rng = np.random.default_rng(3)
    people, judged, further = world("biased", 200, 2000, 300, rng)
    rho = np.corrcoef(people.ravel(), judged.ravel())[0, 1]
    expected = 200 / (1 - rho**2 * 2000 / 2200)
    assert np.median(corrected(people, judged, further).worth) == pytest.approx(expected, rel=0.03)


def test_what_does_not_vary_is_not_tested() -> None:
    same = np.full((6, 1), 0.1)
    estimate = corrected(same, same, np.full((9, 1), 0.1))
    assert estimate.p[0] == 1
    assert not np.isfinite(estimate.interval(0.05)).any()
    with pytest.raises(DesignError, match="4 topics by people and 9 others are too few"):
        corrected(same[:4], same[:4], np.zeros((9, 1)))
