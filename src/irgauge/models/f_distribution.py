"""The tail of the F distribution, also where it is very small."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betaln, fdtrc


def f_tail(df: float, df_error: float, f: float) -> float:
    """P(F ≥ f); in logarithms where it is very small, as scipy's then loses digits, and is 0 from about 1e-280.

    I_x(a, b) = x^a (1 − x)^b / (a B(a, b)) · ₂F₁(a + b, 1; a + 1; x), with x = df_error / (df_error + df f).

    >>> f"{f_tail(3, 13965, 516.7207195):.4g}"
    '1.849e-318'
    """
    p = float(fdtrc(df, df_error, f))
    if p > 1e-200:
        return p
    a, b, odds = df_error / 2, df / 2, df * f / df_error
    x = 1 / (1 + odds)
    slowest = max(x, x * (a + b) / (a + 1))  # of the ratios of successive terms
    k = np.arange(math.ceil(-40 / math.log(slowest)))
    series = 1 + float(np.cumprod((a + b + k) / (a + 1 + k) * x).sum())
    log_p = -(a + b) * math.log1p(odds) + b * math.log(odds) - math.log(a) - float(betaln(a, b)) + math.log(series)
    return math.exp(log_p)
