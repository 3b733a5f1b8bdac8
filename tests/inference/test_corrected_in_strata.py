"""Corrected differences in strata: against all samples that can be drawn, and their rate of misses."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.inference.corrected_in_strata import Strata, corrected_in_strata
from irgauge.inference.prediction_powered import corrected


def test_over_all_samples_it_is_the_mean_of_all_topics() -> None:
    rng, strata = np.random.default_rng(1), np.array([0] * 7 + [1] * 8)
    d, f = rng.standard_normal((15, 1)) + 3 * strata[:, None], rng.standard_normal((15, 1)) + strata[:, None]
    estimates = []
    for own in product(combinations(range(7), 5), combinations(range(7, 15), 6)):
        people = [*own[0], *own[1]]
        others = [t for t in range(15) if t not in people]
        estimate = corrected_in_strata(d[people], f[people], f[others], Strata(strata[people], strata[others]))
        assert estimate.each.mean(axis=0) == pytest.approx(estimate.difference)
        estimates.append(estimate.difference[0])
    assert np.mean(estimates) == pytest.approx(d.mean())


def test_with_one_stratum_it_is_the_estimate_without() -> None:
    rng = np.random.default_rng(2)
    people, judged, further = rng.standard_normal((20, 3)), rng.standard_normal((20, 3)), rng.standard_normal((50, 3))
    alone = corrected(people, judged, further)
    own = corrected_in_strata(people, judged, further, Strata(np.zeros(20, np.int64), np.zeros(50, np.int64)))
    for ours, theirs in ((own.difference, alone.difference), (own.parts.variance, alone.parts.variance)):
        assert ours == pytest.approx(theirs)
    assert own.parts.df == pytest.approx(alone.parts.df)


@pytest.mark.parametrize("agreement", [0.0, 0.8])
def test_intervals_miss_as_often_as_they_say(agreement: float) -> None:
    rng, pairs, missed = np.random.default_rng(3), 20, list[float]()
    means, spreads, counts, truth = np.array([0, 0.5, 1.5]), np.array([0.3, 1, 2]), (6, 8, 14), 0.45
    for _ in range(100):
        strata = rng.choice(3, 200, p=[0.5, 0.3, 0.2])
        f = rng.standard_normal((200, pairs)) * spreads[strata][:, None]
        noise = rng.standard_normal((200, pairs)) * spreads[strata][:, None]
        d = means[strata][:, None] + agreement * f + np.sqrt(1 - agreement**2) * noise
        people = np.concatenate([rng.permutation(np.flatnonzero(strata == h))[:n] for h, n in enumerate(counts)])
        others = np.setdiff1d(np.arange(200), people)
        own = corrected_in_strata(d[people], f[people], f[others], Strata(strata[people], strata[others]))
        low, high = own.interval(0.05)
        missed.append(float(((low > truth) | (high < truth)).mean()))
    assert 0.02 < np.mean(missed) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / (100 * pairs))


def test_strata_with_few_topics_are_refused() -> None:
    with pytest.raises(DesignError, match="a stratum has 4 topics by people; 5 are needed, so join strata"):
        Strata(np.array([0] * 4 + [1] * 9), np.array([0, 0, 1, 1]))
