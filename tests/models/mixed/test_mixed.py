"""REML against dense matrices, statsmodels, the analysis of variance, and classical degrees of freedom."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.models.mixed.criterion import Criterion
from irgauge.models.mixed.factors import NO_EFFECT
from irgauge.models.mixed.reml import Coding, ContrastTest, MixedFit, crossed, fit
from oracles.dense_reml import Dense

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Values = tuple[Floats, Codes, dict[str, Codes]]
SDS = {"topic": 1.0, "topic:algorithm": 0.5, "instance": 0.4}
EQ1, EQ2, EQ3 = ("topic",), ("topic", "topic:algorithm"), ("topic", "topic:algorithm", "instance")


def simulated(
    shape: tuple[int, int, int], *, seed: int = 0, missing: float = 0.0, factors: tuple[str, ...] = EQ3
) -> Values:
    """Values of topics × algorithms × instances of each, with an effect of every factor."""
    rng = np.random.default_rng(seed)
    topic, algorithm, run = np.indices(shape).reshape(3, -1)
    codes = {"topic": topic, "topic:algorithm": topic * shape[1] + algorithm, "instance": algorithm * shape[2] + run}
    y = 0.3 * algorithm + 0.7 * rng.normal(size=topic.size)
    for name, sd in SDS.items():
        y += sd * rng.normal(size=codes[name].max() + 1)[codes[name]]
    kept = rng.random(topic.size) >= missing
    return y[kept], algorithm[kept], {name: codes[name][kept] for name in factors}


def deterministic(*, seed: int = 0) -> Values:
    """Algorithm 0 has one run and no effect of it, algorithm 1 has six; two cells are missing."""
    y, algorithm, random = simulated((10, 2, 6), seed=seed)
    first = random["instance"] % 6 == 0
    kept = (algorithm == 1) | first
    kept[[3, 70]] = False
    random["instance"] = np.where(algorithm == 0, NO_EFFECT, random["instance"])
    return y[kept], algorithm[kept], {name: codes[kept] for name, codes in random.items()}


def crossed_columns(seed: int = 0) -> Values:
    """Two crossed factors besides a nested chain of three, and a factor that crosses all."""
    rng = np.random.default_rng(seed)
    n = 150
    fine = rng.integers(0, 24, n)
    random = {"fine": fine, "middle": fine // 2, "coarse": fine // 8, "other": rng.integers(0, 7, n)}
    y = sum((rng.normal(size=30)[codes] for codes in random.values()), rng.normal(size=n))
    return y, rng.integers(0, 3, n), random | {"last": rng.integers(0, 5, n)}


DATA: dict[str, Values] = {
    "eq. 1": simulated((9, 3, 1), factors=EQ1),
    "eq. 2": simulated((9, 3, 3), factors=EQ2),
    "eq. 3": simulated((9, 2, 4), seed=1),
    "eq. 3, a quarter missing": simulated((11, 3, 5), seed=2, missing=0.25),
    "eq. 3, three cells missing": simulated((12, 2, 5), seed=3, missing=0.03),
    "instances alone": simulated((7, 3, 6), seed=4, factors=("instance",)),
    "a deterministic algorithm": deterministic(),
    "five factors": crossed_columns(),
}


def variances(model: MixedFit) -> Floats:
    return np.array([one.variance for one in model.components])


@pytest.mark.parametrize("name", DATA)
def test_criterion_effects_and_errors_are_those_of_dense_matrices(name: str) -> None:
    y, fixed, random = DATA[name]
    model, dense = fit(y, fixed, random), Dense.of(y, fixed, random)
    beta, cov = dense.fixed(variances(model))
    assert model.convergence.converged
    assert model.criterion == pytest.approx(dense.criterion(variances(model)), rel=1e-11)
    np.testing.assert_allclose(model.beta, beta, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(model.cov, cov, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.se, np.sqrt(np.diag(cov)), rtol=1e-8)
    for effects, codes, expected in zip(
        model.effects.values(), random.values(), dense.effects(variances(model)), strict=True
    ):
        np.testing.assert_allclose(effects[np.unique(codes[codes >= 0])], expected, atol=1e-9)


@pytest.mark.parametrize("name", DATA)
def test_no_neighbouring_variances_are_better(name: str) -> None:
    y, fixed, random = DATA[name]
    model, dense = fit(y, fixed, random), Dense.of(y, fixed, random)
    best, at = dense.criterion(variances(model)), variances(model)
    few = [signs for signs in product((-1, 0, 1), repeat=len(at)) if np.count_nonzero(signs) <= 2]
    for signs in few:
        for step in (1e-3, 0.1):
            moved = np.maximum(at * np.exp(step * np.array(signs)), 0) + (at == 0) * step * (np.array(signs) > 0)
            assert dense.criterion(moved) >= best - 1e-9


@pytest.mark.parametrize("seed", [1, 4, 16, 64, 70, 115, 196, 222, 7, 8, 9, 10])  # the first ones have flat directions
def test_nothing_better_is_found_by_another_method(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(3, 20)), int(rng.integers(1, 4)), int(rng.integers(2, 8)))
    topic, algorithm, run = np.indices(shape).reshape(3, -1)
    random = {"topic": topic, "cell": topic * shape[1] + algorithm, "instance": algorithm * shape[2] + run}
    sds = 10 ** rng.uniform(-3, 1, 4)  # some vanish beside others
    y = sds[3] * rng.normal(size=topic.size)
    for codes, sd in zip(random.values(), sds, strict=False):
        y += sd * rng.normal(size=codes.max() + 1)[codes]
    kept = rng.random(topic.size) > rng.choice([0, 0.1, 0.5])
    names = list(random) if shape[1] > 1 else ["topic", "instance"]
    model = fit(y[kept], algorithm[kept], {name: random[name][kept] for name in names})
    criterion = Criterion(model.cross.system)
    for start in (np.ones(len(names)), 1.3 * np.maximum(model.theta, 0.05)):
        other = scipy.optimize.minimize(lambda theta: criterion(np.abs(theta)), start, method="Nelder-Mead")
        assert criterion(model.theta) < other.fun + 1e-5
    assert model.convergence.converged


@pytest.mark.parametrize("name", DATA)
def test_satterthwaite_is_that_of_dense_matrices(name: str) -> None:
    y, fixed, random = DATA[name]
    model, dense = fit(y, fixed, random), Dense.of(y, fixed, random)
    for contrast in (model.difference(1, 0), np.eye(len(model.beta))[0]):
        assert model.test(contrast).df == pytest.approx(dense.satterthwaite(variances(model), contrast), rel=3e-4)


@pytest.mark.filterwarnings("ignore")  # of statsmodels and pandas themselves
@pytest.mark.parametrize("name", ["eq. 2", "eq. 3", "eq. 3, a quarter missing", "eq. 3, three cells missing"])
def test_estimates_are_those_of_statsmodels(name: str) -> None:
    api, pandas = pytest.importorskip("statsmodels.formula.api"), pytest.importorskip("pandas")
    y, fixed, random = DATA[name]
    model = fit(y, fixed, random)
    columns = {f"factor{i}": codes for i, codes in enumerate(random.values())}
    frame = pandas.DataFrame({"y": y, "fixed": fixed, "one": 1, **columns})
    formulas = {column: f"0 + C({column})" for column in columns}
    peer: Any = api.mixedlm("y ~ 0 + C(fixed)", frame, groups="one", vc_formula=formulas, re_formula="0")
    theirs = peer.fit(reml=True, method=["lbfgs", "powell"], gtol=1e-9)
    assert model.criterion == pytest.approx(-2 * theirs.llf, abs=1e-5)
    np.testing.assert_allclose(model.beta, theirs.fe_params, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(model.se, theirs.bse_fe, rtol=2e-3)  # from their numeric Hessian
    np.testing.assert_allclose(variances(model), [*theirs.vcomp, theirs.scale], rtol=2e-3)


def mean_squares(y: Floats) -> dict[str, tuple[float, int]]:
    """The analysis of variance of y[topic, algorithm, instance]: mean square and degrees of freedom."""
    topics, algorithms, runs = y.shape
    topic, algorithm = y.mean(axis=(1, 2), keepdims=True), y.mean(axis=(0, 2), keepdims=True)
    cell, run = y.mean(axis=2, keepdims=True), y.mean(axis=0, keepdims=True)
    parts = {
        "topic": (topic - y.mean(), topics - 1),
        "instance": (run - algorithm, algorithms * (runs - 1)),
        "topic:algorithm": (cell - topic - algorithm + y.mean(), (topics - 1) * (algorithms - 1)),
        "residual": (y - cell - run + algorithm, (topics - 1) * algorithms * (runs - 1)),
    }
    return {name: (float(np.square(x).sum()) * y.size / x.size / df, df) for name, (x, df) in parts.items()}


@pytest.mark.parametrize(("shape", "seed"), [((9, 2, 4), 1), ((20, 3, 5), 2), ((149, 2, 10), 3)])
def test_balanced_components_are_those_of_the_analysis_of_variance(shape: tuple[int, int, int], seed: int) -> None:
    topics, algorithms, runs = shape
    y, fixed, random = simulated(shape, seed=seed)
    ms = {name: one for name, (one, _) in mean_squares(y.reshape(shape)).items()}
    expected = {
        "topic": (ms["topic"] - ms["topic:algorithm"]) / (algorithms * runs),
        "topic:algorithm": (ms["topic:algorithm"] - ms["residual"]) / runs,
        "instance": (ms["instance"] - ms["residual"]) / topics,
        "residual": ms["residual"],
    }
    assert min(expected.values()) > 0
    model = fit(y, fixed, random)
    found = {one.name: one for one in model.components}
    for name, variance in expected.items():
        assert found[name].variance == pytest.approx(variance, rel=1e-6)
        assert found[name].share == pytest.approx(variance / sum(expected.values()), rel=1e-6)
    np.testing.assert_allclose(model.beta, y.reshape(shape).mean(axis=(0, 2)), rtol=1e-9)


@pytest.mark.parametrize("shape", [(9, 2, 4), (30, 3, 5)])
def test_balanced_nested_designs_have_the_classical_degrees_of_freedom(shape: tuple[int, int, int]) -> None:
    y, fixed, random = simulated(shape, seed=1)
    squares = mean_squares(y.reshape(shape))
    signed = [(sign * squares[name][0], squares[name][1]) for name, sign in SIGNS]
    total = sum(ms for ms, _ in signed)
    test = fit(y, fixed, random).test([-1, 1] + [0] * (shape[1] - 2))
    assert test.df == pytest.approx(total**2 / sum(ms**2 / df for ms, df in signed), rel=1e-4)
    assert test.se**2 == pytest.approx(2 * total / (shape[0] * shape[2]), rel=1e-6)
    alone = fit(y, fixed, {"instance": random["instance"]})
    expected = shape[1] * (shape[2] - 1) if alone.theta[0] > 0 else alone.n - shape[1]
    assert alone.test(alone.difference(1, 0)).df == pytest.approx(expected, rel=1e-4)


SIGNS = (("topic:algorithm", 1), ("instance", 1), ("residual", -1))


def test_unequal_groups_have_the_degrees_of_freedom_of_welch() -> None:
    rng = np.random.default_rng(5)
    fixed = np.repeat([0, 1], [20, 24])
    batch = np.where(fixed == 1, np.arange(44) // 4 - 5, NO_EFFECT)  # six batches of four in the second group
    y = rng.normal(size=44) + np.append(2 * rng.normal(size=6), 0.0)[batch]
    batches = y[20:].reshape(6, 4)
    within_df, between_df = 19 + 18, 5
    within = (y[:20].var(ddof=0) * 20 + ((batches - batches.mean(axis=1, keepdims=True)) ** 2).sum()) / within_df
    a, b = within / 20, batches.mean(axis=1).var(ddof=1) / 6
    test = fit(y, fixed, {"batch": batch}).test([-1, 1])
    assert test.se == pytest.approx(np.sqrt(a + b), rel=1e-6)
    assert test.df == pytest.approx((a + b) ** 2 / (a**2 / within_df + b**2 / between_df), rel=1e-4)


@pytest.mark.parametrize("coding", ["means", "treatment"])
def test_one_run_each_is_the_paired_t_test(coding: Coding) -> None:
    y, system, random = simulated((25, 2, 1), factors=EQ1)
    values = y.reshape(25, 2)
    expected = scipy.stats.ttest_rel(values[:, 1], values[:, 0])
    model = fit(y, system, random, coding=coding)
    test = model.test(model.difference(1, 0))
    assert [test.t, test.p, test.df] == pytest.approx([expected.statistic, expected.pvalue, 24], rel=1e-5)
    assert test.interval(0.1) == pytest.approx(expected.confidence_interval(0.9), rel=1e-5)
    assert model.test(model.difference(1, 0), df="n-f").df == 48
    assert model.test(model.difference(0, 1), df=24).p == pytest.approx(expected.pvalue, rel=1e-5)


def test_codings_say_the_same() -> None:
    y, fixed, random = DATA["eq. 3, a quarter missing"]
    means, treatment = fit(y, fixed, random), fit(y, fixed, random, coding="treatment")
    assert means.criterion == pytest.approx(treatment.criterion, rel=1e-12)
    np.testing.assert_allclose(treatment.beta, [means.beta[0], *(means.beta[1:] - means.beta[0])])
    for pair in ((1, 0), (2, 1), (0, 2)):
        a, b = means.test(means.difference(*pair)), treatment.test(treatment.difference(*pair))
        assert [a.estimate, a.se, a.df, a.p] == pytest.approx([b.estimate, b.se, b.df, b.p], rel=1e-6)


def test_a_component_at_zero_is_a_singular_fit_of_the_smaller_model() -> None:
    y, algorithm, random = simulated((8, 2, 5), seed=0)
    cells = y.reshape(8, 2, 5)
    flat = cells - cells.mean(axis=0, keepdims=True) + cells.mean(axis=(0, 2), keepdims=True)  # instances are equal
    model, smaller = (fit(flat.ravel(), algorithm, {k: random[k] for k in names}) for names in (EQ3, EQ2))
    assert model.is_singular
    assert {one.name: one.variance for one in model.components}["instance"] == 0
    assert model.warning is not None
    assert "'instance' is estimated as 0" in model.warning
    assert not smaller.is_singular
    assert smaller.warning is None
    assert model.criterion == pytest.approx(smaller.criterion, rel=1e-12)
    c = model.difference(1, 0)
    assert model.test(c).df == pytest.approx(smaller.test(c).df, rel=1e-5)
    assert not model.effects["instance"].any()


def test_all_components_at_zero_is_the_two_sample_t_test() -> None:
    system, topic = np.tile([0, 1], 6), np.repeat(np.arange(6), 2)
    y = np.array([0.1, 0.9, 0.8, 0.3, 0.2, 0.7, 0.9, 0.2, 0.3, 0.8, 0.7, 0.1])
    model = fit(y, system, {"topic": topic})
    test, expected = model.test([-1, 1]), scipy.stats.ttest_ind(y[1::2], y[::2])
    assert model.is_singular
    assert [test.t, test.df, test.p] == pytest.approx([expected.statistic, 10, expected.pvalue])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(-100, 100), st.floats(0.01, 100))
def test_order_of_values_names_of_levels_and_units_do_not_matter(seed: int, shift: float, scale: float) -> None:
    y, fixed, random = simulated((8, 2, 4), seed=seed, missing=0.1)
    rng = np.random.default_rng(seed)
    order, numbers = rng.permutation(len(y)), 3 * rng.permutation(100)
    model = fit(y, fixed, random)
    again = fit(
        (shift + scale * y)[order], fixed[order], {name: numbers[codes[order]] for name, codes in random.items()}
    )
    np.testing.assert_allclose(variances(again), scale**2 * variances(model), rtol=1e-5, atol=1e-7 * scale**2)
    np.testing.assert_allclose(again.beta, shift + scale * model.beta, rtol=1e-6, atol=1e-6 * scale)
    units = 2 * (len(y) - 2) * np.log(scale)
    assert again.criterion == pytest.approx(model.criterion + units, abs=1e-7)
    np.testing.assert_allclose(
        again.effects["topic"][numbers[: random["topic"].max() + 1]],
        scale * model.effects["topic"],
        atol=1e-4 * scale,
    )


def test_an_instance_repeated_as_the_paper_does() -> None:
    topic, algorithm = np.tile(np.arange(3), 3), np.repeat([0, 1, 1], 3)
    rows, instance = crossed(algorithm, np.repeat([0, 1, 2], 3))
    assert len(rows) == 3 * 2 * 2
    cells = set(zip(topic[rows], algorithm[rows], instance, strict=True))
    assert cells == set(product(range(3), range(2), range(2)))
    with pytest.raises(DesignError, match="2 algorithms have several instances"):
        crossed([0, 0, 1, 1], [0, 1, 2, 3])


def test_a_repeated_instance_is_fitted() -> None:
    y, algorithm, random = simulated((20, 2, 5), seed=3)
    kept = (algorithm == 1) | (random["instance"] == 0)
    rows, instance = crossed(algorithm[kept], random["instance"][kept])
    repeated = {name: random[name][kept][rows] for name in EQ2} | {"instance": instance}
    model = fit(y[kept][rows], algorithm[kept][rows], repeated)
    assert model.n == 200
    np.testing.assert_allclose(model.beta, [y[kept & (algorithm == one)].mean() for one in (0, 1)], rtol=1e-8)


GOOD = simulated((5, 2, 3))
SMALL = ([0.1, 0.2, 0.4, 0.3], [0, 1, 0, 1])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ((np.full(30, 0.1), *GOOD[1:]), "all values are the same"),
        ((np.where(np.arange(30) == 7, np.nan, GOOD[0]), *GOOD[1:]), "value 7 is nan"),
        ((GOOD[0], GOOD[1] * 2, GOOD[2]), "level 1 of the fixed factor has no values"),
        ((GOOD[0], GOOD[1] - 1, GOOD[2]), "the code -1"),
        ((GOOD[0], GOOD[1] * 0.5, GOOD[2]), "codes of type float64"),
        ((GOOD[0][:7], *GOOD[1:]), "one code for each of the 7 values"),
        ((GOOD[0], GOOD[1], {"topic": GOOD[1] * 0}), "'topic' has 1 level"),
        ((*SMALL, {"topic": [0, 0, -1, -2]}), "the code -2"),
        (([0.1, 0.2], [0, 1], {"topic": [0, 0]}), "2 values are too few for 2 fixed effects"),
        (
            (*SMALL, {"topic": [0, 1, 2, 3]}),
            "'topic' has one value in each level, and cannot be separated from the res",
        ),
        (
            (GOOD[0], GOOD[1], {"topic": GOOD[2]["topic"], "again": 4 - GOOD[2]["topic"]}),
            "'again' groups the values just as",
        ),
        (([], [], {}), "at least one value"),
        ((*SMALL, {}), "at least one random factor"),
        ((np.repeat(GOOD[0][::3], 3), GOOD[1], {k: GOOD[2][k] for k in EQ2}), "explain the values completely"),
    ],
)
def test_data_that_cannot_be_fitted_say_why(data: tuple[Any, Any, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        fit(*data)


def test_one_instance_everywhere_says_which_model_applies() -> None:
    y, algorithm, random = simulated((6, 2, 1))
    with pytest.raises(DesignError, match="'instance' has one level in each level of the fixed factor") as error:
        fit(y, algorithm, random)
    assert "'topic:algorithm' has one value in each level" in str(error.value)
    assert str(error.value).endswith("the model fixed + topic can be fitted")
    fit(y, algorithm, {"topic": random["topic"]})


def test_questions_that_a_fit_cannot_answer() -> None:
    model = fit(*GOOD)
    bad: Any = "kenward"
    for call, message in (
        (lambda: model.difference(0, 2), "two different levels from 0 to 1"),
        (lambda: model.test([1, -1, 0]), "must have 2 finite numbers"),
        (lambda: model.test([0, 0]), "not all 0"),
        (lambda: model.test([1, -1], df=bad), "df 'kenward' is unknown"),
        (lambda: model.test([1, -1], df=0), "df is 0"),
        (lambda: model.test([1, -1]).interval(1.0), "alpha is 1.0"),
        (lambda: fit(*GOOD, coding=bad), "coding 'kenward' is unknown"),
    ):
        with pytest.raises(DesignError, match=message):
            call()


@pytest.mark.parametrize(("instances", "simulations"), [(5, 1000), (20, 1000), (100, 400)])
def test_equal_algorithms_are_told_apart_at_the_level_of_the_test(instances: int, simulations: int) -> None:
    p = np.array([_difference((20, 2, instances), seed, 0.0).p for seed in range(simulations)])
    error = np.sqrt(0.05 * 0.95 / simulations)
    assert abs((p < 0.05).mean() - 0.05) < 3 * error
    assert abs((p < 0.5).mean() - 0.5) < 3 * np.sqrt(0.25 / simulations)


def test_a_deterministic_algorithm_has_no_effect_of_its_instance() -> None:
    topic, algorithm, run = np.indices((30, 2, 10)).reshape(3, -1)[:, DETERMINISTIC]
    cell, instance = topic * 2 + algorithm, np.where(algorithm == 1, run, NO_EFFECT)
    rows, shared = crossed(algorithm, algorithm * 10 + run)
    p = np.empty((600, 2))
    for seed in range(len(p)):
        rng = np.random.default_rng(seed)
        y = 0.2 * rng.normal(size=30)[topic] + 0.05 * rng.normal(size=60)[cell]
        y += np.where(algorithm == 1, 0.02 * rng.normal(size=10)[run] + 0.05 * rng.normal(size=len(run)), 0.0)
        own = fit(y, algorithm, {"topic": topic, "cell": cell, "instance": instance})
        copied = fit(y[rows], algorithm[rows], {"topic": topic[rows], "cell": cell[rows], "instance": shared})
        p[seed] = own.test([-1, 1]).p, copied.test([-1, 1]).p
    told_apart = (p < 0.05).mean(axis=0)
    assert abs(told_apart[0] - 0.05) < 3 * np.sqrt(0.05 * 0.95 / len(p))
    assert told_apart[1] > 0.075  # the copies of the paper are taken for measurements


DETERMINISTIC = np.flatnonzero(np.indices((30, 2, 10))[1] + (np.indices((30, 2, 10))[2] == 0))


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_intervals_cover(missing: float) -> None:
    tests = [_difference((20, 2, 6), seed, missing) for seed in range(1000, 2000)]
    covered = [low <= 0 <= high for low, high in (test.interval() for test in tests)]
    assert 0.93 <= np.mean(covered) <= 0.97


def _difference(shape: tuple[int, int, int], seed: int, missing: float) -> ContrastTest:
    """The test of algorithms that do not differ."""
    y, algorithm, random = simulated(shape, seed=seed, missing=missing)
    return fit(y - 0.3 * algorithm, algorithm, random).test([-1, 1])
