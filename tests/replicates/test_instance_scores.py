"""Scores of instances: tables, runs with manifests and patterns, and what is wrong with them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import DesignError, InputError, Scores, load
from irgauge.errors import DataWarning
from irgauge.replicates.instances import ONLY, InstanceScores, score_instances
from irgauge.replicates.labels import labelling
from irgauge.scoring.scores import Fill, score
from irgauge.simulation.collections import Design, simulate

ROWS = [
    ("base", "only", "401", 0.5),
    ("base", "only", "402", 0.25),
    ("rand", "2", "402", 0.3),
    ("rand", "1", "401", 0.4),
    ("rand", "1", "402", 0.1),
    ("rand", "2", "401", 0.6),
    ("rand", "3", "401", 0.7),
]
Cells = dict[tuple[str, str, str], float]


def table(rows: list[tuple[Any, ...]] = ROWS) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["algorithm", "instance", "topic", "score"], orient="row")


def cells(scores: InstanceScores) -> Cells:
    """Every row by its names, from the integer codes."""
    names = [
        (scores.algorithms[a], scores.instances[i], scores.topics[t])
        for a, i, t in zip(scores.algorithm, scores.instance, scores.topic, strict=True)
    ]
    assert len(set(names)) == len(names)
    return dict(zip(names, scores.scores.tolist(), strict=True))


def of(rows: list[tuple[Any, ...]]) -> Cells:
    return {row[:3]: row[3] for row in rows}


def assert_same(one: InstanceScores, other: InstanceScores) -> None:
    assert (one.algorithms, one.instances, one.topics) == (other.algorithms, other.instances, other.topics)
    for name in ("algorithm_of", "instance", "topic", "scores"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


# tables


def test_a_table_is_read_row_by_row() -> None:
    scores = InstanceScores.from_frame(table())
    assert cells(scores) == of(ROWS)
    assert scores.algorithms == ("base", "rand")
    assert scores.topics == ("401", "402")
    assert sorted(scores.instances[1:]) == ["1", "2", "3"]
    assert scores.algorithm_of.tolist() == [0, 1, 1, 1]
    assert scores.instance_counts.tolist() == [1, 3]
    assert scores.deterministic == ("base",)
    assert scores.missing == 1
    assert (scores.measure, scores.filled, scores.notes) == (None, 0, ())


def test_rows_are_in_the_order_of_instance_and_topic() -> None:
    scores = InstanceScores.from_frame(table())
    order = list(zip(scores.instance.tolist(), scores.topic.tolist(), strict=True))
    assert order == sorted(order)


def test_cells_without_a_row_are_missing() -> None:
    values = InstanceScores.from_frame(table()).cells()
    assert values.shape == (4, 2)
    assert np.isnan(values).sum() == 1
    assert np.nansum(values) == pytest.approx(sum(row[3] for row in ROWS))


@settings(deadline=None, max_examples=50)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from("ab"), st.sampled_from("123"), st.sampled_from("xyz")),
        st.floats(-1, 1),
        min_size=4,
    ).filter(lambda c: len(set(c.values())) > 1 and len({key[2] for key in c}) > 1)
)
def test_any_table_is_read_and_written_unchanged(given_cells: Cells) -> None:
    scores = InstanceScores.from_frame(table([(*key, value) for key, value in given_cells.items()]))
    assert cells(scores) == given_cells
    pairs = {key[:2] for key in given_cells}
    assert len(scores.instances) == len(pairs)
    assert scores.missing == len(pairs) * len({key[2] for key in given_cells}) - len(given_cells)
    assert cells(InstanceScores.from_frame(scores.frame())) == given_cells


@pytest.mark.parametrize("name", ["scores.csv", "scores.parquet", "scores[1].CSV"])
def test_scores_go_through_a_file(name: str, tmp_path: Path) -> None:
    scores = InstanceScores.from_frame(table())
    scores.save(tmp_path / name)
    assert_same(InstanceScores.load(tmp_path / name), scores)


def test_csv_keeps_names_as_they_are_and_ignores_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    text = "note,topic, score,instance,algorithm\nx,0401,0.5,01,a\ny,0402, 1e-1 ,01, a\nz,0401,.25,,b\nz,0402,,,b\n"
    path.write_text(text.replace(" score", "score"))
    scores = InstanceScores.load(path)
    assert cells(scores) == {("a", "01", "0401"): 0.5, ("a", "01", "0402"): 0.1, ("b", ONLY, "0401"): 0.25}
    assert scores.missing == 1


def test_compressed_and_tab_separated_tables(tmp_path: Path) -> None:
    text = "algorithm\ttopic\tscore\na\t1\t0.5\na\t2\t0.25\n"
    (tmp_path / "scores.tsv.gz").write_bytes(gzip.compress(text.encode()))
    assert cells(InstanceScores.load(tmp_path / "scores.tsv.gz")) == {("a", ONLY, "1"): 0.5, ("a", ONLY, "2"): 0.25}


def test_a_pandas_frame_with_gaps_is_read() -> None:
    frame = pd.DataFrame(
        {"algorithm": list("aabb"), "instance": [1, 1, None, None], "topic": [7, 8, 7, 8], "score": [0.5, 1, 0, None]}
    )
    scores = InstanceScores.from_frame(frame)
    assert cells(scores) == {("a", "1", "7"): 0.5, ("a", "1", "8"): 1.0, ("b", ONLY, "7"): 0.0}


def test_instances_of_two_algorithms_may_have_one_name() -> None:
    rows = [(a, i, t, ord(a) + int(i) * int(t)) for a in "ab" for i in "12" for t in "34"]
    scores = InstanceScores.from_frame(table(rows))
    assert scores.instances == ("1", "2", "1", "2")
    assert scores.algorithm_of.tolist() == [0, 0, 1, 1]
    assert cells(scores) == of(rows)
    assert scores.missing == 0


def test_algorithms_whose_instances_never_differ_are_told() -> None:
    same = [("same", i, t, float(t)) for i in "12" for t in "34"][:3]
    assert InstanceScores.from_frame(table([*ROWS, *same])).unchanging == ("same",)


def test_some_algorithms_are_taken_out() -> None:
    rows = [*ROWS, ("other", "1", "403", 0.9), ("other", "1", "401", 0.8)]
    scores = InstanceScores.from_frame(table(rows))
    part = scores.only(["rand", "base"])
    assert part.algorithms == ("rand", "base")
    assert part.topics == ("401", "402")
    assert part.algorithm_of.tolist() == [0, 0, 0, 1]
    assert cells(part) == of(ROWS)
    assert cells(scores.only(["other"])) == of(rows[-2:])
    for wrong in ([], ["rand", "rand"], ["none"]):
        with pytest.raises(DesignError, match="there are base, other, rand"):
            scores.only(wrong)


MEASURES = (("AP", 1), ("P@10", 2))


def test_a_measure_of_the_table_is_chosen() -> None:
    two = pl.concat([table().with_columns(pl.lit(m).alias("measure"), pl.col("score") * w) for m, w in MEASURES])
    scores = InstanceScores.from_frame(two, measure="P@10")
    assert scores.measure == "P@10"
    assert cells(scores) == {key: 2 * value for key, value in of(ROWS).items()}
    with pytest.raises(InputError, match="the table has the measures AP, P@10; choose one"):
        InstanceScores.from_frame(two)
    with pytest.raises(InputError, match="AP, P@10; 'RR' is none of them"):
        InstanceScores.from_frame(two, measure="RR")
    assert InstanceScores.from_frame(two.filter(pl.col("measure") == "AP")).measure == "AP"


# tables that cannot be used


@pytest.mark.parametrize("column", ["topic", "score"])
def test_a_missing_column_is_named(column: str) -> None:
    with pytest.raises(InputError, match=rf"x.csv: the table has no column '{column}' \(or .*\); it has algorithm, "):
        InstanceScores.from_frame(table().drop(column), path="x.csv")


def test_a_table_without_algorithms_is_one_algorithm() -> None:
    rows = table().filter(pl.col("algorithm") == "rand").drop("algorithm")
    assert InstanceScores.from_frame(rows, path="x.csv").algorithms == ("x",)
    with pytest.raises(InputError, match="the table has no column 'system'"):
        InstanceScores.from_frame(rows)


def test_what_scores_take_instances_take(tmp_path: Path) -> None:
    """One reader, and one meaning: a system is an algorithm, and a replicate is an instance."""
    other = table().rename({"algorithm": "Model", "instance": "seed", "topic": "qid", "score": "value"})
    assert_same(InstanceScores.from_frame(other), InstanceScores.from_frame(table()))
    assert cells(InstanceScores.of(Scores.from_frame(table()))) == of(ROWS)
    rows = {name: table().filter(pl.col("algorithm") == name).drop("algorithm") for name in ("base", "rand")}
    for name, part in rows.items():
        part.write_csv(tmp_path / f"{name}.csv")
    files = InstanceScores.load(tmp_path / "base.csv", tmp_path / "rand.csv")
    assert (cells(files), files.files) == (of(ROWS), ("base.csv", "rand.csv"))
    assert cells(InstanceScores.of(rows)) == of(ROWS)


BAD_ROWS: dict[str, tuple[type[Exception], list[tuple[Any, ...]], str]] = {
    "no rows": (InputError, [], "the table has no rows"),
    "one topic": (DesignError, [row for row in ROWS if row[2] == "401"], r"1 topic \(401\) is too few: at least 2"),
    "a cell twice": (
        InputError,
        [*ROWS, ("rand", "1", "402", 0.9)],
        "the cell algorithm 'rand', instance '1', topic '402' appears twice",
    ),
    "a cell twice, once empty": (InputError, [*ROWS, ("rand", "1", "402", None)], "appears twice"),
    "all equal": (DesignError, [(*row[:3], 0.5) for row in ROWS], "all 7 scores are 0.5"),
    "an infinite score": (
        InputError,
        [*ROWS, ("rand", "3", "402", float("inf"))],
        "the score inf of algorithm 'rand', instance '3', topic '402' is not a finite number",
    ),
    "a score that is NaN": (
        InputError,
        [*ROWS, ("rand", "3", "402", float("nan"))],
        "the score nan of .* not a finite",
    ),
    "an algorithm without scores": (
        DesignError,
        [*ROWS, ("empty", "1", "401", None), ("empty", "1", "402", None)],
        "algorithm 'empty' has no score; add its scores or remove its rows",
    ),
    "an instance without scores": (
        DesignError,
        [*ROWS, ("rand", "4", "401", None)],
        "instance '4' of algorithm 'rand' has no score",
    ),
    "a topic without scores": (DesignError, [*ROWS, ("rand", "1", "403", None)], "topic '403' has no score"),
    "a row without topic": (InputError, [*ROWS, ("rand", "1", "", 0.5)], "1 row has no topic; fill it in"),
    "a row without algorithm": (InputError, [*ROWS, (None, "1", "401", 0.5)], "1 row has no algorithm"),
    "instances in some rows": (
        InputError,
        [*ROWS, ("rand", None, "402", 0.5)],
        "algorithm 'rand' has rows with an instance and rows without; fill it in",
    ),
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_tables_that_cannot_be_used(name: str) -> None:
    kind, rows, message = BAD_ROWS[name]
    with pytest.raises(kind, match=message):
        InstanceScores.from_frame(table(rows))


def test_a_fault_of_a_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    for text, line, message in (
        ("algorithm,topic,score\na,1,0.5\na,2,high\n", 3, "the score 'high' is not a number; fix it, or leave"),
        ("algorithm,topic,score\na,1,0.5\na,2,inf\n", None, "the score inf of algorithm 'a'"),
        ("algorithm,topic,score\na,1,0.5\na,1,0.5\n", 3, "appears twice"),
        ("algorithm,topic,score\na,1,0.5,9\n", 2, "4 columns where the header has 3; fix this line"),
        ("algorithm,instance,topic,score\na,1,1,1\n\na,,2,0.5\n", 4, "rows with an instance and rows without"),
        ("", None, "the file is empty"),
        ("algorithm,topic,score\n", None, "the table has no rows"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=message) as caught:
            InstanceScores.load(path)
        assert (caught.value.path, caught.value.line) == (str(path), line)


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match="this is not a readable Parquet file"):
        InstanceScores.load(path)
    with pytest.raises(InputError, match="there is no such file"):
        InstanceScores.load(tmp_path / "missing.csv")
    with pytest.raises(
        InputError, match="a list cannot be read; give the path of a table, a polars or pandas data frame"
    ):
        InstanceScores.from_frame([])


# runs

SYSTEMS = ("F1-1", "F1-2", "F2-1", "F2-2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs, F1-1.run to F2-2.run."""
    made = tmp_path_factory.mktemp("instances")
    simulate(Design(systems=4, families=2, topics=6, depth=30, corpus_size=300, relevant_median=6, seed=2)).write(made)
    return made


