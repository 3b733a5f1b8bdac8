"""Scores in shards and images against scores of runs and qrels that were really rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from irgauge import Collection, DesignError, load
from irgauge.replicates.images import draw_images
from irgauge.scoring.drawn import Images, Replicates, Shards
from irgauge.scoring.hits import base_by_weight, hits_by_weight, weights_of
from irgauge.scoring.kernels import HitLists, loop_of
from irgauge.scoring.lists import Blocks, lists_of_systems
from irgauge.scoring.measures import Measure
from irgauge.scoring.scorer import Scorer
from irgauge.scoring.scores import score
from oracles.amended import Amended, Image, amended, shard_image
from oracles.slow_hits import slow_base, slow_hits
from oracles.slow_measures import ALWAYS_DEFINED, MEASURES, NOT_0_IF_EMPTY

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # the data have gaps on purpose
TOPICS, SYSTEMS, DOCUMENTS, SHARDS, IMAGES = 12, 3, 40, 5, 6
CORPORA = 16  # random collections, each a part of a larger corpus


Rewritten = list[list[Amended]]  # system, replicate


def expected_scores(rewritten: Rewritten, measure: str) -> NDArray[np.float64]:
    """topic, system, replicate"""
    by_system = [[one.scores(measure) for one in of_system] for of_system in rewritten]
    return np.array([[[one[topic] for one in found] for found in by_system] for topic in rewritten[0][0].qrels])


class Small(NamedTuple):
    """A small collection, and the objects it was made of."""

    qrels: dict[str, dict[str, int]]
    strata: dict[str, dict[str, int]]
    runs: dict[str, dict[str, dict[str, float]]]
    collection: Collection

    def of_documents(self, values: Mapping[str, int], dtype: type[np.generic]) -> NDArray[np.generic]:
        """Values of docnos, in the collection's order of documents."""
        return np.array([values[docno] for docno in self.collection.docnos], dtype)

    def rewritten(self, images: list[Image], judged: list[Image] | list[None] | None = None) -> Rewritten:
        """The data of every image; `judged` as in `amended`."""
        counted = list(zip(images, judged or [None] * len(images), strict=True))
        return [[amended(self.qrels, self.strata, run, *counts) for counts in counted] for run in self.runs.values()]


def _random_topic(rng: np.random.Generator, docnos: list[str]) -> dict[str, int]:
    judged = rng.choice(docnos, size=rng.integers(3, 30), replace=False)
    grades = rng.choice([-1, 0, 0, 1, 2, 3], size=len(judged))
    grades[0] = rng.integers(1, 4)
    return dict(zip(map(str, judged), grades.tolist(), strict=True))


def _random_list(rng: np.random.Generator, docnos: list[str]) -> dict[str, float]:
    retrieved = rng.choice(docnos, size=rng.integers(1, len(docnos) + 1), replace=False)
    scores = rng.integers(0, 12, size=len(retrieved)).astype(float)  # some tie
    return dict(zip(map(str, retrieved), scores.tolist(), strict=True))


def _write(path: Path, qrels: Mapping[str, Mapping[str, int]], strata: Mapping[str, Mapping[str, int]]) -> Path:
    lines = [f"{q} 0 {d} {strata[q][d]} {grade}\n" for q, grades in qrels.items() for d, grade in grades.items()]
    path.write_text("".join(lines))
    return path


def random_collection(seed: int, folder: Path, topics: int, documents: int, corpus_size: int | None = None) -> Small:
    """Graded judgments in strata, some below 0; lists of all lengths, with ties; some topics are not in a run."""
    rng = np.random.default_rng(seed)
    docnos = [f"d{number}" for number in range(documents)]
    qrels = {f"q{topic}": _random_topic(rng, docnos) for topic in range(topics)}
    strata = {topic: {docno: int(rng.integers(0, 3)) for docno in grades} for topic, grades in qrels.items()}
    runs = {
        f"s{system}": {topic: _random_list(rng, docnos) for topic in qrels if rng.random() < 0.95}
        for system in range(SYSTEMS)
    }
    path = _write(folder / "qrels", qrels, strata)
    return Small(qrels, strata, runs, load(path, runs, corpus_size=corpus_size))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    return random_collection(3, tmp_path_factory.mktemp("small"), TOPICS, DOCUMENTS)


