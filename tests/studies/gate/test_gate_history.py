"""A history of gates: what it keeps, and a budget of errors that all its gates share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irgauge as ig
from irgauge.archive import store
from irgauge.archive.entry import Entry
from irgauge.inference.online import lord_level
from irgauge.studies.gate.study import Gated
from irgauge.testing import assert_not_worse
from oracles.gate_runs import BASE, QRELS, lower, ranked, write_qrels, write_run

TOPICS = 40


@pytest.fixture
def nights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each look at the clock is a night later."""
    times = (datetime(2026, 11, 1, 3, tzinfo=UTC) + timedelta(days=day) for day in range(1000))
    monkeypatch.setattr(store, "now", lambda: next(times))
    monkeypatch.chdir(tmp_path)


def gated(loss: float, seed: int, measures: tuple[str, ...] = ("AP",), **asked: Any) -> Gated:  # noqa: ANN401  # options
    """A gate of a candidate that is worse by so much on average."""
    rng = np.random.default_rng(seed)
    base = np.random.default_rng(99).uniform(0.3, 0.7, TOPICS)
    new = base - loss + rng.normal(0, 0.04, TOPICS)
    sides = {
        name: {str(topic): float(score) for topic, score in enumerate(scores)}
        for name, scores in (("old", base), ("new", new))
    }
    table = ig.load_scores(dict.fromkeys(measures, sides))
    usual: dict[str, Any] = {"margin": 0.001, "history": "nights.db"}
    return asked.pop("verb", ig.gate)(table, "old", "new", **(usual | asked))


def kept() -> list[Entry]:
    with store.HistoryFile("nights.db").reading() as history:
        return list(history.entries())


@pytest.mark.usefixtures("nights")
def test_a_gate_of_files_keeps_fingerprints_scores_and_verdicts() -> None:
    write_qrels(Path("qrels.txt"))
    for name, ranks in {"old": BASE, "new": lower(BASE, every=3)}.items():
        write_run(Path(f"{name}.run"), ranked(ranks))
    result = ig.gate("qrels.txt", "old.run", "new.run", ["RR:1%", "P@2:0.1"], history="nights.db")
    ig.compare(ig.load("qrels.txt", ["old.run", "new.run"]), "RR", history="nights.db")
    first, second = kept()
    assert (first.command, second.command) == ("gate", "compare")
    assert first.judgments == second.judgments is not None  # however they were read
    for entry in (first, second):
        prints = {run.system: run.fingerprint for run in entry.runs}
        assert prints == {name: sha256(Path(f"{name}.run").read_bytes()).hexdigest() for name in ("old", "new")}
    assert first.scores["RR", "new"] == second.scores["RR", "new"]
    assert first.scores["RR", "old"] == pytest.approx(
        {topic: 1 / rank for topic, rank in zip(QRELS, BASE, strict=True)}
    )
    assert {row.measure: row.verdict for row in first.verdicts} == {g.measure: g.verdict for g in result.each}
    Path("qrels.txt").write_text(Path("qrels.txt").read_text().replace(" 1\n", " 2\n", 1))
    ig.gate("qrels.txt", "old.run", "new.run", ["RR:1%"], history="nights.db")
    assert kept()[-1].judgments != first.judgments


@pytest.mark.usefixtures("nights")
def test_without_a_budget_a_history_changes_nothing() -> None:
    plain, with_history = gated(0.02, 1, history=None), gated(0.02, 1)
    assert str(plain.findings()) == str(with_history.findings())
    assert dict(plain.provenance) == dict(with_history.provenance)
    with pytest.raises(ig.DesignError, match="a budget is shared by the gates of a history"):
        gated(0.02, 1, history=None, budget="fdr")
    with pytest.raises(ig.DesignError, match="budget does not go with a gate of many looks"):
        gated(0.02, 1, budget="fdr", sequential=True, state="looks.json")


@pytest.mark.usefixtures("nights")
def test_a_gate_fails_at_the_level_of_its_budget() -> None:
    plain = gated(0.016, 1, history=None)
    assert plain.verdict == "fail"
    p = plain.each[0].p_adjusted / 2
    result = gated(0.016, 1, budget="fdr")
    level = lord_level([])
    assert level < p < 0.025
    assert (result.verdict, result.each[0].verdict) == ("undecided", "not better")
    assert result.findings()[0].text.endswith("; without the budget it is worse in AP.")
    assert "worse below 0; worse by the budget only with p of 0.0013 or less" in result.summary()
    assert result.budget is not None
    assert (result.budget.level, result.budget.p, result.budget.before) == (level, p, 0)
    assert result.budget.left == pytest.approx(0.025 - level)
    worse = gated(0.05, 2, budget="fdr")
    assert worse.verdict == "fail"
    assert worse.budget is not None
    assert worse.budget.level == lord_level([False])
    third = gated(0.0, 3, budget="fdr")
    assert third.budget is not None
    assert third.budget.level == lord_level([False, True])
    assert (third.budget.before, third.budget.failed_before) == (2, 1)
    assert third.provenance["budget"]["level"] == third.budget.level  # type: ignore[index]  # a mapping
    verdict, told = third.own_forms()["line"](third).splitlines()
    assert verdict == third.findings()[0].text
    assert "; 2 gates before it, 1 of which failed; a wealth of 0.0" in told


