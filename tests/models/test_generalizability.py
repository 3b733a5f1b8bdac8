"""Variance components, Eρ² and Φ against printed values, exact expectations, REML and Cronbach's α."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.models.anova import FACTORS
from irgauge.models.generalizability import ONE_SHARD, SEVERAL_SHARDS, Components, Kind, MeanSquares
from oracles.dense_reml import Dense
from oracles.printed_components import ADHOC3, ADHOC3_BEST, BRENNAN, BRENNAN_TWO

Values = NDArray[np.float64]

positive = st.floats(1e-6, 10)


def random_values(shape: tuple[int, int, int], seed: int, deviations: dict[str, float]) -> Values:
    """Values with a normal effect of each term."""
    rng, values = np.random.default_rng(seed), np.zeros(shape)
    for term, deviation in deviations.items():
        kept = [factor in term.split(":") for factor in FACTORS]
        values = values + rng.normal(0, deviation, np.where(kept, shape, 1))
    return values


def projection(term: str, shape: tuple[int, int, int], factors: tuple[str, ...]) -> Values:
    """The matrix that takes the effects of a term out of values: I − J/n for its factors, J/n for the others."""
    whole = np.ones((1, 1))
    for factor, n in zip(FACTORS, shape, strict=True):
        mean = np.full((n, n), 1 / n)
        whole = np.kron(
            whole, np.eye(n) - mean if factor in term.split(":") else mean if factor in factors else np.eye(n)
        )
    return whole


@pytest.mark.parametrize(
    ("squares", "printed"),
    [
        (BRENNAN, {"topic": 0.8840, "system": 0.6258, "topic:system": 2.7872}),
        (ADHOC3, {"topic": 0.022642, "system": 0.0071668, "topic:system": 0.01092}),
        (ADHOC3_BEST, {"topic": 0.028093, "system": 0.0028117, "topic:system": 0.010152}),
        (
            BRENNAN_TWO,
            {
                "topic": 0.4417,
                "system": 0.5528,
                "shard": 0.0074,
                "topic:system": 0.5750,
                "system:shard": 0.1009,
                "topic:shard": 0.1565,
                "topic:system:shard": 0.9352,
            },
        ),
    ],
)
def test_components_are_those_printed(squares: MeanSquares, printed: dict[str, float]) -> None:
    components = Components.of(squares)
    for term, variance in printed.items():
        assert components.variance[term] == pytest.approx(variance, rel=1e-4, abs=5e-5)
    assert components.below_0 == ()


def test_shares_are_those_that_gt4ireval_prints() -> None:
    components = Components.of(ADHOC3_BEST)
    shares = [100 * components.share(term) for term in ("system", "topic", "topic:system")]
    assert shares == pytest.approx([6.8482, 68.425, 24.727], rel=1e-4)


def test_reliabilities_are_those_printed() -> None:
    one, two = Components.of(BRENNAN), Components.of(BRENNAN_TWO)
    assert one.reliability("relative", 12) == pytest.approx(0.729, abs=5e-4)
    assert one.reliability("absolute", 12) == pytest.approx(0.672, abs=5e-4)
    assert two.reliability("relative", 4, 2) == pytest.approx(0.64, abs=5e-3)
    assert two.reliability("absolute", 4, 2) == pytest.approx(0.55, abs=5e-3)


@pytest.mark.parametrize(
    ("topics", "relative", "absolute"),
    [(20, 0.84707, 0.5952), (50, 0.93265, 0.78613), (100, 0.96515, 0.88026), (200, 0.98227, 0.93632)],
)
def test_curves_are_those_that_gt4ireval_prints(topics: int, relative: float, absolute: float) -> None:
    components = Components.of(ADHOC3_BEST)
    assert components.reliability("relative", topics) == pytest.approx(relative, abs=2e-5)
    assert components.reliability("absolute", topics) == pytest.approx(absolute, abs=2e-5)


@pytest.mark.parametrize(
    ("target", "relative", "absolute"),
    [(0.8, 15, 55), (0.85, 21, 78), (0.9, 33, 123), (0.95, 69, 259), (0.97, 117, 440), (0.99, 358, 1347)],
)
def test_topics_needed_are_those_that_gt4ireval_prints(target: float, relative: int, absolute: int) -> None:
    components = Components.of(ADHOC3_BEST)
    assert components.topics_needed(target, "relative") == relative
    assert components.topics_needed(target, "absolute") == absolute


@pytest.mark.parametrize("shape", [(5, 4, 1), (4, 5, 3)])
def test_components_have_the_mean_squares_as_their_expectations(shape: tuple[int, int, int]) -> None:
    """E[y'Py] = tr(P V), with matrices of all scores."""
    terms = ONE_SHARD if shape[2] == 1 else SEVERAL_SHARDS
    factors = FACTORS if shape[2] > 1 else FACTORS[:2]
    true = {term: 0.3 + i for i, term in enumerate(terms)}
    index = np.indices(shape).reshape(3, -1)
    covariance = np.zeros((index.shape[1],) * 2)
    for term, variance in true.items():
        axes = [FACTORS.index(factor) for factor in term.split(":")]
        covariance += variance * (index[axes][:, :, None] == index[axes][:, None, :]).all(axis=0)
    squares = {}
    for term in terms:
        taking = projection(term, shape, factors)
        squares[term] = float(np.trace(taking @ covariance) / np.trace(taking))
    solved = Components.of(MeanSquares(*shape, squares)).variance
    assert solved == pytest.approx(true, rel=1e-9)


@pytest.mark.parametrize("shape", [(6, 5, 1), (5, 5, 3)])
def test_components_above_0_are_those_of_reml(shape: tuple[int, int, int]) -> None:
    """The restricted likelihood of dense matrices is highest at the estimates."""
    terms = ONE_SHARD if shape[2] == 1 else SEVERAL_SHARDS
    values = random_values(shape, 3, {term: 3.0 / 2 ** term.count(":") for term in terms})
    components = Components.of(MeanSquares.from_values(values))
    assert components.below_0 == ()
    index = np.indices(shape).reshape(3, -1)
    codes = {
        term: np.ravel_multi_index(tuple(index[[FACTORS.index(one) for one in term.split(":")]]), _sizes(term, shape))
        for term in terms[:-1]
    }
    dense = Dense.of(values.ravel(), np.zeros(values.size, np.int64), codes)
    estimates = np.array([components.variance[term] for term in terms])
    best = dense.criterion(estimates)
    for i, step in np.ndindex(len(terms), 2):
        moved = estimates.copy()
        moved[i] *= 1 + (step - 0.5) * 0.02
        assert dense.criterion(moved) > best


def _sizes(term: str, shape: tuple[int, int, int]) -> list[int]:
    return [shape[FACTORS.index(factor)] for factor in term.split(":")]


def test_the_relative_reliability_at_hand_is_cronbachs_alpha() -> None:
    values = random_values((9, 7, 1), 5, {"topic": 1, "system": 1, "topic:system": 1})
    items = values[:, :, 0]
    alpha = 9 / 8 * (1 - items.var(axis=1, ddof=1).sum() / items.sum(axis=0).var(ddof=1))
    components = Components.of(MeanSquares.from_values(values))
    assert components.reliability("relative", 9) == pytest.approx(alpha, rel=1e-12)


def test_an_estimate_below_0_counts_as_0_and_is_told() -> None:
    components = Components.of(MeanSquares(10, 5, 1, {"topic": 2.0, "system": 0.5, "topic:system": 1.0}))
    assert components.variance["system"] == 0
    assert components.below_0 == ("system",)
    assert components.reliability("relative", 1000) == components.most("relative") == 0
    assert components.topics_needed(0.5, "relative") is None


def test_systems_that_differ_alike_everywhere_are_refused() -> None:
    values = np.add.outer(np.arange(5.0), np.arange(3.0))[:, :, None]
    with pytest.raises(DesignError, match="the same amount"):
        MeanSquares.from_values(values)


def test_a_reliability_that_nothing_has_is_refused() -> None:
    components = Components({"topic": 1.0, "system": 1.0, "topic:system": 1.0})
    for target in (0.0, 1.0, 1.5, math.nan):
        with pytest.raises(DesignError, match="between 0 and 1"):
            components.topics_needed(target, "relative")


@pytest.mark.parametrize("shards", [1, 3])
def test_errors_are_those_of_simulated_experiments(shards: int) -> None:
    """The variance of means around the true ones, and of their differences, over many experiments of 6 topics."""
    terms = ONE_SHARD if shards == 1 else SEVERAL_SHARDS
    variance = {term: 0.5 + i / 2 for i, term in enumerate(terms)}
    rng, shape = np.random.default_rng(8), (6, 2, shards)
    error = np.zeros((20_000, *shape))  # experiment, topic, system, shard
    for term in (one for one in terms if one != "system"):
        kept = [True, *(factor in term.split(":") for factor in FACTORS)]
        error += rng.normal(0, math.sqrt(variance[term]), np.where(kept, (20_000, *shape), 1))
    means = error.mean(axis=(1, 3))  # experiment, system
    components = Components(variance)
    assert means.var() == pytest.approx(components.error("absolute", 6, shards), rel=0.03)
    assert (means[:, 0] - means[:, 1]).var() / 2 == pytest.approx(components.error("relative", 6, shards), rel=0.03)


@given(variances=st.tuples(positive, positive, positive), topics=st.integers(1, 200), times=st.integers(1, 50))
@settings(deadline=None)
def test_reliability_grows_by_spearman_and_brown(
    variances: tuple[float, float, float], topics: int, times: int
) -> None:
    components = Components(dict(zip(ONE_SHARD, variances, strict=True)))
    kinds: tuple[Kind, Kind] = ("relative", "absolute")
    for kind in kinds:
        one = components.reliability(kind, topics)
        assert components.reliability(kind, times * topics) == pytest.approx(times * one / (1 + (times - 1) * one))


@given(
    variances=st.tuples(*[positive] * 7),
    shards=st.integers(1, 20),
    target=st.floats(0.05, 0.99),
    is_relative=st.booleans(),
)
@settings(deadline=None)
def test_topics_needed_are_the_fewest_that_are_enough(
    variances: tuple[float, ...], shards: int, target: float, *, is_relative: bool
) -> None:
    kind: Kind = "relative" if is_relative else "absolute"
    components = Components(dict(zip(SEVERAL_SHARDS, variances, strict=True)))
    needed = components.topics_needed(target, kind, shards)
    if needed is None:
        assert components.most(kind, shards) <= target * (1 + 1e-9)
        assert components.reliability(kind, 10**9, shards) <= target * (1 + 1e-9)
    else:
        assert components.reliability(kind, needed, shards) >= target * (1 - 1e-9)
        assert needed == 1 or components.reliability(kind, needed - 1, shards) < target * (1 + 1e-9)


@given(variances=st.tuples(*[positive] * 7), topics=st.integers(2, 100))
@settings(deadline=None)
def test_more_shards_and_more_topics_are_more_reliable(variances: tuple[float, ...], topics: int) -> None:
    components = Components(dict(zip(SEVERAL_SHARDS, variances, strict=True)))
    by_shards = [components.reliability("relative", topics, shards) for shards in (1, 2, 5, 20)]
    by_topics = [components.reliability("absolute", topics * times, 3) for times in (1, 2, 5, 20)]
    assert all(fewer < more for fewer, more in pairwise(by_shards))
    assert all(fewer < more for fewer, more in pairwise(by_topics))
    assert components.reliability("absolute", topics, 3) < components.reliability("relative", topics, 3)
    assert components.reliability("relative", 10**15, 3) == pytest.approx(components.most("relative", 3), rel=1e-6)
