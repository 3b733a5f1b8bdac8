"""Logistic regression with effects of groups, against scipy's search for the same mode and known coefficients."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from irgauge.models.grouped_logistic import Cases, GroupedLogistic, fit_grouped

GROUPS = 40


def _drawn(rng: np.random.Generator, cases: int = 4000) -> tuple[Cases, np.ndarray, np.ndarray]:
    columns = np.column_stack([np.ones(cases), rng.standard_normal(cases)])
    groups = rng.integers(GROUPS, size=cases)
    effects = rng.standard_normal((GROUPS, 2)) * [1.0, 0.5]
    own = Cases(columns, columns, groups)
    logits = own.logits(np.array([-1.0, 0.8]), effects)
    return own, (rng.random(cases) < 1 / (1 + np.exp(-logits))).astype(float), effects


@pytest.fixture(scope="module")
def fit() -> tuple[Cases, np.ndarray, np.ndarray, GroupedLogistic]:
    cases, outcomes, effects = _drawn(np.random.default_rng(5))
    return cases, outcomes, effects, fit_grouped(cases, outcomes, np.ones(len(outcomes)), GROUPS)


def test_the_mode_is_where_scipy_finds_it(fit: tuple[Cases, np.ndarray, np.ndarray, GroupedLogistic]) -> None:
    cases, outcomes, _, fitted = fit
    precision = np.linalg.inv(fitted.spread)

    def negative(parameters: np.ndarray) -> float:
        beta, b = parameters[:2], parameters[2:].reshape(GROUPS, 2)
        logits = cases.columns @ beta + (cases.of_groups * b[cases.groups]).sum(axis=1)
        likelihood = (outcomes * logits - np.logaddexp(0, logits)).sum()
        return float(-likelihood + 0.08 * beta @ beta + 0.5 * np.einsum("gi,ij,gj->", b, precision, b))

    start = np.concatenate([fitted.coefficients, fitted.effects.ravel()]) + 0.05
    best = minimize(negative, start, method="L-BFGS-B", options={"maxiter": 2000, "ftol": 1e-13})
    assert best.x[:2] == pytest.approx(fitted.coefficients, abs=0.01)
    assert best.x[2:] == pytest.approx(fitted.effects.ravel(), abs=0.02)


def test_coefficients_effects_and_their_spread_are_found(
    fit: tuple[Cases, np.ndarray, np.ndarray, GroupedLogistic],
) -> None:
    _, _, effects, fitted = fit
    assert fitted.coefficients == pytest.approx([-1.0, 0.8], abs=0.35)  # the mean of 40 groups
    assert np.sqrt(np.diag(fitted.spread)) == pytest.approx([1.0, 0.5], abs=0.25)
    assert np.corrcoef(fitted.effects[:, 0], effects[:, 0])[0, 1] > 0.9


def test_draws_spread_as_the_truth_is_off(fit: tuple[Cases, np.ndarray, np.ndarray, GroupedLogistic]) -> None:
    _, _, effects, fitted = fit
    rng = np.random.default_rng(1)
    draws = [fitted.drawn(rng) for _ in range(300)]
    totals = np.array([coefficients + own for coefficients, own in draws])  # draw, group, effect
    z = (effects + np.array([-1.0, 0.8]) - totals.mean(axis=0)) / totals.std(axis=0)
    assert 0.7 < np.square(z).mean() < 1.4


def test_outcomes_that_are_all_alike_and_groups_without_cases_do_no_harm() -> None:
    columns = np.ones((30, 1))
    fitted = fit_grouped(Cases(columns, columns, np.zeros(30, np.int64)), np.ones(30), np.ones(30), 3)
    assert np.isfinite(fitted.coefficients).all()
    assert fitted.effects[2] == pytest.approx([0.0], abs=1e-6)
