"""Scorer: lists of a topic, tables of ranks that grow with images, groups of measures, and threads."""

from __future__ import annotations

import threading
from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from irgauge import Collection, DesignError, load
from irgauge.compute.tasks import in_threads
from irgauge.errors import DataWarning
from irgauge.replicates.images import draw_images
from irgauge.replicates.shards import sharding
from irgauge.scoring.drawn import Images, Replicates, whole
from irgauge.scoring.lists import Blocks
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scorer import Scorer
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from oracles.slow_measures import MEASURES, NOT_0_IF_EMPTY


@pytest.fixture(scope="module")
def collection() -> Collection:
    """Graded judgments; lists of many lengths."""
    design = Design(
        systems=6, families=3, topics=7, depth=60, corpus_size=400, relevant_median=9, grades=3, short_share=0.5, seed=8
    )
    return simulate(design).collection()


def scorer(collection: Collection) -> Scorer:
    return Scorer(collection, parse_measures(MEASURES))


def fresh(collection: Collection, drawn: Replicates) -> NDArray[np.float64]:
    return scorer(collection).score(drawn)


# the lists of a topic


def test_lists_of_a_topic_number_its_documents_in_their_order(collection: Collection) -> None:
    for topic in range(len(collection.topics)):
        blocks = Blocks(collection, None, alone=True)
        lists = blocks.lists(topic)._replace(documents=blocks.documents[blocks.lists(topic).documents])
        judged = slice(collection.judged_bounds[topic], collection.judged_bounds[topic + 1])
        entries = [
            np.arange(first, first + length)
            for first, length in zip(collection.firsts[topic], collection.lengths[topic], strict=True)
        ]
        every = [*collection.docs[np.concatenate(entries)].tolist(), *collection.judged_docs[judged].tolist()]
        assert lists.documents.tolist() == sorted(set(every))
        for system, places in enumerate(entries):
            own = slice(lists.firsts[system], lists.firsts[system] + lists.lengths[system])
            np.testing.assert_array_equal(lists.documents[lists.docs[own]], collection.docs[places])
            np.testing.assert_array_equal(lists.levels[own], collection.levels[places])
        np.testing.assert_array_equal(lists.documents[lists.judged_docs], collection.judged_docs[judged])
        np.testing.assert_array_equal(lists.judged_levels, collection.judged_levels[judged])


def test_lists_of_a_topic_are_made_once(collection: Collection) -> None:
    one = Blocks(collection, None, alone=True)
    assert one.lists(3) is one.lists(3)
    assert one.lists(3) is not one.lists(4)


def test_a_topic_that_no_run_has_scores_0() -> None:
    qrels = {"q1": {"a": 3}, "q2": {"b": 3, "c": 0}}
    with pytest.warns(DataWarning, match="1 topic .* scored 0|none of its documents is judged"):
        given = load(qrels, {"x": {"q1": {"a": 1.0}}, "y": {"q1": {"b": 1.0}}})
    values = fresh(given, Images(np.ones((3, 2), np.uint8)))
    for measure, of_topic in zip(MEASURES, values[:, 1], strict=True):
        assert of_topic.any() == (measure in NOT_0_IF_EMPTY), measure
    assert (values[list(MEASURES).index("AP"), 0] == [[1, 1], [0, 0]]).all()


# scores


def test_images_that_hold_every_document_once_score_bit_for_bit_as_the_root(collection: Collection) -> None:
    root = fresh(collection, whole(collection.document_count))
    for images in (1, 2, 63, 64, 65):
        once = Images(np.ones((collection.document_count, images), np.uint8))
        np.testing.assert_array_equal(fresh(collection, once), np.repeat(root, images, axis=3))


def test_images_of_deep_lists_of_binary_judgments_score_bit_for_bit_as_the_root() -> None:
    deep = simulate(Design(systems=3, families=3, topics=4, depth=1000, corpus_size=3000, grades=1)).collection()
    measures = parse_measures(["AP", "INSQ(T=5)", "nDCG@1000", "nDCG", "P@10", "RBP(p=0.95)@1000", "RR", "Rprec"])
    root = Scorer(deep, measures).score(whole(deep.document_count))
    once = Images(np.ones((deep.document_count, 3), np.uint8))
    np.testing.assert_array_equal(Scorer(deep, measures).score(once), np.repeat(root, 3, axis=3))


def test_a_scorer_gives_the_same_scores_whatever_it_scored_before(collection: Collection) -> None:
    deep = Images(np.full((collection.document_count, 2), 200, np.uint8))
    replicates: list[Replicates] = [
        draw_images(collection, 3, seed=1),
        deep,
        whole(collection.document_count),
        next(sharding(collection, "even:3").splits(0)),
        draw_images(collection, 64, seed=2),
        draw_images(collection, 1, seed=1),
    ]
    used = scorer(collection)
    for drawn in (*replicates, *replicates[::-1]):
        np.testing.assert_array_equal(used.score(drawn), fresh(collection, drawn))


def test_an_image_scores_bit_for_bit_the_same_in_every_batch(collection: Collection) -> None:
    every = fresh(collection, draw_images(collection, 70, seed=3))
    for first, count in ((0, 1), (5, 7), (6, 64), (69, 1)):
        part = fresh(collection, draw_images(collection, count, seed=3, first=first))
        np.testing.assert_array_equal(part, every[..., first : first + count])


