"""Plans are kept: a pilot is drawn from a known truth, and the experiment that it plans reaches its goal as promised.

Pilots and experiments are drawn as mean squares, which follow chi-square; the tests of experiments are written here.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.designs import MeanSquare, OverTopics, ShardSquares, TopicsAndInstances, TopicsAndShards
from irgauge.planning.sizes import Goal, Kind, Size, Variances, topics_for

LEVEL, DRAWS = 0.05, 1500


def share_kept(kind: Kind, value: float, half: NDArray[np.float64], difference: NDArray[np.float64]) -> float:
    """How often experiments whose true difference is 0 reach the goal, or would if it were `value`."""
    if kind == "width":
        return float((half <= value).mean())
    if kind == "difference":
        return float((difference + value > half).mean())
    return float((np.abs(difference) + half < value).mean())


def check_kept(
    kind: Kind,
    value: float,
    pilots: list[Variances],
    replicates: int,
    experiments: Callable[[int, float], tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> None:
    """An interval is as narrow in 80 % of all; the power of the experiment is 80 % or more after 80 % of the pilots."""
    kept = []
    for pilot in pilots:
        topics = topics_for(pilot, replicates, Goal(kind, value, level=LEVEL))
        if topics is not None:
            kept.append(share_kept(kind, value, *experiments(topics, LEVEL * (2 if kind == "margin" else 1))))
    error = 3 * math.sqrt(0.8 * 0.2 / len(kept))
    assert len(kept) > 0.8 * len(pilots)
    if kind == "width":
        assert np.mean(kept) >= 0.8 - error
    else:
        noise = 2 * math.sqrt(0.8 * 0.2 / DRAWS)
        assert np.mean(np.array(kept) >= 0.8 - noise) >= 0.8 - error


def chi(rng: np.random.Generator, df: int, size: int | None = None) -> NDArray[np.float64]:
    return np.asarray(rng.chisquare(df, size) / df)


@pytest.mark.parametrize(("kind", "value"), [("width", 0.04), ("difference", 0.05), ("margin", 0.05)])
def test_plans_of_topics_are_kept(kind: Kind, value: float) -> None:
    rng, variance = np.random.default_rng(11), 0.02
    pilots: list[Variances] = [OverTopics.of(MeanSquare(variance * float(chi(rng, 24)), 24)) for _ in range(70)]

    def experiments(topics: int, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        estimated = variance * chi(rng, topics - 1, DRAWS)
        half = stats.t.ppf(1 - level / 2, topics - 1) * np.sqrt(estimated / topics)
        return half, rng.normal(0, math.sqrt(variance / topics), DRAWS)

    check_kept(kind, value, pilots, 1, experiments)


@pytest.mark.parametrize(("kind", "value"), [("width", 0.05), ("difference", 0.06), ("margin", 0.065)])
def test_plans_of_topics_and_shards_are_kept(kind: Kind, value: float) -> None:
    rng, systems, at, later = np.random.default_rng(12), 5, Size(40, 6), 10
    topic, shard, left = 0.02, 0.0006, 0.02

    def squares(size: Size, draws: int | None) -> list[NDArray[np.float64]]:
        """Over topics, and of all systems over shards and of the residual, per difference."""
        topics, shards = size
        freedom = (topics - 1, (systems - 1) * (shards - 1), (systems - 1) * (topics - 1) * (shards - 1))
        expected = (topic + left / shards, left + topics * shard, left)
        return [one * chi(rng, df, draws) for one, df in zip(expected, freedom, strict=True)]

    def pilot() -> Variances:
        topics, shards = at
        over_topics, over_shards, all_left = map(float, squares(at, None))
        of_pair, df = float(left * chi(rng, (topics - 1) * (shards - 1))), (systems - 1) * (shards - 1)
        return TopicsAndShards.of(
            ShardSquares(
                MeanSquare(over_topics, topics - 1),
                MeanSquare(of_pair, (topics - 1) * (shards - 1)),
                MeanSquare(over_shards, df),
                MeanSquare(all_left, df * (topics - 1)),
            ),
            at,
            systems,
        )

    def experiments(topics: int, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The test crossed-t: M_t of the pair, M_s of all systems, Satterthwaite's degrees of freedom."""
        own, over_shards, cells = squares(Size(topics, later), DRAWS)
        own = later * own
        added = np.maximum(0, over_shards - cells)
        df_shards = (systems - 1) * (later - 1)
        more = np.where(added > 0, over_shards**2 / df_shards + cells**2 / (df_shards * (topics - 1)), 0)
        df = np.maximum(1, (own + added) ** 2 / (own**2 / (topics - 1) + more))
        half = stats.t.ppf(1 - level / 2, df) * np.sqrt((own + added) / (topics * later))
        true = topic / topics + shard / later + left / (topics * later)
        return half, rng.normal(0, math.sqrt(true), DRAWS)

    check_kept(kind, value, [pilot() for _ in range(45)], later, experiments)


@pytest.mark.parametrize(("kind", "value"), [("difference", 0.05), ("margin", 0.05)])
def test_plans_of_topics_and_instances_are_kept(kind: Kind, value: float) -> None:
    rng, (topic, instance, left) = np.random.default_rng(13), (0.003, 0.0002, 0.006)  # of one algorithm

    def scores(topics: int, instances: int) -> NDArray[np.float64]:
        of_topics = rng.normal(0, math.sqrt(topic), topics) + rng.normal(0, math.sqrt(instance), (instances, 1))
        return np.asarray(of_topics + rng.normal(0, math.sqrt(left), (instances, topics)))

    later = 15

    def experiments(topics: int, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Each part by its own t, as in `instances`."""
        over_topics = (2 * topic + 2 * left / later) * chi(rng, topics - 1, DRAWS) / topics
        square = stats.t.ppf(1 - level / 2, topics - 1) ** 2 * over_topics
        for _ in range(2):
            between = (instance + left / topics) * chi(rng, later - 1, DRAWS)
            residual = left * chi(rng, (later - 1) * (topics - 1), DRAWS)
            part = np.maximum(between - residual / topics, between / (later - 1)) / later
            square = square + stats.t.ppf(1 - level / 2, later - 1) ** 2 * part
        true = 2 * (topic / topics + instance / later + left / (topics * later))
        return np.sqrt(square), rng.normal(0, math.sqrt(true), DRAWS)

    pilots: list[Variances] = [TopicsAndInstances.of(TwoAlgorithms.of(scores(40, 8), scores(40, 8))) for _ in range(40)]
    check_kept(kind, value, pilots, later, experiments)
