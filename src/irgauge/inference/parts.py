"""Student's t where the variance of an estimate is a sum of parts, each estimated with its own degrees of freedom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import check_alpha

_HALVINGS = 60  # of a bracket: to the last digit
_LEAST = 1e-150  # the square of t is still finite there, even with 1 degree of freedom


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts V_j of the variances of some estimates, and their degrees of freedom ν_j.

    The interval of an estimate is ± √(Σ t²(1 − α/2; ν_j) V_j). It holds the truth with a chance of 1 − α or more,
    whatever the true sizes of the parts (Banerjee, "Approximate confidence interval for linear functions of means of
    k populations when the population variances are not equal", Sankhyā 22, 1960). With one part it is Student's t.
    """

    variance: Floats  # part, estimate
    df: Floats  # part, estimate

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
        return np.sqrt(self.variance.sum(axis=0))

    def half_width(self, alpha: float = 0.05) -> Floats:
        """√(Σ t²(1 − α/2; ν_j) V_j).

        >>> Parts(np.array([[0.0004], [0.0001]]), np.array([[49.0], [2.0]])).half_width().round(4).tolist()
        [0.0589]
        """
        check_alpha(alpha)
        return self._reach(np.full(self.df.shape[1], alpha / 2))

    def tail(self, x: Floats) -> Floats:
        """The level p of the one-sided test that x just reaches: Σ t²(1 − p; ν_j) V_j = x², p above ½ for x below 0.

        It lies between the p-values with the fewest and with the most degrees of freedom.

        >>> round(float(Parts.student(0.5, 10).tail(np.array([1.114]))[0]), 4)
        0.025
        """
        size = np.abs(x)
        t = np.divide(size, self.se, out=np.where(size > 0, np.inf, 0.0), where=self.se > 0)
        ends = stdtr(self.df, -t)  # part, estimate
        p = _bisected(ends.min(axis=0), ends.max(axis=0), lambda p: self._reach(p) > size)
        return np.where(x < 0, 1 - p, p)

    def freedom(self, alpha: float = 0.05) -> Floats:
        """The degrees of freedom with which Student's t has the interval of the same width."""
        width = self.half_width(alpha)

        def is_wider(df: Floats) -> Bools:
            return np.asarray(-stdtrit(df, alpha / 2) * self.se > width)

        return _bisected(self.df.min(axis=0), self.df.max(axis=0), is_wider)

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
