"""The posterior of a linear mixed model, by blocked Gibbs sampling.

    y = Xβ + Σ Z_k u_k + ε,  u_k ~ N(0, σ_k²),  ε ~ N(0, σ²),  β flat,  σ_k and σ half-t with ν = 3 and scales A_k

A half-t standard deviation is |α| τ with α ~ N(0, A²) and τ² ~ inverse gamma(ν/2, ν/2): with u_k = α_k η_k and
η_k ~ N(0, τ_k²) a draw is made of

    σ_k       of one factor, in turn, with all effects integrated out: a step of a random walk (Metropolis)
    α_k, τ_k  for the σ_k that they make
    (β, u)    jointly, from the normal equations; with copies, and without all n values: see `crossproducts`
    τ_k²      inverse gamma
    (α, β)    jointly, as the coefficients of a regression of y on the Z_k η_k and X
    σ²        inverse gamma

The step of α moves a variance and its effects together, so that small components mix as well as large ones; the first
step does what no step given the effects can: it moves variance from a factor to one nested in it. Gelman,
"Prior distributions for variance parameters in hierarchical models", Bayesian Analysis 1, 2006, sections 3 and 7; for
σ, Wand, Ormerod, Padoan and Frühwirth, Bayesian Analysis 6, 2011.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.compute.jit import kernel
from irgauge.compute.tasks import check_stop, each
from irgauge.errors import DesignError
from irgauge.models.mixed.crossproducts import CrossProducts, Equations
from irgauge.models.mixed.diagnostics import Diagnostic, check, hpd_interval
from irgauge.models.mixed.elimination import (
    Products,
    Solved,
    Triangle,
    allocate,
    draw,
    draw_normal,
    eliminate,
    no_products,
)
from irgauge.models.mixed.factors import FactorData
from irgauge.models.mixed.reml import Coding, checked_contrast, coding_matrix, difference

_PIECE = 100  # steps of a chain between which it can be stopped
_ACCEPTED = 0.44  # share of proposals that is best in one dimension (Roberts and Rosenthal 2001)


@dataclass(frozen=True)
class HalfT:
    """The prior of all standard deviations: p(σ) ∝ (1 + (σ/A)²/ν)^(−(ν + 1)/2) for σ > 0."""

    df: float = 3.0
    scale: float | None = None  # None: 2.5 times the standard deviation of the values
    own: Mapping[str, float] = field(default_factory=dict)  # component: its scale, where it has one of its own

    def __str__(self) -> str:
        scale = "2.5 sd(y)" if self.scale is None else f"{self.scale:g}"
        own = "".join(f", of {name} {value:.3g}" for name, value in self.own.items())
        return f"half-t, {self.df:g} degrees of freedom, scale {scale}{own}"

    def of(self, component: str) -> float:
        """The scale of a component."""
        return self.own.get(component, self.scale or math.nan)

    def widened(self, component: str, sd: Floats) -> Floats:
        """p(σ) with twice the scale over p(σ), but for a constant."""
        z = np.square(sd / self.of(component)) / self.df
        return np.asarray(((1 + z) / (1 + z / 4)) ** (0.5 * (self.df + 1)))


@dataclass(frozen=True)
class Summary:
    """A parameter: its posterior mean and standard deviation, and its interval of highest posterior density."""

    name: str
    mean: float
    sd: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Posterior:
    """Draws of the fixed effects and of the standard deviations."""

    coding: Coding
    beta: Floats  # chain, draw, fixed effect
    sd: Floats  # chain, draw, component: of the random factors as given, then of the residual
    names: tuple[str, ...]  # of the components
    prior: HalfT  # with its scale
    diagnostics: tuple[Diagnostic, ...]  # of the fixed effects, then of the components
    warmup: int  # draws of each chain that are not kept
    seed: int

    def difference(self, first: int, second: int) -> Floats:
        """The contrast of the means of two levels of the fixed factor: first − second."""
        return difference(self.beta.shape[2], self.coding, first, second)

    def differences(self, first: int, second: int) -> Floats:
        """The draws of the difference of the means of two levels, of all chains: as of its contrast, but at once."""
        if self.coding != "means":
            return self.contrast(self.difference(first, second))
        return np.asarray((self.beta[..., first] - self.beta[..., second]).ravel())

    def contrast(self, contrast: ArrayLike) -> Floats:
        """The draws of c'β, of all chains."""
        return np.asarray((self.beta @ checked_contrast(contrast, self.beta.shape[2])).ravel())

    def interval(self, contrast: ArrayLike, *, alpha: float = 0.05) -> tuple[float, float]:
        """The interval of highest posterior density of c'β."""
        return hpd_interval(self.contrast(contrast), alpha)

    def influence(self, contrast: ArrayLike, component: str, *, alpha: float = 0.05) -> float:
        """How many times as wide the interval of c'β would be with a prior of one σ_k that is twice as wide.

        Draws are weighted by the ratio of the two priors; near 1 the data say enough of σ_k.
        """
        draws = self.contrast(contrast)
        weights = self.prior.widened(component, self.sd[..., self.names.index(component)].ravel())
        order = np.argsort(draws)
        shares = np.cumsum(weights[order]) / weights.sum()
        places = np.searchsorted(shares, (np.arange(len(draws)) + 0.5) / len(draws))
        widths = [high - low for low, high in (hpd_interval(values, alpha) for values in (draws[order][places], draws))]
        return widths[0] / widths[1]

    def fixed(self, *, alpha: float = 0.05) -> tuple[Summary, ...]:
        """The fixed effects."""
        draws = self.beta.reshape(-1, self.beta.shape[2]).T
        return tuple(_summary(f"fixed {i}", row, alpha) for i, row in enumerate(draws))

    def components(self, *, alpha: float = 0.05) -> tuple[Summary, ...]:
        """The variances σ_k² and σ²."""
        draws = np.square(self.sd).reshape(-1, len(self.names)).T
        return tuple(_summary(name, row, alpha) for name, row in zip(self.names, draws, strict=True))

    def shares(self, *, alpha: float = 0.05) -> tuple[Summary, ...]:
        """The share of each variance in their sum."""
        variances = np.square(self.sd).reshape(-1, len(self.names))
        draws = (variances / variances.sum(axis=1, keepdims=True)).T
        return tuple(_summary(name, row, alpha) for name, row in zip(self.names, draws, strict=True))


