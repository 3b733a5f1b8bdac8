"""Cautions of few topics, differences that do not vary and guessed directions; and what new topics would show."""

from __future__ import annotations

from irgauge.inference.verdicts import POWER
from irgauge.planning.sizes import ASSURANCE
from irgauge.show.finding import sentence
from irgauge.show.words import counted, listed, percent, rounded_up, signed

ENOUGH = 25  # topics: with fewer, tests over topics are rough


@sentence("few-topics", tone="note")
def few_topics(*, topics: int) -> str:
    """That tests rest on few topics."""
    return (
        f"Tests over fewer than {ENOUGH} topics, {topics} here, are rough: they err more often than α says where "
        "differences are skewed."
    )


SURE = f"power {percent(POWER)}, assurance {percent(ASSURANCE)}"


def new_topics(topics: int | None) -> str:
    """How many new topics would show that a system is not worse, if it is as good.

    >>> new_topics(1234).partition(" (")[0]
    '1,300 new topics would show that it is not worse, if it is as good'
    """
    if topics is None:
        return "no number of topics is likely to show that it is not worse (see `irgauge plan`)"
    would = "would show that it is not worse, if it is as good"
    return f"{rounded_up(topics)} new topics {would} ({SURE}; see `irgauge plan`)"


@sentence("add-and-look", tone="note")
def add_and_look() -> str:
    """That topics which are added to those that were looked at are no new ones."""
    return (
        "New topics are tested by themselves: who adds topics to these and tests again until something is shown turns "
        "5 % of false claims into 9 % with one more look, and into more with every other."
    )


@sentence("constant-difference", tone="warning")
def constant(*, measure: str, pair: tuple[str, str], difference: float, pairs: int, topics: int) -> str:
    """That systems differ by the same amount everywhere."""
    also = "" if pairs == 1 else f", and so do {counted(pairs - 1, 'other pair')}"
    return (
        f"By {measure}, {listed(pair)} differ by the same amount on all {topics:,} topics ({signed(difference)}){also}:"
        " there is no spread to test this against, and nothing is claimed of other topics."
    )


@sentence("direction-guessed", tone="warning")
def direction_guessed(*, measure: str) -> str:
    """That less may be better of what the measure is called."""
    return (
        f"{measure} sounds as if lower scores were better, and here higher ones count as better: name the measure as "
        f"'{measure}:lower' (-m {measure}:lower), or as '{measure}:higher'."
    )
