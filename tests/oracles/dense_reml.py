"""Mixed models with dense matrices of n rows: slow, and written from the textbook.

V = σ² I + Σ σ_k² Z_k Z_k'; −2 log L = log|V| + log|X'V⁻¹X| + (y − Xβ)'V⁻¹(y − Xβ) + (n − p) log 2π.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def indicators(codes: Codes) -> Floats:
    """A column for each level; a negative code has none."""
    levels = np.unique(codes[codes >= 0])
    return np.equal.outer(codes, levels).astype(np.float64)


@dataclass(frozen=True)
class Dense:
    """The design matrices of a model."""

    y: Floats
    x: Floats
    z: tuple[Floats, ...]

    @classmethod
    def of(cls, y: Floats, fixed: Codes, random: Mapping[str, Codes]) -> Dense:
        return cls(y, indicators(fixed), tuple(indicators(codes) for codes in random.values()))

    def covariance(self, variances: Floats) -> Floats:
        """V for (σ_1², …, σ_K², σ²)."""
        random = sum((s * z @ z.T for s, z in zip(variances, self.z, strict=False)), np.zeros((len(self.y),) * 2))
        return np.asarray(random + variances[-1] * np.eye(len(self.y)))

    def fixed(self, variances: Floats) -> tuple[Floats, Floats]:
        """β and its covariance."""
        inverse = np.linalg.inv(self.covariance(variances))
        cov = np.asarray(np.linalg.inv(self.x.T @ inverse @ self.x), np.float64)
        return cov @ self.x.T @ inverse @ self.y, cov

    def criterion(self, variances: Floats) -> float:
        """−2 log of the restricted likelihood."""
        v = self.covariance(variances)
        beta, cov = self.fixed(variances)
        left = self.y - self.x @ beta
        quadratic = float(left @ np.linalg.solve(v, left))
        freedom = len(self.y) - self.x.shape[1]
        return float(np.linalg.slogdet(v)[1] - np.linalg.slogdet(cov)[1] + quadratic + freedom * np.log(2 * np.pi))

    def effects(self, variances: Floats) -> list[Floats]:
        """u_k = σ_k² Z_k'V⁻¹(y − Xβ)."""
        beta, _ = self.fixed(variances)
        weighted = np.linalg.solve(self.covariance(variances), self.y - self.x @ beta)
        return [s * z.T @ weighted for s, z in zip(variances, self.z, strict=False)]

    def satterthwaite(self, variances: Floats, contrast: Floats) -> float:
        """2 f² / (g'Ag), f = c'Cov(β)c, by differences in the variances that are not 0."""
        free = np.flatnonzero(variances)
        point = variances[free]

        def at(part: Floats) -> Floats:
            full = variances.copy()
            full[free] = part
            return full

        def variance(part: Floats) -> float:
            return float(contrast @ self.fixed(at(part))[1] @ contrast)

        hessian = _hessian(lambda part: self.criterion(at(part)), point)
        gradient = _gradient(variance, point)
        spread = 2 * np.linalg.inv(hessian)
        return float(2 * variance(point) ** 2 / (gradient @ spread @ gradient))


def _gradient(f: Callable[[Floats], float], x: Floats) -> Floats:
    steps = np.diag(1e-4 * x)
    return np.array([(f(x + h) - f(x - h)) / (2 * h.sum()) for h in steps])


def _hessian(f: Callable[[Floats], float], x: Floats) -> Floats:
    steps = np.diag(2e-3 * x)
    rows = [
        [(f(x + g + h) - f(x + g - h) - f(x - g + h) + f(x - g - h)) / (4 * g.sum() * h.sum()) for h in steps]
        for g in steps
    ]
    return np.array(rows)
