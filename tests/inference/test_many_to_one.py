"""The largest of k t with correlations 1/2: against printed tables, mpmath, R, scipy, simulation and its properties."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference import studentized
from irgauge.inference.tests.dunnett import ppf, sf

Floats = NDArray[np.float64]
Sides = Literal[1, 2]
INF = math.inf

# (t, k, df, sides, P(max t > t)). Computed with mpmath at 40 digits, by Gauss-Legendre quadrature on panels of 18 nodes
# in z and in log s: another rule, with the density of s from the gamma function.
REFERENCES: list[tuple[float, int, float, Sides, float]] = [
    (25.5, 2, 2, 1, 0.001234124546055059),
    (-1.3, 2, 5, 1, 0.9505254657676729),
    (3.03, 2, 5, 2, 0.05001324579592319),
    (2.34, 3, 10, 1, 0.04980280272089191),
    (2.54, 3, 20, 2, 0.05003594047524624),
    (9.0, 3, 20, 2, 5.278326085240069e-08),
    (-0.4, 5, 12, 1, 0.9237204288382691),
    (2.9, 5, 12, 2, 0.05011019446506045),
    (30.0, 5, 5, 1, 1.383164347038874e-06),
    (2.0, 10, 40, 1, 0.1447446928059634),
    (6.5, 10, 40, 2, 9.02907696558717e-07),
    (11.0, 10, 100, 2, 6.434628991750702e-18),
    (3.0, 20, 1000, 2, 0.03883205163133852),
    (7.2, 20, 1000, 1, 1.181611998294373e-11),
    (3.35, 127, 6223, 2, 0.05016905471405918),
    (7.5, 127, 6223, 2, 9.230848651779619e-12),
    (3.1, 127, 6223, 1, 0.05033631011711827),
    (0.3, 127, 126, 1, 0.9781853276366708),
    (1.2, 127, 126, 2, 0.999987149556966),
    (4.7, 127, 126, 1, 0.000325825971980853),
    (2.65, 9, INF, 2, 0.05514729933574703),
    (7.4, 9, INF, 1, 6.12795136018631e-13),
    (3.77, 999, 1e6, 2, 0.05019838767241659),
    (8.1, 999, 1e6, 1, 2.745661305948749e-13),
    (4.3, 1000, 20, 2, 0.05039001834809785),
    (1.5, 1000, 20, 1, 0.8491549491003128),
]

# Dunnett (1964), table II, as reprinted in Montgomery, Design and Analysis of Experiments: two-sided, α = 0.05; the
# columns are k = 1 to 9. All of it is what ppf rounds to.
TWO_SIDED_05: dict[float, tuple[float, ...]] = {
    5: (2.57, 3.03, 3.29, 3.48, 3.62, 3.73, 3.82, 3.90, 3.97),
    6: (2.45, 2.86, 3.10, 3.26, 3.39, 3.49, 3.57, 3.64, 3.71),
    8: (2.31, 2.67, 2.88, 3.02, 3.13, 3.22, 3.29, 3.35, 3.41),
    10: (2.23, 2.57, 2.76, 2.89, 2.99, 3.07, 3.14, 3.19, 3.24),
    13: (2.16, 2.48, 2.65, 2.78, 2.87, 2.94, 3.00, 3.06, 3.10),
    20: (2.09, 2.38, 2.54, 2.65, 2.73, 2.80, 2.86, 2.90, 2.95),
    24: (2.06, 2.35, 2.51, 2.61, 2.70, 2.76, 2.81, 2.86, 2.90),
    40: (2.02, 2.29, 2.44, 2.54, 2.62, 2.68, 2.73, 2.77, 2.81),
    60: (2.00, 2.27, 2.41, 2.51, 2.58, 2.64, 2.69, 2.73, 2.77),
    120: (1.98, 2.24, 2.38, 2.47, 2.55, 2.60, 2.65, 2.69, 2.73),
    INF: (1.96, 2.21, 2.35, 2.44, 2.51, 2.57, 2.61, 2.65, 2.69),
}
# Dunnett (1964), table III, as reprinted: two-sided, α = 0.01; k = 1 to 9.
TWO_SIDED_01: dict[float, tuple[float, ...]] = {
    5: (4.03, 4.63, 4.98, 5.22, 5.41, 5.56, 5.69, 5.80, 5.89),
    6: (3.71, 4.22, 4.51, 4.71, 4.87, 5.00, 5.10, 5.20, 5.28),
    10: (3.17, 3.53, 3.74, 3.88, 3.99, 4.08, 4.16, 4.22, 4.28),
    20: (2.85, 3.13, 3.29, 3.40, 3.48, 3.55, 3.60, 3.65, 3.69),
}
# Dunnett (1955), table 1a, with columns of later tables, as reprinted in Ott and Longnecker's textbook: one-sided,
# α = 0.05; k = 2 to 12, 15 and 20.
ONE_SIDED_05: dict[float, tuple[float, ...]] = {
    5: (2.44, 2.68, 2.85, 2.98, 3.08, 3.16, 3.24, 3.30, 3.36, 3.41, 3.45, 3.57, 3.72),
    6: (2.34, 2.56, 2.71, 2.83, 2.92, 3.00, 3.07, 3.12, 3.17, 3.22, 3.26, 3.37, 3.50),
    10: (2.15, 2.34, 2.47, 2.56, 2.64, 2.70, 2.76, 2.81, 2.85, 2.89, 2.92, 3.01, 3.12),
    30: (1.99, 2.15, 2.25, 2.33, 2.40, 2.45, 2.50, 2.54, 2.57, 2.60, 2.63, 2.70, 2.79),
    60: (1.95, 2.10, 2.21, 2.28, 2.35, 2.39, 2.44, 2.48, 2.51, 2.54, 2.56, 2.63, 2.72),
    INF: (1.92, 2.06, 2.16, 2.23, 2.29, 2.34, 2.38, 2.42, 2.45, 2.48, 2.50, 2.56, 2.64),
}
FEW_AND_MANY = (*range(2, 13), 15, 20)
# Printed entries that are one off in the last digit, (k, df): what is printed, and what it should be.
MISPRINTS: dict[tuple[Sides, float], dict[tuple[int, float], tuple[float, float]]] = {
    (2, 0.05): {},
    (2, 0.01): {(3, 5): (4.98, 4.9747), (7, 5): (5.69, 5.6833), (8, 5): (5.80, 5.7919), (2, 6): (4.22, 4.2124)},
    (1, 0.05): {
        (20, 5): (3.72, 3.7149),
        (8, 6): (3.07, 3.0643),
        (5, 30): (2.33, 2.3352),
        (6, 60): (2.35, 2.3448),
        (7, 60): (2.39, 2.3954),
        (12, 60): (2.56, 2.5651),
        (15, INF): (2.56, 2.5653),
    },
}


@pytest.mark.parametrize(("t", "k", "df", "sides", "expected"), REFERENCES)
def test_sf_equals_high_precision_quadrature(t: float, k: int, df: float, sides: Sides, expected: float) -> None:
    assert sf(t, k, df, sides) == pytest.approx(expected, rel=2e-12, abs=0)


@pytest.mark.parametrize(
    ("table", "ks", "sides", "alpha"),
    [
        (TWO_SIDED_05, range(1, 10), 2, 0.05),
        (TWO_SIDED_01, range(1, 10), 2, 0.01),
        (ONE_SIDED_05, FEW_AND_MANY, 1, 0.05),
    ],
    ids=["two-sided 5 %", "two-sided 1 %", "one-sided 5 %"],
)
def test_critical_values_are_those_of_dunnetts_tables(
    table: dict[float, tuple[float, ...]], ks: tuple[int, ...], sides: Sides, alpha: float
) -> None:
    misprints = MISPRINTS[sides, alpha]
    for df, row in table.items():
        for k, printed in zip(ks, row, strict=True):
            value = ppf(1 - alpha, k, df, sides)
            if (k, df) in misprints:
                assert (printed, round(value, 4)) == misprints[k, df]
            else:
                assert abs(value - printed) <= 0.005 + 1e-4, (k, df)


@pytest.mark.parametrize(
    ("k", "df", "printed"), [(4, 12, 3.32), (7, 12, 3.56), (2, 60, 2.64), (4, 60, 2.87)]
)  # Dunnett (1955), table 1b, as in the tests of scipy
def test_one_sided_critical_values_at_1_percent(k: int, df: float, printed: float) -> None:
    assert round(ppf(0.99, k, df, 1), 2) == printed


# mvtnorm 1.1.3 of R 4.2.2: pmvt with TVPACK(abseps = 1e-13), P(all t ≤ t); (t, k, df)
TVPACK = {
    (-1, 2, 1): 0.134973271918692,
    (2.5, 2, 1): 0.819427309410805,
    (0.5, 2, 5): 0.535096588172724,
    (4, 2, 30): 0.999628744194291,
    (-1, 3, 1): 0.0902569116021199,
    (4, 3, 1): 0.858348173002278,
    (-1, 3, 5): 0.0471452179830111,
    (2.5, 3, 5): 0.938256776676292,
    (0.5, 3, 30): 0.456774154213382,
    (4, 3, 30): 0.999456936013085,
}
# and pmvnorm with Miwa(steps = 2048), k = 4; (t, sides)
MIWA: dict[tuple[float, Sides], float] = {
    (1, 1): 0.626698958895687,
    (1, 2): 0.289317119238328,
    (2.5, 1): 0.978559891871556,
    (2.5, 2): 0.957120075546455,
}


def test_sf_equals_mvtnorm() -> None:
    for (t, k, df), below in TVPACK.items():
        assert 1 - sf(t, k, df, 1) == pytest.approx(below, abs=1e-12)
    for (t, sides), below in MIWA.items():
        assert 1 - sf(t, 4, INF, sides) == pytest.approx(below, abs=1e-9)


# R's PlantGrowth: three groups of ten, one-way; multcomp 1.4.22, glht(lm(weight ~ group), mcp(group = "Dunnett")): the
# p-values, exact for two t, as (t, sides) -> p; and the critical values of the 95 % intervals, good to three decimals
PLANTS: dict[tuple[float, Sides], float] = {
    (-1.33079080116468, 2): 0.322695685769,
    (1.77199637675297, 2): 0.153485861515,
    (-1.33079080116468, 1): 0.9679512506732,
    (1.77199637675297, 1): 0.0768401694146,
    (1.33079080116468, 1): 0.162339130728,
    (-1.77199637675297, 1): 0.989158494352,
}


def test_a_one_way_layout_equals_multcomp() -> None:
    for (t, sides), p in PLANTS.items():
        assert sf(t, 2, 27, sides) == pytest.approx(p, abs=1e-11)
    assert ppf(0.95, 2, 27, 2) == pytest.approx(2.333538449, abs=3e-4)
    assert ppf(0.95, 2, 27, 1) == pytest.approx(1.997606245, abs=3e-4)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("groups", "size"), [(3, 5), (6, 12)])
def test_a_one_way_layout_equals_scipy(groups: int, size: int, sides: Sides) -> None:
    rng = np.random.default_rng(groups)
    y = rng.normal(size=(groups + 1, size)) + 0.4 * np.arange(groups + 1)[:, None]  # the control first
    t, se = one_way(y)
    alternative = "two-sided" if sides == 2 else "greater"
    theirs = stats.dunnett(*y[1:], control=y[0], alternative=alternative, random_state=np.random.default_rng(1))
    df = (groups + 1) * (size - 1)
    np.testing.assert_allclose(t, theirs.statistic, rtol=1e-10)
    np.testing.assert_allclose(sf(t, groups, df, sides), theirs.pvalue, atol=1e-3)
    interval = theirs.confidence_interval(0.95)
    np.testing.assert_allclose(t - ppf(0.95, groups, df, sides), interval.low / se, atol=0.02)


def one_way(y: Floats) -> tuple[Floats, float]:
    """The t of each group y[group, value] but the first against the first, and their common standard error."""
    se = math.sqrt(2 * y.var(axis=1, ddof=1).mean() / y.shape[1])
    return (y[1:].mean(axis=1) - y[0].mean()) / se, se


@pytest.mark.parametrize(("k", "df"), [(2, 3), (5, 12), (30, 60), (127, 6223)])
def test_sf_and_ppf_equal_a_simulation(k: int, df: int) -> None:
    draws = 20_000
    rng = np.random.default_rng(k)
    x = rng.normal(size=(draws, k + 1))
    s = np.sqrt(rng.chisquare(df, size=(draws, 1)) / df)
    t = (x[:, 1:] - x[:, :1]) / (s * math.sqrt(2))
    for sides, largest in ((1, t.max(axis=1)), (2, np.abs(t).max(axis=1))):
        for p in (0.5, 0.1, 0.05, 0.01):
            c = ppf(1 - p, k, df, sides)
            assert abs((largest > c).mean() - p) < 4 * math.sqrt(p * (1 - p) / draws), (sides, p)


# properties

sizes = st.floats(0.01, 40.0)
counts = st.sampled_from([1, 2, 3, 7, 30, 127, 1000])
freedoms = st.one_of(st.floats(0.0, 6.0).map(lambda x: 10.0**x), st.just(INF))
either = st.sampled_from([1, 2])
some = settings(deadline=None, max_examples=20)


@pytest.mark.parametrize("df", [1, 2.5, 12, 300, 6272, 1e6, INF])
def test_one_t_is_students_also_in_extreme_tails(df: float) -> None:
    t = np.geomspace(0.01, 1e5 if df < 100 else 36.0, 100)
    expected = stats.t.sf(t, df)
    far = expected > 1e-250
    np.testing.assert_allclose(sf(t, 1, df, 1)[far], expected[far], rtol=1e-12)
    np.testing.assert_allclose(sf(t, 1, df, 2)[far], 2 * expected[far], rtol=1e-12)
    np.testing.assert_allclose(sf(-t, 1, df, 1), stats.t.sf(-t, df), rtol=1e-12)


@some
@given(st.lists(st.floats(-40.0, 40.0), min_size=2, max_size=4), counts, freedoms, either)
def test_sf_decreases_in_t(t: list[float], k: int, df: float, sides: Sides) -> None:
    ordered = np.sort(t if sides == 1 else np.abs(t))
    tail = sf(ordered, k, df, sides)
    assert (np.diff(tail) <= 1e-12 * tail[1:]).all()
    assert ((tail >= 0) & (tail <= 1)).all()


@some
@given(sizes, counts, freedoms, either)
def test_sf_lies_between_that_of_one_t_and_bonferronis(t: float, k: int, df: float, sides: Sides) -> None:
    one, all_k = float(sf(t, 1, df, sides)), float(sf(t, k, df, sides))
    assert one * (1 - 1e-11) <= all_k <= k * one * (1 + 1e-11) + 1e-250


@some
@given(sizes, counts, freedoms)
def test_two_sided_is_at_most_twice_one_sided_and_at_most_tukeys(t: float, k: int, df: float) -> None:
    one, two = sf(t, k, df, 1), sf(t, k, df, 2)
    assert one * (1 - 1e-11) - 1e-250 <= two <= 2 * one * (1 + 1e-11) + 1e-250  # what is smaller fades to 0
    assert two <= studentized.sf(math.sqrt(2) * t, k + 1, df) * (1 + 1e-11) + 1e-250


@pytest.mark.parametrize("k", [1, 2, 9, 127, 1000])
def test_any_of_the_systems_may_be_the_best(k: int) -> None:
    for df in (1, 30, 1e6, INF):
        assert sf(0.0, k, df, 1) == pytest.approx(k / (k + 1), abs=1e-13)
        assert sf(0.0, k, df, 2) == 1


@some
@given(st.floats(0.001, 0.999999), st.sampled_from([1, 2, 30, 127]), freedoms, either)
def test_ppf_inverts_sf(q: float, k: int, df: float, sides: Sides) -> None:
    assert sf(ppf(q, k, df, sides), k, df, sides) == pytest.approx(1 - q, rel=1e-10)


@some
@given(sizes, counts, st.floats(1.0, 4.0).map(lambda x: 10.0**x), either)
def test_more_freedom_nears_normal_variables(t: float, k: int, df: float, sides: Sides) -> None:
    limit = sf(t, k, INF, sides)
    assert abs(sf(t, k, 100 * df, sides) - limit) <= abs(sf(t, k, df, sides) - limit) + 1e-12
    assert sf(t, k, 1e13, sides) == limit


def test_a_value_does_not_depend_on_the_others() -> None:
    t = np.array([[-30.0, -1.0, 0.0], [1e-3, 2.5, 30.0]])
    for k, df, sides in ((3, 4.0, 1), (50, 500.0, 1), (50, 500.0, 2)):
        alone = [[float(sf(x, k, df, sides)) for x in row] for row in t]  # type: ignore[arg-type]  # a literal
        np.testing.assert_allclose(sf(t, k, df, sides), alone, rtol=1e-13)  # type: ignore[arg-type]  # a literal


def test_ends() -> None:
    for df in (1, 50, 1e6, INF):
        np.testing.assert_allclose(sf([-INF, -1e300, 1e300, INF], 5, df, 1), [1, 1, 0, 0], rtol=1e-12, atol=1e-290)
        np.testing.assert_allclose(sf([-INF, 1e-300, INF], 5, df, 2), [0, 1, 0], rtol=1e-12)
    assert np.isnan(sf([math.nan, 1.0], 3, 9)).tolist() == [True, False]
    assert sf([], 3, 9).shape == (0,)
    assert sf(1.0, 3, 9).shape == ()
    assert ppf(1e-20, 3, 9, 2) == 0
    assert ppf(0.25, 3, INF, 1) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("k", "df", "sides", "q", "message"),
    [
        (0, 5, 2, 0.5, "of at least 1, but k is 0"),
        (2.5, 5, 2, 0.5, "a whole number"),
        (2, 0.5, 2, 0.5, "at least 1 degree of freedom"),
        (2, math.nan, 2, 0.5, "but df is nan"),
        (2, 5, 3, 0.5, "1 or 2 sides, but sides is 3"),
        (2, 5, 2, 1.0, "a probability between 0 and 1, but q is 1"),
    ],
)
def test_impossible_parameters(k: int, df: float, sides: Sides, q: float, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        ppf(q, k, df, sides)
