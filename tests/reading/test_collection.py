"""The join of runs and qrels: against a slow join, in its notes, and in every fault it locates."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from irgauge import Collection, DesignError, InputError, load
from irgauge.errors import DataWarning
from irgauge.reading.collection import gathered, join, run_readers
from irgauge.reading.formats import read_qrels
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.numbering import UNKNOWN
from irgauge.reading.objects import qrels_of
from irgauge.reading.options import Documents, Joining, Precision
from irgauge.scoring.catalogue import RECORDS
from irgauge.scoring.drawn import Images, Shards
from irgauge.scoring.scores import score
from oracles.sameness import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # most data here have gaps on purpose
Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]
Judged = tuple[int, int]  # grade, stratum

QRELS: Qrels = {"401": {"d1": 1, "d2": 0}, "402": {"d1": 0, "d3": 2}}
RUN: Run = {"401": {"d1": 2.0, "d2": 1.0}, "402": {"d3": 1.0, "d4": 0.5}}

ALL_MEASURES = [
    record.name + ("@0.5" if record.at else "@5" if record.cutoff == "required" else "")
    for record in RECORDS
    if record.diversity is None  # these need judgments by subtopic
]
SOME_WITH_CUTOFF = ["AP@3", "nDCG@4", "RR@2", "Judged@3", "AP(rel=2)", "Bpref(rel=2)"]


# what a collection says, as plain Python


def docno(collection: Collection, doc: int) -> str | None:
    return None if doc == UNKNOWN else str(collection.docnos[int(doc)])


def judged(collection: Collection, level: int) -> Judged | None:
    return None if level == UNJUDGED else (int(collection.grades[level]), int(collection.strata[level]))


def ranked(collection: Collection) -> dict[tuple[str, str], list[tuple[str | None, Judged | None]]]:
    """The list of each topic and system: docnos in rank order with their grades and strata."""
    lists = {}
    for t, topic in enumerate(collection.topics):
        for s, system in enumerate(collection.systems):
            entries = range(collection.firsts[t, s], collection.firsts[t, s] + collection.lengths[t, s])
            lists[topic, system] = [
                (docno(collection, collection.docs[e]), judged(collection, collection.levels[e])) for e in entries
            ]
    return lists


def judgments(collection: Collection) -> dict[str, dict[str | None, Judged | None]]:
    """Grades and strata by topic and docno."""
    return {
        topic: {
            docno(collection, collection.judged_docs[j]): judged(collection, collection.judged_levels[j])
            for j in range(first, last)
        }
        for topic, (first, last) in zip(collection.topics, pairwise(collection.judged_bounds), strict=True)
    }


def slow_lists(qrels: Qrels, runs: Mapping[str, Run]) -> dict[tuple[str, str], list[tuple[str, Judged | None]]]:
    """What the join must give, from its definition."""
    lists = {}
    for topic in (topic for topic, grades in qrels.items() if any(grade > 0 for grade in grades.values())):
        for system, run in runs.items():
            scores = run.get(topic, {})
            order = sorted(scores, key=lambda d: (scores[d], d.encode()), reverse=True)
            grades = qrels[topic]
            lists[topic, system] = [(d, (grades[d], 0) if d in grades else None) for d in order]
    return lists


# files


def run_text(run: Run, tag: str) -> str:
    return "".join(f"{t} Q0 {d} 0 {score!r} {tag}\n" for t, scores in run.items() for d, score in scores.items())


def qrels_text(qrels: Qrels) -> str:
    return "".join(f"{t} 0 {d} {grade}\n" for t, grades in qrels.items() for d, grade in grades.items())


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def write_all(folder: Path, qrels: Qrels, runs: Mapping[str, Run]) -> tuple[Path, list[Path]]:
    paths = [written(folder / f"{tag}.run", run_text(run, tag)) for tag, run in runs.items()]
    return written(folder / "qrels.txt", qrels_text(qrels)), paths


def random_data(seed: int, *, systems: int = 3, topics: int = 6, docs: int = 40) -> tuple[Qrels, dict[str, Run]]:
    """Graded qrels with unsampled documents, and runs with ties that lack some topics and have others."""
    rng = np.random.default_rng(seed)
    names = [f"{prefix}{i}" for i, prefix in enumerate(rng.choice(["FT", "LA", "é", "FBIS3-"], docs))]
    qrels: Qrels = {
        str(401 + t): {str(d): int(g) for d, g in zip(rng.choice(names, 20, replace=False), grades, strict=True)}
        for t, grades in enumerate(rng.choice([-1, 0, 0, 1, 2, 3], (topics, 20)))
    }
    runs: dict[str, Run] = {
        f"sys{s}": {
            topic: {str(d): float(rng.integers(0, 8)) / 4 for d in rng.permutation(names)[: rng.integers(1, docs)]}
            for topic in rng.permutation([*qrels, "999"])[: topics - 1]
            if topic in qrels or s
        }
        for s in range(systems)
    }
    return qrels, runs


# the join

topics = st.sampled_from(["401", "402", "403", "é"])
some_docnos = st.text("ab1é", min_size=1, max_size=3)
some_qrels = st.dictionaries(topics, st.dictionaries(some_docnos, st.integers(-1, 3), min_size=1), min_size=1)
some_scores = st.sampled_from([0.0, -0.0, 0.5, 1.0, -2.0, float("inf")]) | st.floats(allow_nan=False)
some_runs = st.dictionaries(topics, st.dictionaries(some_docnos, some_scores, min_size=1), min_size=1)


@settings(deadline=None, max_examples=60)
@given(some_qrels, st.dictionaries(st.sampled_from(["a", "b", "c"]), some_runs, min_size=1))
def test_the_join_is_that_of_its_definition(qrels: Qrels, runs: dict[str, Run]) -> None:
    kept = sorted(topic for topic, grades in qrels.items() if any(grade > 0 for grade in grades.values()))
    assume(kept)
    assume(all(set(run) & set(kept) for run in runs.values()))
    collection = load(qrels, runs, workers=2)
    assert collection.topics == tuple(kept)
    assert collection.systems == tuple(sorted(runs))
    assert ranked(collection) == slow_lists(qrels, runs)
    assert judgments(collection) == {t: {d: (g, 0) for d, g in qrels[t].items()} for t in kept}
    assert collection.relevant_counts().tolist() == [sum(g > 0 for g in qrels[t].values()) for t in kept]
    docnos = collection.docnos.to_list()
    assert docnos == sorted(set(docnos), key=str.encode)


@pytest.mark.parametrize("seed", range(3))
def test_files_give_the_join_of_its_definition(seed: int, tmp_path: Path) -> None:
    qrels, runs = random_data(seed)
    collection = load(*write_all(tmp_path, qrels, runs))
    assert ranked(collection) == slow_lists(qrels, runs)
    assert collection.origins == tuple(str(tmp_path / f"{tag}.run") for tag in runs)


def test_topics_are_those_of_the_qrels_in_the_order_of_their_names() -> None:
    qrels = {"10": {"d": 1}, "9": {"d": 1}, "b": {"d": 1}, "a": {"d": 1}}
    run = {topic: {"d": 1.0} for topic in ("a", "10", "b", "9")}
    assert load(qrels, {"mine": run}).topics == ("9", "10", "a", "b")


@pytest.mark.parametrize("grades", [{"d1": 0}, {"d1": 0, "d2": -1}])
def test_a_topic_without_relevant_documents_is_left_out_and_noted(grades: dict[str, int]) -> None:
    collection = load({"400": grades, **QRELS}, {"mine": {**RUN, "400": {"d1": 1.0}}})
    assert collection.topics == ("401", "402")
    assert "1 topic (400) of the qrels without a relevant document left out" in map(str, collection.notes)
    assert judgments(collection)["401"] == {"d1": (1, 0), "d2": (0, 0)}


def test_many_topics_are_noted_by_number_and_the_first_five_by_name() -> None:
    empty = {f"e{i}": {"d1": 0} for i in range(7)}
    collection = load({**QRELS, **empty}, {"mine": RUN})
    assert tuple(map(str, collection.notes)) == (
        "7 topics (e0, e1, e2, e3, e4, ...) of the qrels without a relevant document left out",
    )


def test_a_topic_missing_from_a_run_has_length_0_is_noted_and_scores_0() -> None:
    runs = {"mine": RUN, "other": {"402": {"d3": 1.0}}}
    collection = load(QRELS, runs)
    assert collection.lengths.tolist() == [[2, 0], [2, 1]]
    assert tuple(map(str, collection.notes)) == ("other: 1 topic (401) not in the run, scored 0",)
    values = score(collection, ["AP", "P@5", "nDCG", "RR", "R@5", "Bpref"]).values[:, :, 1, 0]
    assert (values[:, 0] == 0).all()
    assert (values[:, 1] > 0).all()


def test_topics_that_are_not_in_the_qrels_are_left_out_and_noted() -> None:
    collection = load(QRELS, {"mine": {"1": {"x": 1.0}, **RUN, "2": {"y": 1.0}}})
    assert tuple(map(str, collection.notes)) == ("mine: 2 of its topics not in the qrels, left out",)
    assert_same(collection, load(QRELS, {"mine": RUN}), but=["notes"])


def test_a_run_with_no_topic_of_the_qrels_is_refused(tmp_path: Path) -> None:
    qrels, paths = write_all(tmp_path, QRELS, {"mine": RUN, "other": {"501": {"d1": 1.0}, "502": {"d1": 1.0}}})
    message = r"none of this run's topics \(501, 502, \.\.\.\) has a relevant document in the qrels; is it of "
    with pytest.raises(InputError, match=message) as caught:
        load(qrels, paths)
    assert (caught.value.path, caught.value.line) == (str(paths[1]), None)


def test_a_run_of_topics_without_relevant_documents_only_is_refused() -> None:
    with pytest.raises(InputError, match="has a relevant document in the qrels"):
        load({"400": {"d1": 0}, **QRELS}, {"mine": {"400": {"d1": 1.0}}})


def test_a_run_without_judged_documents_is_noted() -> None:
    runs = {"mine": RUN, "other": {"401": {"x1": 1.0, "d3": 0.5}, "402": {"x2": 1.0}}}
    collection = load(QRELS, runs)
    assert tuple(map(str, collection.notes)) == (
        "other: none of its documents is judged; is it a run on another collection?",
    )


def test_loading_warns_of_every_note_where_it_is_called() -> None:
    runs = {"mine": {**RUN, "1": {"x": 1.0}}, "other": {"402": {"x2": 1.0}}}
    with pytest.warns(DataWarning) as warned:
        collection = load(QRELS, runs)
    assert len(collection.notes) == 3
    assert [str(one.message) for one in warned] == list(map(str, collection.notes))
    assert {one.filename for one in warned} == {__file__}


def test_warnings_are_given_where_they_are_wanted_and_needed() -> None:
    gaps = {"mine": {"401": {"d1": 1.0}}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load(QRELS, gaps, warn=False).notes
        assert join(qrels_of(QRELS), run_readers(gaps)).notes
        load(QRELS, {"mine": RUN})
        with pytest.raises(DataWarning, match=r"mine: 1 topic \(402\) not in the run, scored 0"):
            load(QRELS, gaps)


def test_a_faultless_collection_has_no_notes() -> None:
    assert load(QRELS, {"mine": RUN}).notes == ()


def test_qrels_without_any_relevant_document_are_refused(tmp_path: Path) -> None:
    qrels, paths = write_all(tmp_path, {"401": {"d1": 0}, "402": {"d1": -1}}, {"mine": RUN})
    with pytest.raises(InputError, match="no topic has a relevant document") as caught:
        load(qrels, paths)
    assert caught.value.path == str(qrels)


def test_runs_may_be_a_path_a_folder_a_pattern_or_several(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    qrels = written(tmp_path / "qrels", qrels_text(QRELS))
    paths = [written(tmp_path / "runs" / f"{tag}.run", run_text(RUN, tag)) for tag in ("a", "b")]
    for runs in (tmp_path / "runs", str(tmp_path / "runs" / "*.run"), paths, tuple(map(str, paths))):
        assert load(str(qrels), runs).systems == ("a", "b")
    assert load(qrels, paths[1]).systems == ("b",)
    assert load(qrels, paths[::-1]).systems == ("a", "b")


def test_qrels_and_runs_that_are_exchanged_are_recognised(tmp_path: Path) -> None:
    qrels, paths = write_all(tmp_path, QRELS, {"mine": RUN})
    with pytest.raises(InputError, match="this looks like a run: name the qrels first"):
        load(paths[0], qrels)
    with pytest.raises(InputError, match="this looks like a qrels file: name the qrels first"):
        load(qrels, [*paths, qrels])
    with pytest.raises(InputError, match="this is a folder, and judgments are one file; name the qrels first"):
        load(tmp_path, qrels)


def test_two_runs_with_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    qrels, paths = write_all(tmp_path, QRELS, {"mine": RUN})
    again = written(tmp_path / "more" / "mine.run", run_text(RUN, "mine"))
    with pytest.raises(InputError, match="two runs have the same name 'mine'") as caught:
        load(qrels, [*paths, again])
    assert caught.value.path == str(again)
    assert str(paths[0]) in caught.value.message


# documents twice


def test_a_document_twice_in_a_run_is_located(tmp_path: Path) -> None:
    text = "401 Q0 d1 1 3 a\n402 Q0 d1 1 3 a\n\n401 Q0 d2 2 2 a\n402 Q0 d2 1 3 a\n401 Q0 d1 3 1 a\n"
    qrels, path = written(tmp_path / "qrels", qrels_text(QRELS)), written(tmp_path / "a.run", text)
    with pytest.raises(InputError, match="document 'd1' appears twice in topic '401'; remove one") as caught:
        load(qrels, path)
    assert (caught.value.path, caught.value.line) == (str(path), 6)


def test_a_document_twice_in_the_qrels_is_located(tmp_path: Path) -> None:
    text = "401 0 d1 1\n402 0 d1 1\n401 0 d2 1\n402 0 d1 0\n"
    qrels, path = written(tmp_path / "qrels", text), written(tmp_path / "a.run", run_text(RUN, "a"))
    with pytest.raises(InputError, match="document 'd1' appears twice in topic '402'") as caught:
        load(qrels, path)
    assert (caught.value.path, caught.value.line) == (str(qrels), 4)


@pytest.mark.parametrize("documents", ["all", "judged"])
def test_an_unjudged_document_twice_is_located(documents: Documents, tmp_path: Path) -> None:
    text = run_text(RUN, "a") + "402 Q0 x 1 1 a\n402 Q0 y 1 1 a\n402 Q0 x 1 0 a\n"
    with pytest.raises(InputError, match="document 'x' appears twice in topic '402'") as caught:
        load(QRELS, written(tmp_path / "a.run", text), documents=documents)
    assert caught.value.line == 7


# order


def test_equal_scores_are_ordered_by_docno_descending() -> None:
    run = {"401": {"d1": 1.0, "d3": 1.0, "d2": 1.0, "x": 2.0}, "402": {"d1": 0.0, "d2": -0.0}}
    lists = ranked(load(QRELS, {"mine": run}))
    assert [d for d, _ in lists["401", "mine"]] == ["x", "d3", "d2", "d1"]
    assert [d for d, _ in lists["402", "mine"]] == ["d2", "d1"]


def test_scores_that_differ_beyond_single_precision_tie_only_in_single_precision() -> None:
    run = {"401": {"d1": 1.0 + 2**-40, "d2": 1.0}, "402": {"d1": 16777217.0, "d2": 16777216.0, "d3": 16777218.0}}
    double, single = (load(QRELS, {"mine": run}, precision=p) for p in get_args(Precision))
    assert (double.precision, single.precision) == ("double", "single")
    assert [d for d, _ in ranked(double)["401", "mine"]] == ["d1", "d2"]
    assert [d for d, _ in ranked(single)["401", "mine"]] == ["d2", "d1"]
    assert [d for d, _ in ranked(double)["402", "mine"]] == ["d3", "d1", "d2"]
    assert [d for d, _ in ranked(single)["402", "mine"]] == ["d3", "d2", "d1"]


def test_scores_beyond_the_range_of_single_precision_are_infinite_there() -> None:
    run = {"401": {"d1": 1e301, "d2": 1e300, "d3": -1e300}, "402": {"d1": 1e-300, "d2": 1e-301}}
    lists = ranked(load(QRELS, {"mine": run}, precision="single"))
    assert [d for d, _ in lists["401", "mine"]] == ["d2", "d1", "d3"]
    assert [d for d, _ in lists["402", "mine"]] == ["d2", "d1"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": "half"}, "the precision 'half' is unknown; choose from double, single"),
        ({"documents": "some"}, "the choice of documents 'some' is unknown; choose from all, judged"),
    ],
)
def test_unknown_choices_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(QRELS, {"mine": RUN}, **options)


# the corpus


def test_the_corpus_is_what_is_seen_unless_given() -> None:
    collection = load(QRELS, {"mine": RUN})
    assert collection.docnos.to_list() == ["d1", "d2", "d3", "d4"]
    assert collection.corpus_size == 4


@pytest.mark.parametrize(
    ("given", "size"),
    [
        (4, 4),
        (528_155, 528_155),
        (["d1", "d2", "d3", "d4"], 4),
        (("d4", "d3", "x", "d2", "d1", "x", "d1"), 5),
        ({"d1", "d2", "d3", "d4", "é"}, 5),
        (pl.Series(["d1", "d2", "d3", "d4", "d5"]), 5),
    ],
)
def test_the_corpus_may_be_given_by_its_size_or_its_docnos(given: Any, size: int) -> None:  # noqa: ANN401  # of any kind
    collection = load(QRELS, {"mine": RUN}, corpus_size=given)
    assert collection.corpus_size == size
    assert collection.docnos.to_list() == ["d1", "d2", "d3", "d4"]


def test_a_generator_may_give_the_docnos() -> None:
    assert load(QRELS, {"mine": RUN}, corpus_size=(f"d{i}" for i in range(10))).corpus_size == 10


def test_a_corpus_that_is_too_small_is_refused() -> None:
    with pytest.raises(InputError, match="a corpus of 3 documents is too small: runs and qrels name 4"):
        load(QRELS, {"mine": RUN}, corpus_size=3)


def test_documents_outside_the_corpus_are_named() -> None:
    with pytest.raises(InputError, match="2 documents of runs and qrels are not in the corpus given, such as d1, d4"):
        load(QRELS, {"mine": RUN}, corpus_size=["d2", "d3", "d5", "d6"])


# levels


def test_levels_are_the_distinct_grades_ascending() -> None:
    collection = load({"401": {"a": 3, "b": -1, "c": 0}, "402": {"a": 1, "b": 3}}, {"mine": {"401": {"a": 1.0}}})
    assert collection.grades.tolist() == [-1, 0, 1, 3]
    assert collection.strata.tolist() == [0, 0, 0, 0]
    assert collection.judged_levels.tolist() == [3, 0, 1, 2, 3]
    assert collection.judged_bounds.tolist() == [0, 3, 5]
    assert collection.levels.tolist() == [3]


def test_levels_are_the_distinct_pairs_of_grade_and_stratum(tmp_path: Path) -> None:
    rows = [("401", "a", 2, 1), ("401", "b", 1, 0), ("401", "c", 2, -1), ("402", "a", 1, 1), ("402", "b", -5, 0)]
    qrels = written(tmp_path / "q", "".join(f"{t} 0 {d} {stratum} {grade}\n" for t, d, stratum, grade in rows))
    collection = load(qrels, {"mine": {"401": {"c": 3.0, "x": 2.0, "a": 1.0}, "402": {"a": 1.0, "c": 0.5}}})
    pairs = list(zip(collection.grades.tolist(), collection.strata.tolist(), strict=True))
    assert pairs == [(-1, 2), (0, -5), (0, 1), (1, 1), (1, 2)]
    assert judgments(collection) == {
        "401": {"a": (1, 2), "b": (0, 1), "c": (-1, 2)},
        "402": {"a": (1, 1), "b": (0, -5)},
    }
    assert ranked(collection) == {
        ("401", "mine"): [("c", (-1, 2)), ("x", None), ("a", (1, 2))],
        ("402", "mine"): [("a", (1, 1)), ("c", None)],
    }


def test_extreme_grades_are_kept(tmp_path: Path) -> None:
    grades = [-(2**31), -1, 0, 1, 2**31]
    text = "".join(f"401 0 d{i} {stratum} {grade}\n" for i, grade in enumerate(grades) for stratum in [7 + i])
    collection = load(written(tmp_path / "q", text), {"mine": {"401": {"d4": 1.0}}})
    assert collection.grades.tolist() == grades
    assert collection.strata.tolist() == [7, 8, 9, 10, 11]


def test_more_distinct_grades_than_16_bits_count_are_refused() -> None:
    names = [f"d{i}" for i in range(32_768)]
    qrels = {"401": {name: i for i, name in enumerate(names)}}
    run = {"401": {names[-1]: 2.0, names[1]: 1.0}}
    with pytest.raises(InputError, match="32768 distinct grades and strata; at most 32767 are possible"):
        load(qrels, {"mine": run})
    del qrels["401"]["d0"]
    assert ranked(load(qrels, {"mine": run}))["401", "mine"] == [("d32767", (32_767, 0)), ("d1", (1, 0))]


def test_judgments_of_one_topic_do_not_reach_another() -> None:
    qrels = {"401": {"a": 1}, "402": {"b": 1}, "403": {"c": 2}}
    run = {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in qrels}
    assert [[one for _, one in ranked(load(qrels, {"mine": run}))[t, "mine"]] for t in qrels] == [
        [(1, 0), None, None],
        [None, (1, 0), None],
        [None, None, (2, 0)],
    ]


# one result whatever the order of work


def test_the_collection_does_not_depend_on_threads(tmp_path: Path) -> None:
    qrels, runs = random_data(5, systems=12, topics=8, docs=300)
    qrels_path, paths = write_all(tmp_path, qrels, runs)
    alone = load(qrels_path, paths, workers=1)
    for workers in (2, 4):
        assert_same(alone, load(qrels_path, paths, workers=workers))


def test_the_collection_does_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    qrels, runs = random_data(6, systems=5)
    qrels_path, paths = write_all(tmp_path, qrels, runs)
    forward, backward = load(qrels_path, paths), load(qrels_path, paths[::-1])
    docnos = forward.docnos.to_list()
    assert docnos == sorted(set(docnos), key=str.encode)
    assert_same(forward, backward)


# judged documents only


@pytest.mark.parametrize("seed", range(6))
def test_judged_documents_suffice_for_the_same_scores(seed: int, tmp_path: Path) -> None:
    qrels, runs = random_data(seed, docs=120)
    rng = np.random.default_rng(seed)
    stratified = "".join(
        f"{t} 0 {d} {rng.integers(1, 3)} {g}\n" for t, grades in qrels.items() for d, g in grades.items()
    )
    _, paths = write_all(tmp_path, qrels, runs)
    path = written(tmp_path / "stratified", stratified)
    every, only = load(path, paths), load(path, paths, documents="judged")
    assert (every.documents, only.documents) == ("all", "judged")
    assert UNKNOWN in only.docs
    assert UNKNOWN not in every.docs
    measures = [*ALL_MEASURES, *SOME_WITH_CUTOFF]
    np.testing.assert_array_equal(score(only, measures).values, score(every, measures).values)
    assert_same(every, only, but=["documents", "document_count", "docnos", "docs", "judged_docs", "corpus_size"])
    assert judgments(only) == judgments(every)
    of_judged = {key: [(d if j else None, j) for d, j in entries] for key, entries in ranked(every).items()}
    assert {key: [(d if j else None, j) for d, j in entries] for key, entries in ranked(only).items()} == of_judged


def test_judged_documents_do_not_suffice_for_replicates() -> None:
    collection = load(QRELS, {"mine": RUN}, documents="judged")
    documents = len(collection.docnos)
    for replicates in (Shards(np.zeros(documents, np.int32), ("1",)), Images(np.ones((documents, 2), np.uint8))):
        with pytest.raises(DesignError, match="load the collection with documents='all'"):
            score(collection, ["AP"], replicates)


# some of the systems


@pytest.mark.parametrize("kept", [[2, 0], [1], [0, 1, 2], [2, 1, 0]], ids=str)
def test_some_of_the_systems_keep_their_lists_and_all_judgments(kept: list[int]) -> None:
    qrels, runs = random_data(3, systems=3)
    every = load(qrels, runs, corpus_size=5000)
    some = every.only(kept)
    names = tuple(every.systems[system] for system in kept)
    assert some.systems == names
    assert some.origins == tuple(every.origins[system] for system in kept)
    assert ranked(some) == {key: entries for key, entries in ranked(every).items() if key[1] in names}
    assert_same(some, every, but=["systems", "origins", "firsts", "lengths", "missing", "notes"])
    assert [str(note) for note in some.notes if note.system] == [
        str(note) for note in every.notes if note.system in names
    ]
    assert some.missing.topics_of == {s: topics for s, topics in every.missing.topics_of.items() if s in names}
    assert every.systems == tuple(runs)


def test_some_of_the_systems_have_arrays_in_the_order_that_kernels_are_compiled_for() -> None:
    some = load(*random_data(3, systems=3)).only([2, 0])
    assert some.firsts.flags.c_contiguous
    assert some.lengths.flags.c_contiguous


# names of documents


def test_names_of_documents_are_made_once_and_not_for_scores_of_the_whole_corpus() -> None:
    made = []
    collection = load(QRELS, {"mine": RUN})

    def name_documents() -> pl.Series:
        made.append(1)
        return collection.name_documents()

    watched = replace(collection, name_documents=name_documents)
    np.testing.assert_array_equal(score(watched, ALL_MEASURES).values, score(collection, ALL_MEASURES).values)
    score(watched, ["AP"], Images(np.ones((watched.document_count, 2), np.uint8)))
    assert made == []
    assert watched.docnos.to_list() == watched.docnos.to_list() == ["d1", "d2", "d3", "d4"]
    assert made == [1]
    assert watched.document_count == 4


# failures and progress


def test_failures_are_collected_and_the_rest_is_joined(tmp_path: Path) -> None:
    qrels, runs = random_data(9, systems=3)
    qrels_path, paths = write_all(tmp_path, qrels, runs)
    bad = {
        "columns": "401 Q0 d1 1 2.5\n",
        "score": "401 Q0 bad1 1 high t\n",
        "twice": "401 Q0 bad2 1 1 t\n401 Q0 bad2 1 1 t\n",
        "topics": "xyz Q0 bad3 1 1 t\n",
        "empty": "",
    }
    bad_paths = [written(tmp_path / name, text) for name, text in bad.items()]
    readers = run_readers([bad_paths[0], paths[0], *bad_paths[1:4], *paths[1:], bad_paths[4]])
    failures: list[InputError] = []
    collection = gathered(read_qrels(qrels_path), readers, Joining(), failures).under("zero")
    assert [(failure.path, failure.line) for failure in failures] == [
        (str(bad_paths[0]), 1),
        (str(bad_paths[1]), 1),
        (str(bad_paths[2]), 2),
        (str(bad_paths[3]), None),
        (str(bad_paths[4]), None),
    ]
    assert_same(collection, load(qrels_path, paths))


def test_without_a_list_of_failures_the_first_is_raised(tmp_path: Path) -> None:
    qrels, paths = write_all(tmp_path, QRELS, {"mine": RUN})
    bad = [written(tmp_path / name, "401 Q0 d1\n") for name in ("x", "y")]
    with pytest.raises(InputError) as caught:
        join(read_qrels(qrels), run_readers([paths[0], *bad]))
    assert caught.value.path == str(bad[0])


def test_if_every_run_fails_there_is_no_collection(tmp_path: Path) -> None:
    qrels = written(tmp_path / "qrels", qrels_text(QRELS))
    bad = written(tmp_path / "bad", "401 Q0 d1\n")
    failures: list[InputError] = []
    with pytest.raises(InputError, match="none of the runs can be used"):
        gathered(read_qrels(qrels), run_readers(bad), Joining(), failures)
    assert [failure.path for failure in failures] == [str(bad)]


def test_a_run_that_vanished_before_it_was_read_is_a_failure(tmp_path: Path) -> None:
    qrels, paths = write_all(tmp_path, QRELS, {"mine": RUN, "other": RUN})
    readers = run_readers(paths)
    paths[1].unlink()
    failures: list[InputError] = []
    assert gathered(read_qrels(qrels), readers, Joining(), failures).systems == ("mine",)
    assert [failure.path for failure in failures] == [str(paths[1])]


def test_progress_counts_the_runs() -> None:
    told: list[tuple[int, int]] = []
    load(QRELS, dict.fromkeys("abc", RUN), progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


# TREC-8

FOLDER = os.environ.get("IRGAUGE_TREC8", "")


@pytest.mark.skipif(
    not FOLDER, reason="IRGAUGE_TREC8 is not set: it names a folder with TREC-8's qrels.txt.gz and runs/"
)
def test_trec8_is_joined_whole() -> None:
    collection = load(Path(FOLDER, "qrels.txt.gz"), Path(FOLDER, "runs"))
    assert len(collection.systems) == len(set(collection.systems)) == 129
    assert collection.topics == tuple(str(topic) for topic in range(401, 451))
    assert len(collection.judged_docs) == 86_830
    assert collection.relevant_counts().sum() == 4_728
    assert collection.grades.tolist() == [0, 1]
    assert collection.notes == ()
    assert collection.lengths.min() > 0
    assert collection.lengths.max() == 1_000
    assert collection.lengths.sum() == len(collection.docs) == len(collection.levels)
    assert collection.corpus_size == len(collection.docnos)
    assert collection.docnos.is_sorted()
    assert collection.docs.min() >= 0
