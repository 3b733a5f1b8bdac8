"""Scores: undefined cells, the long table, and files of it."""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import irgauge as ig
from irgauge import DesignError, InputError, Measure, Scores, load
from irgauge.errors import DataWarning
from irgauge.reading.name_order import in_name_order
from irgauge.scoring.scores import Fill, score

MEASURES = ("AP", "P@10", "nDCG(dcg='exp-log2')@10", "RBP(p=0.95)")


def labels(prefix: str, count: int) -> tuple[str, ...]:
    return tuple(f"{prefix}{i}" for i in range(8, 8 + count))  # in the order of names, 9 before 10


def scores_of(values: NDArray[np.float64]) -> Scores:
    measures, topics, systems, replicates = values.shape
    return Scores(
        values,
        tuple(Measure.parse(name) for name in MEASURES[:measures]),
        labels("t", topics),
        labels("s", systems),
        labels("r", replicates),
    )


@pytest.fixture
def scores() -> Scores:
    """Two measures, five topics, three systems, four replicates; some topics undefined in some replicates."""
    values = np.random.default_rng(3).random((2, 5, 3, 4))
    values[:, 1, :, 2] = np.nan
    values[:, 3, :, :2] = np.nan
    values[1, 4, 0, 0] = np.nan
    return scores_of(values)


def assert_same(one: Scores, other: Scores) -> None:
    np.testing.assert_array_equal(one.values, other.values)
    assert one.measures == other.measures
    assert (one.topics, one.systems, one.replicates) == (other.topics, other.systems, other.replicates)


def slow_hazen(values: list[float], p: float) -> float:
    """The quantile by Hazen's rule: the i-th of n values stands at (i - 1/2) / n, straight lines between them."""
    ordered = sorted(values)
    place = min(max(p * len(ordered) - 0.5, 0.0), len(ordered) - 1.0)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


# undefined cells


@pytest.mark.parametrize(
    ("fill", "value"), [("zero", 0.0), ("one", 1.0), (0.25, 0.25), (-1, -1.0), (0, 0.0), (np.float64(0.5), 0.5)]
)
def test_undefined_cells_are_filled_with_a_constant(fill: Fill, value: float, scores: Scores) -> None:
    filled = scores.filled(fill)
    undefined = np.isnan(scores.values)
    assert (filled.values[undefined] == value).all()
    np.testing.assert_array_equal(filled.values[~undefined], scores.values[~undefined])


def test_undefined_cells_are_filled_with_zero_unless_told(scores: Scores) -> None:
    assert_same(scores.filled(), scores.filled("zero"))


@pytest.mark.parametrize(("fill", "p"), [("lq", 0.25), ("med", 0.5), ("uq", 0.75)])
def test_undefined_cells_are_filled_with_the_hazen_quantile_of_the_measure(
    fill: Fill, p: float, scores: Scores
) -> None:
    filled = scores.filled(fill)
    for before, after in zip(scores.values, filled.values, strict=True):
        defined = before[~np.isnan(before)]
        expected = np.quantile(defined, p, method="hazen")
        assert expected == pytest.approx(slow_hazen(defined.tolist(), p), abs=1e-12)
        assert (after[np.isnan(before)] == expected).all()
        np.testing.assert_array_equal(after[~np.isnan(before)], defined)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.sampled_from([("lq", 0.25), ("med", 0.5), ("uq", 0.75)]))
def test_quantiles_are_hazens_for_any_number_of_values(defined: list[float], fill: tuple[Any, float]) -> None:
    values = np.array([*defined, math.nan]).reshape(1, 1, 1, -1)
    name, p = fill
    assert scores_of(values).filled(name).values[0, 0, 0, -1] == pytest.approx(slow_hazen(defined, p), abs=1e-12)


def test_undefined_cells_are_filled_with_the_mean_of_the_measure(scores: Scores) -> None:
    filled = scores.filled("mean")
    for before, after in zip(scores.values, filled.values, strict=True):
        np.testing.assert_allclose(after[np.isnan(before)], np.nanmean(before), rtol=1e-12)


