"""Systems over many collections: against compare on each, the oracle and scipy over them; who is compared, who not."""

from __future__ import annotations

import gzip
import json
import pickle
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats

import irgauge as ig
from conftest import Golden
from irgauge import DesignError, InputError
from irgauge.studies.suite.findings import best_on, opposites
from irgauge.studies.suite.members import members_of, scored
from irgauge.studies.suite.options import SuiteOptions, Weights
from irgauge.studies.suite.study import SuiteCompared
from oracles import slow_stratified

Values = NDArray[np.float64]
NAMES = ("a", "b", "c")
SIZES = {"x": 30, "y": 12, "z": 50, "w": 26}


def drawn(seed: int = 1, spread: float = 0.1) -> dict[str, Values]:
    """values[topic, system] of each collection."""
    rng = np.random.default_rng(seed)
    lifted = {name: np.array([0.1, 0.05, 0.0]) + rng.normal(0, 0.03, 3) for name in SIZES}
    return {
        name: np.clip(rng.random((size, 1)) * 0.6 + lifted[name] + rng.normal(0, spread, (size, 3)), 0, 1)
        for name, size in SIZES.items()
    }


def tables(values: dict[str, Values], systems: tuple[str, ...] = NAMES, measure: str = "AP") -> dict[str, Any]:
    return {name: ig.load_scores(own, systems=systems, measure=measure) for name, own in values.items()}


# numbers


@pytest.mark.parametrize("options", [{}, {"baseline": "b"}, {"baseline": "b", "margin": "5%"}, {"margin": 0.02}])
def test_each_collection_says_what_compare_says(options: dict[str, Any]) -> None:
    given = tables(drawn())
    found = ig.suite(given, **options)
    for one in found.on:
        theirs = ig.compare(given[one.name], "AP", **options)
        assert one.claims.comparison.frame().equals(theirs.comparison.frame())
        assert one.claims.verdicts.verdicts == theirs.first.verdict.verdicts
        assert one.claims.verdicts.margin == theirs.first.margin
        assert one.topics == SIZES[one.name]
        if not options:
            assert one.claims.top_group == theirs.comparison.top_group


def test_other_topics_of_these_collections_by_the_definition() -> None:
    values = drawn()
    claims = ig.suite(tables(values)).under("same collections")
    for record in claims.pair_records():
        places = [NAMES.index(record[name]) for name in ("system", "against")]
        d, _, _, p = slow_stratified.tested(list(values.values()), places[0], places[1])
        assert (record["difference"], record["p"]) == pytest.approx((d, p), rel=1e-6)


def test_other_collections_that_disagree_by_scipy() -> None:
    values = {name: own + np.array([c, 0.0, -2.0 * c]) for c, (name, own) in enumerate(drawn().items())}
    means = np.array([own.mean(axis=0) for own in values.values()])  # collection, system
    claims = ig.suite(tables(values, measure="gain")).under("collections")
    assert claims.comparison.df == pytest.approx(len(SIZES) - 1)
    for record in claims.pair_records():
        theirs = stats.ttest_rel(*(means[:, NAMES.index(record[name])] for name in ("system", "against")))
        assert record["p"] == pytest.approx(theirs.pvalue)


def test_collections_count_the_same_or_by_their_topics() -> None:
    values = drawn()
    counts: dict[Weights, list[float]] = {"equal": [1.0] * 4, "topics": [float(len(own)) for own in values.values()]}
    for weights, of in counts.items():
        result = ig.suite(tables(values), weights=weights)
        means = np.average([own.mean(axis=0) for own in values.values()], axis=0, weights=of)
        for record in result.under("collections").pair_records():
            first, second = (NAMES.index(record[name]) for name in ("system", "against"))
            theirs = slow_stratified.over_strata(list(values.values()), first, second, of, 0.05)
            ours = record["difference"], record["p"], record["tau2"], record["i2"]
            assert ours == pytest.approx((theirs.mean, theirs.p, theirs.tau2, theirs.i2), abs=1e-9)
            assert (record["expected_low"], record["expected_high"]) == pytest.approx(theirs.expected)
            assert record["difference"] == pytest.approx(means[first] - means[second])
        assert result.to_dict()["weights"] == weights
        assert result.over_collections == pytest.approx(sorted(means, reverse=True))
    assert "by its topics" in result.table("systems").to_text()
    with pytest.raises(DesignError, match="weights"):
        ig.suite(tables(values), weights="precision")


