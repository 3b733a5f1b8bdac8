"""F tests: of a model's terms when the claim is to cover a population, and of the larger of two nested models."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.models.anova import CELL, FACTORS, Error, Fit, Population, Row
from irgauge.models.checks import f_tail


def epsilon(covariance: Floats, df: float) -> float:
    """The share of their degrees of freedom that the two sides of an F test keep: 1 if all differences vary alike.

    ε̂ = tr(Σ)² / (k tr(Σ²)) of a covariance[level, level] of k + 1 levels without their mean, estimated with df degrees
    of freedom, and ε = ((df + 1) k ε̂ − 2) / (k (df − k ε̂)), from 1/k to 1. Huynh and Feldt (Journal of Educational
    Statistics 1976), as Lecoutre (1991) corrected it.

    >>> alike, unlike = np.eye(3) - 1 / 3, np.array([[0.5, -0.5, 0.0], [-0.5, 0.5, 0.0], [0.0, 0.0, 0.0]])
    >>> epsilon(alike, 20), epsilon(unlike, 20)
    (1.0, 0.5)
    """
    k, largest = len(covariance) - 1, float(np.abs(covariance).max())
    if largest == 0:  # none varies
        return 1.0
    scaled = covariance / largest  # so that no square vanishes
    spread = float(np.trace(scaled)) ** 2 / float(np.square(scaled).sum())  # k ε̂
    if spread >= df:  # as with two replicates
        return 1.0
    return min(1.0, max(1 / k, ((df + 1) * spread - 2) / (k * (df - spread))))


@dataclass(frozen=True)
class TermTest:
    """F = MS / MS_error of a term, on degrees of freedom that are both multiplied by ε."""

    source: str
    against: str  # the mean squares that the error is made of
    df: float
    df_error: float
    f: float
    p: float
    epsilon: float  # 1 where the levels of the term vary alike, or are taken to do so


def term_tests(fit: Fit, population: Population) -> tuple[TermTest, ...]:
    """The test of every term against its error for the population, see `Fit.error_of`.

    The test of a factor rests on differences of its levels that vary alike from topic to topic, or from shard to shard;
    as they seldom do, its degrees of freedom are multiplied by ε, see `epsilon`, where it is tested against these
    interactions. Tests against the residual are those of the papers.

    >>> from irgauge.models.anova import fit
    >>> values = np.random.default_rng(1).random((5, 4, 3))
    >>> [(test.source, test.against) for test in term_tests(fit(values, "MD5"), "topics")][1:3]
    [('system', 'topic:system'), ('shard', 'topic:shard')]
    """
    errors = [fit.error_of(row.source, population) for row in fit.rows]
    return tuple(_test(row, error, _epsilon(fit, row, error)) for row, error in zip(fit.rows, errors, strict=True))


def system_test(fit: Fit, population: Population) -> TermTest:
    """The test of systems, with ε also where the error is the residual, which the papers take as it is."""
    system, error = fit.row("system"), fit.error_of("system", population)
    if error.terms or system.df == 1:
        return _test(system, error, _epsilon(fit, system, error))
    each = np.moveaxis(fit.residuals(), 1, -1).reshape(-1, fit.shape[1])  # topic and shard, system
    each = each - each.mean(axis=1, keepdims=True)
    return _test(system, error, epsilon(each.T @ each, error.df / system.df))


def _test(row: Row, error: Error, kept: float) -> TermTest:
    f, df, df_error = row.ms / error.ms, row.df * kept, error.df * kept
    return TermTest(row.source, error.source, df, df_error, f, f_tail(df, df_error, f), kept)


def _epsilon(fit: Fit, row: Row, error: Error) -> float:
    """ε of a factor that is tested against interactions with topics or shards."""
    if row.source not in FACTORS or error.terms in ((), (CELL,)) or row.df == 1:
        return 1.0
    parts = [_covariance(fit, row, term) for term in error.terms]
    return epsilon(sum(parts[:2], np.zeros(())) - sum(parts[2:], np.zeros(())), error.df / row.df)


def _covariance(fit: Fit, row: Row, term: str) -> Floats:
    """The covariance[level, level] of a factor's levels in an interaction; its trace is as large as df · MS(term)."""
    effects = np.moveaxis(fit.sums.parts[term], FACTORS.index(row.source), -1)
    each = effects.reshape(-1, effects.shape[-1])  # replicate, level
    return each.T @ each * (math.prod(fit.shape) / effects.size * row.df / fit.sums.df[term])


@dataclass(frozen=True)
class NestedTest:
    """Does the larger of two nested models explain the values better? F_model against its critical value."""

    f: float
    df: int
    df_error: int
    p: float
    alpha: float
    critical: float


def compare(small: Fit, large: Fit, *, alpha: float = 0.05) -> NestedTest:
    """Compare nested models of the same values.

    F_model = ((SS_E small − SS_E large) / (df_E small − df_E large)) / MS_E large: Ferro, Kim and Sanderson, eq. 4.

    >>> import numpy as np
    >>> from irgauge.models.anova import decompose
    >>> sums = decompose(np.random.default_rng(1).random((5, 4, 3)))
    >>> compare(sums.fit("MD4"), sums.fit("MD6")).df
    14
    """
    if not set(small.model.terms) < set(large.model.terms):
        raise DesignError(f"{small.model} is not nested in {large.model}: the larger must have all its terms, and more")
    if (small.shape, small.mean, small.total) != (large.shape, large.mean, large.total):
        raise DesignError(f"{small.model} and {large.model} are fitted to different values; fit both to the same")
    check_alpha(alpha)
    added = large.sums.variation([term for term in large.model.terms if term in small.model.left_out])
    f, df, df_error = added.ms / large.error.ms, added.df, large.error.df
    x = float(betaincinv(df_error / 2, df / 2, alpha))  # df_error / (df_error + df F) at the critical value
    return NestedTest(f, df, df_error, f_tail(df, df_error, f), alpha, critical=df_error * (1 - x) / (df * x))