def expected(folder: Path, measure: str, labels: list[tuple[str, str]]) -> Cells:
    """The scores by the ordinary way, under the labels of the four systems."""
    scores = score(load(folder / "qrels.txt", folder / "runs"), [measure]).filled()
    assert scores.systems == SYSTEMS
    return {
        (*labels[s], topic): float(scores.values[0, t, s, 0]) for s in range(4) for t, topic in enumerate(scores.topics)
    }


def instance_scores(
    qrels: object,
    runs: object,
    measure: str,
    *,
    manifest: Path | None = None,
    pattern: str | list[str] | None = None,
    fill: Fill = "zero",
) -> InstanceScores:
    """The scores of runs, whose labels a manifest or a pattern says."""
    return score_instances(load(qrels, runs), measure, labelling(manifest, pattern), fill=fill)


def scored(folder: Path, text: str, **options: Any) -> InstanceScores:  # noqa: ANN401  # options of any type
    manifest = folder / "manifest.txt"
    manifest.write_text(text)
    return instance_scores(folder / "qrels.txt", folder / "runs", "AP", manifest=manifest, **options)


def test_a_pattern_tells_algorithm_and_instance(folder: Path) -> None:
    labels = [("F1", "1"), ("F1", "2"), ("F2", "1"), ("F2", "2")]
    for pattern in ("{algorithm}-{seed}", "{algorithm}-{instance}.run"):
        found = instance_scores(folder / "qrels.txt", folder / "runs", "nDCG@10", pattern=pattern)
        assert cells(found) == expected(folder, "nDCG@10", labels)
        assert found.measure == "nDCG@10"
        assert found.missing == 0


