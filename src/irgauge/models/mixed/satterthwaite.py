"""The REML criterion around its minimum, and the degrees of freedom that its curvature gives to a contrast.

    df = 2 (c'Cc)² / (g'Ag),  C = Cov(β),  g = ∂(c'Cc)/∂φ,  A = 2H⁻¹,  H = ∂²(−2 log L)/∂φ²

with the parameters φ = (log θ_1, …, log σ²); df does not depend on their choice. Satterthwaite, Biometrics Bulletin 2,
1946; Kuznetsova, Brockhoff and Christensen, "lmerTest package", J. Statist. Softw. 82, 2017.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.models.mixed.crossproducts import System
from irgauge.models.mixed.elimination import Solved, Triangle, allocate, eliminate

_STEP = 2e-3  # in log θ: the next term of Taylor's series changes the curvature by some 1e-6 of it
_ROUNDING = 4 * np.finfo(np.float64).eps
_FLAT = 1e-7  # a curvature below this, relative to the largest, tells nothing


class Point(NamedTuple):
    """The equations solved for one θ: the parts of the criterion, β and its covariance over σ²."""

    log_det: float  # log |V| + log |X'V⁻¹X|
    r2: float
    beta: Floats  # level of the fixed factor
    unscaled: Floats  # level, level: (X'V⁻¹X)⁻¹


@dataclass(frozen=True, eq=False)
class Curvature:
    """What the degrees of freedom of any contrast need."""

    cov: Floats  # fixed effect, fixed effect
    gradient: Floats  # parameter, fixed effect, fixed effect: of cov
    spread: Floats  # parameter, parameter: their covariance A

    def df(self, contrast: Floats) -> float:
        """Satterthwaite's degrees of freedom of a contrast of the fixed effects."""
        variance = float(contrast @ self.cov @ contrast)
        g = self.gradient @ contrast @ contrast
        spread = float(g @ self.spread @ g)
        return 2 * variance**2 / spread if spread > 0 else math.inf


class Criterion:
    """The REML criterion of a system as a function of θ, σ² at its best.

    −2 log L = log |V| + log |X'V⁻¹X| + (n − p)(1 + log(2π r²/(n − p))), V = I + Σ θ_k² Z_k Z_k'.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.fixed = len(system.core) - len(system.core_of)
        self.freedom = system.n - self.fixed
        self.evaluations = 0
        self.noise = 0.0  # by which rounding may change the criterion, at the θ last asked for
        self._triangle: Triangle = allocate(system)

    def solved(self, theta: Floats) -> Solved:
        """The parts of the criterion."""
        self.evaluations += 1
        return eliminate(self.system, theta, self._triangle)

    def __call__(self, theta: Floats) -> float:
        """−2 log L at θ; infinite where rounding leaves no residual."""
        solved = self.solved(theta)
        if not solved.r2 > 0:
            return math.inf
        value = solved.log_det + solved.log_det_fixed + self.freedom * self._profiled(solved.r2)
        self.noise = _ROUNDING * (abs(value) + self.freedom * self.system.yy / solved.r2)
        return value

    def _profiled(self, r2: float) -> float:
        return 1 + math.log(2 * math.pi * r2 / self.freedom)

    def solution(self, theta: Floats) -> Floats:
        """The random effects of the core over θ, and the fixed effects."""
        self.solved(theta)
        return _back(self._triangle.core, self._triangle.core_rhs)

    def point(self, theta: Floats) -> Point:
        """The parts of the criterion, β and its covariance."""
        solved = self.solved(theta)
        upper = np.triu(self._triangle.core[-self.fixed :, -self.fixed :])
        inverse = _back(upper, np.eye(self.fixed))
        beta = inverse @ self._triangle.core_rhs[-self.fixed :]
        return Point(solved.log_det + solved.log_det_fixed, solved.r2, beta, inverse @ inverse.T)


def _back(upper: Floats, rhs: Floats) -> Floats:
    """U⁻¹ rhs."""
    x = rhs.copy()
    for i in range(len(upper) - 1, -1, -1):
        x[i] = (x[i] - upper[i, i + 1 :] @ x[i + 1 :]) / upper[i, i]
    return x


def differences(f: Callable[[Floats], Floats], x: Floats, step: float) -> tuple[Floats, Floats, Floats]:
    """f(x), its gradient and its second derivatives by central differences; f may have any number of values.

    >>> value, gradient, hessian = differences(lambda x: x[:1] ** 2 * x[1:], np.array([1.0, 2.0]), 1e-3)
    >>> gradient[:, 0].round(5).tolist(), hessian[:, :, 0].round(5).tolist()
    ([4.0, 1.0], [[4.0, 2.0], [2.0, 0.0]])
    """
    k, at_x = len(x), f(x)
    steps = step * np.eye(k)
    plus, minus = [f(x + step) for step in steps], [f(x - step) for step in steps]
    hessian = np.empty((k, k, *at_x.shape))
    for i in range(k):
        hessian[i, i] = (plus[i] - 2 * at_x + minus[i]) / step**2
        for j in range(i):
            both = f(x + steps[i] + steps[j]) + f(x - steps[i] - steps[j])
            mixed = both - plus[i] - minus[i] - plus[j] - minus[j] + 2 * at_x
            hessian[i, j] = hessian[j, i] = mixed / (2 * step**2)
    gradient = np.array([(a - b) / (2 * step) for a, b in zip(plus, minus, strict=True)]).reshape(k, *at_x.shape)
    return at_x, gradient, hessian


def on_log_scale(theta: Floats, free: Ints, log_theta: Floats) -> Floats:
    """θ with the free ones replaced."""
    changed = theta.copy()
    changed[free] = np.exp(log_theta)
    return changed


def curvature(criterion: Criterion, theta: Floats, coding: Floats) -> Curvature:
    """The curvature at the minimum θ, of effects coding @ (level means); a component at 0 is held there."""
    free = np.flatnonzero(theta)
    criterion(theta)
    step = max(_STEP, criterion.noise**0.25)

    def parts(log_theta: Floats) -> Floats:
        point = criterion.point(on_log_scale(theta, free, log_theta))
        return np.array([point.log_det, point.r2, *(coding @ point.unscaled @ coding.T).ravel()])

    at, gradient, hessian = differences(parts, np.log(theta[free]), step)
    freedom, p = criterion.freedom, len(coding)
    sigma2 = max(at[1] / freedom, np.finfo(np.float64).tiny)  # where the model explains all values, of scale 1
    full = np.empty((len(free) + 1, len(free) + 1))  # of −2 log L in (log θ, log σ²)
    full[:-1, :-1] = hessian[..., 0] + hessian[..., 1] / sigma2
    full[-1, :-1] = full[:-1, -1] = -gradient[:, 1] / sigma2
    full[-1, -1] = freedom
    cov = sigma2 * at[2:].reshape(p, p)
    slopes = np.concatenate([sigma2 * gradient[:, 2:].reshape(-1, p, p), cov[None]])
    return Curvature(cov, slopes, 2 * _inverse(full))


def _inverse(hessian: Floats) -> Floats:
    """The inverse, but for directions in which the criterion is flat."""
    values, vectors = np.linalg.eigh(hessian)
    kept = values > _FLAT * values[-1]
    return np.asarray((vectors[:, kept] / values[kept]) @ vectors[:, kept].T)
