"""Comparisons of algorithms over instances, against scipy, closed-form ANOVA and numbers by hand."""

from __future__ import annotations

import itertools
import math
import time
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from conftest import Golden
from irgauge import load
from irgauge.errors import DesignError
from irgauge.inference.instance_tests import FORMULAS, ModelName, Pair
from irgauge.inference.verdicts import Verdict
from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.replicates.given import InstanceData
from irgauge.replicates.instances import InstanceScores
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import Measure
from irgauge.scoring.scorer import Scorer
from irgauge.scoring.scores import Scores
from irgauge.studies.instances import posterior
from irgauge.studies.instances.charts import topic_boxes, topic_means
from irgauge.studies.instances.further_questions import Smallest, setting_of, spread_of_instances
from irgauge.studies.instances.study import AlgorithmsCompared, instances
from oracles.simulated_scores import Effects, simulate_scores

RATES = Effects(
    ("full", "sampled-4", "sampled-0.5", "sampled-1"),
    (0.5, 0.5, 0.45, 0.49),
    topic_algorithm_sd=0.03,
    instance_sd=0.02,
    residual_sd=0.04,
    deterministic=("full",),
)
MIRROR = {"better": "worse", "worse": "better", "not worse": "not better", "not better": "not worse"}


def by_tests(data: InstanceData, measure: str | None = None, **options: Any) -> AlgorithmsCompared:  # noqa: ANN401  # passed on
    return instances(data, measure, posterior=False, **options)


def balanced(each: int = 6, topics: int = 30, seed: int = 3, **effects: float) -> InstanceScores:
    given = {"instance_sd": 0.03, "topic_algorithm_sd": 0.06} | effects
    return simulate_scores(Effects(means=(0.52, 0.5), **given), topics=topics, instances=each, seed=seed)  # type: ignore[arg-type]  # options of several types


@pytest.fixture(scope="module")
def rates() -> AlgorithmsCompared:
    scores = simulate_scores(RATES, topics=60, instances=8, seed=5)
    return instances(scores, baseline="full", margin=0.03, seed=4)


# one instance each: the paired t-test


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_one_instance_each_is_the_paired_t_test(seed: int, alpha: float) -> None:
    scores = simulate_scores(Effects(means=(0.52, 0.5)), topics=25, instances=1, seed=seed)
    a, b = scores.cells()
    found = by_tests(scores, baseline="b", alpha=alpha, correction="none")
    expected = stats.ttest_rel(a, b)
    (one,) = found.contrasts
    assert found.model == "topic"
    assert found.tests.difference[0] == pytest.approx((a - b).mean(), rel=1e-9)
    assert [one.t, one.df] == pytest.approx([expected.statistic, 24], rel=1e-5)
    assert found.tests.p_difference[0] == pytest.approx(expected.pvalue, rel=1e-5)
    interval = expected.confidence_interval(1 - alpha)
    assert found.intervals[:, 0].tolist() == pytest.approx([interval.low, interval.high], rel=1e-5)


def test_one_sided_tests_are_those_of_scipy() -> None:
    scores = simulate_scores(Effects(), topics=25, instances=1, seed=8)
    a, b = scores.cells()
    found = by_tests(scores, baseline="b", margin=0.02).tests
    not_worse = stats.ttest_1samp(a - b, -0.02, alternative="greater").pvalue
    not_better = stats.ttest_1samp(a - b, 0.02, alternative="less").pvalue
    assert found.p_not_worse[0] == pytest.approx(not_worse, rel=1e-5)
    assert found.p_not_better[0] == pytest.approx(not_better, rel=1e-5)


# balanced and nested: ANOVA in closed form


def mean_squares(cells: np.ndarray) -> tuple[float, float, float]:
    """Of instances within algorithms, of topic:algorithm and of the residual."""
    a, m, t = cells.shape  # algorithm, instance, topic
    of_instance, of_cell, of_algorithm = cells.mean(axis=2), cells.mean(axis=1), cells.mean(axis=(1, 2))
    of_topic, grand = cells.mean(axis=(0, 1)), cells.mean()
    instance = t * ((of_instance - of_algorithm[:, None]) ** 2).sum() / (a * (m - 1))
    interaction = of_cell - of_algorithm[:, None] - of_topic + grand
    left = cells - of_instance[:, :, None] - of_cell[:, None] + of_algorithm[:, None, None]
    both = m * (interaction**2).sum() / ((a - 1) * (t - 1))
    return float(instance), float(both), float((left**2).sum() / (a * (m - 1) * (t - 1)))


