"""Scores of instances drawn from the model of Jayasinghe et al. (SIGIR 2014), so that their components are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irgauge.replicates.instances import InstanceScores


@dataclass(frozen=True)
class Effects:
    """The truth of scores that follow eq. 3 of Jayasinghe et al. (SIGIR 2014).

    E_lmn = means_l + s_lm + t_n + (at)_ln + ε_lmn is the score of instance m of algorithm l on topic n, where means_l
    is μ + a_l and the others are normal with these standard deviations. A deterministic algorithm has one instance,
    and neither s nor ε.
    """

    algorithms: tuple[str, ...] = ("a", "b")
    means: tuple[float, ...] = (0.5, 0.5)  # algorithm
    topic_sd: float = 0.2
    topic_algorithm_sd: float = 0.05
    instance_sd: float = 0.01
    residual_sd: float = 0.05
    deterministic: tuple[str, ...] = ()  # some of the algorithms


def simulate_scores(
    effects: Effects,
    *,
    topics: int = 50,
    instances: int | Sequence[int] = 10,
    missing: float = 0.0,
    seed: int | np.random.Generator = 0,
) -> InstanceScores:
    """Draw scores of so many instances of each algorithm; a share of the cells is missing, completely at random.

    Every instance and every topic keeps at least one score.
    """
    counts = _counts(effects, instances)
    rng = np.random.default_rng(seed)
    algorithm_of = np.repeat(np.arange(len(counts)), counts)  # instance
    is_random = ~np.isin(effects.algorithms, effects.deterministic)[algorithm_of]  # instance
    s = rng.normal(0, effects.instance_sd, len(algorithm_of)) * is_random
    t = rng.normal(0, effects.topic_sd, topics)
    at = rng.normal(0, effects.topic_algorithm_sd, (len(counts), topics))
    e = rng.normal(0, effects.residual_sd, (len(algorithm_of), topics)) * is_random[:, None]
    values = (np.array(effects.means)[algorithm_of] + s)[:, None] + t + at[algorithm_of] + e  # instance, topic
    instance, topic = np.nonzero(_present(values.shape, missing, rng))
    return InstanceScores(
        algorithms=effects.algorithms,
        instances=tuple(str(number) for count in counts for number in range(1, count + 1)),
        topics=tuple(str(number) for number in range(1, topics + 1)),
        algorithm_of=algorithm_of,
        instance=instance,
        topic=topic,
        scores=values[instance, topic],
    )


def _counts(effects: Effects, instances: int | Sequence[int]) -> list[int]:
    """The number of instances of each algorithm."""
    given = [instances] * len(effects.algorithms) if isinstance(instances, int) else list(instances)
    names = zip(effects.algorithms, given, strict=True)
    return [1 if name in effects.deterministic else count for name, count in names]


def _present(shape: tuple[int, ...], missing: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Which cells have a score; one of each row and of each column always has."""
    rows, columns = shape
    present = np.ones(shape, bool)
    if missing == 0:
        return present
    kept = np.zeros(shape, bool)
    kept[np.arange(rows), rng.integers(columns, size=rows)] = True
    kept[rng.integers(rows, size=columns), np.arange(columns)] = True
    present.flat[rng.choice(np.flatnonzero(~kept), round(missing * present.size), replace=False)] = False
    return present