def test_the_first_pattern_that_fits_is_taken(folder: Path) -> None:
    found = instance_scores(folder / "qrels.txt", folder / "runs", "AP", pattern=["{algorithm}-1", "{algorithm}.run"])
    labels = [("F1", "F1-1"), ("F1-2", "F1-2"), ("F2", "F2-1"), ("F2-2", "F2-2")]
    assert cells(found) == expected(folder, "AP", labels)
    assert found.algorithms == ("F1", "F1-2", "F2", "F2-2")


@pytest.mark.parametrize(
    ("pattern", "name", "label"),
    [
        ("{algorithm}.{seed}.run", "sampled-0.5.03.run", ("sampled-0.5", "03")),
        ("{algorithm}.{seed}", "sampled-0.5.03.run.gz", ("sampled-0.5", "03")),
        ("{algorithm}.{seed}.run", "sampled-0.5.03.run.gz", ("sampled-0.5", "03")),
        ("{seed}-{algorithm}", "3-bm25-rm3.txt", ("bm25-rm3", "3")),
        ("x+{algorithm}_{instance}", "x+a_b_c.res", ("a_b", "c")),
    ],
)
def test_patterns_take_names_apart(pattern: str, name: str, label: tuple[str, str], tmp_path: Path) -> None:
    text = b"1 Q0 a 1 0.5 x\n2 Q0 b 1 0.5 x\n"
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    qrels = {"1": {"a": 1}, "2": {"c": 1}}
    found = instance_scores(qrels, tmp_path / name, "AP", pattern=pattern)
    assert (found.algorithms, found.instances) == ((label[0],), (label[1],))


