"""Why a system stands where it does, against differences by hand."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import irgauge
from irgauge.studies.compare.reasons import reasons

SLOWER = {"fast": 0.0, "near": 0.1, "slow": 9.0}  # on average


def timed() -> pl.DataFrame:
    noise = np.random.default_rng(3).normal(size=(20, len(SLOWER)))
    rows = [
        {"topic": f"t{topic}", "system": system, "latency": 20 + more + noise[topic, i]}
        for topic in range(20)
        for i, (system, more) in enumerate(SLOWER.items())
    ]
    return pl.DataFrame(rows)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {},
            {
                "fast": "is the best",
                "near": "is in the top group: not significantly different from fast, the best",
                "slow": "is outside the top group: significantly worse than fast, the best",
            },
        ),
        (
            {"baseline": "slow", "margin": 1.0},
            {"fast": "is better than slow", "near": "is better than slow", "slow": "is the baseline"},
        ),
        (
            {"baseline": "fast", "margin": 2.0},
            {
                "fast": "is the baseline",
                "near": "is equivalent to fast at a margin of 2",
                "slow": "is worse than fast",
            },
        ),
    ],
)
def test_reasons_follow_verdicts_where_lower_is_better(options: dict[str, object], expected: dict[str, str]) -> None:
    result = irgauge.compare(timed(), "latency:lower", **options)  # type: ignore[arg-type]  # parametrised
    said = dict(reasons(result.first, result.first.comparison))
    assert {system: text.partition(" (")[0] for system, text in said.items()} == expected
    ends = {
        frozenset((row["system"], row["against"])): f"{abs(row['low']):.3f} to {abs(row['high']):.3f}"
        for row in result.frame().to_dicts()
        if row["low"] * row["high"] > 0
    }
    other = (
        "slow" if "baseline" not in options else next(name for name in ("fast", "slow") if name != options["baseline"])
    )
    low, high = sorted(ends[frozenset((other, "slow" if other == "fast" else "fast"))].split(" to "), key=float)
    where = "below" if other == "fast" else "above"
    assert f"({low} to {high} {where} it, p < 0.0001)" in said[other]


def test_ratios_are_told_as_such_on_a_log_scale() -> None:
    result = irgauge.compare(timed(), "latency:lower", scale="log", baseline="slow", margin="10%")
    (row,) = (row for row in result.frame().to_dicts() if row["system"] == "fast")
    said = dict(reasons(result.first, result.first.comparison))["fast"]
    low, high = (math.exp(row[end]) for end in ("low", "high"))
    assert said.startswith(f"is better than slow ({low:.3f} to {high:.3f} times it")
    near = irgauge.compare(timed(), "latency:lower", scale="log", baseline="fast", margin="10%")
    assert "at a margin of a factor of 1.10 (" in dict(reasons(near.first, near.first.comparison))["near"]
