"""Clusters, weights and shares of topics against slow matrices, closed forms, and tests of topics that are alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference.sampling import Sampling, SamplingColumns, sampling_of
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import TESTS, known_test
from irgauge.reading.topic_table import TopicTable
from oracles.slow_sampling import cr2, survey_mean, two_sided

SYSTEMS = ["a", "b", "c"]


def table(**columns: Sequence[object]) -> tuple[TopicTable, list[str]]:
    topics = [f"q{i}" for i in range(len(next(iter(columns.values()))))]
    values = {name: dict(zip(topics, map(str, own), strict=True)) for name, own in columns.items()}
    return TopicTable(values), topics


def sampled(sizes: list[int], rng: np.random.Generator, *, weighted: bool = True) -> Sampling:
    cluster = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    weight = rng.gamma(1.0, size=len(cluster)) if weighted else np.ones(len(cluster))
    return Sampling(weight / weight.sum(), cluster, np.zeros(len(cluster), np.intp), SamplingColumns(cluster="user"))


@settings(max_examples=40, deadline=None)
@given(sizes=st.lists(st.integers(1, 6), min_size=4, max_size=8), seed=st.integers(0, 10**6), weighted=st.booleans())
def test_errors_and_freedom_are_those_of_full_matrices(sizes: list[int], seed: int, *, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    sampling = sampled(sizes, rng, weighted=weighted)
    d = rng.normal(size=(len(sampling.weight), 2))
    mean, se, df, _ = sampling.of(d)
    for column in range(2):
        expected = cr2(d[:, column], sampling.cluster, sampling.weight, [1.0], [0] * len(d))
        assert (mean[column], se[column], df[column]) == pytest.approx(expected, rel=1e-9)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_kinds_with_shares_are_those_of_full_matrices(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = np.repeat([0, 1, 2], rng.integers(4, 9, 3))
    users = [f"{kind}-{i % 3}" for i, kind in enumerate(kinds)]
    shares = {"0": 5.0, "1": 3.0, "2": 2.0}
    weights = rng.gamma(2.0, size=len(kinds))
    about, topics = table(type=kinds.tolist(), user=users, hits=weights.tolist())
    sampling = sampling_of(about, topics, SamplingColumns("user", "hits", "type"), shares)
    assert sampling is not None
    d = rng.normal(size=(len(topics), 1)) * (1 + kinds[:, None])
    mean, se, df, _ = sampling.of(d)
    assert (mean[0], se[0], df[0]) == pytest.approx(cr2(d[:, 0], users, weights, [0.5, 0.3, 0.2], kinds.tolist()))


def test_shares_have_the_variance_of_strata_and_welchs_freedom() -> None:
    rng = np.random.default_rng(4)
    kinds = ["x"] * 12 + ["y"] * 5
    about, topics = table(type=kinds)
    sampling = sampling_of(about, topics, SamplingColumns(shares="type"), {"x": 30, "y": 70})
    assert sampling is not None
    d = rng.normal(size=17)
    parts = [0.3**2 * d[:12].var(ddof=1) / 12, 0.7**2 * d[12:].var(ddof=1) / 5]
    mean, se, df, _ = (float(each[0]) for each in sampling.of(d[:, None]))
    assert mean == pytest.approx(0.3 * d[:12].mean() + 0.7 * d[12:].mean())
    assert se == pytest.approx(sum(parts) ** 0.5)
    assert df == pytest.approx(sum(parts) ** 2 / (parts[0] ** 2 / 11 + parts[1] ** 2 / 4))


def test_weighted_means_are_those_of_surveys_and_errors_near_for_many_topics() -> None:
    rng = np.random.default_rng(5)
    weights, d = rng.gamma(3.0, size=2000), rng.normal(0.2, 1, 2000)
    about, topics = table(hits=weights.tolist())
    sampling = sampling_of(about, topics, SamplingColumns(weights="hits"))
    assert sampling is not None
    mean, se, *_ = (float(each[0]) for each in sampling.of(d[:, None]))
    assert mean == pytest.approx(survey_mean(d, weights)[0])
    assert se == pytest.approx(survey_mean(d, weights)[1], rel=2e-3)
    assert sampling.effective_topics == pytest.approx(weights.sum() ** 2 / (weights**2).sum())


@pytest.mark.parametrize("name", ["t", "skewed-t", "bootstrap-t", "randomization"])
def test_clusters_of_one_topic_are_no_clusters(name: str) -> None:
    rng = np.random.default_rng(6)
    values, alone = rng.gamma(1.0, size=(15, 3, 1)), Sampling(np.full(15, 1 / 15), np.arange(15), np.zeros(15, np.intp))
    correction = known_test(name).corrected_by.name
    plain = Experiment(values, SYSTEMS, correction=correction, draws=499, seed=3)
    own = Experiment(values, SYSTEMS, correction=correction, draws=499, seed=3, sampling=alone)
    first, second = (known_test(name).compare(experiment) for experiment in (plain, own))
    for field in ("difference", "low", "high", "p_adjusted", "se"):
        np.testing.assert_allclose(getattr(first, field), getattr(second, field), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["t", "skewed-t", "bootstrap-t", "randomization"])
def test_a_topic_that_is_there_ten_times_shows_no_more(name: str) -> None:
    rng = np.random.default_rng(7)
    values = rng.random((12, 2, 1)) + np.array([0.1, 0.0])[:, None]
    copied = Sampling(
        np.full(120, 1 / 120), np.repeat(np.arange(12), 10), np.zeros(120, np.intp), SamplingColumns("user")
    )
    test = known_test(name)
    plain = test.compare(Experiment(values, ["a", "b"], draws=499, seed=2))
    own = test.compare(Experiment(np.repeat(values, 10, axis=0), ["a", "b"], draws=499, seed=2, sampling=copied))
    for field in ("low", "high", "p", "se"):
        np.testing.assert_allclose(getattr(plain, field), getattr(own, field), rtol=1e-9)


def test_the_paired_t_of_clusters_has_the_p_of_its_error() -> None:
    rng = np.random.default_rng(8)
    sampling = sampled([2, 5, 1, 4, 3], rng, weighted=False)
    values = rng.random((15, 2, 1))
    comparison = known_test("t").compare(Experiment(values, ["a", "b"], baseline="b", sampling=sampling))
    expected = cr2(values[:, 0, 0] - values[:, 1, 0], sampling.cluster, np.ones(15), [1.0], [0] * 15)
    assert comparison.p[0] == pytest.approx(two_sided(*expected), rel=1e-6)
    assert comparison.df == pytest.approx(expected[2])


def test_bootstrapped_clusters_are_drawn_whole() -> None:
    from irgauge.inference.tests.bootstrap_t import _drawn_clusters

    rng = np.random.default_rng(9)
    sampling = sampled([2, 5, 1, 4, 3, 2, 6], rng, weighted=False)
    d = rng.normal(size=(23, 1))
    for _ in range(20):
        groups = rng.integers(0, 7, 7)
        drawn = [d[sampling.cluster == group, 0] - d.mean() for group in groups]
        mean = np.concatenate(drawn).mean()
        scores = np.array([np.sum(own - mean) for own in drawn])
        error = np.sqrt(7 / 6 * np.square(scores).sum()) / len(np.concatenate(drawn))
        enough = np.square(np.square(scores).sum()) >= 4 * np.square(np.square(scores)).sum()
        counts = np.bincount(groups, minlength=7)[None].astype(float)
        assert _drawn_clusters(d, counts, sampling)[0] == pytest.approx(abs(mean / error) if enough else 0.0)


def test_clusters_that_are_all_alike_have_no_spread_to_test_against() -> None:
    values = np.stack([np.tile([0.3, 0.1, 0.2], 6), np.tile([0.1, 0.2, 0.1], 6)], axis=1)[:, :, None]
    sampling = Sampling(np.full(18, 1 / 18), np.repeat(np.arange(6), 3), np.zeros(18, np.intp), SamplingColumns("user"))
    for name in ("t", "skewed-t"):
        comparison = known_test(name).compare(Experiment(values, ["a", "b"], sampling=sampling))
        assert (comparison.p[0], comparison.low[0]) == (1.0, -np.inf)


@pytest.mark.parametrize("name", [name for name, test in TESTS.items() if "sampling" not in test.takes])
def test_other_tests_refuse_clusters(name: str) -> None:
    sampling = sampled([2, 2, 2, 2], np.random.default_rng(1))
    experiment = Experiment(np.random.default_rng(2).random((8, 2, 1)), ["a", "b"], baseline="a", sampling=sampling)
    with pytest.raises(DesignError, match="skewed-t"):
        known_test(name).compare(experiment)


@pytest.mark.parametrize("name", ["randomization", "bootstrap-t"])
def test_draws_refuse_weights(name: str) -> None:
    sampling = sampled([1] * 8, np.random.default_rng(1))
    with pytest.raises(DesignError, match="count alike"):
        known_test(name).compare(Experiment(np.random.default_rng(2).random((8, 2, 1)), ["a", "b"], sampling=sampling))


@pytest.mark.parametrize(
    ("columns", "shares", "words"),
    [
        (SamplingColumns(cluster="three"), None, "into 3 clusters; claims about others need 4"),
        (SamplingColumns(cluster="holes"), None, "1 of 8 topics have no value in the column 'holes'"),
        (SamplingColumns(weights="huge"), None, "one topic has 100% of the weight of 8 topics"),
        (SamplingColumns(weights="three"), None, "weight 0 of topic q0 in 'three'"),
        (SamplingColumns(shares="three"), {"0": 1, "1": 1}, "the kind '2' of 'three' has no share"),
        (SamplingColumns(shares="three"), {"0": 1, "1": 1, "2": 1, "3": 1}, "'3' of 'three' has a share and no topic"),
        (SamplingColumns(shares="three"), {"0": 1, "1": -1, "2": 1}, "each is above 0"),
        (SamplingColumns(shares="each"), {str(i): 1 for i in range(8)}, "has fewer than 2 topics"),
        (SamplingColumns(cluster="four", shares="three"), {"0": 1, "1": 1, "2": 1}, "topics of several kinds"),
    ],
)
def test_what_cannot_be(columns: SamplingColumns, shares: dict[str, float] | None, words: str) -> None:
    about, topics = table(three=[i % 3 for i in range(8)], four=[i // 2 for i in range(8)], each=list(range(8)))
    about = about.beside(table(huge=[1e300] + [1e-300] * 7)[0])
    about = about.beside(TopicTable({"holes": {topic: topic for topic in topics[1:]}}))
    with pytest.raises(DesignError, match=words):
        sampling_of(about, topics, columns, shares)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (SamplingColumns(weights="own"), "there is 1 topic, so that nothing can be said of others"),
        (SamplingColumns(cluster="own"), "puts 1 topic into 1 cluster; claims"),
    ],
)
def test_one_topic_says_nothing_of_others(columns: SamplingColumns, words: str) -> None:
    with pytest.raises(DesignError, match=words):
        sampling_of(TopicTable({"own": {"q": "2"}}), ["q"], columns)


def test_some_topics_keep_weights_and_clusters() -> None:
    rng = np.random.default_rng(3)
    sampling = sampled([3, 3, 3, 3, 3], rng)
    some = np.arange(0, 15, 2)
    own = sampling.on(some)
    assert own.weight.sum() == pytest.approx(1)
    assert own.weight[0] / own.weight[1] == pytest.approx(sampling.weight[0] / sampling.weight[2])
    assert (own.cluster[:, None] == own.cluster).tolist() == (
        sampling.cluster[some][:, None] == sampling.cluster[some]
    ).tolist()


def test_few_topics_that_decide_are_counted() -> None:
    about, topics = table(hits=[50, 30, 10, 5, 5])
    sampling = sampling_of(about, topics, SamplingColumns(weights="hits"))
    assert sampling is not None
    assert (sampling.deciding(), sampling.deciding(0.8), sampling.deciding(0.81)) == (1, 2, 3)


def test_clusters_of_one_size_count_as_many_as_there_are() -> None:
    for clusters in (4, 7, 10, 23):
        alike = Sampling(
            np.full(3 * clusters, 1 / (3 * clusters)), np.repeat(np.arange(clusters), 3), np.zeros(3 * clusters, int)
        )
        assert alike.effective_clusters == clusters


def test_skewness_of_the_mean_is_scipys() -> None:
    d = np.random.default_rng(1).gamma(1.0, size=(20, 2))
    alone = Sampling(np.full(20, 0.05), np.arange(20), np.zeros(20, np.intp))
    np.testing.assert_allclose(alone.of(d).skewness, stats.skew(d, bias=False) / np.sqrt(20))
