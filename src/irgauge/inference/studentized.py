"""The studentized range: tail, distribution and quantiles, fast for many values and exact far into the tail.

With R_k(w) the probability that the range of k standard normal variables exceeds w, and f the density of
u = log s, where ν s² is chi-squared with ν degrees of freedom,

    R_k(w)       = k ∫ φ(z) Φ(z)^(k-1) {1 - [1 - Φ(z - w) / Φ(z)]^(k-1)} dz
    P(Q > q)     = ∫ f(u) R_k(q e^u) du
    log f(u)     = log 2 + (ν/2) log(ν/2) - log Γ(ν/2) + ν u - (ν/2) e^(2u)

Every term is positive, so that a small tail keeps its digits. Both integrands are smooth and decay at both ends:
the trapezoidal rule on equidistant nodes converges exponentially (Trefethen and Weideman, SIAM Review 56, 2014).
It may be laid anywhere, so the outer nodes are laid at fixed values of log w = log q + u: all q of one (k, ν) share
their R_k, which are kept. Both integrands are also log-concave (Prékopa): a sum may start near its largest term, walk
both ways, and stop where terms are negligible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, log_ndtr, logit, ndtr, stdtrit

from irgauge.compute.arrays import Bools, Floats, Indices, Ints
from irgauge.errors import DesignError, check_alpha

_NEGLIGIBLE = 1e-17  # a term of a sum, relative to the sum
_REACH = 9.0  # φ of it is negligible
_WIDEST = 60.0  # the range of any number of variables exceeds this with a probability below the smallest double
_NARROWEST = 1e-17  # a range exceeds this with probability 1, to double precision
_ENDLESS = 1e25  # so many degrees of freedom change no digit of any tail above the smallest double
_STIRLING = 20.0  # from here on the series for log Γ is exact to double precision
_SHAPE_SERIES = [-(2.0 ** (n - 1)) / math.factorial(n) for n in range(14, 1, -1)]  # of u^n, n descending
_MOST_GROUPS = 10**9  # sums converge more and more slowly beyond
_MARGIN = 1e-6  # by which a bracket in log q is widened
_SQRT2 = math.sqrt(2.0)
_STRIDE = 32  # nodes that a walk takes at once
_BLOCK = 128  # nodes whose R_k are kept together
_AT_ONCE = 256  # values whose terms stay in a processor's cache


class _Normals(NamedTuple):
    """The parts of R_k(w) that do not depend on w."""

    z: Floats  # node
    cdf: Floats  # Φ(z); node
    weight: Floats  # step · k φ(z) Φ(z)^(k-1); node
    mode: float  # the z of the largest weight


@lru_cache(maxsize=64)
def _normals(k: float) -> _Normals:
    """With a step that leaves R_k a relative error below 1e-13; its constants come from comparison with finer steps.

    Below the mode both factors of the integrand grow with z: what has hardly any weight there is left out.
    """
    step = 1.0 / (1.2 + 1.25 * math.log(k))
    z = step * np.arange(math.floor(-_REACH / step), math.ceil((0.5 * _WIDEST + _REACH) / step), dtype=np.float64)
    log_weight = (k - 1.0) * log_ndtr(z) - 0.5 * z * z
    mode = int(np.argmax(log_weight))
    first = int(np.searchsorted(log_weight[:mode], log_weight[mode] + math.log(_NEGLIGIBLE) - math.log(len(z))))
    weight = step * k / math.sqrt(2.0 * math.pi) * np.exp(log_weight[first:])
    return _Normals(z[first:], ndtr(z[first:]), weight, float(z[mode]))


def _range_sf(w: Floats, k: float, widest: float = _WIDEST) -> Floats:
    """R_k(w): the range of k standard normal variables exceeds w; no w is above the widest."""
    normals = _normals(k)
    nodes = np.searchsorted(normals.z, max(normals.mode, 0.5 * widest) + _REACH)
    outside = np.minimum(ndtr(normals.z[:nodes] - w[:, None]) / normals.cdf[:nodes], 1.0)  # w, node
    with np.errstate(divide="ignore"):  # log 0, where w is no more than a rounding error of z
        terms = normals.weight[:nodes] * -np.expm1((k - 1.0) * np.log1p(-outside))
    return np.where(w > _WIDEST, 0.0, np.minimum(terms.sum(axis=1), 1.0))


def _step_u(k: float, df: Floats) -> Floats:
    """A step of the outer integral; the two terms are the bandwidths of R_k and of f as functions of log w.

    It is a power of two, so that many df have the same.
    """
    step = 2.0 * math.pi / np.hypot(44.0 + 2.2 * math.log(k) ** 2, np.sqrt(150.0 * df))
    return np.exp2(np.floor(np.log2(step)))


@lru_cache(maxsize=4096)
def _block(k: float, step: float, number: int) -> Floats:
    """R_k(e^(m · step)) of the m of a block."""
    log_w = step * np.arange(number * _BLOCK, (number + 1) * _BLOCK)
    if log_w[-1] < math.log(_NARROWEST):
        return np.ones(_BLOCK)
    if log_w[0] > math.log(_WIDEST):
        return np.zeros(_BLOCK)
    return _range_sf(np.exp(log_w), k, min(math.exp(log_w[-1]), _WIDEST))


def _range_sf_at(m: Ints, k: float, step: Floats) -> Floats:
    """R_k(e^(m · step)), m[value, node], step[value]; the nodes of a value follow each other, and lie in two blocks."""
    range_sf = np.empty(m.shape)
    for one in np.unique(step):
        rows = step == one
        first = np.minimum(m[rows, 0], m[rows, -1]) // _BLOCK
        numbers, places = np.unique(first, return_inverse=True)
        blocks = [[_block(k, float(one), int(number) + i) for i in (0, 1)] for number in numbers]
        at = m[rows] - _BLOCK * first[:, None]
        range_sf[rows] = np.reshape(blocks, (len(numbers), 2 * _BLOCK))[places[:, None], at]
    return range_sf


def _log_scale(df: Floats) -> Floats:
    """log f(0) = log 2 + a log a - a - log Γ(a), where a = ν/2."""
    a = 0.5 * df
    b = np.square(1.0 / np.maximum(a, _STIRLING))
    remainder = (1 / 12 - b * (1 / 360 - b * (1 / 1260 - b * (1 / 1680 - b / 1188)))) / np.maximum(a, _STIRLING)
    few = np.minimum(a, _STIRLING)
    return np.where(
        a < _STIRLING,
        math.log(2.0) + few * np.log(few) - few - gammaln(few),
        0.5 * np.log(2.0 * a / math.pi) - remainder,
    )


def _log_shape(u: Floats) -> Floats:
    """(log f(u) - log f(0)) / ν = u - (e^(2u) - 1) / 2, by its Taylor series where that would cancel."""
    small = np.clip(u, -0.15, 0.15)
    series = np.zeros_like(u)
    for coefficient in _SHAPE_SERIES:
        series *= small
        series += coefficient
    with np.errstate(over="ignore"):
        return np.where(u == small, series * u * u, u - 0.5 * np.expm1(2.0 * u))


def _peak(log_q: Floats, df: Floats) -> Floats:
    """Where f(u) R_k(q e^u) is largest if k = 2 and q is large: e^(-2u) = 1 + q² / 2ν. Else near enough."""
    return -0.5 * np.logaddexp(0.0, 2.0 * log_q - np.log(2.0 * df))


def _sf_at(log_q: Floats, k: float, df: Floats) -> Floats:
    """P(Q > q) = ∫ f(u) R_k(q e^u) du over the nodes u = j · step - offset, where log q + u = m · step."""
    step, log_scale = _step_u(k, df), _log_scale(df)
    nearest = np.rint(log_q / step)
    offset = log_q - nearest * step
    start = np.rint((_peak(log_q, df) + offset) / step)
    total = np.zeros(len(log_q))
    for direction in (1, -1):
        on, j = np.arange(len(log_q)), np.arange(_STRIDE) if direction > 0 else np.arange(-1, -_STRIDE - 1, -1)
        while len(on):
            node = start[on, None] + j  # value, node
            u = node * step[on, None] - offset[on, None]
            terms = np.exp(log_scale[on, None] + df[on, None] * _log_shape(u))
            terms *= _range_sf_at((nearest[on, None] + node).astype(np.int64), k, step[on])
            total[on] += terms.sum(axis=1)
            last, end = terms[:, -1], u[:, -1]
            # where R_k is 1 and f is e^(νu): a geometric sum
            ends = (end < -20.0) & (log_q[on] + end < math.log(_NARROWEST))
            total[on[ends]] += last[ends] / np.expm1(df[on[ends]] * step[on[ends]])
            on, j = on[(last > _NEGLIGIBLE * total[on]) & ~ends], j + direction * _STRIDE
    return np.minimum(total * step, 1.0)


def _sf(q: Floats, k: float, df: Floats) -> Floats:
    """The tails of one k; Q is at most q with a probability of at most q."""
    tails = np.where(q > _NARROWEST, 0.0, 1.0)
    inner = (q > _NARROWEST) & (q < np.inf)
    for part in _parts(inner & (df > _ENDLESS)):
        tails[part] = _range_sf(q[part], k)
    for part in _parts(inner & (df <= _ENDLESS)):
        tails[part] = _sf_at(np.log(q[part]), k, df[part])
    return tails


def _parts(chosen: Bools) -> list[Indices]:
    """The places of what is chosen, so many at once."""
    places = np.flatnonzero(chosen)
    return np.split(places, range(_AT_ONCE, len(places), _AT_ONCE))


@lru_cache(maxsize=1024)
def _quantile(p: float, k: float, df: float) -> float:
    """The q of a p above 0 and below 1, by false position (Illinois) kept in by bisection.

    The log of the odds of exceeding q, less the wanted one, decreases, and is nearly a line in log q at both ends.
    """
    freedom = np.array([df])

    def excess(log_q: float) -> float:
        return float(logit(_sf(np.exp([log_q]), k, freedom)[0])) - odds

    odds = math.log1p(-p) - math.log(p)
    low, high = _log_t(1.0 - p, df) - _MARGIN, _log_t((1.0 - p) * 2.0 / (k * (k - 1.0)), df) + _MARGIN
    at_low, at_high = excess(low), excess(high)
    x, side = high, 0
    for _ in range(200):
        before = x
        x = high - at_high * (high - low) / (at_high - at_low) if at_high != at_low else low
        if not low < x < high:
            x = 0.5 * (low + high)
        at_x = excess(x)
        if at_x > 0.0:
            low, at_low = x, at_x
            at_high *= 0.5 if side > 0 else 1.0
        else:
            high, at_high = x, at_x
            at_low *= 0.5 if side < 0 else 1.0
        side = 1 if at_x > 0.0 else -1
        if at_x == 0.0 or abs(x - before) < 1e-13:
            break
    return math.exp(x)


def _log_t(alpha: float, df: float) -> float:
    """The log of the q that √2 |t| exceeds with probability alpha."""
    return math.log(max(-_SQRT2 * float(stdtrit(df, 0.5 * alpha)), float(np.finfo(np.float64).tiny)))


def _quantiles(p: Floats, k: float, df: Floats) -> Floats:
    """The quantiles of one k."""
    inner = (p > 0.0) & (p < 1.0)
    quantiles = np.where(p == 1.0, np.inf, 0.0)
    quantiles[inner] = [_quantile(float(a), k, float(b)) for a, b in zip(p[inner], df[inner], strict=True)]
    return quantiles


def _checked(name: str, values: ArrayLike, allowed: Callable[[Floats], Bools], what: str) -> Floats:
    """The values as doubles, if all of them, but for NaN, are allowed."""
    array = np.asarray(values, np.float64)
    if len(bad := array[~(allowed(array) | np.isnan(array))]):
        raise DesignError(f"the studentized range needs {what}, but {name} is {bad[0]:g}")
    return array


def _groups(k: ArrayLike) -> Floats:
    finite = _checked("k", k, lambda k: (k >= 2) & (k < np.inf), "a finite number of groups of at least 2")
    return _checked("k", finite, lambda k: k <= _MOST_GROUPS, f"at most {_MOST_GROUPS:,} groups")


def _freedom(df: ArrayLike) -> Floats:
    return _checked("df", df, lambda df: df > 0, "degrees of freedom above 0 (or infinite)")


def _each(function: Callable[[Floats, float, Floats], Floats], x: Floats, k: Floats, df: Floats) -> Floats:
    """The function of all combinations of its arguments by broadcasting, those of a k together; NaN where one is."""
    x, k, df = np.broadcast_arrays(x, k, df)
    result = np.full(x.shape, np.nan)
    known = ~(np.isnan(x) | np.isnan(k) | np.isnan(df))
    for one in np.unique(k[known]):
        own = known & (k == one)
        result[own] = function(x[own], float(one), df[own])
    return result


def sf(q: ArrayLike, k: ArrayLike, df: ArrayLike) -> Floats:
    """The probability that the studentized range of k groups exceeds q: the p-value of Tukey's test.

    P(Q > q), Q = (max x - min x) / s, for k independent x ~ N(μ, σ²) and an independent s² ~ σ² χ²(df) / df.
    The arguments broadcast; df may be infinite. The relative error is below 1e-12 down to a result of 1e-290;
    smaller ones fade to 0.

    Tukey, "The problem of multiple comparisons", 1953; Copenhaver and Holland, "Computation of the distribution of
    the maximum studentized range statistic", J. Statist. Comput. Simul. 30, 1988.

    >>> sf([3.5, 7.0, 40.0], k=3, df=20)
    array([5.58918491e-02, 2.18645375e-04, 3.91821412e-17])
    """
    return _each(_sf, np.asarray(q, np.float64), _groups(k), _freedom(df))


def cdf(q: ArrayLike, k: ArrayLike, df: ArrayLike) -> Floats:
    """The probability that the studentized range of k groups is at most q: 1 - P(Q > q).

    The absolute error is below 1e-14. For a small P(Q > q), ask `sf`, which keeps its digits.

    >>> cdf([0.0, 3.5, 7.0], k=3, df=20).round(6)
    array([0.      , 0.944108, 0.999781])
    """
    return np.asarray(1.0 - sf(q, k, df))


def ppf(p: ArrayLike, k: ArrayLike, df: ArrayLike) -> Floats:
    """The q that the studentized range of k groups stays below with probability p: the critical value of Tukey's test.

    P(Q <= q) = p. For k = 2, Q is √2 |t|; for more, P_2(Q > q) <= P_k(Q > q) <= k (k - 1) / 2 · P_2(Q > q)
    (Bonferroni), so that two quantiles of t enclose the q to find. Its relative error is below 1e-10 for p of at
    least 1e-5; for a smaller p, P(Q <= q) is p to within 1e-14.

    >>> ppf([0.95, 0.99], k=3, df=20).round(3)
    array([3.578, 4.639])
    """
    p = _checked("p", p, lambda p: (p >= 0) & (p <= 1), "a probability between 0 and 1")
    return _each(_quantiles, p, _groups(k), _freedom(df))


class RangeCurves(NamedTuple):
    """The distribution of the studentized range for numbers of systems and degrees of freedom, with critical values."""

    alpha: float
    critical: Mapping[tuple[int, float], float]  # systems, df -> Q(1 − α)
    q: Floats
    p: Mapping[tuple[int, float], Floats]  # systems, df -> P(Q ≤ q)


def range_curves(systems: Sequence[int], df: Sequence[float], alpha: float = 0.05) -> RangeCurves:
    """The curves and critical values that Tukey's test looks up.

    >>> round(range_curves([3], [20]).critical[3, 20], 3)
    3.578
    """
    check_alpha(alpha)
    critical = {(r, nu): float(ppf(1 - alpha, r, nu)) for r in systems for nu in df}
    q = np.linspace(0, 1.25 * max(critical.values()), 251)
    return RangeCurves(alpha, critical, q, {(r, nu): cdf(q, r, nu) for r, nu in critical})
