"""Many tests one after another under one budget of errors: the level of the next, by what came before.

Two rules. `fdr`: of all that is reported, at most α is false on average (LORD++: Ramdas, Yang, Wainwright and Jordan,
"Online control of the false discovery rate with decaying memory", NIPS 2017). `N/period`: with a chance of 1 − α no
more than N false alarms in a day, week, month, quarter or year, whatever the dependence of the tests.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from irgauge.errors import DesignError

_PERIODS = ("day", "week", "month", "quarter", "year")
_SCALE = 0.07720838  # of the weights γ, which add up to 0.976 with it; as R's onlineFDR has it
_SHORTEST = timedelta(days=1)  # what a period gives at its very start is the share of a day
WAYS = f"fdr, or a number of false alarms in a {', '.join(_PERIODS[:-1])} or {_PERIODS[-1]}, such as 1/month"


class Spent(NamedTuple):
    """A test that came before: when, at which level, and whether it rejected."""

    time: datetime  # in UTC
    level: float
    is_rejected: bool


def gamma(j: int) -> float:
    """The weight of the j-th test since a discovery: γ_j ∝ log(max(j, 2)) / (j exp(√log j)).

    >>> round(gamma(1), 6)
    0.053517
    """
    return _SCALE * math.log(max(j, 2)) / (j * math.exp(math.sqrt(math.log(j))))


def lord_level(rejected: Sequence[bool], alpha: float = 0.05, w0: float | None = None) -> float:
    """The level of LORD++ for the test that follows others, of which it is known whether they rejected.

    α_t = γ_t w0 + (α − w0) γ_{t − τ₁} + α Σ_{j ≥ 2} γ_{t − τ_j}, with τ_j the time of the j-th rejection. It keeps the
    false discovery rate of independent tests, and until the first rejection the chance of a false one of any.

    >>> round(lord_level([], w0=0.005), 10)
    0.0002675839
    """
    start = alpha / 2 if w0 is None else w0
    now = len(rejected) + 1
    places = [place for place, is_rejected in enumerate(rejected, 1) if is_rejected]
    first, later = places[:1], places[1:]
    earned = [(alpha - start) * gamma(now - place) for place in first] + [alpha * gamma(now - place) for place in later]
    return start * gamma(now) + math.fsum(earned)


class Level(NamedTuple):
    """What a budget gives a test, and what is left after it."""

    level: float  # one-sided
    left: float
    until: str | None = None  # the first day of the next period


@dataclass(frozen=True)
class FalseShare:
    """At most a share of α of all rejections is false on average."""

    alpha: float

    def __str__(self) -> str:
        return "fdr"

    def next(self, before: Sequence[Spent], now: datetime, most: float) -> Level:
        """The level of the next test, which is at most so large; what is left is the wealth of LORD++."""
        del now
        rejected = [spent.is_rejected for spent in before]
        level = min(most, lord_level(rejected, self.alpha))
        discoveries = sum(rejected)
        earned = self.alpha * discoveries - (self.alpha / 2 if discoveries else 0.0)
        return Level(level, self.alpha / 2 + earned - math.fsum(spent.level for spent in before) - level)


@dataclass(frozen=True)
class Alarms:
    """With a chance of 1 − α at most so many false alarms in a period.

    By Markov's inequality, P(false alarms ≥ N + 1) ≤ Σ levels / (N + 1): the levels in a period add up to at most
    α (N + 1). A test takes half of what the period has given so far, in proportion to its days, and others have left:
    of one test a day each has about the same level, and of many in one night the last still has some.
    """

    alpha: float
    most: int
    period: str

    def __str__(self) -> str:
        return f"{self.most}/{self.period}"

    @property
    def total(self) -> float:
        """What the levels in a period add up to at most."""
        return self.alpha * (self.most + 1)

    def next(self, before: Sequence[Spent], now: datetime, most: float) -> Level:
        """The level of the next test, which is at most so large, and what is left of the period after it."""
        start, end = _bounds(self.period, now)
        used = math.fsum(spent.level for spent in before if start <= spent.time < end)
        given = self.total * min(1.0, (now - start + _SHORTEST) / (end - start))
        level = min(most, max(0.0, given - used) / 2)
        return Level(level, max(0.0, self.total - used - level), end.date().isoformat())


Budget = FalseShare | Alarms


def budget_of(text: str, alpha: float) -> Budget:
    """A budget as it is written.

    >>> str(budget_of("2/week", 0.05)), budget_of("1/month", 0.05).total
    ('2/week', 0.1)
    """
    if text == "fdr":
        return FalseShare(alpha)
    written = re.fullmatch(rf"([1-9][0-9]{{0,3}})/({'|'.join(_PERIODS)})", text, re.ASCII)
    if written is None:
        raise DesignError(f"the budget '{text}' cannot be read; it is {WAYS}")
    return Alarms(alpha, int(written[1]), written[2])


def _bounds(period: str, now: datetime) -> tuple[datetime, datetime]:
    """When the period that holds a time starts and ends, in UTC."""
    day = now.date()
    months = {"month": 1, "quarter": 3, "year": 12}.get(period)
    if months is not None:
        first = (day.month - 1) // months * months  # from 0
        return _midnight(date(day.year, first + 1, 1)), _midnight(_month_after(day.year, first + months))
    start = day - timedelta(days=day.weekday() if period == "week" else 0)
    return _midnight(start), _midnight(start + timedelta(days=7 if period == "week" else 1))


def _month_after(year: int, month: int) -> date:
    """The first day of a month that is counted from 0, and may be in the next year."""
    return date(year + month // 12, month % 12 + 1, 1)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