def test_a_manifest_names_runs_by_system_file_or_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        f"# run algorithm instance\nF1-1 base\n\nF1-2.run rand 7\n runs/F2-1.run\trand 8\r\n{folder}/runs/F2-2.run rand"
    )
    found = scored(folder, text)
    labels = [("base", "F1-1"), ("rand", "7"), ("rand", "8"), ("rand", "F2-2")]
    assert cells(found) == expected(folder, "AP", labels)
    assert found.deterministic == ("base",)
    monkeypatch.chdir(folder / "runs")
    assert cells(scored(folder, text.replace("runs/F2-1.run", "./F2-1.run"))) == cells(found)


def test_instances_of_an_algorithm_stand_together(folder: Path) -> None:
    found = scored(folder, "F2-2 a 4\nF1-1 a 1\nF1-2 b 2\nF2-1 a 3\n")
    assert found.algorithms == ("a", "b")
    assert found.instances == ("1", "3", "4", "2")
    assert found.algorithm_of.tolist() == [0, 0, 0, 1]
    assert cells(found) == expected(folder, "AP", [("a", "1"), ("b", "2"), ("a", "3"), ("a", "4")])


def test_runs_may_be_python_objects_and_undefined_scores_are_filled() -> None:
    qrels = {"1": {"d1": 2}, "2": {"d1": 1}, "3": {"d2": 2}}
    runs = {"a.1": {"1": {"d1": 1.0}, "3": {"d2": 1.0}}, "a.2": {"1": {"d3": 2.0, "d1": 1.0}}}
    with pytest.warns(DataWarning) as warned:
        found = instance_scores(qrels, runs, "AP(rel=2)", pattern="{algorithm}.{seed}")
    assert [str(one.message) for one in warned] == list(map(str, found.notes))
    assert found.cells().tolist() == [[1.0, 0.0, 1.0], [0.5, 0.0, 0.0]]
    assert found.filled == 2
    assert found.missing == 0
    assert any("not in the run, scored 0" in note for note in found.notes)
    with pytest.warns(DataWarning):
        one = instance_scores(qrels, runs, "AP(rel=2)", pattern="{algorithm}.{seed}", fill="one")
    assert one.cells()[:, 1].tolist() == [1.0, 1.0]


