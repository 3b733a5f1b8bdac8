"""Margins of systems against scipy, and their like with another mean."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.tests_of_means import continuous, discrete
from benchmarks.tests_of_means.margins import Cells, means, moved, quantile
from numpy.polynomial.hermite_e import hermeval
from scipy import optimize, stats

from irgauge.compute.arrays import Floats

AP = np.clip(np.random.default_rng(4).beta(0.8, 2.5, 50), 1e-6, 1)
P10 = np.random.default_rng(5).binomial(10, np.random.default_rng(6).beta(1.5, 2, 50)) / 10
EDGES = np.linspace(0, 1, 1001)[1:]


def test_the_normal_distribution_cut_at_its_ends() -> None:
    def loss(parameters: Floats) -> float:
        mu, sigma = parameters
        return -float(stats.truncnorm.logpdf(AP, -mu / sigma, (1 - mu) / sigma, mu, sigma).sum())

    found = optimize.minimize(loss, [0.3, 0.3], method="Nelder-Mead", bounds=[(-2, 3), (0.05, 3)])
    mu, sigma = found.x
    fit = continuous.normal(AP)
    assert fit.likelihood == pytest.approx(-found.fun, abs=1e-3)
    chances = stats.truncnorm.cdf(EDGES, -mu / sigma, (1 - mu) / sigma, mu, sigma)
    np.testing.assert_allclose(fit.margin, chances, atol=2e-3)


def test_the_beta_distribution() -> None:
    a, b, _, _ = stats.beta.fit(AP, floc=0, fscale=1)
    fit = continuous.beta(AP)
    assert fit.likelihood == pytest.approx(stats.beta.logpdf(AP, a, b).sum(), abs=1e-4)
    np.testing.assert_allclose(fit.margin, stats.beta.cdf(EDGES, a, b), atol=1e-4)


def test_the_bandwidth_by_derivatives_of_the_normal_density() -> None:
    def functional(order: int, g: float) -> float:
        """The mean over pairs of a derivative of the normal density with standard deviation g."""
        z = (AP[:, None] - AP) / g
        return float((hermeval(z, [0] * order + [1]) * stats.norm.pdf(z)).mean() / g ** (order + 1))

    def stage(order: int, psi: float) -> float:
        return float((-2 * hermeval(0, [0] * order + [1]) * stats.norm.pdf(0) / (psi * 50)) ** (1 / (order + 3)))

    eighth = 105 / (32 * np.sqrt(np.pi) * AP.std(ddof=1) ** 9)
    fourth = functional(4, stage(4, functional(6, stage(6, eighth))))
    assert continuous.bandwidth(AP) == pytest.approx((1 / (2 * np.sqrt(np.pi) * fourth * 50)) ** 0.2, rel=1e-9)


def test_kernels_that_are_normal() -> None:
    h = continuous.bandwidth(AP)
    density = stats.gaussian_kde(AP, h / AP.std(ddof=1))
    inside = density.integrate_box_1d(0, 1)
    fit = continuous.normal_kernel(AP)
    assert fit.likelihood == pytest.approx(np.log(density(AP) / inside).sum(), rel=1e-9)
    assert fit.margin[299] == pytest.approx(density.integrate_box_1d(0, 0.3) / inside, rel=1e-9)
    assert fit.df == pytest.approx((stats.norm.pdf(0, 0, h) / density(AP)).mean(), rel=1e-9)


def test_kernels_that_are_beta() -> None:
    b = 50**-0.4

    def density(at: float) -> float:
        return float(stats.beta.pdf(AP, at / b + 1, (1 - at) / b + 1).mean())

    grid = np.linspace(0, 1, 2001)
    height = np.array([density(at) for at in grid])
    whole = np.trapezoid(height, grid)
    fit = continuous.beta_kernel(AP)
    assert fit.likelihood == pytest.approx(sum(np.log(density(x) / whole) for x in AP), abs=1e-3)
    assert fit.margin[299] == pytest.approx(np.trapezoid(height[:601], grid[:601]) / whole, abs=1e-4)


def test_the_least_aic_wins() -> None:
    every = [fit(AP) for fit in continuous.FITS]
    assert continuous.fitted(AP).aic == min(2 * fit.df - 2 * fit.likelihood for fit in every)
    assert len({round(fit.aic, 6) for fit in every}) == 4


def test_the_beta_binomial_distribution() -> None:
    places = np.round(10 * P10).astype(np.int64)

    def loss(parameters: Floats) -> float:
        return -float(stats.betabinom.logpmf(places, 10, *parameters).sum())

    found = optimize.minimize(loss, [1.0, 1.0], method="Nelder-Mead", bounds=[(0.01, 200)] * 2)
    fit = discrete.beta_binomial(places, 11)
    assert fit.likelihood == pytest.approx(-found.fun, abs=1e-4)
    np.testing.assert_allclose(fit.margin, stats.betabinom.cdf(range(11), 10, *found.x), atol=1e-3)


@pytest.mark.parametrize("h", [0.0, 0.3, 0.8])
def test_kernels_over_few_values(h: float) -> None:
    places = np.array([0, 0, 3, 9])
    expected = [np.mean([1 - h if k == x else (1 - h) / 2 * h ** abs(k - x) for x in places]) for k in range(11)]
    np.testing.assert_allclose(discrete.chances(places, 11, h), expected, atol=1e-15)
    without = [discrete.chances(np.delete(places, i), 11, h)[x] for i, x in enumerate(places)]
    error = sum(np.square(expected)) - 2 * np.mean(without)
    assert discrete.error(places, 11, h) == pytest.approx(error)


@pytest.mark.parametrize(("measure", "x"), [("AP", AP), ("P@10", P10), ("RR", 1 / np.arange(1.0, 51.0))])
@pytest.mark.parametrize("mean", [0.05, 0.3, 0.6])
def test_a_margin_moved_to_another_mean(measure: str, x: Floats, mean: float) -> None:
    cells = continuous.CELLS if measure == "AP" else discrete.cells(measure)
    fit = continuous.fitted(x) if measure == "AP" else discrete.fitted(x, measure)
    found = moved(fit.margin, cells.middle, mean)
    assert means(found, cells) == pytest.approx(mean, abs=1e-9)
    inner = (fit.margin > 0.05) & (fit.margin < 0.9)
    is_raised = mean > means(fit.margin, cells)
    powers = [np.log(one[inner] if is_raised else 1 - one[inner]) for one in (found, fit.margin)]
    steady = powers[0] / powers[1]
    np.testing.assert_allclose(steady, steady[0], rtol=1e-5)
    assert steady[0] > 1


def test_scores_by_their_quantiles() -> None:
    cells = Cells(np.array([0.0, 0.5]), np.array([0.5, 0.5]))
    margin = np.array([0.25, 1.0])
    assert [quantile(p, margin, *cells) for p in (0.125, 0.25, 0.625, 1.0)] == [0.25, 0.5, 0.75, 1.0]
    few = discrete.cells("P@10")
    steps = stats.betabinom.cdf(range(11), 10, 2, 3)
    for p in np.linspace(0.01, 0.99, 50):
        assert quantile(p, steps, *few) == pytest.approx(stats.betabinom.ppf(p, 10, 2, 3) / 10)
