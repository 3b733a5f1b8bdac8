"""The bootstrap-t test against its definition, and where it says nothing."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge.inference.tests import bootstrap_t as module
from irgauge.inference.tests.bootstrap_t import bootstrap_t
from irgauge.inference.tests.skewed_t import skewed_t
from oracles.pairs_given import NAMES, TENTHS, VALUES, Values
from oracles.slow_bootstrap_t import largest_t, p_and_ends

SKEWED = np.random.default_rng(3).gamma(0.4, 0.3, (15, 5))


@pytest.mark.parametrize("values", [VALUES, TENTHS, SKEWED], ids=["", "tenths", "skewed"])
@pytest.mark.parametrize("baseline", [None, "c"])
def test_it_is_what_its_draws_say_one_by_one(values: Values, baseline: str | None) -> None:
    found = bootstrap_t(values, NAMES, draws=39, seed=6, alpha=0.1, baseline=baseline)
    pairs = [(NAMES.index(first), NAMES.index(second)) for first, second in found.names]
    draws = np.random.default_rng(6).integers(0, len(values), (39, len(values)))
    largest = largest_t(values, pairs, draws.tolist())
    for pair, (first, second) in enumerate(pairs):
        expected = p_and_ends(values[:, first] - values[:, second], largest, 0.1)
        assert (found.p_adjusted[pair], found.low[pair], found.high[pair]) == pytest.approx(
            expected, rel=1e-6, abs=1e-8
        )
    assert (found.df, found.draws, found.seed, found.correction) == (len(values) - 1, 39, 6, "maximum")


def test_draws_are_the_same_however_many_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = bootstrap_t(SKEWED, NAMES, draws=99, seed=2)
    monkeypatch.setattr(module, "BLOCK", 10 * len(SKEWED))
    in_parts = bootstrap_t(SKEWED, NAMES, draws=99, seed=2)
    assert in_parts.p_adjusted.tolist() == at_once.p_adjusted.tolist()
    np.testing.assert_allclose(in_parts.low, at_once.low, rtol=1e-9)


def test_nothing_is_said_of_pairs_that_differ_on_few_topics_and_they_do_not_count() -> None:
    few = np.column_stack((SKEWED[:, :2], SKEWED[:, 1] + 0.4 * (np.arange(15) < 2)))
    found, without = (
        bootstrap_t(few, NAMES[:3], draws=199, seed=1),
        bootstrap_t(few[:, :2], NAMES[:2], draws=199, seed=1),
    )
    pair = next(place for place, names in enumerate(found.names) if set(names) == {"b", "c"})
    assert (found.low[pair], found.high[pair], found.p_adjusted[pair]) == (-np.inf, np.inf, 1.0)
    assert np.isfinite(np.delete(found.low, pair)).all()
    assert np.isfinite(without.low).all()


def test_it_is_never_bolder_than_the_guarded_test_of_one_pair() -> None:
    found, single = bootstrap_t(SKEWED, NAMES, draws=199, seed=1), skewed_t(SKEWED, NAMES, correction="none")
    assert (found.p_adjusted >= single.p_adjusted).all()
    assert (found.low <= single.low).all()
    assert (found.high >= single.high).all()
    holds = (found.low <= 0) & (found.high >= 0)
    assert (holds == ~found.significant).all()


def test_equal_and_constant_differences() -> None:
    values = np.column_stack((SKEWED[:, 0], SKEWED[:, 0], SKEWED[:, 0] + 0.5))
    found = bootstrap_t(values, NAMES[:3], draws=99, seed=1)
    assert found.p_adjusted.tolist() == [1.0, 1.0, 1.0]
    assert sorted(found.low.tolist()) == [-np.inf, -np.inf, 0.0]
