"""What a check says where the rank column contradicts the scores, and where it does not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from conftest import Golden
from irgauge.replicates.bench import Bench
from irgauge.studies.check.section import PART
from irgauge.studies.check.study import Checked, check, load_checked
from irgauge.studies.report_part import Reporting

DOCNOS = [f"d{i:02}" for i in range(30)]
TOPICS = [f"q{t}" for t in range(30)]
QRELS = {topic: {docno: int(i < 12) for i, docno in enumerate(DOCNOS)} for topic in TOPICS}
Lines = Callable[[str], Iterable[tuple[str, object, float]]]  # topic -> docno, rank, score


def written(folder: Path, name: str, lines: Lines) -> str:
    path = folder / f"{name}.run"
    rows = [f"{topic} Q0 {docno} {rank} {score} {name}" for topic in TOPICS for docno, rank, score in lines(topic)]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def good(_: str) -> list[tuple[str, object, float]]:
    return [(docno, i + 1, 30.0 - i) for i, docno in enumerate(DOCNOS)]


def inverted(_: str) -> list[tuple[str, object, float]]:
    return [(docno, i, float(i)) for i, docno in enumerate(DOCNOS)]


def in_docno_order(topic: str) -> list[tuple[str, object, float]]:
    """Scores that have nothing to do with docnos, but that go with ranks."""
    scores = {docno: (7 * i + int(topic[1:])) % 30 for i, docno in enumerate(DOCNOS)}
    return [(docno, 30 - score, float(score)) for docno, score in sorted(scores.items())]


def of_lines(topic: str) -> list[tuple[str, object, float]]:
    """The same scores, but the ranks count lines."""
    return [(docno, i + 1, score) for i, (docno, _, score) in enumerate(in_docno_order(topic))]


def distances(_: str) -> list[tuple[str, object, float]]:
    return [(docno, 0, 0.1 * i) for i, docno in enumerate(DOCNOS)]


def kinds(report: Checked) -> set[str]:
    return {finding.kind for finding in report.findings()} & {"inverted", "contradicting", "rising"}


def ndcg_10(gains: list[int]) -> float:
    return sum(gain / math.log2(i + 2) for i, gain in enumerate(gains)) / sum(1 / math.log2(i + 2) for i in range(10))


def test_an_inverted_run_is_named_with_what_it_would_score(tmp_path: Path, golden: Golden) -> None:
    report = check(QRELS, [written(tmp_path, "far", inverted), written(tmp_path, "near", good)])
    facts = {one.system: one for one in report.runs}
    assert (facts["far"].lists, facts["far"].contradicting, facts["far"].inverted) == (30, 30, 30)
    assert (facts["near"].contradicting, facts["near"].inverted, facts["near"].rising) == (0, 0, 0)
    (one,) = report.reordered
    assert one.system == "far"
    assert (one.by_score, one.by_rank) == pytest.approx((0, 1))
    assert kinds(report) == {"inverted"}
    golden(report.findings().of("inverted").texts())
    assert report.findings()[1].kind == "inverted"  # right after the verdict


def test_ranks_that_contradict_scores_are_told(tmp_path: Path) -> None:
    report = check(QRELS, [written(tmp_path, "lines", of_lines), written(tmp_path, "near", good)])
    assert kinds(report) == {"contradicting"}
    by_score = [sorted(of_lines(topic), key=lambda line: -line[2])[:10] for topic in TOPICS]
    gains = [[int(int(docno[1:]) < 12) for docno, _, _ in first] for first in by_score]
    (one,) = report.reordered
    assert one.by_score == pytest.approx(sum(map(ndcg_10, gains)) / 30)
    assert one.by_rank == pytest.approx(1)


def test_a_sound_run_in_docno_order_is_not_suspicious(tmp_path: Path) -> None:
    report = check(QRELS, [written(tmp_path, "sorted", in_docno_order), written(tmp_path, "near", good)])
    assert kinds(report) == set()
    assert report.reordered == ()
    assert "order" not in {table.name for table in report.tables()}


def test_distances_without_ranks_are_suspicious(tmp_path: Path) -> None:
    report = check(QRELS, [written(tmp_path, "far", distances), written(tmp_path, "near", good)])
    assert kinds(report) == {"rising"}
    assert report.findings().of("rising")[0].fields == {"topics": {"far": 30}}


def test_scores_in_no_order_without_ranks_are_not_suspicious(tmp_path: Path) -> None:
    def unordered(topic: str) -> list[tuple[str, object, float]]:
        return [(docno, 0, score) for docno, _, score in in_docno_order(topic)]

    assert kinds(check(QRELS, written(tmp_path, "any", unordered))) == set()


def test_a_few_documents_out_of_place_are_not_worth_a_word(tmp_path: Path) -> None:
    def swapped(topic: str) -> list[tuple[str, object, float]]:
        first, second, *rest = good(topic)
        return [(first[0], 2, first[2]), (second[0], 1, second[2]), *rest]

    report = check(QRELS, written(tmp_path, "near", swapped))
    assert (report.runs[0].contradicting, kinds(report)) == (0, set())


def test_a_few_topics_are_counted_but_not_worth_a_word(tmp_path: Path) -> None:
    report = check(QRELS, written(tmp_path, "near", lambda topic: inverted(topic) if topic == "q3" else good(topic)))
    assert (report.runs[0].contradicting, report.runs[0].inverted, kinds(report)) == (1, 1, set())


def test_the_table_and_the_report_have_runs_in_doubt(tmp_path: Path) -> None:
    runs = [written(tmp_path, "far", inverted), written(tmp_path, "none", distances), written(tmp_path, "near", good)]
    collection, found = load_checked(QRELS, runs)
    rows = found.table("order").records()
    assert [(row["system"], row["contradicting"], row["rising"], row["by_rank"]) for row in rows] == [
        ("far", 30, 0, pytest.approx(1)),
        ("none", 0, 30, None),
    ]
    reporting = Reporting(Bench(collection), (), checked=found)
    assert "order" in [panel.key for panel in PART.section(PART.run(reporting), reporting).panels]
    assert [finding.kind for finding in PART.headline(found)][:2] == ["inverted", "rising"]


def test_runs_that_share_a_tag_are_scored_by_rank_too(tmp_path: Path) -> None:
    paths = [written(tmp_path, name, inverted) for name in ("one", "two")]
    for path in paths:
        Path(path).write_text(Path(path).read_text().replace(" one\n", " x\n").replace(" two\n", " x\n"))
    assert [one.system for one in check(QRELS, paths).reordered] == ["one", "two"]


def test_sound_runs_of_trec8_in_another_order_are_not_suspicious(trec8: Path) -> None:
    names = ("kdd8qe01", "kdd8ps16", "CL99SD", "acsys8alo")
    report = check(trec8 / "qrels.txt.gz", [str(trec8 / "runs" / f"input.{name}.gz") for name in names])
    assert kinds(report) == set()
