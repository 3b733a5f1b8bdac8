"""The F tests of terms by population, against statsmodels and expected mean squares."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast, get_args

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
import scipy.stats
import statsmodels.api as sm
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.models.anova import CELL, TERMS, Fit, Population, decompose
from irgauge.models.anova import fit as fitted
from irgauge.models.f_tests import TermTest, system_test, term_tests

Values = NDArray[np.float64]
POPULATIONS = get_args(Population)
BOTH = f"topic:system + system:shard - {CELL}"
AGAINST: Mapping[str, Mapping[str, str]] = {  # by hand, from the expected mean squares; the others: the residual
    "topics": {"system": "topic:system", "shard": "topic:shard"},
    "shards": {"system": "system:shard", "topic": "topic:shard"},
    "both": {"system": BOTH, "topic": "topic:shard", "shard": "topic:shard"},
    "topics+shards": {"system": BOTH, "topic": "topic:shard", "shard": "topic:shard"},
    "documents": {},
    "sources": {},
}
SAMPLED = {"topics": "t", "shards": "k", "both": "tk", "topics+shards": "tk", "documents": "", "sources": ""}
LETTERS = {"topic": "t", "system": "s", "shard": "k"}


def made(shape: tuple[int, int, int] = (6, 5, 4), seed: int = 0, scale: float = 1.0) -> Values:
    rng = np.random.default_rng(seed)
    values = sum(rng.normal(size=np.where(kept, shape, 1)) for kept in np.ndindex(2, 2, 2))
    return np.asarray(scale * values, np.float64)


def every_test(fit: Fit, population: str) -> tuple[TermTest, ...]:
    return term_tests(fit, cast("Population", population))


@cache
def of_statsmodels() -> pd.DataFrame:
    """The ANOVA table of MD6 by least squares."""
    values = made()
    index = np.indices(values.shape).reshape(3, -1)
    frame = pd.DataFrame({"topic": index[0], "system": index[1], "shard": index[2], "y": values.ravel()})
    terms = "C(topic) + C(system) + C(shard) + C(topic):C(system) + C(system):C(shard) + C(topic):C(shard)"
    table = sm.stats.anova_lm(smf.ols(f"y ~ {terms}", frame).fit(), typ=1)
    table.index = [str(name).replace("C(", "").replace(")", "") for name in table.index]
    return table.assign(ms=table["sum_sq"] / table["df"]).rename(index={"Residual": CELL})


@pytest.mark.parametrize("population", POPULATIONS)
def test_every_term_is_tested_against_the_right_mean_square_of_statsmodels(population: str) -> None:
    table = of_statsmodels()
    for test in every_test(fitted(made(), "MD6"), population):
        against = AGAINST[population].get(test.source, "residual")
        assert test.against == against
        parts = [one.strip() for one in against.replace("residual", CELL).replace(" - ", " + ").split("+")]
        squares = [table.loc[one, "ms"] for one in parts]
        ms = sum(squares[:2]) - sum(squares[2:])
        df = ms**2 / sum(square**2 / table.loc[one, "df"] for one, square in zip(parts, squares, strict=True))
        f = table.loc[test.source, "ms"] / ms
        kept = test.epsilon
        assert (test.df, test.df_error) == pytest.approx((kept * table.loc[test.source, "df"], kept * df))
        assert (test.f, test.p) == pytest.approx((f, scipy.stats.f.sf(f, test.df, test.df_error)))


def expected_square(term: str, population: str, variances: Mapping[str, float], shape: tuple[int, int, int]) -> float:
    """E[MS] where effects of factors that are not sampled sum to 0 (Cornfield and Tukey 1956)."""
    own, levels = {LETTERS[one] for one in term.split(":")}, dict(zip("tsk", shape, strict=True))
    total = 0.0
    for other, variance in variances.items():
        factors = {LETTERS[one] for one in other.split(":")}
        if own <= factors and factors - own <= set(SAMPLED[population]):
            total += variance * float(np.prod([levels[one] for one in "tsk" if one not in factors]))
    return total


@pytest.mark.parametrize("population", ["topics", "shards", "both"])
def test_without_an_effect_a_term_and_its_error_have_the_same_expected_mean_square(population: str) -> None:
    shape = (6, 5, 4)
    variances = {term: 1.0 + place for place, term in enumerate((*TERMS, CELL))}
    for test in every_test(fitted(made(shape), "MD6"), population):
        without = variances | {test.source: 0.0}
        parts = test.against.replace("residual", CELL).replace(" - ", " + ").split(" + ")
        squares = [expected_square(one, population, without, shape) for one in parts]
        own = expected_square(test.source, population, without, shape)
        if own == 0:  # with one value in a cell, what is beside the effect is in the cells with the three-way effects
            assert test.against == "residual"
        else:
            assert sum(squares[:2]) - sum(squares[2:]) == pytest.approx(own)


@pytest.mark.parametrize("population", POPULATIONS)
@pytest.mark.parametrize("model", ["MD2", "MD4", "MD5", "MD6"])
def test_the_test_of_systems_is_that_of_the_error_term(model: str, population: str) -> None:
    fit = fitted(made(seed=3), model)
    error, system = fit.error_term(cast("Population", population)), system_test(fit, cast("Population", population))
    assert system in every_test(fit, population) or population in ("documents", "sources")
    assert (system.against, system.f) == (error.source, error.f)
    assert (system.df, system.df_error) == pytest.approx((4 * system.epsilon, error.df * system.epsilon))
    assert system.p >= error.p or system.epsilon == 1


# levels that do not vary alike


def epsilon_by_contrasts(replicates: Values) -> float:
    """Huynh, Feldt and Lecoutre's ε of values[replicate, level], by Helmert contrasts."""
    n, levels = replicates.shape
    k, contrasts = levels - 1, scipy.linalg.helmert(levels)
    matrix = contrasts @ np.cov(replicates, rowvar=False) @ contrasts.T
    plain = np.trace(matrix) ** 2 / (k * np.trace(matrix @ matrix))
    return float(np.clip((n * k * plain - 2) / (k * (n - 1 - k * plain)), 1 / k, 1))


