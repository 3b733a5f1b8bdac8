"""What tests of pairs have in common: the pairs of values[topic, system], and how outcomes become a Comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import NamedTuple

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.comparison import Comparison, Family, Name
from irgauge.inference.corrections import Correction
from irgauge.inference.corrections import correction as correction_named
from irgauge.inference.sampling import Sampling
from irgauge.models.anova import Population

Names = Sequence[str]
BLOCK = 1 << 20  # numbers in memory at once, for each array over topics or draws and pairs
_ROUNDING = 1e-9  # of numbers of draws
_GRID = 2.0**-36  # of the largest value: differences within this are equal, their sums exact


class Outcome(NamedTuple):
    """What a test says of each pair, in the words of Comparison."""

    low: Floats
    high: Floats
    statistic: Floats
    p: Floats  # of the pair for itself; of the family, where the test is of all pairs together
    effect: Floats
    se: Floats

    @classmethod
    def around(cls, difference: Floats, margin: Floats | float, *rest: Floats) -> Outcome:
        """The interval is the difference ± a margin."""
        return cls(difference - margin, difference + margin, *rest)


def untested_if_constant(outcome: Outcome, difference: Floats) -> Outcome:
    """Without p and interval where a difference does not vary at all, so that there is no spread to test it against.

    Two topics with a difference of 0.1 each show as little as one; R's t.test refuses them. No difference stays none.
    """
    is_constant = (outcome.se == 0) & (difference != 0)
    return outcome._replace(
        low=np.where(is_constant, -np.inf, outcome.low),
        high=np.where(is_constant, np.inf, outcome.high),
        p=np.where(is_constant, 1.0, outcome.p),
    )


def compared(pairs: Family, test: str, outcome: Outcome) -> Comparison:
    """What a test says of the pairs, with the p of each and p adjusted for the family."""
    design = {field.name: getattr(pairs, field.name) for field in fields(pairs)}
    p_adjusted = pairs.corrected_by.adjusted(outcome.p)
    return Comparison(**design, **outcome._asdict(), test=test, p_adjusted=p_adjusted)


def compared_together(pairs: Family, test: str, outcome: Outcome, correction: Correction) -> Comparison:
    """What a test of all pairs together says: its p is that of the family, and of a pair only where it is alone."""
    alone = outcome.p if len(pairs.systems) == 2 else np.full_like(outcome.p, np.nan)
    return replace(compared(pairs, test, outcome), p=alone, correction=correction.name)


def on_values(
    values: Floats,
    systems: Names,
    alpha: float,
    correction: str,
    baseline: Name,
    sides: int = 2,
    sampling: Sampling | None = None,
) -> tuple[Family, Floats]:
    """The pairs, and the values[topic, system], or their means over shards, with the best system first."""
    y = np.asarray(values, np.float64)
    y, shards = (y.mean(axis=2), y.shape[2]) if y.ndim == 3 else (y, 1)
    check_values(y)
    means = y.mean(axis=0) if sampling is None or not sampling.is_weighted else sampling.means(y)
    pairs = pairs_of(means, systems, (len(y), shards), alpha, correction, baseline, sides=sides)
    return pairs, y[:, _best_first(means)]


def check_values(y: Floats) -> None:
    """Refuse values[topic, system] that nothing can be said of."""
    if y.ndim != 2 or min(y.shape) < 2:
        shape = "topics: {}, systems: {}".format(*y.shape) if y.ndim == 2 else f"values of shape {y.shape}"
        raise DesignError(f"a comparison needs at least 2 topics and 2 systems; given: {shape}")
    if not np.isfinite(y).all():
        raise DesignError("some values are undefined: fill them, or drop the topics that have them")


def _best_first(means: Floats) -> Indices:
    return np.argsort(-means, kind="stable")


def pairs_of(
    means: Floats,
    systems: Names,
    size: tuple[int, int],  # topics, shards
    alpha: float,
    correction: str,
    baseline: Name,
    *,
    population: Population = "topics",
    sides: int = 2,
) -> Family:
    """The pairs of systems with these means, all or those with a baseline, best first."""
    check_alpha(alpha)
    correction = correction_named(correction).name
    if sides not in (1, 2) or alpha >= sides / 2:
        raise DesignError(f"sides are {sides} and alpha is {alpha}; a test has 1 or 2 sides, with 1 alpha is below 0.5")
    if len(systems) != len(means) or len(set(systems)) < len(systems):
        raise DesignError(f"{len(means)} systems need as many different names; {len(systems)} names were given")
    order = _best_first(means)
    names = tuple(systems[system] for system in order)
    if baseline is None:
        first, second = np.triu_indices(len(names), 1)
    else:
        baseline = known(baseline, names, "baseline")
        kept = names.index(baseline)
        first = np.delete(np.arange(len(names)), kept)
        second = np.full(len(first), kept)
    return Family(names, means[order], first, second, baseline, alpha, correction, population, *size, sides)


def check_draws(draws: int, pairs: Family) -> None:
    """Whether any p-value can reach α once it is adjusted."""
    level = pairs.corrected_by.least_level(pairs.alpha, len(pairs.first))
    if draws < 1 or allowed(draws, level) < 0:
        least = math.ceil(1 / level - _ROUNDING) - 1
        advice = ", or the correction bh, or the test max-t" if level < pairs.alpha else ""
        raise DesignError(f"{draws} draws cannot give a p-value of {pairs.alpha}; at least {least} can{advice}")


def allowed(draws: int, level: float) -> int:
    """How many draws may reach what was observed while (1 + how many) / (1 + draws) ≤ level; −1 if none can."""
    return math.floor(level * (1 + draws) + _ROUNDING) - 1


def blocks(pairs: Family, rows: int) -> Iterator[slice]:
    """The pairs, so many at once that `rows` for each of them fit in a block."""
    size = max(1, BLOCK // rows)
    return (slice(start, start + size) for start in range(0, len(pairs.first), size))


def in_blocks(pairs: Family, rows: int, test: Callable[[Indices, Indices], Outcome]) -> Outcome:
    """The test of systems u against systems v, block by block."""
    outcomes = [test(pairs.first[block], pairs.second[block]) for block in blocks(pairs, rows)]
    return Outcome(*(np.concatenate(each) for each in zip(*outcomes, strict=True)))


def differences(y: Floats, u: Indices, v: Indices) -> Floats:
    """d[topic, pair] = y_u − y_v, where 0.3 − 0.2 is 0.2 − 0.1."""
    by_system = np.ascontiguousarray(y.T)  # rows are taken nine times as fast as columns, and summed alike in any block
    return on_grid((by_system.take(u, axis=0) - by_system.take(v, axis=0)).T, step_of(y))


def on_grid(values: Floats, step: float) -> Floats:
    """Values as multiples of a step."""
    return np.asarray(np.round(values / step) * step)


def step_of(y: Floats) -> float:
    """A power of two, so that the sums of numbers on this grid are exact, in whatever order they are added."""
    return math.ldexp(_GRID, math.frexp(float(np.abs(y).max()))[1])


def deviations(values: Floats) -> Floats:
    """The standard deviation of each column; exactly 0 if it is constant."""
    return np.where(np.ptp(values, axis=0) == 0, 0.0, values.std(axis=0, ddof=1))


def ratio(a: Floats, b: Floats) -> Floats:
    """a / b; without variation (b = 0) infinite, or 0 where there is no difference either."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((a == 0) & (b == 0), 0.0, a / b)


_VARIANCE_ROUNDING = 1e-12  # of a variance, as a part of those that it is made from


def pair_variances(values: Floats) -> Floats:
    """The variance over rows of the difference of each two columns of values[row, system]: system, system.

    Var(x − y) = Var(x) + Var(y) − 2 Cov(x, y); what is left of two equal columns by rounding is 0.

    >>> pair_variances(np.array([[0.1, 0.1, 0.3], [0.2, 0.2, 0.1], [0.6, 0.6, 0.2]])).round(4).tolist()
    [[0.0, 0.0, 0.09], [0.0, 0.0, 0.09], [0.09, 0.09, 0.0]]
    """
    return pair_squares(np.atleast_2d(np.cov(values, rowvar=False)))


def pair_squares(products: Floats) -> Floats:
    """Σ (x − y)² of each two columns of which products[column, column] are Σ x y; 0 where only rounding is left."""
    both = np.add.outer(np.diag(products), np.diag(products))
    variance = both - 2 * products
    return np.where(variance > _VARIANCE_ROUNDING * both, variance, 0.0)
