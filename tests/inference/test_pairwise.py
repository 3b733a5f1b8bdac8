"""Tests of pairs of systems against scipy, what all tests have in common, and on TREC-8 against the papers."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from irgauge import Scores, compare
from irgauge.errors import DesignError
from irgauge.inference.corrections import BUILT_IN, STEP_DOWN
from irgauge.inference.corrections import correction as correction_named
from irgauge.inference.tests.flips import max_t, randomization
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import TESTS, advice_told, defaults_told, run_test
from irgauge.inference.tests.tukey import tukey
from irgauge.inference.tests.unpaired_t import unpaired_t
from irgauge.inference.tests.wilcoxon import wilcoxon
from irgauge.inference.verdicts import detectable
from irgauge.models.anova import Fit, Population, fit
from irgauge.options.fields import help_of, options_of
from irgauge.scoring.scores import load_scores
from irgauge.show.references import REFERENCES
from irgauge.studies.compare.options import CompareOptions as CompareOptions
from irgauge.studies.compare.study import Compared
from irgauge.studies.registry import studies
from oracles.pairs_given import (
    ALL,
    CORRECTED,
    DRAWN,
    NAMES,
    ON_VALUES,
    TENTHS,
    VALUES,
    Options,
    Test,
    Values,
    by_name,
    each_pair,
    tukey_of,
)

# Tukey: a one-way layout of groups of T·S values is the model `system` on T topics and S shards, with the residual as
# the error term; which value of a group stands on which topic and shard does not matter.


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_tukey_on_a_one_way_layout_is_that_of_scipy(alpha: float) -> None:
    values = np.random.default_rng(1).normal(size=(3, 4, 5)) + np.array([0.0, 0.3, 1.0, 1.2])[:, None]
    comparison = tukey(fit(values, "system"), NAMES[:4], population="documents", alpha=alpha)
    order = [NAMES.index(system) for system in comparison.systems]
    theirs = stats.tukey_hsd(*(values[:, system].ravel() for system in order))
    interval = theirs.confidence_interval(1 - alpha)
    pairs = comparison.first, comparison.second
    np.testing.assert_allclose(comparison.difference, theirs.statistic[pairs])
    np.testing.assert_allclose(comparison.p_adjusted, theirs.pvalue[pairs], rtol=1e-6)
    np.testing.assert_allclose(comparison.low, interval.low[pairs], rtol=1e-6)
    np.testing.assert_allclose(comparison.high, interval.high[pairs], rtol=1e-6)
    np.testing.assert_array_equal(comparison.significant, theirs.pvalue[pairs] <= alpha)
    assert comparison.df == 4 * (15 - 1)
    assert (comparison.population, comparison.topics, comparison.shards) == ("documents", 3, 5)


def test_tukey_on_topics_by_its_formula() -> None:
    residual = VALUES - VALUES.mean(axis=0) - VALUES.mean(axis=1, keepdims=True) + VALUES.mean()
    topics, systems = VALUES.shape
    df = (topics - 1) * (systems - 1)
    ms = (residual**2).sum() / df
    comparison = tukey_of(VALUES, NAMES)
    for pair, one, other in each_pair(comparison, VALUES, NAMES):
        q = abs(one.mean() - other.mean()) / np.sqrt(ms / topics)
        np.testing.assert_allclose(comparison.statistic[pair], q)
        np.testing.assert_allclose(
            comparison.p_adjusted[pair], stats.studentized_range.sf(q, systems, df), rtol=1e-6, atol=1e-12
        )
        np.testing.assert_allclose(comparison.effect[pair], (one.mean() - other.mean()) / np.sqrt(ms))
    assert comparison.error_ms == pytest.approx(ms)
    assert comparison.df == df
    assert np.isnan(comparison.p).all()  # of the family, a pair has none of its own


def test_tukey_of_two_systems_is_the_paired_t_test() -> None:
    ours, t = tukey_of(VALUES[:, :2], NAMES[:2]), paired_t(VALUES[:, :2], NAMES[:2])
    for field in ("p", "low", "high"):
        np.testing.assert_allclose(getattr(ours, field), getattr(t, field), rtol=1e-8)
    np.testing.assert_allclose(ours.statistic, np.sqrt(2) * t.statistic)


@pytest.mark.parametrize("population", ["documents", "topics", "both"])
def test_tukey_takes_the_error_term_of_the_population(population: str) -> None:
    model = fit(np.random.default_rng(2).random((6, 4, 3)), "MD6")
    comparison = tukey(model, NAMES[:4], population=population)  # type: ignore[arg-type]  # a literal
    error = model.error_term(population)  # type: ignore[arg-type]  # a literal
    assert (comparison.error_ms, comparison.df, comparison.population) == (error.ms, error.df, population)
    q = comparison.difference / np.sqrt(error.ms / 18)
    np.testing.assert_allclose(comparison.p_adjusted, stats.studentized_range.sf(q, 4, error.df), rtol=1e-6)


# t and Wilcoxon against scipy


@pytest.mark.parametrize("values", [VALUES, TENTHS, VALUES[:2], VALUES + 1000], ids=["", "tenths", "two", "far"])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_t_tests_are_those_of_scipy(values: Values, alpha: float) -> None:
    cases = ((paired_t, stats.ttest_rel), (unpaired_t, stats.ttest_ind))
    for ours, theirs in cases:
        comparison = ours(values, NAMES, alpha=alpha)
        for pair, one, other in each_pair(comparison, values, NAMES):
            result = theirs(one, other)
            low, high = result.confidence_interval(1 - alpha)
            expected = result.statistic, result.pvalue, low, high, result.df
            names = ("statistic", "p_adjusted", "low", "high")
            got = *(getattr(comparison, name)[pair] for name in names), comparison.df
            np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-7)


def test_effects_are_differences_in_standard_deviations() -> None:
    paired, unpaired = paired_t(VALUES, NAMES), unpaired_t(VALUES, NAMES)
    for pair, one, other in each_pair(paired, VALUES, NAMES):
        np.testing.assert_allclose(paired.effect[pair], np.mean(one - other) / np.std(one - other, ddof=1))
        pooled = np.sqrt((np.var(one, ddof=1) + np.var(other, ddof=1)) / 2)
        np.testing.assert_allclose(unpaired.effect[pair], (one.mean() - other.mean()) / pooled)
    for test in (wilcoxon(VALUES, NAMES), randomization(VALUES, NAMES, **DRAWN)):  # type: ignore[arg-type]  # options of several types
        np.testing.assert_allclose(test.effect, paired.effect)


@pytest.mark.parametrize("topics", [2, 5, 12, 13, 14, 40, 50, 51, 80])
@pytest.mark.parametrize("decimals", [1, 8])
def test_wilcoxon_is_that_of_scipy_for_each_pair_alone(topics: int, decimals: int) -> None:
    rng = np.random.default_rng(topics)
    values = np.round(rng.random((topics, 4)) * 0.6 + np.array([0.0, 0.1, 0.2, 0.3]), decimals)
    values[:, 1] += rng.random(topics) * 1e-3  # pairs without ties among pairs with ties
    comparison = wilcoxon(values, NAMES[:4])
    for pair, one, other in each_pair(comparison, values, NAMES):
        d = np.round(one - other, 10)  # 0.3 − 0.2 is 0.2 − 0.1
        result = stats.wilcoxon(d)
        np.testing.assert_allclose(comparison.statistic[pair], result.statistic)
        np.testing.assert_allclose(comparison.p_adjusted[pair], result.pvalue, rtol=1e-9)


# what all tests have in common


@pytest.mark.parametrize(("test", "options"), ALL)
@pytest.mark.parametrize("alpha", [0.02, 0.05, 0.3])
@given(seed=st.integers(0, 1 << 32), spread=st.floats(0, 2))
@example(seed=1861, spread=0.125)
@example(seed=0, spread=1.5)
@settings(deadline=None, max_examples=10)
def test_a_pair_differs_if_its_interval_does_not_hold_0(
    test: Test, options: Options, alpha: float, seed: int, spread: float
) -> None:
    rng = np.random.default_rng(seed)
    comparison = test(rng.random((7, 4)) + spread * rng.random(4), NAMES[:4], alpha=alpha, **options)
    clear = np.abs(comparison.low) > 1e-9
    differs, is_above = comparison.significant[clear], comparison.low[clear] > 0
    if comparison.corrected_by.is_stepwise:  # the interval is that of the first step, which decides whether any differs
        assert (differs >= is_above).all()
        assert differs.any() == is_above.any()
    else:
        np.testing.assert_array_equal(differs, is_above)


@pytest.mark.parametrize(("test", "options"), ALL)
def test_a_constant_changes_nothing_but_the_means(test: Test, options: Options) -> None:
    before, after = test(VALUES, NAMES, **options), test(VALUES + 0.25, NAMES, **options)
    assert before.systems == after.systems
    np.testing.assert_allclose(after.means, before.means + 0.25)
    for field in ("difference", "statistic", "p_adjusted", "low", "high", "effect"):
        np.testing.assert_allclose(getattr(after, field), getattr(before, field), atol=1e-9)


@pytest.mark.parametrize(("test", "options"), ALL)
@pytest.mark.parametrize("baseline", [None, "c"])
def test_the_order_of_systems_does_not_matter(test: Test, options: Options, baseline: str | None) -> None:
    order = [3, 0, 4, 2, 1]
    before = test(VALUES, NAMES, baseline=baseline, **options)
    after = test(VALUES[:, order], [NAMES[i] for i in order], baseline=baseline, **options)
    assert before.systems == after.systems
    for field in ("statistic", "p_adjusted", "low", "high"):
        assert by_name(before, field) == pytest.approx(by_name(after, field))


@pytest.mark.parametrize(("test", "options"), ALL)
def test_the_order_of_topics_does_not_matter(test: Test, options: Options) -> None:
    if "seed" in options:
        options = {**options, "draws": 20_000}
    before, after = test(VALUES, NAMES, **options), test(VALUES[::-1], NAMES, **options)
    np.testing.assert_allclose(after.p_adjusted, before.p_adjusted, atol=0.02 if "seed" in options else 1e-9)


@pytest.mark.parametrize(("test", "options"), CORRECTED)
@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm", "bh"])
@pytest.mark.parametrize("baseline", [None, "e"])
def test_the_correction_is_over_the_family(test: Test, options: Options, correction: str, baseline: str | None) -> None:
    directed = {"baseline": baseline} if options.get("sides") == 1 else {}  # p is of the first being better
    alone = by_name(test(VALUES, NAMES, **options, **directed), "p")
    comparison = test(VALUES, NAMES, correction=correction, baseline=baseline, **options)
    family = {pair: p for pair, p in alone.items() if baseline is None or baseline in pair}
    assert by_name(comparison, "p") == family
    adjusted = correction_named(correction).adjusted(np.array(list(family.values())))
    assert by_name(comparison, "p_adjusted") == pytest.approx(dict(zip(family, adjusted.tolist(), strict=True)))
    assert comparison.family == ("all 10 pairs" if baseline is None else "4 pairs with baseline e")
    together = correction in ("bonferroni", "holm")
    confidence = 90 if comparison.sides == 1 else 95
    assert (round(100 * comparison.confidence, 9), comparison.is_simultaneous) == (confidence, together)
    if together:
        wider = test(VALUES, NAMES, baseline=baseline, **{**options, "alpha": 0.05 / len(family)})
        np.testing.assert_array_equal(comparison.low, wider.low)
        excluded = (comparison.low > 0) | ((comparison.high < 0) & (comparison.sides == 2))
        assert (comparison.significant >= excluded).all()  # Holm's test finds as much, and more


@pytest.mark.parametrize(("test", "options"), ALL)
def test_differences_from_a_baseline_are_system_minus_baseline(test: Test, options: Options) -> None:
    every, some = test(VALUES, NAMES, **options), test(VALUES, NAMES, baseline="c", **options)
    assert some.names == [(system, "c") for system in some.systems if system != "c"]
    means = dict(zip(NAMES, VALUES.mean(axis=0), strict=True))
    expected = [means[system] - means["c"] for system, _ in some.names]
    np.testing.assert_allclose(some.difference, expected, atol=1e-12)
    assert (some.difference < 0).any()
    assert (some.difference > 0).any()
    np.testing.assert_allclose((some.low + some.high) / 2, some.difference, atol=0.05)  # Hodges and Lehmann's are near
    alone = by_name(every, "se")
    assert by_name(some, "se") == pytest.approx({pair: alone[pair] for pair in by_name(some, "se")})


@pytest.mark.parametrize("system", ["a", "b"])
def test_one_sided_p_is_of_the_system_being_better_than_the_baseline(system: str) -> None:
    other = "b" if system == "a" else "a"
    values = VALUES[:, :2]
    d = values[:, "ab".index(system)] - values[:, "ab".index(other)]
    signs = np.array(list(product((1, -1), repeat=len(d))))
    exact = float(np.mean(signs @ d >= d.sum() - 1e-9))
    found = randomization(values, ["a", "b"], baseline=other, sides=1, seed=3, draws=20_000)
    assert found.p_adjusted[0] == pytest.approx(exact, abs=0.02)


def test_a_baseline_is_found_whatever_its_case() -> None:
    comparison = paired_t(VALUES, NAMES, baseline="C")
    assert comparison.baseline == "c"
    assert comparison.family == "4 pairs with baseline c"


@pytest.mark.parametrize(("test", "options"), [ALL[0], ALL[-2]])
def test_a_family_of_all_pairs_stays_one_with_a_baseline(test: Test, options: Options) -> None:
    every, some = test(VALUES, NAMES, **options), test(VALUES, NAMES, baseline="c", **options)
    expected = {pair: p for pair, p in by_name(every, "p_adjusted").items() if "c" in pair}
    assert by_name(some, "p_adjusted") == expected
    assert every.family == "all 10 pairs"
    assert some.family == "4 pairs with baseline c, controlled over all 10 pairs (conservative)"
    assert (some.correction, some.confidence, some.is_simultaneous) == (BUILT_IN.name, 0.95, True)


def test_the_largest_t_is_of_the_pairs_tested() -> None:
    every, some = max_t(VALUES, NAMES, **DRAWN), max_t(VALUES, NAMES, baseline="c", **DRAWN)  # type: ignore[arg-type]  # options of several types
    assert all(p <= by_name(every, "p_adjusted")[pair] for pair, p in by_name(some, "p_adjusted").items())
    assert by_name(some, "p_adjusted") != {pair: p for pair, p in by_name(every, "p_adjusted").items() if "c" in pair}
    assert (some.family, some.is_wider) == ("4 pairs with baseline c", False)
    assert (some.correction, some.confidence, some.is_simultaneous) == (STEP_DOWN.name, 0.95, True)


@pytest.mark.parametrize(("test", "options"), ALL)
def test_what_a_comparison_says_of_itself(test: Test, options: Options) -> None:
    comparison = test(VALUES, NAMES, **options)
    assert list(comparison.means) == sorted(VALUES.mean(axis=0).tolist(), reverse=True) or test is tukey_of
    np.testing.assert_allclose(comparison.means, np.sort(VALUES.mean(axis=0))[::-1])
    assert (comparison.difference >= 0).all()
    assert (comparison.first < comparison.second).all()
    np.testing.assert_array_equal(comparison.significant, comparison.p_adjusted <= 0.05)
    assert comparison.significant_count + comparison.not_significant_count == 10
    assert (comparison.population, comparison.topics, comparison.shards) == ("topics", 20, 1)
    assert comparison.test in TESTS
    p = comparison.p_matrix
    np.testing.assert_array_equal(p, p.T)
    np.testing.assert_array_equal(p[comparison.first, comparison.second], comparison.p_adjusted)
    best, *others = comparison.systems
    assert comparison.top_group == (best, *(other for i, other in enumerate(others) if p[0, i + 1] > 0.05))
    letters = comparison.groups.letters
    assert [bool(set(letters[0]) & set(each)) for each in letters] == (p[0] > 0.05).tolist()


def test_shards_are_averaged() -> None:
    values = np.random.default_rng(3).random((8, 3, 4))
    before, after = paired_t(values.mean(axis=2), NAMES[:3]), paired_t(values, NAMES[:3])
    np.testing.assert_array_equal(before.p_adjusted, after.p_adjusted)
    assert (before.shards, after.shards) == (1, 4)


def test_with_a_baseline_only_its_pairs_are_known() -> None:
    comparison = paired_t(VALUES, NAMES, baseline="a")
    assert np.isnan(comparison.p_matrix).sum() == 2 * 6
    with pytest.raises(DesignError, match="groups need all pairs"):
        _ = comparison.groups
    with pytest.raises(DesignError, match="top group needs all pairs"):
        _ = comparison.top_group


@pytest.mark.parametrize(("test", "options"), ON_VALUES)
def test_equal_systems_do_not_differ_and_keep_their_order(test: Test, options: Options) -> None:
    values = np.repeat(np.random.default_rng(0).random((10, 1)), 3, axis=1)
    comparison = test(values, ["z", "y", "x"], **options)
    assert comparison.systems == ("z", "y", "x")
    for field, expected in (("p_adjusted", 1), ("difference", 0), ("effect", 0), ("statistic", 0)):
        np.testing.assert_array_equal(getattr(comparison, field), expected)


@pytest.mark.parametrize("topics", [2, 10])
@pytest.mark.parametrize("name", ["t", "skewed-t", "crossed-t"])
def test_of_a_constant_difference_nothing_is_said(name: str, topics: int) -> None:
    """As R's t.test, which refuses data that are essentially constant."""
    values = np.repeat(np.random.default_rng(0).random((topics, 1)), 3, axis=1) + np.array([0.0, 0.1, 0.0])
    data = np.repeat(values[:, :, None], 3, axis=2) if name == "crossed-t" else values
    comparison = run_test(name, data, ["a", "b", "c"], correction="holm")
    differs = np.array([set(pair) != {"a", "c"} for pair in comparison.names])
    assert differs.sum() == 2
    assert comparison.p_adjusted.tolist() == [1.0] * 3
    np.testing.assert_array_equal(comparison.is_constant, differs)
    np.testing.assert_array_equal(comparison.high, np.where(differs, np.inf, 0.0))
    assert not np.isfinite(detectable(comparison)[differs]).any()


