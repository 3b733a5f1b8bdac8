"""Verbs fit together: each takes what the others give, and what these take, under the same names."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.conversion import to_dicts, to_pandas
from irgauge.options.fields import options_of
from irgauge.studies.registry import studies

SYSTEMS = ("F1-1", "F1-2", "F2-1", "F2-2")
OF_RUNS = ("load", "simulate", "pair of paths", "paths", "pair of dicts", "pair of frames")
OF_SCORES = ("score", "measure", "load_scores", "polars", "pandas", "dict", "lists", "array", "path", "list of paths")
QUICK: Mapping[str, Mapping[str, Any]] = {  # options of any data, then of runs alone
    "bootstrap": {"images": 4},
    "calibrate": {"quick": True, "trials": 2},
    "instances": {"posterior": False},
    "plan": {"difference": 0.1},
    "pools": {"images": 4, "depths": [2], "all_pairs": True},
    "robustness": {"shards": (2,), "resamples": 2, "sparse": True},
    "sensitivity": {"draws": 30},
    "thinning": {"sizes": [50], "repeats": 2, "draws": 30},
}
OF_RUNS_ALONE: Mapping[str, Mapping[str, Any]] = {
    "effects": {"shards": ["even:2"], "sparse": True},
    "instances": {"labels": {system: (system[:2], system[-1]) for system in SYSTEMS}},
    "partition": {"splits": 2, "fill": "drop"},
    "report": {"images": 2, "resamples": 1, "shards": None},
}
MADE = ig.simulate(systems=4, families=2, topics=8, depth=30, corpus_size=100, seed=1)
OF_FILES = ["lists", "tied", "all_tied", "contradicting"]  # columns of a check
OTHERS = {"measure": ig.measure, "report": ig.report}  # verbs of data that are no studies
VERBS: Mapping[str, Any] = {**{name: study.verb for name, study in studies().items() if study.reads_runs}, **OTHERS}


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """The same small experiment in every form."""
    made = MADE
    folder = tmp_path_factory.mktemp("forms") / "made"
    made.write(folder)
    qrels, files = folder / "qrels.txt", sorted((folder / "runs").iterdir())
    runs = ig.load(qrels, folder / "runs", warn=False)
    assert runs.corpus_size == made.collection().corpus_size  # every document is seen, so that all draw the same
    scored = ig.score(runs, ["AP", "P@10"])
    scores = scored.scores
    scores.save(folder / "scores.csv")
    return {
        "load": runs,
        "simulate": made,
        "pair of paths": (qrels, folder / "runs"),
        "paths": [str(qrels), *map(str, files)],
        "pair of dicts": tuple(to_dicts(runs)),
        "pair of frames": (_judgments(runs), _ranked(runs)),
        "score": scored,
        "measure": ig.measure(runs, ["AP", "P@10"]),
        "load_scores": ig.load_scores(folder / "scores.csv"),
        "polars": scores.frame(),
        "pandas": to_pandas(scores),
        "dict": {str(m): _by_system(scores, i) for i, m in enumerate(scores.measures)},
        "lists": scores.frame().to_dict(as_series=False),
        "array": scores.values[0, :, :, 0],
        "path": folder / "scores.csv",
        "list of paths": [folder / "scores.csv"],
    }


def _by_system(scores: ig.Scores, measure: int) -> dict[str, dict[str, float]]:
    by_system = scores.values[measure, :, :, 0].T.tolist()
    return {system: dict(zip(scores.topics, own, strict=True)) for system, own in zip(SYSTEMS, by_system, strict=True)}


def _judgments(runs: ig.Collection) -> pl.DataFrame:
    rows = [(t, d, g) for t, grades in to_dicts(runs).qrels.items() for d, g in grades.items()]
    return pl.DataFrame(rows, schema=["query_id", "doc_id", "relevance"], orient="row")


def _ranked(runs: ig.Collection) -> pl.DataFrame:
    lists = to_dicts(runs).runs.items()
    rows = [(s, t, d, score) for s, topics in lists for t, docs in topics.items() for d, score in docs.items()]
    return pl.DataFrame(rows, schema=["system", "query_id", "doc_id", "score"], orient="row")


def asked(verb: str, form: str, data: Any) -> Any:  # noqa: ANN401  # any form
    """What a verb says of data in some form, with as few options as it needs."""
    systems = tuple(f"system{i}" for i in range(1, 5)) if form == "array" else SYSTEMS
    measures: Any = "score" if form == "array" else ["AP", "P@10"] if verb == "agreement" else "AP"
    options = {**QUICK.get(verb, {}), **(OF_RUNS_ALONE.get(verb, {}) if form in OF_RUNS else {})}
    if verb == "gate":
        return ig.gate(data, systems[0], systems[2], measures, margin="5%")
    if verb == "check":
        return ig.check(data)
    if verb == "suite":
        return ig.suite({"x": data, "y": data}, measures)
    if verb == "judges":
        same = to_dicts(MADE.collection()).qrels if form in OF_RUNS else data
        return ig.judges(data, {"same": same}, measures, draws=5)
    if verb == "teams":
        options["groups"] = {system: system[:-1] for system in systems}
    return VERBS[verb](data, measures, **options)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_runs_in_every_form(verb: str, forms: Mapping[str, Any]) -> None:
    of_loaded = asked(verb, "load", forms["load"]).frame()
    for form in OF_RUNS[1:]:
        frame = asked(verb, form, forms[form]).frame()
        unknown = OF_FILES if verb == "check" else []  # of runs that were loaded before
        assert frame.drop(unknown, strict=False).equals(of_loaded.drop(unknown, strict=False)), form


def _lacking(verb: str) -> str | None:
    """Why scores on the whole corpus are not enough, where they are not."""
    if verb in studies() and studies()[verb].needs_runs:
        return "needs runs and judgments, and a table of scores was given"
    return "replicates" if verb in ("effects", "partition") else None


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_scores_in_every_form(verb: str, forms: Mapping[str, Any]) -> None:
    for form in OF_SCORES:
        if reason := _lacking(verb):
            with pytest.raises(ig.DesignError, match=reason):
                asked(verb, form, forms[form])
        elif (verb, form) != ("agreement", "array"):  # which has one measure
            assert len(asked(verb, form, forms[form]).frame()) > 0, form


@pytest.mark.parametrize("verb", ["compare", "gate", "teams"])
def test_scores_say_what_the_runs_say_that_they_are_of(verb: str, forms: Mapping[str, Any]) -> None:
    of_runs = asked(verb, "load", forms["load"]).frame()
    for form in ("score", "measure", "polars"):
        assert asked(verb, form, forms[form]).frame().equals(of_runs)


def test_scores_that_were_made_of_runs_say_how(forms: Mapping[str, Any]) -> None:
    assert "source" not in ig.compare(forms["score"], "AP").provenance
    assert ig.compare(forms["score"], "AP").provenance["precision"] == "double"
    assert ig.compare(forms["polars"], "AP").provenance["source"] == "a table of scores"


# the same names


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_asked_of_data_and_measures(verb: str) -> None:
    first, *others = inspect.signature(VERBS[verb]).parameters
    assert first == "data"
    assert "measure" not in others
    assert ("measures" in others) == (verb != "check")


def test_a_measure_is_given_alone_or_in_a_list(forms: Mapping[str, Any]) -> None:
    runs = forms["load"]
    for measures in ("AP", ig.AP, ["AP"], (ig.AP,)):
        assert ig.compare(runs, measures).measures == ("AP",)
        assert ig.topics(runs, measures).measure == "AP"
    with pytest.raises(ig.DesignError, match="asked of one measure at a time, and 2 are given: AP, RR"):
        ig.topics(runs, ["AP", "RR"])


SPELT: Mapping[str, Any] = {**VERBS, "load": ig.load, "simulate": ig.simulate}


@pytest.mark.parametrize("verb", SPELT)
def test_a_misspelt_option_is_told_with_the_right_one_and_no_name_of_the_inside(verb: str) -> None:
    for option in options_of(SPELT[verb].options):
        wrong = f"{option.name}_"
        with pytest.raises(TypeError) as raised:
            SPELT[verb](*_data(verb), **{wrong: 1})
        assert str(raised.value) == f"{verb} has no option '{wrong}'; did you mean {option.name}?"


@pytest.mark.parametrize("verb", SPELT)
def test_arguments_that_do_not_fit_are_told_without_a_name_of_the_inside(verb: str) -> None:
    taken = [*inspect.signature(SPELT[verb]).parameters.values()]
    by_place = [parameter.name for parameter in taken if parameter.kind is not parameter.KEYWORD_ONLY]
    values = ["x"] * (len(by_place) + 1)
    calls: list[tuple[list[str], dict[str, str], str]] = [(values, {}, "besides; name it")]
    if len(by_place) > 1:
        calls.append((values[:-1], {by_place[-1]: "x"}, f"{by_place[-1]}"))
    for args, kwargs, message in calls:
        with pytest.raises(TypeError, match=message) as raised:
            SPELT[verb](*args, **kwargs)
        assert str(raised.value).startswith(verb)
        assert "__init__" not in str(raised.value)
        assert "Options" not in str(raised.value)


def test_what_must_be_given_is_told() -> None:
    with pytest.raises(TypeError, match=r"^gate needs baseline"):
        ig.gate("x")  # type: ignore[call-arg]  # on purpose
    with pytest.raises(TypeError, match=r"^load needs qrels and runs"):
        ig.load()  # type: ignore[call-arg]  # on purpose


def _data(verb: str) -> tuple[object, ...]:
    return () if verb in ("load", "simulate") else (object(),)


def test_an_old_name_says_the_new_one() -> None:
    with pytest.raises(AttributeError, match=r"irgauge\.scores is called irgauge\.load_scores now"):
        ig.scores  # type: ignore[attr-defined]  # noqa: B018  # it is looked up


# a gate is true if it passes


def test_a_gate_is_true_if_it_passes_and_only_then() -> None:
    noise = np.random.default_rng(1).normal(0, 0.01, (30, 3))
    table = ig.load_scores(noise + np.array([0.5, 0.6, 0.5]), systems=["old", "better", "alike"])
    passes = ig.gate(table, "old", "better", margin=0.001)
    fails = ig.gate(table, "better", "old", margin=0.001)
    unsure = ig.gate(table, "old", "alike", margin=0.001)
    assert [gate.verdict for gate in (passes, fails, unsure)] == ["pass", "fail", "undecided"]
    assert [bool(gate) for gate in (passes, fails, unsure)] == [True, False, False]
    assert [gate.passed for gate in (passes, fails, unsure)] == [True, False, False]
    assert ig.gate(table, "old", "alike", margin=0.001, undecided="pass")  # as was asked for


def test_a_gate_takes_runs_as_they_were_loaded(forms: Mapping[str, Any]) -> None:
    qrels, folder = forms["pair of paths"]
    by_files = ig.gate(qrels, folder / "F1-1.run", folder / "F2-1.run", "AP", margin="5%")
    assert by_files.frame().equals(asked("gate", "load", forms["load"]).frame())
    several = ig.gate(forms["load"], ["F1-1", "F1-2"], ["F2-1", "F2-2"], "AP", margin="5%")
    assert (several.baseline, several.candidate, several.runs) == ("F1", "F2", (2, 2))
    for wrong, message in (("F1-9", "the candidate 'F1-9' is unknown"), ("F1-1", "is the baseline and the candidate")):
        with pytest.raises(ig.DesignError, match=message):
            ig.gate(forms["load"], "F1-1", wrong, "AP", margin="5%")
    with pytest.raises(ig.DesignError, match="'depth' is of files that are read, and a collection was given"):
        ig.gate(forms["load"], "F1-1", "F2-1", "AP", margin="5%", depth=10)
    with pytest.raises(ig.DesignError, match="a lock keeps fingerprints of files"):
        ig.gate(forms["load"], "F1-1", "F2-1", "AP", margin="5%", lock="x.lock")


def test_a_gate_and_a_check_follow_what_was_settled_of_missing_topics(forms: Mapping[str, Any]) -> None:
    qrels, runs = forms["pair of dicts"]
    topic = next(iter(qrels))
    lacking = runs | {"F2-1": {name: own for name, own in runs["F2-1"].items() if name != topic}}
    rules: tuple[tuple[Literal["zero", "drop"], int], ...] = (("zero", 8), ("drop", 7))
    for rule, topics in rules:
        loaded = ig.load(qrels, lacking, missing=rule, warn=False)
        gated = ig.gate(loaded, "F1-1", "F2-1", "AP", margin=0.1)
        by_runs = ig.gate(qrels, {"F1-1": runs["F1-1"]}, {"F2-1": lacking["F2-1"]}, "AP", margin=0.1, missing=rule)
        assert gated.topics == by_runs.topics == topics
        assert gated.frame().equals(by_runs.frame())
        assert gated.provenance["missing"] == by_runs.provenance["missing"]
        assert gated.notes == by_runs.notes
        of_files = ig.check(qrels, lacking, missing=rule)
        assert ig.check(loaded).missing == of_files.missing
        assert ig.check(loaded).notes == of_files.notes


# navigation


def test_a_collection_is_looked_at_by_its_systems(forms: Mapping[str, Any]) -> None:
    runs = forms["load"]
    assert runs["F1-2"].systems == ("F1-2",)
    assert runs.only(["F2-1", "F1-1"]).systems == ("F2-1", "F1-1")
    assert runs[["F1-1", "F1-2"]].systems == runs.only([0, 1]).systems
    assert [run.systems for run in runs] == [(system,) for system in SYSTEMS]
    assert (len(runs), len(runs.topics)) == (4, 8)
    with pytest.raises(ig.DesignError, match="the system 'F1-3' is unknown; did you mean"):
        runs["F1-3"]


def test_scores_and_results_are_looked_at_by_their_measures(forms: Mapping[str, Any]) -> None:
    scores = forms["load_scores"]
    assert scores["P@10"].measures == (ig.P @ 10,)
    assert forms["measure"][ig.P @ 10].frame().equals(scores["P@10"].frame())
    result = ig.compare(forms["load"], ["AP", "P@10"])
    assert [part.measure for part in result] == ["AP", "P@10"]
    assert len(result) == 2
    assert result["P@10"] is result["P_10"] is result[ig.P @ 10]
    assert "AP" in result
    assert "RR" not in result
    with pytest.raises(ig.DesignError, match="the measure 'PA' is unknown; did you mean 'AP'"):
        result["PA"]


def test_a_population_is_taken_by_its_name(forms: Mapping[str, Any]) -> None:
    runs = forms["load"]
    result = ig.compare(runs, ["AP", "P@10"], shards="even:2", sparse=True, family="each")
    both = result.population("both")
    assert both["AP"].populations == ("both",)
    asked_for = ig.compare(runs, ["AP", "P@10"], shards="even:2", sparse=True, population="both", family="each")
    assert both.comparison.p_adjusted.tolist() == asked_for.comparison.p_adjusted.tolist()
    assert both.findings()
    assert both.tables()
    assert all(both.chart(name) for name in both.charts())
    with pytest.raises(ig.DesignError, match="the population 'bth' is unknown; did you mean 'both'"):
        result.population("bth")
    over = ig.suite({"x": runs, "y": runs}, "AP")
    assert [claims.population for claims in over.population("collections").over] == ["collections"]
    assert over.population("collections").findings()