def test_means_are_over_collections_each_counting_the_same() -> None:
    values = drawn()
    found = ig.suite(tables(values))
    means = np.mean([own.mean(axis=0) for own in values.values()], axis=0)
    assert found.systems == tuple(np.array(NAMES)[np.argsort(-means)])
    assert found.means.mean(axis=0) == pytest.approx(sorted(means, reverse=True))
    for claims in found.over:
        assert claims.every.systems == found.systems
        assert claims.every.means == pytest.approx(found.means.mean(axis=0))
    assert (found.collections, found.topics) == (tuple(sorted(SIZES)), 118)


def test_verdicts_over_collections_rest_on_the_margin() -> None:
    same = drawn(3, spread=0.02)
    level = {name: own[:, :1] + np.array([0.0, 0.001, -0.2]) * np.ones((len(own), 1)) for name, own in same.items()}
    noisy = {name: own + np.random.default_rng(5).normal(0, 0.01, own.shape) for name, own in level.items()}
    found = ig.suite(tables(noisy), baseline="a", margin=0.02)
    assert [
        dict(zip([x for x, _ in one.comparison.names], one.verdicts.verdicts, strict=True)) for one in found.over
    ] == [{"b": "equivalent", "c": "worse"}] * 2
    told = next(finding.text for finding in found.findings().of("pair") if "b is" in finding.text)
    assert "b is equivalent to a: they differ by less than 0.02 (difference" in told
    assert "90 % interval" in told
    assert ", p for no difference = " in told
    share = ig.suite(tables(noisy), baseline="a", margin="10%").over[0]
    assert share.verdicts.margin == pytest.approx(0.1 * np.mean([own[:, 0].mean() for own in noisy.values()]))


def test_identical_systems_are_equivalent_on_each_and_over_all() -> None:
    values = {name: own[:, [0, 0, 2]] for name, own in drawn().items()}
    found = ig.suite(tables(values))
    for claims in (*found.over, *(one.claims for one in found.on)):
        pairs = dict(zip(claims.comparison.names, claims.verdicts.verdicts, strict=True))
        assert pairs["a", "b"] == "equivalent"


def test_ranks_and_groups_are_of_all_pairs_with_a_baseline_too() -> None:
    given = tables(drawn())
    alone, against = ig.suite(given), ig.suite(given, baseline="c")
    for one, other in zip(alone.over, against.over, strict=True):
        assert [one.ranks_of(name) for name in NAMES] == [other.ranks_of(name) for name in NAMES]
        assert one.top_group == other.top_group
    assert [len(one.comparison.first) for one in against.over] == [2, 2]


def test_whether_collections_agree(golden: Golden) -> None:
    rng, signs = np.random.default_rng(1), {"x": 1, "y": 1, "z": -1}
    values = {name: 0.5 + rng.normal(0, 0.02, (20, 2)) + np.array([0.1 * sign, 0.0]) for name, sign in signs.items()}
    found = ig.suite({name: ig.load_scores(own, systems=("a", "b"), measure="AP") for name, own in values.items()})
    assert opposites(found) == (("a", "b", ("x", "y"), ("z",)),)
    assert best_on(found) == ("a", ("x", "y"))
    told = found.findings().of("opposite").texts()
    golden(told)


# what is given


def test_a_folder_of_collections_is_what_is_loaded_from_it(suite: Path) -> None:
    loaded = {
        name: ig.load(suite / name / "qrels.txt", suite / name / "runs", warn=False) for name in ("one", "three", "two")
    }
    found = ig.suite(suite, "AP")
    assert found.collections == ("one", "three", "two")
    assert found.frame().equals(ig.suite(loaded, "AP").frame())
    several = ig.suite([suite / "one", str(suite / "three"), suite / "two"], "AP")
    assert found.frame().equals(several.frame())
    assert found.measure == "AP"
    assert ig.suite(suite).measure == "nDCG@10"


