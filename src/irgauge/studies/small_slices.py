"""What is said of kinds of topics that show nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from irgauge.inference.slices import FEWEST, SmallSlice
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import amount, is_ratio
from irgauge.show.words import counted, listed, two_digits


def small_told(small: Sequence[SmallSlice], measure: str, unit: str = "topics") -> Iterator[Finding]:
    """The slices of each column that have too few topics, or clusters of them."""
    for column in dict.fromkeys(part.column for part in small):
        own = [part for part in small if part.column == column]
        yield too_small(column=column, slices=own, is_ratio=is_ratio(measure), unit=unit)


@sentence("small-slices", "note", claims=())
def too_small(*, column: str, slices: Sequence[SmallSlice], is_ratio: bool = False, unit: str = "topics") -> str:
    """Which slices were not tested."""
    named = [
        f"{part.value} ({counted(part.topics, 'topic')}, {could_find(part.detectable, is_ratio=is_ratio)})"
        for part in slices
    ]
    are = "is" if len(named) == 1 else "are"
    return f"By {column}, {listed(named)} {are} too small to test (under {FEWEST} {unit})."


def could_find(detectable: float, *, is_ratio: bool = False) -> str:
    """The smallest true difference that is found with a power of 80 %, in words.

    >>> could_find(0.0512), could_find(math.inf)
    ('could have found 0.051', 'could have found nothing')
    """
    if not math.isfinite(detectable):
        return "could have found nothing"
    return f"could have found {amount(detectable, is_ratio=True) if is_ratio else two_digits(detectable)}"
