"""The six tests of the study, each against scipy, against irgauge's own, or against a slow and obvious version."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from benchmarks.tests_of_means import statistics as kernels
from benchmarks.tests_of_means.decisions import TESTS, p_values
from benchmarks.tests_of_means.statistics import COLUMNS, ROUNDING, TIED
from benchmarks.tests_of_means.stream import state
from scipy import stats

from irgauge.compute.arrays import Floats
from irgauge.inference.tests.flips import randomization
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.skewed_t import skewed_t
from oracles.slow_skewed_t import larger_p

DRAWS = 9_999
NEVER = DRAWS + 1  # stop early


def smooth(topics: int, seed: int = 1) -> Floats:
    rng = np.random.default_rng(seed)
    return rng.gamma(0.6, 0.2, topics) - rng.gamma(0.4, 0.2, topics)


def tied(topics: int, seed: int = 1) -> Floats:
    """Differences of P@10, of which some are 0 and many equal."""
    return np.random.default_rng(seed).integers(-3, 5, topics) / 10


def p_of(d: Floats) -> dict[str, float]:
    found = np.empty(COLUMNS)
    kernels.statistics(d, DRAWS, NEVER, ROUNDING, state(5), found)
    return dict(zip(TESTS, p_values(found[None], len(d))[0].tolist(), strict=True))


SAMPLES = [
    smooth(25),
    smooth(50),
    smooth(100, 3),
    tied(25),
    tied(50, 2),
    tied(100),
    smooth(11, 4),
    tied(9),
    smooth(300, 8) - 0.037,
]


@pytest.mark.parametrize("d", SAMPLES)
def test_t_and_its_guarded_form(d: Floats) -> None:
    found, values = p_of(d), np.stack([d, np.zeros(len(d))], axis=1)
    assert found["t"] == pytest.approx(stats.ttest_1samp(d, 0).pvalue, rel=1e-9)
    assert found["t"] == pytest.approx(paired_t(values, ["a", "b"]).p_adjusted[0], rel=1e-9)
    assert found["skewed-t"] == pytest.approx(larger_p(d), rel=1e-9)
    assert found["skewed-t"] == pytest.approx(skewed_t(values, ["a", "b"]).p_adjusted[0], rel=1e-9)


@pytest.mark.parametrize("d", SAMPLES)
def test_signed_ranks(d: Floats) -> None:
    is_exact = len(d) < 50 and len(set(np.abs(d))) == len(d) and d.all()
    expected = (
        stats.wilcoxon(d, method="exact") if is_exact else stats.wilcoxon(d, method="asymptotic", correction=True)
    )
    assert p_of(d)["wilcoxon"] == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("d", SAMPLES)
def test_signs(d: Floats) -> None:
    more, fewer = int((d > TIED).sum()), int((d < -TIED).sum())
    assert p_of(d)["sign"] == pytest.approx(stats.binomtest(more, more + fewer).pvalue, rel=1e-9)


def share_of_signs(d: Floats) -> float:
    """How many of all signs are as extreme as those of the data."""
    sums = np.array(list(product((-1, 1), repeat=len(d)))) @ d
    return float((np.abs(sums) >= abs(d.sum()) - 1e-9).mean())


def share_of_samples(d: Floats) -> float:
    """How many of all samples with replacement, from differences with a mean of 0, are as extreme as the data."""
    sums = (d - d.mean())[np.array(list(product(range(len(d)), repeat=len(d))))].sum(axis=1)
    return float((np.abs(sums) >= abs(d.sum()) - 1e-9).mean())


def within(found: float, expected: float, errors: float = 4) -> bool:
    return abs(found - expected) <= errors * np.sqrt(expected * (1 - expected) / DRAWS) + 1 / DRAWS


@pytest.mark.parametrize("d", [smooth(11, 4), tied(9), smooth(8, 2), tied(10, 5)])
def test_flipped_signs_against_all_signs(d: Floats) -> None:
    assert within(p_of(d)["permutation"], share_of_signs(d))


@pytest.mark.parametrize("d", SAMPLES)
def test_flipped_signs_against_those_of_irgauge(d: Floats) -> None:
    values = np.stack([d, np.zeros(len(d))], axis=1)
    own = randomization(values, ["a", "b"], draws=DRAWS, seed=3).p_adjusted[0]
    assert within(p_of(d)["permutation"], own, 6)


@pytest.mark.parametrize("topics", [3, 4, 5, 6])
@pytest.mark.parametrize("sample", [smooth, tied])
def test_the_bootstrap_against_all_samples(topics: int, sample: Callable[..., Floats]) -> None:
    d = sample(topics, 7)
    assert within(p_of(d)["bootstrap"], share_of_samples(d))


@pytest.mark.parametrize("d", SAMPLES)
def test_the_bootstrap_against_samples_of_numpy(d: Floats) -> None:
    drawn = np.random.default_rng(9).choice(d - d.mean(), (DRAWS, len(d))).sum(axis=1)
    assert within(p_of(d)["bootstrap"], float((np.abs(drawn) >= abs(d.sum()) - 1e-9).mean()), 6)


@pytest.mark.parametrize("test", [kernels.flipped, kernels.shifted])
def test_an_early_stop_changes_no_decision(test: Callable[..., float]) -> None:
    found = []
    for shift in np.linspace(0.0, 0.09, 19):
        d = smooth(25) - smooth(25).mean() + shift
        early, whole = test(d, 9_999, 500, ROUNDING, state(2)), test(d, 9_999, NEVER, ROUNDING, state(2))
        assert (early <= 0.05) == (whole <= 0.05)
        assert early == whole or whole > 0.05
        found.append(whole <= 0.05)
    assert set(found) == {True, False}


@pytest.mark.parametrize("topics", [25, 50])
def test_differences_that_are_all_0_are_not_significant(topics: int) -> None:
    assert p_of(np.zeros(topics)) == dict.fromkeys(TESTS, 1.0)


@pytest.mark.parametrize("test", [kernels.flipped, kernels.shifted])
def test_without_slack_ties_are_lost(test: Callable[..., float]) -> None:
    lost = [
        test(tied(24, seed), 999, 1000, 0.0, state(2)) - test(tied(24, seed), 999, 1000, ROUNDING, state(2))
        for seed in range(20)
    ]
    assert max(lost) <= 0
    assert min(lost) < -0.01
    assert test(smooth(24), 999, 1000, 0.0, state(2)) == test(smooth(24), 999, 1000, ROUNDING, state(2))
