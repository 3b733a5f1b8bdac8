"""Variances in parts of estimates that are skewed: the more cautious of Student's t and its correction counts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.outcomes import Outcome, ratio
from irgauge.inference.sampling import SampledMean
from irgauge.inference.tests.skewed_t import guarded_mean, without_skewness
from irgauge.inference.verdicts import Parts


@dataclass(frozen=True, eq=False)
class SkewedParts(Parts):
    """Parts, and the skewness of the estimates: what is tested is guarded against it as by skewed-t.

    The statistic is the smaller of t = x / √(Σ V_j) and Hall's g(t), taken for one whose variance has these parts.
    """

    skewness: Floats = field(kw_only=True)  # estimate

    @classmethod
    def of(cls, variance: Floats, df: Floats, third_cumulant: Floats) -> SkewedParts:
        """Of estimates with third cumulants, all of which come from the first part; one without variance has none.

        >>> SkewedParts.of(np.array([[0.5], [0.5]]), np.full((2, 1), 9.0), np.array([2.0])).skewness.tolist()
        [2.0]
        """
        third = np.where(variance[0] > 0, third_cumulant, 0.0)
        return cls(variance, df, skewness=ratio(third, variance.sum(axis=0) ** 1.5))

    def towards(self, sign: Floats) -> SkewedParts:
        """Those of the estimates times 1 or −1."""
        return replace(self, skewness=sign * self.skewness)

    def tail(self, x: Floats) -> Floats:
        """The level of the one-sided test that x just reaches: an estimate, or its distance above a margin."""
        t = ratio(x, self.se)
        guarded = np.clip(without_skewness(t, self.skewness, 1), 0.0, t.clip(min=0.0))
        return super().tail(np.where(np.isfinite(t) & (x > 0), guarded * self.se, x))

    def half_width(self, alpha: float = 0.05) -> Floats:
        """The longer side of the interval."""
        outcome = self.tested(np.zeros_like(self.skewness), alpha)
        return np.maximum(-outcome.low, outcome.high)

    def tested(self, estimate: Floats, alpha: float) -> Outcome:
        """Estimates against 0, two-sided, with intervals at a level."""
        plain, se = Parts(self.variance, self.df), self.se
        sampled = SampledMean(estimate, se, self.df[0], self.skewness)
        return guarded_mean(sampled, se, ratio(plain.half_width(alpha), se), lambda t: 2 * plain.tail(t * se))
