"""What scores say of a change, by a guarded t-test, and what that means for the gate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from irgauge.brief import OneLine
from irgauge.inference import facts
from irgauge.inference.by_topic import PairOnTopics, in_order, on_topics
from irgauge.inference.comparison import Comparison
from irgauge.inference.families import corrected_together, level_of
from irgauge.inference.hierarchy import Members
from irgauge.inference.margins import against_share, check_level_of_margin
from irgauge.inference.sampling import Sampling
from irgauge.inference.slices import SliceClaims, Sliced
from irgauge.inference.tests.record import Experiment, Test
from irgauge.inference.tests.skewed_t import SKEWED_T
from irgauge.inference.verdicts import Verdict, by_margin, same_scores
from irgauge.planning.deciding import Needed, by_differences
from irgauge.provenance import Provenance
from irgauge.replicates import facts as data_facts
from irgauge.replicates.measured import Measured
from irgauge.replicates.undefined import worst_shares
from irgauge.scoring.measures import Measure, Range, range_of
from irgauge.scoring.scores import Scores
from irgauge.studies.gate.criteria import Wanted
from irgauge.studies.hole_changes import HoleChanges, UnseenHoles
from irgauge.studies.sampled import drawn
from irgauge.studies.tested import facts_of

Outcome = Literal["pass", "fail", "undecided"]
OUTCOMES: Mapping[Verdict, Outcome] = {
    "better": "pass",
    "equivalent": "pass",
    "not worse": "pass",
    "not better": "undecided",
    "inconclusive": "undecided",
    "worse": "fail",
}


class WeakerByClusters(NamedTuple):
    """A column that looks like one of clusters, and what would be said with it."""

    column: str
    clusters: int
    verdict: Verdict


@dataclass(frozen=True, eq=False, repr=False)
class MeasureGated(OneLine):
    """The candidate against the baseline by one measure; intervals hold for all measures together."""

    measure: str
    baseline_mean: float
    candidate_mean: float
    difference: float  # candidate − baseline
    low: float  # of the 1 − α interval, by which it is better or worse
    high: float
    margin_low: float  # of the 1 − 2α interval, by which it is equivalent, not worse or not better
    margin_high: float
    p: float  # two-sided, against 0, of this measure alone
    p_adjusted: float  # corrected over the measures
    margin: float  # the smallest difference that matters, in the unit of the measure
    verdict: Verdict
    needed: Needed | None  # what would decide; None where it is decided
    topics: PairOnTopics  # the two on each topic
    on_common: Verdict | None = (
        None  # on the topics that all runs answer (or, if these alone count, on all), if another
    )
    sliced: Sliced = field(default_factory=Sliced)  # on kinds of topics
    ignored: tuple[WeakerByClusters, ...] = ()  # columns that were not asked for, with which less would be claimed
    holes: HoleChanges | UnseenHoles | None = None  # where unjudged documents could change the verdict

    @property
    def outcome(self) -> Outcome:
        """What it means for the change: it fails where it is shown to be worse on some kind of topics too."""
        return "fail" if self.worse_slices else OUTCOMES[self.verdict]

    @property
    def worse_slices(self) -> tuple[SliceClaims, ...]:
        """The kinds of topics on which it is shown to be worse."""
        return tuple(own for own in self.sliced.slices if own.verdicts.verdicts[0] == "worse")

    @property
    def is_same(self) -> bool:
        """Whether both have the same score on every topic."""
        return self.topics.ties == len(self.topics.topics)

    @property
    def is_constant(self) -> bool:
        """Whether both differ by the same amount on every topic, so that there is no spread to test it against."""
        return not self.is_same and bool(np.ptp(self.topics.difference) == 0)

    @property
    def row(self) -> dict[str, Any]:
        """The row of the pair by this measure; how it was tested is the same for all measures."""
        topics = self.topics
        numbers = ("difference", "low", "high", "p", "p_adjusted", "verdict", "margin")
        own = ("baseline_mean", "candidate_mean", "margin_low", "margin_high", "outcome")
        return {
            "measure": self.measure,
            "direction": topics.direction,
            "system": topics.system,
            "against": topics.against,
            "n": len(topics.topics),
            **{name: getattr(self, name) for name in (*numbers, *own)},
            **{name: getattr(topics, name) for name in ("wins", "ties", "losses")},
            **self._ratios,
        }

    @property
    def _ratios(self) -> dict[str, float | None]:
        """The ratios that differences are, on a log scale."""
        ends = {"ratio": self.difference, "ratio_low": self.low, "ratio_high": self.high}
        is_log = Measure.read(self.measure).logged is not None
        return {name: math.exp(value) if is_log else None for name, value in ends.items()}


def measure_record(gated: MeasureGated) -> dict[str, Any]:
    """What a measure says in full precision, with what would decide, and a row for each topic."""
    topics = list(gated.topics.records(range(len(gated.topics.topics))))
    return gated.row | {
        "needed": gated.needed,
        "on_common": gated.on_common,
        "holes": gated.holes,
        "topics": topics,
    }


class Evidence(NamedTuple):
    """What all measures say, and how it was found."""

    each: tuple[MeasureGated, ...]
    population: str  # what it covers
    test: str  # its name
    correction: str  # over the measures
    provenance: Provenance
    unchanging: tuple[str, ...] = ()  # sides with several runs that never differ
    sampling: Sampling | None = None  # clusters and weights of topics
    averaged: tuple[Scores, ...] = ()  # measure: means over wordings, where topics are needs

    def beside(self, common: Evidence) -> Evidence:
        """The same, with what is said with missing topics treated otherwise where that is something else."""
        pairs = zip(self.each, common.each, strict=True)
        measures = (
            replace(gated, on_common=None if gated.verdict == other.verdict else other.verdict)
            for gated, other in pairs
        )
        return self._replace(each=tuple(measures))


def outcome_of(each: Sequence[MeasureGated]) -> Outcome:
    """A change passes if all measures let it, and fails if one does not."""
    outcomes = {gated.outcome for gated in each}
    return "fail" if "fail" in outcomes else "undecided" if "undecided" in outcomes else "pass"


def needed_of(each: Sequence[MeasureGated]) -> Needed | None:
    """What would show all measures to be not worse; None if that is decided."""
    waiting = [gated.needed for gated in each if gated.needed is not None]
    enough = [needed for needed in waiting if needed.topics is not None]
    if any(OUTCOMES[gated.verdict] == "undecided" and gated.needed is None for gated in each):
        return None  # of a difference that never varies nothing can be told
    if not waiting or len(enough) < len(waiting):
        return Needed(None) if waiting else None
    return max(enough, key=lambda needed: needed.topics or 0)


TEST = SKEWED_T  # differences of two versions of a system are often 0, with few large ones


class _Tested(NamedTuple):
    """The two sides by one measure."""

    wanted: Wanted
    scores: Measured
    tests: Comparison  # at α
    wide: Comparison  # at 2α, on which claims about the margin rest
    sampling: Sampling | None  # clusters and weights of topics
    test: Test

    @property
    def range(self) -> Range | None:
        """Between which scores the measure lies, where that is known."""
        return range_of(self.wanted.measure, self.scores.values())

    @property
    def margin(self) -> float:
        """In the unit of the measure; a share is one of the baseline's mean."""
        return self.wanted.margin.of(self._mean, self.range)

    @property
    def factors(self) -> tuple[float, float]:
        """Of the baseline's scores, as large as the candidate's would be if it were worse, or better, by a share."""
        margin = self.wanted.margin
        return margin.factors(self._mean, self.tests.direction) if margin.is_share else (1.0, 1.0)

    @property
    def _mean(self) -> float:
        return float(self.tests.means[self.tests.second[0]])

    def by_share(self, worse: Comparison, better: Comparison) -> _Tested:
        """With claims about a margin in per cent by tests of the ratio."""
        if not self.wanted.margin.is_share:
            return self
        return self._replace(wide=against_share(self.wide, worse, better, self.margin))


