"""Likely grades in `holes`: rows, sentences, checks, a judge, and judgments that teach nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks.likely_holes import cut, made

import irgauge as ig
from conftest import Golden
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import UNJUDGED
from irgauge.scoring.retrieved import Retrieved
from irgauge.studies.holes.study import Bounded, holes


@pytest.fixture(scope="module")
def pooled() -> Collection:
    return cut(Retrieved.of(made(3, 12, 5)), 10, 1.0, np.random.default_rng(0)).collection


@pytest.fixture(scope="module")
def bounded(pooled: Collection) -> Bounded:
    return holes(pooled, ["P@30", "AP"], likely=True, draws=30, seed=4)


def test_what_is_likely_lies_within_what_is_possible(bounded: Bounded) -> None:
    assert bounded.likely is not None
    possible = {(row.measure, row.system): row for row in bounded.systems}
    for row in bounded.likely.systems:
        ends = possible[row.measure, row.system]
        assert ends.least <= row.likely_low <= row.mean <= row.likely_high <= ends.most
    between = {(row.measure, frozenset((row.system, row.against))): row for row in bounded.pairs}
    for pair in bounded.likely.pairs:
        span = between[pair.measure, frozenset((pair.system, pair.against))]
        reach = max(abs(span.least), abs(span.most)) + 1e-12
        assert -reach <= pair.likely_low <= pair.difference <= pair.likely_high <= reach
        assert pair.difference >= 0  # the better system comes first
        assert pair.low <= pair.likely_low or pair.low <= pair.difference


def test_sentences_say_what_is_likely_and_whether_the_model_holds(bounded: Bounded, golden: Golden) -> None:
    for text in bounded.findings().texts():
        golden(text)
    kinds = [finding.kind for finding in bounded.findings()]
    assert kinds.count("likely-pairs") == 2
    assert kinds.count("hidden") == 2
    text = bounded.findings().of("likely-pairs")[0].text
    assert text.startswith("By P@30, with likely grades of ")
    assert "of 10 pairs; for other topics " in text
    claims = bounded.findings().of("likely-pairs")[0].claims
    assert all(claim.population == "topics" and claim.measure == "P@30" for claim in claims)


def test_frames_tables_and_a_chart(bounded: Bounded) -> None:
    assert bounded.frame("likely").height == 20
    assert bounded.frame("likely")["population"].unique().to_list() == ["topics"]
    assert bounded.frame("likely-systems").height == 10
    assert bounded.frame("checks")["way"].to_list() == ["depth", "runs"] * 2
    assert bounded.frame("calibration")["share"].is_between(0, 1).all()
    depth, runs = (bounded.frame("checks").filter(way=way).row(0, named=True) for way in ("depth", "runs"))
    assert bounded.chart("calibration").title == (
        "Relevant documents by likely grades and in truth: "
        f"{depth['expected']:.0f} and {depth['relevant']:.0f} (deeper documents), "
        f"{runs['expected']:.0f} and {runs['relevant']:.0f} (documents of half of the runs)"
    )
    assert {"likely", "likely-systems", "checks", "calibration"} <= {table.name for table in bounded.tables()}
    facts = bounded.provenance
    assert facts["draws"] == 30
    assert facts["seed"] == 4


def test_the_same_seed_gives_the_same(pooled: Collection, bounded: Bounded) -> None:
    again = holes(pooled, ["P@30", "AP"], likely=True, draws=30, seed=4)
    other = holes(pooled, ["P@30", "AP"], likely=True, draws=30, seed=5)
    assert again.likely == bounded.likely
    assert other.likely != bounded.likely


def test_a_margin_and_a_baseline(pooled: Collection) -> None:
    result = holes(pooled, "P@30", likely=True, draws=30, baseline="s00", margin=0.9)
    assert result.likely is not None
    assert {pair.against for pair in result.likely.pairs} == {"s00"}
    assert {pair.verdict for pair in result.likely.pairs} == {"equivalent"}
    one = holes(pooled.only(["s00", "s04"]), "P@30", likely=True, draws=30)
    assert "for other topics s00 is better" in one.findings().of("likely-pair")[0].text
    alone = holes(pooled.only(["s00"]), "P@30", likely=True, draws=30)
    assert alone.findings().of("likely-system")[0].text.startswith("By P@30, with likely grades of ")


def test_a_judge_is_trusted_as_far_as_it_agrees(pooled: Collection, tmp_path: Path) -> None:
    whole = made(3, 12, 5)
    names = whole.docnos.to_list()
    rows = [
        f"{topic} 0 {names[doc]} {whole.grades[level]}"
        for t, topic in enumerate(whole.topics)
        for doc, level in zip(
            whole.judged_docs[whole.judged_bounds[t] : whole.judged_bounds[t + 1]],
            whole.judged_levels[whole.judged_bounds[t] : whole.judged_bounds[t + 1]],
            strict=True,
        )
    ]
    right = tmp_path / "right.qrels"
    right.write_text("\n".join(rows) + "\n")
    with_judge = holes(pooled, "P@30", judge=right, draws=30)
    without = holes(pooled, "P@30", likely=True, draws=30)
    truth = {row.system: row.mean for row in ig.score(whole, "P@30").means}
    assert with_judge.likely is not None
    assert without.likely is not None
    assert with_judge.likely.judge == "right"
    for row in with_judge.likely.systems:
        assert row.mean == pytest.approx(truth[row.system], abs=0.02)
    widths = [
        np.mean([row.likely_high - row.likely_low for row in own.likely.systems])
        for own in (with_judge, without)
        if own.likely is not None
    ]
    assert widths[0] < widths[1]


def test_what_every_other_group_alone_brought_is_hidden(pooled: Collection) -> None:
    groups = {"s00": "x", "s01": "y", "s02": "x", "s03": "y", "s04": "x"}
    result = holes(pooled, "P@30", likely=True, draws=20, groups=groups)
    assert result.likely is not None
    checks = {check.way: check for check in result.likely.checks}
    assert list(checks) == ["depth", "groups"]
    expected = sum(len(docs["y"] - docs["x"]) for docs in _brought(pooled, groups))
    assert checks["groups"].documents == expected >= 20
    text = result.findings().of("hidden")[1].text
    assert f"of {expected} documents that half of the groups alone brought are hidden" in text


def _brought(collection: Collection, groups: dict[str, str]) -> list[dict[str, set[int]]]:
    """Topic by topic, what runs of each group have down to the depth to which every topic has them judged."""
    topics, systems = collection.lengths.shape
    brought: list[dict[str, set[int]]] = [{group: set() for group in groups.values()} for _ in range(topics)]
    for s in range(systems):
        ends = collection.firsts[:, s], collection.lengths[:, s]
        spans = [slice(first, first + size) for first, size in zip(*ends, strict=True)]
        depth = min(int(np.argmax(collection.levels[span] == UNJUDGED)) for span in spans)
        for docs, span in zip(brought, spans, strict=True):
            docs[groups[collection.systems[s]]].update(collection.docs[span][:depth].tolist())
    return brought


def test_judgments_of_relevant_documents_alone_teach_nothing() -> None:
    runs = {name: {topic: {"a": 3, name: 2} for topic in "123"} for name in ("x", "y")}
    sparse = holes(ig.load({topic: {"a": 1} for topic in "123"}, runs), "RR", likely=True)
    assert sparse.likely is not None
    assert not sparse.likely.is_learned
    assert sparse.findings().of("nothing-learned")[0].text.startswith("How likely the 6 unjudged documents are")
    assert sparse.findings()[0].kind == "all-judged"


def test_one_topic_is_not_tested_and_few_judgments_are_not_hidden() -> None:
    qrels = {"1": {"a": 1, "b": 0, "c": 1, "d": 0}}
    runs = {"x": {"1": {"a": 3, "b": 2, "e": 1}}, "y": {"1": {"b": 3, "e": 2, "f": 1}}}
    result = holes(ig.load(qrels, runs), "P@3", likely=True, draws=20)
    assert result.likely is not None
    assert result.likely.pairs[0].verdict == "inconclusive"
    assert np.isnan(result.likely.pairs[0].p)
    assert [finding.kind for finding in result.findings()][-1] == "unchecked"
    assert result.frame("likely")["p"].to_list() == [None]


def test_two_judges_and_one_without_unjudged_documents_are_refused(pooled: Collection, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.qrels").write_text("1 0 d 1\n")
    with pytest.raises(DesignError, match="holes takes one judge, and 2 are given"):
        holes(pooled, "P@30", judge=tmp_path)
    with pytest.raises(DesignError, match="the judge 'a' graded none of 1,504 unjudged documents"):
        holes(pooled, "P@30", judge=tmp_path / "a.qrels")
