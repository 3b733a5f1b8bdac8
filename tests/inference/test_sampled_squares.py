"""Mean squares of algorithms on topics in clusters and with weights, against full matrices and plain topics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.errors import DesignError
from irgauge.inference.sampled_squares import SampledAlgorithms, sampled_mean
from irgauge.inference.sampling import Sampling, SamplingColumns
from irgauge.models.mixed.squares import TwoAlgorithms
from oracles.slow_sampling import cr2

USER = SamplingColumns(cluster="user")


def in_clusters(sizes: list[int], rng: np.random.Generator) -> Sampling:
    cluster, weight = np.repeat(np.arange(len(sizes)), sizes), rng.gamma(2.0, size=sum(sizes))
    return Sampling(weight / weight.sum(), cluster, np.zeros(len(cluster), np.intp), USER)


def slow_instance_part(values: np.ndarray, sampling: Sampling) -> float:
    """max(MS_i − R, MS_i / (m − 1)) / m, of sums one by one."""
    m, topics = values.shape
    means = [sum(w * y for w, y in zip(sampling.weight, row, strict=True)) for row in values]
    between = sum((mean - sum(means) / m) ** 2 for mean in means) / (m - 1)
    left = [[row[t] - sum(values[:, t]) / m for t in range(topics)] for row in values]
    held = sum(cr2(own, sampling.cluster, sampling.weight, [1.0], [0] * topics)[1] ** 2 for own in left) / (m - 1)
    return max(between - held, between / (m - 1)) / m


@settings(max_examples=25, deadline=None)
@given(sizes=st.lists(st.integers(1, 5), min_size=4, max_size=7), seed=st.integers(0, 10**6), effect=st.booleans())
def test_parts_are_those_of_full_matrices(sizes: list[int], seed: int, *, effect: bool) -> None:
    rng = np.random.default_rng(seed)
    sampling = in_clusters(sizes, rng)
    topics = len(sampling.weight)
    of_cluster = rng.normal(size=(2, 4, len(sizes)))[..., sampling.cluster]  # instances differ on whole clusters
    first, second = rng.normal(size=(2, 4, topics)) + of_cluster + effect * rng.normal(size=(2, 4, 1))
    pair = SampledAlgorithms.sampled(first, second, sampling)
    mean, se, df = cr2(first.mean(axis=0) - second.mean(axis=0), sampling.cluster, sampling.weight, [1.0], [0] * topics)
    assert pair.difference == pytest.approx(mean)
    expected = se**2, slow_instance_part(first, sampling), slow_instance_part(second, sampling)
    assert pair.variance == pytest.approx(expected)
    assert pair.df == pytest.approx((df, 3, 3))
    alone = sampled_mean(first, sampling)
    of_topics = cr2(first.mean(axis=0), sampling.cluster, sampling.weight, [1.0], [0] * topics)
    assert alone == pytest.approx((of_topics[0], (of_topics[1] ** 2 + expected[1]) ** 0.5))


@pytest.mark.parametrize("holes", [0, 5])
def test_topics_one_by_one_have_the_plain_squares(holes: int) -> None:
    rng = np.random.default_rng(2)
    first, second = rng.random((5, 12)), rng.random((1, 12))
    first.ravel()[rng.choice(first.size, holes, replace=False)] = np.nan
    if holes:
        second[0, 3] = np.nan
    alone = Sampling(np.full(12, 1 / 12), np.arange(12), np.zeros(12, np.intp))
    plain, own = TwoAlgorithms.of(first, second), SampledAlgorithms.sampled(first, second, alone)
    assert own.difference == pytest.approx(plain.difference)
    assert own.variance == pytest.approx(plain.variance)
    assert own.df == pytest.approx(plain.df)
    assert own.with_factor(0.9).variance == pytest.approx(plain.with_factor(0.9).variance)


def test_topics_that_are_there_ten_times_show_no_more() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random((2, 4, 9))
    copies = Sampling(np.full(90, 1 / 90), np.repeat(np.arange(9), 10), np.zeros(90, np.intp), USER)
    own = SampledAlgorithms.sampled(np.repeat(first, 10, axis=1), np.repeat(second, 10, axis=1), copies)
    plain = TwoAlgorithms.of(first, second)
    assert own.variance == pytest.approx(plain.variance)
    assert own.df == pytest.approx(plain.df)


def test_a_pair_without_topics_of_a_kind_has_no_mean_by_shares() -> None:
    kind = np.repeat([0, 1], 6)
    shares = Sampling(np.full(12, 1 / 12), np.arange(12), kind, SamplingColumns(shares="type"))
    values = np.random.default_rng(4).random((2, 12))
    values[:, kind == 1] = np.nan
    with pytest.raises(DesignError, match="no topics in common of some kind of 'type'"):
        SampledAlgorithms.sampled(values, np.ones((1, 12)), shares)
