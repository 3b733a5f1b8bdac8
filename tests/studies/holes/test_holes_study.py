"""What unjudged documents could change: the study, its verdicts and its sentences."""

from __future__ import annotations

import numpy as np
import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.holes.study import Bounded, holes, verdict_between

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
RUNS = {
    "good": {topic: {"a": 3, "b": 2} for topic in QRELS},
    "new": {topic: {"b": 3, "x": 2} for topic in QRELS},
    "other": {topic: {"b": 3, "y": 2} for topic in QRELS},
}


@pytest.fixture
def bounded() -> Bounded:
    return holes(ig.load(QRELS, RUNS), ["P@2", "RR"])


def test_pairs_say_what_holds_whatever_unjudged_documents_are(bounded: Bounded) -> None:
    by_pair = {(pair.measure, pair.system, pair.against): pair for pair in bounded.pairs}
    best = by_pair["P@2", "good", "new"]
    assert (best.difference, best.least, best.most, best.verdict, best.holes) == (0.5, 0.0, 0.5, "not worse", 2)
    assert by_pair["RR", "good", "new"].verdict == "better"
    assert by_pair["P@2", "new", "other"].verdict == "inconclusive"
    assert [(row.system, row.least, row.most) for row in bounded["P@2"].systems] == [
        ("good", 0.5, 0.5),
        ("new", 0.0, 0.5),
        ("other", 0.0, 0.5),
    ]


def test_the_answer_comes_first(bounded: Bounded) -> None:
    assert [finding.text for finding in bounded.findings()] == [
        f"By {measure}, 2 of 3 pairs keep their order on these topics whatever unjudged documents are; that of the "
        "other could change."
        for measure in ("P@2", "RR")
    ]


def test_one_pair_is_told_with_its_bounds() -> None:
    runs = ig.load(QRELS, RUNS)
    ahead = holes(runs.only(["good", "new"]), "RR").findings()[0].text
    assert ahead == (
        "By RR, good is ahead of new on these topics whatever unjudged documents are (2 of them listed down "
        "to the cut-off): the difference is 1.000, "
        "and lies between 0.500 and 1.000."
    )
    could = holes(runs.only(["new", "other"]), "P@2").findings()[0].text
    assert could == (
        "By P@2, unjudged documents (4 of them listed down to the cut-off) could change which of new and other is "
        "ahead: the difference is 0.000, and could lie anywhere between −0.500 and 0.500."
    )


def test_a_baseline_and_a_margin() -> None:
    bounded = holes(ig.load(QRELS, RUNS), "AP", baseline="good", margin=0.2)
    assert [(pair.system, pair.against, pair.verdict) for pair in bounded.pairs] == [
        ("new", "good", "worse"),
        ("other", "good", "worse"),
    ]
    assert not any(pair.is_exact for pair in bounded.pairs)
    assert bounded.findings()[-1].text.startswith("Bounds of differences by AP may be too wide, never too narrow")
    with pytest.raises(DesignError, match="margin -1 is not possible"):
        holes(ig.load(QRELS, RUNS), "AP", margin=-1)


def test_a_pair_that_is_only_within_the_margin_does_not_keep_its_order() -> None:
    bounded = holes(ig.load(QRELS, RUNS), "P@2", baseline="new", margin=0.6)
    turned = [pair for pair in bounded.pairs if pair.least < 0 < pair.most]
    assert [pair.verdict for pair in turned] == ["equivalent"]
    assert bounded.findings()[0].text.startswith("By P@2, 1 of 2 pairs with new keeps its order")
    assert bounded.findings()[0].text.endswith("could change. 1 more is settled against the margin.")


def test_verdicts_between_two_ends() -> None:
    ends = [(0.1, 0.2), (-0.2, -0.1), (-0.04, 0.04), (-0.04, 0.2), (-0.2, 0.04), (-0.2, 0.2)]
    told = ["better", "worse", "equivalent", "not worse", "not better", "inconclusive"]
    assert [verdict_between(least, most, 0.05) for least, most in ends] == told
    assert verdict_between(0.0, 0.0, 0.0) == "equivalent"


