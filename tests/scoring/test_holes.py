"""Bounds over all grades of unjudged documents, against all grades tried one after the other by the slow measures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import Measure, load
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.scoring.hole_effects import effects_on
from irgauge.scoring.hole_lists import holes_of
from irgauge.scoring.holes import Bounds, HoleBounds, has_exact_pairs, is_bounded
from irgauge.scoring.scores import score
from oracles.slow_measures import MEASURES, Case, value

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # the data have gaps on purpose
DOCNOS = [f"d{number}" for number in range(9)]
HOLES = ("d6", "d7", "d8")  # never judged
BOUNDED = tuple(text for text in MEASURES if is_bounded(Measure.parse(text), np.array([0, 1, 2, 3])))


class Topic(NamedTuple):
    grades: dict[str, int]
    lists: list[list[str]]  # of three systems


@st.composite
def topics(draw: st.DrawFn) -> Topic:
    """Some judgments, and three lists of documents some of which nobody judged."""
    judged = st.sampled_from([docno for docno in DOCNOS if docno not in HOLES])
    grades = draw(st.dictionaries(judged, st.integers(-1, 3), max_size=6))
    ranking = st.lists(st.sampled_from(DOCNOS), min_size=1, unique=True)
    return Topic(grades | {draw(judged): draw(st.integers(2, 3))}, [draw(ranking) for _ in range(3)])


def loaded(grades: Mapping[str, int], lists: Sequence[Sequence[str]]) -> Collection:
    runs = {
        str(system): {"q": {docno: -float(rank) for rank, docno in enumerate(ranking)}}
        for system, ranking in enumerate(lists)
    }
    return load({"q": grades}, runs, workers=1)


def every_judgment(topic: Topic) -> Iterator[dict[str, int]]:
    """The judgments with all grades that the unjudged documents of the lists could have."""
    unjudged = sorted({docno for ranking in topic.lists for docno in ranking} - set(topic.grades))
    for grades in product(sorted({0, *topic.grades.values()}), repeat=len(unjudged)):
        yield topic.grades | dict(zip(unjudged, grades, strict=True))


def slow_score(measure: str, ranking: Sequence[str], grades: Mapping[str, int], highest: int) -> float:
    own = value(measure, Case(ranking, grades, dict.fromkeys(grades, 0), highest))
    return 0.0 if math.isnan(own) else own


def bounds_of(collection: Collection, measures: Sequence[str], pairs: Sequence[tuple[int, int]]) -> list[Bounds]:
    read = tuple(map(Measure.parse, measures))
    scores = np.nan_to_num(score(collection, read, workers=1).values[..., 0])
    return HoleBounds(collection, read, np.array(pairs)).all(scores, workers=1)


@settings(deadline=None, max_examples=25)
@given(topics(), st.lists(st.sampled_from(BOUNDED), min_size=8, max_size=8, unique=True))
def test_bounds_are_those_of_all_grades_tried(topic: Topic, measures: list[str]) -> None:
    few = Topic(topic.grades, [_with_few_holes(ranking, topic) for ranking in topic.lists])
    highest = max(few.grades.values())
    found = bounds_of(loaded(few.grades, few.lists), measures, [(0, 1), (1, 2)])
    for text, bounds in zip(measures, found, strict=True):
        tried = np.array(
            [[slow_score(text, ranking, grades, highest) for ranking in few.lists] for grades in every_judgment(few)]
        )
        np.testing.assert_allclose(bounds.systems.least[0], tried.min(axis=0), atol=1e-9, err_msg=text)
        np.testing.assert_allclose(bounds.systems.most[0], tried.max(axis=0), atol=1e-9, err_msg=text)
        differences = tried[:, :2] - tried[:, 1:]
        least, most = differences.min(axis=0), differences.max(axis=0)
        if has_exact_pairs(Measure.parse(text)):
            np.testing.assert_allclose(bounds.pairs.least[0], least, atol=1e-9, err_msg=text)
            np.testing.assert_allclose(bounds.pairs.most[0], most, atol=1e-9, err_msg=text)
        else:
            assert (bounds.pairs.least[0] <= least + 1e-9).all(), text
            assert (bounds.pairs.most[0] >= most - 1e-9).all(), text
        reached = attained(loaded(few.grades, few.lists), text, [(0, 1), (1, 2)])
        is_among = np.isclose(differences, reached, atol=1e-9).any(axis=0)
        assert is_among.all(), text  # some grades give just that


def attained(collection: Collection, measure: str, pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    read = (Measure.parse(measure),)
    scores = np.nan_to_num(score(collection, read, workers=1).values[..., 0])
    return HoleBounds(collection, read, np.array(pairs)).attained(scores, workers=1)[0, 0]


@settings(deadline=None, max_examples=15)
@given(topics(), st.lists(st.sampled_from(BOUNDED), min_size=8, max_size=8, unique=True))
def test_effects_are_those_of_one_document_that_is_judged(topic: Topic, measures: list[str]) -> None:
    collection, highest = loaded(topic.grades, topic.lists), max(topic.grades.values())
    holes = holes_of(collection, 0)
    names = [collection.docnos[int(doc)] for doc in holes.docs]
    for text in measures:
        measure = Measure.parse(text)
        scores = np.nan_to_num(score(collection, (measure,), workers=1).values[0, 0, :, 0])
        effects = effects_on(collection, measure, 0, holes, scores).of_pair(0, 1)
        for name, effect in zip(names, effects, strict=True):
            changes = []
            for grade in {0, *topic.grades.values()}:
                before, after = (
                    [slow_score(text, ranking, grades, highest) for ranking in topic.lists[:2]]
                    for grades in (topic.grades, topic.grades | {name: grade})
                )
                changes.append(after[0] - after[1] - (before[0] - before[1]))
            assert np.isclose(changes, effect, atol=1e-9).any(), text


def _with_few_holes(ranking: list[str], topic: Topic) -> list[str]:
    """The list without unjudged documents but for those that never are: all grades of 3 can be tried."""
    return [docno for docno in ranking if docno in topic.grades or docno in HOLES] or [HOLES[0]]


def test_measures_without_bounds_are_refused() -> None:
    collection = loaded({"d0": 1}, [["d0", "d1"]])
    for text in ("Bpref", "P(judged_only=True)@5", "RBP(residual=True)", "nDCG(gains={0: 1})"):
        with pytest.raises(DesignError, match="it is not known what unjudged documents could make of"):
            HoleBounds(collection, (Measure.parse(text),), np.zeros((0, 2), np.int64))


def test_holes_need_all_documents() -> None:
    collection = load({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, documents="judged")
    with pytest.raises(DesignError, match="documents='all'"):
        HoleBounds(collection, (Measure.parse("P@1"),), np.zeros((0, 2), np.int64))


def test_unjudged_documents_are_numbered_in_the_order_in_which_they_come() -> None:
    rng = np.random.default_rng(5)
    lists = {f"s{s}": {"1": {f"d{d}": float(-r) for r, d in enumerate(rng.permutation(400)[:150])}} for s in range(4)}
    collection = load({"1": {f"d{d}": d % 2 for d in range(0, 400, 3)}}, lists, warn=False)
    holes, names = holes_of(collection, 0), collection.docnos.to_list()
    listed = [name for s in collection.systems for name in lists[s]["1"] if int(name[1:]) % 3]
    assert [names[doc] for doc in holes.docs] == list(dict.fromkeys(listed))
    assert [names[holes.docs[number]] for number in holes.lists.ids] == listed
