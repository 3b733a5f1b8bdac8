"""Linear mixed models by restricted maximum likelihood (REML): a fixed factor, and random ones, nested or crossed.

    y = Xβ + Σ Z_k u_k + ε,  u_k ~ N(0, σ_k²),  ε ~ N(0, σ²)

The models of Jayasinghe et al. (SIGIR 2014) for algorithms whose results differ from run to run are

    eq. 1  system + topic
    eq. 2  system + topic + topic:system, with repeated observations
    eq. 3  algorithm + instance (nested in algorithm) + topic + topic:algorithm

with the first factor fixed and the others random. An algorithm that is deterministic has no effect of its instance: its
values get the code NO_EFFECT there. The paper crosses instances instead, and repeats its only one: see `crossed`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError, check_alpha
from irgauge.models.mixed.criterion import LARGEST, Convergence, Criterion, Curvature, curvature, minimise
from irgauge.models.mixed.crossproducts import CrossProducts
from irgauge.models.mixed.factors import FactorData

Coding = Literal["means", "treatment"]
Freedom = Literal["satterthwaite", "n-f"]
_NOTHING = 1e-12  # a residual sum of squares below this, relative to all, is rounding


@dataclass(frozen=True)
class Component:
    """A part of the variance of one value, and its share of the whole."""

    name: str
    levels: int  # for the residual: values
    variance: float
    sd: float
    share: float


@dataclass(frozen=True)
class ContrastTest:
    """Is a contrast of the fixed effects 0? Student's t = estimate / se with df degrees of freedom, two-sided."""

    estimate: float
    se: float
    df: float
    t: float
    p: float

    def interval(self, alpha: float = 0.05) -> tuple[float, float]:
        """estimate ∓ t(1 − α/2; df) se."""
        check_alpha(alpha)
        half = float(stdtrit(self.df, 1 - alpha / 2)) * self.se
        return self.estimate - half, self.estimate + half


@dataclass(frozen=True, eq=False)
class MixedFit:
    """A mixed model fitted by REML."""

    n: int  # values
    coding: Coding
    beta: Floats  # fixed effect: the means of levels; or the mean of the first, and the differences of others from it
    cov: Floats  # fixed effect, fixed effect
    components: tuple[Component, ...]  # of the random factors as given, then the residual
    theta: Floats  # random factor: σ_k/σ
    criterion: float  # −2 log of the restricted likelihood
    convergence: Convergence
    curvature: Curvature
    cross: CrossProducts

    @property
    def se(self) -> Floats:
        """The standard errors of the fixed effects."""
        return np.sqrt(np.diag(self.cov))

    @property
    def is_singular(self) -> bool:
        """Is a component estimated as 0?"""
        return bool((self.theta == 0).any())

    @property
    def warning(self) -> str | None:
        """What a reader should know of the fit, or None."""
        if not self.convergence.converged:
            return "the fit did not converge; do not rely on it"
        if not self.is_singular:
            return None
        names = " and ".join(f"'{component.name}'" for component in self.components[:-1] if component.variance == 0)
        return (
            f"singular fit: the variance of {names} is estimated as 0. The data show no such effect, or are too few "
            "to separate it from the others; the fit is that of the model without it"
        )

    def difference(self, first: int, second: int) -> Floats:
        """The contrast of the means of two levels of the fixed factor, for `test`: first − second."""
        return difference(len(self.beta), self.coding, first, second)

    def test(self, contrast: ArrayLike, *, df: Freedom | float = "satterthwaite") -> ContrastTest:
        """Test c'β = 0, with Satterthwaite's degrees of freedom, the n − f of values and fixed effects, or a number.

        n − f is for large samples; it takes values for independent, and is too many for algorithms over topics
        (Jayasinghe et al. 2014, section 2, after Baayen 2008).
        """
        c = checked_contrast(contrast, len(self.beta))
        estimate, se = float(c @ self.beta), math.sqrt(float(c @ self.cov @ c))
        freedom = self._freedom(c, df)
        t = estimate / se
        return ContrastTest(estimate, se, freedom, t, 2 * float(stdtr(freedom, -abs(t))))

    def _freedom(self, contrast: Floats, df: Freedom | float) -> float:
        if isinstance(df, str):
            hint = f"They are {', '.join(get_args(Freedom))} or a number"
            chosen = known(df, get_args(Freedom), "degrees of freedom df", hint=hint)
            return self.curvature.df(contrast) if chosen == "satterthwaite" else float(self.n - len(self.beta))
        if not df > 0:
            raise DesignError(f"df is {df}; degrees of freedom must be above 0")
        return float(df)

    @cached_property
    def effects(self) -> Mapping[str, Floats]:
        """The best linear unbiased predictions of u_k, by level of each random factor; 0 for a level without values."""
        return _effects(self.cross, self.theta)