@pytest.mark.parametrize("workers", [1, 2, 3, 20])
@pytest.mark.parametrize("kind", ["images", "shards"])
def test_scores_are_bit_for_bit_the_same_for_all_workers(kind: str, workers: int, collection: Collection) -> None:
    drawn: Replicates = draw_images(collection, 9, seed=3)
    if kind == "shards":
        drawn = next(sharding(collection, "even:4").splits(0))
    np.testing.assert_array_equal(scorer(collection).score(drawn, workers=workers), fresh(collection, drawn))


def test_scores_stand_in_the_order_of_the_measures(collection: Collection) -> None:
    drawn = draw_images(collection, 4, seed=5)
    every = dict(zip(MEASURES, fresh(collection, drawn), strict=True))
    shuffled = [str(name) for name in np.random.default_rng(0).permutation(list(MEASURES))]
    for measure, values in zip(shuffled, Scorer(collection, parse_measures(shuffled)).score(drawn), strict=True):
        np.testing.assert_array_equal(values, every[measure], err_msg=measure)


def test_some_systems_of_a_collection_score_as_they_do_among_all(collection: Collection) -> None:
    drawn = draw_images(collection, 5, seed=6)
    chosen = [4, 0, 2]
    for replicates in (drawn, whole(collection.document_count)):
        some = fresh(collection.only(chosen), replicates)
        np.testing.assert_array_equal(some, fresh(collection, replicates)[:, :, chosen])


def test_a_document_that_does_not_count_as_judged_keeps_its_place() -> None:
    """By hand: r1, x, r2 with r1 drawn twice and r2 once; without r1's judgment r2 is the only relevant document."""
    given = load({"q": {"r1": 1, "r2": 1}}, {"s": {"q": {"r1": 3.0, "x": 2.0, "r2": 1.0}}})
    one = Scorer(given, parse_measures(["AP", "P@5", "RR", "R@3"]))
    lists = Blocks(given, None, alone=True).lists(0)
    standing = {"r1": 2, "x": 1, "r2": 1}
    names = [str(given.docnos[int(doc)]) for doc in lists.documents]
    weights = np.array([[standing[name]] for name in names], np.uint8)
    judged = np.where(np.array(names)[:, None] == "r1", 0, weights).astype(np.uint8)
    values = np.empty((4, 1, 1))
    one.score_images(lists, weights, judged, values)
    assert values.ravel().tolist() == [1 / 4, 1 / 5, 1 / 4, 0]
    one.score_images(lists, weights, weights, values)
    assert values.ravel().tolist() == pytest.approx([(1 + 1 + 3 / 4) / 3, 3 / 5, 1, 2 / 3])


def test_images_of_judged_documents_alone_are_refused() -> None:
    judged = load({"q": {"a": 1}}, {"s": {"q": {"a": 1.0, "b": 2.0}}}, documents="judged")
    images = Images(np.ones((1, 2), np.uint8))
    with pytest.raises(DesignError, match="images need all documents; load the collection with documents='all'"):
        Scorer(judged, parse_measures(["AP"])).score(images)
    assert score(judged, ["AP"]).values.item() == 0.5


# threads


@pytest.mark.parametrize("workers", [None, 1, 2, 3, 50])
@pytest.mark.parametrize("topics", [1, 2, 7])
def test_every_topic_has_its_turn_once(topics: int, workers: int | None) -> None:
    called: Counter[int] = Counter()
    lock = threading.Lock()

    def call(topic: int) -> None:
        with lock:
            called[topic] += 1

    in_threads(call, range(topics), workers)
    assert called == dict.fromkeys(range(topics), 1)


@pytest.mark.parametrize("workers", [1, 3])
def test_an_error_in_a_topic_is_raised(workers: int) -> None:
    def fail(topic: int) -> None:
        if topic == 4:
            raise DesignError("of topic 4")

    with pytest.raises(DesignError, match="of topic 4"):
        in_threads(fail, range(6), workers)


# topics scored together on the whole corpus, or in shards


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("lists", [2, 13, 1 << 14])  # in a block
@pytest.mark.parametrize("spec", ["", "even:3"])
def test_topics_scored_together_have_the_scores_of_each_alone(
    spec: str, lists: int, workers: int, collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = sharding(collection, spec).split(1, 0) if spec else whole(collection.document_count)
    monkeypatch.setattr("irgauge.scoring.scorer._TURNS", 1)
    monkeypatch.setattr("irgauge.scoring.scorer._LISTS", 1)
    alone = scorer(collection).score(drawn, workers=1)
    monkeypatch.setattr("irgauge.scoring.scorer._LISTS", lists)
    np.testing.assert_array_equal(scorer(collection).score(drawn, workers=workers), alone)


def test_topics_without_a_relevant_document_score_0_among_others() -> None:
    qrels = {f"q{t}": {"d1": t % 2, "d2": 0} for t in range(50)}
    run = {topic: {"d1": 1.0, "d2": 0.5} for topic in qrels if topic != "q3"}
    with pytest.warns(DataWarning):
        found = load(qrels, {"mine": run}, topics="judged")
    expected = [float(t % 2 and t != 3) for t in range(50)]
    for workers in (1, 2):
        assert score(found, ["AP", "RR"], workers=workers).values[:, :, 0, 0].tolist() == [expected, expected]
