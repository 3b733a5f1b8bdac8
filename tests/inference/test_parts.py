"""Intervals of sums of parts: Student's t and its definition solved by scipy, and that they hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from irgauge.inference.verdicts import Parts

VARIANCES = st.lists(st.floats(1e-6, 1.0), min_size=3, max_size=3)
FREEDOMS = st.lists(st.sampled_from([1.0, 2.0, 4.0, 9.0, 49.0]), min_size=3, max_size=3)


def one(variances: list[float], freedoms: list[float]) -> Parts:
    return Parts(np.array(variances)[:, None], np.array(freedoms)[:, None])


@given(st.floats(0.001, 2.0), st.integers(1, 200), st.floats(-5.0, 5.0))
def test_one_part_is_students_t(se: float, df: int, x: float) -> None:
    found = Parts.student(se, df)
    assert found.tail(np.array([x]))[0] == pytest.approx(stats.t.sf(x / se, df), rel=1e-9, abs=1e-140)
    assert found.half_width(0.1)[0] == pytest.approx(stats.t.ppf(0.95, df) * se)
    assert found.freedom(0.1)[0] == df


@given(VARIANCES, FREEDOMS, st.floats(0.01, 20.0))
def test_the_tail_solves_its_definition(variances: list[float], freedoms: list[float], x: float) -> None:
    found = one(variances, freedoms)

    def gap(log_p: float) -> float:
        t = stats.t.isf(np.exp(log_p), freedoms)
        return float((t**2 * variances).sum() - x**2)

    p = float(found.tail(np.array([x]))[0])
    if p > 1e-10:
        assert np.log(p) == pytest.approx(optimize.brentq(gap, -40, np.log(0.5)), abs=1e-6)
    assert found.tail(np.array([-x]))[0] == pytest.approx(1 - p)


@given(VARIANCES, FREEDOMS, st.floats(0.001, 0.5))
def test_tails_intervals_and_freedom_agree(variances: list[float], freedoms: list[float], alpha: float) -> None:
    found = one(variances, freedoms)
    half, df = found.half_width(alpha), float(found.freedom(alpha)[0])
    assert found.tail(half)[0] == pytest.approx(alpha / 2, rel=1e-9)
    assert stats.t.isf(alpha / 2, df) * found.se[0] == pytest.approx(half[0], rel=1e-9)
    assert min(freedoms) <= df * (1 + 1e-12)
    assert df <= max(freedoms) * (1 + 1e-12)


@given(VARIANCES, FREEDOMS, st.floats(0.1, 10.0), st.floats(0.01, 100.0))
def test_units_do_not_matter(variances: list[float], freedoms: list[float], x: float, unit: float) -> None:
    here, there = one(variances, freedoms), one([unit**2 * v for v in variances], freedoms)
    assert there.tail(np.array([unit * x]))[0] == pytest.approx(here.tail(np.array([x]))[0], rel=1e-6)


def test_without_variance_any_difference_is_certain() -> None:
    nothing = Parts(np.zeros((2, 3)), np.array([[9.0] * 3, [1.0] * 3]))
    assert nothing.tail(np.array([0.1, 0.0, -0.1])).tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("shares", [(0.5, 0.5, 0.0), (0.1, 0.9, 0.0), (0.02, 0.0, 0.98), (0.2, 0.3, 0.5)])
def test_intervals_hold_whatever_the_shares(shares: tuple[float, ...]) -> None:
    rng, freedoms = np.random.default_rng(11), np.array([[49.0], [9.0], [1.0]])
    variances = np.array(shares)[:, None] * rng.chisquare(freedoms, (3, 20000)) / freedoms
    d = rng.normal(size=20000) * np.sqrt(sum(shares))
    missed = (np.abs(d) > Parts(variances, np.broadcast_to(freedoms, variances.shape)).half_width()).mean()
    assert missed < 0.055
