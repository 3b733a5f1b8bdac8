"""Which systems are kept: all, or the best."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np

from irgauge.errors import DesignError
from irgauge.scoring.scores import Scores


def best_systems(scores: Scores, count: int) -> list[int]:
    """The best systems by the first measure, in the order of the scores."""
    means = scores.filled().values[0].mean(axis=(0, 2))
    return sorted(np.argsort(-means, kind="stable")[:count].tolist())


def kept_count(keep_systems: str, systems: int) -> int:
    """How many systems `all`, `N` or `topP%` keeps.

    >>> kept_count("top75%", 129), kept_count("10", 129), kept_count("all", 129)
    (96, 10, 129)
    """
    if keep_systems == "all":
        return systems
    share = re.fullmatch(r"top([0-9]{1,3}(?:\.[0-9]{1,9})?)%", keep_systems)
    percent = Fraction(share[1]) if share else Fraction(0)
    number = int(keep_systems) if re.fullmatch("[0-9]{1,9}", keep_systems) else 0
    count = int(systems * percent / 100) if share else number
    if percent > 100 or not 1 <= count <= systems:
        raise DesignError(
            f"'{keep_systems}' of {systems} systems cannot be kept; write all, top75%, or a number up to {systems}"
        )
    return count
