"""What tests say of drawn experiments, against scipy and one experiment at a time."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from calibration.false_verdicts import FALSE, MARGIN
from irgauge.calibrating.methods import (
    Experiments,
    Method,
    Setting,
    claimed,
    compared,
    covering_tests,
    judged,
    methods,
    names,
)
from irgauge.calibrating.trials import Counted, are_false, tried
from irgauge.calibrating.worlds import Drawn, World, worlds
from irgauge.inference.corrections import BUILT_IN, HOLM
from irgauge.inference.tests.registry import run_test
from irgauge.inference.verdicts import by_margin

SYSTEMS = ("a", "b", "c", "d", "e")
SETTING = Setting("topics", SYSTEMS, draws=199)


def world(name: str = "flipped", seed: int = 1) -> World:
    """Of systems whose spreads differ."""
    rng = np.random.default_rng(seed)
    values = rng.random((20, 1, 1)) + np.linspace(0.05, 0.3, 5)[:, None] * rng.normal(size=(20, 5, 1))
    return next(one for one in worlds(values, "topics") if one.name == name)


def drawn_of(world: World, count: int = 6) -> list[Drawn]:
    """Some experiments."""
    return [world.draw(np.random.default_rng((8, i))) for i in range(count)]


@pytest.mark.parametrize("baseline", [None, "a"])
@pytest.mark.parametrize("test", ["t", "skewed-t", "wilcoxon", "unpaired-t"])
def test_several_experiments_at_once_are_as_one_at_a_time(test: str, baseline: str | None) -> None:
    setting = Setting("topics", SYSTEMS, baseline=baseline)
    drawn = drawn_of(world().better(0.1))
    found = claimed(test, Experiments(tuple(drawn), setting), seed=0)
    for i, one in enumerate(drawn):
        alone = run_test(test, one.values[:, :, 0], SYSTEMS, correction="holm", baseline=baseline)
        single = run_test(test, one.values[:, :, 0], SYSTEMS, correction="none", baseline=baseline)
        said = {pair: (alone.difference[k], single.p_adjusted[k], single.low[k], single.high[k], alone.significant[k])
                for k, pair in enumerate(alone.names)}  # fmt: skip
        pairs = [(v, "a") for v in SYSTEMS[1:]] if baseline else list(combinations(SYSTEMS, 2))
        significant = found.significant(HOLM)[i]
        for k, (u, v) in enumerate(pairs):
            is_turned = (u, v) not in said
            d, p, low, high, differs = said[(v, u) if is_turned else (u, v)]
            if is_turned:
                d, low, high = -d, -high, -low
            ours = found.difference[i, k], found.p[i, k], found.low[i, k], found.high[i, k]
            assert ours == pytest.approx((d, p, low, high), abs=1e-9), (u, v)
            assert significant[k] == differs


@pytest.mark.parametrize(
    ("test", "baseline"),
    [("max-t", None), ("tukey", None), ("randomised-tukey", None), ("max-t", "a"), ("tukey", "a"), ("dunnett", "a")],
)
def test_tests_of_all_pairs_say_what_they_say_alone(test: str, baseline: str | None) -> None:
    setting = Setting("topics", SYSTEMS, baseline=baseline)
    drawn = drawn_of(world().better(0.1), 12)
    found = claimed(test, Experiments(tuple(drawn), setting), seed=5)
    for i, one in enumerate(drawn):
        alone = compared(test, one, setting, 5 + i, "none")
        said = {frozenset(pair): differs for pair, differs in zip(alone.names, alone.significant, strict=True)}
        pairs = [(v, "0") for v in names(one)[1:]] if baseline else list(combinations(names(one), 2))
        assert found.significant(BUILT_IN)[i].tolist() == [said[frozenset(pair)] for pair in pairs]
    single = [stats.ttest_rel(one.values[:, 1:, 0], one.values[:, :1, 0]).pvalue for one in drawn]
    if test == "dunnett":  # corrected: it finds no more than uncorrected tests do
        assert found.significant(BUILT_IN).sum() < (np.array(single) <= 0.05).sum()


def counted(found: dict[tuple[Method, Counted], np.ndarray], test: str, correction: str, what: Counted) -> np.ndarray:
    """One row of what was tried."""
    return next(one for (m, w), one in found.items() if (m.test, m.correction, w) == (test, correction, what))


def holm(p: np.ndarray) -> np.ndarray:
    """Step by step, from the smallest p-value on, until one is too large."""
    rejected = np.zeros(len(p), bool)
    for left, place in enumerate(np.argsort(p)):
        if p[place] > 0.05 / (len(p) - left):
            break
        rejected[place] = True
    return rejected


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_errors_and_power_are_those_of_scipy(delta: float) -> None:
    used = world() if delta == 0 else world().better(delta)
    kept: list[Drawn] = []

    def draw(rng: np.random.Generator) -> Drawn:
        kept.append(used.draw(rng))
        return kept[-1]

    found = dict(tried(World(used.name, draw, 5), SETTING, 40, seed=3, workers=1).found)
    errors: dict[str, list[float]] = {"none": [], "holm": [], "bh": []}
    power: dict[str, list[float]] = {"none": [], "holm": [], "bh": []}
    for one in kept:
        y, pairs = one.values[:, :, 0], list(combinations(range(5), 2))
        first, second = np.array(pairs).T
        result = stats.ttest_rel(y[:, first], y[:, second])
        true = np.array([one.truth[u] - one.truth[v] for u, v in pairs])
        rejected = {
            "none": result.pvalue <= 0.05,
            "holm": holm(result.pvalue),
            "bh": stats.false_discovery_control(result.pvalue) <= 0.05,
        }
        for correction, differs in rejected.items():
            wrong = differs & (np.sign(result.statistic) != np.sign(true))
            share = {"none": wrong.mean(), "holm": float(wrong.any()), "bh": wrong.sum() / max(1, differs.sum())}
            errors[correction].append(share[correction])
            if delta:
                power[correction].append((differs & ~wrong)[true != 0].mean())
    for correction in errors:
        np.testing.assert_allclose(counted(found, "t", correction, "error"), errors[correction], atol=1e-12)
        if delta:
            np.testing.assert_allclose(counted(found, "t", correction, "power"), power[correction], atol=1e-12)


def test_intervals_are_tried_where_topics_are_resampled() -> None:
    found = dict(tried(world("resampled"), SETTING, 60, seed=3).found)
    for test in ("t", "skewed-t"):  # whose intervals hold what the test does not reject
        np.testing.assert_allclose(
            counted(found, test, "none", "lacking"), counted(found, test, "none", "error"), atol=1e-12
        )
        np.testing.assert_allclose(counted(found, test, "holm", "lacking"), counted(found, test, "holm", "error"))


def test_false_verdicts_are_those_of_verdicts_one_by_one() -> None:
    drawn = drawn_of(world().by_thirds(MARGIN), 60)
    setting = replace(SETTING, alpha=0.24)  # so high that some verdicts are false
    experiments = Experiments(tuple(drawn), setting)
    method = next(one for one in methods(setting) if (one.test, one.correction) == ("t", "holm"))
    ours = are_false(judged(method, experiments, 0, MARGIN), experiments.true, MARGIN)
    theirs = []
    for one in drawn:
        tight, loose = (
            run_test("t", one.values[:, :, 0], names(one), correction="holm", alpha=alpha) for alpha in (0.24, 0.48)
        )
        verdicts = by_margin(tight, loose, MARGIN, np.zeros(10, bool)).verdicts
        true = one.truth[np.array(tight.systems, int)]
        d = (true[tight.first] - true[tight.second]).round(12)
        theirs.append(sum(FALSE[verdict](value) for verdict, value in zip(verdicts, d.tolist(), strict=True)))
    assert ours.sum(axis=1).tolist() == theirs
    assert sum(theirs) > 0


def test_the_seed_alone_settles_what_is_counted() -> None:
    several = [dict(tried(world(), SETTING, 30, seed=4, workers=workers).found) for workers in (1, 2, 3)]
    for found in several[1:]:
        for key, one in several[0].items():
            np.testing.assert_array_equal(found[key], one)
    other = dict(tried(world(), SETTING, 30, seed=5).found)
    assert any(not np.array_equal(other[key], one) for key, one in several[0].items())


def test_slow_tests_take_some_of_many_systems() -> None:
    rng = np.random.default_rng(1)
    values = rng.random((10, 30, 1))
    setting = Setting("topics", tuple(map(str, range(30))))
    found = tried(next(iter(worlds(values, "topics"))), setting, 3, seed=1).found
    assert {m.correction for m, _ in found if m.test == "wilcoxon"} == {"none"}
    assert {m.correction for m, _ in found if m.test == "t"} == {"none", "holm", "bh"}


def test_dunnett_is_tried_against_a_baseline_only() -> None:
    assert "dunnett" not in covering_tests(SETTING)
    assert "dunnett" in covering_tests(Setting("topics", SYSTEMS, baseline="a"))
    assert {one.correction for one in methods(Setting("topics", ("a", "b")))} == {"none", "built in"}


@pytest.mark.parametrize("sign", [1, -1])
def test_a_margin_that_is_a_share_is_tested_as_a_ratio_on_each_topic(sign: int) -> None:
    rng, share = np.random.default_rng(5), 0.2
    level = sign * rng.gamma(2.0, 0.2, (300, 15, 1))  # of topics: the baseline's mean is an estimate itself
    drawn = [Drawn((one + rng.normal(0, 0.1, (15, 2)) * one)[:, :, None], np.zeros(2)) for one in level]
    setting = Setting("topics", ("a", "b"), baseline="a", corrections=("none",), share=sign * share)
    method = next(one for one in methods(setting) if one.test == "t")
    verdicts = judged(method, Experiments(tuple(drawn), setting), 0, margin=math.nan)
    for number, one in enumerate(drawn):
        base, other = one.values[:, 0, 0], one.values[:, 1, 0]
        above = stats.ttest_rel(other, (1 - sign * share) * base, alternative="greater").pvalue
        below = stats.ttest_rel(other, (1 + sign * share) * base, alternative="less").pvalue
        assert verdicts.equivalent[number, 0] == (max(above, below) < 0.05)
    assert 0.2 < verdicts.equivalent.mean() < 1
