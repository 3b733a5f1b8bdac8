"""The randomised Tukey test: if all systems are equal, those of a topic might as well have changed places."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from irgauge.inference.comparison import BUILT_IN, Comparison, Floats, Name
from irgauge.inference.multiplicity import permuted_ranges, range_p, rounding_of_sums
from irgauge.inference.outcomes import Names, Outcome, allowed, check_draws, compared, on_values, ratio
from irgauge.models.anova import decompose


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
    pairs, y = on_values(values, systems, alpha, "none", baseline)
    check_draws(draws, pairs)
    ranges = np.sort(permuted_ranges(y, draws, seed))
    rounding = rounding_of_sums(y)
    p = range_p(ranges, np.abs(pairs.difference), rounding)
    margin = ranges[-1 - allowed(draws, alpha)] + rounding
    ms = decompose(y[:, :, None]).ms("topic:system")
    effect = ratio(pairs.difference, np.full(p.shape, math.sqrt(ms)))
    se = np.full(p.shape, math.sqrt(2 * ms / len(y)))
    outcome = Outcome.around(pairs.difference, margin, pairs.difference, p, effect, se)
    comparison = compared(pairs, "randomised-tukey", outcome)
    return replace(comparison, correction=BUILT_IN, draws=draws, seed=seed, error_ms=ms)
