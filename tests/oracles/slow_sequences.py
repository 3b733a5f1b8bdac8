"""Confidence sequences by their definitions, topic by topic, with nothing but Python's own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from statistics import fmean, stdev

LEVEL, MOST, SHARES = 0.05, 0.75, 20
START, BEST_AT = 50, 100


def plugged_capitals(x: Sequence[float], mean: float) -> list[float]:
    """Of numbers from 0 to 1: what a gambler has after each, whose bets rest on the numbers before."""
    capitals, money = [], 1.0
    for t, value in enumerate(x, 1):
        bet = sqrt(2 * log(2 / LEVEL) / (_variance(x[: t - 1]) * t * log(1 + t)))
        money *= 1 + min(bet, MOST / mean) * (value - mean)
        capitals.append(money)
    return capitals


def _variance(x: Sequence[float]) -> float:
    """With a half before all numbers, and each number against the mean of those up to it."""
    means = [(0.5 + sum(x[:i])) / (i + 1) for i in range(1, len(x) + 1)]
    return (0.25 + sum((value - mean) ** 2 for value, mean in zip(x, means, strict=True))) / (len(x) + 1)


def spread_capitals(x: Sequence[float], mean: float) -> list[float]:
    """The same of twenty gamblers who always bet the same share, together."""
    money = [1.0] * SHARES
    capitals = []
    for value in x:
        money = [own * (1 + (i + 0.5) / SHARES * (value - mean) / mean) for i, own in enumerate(money)]
        capitals.append(sum(money) / SHARES)
    return capitals


def capitals(x: Sequence[float], mean: float) -> list[float]:
    """Half and half."""
    pairs = zip(plugged_capitals(x, mean), spread_capitals(x, mean), strict=True)
    return [(plugged + spread) / 2 for plugged, spread in pairs]


def least_mean(x: Sequence[float], level: float, step: float) -> float:
    """The largest mean on a grid that some capital refutes; 0 where none does."""
    means = [place * step for place in range(1, round(1 / step))]
    return max((mean for mean in means if max(capitals(x, mean)) >= 1 / level), default=0.0)


def asymptotic_end(x: Sequence[float], level: float) -> float:
    """The lower end of the asymptotic sequence, by plain means and deviations and Hall's inverse."""
    rho2 = (1 - 2 * log(LEVEL) + log(-2 * log(LEVEL))) / BEST_AT
    ends = []
    for t in range(START, len(x) + 1):
        seen = x[:t]
        mean, s = fmean(seen), stdev(seen)
        reach = sqrt(2 * (t * rho2 + 1) / (t * t * rho2) * log(1 + sqrt(t * rho2 + 1) / (2 * level)))
        gamma = t / ((t - 1) * (t - 2)) * sum(((value - mean) / s) ** 3 for value in seen)
        inside = 1 + gamma * (reach - gamma / (6 * t))
        root = abs(inside) ** (1 / 3) * (1 if inside > 0 else -1)
        ends.append(mean - s * max(reach, 3 / gamma * (root - 1)))
    return max(ends)


def asymptotic_capital(mean: float, s: float, t: int, delta: float) -> float:
    """What the end of a symmetric sequence at δ is worth after t numbers."""
    rho2 = (1 - 2 * log(LEVEL) + log(-2 * log(LEVEL))) / BEST_AT
    exponent = ((mean - delta) / s) ** 2 * t * t * rho2 / (2 * (t * rho2 + 1))
    return 2 * (exp(exponent) - 1) / sqrt(t * rho2 + 1)
