"""Algorithms each of whose runs differs: equal pairs, unequal variances, few instances, and sizes planned for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from calibration.rates import assert_at_least, assert_at_most
from irgauge.compute.arrays import Floats
from irgauge.replicates.instances import InstanceScores
from irgauge.studies.instances.further_questions import unequal_variances
from irgauge.studies.instances.study import AlgorithmsCompared, instances
from irgauge.studies.plan.study import plan

Draw = Callable[[np.random.Generator, float, tuple[int, ...]], Floats]
TRIALS = 250


def normal(rng: np.random.Generator, sd: float, shape: tuple[int, ...]) -> Floats:
    return rng.normal(0, sd, shape)


def skewed(rng: np.random.Generator, sd: float, shape: tuple[int, ...]) -> Floats:
    """Gamma with a skewness of 1, centred."""
    return np.asarray(sd * (rng.gamma(4, 0.5, shape) - 2))


def long_tailed(rng: np.random.Generator, sd: float, shape: tuple[int, ...]) -> Floats:
    return np.asarray(sd * rng.standard_t(5, shape) / np.sqrt(5 / 3))


def world(
    rng: np.random.Generator, topics: int, counts: tuple[int, ...], sds: tuple[float, ...], draw: Draw = normal
) -> InstanceScores:
    """Algorithms of equal means, whose instances differ by the standard deviations sds."""
    difficulty = rng.beta(2, 3, topics)
    rows = []
    for name, (count, sd) in enumerate(zip(counts, sds, strict=True)):
        on_topics = draw(rng, 0.03 + sd / 2, (topics,))  # what is noisy is so from topic to topic too
        residual = draw(rng, 0.05 + sd, (count, topics))
        values = difficulty + on_topics + draw(rng, sd if count > 1 else 0.0, (count, 1)) + residual
        rows += [(f"x{name}", str(i), str(t), float(values[i, t])) for i in range(count) for t in range(topics)]
    return InstanceScores.from_frame(
        pl.DataFrame(rows, schema=("algorithm", "instance", "topic", "score"), orient="row")
    )


def compared(scores: InstanceScores) -> AlgorithmsCompared:
    return instances(scores, posterior=False, correction="none", baseline="x0")


@pytest.mark.parametrize(
    ("counts", "sds", "draw"),
    [
        ((10, 2), (0.01, 0.05), normal),
        ((10, 3), (0.01, 0.05), long_tailed),
        ((5, 5), (0.005, 0.04), skewed),
        ((1, 4), (0.0, 0.03), normal),
    ],
    ids=["10 against 2 noisier", "10 against 3 noisier", "5 against 5, skewed", "deterministic against 4"],
)
def test_equal_pairs_are_seldom_told_to_differ(counts: tuple[int, ...], sds: tuple[float, ...], draw: Draw) -> None:
    rng, wrong = np.random.default_rng(1401), 0
    for _ in range(TRIALS):
        found = compared(world(rng, 30, counts, sds, draw))
        wrong += int(found.contrasts[0].p <= 0.05)
        low, high = found.intervals[:, 0]
        assert (found.contrasts[0].p <= 0.05) == (not low <= 0 <= high)
    assert_at_most(wrong, TRIALS)


def test_each_pair_of_five_algorithms_errs_seldom() -> None:
    rng, sds = np.random.default_rng(1402), (0.005, 0.005, 0.01, 0.02, 0.06)
    wrong: dict[tuple[str, str], int] = {}
    for _ in range(150):
        found = instances(world(rng, 30, (5,) * 5, sds), posterior=False, correction="none")
        for pair, one in zip(found.pairs, found.contrasts, strict=True):
            key = min(pair), max(pair)
            wrong[key] = wrong.get(key, 0) + int(one.p <= 0.05)
    for count in wrong.values():
        assert_at_most(count, 150)


def test_a_warning_fires_where_variances_differ_and_seldom_elsewhere() -> None:
    rng = np.random.default_rng(1403)
    unequal = [unequal_variances(world(rng, 30, (10, 2), (0.005, 0.06))) for _ in range(100)]
    equal = [unequal_variances(world(rng, 30, (10, 2), (0.02, 0.02))) for _ in range(100)]
    assert sum(one is not None for one in unequal) > 90
    assert_at_most(sum(one is not None for one in equal), 100, 0.1)  # two kinds of variances, 5 % each


@pytest.mark.parametrize("counts", [(2, 2), (1, 3)])
def test_hpd_intervals_of_few_instances_hold_about_as_often_as_they_say(counts: tuple[int, int]) -> None:
    rng, held, trials = np.random.default_rng(1404), 0, 40
    for seed in range(trials):
        scores = world(rng, 25, counts, (0.02, 0.02))
        found = instances(scores, baseline="x0", draws=4000, seed=seed)
        assert found.hpd is not None
        held += int(found.hpd[0, 0] <= 0 <= found.hpd[1, 0])
    assert_at_least(held, trials)


def test_experiments_of_the_size_planned_come_out_as_narrow() -> None:
    rng, held, trials = np.random.default_rng(1405), 0, 0

    for _ in range(60):
        pilot = plan(world(rng, 25, (5, 5), (0.01, 0.02)), width=0.03)
        topics = next(one.topics for one in pilot.first.designs if one.replicates == 20)
        if topics is not None and topics < 500:
            found = compared(world(rng, topics, (20, 20), (0.01, 0.02))).intervals[:, 0]
            held, trials = held + int(found[1] - found[0] <= 0.06), trials + 1
    assert trials > 30
    assert_at_least(held, trials, 0.8)