def fit(y: ArrayLike, fixed: ArrayLike, random: Mapping[str, ArrayLike], *, coding: Coding = "means") -> MixedFit:
    """Fit a mixed model to values y with the codes of a fixed factor and of random factors.

    Minimises −2 log L = log |V| + log |X'V⁻¹X| + (n − p)(1 + log(2π r²/(n − p))), V = I + Σ θ_k² Z_k Z_k', over
    θ_k = σ_k/σ ≥ 0 (Bates et al., J. Statist. Softw. 67, 2015). Values may be missing, and levels may have different
    numbers of values. With coding="treatment" effects are the first level's mean and differences from it.

    >>> topic, system = np.indices((4, 2)).reshape(2, -1)
    >>> model = fit([0.2, 0.5, 0.3, 0.4, 0.1, 0.6, 0.5, 0.9], system, {"topic": topic}, coding="treatment")
    >>> model.beta.round(3).tolist(), round(model.components[0].share, 3)
    ([0.275, 0.325], 0.615)
    >>> test = model.test(model.difference(1, 0))
    >>> round(test.t, 4), round(test.df, 4), round(test.p, 4)
    (3.806, 3.0, 0.0319)
    """
    return fit_cross(CrossProducts.of(FactorData.of(y, fixed, random)), coding=coding)


def fit_cross(cross: CrossProducts, *, coding: Coding = "means") -> MixedFit:
    """Fit a mixed model to values that are counted already; see `fit`."""
    coding = known(coding, get_args(Coding), "coding")
    to_coding = coding_matrix(cross.data.levels, coding)  # fixed effect, level
    criterion = Criterion(cross.system)
    theta, best, convergence = minimise(criterion)
    _check_residual(criterion, theta)
    unscaled = curvature(criterion, theta, to_coding)
    point, scale = criterion.point(theta), cross.scale
    return MixedFit(
        n=cross.system.n,
        coding=coding,
        beta=to_coding @ (cross.mean + scale * point.beta),
        cov=scale**2 * unscaled.cov,
        components=_components(cross, theta, scale**2 * point.r2 / criterion.freedom),
        theta=theta,
        criterion=best + 2 * criterion.freedom * math.log(scale),
        convergence=convergence,
        curvature=Curvature(scale**2 * unscaled.cov, scale**2 * unscaled.gradient, unscaled.spread),
        cross=cross,
    )


def crossed(fixed: ArrayLike, nested: ArrayLike) -> tuple[Ints, Ints]:
    """Repeat the one instance of deterministic algorithms for each instance of the random one, as the paper does.

    Gives the rows to take, some of them many times, and the code of the crossed instance for each: instance m of the
    random algorithm and the m-th copy of a deterministic one share the effect s_m (Jayasinghe et al. 2014, section 3).
    The copies are counted as if they were measured, and the test is too liberal: it calls some 9 % of equal
    algorithms different at the level of 5 % (30 topics, 10 instances). NO_EFFECT keeps the level.

    >>> rows, instance = crossed([0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2])  # two topics; algorithm 1 has two instances
    >>> rows.tolist(), instance.tolist()
    ([0, 1, 0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 0, 0, 1, 1])
    """
    levels, instances = np.asarray(fixed), np.asarray(nested)
    numbers = [np.unique(instances[levels == level]) for level in np.unique(levels)]
    several = [number for number in numbers if len(number) > 1]
    if len(several) != 1 or len(numbers) < 2:
        raise DesignError(
            f"{len(several)} algorithms have several instances; to cross them one must have several, the others one"
        )
    single = ~np.isin(instances, several[0])
    rows, codes = np.arange(len(levels)), np.searchsorted(several[0], instances)
    count = len(several[0])
    copies = np.tile(rows[single], count)
    return np.append(copies, rows[~single]), np.append(np.repeat(np.arange(count), int(single.sum())), codes[~single])


