"""Which systems differ? Tests of all pairs of systems, or of those with a baseline -> Comparison."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import NamedTuple, get_args

import numpy as np
from scipy.special import stdtr

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Floats, Name
from irgauge.inference.corrections import BUILT_IN, NONE
from irgauge.inference.crossed_t import DOCUMENTS, TOPICS, crossed_t
from irgauge.inference.dunnett import dunnett
from irgauge.inference.flips import max_t, randomization
from irgauge.inference.intervals import critical_t, hodges_lehmann, standard_error
from irgauge.inference.outcomes import (
    Names,
    Outcome,
    compared,
    deviations,
    differences,
    in_blocks,
    on_values,
    pairs_of,
    ratio,
)
from irgauge.inference.permuted import randomised_tukey
from irgauge.inference.skewed_t import skewed_t, skewed_t_outcome
from irgauge.inference.studentized import ppf, sf
from irgauge.models.anova import Fit, Population

_ENUMERATED = 13  # up to so many topics scipy takes all signs for the signed-rank test with ties


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
    pairs = pairs_of(fit.means("system"), systems, (topics, shards), alpha, NONE.name, baseline, population=population)
    se, root = standard_error(error), math.sqrt(error.ms)
    q, margin = pairs.difference / se, float(ppf(1 - alpha, r, error.df)) * se
    of_pair = np.full(q.shape, math.sqrt(2) * se)
    outcome = Outcome.around(pairs.difference, margin, q, sf(np.abs(q), r, error.df), pairs.difference / root, of_pair)
    return replace(compared(pairs, "tukey", outcome), correction=BUILT_IN.name, error_ms=error.ms, df=error.df)


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
    pairs, y = on_values(values, systems, alpha, correction, baseline)
    outcome = in_blocks(pairs, len(y), lambda u, v: t_outcome(differences(y, u, v), pairs.level))
    return replace(compared(pairs, "t", outcome), df=float(len(y) - 1))


def t_outcome(d: Floats, level: float) -> Outcome:
    """The paired t-test of differences d[topic, pair], with intervals at a level."""
    mean, sd, n = d.mean(axis=0), deviations(d), len(d)
    (t, p), se = t_of_differences(d), sd / math.sqrt(n)
    return Outcome.around(mean, critical_t(level, n - 1) * se, t, p, ratio(mean, sd), se)


def t_of_differences(d: Floats) -> tuple[Floats, Floats]:
    """Student's t of differences d[topic, ...] and its two-sided p-value, each over topics alone."""
    n = len(d)
    t = ratio(d.mean(axis=0), deviations(d) / math.sqrt(n))
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
    pairs, y = on_values(values, systems, alpha, correction, baseline)
    variance, df = np.square(deviations(y)), 2 * len(y) - 2
    s = np.sqrt((variance[pairs.first] + variance[pairs.second]) / 2)
    se = s * math.sqrt(2 / len(y))
    t, margin = ratio(pairs.difference, se), critical_t(pairs.level, df) * se
    outcome = Outcome.around(pairs.difference, margin, t, 2 * stdtr(df, -np.abs(t)), ratio(pairs.difference, s), se)
    return replace(compared(pairs, "unpaired-t", outcome), df=float(df))


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
    pairs, y = on_values(values, systems, alpha, correction, baseline)
    rows = 2 ** len(y) if len(y) <= _ENUMERATED else len(y)
    outcome = in_blocks(pairs, rows, lambda u, v: signed_rank_outcome(differences(y, u, v), pairs.level))
    return compared(pairs, "wilcoxon", outcome)


