"""Corrected claims: what few topics by people and many by a judge say together, and what the judge is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from irgauge.brief import OneLine
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.assertions import Place
from irgauge.inference.corrected_in_strata import Strata, corrected_in_strata
from irgauge.inference.corrections import DEFAULT
from irgauge.inference.difference_estimator import corrected_by_documents
from irgauge.inference.intervals import critical_t
from irgauge.inference.prediction_powered import LEAST_TOPICS, Corrected, corrected
from irgauge.inference.verdicts import Verdict, verdict_of
from irgauge.reading.collection import NOT_IN_QRELS
from irgauge.reading.missing import counted_topics
from irgauge.reading.notes import Note
from irgauge.reading.topic_table import Values
from irgauge.scoring.direction import HIGHER
from irgauge.studies.judge_sides import Sides
from irgauge.studies.judges.claims import Deciding

CORRECTION = DEFAULT
TEST_TOLD = "prediction-powered t-test"
SAMPLED_TOLD = "t-test of difference estimates"


@dataclass(frozen=True)
class CorrectedPair:
    """A pair of systems by people's topics and the judge's together."""

    system: str
    against: str
    difference: float
    low: float  # for all pairs together
    high: float
    p: float
    p_adjusted: float
    verdict: Verdict
    people_difference: float  # by people's topics alone
    people_low: float
    people_high: float
    weight: float  # λ: how far the judge is followed
    worth: float  # topics by people alone that would tell as much; NaN where nothing varies


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedClaims(OneLine):
    """The pairs by people's topics and one judge's."""

    in_line: ClassVar[tuple[str, ...]] = ("judge", "topics", "judged")

    judge: str
    topics: int  # that people judged, and the judge
    judged: int  # others, that the judge alone judged
    margin: float | None
    place: Place
    pairs: tuple[CorrectedPair, ...]
    sampled: tuple[int, int] | None = None  # documents that people judged, of how many; None where they judged all

    @property
    def differing(self) -> tuple[CorrectedPair, ...]:
        """The pairs of which one is better."""
        return tuple(pair for pair in self.pairs if pair.verdict in ("better", "worse"))

    @property
    def worth(self) -> tuple[float, float, float]:
        """The quartiles over pairs of the topics by people that would tell as much; as there are, where none varies."""
        known = [pair.worth for pair in self.pairs if np.isfinite(pair.worth)]
        low, middle, high = np.quantile(known, (0.25, 0.5, 0.75)).tolist() if known else [float(self.topics)] * 3
        return low, middle, high

    def rows(self, measure: str, alpha: float) -> Iterator[dict[str, Any]]:
        """For frames and JSON."""
        test = TEST_TOLD if self.sampled is None else SAMPLED_TOLD
        same = {"test": test, "correction": CORRECTION.name, "population": "topics", "alpha": alpha}
        head = {"measure": measure, "judge": self.judge, "n": self.topics, "judged_topics": self.judged}
        for pair in self.pairs:
            yield {**head, **vars(pair), "margin": self.margin, **same, "direction": HIGHER}


def correctable(sides: Sequence[Sides]) -> list[Sides]:
    """The judges that have topics besides people's, or documents where people judged a sample of these."""
    able = (side for side in sides if side.further is not None or side.sampled is not None)
    return [side for side in able if len(side.topics) >= LEAST_TOPICS]


def with_topics_used(notes: Sequence[Note], sides: Sequence[Sides]) -> tuple[Note, ...]:
    """Notes on the runs, whose topics besides people's are not left out where they correct claims."""
    if not any(side.further is not None for side in correctable(sides)):
        return tuple(notes)
    left_out, used = f"{NOT_IN_QRELS}, left out", f"{NOT_IN_QRELS}, used for corrected claims alone if a judge has them"
    return tuple(replace(note, text=note.text.replace(left_out, used)) for note in notes)


def corrected_claims(
    sides: Sequence[Sides],
    systems: Sequence[str],
    order: Sequence[int],
    deciding: Deciding,
    families: int = 1,
    strata: Values | None = None,
) -> tuple[CorrectedClaims, ...]:
    """The claims by each judge that has topics besides people's; the first has α for itself.

    The others are one family of those that share α behind it. `strata` says in which stratum a topic is.
    """
    able = correctable(sides)
    if strata is not None and not able:
        raise DesignError("strata are of corrected claims, and no judge has topics besides people's; leave them out")
    of = [None if strata is None else strata_of(side, strata) for side in able]
    each = [_Claiming(side, systems, order, deciding, strata=own) for side, own in zip(able, of, strict=True)]
    sharing = families * (len(able) - 1)
    others = [replace(claiming, place="secondary", families=sharing) for claiming in each[1:]]
    return tuple(claiming.made() for claiming in (*each[:1], *others))


