"""docs/why-tests-disagree.md: its numbers are those of its table, and these are what theory has, where it has any."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.tests_of_means import disagreement, rates
from benchmarks.tests_of_means.nulls import DEVIATION, FAMILIES, SHAPES, SYMMETRIC
from benchmarks.tests_of_means.rates import ALPHA, FAMILY, PAIR, PAIR_POWER, SHIFT, Rate
from scipy import stats

TIED = 0.01  # differences that the sign test leaves out
Key = tuple[str, str, int, str]


@pytest.fixture(scope="module")
def table() -> dict[Key, Rate]:
    return {row[:4]: row for row in rates.read()}


def is_near(row: Rate, expected: float) -> bool:
    return abs(row.rate - expected) <= 4 * np.sqrt(expected * (1 - expected) / row.trials)


def test_the_page_is_that_of_the_table() -> None:
    assert disagreement.PAGE.read_text(encoding="utf-8") == disagreement.text(rates.read())


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_have_a_mean_of_0_and_the_symmetry_they_claim(shape: str) -> None:
    d = SHAPES[shape].draw(np.random.default_rng(3), (400_000,))
    assert abs(d.mean()) < 4 * d.std() / np.sqrt(len(d))
    below, above = (np.abs(d[side]) for side in (d < -TIED, d > TIED))
    sizes, sides = stats.ks_2samp(below, above).pvalue, stats.binomtest(len(above), len(above) + len(below)).pvalue
    is_symmetric = sizes > 1e-4 and sides > 1e-4
    assert is_symmetric == (SHAPES[shape].null == SYMMETRIC)


@pytest.mark.parametrize("null", FAMILIES)
def test_families_have_means_of_0(null: str) -> None:
    values = FAMILIES[null](np.random.default_rng(3), (100_000, 1, 5))[:, 0]
    assert (np.abs(values.mean(axis=0)) < 4 * values.std(axis=0) / np.sqrt(len(values))).all()


@pytest.mark.parametrize("topics", rates.TOPICS)
def test_t_and_signs_of_normal_differences_err_as_theory_has_it(table: dict[Key, Rate], topics: int) -> None:
    assert is_near(table[PAIR, "normal", topics, "t"], ALPHA)
    assert is_near(table[PAIR, "normal", topics, "sign"], _of_signs(topics, *[stats.norm.sf(TIED / DEVIATION)] * 2))


@pytest.mark.parametrize("topics", rates.TOPICS)
def test_signs_of_skewed_differences_err_as_theory_has_it(table: dict[Key, Rate], topics: int) -> None:
    """d = Exp − 1 in units of its deviation."""
    above, below = np.exp(-1 - TIED / DEVIATION), 1 - np.exp(-1 + TIED / DEVIATION)
    assert is_near(table[PAIR, "skewed (exponential)", topics, "sign"], _of_signs(topics, above, below))


def _of_signs(topics: int, above: float, below: float) -> float:
    """The chance that the sign test rejects: over the topics that count, and those above among them."""
    total = 0.0
    for counted in range(1, topics + 1):
        more = np.arange(counted + 1)
        p = np.minimum(1, 2 * stats.binom.cdf(np.minimum(more, counted - more), counted, 0.5))
        rejected = stats.binom.pmf(more, counted, above / (above + below))[p <= ALPHA].sum()
        total += stats.binom.pmf(counted, topics, above + below) * rejected
    return float(total)


def test_the_power_of_t_is_that_of_the_noncentral_distribution(table: dict[Key, Rate]) -> None:
    n = rates.POWER_TOPICS
    critical, shift = stats.t.isf(ALPHA / 2, n - 1), SHIFT * np.sqrt(n)
    expected = stats.nct.sf(critical, n - 1, shift) + stats.nct.cdf(-critical, n - 1, shift)
    assert is_near(table[PAIR_POWER, "normal", n, "t"], float(expected))


def test_tests_of_all_pairs_are_exact_where_systems_are_exchangeable(table: dict[Key, Rate]) -> None:
    for topics in rates.OF_FAMILIES:
        assert is_near(table[FAMILY, "exchangeable systems", topics, "randomised-tukey"], ALPHA)
        assert table[FAMILY, "symmetric differences", topics, "max-t"].rate < 0.065


def test_rates_depend_on_the_seed_alone(table: dict[Key, Rate]) -> None:
    again = list(rates.of_pair(PAIR, "normal", 10, rates.TRIALS, 0.0))
    assert [round(row.rate, 6) for row in again] == [table[row[:4]].rate for row in again]