def signed_rank_outcome(d: Floats, level: float) -> Outcome:
    """The signed-rank test of differences d[topic, pair], with intervals at a level."""
    size = np.sort(np.abs(d), axis=0)  # topic, pair
    some, tied = size[-1] > 0, (size[0] == 0) | (np.diff(size, axis=0) == 0).any(axis=0)
    w, p = np.zeros(d.shape[1]), np.ones(d.shape[1])
    for pairs in (np.flatnonzero(some & ~tied), np.flatnonzero(some & tied)):  # scipy takes one method for all
        if len(pairs):
            w[pairs], p[pairs] = _rank_sums(d[:, pairs], tied=bool(tied[pairs[0]]))
    sd = deviations(d)
    return Outcome(*hodges_lehmann(d, level), w, p, ratio(d.mean(axis=0), sd), sd / math.sqrt(len(d)))


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


class Procedure(NamedTuple):
    """A test; all take systems, alpha and baseline."""

    run: Callable[..., Comparison]
    title: str  # in a sentence
    explanation: str
    takes: tuple[str, ...]  # a fit or values first, then options
    covers: tuple[Population, ...] = ("topics",)  # what its claims can cover
    is_equal_spread: bool = False  # whether it rests on differences that vary alike for all pairs
    caution: str | None = None  # what a user who chose it should know
    usual: str | None = None  # why it is taken where no test is named
    of_differences: Callable[[Floats, float], Outcome] | None = None  # d[topic, pair], level: if that is all it needs


TESTS = {
    "t": Procedure(
        paired_t,
        "paired t-test",
        "paired t-test over topics",
        ("values", "correction"),
        usual="it keeps its error rate where systems vary differently",
        of_differences=t_outcome,
    ),
    "skewed-t": Procedure(
        skewed_t,
        "paired t-test with a guard against skewness",
        "the more cautious of the paired t-test and its correction for skewed differences",
        ("values", "correction"),
        of_differences=skewed_t_outcome,
    ),
    "max-t": Procedure(
        max_t,
        "max-|t| test",
        "paired t of all pairs together, by sign flips of topics",
        ("values", "draws", "seed"),
        caution="the max-|t| test rests on differences that are as often above 0 as below it where systems are equal: "
        "with few topics and skewed differences it errs too often, and the paired t-test with Holm's correction less",
    ),
    "dunnett": Procedure(
        dunnett,
        "Dunnett's test",
        "Dunnett's test against a baseline, one error term for all systems",
        ("values", "sides"),
        is_equal_spread=True,
        caution="Dunnett's test takes one spread for all systems: where a system or the baseline varies more than the "
        "others it errs too often, and where they vary less it misses differences; the paired t-test does not",
    ),
    "tukey": Procedure(
        tukey,
        "Tukey's HSD test",
        "Tukey's honestly significant difference, from a model",
        ("fit", "population"),
        get_args(Population),
        is_equal_spread=True,
        usual="a pair has too few shards for a test of its own",
    ),
    "randomised-tukey": Procedure(
        randomised_tukey,
        "randomised Tukey test",
        "the same, by permuting systems",
        ("values", "draws", "seed"),
        is_equal_spread=True,
    ),
    "randomization": Procedure(
        randomization,
        "randomization test",
        "sign flips of differences over topics",
        ("values", "correction", "draws", "seed", "sides"),
    ),
    "wilcoxon": Procedure(
        wilcoxon,
        "Wilcoxon's signed-rank test",
        "Wilcoxon's signed-rank test over topics",
        ("values", "correction"),
        of_differences=signed_rank_outcome,
        caution="Wilcoxon's test is about the centre of the differences, not their mean: systems of equal means differ "
        "significantly too often where differences are skewed",
    ),
    "unpaired-t": Procedure(
        unpaired_t,
        "two-sample t-test",
        "two-sample t-test, topics not matched",
        ("values", "correction"),
        caution="the two-sample t-test does not use that the topics are the same: it misses differences that the "
        "paired t-test finds",
    ),
    "crossed-t": Procedure(
        crossed_t,
        "t-test over shards",
        "t-test of each pair over shards, or over topics and shards",
        ("shards", "population", "correction"),
        (*DOCUMENTS, *TOPICS),
        usual="it keeps its error rate where systems vary differently",
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