def by_topics(
    measured: Measured,
    baseline: str,
    wanted: Sequence[Wanted],
    alpha: float,
    sampling: Sampling | None = None,
    test: Test = TEST,
) -> Evidence:
    """What a comparison of two systems says."""
    check_level_of_margin(alpha)
    scores = [measured.only(criterion.measure) for criterion in wanted]
    none = [1.0] * len(scores)

    def compared(level: float, factors: Sequence[float]) -> tuple[Comparison, ...]:
        return _compared(scores, baseline, level, factors, sampling, test)

    tests, wide = (compared(level, none) for level in (alpha, 2 * alpha))
    tested = [_Tested(*parts, sampling, test) for parts in zip(wanted, scores, tests, wide, strict=True)]
    if any(criterion.margin.is_share for criterion in wanted):
        factors = [row.factors for row in tested]
        worse, better = (compared(2 * alpha, side) for side in zip(*factors, strict=True))
        tested = [row.by_share(*sides) for row, *sides in zip(tested, worse, better, strict=True)]
    return Evidence(
        tuple(map(_measure, tested)),
        tests[0].population,
        test.name,
        tests[0].correction,
        _provenance(tested),
        sampling=sampling,
        averaged=() if measured.scores.wordings is None else tuple(score.scores for score in scores),
    )


