"""Cautions of few topics, of differences that do not vary and of guessed directions."""

from __future__ import annotations

from irgauge.show.finding import sentence
from irgauge.show.ratios import amount, is_ratio, plain_name
from irgauge.show.words import counted, listed

ENOUGH = 25  # topics: with fewer, tests over topics and intervals of means are rough


@sentence("few-topics", tone="note")
def few_topics(*, topics: int) -> str:
    """That tests rest on few topics."""
    return (
        f"Tests over fewer than {ENOUGH} topics, {topics} here, are rough: they err more often than α says where "
        "differences are skewed."
    )


@sentence("constant-difference", tone="warning")
def constant(*, measure: str, pair: tuple[str, str], difference: float, pairs: int, topics: int) -> str:
    """That systems differ by the same amount everywhere."""
    also = "" if pairs == 1 else f", and so do {counted(pairs - 1, 'other pair')}"
    size = amount(difference, is_ratio=is_ratio(measure))
    return (
        f"By {plain_name(measure)}, {listed(pair)} differ by the same amount on all {topics:,} topics ({size}){also}:"
        " there is no spread to test this against, and nothing is claimed of other topics."
    )


@sentence("direction-guessed", tone="warning")
def direction_guessed(*, measure: str) -> str:
    """That less may be better of what the measure is called."""
    return (
        f"{measure} sounds as if lower scores were better, and here higher ones count as better: name the measure as "
        f"'{measure}:lower' (-m {measure}:lower), or as '{measure}:higher'."
    )
