"""What is asked for, what the two sides are called, and verdicts on real runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import irgauge as ig
from irgauge.studies.gate.criteria import wanted
from irgauge.studies.gate.sides import sides_of
from oracles.gate_runs import BASE, ranked, write_run

RUN = ranked(BASE)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("nDCG@10:1%", ("nDCG@10", "1%")),
        ("nDCG@10", ("nDCG@10", "0.5")),
        ("nDCG(gains={1: 1, 2: 5})@10", ("nDCG(gains={1: 1, 2: 5})@10", "0.5")),
        ("nDCG(gains={1: 1, 2: 5})@10:0.02", ("nDCG(gains={1: 1, 2: 5})@10", "0.02")),
        ("map:2 %", ("AP", "2%")),
        (ig.RBP(p=0.9), ("RBP(p=0.9)", "0.5")),
    ],
    ids=str,
)
def test_a_measure_may_have_a_margin_of_its_own(given: object, expected: tuple[str, str]) -> None:
    ((measure, margin),) = wanted(given, 0.5)  # type: ignore[arg-type]  # a measure, or its name
    assert (str(measure), str(margin)) == expected


@pytest.mark.parametrize(
    ("runs", "name"),
    [
        (["bm25.run"], "bm25"),
        (["bm25.1.run", "bm25.2.run"], "bm25"),
        (["ce-v2_s1.txt", "ce-v2_s2.txt"], "ce-v2"),
        (["mine-10.run", "mine-11.run"], "mine"),
        (["seed1.run", "seed2.run"], "candidate"),
    ],
    ids=str,
)
def test_several_runs_are_called_by_what_their_names_share(runs: list[str], name: str, tmp_path: Path) -> None:
    paths = [write_run(tmp_path / run, RUN) for run in runs]
    old = write_run(tmp_path / "old" / "base.run", RUN)
    assert [side.name for side in sides_of(old, paths)] == ["base", name]


def test_sides_that_share_a_name_are_told_apart(tmp_path: Path) -> None:
    old, new = ([write_run(tmp_path / side / f"x.{i}.run", RUN) for i in range(2)] for side in ("a", "b"))
    first, second = sides_of(old, new)
    assert (first.name, second.name) == ("baseline x", "candidate x")
    assert (first.runs[0], second.runs[1]) == ("baseline x.0", "candidate x.1")
    with pytest.raises(ig.InputError, match="two runs of the candidate have the same name 'x'"):
        sides_of(old, [write_run(tmp_path / side / "x.run", RUN) for side in ("c", "d")])


@pytest.mark.parametrize(
    ("candidate", "verdicts", "outcome"),
    [
        ("SPLADE_P_P_ENSEMBLE_DISTIL", ("better", "better"), "pass"),
        ("D_BERT_KD_TASB", ("better", "not worse"), "pass"),
        ("BM25_RM3", ("inconclusive", "inconclusive"), "undecided"),
    ],
)
def test_verdicts_on_dl20_against_bm25(candidate: str, verdicts: tuple[str, str], outcome: str, dl20: Path) -> None:
    old, new = (dl20 / "runs" / f"{name}.txt.gz" for name in ("BM25", candidate))
    found = ig.gate(dl20 / "qrels.txt.gz", old, new, ["nDCG@10:1%", "RR:0.02"])
    assert (found.topics, tuple(one.verdict for one in found.each), found.verdict) == (54, verdicts, outcome)
