"""The REML criterion: its minimum over θ_k = σ_k/σ ≥ 0, and what its curvature there gives to a contrast.

The minimum is found by Newton's method on a log scale, with care for zeros. The degrees of freedom of a contrast are

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
from irgauge.models.mixed.crossproducts import Equations
from irgauge.models.mixed.elimination import Solved, Triangle, allocate, eliminate

_STEP = 2e-3  # in log θ: the next term of Taylor's series changes the curvature by some 1e-6 of it
_ROUNDING = 4 * np.finfo(np.float64).eps
_FLAT = 1e-7  # a curvature below this, relative to the largest, tells nothing
LARGEST = 1e5  # a θ above this leaves no residual
_STARTS = (1.0, 0.2, 5.0)  # θ of all factors
_STEP_ON_THE_WAY = 2e-4  # in log θ, for derivatives on the way to the minimum, where rounding allows
_LONGEST = 2.0  # step in log θ
_ENOUGH = 1e-13  # a step that promises less than this on the criterion ends the search
_ITERATIONS = 60
_SMALL = 0.05  # a θ below this may be 0
_NEAR = 1e-3  # a step that promises less than this is near a minimum, and any θ may be 0
_SLACK = 1e-9  # by which 0 may be worse than a small θ, and is taken
_PROBE = 1e-3  # a θ this large has to be worse than 0 where 0 is the minimum


class CriterionPoint(NamedTuple):
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

    def __init__(self, system: Equations) -> None:
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

    def point(self, theta: Floats) -> CriterionPoint:
        """The parts of the criterion, β and its covariance."""
        solved = self.solved(theta)
        upper = np.triu(self._triangle.core[-self.fixed :, -self.fixed :])
        inverse = _back(upper, np.eye(self.fixed))
        beta = inverse @ self._triangle.core_rhs[-self.fixed :]
        return CriterionPoint(solved.log_det + solved.log_det_fixed, solved.r2, beta, inverse @ inverse.T)


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


@dataclass(frozen=True)
class Convergence:
    """How the minimum of the criterion was found."""

    converged: bool
    starts: int
    iterations: int
    evaluations: int
    promise: float  # by how much another step would lower the criterion, about


def minimise(criterion: Criterion) -> tuple[Floats, float, Convergence]:
    """The best θ; a search that ends at 0, or does not converge, is started again elsewhere, and the best counts."""
    best, iterations, starts = _Search(np.empty(0), math.inf, 0, is_minimum=False, promise=math.inf), 0, 0
    for start in _STARTS:
        search = _search(criterion, np.full(len(criterion.system.levels), start))
        iterations, starts = iterations + search.iterations, starts + 1
        is_better = search.value < best.value - _SLACK
        if is_better or (search.value < best.value + _SLACK and search.is_minimum and not best.is_minimum):
            best = search
        if best.is_minimum and best.theta.all():
            break
    convergence = Convergence(best.is_minimum, starts, iterations, criterion.evaluations, best.promise)
    return best.theta, best.value, convergence


class _Search(NamedTuple):
    """Where a search ended."""

    theta: Floats
    value: float
    iterations: int
    is_minimum: bool
    promise: float


def _search(criterion: Criterion, theta: Floats) -> _Search:
    """Newton's method in the log θ that are not 0; a θ goes to 0, or elsewhere, where that lowers the criterion."""
    value, promise = criterion(theta), math.inf
    for iteration in range(1, _ITERATIONS + 1):
        theta, value = _drop(criterion, theta, value, below=_SMALL if promise > _NEAR else math.inf)
        theta, value, promise = _step(criterion, theta, value)
        if theta.max(initial=0.0) > LARGEST:
            return _Search(theta, value, iteration, is_minimum=True, promise=promise)  # at the bound
        if promise < _ENOUGH + criterion.noise:
            moved = _elsewhere(criterion, theta, value)
            if moved is theta:
                return _Search(theta, value, iteration, is_minimum=True, promise=promise)
            theta, value, promise = moved, criterion(moved), math.inf
    return _Search(theta, value, _ITERATIONS, is_minimum=False, promise=promise)


def _drop(criterion: Criterion, theta: Floats, value: float, *, below: float) -> tuple[Floats, float]:
    """Set each small θ to 0 unless that is worse."""
    for k in np.flatnonzero((theta > 0) & (theta < below)):
        without = theta.copy()
        without[k] = 0.0
        at_zero = criterion(without)
        if at_zero <= value + (_SLACK if theta[k] < _PROBE else 0.0):
            theta, value = without, at_zero
    return theta, value


def _elsewhere(criterion: Criterion, theta: Floats, value: float) -> Floats:
    """θ with one of them doubled or halved as often as that helps, if it does.

    One that is 0 is first put a little above; one that is small beside others, near these. Where the criterion is
    nearly flat its curvature may be lost in rounding, and a step of Newton's method too short.
    """
    for k in range(len(theta)):
        for first, factor in ((2 * theta[k] or _PROBE, 2.0), (theta[k] / 2, 0.5), (theta.max() / 4, 0.5)):
            moved, best, point = theta.copy(), value - _SLACK - criterion.noise, theta
            moved[k] = first
            while 0 < moved[k] < LARGEST and (at_moved := criterion(moved)) < best:
                best, point = at_moved, moved.copy()
                moved[k] *= factor
            if point is not theta:
                return point
    return theta


def _step(criterion: Criterion, theta: Floats, value: float) -> tuple[Floats, float, float]:
    """One step of Newton's method, shortened until it helps; and what it promised."""
    free = np.flatnonzero(theta)
    x = np.log(theta[free])
    if len(free) == 0:
        return theta, value, 0.0

    def f(x: Floats) -> Floats:
        return np.array(criterion(on_log_scale(theta, free, x)))

    noise = criterion.noise
    _, gradient, hessian = differences(f, x, max(_STEP_ON_THE_WAY, noise ** (1 / 3)))
    step = -_newton(gradient, hessian)
    promise = -0.5 * float(gradient @ step)
    step *= min(1.0, _LONGEST / float(np.abs(step).max(initial=1e-300)))
    for _ in range(30):
        changed = on_log_scale(theta, free, x + step)
        at_changed = criterion(changed)
        if at_changed <= value + noise:
            return changed, at_changed, promise
        step /= 4
    return theta, value, promise


def _newton(gradient: Floats, hessian: Floats) -> Floats:
    """H⁻¹g, with curvatures taken for positive and not below a little, so that the step leads down."""
    values, vectors = np.linalg.eigh(hessian)
    size = np.maximum(np.abs(values), 1e-8)
    return np.asarray(vectors @ ((vectors.T @ gradient) / size))
