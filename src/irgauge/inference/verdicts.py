"""Better, worse, or as good as? What a comparison allows to say of each pair: a verdict.

From intervals that hold for all pairs together, against the smallest difference that matters; and, beside
"inconclusive", what the experiment could have found. Where the variance of a difference is a sum of parts, each is
estimated with its own degrees of freedom.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import nctdtrinc, stdtr, stdtrit

from irgauge.brief import OneLine
from irgauge.compute.arrays import Bools, Floats, Indices
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import TUKEY
from irgauge.inference.corrections import correction as correction_named
from irgauge.inference.outcomes import ratio
from irgauge.inference.studentized import sf
from irgauge.scoring.direction import HIGHER, Direction, sign_of
from irgauge.scoring.measures import Range, cut, of_differences

_ROUNDING = 1e-12  # of a difference: a standard error below it is 0
_HALVINGS = 60  # of a bracket: to the last digit
_LEAST = 1e-150  # the square of t is still finite there, even with 1 degree of freedom
Verdict = Literal["better", "worse", "equivalent", "not worse", "not better", "inconclusive"]
_STRENGTH: dict[Verdict, int] = {"inconclusive": 0, "not worse": 1, "not better": 1}  # of all others 2
BY_MARGIN: tuple[Verdict, ...] = ("equivalent", "not worse", "not better")  # verdicts that rest on the margin
POWER = 0.8  # with which an experiment is asked to find a difference
_MANY = 1e6  # degrees of freedom: as good as known variances
_MIRRORED: dict[Verdict, Verdict] = {
    "better": "worse",
    "worse": "better",
    "not worse": "not better",
    "not better": "not worse",
}


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts V_j of the variances of some estimates, and their degrees of freedom ν_j.

    The interval of an estimate is ± √(Σ t²(1 − α/2; ν_j) V_j). It holds the truth with a chance of 1 − α or more,
    whatever the true sizes of the parts (Banerjee, "Approximate confidence interval for linear functions of means of
    k populations when the population variances are not equal", Sankhyā 22, 1960). With one part it is Student's t.
    Where some of them may seem too small there are others that guard them: the more cautious of both counts.
    """

    variance: Floats  # part, estimate
    df: Floats  # part, estimate
    guard: Parts | None = None  # of the same estimates

    @classmethod
    def student(cls, se: ArrayLike, df: ArrayLike) -> Parts:
        """One part: standard errors and their degrees of freedom.

        >>> Parts.student([0.5], 10).half_width(0.05).round(3).tolist()
        [1.114]
        """
        s, degrees = np.broadcast_arrays(*(np.atleast_1d(np.asarray(values, float)) for values in (se, df)))
        return cls(np.square(s)[None], degrees[None])

    def beside(self, other: Parts) -> Parts:
        """The parts of both, of the same estimates."""
        return Parts(np.concatenate((self.variance, other.variance)), np.concatenate((self.df, other.df)))

    @property
    def se(self) -> Floats:
        """The standard errors √(Σ V_j)."""
        own = np.sqrt(self.variance.sum(axis=0))
        return own if self.guard is None else np.maximum(own, self.guard.se)

    def half_width(self, alpha: float = 0.05) -> Floats:
        """√(Σ t²(1 − α/2; ν_j) V_j).

        >>> Parts(np.array([[0.0004], [0.0001]]), np.array([[49.0], [2.0]])).half_width().round(4).tolist()
        [0.0589]
        """
        check_alpha(alpha)
        own = self._reach(np.full(self.df.shape[1], alpha / 2))
        return own if self.guard is None else np.maximum(own, self.guard.half_width(alpha))

    def tail(self, x: Floats) -> Floats:
        """The level p of the one-sided test that x just reaches: Σ t²(1 − p; ν_j) V_j = x², p above ½ for x below 0.

        It lies between the p-values with the fewest and with the most degrees of freedom.

        >>> round(float(Parts.student(0.5, 10).tail(np.array([1.114]))[0]), 4)
        0.025
        """
        if self.guard is not None:
            return np.maximum(replace(self, guard=None).tail(x), self.guard.tail(x))
        size = np.abs(x)
        t = np.divide(size, self.se, out=np.where(size > 0, np.inf, 0.0), where=self.se > 0)
        ends = stdtr(self.df, -t)  # part, estimate
        p = _bisected(ends.min(axis=0), ends.max(axis=0), lambda p: self._reach(p) > size)
        return np.where(x < 0, 1 - p, p)

    def freedom(self, alpha: float = 0.05) -> Floats:
        """The degrees of freedom with which Student's t has the interval of the same width."""
        width = self.half_width(alpha)
        each = self.df if self.guard is None else np.concatenate((self.df, self.guard.df))

        def is_wider(df: Floats) -> Bools:
            return np.asarray(-stdtrit(df, alpha / 2) * self.se > width)

        return _bisected(each.min(axis=0), each.max(axis=0), is_wider)

    def _reach(self, p: Floats) -> Floats:
        """√(Σ t²(1 − p; ν_j) V_j)."""
        t = stdtrit(self.df, np.maximum(p, _LEAST))  # part, estimate
        return np.asarray(np.sqrt((np.square(t) * self.variance).sum(axis=0)))