def test_nested_and_balanced_is_the_anova() -> None:
    scores = balanced()
    found = by_tests(scores, baseline="b", variances="common")
    cells = scores.cells().reshape(2, 6, 30)
    instance, interaction, residual = mean_squares(cells)
    components = {one.name: one.variance for one in found.fit.components}
    assert components["residual"] == pytest.approx(residual, rel=1e-5)
    assert components["instance"] == pytest.approx((instance - residual) / 30, rel=1e-5)
    assert components["topic:algorithm"] == pytest.approx((interaction - residual) / 6, rel=1e-5)
    (one,) = found.contrasts
    error = instance + interaction - residual
    assert one.estimate == pytest.approx(cells[0].mean() - cells[1].mean(), rel=1e-9)
    assert one.se == pytest.approx(math.sqrt(2 * error / (6 * 30)), rel=1e-5)
    satterthwaite = error**2 / (instance**2 / 10 + interaction**2 / 29 + residual**2 / 290)
    assert one.df == pytest.approx(satterthwaite, rel=1e-3)


def test_repeated_and_balanced_is_the_paired_test_of_topic_means() -> None:
    scores = balanced()
    a, b = scores.cells().reshape(2, 6, 30).mean(axis=1)
    found = by_tests(scores, model="repeated", variances="common", baseline="b", correction="none")
    expected = stats.ttest_rel(a, b)
    assert found.contrasts[0].t == pytest.approx(expected.statistic, rel=1e-5)
    assert found.tests.p_difference[0] == pytest.approx(expected.pvalue, rel=1e-4)


def test_n_minus_f_are_the_papers_degrees_of_freedom() -> None:
    found = by_tests(balanced(), variances="common", df="n-f", correction="none")
    (one,) = found.contrasts
    assert one.df == 2 * 6 * 30 - 2
    assert found.tests.p_difference[0] == pytest.approx(2 * stats.t.sf(abs(one.estimate / one.se), 358), rel=1e-9)


# designs


def test_instances_are_nested_where_one_algorithm_has_several(rates: AlgorithmsCompared) -> None:
    assert rates.model == "nested"
    levels = {one.name: one.levels for one in rates.fit.components}
    assert levels == {"instance": 24, "topic": 60, "topic:algorithm": 240, "residual": 25 * 60}


def test_crossed_repeats_the_deterministic_one() -> None:
    effects = Effects(("full", "sampled"), (0.5, 0.48), deterministic=("full",))
    scores = simulate_scores(effects, topics=20, instances=5, seed=2)
    found = by_tests(scores, model="crossed", variances="common", baseline="full", correction="none")
    levels = {one.name: one.levels for one in found.fit.components}
    assert levels == {"instance": 5, "topic": 20, "topic:algorithm": 40, "residual": 2 * 5 * 20}
    full, *sampled = scores.cells()
    assert found.contrasts[0].estimate == pytest.approx(np.mean(sampled) - full.mean(), rel=1e-9)
    by_topic = stats.ttest_rel(np.mean(sampled, axis=0), full)  # the effect of instances cancels
    assert found.contrasts[0].t == pytest.approx(by_topic.statistic, rel=1e-4)


def test_missing_cells_are_fitted() -> None:
    scores = simulate_scores(RATES, topics=20, instances=4, missing=0.1, seed=1)
    found = by_tests(scores, baseline="full")
    assert scores.missing > 0
    assert found.fit.n == len(scores.scores)


def test_each_model_says_what_it_covers() -> None:
    scores = balanced()
    models = ("topic", "repeated", "nested")
    covers = {model: by_tests(scores, model=model, variances="common").population for model in models}
    assert covers["nested"] == "other topics and other instances of the algorithms"
    assert covers["topic"] == "other topics, these instances of the algorithms"
    assert "but for what they share over topics" in covers["repeated"]
    assert set(get_args(ModelName)) == set(FORMULAS)


COVERS = "other topics and other instances of the algorithms, of full this run only"