@pytest.mark.usefixtures("nights")
def test_the_same_data_take_of_a_budget_once() -> None:
    first, other, again = (gated(0.05, seed, budget="1/month") for seed in (1, 2, 1))
    assert first.budget is not None
    assert again.budget is not None
    assert again.budget.is_repeated
    assert (again.budget.level, again.verdict) == (first.budget.level, first.verdict)
    assert other.budget is not None
    next_gate = gated(0.0, 3, budget="1/month")
    assert next_gate.budget is not None
    assert next_gate.budget.before == 2
    assert len(kept()) == 4
    changed = gated(0.05, 1, budget="1/month", margin=0.002)  # another question
    assert changed.budget is not None
    assert not changed.budget.is_repeated


@pytest.mark.usefixtures("nights")
def test_what_is_equivalent_is_no_regression_and_slices_share_the_budget(tmp_path: Path) -> None:
    tiny = gated(0.02, 4, budget="fdr", margin=0.5)
    assert (tiny.verdict, tiny.budget and tiny.budget.p) == ("pass", 1.0)
    kinds = tmp_path / "topics.csv"
    kinds.write_text("topic,kind\n" + "".join(f"{topic},{'ab'[topic % 2]}\n" for topic in range(TOPICS)))
    sliced = gated(0.016, 1, budget="fdr", topics_table=str(kinds), by="kind")
    assert sliced.verdict == "undecided"
    assert not sliced.each[0].worse_slices
    whole = gated(0.016, 1, history=None).each[0].p_adjusted
    assert sliced.budget is not None
    assert sliced.budget.p == pytest.approx(whole)  # twice the one-sided p, as there are two families
    assert gated(0.05, 2, budget="fdr", topics_table=str(kinds), by="kind").each[0].worse_slices


@pytest.mark.usefixtures("nights")
def test_an_error_in_a_test_tells_the_budget() -> None:
    with pytest.raises(AssertionError, match=r"\nBy the budget fdr .*, it fails only with p of 0.0013 or less"):
        gated(0.016, 1, budget="fdr", verb=assert_not_worse)


@pytest.mark.usefixtures("nights")
def test_other_kinds_of_topics_and_margins_on_them_are_other_questions() -> None:
    for name, kinds in {"first": "ab", "second": "aab"}.items():
        rows = (f"{topic},{kinds[topic % len(kinds)]},{topic % 2}\n" for topic in range(TOPICS))
        Path(f"{name}.csv").write_text("topic,kind,other\n" + "".join(rows))
    first: dict[str, Any] = {"topics_table": "first.csv", "by": "kind"}
    asked = [{}, first, first | {"by": "other"}, first | {"topics_table": "second.csv"}]
    asked += [first | {"slice_margins": "kind=a:0.1"}, first, {}]
    budgets = [gated(0.02, 1, budget="fdr", **own).budget for own in asked]
    assert [budget is not None and budget.is_repeated for budget in budgets] == [False] * 5 + [True] * 2


@pytest.mark.usefixtures("nights")
@pytest.mark.parametrize("budget", ["fdr", "1/month"])
def test_a_repeated_gate_tells_what_is_left_now_and_counts_other_gates(budget: str) -> None:
    _, other, again = (gated(0.05, seed, budget=budget).budget for seed in (1, 2, 1))
    assert other is not None
    assert again is not None
    assert again.left == pytest.approx(other.left + (0.05 if budget == "fdr" else 0.0))  # what B's failure earned
    assert (again.before, again.failed_before) == (1, 1)


@pytest.mark.usefixtures("nights")
def test_a_file_that_is_no_history_is_refused_before_any_work() -> None:
    Path("nights.db").write_text("something else, which stays" * 50)
    before = Path("nights.db").read_bytes()
    with pytest.raises(ig.InputError, match=r"nights.db: this is no history of irgauge, or it is damaged"):
        gated(0.0, 1, lock="gate.lock")
    assert Path("nights.db").read_bytes() == before
    assert not Path("gate.lock").exists()
