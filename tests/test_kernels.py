"""Scores in shards and images against scores of runs and qrels that were really rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from irgauge import Collection, DesignError, load, score
from irgauge.replicates import Images, Replicates, Shards
from oracles.amended import Image, amended_scores, shard_image
from oracles.slow_measures import MEASURES

TOPICS, SYSTEMS, DOCUMENTS, SHARDS, IMAGES = 12, 3, 40, 5, 6


class Small(NamedTuple):
    """A small collection, and the objects it was made of."""

    qrels: dict[str, dict[str, int]]
    strata: dict[str, dict[str, int]]
    runs: dict[str, dict[str, dict[str, float]]]
    collection: Collection

    def of_documents(self, values: Mapping[str, int], dtype: type[np.generic]) -> NDArray[np.generic]:
        """Values of docnos, in the collection's order of documents."""
        return np.array([values[docno] for docno in self.collection.docnos], dtype)

    def expected(self, measure: str, images: list[Image]) -> NDArray[np.float64]:
        """topic, system, replicate: scores on the rewritten data."""
        by_system = [
            [amended_scores(self.qrels, self.strata, run, image, measure) for image in images]
            for run in self.runs.values()
        ]
        return np.array([[[one[topic] for one in found] for found in by_system] for topic in self.qrels])


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


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    rng = np.random.default_rng(3)
    docnos = [f"d{number}" for number in range(DOCUMENTS)]
    qrels = {f"q{topic}": _random_topic(rng, docnos) for topic in range(TOPICS)}
    strata = {topic: {docno: int(rng.integers(0, 3)) for docno in grades} for topic, grades in qrels.items()}
    runs = {
        f"s{system}": {topic: _random_list(rng, docnos) for topic in qrels if rng.random() < 0.95}
        for system in range(SYSTEMS)
    }
    path = _write(tmp_path_factory.mktemp("small") / "qrels", qrels, strata)
    return Small(qrels, strata, runs, load(path, runs))


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


@pytest.mark.parametrize("measure", MEASURES)
def test_scores_in_shards_are_those_of_restricted_runs_and_qrels(
    measure: str, small: Small, labels: dict[str, int], in_shards: dict[str, NDArray[np.float64]]
) -> None:
    expected = small.expected(measure, [shard_image(labels, shard) for shard in range(SHARDS)])
    assert np.isfinite(expected).any()
    np.testing.assert_allclose(in_shards[measure], expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("measure", MEASURES)
def test_scores_in_images_are_those_of_runs_and_qrels_with_documents_repeated_and_left_out(
    measure: str, small: Small, images: list[Image], in_images: dict[str, NDArray[np.float64]]
) -> None:
    expected = small.expected(measure, images)
    assert np.isfinite(expected).any()
    np.testing.assert_allclose(in_images[measure], expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("measure", MEASURES)
def test_topic_without_relevant_documents_in_a_replicate_is_undefined_for_all_systems(
    measure: str, small: Small, images: list[Image], in_images: dict[str, NDArray[np.float64]]
) -> None:
    rel, _ = MEASURES[measure]
    lacking = [
        [all(grade < rel or image[docno] == 0 for docno, grade in small.qrels[topic].items()) for image in images]
        for topic in small.qrels
    ]
    undefined = np.isnan(in_images[measure])  # topic, system, image
    assert undefined.any()
    np.testing.assert_array_equal(undefined, np.repeat(np.array(lacking)[:, None, :], SYSTEMS, axis=1))


def test_system_that_retrieves_nothing_in_a_replicate_scores_zero() -> None:
    collection = load({"q": {"a": 3, "b": 3}}, {"s": {"q": {"a": 1.0}}})
    scores = score(collection, MEASURES, Shards(np.array([0, 1], np.int32), ("of a", "of b")))
    assert not scores.values[..., 1].any()
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
    assert np.isnan(scores[..., [0, 2]]).all()


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


@pytest.mark.parametrize("measure", MEASURES)
def test_measure_scores_the_same_alone_and_among_others(
    measure: str, small: Small, in_images: dict[str, NDArray[np.float64]], images: list[Image]
) -> None:
    alone = score(small.collection, [measure], as_images(small, images))
    np.testing.assert_array_equal(alone.values[0], in_images[measure])


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
