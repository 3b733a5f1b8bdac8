"""Copulas against their distribution functions, typed in here, and against scipy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from benchmarks.tests_of_means import copulas
from benchmarks.tests_of_means.archimedean import BB1, BB6, BB7, BB8, FRANK
from benchmarks.tests_of_means.copulas import NORMAL, STUDENT, TAWN, Grid
from benchmarks.tests_of_means.elliptical import t_chance
from benchmarks.tests_of_means.stream import normals, state, uniform
from scipy import stats

from irgauge.compute.arrays import Floats

Chance = Callable[[float, float], float]
log, exp = np.log, np.exp


def normal(rho: float) -> Chance:
    law = stats.multivariate_normal(cov=[[1, rho], [rho, 1]])
    return lambda u, v: float(law.cdf(stats.norm.ppf([u, v])))


def student(rho: float, df: int) -> Chance:
    law = stats.multivariate_t(shape=[[1, rho], [rho, 1]], df=df, seed=1)
    return lambda u, v: float(law.cdf(stats.t.ppf([u, v], df), maxpts=20_000))


def joe(u: float, v: float, a: float, b: float) -> float:
    """Joe's BB6; Joe's own with b = 1, Gumbel's with a = 1."""
    x, y = -log(1 - (1 - u) ** a), -log(1 - (1 - v) ** a)
    return float(1 - (1 - exp(-((x**b + y**b) ** (1 / b)))) ** (1 / a))


def bb8(u: float, v: float, a: float, b: float) -> float:
    product = (1 - (1 - b * u) ** a) * (1 - (1 - b * v) ** a) / (1 - (1 - b) ** a)
    return float((1 - (1 - product) ** (1 / a)) / b)


CASES: list[tuple[int, float, float, Chance]] = [
    (BB1, 2.0, 1.0, lambda u, v: (u**-2 + v**-2 - 1) ** -0.5),  # Clayton
    (BB6, 1.0, 2.5, lambda u, v: exp(-(((-log(u)) ** 2.5 + (-log(v)) ** 2.5) ** 0.4))),  # Gumbel
    (BB6, 3.0, 1.0, lambda u, v: 1 - ((1 - u) ** 3 + (1 - v) ** 3 - ((1 - u) * (1 - v)) ** 3) ** (1 / 3)),  # Joe
    (FRANK, 5.0, 0.0, lambda u, v: -log(1 + (exp(-5 * u) - 1) * (exp(-5 * v) - 1) / (exp(-5.0) - 1)) / 5),
    (BB1, 0.7, 1.6, lambda u, v: (1 + ((u**-0.7 - 1) ** 1.6 + (v**-0.7 - 1) ** 1.6) ** (1 / 1.6)) ** (-1 / 0.7)),
    (BB6, 1.5, 1.8, lambda u, v: joe(u, v, 1.5, 1.8)),
    (
        BB7,
        1.8,
        1.2,
        lambda u, v: (
            1 - (1 - ((1 - (1 - u) ** 1.8) ** -1.2 + (1 - (1 - v) ** 1.8) ** -1.2 - 1) ** (-1 / 1.2)) ** (1 / 1.8)
        ),
    ),
    (BB8, 4.0, 0.7, lambda u, v: bb8(u, v, 4.0, 0.7)),
    (TAWN, 3.0, 0.6, lambda u, v: u**0.4 * exp(-(((-0.6 * log(u)) ** 3 + (-log(v)) ** 3) ** (1 / 3)))),
    (NORMAL, 0.6, 0.0, normal(0.6)),
    (STUDENT, 0.5, 3.0, student(0.5, 3)),
]
POINTS = [(0.1, 0.2), (0.5, 0.5), (0.3, 0.8), (0.9, 0.85), (0.75, 0.2)]


def one(family: int, a: float, b: float) -> Grid:
    return Grid(np.array([family]), np.array([a]), np.array([float(b)]), np.array([1]))


@pytest.mark.parametrize(("family", "a", "b", "chance"), [case for case in CASES if case[0] not in (NORMAL, STUDENT)])
def test_densities_are_derivatives(family: int, a: float, b: float, chance: Chance) -> None:
    table, h = exp(copulas.densities(one(family, a, b), 9)[:, :, 0].astype(float)), 1e-3
    for i, j in [(1, 2), (5, 5), (2, 8), (7, 1), (8, 8)]:
        u, v = i / 10, j / 10
        mixed = chance(u + h, v + h) - chance(u + h, v - h) - chance(u - h, v + h) + chance(u - h, v - h)
        assert table[i - 1, j - 1] == pytest.approx(mixed / (4 * h * h), rel=1e-3)