def _bisected(low: Floats, high: Floats, is_beyond: Callable[[Floats], Bools]) -> Floats:
    """Where a condition that holds from low on ceases to hold; low itself where both ends are one."""
    low, high = low.astype(float), high.astype(float)
    for _ in range(_HALVINGS if (low < high).any() else 0):
        middle = np.sqrt(low * high)
        is_above = is_beyond(middle)
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    return high


@dataclass(frozen=True, eq=False)
class Equivalence:
    """Tests of each difference against 0 and against a margin on either side, and what they say together."""

    difference: Floats  # pair
    parts: Parts  # of the variances of the differences
    margin: float
    alpha: float
    correction: str
    p_difference: Floats  # pair: two-sided, against 0
    p_not_worse: Floats  # pair: against the difference being -margin or below
    p_not_better: Floats  # pair: against its being margin or above
    sides: tuple[Parts, Parts]  # of the variances against being worse and better by the margin: others for a share
    direction: Direction = HIGHER  # which scores are better

    def interval(self, alpha: float) -> tuple[Floats, Floats]:
        """Of each difference, by itself."""
        return self._interval(alpha, (self.parts, self.parts))

    def margin_interval(self, alpha: float) -> tuple[Floats, Floats]:
        """Of each difference, by itself, as claims about the margin have it."""
        worse, better = self.sides
        return self._interval(alpha, (worse, better) if self.direction == HIGHER else (better, worse))

    def _interval(self, alpha: float, sides: tuple[Parts, Parts]) -> tuple[Floats, Floats]:
        below, above = (np.where(self.is_constant, np.inf, side.half_width(alpha)) for side in sides)
        return self.difference - below, self.difference + above

    @property
    def is_constant(self) -> Bools:
        """Whether a pair differs by the same amount everywhere, so that there is no spread to test it against; pair."""
        return are_constant(self.difference, self.parts)

    @property
    def p_equivalent(self) -> Floats:
        """Two one-sided tests: the larger of the two p-values."""
        return np.maximum(self.p_not_worse, self.p_not_better)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What can be said of each pair."""
        differ = self.p_difference <= self.alpha
        not_worse, not_better = self.p_not_worse <= self.alpha, self.p_not_better <= self.alpha
        above = sign_of(self.direction) * self.difference > 0
        claims = zip(differ & above, differ & ~above, not_worse, not_better, strict=True)
        return tuple(
            verdict_of(better=better, worse=worse, not_worse=not_less, not_better=not_more)
            for better, worse, not_less, not_more in claims
        )


def equivalence(
    difference: ArrayLike,
    parts: Parts,
    *,
    margin: float,
    alpha: float = 0.05,
    correction: str = "none",
    means: int = 2,
    share: float = 1.0,
    sides: tuple[Parts, Parts] | None = None,
    direction: Direction = HIGHER,
) -> Equivalence:
    """Test differences d, whose variances are sums of parts, against 0 and against a margin δ.

    Two one-sided tests: d + δ against the first being worse by δ, δ − d against its being better by δ; equivalent
    where both reject (Schuirmann 1987). The three kinds of tests of all pairs are one family: that the difference is 0,
    −δ or less, or δ or more, of which at most one is true of a pair. Or the correction is tukey over all pairs of
    `means` means with the standard error and the degrees of freedom of each pair (Games and Howell 1976), which is
    conservative for the one-sided tests. The family may have a share of α only: p-values are over it. `sides` are the
    parts of the variances of d + δ and δ − d, where δ is estimated too, as a share of a mean. Where lower scores are
    better, −d takes the place of d.

    >>> parts = Parts.student([0.002, 0.004, 0.004], 99)
    >>> equivalence([0.001, 0.03, 0.006], parts, margin=0.01).verdicts
    ('equivalent', 'better', 'not worse')
    """
    check_margin(margin)
    check_alpha(alpha)
    d, _ = np.broadcast_arrays(np.asarray(difference, float), parts.se)
    gain = sign_of(direction) * d
    numerators = (np.abs(d), gain + margin, margin - gain)
    each = (parts, *(sides or (parts, parts)))
    record = TUKEY if correction == TUKEY.name else correction_named(correction)
    if record.is_of_test:
        p = [
            _tukey(ratio(numerator, own.se), means, own.freedom(alpha))
            for numerator, own in zip(numerators, each, strict=True)
        ]
    else:
        tails = [own.tail(numerator) for numerator, own in zip(numerators, each, strict=True)]
        single = [2 * tails[0], *tails[1:]]
        p = list(record.adjusted_exclusive(np.array(single)))
    if record.is_simultaneous:
        p = [np.minimum(1.0, of_kind / share) for of_kind in p]
    p = [np.where(are_constant(d, parts), 1.0, of_kind) for of_kind in p]
    return Equivalence(d, parts, margin, alpha, record.name, p[0], p[1], p[2], (each[1], each[2]), direction)


def are_constant(difference: Floats, parts: Parts) -> Bools:
    """Whether differences do not vary at all, so that there is no spread to test them against."""
    return np.asarray((parts.se <= _ROUNDING * np.abs(difference)) & (difference != 0))


def _tukey(t: Floats, means: int, df: Floats) -> Floats:
    return np.where(t > 0, sf(math.sqrt(2) * np.maximum(t, 0.0), means, df), 1.0)


def verdicts_of_intervals(
    low: ArrayLike, high: ArrayLike, margin: float, direction: Direction = HIGHER
) -> tuple[Verdict, ...]:
    """What intervals of differences say, such as HPD intervals: a claim holds if the whole interval supports it.

    >>> verdicts_of_intervals([-0.002, 0.004, -0.02], [0.004, 0.03, 0.03], 0.01)
    ('equivalent', 'better', 'inconclusive')
    """
    check_margin(margin)
    if direction != HIGHER:
        low, high = -np.atleast_1d(high), -np.atleast_1d(low)
    bounds = zip(np.atleast_1d(low).tolist(), np.atleast_1d(high).tolist(), strict=True)
    return tuple(
        verdict_of(better=low > 0, worse=high < 0, not_worse=low > -margin, not_better=high < margin)
        for low, high in bounds
    )


def verdict_of(*, better: bool, worse: bool, not_worse: bool, not_better: bool) -> Verdict:
    """The strongest of what four claims say: equivalence first, as a difference within the margin does not matter."""
    if not_worse and not_better:
        return "equivalent"
    if better or worse:
        return "better" if better else "worse"
    if not_worse or not_better:
        return "not worse" if not_worse else "not better"
    return "inconclusive"


def smallest_setting(settings: Sequence[float], holds: Sequence[bool]) -> float | None:
    """The smallest setting from which on a claim holds at every larger one too; None if there is none.

    >>> smallest_setting([0.1, 0.5, 1, 4], [True, False, True, True])
    1
    """
    smallest = None
    for setting, is_held in sorted(zip(settings, holds, strict=True), reverse=True):
        if not is_held:
            break
        smallest = setting
    return smallest


def check_margin(margin: float) -> None:
    """Refuse a margin that is not above 0."""
    if not (margin > 0 and math.isfinite(margin)):
        raise DesignError(f"margin {margin} is not possible; it is the smallest difference that matters, above 0")


@dataclass(frozen=True, eq=False, repr=False)
class Verdicts(OneLine):
    """What can be said of the first system of each pair against the second."""

    verdicts: tuple[Verdict, ...]  # pair
    margin: float | None  # the smallest difference that matters; None: better, worse or inconclusive, by the test
    low: Floats | None  # pair: of the interval that claims about the margin rest on
    high: Floats | None
    confidence: float | None  # of that interval
    detectable: Floats  # pair: the smallest true difference that the test finds with a power of 80 %

    def within(self, scores: Range | None) -> Verdicts:
        """The same of scores that lie within a range: intervals are cut to it, and no larger difference is found."""
        possible = of_differences(scores)
        if possible is None:
            return self
        verdicts = replace(self, detectable=np.where(self.detectable > possible[1], np.inf, self.detectable))
        if self.low is None or self.high is None:
            return verdicts
        low, high = cut(self.low, self.high, possible)
        return replace(verdicts, low=low, high=high)


def mirrored(verdict: Verdict) -> Verdict:
    """The verdict on the second system against the first.

    >>> mirrored("not worse"), mirrored("equivalent")
    ('not better', 'equivalent')
    """
    return _MIRRORED.get(verdict, verdict)


def is_weaker(verdict: Verdict, than: Verdict) -> bool:
    """Whether a verdict claims less than another one.

    >>> is_weaker("inconclusive", "better"), is_weaker("better", "not worse")
    (True, False)
    """
    return _STRENGTH.get(verdict, 2) < _STRENGTH.get(than, 2)


def by_test(comparison: Comparison, same: Bools) -> Verdicts:
    """Better or worse where the pair differs significantly; equivalent where all scores are the same; inconclusive."""
    above = comparison.gain > 0
    verdicts: list[Verdict] = [
        "equivalent" if equal else "inconclusive" if not differs else "better" if up else "worse"
        for differs, up, equal in zip(comparison.significant, above, same, strict=True)
    ]
    return Verdicts(tuple(verdicts), None, None, None, None, detectable(comparison))


def by_margin(comparison: Comparison, wide: Comparison, margin: float, same: Bools) -> Verdicts:
    """Against a margin δ, of intervals at α, and of those that claims about the margin rest on, all pairs together.

    Better or worse where the interval at α is above or below 0; where lower scores are better, of the mirrored
    differences. Not worse where the other one is above −δ, not better
    where it is below δ, equivalent where both hold. The other one is of the same test at 2α, where that has a level for
    each pair (two one-sided tests at α: Schuirmann 1987), else the same. Of what these claim at most one thing can be
    false of a pair, so that α holds for all claims of all pairs together. Where all scores are the same, equivalent.
    """
    check_margin(margin)
    up, wide_up = comparison.upward, wide.upward
    ends = zip(up.low, up.high, wide_up.low, wide_up.high, same, strict=True)
    verdicts = tuple(
        verdict_of(
            better=low > 0, worse=high < 0, not_worse=equal or least > -margin, not_better=equal or most < margin
        )
        for low, high, least, most, equal in ends
    )
    return Verdicts(verdicts, margin, wide.low, wide.high, wide.confidence, detectable(comparison))


def detectable(comparison: Comparison, power: float = POWER) -> Floats:
    """The smallest true difference δ that the test finds with this power; pair. Infinite where it can find none.

    With c the length of the interval on its side towards 0 over the standard error se, P(t'(df, δ / se) > c) = power,
    where t' is noncentral t.
    """
    above, below = comparison.high - comparison.difference, comparison.difference - comparison.low
    half = np.where(comparison.difference > 0, below, np.where(comparison.difference < 0, above, (above + below) / 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        critical = np.where(comparison.se > 0, half / comparison.se, 0.0)
    df = _MANY if comparison.df is None else min(comparison.df, _MANY)
    deltas = np.where(comparison.se == 0, 0.0, noncentrality(critical, df, power) * comparison.se)
    return np.where(comparison.is_constant, np.inf, deltas)


def noncentrality(critical: Floats, df: float, power: float = POWER) -> Floats:
    """Of t' that exceeds each critical value with this power; most pairs have the same."""
    deltas = np.full(critical.shape, np.inf)
    finite = np.isfinite(critical)
    values, places = np.unique(critical[finite].round(7), return_inverse=True)
    deltas[finite] = nctdtrinc(df, 1 - power, values)[places]
    return deltas


def same_scores(values: Floats, first: Indices, second: Indices) -> Bools:
    """Whether the two systems of each pair have the same values[topic, system] on every topic."""
    codes = np.unique(values.T, axis=0, return_inverse=True)[1].ravel()  # system -> which column of values it has
    return np.asarray(codes[first] == codes[second])
