"""Discriminative power of a measure: how many pairs of systems have a small p, and which difference that takes.

Sakai, "Evaluating evaluation metrics based on the bootstrap" (SIGIR 2006) and "Evaluation with informational and
navigational intents" (WWW 2012). Both tests are of each pair, or of all together, and describe the measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Floats
from irgauge.inference.comparison import Family
from irgauge.inference.corrections import NONE
from irgauge.inference.outcomes import allowed, blocks, check_draws, differences, on_values
from irgauge.inference.tests.randomised_tukey import permuted_ranges, range_p, rounding_of_sums

BOOTSTRAP, HSD = "bootstrap", "hsd"
_ROUNDING = 1e-9  # relative: of sums in another order, and of a spread beside the squares that it is made from


class Discriminated(NamedTuple):
    """What a test says of all pairs by one measure."""

    pairs: Family
    p: Floats  # pair
    needed: float  # the difference with which p reaches α; NaN where no pair varies

    @property
    def found(self) -> Bools:
        """The pairs whose p is at most α."""
        return self.p <= self.pairs.alpha


def paired_bootstrap(
    values: Floats, systems: tuple[str, ...], *, draws: int, seed: int, alpha: float = 0.05
) -> Discriminated:
    """Sakai's paired bootstrap test of each pair of values[topic, system], by the same draws of topics.

    With the differences z, w = z − z̄ has no difference; t* is Student's t of T topics of w drawn with replacement, and
    p = (1 + #{|t*| ≥ |t|}) / (1 + draws). The draw whose |t*| a pair must exceed has a mean |w̄*|: the largest of these
    over pairs is the difference needed. A pair that does not vary has nothing to draw: its p is 1.

    >>> values = np.random.default_rng(1).random((20, 3)) + np.array([0.0, 0.1, 0.9])
    >>> paired_bootstrap(values, ("a", "b", "c"), draws=999, seed=1).found.tolist()
    [True, True, False]
    """
    pairs, y = on_values(values, systems, alpha, NONE.name, None)
    check_draws(draws, pairs)
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(len(y), np.full(len(y), 1 / len(y)), size=draws).astype(np.float64)  # draw, topic
    parts = [
        _bootstrapped(differences(y, pairs.first[block], pairs.second[block]), counts, allowed(draws, alpha))
        for block in blocks(pairs, 4 * draws)
    ]
    p, needed = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Discriminated(pairs, p, float(np.nanmax(needed)) if np.isfinite(needed).any() else float("nan"))


def _bootstrapped(z: Floats, counts: Floats, exceed: int) -> tuple[Floats, Floats]:
    """The p of each pair of z[topic, pair], and |w̄*| of the draw that it must exceed; NaN if it does not vary."""
    draws, topics = counts.shape
    varies = np.ptp(z, axis=0) > 0
    w = z - z.mean(axis=0)
    means = counts @ w / topics  # draw, pair
    drawn = np.abs(_t(means, counts @ np.square(w) / topics, topics))
    observed = np.abs(_t(z.mean(axis=0), np.square(z).mean(axis=0), topics))
    reached = (drawn >= observed * (1 - _ROUNDING)).sum(axis=0)
    p = np.where(varies, (1 + reached) / (1 + draws), 1.0)
    critical = np.argsort(-drawn, axis=0, kind="stable")[exceed]  # the draw of the largest |t*| but so many
    return p, np.where(varies, np.abs(np.take_along_axis(means, critical[None], axis=0)[0]), np.nan)


def _t(mean: Floats, square: Floats, topics: int) -> Floats:
    """Student's t from the mean and the mean square; without variation infinite, or 0 where there is no mean either."""
    variance = square - np.square(mean)
    varies = variance > _ROUNDING * square
    t = mean * np.sqrt((topics - 1) / np.where(varies, variance, 1.0))
    return np.where(varies, t, np.where(square > 0, np.inf, 0.0))


def randomised_hsd(
    values: Floats, systems: tuple[str, ...], *, draws: int, seed: int, alpha: float = 0.05
) -> Discriminated:
    """The randomised Tukey test of all pairs of values[topic, system] together; the difference needed is its own.

    >>> values = np.random.default_rng(1).random((20, 3)) + np.array([0.0, 0.1, 0.9])
    >>> randomised_hsd(values, ("a", "b", "c"), draws=999, seed=1).found.tolist()
    [True, True, False]
    """
    pairs, y = on_values(values, systems, alpha, NONE.name, None)
    check_draws(draws, pairs)
    ranges, rounding = np.sort(permuted_ranges(y, draws, seed)), rounding_of_sums(y)
    needed = float(ranges[-1 - allowed(draws, alpha)])
    return Discriminated(pairs, range_p(ranges, np.abs(pairs.difference), rounding), needed)


METHODS: Mapping[str, Callable[..., Discriminated]] = {BOOTSTRAP: paired_bootstrap, HSD: randomised_hsd}
TITLES = {BOOTSTRAP: "paired bootstrap test of each pair", HSD: "randomised Tukey test of all pairs"}