BAD_MANIFESTS = {
    "F1-1 a\nF1-2 a b c d\nF2-1 b\nF2-2 b\n": (2, "5 columns where a manifest has 2 to 4: run algorithm"),
    "# first\nF1-1\n": (2, "1 column where a manifest has 2 to 4"),
    "F1-1 a\nF1-2 a\nF2-1 b\nF2-3 b\n": (4, "there is no run 'F2-3' among the 4 runs given; did you mean 'F2-2'"),
    "F1-1 a\nno/such/file.run a\n": (2, "there is no run 'no/such/file.run' among the 4 runs given"),
    "F1-1 a\nF1-2 a\nF2-1 b\nF2-2 b\nF1-1.run b\n": (5, "run 'F1-1.run' is already in line 1; remove one"),
    "F1-1 a\nF1\0-2 a\n": (2, "the line holds a NUL character"),
    "F1-1 a\nF1-2 a\0b\n": (2, "the line holds a NUL character"),
    "# nothing\n\n": (None, "the manifest is empty"),
}


@pytest.mark.parametrize("text", BAD_MANIFESTS)
def test_manifests_that_cannot_be_used(text: str, folder: Path) -> None:
    line, message = BAD_MANIFESTS[text]
    with pytest.raises(InputError) as caught:
        scored(folder, text)
    assert message in caught.value.message
    assert (caught.value.path, caught.value.line) == (str(folder / "manifest.txt"), line)


