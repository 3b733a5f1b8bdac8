"""The check of data: what it counts, and what it finds odd."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from irgauge.errors import InputError
from irgauge.reading.collection import load
from irgauge.reading.options import Joining
from irgauge.replicates.bench import Bench
from irgauge.studies.check import STUDY
from irgauge.studies.check.section import CHARTS, PART, judged
from irgauge.studies.check.study import Checked, check, load_checked
from irgauge.studies.report_part import Reporting

QRELS = {f"q{t}": {f"d{d}": int(d < 12 - t % 3) for d in range(12)} for t in range(30)}


def run_of(topics: Iterable[str], docnos: Iterable[str], *, rising: bool = False) -> dict[str, dict[str, float]]:
    ranked = list(docnos)
    sign = 1 if rising else -1
    return {topic: {docno: sign * float(rank) for rank, docno in enumerate(ranked)} for topic in topics}


def report_on(runs: object, qrels: object = QRELS) -> Checked:
    return check(qrels, runs)


def messages(report: Checked) -> str:
    return "\n".join(f"{finding.tone}: {finding.text}" for finding in report.findings())


def test_good_data_have_nothing_remarkable() -> None:
    report = report_on({"a": run_of(QRELS, [f"d{d}" for d in range(12)])})
    assert report.is_usable
    assert report.findings().texts() == ["The data can be used."]
    assert (report.topics, report.systems, report.documents, report.judgments) == (30, 1, 12, 360)
    assert report.assessed == 12
    assert [row["value"] for row in report.table("data").records() if "share" in str(row["what"])] == ["100.00"]
    assert report.grades == (0, 1)
    assert report.relevant == sum(sum(grades.values()) for grades in QRELS.values())


def test_facts_of_a_run() -> None:
    docnos = [f"d{d}" for d in range(9)] + [f"u{d}" for d in range(11)]
    run = run_of(list(QRELS)[:20], docnos)
    run["q0"] = {"d1": 1.0, "d2": 1.0, "d3": 1.0, "d4": 0.5}
    facts = report_on({"a": run}).runs[0]
    assert (facts.topics, facts.missing, facts.depth, facts.shallowest) == (20, 10, 20, 4)
    assert facts.judged_10 == pytest.approx((19 * 0.9 + 1) / 20)
    assert facts.judged_100 == pytest.approx((19 * 9 / 20 + 1) / 20)
    assert facts.tied == pytest.approx(3 / (19 * 20 + 4))
    assert facts.rising == 0


def test_missing_topics_are_told() -> None:
    report = report_on({"a": run_of(list(QRELS)[:28], ["d1", "d2"])})
    assert "warning: a does not answer 2 of 30 topics; they score 0 there (missing: zero)." in messages(report)


def test_scores_that_rise_down_the_file_are_suspicious() -> None:
    docnos = [f"d{d}" for d in range(12)]
    report = report_on({"far": run_of(QRELS, docnos, rising=True), "near": run_of(QRELS, docnos)})
    assert "Scores rise down the file; are they distances? Higher is better here: far (30 topics)." in messages(report)


def test_ties_are_told() -> None:
    flat = {topic: dict.fromkeys([f"d{d}" for d in range(12)], 1.0) for topic in QRELS}
    some = {topic: {f"d{d}": float(max(d, 3)) for d in range(12)} for topic in QRELS}
    text = messages(report_on({"flat": flat, "some": some}))
    assert "warning: On some topics all scores are tied, so that docnos decide the order: flat (30 topics)" in text
    assert (
        "note: More than 10 % of the documents have tied scores in flat (100 %) and some (33 %); docnos decide their "
        "order." in text
    )


def test_a_run_with_little_judged_and_one_of_another_collection() -> None:
    others = [f"u{d}" for d in range(12)]
    text = messages(report_on({"few": run_of(QRELS, ["d1", *others]), "none": run_of(QRELS, others)}))
    assert "Less than 50 % of the top 10 is judged in few (10 %) and none (0 %); their scores are lower bounds." in text
    assert "none: none of its documents is judged; is it a run on another collection?" in text


def test_runs_with_the_same_rankings_are_told() -> None:
    docnos = [f"d{d}" for d in range(12)]
    runs = {"a": run_of(QRELS, docnos), "b": run_of(QRELS, docnos), "c": run_of(QRELS, docnos[::-1])}
    assert "b ranks the same documents in the same order as a" in messages(report_on(runs))
    assert "c ranks" not in messages(report_on(runs))


def test_shallow_runs_are_told() -> None:
    docnos = [f"d{d}" for d in range(12)]
    text = messages(report_on({"a": run_of(QRELS, docnos), "b": run_of(QRELS, docnos[:5])}))
    assert (
        "Runs that are less than 50 % as deep as the deepest run (12) lose in measures that count recall: b (depth 5)"
        in text
    )


def test_few_topics_and_few_relevant_documents_are_told() -> None:
    report = report_on({"a": {"q1": {"d1": 1.0}}}, {"q1": {"d1": 1, "d2": -1}, "q2": {"d3": 0}})
    text = messages(report)
    assert report.few_relevant == ("q1",)
    assert "warning: There is only 1 topic;" in text
    assert "Topic q1 has fewer than 5 relevant documents; its scores are coarse." in text
    assert "1 topic (q2) of the qrels without a relevant document left out" in text
    assert "note: Grades go down to -1: below 0 are documents of the pool that were not judged" in text


def test_errors_of_all_runs_are_listed_and_the_others_looked_at(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "1.run").write_text("1 Q0 a 1 0.5 good\n")
    (runs / "2.run").write_text("1 Q0 a 1 0.5 twice\n1 Q0 a 2 0.4 twice\n")
    (runs / "3.run").write_text("1 Q0 a 1 high word\n")
    report = check(tmp_path / "qrels", str(runs))
    assert (report.is_usable, report.exit_code) == (False, 2)
    assert [run.system for run in report.runs] == ["good"]
    assert [(one.path, one.line) for one in report.failures] == [(str(runs / "2.run"), 2), (str(runs / "3.run"), 1)]
    first, *errors = [finding.text for finding in report.findings() if finding.tone in ("finding", "error")]
    assert first == "The data cannot be used until 2 runs are fixed or removed."
    assert errors[0].startswith(f"{runs / '2.run'}:2: document 'a' appears twice in topic '1'")
    assert errors[1].startswith(f"{runs / '3.run'}:1: the score 'high' is not a number")


def test_without_one_usable_run_all_errors_are_named(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "x.run").write_text("1 Q0 a 1 high word\n")
    (tmp_path / "y.run").write_text("")
    runs = [str(tmp_path / "x.run"), str(tmp_path / "y.run")]
    with pytest.raises(InputError, match=r"(?s)none of the runs can be used.*x\.run:1: .*y\.run: the file is empty"):
        check(tmp_path / "qrels", runs)


def test_one_reading_gives_the_collection_and_what_is_to_be_said_of_it() -> None:
    runs = {"a": run_of(QRELS, ["d1", "d2"]), "b": run_of(list(QRELS)[:28], ["d2", "d1", "x"])}
    collection, found = load_checked(QRELS, runs, Joining(corpus_size=500))
    alone = load(QRELS, runs, corpus_size=500, warn=False)
    assert found == check(QRELS, runs, corpus_size=500)
    assert (collection.systems, collection.corpus_size, collection.notes) == (alone.systems, 500, alone.notes)
    np.testing.assert_array_equal(collection.docs, alone.docs)


def test_a_collection_needs_all_runs(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "x.run").write_text("1 Q0 a 1 0.5 good\n")
    (tmp_path / "y.run").write_text("")
    runs = [str(tmp_path / "x.run"), str(tmp_path / "y.run")]
    with pytest.raises(InputError, match=r"y\.run: the file is empty"):
        load_checked(tmp_path / "qrels", runs)


def test_what_stands_out_on_trec8(trec8: Path) -> None:
    report = check(trec8 / "qrels.txt.gz", str(trec8 / "runs"))
    assert report.is_usable
    assert (report.topics, report.systems, report.judgments, report.relevant) == (50, 129, 86830, 4728)
    assert round(100 * report.assessed / 528155, 1) == 12.4  # as Zobel and Rashidi print it
    assert "isa50t ranks the same documents in the same order as isa25t" in messages(report)


def test_findings_come_by_their_severity() -> None:
    docnos = [f"d{d}" for d in range(12)]
    report = report_on({"a": run_of(QRELS, docnos), "b": run_of(QRELS, docnos[:5]), "c": run_of(QRELS, docnos)})
    assert [(one.kind, one.tone) for one in report.findings()] == [
        ("verdict", "finding"),
        ("twins", "warning"),
        ("shallow", "note"),
    ]
    assert report.findings().of("twins")[0].fields == {"first": "a", "second": "c"}


def test_charts_are_those_that_the_study_names() -> None:
    assert list(CHARTS) == list(STUDY.charts)
    report = report_on({"few": run_of(QRELS, ["d1", "u1", "u2"]), "all": run_of(QRELS, ["d1", "d2"])})
    figure = judged(report)
    assert figure.title == "Of few the least is judged: 33% of its top 10"
    (rows,) = figure.to_dict()["datasets"].values()
    assert [row["system"] for row in rows] == ["all", "all", "few", "few"]


@pytest.mark.parametrize("ending", ["json", "csv", "md", "tex", "txt", "parquet", "png"])
def test_every_ending_is_written(ending: str, checked: Checked, tmp_path: Path) -> None:
    checked.save(tmp_path / f"check.{ending}")
    assert (tmp_path / f"check.{ending}").stat().st_size > 100


def test_json_has_full_precision(checked: Checked, tmp_path: Path) -> None:
    checked.save(tmp_path / "check.json")
    content = json.loads((tmp_path / "check.json").read_text())
    assert [run["tied"] for run in content["runs"]] == [run.tied for run in checked.runs]
    assert (content["usable"], content["topics"], content["relevant"]) == (True, 6, checked.relevant)


def test_it_shows_itself_in_a_few_safe_lines() -> None:
    report = report_on({"<i>a": run_of(QRELS, ["d1", "u1"])})
    assert repr(report).startswith("Checked:\n- The data can be used.")
    assert len(repr(report).splitlines()) <= 6
    assert "<i>" not in report._repr_html_()
    assert "&lt;i&gt;a" in report._repr_html_()


def test_its_section_has_the_data_the_runs_and_what_is_odd() -> None:
    docnos = [f"d{d}" for d in range(12)]
    runs = {"a": run_of(QRELS, docnos), "b": run_of(QRELS, docnos)}
    collection, found = load_checked(QRELS, runs, Joining(corpus_size=99))
    reporting = Reporting(Bench(collection), (), checked=found)
    shown = PART.section(PART.run(reporting), reporting)
    assert shown.texts == (
        f"2 systems on 30 topics with {found.relevant} relevant documents; the corpus has 99 documents, 12 of them in "
        "runs and judgments.",
    )
    assert [panel.key for panel in shown.panels] == ["judged", "data", "runs", "replicates", "check"]
    assert [finding.kind for finding in PART.headline(found)] == ["twins"]
    assert list(PART.methods(PART.run(reporting), reporting)) == []


def test_without_a_check_the_section_says_so() -> None:
    reporting = Reporting(Bench(load(QRELS, {"a": run_of(QRELS, ["d1"])})), ())
    assert (
        PART.section(PART.run(reporting), reporting).reason == "check: the data were not checked when they were read."
    )


@pytest.mark.parametrize(
    ("folder", "ends"),
    [
        ("dl20", "; the passage tasks of TREC Deep Learning count 2 and above: -m 'AP(rel=2)'."),
        ("idl200", " (-m 'AP(rel=2)': 2 and above)."),
    ],
)
def test_graded_judgments_are_said_with_what_counts_as_relevant(tmp_path: Path, folder: str, ends: str) -> None:
    place = tmp_path / folder
    place.mkdir()
    (place / "qrels.txt").write_text("q1 0 d1 3\nq1 0 d2 0\n")
    (place / "a.run").write_text("q1 Q0 d1 1 2 a\n")
    (text,) = check(place / "qrels.txt", place / "a.run").findings().of("graded").texts()
    assert text == f"Grades go up to 3: binary measures such as AP count grade 1 and above as relevant{ends}"
