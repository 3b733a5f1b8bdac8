"""Shares of undefined cells in closed form, against cells that are counted in drawn shards and images."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irgauge.replicates.undefined import MANY_UNDEFINED, most_shards, undefined_in_images, undefined_in_shards

RELEVANT = np.array([1, 1, 2, 3, 8, 20])
CORPUS = 400


def undefined_when_drawn(shards: int | None, draws: int = 4000) -> float:
    """The share of undefined cells over draws: of shards by a die, or of images."""
    rng = np.random.default_rng(3)
    share = []
    for count in RELEVANT:
        if shards is None:
            drawn = rng.integers(CORPUS, size=(draws, CORPUS))
            share.append(np.mean(np.all(drawn >= count, axis=1)))  # the first documents are the relevant ones
        else:
            labels = rng.integers(shards, size=(draws, count))
            share.append(np.mean(np.all(labels != 0, axis=1)))
    return float(np.mean(share))


@pytest.mark.parametrize("shards", [2, 5, 10])
def test_shards_leave_undefined_what_is_counted_when_they_are_drawn(shards: int) -> None:
    assert undefined_in_shards(RELEVANT, shards) == pytest.approx(undefined_when_drawn(shards), abs=0.01)


def test_images_leave_undefined_what_is_counted_when_they_are_drawn() -> None:
    assert undefined_in_images(RELEVANT, CORPUS) == pytest.approx(undefined_when_drawn(None), abs=0.01)


@pytest.mark.parametrize("shards", [2, 5, 10])
def test_even_shards_leave_a_little_less(shards: int) -> None:
    outside = CORPUS - CORPUS // shards
    exact = np.mean([math.comb(outside, int(count)) / math.comb(CORPUS, int(count)) for count in RELEVANT])
    assert exact <= undefined_in_shards(RELEVANT, shards) < exact + 0.005


def test_a_topic_whose_relevant_documents_are_the_corpus_is_never_undefined() -> None:
    assert undefined_in_images(np.array([7]), 7) == 0


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8))
def test_one_shard_more_than_the_most_leaves_too_much(counts: list[int]) -> None:
    relevant = np.array(counts)
    most = most_shards(relevant)
    assert undefined_in_shards(relevant, most) <= MANY_UNDEFINED < undefined_in_shards(relevant, most + 1)