def test_what_is_odd_about_runs_is_noted(suite: Path, tmp_path: Path, golden: Golden) -> None:
    shutil.copytree(suite, tmp_path / "odd")
    (tmp_path / "odd" / "two" / "runs" / "F1-1.run").write_text("1 Q0 elsewhere 1 2.5 F1-1\n")
    found = ig.suite(tmp_path / "odd", "AP")
    note = "F1-1: none of its documents is judged; is it a run on another collection?"
    assert found.notes == {"two": (note,)}
    assert found.findings().of("join").texts() == [f"On the data: two: {note}"]
    golden(found.findings()[1].text)
    assert ig.suite(suite, "AP").findings().of("join") == ()


def test_threads_change_nothing(suite: Path) -> None:
    told: list[tuple[int, int]] = []
    one = ig.suite(suite, "AP", workers=1, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert one.to_dict() == ig.suite(suite, "AP", workers=3).to_dict()


def test_reading_a_collection_is_a_task_of_its_own_that_can_be_sent_elsewhere(suite: Path) -> None:
    sent = pickle.dumps((partial(scored, options=SuiteOptions("AP"), workers=1), members_of(suite, None)[0]))
    task, member = pickle.loads(sent)  # noqa: S301  # our own
    read = task(member)
    assert (read.name, read.notes) == ("one", ())
    theirs = ig.score(ig.load(suite / "one" / "qrels.txt", suite / "one" / "runs", warn=False), "AP")
    assert np.array_equal(read.scores.scores.values, theirs.scores.values)


def test_tables_and_folders_and_packed_judgments_go_together(suite: Path, tmp_path: Path) -> None:
    ig.score(ig.load(suite / "one" / "qrels.txt", suite / "one" / "runs", warn=False), "AP").scores.save(
        tmp_path / "one.csv"
    )
    for name in ("two", "three"):  # as in BEIR, and compressed
        (tmp_path / name).mkdir()
        (tmp_path / name / "runs").symlink_to(suite / name / "runs")
    (tmp_path / "two" / "qrels").mkdir()
    judged = [line.split() for line in (suite / "two" / "qrels.txt").read_text().splitlines()]
    rows = ["query-id\tcorpus-id\tscore", *(f"{topic}\t{docno}\t{grade}" for topic, _, docno, grade in judged)]
    (tmp_path / "two" / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n")
    (tmp_path / "three" / "qrels.txt.gz").write_bytes(gzip.compress((suite / "three" / "qrels.txt").read_bytes()))
    (tmp_path / "README.md").write_text("Not a collection.\n")
    (tmp_path / ".hidden").mkdir()
    assert ig.suite(tmp_path, "AP").frame().equals(ig.suite(suite, "AP").frame())


def test_systems_that_are_missing_somewhere_are_left_out_and_named() -> None:
    values = drawn()
    given = tables(values)
    given["y"] = ig.load_scores(values["y"][:, :2], systems=("a", "b"), measure="AP")
    given["z"] = ig.load_scores(
        np.column_stack([values["z"], values["z"][:, 0]]), systems=(*NAMES, "new"), measure="AP"
    )
    found = ig.suite(given)
    assert sorted(found.systems) == ["a", "b"]
    assert found.left_out == {"c": ("y",), "new": ("w", "x", "y")}
    (told,) = found.findings().of("left-out")
    assert (told.tone, told.text) == (
        "warning",
        "2 systems are left out, as not in all 4 collections: c (not in y) and new (not in w, x and y).",
    )
    assert found.to_dict()["left_out"] == {"c": ["y"], "new": ["w", "x", "y"]}
    with pytest.raises(DesignError, match="the baseline c is missing in y; add its run there"):
        ig.suite(given, baseline="c")
    given["w"] = ig.load_scores(values["w"][:, :2], systems=("b", "other"), measure="AP")
    with pytest.raises(DesignError) as caught:
        ig.suite(given)
    assert str(caught.value) == (
        "only 1 system is in all 4 collections, and a comparison needs 2; systems are matched by the names of their "
        "runs (see --name-by): other is missing in x, y, z; a is missing in w; c is missing in w, y; new is missing in "
        "w, x, y"
    )


def test_missing_topics_are_those_of_all_collections(tmp_path: Path, golden: Golden) -> None:
    for name in ("x", "y"):
        rows = [f"{t},{s},{0.1 * t + 0.05 * i}" for t in range(5) for i, s in enumerate(NAMES) if (t, s) != (3, "b")]
        (tmp_path / f"{name}.csv").write_text("\n".join(["topic,system,AP", *rows]) + "\n")
    found = ig.suite(tmp_path, missing="zero")
    assert found.provenance["missing"] == {"rule": "zero", "topics": 2, "of": 10, "systems": {"b": 2}}
    golden(found.findings()[1].text)
    assert all(table.notes[-1] == "Missing topics score 0: b (2)." for table in found.tables())
    dropped = ig.suite(tmp_path, missing="drop")
    assert (dropped.topics, dropped.provenance["missing"]["topics"]) == (8, 2)  # type: ignore[index]  # a mapping
    with pytest.raises(InputError, match="scores are missing on some of the 5 topics"):
        ig.suite(tmp_path)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "a suite has at least 2 collections, and there is 0; for one use"),
        ({"x": drawn()["x"]}, r"at least 2 collections, and there is 1 \(x\)"),
        ({"x": drawn()["x"], "y": drawn()["y"][:1]}, "y has 1 topic; a collection needs at least 2"),
    ],
)
def test_what_is_no_suite_is_refused(given: dict[str, Values], said: str) -> None:
    with pytest.raises((DesignError, InputError), match=said):
        ig.suite(tables(given))


