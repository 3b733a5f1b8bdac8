"""Verdicts of a gate against scipy, what a run or several are called, and what the result holds."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import irgauge as ig
from conftest import Golden
from irgauge.studies.gate.evidence import OUTCOMES
from irgauge.studies.gate.study import Gated
from oracles.gate_runs import BASE, QRELS, lower, ranked, write_qrels, write_run
from oracles.slow_skewed_t import larger_p, outer_ends

RNG = np.random.default_rng(15)
NOISY = RNG.integers(1, 9, 30).tolist()
MIXED = RNG.permutation(BASE).tolist()
RATHER = [1 if i % 8 == 0 else rank for i, rank in enumerate(MIXED)]


def gated(base: list[int], new: list[int], margin: float | str = 0.05, **asked: Any) -> Gated:  # noqa: ANN401  # options
    return ig.gate(QRELS, {"old": ranked(base)}, {"new": ranked(new)}, "RR", margin=margin, **asked)


def slow(base: list[int], new: list[int], margin: float) -> str:
    """The verdict by slow intervals: two-sided of 95 % against 0, of 90 % against either margin."""
    d = 1 / np.array(new) - 1 / np.array(base)
    (low, high), (least, most) = outer_ends(d, 0.05), outer_ends(d, 0.10)
    if least > -margin and most < margin:
        return "equivalent"
    if low > 0 or high < 0:
        return "better" if low > 0 else "worse"
    return "not worse" if least > -margin else "not better" if most < margin else "inconclusive"


CASES = {
    "one rank lower": (BASE, lower(BASE)),
    "one rank higher": (lower(BASE), BASE),
    "lower on a few topics": (BASE, lower(BASE, every=6)),
    "another system": (BASE, NOISY),
    "another, the other way": (NOISY, BASE),
    "better here, worse there": (BASE, MIXED),
    "rather better": (BASE, RATHER),
    "rather worse": (RATHER, BASE),
    "lower where it is low": (BASE, [rank + (rank > 2) for rank in BASE]),
}


@pytest.mark.parametrize("margin", [0.01, 0.1, 0.13, 0.5])
@pytest.mark.parametrize(("base", "new"), CASES.values(), ids=CASES)
def test_verdicts_are_those_of_guarded_t_tests(base: list[int], new: list[int], margin: float) -> None:
    found = gated(base, new, margin)
    (one,) = found.each
    d = 1 / np.array(new) - 1 / np.array(base)
    assert one.verdict == slow(base, new, margin)
    assert found.verdict == OUTCOMES[one.verdict]
    assert one.difference == pytest.approx(d.mean())
    assert one.p_adjusted == pytest.approx(larger_p(d))
    assert (one.low, one.high) == pytest.approx(outer_ends(d, 0.05))
    assert (one.margin_low, one.margin_high) == pytest.approx(outer_ends(d, 0.10))
    assert (one.baseline_mean, one.candidate_mean) == pytest.approx(
        (np.mean(1 / np.array(base)), (1 / np.array(new)).mean())
    )
    assert found.topics == 30


def test_all_verdicts_were_seen() -> None:
    seen = {slow(base, new, margin) for base, new in CASES.values() for margin in (0.01, 0.1, 0.13, 0.5)}
    assert seen == set(OUTCOMES)


@pytest.mark.parametrize(
    ("undecided", "code", "passed"), [("pass", 0, True), ("fail", 1, False), ("3", 3, False), (3, 3, False)]
)
def test_what_an_undecided_gate_does_is_as_asked(undecided: str | int, code: int, passed: bool) -> None:  # noqa: FBT001  # a case
    found = gated(BASE, MIXED, 0.01, undecided=undecided)
    assert (found.verdict, found.exit_code, found.passed) == ("undecided", code, passed)


def test_a_share_is_of_the_mean_of_the_baseline() -> None:
    found = gated(BASE, lower(BASE, every=6), "10%")
    assert found.each[0].margin == pytest.approx(0.1 * np.mean(1 / np.array(BASE)))
    assert found.provenance["margins"] == {"RR": {"given": "10%", "is_share": True, "amount": found.each[0].margin}}


def test_several_measures_are_corrected_together_and_each_has_its_margin() -> None:
    runs = {"old": ranked(BASE)}, {"new": ranked(lower(BASE, every=6))}
    alone = ig.gate(QRELS, *runs, "RR", margin="20%")
    both = ig.gate(QRELS, *runs, ["RR:20%", "P@3"], margin=0.3)
    assert [one.measure for one in both.each] == ["RR", "P@3"]
    assert both.each[1].margin == 0.3
    wider = both.each[0]
    assert wider.p_adjusted >= alone.each[0].p_adjusted
    d = wider.topics.difference
    assert (wider.low, wider.high) == pytest.approx(outer_ends(d, 0.025))
    low, _ = outer_ends(wider.topics.score - 0.8 * wider.topics.other, 0.05)  # a share is tested as a ratio
    _, high = outer_ends(wider.topics.score - 1.2 * wider.topics.other, 0.05)
    assert (wider.margin_low, wider.margin_high) == pytest.approx((low - wider.margin, high + wider.margin))


def test_one_measure_that_fails_is_enough() -> None:
    found = ig.gate(QRELS, {"old": ranked(BASE)}, {"new": ranked(lower(BASE))}, ["P@2:0.3", "RR:0.01"])
    assert {one.measure: one.outcome for one in found.each} == {"P@2": "pass", "RR": "fail"}
    assert found.verdict == "fail"
    assert found.findings()[0].text.startswith("fail: new against old is worse in RR")


def test_the_same_run_is_equivalent_and_said_to_be_the_same() -> None:
    found = gated(BASE, BASE)
    assert (found.verdict, found.each[0].verdict, found.each[0].difference) == ("pass", "equivalent", 0)
    assert found.findings().of("same").texts() == [
        "new and old have the same score on every topic: are they the same run?"
    ]


def test_missing_topics_are_in_the_line_and_a_verdict_that_rests_on_them_is_a_warning() -> None:
    found = gated(BASE, [0 if i in (0, 3) else rank for i, rank in enumerate(BASE)], 0.02)
    assert "topics missing from a run score 0 there: new (2)" in found.findings()[0].text
    (told,) = found.findings().of("missing-decides")
    assert told.text.endswith("without these it is 'equivalent' (pass).")
    dropped = gated(BASE, [0 if i in (0, 3) else rank for i, rank in enumerate(BASE)], 0.02, missing="drop")
    assert (dropped.verdict, dropped.topics) == ("pass", 28)
    with pytest.raises(ig.InputError, match="1 run does not answer all of the 30 judged topics"):
        gated(BASE, [0, *BASE[1:]], missing="fail")


def test_a_few_topics_with_large_losses_make_it_more_cautious_than_t() -> None:
    (one,) = gated([1] * 15 + BASE[:15], [8, 8] + [1] * 13 + BASE[:15], "0.1").each
    low, high = stats.ttest_1samp(one.topics.difference, 0).confidence_interval(0.90)
    assert one.margin_low < low - 0.01
    assert one.margin_high == pytest.approx(high)


def test_names_are_those_of_files_or_of_objects() -> None:
    assert (gated(BASE, BASE).baseline, gated(BASE, BASE).candidate) == ("old", "new")
    unnamed = ig.gate(QRELS, ranked(BASE), ranked(BASE), "RR", margin=0.1)
    assert (unnamed.baseline, unnamed.candidate) == ("baseline run", "candidate run")


def test_files_of_one_name_in_two_folders_are_told_apart(tmp_path: Path) -> None:
    old, new = (write_run(tmp_path / folder / "bm25.run", ranked(BASE)) for folder in ("old", "new"))
    found = ig.gate(write_qrels(tmp_path / "qrels"), old, new, "RR", margin=0.1)
    assert (found.baseline, found.candidate) == ("baseline bm25", "candidate bm25")


WORDS = {"better": "worse", "worse": "better", "not worse": "not better", "not better": "not worse"}
RANKS = st.lists(st.integers(1, 8), min_size=30, max_size=30)


@settings(max_examples=25, deadline=None)
@given(RANKS, RANKS, st.floats(0.001, 0.5), st.randoms(use_true_random=False))
def test_sides_may_be_swapped_and_topics_come_in_any_order(
    base: list[int], new: list[int], margin: float, random: Random
) -> None:
    assume(base != new and len({*base, *new}) > 1)
    (one,) = gated(base, new, margin).each
    (turned,) = gated(new, base, margin).each
    assert turned.verdict == WORDS.get(one.verdict, one.verdict)
    assert (turned.low, turned.high, turned.p_adjusted) == pytest.approx((-one.high, -one.low, one.p_adjusted))
    order = random.sample(range(30), 30)
    (again,) = gated([base[i] for i in order], [new[i] for i in order], margin).each
    assert (again.low, again.high, again.p_adjusted) == pytest.approx((one.low, one.high, one.p_adjusted))
    assert again.verdict == one.verdict


# several runs


def seeds(count: int, shift: float, rng: np.random.Generator) -> dict[str, Any]:
    ranks = [np.clip(np.array(BASE) + rng.integers(0, 2, 30) + (rng.random(30) < shift), 1, 8) for _ in range(count)]
    return {f"new.{i}": ranked(one.tolist()) for i, one in enumerate(ranks)}


def test_several_runs_are_compared_as_instances_do() -> None:
    new = seeds(4, 0.0, np.random.default_rng(1))
    found = ig.gate(QRELS, {"old": ranked(BASE)}, new, "RR", margin=0.1)
    labels: dict[str, tuple[str, str | None]] = {"old": ("old", None), **{name: ("new", name) for name in new}}
    collection = ig.load(QRELS, {"old": ranked(BASE), **new})
    other = ig.instances(collection, "RR", labels=labels, baseline="old", margin=0.1, posterior=False)
    (one,) = found.each
    assert (found.baseline, found.candidate, found.runs) == ("old", "new", (1, 4))
    assert one.verdict == other.verdicts[0]
    assert (one.low, one.high) == pytest.approx(other.intervals[:, 0].tolist())
    assert one.difference == pytest.approx(other.contrasts[0].estimate)
    assert one.p_adjusted == pytest.approx(other.contrasts[0].p)
    assert found.population == "other topics and other instances of the algorithms, of old this run only"
    assert found.provenance["population"] == found.population
    assert [one.fields["side"] for one in found.findings().of("one-run")] == ["old"]
    both = ig.gate(QRELS, {"old.1": ranked(BASE), "old.2": ranked(MIXED)}, new, "RR", margin=0.1)
    assert both.population == "other topics and other instances of the algorithms"
    assert not both.findings().of("one-run")


def test_several_measures_of_several_runs_have_a_share_of_alpha_each() -> None:
    new = seeds(4, 0.0, np.random.default_rng(1))
    alone, both = (ig.gate(QRELS, {"old": ranked(BASE)}, new, of, margin="20%") for of in (["RR"], ["RR", "P@3"]))
    half = ig.gate(QRELS, {"old": ranked(BASE)}, new, "RR", margin="20%", alpha=0.025)
    assert both.each[0].p_adjusted == pytest.approx(min(1, 2 * alone.each[0].p_adjusted))
    assert both.each[0].low == pytest.approx(half.each[0].low)
    assert both.each[0].verdict == half.each[0].verdict
    assert both.provenance["alpha"] == 0.05


def test_more_topics_cannot_decide_where_few_runs_differ_much(golden: Golden) -> None:
    ranks = [lower(BASE, by=by) for by in (0, 3)]
    new = {f"new.{i}": ranked(one) for i, one in enumerate(ranks)}
    found = ig.gate(QRELS, {"old": ranked(BASE)}, new, "RR", margin=0.01)
    assert found.verdict == "undecided"
    assert "no number of topics is likely to show that it is not worse" in found.findings()[0].text
    assert found.findings().of("few-runs")
    [told] = found.findings().of("more-runs")
    golden(told.text)
    assert not gated(BASE, MIXED, margin=0.0001).findings().of("more-runs")


def test_a_verdict_of_several_runs_that_rests_on_missing_topics_is_a_warning() -> None:
    ranks = [[0 if i in (0, 6) else rank + (i == 4 + 6 * seed) for i, rank in enumerate(BASE)] for seed in range(4)]
    new = {f"new.{seed}": ranked(one) for seed, one in enumerate(ranks)}
    found = ig.gate(QRELS, {"old": ranked(BASE)}, new, "RR", margin=0.02)
    assert (found.each[0].verdict, found.each[0].on_common) == ("not better", "equivalent")
    assert found.findings().of("missing-decides")
    assert "score 0 there: new.0 (2), new.1 (2), new.2 (2) and new.3 (2)" in found.findings()[0].text


def test_runs_that_never_differ_are_a_warning() -> None:
    new = {f"new.{i}": ranked(lower(BASE, every=7)) for i in range(3)}
    found = ig.gate(QRELS, {"old": ranked(BASE)}, new, "RR", margin=0.1)
    assert found.findings().of("unchanging").texts() == [
        "The runs of new never differ on a topic; did the seed take effect?"
    ]


# what the result holds


def test_the_result_shows_and_saves_itself(tmp_path: Path) -> None:
    found = gated(BASE, lower(BASE))
    for name in ("gate.json", "gate.csv", "gate.md", "gate.txt", "gate.svg"):
        found.save(tmp_path / name)
    kept = json.loads((tmp_path / "gate.json").read_text())
    assert (kept["verdict"], kept["passed"], kept["exit_code"]) == ("fail", False, 1)
    (measure,) = kept["measures"]
    assert (measure["verdict"], measure["outcome"], measure["margin"]) == ("worse", "fail", 0.05)
    assert [topic["topic"] for topic in measure["topics"]] == list(QRELS)
    assert found.frame()["verdict"].to_list() == ["worse"]
    assert found.frame("topics")["difference"].to_list() == found.each[0].topics.difference.tolist()
    losses = found.table("topics").frame()["difference"].to_list()
    assert losses == sorted(losses)
    assert "<table>" in found._repr_html_()
    assert repr(found).startswith("Gated:\n- fail: new is worse than old in RR (difference −0.")


def test_the_summary_has_the_verdict_first_then_tables_command_and_versions(tmp_path: Path) -> None:
    qrels, old = write_qrels(tmp_path / "qrels"), write_run(tmp_path / "old.run", ranked(BASE))
    new = write_run(tmp_path / "a candidate.run", ranked(lower(BASE)))
    page = ig.gate(qrels, old, new, "RR", margin="1%", alpha=0.01).summary()
    assert page.startswith("## ❌ fail\n\nfail: a candidate is worse than old in RR (")
    assert "| measure | baseline | candidate | difference |" in page
    assert f"```sh\nirgauge gate {qrels} {old} '{new}' -m RR:1% --alpha 0.01\n```" in page
    assert "*Versions:* Python" in page
    assert "irgauge gate" not in gated(BASE, BASE).summary()  # objects have no command


def test_the_chart_shows_each_measure_against_its_margin() -> None:
    found = ig.gate(QRELS, {"old": ranked(BASE)}, {"new": ranked(lower(BASE))}, ["P@2:0.3", "RR:1%"])
    figure = found.chart()
    assert figure.title == "Fail: new against old is equivalent in P@2 and worse in RR"
    rows = next(iter(figure.to_dict()["datasets"].values()))
    assert [row["measure"] for row in rows] == ["P@2\nequivalent: pass", "RR\nworse: fail"]
    assert figure.to_svg().startswith("<svg")


@pytest.mark.parametrize("copies", [1, 2], ids=["a run of each", "several runs"])
@pytest.mark.parametrize("margin", ["1", 1.5, "100%"])
def test_a_margin_that_would_pass_any_run_is_refused(margin: float | str, copies: int) -> None:
    """Such as 1 for 1%."""
    runs = {f"new.{copy}": ranked(lower(BASE, every=copy + 2)) for copy in range(copies)}
    with pytest.raises(ig.DesignError, match="is too large: no"):
        ig.gate(QRELS, {"old": ranked(BASE)}, runs, "RR", margin=margin)
