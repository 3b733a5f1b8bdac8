from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration import worlds
from calibration.worlds import (
    MEAN,
    Floats,
    InstanceWorld,
    Real,
    RealShards,
    RunWorld,
    ShardWorld,
    TopicWorld,
    binary,
    bounded,
    lopsided,
    normal,
    skewed,
    unequal_spread,
)

MANY, SYSTEMS = 40_000, 4
WORLDS = (normal, unequal_spread, bounded, skewed, binary)


def rng(seed: int = 5) -> np.random.Generator:
    return np.random.default_rng(seed)


def off(values: Floats, truth: float) -> Floats:
    """How many standard errors the mean of each column is from the truth."""
    return np.asarray(np.abs(values.mean(axis=0) - truth) / (values.std(axis=0) / np.sqrt(len(values))))


@pytest.fixture(scope="module")
def real() -> Real:
    """Scores that look like those of an experiment: systems differ in means and in spread."""
    scores = rng(1).beta(np.linspace(0.5, 2, 8), 3, (30, 8))
    return Real(scores)


def test_no_world_uses_the_simulation() -> None:
    tree = ast.parse(Path(worlds.__file__).read_text())
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [name for name in names if name.startswith("irgauge")]


@pytest.mark.parametrize("world", WORLDS)
def test_systems_have_one_true_mean(world: TopicWorld) -> None:
    assert (off(world(rng(), MANY, SYSTEMS), MEAN) < 4).all()


@pytest.mark.parametrize("world", WORLDS)
def test_a_world_depends_on_its_seed_alone(world: TopicWorld) -> None:
    first, again, other = world(rng(1), 9, 3), world(rng(1), 9, 3), world(rng(2), 9, 3)
    assert first.shape == (9, 3)
    assert (first == again).all()
    assert (first != other).any()


def test_normal_scores_spread_alike_and_the_others_do_not() -> None:
    spread = {world: np.ptp(np.log(world(rng(), MANY, SYSTEMS).std(axis=0))) for world in WORLDS}
    assert spread[normal] < 0.03
    assert min(spread[world] for world in (unequal_spread, bounded, skewed)) > np.log(1.4)


def test_differences_of_binary_scores_spread_unequally() -> None:
    y = binary(rng(), MANY, SYSTEMS)
    assert set(np.unique(y)) == {0.0, 1.0}
    assert (y[:, 2] - y[:, 3]).std() > 1.1 * (y[:, 0] - y[:, 1]).std()


def test_bounded_scores_have_zeros_as_they_say() -> None:
    y = bounded(rng(), MANY, SYSTEMS)
    assert y.min() == 0
    assert y.max() <= 1
    assert (y == 0).mean(axis=0) == pytest.approx(np.linspace(0, 0.5, SYSTEMS), abs=0.01)


def test_differences_of_skewed_scores_are_skewed() -> None:
    y = skewed(rng(), MANY, SYSTEMS)
    d = y[:, 0] - y[:, -1]
    assert ((d - d.mean()) ** 3).mean() / d.std() ** 3 > 0.8


def test_shuffled_scores_are_those_of_their_topics(real: Real) -> None:
    y = real.shuffled(rng(), 30, 8)
    assert sorted(map(sorted, y.tolist())) == sorted(map(sorted, real.scores.tolist()))


def test_flipped_scores_have_one_mean_and_the_real_spread(real: Real) -> None:
    y = np.array([real.flipped(rng(seed), 30, 8).mean(axis=0) for seed in range(2000)])
    assert abs(y.mean() - real.scores.mean()) < 4 * y.std() / np.sqrt(len(y))
    deviations = np.abs(real.flipped(rng(), 30, 8) - real.scores.mean())
    left = real.scores - real.scores.mean(axis=1, keepdims=True) - real.scores.mean(axis=0) + real.scores.mean()
    assert np.sort(deviations.ravel()) == pytest.approx(np.sort(np.abs(left).ravel()))


def test_copies_are_left_out(real: Real) -> None:
    copy = real.scores[:, [3]] + 0.1
    copy[0] = 0.9
    assert Real(np.hstack([real.scores, copy])).distinct() == list(range(8))


def test_resampled_topics_have_one_mean_over_all_topics(real: Real) -> None:
    one = Real(real.scores[:, :2])
    y = np.concatenate([one.resampled(rng(seed), 30, 2) for seed in range(500)])
    assert (off(y, one.scores.mean()) < 4).all()


def mean_squares(y: Floats) -> dict[str, float]:
    """Of topic:system, system:shard and the residual, for values[topic, system, shard]."""
    t, s, k = y.shape
    ts, sk, tk = (y.mean(axis=axis, keepdims=True) for axis in (2, 0, 1))
    i, j, h = (y.mean(axis=axes, keepdims=True) for axes in ((1, 2), (0, 2), (0, 1)))
    both = ts - i - j + y.mean()
    kind = sk - j - h + y.mean()
    left = y - ts - sk - tk + i + j + h - y.mean()
    return {
        "topic:system": k * float((both**2).sum()) / ((t - 1) * (s - 1)),
        "system:shard": t * float((kind**2).sum()) / ((s - 1) * (k - 1)),
        "residual": float((left**2).sum()) / ((t - 1) * (s - 1) * (k - 1)),
    }


