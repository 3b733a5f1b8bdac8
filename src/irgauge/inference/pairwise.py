"""Which systems differ? Tests of all pairs of systems, or of those with a baseline -> Comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from irgauge.choices import known
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.comparison import BUILT_IN, Comparison, Family, Floats, Indices, Name
from irgauge.inference.intervals import critical_t, hodges_lehmann, standard_error, typical_values
from irgauge.inference.multiplicity import adjustment, permuted_ranges, range_p, rounding_of_sums
from irgauge.inference.studentized import ppf, sf
from irgauge.models.anova import Fit, Population, decompose

Names = Sequence[str]
_BLOCK = 1 << 20  # numbers in memory at once, for each array over topics or draws and pairs
_GRID = 2.0**-36  # of the largest value: differences within this are equal, their sums exact
_ENUMERATED = 13  # up to so many topics scipy takes all signs for the signed-rank test with ties


class _Outcome(NamedTuple):
    """What a test says of each pair, in the words of Comparison."""

    low: Floats
    high: Floats
    statistic: Floats
    p_single: Floats
    effect: Floats

    @classmethod
    def around(cls, difference: Floats, margin: Floats | float, *rest: Floats) -> _Outcome:
        return cls(difference - margin, difference + margin, *rest)


def _compared(pairs: Family, test: str, outcome: _Outcome) -> Comparison:
    design = {field.name: getattr(pairs, field.name) for field in fields(pairs)}
    p = adjustment(pairs.correction)(outcome.p_single)
    return Comparison(**design, **outcome._asdict(), test=test, p=p)


def tukey(
    fit: Fit, systems: Names, *, population: Population, alpha: float = 0.05, baseline: Name = None
) -> Comparison:
    """Tukey's honestly significant difference, all pairs together, with the error term of the population.

    |μ_u − μ_v| / √(MS / TS) > Q(α; R, df), p = P(Q(R, df) ≥ it), and the interval μ_u − μ_v ± Q(α; R, df) √(MS / TS):
    Ferro and Sanderson (2019), eq. 1 and 2. The effect is (μ_u − μ_v) / √MS.

    >>> from irgauge.models.anova import fit
    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> tukey(fit(values[:, :, None], "MD1"), ["a", "b", "c"], population="topics").p.round(4).tolist()
    [0.6201, 0.0068, 0.0191]
    """
    error, (topics, r, shards) = fit.error_term(population), fit.shape
    pairs = _pairs(fit.means("system"), systems, (topics, shards), alpha, "none", baseline, population=population)
    se, root = standard_error(error), math.sqrt(error.ms)
    q, margin = pairs.difference / se, float(ppf(1 - alpha, r, error.df)) * se
    outcome = _Outcome.around(pairs.difference, margin, q, sf(q, r, error.df), pairs.difference / root)
    return replace(_compared(pairs, "tukey", outcome), correction=BUILT_IN, error_ms=error.ms, df=error.df)


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
    pairs, y = _on_values(values, systems, alpha, "none", baseline)
    _check_draws(draws, pairs)
    ranges = np.sort(permuted_ranges(y, draws, seed))
    rounding = rounding_of_sums(y)
    p = range_p(ranges, pairs.difference, rounding)
    margin = ranges[-1 - _allowed(draws, alpha)] + rounding
    ms = decompose(y[:, :, None]).ms("topic:system")
    effect = ratio(pairs.difference, np.full(p.shape, math.sqrt(ms)))
    outcome = _Outcome.around(pairs.difference, margin, pairs.difference, p, effect)
    comparison = _compared(pairs, "randomised-tukey", outcome)
    return replace(comparison, correction=BUILT_IN, draws=draws, seed=seed, error_ms=ms)


def paired_t(
    values: Floats, systems: Names, *, alpha: float = 0.05, correction: str = "none", baseline: Name = None
) -> Comparison:
    """The paired t-test of values[topic, system], two-sided.

    t = d̄ √T / s with T − 1 degrees of freedom, where d̄ and s are the mean and the standard deviation of the
    differences over topics; the effect is d̄ / s. Student, "The probable error of a mean" (Biometrika 1908).

    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> paired_t(values, ["a", "b", "c"], correction="holm").p.round(4).tolist()
    [0.1047, 0.1047, 0.1047]
    """
    pairs, y = _on_values(values, systems, alpha, correction, baseline)
    outcome = _in_blocks(pairs, len(y), lambda u, v: _t(_differences(y, u, v), pairs.level))
    return replace(_compared(pairs, "t", outcome), df=float(len(y) - 1))


def _t(d: Floats, level: float) -> _Outcome:
    mean, sd, n = d.mean(axis=0), _sd(d), len(d)
    t, p = t_of_differences(d)
    return _Outcome.around(mean, critical_t(level, n - 1) * sd / math.sqrt(n), t, p, ratio(mean, sd))


def t_of_differences(d: Floats) -> tuple[Floats, Floats]:
    """Student's t of differences d[topic, ...] and its two-sided p-value, each over topics alone."""
    n = len(d)
    t = ratio(d.mean(axis=0), _sd(d) / math.sqrt(n))
    return t, 2 * stdtr(n - 1, -np.abs(t))


