"""Convergence diagnostics of a Markov chain: R-hat, and effective sample sizes of bulk and tails.

Vehtari, Gelman, Simpson, Carpenter and Bürkner, "Rank-normalization, folding, and localization: an improved R-hat",
Bayesian Analysis 16, 2021. The numbers are those of arviz-stats, which takes half a second to import, and several
times as long as the draws of a balanced model themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, check_alpha

MAX_R_HAT = 1.01
MIN_ESS = 400.0
_TAILS = (0.05, 0.95)


@dataclass(frozen=True)
class Diagnostic:
    """R-hat (rank-normalised, of split chains) and effective sample sizes of a parameter."""

    name: str
    r_hat: float
    ess_bulk: float
    ess_tail: float

    @property
    def ess(self) -> float:
        """The smaller of the effective sample sizes."""
        return min(self.ess_bulk, self.ess_tail)

    @classmethod
    def of(cls, name: str, draws: Floats) -> Diagnostic:
        """The diagnostic of draws[chain, draw].

        >>> one = Diagnostic.of("x", np.random.default_rng(1).normal(size=(4, 1000)))
        >>> 0.99 < one.r_hat < 1.01, 3000 < one.ess_bulk < 5000
        (True, True)
        """
        halves = _split(draws)  # half chain, draw
        bulk, folded = _normalised(halves), _normalised(np.abs(halves - np.median(halves)))
        tails = [_split((draws <= limit).astype(np.float64)) for limit in np.quantile(draws, _TAILS)]
        return cls(name, max(_r_hat(bulk), _r_hat(folded)), _ess(bulk), min(_ess(tail) for tail in tails))


def check(diagnostics: tuple[Diagnostic, ...]) -> None:
    """Refuse draws with R-hat above 1.01 or an effective sample size below 400."""
    worst = max(diagnostics, key=lambda diagnostic: diagnostic.r_hat)
    fewest = min(diagnostics, key=lambda diagnostic: diagnostic.ess)
    advice = "take more draws, or leave out a random factor about which the data say little"
    if not worst.r_hat <= MAX_R_HAT:
        raise DesignError(f"the chains disagree on '{worst.name}': R-hat is {worst.r_hat:.3f}, above 1.01; {advice}")
    if not fewest.ess >= MIN_ESS:
        size = f"the effective sample size of '{fewest.name}' is {fewest.ess:.0f}, below {MIN_ESS:.0f}"
        raise DesignError(f"{size}; {advice}")


def _split(draws: Floats) -> Floats:
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _normalised(draws: Floats) -> Floats:
    """Normal scores of the ranks (Blom 1958)."""
    ranks = np.empty(draws.size)
    ranks[np.argsort(draws, axis=None)] = np.arange(1, draws.size + 1)
    return np.asarray(ndtri((ranks - 3 / 8) / (draws.size + 1 / 4)).reshape(draws.shape))


def _r_hat(draws: Floats) -> float:
    """√((B/W + n − 1) / n), B and W the variances between and within chains."""
    n = draws.shape[1]
    within = float(draws.var(axis=1, ddof=1).mean())
    between = n * float(draws.mean(axis=1).var(ddof=1))
    return math.sqrt((between / within + n - 1) / n)


def _covariances(centred: Floats) -> Floats:
    """The autocovariance at each lag, over all chains; by Fourier transform, as a power spectrum (Wiener, Khinchin)."""
    n = centred.shape[1]
    size = 1 << (2 * n - 1).bit_length()
    spectrum = np.fft.rfft(centred, size)
    power = (np.square(spectrum.real) + np.square(spectrum.imag)).sum(axis=0)
    return np.fft.irfft(power, size)[:n] / centred.size


def _ess(draws: Floats) -> float:
    """N / (−1 + 2 Σ ρ_t)."""
    chains, n = draws.shape
    means = draws.mean(axis=1)
    covariances = _covariances(draws - means[:, None])
    within = covariances[0] * n / (n - 1.0)
    total = covariances[0] + means.var() * chains / (chains - 1.0)  # the variance of the posterior
    if not total > 0.0:
        return float(chains * n)
    correlations = 1.0 - (within - covariances) / total
    return chains * n / max(_time(correlations.tolist()), 1.0 / math.log10(chains * n))


def _time(correlations: list[float]) -> float:
    """−1 + 2 Σ ρ_t, the sum by Geyer's initial monotone sequence of pairs of lags (Geyer 1992)."""
    tau, smallest = -1.0, math.inf
    for lag in range(0, len(correlations) - 2, 2):
        even = correlations[lag] if lag else 1.0
        pair = even + correlations[lag + 1]
        if pair < 0.0:
            return tau + max(even, 0.0)
        smallest = min(smallest, pair)
        tau += 2.0 * smallest
    return tau


def hpd_interval(draws: ArrayLike, alpha: float = 0.05) -> tuple[float, float]:
    """The shortest interval that holds a share 1 − α of the draws (Jayasinghe et al. 2014, section 2).

    Of all intervals from the i-th smallest draw to the (i + ⌈(1 − α)N⌉ − 1)-th, the shortest: for a density with one
    peak it is that of highest density (Chen and Shao, J. Comput. Graph. Statist. 8, 1999).

    >>> hpd_interval([5.0, 1.0, 2.0, 2.5, 9.0], alpha=0.4)
    (1.0, 2.5)
    """
    ordered = np.sort(np.asarray(draws, np.float64), axis=None)
    check_alpha(alpha)
    if len(ordered) == 0 or not np.isfinite(ordered).all():
        raise DesignError(f"an interval needs finite draws, at least one; {len(ordered)} are given")
    held = max(1, math.ceil((1 - alpha) * len(ordered) - 1e-9))
    first = int(np.argmin(ordered[held - 1 :] - ordered[: len(ordered) - held + 1]))
    return float(ordered[first]), float(ordered[first + held - 1])
