from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irgauge.papers.published import CONFIDENCE, Computed, Printed, Verdict, judge, reach


def printed(text: str) -> Printed:
    return Printed("trec8", ("row", "column"), text)


def verdict(text: str, ours: Computed | bool, values: int = 1) -> Verdict:  # noqa: FBT001  # a result
    return judge(printed(text), ours, values, "why").verdict


def test_a_fixed_value_is_exact_or_differs() -> None:
    assert verdict("0.3991", Computed(0.39914)) == Verdict.EXACT
    assert verdict("0.3991", Computed(0.39916)) == Verdict.DIFFERS


def test_a_statement_holds_or_not() -> None:
    assert verdict("yes", ours=True) == Verdict.EXACT
    assert verdict("yes", ours=False) == Verdict.DIFFERS
    with pytest.raises(TypeError, match="a statement"):
        verdict("yes", Computed(1.0))


def test_only_what_differs_has_a_reason() -> None:
    assert judge(printed("1.0"), Computed(1.0), 1, "why").reason == ""
    assert judge(printed("1.0"), Computed(2.0), 1, "why").reason == "why"


def test_z_is_what_rounding_leaves_of_the_difference_in_its_standard_errors() -> None:
    draws = np.array([1.0, 2.0, 3.0, 6.0])
    found = judge(printed("5.0"), Computed.over(draws), 1, "")
    assert found.difference == pytest.approx(-2)
    assert found.z == pytest.approx(-1.95 / (draws.std(ddof=1) * np.sqrt(1 + 1 / 4)))  # 5.0 is all from 4.95 on
    assert judge(printed("3"), Computed.over([3.1, 3.3]), 1, "").z == 0
    of_means = judge(printed("5.0"), Computed.over(draws, printed_draws=10), 1, "")
    assert of_means.z == pytest.approx(-1.95 / (draws.std(ddof=1) * np.sqrt(1 / 10 + 1 / 4)))


def test_the_interval_is_students_for_one_more_draw() -> None:
    draws = np.array([1.0, 2.0, 3.0, 6.0])
    quantile = stats.t(3).ppf(1 - (1 - CONFIDENCE) / 2 / 7)
    assert reach(Computed.over(draws), 7) == pytest.approx(quantile * draws.std(ddof=1) * np.sqrt(1.25), rel=1e-9)


@pytest.mark.parametrize("printed_draws", [1, 10])
def test_all_values_of_a_table_are_within_sampling_as_often_as_said(printed_draws: int) -> None:
    """Independent normal values: the Bonferroni bound is all but reached."""
    rng = np.random.default_rng(5)
    tables, values, draws = 2000, 6, 10
    ours = rng.normal(0.5, 0.1, (tables, values, draws))
    theirs = rng.normal(0.5, 0.1 / np.sqrt(printed_draws), (tables, values))
    all_in = 0
    for table in range(tables):
        pairs = zip(ours[table], theirs[table], strict=True)
        found = [verdict(f"{value:.12f}", Computed.over(mine, printed_draws), values) for mine, value in pairs]
        all_in += all(one == Verdict.SAMPLING for one in found)
    assert stats.binomtest(all_in, tables, CONFIDENCE).pvalue > 1e-3


def test_draws_that_all_agree_are_within_sampling_of_themselves_only() -> None:
    same = Computed.over([7, 7, 7])
    assert Computed.over([0.1] * 20).sd == 0
    assert verdict("7", same) == Verdict.SAMPLING
    assert verdict("8", same) == Verdict.DIFFERS
    assert judge(printed("8"), same, 1, "").z is None


def test_a_mean_over_draws_may_be_printed_as_below_something() -> None:
    assert verdict("<1e-2", Computed.over([0.002, 0.004])) == Verdict.SAMPLING
    assert verdict("<1e-2", Computed.over([0.5, 0.5001])) == Verdict.DIFFERS