@pytest.mark.parametrize("noise", [worlds.gaussian, lopsided])
def test_shards_have_the_variances_that_they_say(noise: worlds.Noise) -> None:
    world, shape = ShardWorld(system_shard=0.05, noise=noise), (60, 50, 40)
    found = mean_squares(world.values(rng(), shape))
    assert found["residual"] == pytest.approx(world.residual**2, rel=0.05)
    assert found["topic:system"] == pytest.approx(world.residual**2 + 40 * world.topic_system**2, rel=0.15)
    assert found["system:shard"] == pytest.approx(world.residual**2 + 60 * world.system_shard**2, rel=0.15)


def test_random_shards_have_no_interaction_with_systems() -> None:
    found = mean_squares(ShardWorld().values(rng(), (60, 50, 40)))
    assert found["system:shard"] == pytest.approx(found["residual"], rel=0.1)


def test_systems_are_equal_on_these_topics_and_shards_where_asked() -> None:
    quiet = ShardWorld(system_shard=0.1, residual=0.0)
    y = quiet.values(rng(), (7, 5, 3), these_topics=True, these_shards=True)
    assert np.ptp(y.mean(axis=(0, 2))) == pytest.approx(0, abs=1e-12)
    assert np.ptp(quiet.values(rng(), (7, 5, 3), these_topics=True).mean(axis=(0, 2))) > 0.01


def test_the_last_system_spreads_most() -> None:
    y = ShardWorld(spread=9.0).values(rng(), (80, 6, 30))
    left = y - y.mean(axis=2, keepdims=True)
    assert left[:, -1].std() > 3 * left[:, 0].std()


@pytest.mark.parametrize("population", ["documents", "topics", "both"])
def test_real_shards_are_drawn_around_one_mean(population: str) -> None:
    scores = rng(2).random((6, 3, 20)) + np.arange(3)[:, None]
    draw = getattr(RealShards(scores), population)
    y = np.array([draw(rng(seed), (6, 3, 20)).mean(axis=(0, 2)) for seed in range(1000)])
    assert (off(y, scores.mean()) < 4).all()


def test_real_shards_that_are_drawn_are_level_for_topics() -> None:
    scores = rng(2).random((400, 3, 20)) + 0.3 * rng(3).random((1, 3, 20))  # systems differ on shards
    y = RealShards(scores).topics(rng(), (400, 3, 2))
    assert np.ptp(y.mean(axis=(0, 2))) < 4 * y.mean(axis=2).std() / np.sqrt(400)


def test_instances_vary_as_they_say() -> None:
    world = InstanceWorld((300, 200), (0.1, 0.02), (0.03, 0.09), (0.05, 0.1), topic=0.3)
    first, second = world.values(rng(), 400)
    assert [first.shape, second.shape] == [(400, 300), (400, 200)]
    assert [one.mean(axis=0).std() for one in (first, second)] == pytest.approx([0.1, 0.02], rel=0.15)
    assert (first.mean(axis=1) - second.mean(axis=1)).std() == pytest.approx(np.hypot(0.03, 0.09), rel=0.1)


def test_lopsided_noise_is_standard() -> None:
    drawn = lopsided(rng(), (200_000,))
    assert (drawn.mean(), drawn.std()) == pytest.approx((0, 1), abs=0.02)


def precision(world: RunWorld, seed: int) -> list[float]:
    """The share of relevant documents among the first ten of each system."""
    drawn = rng(seed)
    qrels, runs = world.corpus(drawn, world.topics(drawn, 5))
    top = {
        name: [doc in qrels[t] for t, found in run.items() for doc in list(found)[:10]] for name, run in runs.items()
    }
    return [float(np.mean(one)) for one in top.values()]


def test_runs_of_stronger_systems_are_better_and_those_of_equal_strength_alike() -> None:
    found = np.array([precision(RunWorld((0.5, 1.5, 1.5), documents=300), seed) for seed in range(60)])
    weak, strong, as_strong = found.mean(axis=0)
    assert strong > weak + 0.2
    assert abs(strong - as_strong) < 4 * (found[:, 1] - found[:, 2]).std() / np.sqrt(60)


def test_runs_are_ranked_lists_of_the_depth_and_kinds_name_documents() -> None:
    world = RunWorld(documents=200, depth=20, kinds=3)
    qrels, runs = world.corpus(rng(), world.topics(rng(), 4))
    assert list(qrels) == ["t0", "t1", "t2", "t3"]
    lists = [found for run in runs.values() for found in run.values()]
    assert {len(found) for found in lists} == {20}
    assert all(list(found.values()) == sorted(found.values(), reverse=True) for found in lists)
    assert {doc[0] for found in lists for doc in found} == {"A", "B", "C"}


def test_kinds_favour_systems_where_they_say() -> None:
    world = RunWorld(documents=4000, kinds=2, topic_system=0.0, kind_system=1.5, depth=200)
    spread = {sd: precision(replace(world, kind_system=sd), 3) for sd in (0.0, 1.5)}
    assert np.ptp(spread[1.5]) > np.ptp(spread[0.0])
