"""A comparison by a binary measure says from which grade on documents are relevant, and what the collection counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgauge import compare, load, read
from irgauge.studies.compare.study import Compared

LISTS = {"a": "d e f", "b": "e d f", "c": "f e d"}


def compared(folder: Path, name: str, highest: int, *measures: str) -> Compared:
    qrels = folder / name
    qrels.parent.mkdir(exist_ok=True)
    qrels.write_text("".join(f"{topic} 0 d {highest}\n{topic} 0 e {topic % 2}\n" for topic in range(1, 9)))
    ranked = {system: {doc: 3.0 - place for place, doc in enumerate(docs.split())} for system, docs in LISTS.items()}
    runs = {system: {f"{topic}": own for topic in range(1, 9)} for system, own in ranked.items()}
    return compare(load(qrels, runs, warn=False), measures)


@pytest.mark.parametrize(
    ("name", "highest", "measures", "told"),
    [
        (
            "dl20/qrels.txt",
            3,
            ("nDCG@10", "AP", "P@2"),
            "; the passage tasks of TREC Deep Learning count 2 and above: -m 'AP(rel=2)'.",
        ),
        ("mine.txt", 2, ("P@2",), " (-m 'P(rel=2)@2': 2 and above)."),
    ],
)
def test_it_is_said_once(name: str, highest: int, measures: tuple[str, ...], told: str, tmp_path: Path) -> None:
    result = compared(tmp_path, name, highest, *measures)
    (note,) = result.findings().of("graded").texts()
    binary = next(measure for measure in measures if measure != "nDCG@10")
    assert note == f"Grades go up to {highest}: {binary} counts grade 1 and above as relevant{told}"
    result.save(tmp_path / "result.json")
    assert read(tmp_path / "result.json").findings().of("graded").texts() == [note]


@pytest.mark.parametrize(("highest", "measure"), [(1, "AP"), (3, "nDCG@10"), (3, "AP(rel=2)")])
def test_it_is_not_said_where_nothing_is_left_open(highest: int, measure: str, tmp_path: Path) -> None:
    assert not compared(tmp_path, "dl20/qrels.txt", highest, measure).findings().of("graded")
