"""The study of scores: what it holds, says and shows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from conftest import Golden
from irgauge import Collection, InputError, Scores, load
from irgauge.errors import DesignError
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import named, parse_measures
from irgauge.scoring.scores import score as score_all
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.measure import measure
from irgauge.studies.report_part import Reporting
from irgauge.studies.score import STUDY
from irgauge.studies.score.findings import FORMS
from irgauge.studies.score.section import CHARTS, PART, means
from irgauge.studies.score.study import Scored, score

QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2}, "3": {"a": 1}}
RUNS = {
    "good": {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}, "3": {"a": 1.0}},
    "<b>poor": {"1": {"b": 2.0, "a": 1.0}, "2": {"x": 2.0, "c": 1.0}, "3": {"x": 1.0}},
}


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(Design(systems=8, families=2, topics=12, depth=40, corpus_size=600, seed=1)).collection()


@pytest.fixture(scope="module")
def scored(collection: Collection) -> Scored:
    return score(collection, ["AP", "nDCG@10"])


def test_scores_are_those_of_the_scorer(collection: Collection, scored: Scored) -> None:
    direct = score_all(collection, ["AP", "nDCG@10"])
    np.testing.assert_array_equal(scored.values, direct.values)
    assert (scored.measures, scored.scores.systems) == (direct.measures, direct.systems)
    np.testing.assert_array_equal(score(Bench(collection), "AP").values, direct.values[:1])


def test_measures_are_names_or_composed(collection: Collection) -> None:
    assert score(collection, named("nDCG") @ 10).measures == score(collection, "ndcg_cut_10").measures
    assert [str(one) for one in score(collection).measures] == ["AP", "P@10", "nDCG@10"]
    with pytest.raises(InputError, match="no measure was given"):
        score(collection, [])


def test_a_table_of_scores_is_summarised_with_all_its_measures(scored: Scored, tmp_path: Path) -> None:
    scored.scores.save(tmp_path / "scores.parquet")
    again = score(Scores.load(tmp_path / "scores.parquet"))
    assert again.means == scored.means
    assert again.provenance["source"] == "a table of scores"
    with pytest.raises(DesignError, match="no scores of RR; it has AP, nDCG@10"):
        score(scored.scores, "RR")


def test_what_was_measured_before_says_how(collection: Collection) -> None:
    found = score(measure(collection, "AP", shards="even:2", fill="mean", seed=3))
    assert (found.provenance["shards"], found.provenance["seed"], found.provenance["fill"]) == ("even:2", 3, "mean")
    assert found.means[0].topics == 12


def test_the_provenance_says_what_the_intervals_cover(scored: Scored) -> None:
    facts = scored.provenance
    assert (facts["population"], facts["alpha"], facts["topics"], facts["undefined"]) == ("topics", 0.05, 12, 0)
    assert "missing" not in facts
    short = score(load(QRELS, {"short": {"1": {"a": 1.0}}}, warn=False), "AP")
    assert short.provenance["missing"] == {"rule": "zero", "topics": 2, "of": 3, "systems": {"short": 2}}
    assert "population" not in score(scored.scores, per_topic=True).provenance


def test_the_highest_mean_comes_first_then_what_is_undefined(golden: Golden) -> None:
    found = score(load(QRELS, RUNS), ["AP", "AP(rel=2)"], fill="mean")
    kinds = [finding.kind for finding in found.findings()]
    assert kinds == ["highest-mean", "highest-mean", "few-topics", "undefined"]
    first, _, few, last = found.findings()
    assert (few.tone, few.fields["topics"]) == ("note", 3)
    assert (first.fields["system"], first.fields["mean"], first.measure) == ("good", 1.0, "AP")
    assert first.text == "good has the highest mean AP of 2 systems, 1.0000."
    assert last.tone == "note"
    golden(last.text)
    alone = score(load(QRELS, {"good": RUNS["good"]}), "AP").findings()
    assert alone.texts()[0] == "good has a mean AP of 1.0000."


def test_the_table_has_the_means_or_every_topic(scored: Scored) -> None:
    frame = scored.frame()
    assert frame.columns[-1] == "se"
    assert frame["mean"].to_list() == [one.mean for one in scored.means]
    assert pl.read_csv(scored.to_csv().encode(), schema=frame.schema).equals(frame)
    every = score(scored.scores, per_topic=True)
    assert every.table().names == ("measure", "topic", "system", "score")
    np.testing.assert_array_equal(every.table().column("score"), scored.values.ravel())


def test_topics_of_several_replicates_are_told_apart(collection: Collection) -> None:
    every = score(measure(collection, "AP", shards="even:2"), per_topic=True)
    assert every.table().names == ("measure", "topic", "system", "replicate", "score")
    assert len(every.table().rows) == 12 * 8 * 2


def test_long_tables_are_cut_measure_by_measure() -> None:
    many = simulate(Design(systems=30, families=3, topics=3, depth=10, corpus_size=100)).collection()
    text = score(many, ["AP", "P@10"]).to_text()
    assert text.count("\nAP ") == text.count("\nP@10 ") == 20
    assert "… 20 more" in text


def test_charts_and_forms_are_those_that_the_study_names(scored: Scored) -> None:
    assert list(CHARTS) == list(STUDY.charts)
    assert list(FORMS) == list(STUDY.forms)
    assert "Shown: the best 3 of 8 systems." in means(scored, "AP", best=3).caption
    (rows,) = means(scored, "AP", best=3).to_dict()["datasets"].values()
    assert [row["mean"] for row in rows] == [one.mean for one in scored.of("AP")[:3]]


@pytest.mark.parametrize("ending", ["json", "csv", "md", "tex", "txt", "trec", "parquet", "png", "svg"])
def test_every_ending_is_written(ending: str, scored: Scored, tmp_path: Path) -> None:
    scored.save(tmp_path / f"scores.{ending}")
    assert (tmp_path / f"scores.{ending}").stat().st_size > 100


def test_an_unknown_ending_is_refused(scored: Scored, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"use \.txt, \.md, \.tex, \.csv, \.json, \.parquet, \.trec, \.html"):
        scored.save(tmp_path / "scores.xls")


def test_json_has_full_precision(scored: Scored, tmp_path: Path) -> None:
    scored.save(tmp_path / "scores.json")
    content = json.loads((tmp_path / "scores.json").read_text())
    assert [row["se"] for row in content["systems"]] == [one.se for one in scored.means]
    assert content["findings"][0]["fields"]["mean"] == scored.means[0].mean


def test_it_shows_itself_in_a_few_safe_lines() -> None:
    found = score(load(QRELS, RUNS, warn=False), "AP")
    assert len(repr(found).splitlines()) <= 6
    assert repr(found).startswith("Scored:\n- good has the highest mean AP of 2 systems, 1.0000.")
    assert "<b>poor" not in found._repr_html_()
    assert "&lt;b&gt;poor" in found._repr_html_()


def test_a_measure_that_is_defined_nowhere_is_refused() -> None:
    with pytest.raises(DesignError, match=r"AP\(rel=9\) is defined on no topic"):
        score(load(QRELS, RUNS), "AP(rel=9)")


def test_its_section_has_a_chart_and_a_table_of_each_measure(collection: Collection, scored: Scored) -> None:
    reporting = Reporting(Bench(collection), parse_measures(["AP", "nDCG@10"]))
    ran = PART.run(reporting)
    shown = PART.section(ran, reporting)
    assert shown.texts == tuple(scored.findings().texts())
    for panel in shown.panels:
        assert [form.choices for form in panel.variants] == [(("measure", "AP"),), (("measure", "nDCG@10"),)]
    assert [panel.variants[0].figure is not None for panel in shown.panels] == [True, False]
    table = shown.panels[1].variants[1].table
    assert table is not None
    assert table.column("mean") == [one.mean for one in scored.of("nDCG@10")]
    assert [*PART.headline(scored)] == []
    ((heading, text),) = PART.methods(ran, reporting)
    assert heading == "Data and scores"
    assert "8 systems were scored on 12 topics by AP and nDCG@10." in text


def test_a_section_without_scores_says_why(collection: Collection) -> None:
    reporting = Reporting(Bench(collection), parse_measures(["AP(rel=9)"]))
    assert "AP(rel=9) is defined on no topic" in str(PART.section(PART.run(reporting), reporting).reason)
