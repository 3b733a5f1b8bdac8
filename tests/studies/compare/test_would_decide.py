"""Beside an inconclusive pair: the topics that would decide, against statsmodels and, with shards, a plan."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.power import TTestPower

import irgauge as ig
from conftest import Golden
from irgauge.planning.deciding import Needed
from irgauge.scoring.measures import Measure
from irgauge.studies.compare.study import Compared, compare
from irgauge.studies.compare.verdict_findings import decides, undecided, would_decide


def values(systems: int, shards: int = 1) -> NDArray[np.float64]:
    rng = np.random.default_rng(systems)
    means = np.linspace(0.5, 0.48, systems)[:, None]
    return np.asarray(means + rng.normal(0, 0.1, (30, systems, 1)) + rng.normal(0, 0.02, (30, systems, shards)))


def scored(y: NDArray[np.float64]) -> ig.Scores:
    topics, names, parts = (tuple(map(str, range(n))) for n in y.shape)
    return ig.Scores(y[None], (Measure("AP"),), topics, tuple(f"s{name}" for name in names), parts)


def compared(systems: int, shards: int = 1, **options: object) -> Compared:
    return compare(scored(values(systems, shards)), "AP", baseline="s0", **options)  # type: ignore[arg-type]  # as they are named


def solved(effect: float, level: float) -> int:
    """The topics of a one-sided test at that level."""
    return math.ceil(TTestPower().solve_power(effect, alpha=level, power=0.8, alternative="larger"))


@pytest.mark.parametrize("margin", [None, 0.03])
def test_the_topics_are_those_of_statsmodels(margin: float | None) -> None:
    found = compared(4, margin=margin)
    one, y = found.comparison, values(4)[:, :, 0]
    unknown = [pair for pair, verdict in enumerate(found.first.verdict.verdicts) if verdict == "inconclusive"]
    assert unknown
    for pair in unknown:
        d = y[:, int(one.names[pair][0][1:])] - y[:, 0]
        level, mean, deviation = 0.05 / 3, float(d.mean()), float(d.std(ddof=1))
        claims = {"better" if mean > 0 else "worse": solved(abs(mean) / deviation, level / 2)}
        if margin is not None:
            claims |= {"not worse": solved((mean + margin) / deviation, level)} if mean > -margin else {}
            claims |= {"not better": solved((margin - mean) / deviation, level)} if mean < margin else {}
        nearest = min(claims, key=lambda claim: claims[claim])
        assert would_decide(found.first, one, pair) == Needed(nearest, claims[nearest])  # type: ignore[arg-type]  # a claim


def test_with_shards_it_is_the_plan_for_the_difference_seen() -> None:
    found = compared(3, shards=4, population="topics+shards")
    one = found.comparison
    needed = would_decide(found.first, one, 0)
    assert needed is not None
    planned = ig.plan(scored(values(3, 4)), difference=abs(float(one.difference[0])), baseline="s0", assurance=0.5)
    pair = next(plan for plan in planned.plans if plan.pair.system == one.names[0][0])
    topics = next(design.topics for design in pair.designs if design.replicates == 4)
    assert (needed.topics is None) == (topics is None)
    assert needed.topics is None or needed.topics == pytest.approx(topics, rel=0.15)  # the median of what is left open


@pytest.mark.parametrize("test", ["wilcoxon", "max-t"])
def test_of_other_tests_nothing_is_said(test: str) -> None:
    found = compared(3, test=test)
    assert would_decide(found.first, found.comparison, 0) is None
    assert all("irgauge plan" not in one.text for one in found.findings())


def test_many_are_told_together() -> None:
    found = compared(9)
    (told,) = found.findings().of("undecided")
    verdicts = found.first.verdict.verdicts
    each = [
        would_decide(found.first, found.comparison, pair) for pair, one in enumerate(verdicts) if one == "inconclusive"
    ]
    assert told.fields["needed"] == sorted((one.topics or 100_001) for one in each if one is not None)
    assert len(told.fields["needed"]) == len(each) > 6


def test_sentences_say_how_many_and_what_tells_more(golden: Golden) -> None:
    golden(decides(Needed("better", 1234)))
    golden(decides(Needed("worse", None)))
    several = undecided(baseline="b", measure="AP", needed=[64, 250, 100_001], topics=50).text
    golden(several)
    one = undecided(baseline="b", measure="AP", needed=[64], topics=50).text
    golden(one)
