"""How goals, pairs and sizes of a plan are said; on a log scale they are ratios."""

from __future__ import annotations

import math
from collections.abc import Mapping

from irgauge.planning.sizes import Goal, Kind
from irgauge.show.ratios import is_ratio, plain_name
from irgauge.show.words import percent
from irgauge.studies.plan.pilot import PlannedPair

_GOALS: Mapping[Kind, str] = {"width": "interval ±", "difference": "true difference", "margin": "margin"}
_RATIOS: Mapping[Kind, str] = {"width": "interval within", "difference": "true ratio", "margin": "margin, a factor"}
_MOST = 700.0  # whose exponential is a number
ROLES = {
    "only": "the two systems",
    "baseline": "against the baseline",
    "typical": "a typical pair",
    "noisiest": "the noisiest pair",
    "typed": "with these components",
}


def number(value: float) -> str:
    """To three digits, never as a power of ten.

    >>> number(0.0312345), number(0.02), number(1234.0)
    ('0.0312', '0.02', '1234')
    """
    return f"{value:.3g}" if 1e-4 <= abs(value) < 1000 else f"{value:.0f}" if abs(value) >= 1000 else f"{value:.6f}"


def of_ratios(measure: str | None) -> bool:
    """Whether differences are shown as ratios."""
    return measure is not None and is_ratio(measure)


def shown_size(value: float, measure: str | None) -> float:
    """A difference, a width or a margin as it is shown: on a log scale the factor that it is.

    >>> shown_size(0.25, "AP"), round(shown_size(math.log(1.05), "ln(latency_ms)"), 6)
    (0.25, 1.05)
    """
    if not of_ratios(measure):
        return value
    return math.exp(value) if value < _MOST else math.inf


def _size(value: float, measure: str | None) -> str:
    return f"{shown_size(value, measure):.4g}" if of_ratios(measure) else number(value)  # 1.05 has two that matter


def goal_name(kind: Kind, measure: str | None) -> str:
    """What a column of values of a goal is called."""
    return (_RATIOS if of_ratios(measure) else _GOALS)[kind]


def named(pair: PlannedPair) -> str:
    """Such as `a − b`."""
    return f"{pair.system} − {pair.against}" if pair.system else "two systems"


def who(pair: PlannedPair) -> str:
    """Such as `a typical pair (a − b)`."""
    if pair.role == "typed":
        return f"{named(pair)} {ROLES['typed']}"
    if pair.role == "baseline":
        return named(pair)
    return f"{pair.system} and {pair.against}" if pair.role == "only" else f"{ROLES[pair.role]} ({named(pair)})"


def _in(measure: str | None) -> str:
    return f" in {plain_name(measure)}" if measure else ""


def width_said(width: float, measure: str | None) -> str:
    """Half of an interval, such as `of ± 0.02`."""
    return f"within a factor of {_size(width, measure)}" if of_ratios(measure) else f"of ± {number(width)}"


def goal_found(difference: float, measure: str | None, power: float) -> str:
    """Such as `find a true difference of 0.05 in AP with a power of 80 %`."""
    what = "ratio" if of_ratios(measure) else "difference"
    return f"find a true {what} of {_size(difference, measure)}{_in(measure)} with a power of {percent(power)}"


def goal_said(goal: Goal, measure: str | None) -> str:
    """What is to be reached, as in `To ...`."""
    if goal.kind == "width":
        what = "ratio" if of_ratios(measure) else "difference"
        to = width_said(goal.value, measure).removeprefix("of ")
        return f"bring the interval of a {what}{_in(measure)} to {to}"
    if goal.kind == "difference":
        return goal_found(goal.value, measure, goal.power)
    factor = "a factor of " if of_ratios(measure) else ""
    return (
        f"show that two equal systems differ by less than {factor}{_size(goal.value, measure)}{_in(measure)} with a "
        f"power of {percent(goal.power)}"
    )
