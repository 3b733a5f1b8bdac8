"""Cluster-robust errors by full matrices: CR2 and Satterthwaite's degrees of freedom, as they are defined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import linalg, stats

Matrix = np.ndarray
Values = Sequence[object] | Sequence[float] | np.ndarray


def cr2(
    d: Values,
    clusters: Values,
    weights: Values,
    shares: Sequence[float],
    kinds: Sequence[int],
) -> tuple[float, float, float]:
    """The mean Σ share × weighted mean of a kind, its error, and its degrees of freedom.

    Of several kinds these are Welch's, or those with the variances expected where all vary alike, if they are fewer.

    Weighted least squares of d on a column for each kind, with the working model that topics are independent and vary
    alike: V = Σ_g (c' M X_g' W_g A_g e_g)², where c are the shares, M = (X'WX)⁻¹, e what is left and A_g the inverse
    symmetric root of the rows and columns of cluster g of (I − H)(I − H)'.
    """
    y, w, c = np.array(d, float), np.diag(np.array(weights, float)), np.array(shares, float)
    x = np.array([[float(kind == k) for k in range(len(shares))] for kind in kinds])
    m = linalg.inv(x.T @ w @ x)
    beta = m @ x.T @ w @ y
    residual_maker = np.eye(len(y)) - x @ m @ x.T @ w
    variance, forms = residual_maker @ residual_maker.T, []
    names = np.array([str(cluster) for cluster in clusters])
    for name in dict.fromkeys(names.tolist()):
        own = np.flatnonzero(names == name)
        root = linalg.inv(linalg.sqrtm(variance[np.ix_(own, own)]).real)
        forms.append((kinds[own[0]], residual_maker[own].T @ root @ w[np.ix_(own, own)] @ x[own] @ m @ c))
    parts = [_part([form for kind, form in forms if kind == k], y) for k in range(len(shares))]
    total = sum(part for part, _ in parts)
    alike = [sum(float(form @ form) for kind, form in forms if kind == k) for k in range(len(shares))]
    frees = [own for _, own in parts]
    df = min(_welch([part for part, _ in parts], frees), _welch(alike, frees))
    return float(c @ beta), float(np.sqrt(total)), float(df)


def _welch(variances: Sequence[float], frees: Sequence[float]) -> float:
    """The degrees of freedom of a sum of variances."""
    return sum(variances) ** 2 / sum(part**2 / own for part, own in zip(variances, frees, strict=True))


def _part(forms: Sequence[Matrix], y: Matrix) -> tuple[float, float]:
    """The variance of one kind, and its degrees of freedom (tr P)² / tr P²."""
    p = np.array([[float(a @ b) for b in forms] for a in forms])
    return sum(float(form @ y) ** 2 for form in forms), float(np.trace(p) ** 2 / np.sum(p * p))


def survey_mean(y: Values, weights: Values) -> tuple[float, float]:
    """A weighted mean with its linearised error, as survey::svymean has them: n/(n − 1) Σ (w (y − m) / Σ w)²."""
    total = sum(weights)
    mean = sum(w * v for w, v in zip(weights, y, strict=True)) / total
    scores = [w * (v - mean) / total for w, v in zip(weights, y, strict=True)]
    n = len(scores)
    return mean, (n / (n - 1) * sum(s * s for s in scores)) ** 0.5


def two_sided(mean: float, se: float, df: float) -> float:
    """p of Student's t."""
    return float(2 * stats.t.sf(abs(mean / se), df))
