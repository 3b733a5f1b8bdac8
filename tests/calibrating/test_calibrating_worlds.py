"""Worlds made of scores: what is kept, what is drawn, and that systems are equally good in them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irgauge.calibrating.worlds import World, distinct, rare, worlds
from irgauge.compute.arrays import Floats
from irgauge.models.anova import Population

SHAPES: dict[Population, tuple[int, int, int]] = {
    "topics": (12, 5, 1),
    "documents": (8, 4, 5),
    "both": (12, 4, 5),
    "shards": (6, 5, 6),
    "topics+shards": (12, 4, 6),
}


def scores(shape: tuple[int, int, int], seed: int = 1) -> Floats:
    """Systems that differ in means and spreads, rounded so that some scores are equal."""
    rng = np.random.default_rng(seed)
    own = np.linspace(0.2, 1.0, shape[1])[:, None]
    values = own * rng.random(shape) + 0.3 * rng.random((shape[0], 1, 1)) + 0.2 * rng.random((1, 1, shape[2]))
    return np.asarray(values.round(1))


def named(values: Floats, population: Population, name: str) -> World:
    """The world of that name."""
    return next(world for world in worlds(values, population) if world.name == name)


def test_permuted_topics_keep_their_scores() -> None:
    values = scores((12, 5, 1))
    drawn = named(values, "topics", "permuted").draw(np.random.default_rng(2)).values
    np.testing.assert_allclose(np.sort(drawn, axis=1), np.sort(values, axis=1))
    assert not np.allclose(drawn, values)


def test_flipped_topics_keep_the_spread_of_every_pair_whatever_its_mean() -> None:
    values = scores((40, 5, 1)) + np.linspace(0, 2, 5)[:, None]
    rng, world = np.random.default_rng(2), named(values, "topics", "flipped")
    drawn = np.array([world.draw(rng).values[:, :, 0] for _ in range(400)])  # experiment, topic, system
    for u, v in combinations(range(5), 2):
        before, after = values[:, u, 0] - values[:, v, 0], drawn[:, :, u] - drawn[:, :, v]
        assert after.var(axis=1, ddof=1).mean() == pytest.approx(before.var(ddof=1), rel=0.03)
        assert 0 < (after * (before - before.mean()) > 0).mean() < 1


def test_resampled_topics_are_topics_around_one_mean() -> None:
    values = scores((12, 5, 1)) + np.random.default_rng(3).random((12, 5, 1))
    world, rng = named(values, "topics", "resampled"), np.random.default_rng(2)
    drawn = np.concatenate([world.draw(rng).values[:, :, 0] for _ in range(400)])
    assert world.systems == 5
    np.testing.assert_allclose(np.cov(drawn.T, bias=True), np.cov(values[:, :, 0].T, bias=True), atol=0.015)
    assert len(np.unique(drawn, axis=0)) == len(drawn)  # smoothed: no topic is drawn twice


def test_resampled_topics_are_nearly_as_skewed_as_topics() -> None:
    values = np.random.default_rng(5).gamma(0.5, size=(60, 2, 1)) * np.array([[1.0], [0.1]])
    world, rng = named(values, "topics", "resampled"), np.random.default_rng(2)
    drawn = np.concatenate([world.draw(rng).values[:, :, 0] for _ in range(400)])
    before, after = (stats.skew(y[:, 0] - y[:, 1]) for y in (values[:, :, 0], drawn))
    assert 0.85 < after / before < 0.97


@given(st.integers(0, 10_000))
def test_rare_and_large_differences_are_seen_and_copies_are_not(seed: int) -> None:
    rng = np.random.default_rng(seed)
    topics = int(rng.integers(30, 80))
    common, gains = rng.random(topics), np.zeros(topics)
    gains[rng.choice(topics, 2, replace=False)] = 0.5
    bulk = np.where(gains > 0, gains, -0.04 + 0.01 * rng.normal(size=topics))
    usual = common + 0.1 * rng.normal(size=topics)
    assert rare(np.stack([usual, common, common + bulk], axis=1)[:, :, None], "topics") == 1
    assert rare(np.stack([usual, common, common + gains], axis=1)[:, :, None], "topics") == 0  # the same elsewhere
    assert rare(np.stack([usual, common], axis=1)[:, :, None], "topics") == 0


@pytest.mark.parametrize("population", SHAPES)
def test_systems_are_equally_good_in_every_world(population: Population) -> None:
    """The mean difference of each pair over many experiments is 0, within four standard errors."""
    rng = np.random.default_rng(4)
    for world in worlds(scores(SHAPES[population]), population):
        drawn = [world.draw(rng) for _ in range(400)]
        assert all(not one.truth.any() for one in drawn)
        means = np.array([one.values.mean(axis=(0, 2)) for one in drawn])  # experiment, system
        d = means[:, 1:] - means[:, :1]
        error = d.std(axis=0, ddof=1) / np.sqrt(len(d))
        assert (np.abs(d.mean(axis=0)) <= 4 * error + 1e-12).all(), world.name


@pytest.mark.parametrize("name", ["permuted", "flipped"])
def test_parts_of_shards_vary_as_they_did_before_means_were_taken_out(name: str) -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(30, 6, 4))
    drawn = np.array([named(values, "documents", name).draw(rng).values for _ in range(200)])
    within = drawn.var(axis=3, ddof=1).mean()  # over shards, of a topic and system
    assert within == pytest.approx(1.0, abs=0.1)


def test_half_of_the_systems_are_better_by_delta() -> None:
    world = named(scores((12, 6, 1)), "topics", "flipped").better(0.5)
    rng = np.random.default_rng(6)
    truths = [world.draw(rng).truth for _ in range(20)]
    assert all(sorted(one.tolist()) == [0.0] * 3 + [0.5] * 3 for one in truths)
    assert len({tuple(one) for one in truths}) > 1
    means = np.mean([one.values.mean(axis=(0, 2)) - one.truth for one in (world.draw(rng) for _ in range(400))], axis=0)
    assert np.ptp(means) < 0.05


def test_thirds_are_better_and_worse_by_the_margin() -> None:
    drawn = named(scores((12, 6, 1)), "topics", "flipped").by_thirds(0.1).draw(np.random.default_rng(7))
    np.testing.assert_allclose(np.sort(drawn.truth), [-0.1, -0.1, 0, 0, 0.1, 0.1])


@given(st.integers(0, 10_000))
def test_copies_are_those_whose_resamples_may_show_no_spread(seed: int) -> None:
    rng = np.random.default_rng(seed)
    topics = int(rng.integers(5, 15))
    values = rng.integers(0, 3, (topics, 6)) / 2
    kept = distinct(values).tolist()

    def are_copies(u: int, v: int) -> bool:
        d = (values[:, u] - values[:, v]).round(9)
        _, counts = np.unique(d, return_counts=True)
        is_steady = (counts.max() / topics) ** topics > 1e-3 * (1 + 1e-9)
        return is_steady or 1 / (((d - d.mean()) ** 4).sum() / ((d - d.mean()) ** 2).sum() ** 2) < topics / 12

    assert kept[0] == 0
    for system in range(1, 6):
        before = [one for one in kept if one < system]
        assert (system in kept) == (not any(are_copies(system, one) for one in before))


def test_a_difference_that_rests_on_one_topic_is_left_out() -> None:
    values = np.random.default_rng(1).random((60, 3)) * np.array([1.0, 1.0, 0.001])
    assert distinct(values).tolist() == [0, 1, 2]
    weak = np.column_stack([values[:, 2], values[:, 2] + np.random.default_rng(2).random(60) * 1e-3])
    weak[7, 1] = 0.5
    assert distinct(weak).tolist() == [0]


@pytest.mark.parametrize("population", ["documents", "both"])
def test_means_vary_as_much_as_they_would(population: Population) -> None:
    """Var(d̄) = 2 (0.2²/S + 0.3²/TS), and for other topics too 2 · 0.25²/T more, of systems that differ on shards."""
    rng, (topics, systems, shards) = np.random.default_rng(3), (20, 6, 12)
    values = (
        0.25 * rng.normal(size=(topics, systems, 1))
        + 0.2 * rng.normal(size=(1, systems, shards))
        + 0.3 * rng.normal(size=(topics, systems, shards))
    )
    exact = 2 * (0.2**2 / shards + 0.3**2 / (topics * shards)) + (population == "both") * 2 * 0.25**2 / topics
    for world in worlds(values, population):
        means = np.array([world.draw(rng).values.mean(axis=(0, 2)) for _ in range(300)])
        spread = np.std(means[:, 1:] - means[:, :1])
        assert spread == pytest.approx(exact**0.5, rel=0.35), world.name


def mean_squares(values: Floats) -> tuple[float, float, float]:
    """Of topic:system, system:shard and what is left, from means; written anew."""
    topics, systems, shards = values.shape
    d = values - values.mean(axis=1, keepdims=True)  # what systems share is out
    own, of_topic, of_shard = d.mean(axis=(0, 2)), d.mean(axis=2), d.mean(axis=0)
    rest = d - of_topic[:, :, None] - of_shard[None] + own[:, None]
    squares = shards * np.sum((of_topic - own) ** 2), topics * np.sum((of_shard - own[:, None]) ** 2), np.sum(rest**2)
    df = (topics - 1) * (systems - 1), (systems - 1) * (shards - 1), (topics - 1) * (systems - 1) * (shards - 1)
    first, second, third = (float(square) / count for square, count in zip(squares, df, strict=True))
    return first, second, third


@pytest.mark.parametrize("of_shard", [0.0, 0.3])
@pytest.mark.parametrize("population", ["documents", "both"])
def test_mean_squares_stand_to_each_other_as_in_the_data(population: Population, of_shard: float) -> None:
    """Where shards are random, system:shard is only the mean of the cells: drawn beside them, it would count twice."""
    rng, (topics, systems, shards) = np.random.default_rng(17), (25, 8, 10)
    values = (
        rng.gamma(2.0, 0.1, (topics, systems, shards))
        + 0.2 * rng.normal(size=(topics, systems, 1))
        + of_shard * 0.1 * rng.normal(size=(1, systems, shards))
    )
    topic, shard, rest = mean_squares(values)
    for world in worlds(values, population):
        drawn = np.mean([mean_squares(world.draw(rng).values) for _ in range(60)], axis=0)
        assert drawn[1] / drawn[2] == pytest.approx(max(1.0, shard / rest), rel=0.12), world.name
        if population == "both":
            assert drawn[0] / drawn[2] == pytest.approx(topic / rest, rel=0.12), world.name
        assert drawn[2] == pytest.approx(rest, rel=0.12), world.name


def test_two_systems_change_places_by_changing_signs() -> None:
    assert next(world.name for world in worlds(scores((30, 2, 1)), "topics")) == "flipped"


def test_few_shards_are_not_resampled() -> None:
    assert [world.name for world in worlds(scores((8, 4, 5)), "documents")] == ["permuted", "flipped"]
    assert [world.name for world in worlds(scores((8, 4, 9)), "documents")] == ["permuted", "flipped", "resampled"]