def strata_of(side: Sides, strata: Values) -> Strata:
    """The strata of people's topics and of the judge's others."""
    lacking = [topic for topic in (*side.topics, *side.further_topics) if topic not in strata]
    if lacking:
        raise DesignError(f"{counted_topics(lacking)} without a stratum; give each a stratum")
    names = sorted({strata[topic] for topic in (*side.topics, *side.further_topics)})
    people, further = (
        np.array([names.index(strata[topic]) for topic in topics]) for topics in (side.topics, side.further_topics)
    )
    return Strata(people, further)


@dataclass(frozen=True, eq=False)
class _Claiming:
    """How claims by one judge are made."""

    side: Sides
    systems: Sequence[str]
    order: Sequence[int]  # of systems, people's best first
    deciding: Deciding
    place: Place = "primary"
    families: int = 1  # that share α with these pairs
    strata: Strata | None = None  # within which people's topics were drawn

    def made(self) -> CorrectedClaims:
        """The claims."""
        first, second = self._places()
        estimated, margin, alpha = self._estimated(), self._margin(), self.deciding.alpha / self.families
        level = CORRECTION.interval_level(alpha, len(first))
        alone = critical_t(level, estimated.topics - 1) * np.sqrt(estimated.people_variance)
        adjusted = CORRECTION.adjusted(estimated.p)
        columns = (
            [self.systems[s] for s in first],
            [self.systems[s] for s in second],
            *_lists(estimated.difference, *estimated.interval(level), estimated.p),
            *_lists(np.minimum(adjusted * self.families, 1.0)),
            _verdicts(estimated, adjusted, alpha, margin, self._against_margin(estimated, alpha)),
            *_lists(estimated.people, estimated.people - alone, estimated.people + alone),
            *_lists(estimated.weight, estimated.worth),
        )
        pairs = tuple(CorrectedPair(*row) for row in zip(*columns, strict=True))
        sampled = None if self.side.sampled is None else (self.side.sampled.judged, self.side.sampled.pool)
        return CorrectedClaims(self.side.judge, estimated.topics, estimated.judged, margin, self.place, pairs, sampled)

    def _estimated(self, factor: float = 1.0) -> Corrected:
        """The difference of each pair, the second system's scores times a factor."""
        first, second = self._places()
        if (scores := self.side.sampled) is not None:
            people, sample, whole = (
                own[:, first] - factor * own[:, second] for own in (scores.people, scores.sample, scores.whole)
            )
            return corrected_by_documents(people, sample, whole)
        further = self.side.further if self.side.further is not None else np.zeros((0, len(self.systems)))
        people, judged, others = (
            scores[:, first] - factor * scores[:, second] for scores in (self.side.people, self.side.judged, further)
        )
        if self.strata is not None:
            return corrected_in_strata(people, judged, others, self.strata)
        return corrected(people, judged, others)

    def _against_margin(self, estimated: Corrected, alpha: float) -> tuple[Floats, Floats]:
        """Intervals at 2α, whose sides are α; by a share of the baseline's mean as `against_share` has them."""
        level, margin = CORRECTION.interval_level(2 * alpha, len(estimated.difference)), self.deciding.margin
        mean, amount = self._baseline_mean(), self._margin()
        if margin is None or not margin.is_share or mean is None or amount is None:
            return estimated.interval(level)
        worse, better = (self._estimated(factor).interval(level) for factor in margin.factors(mean))
        low = np.where(estimated.is_constant, -np.inf, worse[0] - amount)
        return low, np.where(estimated.is_constant, np.inf, better[1] + amount)

    def _places(self) -> tuple[list[int], list[int]]:
        """The systems of each pair, people's better one first; with a baseline, the other one."""
        if self.deciding.baseline is not None:
            kept = list(self.systems).index(self.deciding.baseline)
            others = [s for s in self.order if s != kept]
            return others, [kept] * len(others)
        first, second = np.triu_indices(len(self.order), 1)
        return [self.order[i] for i in first.tolist()], [self.order[i] for i in second.tolist()]

    def _margin(self) -> float | None:
        margin = self.deciding.margin
        return None if margin is None else margin.of(self._baseline_mean(), self.deciding.within)

    def _baseline_mean(self) -> float | None:
        """By people."""
        baseline = self.deciding.baseline
        return None if baseline is None else float(self.side.people[:, list(self.systems).index(baseline)].mean())


def _lists(*arrays: Floats) -> list[list[float]]:
    return [array.tolist() for array in arrays]


def _verdicts(
    estimated: Corrected, adjusted: Floats, alpha: float, margin: float | None, interval: tuple[Floats, Floats]
) -> list[Verdict]:
    """Better or worse by the test; against a margin by intervals at 2α, as `compare` has them."""
    found, up, reach = adjusted <= alpha, estimated.difference > 0, np.inf if margin is None else margin
    low, high = interval
    within = (low > -reach, high < reach) if margin is not None else (np.zeros_like(found),) * 2
    rows = zip((found & up).tolist(), (found & ~up).tolist(), *(side.tolist() for side in within), strict=True)
    return [verdict_of(better=a, worse=b, not_worse=c, not_better=d) for a, b, c, d in rows]
