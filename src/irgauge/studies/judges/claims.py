"""What judgments allow to claim of pairs of systems, and what becomes of people's claims under a judge's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison
from irgauge.inference.margins import Margin, against_share, check_level_of_margin
from irgauge.inference.tests.record import Experiment, Test
from irgauge.inference.verdicts import Verdict, Verdicts, by_margin, by_test, mirrored, same_scores
from irgauge.scoring.measures import Range

Outcome = Literal["kept", "lost", "added", "reversed", "none"]
_IMPLIED: Mapping[Verdict, tuple[Verdict, ...]] = {  # what else a verdict claims
    "better": ("not worse",),
    "worse": ("not better",),
    "equivalent": ("not worse", "not better"),
}
_NOTHING: Verdict = "inconclusive"


@dataclass(frozen=True, eq=False)
class Deciding:
    """How pairs are decided on."""

    test: Test
    alpha: float
    baseline: str | None
    margin: Margin | None
    within: Range | None  # of the scores


class PairClaim(NamedTuple):
    """What is said of a system against another, and their difference."""

    verdict: Verdict
    difference: float


@dataclass(frozen=True, eq=False)
class Claims:
    """What one side's judgments say of all pairs, or of those with a baseline."""

    comparison: Comparison
    verdicts: Verdicts

    @cached_property
    def of(self) -> Mapping[tuple[str, str], PairClaim]:
        """Each pair, either way round -> what is said of the first."""
        said: dict[tuple[str, str], PairClaim] = {}
        rows = zip(self.comparison.names, self.verdicts.verdicts, self.comparison.difference.tolist(), strict=True)
        for (system, against), verdict, difference in rows:
            said[system, against] = PairClaim(verdict, difference)
            said[against, system] = PairClaim(mirrored(verdict), -difference)
        return said


def claims_of(values: Floats, systems: tuple[str, ...], deciding: Deciding) -> Claims:
    """What scores[topic, system] allow to claim: as `compare` has it, against a margin by intervals at 2α."""

    def at(alpha: float, factor: float = 1.0) -> Comparison:
        experiment = Experiment(
            values[:, :, None],
            systems,
            alpha=alpha,
            correction=deciding.test.corrected_by.name,
            baseline=deciding.baseline,
            within=deciding.within,
        )
        return deciding.test.compare(experiment if factor == 1 else experiment.with_factor(factor))

    comparison = at(deciding.alpha)
    if deciding.margin is None:  # there is nothing to be equivalent by, even where all scores are the same
        return Claims(comparison, by_test(comparison, np.zeros(len(comparison.first), np.bool_)))
    ranked = values[:, [systems.index(system) for system in comparison.systems]]
    same = same_scores(ranked, comparison.first, comparison.second)
    check_level_of_margin(deciding.alpha)
    mean = None if deciding.baseline is None else float(values[:, systems.index(deciding.baseline)].mean())
    amount = deciding.margin.of(mean, deciding.within)
    wide = comparison if deciding.test.corrected_by.is_of_test else at(2 * deciding.alpha)
    if mean is not None and deciding.margin.is_share:
        worse, better = deciding.margin.factors(mean)
        wide = against_share(wide, at(wide.alpha, worse), at(wide.alpha, better), amount)
    return Claims(comparison, by_margin(comparison, wide, amount, same))


def outcome_of(people: Verdict, judge: Verdict) -> Outcome:
    """What becomes of what people's judgments say of a pair.

    >>> outcome_of("better", "worse"), outcome_of("not worse", "better"), outcome_of("inconclusive", "better")
    ('reversed', 'kept', 'added')
    """
    if people == _NOTHING:
        return "none" if judge == _NOTHING else "added"
    if people == judge or people in _IMPLIED.get(judge, ()):
        return "kept"
    return "reversed" if {people, judge} == {"better", "worse"} else "lost"


@dataclass(frozen=True)
class PairSurvival:
    """A pair, people's better system first, and what is said of it by both."""

    system: str
    against: str
    people: Verdict
    judge: Verdict
    people_difference: float
    judge_difference: float
    outcome: Outcome


def survival_of(people: Claims, judge: Claims) -> tuple[PairSurvival, ...]:
    """Every pair that people's judgments compare, in their order."""
    pairs = ((names, people.of[names], judge.of[names]) for names in people.comparison.names)
    return tuple(
        PairSurvival(*names, own.verdict, other.verdict, own.difference, other.difference, _outcome(own, other))
        for names, own, other in pairs
    )


def _outcome(people: PairClaim, judge: PairClaim) -> Outcome:
    return outcome_of(people.verdict, judge.verdict)


def best_of(systems: tuple[str, ...], means: Floats) -> tuple[str, ...]:
    """The system with the highest mean, or those that share it."""
    return tuple(
        system for system, mean in zip(systems, means, strict=True) if np.isclose(mean, means.max(), atol=1e-9)
    )
