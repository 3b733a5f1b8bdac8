"""Rules that combine p-values: by hand, against scipy, and under dependence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference.aggregation import RULES, VALID, aggregation

P = np.array([0.01, 0.2, 0.03, 0.04, 0.5])
P_VALUES = arrays.arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.floats(0, 1))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("all", 0.5),
        ("majority", 0.04),  # three of five are at most this
        ("median-p", 0.04),
        ("twice-median", 0.08),
        # −Σ ln p = −ln(0.01 · 0.2 · 0.03 · 0.04 · 0.5) = −ln 1.2e-6 = x; e^−x (1 + x + x²/2 + x³/6 + x⁴/24)
        ("fisher", 1.2e-6 * sum((-math.log(1.2e-6)) ** k / math.factorial(k) for k in range(5))),
        ("harmonic", 5 / (100 + 5 + 100 / 3 + 25 + 2)),
    ],
)
def test_rules_by_hand(rule: str, expected: float) -> None:
    assert aggregation(rule)(P).item() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("rule", "expected"), [("all", 0.4), ("majority", 0.03), ("median-p", 0.025)])
def test_an_even_number_of_splits(rule: str, expected: float) -> None:
    p = np.array([0.4, 0.01, 0.02, 0.03])
    assert aggregation(rule)(p).item() == pytest.approx(expected)
    rejects = (p <= 0.02).sum() > 2
    assert (aggregation("majority")(p).item() <= 0.02) == rejects  # two of four are no majority


@given(p=P_VALUES)
def test_fisher_and_harmonic_are_those_of_scipy(p: NDArray[np.float64]) -> None:
    p = np.maximum(p, 1e-12)
    theirs = [stats.combine_pvalues(column, method="fisher").pvalue for column in p.T]
    np.testing.assert_allclose(aggregation("fisher")(p), theirs, rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(aggregation("harmonic")(p), stats.hmean(p, axis=0), rtol=1e-12)


@pytest.mark.parametrize("rule", RULES)
@given(p=P_VALUES, seed=st.integers(0, 2**32 - 1))
def test_rules_are_of_no_order_and_never_fall_when_a_p_value_rises(
    rule: str, p: NDArray[np.float64], seed: int
) -> None:
    rng, combined = np.random.default_rng(seed), aggregation(rule)(p)
    assert combined.shape == p.shape[1:]
    assert ((combined >= 0) & (combined <= 1)).all()
    np.testing.assert_allclose(aggregation(rule)(rng.permutation(p)), combined, rtol=1e-9)
    raised = p + (1 - p) * rng.random(p.shape)
    assert (aggregation(rule)(raised) >= combined * (1 - 1e-12)).all()


@pytest.mark.parametrize("rule", RULES)
def test_one_split_keeps_its_p_value(rule: str) -> None:
    p = np.array([[0.0, 0.02, 0.5, 1.0]])
    expected = np.minimum(2 * p[0], 1) if rule == VALID else p[0]
    np.testing.assert_allclose(aggregation(rule)(p), expected, rtol=1e-12)


def test_a_p_value_of_zero() -> None:
    p = np.array([0.0, 0.3, 1.0])
    found = {name: aggregation(name)(p).item() for name in RULES}
    assert found == {"all": 1.0, "majority": 0.3, "median-p": 0.3, VALID: 0.6, "fisher": 0.0, "harmonic": 0.0}


# dependence


def six_of_eleven(alpha: float, samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """p[split, sample], each uniform, of which six of eleven are at most α together as often as can be (Rüger 1978)."""
    cell = rng.random(samples) / (alpha / 6)  # 11 cells of probability α/6, in each of which six splits are small
    place = (np.arange(11)[:, None] - np.floor(cell)) % 11
    small = (cell < 11) & (place < 6)
    return np.where(small, rng.random((11, samples)) * alpha, alpha + rng.random((11, samples)) * (1 - alpha))


def equal(alpha: float, samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Eleven times the same p-value."""
    del alpha
    return np.broadcast_to(rng.random(samples), (11, samples))


SAMPLES, ALPHA = 100_000, 0.05


def error_rate(rule: str, dependence: str) -> float:
    draw = {"six of eleven": six_of_eleven, "equal": equal}[dependence]
    return float((aggregation(rule)(draw(ALPHA, SAMPLES, np.random.default_rng(2))) <= ALPHA).mean())


@pytest.mark.parametrize("dependence", ["six of eleven", "equal"])
def test_the_dependent_p_values_are_uniform(dependence: str) -> None:
    draw = {"six of eleven": six_of_eleven, "equal": equal}[dependence]
    p = draw(ALPHA, SAMPLES, np.random.default_rng(2))
    for own in p:
        for level in (ALPHA / 2, ALPHA, 0.5):
            assert (own <= level).mean() == pytest.approx(level, abs=5 * math.sqrt(level / SAMPLES))


@pytest.mark.parametrize("dependence", ["six of eleven", "equal"])
@pytest.mark.parametrize("rule", [name for name in RULES if RULES[name].is_valid])
def test_valid_rules_keep_their_level_under_dependence(rule: str, dependence: str) -> None:
    assert error_rate(rule, dependence) <= ALPHA + 5 * math.sqrt(ALPHA / SAMPLES)


@pytest.mark.parametrize(
    ("rule", "dependence", "rate"),
    [("majority", "six of eleven", 11 / 6 * ALPHA), ("median-p", "six of eleven", 11 / 6 * ALPHA)],
)
def test_votes_err_up_to_twice_as_often(rule: str, dependence: str, rate: float) -> None:
    assert error_rate(rule, dependence) == pytest.approx(rate, abs=5 * math.sqrt(rate / SAMPLES))


def test_fisher_takes_the_same_evidence_for_more() -> None:
    assert error_rate("fisher", "equal") > 4 * ALPHA


def test_the_harmonic_mean_exceeds_its_level_even_under_independence() -> None:
    p = np.random.default_rng(2).random((11, SAMPLES))
    assert (aggregation("harmonic")(p) <= ALPHA).mean() > 1.1 * ALPHA


# what is said


def test_rules_that_are_not_valid_say_so_and_name_one_that_is() -> None:
    assert [name for name, rule in RULES.items() if rule.is_valid] == ["all", VALID]
    for rule in RULES.values():
        assert (rule.warning is None) == rule.is_valid
        assert rule.explanation
        assert rule.reference
        if rule.warning is not None:
            assert rule.warning.endswith(f"; '{VALID}' is valid under any dependence")


def test_wrong_names_and_p_values_are_refused() -> None:
    with pytest.raises(DesignError, match=r"'median' is unknown; did you mean 'median-p'\? Choose from all, majority"):
        aggregation("median")
    for wrong in (np.array([0.1, 1.2]), np.array([np.nan, 0.2])):
        with pytest.raises(DesignError, match="1 of 2 are not, such as"):
            aggregation("all")(wrong)
    with pytest.raises(DesignError, match="no p-values to aggregate"):
        aggregation("all")(np.empty((0, 3)))
