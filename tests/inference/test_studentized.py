"""The studentized range against scipy, the t distribution, mpmath, and its own properties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference.studentized import cdf, ppf, sf

INF = math.inf

# (q, k, df, P(Q > q)). Computed with mpmath at 34 digits and more, by Gauss-Legendre quadrature on panels of 24 nodes,
# of ∫ f(u) {1 - k ∫ φ(z) [Φ(z) - Φ(z - q e^u)]^(k-1) dz} du: another rule, and the form that cancels, which that
# precision can afford. A second computation, with panels a quarter wider, agrees to 16 digits.
REFERENCES: list[tuple[float, int, float, float]] = [
    (1.41, 2, 1, 0.5009497989685648),
    (90.0, 2, 1, 0.01000269141138487),
    (9.71, 2, 5, 0.001001885563871902),
    (1.48, 2, 60, 0.2995196260585784),
    (10.2, 2, 60, 1.085282202339367e-09),
    (6.92, 2, INF, 9.922012405209107e-07),
    (6.62, 3, 1, 0.1998623296569649),
    (8.33, 3, 2, 0.0500089231496262),
    (0.622, 3, 10, 0.899893671548805),
    (3.88, 3, 10, 0.04981390577107827),
    (12.9, 3, 10, 9.955912054805741e-06),
    (23.6, 3, 20, 9.772186269026394e-13),
    (1.59, 3, 1000, 0.4992784600983775),
    (8.44, 3, 1000, 9.989078002618e-09),
    (3.31, 3, INF, 0.05040337214710301),
    (10.3, 3, INF, 9.779622482797647e-13),
    (13.3, 5, 3, 0.01005292477726385),
    (4.04, 5, 40, 0.04992673449256376),
    (10.2, 5, 40, 9.308936951613357e-08),
    (25.0, 5, 128, 3.71172928602826e-35),
    (6.24, 5, 100000, 0.0001000020217022324),
    (2.86, 10, 1, 0.7001362492805971),
    (1010.0, 10, 2, 9.90713276534246e-06),
    (3.08, 10, 20, 0.5002454473125874),
    (6.09, 10, 20, 0.00994612723287727),
    (21.2, 10, 20, 9.678553141026666e-11),
    (6.19, 10, 128, 0.001002074665515296),
    (18.0, 10, INF, 1.861664285928981e-35),
    (6.47, 20, 10, 0.04985902361282443),
    (2.63, 20, 6272, 0.9491206815825798),
    (8.27, 20, 6272, 9.848004866824142e-07),
    (9.76, 20, INF, 9.777518625608882e-10),
    (8.12, 50, 5, 0.09991499843268632),
    (8.57, 50, 60, 9.884110260970277e-05),
    (6.23, 50, 1e6, 0.009952915966125719),
    (11.0, 50, 1e6, 9.019636655970026e-12),
    (15.3, 129, 3, 0.05025869748463284),
    (5.92, 129, 49, 0.1999664866114624),
    (11.4, 129, 49, 1.043773573579378e-06),
    (3.72, 129, 6272, 0.9989996568807048),
    (5.15, 129, 6272, 0.4986390473007303),
    (6.24, 129, 6272, 0.05034956984514253),
    (7.45, 129, 6272, 0.001017008923554808),
    (10.1, 129, 6272, 8.437049147502778e-09),
    (11.7, 129, 6272, 1.303276962146584e-12),
    (16.0, 129, 6272, 1.782870175015621e-25),
    (6.24, 129, 1e6, 0.04981429600138004),
    (9.59, 129, 1e6, 9.77473916503525e-08),
    (9.4, 300, 20, 0.009978709174863256),
    (6.0, 300, 10000, 0.3019253684268798),
    (10.8, 300, 10000, 1.088141396835371e-09),
    (10.5, 1000, 10, 0.0494141504567448),
    (7.38, 1000, 6272, 0.04936517083999237),
    (9.96, 1000, 6272, 1.015055735477818e-06),
    (8.28, 2500, 100000, 0.009968549648260654),
    (6.95, 2500, INF, 0.4975368499311965),
    (11.9, 2500, INF, 1.22953333894399e-10),
]

groups = st.integers(2, 2000)
freedoms = st.one_of(st.floats(0.0, 7.0).map(lambda x: 10.0**x), st.just(INF))
ranges = st.floats(0.01, 60.0)
tails = st.floats(-40.0, -1e-4).map(math.exp)  # P(Q > q)
slow = settings(deadline=None)  # the first call of some k fills a table


@pytest.mark.parametrize(("q", "k", "df", "expected"), REFERENCES)
def test_sf_equals_high_precision_quadrature(q: float, k: int, df: float, expected: float) -> None:
    assert sf(q, k, df) == pytest.approx(expected, rel=1e-12, abs=0)
    assert cdf(q, k, df) == pytest.approx(1 - expected, rel=0, abs=1e-14)


@pytest.mark.parametrize("df", [3, 10, 100, 1000, 10000])
@pytest.mark.parametrize("k", [2, 3, 10, 50, 200])
def test_sf_equals_scipy(k: int, df: float) -> None:
    q = np.array([0.1, 1.0, 2.5, 4.0, 6.0, 9.0])
    np.testing.assert_allclose(sf(q, k, df), stats.studentized_range.sf(q, k, df), rtol=0, atol=1e-8)


@pytest.mark.parametrize(("p", "k", "df"), [(0.95, 3, 10), (0.99, 10, 20), (0.5, 50, 5), (0.95, 129, 6272)])
def test_ppf_equals_scipy(p: float, k: int, df: float) -> None:
    assert ppf(p, k, df) == pytest.approx(stats.studentized_range.ppf(p, k, df), rel=1e-8)


@slow
@given(ranges, freedoms)
def test_two_groups_are_the_t_test(q: float, df: float) -> None:
    assert sf(q, 2, df) == pytest.approx(2 * stats.t.sf(q / math.sqrt(2), df), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("df", [1, 2.5, 12, 39.9, 40.1, 300, 6272, 1e5, 1e8, 1e12, 1e20, 1e30, INF])
def test_two_groups_are_the_t_test_in_extreme_tails(df: float) -> None:
    q = np.geomspace(0.01, 1e5 if df < 100 else 52.0, 200)
    expected = 2 * stats.t.sf(q / math.sqrt(2), df)
    far = expected > 1e-290
    np.testing.assert_allclose(sf(q, 2, df)[far], expected[far], rtol=1e-12)


@slow
@given(ranges, ranges, groups, freedoms)
def test_sf_decreases_in_q(q: float, other: float, k: int, df: float) -> None:
    low, high = sf(sorted((q, other)), k, df)
    assert 0 <= high <= low * (1 + 1e-12) <= 1 + 1e-12


@slow
@given(ranges, groups, groups, freedoms)
def test_sf_increases_in_k_up_to_bonferroni(q: float, k: int, other: int, df: float) -> None:
    few, many = sorted((k, other))
    pair, low, high = sf(q, [2, few, many], df)
    slack = 1 + 1e-12
    assert pair <= low * slack
    assert low <= high * slack
    assert high <= many * (many - 1) / 2 * pair * slack + 1e-300


@slow
@given(ranges, groups, st.floats(1.0, 6.0).map(lambda x: 10.0**x))
def test_more_freedom_nears_the_range_of_normals(q: float, k: int, df: float) -> None:
    limit = sf(q, k, INF)
    assert abs(sf(q, k, 100 * df) - limit) <= abs(sf(q, k, df) - limit) + 1e-13
    assert sf(q, k, 1e24) == pytest.approx(limit, rel=1e-11, abs=1e-300)


@slow
@given(ranges, groups, freedoms)
def test_sf_and_cdf_add_to_one(q: float, k: int, df: float) -> None:
    assert sf(q, k, df) + cdf(q, k, df) == pytest.approx(1, rel=0, abs=1e-15)


@slow
@given(tails, groups, freedoms)
def test_ppf_inverts_cdf(tail: float, k: int, df: float) -> None:
    p = 1 - tail
    q = float(ppf(p, k, df))
    below, above = sf([q * (1 - 1e-10), q * (1 + 1e-10)], k, df)
    assert above * (1 - 1e-12) <= 1 - p <= below * (1 + 1e-12)


@slow
@given(st.lists(st.tuples(ranges, groups, freedoms), max_size=8))
def test_a_value_does_not_depend_on_the_others(cases: list[tuple[float, int, float]]) -> None:
    q, k, df = np.array(cases, np.float64).reshape(-1, 3).T
    np.testing.assert_array_equal(sf(q, k, df), [sf(*case) for case in cases])


@slow
@given(st.floats(), groups, st.floats(1e-300, INF, exclude_min=True))
def test_every_double_has_a_tail(q: float, k: int, df: float) -> None:
    tail = sf(q, k, df)
    assert np.isnan(tail) if math.isnan(q) else 0 <= tail <= 1


@slow
@given(st.floats(0.0, 1.0), groups, freedoms)
def test_every_probability_has_a_quantile(p: float, k: int, df: float) -> None:
    q = ppf(p, k, df)
    assert q >= 0
    assert cdf(q, k, df) == pytest.approx(p, rel=0, abs=1e-12)


def test_ends() -> None:
    np.testing.assert_array_equal(sf([-INF, -1.0, 0.0, 1e-320, INF], 3, 10), [1, 1, 1, 1, 0])
    np.testing.assert_array_equal(ppf([0.0, 1.0], 3, 10), [0, INF])
    np.testing.assert_array_equal(sf(200.0, 129, [6272, 1e9, INF]), [0, 0, 0])


def test_nan_in_nan_out() -> None:
    nan = math.nan
    assert np.isnan(sf([nan, 3, 3, 3], [3, nan, 3, 3], [9, 9, nan, 9])).tolist() == [True, True, True, False]
    assert np.isnan(cdf([nan, 3], 3, 9)).tolist() == [True, False]
    assert np.isnan(ppf([nan, 0.5], 3, 9)).tolist() == [True, False]


def test_arguments_broadcast() -> None:
    q, k, df = np.array([1.0, 3.0, 5.0]), np.array([[2], [5]]), np.array([[[4.0]], [[INF]]])
    tail = sf(q, k, df)
    assert tail.shape == (2, 2, 3)
    assert tail[1, 0, 2] == sf(5.0, 2, INF)
    assert sf([], 3, 9).shape == (0,)
    assert sf(3.0, 3, 9).shape == cdf(3.0, 3, 9).shape == ppf(0.5, 3, 9).shape == ()


@pytest.mark.parametrize(
    ("k", "df", "message"),
    [
        (1, 5, "a finite number of groups of at least 2, but k is 1"),
        ([3, INF], 5, "but k is inf"),
        (3, 0, r"degrees of freedom above 0 \(or infinite\), but df is 0"),
        (3, [4, -1], "but df is -1"),
    ],
)
def test_impossible_parameters(k: int, df: float, message: str) -> None:
    for function in (sf, cdf, ppf):
        with pytest.raises(DesignError, match=message):
            function(0.5, k, df)


@pytest.mark.parametrize("p", [-0.1, 1.5, INF])
def test_impossible_probabilities(p: float) -> None:
    with pytest.raises(DesignError, match="a probability between 0 and 1, but p is"):
        ppf(p, 3, 5)