def sample(
    y: ArrayLike,
    fixed: ArrayLike,
    random: Mapping[str, ArrayLike],
    *,
    coding: Coding = "means",
    prior: HalfT | None = None,
    chains: int = 4,
    draws: int = 2000,
    warmup: int = 250,
    seed: int = 0,
    workers: int | None = None,
) -> Posterior:
    """Draw from the posterior of a mixed model; the data are those of `mixed.fit`.

    Chains start far apart, each from a seed of its own, so that the draws do not depend on the number of workers.
    DesignError if a parameter has R-hat above 1.01 or an effective sample size below 400.

    >>> topic, system, run = np.indices((30, 2, 3)).reshape(3, -1)
    >>> rng = np.random.default_rng(1)
    >>> y = rng.normal(size=30)[topic] + 0.5 * system + rng.normal(size=180)
    >>> drawn = sample(y, system, {"topic": topic}, seed=1)
    >>> low, high = drawn.interval(drawn.difference(1, 0))
    >>> bool(0 < low < 0.5 < high)
    True
    """
    cross = CrossProducts.of(FactorData.of(y, fixed, random))
    return sample_cross(
        cross,
        coding=coding,
        prior=prior or HalfT(),
        chains=chains,
        draws=draws,
        warmup=warmup,
        seed=seed,
        workers=workers,
    )


def sample_cross(
    cross: CrossProducts,
    *,
    coding: Coding = "means",
    prior: HalfT,
    chains: int = 4,
    draws: int = 2000,
    warmup: int = 250,
    seed: int = 0,
    workers: int | None = None,
) -> Posterior:
    """Draw from the posterior of values that are counted already; see `sample`."""
    coding = known(coding, get_args(Coding), "coding")
    _check(prior, chains, draws, warmup)
    to_coding = coding_matrix(cross.data.levels, coding)  # fixed effect, level
    prior = replace(prior, scale=prior.scale or 2.5 * cross.scale)
    means, sd = draw_chains(cross, prior, chains=chains, draws=draws, warmup=warmup, seed=seed, workers=workers)
    beta = means @ to_coding.T
    names = _names(cross)
    diagnostics = _diagnostics(beta, sd, names)
    check(diagnostics)
    return Posterior(coding, beta, sd, names, prior, diagnostics, warmup, seed)


def draw_chains(
    cross: CrossProducts, prior: HalfT, *, chains: int, draws: int, warmup: int, seed: int, workers: int | None = None
) -> tuple[Floats, Floats]:
    """The draws alone, not checked: of the means of levels[chain, draw, level], and of sd[chain, draw, component]."""
    _check(prior, chains, draws, warmup)
    prior = replace(prior, scale=prior.scale or 2.5 * cross.scale)
    scales = np.array([prior.of(name) for name in _names(cross)]) / cross.scale  # component
    generators = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(chains)]
    chain = partial(_chain, cross.system, prior.df, scales, (warmup, draws))
    walks = each(chain, generators, workers, named="chain")
    means, sd = np.array([walk.betas for walk in walks]), np.array([walk.sds for walk in walks])
    return cross.mean + cross.scale * means, cross.scale * sd


