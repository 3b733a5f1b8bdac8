"""Random collections, awkward ones among them, scored as pytrec_eval scores them: every measure of trec_eval.

IRGAUGE_FUZZ=20 makes twenty times as many of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import pytest
import pytrec_eval
from numpy.typing import NDArray

from irgauge.reading.collection import load
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import score

COLLECTIONS = 500 * int(os.environ.get("IRGAUGE_FUZZ", "1"))
PARTS = 10
EXACT = 1e-12
TEXTS = {"runid", "relstring"}  # what pytrec_eval gives besides scores
WITHOUT_RELEVANT = {  # where a topic has no relevant document, these differ from trec_eval's
    "utility",  # such a topic scores 0 here, and there less the more is retrieved
    "Rndcg",  # of the grades alone here, whatever the lowest that is relevant
}
Grades = dict[str, dict[str, int]]
Values = dict[str, dict[str, float]]
V = TypeVar("V", int, float)


class Drawn(NamedTuple):
    """A collection, and how it is to be scored."""

    qrels: Grades
    run: Values
    rel: int
    depth: int | None


def drawn(rng: np.random.Generator) -> Drawn:
    """Few topics; ties or none, short or empty judgments, grades below 0, topics that the run or the qrels lack."""
    topics = [f"q{number}" for number in range(rng.integers(1, 6))]
    docnos = np.array([f"{'abAB-é'[rng.integers(6)]}{number}" for number in range(rng.integers(3, 40))])
    grades = np.arange(-1 if rng.random() < 0.2 else 0, rng.integers(2, 5))
    qrels = {topic: _some(rng, docnos, lambda size: rng.choice(grades, size).tolist()) for topic in topics}
    qrels[topics[0]][str(docnos[0])] = int(grades[-1])  # a collection has a relevant document
    scores = np.array([-1.0, 0.0, 0.5, 2.0]) if rng.random() < 0.5 else rng.permutation(200) / 8
    answered = [topic for topic in topics if topic == topics[0] or rng.random() < 0.8]
    run = {topic: _some(rng, docnos, lambda size: rng.choice(scores, size).tolist()) for topic in (*answered, "other")}
    depth = int(rng.integers(1, 20)) if rng.random() < 0.3 else None
    return Drawn(qrels, run, int(rng.integers(1, grades[-1] + 1)), depth)


def _some(rng: np.random.Generator, docnos: NDArray[np.str_], values: Callable[[int], list[V]]) -> dict[str, V]:
    """Values of some of the documents."""
    chosen = rng.choice(docnos, rng.integers(1, len(docnos) + 1), replace=False).tolist()
    return dict(zip(chosen, values(len(chosen)), strict=True))


def by_pytrec_eval(given: Drawn) -> Values:
    """The scores of each topic, by the names of measures."""
    lists = {topic: dict(_ranked(scores)[: given.depth]) for topic, scores in given.run.items()}
    found = pytrec_eval.RelevanceEvaluator(given.qrels, {"all_trec"}, relevance_level=given.rel).evaluate(lists)
    return {topic: {name: one for name, one in of.items() if name not in TEXTS} for topic, of in found.items()}


def _ranked(scores: dict[str, float]) -> list[tuple[str, float]]:
    """By score, then by docno, both descending."""
    return sorted(scores.items(), key=lambda item: (item[1], item[0].encode()), reverse=True)


def by_irgauge(given: Drawn, names: Sequence[str]) -> Values:
    """The same; what is undefined for lack of a relevant document is 0, as it is in trec_eval."""
    measures = [parse_measures(name, rel=given.rel)[0] for name in names]
    collection = load(given.qrels, {"run": given.run}, topics="judged", depth=given.depth, warn=False, workers=1)
    found = score(collection, measures, workers=1)
    rows = [np.nan_to_num(found.values[found.measures.index(measure), :, 0, 0]) for measure in measures]
    columns = np.array(rows).T.tolist()
    return {topic: dict(zip(names, of, strict=True)) for topic, of in zip(found.topics, columns, strict=True)}


@pytest.mark.parametrize("part", range(PARTS))
def test_scores_are_those_of_pytrec_eval(part: int) -> None:
    for number in range(part, COLLECTIONS, PARTS):
        given = drawn(np.random.default_rng(number))
        expected = by_pytrec_eval(given)
        found = by_irgauge(given, list(next(iter(expected.values()))))
        for topic, theirs in expected.items():
            left_out = WITHOUT_RELEVANT if max(given.qrels[topic].values()) < given.rel else set()
            ours = {name: found[topic][name] for name in theirs if name not in left_out}
            assert ours == pytest.approx({name: theirs[name] for name in ours}, abs=EXACT, rel=EXACT), (number, topic)