def test_different_measures_are_refused() -> None:
    values = drawn()
    given = tables({"x": values["x"]}) | tables({"y": values["y"]}, measure="RR")
    with pytest.raises(DesignError, match=r"different measures \(x: AP, y: RR\); name one that all have"):
        ig.suite(given)
    with pytest.raises(DesignError, match="y: the table has no scores of AP; it has RR"):
        ig.suite(given, "AP")
    with pytest.raises(DesignError, match="data is a int; a suite is of several collections: give a folder"):
        ig.suite(3)  # type: ignore[arg-type]  # what is tested


def test_options_that_cannot_be_are_refused() -> None:
    given = tables(drawn())
    with pytest.raises(DesignError, match="the margin 2% is a share of the baseline's mean; name a baseline"):
        ig.suite(given, margin="2%")
    with pytest.raises(DesignError, match=r"alpha is 0\.3; verdicts against a margin need one below 0\.25"):
        ig.suite(given, margin=0.1, alpha=0.3)
    with pytest.raises(
        DesignError, match="nothing was compared for the population 'topics'; there is same collections"
    ):
        ig.suite(given).under("topics")


# JSON


def test_json_holds_every_number(tmp_path: Path) -> None:
    found: SuiteCompared = ig.suite(tables(drawn()), baseline="c", margin=0.01)
    found.save(tmp_path / "suite.json")
    read = json.loads((tmp_path / "suite.json").read_text())
    assert read["study"] == "suite"
    assert [one["collection"] for one in read["collections"]] == sorted(SIZES)
    assert {name: len(one["pairs"]) for name, one in read["populations"].items()} == {
        "same collections": 2,
        "collections": 2,
    }
    first = read["systems"][0]
    assert first["mean"] == pytest.approx(np.mean(list(first["means"].values())))
    assert set(first["ranks"]) == {"same collections", "collections"}
    assert read["provenance"]["population"] == "same collections"
    assert read["provenance"]["beside"][0]["population"] == "collections"


def test_wide_tables_get_their_measure_from_the_option(tmp_path: Path) -> None:
    rows: dict[str, list[Any]] = {
        "topic": [str(t) for t in range(12)],
        "a": [t / 20 for t in range(12)],
        "b": [(t % 5) / 5 for t in range(12)],
    }
    for name in ("one", "two"):
        pl.DataFrame(rows).write_csv(tmp_path / f"{name}.csv")
    frames = {"one": pl.DataFrame(rows), "two": pl.DataFrame(rows)}
    for collections in (tmp_path, frames):
        assert ig.suite(collections, "nDCG@10").measure == "nDCG@10"
    gaps = frames | {"two": pl.DataFrame(rows | {"b": [None, *rows["b"][1:]]})}
    assert ig.suite(gaps, "nDCG@10", missing="drop").measure == "nDCG@10"
    with pytest.raises(InputError, match="missing"):
        ig.suite(gaps, "nDCG@10")
    pl.DataFrame(rows).write_csv(tmp_path / "AP.csv")
    with pytest.raises(DesignError, match="AP: the table has no scores of nDCG@10; it has AP"):
        ig.suite(tmp_path, "nDCG@10")
