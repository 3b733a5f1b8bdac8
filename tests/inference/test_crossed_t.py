"""The t-test on shards against its definition, and against scipy where it is one of scipy's."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference import outcomes
from irgauge.inference.corrections import correction as correction_named
from irgauge.inference.tests.crossed_t import crossed_t
from irgauge.models.anova import Population
from oracles import slow_crossed_t
from oracles.pairs_given import by_name

Values = NDArray[np.float64]
POPULATIONS: tuple[Population, ...] = ("documents", "sources", "both", "shards", "topics+shards")
NAMES = ["a", "b", "c", "d"]


def world(seed: int, *, kinds: float = 0.0, shape: tuple[int, int, int] = (9, 4, 5)) -> Values:
    """values[topic, system, shard] of systems that vary unequally; with kinds, shards favour systems."""
    rng = np.random.default_rng(seed)
    topics, systems, shards = shape
    own = np.geomspace(0.05, 0.3, systems)[:, None]
    by_shard = kinds * rng.normal(size=(1, systems, shards))
    return (
        rng.random((topics, 1, 1))
        + rng.normal(0, 0.1, (topics, systems, 1))
        + by_shard
        + own * rng.normal(size=shape)
        + np.linspace(0, 0.3, systems)[:, None]
    )


@pytest.mark.parametrize("population", POPULATIONS[:3])
@pytest.mark.parametrize("kinds", [0.0, 0.3])
@pytest.mark.parametrize("shape", [(9, 4, 5), (3, 2, 2), (25, 3, 8)])
def test_every_pair_by_the_definition(population: Population, kinds: float, shape: tuple[int, int, int]) -> None:
    y, names = world(1, kinds=kinds, shape=shape), NAMES[: shape[1]]
    comparison = crossed_t(y, names, population=population, alpha=0.1)
    for pair, (first, second) in enumerate(comparison.names):
        places = names.index(first), names.index(second)
        t, df, p = slow_crossed_t.tested(y, *places, population)
        assert (comparison.statistic[pair], comparison.p_adjusted[pair]) == pytest.approx((t, p), rel=1e-7)
        half = stats.t.isf(0.05, df) * comparison.difference[pair] / t
        ends = comparison.difference[pair] - half, comparison.difference[pair] + half
        assert (comparison.low[pair], comparison.high[pair]) == pytest.approx(ends, rel=1e-6, abs=1e-9)
        d = (y[:, places[0]] - y[:, places[1]]).mean(axis=1)
        assert comparison.effect[pair] == pytest.approx(d.mean() / d.std(ddof=1))
    assert (comparison.population, comparison.topics, comparison.shards) == (population, shape[0], shape[2])
    assert comparison.test == "crossed-t"


@pytest.mark.parametrize("population", POPULATIONS[3:])
@pytest.mark.parametrize("kinds", [0.0, 0.3])
@pytest.mark.parametrize("shape", [(9, 4, 5), (3, 2, 3), (25, 3, 8)])
def test_every_pair_on_shards_of_a_kind_by_the_definition(
    population: Population, kinds: float, shape: tuple[int, int, int]
) -> None:
    y, names = world(1, kinds=kinds, shape=shape), NAMES[: shape[1]]
    comparison = crossed_t(y, names, population=population, alpha=0.1)
    for pair, (first, second) in enumerate(comparison.names):
        t, p, half = slow_crossed_t.of_a_kind(y, names.index(first), names.index(second), population, 0.1)
        assert (comparison.statistic[pair], comparison.p_adjusted[pair]) == pytest.approx((t, p), rel=1e-6)
        ends = comparison.difference[pair] - half, comparison.difference[pair] + half
        assert (comparison.low[pair], comparison.high[pair]) == pytest.approx(ends, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("population", POPULATIONS[3:])
def test_two_shards_of_a_kind_are_too_few(population: Population) -> None:
    with pytest.raises(DesignError, match=f"2 shards do not show .* for the population '{re.escape(population)}'"):
        crossed_t(world(1)[:, :, :2], NAMES, population=population)


def test_where_shards_add_nothing_it_is_the_paired_t_test_over_topics() -> None:
    y = world(2)
    means = y.mean(axis=0)  # system, shard
    y -= means - means.mean(axis=1, keepdims=True) - means.mean(axis=0) + means.mean()  # no system:shard
    comparison = crossed_t(y, NAMES, population="both")
    for pair, (first, second) in enumerate(comparison.names):
        one, other = (y[:, NAMES.index(name)].mean(axis=1) for name in (first, second))
        theirs = stats.ttest_rel(one, other)
        assert (comparison.statistic[pair], comparison.p_adjusted[pair]) == pytest.approx(theirs)
        assert (comparison.low[pair], comparison.high[pair]) == pytest.approx(theirs.confidence_interval())


def test_where_topics_add_nothing_two_systems_are_compared_by_the_paired_t_test_over_shards() -> None:
    rng = np.random.default_rng(4)
    by_shard = rng.normal(0, 0.1, (1, 2, 6)) + np.array([0.1, 0.0])[:, None]
    y = rng.random((5, 1, 1)) + by_shard
    comparison = crossed_t(y, ["a", "b"], population="topics+shards")
    theirs = stats.ttest_rel(*by_shard[0])
    assert (comparison.statistic[0], comparison.p_adjusted[0]) == pytest.approx(theirs)
    assert (comparison.low[0], comparison.high[0]) == pytest.approx(theirs.confidence_interval())


def test_where_one_topic_varies_documents_are_compared_by_the_t_test_over_shards() -> None:
    rng = np.random.default_rng(5)
    y = np.repeat(rng.random((4, 2, 1)), 7, axis=2)
    y[2] += rng.normal(0, 0.4, (2, 7))
    comparison = crossed_t(y, ["a", "b"], population="documents")
    over_shards = y.mean(axis=0)  # system, shard
    theirs = stats.ttest_rel(*(over_shards[["a", "b"].index(name)] for name in comparison.names[0]))
    assert (comparison.statistic[0], comparison.p_adjusted[0]) == pytest.approx(theirs)
    assert (comparison.low[0], comparison.high[0]) == pytest.approx(theirs.confidence_interval())


@pytest.mark.parametrize("population", POPULATIONS)
@given(seed=st.integers(0, 1 << 32), scale=st.floats(1e-3, 1e3))
@settings(deadline=None, max_examples=15)
def test_scale_levels_and_order_change_nothing(population: Population, seed: int, scale: float) -> None:
    y, rng = world(seed, kinds=0.1), np.random.default_rng(seed)
    systems, shards = rng.permutation(4).tolist(), rng.permutation(5)
    before = crossed_t(y, NAMES, population=population)
    is_crossed = population in ("both", "shards", "topics+shards")
    level = rng.random((9, 1, 1)) + (rng.random((9, 1, 5)) if is_crossed else 0)
    after = [
        crossed_t(scale * y, NAMES, population=population),
        crossed_t(y + level, NAMES, population=population),
        crossed_t(y[:, systems], [NAMES[i] for i in systems], population=population),
        crossed_t(y[::-1, :, shards], NAMES, population=population),
    ]
    for one in after:
        assert by_name(one, "p_adjusted") == pytest.approx(by_name(before, "p_adjusted"), rel=1e-5, abs=1e-9)
        assert one.systems == before.systems


@pytest.mark.parametrize("population", POPULATIONS)
def test_more_is_claimed_of_documents_than_of_topics_too(population: Population) -> None:
    y = world(6, kinds=0.05)
    narrow, wide = crossed_t(y, NAMES, population="documents"), crossed_t(y, NAMES, population=population)
    assert (wide.high - wide.low).sum() >= (narrow.high - narrow.low).sum()


def test_systems_of_equal_means_keep_their_own_variances() -> None:
    """Means of the same numbers in another order are equal, but for rounding: the pairs must not be mixed up."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        scores = rng.random((6, 5))
        noisy = scores.ravel()[rng.permutation(30)].reshape(6, 5)
        y = np.stack((scores, noisy, rng.random((6, 5)) - 1), axis=1)
        comparison = crossed_t(y, NAMES[:3], population="documents")
        for pair, (first, second) in enumerate(comparison.names):
            t, _, p = slow_crossed_t.tested(y, NAMES.index(first), NAMES.index(second), "documents")
            assert comparison.p_adjusted[pair] == pytest.approx(p, rel=1e-6)
            assert abs(comparison.statistic[pair]) == pytest.approx(abs(t), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm", "bh"])
def test_the_correction_is_over_the_family(correction: str) -> None:
    alone = crossed_t(world(7), NAMES, baseline="b")
    comparison = crossed_t(world(7), NAMES, baseline="b", correction=correction)
    np.testing.assert_allclose(comparison.p_adjusted, correction_named(correction).adjusted(alone.p_adjusted))
    assert (comparison.family, comparison.correction) == ("3 pairs with baseline b", correction)
    wide = crossed_t(world(7), NAMES, baseline="b", alpha=0.05 / 3)
    expected = wide if correction in ("bonferroni", "holm") else alone
    np.testing.assert_array_equal(comparison.low, expected.low)


@pytest.mark.parametrize("population", POPULATIONS)
def test_blocks_change_nothing(population: Population, monkeypatch: pytest.MonkeyPatch) -> None:
    before = crossed_t(world(8), NAMES, population=population)
    monkeypatch.setattr(outcomes, "BLOCK", 1)
    after = crossed_t(world(8), NAMES, population=population)
    for field in ("statistic", "p_adjusted", "low", "high", "effect"):
        np.testing.assert_array_equal(getattr(before, field), getattr(after, field))


@pytest.mark.parametrize("population", POPULATIONS)
def test_equal_systems_do_not_differ(population: Population) -> None:
    y = np.repeat(np.random.default_rng(1).random((6, 1, 4)), 3, axis=1)
    comparison = crossed_t(y, ["z", "y", "x"], population=population)
    assert comparison.systems == ("z", "y", "x")
    for field, expected in (("p_adjusted", 1), ("statistic", 0), ("effect", 0)):
        np.testing.assert_array_equal(getattr(comparison, field), expected)
    np.testing.assert_allclose((comparison.low, comparison.high), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        (world(1)[:, :, 0], {}, "needs two shards"),
        (world(1)[:, :, :1], {}, "needs two shards"),
        (world(1), {"population": "topics"}, "covers documents, sources, shards, both, topics"),
        (np.where(world(1) > 0.5, np.nan, world(1)), {}, "undefined"),
        (world(1), {"baseline": "x"}, "baseline"),
        (world(1), {"correction": "holms"}, "did you mean 'holm'"),
        (world(1), {"alpha": 0.0}, "alpha is 0"),
    ],
)
def test_questions_that_cannot_be_answered(values: Values, options: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        crossed_t(values, NAMES, **options)
