"""Scores by samples of documents: against the scorer, all samples that can be drawn, and formulas written out."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.inference.difference_estimator import corrected_by_documents
from irgauge.reading.collection import Collection
from irgauge.reading.objects import qrels_of
from irgauge.reading.rejudging import pairs_of, rejudged
from irgauge.scoring.document_samples import SampledScores, sampled_scores, summed
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import score

PEOPLE = {"1": {"a": 2, "b": 0, "c": 1, "d": 0, "e": 3, "f": 1, "g": 0}, "2": {"a": 1, "b": 1, "c": 0, "d": 2}}
JUDGE = {"1": {"a": 1, "b": 1, "c": 1, "e": 3, "f": 0, "g": 2, "z": 3}, "2": {"a": 0, "b": 1, "c": 1, "d": 2}}
RUNS = {
    "one": {"1": {"e": 9.0, "b": 8, "x": 7, "a": 6, "f": 5, "z": 4, "c": 3}, "2": {"d": 2.0, "a": 1}},
    "two": {"1": {"g": 9.0, "c": 8, "d": 7, "f": 6}, "2": {"c": 2.0, "b": 1, "a": 0.5}},
}
SUMS = ["P@5", "P(rel=2)@3", "DCG@5", "DCG", "DCG(dcg='exp-log2')@4", "RBP", "RBP(p=0.5, max_rel=3)@4", "SDCG@5"]
STRATA = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2, "f": 2, "g": 2}


def collection(people: dict[str, dict[str, int]], tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """People's judgments in strata, from a file, as only files have strata."""
    path = tmp_path_factory.mktemp("sample") / "people.txt"
    lines = [f"{t} 0 {doc} {STRATA[doc]} {grade}\n" for t, own in people.items() for doc, grade in own.items()]
    path.write_text("".join(lines))
    return ig.load(path, RUNS, topics="judged")


def scored(people: dict[str, dict[str, int]], measure: str, made: pytest.TempPathFactory) -> SampledScores:
    runs = collection(people, made)
    return sampled_scores(runs, pairs_of(qrels_of(JUDGE), runs), Measure.read(measure))


@pytest.mark.parametrize("measure", SUMS)
def test_where_all_are_judged_scores_are_those_of_the_measure(
    measure: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    runs = collection(PEOPLE, tmp_path_factory)
    scores = scored(PEOPLE, measure, tmp_path_factory)
    assert scores.people == pytest.approx(score(runs, measure).values[0, :, :, 0])
    pooled = {topic: {doc: JUDGE[topic].get(doc, 0) for doc in own} for topic, own in PEOPLE.items()}
    by_judge = score(rejudged(runs, pairs_of(qrels_of(pooled), runs)), measure).values[0, :, :, 0]
    assert scores.whole == pytest.approx(by_judge)
    assert scores.sample == pytest.approx(scores.whole)


def test_over_all_samples_the_mean_is_the_truth_and_the_variance_that_of_the_formula(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    whole, own = scored(PEOPLE, "DCG@5", tmp_path_factory).people, PEOPLE["1"]
    strata = [[doc for doc in own if STRATA[doc] == h] for h in (1, 2)]
    estimates = []
    for drawn in product(combinations(strata[0], 2), combinations(strata[1], 2)):
        kept = {*drawn[0], *drawn[1]}
        people = {"1": {doc: grade if doc in kept else -1 for doc, grade in own.items()}, "2": PEOPLE["2"]}
        scores = scored(people, "DCG@5", tmp_path_factory)
        estimates.append((scores.people + scores.whole - scores.sample)[0])
    assert np.mean(estimates, axis=0) == pytest.approx(whole[0])
    for s, run in enumerate(RUNS.values()):
        ranked = sorted(run["1"], key=lambda doc: -run["1"][doc])
        weight = {doc: 1 / np.log2(r + 2) for r, doc in enumerate(ranked[:5])}
        off = [[weight.get(doc, 0) * (own[doc] - JUDGE["1"].get(doc, 0)) for doc in stratum] for stratum in strata]
        variance = sum(len(z) ** 2 * (1 - 2 / len(z)) * np.var(z, ddof=1) / 2 for z in off)
        assert np.var(np.array(estimates)[:, s]) == pytest.approx(variance)


def test_corrected_differences_are_those_written_out() -> None:
    rng = np.random.default_rng(1)
    whole = rng.standard_normal((12, 2))
    sample = whole + 0.4 * rng.standard_normal((12, 2))
    people = 0.3 + sample + 0.3 * rng.standard_normal((12, 2))
    result = corrected_by_documents(people, sample, whole)
    for pair in range(2):
        y, off, each = people[:, pair], (sample - whole)[:, pair], []
        for t in range(12):
            others = [u for u in range(12) if u != t]
            slope = np.cov(y[others], off[others])[0, 1] / np.var(off[others], ddof=1)
            each.append(y[t] - min(1.0, max(0.0, slope)) * off[t])
        assert result.difference[pair] == pytest.approx(np.mean(each))
        assert result.parts.se[pair] == pytest.approx(np.std(each, ddof=1) / np.sqrt(12))
    plain = corrected_by_documents(people, sample, whole, weight=1.0)
    assert plain.difference == pytest.approx((people + whole - sample).mean(axis=0))


@pytest.mark.parametrize(("agreement", "narrower"), [(0.9, 0.75), (0.0, 1.06), (-0.9, 1.06)])
def test_intervals_by_samples_of_documents_miss_as_often_as_they_say(agreement: float, narrower: float) -> None:
    """40 documents on each of 15 topics, of which people judge 10; over topics no pair differs."""
    rng, pairs = np.random.default_rng(4), 1500
    weight = rng.standard_normal((pairs, 40)) / 10  # of a document in the difference of two systems
    gains = rng.standard_normal((15, pairs, 40)) + rng.standard_normal((15, pairs, 1))
    judged = agreement * gains + np.sqrt(1 - agreement**2) * rng.standard_normal(gains.shape)
    is_drawn = rng.random(gains.shape).argsort(axis=2) < 10
    people, sample = (4 * (weight * own * is_drawn).sum(axis=2) for own in (gains, judged))
    result = corrected_by_documents(people, sample, (weight * judged).sum(axis=2))
    low, high = result.interval(0.05)
    assert ((low > 0) | (high < 0)).mean() < 0.05 + 3 * np.sqrt(0.05 * 0.95 / pairs)
    assert result.parts.se.mean() < narrower * np.sqrt(result.people_variance).mean()


def test_what_is_no_sum_is_refused_and_success_is_looked_at_by_its_sum() -> None:
    assert summed(Measure.read("Success(rel=2)@5")) == Measure.read("P(rel=2)@5")
    for measure in ("nDCG@10", "AP", "Success", "RBP(residual=True)", "P(judged_only=True)@5"):
        with pytest.raises(DesignError, match="is no sum of gains"):
            summed(Measure.read(measure))


def test_a_stratum_of_which_nothing_was_judged_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    people = {"1": {doc: -1 if STRATA[doc] == 2 else grade for doc, grade in PEOPLE["1"].items()}, "2": PEOPLE["2"]}
    with pytest.raises(DesignError, match="none of the 4 documents of stratum 2 of topic 1"):
        scored(people, "P@5", tmp_path_factory)
