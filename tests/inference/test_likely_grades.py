"""How likely unjudged documents have each grade, where the truth is known: hidden judgments of made collections."""

from __future__ import annotations

import numpy as np
import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.inference.hidden_judgments import Hidden, likely_grades
from irgauge.inference.likely_grades import LikelyGrades
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.rejudging import JudgedPairs
from irgauge.scoring.retrieved import Retrieved

TOPICS, SYSTEMS, DOCUMENTS, LENGTH = 20, 8, 300, 60
GRADES = (0, 1, 2)


def _world(seed: int, depth: int) -> tuple[Collection, Collection]:
    """Runs that rank by relevance and noise, with judgments of all documents, and of pools alone."""
    rng = np.random.default_rng(seed)
    every: dict[str, dict[str, int]] = {}
    pools: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {f"s{s}": {} for s in range(SYSTEMS)}
    for t in range(TOPICS):
        relevance = rng.normal(0, 1, DOCUMENTS) + rng.normal(0, 0.4)
        grades = (relevance > 1.2).astype(int) + (relevance > 2.0)
        names = [f"d{t}-{d}" for d in range(DOCUMENTS)]
        every[str(t)] = {name: int(grade) for name, grade in zip(names, grades, strict=True)}
        for s in range(SYSTEMS):
            scores = relevance + rng.normal(0, 0.8 + 0.2 * s, DOCUMENTS)
            top = np.argsort(-scores)[:LENGTH]
            runs[f"s{s}"][str(t)] = {names[d]: float(scores[d]) for d in top}
        pool = {name for run in runs.values() for name in list(run[str(t)])[:depth]}
        pools[str(t)] = {name: grade for name, grade in every[str(t)].items() if name in pool}
    return ig.load(every, runs, warn=False), ig.load(pools, runs, warn=False)


@pytest.fixture(scope="module")
def world() -> tuple[Retrieved, np.ndarray, LikelyGrades, tuple[Hidden, ...]]:
    whole, pooled = _world(seed=3, depth=15)
    retrieved = Retrieved.of(pooled)
    likely, checks = likely_grades(retrieved)
    complete = Retrieved.of(whole)  # the same pairs in the same order, as the runs are the same
    truth = whole.grades[complete.levels]
    return retrieved, truth, likely, checks


def test_pairs_are_what_lists_hold(world: tuple[Retrieved, np.ndarray, LikelyGrades, tuple[Hidden, ...]]) -> None:
    retrieved = world[0]
    whole = retrieved.collection
    best: dict[tuple[int, int], list[int]] = {}
    for t in range(len(whole.topics)):
        for first, length in zip(whole.firsts[t], whole.lengths[t], strict=True):
            for rank, doc in enumerate(whole.docs[first : first + length], 1):
                best.setdefault((t, int(doc)), []).append(rank)
    pairs = list(zip(retrieved.topics.tolist(), retrieved.docs.tolist(), strict=True))
    assert pairs == list(best)
    assert retrieved.best.tolist() == [min(ranks) for ranks in best.values()]
    assert retrieved.lists.tolist() == [len(ranks) for ranks in best.values()]
    sums = [sum(2.0 / (60 + rank) for rank in ranks) for ranks in best.values()]
    assert retrieved.summed(np.full(SYSTEMS, 2.0)) == pytest.approx(sums)


def test_the_same_levels_give_the_same_scores(
    world: tuple[Retrieved, np.ndarray, LikelyGrades, tuple[Hidden, ...]],
) -> None:
    retrieved = world[0]
    same = retrieved.judged_as(retrieved.levels)
    measures = ["nDCG", "AP", "P@10"]
    assert [row.mean for row in ig.score(same, measures).means] == pytest.approx(
        [row.mean for row in ig.score(retrieved.collection, measures).means]
    )


def test_probabilities_are_those_of_the_truth(
    world: tuple[Retrieved, np.ndarray, LikelyGrades, tuple[Hidden, ...]],
) -> None:
    _, truth, likely, _ = world
    assert likely.probabilities.sum(axis=1) == pytest.approx(1.0)
    assert likely.grades.tolist() == list(GRADES)
    hidden = truth[likely.holes]
    chances = 1 - likely.probabilities[:, 0]
    assert chances.sum() == pytest.approx((hidden > 0).sum(), rel=0.3)
    likeliest = np.argsort(-chances)[: len(chances) // 5]
    assert (hidden[likeliest] > 0).mean() > 3 * (hidden > 0).mean()


def test_draws_hold_the_truth(world: tuple[Retrieved, np.ndarray, LikelyGrades, tuple[Hidden, ...]]) -> None:
    _, truth, likely, checks = world
    rng = np.random.default_rng(0)
    totals = [(likely.draw(rng) > 0).sum() for _ in range(200)]
    low, high = np.quantile(totals, [0.005, 0.995])
    assert low <= (truth[likely.holes] > 0).sum() <= high
    assert [check.way for check in checks] == ["depth", "runs"]
    levels = likely.completed(likely.draw(rng))
    judged = likely.learned.retrieved.levels
    assert (levels >= 0).all()
    assert (levels[judged != UNJUDGED] == judged[judged != UNJUDGED]).all()


def test_a_judge_that_is_right_is_believed() -> None:
    whole, pooled = _world(seed=4, depth=15)
    retrieved, complete = Retrieved.of(pooled), Retrieved.of(whole)
    truth = whole.grades[complete.levels]
    pairs = JudgedPairs.ordered(retrieved.topics, retrieved.docs, truth, np.arange(len(truth)))
    likely, _ = likely_grades(retrieved, pairs)
    right = likely.probabilities[np.arange(len(likely.holes)), truth[likely.holes]]
    assert right.mean() > 0.9


def test_a_judge_says_nothing_of_documents_that_it_did_not_grade() -> None:
    whole, pooled = _world(seed=4, depth=15)
    retrieved, complete = Retrieved.of(pooled), Retrieved.of(whole)
    judged = retrieved.levels != UNJUDGED
    columns = retrieved.topics[judged], retrieved.docs[judged], whole.grades[complete.levels][judged]
    pairs = JudgedPairs.ordered(*columns, np.arange(judged.sum()))
    with_judge, without = (likely_grades(retrieved, judge)[0].probabilities for judge in (pairs, None))
    assert with_judge.sum(axis=0)[1:].sum() == pytest.approx(without.sum(axis=0)[1:].sum(), rel=0.15)


def test_picked_documents_teach_little_of_the_others() -> None:
    """Deep documents were judged only where they are relevant: those that were not are not like them."""
    whole, pooled = _world(seed=5, depth=15)
    retrieved, complete = Retrieved.of(pooled), Retrieved.of(whole)
    truth = whole.grades[complete.levels]
    picked = np.flatnonzero((retrieved.levels == UNJUDGED) & (truth > 0))[::2]
    levels = retrieved.levels.copy()
    levels[picked] = np.searchsorted(pooled.grades, truth[picked])
    likely, _ = likely_grades(Retrieved.of(retrieved.judged_as(levels)))
    assert (1 - likely.probabilities[:, 0]).sum() < 2.5 * (truth[likely.holes] > 0).sum()


def test_nothing_is_learned_from_relevant_documents_alone() -> None:
    runs = {"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 2.0, "z": 1.0}}}
    retrieved = Retrieved.of(ig.load({"1": {"x": 1}}, runs, warn=False))
    with pytest.raises(DesignError, match="not of both kinds"):
        likely_grades(retrieved)