@pytest.mark.parametrize("df", [0, 2, 3, 30])
def test_densities_of_elliptical_copulas(df: int) -> None:
    u, rho = np.arange(1, 10) / 10, 0.6
    x = stats.t.ppf(u, df) if df else stats.norm.ppf(u)
    both = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1)
    shape = [[1, rho], [rho, 1]]
    joint = stats.multivariate_t(shape=shape, df=df).pdf(both) if df else stats.multivariate_normal(cov=shape).pdf(both)
    single = stats.t.pdf(x, df) if df else stats.norm.pdf(x)
    found = copulas.densities(one(STUDENT if df else NORMAL, rho, df), 9)[:, :, 0]
    np.testing.assert_allclose(exp(found), joint / np.outer(single, single), rtol=1e-5)


def drawn(family: int, a: float, b: float, count: int = 20_000) -> Floats:
    stream = state(3, family)
    return np.array([copulas.draw(family, a, b, 0, 0, stream) for _ in range(count)])


@pytest.mark.parametrize(("family", "a", "b", "chance"), CASES)
def test_draws_have_the_distribution(family: int, a: float, b: float, chance: Chance) -> None:
    found = drawn(family, a, b)
    assert stats.kstest(found[:, 0], "uniform").pvalue > 1e-4
    assert stats.kstest(found[:, 1], "uniform").pvalue > 1e-4
    for u, v in POINTS:
        p = chance(u, v)
        share = ((found[:, 0] <= u) & (found[:, 1] <= v)).mean()
        assert abs(share - p) < 4.5 * np.sqrt(p * (1 - p) / len(found)) + 1e-3 * (family == STUDENT)


def test_a_turned_or_swapped_copula_is_the_same_but_for_that() -> None:
    plain = copulas.draw(TAWN, 3.0, 0.6, 0, 0, state(8))
    assert copulas.draw(TAWN, 3.0, 0.6, 1, 0, state(8)) == (1 - plain[0], plain[1])
    assert copulas.draw(TAWN, 3.0, 0.6, 2, 0, state(8)) == (plain[0], 1 - plain[1])
    assert copulas.draw(TAWN, 3.0, 0.6, 3, 0, state(8)) == (1 - plain[0], 1 - plain[1])
    assert copulas.draw(TAWN, 3.0, 0.6, 0, 1, state(8)) == plain[::-1]


def test_the_densities_of_the_whole_grid_are_finite() -> None:
    grid = Grid.whole()
    assert np.isfinite(copulas.densities(grid, 5)).all()
    assert set(grid.family.tolist()) == set(copulas.NAMES)


WHOLE = Grid.whole()
SOME = np.arange(0, len(WHOLE.family), 67)
THIN = Grid(WHOLE.family[SOME], WHOLE.a[SOME], WHOLE.b[SOME], WHOLE.parameters[SOME])


@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, -1)])
def test_the_copula_with_the_least_aic_is_found(signs: tuple[int, int]) -> None:
    pair = drawn(TAWN, 3.0, 0.5, 50) * signs
    ranks = pair.T.argsort(axis=1).argsort(axis=1)
    table = copulas.densities(THIN, 50)
    found = copulas.fitted(ranks, np.array([0]), np.array([1]), table, THIN.parameters)[0]
    is_negative = stats.spearmanr(*ranks).statistic < 0
    losses: dict[tuple[int, ...], float] = {}
    for turn in (1, 2) if is_negative else (0, 3):
        for swapped in (0, 1):
            u, v = (49 - ranks[0] if turn & 1 else ranks[0]), (49 - ranks[1] if turn & 2 else ranks[1])
            places = (v, u) if swapped else (u, v)
            aic = 2 * THIN.parameters - 2 * table[places].sum(axis=0, dtype=float)
            losses |= {(row, turn, swapped): loss for row, loss in enumerate(aic)}
    assert losses[tuple(found.tolist())] == pytest.approx(min(losses.values()), abs=1e-3)
    assert bool(found[1] in (1, 2)) == is_negative == (signs == (1, -1))


@pytest.mark.parametrize("df", [2, 3, 8, 15])
def test_the_distribution_of_t(df: int) -> None:
    for t in (-8.0, -1.3, 0.0, 0.4, 2.5):
        assert t_chance(t, df) == pytest.approx(stats.t.cdf(t, df), rel=1e-9)


def test_random_numbers() -> None:
    stream = state(4)
    assert stats.kstest([uniform(stream) for _ in range(5000)], "uniform").pvalue > 1e-3
    pairs = np.array([normals(stream) for _ in range(5000)])
    assert stats.kstest(pairs.ravel(), "norm").pvalue > 1e-3
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 0.06