@pytest.fixture(scope="module")
def labels(small: Small) -> dict[str, int]:
    """The shard of each document; the last shard is a small one, another is empty."""
    rng = np.random.default_rng(5)
    shares = [0.4, 0.3, 0.2, 0, 0.1]
    return {docno: int(rng.choice(SHARDS, p=shares)) for docno in small.collection.docnos}


@pytest.fixture(scope="module")
def images(small: Small) -> list[Image]:
    """Bootstrap samples, then one of few documents that stand very often."""
    rng = np.random.default_rng(7)
    docnos = list(small.collection.docnos)
    drawn = [np.bincount(rng.integers(len(docnos), size=len(docnos)), minlength=len(docnos)) for _ in range(IMAGES)]
    drawn[-1] = np.where(rng.random(len(docnos)) < 0.2, rng.integers(1, 60, len(docnos)), 0)
    drawn[-1][0] = 255
    return [dict(zip(docnos, counts.tolist(), strict=True)) for counts in drawn]


def as_shards(small: Small, labels: Mapping[str, int]) -> Shards:
    names = tuple(f"shard{shard}" for shard in range(SHARDS))
    return Shards(small.of_documents(labels, np.int32).astype(np.int32), names)


def as_images(small: Small, images: list[Image]) -> Images:
    weights = np.stack([small.of_documents(image, np.uint8) for image in images], axis=1)
    return Images(np.ascontiguousarray(weights, np.uint8))


@pytest.fixture(scope="module")
def in_shards(small: Small, labels: dict[str, int]) -> dict[str, NDArray[np.float64]]:
    return dict(zip(MEASURES, score(small.collection, MEASURES, as_shards(small, labels)).values, strict=True))


@pytest.fixture(scope="module")
def in_images(small: Small, images: list[Image]) -> dict[str, NDArray[np.float64]]:
    return dict(zip(MEASURES, score(small.collection, MEASURES, as_images(small, images)).values, strict=True))


@pytest.fixture(scope="module")
def shards_rewritten(small: Small, labels: dict[str, int]) -> Rewritten:
    return small.rewritten([shard_image(labels, shard) for shard in range(SHARDS)])


@pytest.fixture(scope="module")
def images_rewritten(small: Small, images: list[Image]) -> Rewritten:
    return small.rewritten(images)


def test_scores_in_shards_are_those_of_restricted_runs_and_qrels(
    shards_rewritten: Rewritten, in_shards: dict[str, NDArray[np.float64]]
) -> None:
    for measure, values in in_shards.items():
        expected = expected_scores(shards_rewritten, measure)
        assert np.isfinite(expected).any(), measure
        np.testing.assert_allclose(values, expected, rtol=1e-11, atol=1e-13, err_msg=measure)


def test_scores_in_images_are_those_of_runs_and_qrels_with_documents_repeated_and_left_out(
    images_rewritten: Rewritten, in_images: dict[str, NDArray[np.float64]]
) -> None:
    for measure, values in in_images.items():
        expected = expected_scores(images_rewritten, measure)
        assert np.isfinite(expected).any(), measure
        np.testing.assert_allclose(values, expected, rtol=1e-11, atol=1e-13, err_msg=measure)


def as_counts(small: Small, weights: NDArray[np.uint8]) -> list[Image]:
    """How often each image holds each document, by docno."""
    return [dict(zip(small.collection.docnos, column.tolist(), strict=True)) for column in weights.T]


@pytest.mark.parametrize("seed", range(CORPORA))
def test_every_measure_in_drawn_images_of_a_larger_corpus_agrees_with_rewritten_data(seed: int, tmp_path: Path) -> None:
    corpus_size = DOCUMENTS + 10 * seed
    small = random_collection(100 + seed, tmp_path, topics=5, documents=DOCUMENTS, corpus_size=corpus_size)
    batches = [draw_images(small.collection, count, seed=seed, first=first) for first, count in ((0, 3), (3, 1))]
    values = [score(small.collection, MEASURES, batch).values for batch in batches]
    rewritten = small.rewritten([image for batch in batches for image in as_counts(small, batch.weights)])
    for measure, found in zip(MEASURES, np.concatenate(values, axis=3), strict=True):
        np.testing.assert_allclose(found, expected_scores(rewritten, measure), 1e-11, 1e-13, err_msg=measure)


