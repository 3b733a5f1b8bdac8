"""The studentized range: tail, distribution and quantiles, fast for many values and exact far into the tail.

With R_k(w) the probability that the range of k standard normal variables exceeds w, and f the density of
u = log s, where ν s² is chi-squared with ν degrees of freedom,

    R_k(w)       = k ∫ φ(z) Φ(z)^(k-1) {1 - [1 - Φ(z - w) / Φ(z)]^(k-1)} dz
    P(Q > q)     = ∫ f(u) R_k(q e^u) du
    log f(u)     = log 2 + (ν/2) log(ν/2) - log Γ(ν/2) + ν u - (ν/2) e^(2u)

Every term is positive, so that a small tail keeps its digits. Both integrands are smooth and decay at both ends:
the trapezoidal rule on equidistant nodes converges exponentially (Trefethen and Weideman, SIAM Review 56, 2014).
It may be laid anywhere, so the outer nodes are laid at fixed values of log w = log q + u: all q of one (k, ν) share
their R_k. Both integrands are also log-concave (Prékopa): a sum may start near its largest term, walk both ways, and
stop at the first negligible one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from irgauge.compute.arrays import Floats
from irgauge.compute.jit import borrowed, inlined, kernel
from irgauge.errors import DesignError, check_alpha

Ints = NDArray[np.int64]

_NEGLIGIBLE = 1e-17  # a term of a sum, relative to the sum
_LOWEST_Z, _HIGHEST_Z = -9.0, 39.0  # φ(-9) is negligible; see _WIDEST
_WIDEST = 60.0  # the range of any number of variables exceeds this with a probability below the smallest double
_NARROWEST = 1e-17  # a range exceeds this with probability 1, to double precision
_ENDLESS = 1e25  # so many degrees of freedom change no digit of any tail above the smallest double
_STIRLING = 20.0  # from here on the series for log Γ is exact to double precision
_REMEMBERED = 1 << 13  # values of R_k kept; a power of two
_UNUSED = np.iinfo(np.int64).min
_SHAPE_SERIES = np.array([-(2.0 ** (n - 1)) / math.factorial(n) for n in range(14, 1, -1)])  # of u^n, n descending
_MOST_GROUPS = 10**9  # sums converge more and more slowly beyond
_MARGIN = 1e-6  # by which a bracket in log q is widened
_SQRT2 = math.sqrt(2.0)


class _Tail(NamedTuple):
    """What all tails of one (k, ν) share: the parts of the integrands that do not depend on q."""

    k: float
    df: float
    step_z: float
    first_z: int  # node i stands at z = (first_z + i) · step_z
    nodes: int
    cdf_z: Floats  # Φ(z); node
    weight: Floats  # step_z · k φ(z) Φ(z)^(k-1); node
    mode: int  # the node of the largest weight
    step_u: float
    log_scale: float  # log of the density of u at u = 0
    known: Ints  # the m for which R_k(e^(m · step_u)) is known; slot
    range_sf: Floats  # those R_k; slot


@kernel
def _step_z(k: float) -> float:
    """A step that leaves R_k a relative error below 1e-13; the constants come from comparison with finer steps."""
    return 1.0 / (1.2 + 1.25 * math.log(k))


@inlined
def _step_u(k: float, df: float) -> float:
    """The same for the outer integral; the two terms are the bandwidths of R_k and of f as functions of log w."""
    log_k = math.log(k)
    return 2.0 * math.pi / math.hypot(44.0 + 2.2 * (log_k * log_k), math.sqrt(150.0 * df))


@inlined
def _log_scale(df: float) -> float:
    """log f(0) = log 2 + a log a - a - log Γ(a), where a = ν/2."""
    a = 0.5 * df
    if a < _STIRLING:
        return math.log(2.0) + a * math.log(a) - a - math.lgamma(a)
    b = 1.0 / (a * a)
    remainder = (1 / 12 - b * (1 / 360 - b * (1 / 1260 - b * (1 / 1680 - b / 1188)))) / a
    return 0.5 * math.log(2.0 * a / math.pi) - remainder


@inlined
def _log_shape(u: float) -> float:
    """(log f(u) - log f(0)) / ν = u - (e^(2u) - 1) / 2, by its Taylor series where that would cancel."""
    if abs(u) > 0.15:
        return u - 0.5 * math.expm1(2.0 * u)
    series = 0.0
    for coefficient in _SHAPE_SERIES:
        series = series * u + coefficient
    return series * u * u


class _Room(NamedTuple):
    """Where the arrays of a tail are written, one tail after the other."""

    cdf_z: Floats
    weight: Floats
    known: Ints
    range_sf: Floats

    @classmethod
    def of(cls, k: Floats) -> _Room:
        most = math.ceil((_HIGHEST_Z - _LOWEST_Z) / _step_z(float(k.max()))) + 2
        return cls(np.empty(most), np.empty(most), np.empty(_REMEMBERED, np.int64), np.empty(_REMEMBERED))


@kernel(from_python=False)
def _prepare(k: float, df: float, room: _Room) -> _Tail:
    step, mode = _step_z(k), 0
    first = math.floor(_LOWEST_Z / step)
    nodes = math.ceil(_HIGHEST_Z / step) - first
    cdf_z, weight = borrowed(room.cdf_z), borrowed(room.weight)
    known, range_sf = borrowed(room.known), borrowed(room.range_sf)
    for i in range(nodes):
        z = step * (first + i)
        cdf_z[i] = 0.5 * math.erfc(-z / _SQRT2)
        log_power = (k - 1.0) * math.log1p(-0.5 * math.erfc(z / _SQRT2))
        weight[i] = step * k * math.exp(log_power - 0.5 * z * z) / math.sqrt(2.0 * math.pi)
        if weight[i] > weight[mode]:
            mode = i
    for slot in range(_REMEMBERED):
        known[slot] = _UNUSED
    return _Tail(k, df, step, first, nodes, cdf_z, weight, mode, _step_u(k, df), _log_scale(df), known, range_sf)


@kernel(from_python=False)
def _range_sf(w: float, tail: _Tail) -> float:
    """R_k(w): the range of k standard normal variables exceeds w."""
    if w > _WIDEST:
        return 0.0
    start = max(tail.mode, int(0.5 * w / tail.step_z) - tail.first_z)
    total = 0.0
    for direction in (1, -1):
        i = start if direction > 0 else start - 1
        while 0 <= i < tail.nodes:
            outside = 0.5 * math.erfc((w - (tail.first_z + i) * tail.step_z) / _SQRT2) / tail.cdf_z[i]
            term = tail.weight[i] * -math.expm1((tail.k - 1.0) * math.log1p(-outside))
            total += term
            if not term > _NEGLIGIBLE * total:
                break
            i += direction
    return min(total, 1.0)


@inlined
def _peak(log_q: float, df: float) -> float:
    """Where f(u) R_k(q e^u) is largest if k = 2 and q is large: e^(-2u) = 1 + q² / 2ν. Else near enough."""
    log_ratio = 2.0 * log_q - math.log(2.0 * df)
    return -0.5 * (max(log_ratio, 0.0) + math.log1p(math.exp(-abs(log_ratio))))


@kernel(from_python=False)
def _sf_at(log_q: float, tail: _Tail) -> float:
    """P(Q > q) = ∫ f(u) R_k(q e^u) du over the nodes u = j · step - offset, where log q + u = m · step."""
    if tail.df > _ENDLESS:
        return _range_sf(math.exp(log_q), tail)
    df, step, known, range_sf = tail.df, tail.step_u, tail.known, tail.range_sf
    nearest = round(log_q / step)
    offset = log_q - nearest * step
    start = round((_peak(log_q, df) + offset) / step)
    total = 0.0
    for direction in (1, -1):
        j = start if direction > 0 else start - 1
        while True:
            u, m = j * step - offset, nearest + j
            slot = m & (_REMEMBERED - 1)
            if known[slot] != m:
                known[slot], range_sf[slot] = m, _range_sf(math.exp(m * step), tail)
            term = math.exp(tail.log_scale + df * _log_shape(u)) * range_sf[slot]
            total += term
            if not term > _NEGLIGIBLE * total:
                break
            if u < -20.0 and log_q + u < math.log(_NARROWEST):  # from here on R_k is 1 and f is e^(νu): a geometric sum
                total += term / math.expm1(df * step)
                break
            j += direction
    return min(total * step, 1.0)


def _sf(q: Floats, k: Floats, df: Floats) -> Floats:
    tails = np.empty(len(q))
    _fill_sf(q, k, df, _Room.of(k), tails)
    return tails


@kernel
def _fill_sf(q: Floats, k: Floats, df: Floats, room: _Room, tails: Floats) -> None:
    tail = _prepare(k[0], df[0], room)
    for i in range(len(q)):
        if k[i] != tail.k or df[i] != tail.df:
            tail = _prepare(k[i], df[i], room)
        if q[i] <= 0.0:
            tails[i] = 1.0
        elif q[i] == np.inf:
            tails[i] = 0.0
        else:
            tails[i] = _sf_at(math.log(q[i]), tail)


@inlined
def _excess(log_q: float, odds: float, tail: _Tail) -> float:
    """log of the odds of exceeding q, less the wanted one: decreasing, and nearly a line in log q at both ends."""
    p = _sf_at(log_q, tail)
    return math.log(p) - math.log1p(-p) - odds


@kernel(from_python=False)
def _root(odds: float, low: float, high: float, tail: _Tail) -> float:
    """The log q with the wanted odds, in the bracket given, by false position (Illinois) kept in by bisection."""
    at_low, at_high = _excess(low, odds, tail), _excess(high, odds, tail)
    x, side = high, 0
    for _ in range(200):
        before = x
        x = high - at_high * (high - low) / (at_high - at_low)
        if not low < x < high:
            x = 0.5 * (low + high)
        at_x = _excess(x, odds, tail)
        if at_x > 0.0:
            low, at_low = x, at_x
            at_high *= 0.5 if side > 0 else 1.0
        else:
            high, at_high = x, at_x
            at_low *= 0.5 if side < 0 else 1.0
        side = 1 if at_x > 0.0 else -1
        if at_x == 0.0 or abs(x - before) < 1e-13:
            break
    return x


@kernel
def _fill_ppf(
    arguments: tuple[Floats, Floats, Floats], low: Floats, high: Floats, room: _Room, quantiles: Floats
) -> None:
    odds, k, df = arguments
    tail = _prepare(k[0], df[0], room)
    for i in range(len(odds)):
        if k[i] != tail.k or df[i] != tail.df:
            tail = _prepare(k[i], df[i], room)
        quantiles[i] = math.exp(_root(odds[i], low[i], high[i], tail))


def _checked(name: str, values: ArrayLike, allowed: Callable[[Floats], NDArray[np.bool_]], what: str) -> Floats:
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


def _each(function: Callable[[Floats, Floats, Floats], Floats], x: Floats, k: Floats, df: Floats) -> Floats:
    """The function of all combinations of its arguments by broadcasting, equal (k, df) together; NaN where one is."""
    x, k, df = np.broadcast_arrays(x, k, df)
    result = np.full(x.shape, np.nan)
    known = np.flatnonzero(~(np.isnan(x) | np.isnan(k) | np.isnan(df)))
    if len(known):
        order = known[np.lexsort((df.flat[known], k.flat[known]))]
        result.flat[order] = function(x.flat[order], k.flat[order], df.flat[order])
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


def _quantiles(p: Floats, k: Floats, df: Floats) -> Floats:
    quantiles = np.where(p == 1.0, np.inf, 0.0)
    if len(inner := np.flatnonzero((p > 0.0) & (p < 1.0))):
        p, k, df = p[inner], k[inner], df[inner]
        low, high = _log_t(1.0 - p, df), _log_t((1.0 - p) * 2.0 / (k * (k - 1.0)), df)
        values, odds = np.empty(len(inner)), np.log1p(-p) - np.log(p)
        _fill_ppf((odds, k, df), low - _MARGIN, high + _MARGIN, _Room.of(k), values)
        quantiles[inner] = values
    return quantiles


def _log_t(alpha: Floats, df: Floats) -> Floats:
    """The log of the q that √2 |t| exceeds with probability alpha."""
    q: Floats = -_SQRT2 * stdtrit(df, 0.5 * alpha)
    return np.log(np.maximum(q, np.finfo(np.float64).tiny))


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