def test_a_run_that_the_manifest_does_not_name(folder: Path) -> None:
    with pytest.raises(InputError, match=r"does not name this run; add a line `F2-1 ALGORITHM \[INSTANCE\]`") as caught:
        scored(folder, "F1-1 a\nF1-2 a\nF2-2 b\n")
    assert caught.value.path == str(folder / "runs" / "F2-1.run")


def test_one_instance_twice(folder: Path) -> None:
    with pytest.raises(InputError, match=r"both this run and .*F1-1\.run are instance '1' of algorithm 'a'") as caught:
        scored(folder, "F1-1 a 1\nF1-2 b 1\nF2-1 a 1\nF2-2 b 2\n")
    assert caught.value.path == str(folder / "runs" / "F2-1.run")


def test_a_name_that_may_be_two_runs(tmp_path: Path) -> None:
    for tag in ("x", "y"):
        (tmp_path / tag).mkdir()
        (tmp_path / tag / "a.run").write_text(f"1 Q0 d{tag} 1 0.5 {tag}\n")
    runs = [tmp_path / "x", tmp_path / "y"]
    qrels = {"1": {"dx": 1}, "2": {"dx": 1}}
    manifest = tmp_path / "manifest.txt"
    manifest.write_text("a.run a 1\ny a 2\n")
    named_twice = r"manifest.txt:1: 'a.run' may be .*x/a.run or .*y/a.run; write the path"
    with pytest.warns(DataWarning), pytest.raises(InputError, match=named_twice):
        instance_scores(qrels, runs, "AP", manifest=manifest)
    manifest.write_text("x/a.run a 1\ny a 2\n")
    with pytest.warns(DataWarning):
        assert instance_scores(qrels, runs, "AP", manifest=manifest).cells().tolist() == [[1.0, 0.0], [0.0, 0.0]]


def test_a_manifest_that_cannot_be_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"F1-1 caf\xe9\n")
    for name, message in (("latin", "not UTF-8"), ("missing", "there is no such file")):
        with pytest.raises(InputError, match=message) as caught:
            instance_scores(folder / "qrels.txt", folder / "runs", "AP", manifest=tmp_path / name)
        assert caught.value.path == str(tmp_path / name)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("{seed}.run", "it lacks {algorithm}"),
        ("bm25.run", "it lacks {algorithm}"),
        ("{algorithm}.{run}", "its fields are {algorithm}, {instance}, {seed} and {group}"),
        ("{algorithm}.{seed", "its fields are"),
        ("{seed}/{algorithm}", "it fits file names, not folders"),
        ("{algorithm}{seed}", "two fields need some text between them"),
        ("{algorithm}-{seed}-{instance}", "{seed} is another word for {instance}"),
        ("{algorithm}-{algorithm}", "each field may appear only once"),
    ],
)
def test_patterns_that_cannot_be_used(pattern: str, message: str, folder: Path) -> None:
    with pytest.raises(DesignError) as caught:
        instance_scores(folder / "qrels.txt", folder / "runs", "AP", pattern=pattern)
    assert message in str(caught.value)
    assert f"'{pattern}'" in str(caught.value)


def test_a_file_name_that_does_not_fit(folder: Path) -> None:
    with pytest.raises(InputError, match=r"F2-1.run: this run's name does not fit 'F1-{algorithm}'; rename it"):
        instance_scores(folder / "qrels.txt", folder / "runs", "AP", pattern="F1-{algorithm}")


def test_one_of_manifest_and_pattern_is_given(folder: Path) -> None:
    with pytest.raises(DesignError, match="neither a manifest nor a pattern was given: give either"):
        instance_scores(folder / "qrels.txt", folder / "runs", "AP")
    with pytest.raises(DesignError, match="both a manifest and a pattern were given: give either"):
        scored(folder, "F1-1 a\n", pattern="{algorithm}")


def test_runs_on_one_topic_are_refused() -> None:
    with pytest.raises(DesignError, match=r"1 topic \(1\) is too few"):
        instance_scores({"1": {"d": 1}}, {"a": {"1": {"d": 1.0}}}, "AP", pattern="{algorithm}")