@pytest.mark.parametrize("seed", range(CORPORA))
def test_every_measure_agrees_with_rewritten_qrels_that_lack_documents_which_still_stand_in_the_runs(
    seed: int, tmp_path: Path
) -> None:
    small = random_collection(200 + seed, tmp_path, topics=5, documents=DOCUMENTS)
    weights = draw_images(small.collection, 4, seed=seed).weights
    judged = weights * (np.random.default_rng(seed).random(weights.shape) < 0.6)
    rewritten = small.rewritten(as_counts(small, weights), as_counts(small, judged))
    for measure, found in zip(MEASURES, scores_as_judged(small.collection, weights, judged), strict=True):
        np.testing.assert_allclose(found, expected_scores(rewritten, measure), 1e-11, 1e-13, err_msg=measure)
    assert np.isfinite(expected_scores(rewritten, "Judged")).any()


def scores_as_judged(
    collection: Collection, weights: NDArray[np.uint8], judged: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """measure, topic, system, image"""
    scorer = Scorer(collection, [Measure.parse(measure) for measure in MEASURES])
    values = np.empty((len(MEASURES), *collection.lengths.shape, weights.shape[1]))
    blocks = Blocks(collection, None, alone=True)
    for topic in range(len(collection.topics)):
        lists = blocks.lists(topic)
        rows = [weights_of(counts, blocks.documents[lists.documents]) for counts in (weights, judged)]
        scorer.score_images(lists, rows[0], rows[1], values[:, topic])
    return values


def test_topic_without_relevant_documents_in_a_replicate_is_undefined_for_all_systems(
    small: Small, images: list[Image], in_images: dict[str, NDArray[np.float64]]
) -> None:
    for measure, values in in_images.items():
        undefined = np.isnan(values)  # topic, system, image
        if measure in ALWAYS_DEFINED:
            assert not undefined.any(), measure
            continue
        rel, _ = MEASURES[measure]
        lacking = [
            [all(grade < rel or image[docno] == 0 for docno, grade in grades.items()) for image in images]
            for grades in small.qrels.values()
        ]
        assert undefined.any(), measure
        expected = np.repeat(np.array(lacking)[:, None, :], SYSTEMS, axis=1)
        np.testing.assert_array_equal(undefined, expected, err_msg=measure)


def test_system_that_retrieves_nothing_in_a_replicate_scores_zero() -> None:
    collection = load({"q": {"a": 3, "b": 3}}, {"s": {"q": {"a": 1.0}}})
    scores = score(collection, MEASURES, Shards(np.array([0, 1], np.int32), ("of a", "of b")))
    for measure, values in zip(MEASURES, scores.values[..., 1], strict=True):
        assert values.any() == (measure in NOT_0_IF_EMPTY), measure
    assert scores.values[list(MEASURES).index("AP"), 0, 0, 0] == 1


def test_one_shard_is_the_whole_corpus(small: Small) -> None:
    one = Shards(np.zeros(len(small.collection.docnos), np.int32), ("all",))
    np.testing.assert_array_equal(
        score(small.collection, MEASURES, one).values, score(small.collection, MEASURES).values
    )


def test_documents_of_one_shard_among_empty_ones_score_as_the_whole_corpus(small: Small) -> None:
    labels = np.ones(len(small.collection.docnos), np.int32)
    scores = score(small.collection, MEASURES, Shards(labels, ("none", "all", "none either"))).values
    np.testing.assert_array_equal(scores[..., 1], score(small.collection, MEASURES).values[..., 0])
    for measure, values in zip(MEASURES, scores[..., [0, 2]], strict=True):
        assert np.isnan(values).all() == (measure not in ALWAYS_DEFINED), measure


def test_images_that_hold_every_document_once_are_the_whole_corpus(small: Small) -> None:
    once = Images(np.ones((len(small.collection.docnos), 2), np.uint8))
    whole = score(small.collection, MEASURES).values
    np.testing.assert_array_equal(score(small.collection, MEASURES, once).values, np.repeat(whole, 2, axis=3))


def test_image_scores_the_same_alone_and_among_others(
    small: Small, images: list[Image], in_images: dict[str, NDArray[np.float64]]
) -> None:
    for number, image in enumerate(images):
        alone = score(small.collection, MEASURES, as_images(small, [image])).values[..., 0]
        together = np.stack([in_images[measure][..., number] for measure in MEASURES])
        np.testing.assert_allclose(alone, together, rtol=1e-14)


@pytest.mark.parametrize("kind", ["whole", "shards", "images"])
def test_scores_do_not_depend_on_the_number_of_workers(
    kind: str, small: Small, labels: dict[str, int], images: list[Image]
) -> None:
    replicates: Replicates | None = None
    if kind != "whole":
        replicates = as_shards(small, labels) if kind == "shards" else as_images(small, images)
    alone = score(small.collection, MEASURES, replicates, workers=1)
    np.testing.assert_array_equal(score(small.collection, MEASURES, replicates, workers=2).values, alone.values)


def test_measure_scores_the_same_alone_and_among_others(
    small: Small, in_images: dict[str, NDArray[np.float64]], images: list[Image]
) -> None:
    drawn = as_images(small, images)
    for measure, values in in_images.items():
        np.testing.assert_array_equal(score(small.collection, [measure], drawn).values[0], values, err_msg=measure)


def test_replicates_keep_their_names(small: Small, labels: dict[str, int], images: list[Image]) -> None:
    shards = score(small.collection, ["AP"], as_shards(small, labels))
    assert shards.replicates == ("shard0", "shard1", "shard2", "shard3", "shard4")
    assert score(small.collection, ["AP"], as_images(small, images)).replicates == ("1", "2", "3", "4", "5", "6")
    assert score(small.collection, ["AP"]).replicates == ("all",)


@pytest.mark.parametrize("labels", [[0, 2], [-1, 1]])
def test_labels_outside_the_shards_are_refused(labels: list[int]) -> None:
    with pytest.raises(DesignError, match=r"labels run from .* for 2 shards"):
        Shards(np.array(labels, np.int32), ("a", "b"))


@pytest.mark.parametrize("kind", ["shards", "images"])
def test_collection_of_judged_documents_alone_is_refused_for_replicates(
    kind: str, small: Small, labels: dict[str, int], images: list[Image]
) -> None:
    judged = load(small.qrels, small.runs, documents="judged")
    replicates = as_shards(small, labels) if kind == "shards" else as_images(small, images)
    with pytest.raises(DesignError, match="replicates need all documents; load the collection with documents='all'"):
        score(judged, ["AP"], replicates)


# hit lists


class Topic(NamedTuple):
    """The lists of a topic as the kernels take them, and the weights of their documents."""

    docs: NDArray[np.int32]
    levels: NDArray[np.int16]
    firsts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    weights: NDArray[np.uint8]
    judged: NDArray[np.uint8]

    def slices(self) -> list[slice]:
        return [slice(first, first + length) for first, length in zip(self.firsts, self.lengths, strict=True)]


LEVELS = 3


def random_lists(seed: int, images: int, most: int) -> Topic:
    """Lists of 0 to 25 documents with a gap between them, documents standing up to `most` times."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 26, 5)
    lengths[rng.integers(5)] = 0
    docs = np.concatenate([[0, *rng.permutation(30)[:length]] for length in lengths])
    levels_of_docs = rng.integers(-1, LEVELS, 30)
    weights = rng.integers(0, most + 1, (30, images)) * (rng.random((30, images)) < 0.7)
    judged = weights * (rng.random((30, images)) < 0.8)
    return Topic(
        docs.astype(np.int32),
        levels_of_docs[docs].astype(np.int16),
        np.cumsum(lengths + 1) - lengths,
        lengths,
        weights.astype(np.uint8),
        judged.astype(np.uint8),
    )


def keep_of(kept: tuple[int, ...]) -> NDArray[np.bool_]:
    """keep[level]; the last place stands for the unjudged."""
    return np.array([level in kept for level in range(LEVELS)] + [False])


def plain(lists: HitLists) -> list[tuple[list[int], list[int], int]]:
    bounds = zip(lists.bounds[:-1], lists.bounds[1:], lists.lengths, strict=True)
    return [(lists.ranks[a:b].tolist(), lists.levels[a:b].tolist(), int(length)) for a, b, length in bounds]


@pytest.mark.parametrize("kept", [(), (0,), (1, 2), (0, 1, 2)], ids=["none", "lowest", "two", "all"])
@pytest.mark.parametrize(("images", "most"), [(1, 1), (3, 2), (64, 4), (5, 255)])
def test_hit_lists_under_weights_are_those_of_lists_laid_out(images: int, most: int, kept: tuple[int, ...]) -> None:
    for seed in range(5):
        topic = random_lists(seed, images, most)
        found = hits_by_weight(*topic[:4], keep_of(kept), seed, topic.weights, topic.judged)
        expected = [
            tuple(slow_hits(topic.docs[part].tolist(), topic.levels[part].tolist(), kept, *counts))
            for part in topic.slices()
            for counts in zip(topic.weights.T.tolist(), topic.judged.T.tolist(), strict=True)
        ]
        assert plain(found) == expected
        assert found.bounds[0] == 0
        assert len(found.ranks) == len(found.levels) == found.bounds[-1]


def test_many_documents_that_appear_as_often_as_can_be_are_counted_between_hits() -> None:
    weights = np.array([[255, 1], [2, 1]], np.uint8)
    docs = np.array([*[0] * 257, 1, *[0] * 1000, 1, *[0] * 600], np.int32)
    levels = np.where(docs == 1, 0, -1).astype(np.int16)
    found = hits_by_weight(
        docs, levels, np.zeros(1, np.int64), np.array([len(docs)]), keep_of((0,)), 2, weights, weights
    )
    often = [257 * 255 + 1, 257 * 255 + 2, 1257 * 255 + 3, 1257 * 255 + 4]
    assert plain(found) == [(often, [0] * 4, 1857 * 255 + 4), ([258, 1259], [0] * 2, 1859)]


def test_entries_of_lists_are_counted_by_level(small: Small) -> None:
    blocks = Blocks(small.collection, None, alone=True)
    for topic in range(TOPICS):
        lists = blocks.lists(topic)
        levels = [*range(len(small.collection.grades)), -1]
        assert lists.level_counts.tolist() == [lists.levels.tolist().count(level) for level in levels]
        of_last = lists_of_systems(lists, [SYSTEMS - 1])
        assert of_last.level_counts.tolist() == [of_last.levels.tolist().count(level) for level in levels]


def test_hit_lists_of_lists_without_any_document_are_empty() -> None:
    nothing = np.zeros(2, np.int64)
    weights = np.ones((1, 3), np.uint8)
    entries = (np.empty(0, np.int32), np.empty(0, np.int16), nothing, nothing)
    found = hits_by_weight(*entries, keep_of((0, 1, 2)), 0, weights, weights)
    assert plain(found) == [([], [], 0)] * 6


@pytest.mark.parametrize("most", [1, 3, 255])
def test_judged_documents_are_counted_as_often_as_they_stand(most: int) -> None:
    topic = random_lists(7, 6, most)
    is_judged = topic.levels >= 0
    docs, first = np.unique(topic.docs[is_judged], return_index=True)
    levels = topic.levels[is_judged][first]
    expected = slow_base(docs.tolist(), levels.tolist(), LEVELS, topic.judged)
    np.testing.assert_array_equal(
        base_by_weight(np.array([0, len(docs)]), docs, levels, LEVELS, topic.judged), expected
    )
    assert expected.any()


def test_weights_of_some_documents_are_their_rows() -> None:
    rng = np.random.default_rng(4)
    weights = rng.integers(0, 256, (50, 9)).astype(np.uint8)
    documents = rng.permutation(50)[:20].astype(np.int32)
    rows = weights_of(weights, documents)
    np.testing.assert_array_equal(rows, weights[documents])
    assert rows.flags.c_contiguous


def test_the_loop_of_a_measure_is_compiled_once_and_shared_by_measures_of_one_kernel() -> None:
    kernels = [Measure.parse(name).record.kernel for name in ("RBP", "RBP(p=0.5)", "INSQ", "AP")]
    loops = [loop_of(kernel) for kernel in kernels]
    assert loops[0] is loops[1] is loops[2]
    assert loops[3] is not loops[0]
