"""Every study says which systems lack how many topics, and what was done: findings, tables, JSON, charts, commands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import irgauge as ig
from conftest import Golden
from irgauge import DesignError
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.registry import studies
from irgauge.studies.result import Result

Irgauge = Callable[..., tuple[int, str, str]]
LACKS = {"F1-2": ("2", "5", "7"), "F2-1": ("5",)}
LABELS = {"F1-1": ("first", "1"), "F1-2": ("first", "2"), "F2-1": ("second", "1"), "F2-2": ("second", "2")}
SAID = {
    "zero": "2 systems do not answer all 10 topics; the missing ones score 0 there (missing: zero): F1-2 (3) and "
    "F2-1 (1).",
    "drop": "3 of 10 topics are left out for all systems (missing: drop), as not all runs answer them: F1-2 (3) and "
    "F2-1 (1).",
}
NOTED = {
    "zero": "Missing topics score 0: F1-2 (3) and F2-1 (1).",
    "drop": "Missing topics are left out for all systems: F1-2 (3) and F2-1 (1).",
}
METHOD = {
    "zero": "topics missing from a run score 0 there: F1-2 (3) and F2-1 (1)",
    "drop": "3 of 10 topics left out, missing from a run: F1-2 (3) and F2-1 (1)",
}
ASKED: Mapping[str, Mapping[str, Any]] = {  # a study -> how it is asked, quickly
    "score": {"measures": "AP"},
    "compare": {"measures": "AP"},
    "teams": {"measures": "AP", "groups": {"F1-2": "F1"}},
    "topics": {"measures": "AP"},
    "anova": {"measures": "AP", "shards": "even:2"},
    "effects": {"measures": ["AP", "P@5"], "shards": "even:2"},
    "robustness": {"measures": "AP", "shards": [2], "resamples": 2},
    "calibrate": {"measures": "AP", "quick": True, "trials": 2},
    "partition": {"measures": "AP", "splits": 2, "draws": 20, "tests_of": [2]},
    "bootstrap": {"measures": "AP", "images": 5},
    "pools": {"measures": "AP", "images": 5, "depths": [5], "all_pairs": True},
    "instances": {"measures": "AP", "labels": LABELS, "posterior": False},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs, two of which lack topics."""
    made = tmp_path_factory.mktemp("gaps")
    simulate(Design(systems=4, families=2, topics=10, depth=20, corpus_size=200, relevant_median=8, seed=3)).write(made)
    for system, topics in LACKS.items():
        path = made / "runs" / f"{system}.run"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if line.split()[0] not in topics))
    return made


def loaded(folder: Path, rule: str) -> ig.Collection:
    return ig.load(folder / "qrels.txt", folder / "runs", missing=rule, warn=False)  # type: ignore[arg-type]  # a name


@pytest.fixture(scope="module", params=["zero", "drop"])
def rule(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=ASKED)
def found(request: pytest.FixtureRequest, folder: Path, rule: str) -> Result:
    return getattr(ig, request.param)(loaded(folder, rule), **ASKED[request.param])


def flat(text: str) -> str:
    """A text as one line, without what Markdown and LaTeX escape."""
    whole = re.sub(r"\\allowbreak( |{})?", "", text)
    return " ".join(whole.replace("\\", "").replace("{}", "").replace("~", " ").split())


def test_the_answer_warns_right_after_its_first_sentence(found: Result, rule: str) -> None:
    told = found.findings()[1]
    assert (told.kind, told.tone, told.text) == ("missing", "warning", SAID[rule])
    assert told.fields == {"rule": rule, "topics": 3, "of": 10, "systems": {"F1-2": 3, "F2-1": 1}}
    assert len(found.findings().of("missing")) == 1


