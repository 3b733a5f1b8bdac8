"""Groups that are left out of the pool, against judgments that are cut by hand and scored by pytrec_eval."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
import pytrec_eval
from scipy import stats

import irgauge as ig
from irgauge.errors import DesignError, InputError
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.holes.study import Bounded, holes

Grades = dict[str, dict[str, int]]
Lists = dict[str, dict[str, dict[str, float]]]
NAMES = {"AP": "map", "nDCG@10": "ndcg_cut_10", "P@5": "P_5"}
DEPTHS = {"a1": 8, "a2": 8, "b1": 8, "c1": 0, "d1": 5}  # of c1 nothing was judged for itself
GROUPS = {system: system[0] for system in DEPTHS}


@pytest.fixture(scope="module", params=[3, 8])
def pooled(request: pytest.FixtureRequest) -> tuple[Grades, Lists]:
    """Runs whose first documents are judged, to a depth of their own."""
    design = Design(systems=5, families=5, topics=9, depth=25, corpus_size=300, relevant_median=9, seed=request.param)
    whole = simulate(design).collection()
    names, qrels = whole.docnos.to_list(), {}
    runs: Lists = {system: {} for system in DEPTHS}
    for t, topic in enumerate(whole.topics):
        for s, system in enumerate(DEPTHS):
            docs = whole.docs[whole.firsts[t, s] : whole.firsts[t, s] + whole.lengths[t, s]]
            runs[system][topic] = {names[doc]: 100.0 - rank for rank, doc in enumerate(docs)}
        judged = slice(whole.judged_bounds[t], whole.judged_bounds[t + 1])
        levels = zip(whole.judged_docs[judged], whole.judged_levels[judged], strict=True)
        grades = {names[doc]: int(whole.grades[level]) for doc, level in levels}
        pool = [doc for system, depth in DEPTHS.items() for doc in list(runs[system][topic])[:depth]]
        qrels[topic] = {doc: grades.get(doc, 0) for doc in pool} | {"elsewhere": 1}
    return qrels, runs


def _cut(qrels: Grades, runs: Lists, group: str) -> Grades:
    """Without what only runs of a group have among the documents that are judged on every topic."""
    depths = {system: _depth(qrels, lists) for system, lists in runs.items()}
    cut: Grades = {}
    for topic, grades in qrels.items():
        brought = {s: set(list(lists[topic])[: depths[s]]) for s, lists in runs.items()}
        own = set().union(*(docs for s, docs in brought.items() if GROUPS[s] == group))
        others = set().union(*(docs for s, docs in brought.items() if GROUPS[s] != group))
        cut[topic] = {doc: grade for doc, grade in grades.items() if doc not in own - others}
    return cut


def _depth(qrels: Grades, lists: Mapping[str, Mapping[str, float]]) -> int:
    depth = 0
    while all(list(docs)[depth] in qrels[topic] for topic, docs in lists.items()):
        depth += 1
    return depth


def _scores(qrels: Grades, runs: Lists, measure: str) -> dict[str, np.ndarray]:
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {NAMES[measure]})
    by_run = {system: evaluator.evaluate(lists) for system, lists in runs.items()}
    return {s: np.array([own[topic][NAMES[measure]] for topic in sorted(qrels)]) for s, own in by_run.items()}


def test_groups_are_as_with_judgments_cut_by_hand(pooled: tuple[Grades, Lists]) -> None:
    qrels, runs = pooled
    bounded = holes(ig.load(qrels, runs, warn=False), list(NAMES), groups=GROUPS)
    assert {(row.measure, row.group) for row in bounded.groups} == {(m, g) for m in NAMES for g in "abcd"}
    assert any(row.changed for row in bounded.groups) or any(row.ranks for row in bounded.groups)
    for row in bounded.groups:
        cut = _cut(qrels, runs, row.group)
        gone = [grades[doc] for topic, grades in qrels.items() for doc in grades if doc not in cut[topic]]
        before, after = _scores(qrels, runs, row.measure), _scores(cut, runs, row.measure)
        own = [system for system in runs if GROUPS[system] == row.group]
        fall = np.mean([after[s] - before[s] for s in own], axis=0)
        ranks = [_rank(after, s) - _rank(before, s) for s in own]
        assert (row.runs, row.judged, row.relevant) == (len(own), len(gone), sum(grade > 0 for grade in gone))
        assert row.depth == max(_depth(qrels, runs[s]) for s in own)
        assert row.difference == pytest.approx(fall.mean(), abs=1e-12)
        assert row.ranks == max(ranks)
        t_low, t_high = stats.t.interval(0.95, 8, fall.mean(), stats.sem(fall)) if fall.any() else (0.0, 0.0)
        assert row.low <= t_low + 1e-12
        assert row.high >= t_high - 1e-12
        assert row.pairs == len(own) * (len(runs) - len(own))


def _rank(scores: Mapping[str, np.ndarray], system: str) -> int:
    return 1 + sum(own.mean() > scores[system].mean() + 1e-12 for own in scores.values())


def test_changed_verdicts_are_those_of_compare(pooled: tuple[Grades, Lists]) -> None:
    qrels, runs = pooled
    rows = holes(ig.load(qrels, runs, warn=False), "AP", groups=GROUPS, alpha=0.3).groups
    assert any(row.changed for row in rows)
    for row in rows:
        before, after = (_claims(judged, runs, row.group) for judged in (qrels, _cut(qrels, runs, row.group)))
        assert row.changed == sum(before[pair] != after[pair] for pair in before), row


def _claims(qrels: Grades, runs: Lists, group: str) -> dict[tuple[str, str], int]:
    """Pair -> whether its first system, of a group, is significantly better (1) or worse (-1) than one of another."""
    compared = ig.compare(ig.load(qrels, runs, warn=False), "AP", test="skewed-t", correction="none", alpha=0.3)
    claims = {}
    for pair in compared.frame().iter_rows(named=True):
        sign = int(np.sign(pair["difference"])) * (pair["p"] <= 0.3)
        claims[pair["system"], pair["against"]], claims[pair["against"], pair["system"]] = sign, -sign
    return {pair: own for pair, own in claims.items() if GROUPS[pair[0]] == group != GROUPS[pair[1]]}


@pytest.fixture
def small() -> Bounded:
    qrels = {topic: {"a": 1, "b": 0, "c": 1} for topic in "123"} | {"4": {"b": 1}}
    first = {topic: {"a": 3.0, "b": 2.0} for topic in "123"} | {"4": {"b": 1.0}}
    second = {topic: {"c": 3.0, "b": 2.0} for topic in "123"} | {"4": {"b": 1.0}}
    return holes(ig.load(qrels, {"x1": first, "y1": second}), "P@2", groups={"x1": "x"})


def test_the_sentence_the_table_and_the_chart(small: Bounded) -> None:
    assert small.findings()[-1].text == (
        "By P@2, the runs of a group that is left out of the pool change by −0.375 on average, and those of x fall "
        "furthest, by 0.375; 0 of 2 verdicts on them and runs of other groups change."
    )
    assert [(row.group, row.depth, row.judged, row.ranks) for row in small.groups] == [("x", 2, 3, 1), ("y1", 2, 3, 1)]
    assert small.frame("groups")["difference"].to_list() == [-0.375, -0.375]
    assert small.tables()[-1].name == "groups"
    assert small.chart("groups").title == ("Without what it alone brought to the pool, x falls most, by 0.375 in P@2")


def test_a_topic_may_lose_all_its_judgments() -> None:
    qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"b": 1}}
    runs = {"x": {"1": {"a": 1.0}, "2": {"b": 1.0}, "3": {"b": 1.0}}, "y": {"2": {"b": 1.0}, "3": {"b": 1.0}}}
    rows = holes(ig.load(qrels, runs, warn=False), ["AP", "nDCG"], groups={}).groups
    assert {(row.group, round(row.difference, 9)) for row in rows} == {("x", -round(1 / 3, 9)), ("y", 0.0)}


def test_nothing_is_brought_by_one_group_alone() -> None:
    same = {topic: {"a": 2.0, "b": 1.0} for topic in "12"}
    runs = ig.load({topic: {"a": 1, "b": 0} for topic in "12"}, {"x": same, "y": same}, warn=False)
    assert holes(runs, "AP", groups={}).findings()[-1].text == (
        "By AP, nothing changes where a group is left out of the pool: none alone brought a judged document."
    )
    with pytest.raises(DesignError, match="all runs are of the group 'g', and none is left without it"):
        holes(runs, "AP", groups={"x": "g", "y": "g"})
    with pytest.raises(DesignError, match="the groups name 1 system \\(z\\) that is not among the runs"):
        holes(runs, "AP", groups={"z": "g"})
    with pytest.raises(InputError):
        holes(runs, "AP", groups="no such file")
    with pytest.raises(DesignError, match="no groups were left out of the pool"):
        holes(runs, "AP").chart("groups")
