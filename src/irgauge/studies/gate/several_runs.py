"""Several runs of the candidate or of the baseline: the mixed model of topics and runs, tested as in `instances`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from irgauge.inference import facts
from irgauge.inference.by_topic import PairOnTopics
from irgauge.inference.corrections import BONFERRONI, NONE
from irgauge.inference.equivalence import Equivalence
from irgauge.inference.instance_models import FORMULAS, POPULATIONS, ModelName
from irgauge.inference.instance_tests import Claiming, Pair, tested_by_squares
from irgauge.inference.outcomes import differences
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.deciding import of_instances
from irgauge.provenance import Provenance
from irgauge.replicates import facts as data_facts
from irgauge.replicates.instances import InstanceScores, labelled
from irgauge.replicates.labels import Label
from irgauge.replicates.measured import Measured
from irgauge.scoring.ranges import Range, cut, of_differences, range_of
from irgauge.studies.gate.outcome import OUTCOMES, Evidence, MeasureGated
from irgauge.studies.gate.sides import Side
from irgauge.studies.gate.wanted import Wanted

_MODEL: ModelName = "nested"


class _Tested(NamedTuple):
    """The two sides by one measure."""

    scores: InstanceScores
    squares: TwoAlgorithms
    tests: Equivalence  # of one pair, at the measure's share of α


def by_runs(measured: Measured, baseline: Side, candidate: Side, wanted: Sequence[Wanted], alpha: float) -> Evidence:
    """What the two say over their runs and topics, by each measure at its share of α (Bonferroni)."""
    labels = [Label(side.name, run) for side in (baseline, candidate) for run in side.runs]
    pair = Pair(candidate.name, baseline.name)
    scores = measured.scores.values  # measure, topic, run, 1
    share, found = alpha / len(wanted), []
    for one, values in zip(wanted, scores, strict=True):
        mean = float(values[:, : len(baseline.runs)].mean())  # of the baseline
        margin = one.margin.of(mean, range_of(one.measure, values))
        claiming = Claiming(margin, share, NONE.name)
        found.append(_tested(labelled(measured.only(one.measure).scores, labels), pair, claiming))
    each = tuple(_measure(one, pair, len(wanted), measured.missing.topics) for one in found)
    how = _provenance(found, measured, wanted, alpha)
    return Evidence(each, POPULATIONS[_MODEL], how, found[0].scores.unchanging)


def _tested(scores: InstanceScores, pair: Pair, claiming: Claiming) -> _Tested:
    first, second = (scores.cells()[scores.algorithm_of == scores.algorithms.index(name)] for name in pair)
    squares = TwoAlgorithms.of(first, second)
    return _Tested(scores, squares, tested_by_squares({pair: squares}, _MODEL, 2, claiming).tests)


def _measure(found: _Tested, pair: Pair, measures: int, missing: Sequence[str]) -> MeasureGated:
    """What one measure says; some runs may not answer some topics."""
    tests, topics = found.tests, _topics(found, pair, missing)
    verdict, share = tests.verdicts[0], tests.alpha
    ends, inner = (_around(tests, level, found.scores.range) for level in (share, 2 * share))
    return MeasureGated(
        measure=topics.measure,
        baseline_mean=float(topics.other.mean()),
        candidate_mean=float(topics.score.mean()),
        difference=float(topics.difference.mean()),
        low=ends[0],
        high=ends[1],
        margin_low=inner[0],
        margin_high=inner[1],
        p=min(1.0, measures * float(tests.p_difference[0])),
        margin=tests.margin,
        verdict=verdict,
        needed=of_instances(found.squares, tests.margin, share) if OUTCOMES[verdict] == "undecided" else None,
        topics=topics,
    )


def _around(tests: Equivalence, alpha: float, within: Range | None) -> tuple[float, float]:
    half = tests.parts.half_width(alpha)
    low, high = cut(tests.difference - half, tests.difference + half, of_differences(within))
    return float(low[0]), float(high[0])


def _topics(found: _Tested, pair: Pair, missing: Sequence[str]) -> PairOnTopics:
    """The means of runs on each topic."""
    both = np.stack([found.squares.first.means, found.squares.second.means], axis=1)  # topic, side
    return PairOnTopics(
        measure=str(found.scores.measure),
        pair=0,
        system=pair.first,
        against=pair.second,
        topics=found.scores.topics,
        score=both[:, 0],
        other=both[:, 1],
        difference=differences(both, np.array([0]), np.array([1]))[:, 0],
        is_missing=np.isin(found.scores.topics, missing),
    )


def _provenance(found: Sequence[_Tested], measured: Measured, wanted: Sequence[Wanted], alpha: float) -> Provenance:
    first, count = found[0].scores, len(found)
    margins = [one.tests.margin for one in found]
    of_measures = {str(one.measure): one.margin.fact(margin) for one, margin in zip(wanted, margins, strict=True)}
    return Provenance.of(
        facts.model(_MODEL),
        facts.formula(FORMULAS[_MODEL]),
        facts.variances("own"),
        facts.correction(BONFERRONI.name if count > 1 else None),
        facts.family(f"1 pair, by {count} measures together" if count > 1 else None),
        facts.alpha(alpha),
        facts.population(POPULATIONS[_MODEL]),
        data_facts.instances(dict(zip(first.algorithms, first.instance_counts.tolist(), strict=True))),
        measured.provenance.without("systems", "keep_systems", "corpus_size", "documents"),
        data_facts.measures(tuple(of_measures)),
        facts.margins(of_measures),
    )