def coding_matrix(levels: int, coding: Coding) -> Floats:
    """The fixed effects as sums of level means; fixed effect, level."""
    matrix = np.eye(levels)
    if coding == "treatment":
        matrix[1:, 0] = -1.0
    return matrix


def difference(levels: int, coding: Coding, first: int, second: int) -> Floats:
    """The contrast of fixed effects that is the difference of two level means.

    >>> difference(3, "treatment", 1, 0).tolist(), difference(3, "means", 1, 0).tolist()
    ([0.0, 1.0, 0.0], [-1.0, 1.0, 0.0])
    """
    if not (0 <= first < levels and 0 <= second < levels and first != second):
        raise DesignError(f"levels {first} and {second} are no pair; give two different levels from 0 to {levels - 1}")
    contrast = np.zeros(levels)
    contrast[first], contrast[second] = 1.0, -1.0
    if coding == "treatment":
        contrast[0] = 0.0
    return contrast


def checked_contrast(contrast: ArrayLike, size: int) -> Floats:
    """A contrast with a number for each fixed effect, not all 0."""
    c = np.asarray(contrast, np.float64)
    if c.shape != (size,) or not np.isfinite(c).all() or not c.any():
        raise DesignError(f"the contrast {c.tolist()} must have {size} finite numbers, one a fixed effect, not all 0")
    return c


def _check_residual(criterion: Criterion, theta: Floats) -> None:
    if theta.max(initial=0.0) > LARGEST or criterion.solved(theta).r2 <= _NOTHING * criterion.system.yy:
        raise DesignError(
            "the effects explain the values completely, and no residual is left: repeated values are equal. Keep one "
            "value of each that is repeated, and leave out the random factor that has then one value a level"
        )


def _components(cross: CrossProducts, theta: Floats, sigma2: float) -> tuple[Component, ...]:
    names = [*(factor.name for factor in cross.data.random), "residual"]
    levels = [*(factor.size for factor in cross.data.random), cross.system.n]
    variances: Sequence[float] = [*(theta**2 * sigma2).tolist(), sigma2]
    total = sum(variances)
    rows = zip(names, levels, variances, strict=True)
    return tuple(
        Component(name, size, variance, math.sqrt(variance), variance / total) for name, size, variance in rows
    )


def _effects(cross: CrossProducts, theta: Floats) -> dict[str, Floats]:
    """u = ΛM⁻¹Λ(Z'y − Z'(rest)) of each bundle, M = ΛZ'ZΛ + I; and of the core, each mean and its contrasts."""
    system, x = cross.system, Criterion(cross.system).solution(theta)
    random = len(system.core_of)
    known = np.append(theta[system.core_of] * x[:random], x[random:])  # core: u and β
    effects = [np.zeros(factor.given) for factor in cross.data.random]

    def keep(of: int, level: Ints, u: Floats) -> None:
        effects[of][cross.data.random[of].used[level]] = cross.scale * u

    for b, group in enumerate(cross.bundles):
        rows = slice(system.start[b], system.start[b + 1])
        scale = theta[group.of]  # coordinate
        left = group.rhs - (system.cross[rows] @ known)[:, None] / math.sqrt(group.number)
        m = scale[:, None] * group.gram * scale + np.eye(len(scale))
        u = scale[:, None] * np.linalg.solve(m, scale[:, None] * left)  # coordinate, copy
        for i, of in enumerate(group.of):
            keep(of, group.level[i], u[i])
    for i, group in enumerate(cross.core):
        scale2 = theta[group.of[0]] ** 2
        contrast = group.rhs[0] - group.rhs[0].mean()
        u = known[i] / math.sqrt(group.number) + scale2 * contrast / (scale2 * group.gram[0, 0] + 1)
        keep(int(group.of[0]), group.level[0], u)
    return {factor.name: u for factor, u in zip(cross.data.random, effects, strict=True)}