def test_filling_leaves_the_scores_and_labels_as_they_were(scores: Scores) -> None:
    before = scores.values.copy()
    filled = scores.filled("med")
    np.testing.assert_array_equal(scores.values, before)
    assert not np.isnan(filled.values).any()
    assert (filled.measures, filled.topics) == (scores.measures, scores.topics)
    assert (filled.systems, filled.replicates) == (scores.systems, scores.replicates)


@pytest.mark.parametrize("fill", ["zero", "lq", "med", "mean", "uq", "one", 0.5])
def test_scores_without_undefined_cells_stay_as_they_are(fill: Fill, scores: Scores) -> None:
    complete = scores.dropped()
    assert_same(complete.filled(fill), complete)


@pytest.mark.parametrize("fill", ["median", "", "nought", "0"])
def test_an_unknown_fill_is_refused(fill: Any, scores: Scores) -> None:  # noqa: ANN401  # not a fill
    with pytest.raises(DesignError, match=f"the fill '{fill}' is unknown; .* zero, lq, med, mean, uq, one or a number"):
        scores.filled(fill)


@pytest.mark.parametrize("fill", ["lq", "med", "mean", "uq"])
def test_a_measure_without_defined_scores_has_no_quantile(fill: Fill, scores: Scores) -> None:
    values = scores.values.copy()
    values[1] = np.nan
    with pytest.raises(DesignError, match=f"there is no '{fill}' to fill with; use zero or a number"):
        scores_of(values).filled(fill)
    assert (scores_of(values).filled("one").values[1] == 1).all()


def test_topics_with_an_undefined_score_are_dropped(scores: Scores) -> None:
    dropped = scores.dropped()
    assert dropped.topics == (scores.topics[0], scores.topics[2])
    np.testing.assert_array_equal(dropped.values, scores.values[:, [0, 2]])
    assert (dropped.measures, dropped.systems, dropped.replicates) == (
        scores.measures,
        scores.systems,
        scores.replicates,
    )


def test_nothing_is_dropped_where_all_is_defined(scores: Scores) -> None:
    assert_same(scores.filled().dropped(), scores.filled())


def test_dropping_every_topic_is_refused(scores: Scores) -> None:
    values = scores.values.copy()
    values[0, :, 0, 0] = np.nan
    with pytest.raises(DesignError, match="every topic has an undefined score"):
        scores_of(values).dropped()


# the long table


def test_the_long_table_names_every_cell(scores: Scores) -> None:
    frame = scores.frame()
    assert frame.columns == ["measure", "topic", "system", "replicate", "score"]
    cells = {row[:4]: row[4] for row in frame.iter_rows()}
    assert len(cells) == frame.height == scores.values.size
    for m, measure in enumerate(scores.measures):
        for t, topic in enumerate(scores.topics):
            for s, system in enumerate(scores.systems):
                for r, replicate in enumerate(scores.replicates):
                    cell = cells[str(measure), topic, system, replicate]
                    np.testing.assert_array_equal(cell, scores.values[m, t, s, r])


shapes = st.tuples(st.integers(1, len(MEASURES)), st.integers(1, 4), st.integers(1, 4), st.integers(1, 3))
cells = st.floats(-1e100, 1e100) | st.just(math.nan)  # larger ones are refused


@settings(deadline=None, max_examples=50)
@given(shapes.flatmap(lambda s: st.lists(cells, min_size=math.prod(s), max_size=math.prod(s)).map(lambda c: (s, c))))
def test_scores_go_through_the_long_table_unchanged(case: tuple[tuple[int, int, int, int], list[float]]) -> None:
    shape, values = case
    scores = scores_of(np.array(values, np.float64).reshape(shape))
    assert_same(Scores.from_frame(scores.frame()), scores)


def test_scores_go_through_a_file_unchanged(scores: Scores, tmp_path: Path) -> None:
    for path in (tmp_path / "scores.parquet", str(tmp_path / "other.parquet"), tmp_path / "a.csv", tmp_path / "a.TSV"):
        scores.save(path)
        assert_same(Scores.load(path), scores)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.TSV", "a.csv", "other.parquet", "scores.parquet"]


