"""Does the larger of two nested models explain more? (Ferro, Kim and Sanderson 2019, eq. 4)."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import betaincinv

from irgauge.errors import DesignError, check_alpha
from irgauge.models.anova import Fit
from irgauge.models.f_distribution import f_tail


@dataclass(frozen=True)
class NestedTest:
    """Does the larger of two nested models explain the values better? F_model against its critical value."""

    f: float
    df: int
    df_error: int
    p: float
    alpha: float
    critical: float


def compare(small: Fit, large: Fit, *, alpha: float = 0.05) -> NestedTest:
    """Compare nested models of the same values.

    F_model = ((SS_E small − SS_E large) / (df_E small − df_E large)) / MS_E large: Ferro, Kim and Sanderson, eq. 4.

    >>> import numpy as np
    >>> from irgauge.models.anova import decompose
    >>> sums = decompose(np.random.default_rng(1).random((5, 4, 3)))
    >>> compare(sums.fit("MD4"), sums.fit("MD6")).df
    14
    """
    if not set(small.model.terms) < set(large.model.terms):
        raise DesignError(f"{small.model} is not nested in {large.model}: the larger must have all its terms, and more")
    if (small.shape, small.mean, small.total) != (large.shape, large.mean, large.total):
        raise DesignError(f"{small.model} and {large.model} are fitted to different values; fit both to the same")
    check_alpha(alpha)
    added = large.sums.variation([term for term in large.model.terms if term in small.model.left_out])
    f, df, df_error = added.ms / large.error.ms, added.df, large.error.df
    x = float(betaincinv(df_error / 2, df / 2, alpha))  # df_error / (df_error + df F) at the critical value
    return NestedTest(f, df, df_error, f_tail(df, df_error, f), alpha, critical=df_error * (1 - x) / (df * x))
