"""Archimedean copulas, C(u, v) = φ⁻¹(φ(u) + φ(v)): the families BB1, BB6, BB7 and BB8 of Joe, and Frank's.

Those of Clayton, Gumbel and Joe are among them: BB1 with b = 1, and BB6 with a = 1 and with b = 1. Joe, Multivariate
Models and Dependence Concepts (1997).
"""

from __future__ import annotations

import math

from benchmarks.tests_of_means.stream import State, uniform
from irgauge.compute.jit import kernel

BB1, BB6, BB7, BB8, FRANK = range(5)
_STEPS = 60
_EXACT = 1e-12
_HALF = 0.5
_LEAST = 1e-15


@kernel
def generator(family: int, a: float, b: float, t: float) -> tuple[float, float, float]:
    """φ, −φ′ and φ″ at t."""
    if family == BB1:  # (t⁻ᵃ − 1)ᵇ
        power = t**-a
        return _to_the_power(power - 1, a * power / t, a * (a + 1) * power / t**2, b)
    if family == FRANK:  # −ln((e⁻ᵃᵗ − 1) / (e⁻ᵃ − 1))
        grown = math.expm1(a * t)
        return -math.log(math.expm1(-a * t) / math.expm1(-a)), a / grown, a * a * (1 + grown) / grown**2
    if family == BB8:  # −ln((1 − (1 − bt)ᵃ) / (1 − (1 − b)ᵃ))
        rest, up, bend = _rest(a, b, t)
        least, _, _ = _rest(a, b, 1.0)
        z = 1 - rest
        return math.log1p((rest - least) / z), up / z, (up * up + z * bend) / z**2
    rest, up, bend = _rest(a, 1.0, t)
    w, log = 1 - rest, math.log1p(-rest)
    if family == BB7:  # (1 − (1 − t)ᵃ)⁻ᵇ − 1
        power = math.exp(-b * log)
        return math.expm1(-b * log), b * power / w * up, b * power / w**2 * ((b + 1) * up * up + w * bend)
    return _to_the_power(-log, up / w, (up * up + w * bend) / w**2, b)  # BB6: (−ln(1 − (1 − t)ᵃ))ᵇ


@kernel
def _rest(a: float, b: float, t: float) -> tuple[float, float, float]:
    """(1 − bt)ᵃ, minus its derivative, and its second."""
    base = max(1 - b * t, _LEAST)
    power = base**a
    return power, a * b * power / base, a * (a - 1) * b * b * power / base**2


@kernel
def _to_the_power(g: float, down: float, bend: float, b: float) -> tuple[float, float, float]:
    """The value of gᵇ, minus its derivative, and its second, where those of g are g, `down` and `bend`."""
    power = g**b
    return power, b * power / g * down, b * power / g**2 * ((b - 1) * down * down + g * bend)


@kernel
def inverse(family: int, a: float, b: float, s: float) -> float:
    """φ⁻¹(s)."""
    if family == BB1:
        return (1 + s ** (1 / b)) ** (-1 / a)
    if family == FRANK:
        return -math.log1p(math.exp(-s) * math.expm1(-a)) / a
    if family == BB8:
        return (1 - (1 - (1 - (1 - b) ** a) * math.exp(-s)) ** (1 / a)) / b
    log = math.log1p(s) / b if family == BB7 else s ** (1 / b)  # −ln(1 − (1 − t)ᵃ)
    above = -math.expm1(-log)
    return -math.expm1((math.log(above) if above < _HALF else math.log1p(-math.exp(-log))) / a)


@kernel
def log_density(family: int, a: float, b: float, u: float, v: float) -> float:
    """ln c(u, v) = ln(φ″(C) φ′(u) φ′(v) / (−φ′(C)³))."""
    at_u, down_u, _ = generator(family, a, b, u)
    at_v, down_v, _ = generator(family, a, b, v)
    _, down, bend = generator(family, a, b, inverse(family, a, b, at_u + at_v))
    return math.log(bend) + math.log(down_u) + math.log(down_v) - 3 * math.log(down)


@kernel
def draw(family: int, a: float, b: float, s: State) -> tuple[float, float]:
    """Two numbers from the copula: C(U, V) has the distribution t − φ/φ′, and φ(U) is any share of φ(C).

    Genest and Rivest (Journal of the American Statistical Association 1993).
    """
    height = _level(family, a, b, uniform(s))
    whole, _, _ = generator(family, a, b, height)
    share = uniform(s)
    return inverse(family, a, b, share * whole), inverse(family, a, b, (1 - share) * whole)


@kernel
def _level(family: int, a: float, b: float, p: float) -> float:
    """t with t − φ(t) / φ′(t) = p, by Newton's method within bounds."""
    low, high, t = 0.0, p, p / 2
    for _ in range(_STEPS):
        phi, down, bend = generator(family, a, b, t)
        off = t + phi / down - p
        if abs(off) < _EXACT or high - low < _LEAST:
            break
        if off > 0:
            high = t
        else:
            low = t
        t -= off * down * down / (phi * bend)
        if not low < t < high:
            t = (low + high) / 2
    return t
