"""What is said of kinds of topics that show nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from irgauge.inference.slices import FEWEST, SmallSlice
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, listed, two_digits


def small_told(small: Sequence[SmallSlice]) -> Iterator[Finding]:
    """The slices of each column that are too small."""
    for column in dict.fromkeys(part.column for part in small):
        yield too_small(column=column, slices=[part for part in small if part.column == column])


@sentence("small-slices", "note", claims=())
def too_small(*, column: str, slices: Sequence[SmallSlice]) -> str:
    """Which slices were not tested."""
    named = [f"{part.value} ({counted(part.topics, 'topic')}, {could_find(part.detectable)})" for part in slices]
    are = "is" if len(named) == 1 else "are"
    return f"By {column}, {listed(named)} {are} too small to test (under {FEWEST} topics)."


def could_find(detectable: float) -> str:
    """The smallest true difference that is found with a power of 80 %, in words.

    >>> could_find(0.0512), could_find(math.inf)
    ('could have found 0.051', 'could have found nothing')
    """
    return f"could have found {two_digits(detectable) if math.isfinite(detectable) else 'nothing'}"
