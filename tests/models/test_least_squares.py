"""Models where topics have no scores on some shards: against statsmodels, and against the closed form without gaps."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.contrasts import system_differences, system_effects
from irgauge.models.anova import Fit, Model, fit
from irgauge.models.least_squares import UnbalancedFit, cells_of, fitted
from irgauge.models.residuals import bootstrap

MODELS = ("MD2", "MD3", "MD4", "MD5", "MD6")


def drawn(seed: int = 4, *, gaps: bool = True) -> Floats:
    """values[topic, system, shard] with all effects; some topics lack a shard."""
    rng = np.random.default_rng(seed)
    shape = (9, 3, 3)
    values = rng.gamma(2, 0.1, shape) + rng.random((9, 1, 1)) + rng.random((1, 3, 1)) + rng.random((9, 3, 1)) / 5
    values += rng.random((1, 1, 3)) / 3 + rng.random((1, 3, 3)) / 5 + rng.random((9, 1, 3)) / 5
    if gaps:
        values[1, :, 0] = values[4, :, 2] = values[6, :, 1] = np.nan
    return np.asarray(values)


def theirs(values: Floats, formula: str) -> Any:  # noqa: ANN401  # a regression of statsmodels
    """A regression on factors whose effects sum to 0, of the values that are there."""
    index = np.indices(values.shape).reshape(3, -1)
    table = pd.DataFrame(dict(zip(("topic", "system", "shard"), index, strict=True)) | {"y": values.ravel()}).dropna()
    terms = re.sub("(topic|system|shard)", r"C(\1, Sum)", formula)
    return smf.ols(f"y ~ {terms}", table).fit()


@pytest.mark.parametrize("model", MODELS)
def test_effects_and_residuals_are_those_of_statsmodels(model: str) -> None:
    values = drawn()
    found = UnbalancedFit(Model.parse(model), values)
    if model == "MD6":  # topic:shard takes all that systems have in common
        reference = theirs(values - values.mean(axis=1, keepdims=True), Model.parse("MD5").formula)
    else:
        reference = theirs(values, Model.parse(model).formula)
        assert found.mean == pytest.approx(reference.params["Intercept"])
        of_topics = [reference.params[f"C(topic, Sum)[S.{topic}]"] for topic in range(8)]
        np.testing.assert_allclose(found.effects("topic")[:-1], of_topics, atol=1e-9)
    np.testing.assert_allclose(found.residuals()[~np.isnan(values)], reference.resid, atol=1e-9)
    of_systems = [reference.params[f"C(system, Sum)[S.{system}]"] for system in range(2)]
    np.testing.assert_allclose(found.effects("system")[:-1], of_systems, atol=1e-9)
    if model != "MD2":
        pairs = [[reference.params[f"C(topic, Sum)[S.{t}]:C(system, Sum)[S.{s}]"] for s in range(2)] for t in range(8)]
        np.testing.assert_allclose(found.effects("topic:system")[:-1, :-1], pairs, atol=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_without_gaps_it_is_the_closed_form(model: str) -> None:
    values = drawn(gaps=False)
    found, closed = UnbalancedFit(Model.parse(model), values), fit(values, model)
    assert isinstance(fitted(values, model), Fit)
    np.testing.assert_allclose(found.residuals(), closed.residuals(), atol=1e-12)
    for own, expected in zip(found.cells, cells_of(closed), strict=True):
        np.testing.assert_allclose(own, expected, atol=1e-12)
    for name in ("estimate", "error", "df"):
        own, expected = (getattr(system_effects(each), name) for each in (found, closed))
        np.testing.assert_allclose(own, expected, rtol=1e-9)


@pytest.mark.parametrize("model", ["MD2", "MD5", "MD6"])
def test_the_difference_of_two_systems_is_tested_as_a_regression_of_it(model: str) -> None:
    values = drawn(7)
    # a difference has no systems: its terms are those that systems have interactions with
    terms = {"MD2": "1", "MD5": "topic + shard", "MD6": "topic + shard"}[model]
    for first, second in combinations(range(3), 2):
        two = values[:, [first, second]]
        reference = theirs((two[:, 0] - two[:, 1])[:, None], terms)
        found = system_differences(fitted(two, model), np.array([0]), np.array([1]))
        assert found.estimate[0] == pytest.approx(reference.params["Intercept"])
        if model == "MD2":  # with topic:system each topic has its own variance, here all cells have one
            assert found.error[0] == pytest.approx(reference.bse["Intercept"])
            assert found.df[0] == pytest.approx(reference.df_resid)
            assert found.p[0] == pytest.approx(reference.pvalues["Intercept"])
        else:
            assert cells_of(fitted(two, model)).freedom.sum() == pytest.approx(reference.df_resid)


@pytest.mark.parametrize(("model", "terms"), [("MD3", "topic"), ("MD5", "topic + shard"), ("MD6", "topic + shard")])
def test_without_gaps_the_error_is_that_of_the_regression(model: str, terms: str) -> None:
    two = drawn(9, gaps=False)[:, :2]
    reference = theirs((two[:, 0] - two[:, 1])[:, None], terms)
    found = system_differences(fit(two, model), np.array([0]), np.array([1]))
    assert found.estimate[0] == pytest.approx(reference.params["Intercept"])
    assert found.error[0] == pytest.approx(reference.bse["Intercept"])
    assert found.df[0] <= reference.df_resid + 1e-9


def test_each_topic_has_its_own_variance_and_weight() -> None:
    values = drawn(8)[:, :2]
    found = system_differences(fitted(values, "MD3"), np.array([0]), np.array([1]))
    d = values[:, 0] - values[:, 1]
    of_topics = [own[~np.isnan(own)] for own in d]
    shares = [float(own.var(ddof=1)) / len(own) for own in of_topics]
    assert found.estimate[0] == pytest.approx(np.mean([own.mean() for own in of_topics]))
    assert found.error[0] == pytest.approx(np.sqrt(sum(shares)) / 9)
    squares = sum(share**2 / (len(own) + 1) for share, own in zip(shares, of_topics, strict=True))
    assert found.df[0] == pytest.approx(sum(shares) ** 2 / squares - 2)


def test_equal_systems_are_found_different_at_the_level() -> None:
    """Topics that lack parts, as they have few relevant documents, vary three times as much as others."""
    rng, p = np.random.default_rng(11), []
    for _ in range(400):
        few = rng.random(20) < 0.3
        values = rng.gamma(1, 0.1, (20, 2, 3)) * np.where(few, 3, 1)[:, None, None] + rng.random((20, 1, 1))
        values[few, :, rng.integers(0, 3, int(few.sum()))] = np.nan
        p.append(float(system_differences(fitted(values, "MD3"), np.array([0]), np.array([1])).p[0]))
    assert np.mean(np.array(p) <= 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_draws_vary_as_weighted_sums_of_residuals_do() -> None:
    fit_ = fitted(drawn(5), "MD3")
    drawn_effects = bootstrap(fit_, draws=20_000, seed=2)
    pool, weight = fit_.residuals()[~np.isnan(fit_.residuals())], cells_of(fit_).weight
    expected = np.sqrt(np.square(weight).sum() * np.square(pool).mean() * (1 - 1 / 3))
    np.testing.assert_allclose(drawn_effects.draws.std(axis=1), expected, rtol=0.03)
    np.testing.assert_allclose(drawn_effects.draws.mean(axis=1), fit_.effects("system"), atol=4 * expected / 140)


def test_what_cannot_be_fitted_is_refused() -> None:
    some = drawn()
    some[0, 0, 0] = np.nan
    with pytest.raises(DesignError, match="some systems lack a score where others have one"):
        fitted(some, "MD3")
    apart = np.full((4, 2, 2), np.nan)
    apart[:2, :, 0], apart[2:, :, 1] = 0.1, 0.2
    with pytest.raises(DesignError, match="no topic in common"):
        fitted(apart + np.random.default_rng(1).random((4, 2, 2)), "MD5")
    single = drawn()
    single[6, :, :2] = np.nan
    with pytest.raises(DesignError, match="a topic has scores on one part alone"):
        system_effects(fitted(single, "MD3"))
    with pytest.raises(DesignError, match="explains the values completely"):
        fitted(apart + np.random.default_rng(1).random((4, 2, 2)), "MD3")