def test_every_table_and_chart_and_the_method_say_it(found: Result, rule: str) -> None:
    for table in found.tables():
        assert table.notes[-1] == NOTED[rule], table.name
        assert NOTED[rule] in flat(table.to_markdown()), table.name
        assert NOTED[rule] in flat(table.to_latex()), table.name
        assert NOTED[rule] in flat(table.to_html()), table.name
    for name in studies()[found.study].charts:
        with suppress(DesignError):  # where the options do not give this chart
            assert METHOD[rule] in found.chart(name).method, name
    for form in ("text", "markdown", "latex"):
        text = flat(found.to_text(form))
        assert SAID[rule] in text
        assert NOTED[rule] in text
        assert METHOD[rule] in text


def test_json_holds_it_as_data(found: Result, rule: str) -> None:
    shown = found.to_dict()
    assert shown["provenance"]["missing"] == {
        "rule": rule,
        "topics": 3,
        "of": 10,
        "systems": {"F1-2": 3, "F2-1": 1},
    }
    assert shown["findings"][1]["kind"] == "missing"


def test_a_study_of_what_was_measured_says_it_too(folder: Path, rule: str) -> None:
    measured = ig.measure(loaded(folder, rule), "AP", shards="even:2")
    assert ig.anova(measured).findings().of("missing").texts() == [SAID[rule]]
    assert ig.score(measured).findings().of("missing").texts() == [SAID[rule]]


def test_one_system_and_one_topic_are_one(folder: Path, golden: Golden) -> None:
    one = loaded(folder, "zero").only([2, 3])
    golden(ig.score(one, "AP").findings().of("missing").texts())
    qrels = {str(t): {"a": 1} for t in range(3)}
    runs = {"x": {str(t): {"a": 1.0} for t in range(3)}, "y": {str(t): {"b": 2.0, "a": 1.0} for t in range(2)}}
    dropped = ig.score(ig.load(qrels, runs, missing="drop", warn=False), "AP")
    golden(dropped.findings().of("missing").texts())


# check reports what the rule would do, whatever it is


def test_check_says_what_the_rule_does_to_all_judged_topics(folder: Path) -> None:
    for rule in ("zero", "drop"):
        found = ig.check(folder / "qrels.txt", folder / "runs", missing=rule)
        assert (found.topics, found.is_usable, found.exit_code) == (10, True, 0)
        assert {run.system: run.missing for run in found.runs} == {"F1-1": 0, "F1-2": 3, "F2-1": 1, "F2-2": 0}
        assert (found.findings()[1].tone, found.findings()[1].text) == ("warning", SAID[rule])
        assert "not in the run" not in str(found.findings())
        assert all(NOTED[rule] in table.notes for table in found.tables())


def test_check_reports_what_is_refused(folder: Path, run: Irgauge, golden: Golden) -> None:
    code, out, err = run("check", folder / "qrels.txt", folder / "runs", "--missing", "fail", "-q")
    assert (code, err) == (2, "")
    assert "The data cannot be used until 2 runs are fixed or removed." in out
    assert "Error: 3 of 10 topics must not be missing (missing: fail): F1-2 (3) and F2-1 (1)." in flat(out)
    apart = {"x": {"1": {"a": 1.0}}, "y": {"2": {"a": 1.0}}}
    found = ig.check({"1": {"a": 1}, "2": {"a": 1}}, apart, missing="drop")
    assert (found.is_usable, found.exit_code, found.findings()[1].tone) == (False, 2, "error")
    golden(found.findings()[1].text)


# commands


COMMANDS: Mapping[str, tuple[str, ...]] = {
    "score": (),
    "compare": (),
    "topics": (),
    "anova": ("--shards", "even:2"),
    "effects": ("--shards", "even:2"),
    "robustness": ("--shards", "2", "--resamples", "2"),
    "calibrate": ("--quick", "--trials", "2"),
    "partition": ("--splits", "2", "--draws", "20"),
    "bootstrap": ("--images", "5"),
    "pools": ("--images", "5", "--depths", "5", "--all-pairs"),
    "instances": ("--pattern", "{algorithm}-{seed}.run", "--no-posterior"),
}


