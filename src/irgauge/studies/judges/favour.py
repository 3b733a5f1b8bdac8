"""Whom does a judge favour? What it adds to the score of a system, or of a group of them, against all systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.corrections import DEFAULT
from irgauge.inference.outcomes import Outcome, on_grid, step_of
from irgauge.inference.tests.paired_t import PAIRED_T, t_outcome
from irgauge.inference.tests.record import Test
from irgauge.provenance import Fact, fact
from irgauge.studies.judge_sides import Sides

CORRECTION = DEFAULT


@dataclass(frozen=True)
class Favour:
    """What a judge adds to a system's score, or to those of a group in the mean, less what it adds to all systems'."""

    judge: str
    system: str | None  # None for a group
    group: str | None  # None for a system
    topics: int
    difference: float
    low: float  # of the interval, for all judges, systems and groups together
    high: float
    p: float
    p_adjusted: float

    @property
    def name(self) -> str:
        """The system, or the group."""
        return str(self.system if self.group is None else self.group)

    def is_found(self, alpha: float) -> bool:
        """Whether it differs from what the judge adds to all systems."""
        return self.p_adjusted <= alpha

    def row(self, measure: str, alpha: float) -> dict[str, Any]:
        """For frames and JSON."""
        own = {name: value for name, value in vars(self).items() if name != "topics"}
        return {"measure": measure, "n": self.topics, **own, "alpha": alpha, "significant": self.is_found(alpha)}


def favour_test(test: Test) -> Test:
    """The test of pairs where differences are all it needs; else the t-test."""
    return PAIRED_T if test.of_differences is None else test


@fact()
def favour_by(title: str) -> str:
    """The test of whom judges favour."""
    return f"favour by the {title} over topics"


def fact_of_favour(test: Test | None) -> Fact:
    """The test of favour, where it is not that of pairs."""
    own = None if test is None else favour_test(test)
    return favour_by(None if own is None or own is test else own.title)


def favours_of(
    sides: Sequence[Sides],
    systems: Sequence[str],
    groups: Mapping[str, str],
    test: Test,
    alpha: float,
    families: int = 1,
) -> tuple[Favour, ...]:
    """Every system and group by every judge, by a test over topics, corrected over all of these.

    d_ts = judge_ts − people_ts less its mean over systems is tested against 0; of a group, its mean over the members.
    So many families of claims share α.
    """
    own = [_Parts.of(side, systems, groups) for side in sides]
    level = CORRECTION.interval_level(alpha / families, sum(len(parts.names) for parts in own))
    of_differences = favour_test(test).of_differences or t_outcome
    outcomes = [of_differences(parts.added, level) for parts in own]
    over_all = CORRECTION.adjusted(np.concatenate([outcome.p for outcome in outcomes]))
    adjusted = iter(np.minimum(1.0, families * over_all).tolist())
    return tuple(
        favour
        for side, parts, outcome in zip(sides, own, outcomes, strict=True)
        for favour in parts.favours(side.judge, outcome, adjusted)
    )


@dataclass(frozen=True, eq=False)
class _Parts:
    """Systems, then groups, and what a judge adds to each on each topic, less what it adds to all systems."""

    names: tuple[str, ...]
    systems: int  # how many of them are systems
    added: Floats  # topic, system or group

    @classmethod
    def of(cls, side: Sides, systems: Sequence[str], groups: Mapping[str, str]) -> _Parts:
        added = side.judged - side.people  # topic, system
        against_all = added - added.mean(axis=1, keepdims=True)
        named = tuple(dict.fromkeys(groups[system] for system in systems if system in groups))
        members = np.array([[groups.get(system) == group for group in named] for system in systems], float)
        of_groups = against_all @ members.reshape(len(systems), -1) / np.maximum(members.sum(axis=0), 1)
        columns = np.concatenate([against_all, of_groups], axis=1)
        return cls((*systems, *named), len(systems), on_grid(columns, step_of(np.append(side.people, 1.0))))

    def favours(self, judge: str, outcome: Outcome, adjusted: Iterator[float]) -> Iterator[Favour]:
        ends = zip(outcome.low.tolist(), outcome.high.tolist(), outcome.p.tolist(), strict=True)
        for i, (name, (low, high, p)) in enumerate(zip(self.names, ends, strict=True)):
            system, group = (name, None) if i < self.systems else (None, name)
            mean = float(self.added[:, i].mean())
            yield Favour(judge, system, group, len(self.added), mean, low, high, p, next(adjusted))