def unpaired_t(
    values: Floats, systems: Names, *, alpha: float = 0.05, correction: str = "none", baseline: Name = None
) -> Comparison:
    """The two-sample t-test of values[topic, system], two-sided: it does not use that the topics are the same.

    t = (μ_u − μ_v) / (s √(2/T)) with 2T − 2 degrees of freedom, s² the mean of the two variances; the effect is
    (μ_u − μ_v) / s, Cohen's d. Voorhees, Samarov and Soboroff (TOIS 2017), Table 4.

    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> unpaired_t(values, ["a", "b", "c"]).p.round(4).tolist()
    [0.3559, 0.0025, 0.002]
    """
    pairs, y = _on_values(values, systems, alpha, correction, baseline)
    variance, df = np.square(_sd(y)), 2 * len(y) - 2
    s = np.sqrt((variance[pairs.first] + variance[pairs.second]) / 2)
    se = s * math.sqrt(2 / len(y))
    t, margin = ratio(pairs.difference, se), critical_t(pairs.level, df) * se
    outcome = _Outcome.around(pairs.difference, margin, t, 2 * stdtr(df, -np.abs(t)), ratio(pairs.difference, s))
    return replace(_compared(pairs, "unpaired-t", outcome), df=float(df))


def wilcoxon(
    values: Floats, systems: Names, *, alpha: float = 0.05, correction: str = "none", baseline: Name = None
) -> Comparison:
    """The signed-rank test of values[topic, system], two-sided, as in scipy: differences of 0 are left out.

    W, the smaller of the sums of the ranks of |d| over the topics with d > 0 and with d < 0. The interval is that of
    Hodges and Lehmann, of the centre of the differences and not of their mean; the effect is d̄ / s. Wilcoxon,
    "Individual comparisons by ranking methods" (Biometrics Bulletin 1945).

    >>> values = np.array([[0.2, 0.5], [0.3, 0.4], [0.1, 0.6], [0.2, 0.6], [0.5, 0.7], [0.2, 0.8]])
    >>> wilcoxon(values, ["a", "b"]).p.tolist()
    [0.03125]
    """
    pairs, y = _on_values(values, systems, alpha, correction, baseline)
    rows = 2 ** len(y) if len(y) <= _ENUMERATED else len(y)
    outcome = _in_blocks(pairs, rows, lambda u, v: _signed_rank(_differences(y, u, v), pairs.level))
    return _compared(pairs, "wilcoxon", outcome)


def _signed_rank(d: Floats, level: float) -> _Outcome:
    size = np.sort(np.abs(d), axis=0)  # topic, pair
    some, tied = size[-1] > 0, (size[0] == 0) | (np.diff(size, axis=0) == 0).any(axis=0)
    w, p = np.zeros(d.shape[1]), np.ones(d.shape[1])
    for pairs in (np.flatnonzero(some & ~tied), np.flatnonzero(some & tied)):  # scipy takes one method for all
        if len(pairs):
            w[pairs], p[pairs] = _rank_sums(d[:, pairs], tied=bool(tied[pairs[0]]))
    return _Outcome(*hodges_lehmann(d, level), w, p, ratio(d.mean(axis=0), _sd(d)))


def _rank_sums(d: Floats, *, tied: bool) -> tuple[Floats, Floats]:
    """The statistic and its p-value: scipy's, but for few topics with ties faster, in much less memory."""
    from scipy import stats

    if not tied or len(d) > _ENUMERATED:
        result = stats.wilcoxon(d, axis=0)
        return result.statistic, result.pvalue
    ranks = np.where(d == 0, 0, stats.rankdata(np.abs(d), axis=0) - (d == 0).sum(axis=0))  # topic, pair
    sums = np.array(list(product((0, 1), repeat=len(d)))) @ ranks  # signs, pair
    plus = (ranks * (d > 0)).sum(axis=0)
    p = 2 * np.minimum((sums >= plus).mean(axis=0), (sums <= plus).mean(axis=0))
    return np.minimum(plus, ranks.sum(axis=0) - plus), np.minimum(p, 1)


