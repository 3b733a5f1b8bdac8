"""A small graded collection, and what ir_measures, pytrec_eval and ranx say of it, topic by topic."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from numpy.typing import NDArray
from ranx.meta.evaluate import extract_metric_and_params
from ranx.metrics import metric_switch

Floats = NDArray[np.float64]

LENGTHS = {"1": 8, "2": 25, "3": 60, "4": 110, "5": 140, "6": 30}  # of lists; gdeval wants numbers as names of topics
DOCNOS = [f"d{number:03}" for number in range(140)]
JUDGED = 60  # documents a topic
TEXTS = {"runid", "relstring"}  # what pytrec_eval gives besides scores


def _judgments(rng: np.random.Generator, topic: str) -> list[Any]:
    """Judgments of some documents, each under one subtopic: few or many are relevant, of all grades."""
    relevant = rng.random(JUDGED - 4) < rng.uniform(0.0, 0.6)
    grades = [1, 2, 3, 4, *map(int, relevant * rng.integers(1, 5, JUDGED - 4))]
    docnos = map(str, rng.choice(DOCNOS, JUDGED, replace=False))
    subtopics = map(str, rng.integers(1, 5, JUDGED))
    return [ir_measures.Qrel(topic, *one) for one in zip(docnos, grades, subtopics, strict=True)]


def _ranked(rng: np.random.Generator, grades: Mapping[str, int], length: int) -> dict[str, float]:
    """A list without ties that finds relevant documents well or badly."""
    skill = rng.uniform(0.0, 0.1)
    likely = {docno: rng.random() + skill * grades.get(docno, 0) for docno in DOCNOS}
    best = sorted(DOCNOS, key=lambda docno: -likely[docno])[:length]
    return {docno: 2.0 - rank / 100 for rank, docno in enumerate(best)}


_RNG = np.random.default_rng(6)
QRELS = [one for topic in LENGTHS for one in _judgments(_RNG, topic)]
GRADES = {topic: {one.doc_id: one.relevance for one in QRELS if one.query_id == topic} for topic in LENGTHS}
RUN = {topic: _ranked(_RNG, GRADES[topic], length) for topic, length in LENGTHS.items()}
_PROVIDERS = [one for one in ir_measures.DefaultPipeline.providers if one.NAME != "irgauge"]


def measures_of_ir_measures(text: str) -> list[Any]:
    """What ir_measures reads in a text; P is a family of trec_eval there, as it is no measure without a cut-off."""
    try:
        return ir_measures.parse_trec_measure(text)
    except ValueError:
        return [ir_measures.parse_measure(text)]


def by_ir_measures(measure: Any, qrels: Sequence[Any] = QRELS) -> Floats:  # noqa: ANN401  # ir_measures has no types
    """The scores of topics, by the first of its providers that has the measure."""
    metrics = ir_measures.providers.FallbackProvider(_PROVIDERS).iter_calc([measure], qrels, RUN)
    scores = {one.query_id: one.value for one in metrics}
    return np.array([scores[topic] for topic in LENGTHS])


def by_pytrec_eval(text: str, *, rel: int = 1) -> dict[str, Floats]:
    """The scores of topics, by the names that it gives them."""
    found = pytrec_eval.RelevanceEvaluator(GRADES, [text], relevance_level=rel).evaluate(RUN)
    names = [name for name in next(iter(found.values())) if name not in TEXTS]
    return {name: np.array([found[topic][name] for topic in LENGTHS]) for name in names}


def by_ranx(
    texts: Sequence[str],
    qrels: Mapping[str, Mapping[str, int]] = GRADES,
    run: Mapping[str, Mapping[str, float]] = RUN,
) -> dict[str, Floats]:
    """The scores of topics, by the names that it was given; ranx's own code, as Python: it takes long to compile."""
    judged, found = ([_rows(scores[topic]) for topic in qrels] for scores in (qrels, run))
    with pytest.MonkeyPatch.context() as patch:
        for module in (one for name, one in sys.modules.items() if name.startswith("ranx.metrics.")):
            for name, kernel in vars(module).copy().items():
                if hasattr(kernel, "py_func"):
                    patch.setattr(module, name, kernel.py_func)
        given = [extract_metric_and_params(text) for text in texts]
        return {
            text: metric_switch(name)(judged, found, *rest) for text, (name, *rest) in zip(texts, given, strict=True)
        }


def _rows(scores: Mapping[str, float]) -> Floats:
    """Documents by their numbers, and their scores, the highest first, as ranx orders them."""
    best = sorted(scores, key=lambda docno: -scores[docno])
    return np.array([[int(docno[1:]), scores[docno]] for docno in best], np.float64)
