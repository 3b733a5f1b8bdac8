"""What the page of interval lengths says that intervals cover, against the normal distribution."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from benchmarks.interval_coverage import ERRORS, INTERACTION, coverage
from scipy import stats

PAGE = Path(__file__).parents[2] / "docs" / "interval-lengths.md"


def reached(z: float, parts: int, population: str, *, interactions: bool) -> float:
    """P(|error| ≤ z times the standard deviation of draws), from the variances of residuals and of errors."""
    error, both = ERRORS[parts] ** 2, INTERACTION**2
    residual = error * (parts - 1) / parts if interactions else error + both
    true = error / parts + (both if population == "topics" else 0)
    return float(2 * stats.norm.cdf(z * math.sqrt(residual / parts / true)) - 1)


@pytest.mark.parametrize(("parts", "interactions"), [(2, True), (3, False)])
def test_intervals_cover_what_normal_effects_say(parts: int, interactions: bool) -> None:  # noqa: FBT001  # a case
    shares = coverage(parts, interactions=interactions, trials=8)
    row = next(
        line.strip("| ").split(" | ")
        for line in PAGE.read_text().splitlines()
        if line.startswith(f"| {parts} | {'with' if interactions else 'without'} |")
    )
    for column, population in ((2, "documents"), (5, "topics")):
        for place, (kind, z) in enumerate({"plain": 1.96, "printed": stats.norm.isf(4.625e-4)}.items()):
            expected = reached(z, parts, population, interactions=interactions)
            assert abs(shares[kind, population] - expected) < 0.08  # 240 intervals of 8 experiments
            assert abs(float(row[column + 2 * place].removesuffix(" %")) / 100 - expected) < 0.02
