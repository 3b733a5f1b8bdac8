"""Dunnett's test, blocked by topic, against R's multcomp, the paired t-test, simulation, and its own invariances."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from scipy import stats

from calibration.rates import assert_about, assert_at_most
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import MAXIMUM
from irgauge.inference.tests.dunnett import dunnett
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.tukey import tukey
from irgauge.models.anova import fit

Values = NDArray[np.float64]
Sides = Literal[1, 2]


class Design(NamedTuple):
    """Values[block, treatment], and what R says: lm(y ~ block + treatment), glht(..., mcp(treatment = "Dunnett"))."""

    treatments: tuple[str, ...]  # the control first
    values: Values
    ms: float
    df: float
    t: tuple[float, ...]  # of each treatment against the control, in the order of the columns
    two_sided: tuple[float, ...]  # adjusted p, single-step
    greater: tuple[float, ...]
    less: tuple[float, ...]
    p_error: float  # what R reports of its randomised quadrature
    critical: tuple[float, float]  # where uniroot finds that pmvt is 0.95, one-sided and two-sided


# R 4.2.2, multcomp 1.4.22, mvtnorm 1.1.3, set.seed(1); the p-values with abseps 2e-8 (immer) and 1e-6 (the others). The
# critical values that confint(glht) gives by default vary by up to 0.002 from call to call; these, by pmvt with abseps
# 1e-5 or less, by 2e-4. The data are R's own: MASS::immer (barley of five varieties in six places, 1931), VADeaths
# (death rates by age), morley (speed of light, five experiments of 20 runs), OrchardSprays (eight treatments in eight
# rows, the columns left out).
DESIGNS = {
    "immer": Design(
        ("M", "S", "V", "T", "P"),
        np.array(
            [
                [81, 105.4, 119.7, 109.7, 98.3],
                [146.6, 142, 150.7, 191.5, 145.7],
                [82.3, 77.3, 78.4, 131.3, 89.6],
                [119.8, 121.4, 124, 140.8, 124.8],
                [98.9, 89, 69.1, 89.3, 104.1],
                [86.9, 77.1, 78.9, 101.8, 96],
            ]
        ),
        ms=162.8871666666673,
        df=20,
        t=(-0.0746414181725773, 0.1198786413074926, 3.3679112623932843, 0.9726002974003485),
        two_sided=(0.9999754338692, 0.9998383297213, 0.0106339070228, 0.7329817036943),
        greater=(0.82334665331246, 0.75881201217845, 0.00531748979205, 0.39244754025736),
        less=(0.774873378840, 0.836608477546, 0.999982286474, 0.974222226096),
        p_error=7e-8,
        critical=(2.304412, 2.651003),
    ),
    "VADeaths": Design(
        ("Rural Male", "Rural Female", "Urban Male", "Urban Female"),
        np.array(
            [
                [11.7, 8.7, 15.4, 8.4],
                [18.1, 11.7, 24.3, 13.6],
                [26.9, 20.3, 37.0, 19.3],
                [41.0, 30.9, 54.6, 35.1],
                [66.0, 54.3, 71.1, 50.0],
            ]
        ),
        ms=11.61491666666667,
        df=12,
        t=(-3.50738750698753, 3.59089673334438, -3.46099349234484),
        two_sided=(0.01133949212533, 0.00975695382923, 0.01232843074036),
        greater=(0.99990137725154, 0.00488040032198, 0.99989071835002),
        less=(0.00567367298976, 0.99991839960388, 0.00616615243293),
        p_error=5e-6,
        critical=(2.287337, 2.682862),
    ),
    "morley": Design(
        ("5", "1", "2", "3", "4"),
        np.array(
            [
                [890, 840, 780, 810, 760, 810, 790, 810, 820, 850, 870, 870, 810, 740, 810, 940, 950, 800, 810, 870],
                [
                    850,
                    740,
                    900,
                    1070,
                    930,
                    850,
                    950,
                    980,
                    980,
                    880,
                    1000,
                    980,
                    930,
                    650,
                    760,
                    810,
                    1000,
                    1000,
                    960,
                    960,
                ],
                [960, 940, 960, 940, 880, 800, 850, 880, 900, 840, 830, 790, 810, 880, 880, 830, 800, 790, 760, 800],
                [880, 880, 880, 860, 720, 720, 620, 860, 970, 950, 880, 910, 850, 870, 840, 840, 850, 840, 840, 840],
                [890, 810, 810, 820, 800, 770, 760, 740, 750, 760, 910, 920, 890, 860, 880, 720, 840, 850, 850, 780],
            ],
            np.float64,
        ).T,
        ms=5396.921052631575,
        df=76,
        t=(3.336020186560217, 1.054612833170646, 0.581113193787908, -0.473499639382740),
        two_sided=(0.00487029370998, 0.67374853582632, 0.94062487491602, 0.97063189555266),
        greater=(0.00243424840576, 0.35190843266181, 0.56520454460230, 0.91874992484761),
        less=(0.999997617307, 0.981031367938, 0.936096697319, 0.613717923330),
        p_error=4e-6,
        critical=(2.196718, 2.494073),
    ),
    "OrchardSprays": Design(
        ("D", "A", "B", "C", "E", "F", "G", "H"),
        np.array(
            [
                [57, 12, 8, 84, 43, 87, 80, 130],
                [28, 4, 6, 29, 95, 114, 72, 72],
                [39, 5, 8, 13, 114, 44, 60, 127],
                [36, 5, 14, 9, 39, 57, 77, 69],
                [22, 4, 4, 17, 51, 20, 92, 86],
                [27, 2, 7, 16, 55, 90, 24, 81],
                [20, 3, 10, 15, 47, 69, 72, 81],
                [51, 2, 4, 19, 61, 71, 71, 76],
            ],
            np.float64,
        ),
        ms=383.7171556122446,
        df=49,
        t=(
            -3.101277826301568,
            -2.794978781728568,
            -0.995471894862225,
            2.871553542871825,
            3.471389171827272,
            3.420339331065106,
            5.641007404219315,
        ),
        two_sided=(0.0184084279, 0.0404955822, 0.858198216, 0.0334386104, 0.00660832918, 0.00764295674, 4.688e-06),
        greater=(0.99999857956, 0.99999388023, 0.990665867, 0.0167285698, 0.00330294616, 0.00382133403, 2.272e-06),
        less=(0.00921765729, 0.0202518725, 0.480291074, 0.99999540524, 0.99999973163, 0.99999967294, 0.99999999999717),
        p_error=2.2e-5,
        critical=(2.407905, 2.708516),
    ),
}


def of_treatments(comparison: Comparison, design: Design, values: Values) -> list[float]:
    """What is said of each treatment, in the order of the columns."""
    by_name = {first: value for (first, _), value in zip(comparison.names, values, strict=True)}
    return [by_name[treatment] for treatment in design.treatments[1:]]


@pytest.mark.parametrize("name", DESIGNS)
def test_t_and_its_error_equal_those_of_r(name: str) -> None:
    design = DESIGNS[name]
    comparison = dunnett(design.values, design.treatments, baseline=design.treatments[0])
    assert comparison.error_ms == pytest.approx(design.ms, rel=1e-8)
    assert comparison.df == design.df
    assert of_treatments(comparison, design, comparison.statistic) == pytest.approx(design.t, rel=1e-8)
    np.testing.assert_allclose(comparison.se, math.sqrt(2 * design.ms / len(design.values)), rtol=1e-8)


@pytest.mark.parametrize("name", DESIGNS)
def test_p_values_equal_those_of_r(name: str) -> None:
    design = DESIGNS[name]
    for values, sides, expected in (
        (design.values, 2, design.two_sided),
        (design.values, 1, design.greater),
        (-design.values, 1, design.less),
    ):
        comparison = dunnett(values, design.treatments, baseline=design.treatments[0], sides=sides)  # type: ignore[arg-type]  # a literal
        assert of_treatments(comparison, design, comparison.p_adjusted) == pytest.approx(
            expected, rel=0, abs=design.p_error
        )


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_equal_those_of_r(name: str, sides: Sides) -> None:
    design = DESIGNS[name]
    comparison = dunnett(design.values, design.treatments, baseline=design.treatments[0], sides=sides)
    margin = design.critical[sides - 1] * math.sqrt(2 * design.ms / len(design.values))
    np.testing.assert_allclose(comparison.high - comparison.difference, margin, rtol=1e-4)
    np.testing.assert_allclose(comparison.difference - comparison.low, margin, rtol=1e-4)


# one system and a baseline: the paired t-test


@st.composite
def tables(draw: st.DrawFn, systems: tuple[int, int] = (2, 6)) -> Values:
    """Values[topic, system] that are not a sum of a topic's and a system's."""
    shape = (draw(st.integers(3, 9)), draw(st.integers(*systems)))
    values = draw(hnp.arrays(np.float64, shape, elements=st.integers(0, 100).map(lambda x: x / 100)))
    values[:2] += np.array([[0.37], [-0.29]]) * np.arange(shape[1])
    d = values[:, 1:] - values[:, :1]
    assume(np.ptp(d, axis=0).max() > 0.005)
    return values


def names_of(values: Values) -> list[str]:
    return [f"s{i}" for i in range(values.shape[1])]


@settings(deadline=None, max_examples=25)
@given(tables((2, 2)), st.sampled_from([1, 2]))
def test_one_system_and_the_baseline_are_the_paired_t_test(values: Values, sides: Sides) -> None:
    comparison = dunnett(values, ["a", "b"], baseline="b", sides=sides)
    test = stats.ttest_rel(values[:, 0], values[:, 1], alternative="two-sided" if sides == 2 else "greater")
    interval = test.confidence_interval(comparison.confidence) if sides == 2 else None
    assert comparison.statistic[0] == pytest.approx(test.statistic, rel=1e-7, abs=1e-9)
    assert comparison.p_adjusted[0] == pytest.approx(test.pvalue, rel=1e-6, abs=1e-9)
    assert comparison.p[0] == pytest.approx(test.pvalue, rel=1e-6, abs=1e-9)
    if interval is not None:
        assert (comparison.low[0], comparison.high[0]) == pytest.approx(tuple(interval), rel=1e-7, abs=1e-9)


def test_one_sided_ends_are_those_of_the_paired_t_test() -> None:
    values = np.random.default_rng(5).normal(size=(12, 2))
    comparison = dunnett(values, ["a", "b"], baseline="a", sides=1, alpha=0.025)
    wide = paired_t(values, ["a", "b"], baseline="a", alpha=0.05)
    assert comparison.confidence == pytest.approx(wide.confidence)
    np.testing.assert_allclose((comparison.low, comparison.high), (wide.low, wide.high), rtol=1e-9)


# what changes nothing, and what goes together


def by_name(comparison: Comparison, what: str) -> dict[str, float]:
    return dict(zip((first for first, _ in comparison.names), getattr(comparison, what).tolist(), strict=True))


def assert_same(one: Comparison, other: Comparison, *, scale: float = 1.0) -> None:
    for what, factor in (("statistic", 1.0), ("p", 1.0), ("p_adjusted", 1.0), ("effect", 1.0), ("low", scale)):
        expected = {name: value * factor for name, value in by_name(one, what).items()}
        assert by_name(other, what) == pytest.approx(expected, rel=1e-5, abs=1e-7 * max(1.0, factor)), what


@settings(deadline=None, max_examples=20)
@given(tables(), st.sampled_from([1, 2]), st.sampled_from([0.125, 3.0, 40.0]), st.integers(0, 1000))
def test_shifts_of_topics_scale_and_order_change_nothing(values: Values, sides: Sides, scale: float, seed: int) -> None:
    names, rng = names_of(values), np.random.default_rng(seed)
    plain = dunnett(values, names, baseline="s0", sides=sides)
    shifted = values + rng.normal(size=(len(values), 1))
    assert_same(plain, dunnett(shifted, names, baseline="s0", sides=sides))
    assert_same(plain, dunnett(values * scale, names, baseline="s0", sides=sides), scale=scale)
    topics, systems = rng.permutation(len(values)), rng.permutation(len(names))
    mixed = values[topics][:, systems]
    assert_same(plain, dunnett(mixed, [names[i] for i in systems], baseline="s0", sides=sides))


@settings(deadline=None, max_examples=20)
@given(tables((3, 6)), st.sampled_from([1, 2]))
def test_a_larger_statistic_has_a_smaller_p(values: Values, sides: Sides) -> None:
    comparison = dunnett(values, names_of(values), baseline="s0", sides=sides)
    size = comparison.statistic if sides == 1 else np.abs(comparison.statistic)
    p = comparison.p_adjusted[np.argsort(-size)]
    assert (np.diff(p) >= -1e-12).all()
    k = len(p)
    assert (comparison.p_adjusted >= comparison.p - 1e-12).all()
    assert (comparison.p_adjusted <= k * comparison.p + 1e-12).all()  # Bonferroni's


@settings(deadline=None, max_examples=20)
@given(tables((3, 6)), st.sampled_from([1, 2]), st.sampled_from([0.01, 0.05, 0.2]))
def test_an_interval_leaves_0_out_where_p_is_small(values: Values, sides: Sides, alpha: float) -> None:
    comparison = dunnett(values, names_of(values), baseline="s0", sides=sides, alpha=alpha)
    clear = np.abs(comparison.p_adjusted - alpha) > 1e-9
    out = comparison.low > 0 if sides == 1 else (comparison.low > 0) | (comparison.high < 0)
    np.testing.assert_array_equal(out[clear], comparison.significant[clear])


@settings(deadline=None, max_examples=20)
@given(tables((3, 6)))
def test_p_is_not_above_tukeys(values: Values) -> None:
    names = names_of(values)
    ours = dunnett(values, names, baseline="s0")
    theirs = tukey(fit(values[:, :, None], "MD1"), names, population="topics", baseline="s0")
    assert ours.error_ms == pytest.approx(theirs.error_ms, rel=1e-6)
    assert ours.df == theirs.df
    np.testing.assert_allclose(ours.effect, theirs.effect, rtol=1e-6, atol=1e-9)
    assert (ours.p_adjusted <= theirs.p_adjusted + 1e-9).all()


def test_the_pairs_are_with_the_baseline_and_corrected_together() -> None:
    values = np.random.default_rng(1).normal(size=(10, 4))
    comparison = dunnett(values, ["a", "b", "c", "d"], baseline="c")
    assert comparison.test == "dunnett"
    assert comparison.correction == MAXIMUM.name
    assert comparison.is_simultaneous
    assert {second for _, second in comparison.names} == {"c"}
    assert sorted(first for first, _ in comparison.names) == ["a", "b", "d"]
    means = dict(zip("abcd", values.mean(axis=0), strict=True))
    for (first, second), difference in zip(comparison.names, comparison.difference, strict=True):
        assert difference == pytest.approx(means[first] - means[second])


def test_shards_are_averaged_first() -> None:
    values = np.random.default_rng(2).normal(size=(8, 3, 4))
    one = dunnett(values, ["a", "b", "c"], baseline="a")
    other = dunnett(values.mean(axis=2), ["a", "b", "c"], baseline="a")
    np.testing.assert_allclose(one.p_adjusted, other.p_adjusted, rtol=1e-12)


def test_identical_systems_do_not_differ_and_a_constant_difference_says_nothing() -> None:
    topics = np.array([[0.1], [0.3], [0.8]])
    same = dunnett(np.hstack((topics, topics)), ["a", "b"], baseline="a")
    assert (same.p_adjusted[0], same.statistic[0], same.low[0], same.high[0]) == (1, 0, 0, 0)
    apart = dunnett(np.hstack((topics, topics + 0.1, topics - 0.2)), ["a", "b", "c"], baseline="a")
    assert apart.error_ms == 0
    np.testing.assert_array_equal(apart.statistic, [math.inf, -math.inf])
    np.testing.assert_array_equal(apart.p_adjusted, [1, 1])
    assert apart.is_constant.all()
    np.testing.assert_array_equal(
        dunnett(np.hstack((topics, topics + 0.1)), ["a", "b"], baseline="b", sides=1).p_adjusted, [1]
    )


# how often it errs


def errors_of(spread: Values, topics: int, trials: int, seed: int, sides: Sides = 2) -> int:
    """In how many trials on equal systems, whose noise has these spreads, some system differs from the first."""
    rng, names = np.random.default_rng(seed), [f"s{i}" for i in range(len(spread))]
    worlds = rng.normal(size=(trials, topics, 1)) + spread * rng.normal(size=(trials, topics, len(spread)))
    return sum(bool(dunnett(world, names, baseline="s0", sides=sides).significant.any()) for world in worlds)


@pytest.mark.parametrize("sides", [1, 2])
def test_some_system_differs_in_five_percent_of_equal_worlds(sides: Sides) -> None:
    assert_about(errors_of(np.ones(5), topics=8, trials=400, seed=3, sides=sides), 400, 0.05)


def test_it_errs_too_often_where_one_system_varies_more() -> None:
    spread = np.array([1.0, 6.0, *[1.0] * 8])
    errors = errors_of(spread, topics=20, trials=120, seed=4)
    with pytest.raises(AssertionError, match="err"):
        assert_at_most(errors, 120)


# bad input


def test_a_baseline_is_needed() -> None:
    values = np.random.default_rng(1).normal(size=(5, 3))
    with pytest.raises(DesignError, match="with a baseline: name one, or use the test t or tukey"):
        dunnett(values, ["a", "b", "c"], baseline=None)
    with pytest.raises(DesignError, match="the baseline 'x' is unknown"):
        dunnett(values, ["a", "b", "c"], baseline="x")
    with pytest.raises(DesignError, match="sides are 3"):
        dunnett(values, ["a", "b", "c"], baseline="a", sides=3)  # type: ignore[arg-type]  # that is the point
