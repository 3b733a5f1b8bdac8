"""Do intervals of means hold the truth? Topics drawn with replacement: the truth is the mean over all topics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from irgauge.calibrating.methods import Setting
from irgauge.compute.arrays import Floats
from irgauge.compute.tasks import each
from irgauge.errors import DesignError
from irgauge.inference.intervals import anova_interval, sem_interval, tukey_interval
from irgauge.inference.mean_bounds import mean_bounds
from irgauge.models.anova import decompose
from irgauge.scoring.ranges import Range

MEAN = "mean"  # the interval of score
TUKEY_INTERVAL = "tukey"
FOR_COMPARING = (TUKEY_INTERVAL, "sem", "anova")  # intervals of means that are for comparing systems


def lacking(
    values: Floats,
    setting: Setting,
    trials: int,
    *,
    within: Range | None,
    seed: int,
    workers: int | None = None,
    then: Callable[[object], None] | None = None,
) -> dict[str, Floats]:
    """The share of intervals of each kind that lack the mean of values[topic, system], in each experiment."""
    every = each(partial(_seen, values, setting, within, seed), range(trials), workers, named="trial", then=then)
    return {name: np.array([seen[name] for seen in every]) for name in every[0]}


def _seen(values: Floats, setting: Setting, within: Range | None, seed: int, number: int) -> dict[str, float]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(3, number)))
    drawn, truth = values[rng.integers(len(values), size=len(values))], values.mean(axis=0)
    own = _share(*mean_bounds(drawn, alpha=setting.alpha, within=within), truth)
    return {MEAN: own} | _for_comparing(drawn, truth, setting.alpha)


def _for_comparing(drawn: Floats, truth: Floats, alpha: float) -> dict[str, float]:
    """The intervals of means that are for comparing systems; all lack the truth where systems do not vary."""
    on_shards, systems = drawn[:, :, None], list(map(str, range(drawn.shape[1])))
    try:
        fit = decompose(on_shards).fit("MD1")
    except DesignError:
        return dict.fromkeys(FOR_COMPARING, 1.0)
    intervals = {
        TUKEY_INTERVAL: tukey_interval(fit, systems, population="topics", alpha=alpha),
        "sem": sem_interval(on_shards, systems, alpha=alpha),
        "anova": anova_interval(fit, systems, population="topics", alpha=alpha),
    }
    return {name: _share(interval.low, interval.high, truth) for name, interval in intervals.items()}


def _share(low: Floats, high: Floats, truth: Floats) -> float:
    """Of intervals that lack the truth; an interval without ends lacks it."""
    return float(1 - ((low <= truth) & (truth <= high)).mean())