def names(least: int) -> st.SearchStrategy[list[str]]:
    """Labels with all that needs quotes; spaces around them are no part of a field in text."""
    one = st.text("aäß1,;\t\n\"'\\ #", min_size=1, max_size=4).filter(lambda text: text == text.strip())
    return st.lists(one, min_size=least, max_size=3, unique=True)


def in_order(names: list[str]) -> list[str]:
    return [names[place] for place in in_name_order(names)]


@st.composite
def any_scores(draw: st.DrawFn) -> Scores:
    """Any numbers under any names."""
    own = draw(st.lists(st.sampled_from([*MEASURES, "Foo", "click, rate", "P"]), min_size=1, max_size=3, unique=True))
    axes = [own, *(in_order(draw(names(least=1))) for _ in range(3))]
    shape = [len(axis) for axis in axes]
    values = draw(st.lists(cells, min_size=math.prod(shape), max_size=math.prod(shape)))
    measures, topics, systems, replicates = map(tuple, axes)
    return Scores(
        np.array(values).reshape(shape), tuple(map(Measure.read, measures)), tuple(topics), tuple(systems), replicates
    )


@settings(deadline=None, max_examples=100)
@given(drawn=any_scores(), extension=st.sampled_from([".csv", ".tsv", ".parquet"]))
def test_any_scores_go_through_any_file_unchanged(
    drawn: Scores, extension: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("scores") / f"scores{extension}"
    drawn.save(path)
    assert_same(Scores.load(path), drawn)
    compressed = path.with_name(f"{path.name}.gz")
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    assert_same(Scores.load(compressed), drawn)


def test_an_unknown_extension_is_refused(scores: Scores, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the extension '\.xlsx' is unknown; use \.csv, \.tsv, \.jsonl or ") as caught:
        scores.save(tmp_path / "scores.xlsx")
    assert caught.value.path == str(tmp_path / "scores.xlsx")


def test_a_name_with_brackets_is_no_pattern(scores: Scores, tmp_path: Path) -> None:
    scores.save(tmp_path / "scores[1].parquet")
    assert_same(Scores.load(tmp_path / "scores[1].parquet"), scores)


def test_saving_replaces_the_file(scores: Scores, tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    scores.save(path)
    scores.filled().save(path)
    assert_same(Scores.load(path), scores.filled())


def test_saving_into_a_missing_folder_is_refused(scores: Scores, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        scores.save(tmp_path / "missing" / "scores.parquet")


def test_other_tools_read_the_file(scores: Scores, tmp_path: Path) -> None:
    scores.save(tmp_path / "scores.parquet")
    frame = pl.read_parquet(tmp_path / "scores.parquet")
    assert frame.schema == {
        "measure": pl.String,
        "topic": pl.String,
        "system": pl.String,
        "replicate": pl.String,
        "score": pl.Float64,
    }
    np.testing.assert_array_equal(frame["score"].to_numpy(), scores.values.ravel())


def test_cells_that_are_not_in_the_table_are_undefined(scores: Scores) -> None:
    frame = scores.frame()
    assert_same(Scores.from_frame(frame.filter(pl.col("score").is_not_nan())), scores)
    assert_same(Scores.from_frame(frame.with_columns(pl.col("score").fill_nan(None))), scores)


def small_table(**columns: list[Any]) -> pl.DataFrame:
    table: dict[str, list[Any]] = {
        "measure": ["AP", "AP", "AP"],
        "topic": ["401", "402", "401"],
        "system": ["a", "a", "b"],
        "score": [0.5, 0.25, 0.75],
    }
    return pl.DataFrame({**table, **columns})


def test_the_replicate_is_optional() -> None:
    scores = Scores.from_frame(small_table())
    assert scores.replicates == ("all",)
    assert (scores.measures, scores.topics, scores.systems) == ((Measure("AP"),), ("401", "402"), ("a", "b"))
    np.testing.assert_array_equal(scores.values[0, :, :, 0], [[0.5, 0.75], [0.25, np.nan]])


def test_the_order_of_rows_and_columns_and_further_columns_do_not_matter(scores: Scores) -> None:
    frame = scores.frame()
    other = frame.with_columns(pl.lit("x").alias("note")).select("note", *frame.columns[::-1])
    assert_same(Scores.from_frame(other), scores)
    shuffled = Scores.from_frame(frame.sample(fraction=1.0, shuffle=True, seed=1))
    order = [
        [shuffled.measures.index(one) for one in scores.measures],
        [shuffled.topics.index(one) for one in scores.topics],
        [shuffled.systems.index(one) for one in scores.systems],
        [shuffled.replicates.index(one) for one in scores.replicates],
    ]
    np.testing.assert_array_equal(shuffled.values[np.ix_(*order)], scores.values)


def test_labels_that_are_numbers_become_text() -> None:
    scores = Scores.from_frame(small_table(topic=[401, 402, 401], replicate=[1, 1, 1], score=[1, 0, 1]))
    assert (scores.topics, scores.replicates) == (("401", "402"), ("1",))
    np.testing.assert_array_equal(scores.values[0, :, :, 0], [[1.0, 1.0], [0.0, np.nan]])


def test_measures_may_have_their_names_in_trec_eval() -> None:
    assert Scores.from_frame(small_table(measure=["map"] * 3)).measures == (Measure("AP"),)


def test_two_names_of_one_measure_are_one_measure() -> None:
    scores = Scores.from_frame(small_table(measure=["AP", "AP", "map"]))
    assert scores.measures == (Measure("AP"),)
    np.testing.assert_array_equal(scores.values[:, :, :, 0], [[[0.5, 0.75], [0.25, np.nan]]])


# faults


@pytest.mark.parametrize("missing", ["topic", "score"])
def test_a_missing_column_is_named(missing: str) -> None:
    message = (
        rf"the table has no column '{missing}' \(or .*\); it has measure, .*; scores have the columns measure, topic"
    )
    with pytest.raises(InputError, match=message) as caught:
        Scores.from_frame(small_table().drop(missing), path="a.parquet")
    assert caught.value.path == "a.parquet"


def test_a_table_without_a_measure_or_a_system_is_named_after_its_file() -> None:
    assert Scores.from_frame(small_table().drop("measure"), path="a.parquet").measures == (Measure.opaque("score"),)
    assert Scores.from_frame(small_table().drop("measure"), path="P_10.parquet").measures == (Measure.parse("P@10"),)
    assert Scores.from_frame(small_table()[:2].drop("system"), path="a.parquet").systems == ("a",)
    with pytest.raises(InputError, match="the table has no column 'system'; scores have the columns measure"):
        Scores.from_frame(small_table().drop("system"))


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(InputError, match="the table has no rows"):
        Scores.from_frame(small_table().clear())


@pytest.mark.parametrize("replicate", [{}, {"replicate": ["1", "1", "1"]}])
def test_a_cell_that_appears_twice_is_named(replicate: dict[str, list[str]]) -> None:
    frame = small_table(system=["a", "a", "a"], **replicate)
    cell = f"measure 'AP', topic '401', system 'a', replicate '{replicate.get('replicate', ['all'])[0]}'"
    with pytest.raises(InputError, match=f"the cell {cell} appears twice in the table"):
        Scores.from_frame(frame)


@pytest.mark.parametrize("name", ["Foo", "P", "AP@", "clicks, per day", "nDCG(k=1)"])
def test_a_measure_of_others_is_a_name(name: str) -> None:
    scores = Scores.from_frame(small_table(measure=["map", "AP", name]))
    assert scores.measures == (Measure("AP"), Measure.opaque(name))
    np.testing.assert_array_equal(scores.values[1, :, :, 0], [[np.nan, 0.75], [np.nan, np.nan]])
    assert_same(Scores.from_frame(scores.frame()), scores)


def test_scores_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="the score 'high' is not a number"):
        Scores.from_frame(small_table(score=["0.5", "high", "0.1"]))
    with pytest.raises(InputError, match="the score inf is not finite"):
        Scores.from_frame(small_table(score=[0.5, math.inf, 0.1]))
    with pytest.raises(InputError, match="the scores are of type List"):
        Scores.from_frame(small_table(score=[[0.5], [1.0], [0.1]]))


def test_a_pandas_frame_is_read() -> None:
    columns = small_table(topic=[401, 402, 401]).to_dict(as_series=False) | {"replicate": 1.0, "note": [{}, {}, {}]}
    scores = Scores.from_frame(small_table(replicate=["1"] * 3))
    assert_same(Scores.from_frame(pd.DataFrame(columns)), scores)


@pytest.mark.parametrize("column", ["measure", "topic", "system", "replicate"])
def test_a_missing_label_is_refused(column: str) -> None:
    frame = small_table(replicate=["1", "1", "1"]).with_columns(
        pl.when(pl.int_range(3) == 1).then(None).otherwise(pl.col(column)).alias(column)
    )
    assert frame[column].null_count() == 1
    with pytest.raises(InputError):
        Scores.from_frame(frame)


@pytest.mark.parametrize("content", [b"", b"measure,topic,system,score\nAP,401,a,0.5\n", b"PAR1 and no more"])
def test_a_file_that_is_no_parquet_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    path.write_bytes(content)
    with pytest.raises(InputError, match="this is not a readable Parquet file") as caught:
        Scores.load(path)
    assert caught.value.path == str(path)


def test_a_cut_off_parquet_file_is_refused(scores: Scores, tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    scores.save(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="this is not a readable Parquet file"):
        Scores.load(path)


def test_a_parquet_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(path)
    with pytest.raises(InputError, match="the table has no column 'topic'") as caught:
        Scores.load(path)
    assert caught.value.path == str(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        Scores.load(tmp_path / "missing.parquet")
    assert caught.value.path == str(tmp_path / "missing.parquet")
    assert "there is no such file" in str(caught.value)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        Scores.load(tmp_path)
    assert caught.value.path == str(tmp_path)


BAD_TEXT = {
    "a word for a score": ("AP,401,a,0.5\nAP,402,a,high\n", 3, "the score 'high' is not a number"),
    "a blank line before it": ("AP,401,a,0.5\n\nAP,402,a,high\n", 4, "the score 'high' is not a number"),
    "an infinite score": ("AP,401,a,inf\n", 2, "the score inf is not finite"),
    "a label that is missing": ("AP,401,a,0.5\nAP,,a,0.5\nAP,,b,0.5\n", 3, "2 rows have no topic; fill it in"),
    "a cell twice": ("AP,401,a,0.5\nAP,402,a,0.5\nmap,401,a,0.1\n", 4, "measure 'AP', topic '401', .* appears twice"),
    "a line cut off": ("AP,401,a,0.5\nAP,402,a\n", 3, "3 columns where the header has 4; fix this line"),
    "a line too long": ("AP,401,a,0.5\nAP,402,a,0.5,1\n", 3, "5 columns where the header has 4; fix this line"),
    "no rows": ("", None, "the table has no rows"),
}


@pytest.mark.parametrize("name", BAD_TEXT)
def test_what_is_wrong_with_a_text_file_is_located(name: str, tmp_path: Path) -> None:
    text, line, message = BAD_TEXT[name]
    path = tmp_path / "scores.csv"
    path.write_text(f"measure,topic,system,score\n{text}")
    with pytest.raises(InputError, match=message) as caught:
        Scores.load(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


@pytest.mark.parametrize(
    "text",
    [
        " measure; topic ;system;score\n\nAP; 401;a;0.5\n AP;402 ;a;\n",
        "measure\ttopic\tsystem\tscore\r\nAP\t401\ta\t.5\r\nAP\t402\ta\tNA\r\n",
        '"measure","topic","system","score"\n"AP","401","a","5e-1"\n"AP","402","a",NaN',
    ],
)
def test_text_is_read_whatever_its_layout(text: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.txt"
    path.write_bytes(text.encode())
    scores = Scores.load(path)
    assert (scores.measures, scores.topics, scores.systems) == ((Measure("AP"),), ("401", "402"), ("a",))
    np.testing.assert_array_equal(scores.values.ravel(), [0.5, np.nan])


def test_text_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(b"measure,topic,system,score\nAP,401,a,0.5\nAP,401,caf\xe9,0.5\n")
    with pytest.raises(InputError, match="this is not UTF-8 text; convert the file to UTF-8") as caught:
        Scores.load(path)
    assert caught.value.line == 3


# scoring


def test_scores_carry_the_labels_of_the_collection() -> None:
    qrels = {"q2": {"d1": 1}, "q1": {"d2": 1}}
    with pytest.warns(DataWarning, match="1 topic .* scored 0"):
        collection = load(qrels, {"b": {"q1": {"d2": 1.0}}, "a": {"q2": {"d2": 2.0, "d1": 1.0}}})
    scores = score(collection, ["RR", Measure("AP"), "map", "RR"])
    assert scores.measures == (Measure("RR"), Measure("AP"))
    assert (scores.topics, scores.systems, scores.replicates) == (("q1", "q2"), ("a", "b"), ("all",))
    np.testing.assert_array_equal(scores.values[:, :, :, 0], [[[0.0, 1.0], [0.5, 0.0]]] * 2)


def test_no_measure_is_refused() -> None:
    with pytest.raises(InputError, match="no measure was given"):
        score(load({"q1": {"d1": 1}}, {"a": {"q1": {"d1": 1.0}}}), [])


def test_an_unknown_measure_is_refused_before_scoring() -> None:
    with pytest.raises(InputError, match="measure 'Foo' is unknown"):
        score(load({"q1": {"d1": 1}}, {"a": {"q1": {"d1": 1.0}}}), ["AP", "Foo"])


def test_undefined_scores_are_empty_in_every_format(tmp_path: Path) -> None:
    values = np.array([[[[0.5]], [[np.nan]]]])
    scores = Scores(values, (Measure("AP"),), ("1", "2"), ("a",), ("all",))
    for ending in ("csv", "tsv", "jsonl", "parquet"):
        scores.save(tmp_path / f"scores.{ending}")
        np.testing.assert_array_equal(Scores.load(tmp_path / f"scores.{ending}").values, values)
    assert pl.read_parquet(tmp_path / "scores.parquet")["score"].to_list() == [0.5, None]
    assert (tmp_path / "scores.csv").read_text().splitlines()[-1] == "AP,2,a,all,"


def test_the_measure_of_a_table_that_does_not_say_it_is_the_one_that_is_asked_for(tmp_path: Path) -> None:
    wide = pl.DataFrame({"topic": list("1234"), "a": [0.1, 0.3, 0.2, 0.4], "b": [0.2, 0.5, 0.6, 0.3]})
    long = wide.unpivot(index="topic", variable_name="system", value_name="score")
    for name in ("wide", "AP"):
        wide.write_csv(tmp_path / f"{name}.csv")
    for data in (wide, long, tmp_path / "wide.csv", ig.load_scores(wide)):
        assert ig.compare(data, "nDCG@10").measures == ("nDCG@10",)
        assert ig.gate(data, "a", "b", "nDCG@10", margin=0.5)["nDCG@10"].measure == "nDCG@10"
        assert ig.score(data, "my own").scores.measures == (Measure.read("my own"),)
    for data in (tmp_path / "AP.csv", long.with_columns(measure=pl.lit("score")), ig.load_scores(wide, measure="AP")):
        with pytest.raises(ig.DesignError, match="no scores of nDCG@10; it has"):
            ig.compare(data, "nDCG@10")
    with pytest.raises(ig.DesignError, match="no scores of nDCG@10; it has score"):
        ig.compare(wide, ["nDCG@10", "P@5"])