@pytest.mark.parametrize("study", COMMANDS)
def test_every_command_takes_the_rule_and_says_it_even_when_quiet(study: str, folder: Path, run: Irgauge) -> None:
    inputs = (study, folder / "qrels.txt", folder / "runs", "-m", "AP", *COMMANDS[study], "--missing")
    code, out, err = run(*inputs, "drop", "-q", "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out)["findings"][1]["text"] == SAID["drop"]
    code, out, err = run(*inputs, "fail", "-q")
    assert (code, out) == (2, "")
    assert "2 runs do not answer all of the 10 judged topics:\n  F1-2: 3 topics (2, 5, 7)\n  F2-1: 1 topic (5)" in err


@pytest.mark.parametrize("form", ["csv", "trec", "parquet"])
def test_what_has_no_room_for_sentences_has_them_on_stderr_even_when_quiet(
    form: str, folder: Path, tmp_path: Path, run: Irgauge
) -> None:
    inputs = ("score", folder / "qrels.txt", folder / "runs", "-m", "AP", "-o", tmp_path / f"scores.{form}")
    assert run(*inputs, "-q") == (0, "", f"warning: {SAID['zero']}\n")
    code, _, err = run(*inputs)
    assert (code, err.splitlines()) == (
        0,
        [
            "note: F1-2: 3 topics (2, 5, 7) not in the run, scored 0",
            "note: F2-1: 1 topic (5) not in the run, scored 0",
            f"warning: {SAID['zero']}",
        ],
    )


def test_topics_that_a_system_of_a_table_lacks_are_treated_as_those_of_runs(tmp_path: Path, run: Irgauge) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("topic,system,score\n" + "".join(f"{t},a,0.{t}\n" for t in range(1, 5)) + "1,b,0.5\n3,b,0.25\n")
    code, out, _ = run("score", table, "--missing", "zero")
    assert (code, "b does not answer 2 of 4 topics; they score 0 there (missing: zero)." in out) == (0, True)
    code, out, _ = run("score", table, "--missing", "drop")
    assert (code, "2 of 4 topics are left out for all systems (missing: drop)" in out) == (0, True)
    code, out, err = run("score", table)
    assert (code, out) == (2, "")
    assert "scores are missing on some of the 4 topics:\n  b: 2 topics (2, 4)" in err
    assert "--missing is of runs" in run("instances", table, "--missing", "drop")[2]


def test_a_rule_that_is_unknown_is_refused(folder: Path, run: Irgauge) -> None:
    for command in ("score", "check", "report"):
        code, _, err = run(command, folder / "qrels.txt", folder / "runs", "--missing", "dorp")
        assert code == 2
        assert "the rule for missing topics 'dorp' is unknown; did you mean 'drop'? Choose from zero, drop, fail" in err


def test_help_names_the_rules(run: Irgauge) -> None:
    for command in ("score", "check", "report"):
        _, out, _ = run(command, "--help-all")
        assert all(f"{name} (" in flat(out) for name in ("zero", "drop", "fail"))


# the report


def test_a_report_warns_at_its_top_and_says_it_under_every_table_and_chart(folder: Path) -> None:
    found = ig.report((folder / "qrels.txt", folder / "runs"), "AP", shards=None, images=2, missing="drop")
    assert found.page.warnings[0] == SAID["drop"]
    assert found.provenance["missing"] == found.reporting.bench.collection.missing.fact
    assert (found.page.settings["missing topics"], found.page.settings["topics"]) == ("drop", 7)
    shown = [form for section in found.page.sections for panel in section.panels for form in panel.variants]
    assert len(shown) > 10
    for form in shown:
        assert form.table is None or form.table.notes[-1] == NOTED["drop"]
        assert form.figure is None or METHOD["drop"] in form.figure.method


def test_a_report_of_what_is_loaded_has_no_say_in_how(folder: Path) -> None:
    collection = loaded(folder, "drop")
    with pytest.raises(
        DesignError, match="'missing' is of files that are read, and a collection was given; give it to"
    ):
        ig.report(collection, "AP", missing="drop")