def test_tukey_on_one_shard_says_nothing_of_documents() -> None:
    with pytest.raises(DesignError, match="one shard says nothing about other documents"):
        tukey(fit(VALUES[:, :, None], "MD1"), NAMES, population="documents")


# by name


WITHIN = (-100.0, 100.0)


def data_of(name: str) -> Fit | Values:
    """What the test of that name is of."""
    if name == "tukey":
        return fit(VALUES[:, :, None], "MD1")
    return np.stack((VALUES, TENTHS), axis=2) if name == "crossed-t" else VALUES


@pytest.mark.parametrize("name", TESTS)
def test_tests_run_by_name(name: str) -> None:
    test = TESTS[name]
    options = {"population": test.covers[0], "draws": 99, "seed": 1, "sides": 2, "within": WITHIN, "sampling": None}
    given = {key: options[key] for key in test.takes} | ({"baseline": "a"} if name == "dunnett" else {})
    comparison = run_test(name, data_of(name), NAMES, **given)
    assert (comparison.test, comparison.population) == (name, test.covers[0])
    assert test.explanation
    wrong = VALUES if name == "tukey" else fit(VALUES[:, :, None], "MD1")
    with pytest.raises(DesignError, match=f"the test {name} takes"):
        run_test(name, wrong, NAMES)