def randomization(
    values: Floats,
    systems: Names,
    *,
    draws: int = 10_000,
    seed: int,
    sides: Literal[1, 2] = 2,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
) -> Comparison:
    """The randomization test of values[topic, system]: each draw flips the signs of the differences of some topics.

    p = (1 + #{draws with |Σ ± d| ≥ |Σ d|}) / (1 + draws); one-sided (Σ ± d ≥ Σ d), it asks whether the system that was
    better is better. The interval is that of Hartigan, 1 − 2α if one-sided; the statistic is d̄, the effect d̄ / s.
    Draw i is the same for all pairs and any number of draws. Smucker, Allan and Carterette (CIKM 2007).

    >>> values = np.array([[0.2, 0.5], [0.3, 0.4], [0.1, 0.6], [0.2, 0.6], [0.5, 0.7], [0.2, 0.8]])
    >>> randomization(values, ["a", "b"], seed=1).p.round(2).tolist()  # 2 of 2⁶
    [0.03]
    """
    pairs, y = _on_values(values, systems, alpha, correction, baseline, sides)
    _check_draws(draws, pairs)
    flips = np.random.default_rng(seed).integers(0, 2, (draws, len(y)), np.int8)  # draw, topic
    y = _on_grid(y, _step(y))
    sums, sizes = _flipped_sums(y, flips), flips.sum(axis=1)  # system, draw; draw
    sizes = np.stack((sizes, len(y) - sizes))[:sides]  # of the topics that are flipped, and of the rest; side, draw
    slack, rank = len(y) * _step(y), _allowed(draws, pairs.level) + 1
    outcome = _in_blocks(
        pairs, 2 * draws, lambda u, v: _flipped(_differences(y, u, v), sums[u] - sums[v], sizes, slack, rank)
    )
    return replace(_compared(pairs, "randomization", outcome), draws=draws, seed=seed)


