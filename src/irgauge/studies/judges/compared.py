"""What becomes of people's claims under the judgments of one judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from irgauge.brief import OneLine
from irgauge.compute.arrays import Floats
from irgauge.inference.two_orders import TwoOrders
from irgauge.studies.judge_sides import Coverage
from irgauge.studies.judges.claims import Claims, PairSurvival, best_of, survival_of


@dataclass(frozen=True, eq=False, repr=False)
class JudgeCompared(OneLine):
    """What becomes of people's claims under the judgments of one judge."""

    in_line: ClassVar[tuple[str, ...]] = ("judge", "topics", "counts")

    judge: str
    topics: int  # that both judged
    systems: tuple[str, ...]  # in people's order of all topics, best first
    people_means: Floats  # system, on these topics
    means: Floats  # system
    people: Claims
    claims: Claims
    orders: TwoOrders  # of systems
    coverage: Coverage | None  # None for tables of scores
    notes: tuple[str, ...]  # what a careful reader should know of the judgments

    @cached_property
    def survival(self) -> tuple[PairSurvival, ...]:
        """Every pair, people's better system first."""
        return survival_of(self.people, self.claims)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Outcome -> how many pairs have it."""
        found = Counter(pair.outcome for pair in self.survival)
        return {outcome: found[outcome] for outcome in ("kept", "lost", "added", "reversed", "none")}

    @property
    def claimed(self) -> int:
        """How many claims people's judgments support."""
        return sum(self.counts[outcome] for outcome in ("kept", "lost", "reversed"))

    def with_outcome(self, outcome: str) -> tuple[PairSurvival, ...]:
        """The pairs with an outcome, those first that differ most by people's judgments."""
        pairs = [pair for pair in self.survival if pair.outcome == outcome]
        return tuple(sorted(pairs, key=lambda pair: -abs(pair.people_difference)))

    @property
    def people_best(self) -> tuple[str, ...]:
        """The best by people's judgments; several that tie."""
        return best_of(self.systems, self.people_means)

    @property
    def best(self) -> tuple[str, ...]:
        """The best by the judge's."""
        return best_of(self.systems, self.means)

    @property
    def is_same_best(self) -> bool:
        """Whether the best system, or those that tie, are the same by the judge."""
        return set(self.best) == set(self.people_best)
