"""What papers claim of tests, asked of worlds drawn from scores: worlds, tests and rules against slow versions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from irgauge.compute.arrays import Floats
from irgauge.papers.published import papers
from irgauge.papers.which_test import rates
from irgauge.papers.which_test.claims import CLAIMS
from irgauge.papers.which_test.worlds import EQUAL_MEANS, EXCHANGEABLE, NULLS, SYMMETRIC, family


def skewed(topics: int = 60, systems: int = 6) -> Floats:
    """Scores with rare large gains of some systems, and rare large losses of others."""
    rng = np.random.default_rng(4)
    turns = np.where(np.arange(systems) % 2, -1.0, 1.0)
    return 0.4 + rng.exponential(0.1, (topics, systems)) * turns + rng.normal(0, 0.01, (topics, systems))


def test_every_printed_claim_has_its_rule() -> None:
    for paper, rules in CLAIMS.items():
        printed = papers()[paper].exhibits["claims"].values
        assert {value.key for value in printed} == {(claim, null) for claim in rules for null in NULLS}
        assert {value.text for value in printed} == {"yes"}


def test_worlds_have_the_hypothesis_of_their_name() -> None:
    scores, rng = skewed(), np.random.default_rng(1)
    drawn = {null: family(scores, null, 40_000, 6, rng) for null in NULLS}
    first = {null: values[:, 0] - values[:, 1] for null, values in drawn.items()}
    for d in first.values():
        assert abs(d.mean()) < 4 * d.std() / np.sqrt(len(d))
    assert abs(stats.skew(first[EQUAL_MEANS])) > 0.2
    assert abs(stats.skew(first[SYMMETRIC])) < 0.1
    assert abs(stats.skew(first[EXCHANGEABLE])) < 0.1
    # exchangeable systems have one distribution each, the others keep their own
    ends = {null: [stats.skew(values[:, k]) for k in range(6)] for null, values in drawn.items()}
    assert np.ptp(ends[EXCHANGEABLE]) < 0.2
    assert np.ptp(ends[EQUAL_MEANS]) > 1


def test_p_values_against_scipy_and_a_loop() -> None:
    rng = np.random.default_rng(2)
    d = rng.normal(0.03, 0.1, (20, 5)).round(2)
    p = {test: rates.p_of(test, d, np.random.default_rng(3)) for test in rates.TESTS}
    for k, column in enumerate(d.T):
        more, fewer = int((column > 0).sum()), int((column < 0).sum())
        assert p["sign"][k] == pytest.approx(stats.binomtest(more, more + fewer).pvalue)
        assert p["t"][k] == pytest.approx(stats.ttest_1samp(column, 0).pvalue)
        assert p["wilcoxon"][k] == pytest.approx(stats.wilcoxon(column).pvalue)
        sums = rng.choice(column - column.mean(), (20_000, 20)).sum(axis=1)
        share = float((np.abs(sums) >= abs(column.sum()) - 1e-9).mean())
        assert p["bootstrap"][k] == pytest.approx(share, abs=5 * np.sqrt(share * (1 - share) / rates.DRAWS) + 0.002)
        flips = float((np.abs(rng.choice((-1, 1), (20_000, 20)) @ column) >= abs(column.sum()) - 1e-9).mean())
        assert p["permutation"][k] == pytest.approx(flips, abs=5 * np.sqrt(flips * (1 - flips) / rates.DRAWS) + 0.002)


def test_ranks_err_where_means_alone_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "TRIALS", 200)
    monkeypatch.setattr(rates, "FAMILIES", 60)
    monkeypatch.setattr(rates, "DRAWS", 199)
    counted = rates.rates(skewed(), seed=1)
    assert counted.errors[EQUAL_MEANS, rates.MANY, "wilcoxon"] > 0.3
    for null, topics, test in counted.errors:
        if topics == rates.MANY and (test == "t" or null != EQUAL_MEANS):
            assert counted.errors[null, topics, test] < 0.12
    grow = CLAIMS["urbano-lima-hanjalic-2019"]["Wilcoxon's and the sign test err more with more topics"]
    assert [grow(counted, null) for null in NULLS] == [False, False, True]
    assert counted == rates.rates(skewed(), seed=1)


def test_a_rule_breaks_where_a_rate_is_surely_too_high() -> None:
    errors = {(null, topics, test): 0.05 for null in NULLS for topics in (25, 50, 1000) for test in rates.TESTS}
    counted = rates.Rates(errors, errors, {}, {})
    rule = CLAIMS["parapar-2020"]["Wilcoxon's and the sign test keep their rate"]
    assert rule(counted, SYMMETRIC)
    assert not rule(replace(counted, errors=errors | {(SYMMETRIC, 50, "sign"): 0.1}), SYMMETRIC)
