"""A gate of scores says what one of the runs says, reads names as people write them, and refuses what it cannot use."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irgauge as ig
from irgauge.scoring.measures import Measure
from irgauge.studies.gate.criteria import wanted
from irgauge.studies.gate.study import Gated
from oracles.gate_runs import BASE, QRELS, TOPICS, lower, ranked, write_scores
from oracles.slow_skewed_t import larger_p, outer_ends

Irgauge = Callable[..., tuple[int, str, str]]
NEW = lower(BASE, every=6)
SEEDS = [[rank + (i == 4 + 6 * seed) for i, rank in enumerate(BASE)] for seed in range(3)]


def scores_of(measures: Sequence[str] = ("RR",), **ranks: Sequence[int]) -> ig.Scores:
    """1/rank of each system, and its square, its cube ... by further measures; NaN where the rank is 0."""
    values = np.array([[1 / rank if rank else np.nan for rank in own] for own in ranks.values()]).T
    stacked = np.stack([values**power for power in range(1, len(measures) + 1)])[..., None]
    named = tuple(Measure.read(name) for name in measures)
    return ig.Scores(stacked, named, tuple(TOPICS[: len(values)]), tuple(ranks), ("all",))


def numbers(found: Gated) -> list[object]:
    return [
        (
            one.verdict,
            *np.round([one.difference, one.low, one.high, one.margin_low, one.p_adjusted, one.margin], 12).tolist(),
        )
        for one in found.each
    ]


@pytest.mark.parametrize("margin", [0.02, "10%"])
def test_scores_are_gated_as_the_runs_they_come_from(margin: float | str) -> None:
    of_runs = ig.gate(QRELS, {"old": ranked(BASE)}, {"new": ranked(NEW)}, "RR", margin=margin)
    found = ig.gate(scores_of(old=BASE, other=BASE[::-1], new=NEW), "old", "new", "RR", margin=margin)
    assert numbers(found) == numbers(of_runs)
    assert (found.baseline, found.candidate, found.runs, found.topics) == ("old", "new", (1, 1), 30)
    assert found.provenance["source"] == "a table of scores"


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=12, max_size=30), st.floats(0.001, 0.4))
def test_verdicts_of_any_measure_are_those_of_slow_intervals(ranks: list[tuple[int, int]], margin: float) -> None:
    base, new = (1 / np.array(side) for side in zip(*ranks, strict=True))
    d = new - base
    if len(set(d.tolist())) == 1:
        return
    old, own = ([pair[side] for pair in ranks] for side in (0, 1))
    (one,) = ig.gate(scores_of(("faithfulness",), old=old, new=own), "old", "new", margin=margin).each
    assert (one.low, one.high, one.p_adjusted) == pytest.approx((*outer_ends(d, 0.05), larger_p(d)))
    assert (one.margin_low, one.margin_high) == pytest.approx(outer_ends(d, 0.10))


def test_the_command_says_what_replicates_are_taken_as(tmp_path: Path, run: Irgauge) -> None:
    rows = [
        f"q{q},{system},{judge},{(q * 7 % 11 + shift + judge) / 20}"
        for q in range(30)
        for system, shift in (("old", 0), ("new", 2))
        for judge in range(3)
    ]
    (tmp_path / "judged.csv").write_text("\n".join(["topic,system,replicate,score", *rows]))
    _, _, told = run("gate", tmp_path / "judged.csv", "old", "new", "--margin", "0.02")
    assert "`irgauge compare --population topics+shards` takes them so" in " ".join(told.split())
    compared = ig.compare(tmp_path / "judged.csv")
    assert "replicates-shared" in [finding.kind for finding in compared.findings()]


def test_replicates_are_several_runs() -> None:
    runs = {f"new.{seed}": ranked(ranks) for seed, ranks in enumerate(SEEDS)}
    of_runs = ig.gate(QRELS, {"old": ranked(BASE)}, runs, "RR", margin=0.05)
    several: dict[str, Any] = {f"new.{seed}": ranks for seed, ranks in enumerate(SEEDS)}
    one = scores_of(old=BASE, **several)
    by_names = ig.gate(one, "old", [f"new.{seed}" for seed in range(3)], margin=0.05)
    cells = np.full((1, 30, 2, 3), np.nan)  # the baseline has one replicate
    cells[0, :, 0, 1] = one.values[0, :, 0, 0]
    cells[0, :, 1] = one.values[0, :, 1:, 0]
    table = ig.Scores(cells, one.measures, one.topics, ("old", "new"), ("1", "2", "3"))
    by_replicates = ig.gate(table, "old", "new", margin=0.05)
    assert numbers(by_replicates) == numbers(by_names) == numbers(of_runs)
    assert by_replicates.runs == by_names.runs == (1, 3)
    assert (by_names.candidate, by_replicates.candidate) == ("new", "new")
    assert by_replicates.provenance["instances"] == {"old": 1, "new": 3}


def test_all_measures_count_if_none_is_named_and_each_may_have_its_margin() -> None:
    scores = scores_of(("faithfulness", "RR"), old=BASE, new=NEW)
    found = ig.gate(scores, "old", "new", margin=0.02)
    assert [one.measure for one in found.each] == ["faithfulness", "RR"]
    own = ig.gate(scores, "old", "new", ["faithfulness:0.3", "RR:1%"])
    assert [one.margin for one in own.each] == pytest.approx([0.3, 0.01 * np.mean(1.0 / np.array(BASE) ** 2)])
    with pytest.raises(ig.DesignError, match="faithfulness has no margin"):
        ig.gate(scores, "old", "new")


def test_two_tables_are_joined_on_their_topics(tmp_path: Path) -> None:
    old = write_scores(tmp_path / "old.csv", {"mine": BASE})
    new = write_scores(tmp_path / "new.csv", {"mine": [0, *NEW[1:]]})
    found = ig.gate(old, new, margin=0.02, missing="zero")
    assert (found.baseline, found.candidate) == ("baseline mine", "candidate mine")
    assert found.missing.topics_of == {"candidate mine": ("q00",)}
    assert found.command == f"irgauge gate {old} {new} -m faithfulness:0.02 --missing zero"
    assert found.provenance["files"] == ("old.csv", "new.csv")
    dropped = ig.gate(old, new, margin=0.02, missing="drop")
    assert numbers(dropped) == numbers(
        ig.gate(scores_of(("quality",), old=BASE[1:], new=NEW[1:]), "old", "new", margin=0.02)
    )


def test_missing_scores_are_treated_as_asked_and_said() -> None:
    scores = scores_of(old=BASE, new=[0 if i in (0, 3) else rank for i, rank in enumerate(BASE)])
    found = ig.gate(scores, "old", "new", margin=0.02, missing="zero")
    assert "topics missing from a run score 0 there: new (2)" in found.findings()[0].text
    assert found.findings().of("missing-decides")[0].text.endswith("without these it is 'equivalent' (pass).")
    dropped = ig.gate(scores, "old", "new", margin=0.02, missing="drop")
    assert (dropped.verdict, dropped.topics) == ("pass", 28)
    with pytest.raises(ig.InputError, match=r"missing on some of the 30 topics:\n  new: 2 topics \(q00, q03\)"):
        ig.gate(scores, "old", "new", margin=0.02)


def test_scores_that_were_settled_before_are_missing_still() -> None:
    scores = scores_of(old=BASE, new=[0, *BASE[1:]])
    found = ig.gate(scores.under("zero"), "old", "new", margin=0.02)
    assert found.missing.topics_of == {"new": ("q00",)}
    assert numbers(found) == numbers(ig.gate(scores, "old", "new", margin=0.02, missing="zero"))


def test_a_missing_score_is_not_0_where_others_are_below() -> None:
    scores = scores_of(("gain",), old=BASE, new=[0, *BASE[1:]])
    below = ig.Scores(-scores.values, scores.measures, scores.topics, scores.systems, scores.replicates)
    with pytest.raises(ig.InputError, match="gain has negative scores"):
        ig.gate(below, "old", "new", margin=0.02, missing="zero")
    assert ig.gate(below, "old", "new", margin=0.02, missing="drop").topics == 29


def test_topics_that_neither_has_a_score_on_are_left_out_and_noted() -> None:
    scores = scores_of(old=[0, *BASE[1:]], new=[0, *NEW[1:]], other=BASE)
    found = ig.gate(scores, "old", "new", margin=0.02)
    assert (found.topics, found.missing.topics_of) == (29, {})
    assert found.findings().of("join").texts() == ["1 topic (q00) without a score of either side, left out."]


# the command


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tables in the current folder."""
    monkeypatch.chdir(tmp_path)
    write_scores(tmp_path / "scores.csv", {"Old": BASE, "new": NEW, "other": BASE[::-1]})
    write_scores(tmp_path / "seeds.csv", {"old": BASE} | {f"new {seed}": ranks for seed, ranks in enumerate(SEEDS)})
    write_scores(tmp_path / "gap.csv", {"old": BASE, "new": [0, *NEW[1:]]})
    write_scores(tmp_path / "old.csv", {"old": BASE})
    write_scores(tmp_path / "new.csv", {"new": NEW}, "relevance")
    return tmp_path


