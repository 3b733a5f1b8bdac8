"""One run of each: the guarded paired t-test over topics, as in `compare`, all measures corrected together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from irgauge.errors import DesignError
from irgauge.inference.tests.skewed_t import SKEWED_T
from irgauge.inference.verdicts import Verdicts
from irgauge.planning.deciding import Needed, of_runs
from irgauge.replicates.given import Data
from irgauge.studies.compare.by_topic import on_topics
from irgauge.studies.compare.study import MeasureCompared, compare
from irgauge.studies.gate.outcome import OUTCOMES, Evidence, MeasureGated
from irgauge.studies.gate.wanted import Wanted

_TEST = SKEWED_T.name  # differences of two versions of a system are often 0, with few large ones


def by_topics(data: Data, baseline: str, wanted: Sequence[Wanted], alpha: float) -> Evidence:
    """What a comparison of two systems says."""
    found = compare(
        data,
        [one.measure for one in wanted],
        baseline=baseline,
        margin={str(one.measure): one.margin for one in wanted},
        test=_TEST,
        measures_family=True,
        alpha=alpha,
    )
    return Evidence(tuple(map(_measure, found.each)), found.comparison.population, found.provenance)


def _measure(one: MeasureCompared) -> MeasureGated:
    tests, claims = one.comparison, one.verdict
    means = dict(zip(tests.systems, tests.means.tolist(), strict=True))
    (topics,) = on_topics(one.scored, tests)
    (margin, low, high), verdict = _by_margin(claims), claims.verdicts[0]
    return MeasureGated(
        measure=one.measure,
        baseline_mean=means[topics.against],
        candidate_mean=means[topics.system],
        difference=float(topics.difference.mean()),
        low=float(tests.low[0]),
        high=float(tests.high[0]),
        margin_low=low,
        margin_high=high,
        p=float(tests.p[0]),
        margin=margin,
        verdict=verdict,
        needed=_needed(one, margin) if OUTCOMES[verdict] == "undecided" else None,
        topics=topics,
    )


def _by_margin(claims: Verdicts) -> tuple[float, float, float]:
    """The margin, and the interval that what is said of it rests on."""
    if claims.margin is None or claims.low is None or claims.high is None:
        raise DesignError("a gate needs a margin")
    return claims.margin, float(claims.low[0]), float(claims.high[0])


def _needed(one: MeasureCompared, margin: float) -> Needed:
    tests = one.comparison
    deviation = float(tests.se[0]) * math.sqrt(tests.topics)  # of the difference, from topic to topic
    return of_runs(float(tests.difference[0]), deviation, margin, tests.level)
