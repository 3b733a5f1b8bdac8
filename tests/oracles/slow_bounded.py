"""The betting test of a mean by its definition, with whole numbers of steps and nothing but products."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

BETS = 20


def capital(x: Sequence[float], mean: float) -> float:
    """Of numbers between 0 and 1: what a gambler has who bets on each that their mean is above this one.

    With a share of the capital it buys tickets that cost `mean` and pay x.
    """
    shares = [(2 * place + 1) / (2 * BETS) for place in range(BETS)]
    return sum(prod(1 - share + share * each / mean for each in x) for share in shares) / BETS


def tested(d: Sequence[float], width: float, level: float, step: float) -> tuple[float, float, float]:
    """p of differences between ± width, and the ends of the interval on a grid of means, from outside."""
    x = [(each + width) / (2 * width) for each in d]
    mirrored = [1 - each for each in x]
    p = min(1.0, 2 / max(capital(x, 0.5), capital(mirrored, 0.5)))
    means = [place * step for place in range(1, round(1 / step))]
    kept = [mean for mean in means if max(capital(x, mean), capital(mirrored, 1 - mean)) < 2 / level]
    return p, (2 * min(kept) - 1) * width, (2 * max(kept) - 1) * width
