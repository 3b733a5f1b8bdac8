"""Tests of pairs of systems against scipy, against all sign flips, and on TREC-8 against the papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from irgauge import Scores, load
from irgauge.errors import DesignError
from irgauge.inference import multiplicity, pairwise
from irgauge.inference.comparison import Comparison
from irgauge.inference.multiplicity import adjustment
from irgauge.inference.pairwise import (
    TESTS,
    paired_t,
    randomised_tukey,
    randomization,
    run_test,
    tukey,
    unpaired_t,
    wilcoxon,
)
from irgauge.models.anova import fit
from irgauge.scoring.scores import score

Values = NDArray[np.float64]
Test = Callable[..., Comparison]
RNG = np.random.default_rng(11)
NAMES = ["a", "b", "c", "d", "e"]
VALUES = 0.2 * RNG.random((20, 5)) + 0.5 * RNG.random((20, 1)) + np.array([0.0, 0.2, 0.03, 0.05, 0.1])
TENTHS = np.round(VALUES * 10) / 10  # as of a measure with few values: ties, and differences of 0
DRAWN = {"draws": 499, "seed": 3}
ON_VALUES = [
    pytest.param(paired_t, {}, id="t"),
    pytest.param(unpaired_t, {}, id="unpaired-t"),
    pytest.param(wilcoxon, {}, id="wilcoxon"),
    pytest.param(randomization, DRAWN, id="randomization"),
    pytest.param(randomization, {**DRAWN, "sides": 1}, id="one-sided"),
    pytest.param(randomised_tukey, DRAWN, id="randomised-tukey"),
]
CORRECTED = ON_VALUES[:5]


def tukey_of(values: Values, systems: list[str], **options: object) -> Comparison:
    return tukey(fit(values[:, :, None], "MD1"), systems, population="topics", **options)  # type: ignore[arg-type]  # options of several types


ALL = [pytest.param(tukey_of, {}, id="tukey"), *ON_VALUES]


def each_pair(comparison: Comparison, values: Values, systems: list[str]) -> Iterator[tuple[int, Values, Values]]:
    """The pairs, with the scores of the first and of the second system."""
    for pair, (first, second) in enumerate(zip(comparison.first, comparison.second, strict=True)):
        columns = (systems.index(comparison.systems[system]) for system in (first, second))
        one, other = (values[:, column] for column in columns)
        yield pair, one, other


def by_name(comparison: Comparison, field: str) -> dict[frozenset[str], float]:
    """What is said of a pair, whatever the order of systems and pairs."""
    return {
        frozenset((comparison.systems[first], comparison.systems[second])): float(value)
        for first, second, value in zip(comparison.first, comparison.second, getattr(comparison, field), strict=True)
    }


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
    np.testing.assert_allclose(comparison.p, theirs.pvalue[pairs], rtol=1e-6)
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
            comparison.p[pair], stats.studentized_range.sf(q, systems, df), rtol=1e-6, atol=1e-12
        )
        np.testing.assert_allclose(comparison.effect[pair], (one.mean() - other.mean()) / np.sqrt(ms))
    assert comparison.error_ms == pytest.approx(ms)
    assert comparison.df == df
    np.testing.assert_array_equal(comparison.p, comparison.p_single)


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
    np.testing.assert_allclose(comparison.p, stats.studentized_range.sf(q, 4, error.df), rtol=1e-6)


def test_randomised_tukey_has_the_p_values_of_all_pairs_and_the_least_significant_difference() -> None:
    comparison = randomised_tukey(VALUES, NAMES, draws=999, seed=5)
    order = [NAMES.index(system) for system in comparison.systems]
    ranges = multiplicity.permuted_ranges(VALUES[:, order], 999, 5)
    means = VALUES[:, order].mean(axis=0)
    reached = (ranges >= np.abs(means[:, None] - means)[..., None] - 1e-12).sum(axis=2)
    np.testing.assert_array_equal(comparison.p_matrix, (1 + reached) / 1000)
    np.testing.assert_allclose(comparison.difference - comparison.low, np.sort(ranges)[-50])
    np.testing.assert_allclose(comparison.effect, tukey_of(VALUES, NAMES).effect)


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
            names = ("statistic", "p", "low", "high")
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
        np.testing.assert_allclose(comparison.p[pair], result.pvalue, rtol=1e-9)


# the randomization test: all sign vectors, and the same draws one by one


def added(d: Sequence[Fraction], flips: Sequence[int]) -> Fraction:
    return sum((-x if flip else x for x, flip in zip(d, flips, strict=True)), Fraction(0))


def reaches(drawn: Fraction, observed: Fraction, sides: int) -> bool:
    return drawn >= observed if sides == 1 else abs(drawn) >= abs(observed)


def exact_p(d: Values, sides: int) -> float:
    """The share of all sign vectors that reach what was observed, in exact arithmetic on rounded decimals."""
    exact = [Fraction(round(x * 10**6), 10**6) for x in d]
    every = [added(exact, flips) for flips in product((0, 1), repeat=len(d))]
    return sum(reaches(each, every[0], sides) for each in every) / len(every)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("decimals", [1, 6])
def test_randomization_approaches_all_sign_flips(sides: int, decimals: int) -> None:
    values = np.round(VALUES[:9], decimals)
    draws = 20_000
    comparison = randomization(values, NAMES, draws=draws, seed=1, sides=sides)  # type: ignore[arg-type]  # a literal
    for pair, one, other in each_pair(comparison, values, NAMES):
        p = exact_p(one - other, sides)
        assert abs(comparison.p[pair] - p) < 4.5 * np.sqrt(p * (1 - p) / draws) + 2 / draws


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("decimals", [1, 6])
def test_randomization_is_what_its_draws_say_one_by_one(sides: int, decimals: int) -> None:
    values = np.round(VALUES[:8], decimals)
    flips = np.random.default_rng(4).integers(0, 2, (300, 8), np.int8)
    comparison = randomization(values, NAMES, draws=300, seed=4, sides=sides)  # type: ignore[arg-type]  # a literal
    for pair, one, other in each_pair(comparison, values, NAMES):
        d = [Fraction(round(x * 10**6), 10**6) for x in one - other]  # ties are ties
        count = sum(reaches(added(d, flip), sum(d, Fraction(0)), sides) for flip in flips.tolist())
        assert comparison.p[pair] == (count + 1) / 301


@pytest.mark.parametrize("block", [1, 700, 1 << 14])
@pytest.mark.parametrize(("test", "options"), ON_VALUES)
def test_blocks_change_nothing(
    test: Test, options: dict[str, object], block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = test(VALUES, NAMES, **options)
    monkeypatch.setattr(pairwise, "_BLOCK", block)
    after = test(VALUES, NAMES, **options)
    for field in ("statistic", "p", "low", "high", "effect"):
        np.testing.assert_array_equal(getattr(before, field), getattr(after, field))


def test_more_draws_go_on_from_fewer() -> None:
    few, more = (randomization(VALUES, NAMES, draws=draws, seed=1).p * (draws + 1) - 1 for draws in (100, 101))
    added = np.round(more - few)
    assert set(added.tolist()) <= {0.0, 1.0}
    assert randomization(VALUES, NAMES, draws=100, seed=2).p.tolist() != ((few + 1) / 101).tolist()


@pytest.mark.parametrize("sides", [1, 2])
def test_the_interval_of_sign_flips_holds_the_shifts_that_are_not_rejected(sides: int) -> None:
    options = {"draws": 399, "seed": 2, "sides": sides}
    values = VALUES[:, [0, 4]]
    comparison = randomization(values, ["a", "e"], **options)  # type: ignore[arg-type]  # options of several types

    def rejects(shift: float) -> bool:
        shifted = randomization(values - np.array([0.0, shift]), ["a", "e"], **options)  # type: ignore[arg-type]  # options of several types
        return bool(shifted.significant[0])

    low, high = float(comparison.low[0]), float(comparison.high[0])
    assert low < comparison.difference[0] < high
    assert rejects(low - 1e-6)
    assert not rejects(low + 1e-6)
    if sides == 2:  # with one side the hypothesis turns round with the sign of the difference
        assert rejects(high + 1e-6)
        assert not rejects(high - 1e-6)


# what all tests have in common


@pytest.mark.parametrize(("test", "options"), ALL)
@pytest.mark.parametrize("alpha", [0.02, 0.05, 0.3])
@given(seed=st.integers(0, 1 << 32), spread=st.floats(0, 2))
@settings(deadline=None, max_examples=10)
def test_a_pair_differs_if_its_interval_does_not_hold_0(
    test: Test, options: dict[str, object], alpha: float, seed: int, spread: float
) -> None:
    rng = np.random.default_rng(seed)
    comparison = test(rng.random((7, 4)) + spread * rng.random(4), NAMES[:4], alpha=alpha, **options)
    clear = np.abs(comparison.low) > 1e-9
    np.testing.assert_array_equal(comparison.significant[clear], comparison.low[clear] > 0)


@pytest.mark.parametrize(("test", "options"), ALL)
def test_a_constant_changes_nothing_but_the_means(test: Test, options: dict[str, object]) -> None:
    before, after = test(VALUES, NAMES, **options), test(VALUES + 0.25, NAMES, **options)
    assert before.systems == after.systems
    np.testing.assert_allclose(after.means, before.means + 0.25)
    for field in ("difference", "statistic", "p", "low", "high", "effect"):
        np.testing.assert_allclose(getattr(after, field), getattr(before, field), atol=1e-9)


@pytest.mark.parametrize(("test", "options"), ALL)
@pytest.mark.parametrize("baseline", [None, "c"])
def test_the_order_of_systems_does_not_matter(test: Test, options: dict[str, object], baseline: str | None) -> None:
    order = [3, 0, 4, 2, 1]
    before = test(VALUES, NAMES, baseline=baseline, **options)
    after = test(VALUES[:, order], [NAMES[i] for i in order], baseline=baseline, **options)
    assert before.systems == after.systems
    for field in ("statistic", "p", "low", "high"):
        assert by_name(before, field) == pytest.approx(by_name(after, field))


@pytest.mark.parametrize(("test", "options"), ALL)
def test_the_order_of_topics_does_not_matter(test: Test, options: dict[str, object]) -> None:
    if "seed" in options:
        options = {**options, "draws": 20_000}
    before, after = test(VALUES, NAMES, **options), test(VALUES[::-1], NAMES, **options)
    np.testing.assert_allclose(after.p, before.p, atol=0.02 if "seed" in options else 1e-9)


@pytest.mark.parametrize(("test", "options"), CORRECTED)
@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm", "bh"])
@pytest.mark.parametrize("baseline", [None, "e"])
def test_the_correction_is_over_the_family(
    test: Test, options: dict[str, object], correction: str, baseline: str | None
) -> None:
    alone = by_name(test(VALUES, NAMES, **options), "p_single")
    comparison = test(VALUES, NAMES, correction=correction, baseline=baseline, **options)
    family = {pair: p for pair, p in alone.items() if baseline is None or baseline in pair}
    assert by_name(comparison, "p_single") == family
    adjusted = adjustment(correction)(np.array(list(family.values())))
    assert by_name(comparison, "p") == pytest.approx(dict(zip(family, adjusted.tolist(), strict=True)))
    assert comparison.family == ("all 10 pairs" if baseline is None else "4 pairs with baseline e")
    together = correction == "bonferroni"
    confidence = 90 if comparison.sides == 1 else 95
    assert (round(100 * comparison.confidence, 9), comparison.is_simultaneous) == (confidence, together)
    if together:
        wider = test(VALUES, NAMES, baseline=baseline, **{**options, "alpha": 0.05 / len(family)})
        np.testing.assert_array_equal(comparison.low, wider.low)


@pytest.mark.parametrize(("test", "options"), [ALL[0], ALL[-1]])
def test_a_family_of_all_pairs_stays_one_with_a_baseline(test: Test, options: dict[str, object]) -> None:
    every, some = test(VALUES, NAMES, **options), test(VALUES, NAMES, baseline="c", **options)
    expected = {pair: p for pair, p in by_name(every, "p").items() if "c" in pair}
    assert by_name(some, "p") == expected
    assert every.family == "all 10 pairs"
    assert some.family == "4 pairs with baseline c, controlled over all 10 pairs (conservative)"
    assert (some.correction, some.confidence, some.is_simultaneous) == ("built in", 0.95, True)


@pytest.mark.parametrize(("test", "options"), ALL)
def test_what_a_comparison_says_of_itself(test: Test, options: dict[str, object]) -> None:
    comparison = test(VALUES, NAMES, **options)
    assert list(comparison.means) == sorted(VALUES.mean(axis=0).tolist(), reverse=True) or test is tukey_of
    np.testing.assert_allclose(comparison.means, np.sort(VALUES.mean(axis=0))[::-1])
    assert (comparison.difference >= 0).all()
    assert (comparison.first < comparison.second).all()
    np.testing.assert_array_equal(comparison.significant, comparison.p <= 0.05)
    assert comparison.significant_count + comparison.not_significant_count == 10
    assert (comparison.population, comparison.topics, comparison.shards) == ("topics", 20, 1)
    assert comparison.test in TESTS
    p = comparison.p_matrix
    np.testing.assert_array_equal(p, p.T)
    np.testing.assert_array_equal(p[comparison.first, comparison.second], comparison.p)
    best, *others = comparison.systems
    assert comparison.top_group == (best, *(other for i, other in enumerate(others) if p[0, i + 1] > 0.05))
    letters = comparison.groups.letters
    assert [bool(set(letters[0]) & set(each)) for each in letters] == (p[0] > 0.05).tolist()


def test_shards_are_averaged() -> None:
    values = np.random.default_rng(3).random((8, 3, 4))
    before, after = paired_t(values.mean(axis=2), NAMES[:3]), paired_t(values, NAMES[:3])
    np.testing.assert_array_equal(before.p, after.p)
    assert (before.shards, after.shards) == (1, 4)


def test_with_a_baseline_only_its_pairs_are_known() -> None:
    comparison = paired_t(VALUES, NAMES, baseline="a")
    assert np.isnan(comparison.p_matrix).sum() == 2 * 6
    with pytest.raises(DesignError, match="groups need all pairs"):
        _ = comparison.groups
    with pytest.raises(DesignError, match="top group needs all pairs with b"):
        _ = comparison.top_group
    assert paired_t(VALUES, NAMES, baseline="b").top_group == paired_t(VALUES, NAMES).top_group


@pytest.mark.parametrize(("test", "options"), ON_VALUES)
def test_equal_systems_do_not_differ_and_keep_their_order(test: Test, options: dict[str, object]) -> None:
    values = np.repeat(np.random.default_rng(0).random((10, 1)), 3, axis=1)
    comparison = test(values, ["z", "y", "x"], **options)
    assert comparison.systems == ("z", "y", "x")
    for field, expected in (("p", 1), ("difference", 0), ("effect", 0), ("statistic", 0)):
        np.testing.assert_array_equal(getattr(comparison, field), expected)


def test_a_constant_difference_leaves_no_doubt() -> None:
    values = np.repeat(np.random.default_rng(0).random((10, 1)), 2, axis=1) + np.array([0.0, 0.1])
    comparison = paired_t(values, ["a", "b"])
    assert (comparison.statistic[0], comparison.p[0], comparison.effect[0]) == (np.inf, 0, np.inf)
    np.testing.assert_allclose((comparison.low[0], comparison.high[0]), 0.1)


# what cannot be answered


@pytest.mark.parametrize(
    ("values", "names", "options", "message"),
    [
        (VALUES[:, :1], ["a"], {}, "2 topics and 2 systems"),
        (VALUES[:1], NAMES, {}, "2 topics and 2 systems"),
        (VALUES[0], NAMES, {}, "2 topics and 2 systems"),
        (np.where(VALUES > 0.5, np.nan, VALUES), NAMES, {}, "undefined"),
        (np.full((4, 5), 0.3), NAMES, {}, "all values are the same"),
        (VALUES, NAMES[:4], {}, "5 systems need as many different names; 4"),
        (VALUES, ["a", "a", "b", "c", "d"], {}, "different names"),
        (VALUES, ["bm25", "ql", "rm3", "dense", "fused"], {"baseline": "bm52"}, "did you mean 'bm25'"),
        (VALUES, NAMES, {"alpha": 0.0}, "alpha is 0.0"),
    ],
)
@pytest.mark.parametrize(("test", "settings_"), ON_VALUES)
def test_a_question_that_cannot_be_answered(
    test: Test, settings_: dict[str, object], values: Values, names: list[str], options: dict[str, object], message: str
) -> None:
    with pytest.raises(DesignError, match=message):
        test(values, names, **{**settings_, **options})


@pytest.mark.parametrize(("test", "options"), CORRECTED)
def test_an_unknown_correction_names_the_nearest(test: Test, options: dict[str, object]) -> None:
    with pytest.raises(DesignError, match="did you mean 'holm'"):
        test(VALUES, NAMES, correction="holms", **options)


def test_draws_that_no_p_value_can_come_from() -> None:
    with pytest.raises(DesignError, match="at least 199 can, or the correction bh, or the test randomised-tukey"):
        randomization(VALUES, NAMES, draws=198, seed=1, correction="holm")
    assert randomization(VALUES, NAMES, draws=199, seed=1, correction="holm").p.min() == 0.05
    for test in (randomization, randomised_tukey):
        with pytest.raises(DesignError, match=r"18 draws cannot give a p-value of 0.05; at least 19 can$"):
            test(VALUES, NAMES, draws=18, seed=1)
        with pytest.raises(DesignError, match="0 draws"):
            test(VALUES, NAMES, draws=0, seed=1)


@pytest.mark.parametrize(("sides", "alpha"), [(0, 0.05), (3, 0.05), (1, 0.5)])
def test_a_test_has_one_side_or_two(sides: int, alpha: float) -> None:
    with pytest.raises(DesignError, match="a test has 1 or 2 sides"):
        randomization(VALUES, NAMES, seed=1, sides=sides, alpha=alpha)  # type: ignore[arg-type]  # a literal


def test_tukey_on_one_shard_says_nothing_of_documents() -> None:
    with pytest.raises(DesignError, match="one shard says nothing about other documents"):
        tukey(fit(VALUES[:, :, None], "MD1"), NAMES, population="documents")


# by name


@pytest.mark.parametrize("name", TESTS)
def test_tests_run_by_name(name: str) -> None:
    data = fit(VALUES[:, :, None], "MD1") if name == "tukey" else VALUES
    takes = TESTS[name].takes
    options = {"population": "topics", "correction": "none", "draws": 99, "seed": 1, "sides": 2}
    comparison = run_test(name, data, NAMES, **{key: options[key] for key in takes[1:]})
    assert comparison.test == name
    assert TESTS[name].explanation
    wrong = VALUES if name == "tukey" else fit(VALUES[:, :, None], "MD1")
    with pytest.raises(DesignError, match=f"the test {name} takes"):
        run_test(name, wrong, NAMES)


@pytest.mark.parametrize("name", ["tukey", "randomised-tukey"])
def test_tukey_takes_no_correction(name: str) -> None:
    data = fit(VALUES[:, :, None], "MD1") if name == "tukey" else VALUES
    options: dict[str, object] = {"population": "topics"} if name == "tukey" else {"draws": 99, "seed": 1}
    with pytest.raises(DesignError, match=f"{name} is of all pairs together: leave the correction 'holm' out"):
        run_test(name, data, NAMES, correction="holm", **options)
    assert run_test(name, data, NAMES, correction="none", **options).correction == "built in"


def test_an_unknown_test_names_the_nearest() -> None:
    with pytest.raises(DesignError, match=r"did you mean 'wilcoxon'\? Choose from tukey, randomised-tukey, t"):
        run_test("wilcoxn", VALUES, NAMES)


# TREC-8: Ferro and Sanderson (2019), Table 1; Voorhees, Samarov and Soboroff (2017), Table 4


@pytest.fixture(scope="module")
def average_precision(trec8: Path) -> Scores:
    return score(load(trec8 / "qrels.txt.gz", trec8 / "runs", precision="single"), ["AP"])


def test_tukey_on_trec8(average_precision: Scores) -> None:
    model = fit(average_precision.values[0], "MD1")
    comparison = tukey(model, average_precision.systems, population="topics")
    assert (comparison.significant_count, comparison.not_significant_count) == (3423, 4833)
    assert len(comparison.top_group) == 7
    assert comparison.family == "all 8,256 pairs"


@pytest.mark.parametrize(
    ("test", "alpha", "significant"), [(paired_t, 0.05, 5982), (unpaired_t, 0.05, 4164), (unpaired_t, 0.01, 3438)]
)
def test_t_tests_on_trec8(average_precision: Scores, test: Test, alpha: float, significant: int) -> None:
    comparison = test(average_precision.values[0], average_precision.systems, alpha=alpha)
    assert comparison.significant_count == significant


@pytest.mark.parametrize(("sides", "significant"), [(1, 6340), (2, 6000)])
def test_randomization_on_trec8(average_precision: Scores, sides: int, significant: int) -> None:
    values, systems = average_precision.values[0], average_precision.systems
    comparison = randomization(values, systems, seed=1, sides=sides)  # type: ignore[arg-type]  # a literal
    assert comparison.significant_count == pytest.approx(significant, rel=0.01)
