"""What is found for one population: errors, power, coverage, and what becomes of claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from irgauge.calibrating.halves import HoldsUp
from irgauge.calibrating.methods import Method
from irgauge.calibrating.power import Detectable, Power
from irgauge.calibrating.trials import Rate, Verdict, in_all
from irgauge.inference.tests.registry import TESTS
from irgauge.models.anova import Population

_LITTLE = 0.25  # of what another test finds


@dataclass(frozen=True)
class Errors:
    """How often a method errs in a world."""

    method: Method
    world: str
    systems: int
    nominal: float
    rate: Rate
    verdict: Verdict


@dataclass(frozen=True)
class Found:
    """What a method finds where half of the systems are better by δ."""

    method: Method
    delta: float
    rate: Rate


@dataclass(frozen=True)
class Coverage:
    """How often an interval holds the truth."""

    name: str  # the mean, an interval that is for comparing systems, or a test
    of: str  # mean, one pair, or all pairs
    nominal: float
    rate: Rate
    verdict: Verdict


@dataclass(frozen=True)
class Kept:
    """A method, the world in which it errs most, whether it keeps its promise in all, and what it finds."""

    method: Method
    worst: Errors
    verdict: Verdict
    found: Found | None

    @property
    def power(self) -> float:
        """The share of true differences that it finds."""
        return 0.0 if self.found is None else self.found.rate.observed


@dataclass(frozen=True, eq=False)
class Calibration:
    """All that was found for a population."""

    population: Population
    systems: int
    pairs: int
    topics: int
    trials: int
    errors: tuple[Errors, ...]
    verdicts: tuple[Errors, ...]  # against a margin
    found: tuple[Found, ...]
    coverage: tuple[Coverage, ...]
    powers: tuple[Power, ...]
    holds_up: tuple[HoldsUp, ...]
    detectable: Mapping[str, Detectable]  # test

    @cached_property
    def kept(self) -> tuple[Kept, ...]:
        """Each method: in which world it errs most, and whether it keeps its promise."""
        return tuple(self._kept())

    def _kept(self) -> Iterator[Kept]:
        power = {row.method: row for row in self.found}
        for method in dict.fromkeys(error.method for error in self.errors):
            own = [error for error in self.errors if error.method == method]
            worst = max(own, key=lambda error: error.rate.observed)
            yield Kept(method, worst, in_all([error.verdict for error in own]), power.get(method))

    @property
    def advised(self) -> Kept:
        """The method for all pairs together that finds most of those that keep their promise.

        If none surely does, or those find next to nothing, the one of those that may whose errors are as promised, or
        next to it, and that then finds most. If none may, the one that errs least.
        """
        promise = "any pair" if self.pairs > 1 else "each pair"
        matched = [kept for kept in self.kept if TESTS[kept.method.test].is_paired]
        candidates = [kept for kept in matched if kept.method.promise == promise] or matched
        surely = [candidate for candidate in candidates if candidate.verdict in ("keeps its promise", "conservative")]
        perhaps = [candidate for candidate in candidates if candidate.verdict == "unclear"]
        best = [max(surely, key=lambda kept: kept.power)] if surely else []
        if perhaps:
            best.append(min(perhaps, key=lambda kept: (max(kept.worst.rate.observed, kept.worst.nominal), -kept.power)))
        if not best:
            return min(candidates, key=lambda kept: kept.worst.rate.observed)
        return best[-1] if best[0].power < _LITTLE * best[-1].power else best[0]

    @property
    def liberal(self) -> Sequence[Kept]:
        """The methods that break their promise, the worst first."""
        broken = [kept for kept in self.kept if kept.verdict == "liberal"]
        return sorted(broken, key=lambda kept: -kept.worst.rate.observed)
