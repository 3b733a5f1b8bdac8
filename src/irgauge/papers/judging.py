"""Whether a number of ours is the printed one: exactly, within sampling, or not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import copysign, sqrt
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from irgauge.inference.intervals import critical_t
from irgauge.papers.published import Number, Printed

CONFIDENCE = 0.95  # that all values of a table which depend on draws are inside their intervals
_ROUNDING = 1e-9  # of a unit: what binary fractions lose
_NIL = 1e-300  # a p printed as "0" fell below what double precision holds


class Verdict(StrEnum):
    """How a printed value compares with ours, from best to worst."""

    EXACT = "exact"
    SAMPLING = "within sampling"
    DIFFERS = "differs"
    NEEDS = "needs data"


@dataclass(frozen=True)
class Computed:
    """Our value: fixed, or a mean over draws (splits, images, seeds) with their standard deviation."""

    value: float
    sd: float = 0.0
    draws: int = 1
    printed_draws: int = 1  # draws that the printed value is a mean of

    @classmethod
    def over(cls, values: ArrayLike, printed_draws: int = 1) -> Self:
        """The mean of what several draws gave."""
        draws = np.asarray(values, float)
        sd = float(draws.std(ddof=1)) if np.ptp(draws) else 0.0  # where draws agree, not what rounding leaves
        return cls(float(draws.mean()), sd, draws.size, printed_draws)

    @property
    def error(self) -> float:
        """The standard error of the difference to the printed value."""
        return self.sd * sqrt(1 / self.draws + 1 / self.printed_draws)


@dataclass(frozen=True)
class Judged:
    """A printed value beside ours."""

    printed: Printed
    ours: float | None  # None: not computed
    difference: float | None  # ours less the printed one
    z: float | None  # from ours to what rounds to the printed value, in standard errors, where ours depends on draws
    verdict: Verdict
    reason: str = ""  # why it differs, or what is needed


def judge(printed: Printed, ours: Computed | bool, values: int, why: str) -> Judged:  # noqa: FBT001  # a result
    """Compare; `values` of one table are to be inside their intervals together, `why` is the known reason if not."""
    if isinstance(ours, bool):
        holds = ours == (printed.text == "yes")
        verdict = Verdict.EXACT if holds else Verdict.DIFFERS
        return Judged(printed, float(ours), None, None, verdict, "" if holds else why)
    number = printed.number
    if number is None:
        raise TypeError(f"{printed.key} is a statement; it needs yes or no, not {ours.value}")
    difference = ours.value - number.value
    z = _beyond(difference, number.unit / 2) / ours.error if ours.error else None
    verdict = _verdict(number, ours, values)
    return Judged(printed, ours.value, difference, z, verdict, "" if verdict != Verdict.DIFFERS else why)


def _beyond(difference: float, rounding: float) -> float:
    """What rounding does not explain of a difference."""
    return copysign(max(0.0, abs(difference) - rounding), difference)


def _verdict(number: Number, ours: Computed, values: int) -> Verdict:
    if ours.draws == 1:
        return Verdict.EXACT if is_printed(number, ours.value) else Verdict.DIFFERS
    reached = reach(ours, values)
    if number.below:
        inside = ours.value - reached < number.value
    else:
        inside = abs(ours.value - number.value) <= reached + number.unit / 2
    return Verdict.SAMPLING if inside else Verdict.DIFFERS


def is_printed(number: Number, value: float) -> bool:
    """Whether a value is printed as these digits."""
    if number.below:
        return value < number.value
    if number.value == 0 and number.unit == 1:
        return abs(value) < _NIL
    return abs(value - number.value) <= number.unit * (0.5 + _ROUNDING)


def reach(ours: Computed, values: int) -> float:
    """Half the width of the interval for the printed value, one of so many (Bonferroni, Student's t)."""
    return critical_t((1 - CONFIDENCE) / values, ours.draws - 1) * ours.error