def uneven(shape: tuple[int, int, int], seed: int) -> Values:
    """Systems that vary more and more."""
    return made(shape, seed) * np.arange(1.0, shape[1] + 1)[:, None]


@pytest.mark.parametrize("seed", range(3))
def test_epsilon_is_that_of_contrasts_over_topics_and_over_shards(seed: int) -> None:
    values = uneven((12, 5, 9), seed)
    fit = fitted(values, "MD6")
    topics, shards = system_test(fit, "topics"), system_test(fit, "shards")
    assert topics.epsilon == pytest.approx(epsilon_by_contrasts(values.mean(axis=2)))
    assert shards.epsilon == pytest.approx(epsilon_by_contrasts(values.mean(axis=0).T))
    assert 0.25 < topics.epsilon < 1
    by_shard = {test.source: test.epsilon for test in term_tests(fit, "topics")}["shard"]
    assert by_shard == pytest.approx(epsilon_by_contrasts(values.mean(axis=1)))


def test_epsilon_of_both_is_of_the_sum_of_covariances() -> None:
    values = uneven((12, 5, 9), 1)
    test = system_test(fitted(values, "MD6"), "both")
    assert test.against == BOTH
    assert 0.25 < test.epsilon < 1
    alike = system_test(fitted(made((40, 5, 30)), "MD6"), "both")
    assert alike.epsilon > 0.9


def test_epsilon_of_the_residual_is_over_topics_and_shards() -> None:
    values = uneven((12, 5, 9), 2)
    test = system_test(fitted(values, "MD6"), "documents")
    cells = decompose(values).parts[CELL].transpose(0, 2, 1).reshape(-1, 5)
    contrasts, df = scipy.linalg.helmert(5), 11 * 8
    matrix = contrasts @ cells.T @ cells @ contrasts.T
    plain = np.trace(matrix) ** 2 / (4 * np.trace(matrix @ matrix))
    assert test.epsilon == pytest.approx(((df + 1) * 4 * plain - 2) / (4 * (df - 4 * plain)))
    assert 0.25 < test.epsilon < 0.9


@pytest.mark.parametrize("shape", [(6, 2, 4), (2, 5, 4)])
def test_two_systems_and_two_topics_keep_all_degrees_of_freedom(shape: tuple[int, int, int]) -> None:
    assert system_test(fitted(made(shape), "MD6"), "topics").epsilon == 1


# models


@pytest.mark.parametrize("population", ["documents", "sources"])
@pytest.mark.parametrize("model", ["MD2", "MD3", "MD6"])
def test_the_papers_test_every_term_against_the_residual_of_the_model(model: str, population: str) -> None:
    fit = fitted(made(seed=2), model)
    tests = every_test(fit, population)
    assert [(one.f, one.p, one.df_error) for one in tests] == [(row.f, row.p, fit.error.df) for row in fit.rows]


def test_smaller_models_borrow_the_mean_squares_that_they_lack() -> None:
    sums = decompose(made())
    small, large = (term_tests(sums.fit(model), "topics") for model in ("MD4", "MD6"))
    assert [one.against for one in small] == [CELL, "topic:system", "topic:shard", CELL]
    assert [one.f for one in small] == pytest.approx([one.f for one in large[:4]])
    assert [one.p for one in small] == pytest.approx([one.p for one in large[:4]])


def test_on_the_whole_corpus_all_is_tested_against_the_residual() -> None:
    fit = fitted(made((6, 5, 1)), "MD1")
    topic, system = term_tests(fit, "topics")
    assert (topic.against, system.against) == ("residual", "topic:system")
    assert (topic.f, topic.p) == (fit.row("topic").f, fit.row("topic").p)
    assert system.f == pytest.approx(fit.row("system").f)
    with pytest.raises(DesignError, match="one shard says nothing about other documents"):
        term_tests(fit, "documents")


@given(st.integers(0, 50), st.floats(1e-3, 1e3), st.floats(-10, 10), st.sampled_from(POPULATIONS))
@settings(deadline=None, max_examples=40)
def test_tests_do_not_change_with_unit_origin_and_order(seed: int, unit: float, origin: float, population: str) -> None:
    values = made((4, 3, 3), seed)
    moved = origin + unit * values[::-1, [2, 0, 1]][:, :, [1, 2, 0]]
    one, other = (every_test(fitted(each, "MD6"), population) for each in (values, moved))
    assert [test.against for test in one] == [test.against for test in other]
    np.testing.assert_allclose([test.f for test in other], [test.f for test in one], rtol=1e-6)


@pytest.mark.parametrize(
    ("without", "message"),
    [
        ("topic:system", "systems differ by the same amount on every topic"),
        ("topic:shard", "do not vary with topic:shard"),
    ],
)
def test_a_term_without_an_error_is_refused(without: str, message: str) -> None:
    parts = decompose(made()).parts
    fit = fitted(np.asarray(sum(part for term, part in parts.items() if term != without)), "MD6")
    with pytest.raises(DesignError, match=message):
        term_tests(fit, "topics")


def test_cells_that_do_not_vary_are_refused() -> None:
    parts = decompose(made()).parts
    fit = fitted(np.asarray(sum(part for term, part in parts.items() if term != CELL)), "MD4")
    with pytest.raises(DesignError, match="do not vary with topic:system:shard"):
        term_tests(fit, "topics")