@pytest.mark.usefixtures("data")
def test_names_come_in_any_case_and_the_command_gives_the_same(run: Irgauge) -> None:
    code, out, err = run("gate", "scores.csv", "old", "NEW", "--margin", "0.3")
    assert (code, err) == (0, "")
    assert out.startswith("pass: new is equivalent to Old in faithfulness (difference −0.")
    _, page, _ = run("gate", "seeds.csv", "old", "new", "-m", "faithfulness:0.1", "--alpha", "0.1", "-f", "summary")
    assert "irgauge gate seeds.csv old new -m faithfulness:0.1 --alpha 0.1\n" in page


def test_a_lock_keeps_the_scores_of_the_baseline(data: Path, run: Irgauge) -> None:
    gate = ("gate", "scores.csv", "old", "new", "--margin", "0.3", "--lock", "gate.lock")
    assert run(*gate)[0] == 0
    kept = json.loads(Path("gate.lock").read_text())
    assert (kept["judgments"], len(kept["baseline"])) == (None, 1)
    write_scores(data / "scores.csv", {"newer": NEW[::-1], "new": BASE, "Old": BASE})  # others may change
    assert run(*gate)[0] == 0
    write_scores(data / "scores.csv", {"Old": [2, *BASE[1:]], "new": NEW})
    code, out, err = run(*gate)
    assert (code, out) == (2, "")
    assert "since the gate was locked, the baseline changed (from " in err


