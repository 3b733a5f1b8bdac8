from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irgauge.errors import DesignError
from irgauge.lab.picking import check_rate, picked, proportion, redde, sample, stands_for
from irgauge.scoring.drawn import Shards


def shards_of(labels: list[int], number: int) -> Shards:
    return Shards(np.array(labels, np.int32), tuple(f"S{i}" for i in range(number)))


def slow_counts(ranked: list[int], labels: list[int], sampled: list[int], reach: float) -> dict[int, float]:
    """ReDDE as its paper tells it, document by document."""
    found: dict[int, float] = {}
    rank = 0.0
    for document in ranked:
        shard = labels[document]
        scale = labels.count(shard) / sum(labels[one] == shard for one in sampled)
        if rank < reach:
            found[shard] = found.get(shard, 0) + scale
        rank += scale
    return found


@given(st.data())
def test_counts_are_those_of_a_slow_count(data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 6))
    labels = data.draw(st.lists(st.integers(0, number - 1), min_size=1, max_size=60))
    sampled = sorted(data.draw(st.sets(st.integers(0, len(labels) - 1), min_size=1)))
    ranked = data.draw(st.permutations(sampled))[: data.draw(st.integers(0, len(sampled)))]
    reach = data.draw(st.floats(1, 100))
    shards = shards_of(labels, number)
    weights = stands_for(shards, np.array(sampled))
    found = redde(shards.labels[np.array(ranked, np.intp)], weights, reach)
    slow = slow_counts(ranked, labels, sampled, reach)
    assert found == pytest.approx([slow.get(shard, 0) for shard in range(number)])


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 40))
def test_proportions_are_shares_of_the_first_results(labels: list[int], reach: int) -> None:
    shares = proportion(np.array(labels, np.int32), np.ones(4), reach)
    results = labels[:reach]
    assert shares.tolist() == [results.count(shard) / len(results) if results else 0 for shard in range(4)]


@given(st.lists(st.integers(0, 4), min_size=5, max_size=300), st.floats(0.01, 1), st.integers(0, 99))
def test_a_sample_has_its_share_of_each_shard(labels: list[int], rate: float, seed: int) -> None:
    shards = shards_of(labels, 5)
    drawn = sample(shards, rate, np.random.default_rng(seed))
    assert len(set(drawn.tolist())) == len(drawn)
    assert abs(len(drawn) - rate * len(labels)) < 1
    for shard in range(5):
        share = rate * labels.count(shard)
        assert abs((shards.labels[drawn] == shard).sum() - share) < 1 + 1e-9


def test_every_document_is_sampled_as_often() -> None:
    """Also those of shards that are smaller than one over the rate."""
    shards = shards_of([0] * 3 + [1] * 30 + [2] * 67, 3)
    drawn = [sample(shards, 0.07, np.random.default_rng(seed)) for seed in range(4000)]
    often = np.bincount(np.concatenate(drawn), minlength=100) / 4000
    assert often == pytest.approx(np.full(100, 0.07), abs=5 * np.sqrt(0.07 * 0.93 / 4000))


def test_a_sample_of_all_is_all() -> None:
    shards = shards_of([2, 0, 1, 1, 0, 2, 2], 3)
    assert sample(shards, 1.0, np.random.default_rng(0)).tolist() == list(range(7))
    assert stands_for(shards, np.arange(7)).tolist() == [1, 1, 1]


def test_the_largest_counts_are_picked_and_of_equal_ones_the_larger_shard() -> None:
    shards = shards_of([0] * 2 + [1] * 5 + [2] * 3 + [3] * 4, 4)
    assert picked(shards, np.array([1.0, 0.0, 7.0, 0.0]), 3).tolist() == [2, 0, 1]
    assert picked(shards, np.zeros(4), 4).tolist() == [1, 3, 2, 0]


def test_a_rate_that_samples_nothing_is_refused() -> None:
    check_rate(0.01, 100)
    with pytest.raises(DesignError, match=r"a rate of 0.5 % samples nothing of 100 documents; it takes at least 1 %"):
        check_rate(0.005, 100)


def test_the_rate_that_is_advised_samples_something() -> None:
    for documents in (*range(2, 3000), 11_429, 528_155):
        with pytest.raises(DesignError) as refused:
            check_rate(0.9 / documents, documents)
        advised = float(str(refused.value).split()[-2]) / 100
        check_rate(advised, documents)
        assert advised * documents < 1.11
