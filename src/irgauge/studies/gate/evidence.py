"""What scores say of a change, by a guarded t-test or a model of runs, and what that means for the gate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from irgauge.brief import OneLine
from irgauge.compute.arrays import Floats
from irgauge.inference import facts
from irgauge.inference.by_topic import PairOnTopics, in_order, on_topics
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import BONFERRONI, NONE
from irgauge.inference.families import corrected_together, level_of
from irgauge.inference.hierarchy import Members
from irgauge.inference.instance_tests import (
    FORMULAS,
    MEAN_SQUARES,
    Claiming,
    ModelName,
    Pair,
    instances_covered,
    tested_by_squares,
)
from irgauge.inference.margins import against_share, check_level_of_margin
from irgauge.inference.outcomes import differences
from irgauge.inference.slices import SliceClaims, Sliced
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.skewed_t import SKEWED_T
from irgauge.inference.verdicts import Equivalence, Verdict, by_margin, same_scores
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.deciding import Needed, by_differences, of_instances
from irgauge.provenance import Provenance
from irgauge.replicates import facts as data_facts
from irgauge.replicates.instances import InstanceScores, labelled
from irgauge.replicates.labels import Label
from irgauge.replicates.measured import Measured
from irgauge.replicates.undefined import worst_shares
from irgauge.scoring.measures import Measure, Range, cut, of_differences, range_of
from irgauge.studies.gate.criteria import Wanted
from irgauge.studies.gate.sides import Side
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
    on_common: Verdict | None = None  # on the topics that all runs answer, where that is another
    sliced: Sliced = field(default_factory=Sliced)  # on kinds of topics

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
    return gated.row | {"needed": gated.needed, "on_common": gated.on_common, "topics": topics}


class Evidence(NamedTuple):
    """What all measures say, and how it was found."""

    each: tuple[MeasureGated, ...]
    population: str  # what it covers
    test: str  # its name
    correction: str  # over the measures
    provenance: Provenance
    unchanging: tuple[str, ...] = ()  # sides with several runs that never differ

    def beside(self, common: Evidence) -> Evidence:
        """The same, with what is said on the topics that all runs answer where that is something else."""
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
    counts = [needed.topics for needed in waiting if needed.topics is not None]
    if any(OUTCOMES[gated.verdict] == "undecided" and gated.needed is None for gated in each):
        return None  # of a difference that never varies nothing can be told
    enough = max(counts, default=None) if len(counts) == len(waiting) else None
    return Needed(enough) if waiting else None


TEST = SKEWED_T  # differences of two versions of a system are often 0, with few large ones
_MODEL: ModelName = "nested"  # of several runs


class _Tested(NamedTuple):
    """The two sides by one measure."""

    wanted: Wanted
    scores: Measured
    tests: Comparison  # at α
    wide: Comparison  # at 2α, on which claims about the margin rest

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


def by_topics(measured: Measured, baseline: str, wanted: Sequence[Wanted], alpha: float) -> Evidence:
    """What a comparison of two systems says."""
    check_level_of_margin(alpha)
    scores = [measured.only(criterion.measure) for criterion in wanted]
    none = [1.0] * len(scores)
    tests, wide = (_compared(scores, baseline, level, none) for level in (alpha, 2 * alpha))
    tested = [_Tested(*parts) for parts in zip(wanted, scores, tests, wide, strict=True)]
    if any(criterion.margin.is_share for criterion in wanted):
        factors = [row.factors for row in tested]
        worse, better = (_compared(scores, baseline, 2 * alpha, side) for side in zip(*factors, strict=True))
        tested = [row.by_share(*sides) for row, *sides in zip(tested, worse, better, strict=True)]
    return Evidence(
        tuple(map(_measure, tested)), tests[0].population, TEST.name, tests[0].correction, _provenance(tested)
    )


def _compared(
    scores: Sequence[Measured], baseline: str, alpha: float, factors: Sequence[float]
) -> tuple[Comparison, ...]:
    """The two by each measure at its share of α, all of them one family; with factors of the baseline's scores."""
    correction = TEST.corrected_by.name
    family = Members("primary", tuple(scores))
    level = level_of(alpha, family, correction)
    each = [
        Experiment(
            score.values(),
            score.scores.systems,
            alpha=level,
            correction=correction,
            baseline=baseline,
            direction=score.direction,
        )
        for score in scores
    ]
    scaled = [experiment.with_factor(factor) for experiment, factor in zip(each, factors, strict=True)]
    return corrected_together([TEST.compare(experiment) for experiment in scaled], alpha, family)


