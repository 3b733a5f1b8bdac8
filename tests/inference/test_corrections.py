"""Adjusted p-values against statsmodels and scipy; what goes with a correction against what its adjustment does."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference.corrections import (
    BUILT_IN,
    CORRECTIONS,
    MAXIMUM,
    STEP_DOWN,
    TUKEY,
    Correction,
    any_correction,
    correction,
)
from irgauge.inference.tests.flips import randomization
from irgauge.inference.tests.paired_t import paired_t
from irgauge.show.references import REFERENCES
from oracles.pairs_given import NAMES, VALUES

Values = NDArray[np.float64]
P_VALUES = arrays(np.float64, array_shapes(max_dims=2, max_side=12), elements=st.floats(0, 1))
TINY = 1e-300  # below, numbers have fewer digits
EACH = [*CORRECTIONS.values(), BUILT_IN, MAXIMUM, STEP_DOWN, TUKEY]
THEIRS = {"bonferroni": "bonferroni", "holm": "holm", "hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # of statsmodels itself
@pytest.mark.parametrize(("name", "theirs"), THEIRS.items())
@given(p=P_VALUES)
@settings(deadline=None, max_examples=25)  # statsmodels is slow
def test_adjusted_p_values_are_those_of_statsmodels(name: str, theirs: str, p: Values) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    ours = correction(name).adjusted(p)
    assert ours.shape == p.shape
    np.testing.assert_allclose(
        ours.ravel(), multitest.multipletests(p.ravel(), method=theirs)[1], rtol=1e-12, atol=TINY
    )


@pytest.mark.parametrize("name", ["bh", "by"])
@given(p=P_VALUES)
def test_false_discoveries_are_controlled_as_by_scipy(name: str, p: Values) -> None:
    theirs = stats.false_discovery_control(p.ravel(), method=name)
    np.testing.assert_allclose(correction(name).adjusted(p).ravel(), theirs, rtol=1e-12, atol=TINY)


@given(p=P_VALUES)
def test_adjustments_are_ordered_by_what_they_control(p: Values) -> None:
    adjusted = {name: one.adjusted(p) for name, one in CORRECTIONS.items()}
    np.testing.assert_array_equal(adjusted["none"], p)
    for order in (("none", "bh", "hochberg", "holm", "bonferroni"), ("bh", "by")):
        for less, more in pairwise(order):
            assert (adjusted[less] <= adjusted[more] * (1 + 1e-12)).all(), (less, more)


@pytest.mark.parametrize("one", EACH, ids=lambda one: one.name)
def test_corrections_leave_p_values_alone_and_refuse_what_is_none(one: Correction) -> None:
    p = np.array([0.04, 0.01, 0.5])
    one.adjusted(p)[0] = 0.0
    assert p.tolist() == [0.04, 0.01, 0.5]
    assert one.adjusted(np.empty(0)).tolist() == []
    for wrong in (np.nan, -0.1, 1.1):
        with pytest.raises(DesignError, match="1 of 2 are not, such as"):
            one.adjusted(np.array([0.5, wrong]))


def test_an_unknown_correction_names_the_nearest_and_those_of_tests_cannot_be_chosen() -> None:
    with pytest.raises(DesignError, match=r"did you mean 'bonferroni'\? Choose from none, bonferroni, holm"):
        correction("Bonferoni")
    with pytest.raises(DesignError, match="'built in' is unknown"):
        correction("built in")
    assert [any_correction(one.name) for one in EACH] == EACH


@pytest.mark.parametrize("one", EACH, ids=lambda one: one.name)
def test_a_correction_says_what_its_adjustment_does(one: Correction) -> None:
    """A pair alone among pairs that do not differ at all is found at the level of its interval, if there is one."""
    tests, alpha = 7, 0.05
    level = one.interval_level(alpha, tests)
    for p, is_found in ((level * 0.999, True), (level * 1.001, False)):
        alone = one.adjusted(np.array([p] + [1.0] * (tests - 1)))[0] <= alpha
        assert not one.is_of_levels or alone == is_found
    steps = one.adjusted(np.array([level * 0.999] * (tests - 1) + [level * 1.001]))[-1] <= alpha
    assert one.is_of_test or one.is_stepwise == (steps and one.is_simultaneous)
    assert one.is_simultaneous == (one.promise == "any pair")
    assert set(one.references) <= set(REFERENCES)
    assert (one.is_stepwise and one.label in one.intervals_told) or not one.is_stepwise


@pytest.mark.parametrize("name", CORRECTIONS)
def test_intervals_go_with_the_correction(name: str) -> None:
    """The interval at α of a pair by itself, or at α over the pairs, by scipy."""
    found = paired_t(VALUES, NAMES, correction=name.upper())
    tests = 1 if name in ("none", "bh", "by") else math.comb(len(NAMES), 2)
    pairs = [(VALUES[:, NAMES.index(u)], VALUES[:, NAMES.index(v)]) for u, v in found.names]
    theirs = [stats.ttest_rel(u, v).confidence_interval(1 - 0.05 / tests) for u, v in pairs]
    assert (found.correction, found.is_simultaneous) == (name, tests > 1)
    np.testing.assert_allclose(found.low, [low for low, _ in theirs])
    np.testing.assert_allclose(found.high, [high for _, high in theirs])


@pytest.mark.parametrize(("name", "least"), [("none", 19), ("bh", 19), ("by", 48), ("holm", 119), ("hochberg", 119)])
def test_draws_must_reach_what_the_correction_asks_for(name: str, least: int) -> None:
    """6 pairs at 5 %: 1/20, 1/20 over 1 + 1/2 + … + 1/6 where all pairs are clear, 1/120."""
    values = VALUES[:, :4] + 10 * np.arange(4)
    with pytest.raises(DesignError, match=f"at least {least} can"):
        randomization(values, NAMES[:4], draws=least - 1, seed=1, correction=name)
    assert np.isfinite(randomization(values, NAMES[:4], draws=least, seed=1, correction=name).p_adjusted).all()
