"""What was found for one population: how often methods err, what they find, and which one is advised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from irgauge.brief import OneLine
from irgauge.calibrating.halves import HoldsUp
from irgauge.calibrating.methods import AS_ASKED, Method
from irgauge.calibrating.power import Detectable, Power
from irgauge.calibrating.trials import Rate, Verdict, in_all
from irgauge.inference.tests.registry import TESTS, default_test
from irgauge.models.anova import Population

_LITTLE = 0.25  # of what another test finds
KEEPING: tuple[Verdict, ...] = ("keeps its promise", "conservative")


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
class IntervalCoverage:
    """How often an interval holds the truth."""

    name: str  # the mean, an interval that is for comparing systems, or a test
    of: str  # mean, one pair, or all pairs
    nominal: float
    rate: Rate
    verdict: Verdict


@dataclass(frozen=True)
class MethodPromise:
    """A method, the world in which it errs most, whether it keeps its promise in all, and what it finds."""

    method: Method
    worst: Errors
    verdict: Verdict
    found: Found | None

    @property
    def power(self) -> float:
        """The share of true differences that it finds."""
        return 0.0 if self.found is None else self.found.rate.observed


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(OneLine):
    """All that was found for a population."""

    population: Population
    systems: int
    pairs: int
    topics: int
    trials: int
    errors: tuple[Errors, ...]
    verdicts: tuple[Errors, ...]  # against a margin
    found: tuple[Found, ...]
    coverage: tuple[IntervalCoverage, ...]
    powers: tuple[Power, ...]
    holds_up: tuple[HoldsUp, ...]
    detectable: Mapping[str, Detectable]  # test
    rare: int = 0  # systems whose differences rest on hardly any topic: no test can be judged by these topics

    @cached_property
    def kept(self) -> tuple[MethodPromise, ...]:
        """Each method: in which world it errs most, and whether it keeps its promise."""
        return tuple(self._kept())

    def _kept(self) -> Iterator[MethodPromise]:
        power = {row.method: row for row in self.found}
        for method in dict.fromkeys(error.method for error in self.errors):
            own = [error for error in self.errors if error.method == method]
            worst = max(own, key=lambda error: error.rate.observed)
            verdicts = [error.verdict for error in own]
            if self.rare or not self._judging(method) <= {error.world for error in own}:
                verdicts.append("cannot be judged")
            yield MethodPromise(method, worst, in_all(verdicts), power.get(method))

    @property
    def as_asked(self) -> tuple[MethodPromise, ...]:
        """The methods that take topics as they came together, on all of them."""
        return tuple(kept for kept in self.kept if kept.method.way == AS_ASKED)

    def _judging(self, method: Method) -> set[str]:
        """The worlds that tell of a promise of such claims."""
        alike = (method.promise, method.way)
        return {error.world for error in self.errors if (error.method.promise, error.method.way) == alike}

    @property
    def advised(self) -> MethodPromise:
        """The method for all pairs together that finds most of those that surely keep their promise.

        If none does, or those find next to nothing, the usual one, which is cautious, unless it breaks its promise;
        then the one of those that may keep it that errs least, and if none may, the one that errs least of all.
        """
        candidates = self._candidates()
        surely = [candidate for candidate in candidates if candidate.verdict in KEEPING]
        perhaps = [candidate for candidate in candidates if candidate.verdict not in (*KEEPING, "liberal")]
        best = [max(surely, key=lambda kept: kept.power)] if surely else []
        if perhaps:
            best.append(min(perhaps, key=self._caution))
        if not best:
            return min(candidates, key=lambda kept: kept.worst.rate.observed)
        return best[-1] if best[0].power < _LITTLE * best[-1].power else best[0]

    def _candidates(self) -> list[MethodPromise]:
        """For all pairs together, where there are; of means, which ranks say nothing of, on topics that are matched."""
        promise = "any pair" if self.pairs > 1 else "each pair"
        matched = [
            kept
            for kept in self.as_asked
            if TESTS[kept.method.test].is_paired and not TESTS[kept.method.test].is_of_ranks
        ]
        return [kept for kept in matched if kept.method.promise == promise] or matched

    def _caution(self, kept: MethodPromise) -> tuple[bool, float, float]:
        """The usual test first; then what errs least, errors as promised being as good as fewer."""
        worst = kept.worst
        is_usual = kept.method.test == default_test(self.population).name
        return not is_usual, max(worst.rate.observed, worst.nominal), -kept.power

    @property
    def liberal(self) -> Sequence[MethodPromise]:
        """The methods that break their promise, the worst first; what is not as asked for has words of its own."""
        broken = [kept for kept in self.as_asked if kept.verdict == "liberal"]
        return sorted(broken, key=lambda kept: -kept.worst.rate.observed)