def test_of_an_algorithm_with_one_run_claims_are_about_this_run() -> None:
    result = by_tests(simulate_scores(RATES, topics=10, instances=3), baseline="full", margin=0.3)
    assert {row["population"] for row in result.frame("pairs").to_dicts()} == {COVERS}
    assert result.provenance["population"] == COVERS
    assert result.findings()[0].text.startswith(f"For {COVERS}, ")
    assert {claim.population for finding in result.findings() for claim in finding.claims} == {COVERS}
    assert by_tests(simulate_scores(RATES, topics=10, instances=3), model="topic").population.endswith("algorithms")


# pairs, series, the smallest setting


def test_without_a_baseline_all_pairs_are_compared_best_first() -> None:
    effects = Effects(("a", "b", "c"), (0.2, 0.6, 0.4), topic_sd=0.01)
    found = by_tests(simulate_scores(effects, topics=20, instances=3))
    assert found.pairs == (Pair("b", "c"), Pair("b", "a"), Pair("c", "a"))
    assert (found.tests.difference > 0).all()
    assert found.series == ()
    assert found.verdicts == ("better", "better", "better")


def test_the_others_are_compared_with_a_baseline(rates: AlgorithmsCompared) -> None:
    assert rates.pairs == (Pair("sampled-4", "full"), Pair("sampled-0.5", "full"), Pair("sampled-1", "full"))
    means = {name: mean for name, (mean, _) in rates.means.items()}
    expected = [means[pair.system] - means["full"] for pair in rates.pairs]
    assert rates.tests.difference.tolist() == pytest.approx(expected)


def test_a_series_goes_by_its_settings(rates: AlgorithmsCompared) -> None:
    assert [(one.algorithm, one.value) for one in rates.series] == [
        ("sampled-0.5", 0.5),
        ("sampled-1", 1.0),
        ("sampled-4", 4.0),
    ]
    assert [one.verdict for one in rates.series] == [rates.verdicts[i] for i in (1, 2, 0)]
    assert rates.hpd_verdicts is not None
    assert [one.hpd_verdict for one in rates.series] == [rates.hpd_verdicts[i] for i in (1, 2, 0)]


def test_one_name_with_a_number_is_no_series() -> None:
    effects = Effects(("base", "bm25", "splade-v2", "ann-8", "ann-16"), (0.5,) * 5)
    found = by_tests(simulate_scores(effects, topics=10, instances=2), baseline="base")
    assert [one.algorithm for one in found.series] == ["ann-8", "ann-16"]
    few = simulate_scores(Effects(("base", "bm25"), (0.5, 0.5)), topics=10, instances=2)
    assert by_tests(few, baseline="base").series == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [("sampled-0.5", 0.5), ("rate4%", 4), ("x.5", 0.5), ("eps-1e-3", 0.001), ("v2b", None), ("full", None)],
)
def test_a_setting_is_the_number_at_the_end(name: str, value: float | None) -> None:
    assert setting_of(name) == value


def said(result: AlgorithmsCompared, differences: list[float], se: float = 0.001) -> AlgorithmsCompared:
    """The result as if these had been the differences."""
    d = np.array(differences)
    p = [stats.norm.sf(x / se) for x in (np.abs(d), d + 0.03, 0.03 - d)]
    tests = replace(result.tests, difference=d, p_difference=2 * p[0], p_not_worse=p[1], p_not_better=p[2])
    return replace(result, tests=tests, hpd=np.array([d - 0.02, d + 0.02]))


def test_the_smallest_setting_is_the_one_from_which_on_a_claim_holds(rates: AlgorithmsCompared) -> None:
    found = said(rates, [0.0, -0.2, -0.01])  # of 4, 0.5 and 1
    assert found.verdicts == ("equivalent", "worse", "equivalent")
    assert found.smallest() == Smallest(not_worse=1, equivalent=1)
    assert found.hpd_verdicts == ("equivalent", "worse", "not better")
    assert found.smallest(by_hpd=True) == Smallest(not_worse=4, equivalent=4)
    assert said(rates, [-0.2, 0.0, 0.0]).smallest().not_worse is None  # the largest is worse
    assert said(rates, [0.2, 0.2, -0.2]).smallest().not_worse == 4
    assert said(rates, [0.2, 0.0, 0.0]).smallest().equivalent is None


# the posterior


