"""Shallow pools made the long way: runs and qrels of an image are written out, then judgments are struck out.

Nothing here is shared with the package. A pool is the union of the top documents of two amended runs; a document
that has a copy in the pool stays judged with all its copies, all others leave the qrels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from oracles.amended import TREC_EVAL, Image, Qrels, Run, amended_qrels, amended_run, trec_eval
from oracles.slow_measures import MEASURES, Case, order, value


class Pair(NamedTuple):
    """What is known of two runs with some of the judgments."""

    topics: NDArray[np.float64]  # the difference on each topic
    difference: float
    p: float
    judged: float  # documents judged for a topic, mean over topics


def _original(copy: str) -> str:
    return copy.rpartition("~")[0]


def _pool(runs: tuple[Run, Run], topic: str, depth: int) -> set[str]:
    """The documents with a copy among the first of either amended run."""
    return {_original(copy) for run in runs for copy in order(run.get(topic, {}))[:depth]}


def _judged(qrels: Qrels, runs: tuple[Run, Run], depth: int | None) -> Qrels:
    """The amended qrels with the judgments of the pool only; all of them if there is no depth."""
    if depth is None:
        return qrels
    pools = {topic: _pool(runs, topic, depth) for topic in qrels}
    return {
        topic: {copy: grade for copy, grade in judged.items() if _original(copy) in pools[topic]}
        for topic, judged in qrels.items()
    }


def _score(measure: str, qrels: Mapping[str, int], ranking: Run, topic: str, highest: int) -> float:
    """By the slow measure, and by trec_eval where it has the measure; 0 where nothing relevant is judged."""
    rel, _ = MEASURES[measure]
    if not any(grade >= rel for grade in qrels.values()):
        return 0.0
    slow = value(measure, Case(order(ranking.get(topic, {})), qrels, {}, highest))
    if measure in TREC_EVAL:
        np.testing.assert_allclose(trec_eval({topic: qrels}, ranking, measure)[topic], slow, rtol=1e-11, atol=1e-13)
    return slow


def pair(qrels: Qrels, runs: tuple[Run, Run], image: Image, measure: str, depth: int | None) -> Pair:
    """The two runs in one image, with the judgments of a pool or with all of them."""
    amended = amended_run(runs[0], image), amended_run(runs[1], image)
    judged = _judged(amended_qrels(qrels, image), amended, depth)
    highest = max(grade for grades in qrels.values() for grade in grades.values())
    scores = np.array([[_score(measure, judged[topic], run, topic, highest) for topic in qrels] for run in amended])
    topics = np.round(scores[0] - scores[1], 13)
    p = float(stats.ttest_rel(scores[0], scores[1]).pvalue) if topics.any() else 1.0
    documents = [len({_original(copy) for copy in judged[topic]}) for topic in qrels]
    return Pair(topics, float(topics.mean()), p, float(np.mean(documents)))


class Chance(NamedTuple):
    """How often exchangeable runs gain, and lose, as much confidence with some pool; by pool."""

    gain: list[float]
    loss: list[float]


def chance(differences: NDArray[np.float64], signs: NDArray[np.float64]) -> Chance:
    """From differences[pool, topic, image], all judgments last, and signs[draw, topic]; the first draw is as is."""
    draws = np.array([_gains(differences * one[:, None]) for one in signs])  # draw, pool
    draws = draws / np.sqrt((draws**2).mean(axis=0))
    pools = range(draws.shape[1])
    gain = [float(np.mean([max(draw) > draws[0, k] - 1e-7 for draw in draws])) for k in pools]
    loss = [float(np.mean([min(draw) < draws[0, k] + 1e-7 for draw in draws])) for k in pools]
    return Chance(gain, loss)


def _gains(differences: NDArray[np.float64]) -> list[float]:
    """How far the mean t over images lies further out than with all judgments, in the direction of both."""
    *shallow, complete = (float(stats.ttest_1samp(one, 0, axis=0).statistic.mean()) for one in differences)
    return [(t - complete) * float(np.sign(t + complete)) for t in shallow]