def _chain(system: Equations, df: float, scales: Floats, sizes: tuple[int, int], rng: np.random.Generator) -> _Walk:
    """One chain: so many draws to warm up, and so many that count."""
    warmup, draws = sizes
    walk = _begin(system, warmup, draws, rng)
    for first in range(-warmup, draws, _PIECE):
        check_stop()
        _advance(system, df, scales, (first, min(first + _PIECE, draws)), walk, rng)
    return walk


def _names(cross: CrossProducts) -> tuple[str, ...]:
    """The components."""
    return (*(factor.name for factor in cross.data.random), "residual")


def _check(prior: HalfT, chains: int, draws: int, warmup: int) -> None:
    scales = (1.0 if prior.scale is None else prior.scale, *prior.own.values())
    if not (0 < prior.df < math.inf and all(0 < scale < math.inf for scale in scales)):
        raise DesignError(f"the prior {prior} has no density; degrees of freedom and scale must be above 0")
    if chains < 2 or draws < 8 or warmup < 0:
        raise DesignError(
            f"{chains} chains of {draws} draws after a warm-up of {warmup} cannot be checked; use at least 2 chains of "
            "8 draws, and 4 of 2000 as a rule"
        )


class _Walk(NamedTuple):
    """Where a chain is, and what it has drawn of β and of (σ_1, …, σ_K, σ)."""

    warmup: int
    sd: Floats  # factor
    sigma: Floats  # one number
    reach: Floats  # factor: of proposals
    betas: Floats  # draw, fixed effect
    sds: Floats  # draw, component
    triangle: Triangle  # what follows is room: arrays that kernels make take them long to compile
    other: Triangle
    products: Products
    x: Floats  # core
    alpha: Floats  # factor
    theta: Floats  # factor
    proposed: Floats  # factor
    q: Floats  # factor, factor
    c: Floats  # factor


def _begin(system: Equations, warmup: int, draws: int, rng: np.random.Generator) -> _Walk:
    """A chain that begins with values of standard deviation 1; none near 0, which is left slowly."""
    k, fixed = len(system.levels), len(system.core) - len(system.core_of)
    sigma = 10.0 ** rng.uniform(-0.5, 0.0, 1)
    sd = 10.0 ** rng.uniform(-0.5, 0.0, k)
    betas, sds, triangles = np.empty((draws, fixed)), np.empty((draws, k + 1)), (allocate(system), allocate(system))
    products, x, q = no_products(system), np.empty(len(system.core)), np.empty((k, k))
    reach, (alpha, theta, proposed, c) = np.full(k, 0.3), np.empty((4, k))
    return _Walk(warmup, sd, sigma, reach, betas, sds, *triangles, products, x, alpha, theta, proposed, q, c)