def test_probabilities_are_shares_of_draws(rates: AlgorithmsCompared) -> None:
    assert rates.posterior is not None
    assert rates.probabilities is not None
    assert rates.hpd is not None
    draws = rates.posterior.beta.reshape(-1, 4)  # draw, algorithm
    for pair, name in enumerate(("sampled-4", "sampled-0.5", "sampled-1")):
        d = draws[:, rates.scores.algorithms.index(name)] - draws[:, 0]
        expected = [(d > 0.03).mean(), ((d >= -0.03) & (d <= 0.03)).mean(), (d < -0.03).mean()]
        assert rates.probabilities[:, pair].tolist() == pytest.approx(expected)
        low, high = rates.hpd[:, pair]
        inside = ((d >= low) & (d <= high)).mean()
        assert inside == pytest.approx(0.95, abs=0.001)
        central = np.quantile(d, [0.025, 0.975])
        assert high - low <= central[1] - central[0]
    assert rates.probabilities.sum(axis=0) == pytest.approx(1)


def test_posterior_and_tests_agree_on_many_data(rates: AlgorithmsCompared) -> None:
    assert rates.hpd is not None
    assert rates.hpd.mean(axis=0) == pytest.approx(rates.tests.difference, abs=0.004)
    common = by_tests(rates.scores, baseline="full", variances="common")  # as the posterior has them
    widths = np.diff(rates.hpd, axis=0) / np.diff(common.intervals, axis=0)
    assert ((widths > 0.85) & (widths < 1.15)).all()


@pytest.mark.parametrize("workers", [1, 3])
def test_a_seed_gives_the_same_draws_for_any_number_of_workers(workers: int, rates: AlgorithmsCompared) -> None:
    again = instances(rates.scores, baseline="full", margin=0.03, seed=4, workers=workers)
    other = instances(rates.scores, baseline="full", margin=0.03, seed=5, workers=workers)
    assert rates.hpd is not None
    assert again.hpd is not None
    assert other.hpd is not None
    assert (again.hpd == rates.hpd).all()
    assert (other.hpd != rates.hpd).all()
    assert (other.tests.p_difference == rates.tests.p_difference).all()


def test_draws_are_counted() -> None:
    found = instances(balanced(), draws=3000, seed=1)
    assert found.posterior is not None
    assert found.posterior.beta.shape == (4, 3000, 2)


def test_without_a_posterior_there_are_the_tests_alone() -> None:
    found = by_tests(balanced())
    assert (found.posterior, found.hpd, found.hpd_verdicts, found.probabilities) == (None, None, None, None)


def test_where_draws_are_too_few_more_are_taken() -> None:
    found = instances(balanced(each=2), draws=100)
    assert found.posterior is not None
    draws = found.posterior.beta.shape[1]
    assert draws in (400, 1600, 6400, 25600)
    assert max(one.r_hat for one in found.posterior.diagnostics) <= 1.01
    same = instances(balanced(each=2), draws=draws)
    assert found.hpd is not None
    assert same.hpd is not None
    assert found.hpd.tolist() == same.hpd.tolist()


def test_a_posterior_that_never_converges_is_left_out_and_it_is_told_why(
    monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    tried: list[int] = []

    def fail(*_: object, draws: int, **__: object) -> None:
        tried.append(draws)
        raise DesignError("the chains disagree on 'topic'")

    monkeypatch.setattr(posterior, "sample_cross", fail)
    found, tests = instances(balanced()), by_tests(balanced())
    assert tried == [2000, 8000, 32000]
    assert (found.posterior, found.hpd, found.hpd_verdicts, found.probabilities) == (None, None, None, None)
    assert (found.tests.p_difference == tests.tests.p_difference).all()
    told = found.findings().of("no-posterior").texts()
    golden(told)
    assert not tests.findings().of("no-posterior")


def test_a_posterior_of_very_many_algorithms_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posterior, "_LARGEST", 3)
    found = instances(balanced())
    assert found.posterior is None
    (told,) = found.findings().of("no-posterior").texts()
    assert told.startswith("The posterior is left out: with 2 algorithms it takes very long; it is there for fewer")


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    frame = simulate_scores(RATES, topics=12, instances=3, seed=5).frame()
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=seed)
    first, other = (instances(InstanceScores.from_frame(one), draws=500, seed=4) for one in (frame, shuffled))
    assert first.to_dict() == other.to_dict()