@pytest.mark.parametrize("name", TESTS)
def test_a_test_takes_what_it_needs_from_an_experiment(name: str) -> None:
    """The same numbers as its function, with only what that takes; whatever else there is."""
    test, shards = TESTS[name], np.stack((VALUES, TENTHS), axis=2)
    population, baseline = test.covers[0], "a" if test.needs_baseline else None
    found = test.compare(Experiment(shards, NAMES, population, 0.1, "holm", baseline, draws=199, seed=3, within=WITHIN))
    data = {"values": shards.mean(axis=2), "shards": shards, "fit": fit(shards, "MD6")}[test.needs]
    options: dict[str, object] = {"population": population, "draws": 199, "seed": 3, "sides": 2, "within": WITHIN}
    options |= {"sampling": None, "correction": "holm"}
    taken = {key: options[key] for key in (*test.takes, *(["correction"] if test.is_of_pairs else []))}
    expected = test.function(data, NAMES, alpha=0.1, baseline=baseline, **taken)
    for what in ("p_adjusted", "low", "high", "statistic"):
        np.testing.assert_array_equal(getattr(found, what), getattr(expected, what))
    assert found.correction == ("holm" if test.is_of_pairs else test.corrected_by.name)


def test_every_population_has_one_default_and_words_follow_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for population in get_args(Population):
        usual = [test for test in TESTS.values() if population in test.default_for]
        assert len(usual) == 1, population
        assert population in usual[0].covers
        assert usual[0].usual is not None
    assert {key for test in TESTS.values() for key in test.references} <= set(REFERENCES)
    monkeypatch.setitem(TESTS.own, "skewed-t", replace(TESTS["skewed-t"], default_for=()))
    monkeypatch.setitem(TESTS.own, "t", replace(TESTS["t"], default_for=("topics",), usual="it is known"))
    assert defaults_told().startswith("t for topics, crossed-t for ")
    assert "the right one for most: t with Holm's correction" in advice_told()
    assert "t for topics" in help_of(next(one for one in options_of(CompareOptions) if one.name == "test"))
    found = compare(load_scores(VALUES[:, :2], measure="AP"))
    assert found.comparison.test == "t"
    assert "by the paired t-test (Student 1908) with Holm's correction (1979)" in methods_of(found)