def _flipped_sums(y: Floats, flips: NDArray[np.int8]) -> Floats:
    """sums[system, draw] over the topics that are flipped: those of a pair are their difference."""
    size = max(1, _BLOCK // len(y))
    starts = range(0, len(flips), size)
    return np.concatenate([y.T @ flips[start : start + size].T.astype(np.float64) for start in starts], axis=1)


def _flipped(d: Floats, flipped: Floats, sizes: NDArray[np.int64], slack: float, rank: int) -> _Outcome:
    """With F the topics that a draw flips, Σ ± d ≥ Σ d if Σ_F d ≤ 0, and Σ ± d ≤ −Σ d if the sum of the rest is ≤ 0."""
    sums = np.stack((flipped, d.sum(axis=0)[:, None] - flipped), axis=1)[:, : len(sizes)]  # pair, side, draw
    reached = np.count_nonzero(sums.min(axis=1) <= slack, axis=1)
    with np.errstate(invalid="ignore"):  # of no topic there is no mean
        means = (sums / sizes).reshape(len(sums), -1)
    mean, p = d.mean(axis=0), (1 + reached) / (1 + sizes.shape[1])
    return _Outcome(*typical_values(means, rank), mean, p, ratio(mean, _sd(d)))


class Procedure(NamedTuple):
    """A test; all take systems, alpha and baseline."""

    run: Callable[..., Comparison]
    title: str  # in a sentence
    explanation: str
    takes: tuple[str, ...]  # a fit or values first, then options


TESTS = {
    "tukey": Procedure(
        tukey, "Tukey's HSD test", "Tukey's honestly significant difference, from a model", ("fit", "population")
    ),
    "randomised-tukey": Procedure(
        randomised_tukey, "randomised Tukey test", "the same, by permuting systems", ("values", "draws", "seed")
    ),
    "t": Procedure(paired_t, "paired t-test", "paired t-test over topics", ("values", "correction")),
    "unpaired-t": Procedure(
        unpaired_t, "two-sample t-test", "two-sample t-test, topics not matched", ("values", "correction")
    ),
    "wilcoxon": Procedure(
        wilcoxon, "Wilcoxon's signed-rank test", "Wilcoxon's signed-rank test over topics", ("values", "correction")
    ),
    "randomization": Procedure(
        randomization,
        "randomization test",
        "sign flips of differences over topics",
        ("values", "correction", "draws", "seed", "sides"),
    ),
}


def run_test(name: str, data: Fit | Floats, systems: Names, **options: object) -> Comparison:
    """The test of that name, of a fit (tukey) or of values[topic, system] (all others), with its options.

    >>> values = np.array([[0.2, 0.5], [0.3, 0.4], [0.1, 0.6], [0.2, 0.6]])
    >>> run_test("t", values, ["a", "b"], correction="holm").p.round(4).tolist()
    [0.0319]
    """
    test = TESTS[known(name, tuple(TESTS), "test")]
    if isinstance(data, Fit) != ("fit" in test.takes):
        raise DesignError(f"the test {name} takes {'a fit' if 'fit' in test.takes else 'values of topics and systems'}")
    if "correction" in options and "correction" not in test.takes:
        correction = options.pop("correction")
        if correction != "none":
            raise DesignError(f"{name} is of all pairs together: leave the correction '{correction}' out")
    return test.run(data, systems, **options)


def _on_values(
    values: Floats, systems: Names, alpha: float, correction: str, baseline: Name, sides: int = 2
) -> tuple[Family, Floats]:
    """The pairs, and the values[topic, system], or their means over shards, with the best system first."""
    y = np.asarray(values, np.float64)
    y, shards = (y.mean(axis=2), y.shape[2]) if y.ndim == 3 else (y, 1)
    _check_values(y)
    means = y.mean(axis=0)
    pairs = _pairs(means, systems, (len(y), shards), alpha, correction, baseline, sides=sides)
    return pairs, y[:, _best_first(means)]


def _check_values(y: Floats) -> None:
    if y.ndim != 2 or min(y.shape) < 2:
        raise DesignError(f"a comparison needs at least 2 topics and 2 systems; the shape of the values is {y.shape}")
    if not np.isfinite(y).all():
        raise DesignError("some values are undefined: fill them, or drop the topics that have them")
    if np.ptp(y) == 0:
        raise DesignError("all values are the same: there is nothing to compare")


def _best_first(means: Floats) -> Indices:
    return np.argsort(-means, kind="stable")


def _pairs(
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
    check_alpha(alpha)
    adjustment(correction)  # is known
    if sides not in (1, 2) or alpha >= sides / 2:
        raise DesignError(f"sides are {sides} and alpha is {alpha}; a test has 1 or 2 sides, with 1 alpha is below 0.5")
    if len(systems) != len(means) or len(set(systems)) < len(systems):
        raise DesignError(f"{len(means)} systems need as many different names; {len(systems)} names were given")
    order = _best_first(means)
    names = tuple(systems[system] for system in order)
    first, second = np.triu_indices(len(names), 1)
    if baseline is not None:
        kept = names.index(known(baseline, names, "baseline"))
        first, second = (each[(first == kept) | (second == kept)] for each in (first, second))
    return Family(names, means[order], first, second, baseline, alpha, correction, population, *size, sides)


def _check_draws(draws: int, pairs: Family) -> None:
    """Whether any p-value can reach α once it is adjusted; step by step, the first is adjusted by Bonferroni."""
    tests = len(pairs.first) if pairs.correction in ("bonferroni", "holm") else 1
    if draws < 1 or _allowed(draws, pairs.alpha / tests) < 0:
        least = math.ceil(tests / pairs.alpha) - 1
        advice = ", or the correction bh, or the test randomised-tukey" if tests > 1 else ""
        raise DesignError(f"{draws} draws cannot give a p-value of {pairs.alpha}; at least {least} can{advice}")


def _allowed(draws: int, level: float) -> int:
    """How many draws may reach what was observed while (1 + how many) / (1 + draws) ≤ level; −1 if none can."""
    return math.floor(level * (1 + draws) + 1e-9) - 1


def _in_blocks(pairs: Family, rows: int, test: Callable[[Indices, Indices], _Outcome]) -> _Outcome:
    """The test of systems u against systems v, so many at once that `rows` for each pair fit in a block."""
    size, (u, v) = max(1, _BLOCK // rows), (pairs.first, pairs.second)
    outcomes = [test(u[start : start + size], v[start : start + size]) for start in range(0, len(u), size)]
    return _Outcome(*(np.concatenate(each) for each in zip(*outcomes, strict=True)))


def _differences(y: Floats, u: Indices, v: Indices) -> Floats:
    """d[topic, pair] = y_u − y_v, where 0.3 − 0.2 is 0.2 − 0.1."""
    return _on_grid(y[:, u] - y[:, v], _step(y))


def _on_grid(values: Floats, step: float) -> Floats:
    return np.asarray(np.round(values / step) * step)


def _step(y: Floats) -> float:
    """A power of two, so that the sums of numbers on this grid are exact, in whatever order they are added."""
    return math.ldexp(_GRID, math.frexp(float(np.abs(y).max()))[1])


def _sd(values: Floats) -> Floats:
    """The standard deviation of each column; exactly 0 if it is constant."""
    return np.where(np.ptp(values, axis=0) == 0, 0.0, values.std(axis=0, ddof=1))


def ratio(a: Floats, b: Floats) -> Floats:
    """a / b; without variation (b = 0) infinite, or 0 where there is no difference either."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((a == 0) & (b == 0), 0.0, a / b)