def test_many_pairs_take_no_time_of_their_square() -> None:
    names = tuple(f"system-{i}" for i in range(80))
    effects = Effects(names, tuple(0.4 + 0.001 * i for i in range(80)), instance_sd=0.02)
    found = by_tests(simulate_scores(effects, topics=5, instances=2, seed=1))
    began = time.process_time()
    assert len(found.frame()) == len(found.verdicts) == 80 * 79 // 2
    assert len(found.singles) == 80 * 79
    assert time.process_time() - began < 10


# corrections


@pytest.mark.parametrize(("correction", "factors"), [("none", [1, 1, 1]), ("bonferroni", [3, 3, 3])])
def test_corrections_are_of_each_family(correction: str, factors: list[int], rates: AlgorithmsCompared) -> None:
    found = by_tests(rates.scores, baseline="full", correction=correction)
    alone = [one.p for one in found.contrasts]
    expected = [min(1, factor * p) for factor, p in zip(factors, alone, strict=True)]
    assert found.tests.p_difference.tolist() == pytest.approx(expected, rel=1e-9)


def test_tukey_is_the_studentized_range(rates: AlgorithmsCompared) -> None:
    found = by_tests(rates.scores, correction="tukey")
    for p, one in zip(found.tests.p_difference, found.contrasts, strict=True):
        expected = stats.studentized_range.sf(math.sqrt(2) * abs(one.estimate / one.se), 4, one.df)
        assert p == pytest.approx(expected, abs=1e-7)


# boxes


def test_boxes_are_of_the_instances_on_each_topic() -> None:
    scores = simulate_scores(RATES, topics=12, instances=7, missing=0.1, seed=1)
    boxes = topic_boxes(scores, "sampled-1")
    rows = scores.frame().filter(algorithm="sampled-1")
    for t, topic in enumerate(scores.topics):
        values = rows.filter(topic=topic)["score"].to_list()
        expected = np.percentile(values, [0, 25, 50, 75, 100]) if values else [math.nan] * 5
        assert [end[t] for end in boxes] == pytest.approx(list(expected), nan_ok=True)


def test_means_of_topics_weigh_algorithms_alike() -> None:
    scores = simulate_scores(RATES, topics=12, instances=7, missing=0.1, seed=1)
    frame = scores.frame()
    found = topic_means(scores, ["full", "sampled-1"])
    for t, topic in enumerate(scores.topics):
        own = [frame.filter(topic=topic, algorithm=name)["score"].mean() for name in ("full", "sampled-1")]
        given = [float(one) for one in own if isinstance(one, float)]
        assert found[t] == pytest.approx(sum(given) / len(given))


def test_the_best_is_the_best_by_fitted_means() -> None:
    """Of the worse algorithm, the scores on hard topics are missing, so that its raw mean is the larger one."""
    scores = simulate_scores(Effects(("a", "b"), (0.55, 0.5), residual_sd=0.01), topics=20, instances=3, seed=1)
    hard = scores.cells().mean(axis=0) < np.median(scores.cells().mean(axis=0))
    kept = (scores.algorithm == 0) | ~hard[scores.topic]
    some = replace(scores, instance=scores.instance[kept], topic=scores.topic[kept], scores=scores.scores[kept])
    assert some.scores[some.algorithm == 1].mean() > some.scores[some.algorithm == 0].mean() + 0.05
    found = by_tests(some)
    assert found.pairs == (Pair("a", "b"),)
    assert found.tests.difference[0] == pytest.approx(0.05, abs=0.03)


def test_a_pair_has_variances_of_its_own() -> None:
    """b differs from a much more from topic to topic than c does; common variances do not see it."""
    rng = np.random.default_rng(2)
    base = simulate_scores(Effects(("a", "b", "c"), (0.5,) * 3, topic_algorithm_sd=0.0), topics=40, instances=4, seed=1)
    shift = np.where(base.algorithm == 1, rng.normal(0, 0.2, 40)[base.topic], 0)
    scores = replace(base, scores=base.scores + shift)
    found = by_tests(scores, baseline="a")
    for i, pair in enumerate(found.pairs):
        own = by_tests(scores.only(pair), baseline="a")
        assert own.contrasts[0] == found.contrasts[i]
        assert own.intervals[:, 0].tolist() == found.intervals[:, i].tolist()
    assert found.contrasts[0].se > 2 * found.contrasts[1].se
    common = by_tests(scores, baseline="a", variances="common")
    assert common.contrasts[0].se == pytest.approx(common.contrasts[1].se, rel=1e-6)


