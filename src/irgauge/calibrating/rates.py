"""How often a claim errs over many drawn experiments, how sure that is, and whether it is what was promised."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import betaincinv, ndtri

from irgauge.compute.arrays import Floats

Verdict = Literal["keeps its promise", "liberal", "conservative", "unclear"]
_SHOWN, _JUDGED = 0.95, 0.997  # confidence of the limits that are shown, and of those that a verdict rests on
_TENTH = 0.1  # of the nominal rate: an error within a tenth of it is as promised (Bradley 1978)


@dataclass(frozen=True)
class Rate:
    """The mean over experiments of a share, with its Monte Carlo error and interval."""

    observed: float
    error: float  # one standard error
    low: float
    high: float
    trials: int


def rate(shares: Floats) -> Rate:
    """Of the share that was found in each experiment.

    >>> found = rate(np.array([0.0, 0.0, 0.0, 1.0]))
    >>> found.observed, found.error, round(found.low, 4), round(found.high, 4)
    (0.25, 0.25, 0.0063, 0.8059)
    """
    low, high = _limits(shares, _SHOWN)
    return Rate(float(shares.mean()), _error(shares), low, high, len(shares))


def verdict_of(shares: Floats, nominal: float) -> Verdict:
    """Whether errors occur as often as promised, within a tenth of that; unclear if they may be twice as many.

    >>> verdict_of(np.repeat([1.0, 0.0], [30, 170]), 0.05), verdict_of(np.zeros(400), 0.05)
    ('liberal', 'conservative')
    >>> verdict_of(np.repeat([1.0, 0.0], [5, 95]), 0.05), verdict_of(np.repeat([1.0, 0.0], [50, 950]), 0.05)
    ('unclear', 'keeps its promise')
    """
    low, high = _limits(shares, _JUDGED)
    if low > nominal * (1 + _TENTH):
        return "liberal"
    if high < nominal * (1 - _TENTH):
        return "conservative"
    return "unclear" if high > 2 * nominal else "keeps its promise"


def in_all(verdicts: Sequence[Verdict]) -> Verdict:
    """Of several worlds: the promise is kept where it is broken in none, and conservative only in all.

    >>> in_all(["keeps its promise", "liberal", "conservative"]), in_all(["conservative", "keeps its promise"])
    ('liberal', 'keeps its promise')
    """
    for worst in ("liberal", "unclear", "keeps its promise"):
        if worst in verdicts:
            return worst
    return "conservative"


def _error(shares: Floats) -> float:
    """Where all experiments say the same, less than one of them is not seen."""
    n = len(shares)
    spread = float(shares.std(ddof=1)) if n > 1 else 0.0
    return spread / math.sqrt(n) if spread else 1 / n


def _limits(shares: Floats, confidence: float) -> tuple[float, float]:
    """Exact where experiments err or do not (Clopper and Pearson 1934); of shares the mean ± z errors."""
    n, tail = len(shares), (1 - confidence) / 2
    if np.isin(shares, (0.0, 1.0)).all():
        k = int(shares.sum())
        low = float(betaincinv(k, n - k + 1, tail)) if k else 0.0
        return low, float(betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0
    mean, reach = float(shares.mean()), -float(ndtri(tail)) * _error(shares)
    return max(0.0, mean - reach), min(1.0, mean + reach)
