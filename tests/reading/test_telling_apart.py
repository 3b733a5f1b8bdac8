"""Only judged documents are told apart where files are large and nothing is drawn: numbers are the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irgauge as ig
from conftest import Irgauge
from irgauge.reading import telling_apart
from irgauge.reading.telling_apart import documents_needed
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.registry import studies

CHANGING = {"provenance", "made", "findings", "state"}  # what says which documents were read, and when


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A small collection that counts as large."""
    simulate(Design(systems=3, families=3, topics=12, depth=30, corpus_size=300)).write(tmp_path / "data")
    monkeypatch.setattr(telling_apart, "LARGE", 1000)
    return tmp_path / "data"


def test_all_documents_are_told_apart_where_they_are_drawn_or_files_are_small(large: Path) -> None:
    runs, pattern = str(large / "runs"), str(large / "runs" / "*")
    compare = studies()["compare"]
    assert compare.documents_of([runs], {"shards": None}) == "judged"
    assert compare.documents_of([pattern], {"shards": None}) == "judged"
    assert compare.documents_of([runs], {"shards": "even:2"}) == "all"
    assert studies()["bootstrap"].documents_of([runs], {}) == "all"
    assert documents_needed([str(large / "qrels.txt"), "no such file"], are_drawn=False) == "all"


def test_a_comparison_of_large_files_has_the_same_numbers_and_says_what_was_read(large: Path, run: Irgauge) -> None:
    files = str(large / "qrels.txt"), str(large / "runs")
    told = json.loads(run("compare", *files, "-m", "P@5", "-f", "json", "-q")[1])
    whole = ig.compare(ig.load(*files), "P@5")
    assert [row["p"] for row in told["measures"][0]["pairs"]] == whole.comparison.p.tolist()
    assert "corpus_size" not in told["provenance"]
    lines = sum(path.read_text().count("\n") for path in (large / "runs").iterdir())
    judged = ig.compare(ig.load(*files, documents="judged"), "P@5")
    assert f"{lines:,} lines of runs and " in judged.provenance.text


@pytest.mark.parametrize(
    "question",
    [("anova",), ("plan", "--difference", "0.05"), ("calibrate", "--trials", "20", "--seed", "1")],
    ids=" ".join,
)
def test_without_shards_large_files_have_the_same_numbers(
    question: tuple[str, ...], large: Path, run: Irgauge, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (question[0], str(large / "qrels.txt"), str(large / "runs"), "-m", "AP", *question[1:], "-f", "json", "-q")
    judged = json.loads(run(*asked)[1])
    monkeypatch.setattr(telling_apart, "LARGE", 1 << 40)
    every = json.loads(run(*asked)[1])
    assert "corpus_size" in every["provenance"]
    assert "corpus_size" not in judged["provenance"]
    assert {key: judged[key] for key in judged.keys() - CHANGING} == {
        key: every[key] for key in every.keys() - CHANGING
    }