def test_the_variance_of_a_difference_is_a_sum_of_parts() -> None:
    scores = simulate_scores(Effects(instance_sd=0.05), topics=25, instances=4, seed=6)
    found = by_tests(scores, baseline="b", alpha=0.1)
    a, b = scores.cells()[:4], scores.cells()[4:]
    reach, variance = 0.0, 0.0
    for part, df in (
        ((a.mean(axis=0) - b.mean(axis=0)).var(ddof=1) / 25, 24),
        *((max(between(one) - residual(one) / 25, between(one) / 3) / 4, 3) for one in (a, b)),
    ):
        variance += part
        reach += stats.t.ppf(0.95, df) ** 2 * part
    (one,) = found.contrasts
    assert one.se == pytest.approx(math.sqrt(variance))
    assert np.diff(found.intervals[:, 0])[0] == pytest.approx(2 * math.sqrt(reach))
    assert stats.t.ppf(0.95, one.df) * one.se == pytest.approx(math.sqrt(reach))


def between(values: np.ndarray) -> float:
    return float(values.mean(axis=1).var(ddof=1))


def residual(values: np.ndarray) -> float:
    left = values - values.mean(axis=0) - values.mean(axis=1)[:, None] + values.mean()
    return float((left**2).sum() / ((len(values) - 1) * (values.shape[1] - 1)))


def test_these_instances_are_compared_by_their_means_on_topics() -> None:
    scores = balanced()
    a, b = scores.cells().reshape(2, 6, 30).mean(axis=1)
    found = by_tests(scores, model="topic", baseline="b", correction="none")
    expected = stats.ttest_rel(a, b)
    assert (found.contrasts[0].t, found.contrasts[0].p) == pytest.approx((expected.statistic, expected.pvalue))


def test_the_scale_of_the_prior_does_not_depend_on_topics() -> None:
    one = simulate_scores(Effects(topic_sd=0.01), topics=20, instances=4, seed=2)
    other = replace(one, scores=one.scores + np.random.default_rng(1).normal(0, 0.5, 20)[one.topic])
    assert spread_of_instances(other) == pytest.approx(spread_of_instances(one))
    means = one.cells().mean(axis=1)
    pooled = (means[:4].var(ddof=1) + means[4:].var(ddof=1)) / 2
    assert spread_of_instances(one) == pytest.approx(2.5 * (1 + 1 / 6) * math.sqrt(pooled))


# properties


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.floats(-0.1, 0.1), st.floats(0.005, 0.1))
def test_swapping_the_two_mirrors_the_verdict(seed: int, shift: float, margin: float) -> None:
    effects = Effects(("a", "b"), (0.5 + shift, 0.5))
    scores = simulate_scores(effects, topics=12, instances=3, seed=seed)
    one, other = (by_tests(scores, baseline=name, margin=margin) for name in ("b", "a"))
    assert other.verdicts == tuple(MIRROR.get(verdict, verdict) for verdict in one.verdicts)
    assert other.tests.difference[0] == pytest.approx(-one.tests.difference[0], abs=1e-12)
    renamed = replace(scores, algorithms=("b", "a"))
    assert by_tests(renamed, baseline="a", margin=margin).verdicts == one.verdicts


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.floats(-5, 5))
def test_adding_a_constant_changes_the_means_only(seed: int, constant: float) -> None:
    scores = simulate_scores(Effects(), topics=10, instances=3, seed=seed)
    one, other = by_tests(scores), by_tests(replace(scores, scores=scores.scores + constant))
    for name, (mean, se) in one.means.items():
        assert other.means[name][0] == pytest.approx(mean + constant, abs=1e-9)
        assert other.means[name][1] == pytest.approx(se, rel=1e-4)
    assert other.tests.difference == pytest.approx(one.tests.difference, abs=1e-9)
    assert other.tests.p_difference == pytest.approx(one.tests.p_difference, rel=1e-3)
    variances = [[part.variance for part in result.fit.components] for result in (one, other)]
    assert variances[1] == pytest.approx(variances[0], rel=1e-3, abs=1e-8)


def test_every_verdict_is_reached() -> None:
    found: set[Verdict] = set()
    for shift in (-0.1, -0.02, 0.0, 0.02, 0.1):
        for topics, seed in itertools.product((8, 60), range(3)):
            effects = Effects(means=(0.5 + shift, 0.5), instance_sd=0.002, topic_algorithm_sd=0.03)
            scores = simulate_scores(effects, topics=topics, instances=5, seed=seed)
            found |= set(by_tests(scores, baseline="b", margin=0.02).verdicts)
    assert found == set(get_args(Verdict))


