"""Where unjudged documents could change a verdict, against comparisons with these grades."""

from __future__ import annotations

import pytest

from conftest import Golden
from irgauge import compare, gate, load
from irgauge.reading.collection import Collection
from irgauge.studies.hole_changes import HoleChanges, UnseenHoles

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # the data have gaps on purpose
TOPICS = [str(number) for number in range(30)]


def runs_with(hole_topics: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """`good` finds the only relevant document, but on every fourth topic; `poor` lists unjudged ones first on some."""
    qrels = {topic: {"rel": 1, "not": 0, "no": 0} for topic in TOPICS}
    good = {topic: {"rel": 2.0 if number % 4 else 0.5, "not": 1.0} for number, topic in enumerate(TOPICS)}
    poor = {topic: {"hole" if number < hole_topics else "no": 2.0, "not": 1.0} for number, topic in enumerate(TOPICS)}
    return qrels, {"good": good, "poor": poor}


def could_change(data: Collection, measure: str, baseline: str | None = None) -> HoleChanges | None:
    holes = compare(data, measure, baseline=baseline).first.holes
    assert not isinstance(holes, UnseenHoles)
    return holes


@pytest.mark.parametrize("measure", ["P@1", "AP", "ERR@2", "nDCG@2"])
def test_a_verdict_could_change_where_some_grades_change_it(measure: str) -> None:
    for holes in (0, 1, 12, 30):
        qrels, runs = runs_with(holes)
        verdict = compare(load(qrels, runs), measure).first.verdict.verdicts[0]
        assert verdict == "better"
        unjudged = [topic for topic in TOPICS if "hole" in runs["poor"][topic]]
        could = could_change(load(qrels, runs), measure)
        relevant = {topic: qrels[topic] | {"hole": 1} if topic in unjudged else qrels[topic] for topic in TOPICS}
        worst = compare(load(relevant, runs), measure, baseline="poor").first
        changes = worst.verdict.verdicts[0] != "better"
        assert (could is not None) == changes, (measure, holes)
        if could is not None:
            assert could.documents == holes
            assert could.changes == could.verdicts == 1
            assert could.extreme == pytest.approx(float(worst.comparison.difference[0]))


def test_a_shared_document_changes_nothing_at_the_same_rank() -> None:
    qrels, runs = runs_with(0)
    for run in runs.values():
        for topic in TOPICS:
            run[topic] = {docno: score - 3 for docno, score in run[topic].items()} | {"shared": 1.0}
    assert could_change(load(qrels, runs), "P@2") is None


def test_a_gate_says_it_too(golden: Golden) -> None:
    qrels, runs = runs_with(30)
    result = gate(qrels, {"poor": runs["poor"]}, {"good": runs["good"]}, "P@1", margin=0.01)
    assert result.verdict == "pass"
    assert result.each[0].holes == could_change(load(qrels, runs), "P@1", baseline="poor")
    golden(finding.text for finding in result.findings() if finding.kind == "holes-could-change")
    qrels, runs = runs_with(0)
    result = gate(qrels, {"poor": runs["poor"]}, {"good": runs["good"]}, "P@1", margin=0.01)
    assert "holes-could-change" not in [finding.kind for finding in result.findings()]


def test_verdicts_against_a_margin_could_be_lost_on_either_side() -> None:
    qrels = {topic: {"rel": 1, "not": 0} for topic in TOPICS}
    first = {topic: {"rel": 2.0, "not": 1.0} for topic in TOPICS}
    second = {topic: {"rel": 2.0, "hole": 1.0} for topic in TOPICS}
    result = gate(qrels, {"base": first}, {"new": second}, "P@2", margin=0.1)
    assert result.each[0].verdict == "equivalent"
    assert isinstance(result.each[0].holes, HoleChanges)
    assert result.each[0].holes.extreme == pytest.approx(0.5)


def test_several_verdicts_are_counted(golden: Golden) -> None:
    qrels, runs = runs_with(30)
    safe = {topic: {"no": 2.0, "not": 1.0} for topic in TOPICS}
    result = compare(load(qrels, runs | {"safe": safe}), "P@1", baseline="good")
    assert result.first.verdict.verdicts == ("worse", "worse")
    assert isinstance(result.first.holes, HoleChanges)
    assert result.first.holes.changes == 1
    golden(finding.text for finding in result.findings() if finding.kind == "holes-could-change")


def test_systems_with_the_same_scores_are_no_verdict_that_could_change() -> None:
    qrels, runs = runs_with(30)
    result = compare(load(qrels, runs | {"copy": runs["good"]}), "P@1")
    assert sorted(result.first.verdict.verdicts) == ["better", "better", "equivalent"]
    assert isinstance(result.first.holes, HoleChanges)
    assert (result.first.holes.changes, result.first.holes.verdicts) == (2, 2)


def test_documents_that_were_not_told_apart_are_counted_down_to_the_cut_off(golden: Golden) -> None:
    qrels, runs = runs_with(12)
    result = compare(load(qrels, runs, documents="judged"), "P@1")
    assert result.first.verdict.verdicts == ("better",)
    assert result.first.holes == UnseenHoles(12 / 60, cutoff=1)
    golden(finding.text for finding in result.findings() if finding.kind == "holes-unseen")
    qrels, runs = runs_with(0)
    assert compare(load(qrels, runs, documents="judged"), "P@1").first.holes is None


def test_a_gate_says_it_where_only_the_interval_reaches_the_margin() -> None:
    qrels = {topic: {"rel": 1, "not": 0} for topic in TOPICS}
    base = {topic: {"rel": 2.0, "hole" if topic in ("3", "7") else "not": 1.0} for topic in TOPICS}
    new = {topic: {"rel": 2.0, "not": 1.0} for topic in TOPICS}
    graded = qrels | {topic: qrels[topic] | {"hole": 1} for topic in ("3", "7")}
    for margin, changes in ((0.05, True), (0.3, False)):
        result = gate(qrels, {"base": base}, {"new": new}, "P@2", margin=margin)
        worst = gate(graded, {"base": base}, {"new": new}, "P@2", margin=margin)
        assert result.verdict == "pass"
        assert (worst.verdict != "pass") == changes
        assert (result.each[0].holes is not None) == changes
        assert abs(worst.each[0].difference) < margin


def test_a_pair_is_looked_at_with_what_is_corrected() -> None:
    qrels, runs = runs_with(11)
    others = {f"other{number}": runs["poor"] for number in range(5)}
    relevant = {topic: own | ({"hole": 1} if int(topic) < 11 else {}) for topic, own in qrels.items()}
    for each, changes in ((runs, False), (runs | others, True)):
        before = compare(load(qrels, each), "P@1", baseline="poor").first
        after = compare(load(relevant, each), "P@1", baseline="poor").first
        pair = before.comparison.names.index(("good", "poor"))
        assert before.verdict.verdicts[pair] == "better"
        assert after.comparison.p[pair] <= 0.05
        assert (after.verdict.verdicts[pair] != "better") == changes
        assert (before.holes is not None) == changes
