"""Dunnett's test: which systems differ from a baseline? All comparisons together, blocked by topic."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logit, ndtr, stdtr, stdtrit

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.corrections import MAXIMUM, NONE
from irgauge.inference.outcomes import Names, Outcome, compared, differences, on_values, ratio, untested_if_constant
from irgauge.inference.tests.record import Test

Sides = Literal[1, 2]

_LOWEST_Z, _HIGHEST_Z = -9.0, 39.0  # φ(-9) is negligible beside what counts, φ(39) below the smallest double
_WIDEST = math.log(60.0)  # log w: the largest of any number of normal variables is below e^this
_LARGEST = 700.0  # log w: e^this is a double
_NEAREST, _FARTHEST = 1e-20, 1e300  # |t| from which on a tail is that of 0, or of infinity
_ENDLESS = 1e12  # so many degrees of freedom are as good as infinite
_NEGLIGIBLE = 40.0  # e^-this
_BLOCK = 1 << 19  # numbers in memory at once
_ALMOST = 1.0 - 2.0**-53  # the largest double below 1
_MARGIN = 1e-6  # by which a bracket is widened, relative


def _step_z(k: int) -> float:
    """A step that leaves G_k a relative error below 1e-13; the constants come from comparison with finer steps."""
    return 1.0 / (2.0 + 0.95 * math.log(k))


def _step_u(k: int, df: float) -> float:
    """The same for the outer integral; the two terms are the bandwidths of G_k and of f as functions of log w."""
    return 2.0 * math.pi / math.hypot(44.0 + 2.2 * math.log(k) ** 2, math.sqrt(150.0 * df))


def _grid(low: float, high: float, step: float) -> Floats:
    """The multiples of step between the ends, which they enclose."""
    return np.asarray(step * np.arange(math.floor(low / step), math.ceil(high / step) + 1), np.float64)


def _normal_sf(w: Floats, k: int, sides: Sides) -> Floats:
    """G_k(w): the largest of k normal variables with correlation 1/2, or of their sizes, exceeds w."""
    step = _step_z(k)
    z = _grid(_LOWEST_Z if sides == 1 else 0.0, _HIGHEST_Z, step)  # node; two-sided, the integrand is even
    weight = step * np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) * np.where(z > 0.0, sides, 1.0)
    rows = max(1, _BLOCK // len(z))
    blocks = (w[start : start + rows] for start in range(0, len(w), rows))
    return np.concatenate([_some_exceeds(z, block, k, sides) @ weight for block in blocks])


def _some_exceeds(z: Floats, w: Floats, k: int, sides: Sides) -> Floats:
    """1 - [1 - o(z)]^k; w, node."""
    a = math.sqrt(2.0) * w[:, None]
    tail = ndtr(z - a) if sides == 1 else ndtr(z - a) + ndtr(-z - a)
    return np.asarray(-np.expm1(k * np.log1p(-np.minimum(tail, _ALMOST))))


def _density(u: Floats, df: float) -> Floats:
    """f(u) / f(0)."""
    return np.asarray(np.exp(df * (u - 0.5 * np.expm1(2.0 * u))))


def _student_sf(size: Floats, sign: int, k: int, df: float, sides: Sides) -> Floats:
    """P(max t > sign · size) = ∫ f(u) G_k(sign · size e^u) du, over the nodes u = j · step - offset."""
    step, log_t = _step_u(k, df), np.log(size)
    nearest = np.round(log_t / step)
    offset = log_t - nearest * step
    above = math.sqrt(_NEGLIGIBLE / df)  # f(u) is negligible beside f(0) outside of [-below, above]
    below = above + _NEGLIGIBLE / df
    low, high = np.full(log_t.shape, -below), np.full(log_t.shape, above)
    if sign > 0:  # for k = 1 the integrand is largest at e^(-2u) = 1 + t² / ν, and for more between that u and 0
        low, high = low - 0.5 * np.logaddexp(0.0, 2.0 * log_t - math.log(df)), np.minimum(high, _WIDEST - log_t)
    first, last = np.floor(low / step), np.ceil(high / step)
    j = first[:, None] + np.arange(max(1.0, np.max(last - first) + 1.0))  # t, node
    nodes, place = np.unique(nearest[:, None] + j, return_inverse=True)  # of log w = log t + u, which all t share
    w = np.exp(np.minimum(nodes * step, _LARGEST))
    tail = _normal_sf(sign * w, k, sides)[place].reshape(j.shape)
    weight = _density(np.asarray(j * step - offset[:, None]), df)
    return np.asarray((weight * tail).sum(axis=1) / _density(_grid(-below, above, step), df).sum())


def sf(t: ArrayLike, k: int, df: float, sides: Sides = 2) -> Floats:
    """The probability that the largest of k t, or of their sizes, exceeds t: the p-value of Dunnett's test.

    One-sided P(max t_i > t), two-sided P(max |t_i| > |t|), for t_i with df degrees of freedom (at least 1, or infinite)
    and correlations of 1/2. The relative error is below 1e-11 for df up to 1e8 and a result down to 1e-250; smaller
    ones fade to 0.

    Dunnett, "A multiple comparison procedure for comparing several treatments with a control", JASA 50, 1955; for the
    two-sided case, Dunnett, "New tables for multiple comparisons with a control", Biometrics 20, 1964.

    >>> sf([2.54, 6.0, 40.0], k=3, df=20)
    array([5.00359405e-02, 2.08826408e-05, 4.30694219e-20])
    """
    _check(k, df, sides)
    statistic = np.asarray(t, np.float64)
    signed = statistic.ravel() if sides == 1 else np.abs(statistic.ravel())
    size = np.clip(np.abs(signed), _NEAREST, _FARTHEST)
    tail = np.full(size.shape, np.nan)
    for sign, chosen in ((1, signed >= 0), (-1, signed < 0)):
        if not chosen.any():
            continue
        if df > _ENDLESS:
            tail[chosen] = _normal_sf(sign * np.minimum(size[chosen], 2 * math.exp(_WIDEST)), k, sides)
        else:
            tail[chosen] = _student_sf(size[chosen], sign, k, df, sides)
    tail[signed == np.inf] = 0.0
    if sides == 2:
        tail[signed == 0.0] = 1.0
    return np.minimum(tail, 1.0).reshape(statistic.shape)


@lru_cache(maxsize=256)  # several measures, or simulated worlds, ask for the same one
def ppf(q: float, k: int, df: float, sides: Sides = 2) -> float:
    """The value that the largest of k t, or of their sizes, stays below with probability q: Dunnett's critical value.

    With P_k the tail of `sf`, P_1(c) ≤ P_k(c) ≤ k P_1(c) (Bonferroni): two quantiles of Student's t enclose the c with
    P_k(c) = 1 - q. Its relative error is below 1e-10 for q of at least 1e-5.

    >>> round(ppf(0.95, k=3, df=20), 2), round(ppf(0.95, k=3, df=20, sides=1), 2)
    (2.54, 2.19)
    """
    from scipy.optimize import brentq

    _check(k, df, sides)
    if not 0.0 < q < 1.0:
        raise DesignError(f"a quantile needs a probability between 0 and 1, but q is {q:g}")
    low, high = (float(-stdtrit(df, min((1.0 - q) / (sides * tests), _ALMOST))) for tests in (1, k))
    low, high = low - _MARGIN * (1.0 + abs(low)), high + _MARGIN * (1.0 + abs(high))
    low = low if sides == 1 else max(low, 0.0)

    def excess(c: float) -> float:
        return _log_odds(float(sf(c, k, df, sides))) - _log_odds(1.0 - q)

    if not excess(low) > 0.0 > excess(high):  # q is 0, to double precision
        return low
    return float(brentq(excess, low, high, xtol=1e-14, rtol=1e-13))


def _log_odds(p: float) -> float:
    return float(logit(min(max(p, np.finfo(np.float64).tiny), _ALMOST)))


def _check(k: int, df: float, sides: Sides) -> None:
    if k < 1 or k != int(k):
        raise DesignError(f"the largest t needs a whole number of systems of at least 1, but k is {k:g}")
    if not df >= 1:
        raise DesignError(f"the largest t needs at least 1 degree of freedom (or infinitely many), but df is {df:g}")
    if sides not in (1, 2):
        raise DesignError(f"a test has 1 or 2 sides, but sides is {sides}")


NAME = "dunnett"


def dunnett(
    values: Floats, systems: Names, *, alpha: float = 0.05, baseline: Name, sides: Literal[1, 2] = 2
) -> Comparison:
    """Dunnett's test of values[topic, system] against a baseline, with one error term for all systems.

    With d_i = μ_i − μ_baseline of R systems on T topics, and MS the mean square of topic:system with (R − 1)(T − 1)
    degrees of freedom, t_i = d_i / √(2 MS / T) and p_i = P(max |t| ≥ |t_i|); one-sided, P(max t ≥ t_i) asks whether
    system i is better than the baseline. The interval is d_i ± c √(2 MS / T), c from the same distribution: two-sided,
    it holds for all systems together with confidence 1 − α; one-sided, each of its ends does. The effect is d_i / √MS.
    Dunnett, "A multiple comparison procedure for comparing several treatments with a control" (JASA 1955).

    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> comparison = dunnett(values, ["a", "b", "c"], baseline="a")
    >>> comparison.names, comparison.p_adjusted.round(4).tolist()
    ([('c', 'a'), ('b', 'a')], [0.0051, 0.0145])
    """
    if baseline is None:
        raise DesignError("Dunnett's test compares systems with a baseline: name one, or use the test t or tukey")
    pairs, y = on_values(values, systems, alpha, NONE.name, baseline, sides)
    k, d = len(pairs.first), pairs.difference
    ms, df = _interaction(differences(y, pairs.first, pairs.second))
    se = np.full(k, math.sqrt(2 * ms / len(y)))
    t = ratio(d, se)
    margin, effect = ppf(1 - alpha, k, df, sides) * se, ratio(d, np.full(k, math.sqrt(ms)))
    alone = Outcome.around(d, margin, t, _p_alone(t, df, sides), effect, se)
    together = untested_if_constant(alone._replace(p=sf(t, k, df, sides)), d)
    comparison = compared(pairs, NAME, untested_if_constant(alone, d))
    return replace(comparison, correction=MAXIMUM.name, p_adjusted=together.p, error_ms=ms, df=df)


def _interaction(d: Floats) -> tuple[float, float]:
    """The mean square of topic:system and its degrees of freedom, from the differences d[topic, pair] to one system."""
    topics, k = d.shape
    e = np.column_stack((d - d[0], np.zeros(topics)))  # topic, system; less the first topic, constant columns are 0
    e -= e.mean(axis=0)
    e -= e.mean(axis=1, keepdims=True)
    df = float(k * (topics - 1))
    return float(np.square(e).sum()) / df, df


def _p_alone(t: Floats, df: float, sides: Literal[1, 2]) -> Floats:
    return np.asarray(stdtr(df, -t) if sides == 1 else 2 * stdtr(df, -np.abs(t)))


DUNNETT = Test(
    name=NAME,
    function=dunnett,
    title="Dunnett's test",
    explanation="Dunnett's test against a baseline, one error term for all systems",
    place=40,
    takes=("sides",),
    corrected_by=MAXIMUM,
    needs_baseline=True,
    is_equal_spread=True,
    when="against a baseline; a little more power with few topics, if all systems vary alike",
    assumes="topics are a sample; all differences vary alike and are normal",
    caution="Dunnett's test takes one spread for all systems: where a system or the baseline varies more than the "
    "others it errs too often, and where they vary less it misses differences; the paired t-test does not",
    references=("dunnett-1955",),
)
RECORDS = (DUNNETT,)