def methods_of(found: Compared) -> str:
    """What the report says of how systems were compared."""
    drawn = {"drawn": "topics", "sampled_by": {}}
    reporting = SimpleNamespace(data=SimpleNamespace(has_runs=False), alpha=0.05, has_replicates=False, **drawn)
    part = studies()["compare"].part("section").PART
    return dict(part.methods(SimpleNamespace(results=[found]), reporting)).popitem()[1]


def test_what_tests_cover_and_rest_on() -> None:
    covers = {name: set(test.covers) for name, test in TESTS.items()}
    assert covers.pop("tukey") == set(get_args(Population))
    assert covers.pop("crossed-t") == {"documents", "sources", "both", "shards", "topics+shards"}
    assert all(one == {"topics"} for one in covers.values())
    assert {name for name, test in TESTS.items() if test.is_equal_spread} == {"tukey", "randomised-tukey", "dunnett"}
    cautioned = {name for name, test in TESTS.items() if test.caution is not None}
    assert cautioned == {"max-t", "wilcoxon", "unpaired-t", "dunnett"}


@pytest.mark.parametrize("name", ["tukey", "randomised-tukey", "max-t"])
def test_a_test_of_all_pairs_together_takes_no_correction(name: str) -> None:
    options: Options = {"population": "topics"} if name == "tukey" else {"draws": 99, "seed": 1}
    with pytest.raises(DesignError, match=f"{name} is of all pairs together: leave the correction 'holm' out"):
        run_test(name, data_of(name), NAMES, correction="holm", **options)
    found = run_test(name, data_of(name), NAMES, correction="none", **options)
    assert found.correction == (STEP_DOWN if name == "max-t" else BUILT_IN).name


def test_an_unknown_test_names_the_nearest() -> None:
    with pytest.raises(DesignError, match=r"did you mean 'wilcoxon'\? Choose from skewed-t, t, max-t, bootstrap-t"):
        run_test("wilcoxn", VALUES, NAMES)


# TREC-8: Ferro and Sanderson (2019), Table 1; Voorhees, Samarov and Soboroff (2017), Table 4


def test_tukey_on_trec8(trec8_ap: Scores) -> None:
    model = fit(trec8_ap.values[0], "MD1")
    comparison = tukey(model, trec8_ap.systems, population="topics")
    assert (comparison.significant_count, comparison.not_significant_count) == (3423, 4833)
    assert len(comparison.top_group) == 7
    assert comparison.family == "all 8,256 pairs"


@pytest.mark.parametrize(
    ("test", "alpha", "significant"), [(paired_t, 0.05, 5982), (unpaired_t, 0.05, 4164), (unpaired_t, 0.01, 3438)]
)
def test_t_tests_on_trec8(trec8_ap: Scores, test: Test, alpha: float, significant: int) -> None:
    comparison = test(trec8_ap.values[0], trec8_ap.systems, alpha=alpha)
    assert comparison.significant_count == significant
