"""Thinned judgments: numbers against judgments that are cut by hand, what is said, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import irgauge as ig
from conftest import Golden
from irgauge.conversion import to_dicts
from irgauge.inference.discriminative import randomised_hsd
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate

COLLECTION = simulate(
    Design(systems=6, families=2, topics=40, depth=50, corpus_size=400, relevant_median=12, seed=4)
).collection()
MEASURES = ["AP", "infAP"]


def cut_by_hand(depth: int) -> ig.Collection:
    """The runs with judgments of their top documents alone; others are in the pool, and not judged."""
    qrels, runs = to_dicts(COLLECTION).qrels, to_dicts(COLLECTION).runs
    cut = {}
    for topic, own in qrels.items():
        lists = [runs[system][topic] for system in COLLECTION.systems]
        tops = {doc for run in lists for doc in sorted(run, key=lambda doc: (run[doc], doc))[::-1][:depth]}
        cut[topic] = {doc: grade if doc in tops else -1 for doc, grade in own.items()}
    return ig.load(cut, runs, warn=False)


def test_numbers_are_those_of_judgments_cut_by_hand(golden: Golden) -> None:
    result = ig.thinning(COLLECTION, MEASURES, way="depth", sizes=[4], draws=199, seed=3)
    every, few = (score(one, MEASURES).filled().values[..., 0] for one in (COLLECTION, cut_by_hand(4)))
    means, fewer = every.mean(axis=1).round(12), few.mean(axis=1).round(12)  # measure, system
    for m, measure in enumerate(MEASURES):
        row = result[measure, "4"]
        assert row.tau == pytest.approx(stats.kendalltau(means[m], fewer[m]).statistic)
        assert row.mean == pytest.approx(fewer[m].mean())
        moved = (fewer[m] - fewer[m].mean()) - (means[m] - means[m].mean())
        assert row.rmse == pytest.approx(np.sqrt((moved**2).mean()))
        found = randomised_hsd(few[m], COLLECTION.systems, draws=199, seed=3).found
        assert row.power == found.mean()
        whole = result[measure, "all"]
        assert (whole.tau, whole.tau_ap, whole.rmse) == (1, 1, 0)
    between = {pair.pool: pair.tau for pair in result.pairs}
    expected = {"all": stats.kendalltau(*means).statistic, "4": stats.kendalltau(*fewer).statistic}
    assert between == pytest.approx(expected)
    golden([finding.text for finding in result.findings()])
    assert not any(finding.claims for finding in result.findings())
    for name, field in (("order", "tau"), ("power", "power")):
        left = {measure: getattr(result[measure, "4"], field) for measure in result.measures}
        (most, value), *_ = sorted(left.items(), key=lambda item: (item[1], item[0]), reverse=True)
        title = result.chart(name).title
        assert title.startswith("With a pool of depth 4, ")
        assert f" {value:.2f} by {most} to " in title


def test_repeats_are_drawn_and_their_range_is_said() -> None:
    result = ig.thinning(COLLECTION, "AP", sizes=[20, 60], repeats=4, draws=99)
    assert result.pools == ("all", "60 %", "20 %")
    row = result["AP", "20 %"]
    assert row.tau is not None
    assert row.tau_low is not None
    assert row.tau_high is not None
    assert row.tau_low < row.tau < row.tau_high
    again = ig.thinning(COLLECTION, "AP", sizes=[20, 60], repeats=4, draws=99)
    assert again.rows == result.rows
    assert ig.thinning(COLLECTION, "AP", sizes=[20, 60], repeats=4, draws=99, seed=1).rows != result.rows


def test_impossible_sizes_and_too_few_systems_are_refused() -> None:
    for way, sizes, allowed in (("random", [100], "per cent from 1 to 99"), ("depth", [0], "depths from 1")):
        with pytest.raises(ig.DesignError, match=allowed):
            ig.thinning(COLLECTION, "AP", way=way, sizes=sizes)  # type: ignore[arg-type]  # a text
    with pytest.raises(ig.DesignError, match="at least 3 systems"):
        ig.thinning(COLLECTION.only([0, 1]), "AP")
    with pytest.raises(ig.DesignError, match="the way 'deep' is unknown"):
        ig.thinning(COLLECTION, "AP", way="deep")  # type: ignore[arg-type]  # a typing error