def test_a_system_alone_and_no_holes() -> None:
    alone = holes(ig.load(QRELS, {"new": RUNS["new"]}), "P@2")
    assert alone.findings()[0].text == (
        "By P@2, the mean of new is 0.000; unjudged documents (2 of them listed down to the cut-off) could make it lie "
        "anywhere between 0.000 and 0.500."
    )
    judged = holes(ig.load(QRELS, {"good": RUNS["good"]}), "P@2").findings()[0].text
    assert judged == "By P@2, no unjudged document counts: nothing can change."


def test_the_truth_lies_within_the_bounds_when_judgments_are_hidden() -> None:
    whole = simulate(Design(systems=5, families=2, topics=8, depth=30, corpus_size=400, relevant_median=8)).collection()
    measures = ["AP", "nDCG", "nDCG@10", "P@10", "Rprec", "RR", "R@10", "RBP", "ERR@10", "SetF"]
    hidden = holes(_pooled(whole, systems=2, depth=10), measures)
    truth = ig.score(whole, measures)
    means = {(own.measure, own.system): own.mean for own in truth.means}
    for row in hidden.systems:
        assert row.least - 1e-12 <= means[row.measure, row.system] <= row.most + 1e-12, row
    for pair in hidden.pairs:
        difference = means[pair.measure, pair.system] - means[pair.measure, pair.against]
        assert pair.least - 1e-12 <= difference <= pair.most + 1e-12, pair


def _pooled(whole: Collection, systems: int, depth: int) -> Collection:
    """The same runs with judgments of the top documents of the first systems alone."""
    names, grades = whole.docnos.to_list(), whole.grades
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {system: {} for system in whole.systems}
    for t, topic in enumerate(whole.topics):
        judged = slice(whole.judged_bounds[t], whole.judged_bounds[t + 1])
        own = {
            names[d]: int(grades[level])
            for d, level in zip(whole.judged_docs[judged], whole.judged_levels[judged], strict=True)
        }
        for s, system in enumerate(whole.systems):
            first = whole.firsts[t, s]
            docs = whole.docs[first : first + whole.lengths[t, s]]
            runs[system][topic] = {names[doc]: -float(rank) for rank, doc in enumerate(docs)}
        pool = {docno for system in whole.systems[:systems] for docno in list(runs[system][topic])[:depth]}
        qrels[topic] = {docno: grade for docno, grade in own.items() if docno in pool}
        if max(qrels[topic].values(), default=0) < 1:  # else the topic would be left out
            qrels[topic] = own
    return ig.load(qrels, runs, warn=False)


def test_a_chart_and_frames(bounded: Bounded) -> None:
    assert bounded.frame().columns == list(bounded.frames["pairs"].names)
    assert bounded.frame("systems")["most"].to_list() == [row.most for row in bounded.systems]
    kept = sum(row.least >= 0 or row.most <= 0 for row in bounded.pairs if row.measure == "P@2")
    pairs = sum(row.measure == "P@2" for row in bounded.pairs)
    keep = "keeps its" if kept == 1 else "keep their"
    assert (
        bounded.chart(best=2).title == f"{kept} of {pairs} pairs {keep} order by P@2, whatever unjudged documents are"
    )
    assert np.isfinite(bounded.frame()["least"].to_numpy()).all()


def test_a_margin_in_per_cent_is_of_the_least_mean_that_grades_allow() -> None:
    """More relevant documents lower the recall of the baseline, and so the margin."""
    qrels = {"1": {"a": 1, "b": 0}}
    runs = {"base": {"1": {"a": 2, "b": 1}}, "new": {"1": {"a": 3, "x": 2, "y": 1}}}
    bounded = holes(ig.load(qrels, runs), "R@2", baseline="base", margin="60%")
    (pair,) = bounded.pairs
    assert (pair.least, pair.most) == pytest.approx((0.0, 0.5))  # most where x is relevant and y is not
    assert bounded.margins == {"R@2": pytest.approx(0.6 / 3)}  # where x and y are
    assert pair.verdict == "not worse", "as 60 % of 1, it would be equivalent whatever they are"


def test_no_measure_is_refused() -> None:
    with pytest.raises(DesignError, match="no measure was given"):
        holes(ig.load(QRELS, RUNS), [])
