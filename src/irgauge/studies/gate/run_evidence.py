"""What several runs of two systems say of a change, by a model of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference import facts
from irgauge.inference.by_topic import PairOnTopics
from irgauge.inference.corrections import BONFERRONI, NONE
from irgauge.inference.instance_tests import (
    FORMULAS,
    MEAN_SQUARES,
    Claiming,
    ModelName,
    Pair,
    instances_covered,
    tested_by_squares,
)
from irgauge.inference.outcomes import differences
from irgauge.inference.verdicts import Equivalence
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.deciding import Needed, of_instances
from irgauge.provenance import Provenance
from irgauge.replicates import facts as data_facts
from irgauge.replicates.instances import InstanceScores, labelled
from irgauge.replicates.labels import Label
from irgauge.replicates.measured import Measured
from irgauge.scoring.measures import Range, cut, of_differences, range_of
from irgauge.studies.gate.criteria import Wanted
from irgauge.studies.gate.evidence import OUTCOMES, Evidence, MeasureGated
from irgauge.studies.gate.sides import Side

MODEL: ModelName = "nested"


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
    covers = instances_covered(tested[0].scores, MODEL)
    return Evidence(each, covers, MEAN_SQUARES, correction.name, how, tested[0].scores.unchanging)


def _tested(scores: InstanceScores, pair: Pair, claiming: Claiming) -> _TestedRuns:
    first, second = (scores.cells()[scores.algorithm_of == scores.algorithms.index(name)] for name in pair)
    squares = TwoAlgorithms.of(first, second)
    tests = tested_by_squares({pair: squares}, MODEL, 2, claiming).tests
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
        facts.model(MODEL),
        facts.formula(FORMULAS[MODEL]),
        facts.variances("own"),
        facts.correction(BONFERRONI.name if count > 1 else None),
        facts.family(f"1 pair, by {count} measures together" if count > 1 else None),
        facts.alpha(alpha),
        facts.population(instances_covered(first, MODEL)),
        data_facts.instances(dict(zip(first.algorithms, first.instance_counts.tolist(), strict=True))),
        measured.provenance.without("systems", "keep_systems", "corpus_size", "documents"),
        data_facts.measures(tuple(of_measures)),
        facts.margins(of_measures),
    )