WRONG = {
    "no such system": (["scores.csv", "odl", "new"], "the baseline 'odl' is unknown; did you mean 'Old'?"),
    "no such candidate": (["scores.csv", "old", "now"], "the candidate 'now' is unknown; did you mean 'new'?"),
    "a system twice": (["scores.csv", "old", "OLD"], "Old is the baseline and the candidate"),
    "a candidate twice": (["scores.csv", "old", "new", "new"], "a system is named twice as a run of the candidate"),
    "a name too few": (["scores.csv", "old"], "name the baseline and the candidate after the table of scores"),
    "no names": (["scores.csv"], "after a table of scores name BASELINE CANDIDATE... by their names in it"),
    "a table of several": (["scores.csv", "new.csv"], "the table of the baseline has the 3 systems Old, new, other"),
    "another measure": (["old.csv", "new.csv"], "no scores of faithfulness; it has relevance"),
    "an unknown measure": (["scores.csv", "old", "new", "-m", "faith"], "no scores of faith"),
    "an option of runs": (["scores.csv", "old", "new", "--precision", "single"], "'precision' is of runs"),
    "missing scores": (["gap.csv", "old", "new", "--missing", "fail"], "scores are missing on some of the 30 topics"),
    "no such table": (["gone.csv", "old", "new"], "gone.csv: there is no such file"),
}


@pytest.mark.usefixtures("data")
def test_what_cannot_be_gated_is_2_and_explained(run: Irgauge, subtests: pytest.Subtests) -> None:
    for name, (arguments, expected) in WRONG.items():
        with subtests.test(name):
            code, out, err = run("gate", *arguments, "--margin", "0.1", "--lock", "gate.lock")
            assert (code, out) == (2, ""), err
            assert expected in " ".join(err.split())
            assert not Path("gate.lock").exists()


def test_the_advice_on_a_margin_keeps_the_direction() -> None:
    with pytest.raises(ig.DesignError, match="such as 'Unjudged@10:lower:1%'"):
        wanted("Unjudged@10:lower", None)
