"""Runs of unequal depth and runs with many ties: said where a claim could rest on them, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from irgauge import compare, load, read, report
from irgauge.reporting.sections import warnings_of

_TOPICS = 12
_RELEVANT = range(0, 40, 2)
_QRELS = {f"q{t}": {f"d{t}-{d}": 1 for d in _RELEVANT} for t in range(_TOPICS)}


def _run(depth: int, shift: int, *, tied: bool = False) -> Mapping[str, Mapping[str, float]]:
    """Documents from `shift` on by their numbers, fewer relevant ones on some topics."""
    return {
        topic: {f"d{t}-{d + shift + t % 3}": 1.0 if tied else float(depth - d) for d in range(depth)}
        for t, topic in enumerate(_QRELS)
    }


_UNEQUAL = {"deep": _run(40, 0), "short": _run(10, 4)}


def _told(runs: Mapping[str, object], measure: str, kind: str, depth: int | None = None) -> list[str]:
    return list(compare(load(_QRELS, runs, depth=depth, warn=False), measure).findings().of(kind).texts())


@pytest.mark.parametrize(
    ("measure", "depth", "count"), [("AP", None, 1), ("R@40", None, 1), ("AP", 10, 0), ("P@10", None, 0)]
)
def test_a_claim_by_a_measure_that_reads_below_the_shorter_run_is_warned_of(
    measure: str, depth: int | None, count: int
) -> None:
    texts = _told(_UNEQUAL, measure, "unequal-depths", depth)
    assert len(texts) == count
    for text in texts:
        assert "deep (40 documents for a topic) and short (10)" in text
        assert text.endswith("--depth 10.")


def test_nothing_is_said_of_depth_where_nothing_is_claimed() -> None:
    first = _run(10, 0)
    either = {topic: own if t % 2 else _run(40, 100)[topic] for t, (topic, own) in enumerate(_run(40, 1).items())}
    assert not _told({"short": first, "deep": either}, "AP", "unequal-depths")


def test_many_ties_are_noted_with_their_share(tmp_path: Path) -> None:
    runs = {"tied": _run(20, 0, tied=True), "plain": _run(20, 4)}
    (note,) = _told(runs, "AP", "many-ties")
    assert "tied (100 %)" in note
    assert not _told({"one": _run(20, 0), "plain": _run(20, 4)}, "AP", "many-ties")
    compare(load(_QRELS, runs, warn=False), "AP").save(tmp_path / "result.json")
    assert read(tmp_path / "result.json").findings().of("many-ties").texts() == [note]


def test_the_report_has_each_among_its_warnings_once() -> None:
    runs = _UNEQUAL | {"tied": _run(40, 2, tied=True), "half": _run(40, 9, tied=True)}
    warnings = " ".join(warnings_of(report(load(_QRELS, runs, warn=False), ["AP", "P@10"], shards=None)))
    assert (warnings.count("tied scores"), warnings.count("runs of unequal depth")) == (1, 1)
    assert "tied scores in half (100 %) and tied (100 %)" in warnings
