"""How goals, pairs and numbers of topics are said."""

from __future__ import annotations

from collections.abc import Mapping

from irgauge.models.generalizability import SYSTEM, Kind
from irgauge.planning.sizes import Goal
from irgauge.show.words import percent
from irgauge.studies.plan.pilot import Pair
from irgauge.studies.plan.reliability import RESIDUAL, Reliability

GOALS = {"width": "interval ±", "difference": "true difference", "margin": "margin"}
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


def named(pair: Pair) -> str:
    """Such as `a − b`."""
    return f"{pair.first} − {pair.second}" if pair.first else "two systems"


def who(pair: Pair) -> str:
    """Such as `a typical pair (a − b)`."""
    if pair.role == "typed":
        return f"{named(pair)} {ROLES['typed']}"
    if pair.role == "baseline":
        return named(pair)
    return f"{pair.first} and {pair.second}" if pair.role == "only" else f"{ROLES[pair.role]} ({named(pair)})"


def goal_said(goal: Goal, measure: str | None) -> str:
    """What is to be reached, as in `To ...`."""
    by = f" in {measure}" if measure else ""
    if goal.kind == "width":
        return f"bring the interval of a difference{by} to ± {number(goal.value)}"
    if goal.kind == "difference":
        return f"find a true difference of {number(goal.value)}{by} with a power of {percent(goal.power)}"
    return (
        f"show that two equal systems differ by less than {number(goal.value)}{by} with a power of "
        f"{percent(goal.power)}"
    )


SYMBOLS: Mapping[Kind, str] = {"relative": "Eρ²", "absolute": "Φ"}
PLURALS = {"topic": "topics", SYSTEM: "systems", "shard": "shards", RESIDUAL: "the residual"}
MEANINGS = {
    "topic": "some topics are harder than others",
    SYSTEM: "some systems are better than others",
    "shard": "some shards are harder than others",
    "topic:system": "systems suit some topics better than others",
    "system:shard": "systems suit some shards better than others",
    "topic:shard": "topics are harder on some shards",
    RESIDUAL: "what nothing else explains",
}


def whole(reliability: Reliability, measure: str | None = None) -> str:
    """What the shares of sources are of: of typed components some may be left out."""
    return f"the variance of one {measure or 'score'}" if reliability.is_complete else "the variances given"
