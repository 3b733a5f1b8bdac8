"""The randomised Tukey test: if all systems are equal, those of a topic might as well have changed places."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.corrections import BUILT_IN, NONE
from irgauge.inference.outcomes import Names, Outcome, allowed, check_draws, compared_together, on_values, ratio
from irgauge.inference.tests.record import Test
from irgauge.inference.tests.tukey import TUKEY
from irgauge.models.anova import decompose

NAME = "randomised-tukey"

BLOCK = 256  # draws that share a seed: part of the result, so that it is not an option


def randomised_tukey(
    values: Floats, systems: Names, *, draws: int = 10_000, seed: int, alpha: float = 0.05, baseline: Name = None
) -> Comparison:
    """Tukey's test of values[topic, system] by draws that permute the systems within each topic, all pairs together.

    p = (1 + #{draws whose range of means ≥ |μ_u − μ_v|}) / (1 + draws); the interval adds to the difference, and takes
    from it, the least significant difference. Carterette (TOIS 2012). The effect is as in `tukey`, with the mean
    square of topic:system.

    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> randomised_tukey(values, ["a", "b", "c"], draws=999, seed=1).significant.tolist()
    [False, True, False]
    """
    pairs, y = on_values(values, systems, alpha, NONE.name, baseline)
    check_draws(draws, pairs)
    ranges = np.sort(permuted_ranges(y, draws, seed))
    rounding = rounding_of_sums(y)
    p = range_p(ranges, np.abs(pairs.difference), rounding)
    margin = ranges[-1 - allowed(draws, alpha)] + rounding
    ms = decompose(y[:, :, None]).ms("topic:system")
    effect = ratio(pairs.difference, np.full(p.shape, math.sqrt(ms)))
    se = np.full(p.shape, math.sqrt(2 * ms / len(y)))
    outcome = Outcome.around(pairs.difference, margin, pairs.difference, p, effect, se)
    comparison = compared_together(pairs, NAME, outcome, BUILT_IN)
    return replace(comparison, draws=draws, seed=seed, error_ms=ms)


def range_p(ranges: Floats, differences: Floats, rounding: float) -> Floats:
    """(1 + #{ranges ≥ difference}) / (1 + draws), of ascending ranges; differences up to rounding count as equal.

    The data as observed count as one more draw, so that p is never 0 and the test never exceeds its level (Phipson and
    Smyth 2010).
    """
    reached = len(ranges) - np.searchsorted(ranges, differences - rounding, side="left")
    return np.asarray((1 + reached) / (1 + len(ranges)), np.float64)


def rounding_of_sums(values: Floats) -> float:
    """By how much means over topics of the same values may differ when they are summed in another order."""
    return float(len(values) * np.finfo(np.float64).eps * np.abs(values).max())


def permuted_ranges(values: Floats, draws: int, seed: int) -> Floats:
    """The range of system means in each draw that permutes the systems within every topic of values[topic, system].

    Under the hypothesis that all systems are the same, labels may be exchanged within a topic; the 1 − α quantile of
    the ranges is the least significant difference. Draw i is the same whatever the number of draws.

    >>> sorted(set(permuted_ranges(np.array([[0.0, 1.0], [0.0, 1.0]]), draws=99, seed=1).tolist()))
    [0.0, 1.0]
    """
    values = np.asarray(values, np.float64)
    _check_scores(values, draws)
    blocks = np.random.SeedSequence(seed).spawn(-(-draws // BLOCK))
    return np.concatenate([_block_ranges(values, np.random.default_rng(block)) for block in blocks])[:draws]


def _block_ranges(values: Floats, rng: np.random.Generator) -> Floats:
    """BLOCK draws, one topic at a time, so that BLOCK x systems are in memory and not topics times as many."""
    topics, systems = values.shape
    sums = np.zeros((BLOCK, systems))  # draw, system
    for scores in values:
        sums += rng.permuted(np.broadcast_to(scores, (BLOCK, systems)), axis=1)
    return np.asarray(np.ptp(sums, axis=1) / topics, np.float64)


def _check_scores(values: Floats, draws: int) -> None:
    if values.ndim != 2 or min(values.shape) < 2:
        raise DesignError(
            f"values[topic, system] need two topics and two systems at least; their shape is {values.shape}"
        )
    if not np.isfinite(values).all():
        raise DesignError("some values are undefined: fill them, or drop the topics that have them")
    if draws < 1:
        raise DesignError(f"draws is {draws}; it must be at least 1, and 10000 is usual")


RANDOMISED_TUKEY = Test(
    name=NAME,
    function=randomised_tukey,
    title="randomised Tukey test",
    explanation="the same, by permuting systems",
    place=60,
    takes=("draws", "seed"),
    corrected_by=BUILT_IN,
    is_equal_spread=True,
    assumes="where systems are equal, their scores on a topic could change places: all vary alike",
    when=TUKEY.when,
    references=("carterette-2012",),
)
RECORDS = (RANDOMISED_TUKEY,)