# bad input

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown baseline": ({"baseline": "c"}, "the baseline 'c' is unknown; choose from a, b"),
    "an unknown model": ({"model": "full"}, "the model 'full' is unknown; .* topic, repeated, nested, crossed"),
    "a margin of 0": ({"margin": 0.0}, r"margin 0.0 is not possible"),
    "a negative margin": ({"margin": -0.01}, r"margin -0.01 is not possible"),
    "no margin": ({"margin": math.nan}, "margin nan is not possible"),
    "an unknown correction": ({"correction": "holms"}, "did you mean 'holm'"),
    "an unknown degree of freedom": (
        {"variances": "common", "df": "nf"},
        "the degrees of freedom 'nf' is unknown; did you mean 'n-f'",
    ),
    "an unknown algorithm": ({"only": ["a", "c"]}, "the algorithm 'c' is unknown"),
    "an unknown algorithm in the chart": ({"pair": ("a", "c")}, "the algorithm 'c' is unknown"),
    "two random algorithms crossed": (
        {"model": "crossed", "variances": "common"},
        "2 algorithms have several instances",
    ),
    "unknown variances": ({"variances": "owns"}, "did you mean 'own'"),
    "the paper's model with own variances": ({"model": "crossed"}, "ask for the variances 'common' too"),
    "degrees of freedom with own variances": ({"df": "n-f"}, "go with common variances, and own ones were asked for"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_are_refused(name: str) -> None:
    options, message = BAD[name]
    with pytest.raises(DesignError, match=message):
        by_tests(balanced(), **options)


def test_one_algorithm_is_refused() -> None:
    with pytest.raises(DesignError, match="there is one algorithm, 'a'; at least 2 are needed"):
        by_tests(balanced().only(["a"]))


@pytest.mark.parametrize("model", ["repeated", "nested", "crossed"])
def test_one_instance_everywhere_leaves_the_model_of_topics(model: ModelName) -> None:
    scores = simulate_scores(Effects(), topics=10, instances=1)
    with pytest.raises(DesignError, match=r"one instance.*the model 'topic' still applies"):
        by_tests(scores, model=model)
    assert by_tests(scores, model="topic").verdicts


# what is given

QRELS = {"1": {"d1": 1, "d2": 2}, "2": {"d3": 1}, "3": {"d1": 1, "d4": 1}}
RUNS = {
    "full": {"1": {"d1": 3, "d2": 2}, "2": {"d3": 2}, "3": {"d4": 2, "d2": 1}},
    "some-1": {"1": {"d2": 3, "d9": 2}, "2": {"d8": 3, "d3": 2}, "3": {"d9": 3, "d4": 2}},
    "some-2": {"1": {"d9": 3, "d1": 2}, "2": {"d3": 2}, "3": {"d1": 2, "d9": 1}},
    "other-1": {"1": {"d9": 3, "d1": 2}, "3": {"d1": 2, "d9": 1}},
}
LABELS = dict(zip(RUNS, [("full", None), ("some", "1"), ("some", "2"), ("other", "1")], strict=True))


@pytest.fixture
def runs() -> Collection:
    return load(QRELS, RUNS, warn=False)


def test_runs_with_labels_are_scored_on_a_bench(runs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[tuple[Measure, ...]] = []

    class Counted(Scorer):
        def __init__(self, collection: Collection, measures: tuple[Measure, ...]) -> None:
            scored.append(measures)
            super().__init__(collection, measures)

    monkeypatch.setattr("irgauge.replicates.bench.Scorer", Counted)
    bench = Bench(runs)
    found = [by_tests(bench, "AP", labels=LABELS, only=names) for names in ((), ["full", "some"])]
    assert scored == [(Measure("AP"),)]
    by_hand = InstanceScores.from_frame(found[0].scores.frame(), measure="AP")
    assert found[0].tests.difference.tolist() == by_tests(by_hand).tests.difference.tolist()
    assert found[0].scores.instances == ("full", "1", "1", "2")
    assert found[1].scores.algorithms == ("full", "some")


def test_runs_say_how_they_were_measured(runs: Collection) -> None:
    found = by_tests(runs, labels=LABELS)
    assert found.measure == "nDCG@10"
    facts = found.provenance
    assert facts["measures"] == ("nDCG@10",)
    missing = {"rule": "zero", "topics": 1, "of": 3, "systems": {"other-1": 1}}
    assert facts["missing"] == missing  # scores 0 on the topic that it does not answer
    assert (facts["fill"], facts["undefined"], facts["precision"]) == ("zero", 0, "double")
    assert facts["instances"] == {"full": 1, "some": 2, "other": 1}
    assert "systems" not in facts
    assert "missing" not in by_tests(runs, labels=LABELS, only=["full", "some"]).provenance


def test_undefined_scores_are_filled_or_their_topics_dropped(runs: Collection) -> None:
    """On topics 2 and 3 no document has grade 2."""
    measure = "AP(rel=2)"
    ones = by_tests(runs, measure, labels=LABELS, fill="one")
    assert ones.scores.filled == 8
    assert (ones.scores.cells()[:, 1:] == 1).all()
    with pytest.raises(DesignError, match="the fill 'drop' leaves 1 of 3 topics"):
        by_tests(runs, measure, labels=LABELS, fill="drop")
    with pytest.raises(DesignError, match="the fill 'redraw' draws splits again"):
        by_tests(runs, labels=LABELS, fill="redraw")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "neither a manifest nor a pattern was given"),
        ({"labels": dict(list(LABELS.items())[:2])}, "2 of 4 runs, such as .*, have no label; add it"),
        ({"labels": list(LABELS.values())}, "labels are a mapping from the name of each run"),
        ({"labels": LABELS, "pattern": "{algorithm}-{seed}"}, "labels were given beside a manifest or a pattern"),
    ],
)
def test_runs_need_labels(options: dict[str, Any], message: str, runs: Collection) -> None:
    with pytest.raises(DesignError, match=message):
        by_tests(runs, **options)