def _measure(tested: _Tested) -> MeasureGated:
    tests, margin = tested.tests, tested.margin
    (topics,) = on_topics(tested.scores, tests)
    same = same_scores(in_order(tested.scores, tests), tests.first, tests.second)
    verdict = by_margin(tests, tested.wide, margin, same).verdicts[0]
    ends, inner = (comparison.within(tested.range) for comparison in (tests, tested.wide))  # what is possible
    return MeasureGated(
        measure=topics.measure,
        baseline_mean=float(tests.means[tests.second[0]]),
        candidate_mean=float(tests.means[tests.first[0]]),
        difference=float(topics.difference.mean()),
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


def _needed(tested: _Tested, topics: PairOnTopics) -> Needed | None:
    if tested.tests.is_constant[0]:  # nothing is known of its spread
        return None
    return by_differences(topics.score - tested.factors[0] * topics.other, tested.margin, tested.tests.level)


def _provenance(tested: Sequence[_Tested]) -> Provenance:
    first = tested[0]
    shares = worst_shares(row.scores for row in tested) or {}
    return Provenance.of(
        facts_of(first.tests),
        first.scores.provenance,
        data_facts.measures(tuple(str(row.wanted.measure) for row in tested)),
        facts.margins({str(row.wanted.measure): row.wanted.margin.fact(row.margin) for row in tested}),
        data_facts.fill(str(first.scores.measuring.fill), undefined=first.scores.undefined, shares=shares),
        replace(first.scores.sparse, shares=shares).fact,
    )


class _TestedRuns(NamedTuple):
    """The two sides by one measure."""

    scores: InstanceScores
    squares: TwoAlgorithms
    at_margin: TwoAlgorithms  # the same, with the baseline worse by a margin that is a share of its mean
    tests: Equivalence  # of one pair, at the measure's share of α


def by_runs(measured: Measured, baseline: Side, candidate: Side, wanted: Sequence[Wanted], alpha: float) -> Evidence:
    """What the two say over their runs and topics, by each measure at its share of α (Bonferroni)."""
    labels = [Label(side.name, run) for side in (baseline, candidate) for run in side.runs]
    pair = Pair(candidate.name, baseline.name)
    scores = measured.scores.values  # measure, topic, run, 1
    share, tested = alpha / len(wanted), []
    for criterion, values in zip(wanted, scores, strict=True):
        mean = float(values[:, : len(baseline.runs)].mean())  # of the baseline
        margin = criterion.margin.of(mean, range_of(criterion.measure, values))
        own = measured.only(criterion.measure)
        direction = own.direction
        factors = criterion.margin.factors(mean, direction) if criterion.margin.is_share else (1.0, 1.0)
        claiming = Claiming(margin, share, NONE.name, factors=factors, direction=direction)
        tested.append(_tested(labelled(own.scores, labels), pair, claiming))
    each = tuple(_measure_of_runs(row, pair, len(wanted), measured) for row in tested)
    how = _provenance_of_runs(tested, measured, wanted, alpha)
    correction = BONFERRONI if len(wanted) > 1 else NONE
    covers = instances_covered(tested[0].scores, _MODEL)
    return Evidence(each, covers, MEAN_SQUARES, correction.name, how, tested[0].scores.unchanging)


def _tested(scores: InstanceScores, pair: Pair, claiming: Claiming) -> _TestedRuns:
    first, second = (scores.cells()[scores.algorithm_of == scores.algorithms.index(name)] for name in pair)
    squares = TwoAlgorithms.of(first, second)
    tests = tested_by_squares({pair: squares}, _MODEL, 2, claiming).tests
    return _TestedRuns(scores, squares, squares.with_factor(claiming.factors[0]), tests)


def _measure_of_runs(tested: _TestedRuns, pair: Pair, measures: int, measured: Measured) -> MeasureGated:
    """What one measure says; some runs may not answer some topics."""
    tests, topics = tested.tests, _topics(tested, pair, measured)
    verdict, share = tests.verdicts[0], tests.alpha
    ends = _within(tests.interval(share), tested.scores.range)
    inner = _within(tests.margin_interval(2 * share), tested.scores.range)
    return MeasureGated(
        measure=topics.measure,
        baseline_mean=float(topics.other.mean()),
        candidate_mean=float(topics.score.mean()),
        difference=float(topics.difference.mean()),
        low=ends[0],
        high=ends[1],
        margin_low=inner[0],
        margin_high=inner[1],
        p=float(tests.p_difference[0]),
        p_adjusted=min(1.0, measures * float(tests.p_difference[0])),
        margin=tests.margin,
        verdict=verdict,
        needed=_needed_of_runs(tested) if OUTCOMES[verdict] == "undecided" else None,
        topics=topics,
    )


def _needed_of_runs(tested: _TestedRuns) -> Needed | None:
    tests = tested.tests
    return None if tests.is_constant[0] else of_instances(tested.at_margin, tests.margin, tests.alpha)


def _within(ends: tuple[Floats, Floats], within: Range | None) -> tuple[float, float]:
    """The interval of the only pair, cut to what is possible."""
    low, high = cut(*ends, of_differences(within))
    return float(low[0]), float(high[0])


def _topics(tested: _TestedRuns, pair: Pair, measured: Measured) -> PairOnTopics:
    """The means of runs on each topic."""
    both = np.stack([tested.squares.first.means, tested.squares.second.means], axis=1)  # topic, side
    return PairOnTopics(
        measure=str(tested.scores.measure),
        pair=0,
        system=pair.system,
        against=pair.against,
        topics=tested.scores.topics,
        score=both[:, 0],
        other=both[:, 1],
        difference=differences(both, np.array([0]), np.array([1]))[:, 0],
        is_missing=np.isin(tested.scores.topics, measured.missing.topics),
        direction=tested.tests.direction,
        queries=measured.scores.about.queries,
    )


def _provenance_of_runs(
    tested: Sequence[_TestedRuns], measured: Measured, wanted: Sequence[Wanted], alpha: float
) -> Provenance:
    first, count = tested[0].scores, len(tested)
    margins = [row.tests.margin for row in tested]
    of_measures = {
        str(criterion.measure): criterion.margin.fact(margin) for criterion, margin in zip(wanted, margins, strict=True)
    }
    return Provenance.of(
        facts.model(_MODEL),
        facts.formula(FORMULAS[_MODEL]),
        facts.variances("own"),
        facts.correction(BONFERRONI.name if count > 1 else None),
        facts.family(f"1 pair, by {count} measures together" if count > 1 else None),
        facts.alpha(alpha),
        facts.population(instances_covered(first, _MODEL)),
        data_facts.instances(dict(zip(first.algorithms, first.instance_counts.tolist(), strict=True))),
        measured.provenance.without("systems", "keep_systems", "corpus_size", "documents"),
        data_facts.measures(tuple(of_measures)),
        facts.margins(of_measures),
    )
