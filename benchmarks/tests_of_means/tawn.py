"""Tawn's copula with one parameter of asymmetry: u and v do not play the same part.

C(u, v) = exp(−(1 − b) x − ((b x)ᵃ + yᵃ)^(1/a)) with x = −ln u, y = −ln v; with b = 1 it is Gumbel's. Tawn, "Bivariate
extreme value theory" (Biometrika 1988).
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from benchmarks.tests_of_means import archimedean
from benchmarks.tests_of_means.archimedean import BB6
from benchmarks.tests_of_means.stream import State, uniform
from irgauge.compute.jit import kernel

_GUMBEL = cast(int, np.int64(BB6))  # of a type, not a constant for which all is compiled again


@kernel
def log_density(a: float, b: float, u: float, v: float) -> float:
    """ln c(u, v) = ln(C / uv) + ln(S_x S_y − S_xy), where C = exp(−S)."""
    x, y = -math.log(u), -math.log(v)
    total = (b * x) ** a + y**a
    g = total ** (1 / a)
    by_x = 1 - b + b * (b * x) ** (a - 1) * g / total
    by_y = y ** (a - 1) * g / total
    by_both = (1 - a) * b * (b * x * y) ** (a - 1) * g / total**2
    return -(1 - b) * x - g + x + y + math.log(by_x * by_y - by_both)


@kernel
def draw(a: float, b: float, s: State) -> tuple[float, float]:
    """Two numbers from the copula: one of Gumbel's, of which u competes with a number of its own (Khoudraji 1995)."""
    u, v = archimedean.draw(_GUMBEL, 1.0, a, s)
    return max(u ** (1 / b), uniform(s) ** (1 / (1 - b))), v
