"""What a comparison allows to say of each pair, from intervals that hold for all pairs together: a verdict.

And, beside "inconclusive", what the experiment could have found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import nctdtrinc

from irgauge.compute.arrays import Bools, Floats, Indices
from irgauge.inference.comparison import Comparison
from irgauge.inference.equivalence import Verdict, check_margin, verdict_of
from irgauge.scoring.ranges import Range, cut, of_differences

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
class Verdicts:
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


def by_test(comparison: Comparison, same: Bools) -> Verdicts:
    """Better or worse where the pair differs significantly; equivalent where all scores are the same; inconclusive."""
    above = comparison.difference > 0
    verdicts: list[Verdict] = [
        "equivalent" if equal else "inconclusive" if not differs else "better" if up else "worse"
        for differs, up, equal in zip(comparison.significant, above, same, strict=True)
    ]
    return Verdicts(tuple(verdicts), None, None, None, None, detectable(comparison))


def by_margin(comparison: Comparison, wide: Comparison, margin: float, same: Bools) -> Verdicts:
    """Against a margin δ, of intervals at α, and of those that claims about the margin rest on, all pairs together.

    Better or worse where the interval at α is above or below 0. Not worse where the other one is above −δ, not better
    where it is below δ, equivalent where both hold. The other one is of the same test at 2α, where that has a level for
    each pair (two one-sided tests at α: Schuirmann 1987), else the same. Of what these claim at most one thing can be
    false of a pair, so that α holds for all claims of all pairs together. Where all scores are the same, equivalent.
    """
    check_margin(margin)
    ends = zip(comparison.low, comparison.high, wide.low, wide.high, same, strict=True)
    verdicts = tuple(
        verdict_of(
            better=low > 0, worse=high < 0, not_worse=equal or least > -margin, not_better=equal or most < margin
        )
        for low, high, least, most, equal in ends
    )
    return Verdicts(verdicts, margin, wide.low, wide.high, wide.confidence, detectable(comparison))


def detectable(comparison: Comparison, power: float = POWER) -> Floats:
    """The smallest true difference δ that the test finds with this power; pair. Infinite where it can find none.

    With c the half-length of the interval over the standard error se, P(t'(df, δ / se) > c) = power, where t' is
    noncentral t.
    """
    half = (comparison.high - comparison.low) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        critical = np.where(comparison.se > 0, half / comparison.se, 0.0)
    df = _MANY if comparison.df is None else min(comparison.df, _MANY)
    deltas = np.where(comparison.se == 0, 0.0, _noncentrality(critical, df, power) * comparison.se)
    return np.where(comparison.is_constant, np.inf, deltas)


def _noncentrality(critical: Floats, df: float, power: float) -> Floats:
    """Of t' that exceeds each critical value with this power; most pairs have the same."""
    deltas = np.full(critical.shape, np.inf)
    finite = np.isfinite(critical)
    values, places = np.unique(critical[finite].round(10), return_inverse=True)
    deltas[finite] = nctdtrinc(df, 1 - power, values)[places]
    return deltas


def same_scores(values: Floats, first: Indices, second: Indices) -> Bools:
    """Whether the two systems of each pair have the same values[topic, system] on every topic."""
    codes = np.unique(values.T, axis=0, return_inverse=True)[1].ravel()  # system -> which column of values it has
    return np.asarray(codes[first] == codes[second])