def _compared(
    scores: Sequence[Measured],
    baseline: str,
    alpha: float,
    factors: Sequence[float],
    sampling: Sampling | None,
    test: Test,
) -> tuple[Comparison, ...]:
    """The two by each measure at its share of α, all of them one family; with factors of the baseline's scores."""
    correction = test.corrected_by.name
    family = Members("primary", tuple(scores))
    level = level_of(alpha, family, correction)
    each = [
        Experiment(
            score.values(),
            score.scores.systems,
            alpha=level,
            correction=correction,
            baseline=baseline,
            within=range_of(score.scores.measures[0], score.values()),
            direction=score.direction,
            sampling=sampling,
        )
        for score in scores
    ]
    scaled = [experiment.with_factor(factor) for experiment, factor in zip(each, factors, strict=True)]
    return corrected_together([test.compare(experiment) for experiment in scaled], alpha, family)


def _measure(tested: _Tested) -> MeasureGated:
    tests, margin = tested.tests, tested.margin
    (topics,) = on_topics(tested.scores, tests)
    same = same_scores(in_order(tested.scores, tests), tests.first, tests.second) & tested.test.needs_spread
    verdict = by_margin(tests, tested.wide, margin, same).verdicts[0]
    ends, inner = (comparison.within(tested.range) for comparison in (tests, tested.wide))  # what is possible
    return MeasureGated(
        measure=topics.measure,
        baseline_mean=float(tests.means[tests.second[0]]),
        candidate_mean=float(tests.means[tests.first[0]]),
        difference=_difference(tested, topics),
        low=float(ends.low[0]),
        high=float(ends.high[0]),
        margin_low=float(inner.low[0]),
        margin_high=float(inner.high[0]),
        p=float(tests.p[0]),
        p_adjusted=float(tests.p_adjusted[0]),
        margin=margin,
        verdict=verdict,
        needed=_needed(tested, topics) if OUTCOMES[verdict] == "undecided" else None,
        topics=topics,
    )


def _difference(tested: _Tested, topics: PairOnTopics) -> float:
    is_plain = tested.sampling is None or not tested.sampling.is_weighted
    return float(topics.difference.mean() if is_plain else tested.tests.difference[0])


def _needed(tested: _Tested, topics: PairOnTopics) -> Needed | None:
    if tested.test.planned_by is None or tested.tests.is_constant[0]:  # of which nothing is known
        return None
    d = topics.score - tested.factors[0] * topics.other
    return by_differences(d, tested.margin, tested.tests.level, tested.sampling)


def _provenance(tested: Sequence[_Tested]) -> Provenance:
    first = tested[0]
    shares = worst_shares(row.scores for row in tested) or {}
    return Provenance.of(
        facts_of(first.tests, drawn=drawn("topics", first.sampling, first.scores.scores.wordings), test=first.test),
        facts.sampling(first.sampling),
        first.scores.provenance,
        data_facts.measures(tuple(str(row.wanted.measure) for row in tested)),
        facts.margins({str(row.wanted.measure): row.wanted.margin.fact(row.margin) for row in tested}),
        data_facts.fill(str(first.scores.measuring.fill), undefined=first.scores.undefined, shares=shares),
        replace(first.scores.sparse, shares=shares).fact,
    )
