"""Beside an inconclusive pair: the new topics that would show it to be not worse, against statsmodels and a plan."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.power import TTestPower

import irgauge as ig
from conftest import Golden
from irgauge.planning.deciding import Needed
from irgauge.planning.designs import variance_freedom
from irgauge.scoring.measures import Measure
from irgauge.studies.compare.study import Compared, compare
from irgauge.studies.compare.verdict_findings import undecided, would_decide
from irgauge.studies.new_topics import new_topics


def values(systems: int, shards: int = 1) -> NDArray[np.float64]:
    rng = np.random.default_rng(systems)
    means = np.linspace(0.5, 0.48, systems)[:, None]
    return np.asarray(means + rng.normal(0, 0.1, (30, systems, 1)) + rng.normal(0, 0.02, (30, systems, shards)))


def scored(y: NDArray[np.float64]) -> ig.Scores:
    topics, names, parts = (tuple(map(str, range(n))) for n in y.shape)
    return ig.Scores(y[None], (Measure("AP"),), topics, tuple(f"s{name}" for name in names), parts)


def compared(systems: int, shards: int = 1, **options: object) -> Compared:
    return compare(scored(values(systems, shards)), "AP", baseline="s0", **options)  # type: ignore[arg-type]  # as they are named


def solved(d: NDArray[np.float64], margin: float, level: float) -> int:
    """The topics of a one-sided test at that level, of a deviation that a tenth of what d leaves open exceeds."""
    df = variance_freedom(d)
    deviation = d.std(ddof=1) * math.sqrt(df / stats.chi2.ppf(0.1, df))
    return math.ceil(TTestPower().solve_power(margin / deviation, alpha=level, power=0.8, alternative="larger"))


@pytest.mark.parametrize(("margin", "factor", "amount"), [(0.03, 1.0, 0.03), ("6%", 0.94, None)])
def test_the_topics_are_those_of_statsmodels(margin: float | str, factor: float, amount: float | None) -> None:
    found = compared(4, margin=margin)
    one, y = found.comparison, values(4)[:, :, 0]
    unknown = [pair for pair, verdict in enumerate(found.first.verdict.verdicts) if verdict == "inconclusive"]
    assert unknown
    for pair in unknown:
        d = y[:, int(one.names[pair][0][1:])] - factor * y[:, 0]
        needed = would_decide(found.first, one, pair)
        assert needed is not None
        assert needed.topics == pytest.approx(solved(d, amount or 0.06 * y[:, 0].mean(), 0.05 / 3), rel=0.01)


def test_without_a_margin_nothing_is_said_as_the_difference_may_be_nothing() -> None:
    found = compared(4)
    assert "inconclusive" in found.first.verdict.verdicts
    assert would_decide(found.first, found.comparison, 0) is None
    assert all("new topics" not in one.text for one in found.findings())


def test_with_shards_it_is_the_plan_for_the_margin() -> None:
    found = compared(3, shards=4, population="topics+shards", margin=0.05)
    one = found.comparison
    needed = would_decide(found.first, one, 0)
    assert needed is not None
    planned = ig.plan(scored(values(3, 4)), difference=0.05, alpha=0.1, baseline="s0", assurance=0.9)
    pair = next(plan for plan in planned.plans if plan.pair.system == one.names[0][0])
    topics = next(design.topics for design in pair.designs if design.replicates == 4)
    assert topics is not None
    assert needed.topics == max(30, topics)


@pytest.mark.parametrize("test", ["wilcoxon", "max-t"])
def test_of_other_tests_nothing_is_said(test: str) -> None:
    found = compared(3, test=test, margin=0.02)
    assert would_decide(found.first, found.comparison, 0) is None


def test_many_are_told_together() -> None:
    found = compared(9, margin=0.02)
    (told,) = found.findings().of("undecided")
    verdicts = found.first.verdict.verdicts
    each = [
        would_decide(found.first, found.comparison, pair) for pair, one in enumerate(verdicts) if one == "inconclusive"
    ]
    assert told.fields["needed"] == sorted((one.topics or 100_001) for one in each if one is not None)
    assert len(told.fields["needed"]) == len(each) > 6


def test_sentences_say_how_many_and_what_tells_more(golden: Golden) -> None:
    golden(new_topics(Needed(1234)))
    golden(new_topics(Needed(None)))
    several = undecided(baseline="b", measure="AP", needed=[64, 250, 100_001], topics=50).text
    golden(several)
    one = undecided(baseline="b", measure="AP", needed=[64], topics=50).text
    golden(one)
