"""The minimum of the REML criterion over θ_k = σ_k/σ ≥ 0: Newton's method on a log scale, with care for zeros."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.models.mixed.satterthwaite import Criterion, differences, on_log_scale

LARGEST = 1e5  # a θ above this leaves no residual
_STARTS = (1.0, 0.2, 5.0)  # θ of all factors
_STEP = 2e-4  # in log θ, for derivatives on the way to the minimum, where rounding allows
_LONGEST = 2.0  # step in log θ
_ENOUGH = 1e-13  # a step that promises less than this on the criterion ends the search
_ITERATIONS = 60
_SMALL = 0.05  # a θ below this may be 0
_NEAR = 1e-3  # a step that promises less than this is near a minimum, and any θ may be 0
_SLACK = 1e-9  # by which 0 may be worse than a small θ, and is taken
_PROBE = 1e-3  # a θ this large has to be worse than 0 where 0 is the minimum


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
    _, gradient, hessian = differences(f, x, max(_STEP, noise ** (1 / 3)))
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