@pytest.mark.parametrize("option", [{"manifest": "m.txt"}, {"pattern": "{algorithm}"}, {"labels": []}, {"fill": "one"}])
def test_options_of_runs_are_refused_with_scores(option: dict[str, Any]) -> None:
    with pytest.raises(DesignError, match=f"the option '{next(iter(option))}' is of runs, and scores were given"):
        by_tests(balanced(), **option)


def test_scores_are_of_the_measure_asked_for() -> None:
    unnamed = balanced()
    assert by_tests(unnamed).measure == "score"
    assert by_tests(unnamed, "AP").measure == "AP"
    named = replace(unnamed, measure="AP")
    assert by_tests(named).provenance["measures"] == ("AP",)
    with pytest.raises(DesignError, match="these are scores of AP, and RR was asked for"):
        by_tests(named, "RR")


def test_other_data_are_refused(runs: Collection) -> None:
    measured: Any = Bench(runs).measured(Measuring((Measure("AP"),), "even:2", sparse=True))
    with pytest.raises(DesignError, match="these scores were measured on shards already, and have no instances"):
        by_tests(measured)
    with pytest.raises(DesignError, match="data is a int; load runs first"):
        by_tests(3)  # type: ignore[arg-type]  # on purpose


def test_a_table_whose_systems_have_replicates_is_one_of_instances() -> None:
    given = balanced()
    table = given.frame().rename({"algorithm": "model", "instance": "seed", "topic": "qid", "score": "value"})
    for one in (table, Scores.from_frame(table)):
        assert by_tests(one).pairs == by_tests(given).pairs


def test_the_provenance_has_the_model_and_its_posterior(rates: AlgorithmsCompared) -> None:
    facts = rates.provenance
    assert (facts["model"], facts["variances"], facts["correction"], facts["margin"]) == ("nested", "own", "holm", 0.03)
    assert "df" not in facts
    assert by_tests(rates.scores, variances="common").provenance["df"] == "satterthwaite"
    assert facts["posterior"] == {
        "chains": 4,
        "draws": 2000,
        "warmup": 250,
        "prior": str(rates.posterior.prior if rates.posterior else None),
    }
    assert (facts["seed"], facts["population"]) == (4, COVERS)
    alone = by_tests(rates.scores).provenance
    assert not {"posterior", "seed", "missing_cells"} & set(alone)
    some = simulate_scores(RATES, topics=20, instances=4, missing=0.1, seed=1)
    assert by_tests(some).provenance["missing_cells"] == some.missing
