"""Lists down to their last hit, blocks of topics, and the documents whose weights are held."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge import Collection, DesignError
from irgauge.replicates.images import draw_images
from irgauge.scoring.catalogue import RECORDS
from irgauge.scoring.drawn import Images
from irgauge.scoring.lists import Blocks, lists_of
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scorer import Scorer
from irgauge.simulation.collections import Design, simulate
from oracles.slow_measures import MEASURES


@pytest.fixture(scope="module")
def collection() -> Collection:
    """Graded judgments; lists of many lengths, most of whose documents are not judged."""
    design = Design(
        systems=5,
        families=2,
        topics=9,
        depth=80,
        corpus_size=900,
        relevant_median=5,
        grades=3,
        pool_depth=10,
        short_share=0.5,
        seed=3,
    )
    return simulate(design).collection()


@pytest.fixture(scope="module")
def drawn(collection: Collection) -> Images:
    return draw_images(collection, 7, seed=1)


def keep_relevant(collection: Collection) -> NDArray[np.bool_]:
    return np.append(collection.grades > 0, False)  # the last place is of the unjudged


def test_a_measure_alone_has_the_scores_that_it_has_where_whole_lists_are_read(
    collection: Collection, drawn: Images
) -> None:
    for measure in MEASURES:
        alone = Scorer(collection, parse_measures([measure])).score(drawn)
        among = Scorer(collection, parse_measures([measure, "NumRet", "Judged"])).score(drawn)
        np.testing.assert_array_equal(alone[0], among[0], err_msg=measure)


def test_every_measure_whose_kernel_looks_at_lengths_says_so() -> None:
    for record in RECORDS:
        kernel: Any = record.kernel
        assert record.length == ("length" in kernel.py_func.__code__.co_names), record.name


def test_lists_are_read_down_to_their_last_hit(collection: Collection) -> None:
    blocks = Blocks(collection, keep_relevant(collection), alone=True)
    read = 0
    for topic in range(len(collection.topics)):
        lists = blocks.lists(topic)
        for system in range(len(collection.systems)):
            first, length = collection.firsts[topic, system], collection.lengths[topic, system]
            levels = collection.levels[first : first + length].tolist()
            hits = [place for place, level in enumerate(levels) if level >= 0 and collection.grades[level] > 0]
            expected = hits[-1] + 1 if hits else 0
            assert lists.lengths[system] == expected
            own = slice(lists.firsts[system], lists.firsts[system] + expected)
            docs = blocks.documents[lists.documents[lists.docs[own]]]
            np.testing.assert_array_equal(docs, collection.docs[first : first + expected])
            assert lists.levels[own].tolist() == levels[:expected]
            read += expected
    assert 0 < read < collection.lengths.sum()


def test_documents_are_those_of_the_lists_as_far_as_they_are_read_and_of_the_judgments(collection: Collection) -> None:
    blocks = Blocks(collection, keep_relevant(collection), alone=False)
    lists = [blocks.lists(block) for block in range(len(blocks.topics))]
    held = {doc for one in lists for doc in blocks.documents[one.documents[one.docs]].tolist()}
    assert blocks.documents.tolist() == sorted(held | set(collection.judged_docs.tolist()))
    assert len(blocks.documents) < collection.document_count


@pytest.mark.parametrize(("entries", "lists"), [(1, 1), (300, 1 << 10), (1 << 15, 15), (1 << 15, 1 << 10)])
def test_scores_do_not_depend_on_the_topics_scored_together(
    entries: int, lists: int, collection: Collection, drawn: Images, monkeypatch: pytest.MonkeyPatch
) -> None:
    measures = parse_measures(list(MEASURES))
    alone = [
        Scorer(one, measures).score(drawn)[:, 0]
        for one in (collection.without(set(collection.topics) - {topic}) for topic in collection.topics)
    ]
    monkeypatch.setattr("irgauge.scoring.lists._ENTRIES", entries)
    monkeypatch.setattr("irgauge.scoring.lists._LISTS", lists)
    for workers in (1, 3):
        together = Scorer(collection, measures).score(drawn, workers=workers)
        np.testing.assert_array_equal(together, np.stack(alone, axis=1))


def test_topics_together_are_neighbours_and_all_have_their_turn(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irgauge.scoring.lists._ENTRIES", 1000)
    blocks = Blocks(collection, None, alone=False)
    assert [topic for some in blocks.topics for topic in range(some.start, some.stop)] == list(range(9))
    assert 1 < len(blocks.topics) < 9
    for some in blocks.topics:
        assert some.stop - some.start == 1 or collection.lengths[some].sum() <= 1000
    assert len(Blocks(collection, None, alone=True).topics) == 9


def test_images_of_the_documents_that_are_needed_score_as_images_of_all(collection: Collection, drawn: Images) -> None:
    scorer = Scorer(collection, parse_measures(["AP", "nDCG@10"]))
    some = draw_images(collection, 7, seed=1, documents=scorer.documents)
    assert len(some.weights) < len(drawn.weights)
    np.testing.assert_array_equal(scorer.score(some), scorer.score(drawn))
    other = Scorer(collection.only([1]), parse_measures(["AP"]))
    np.testing.assert_array_equal(other.score(some)[:, :, 0], scorer.score(drawn)[:1, :, 1])


def test_images_that_lack_documents_are_refused(collection: Collection) -> None:
    scorer = Scorer(collection, parse_measures(["AP"]))
    for documents in (scorer.documents[:-1], scorer.documents[1:]):
        lacking = draw_images(collection, 2, seed=1, documents=documents)
        with pytest.raises(DesignError, match="do not hold the weights of all documents that are scored; draw all"):
            scorer.score(lacking)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 2**31 - 1) | st.integers(0, 20), max_size=60), st.data())
def test_documents_are_numbered_in_their_order(docs: list[int], data: st.DataObject) -> None:
    """In a collection of one topic and one list, of which some documents are judged."""
    docs = list(dict.fromkeys(docs))
    judged = data.draw(st.lists(st.sampled_from([*docs, 5, 2**30]), unique=True, min_size=1))
    given_docs, given_judged = np.array(docs, np.int32), np.array(judged, np.int32)
    one = _collection_of(given_docs, given_judged)
    lists = lists_of(one, slice(0, 1), one.lengths)
    assert lists.documents.tolist() == sorted({*docs, *judged})
    np.testing.assert_array_equal(lists.documents[lists.docs], given_docs)
    np.testing.assert_array_equal(lists.documents[lists.judged_docs], given_judged)


def _collection_of(docs: NDArray[np.int32], judged: NDArray[np.int32]) -> Collection:
    return Collection(
        topics=("q",),
        systems=("s",),
        origins=("s",),
        document_count=2**31 - 1,
        name_documents=lambda: None,  # type: ignore[arg-type,return-value]  # nobody asks
        corpus_size=2**31 - 1,
        documents="all",
        firsts=np.zeros((1, 1), np.int64),
        lengths=np.array([[len(docs)]]),
        docs=docs,
        levels=np.zeros(len(docs), np.int16),
        judged_bounds=np.array([0, len(judged)]),
        judged_docs=judged,
        judged_levels=np.zeros(len(judged), np.int16),
        grades=np.array([1]),
        strata=np.zeros(1, np.int64),
        precision="double",
        notes=(),
    )
