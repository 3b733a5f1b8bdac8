"""PCG64 in kernels against numpy's own, and images drawn with it against the same draws in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import Collection, load
from irgauge.compute.jit import kernel
from irgauge.replicates.images import draw_images
from irgauge.replicates.pcg64 import Words, shuffled, state_of, stepped, word_of
from irgauge.simulation.collections import Design, simulate


@kernel(makes_arrays=True)
def words(state: Words, count: int) -> Words:
    """The next words of a generator."""
    found, high, low = np.empty(count, np.uint64), state[0], state[1]
    for i in range(count):
        high, low = stepped(high, low, state)
        found[i] = word_of(high, low)
    return found


@settings(deadline=None, max_examples=30)  # compilation
@given(st.integers(0, 2**128 - 1), st.integers(0, 40))
def test_words_are_those_of_numpy(seed: int, before: int) -> None:
    rng = np.random.default_rng(seed)
    rng.bytes(before)
    assert words(state_of(rng), 100).tolist() == rng.bit_generator.random_raw(100).tolist()


@settings(deadline=None)  # compilation
@given(st.integers(0, 2**64), st.integers(0, 300), st.integers(0, 3), st.sampled_from([np.int8, np.int32]))
def test_a_shuffle_is_that_of_numpy(seed: int, size: int, halves: int, kind: type[np.signedinteger[Any]]) -> None:
    rng = np.random.default_rng(seed)
    rng.integers(1 << 32, size=halves, dtype=np.uint32)  # after an odd number, half of a word waits
    values = (np.arange(size) % 100).astype(kind)
    found = shuffled(rng, values)
    assert found.dtype == kind
    assert found.tolist() == rng.permutation(values).tolist()


def test_a_long_shuffle_is_that_of_numpy() -> None:
    values = np.repeat(np.arange(10, dtype=np.int8), (1 << 16) // 10 + 1)  # beyond a power of two
    np.testing.assert_array_equal(
        shuffled(np.random.default_rng(7), values), np.random.default_rng(7).permutation(values)
    )


def test_another_generator_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="MT19937 is not PCG64"):
        state_of(np.random.Generator(np.random.MT19937(1)))


def slow_image(collection: Collection, seed: int, number: int) -> list[int]:
    """How often an image holds each document: halves of words, the low one first, without those that are uneven."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    documents, corpus = collection.document_count, collection.corpus_size
    counts, missing = [0] * documents, int(rng.binomial(corpus, documents / corpus))
    while missing:
        word = int(rng.bit_generator.random_raw())
        for half in (word % 2**32, word >> 32):
            if missing and half * documents % 2**32 >= 2**32 % documents:
                counts[half * documents >> 32] += 1
                missing -= 1
    return counts


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(Design(systems=3, families=1, topics=4, depth=50, corpus_size=700)).collection()


@pytest.mark.parametrize(("seed", "first"), [(0, 0), (1, 7), (2**40, 3)])
def test_images_are_those_drawn_in_plain_python(seed: int, first: int, collection: Collection) -> None:
    weights = draw_images(collection, 5, seed=seed, first=first).weights
    for image in range(5):
        assert weights[:, image].tolist() == slow_image(collection, seed, first + image)


def test_weights_of_some_documents_are_those_that_they_have_among_all(collection: Collection) -> None:
    every = draw_images(collection, 6, seed=4, first=2)
    for chosen in ([0], [3, 4, 100], list(range(collection.document_count)), []):
        documents = np.array(chosen, np.int32)
        some = draw_images(collection, 6, seed=4, first=2, documents=documents)
        np.testing.assert_array_equal(some.weights, every.weights[documents])
        assert some.weights.flags.c_contiguous
        assert some.names == every.names


def test_a_corpus_of_one_document_needs_no_even_draws() -> None:
    alone = load({"q": {"d": 1}}, {"s": {"q": {"d": 1.0}}}, corpus_size=3)
    drawn = draw_images(alone, 50, seed=1).weights[0].tolist()
    assert drawn == [slow_image(alone, 1, image)[0] for image in range(50)]
