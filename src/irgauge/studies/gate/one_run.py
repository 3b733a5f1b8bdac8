"""One run of each: the guarded paired t-test over topics, all measures corrected together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from irgauge.inference import facts
from irgauge.inference.by_topic import in_order, on_topics
from irgauge.inference.comparison import Comparison
from irgauge.inference.families import corrected_together, share_of
from irgauge.inference.margins import check_level_of_margin
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.skewed_t import SKEWED_T
from irgauge.inference.verdicts import by_margin, same_scores
from irgauge.planning.deciding import Needed, of_runs
from irgauge.provenance import Provenance
from irgauge.replicates import facts as data_facts
from irgauge.replicates.measured import Measured
from irgauge.replicates.undefined import worst_shares
from irgauge.scoring.ranges import Range, range_of
from irgauge.studies.gate.outcome import OUTCOMES, Evidence, MeasureGated
from irgauge.studies.gate.wanted import Wanted
from irgauge.studies.tested import facts_of

_TEST = SKEWED_T  # differences of two versions of a system are often 0, with few large ones


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
        return self.wanted.margin.of(float(self.tests.means[self.tests.second[0]]), self.range)


def by_topics(measured: Measured, baseline: str, wanted: Sequence[Wanted], alpha: float) -> Evidence:
    """What a comparison of two systems says."""
    check_level_of_margin(alpha)
    scores = [measured.only(one.measure) for one in wanted]
    tests, wide = (_compared(scores, baseline, level) for level in (alpha, 2 * alpha))
    found = [_Tested(*one) for one in zip(wanted, scores, tests, wide, strict=True)]
    return Evidence(tuple(map(_measure, found)), tests[0].population, _provenance(found))


def _compared(scores: Sequence[Measured], baseline: str, alpha: float) -> tuple[Comparison, ...]:
    """The two by each measure at its share of α, all of them one family."""
    correction = _TEST.corrected_by.name
    share = share_of(alpha, len(scores), correction)
    each = [
        Experiment(one.values(), one.scores.systems, alpha=share, correction=correction, baseline=baseline)
        for one in scores
    ]
    return corrected_together([_TEST.compare(experiment) for experiment in each], alpha)


def _measure(found: _Tested) -> MeasureGated:
    tests, margin = found.tests, found.margin
    (topics,) = on_topics(found.scores, tests)
    same = same_scores(in_order(found.scores, tests), tests.first, tests.second)
    verdict = by_margin(tests, found.wide, margin, same).verdicts[0]
    ends, inner = (one.within(found.range) for one in (tests, found.wide))  # what is possible
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
        margin=margin,
        verdict=verdict,
        needed=_needed(tests, margin) if OUTCOMES[verdict] == "undecided" else None,
        topics=topics,
    )


def _needed(tests: Comparison, margin: float) -> Needed:
    deviation = float(tests.se[0]) * math.sqrt(tests.topics)  # of the difference, from topic to topic
    return of_runs(float(tests.difference[0]), deviation, margin, tests.level)


def _provenance(found: Sequence[_Tested]) -> Provenance:
    first = found[0]
    shares = worst_shares(one.scores for one in found) or {}
    return Provenance.of(
        facts_of(first.tests),
        first.scores.provenance,
        data_facts.measures(tuple(str(one.wanted.measure) for one in found)),
        facts.margins({str(one.wanted.measure): one.wanted.margin.fact(one.margin) for one in found}),
        data_facts.fill(str(first.scores.measuring.fill), undefined=first.scores.undefined, shares=shares),
        replace(first.scores.sparse, shares=shares).fact,
    )
