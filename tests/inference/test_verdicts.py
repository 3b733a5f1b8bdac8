"""Verdicts against t-tests of scipy and statsmodels, what may never change them, and what can be found."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import optimize, stats
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import ttost_paired

from calibration.rates import assert_about
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.flips import max_t
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.tukey import tukey
from irgauge.inference.verdicts import Verdict, Verdicts, by_margin, by_test, detectable, mirrored, same_scores
from irgauge.models.anova import fit

Values = NDArray[np.float64]
Test = Callable[..., Comparison]
ALPHA, MARGIN, TOPICS = 0.05, 0.04, 40
SHIFTS = (0.12, -0.12, 0.0, 0.03, -0.03, 0.0)  # of systems against the baseline; the last one varies widely
SPREADS = (0.05, 0.05, 0.05, 0.1, 0.1, 0.2)


def experiment(seed: int = 2, *, is_exact: bool = True) -> tuple[Values, list[str]]:
    """A baseline and six systems, values[topic, system]; exact where the differences have these very moments."""
    rng = np.random.default_rng(seed)
    baseline, noise = 0.4 + rng.normal(0, 0.1, (TOPICS, 1)), rng.normal(size=(TOPICS, len(SHIFTS)))
    d = np.array(SHIFTS) + np.array(SPREADS) * (stats.zscore(noise, axis=0) if is_exact else noise)
    return np.hstack([baseline, baseline + d]), ["base", *(f"s{system}" for system in range(len(SHIFTS)))]


def with_margin(
    values: Values, names: list[str], margin: float, baseline: str, alpha: float = ALPHA, correction: str = "holm"
) -> tuple[Comparison, Verdicts]:
    """By paired t, at α and at 2α."""
    found, wide = (
        paired_t(values, names, alpha=one, correction=correction, baseline=baseline) for one in (alpha, 2 * alpha)
    )
    return found, by_margin(found, wide, margin, same_scores(values, found.first, found.second))


def named(found: Comparison, verdicts: Verdicts) -> dict[str, Verdict]:
    """The verdict on each system against the baseline."""
    return {first: verdict for (first, _), verdict in zip(found.names, verdicts.verdicts, strict=True)}


def by_scipy(first: Values, second: Values, margin: float, tests: int) -> str:
    """Each claim by a test of its own, Bonferroni over the pairs."""
    d = first - second
    level = ALPHA / tests
    not_worse = stats.ttest_1samp(d, -margin, alternative="greater").pvalue <= level
    not_better = stats.ttest_1samp(d, margin, alternative="less").pvalue <= level
    _, lower, upper = ttost_paired(first, second, -margin, margin)
    assert (not_worse, not_better) == (lower[1] <= level, upper[1] <= level)
    if not_worse and not_better:
        return "equivalent"
    if stats.ttest_rel(first, second).pvalue <= level:
        return "better" if d.mean() > 0 else "worse"
    return "not worse" if not_worse else "not better" if not_better else "inconclusive"


@pytest.mark.parametrize("margin", [0.005, 0.02, MARGIN, 0.08, 0.3])
@pytest.mark.parametrize("seed", range(5))
def test_verdicts_are_those_of_one_test_a_claim(margin: float, seed: int) -> None:
    values, names = experiment(seed, is_exact=False)
    found, verdicts = with_margin(values, names, margin, "base")
    expected = {
        name: by_scipy(values[:, place], values[:, 0], margin, len(SHIFTS)) for place, name in enumerate(names) if place
    }
    assert named(found, verdicts) == expected


def test_all_six_verdicts_are_reached() -> None:
    found, verdicts = with_margin(*experiment(), MARGIN, "base")
    assert named(found, verdicts) == {
        "s0": "better",
        "s1": "worse",
        "s2": "equivalent",
        "s3": "not worse",
        "s4": "not better",
        "s5": "inconclusive",
    }


def test_the_intervals_are_those_of_two_one_sided_tests_for_all_pairs_together() -> None:
    values, names = experiment()
    found, verdicts = with_margin(values, names, MARGIN, "base")
    assert verdicts.margin == MARGIN
    assert verdicts.low is not None
    assert verdicts.high is not None
    for (first, _), *ends in zip(found.names, found.low, found.high, verdicts.low, verdicts.high, strict=True):
        d = values[:, names.index(first)] - values[:, 0]
        by_level = (stats.t.interval(1 - level / 6, TOPICS - 1, d.mean(), stats.sem(d)) for level in (ALPHA, 2 * ALPHA))
        assert ends == pytest.approx([end for pair in by_level for end in pair], rel=1e-9)


def test_without_a_margin_the_test_decides() -> None:
    values, names = experiment()
    found = paired_t(values, names, correction="holm", baseline="base")
    verdicts = by_test(found, same_scores(values, found.first, found.second))
    p = {name: stats.ttest_rel(values[:, place], values[:, 0]).pvalue for place, name in enumerate(names) if place}
    assert named(found, verdicts) == {name: _by_holm(name, p, values, names) for name in p}
    assert (verdicts.margin, verdicts.low, verdicts.high) == (None, None, None)


def _by_holm(name: str, p: dict[str, float], values: Values, names: list[str]) -> str:
    """All smaller p-values, and this one, pass their steps."""
    ordered = sorted(p, key=lambda one: p[one])
    steps = ordered[: ordered.index(name) + 1]
    if any(p[one] > ALPHA / (len(p) - step) for step, one in enumerate(steps)):
        return "inconclusive"
    return "better" if values[:, names.index(name)].mean() > values[:, 0].mean() else "worse"


# what may never change a verdict

Drawn = st.tuples(st.integers(0, 10**6), st.floats(-0.1, 0.1), st.floats(0.001, 0.2), st.integers(2, 30))
MARGINS = st.floats(0.001, 0.2)
few = settings(deadline=None, max_examples=40)
STRONGER: dict[Verdict, set[Verdict]] = {  # what a larger margin may turn a verdict into
    "better": {"better", "equivalent"},
    "worse": {"worse", "equivalent"},
    "equivalent": {"equivalent"},
    "not worse": {"not worse", "equivalent"},
    "not better": {"not better", "equivalent"},
    "inconclusive": {"inconclusive", "not worse", "not better", "equivalent"},
}


def drawn(seed: int, shift: float, sd: float, topics: int) -> Values:
    """Three systems whose differences have this mean and this standard deviation."""
    rng = np.random.default_rng(seed)
    return 0.5 + rng.normal(0, 0.1, (topics, 1)) + rng.normal([0, shift, -shift], sd, (topics, 3))


def verdict(values: Values, margin: float, first: int = 1, second: int = 0, alpha: float = ALPHA) -> Verdict:
    names = ["a", "b", "c"]
    return named(*with_margin(values, names, margin, names[second], alpha))[names[first]]


@few
@given(Drawn, MARGINS)
def test_swapping_the_two_systems_mirrors_the_verdict(world: tuple[int, float, float, int], margin: float) -> None:
    there, back = verdict(drawn(*world), margin, 1, 0), verdict(drawn(*world), margin, 0, 1)
    assert back == mirrored(there)
    assert mirrored(back) == there


@few
@given(Drawn, MARGINS, st.integers(-6, 6), st.floats(-2, 2))
def test_another_unit_or_zero_changes_no_verdict(
    world: tuple[int, float, float, int], margin: float, power: int, shift: float
) -> None:
    values, unit = drawn(*world), 2.0**power
    assert verdict(unit * values, unit * margin) == verdict(values, margin) == verdict(values + shift, margin)


@few
@given(Drawn, MARGINS, st.floats(1, 20))
def test_a_larger_margin_takes_no_claim_back(world: tuple[int, float, float, int], margin: float, times: float) -> None:
    assert verdict(drawn(*world), times * margin) in STRONGER[verdict(drawn(*world), margin)]


@few
@given(Drawn, MARGINS, st.floats(0.001, 1))
def test_a_stricter_level_makes_no_new_claim_about_the_margin(
    world: tuple[int, float, float, int], margin: float, share: float
) -> None:
    strict, loose = (verdict(drawn(*world), margin, alpha=alpha) for alpha in (share * ALPHA, ALPHA))
    for claim in ({"better", "equivalent", "not worse"}, {"worse", "equivalent", "not better"}):
        assert strict not in claim or loose in claim


@few
@given(Drawn, MARGINS)
def test_what_is_better_by_the_margin_is_so_without_one(world: tuple[int, float, float, int], margin: float) -> None:
    """Holm's test finds what the intervals, Bonferroni's, find, and more."""
    found, verdicts = with_margin(drawn(*world), ["a", "b", "c"], margin, "a")
    plain = by_test(found, np.zeros(2, bool)).verdicts
    assert all(one == other for one, other in zip(verdicts.verdicts, plain, strict=True) if one in ("better", "worse"))


# systems with the same scores, or that differ by a constant


def test_systems_with_the_same_scores_are_equivalent_and_others_are_not() -> None:
    values = drawn(1, 0.0, 0.05, 20)
    same = np.column_stack((values, values[:, 1]))
    found, verdicts = with_margin(same, ["a", "b", "c", "copy"], 0.001, "b")
    pairs = same_scores(
        same[:, [["a", "b", "c", "copy"].index(name) for name in found.systems]], found.first, found.second
    )
    assert named(found, verdicts)["copy"] == "equivalent"
    assert named(found, by_test(found, pairs)) == {"a": "inconclusive", "c": "inconclusive", "copy": "equivalent"}
    assert dict(zip(found.names, detectable(found), strict=True))[("copy", "b")] == 0


@given(st.lists(st.lists(st.integers(0, 1), min_size=4, max_size=4), min_size=1, max_size=3))
def test_same_scores_are_found_column_by_column(rows: list[list[int]]) -> None:
    values = np.array(rows, float)
    first, second = np.triu_indices(4, 1)
    expected = [bool((values[:, u] == values[:, v]).all()) for u, v in zip(first, second, strict=True)]
    assert same_scores(values, first, second).tolist() == expected


@pytest.mark.parametrize(("constant", "expected"), [(0.5, "inconclusive"), (-0.125, "inconclusive"), (0, "equivalent")])
def test_a_constant_difference_decides_nothing_unless_it_is_none(constant: float, expected: Verdict) -> None:
    values = np.round(drawn(1, 0.0, 0.05, 20) * 256) / 256
    values[:, 1] = values[:, 0] + constant
    assert verdict(values, 0.25) == expected


@pytest.mark.parametrize("margin", [0.0, -0.1, math.nan, math.inf])
def test_a_margin_that_is_not_above_0_is_refused(margin: float) -> None:
    with pytest.raises(DesignError, match="above 0"):
        with_margin(*experiment(), margin, "base")


# what the experiment could have found


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm"])
@pytest.mark.parametrize("topics", [3, 10, 40])
def test_what_can_be_found_is_that_of_statsmodels(correction: str, topics: int) -> None:
    values, names = experiment()
    found = paired_t(values[:topics], names, correction=correction, baseline="base")
    level = ALPHA if correction == "none" else ALPHA / len(SHIFTS)
    effect = TTestPower().solve_power(nobs=topics, alpha=level / 2, power=0.8, alternative="larger")
    for (first, _), ours in zip(found.names, detectable(found), strict=True):
        d = values[:topics, names.index(first)] - values[:topics, 0]
        assert ours == pytest.approx(effect * d.std(ddof=1), rel=1e-5)


@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_what_can_be_found_by_tukey_is_that_of_noncentral_t(power: float) -> None:
    values, names = experiment()
    found = by_tukey(values, names)
    assert found.error_ms is not None
    q = stats.studentized_range.ppf(1 - ALPHA, len(names), found.df) / math.sqrt(2)
    moved = optimize.brentq(lambda nc: stats.nct.sf(q, found.df, nc) - power, 0, 20)
    assert found.df == (TOPICS - 1) * len(SHIFTS)
    assert detectable(found, power) == pytest.approx(moved * math.sqrt(2 * found.error_ms / TOPICS), rel=1e-5)


def by_tukey(values: Values, names: list[str], **options: object) -> Comparison:
    return tukey(fit(values[:, :, None], "MD1"), names, population="topics", **options)  # type: ignore[arg-type]  # options of several types


def test_what_can_be_found_goes_with_the_spread_and_nothing_is_found_by_an_endless_interval() -> None:
    values, names = experiment()
    found = paired_t(values, names, correction="holm", baseline="base")
    assert np.argsort(detectable(found)).tolist() == np.argsort(found.se).tolist()
    endless = replace(found, low=np.full(6, -np.inf), high=np.full(6, np.inf))
    assert np.isinf(detectable(endless)).all()


TRIALS = 300
FINDING: dict[str, Test] = {
    "t": lambda values, names: paired_t(values, names, correction="bonferroni", baseline="0"),
    "tukey": by_tukey,
    "max-t": lambda values, names: max_t(values, names, draws=499, seed=1, baseline="0"),
}


@pytest.mark.parametrize("test", FINDING)
def test_a_difference_that_can_be_found_is_found_four_times_in_five(test: str) -> None:
    """Four systems of equal spread 0.1 on 30 topics: the second is ahead by what the test is said to find."""
    rng, names, topics, sd = np.random.default_rng(4), ["0", "1", "2", "3"], 30, 0.1
    noise = rng.normal(0, sd, (TRIALS, topics, 4))
    one = FINDING[test](noise[0], names)
    ratio = np.median(detectable(one) / one.se)  # the same for all pairs, but for the draws of max-t
    moved = noise + ratio * sd * math.sqrt(2 / topics) * np.array([0, 1, 0, 0])
    found = sum(("1", "0") in _significant(FINDING[test](values, names)) for values in moved)
    assert_about(found, TRIALS, 0.8)


def _significant(one: Comparison) -> set[tuple[str, str]]:
    return {pair for pair, differs in zip(one.names, one.significant, strict=True) if differs}
