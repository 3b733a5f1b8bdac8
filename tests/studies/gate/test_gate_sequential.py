"""A gate of many looks: verdicts by sequences, topics in one random order for good, and a state that nobody swaps."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irgauge as ig
from conftest import Golden
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.files.locking import alone
from irgauge.scoring.measures import Measure
from irgauge.studies.gate.study import Gated
from oracles import slow_sequences
from oracles.gate_runs import BASE, QRELS, ranked, write_scores

RNG = np.random.default_rng(7)
OLD = RNG.beta(2, 2, 400)
NEW = np.clip(OLD + RNG.normal(0, 0.05, 400), 0, 1)
WORSE = OLD * RNG.beta(6, 2, 400)
STEP = 1 / 400


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def table(topics: int, new: Floats = NEW, measures: Sequence[str] = ("AP",)) -> ig.Scores:
    """The scores on the first topics, the same by all measures."""
    values = np.repeat(np.column_stack((OLD, new))[None, :topics, :, None], len(measures), axis=0)
    names = tuple(f"q{topic}" for topic in range(topics))
    return ig.Scores(values, tuple(map(Measure.read, measures)), names, ("old", "new"), ("all",))


def look(scores: object, measures: str | list[str] = "AP", **asked: Any) -> Gated:  # noqa: ANN401  # options
    usual: dict[str, Any] = {"margin": 0.1, "sequential": True, "state": "state.json"}
    return ig.gate(scores, "old", "new", measures, **(usual | asked))


def order_of(gated: Gated) -> tuple[str, ...]:
    assert gated.looks is not None
    return gated.looks.order


def test_batches_are_looked_at_until_it_is_decided() -> None:
    verdicts = [look(table(topics)).verdict for topics in (10, 20, 80, 120)]
    assert verdicts == ["undecided", "undecided", "pass", "pass"]
    assert [look(table(topics, WORSE), state="other.json").exit_code for topics in (20, 200)] == [3, 1]


def test_topics_come_in_random_order_and_keep_their_place() -> None:
    first, second = (order_of(look(table(topics))) for topics in (20, 60))
    assert second[:20] == first != tuple(f"q{topic}" for topic in range(20))
    assert sorted(second) == sorted(f"q{topic}" for topic in range(60))
    assert order_of(look(table(20), order=1, state="other.json")) != first
    assert order_of(look(table(20), state="again.json")) == first


@pytest.mark.parametrize("margin", [0.1, "30%"])
def test_ends_are_those_of_the_definition_on_the_order_of_topics(margin: object) -> None:
    look(table(15), margin=margin)
    gated = look(table(40), margin=margin)
    places = [int(topic[1:]) for topic in order_of(gated)]
    factor = 1.0 if margin == 0.1 else 0.7
    d = NEW[places] - factor * OLD[places]
    low = 2 * slow_sequences.least_mean(((d + 1) / 2).tolist(), 0.05, STEP) - 1
    amount = 0.0 if margin == 0.1 else 0.3 * OLD[places].mean()
    assert 0 <= gated.each[0].margin_low + amount - low <= 2 * STEP


def test_several_measures_share_the_level_and_one_that_is_worse_fails() -> None:
    alone_, both = look(table(60)), look(table(60, measures=("AP", "RR")), ["AP", "RR"], state="two.json")
    assert both["AP"].low < alone_["AP"].low
    assert both["AP"].p_adjusted == pytest.approx(min(1.0, 2 * alone_["AP"].p))
    mixed = table(300, measures=("AP", "RR"))
    mixed.values[1, :, 1, 0] = WORSE[:300]
    assert look(mixed, ["AP", "RR"], state="mixed.json").verdict == "fail"


def test_lower_is_better_where_it_is_said() -> None:
    scores = table(200, 2 * OLD, ("latency",))
    gated = look(scores, "latency:lower", margin="10%")
    assert (gated.verdict, gated.each[0].verdict) == ("fail", "worse")
    assert [finding.kind for finding in gated.findings()].count("asymptotic") == 1


def test_equal_scores_on_few_topics_show_nothing_yet() -> None:
    assert look(table(10, OLD)).verdict == "undecided"
    assert look(table(200, OLD)).verdict == "pass"


def test_topics_that_contradict_each_other_decide_nothing() -> None:
    turned = np.where(np.arange(400) < 150, 1.0, 0.0)  # the first batch gains on every topic, the next ones lose
    assert look(table(150, turned)).verdict == "pass"
    gated = look(table(400, turned))
    assert (gated.verdict, gated.each[0].verdict) == ("undecided", "inconclusive")
    assert "contradicted" in [finding.kind for finding in gated.findings()]


def test_a_look_without_new_topics_is_none() -> None:
    look(table(20))
    before = Path("state.json").read_bytes()
    again = look(table(20))
    assert again.looks is not None
    assert (len(again.looks.looks), again.looks.new, Path("state.json").read_bytes()) == (1, 0, before)


def test_what_was_decided_before_is_told(golden: Golden) -> None:
    for topics in (30, 60, 120):
        gated = look(table(topics, measures=("AP", "quality")), ["AP", "quality"])
    golden(finding.text for finding in gated.findings())


@pytest.mark.parametrize(
    ("asked", "scores", "said"),
    [
        ({}, table(10), r"10 topics .*missing now.*begin anew"),
        ({}, table(20, np.where(np.arange(400) == 4, 0.0, NEW)), r"candidate on topic q4 by AP was .* is 0 now \(1 sc"),
        ({"alpha": 0.1}, table(30), r"alpha changed \(from 0.05 to 0.1\)"),
        ({"margin": "5%"}, table(30), r"measures changed \(from .*0.1.* to .*5%"),
        ({"order": 3}, table(30), r"order changed"),
    ],
)
def test_what_is_not_as_at_the_looks_before_is_refused(asked: dict[str, Any], scores: ig.Scores, said: str) -> None:
    look(table(20))
    before = Path("state.json").read_bytes()
    with pytest.raises(InputError, match=f"state.json: .*{said}"):
        look(scores, **asked)
    assert Path("state.json").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda state: state | {"topics": state["topics"][::-1]}, "damaged or was changed"),
        (lambda state: state | {"version": 9}, "version 9 of its format"),
        (lambda state: {"kind": state["kind"]}, "damaged"),
        (lambda state: [state], "damaged"),
    ],
)
def test_a_state_that_was_changed_is_refused(change: Callable[[Any], Any], said: str) -> None:
    look(table(20))
    Path("state.json").write_text(json.dumps(change(json.loads(Path("state.json").read_text()))))
    with pytest.raises(InputError, match=said):
        look(table(30))


def test_two_commands_never_write_one_state_at_once() -> None:
    with alone("state.json"), pytest.raises(InputError, match=r"state.json: another command uses this file now"):
        look(table(20))
    look(table(20))
    assert sorted(path.name for path in Path().iterdir()) == ["state.json"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"state": None}, "needs a file that keeps what was used"),
        ({"sequential": False}, "state is of a gate of many looks"),
        ({"sequential": False, "state": None, "order": 1}, "order is of a gate of many looks"),
        ({"lock": "gate.lock"}, "lock does not go with a gate of many looks"),
        ({"by": "type"}, "by does not go with"),
        ({"cluster": "user"}, "cluster does not go with"),
        ({"weights": "views"}, "weights does not go with"),
        ({"history": "gates.db", "budget": "fdr"}, "budget does not go with"),
    ],
)
def test_what_does_not_go_together_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(DesignError, match=said):
        look(table(20), **asked)
    assert not list(Path().iterdir())


def test_several_runs_are_refused() -> None:
    with pytest.raises(DesignError, match="one run of each side"):
        ig.gate(
            QRELS,
            {"old": ranked(BASE)},
            {"a": ranked(BASE), "b": ranked(BASE[::-1])},
            "RR",
            margin=0.1,
            sequential=True,
            state="state.json",
        )


def test_topics_that_a_run_does_not_answer_yet_must_be_told_from_those_worth_0() -> None:
    part = {topic: ranking for topic, ranking in ranked(BASE).items() if int(topic[1:] or 0) % 2}
    sides: tuple[Any, ...] = (QRELS, {"old": ranked(BASE)}, {"new": part}, "RR")
    asked: dict[str, Any] = {"margin": 0.1, "sequential": True, "state": "state.json"}
    with pytest.raises(DesignError, match=r"say by the option 'missing' whether they are yet to come \(drop\)"):
        ig.gate(*sides, **asked)
    assert len(order_of(ig.gate(*sides, missing="drop", **asked))) == len(part)


def test_a_saved_result_has_its_looks(tmp_path: Path) -> None:
    gated = look(table(20))
    gated.save(tmp_path / "gate.json")
    loaded = ig.read(tmp_path / "gate.json")
    assert isinstance(loaded, Gated)
    assert loaded.looks == gated.looks


def test_the_command_goes_on_with_exit_code_3(run: Callable[..., tuple[int, str, str]]) -> None:
    write_scores(Path("scores.csv"), {"old": BASE, "new": BASE[::-1]}, "RR")
    code, out, _ = run("gate", "scores.csv", "old", "new", "-m", "RR:0.1", "--sequential", "--state", "state.json")
    assert code == 3
    assert out.startswith("undecided: ")
    assert out.endswith("; go on, and look again with more topics.\n")


def test_the_order_of_topics_does_not_stand_for_the_order_of_documents() -> None:
    runs = {name: ranked(BASE) for name in ("old", "new")}
    plain = ig.gate((QRELS, runs), "old", "new", "RR", margin=0.1)
    gated = ig.gate((QRELS, runs), "old", "new", "RR", margin=0.1, sequential=True, state="s.json")
    assert gated.provenance["order"] == plain.provenance["order"]
    assert gated.provenance["topic_order"] == "random, seed 0"


def test_a_look_tells_what_unjudged_documents_and_missing_topics_decide() -> None:
    topics = [f"t{number}" for number in range(200)]
    qrels = {topic: {"d": 1} for topic in topics}
    old = {topic: {"d": 2.0, "x": 1.0} for topic in topics}
    new = {topic: {"x": 2.0, "d": 1.0} if number % 3 else old[topic] for number, topic in enumerate(topics)}
    asked: dict[str, Any] = {"margin": 0.01, "sequential": True}
    result = ig.gate((qrels, {"old": old, "new": new}), "old", "new", "P@1", state="holes.json", **asked)
    assert (result.verdict, result.each[0].holes is not None) == ("fail", True)
    answered = {topic: old[topic] for topic in topics[:100]}
    sides: tuple[Any, ...] = (qrels, {"old": old}, {"new": answered}, "P@1")
    for rule, verdicts in {"zero": ("worse", "equivalent"), "drop": ("equivalent", "worse")}.items():
        gated = ig.gate(*sides, **(asked | {"margin": 0.1, "missing": rule, "state": f"{rule}.json"}))
        assert (gated.each[0].verdict, gated.each[0].on_common) == verdicts