@kernel(makes_arrays=True)
def _advance(
    system: Equations, nu: float, scales: Floats, steps: tuple[int, int], walk: _Walk, rng: np.random.Generator
) -> None:
    """Some steps of a chain, of which those below 0 are not kept; scales are the A_k of the priors."""
    k, random, fixed = len(system.levels), len(system.core_of), walk.betas.shape[1]
    triangle, other, theta, proposed = walk.triangle, walk.other, walk.theta, walk.proposed
    products, x, alpha, sd, sigma, reach = walk.products, walk.x, walk.alpha, walk.sd, walk.sigma[0], walk.reach
    for step in range(steps[0], steps[1]):
        for i in range(k):
            theta[i] = sd[i] / sigma
            proposed[i] = theta[i]
        solved = eliminate(system, theta, triangle)
        at = step % k
        proposed[at] = abs(theta[at] + reach[at] / sigma * rng.standard_normal())
        there = eliminate(system, proposed, other)
        gain = _log_density(there, proposed[at], sigma, nu, scales[at])
        gain -= _log_density(solved, theta[at], sigma, nu, scales[at])
        is_accepted = math.log(rng.random()) < gain
        if is_accepted:
            theta, proposed, triangle, other = proposed, theta, other, triangle
        if step < 0:
            reach[at] *= math.exp((is_accepted - _ACCEPTED) / math.sqrt(1.0 + (step + walk.warmup) // k))
        for i in range(k):
            alpha[i] = _draw_share(theta[i] * sigma, nu, scales[i], rng)
        draw(system, theta, triangle, sigma, rng, x, products)
        _draw_sd(system, products, theta, alpha, nu, rng, sd)
        rss = _rescale(system, walk, sigma, scales, rng, x[random:])
        sigma = _draw_sigma(rss, system.n, sigma, nu, scales[k], rng)
        if step >= 0:
            for j in range(fixed):
                walk.betas[step, j] = x[random + j]
            for i in range(k):
                walk.sds[step, i] = sd[i]
            walk.sds[step, k] = sigma
    walk.sigma[0] = sigma


@kernel(from_python=False)
def _log_density(solved: Solved, theta: float, sigma: float, nu: float, scale: float) -> float:
    """The log density of one σ_k given the others and σ, all effects integrated out; but for a constant."""
    prior = -0.5 * (nu + 1.0) * math.log1p((theta * sigma / scale) ** 2 / nu)
    return prior - 0.5 * (solved.log_det + solved.log_det_fixed + solved.r2 / sigma**2)


@kernel(makes_arrays=True, from_python=False)
def _draw_share(sd: float, nu: float, scale: float, rng: np.random.Generator) -> float:
    """α > 0 given σ_k = ατ: α² ~ gamma((ν + 1)/2, 1/(2A²) + ν/(2σ_k²))."""
    return math.sqrt(2.0 * rng.standard_gamma(0.5 * (nu + 1.0)) / (1.0 / scale**2 + nu / sd**2))


@kernel(makes_arrays=True, from_python=False)
def _draw_sd(
    system: Equations, products: Products, theta: Floats, alpha: Floats, nu: float, rng: np.random.Generator, sd: Floats
) -> None:
    """σ_k = α_k τ_k, τ_k² ~ inverse gamma((ν + q_k)/2, (ν + ‖η_k‖²)/2), η_k = θ_k b_k / α_k."""
    for k in range(len(sd)):
        eta2 = products.b2[k] * (theta[k] / alpha[k]) ** 2
        sd[k] = alpha[k] * math.sqrt(0.5 * (nu + eta2) / rng.standard_gamma(0.5 * (nu + system.levels[k])))


@kernel(makes_arrays=True, from_python=False)
def _rescale(
    system: Equations, walk: _Walk, sigma: float, scales: Floats, rng: np.random.Generator, beta: Floats
) -> float:
    """Draw α and β, with the η fixed: u_k and σ_k change by factors c_k. Gives the residual sum of squares.

    y = Xβ + Σ c_k Z_k u_k + ε with c_k ~ N(0, (A_k/α_k)²). With the part of X taken off, c ~ N(Q⁻¹h/σ², Q⁻¹), where
    Q = (zz − zx (X'X)⁻¹ zx')/σ² + diag(α_k/A_k)², h = zy − zx (X'X)⁻¹ X'y; then β ~ N((X'X)⁻¹(X'y − zx'c), σ² (X'X)⁻¹).
    """
    products, alpha, sd, q, c = walk.products, walk.alpha, walk.sd, walk.q, walk.c
    k, random = len(sd), len(system.core_of)
    for i in range(k):
        c[i] = products.zy[i] / sigma**2
        for j in range(k):
            q[i, j] = products.zz[i, j] / sigma**2
    for a in range(len(beta)):
        values, total = system.core[random + a, random + a], system.core_rhs[random + a]
        for i in range(k):
            c[i] -= products.zx[i, a] * total / values / sigma**2
            for j in range(k):
                q[i, j] -= products.zx[i, a] * products.zx[j, a] / values / sigma**2
    for i in range(k):
        q[i, i] += (alpha[i] / scales[i]) ** 2
    draw_normal(q, c, rng)
    rss = system.yy
    for i in range(k):
        sd[i] *= abs(c[i])
        rss -= 2.0 * c[i] * products.zy[i]
        for j in range(k):
            rss += c[i] * products.zz[i, j] * c[j]
    for a in range(len(beta)):
        values, left = system.core[random + a, random + a], system.core_rhs[random + a]
        for i in range(k):
            left -= c[i] * products.zx[i, a]
        beta[a] = left / values + sigma / math.sqrt(values) * rng.standard_normal()
        rss += beta[a] * (beta[a] * values - 2.0 * left)
    return rss


@kernel(makes_arrays=True, from_python=False)
def _draw_sigma(rss: float, n: int, sigma: float, nu: float, scale: float, rng: np.random.Generator) -> float:
    """1/a ~ gamma with rate ν/σ² + 1/A², σ² ~ inverse gamma((n + ν)/2, rss/2 + ν/a): half-t (Wand et al. 2011)."""
    inverse_a = rng.standard_gamma(0.5 * (nu + 1.0)) / (nu / sigma**2 + 1.0 / scale**2)
    return math.sqrt((0.5 * max(rss, 0.0) + nu * inverse_a) / rng.standard_gamma(0.5 * (n + nu)))


def _summary(name: str, draws: Floats, alpha: float) -> Summary:
    return Summary(name, float(draws.mean()), float(draws.std(ddof=1)), *hpd_interval(draws, alpha))


def _diagnostics(beta: Floats, sd: Floats, names: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    draws = np.concatenate([beta, sd], axis=2)  # chain, draw, parameter
    labels = [*(f"fixed {i}" for i in range(beta.shape[2])), *names]
    return tuple(Diagnostic.of(label, draws[:, :, i]) for i, label in enumerate(labels))
