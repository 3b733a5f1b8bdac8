"""Damaged files of every kind that is read: they are read, or refused with an error that names the file."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import cbor2
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.files import File, assert_read_or_refused, damaged_one_of, written
from fuzz.mutations import TOKENS, flipped, packed
from fuzz.odd_values import odd_text, with_odd_node
from fuzz.samples import BY_SYSTEM, LONG, QREL, QREL_FILES, RUN, RUN_FILES, SCORE_FILES, SHARDS
from fuzz.trials import attempted, drawn, try_each
from irgauge import Scores, load
from irgauge.reading.formats import read_qrels, read_runs
from irgauge.reading.tables.looks import are_scores
from irgauge.reading.trec import read_map
from irgauge.replicates.instances import InstanceScores
from irgauge.scoring.scores import is_measure, score
from irgauge.studies.measure import shards
from oracles.every_format import lines

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # notes on random data say much


def try_run(file: File) -> None:
    with written(file) as path:
        assert_read_or_refused(lambda: [run.error(0, "") for run in read_runs(path)], path)
        assert_read_or_refused(lambda: score(load(QREL, path), "AP").frame(), path)


def try_qrels(file: File) -> None:
    with written(file) as path:
        assert_read_or_refused(lambda: read_qrels(path).error(0, ""), path)
        measures = ["AP", "alpha_nDCG@10"] if b" 1 " in file.data else "nDCG"
        assert_read_or_refused(lambda: score(load(path, {"mine": RUN}), measures).frame(), path, "run 'mine'")


def try_scores(file: File) -> None:
    with written(file) as path:
        assert_read_or_refused(lambda: are_scores(path, is_measure), path)
        assert_read_or_refused(lambda: Scores.load(path).frame(), path)
        assert_read_or_refused(lambda: InstanceScores.load(path).frame(), path)


TRIED: Mapping[str, Callable[[File], None]] = {"run": try_run, "qrels": try_qrels, "scores": try_scores}


def test_the_samples_are_read_as_they_are() -> None:
    for name, data in RUN_FILES.items():
        with written(File(name, data)) as path:
            assert load(QREL, path).topics == ("402", "q1")
    for name, data in QREL_FILES.items():
        with written(File(name, data)) as path:
            assert load(path, {"mine": RUN}).topics == ("402", "q1")
    for name, data in SCORE_FILES.items():
        with written(File(name, data)) as path:
            assert Scores.load(path).topics == ("7", "q1")


def test_damaged_runs() -> None:
    try_each("runs", 3000, damaged_one_of(RUN_FILES), try_run)


def test_damaged_judgments() -> None:
    try_each("judgments", 2500, damaged_one_of(QREL_FILES), try_qrels)


def test_damaged_tables_of_scores() -> None:
    try_each("tables of scores", 2200, damaged_one_of(SCORE_FILES), try_scores)


def test_damaged_maps_of_shards() -> None:
    collection = load(QREL, {"mine": RUN})

    def attempt(file: File) -> None:
        with written(file) as path:
            assert_read_or_refused(lambda: read_map(path), path)
            shards(collection, f"map:{path}")

    try_each("maps", 400, damaged_one_of({"map": SHARDS}), attempt)


# files in each other's place, and of nothing that we know

STARTS = (
    *(b"{", b"[", b'{"q1": {"', b"\x1f\x8b\x08", b"# ir_metadata.start\n# ", b"qid,docno,score\n", b"runid\tall\t"),
    *(b"topic\tsystem\tscore\n", b"query-id\tcorpus-id\tscore\n", b"\xa1\x62q1", b"<top>\n", *TOKENS),
)
EVERY = [*RUN_FILES.values(), *QREL_FILES.values(), *SCORE_FILES.values(), SHARDS]


def anything(rng: Random) -> tuple[str, File]:
    """A file of random bytes or parts of two others, and what it is taken for."""
    first, second = rng.choice([rng.choice(STARTS), rng.choice(EVERY)]), rng.choice(EVERY)
    cut = first[: rng.randrange(len(first) + 1)] if rng.random() < 0.5 else first
    rest = rng.choice([b"", rng.randbytes(rng.randrange(200)), second[rng.randrange(len(second)) :]])
    return rng.choice(list(TRIED)), File(rng.choice(["mine", "mine.csv", "mine.json", "mine.run"]), cut + rest)


def test_anything() -> None:
    try_each("anything", 900, anything, lambda made: TRIED[made[0]](made[1]))


# tables whose columns have odd names and types

TYPES: tuple[Any, ...] = (
    *(pl.String, pl.Int64, pl.Float64, pl.Int8, pl.UInt64, pl.Float32, pl.Boolean, pl.Null, pl.Binary, pl.Categorical),
    *(pl.Date, pl.Time, pl.Datetime, pl.Duration, pl.Decimal(10, 2), pl.List(pl.Int64), pl.Struct({"a": pl.Int64})),
    *(pl.Enum(["1", "a"]), pl.Array(pl.Int64, 1), pl.List(pl.String)),
)
COLUMNS = (
    *("qid", "docno", "score", "rank", "label", "system", "topic", "measure", "replicate", "name", "iteration", "tag"),
    *("query_id", "doc_id", "relevance", "value", "algorithm", "instance", "AP", "", " ", "a", "number of the row"),
)
GOOD: Mapping[str, pl.DataFrame] = {
    "run": pl.DataFrame({"qid": ["q1", "402"], "docno": ["d1", "d2"], "score": [0.5, 1.5]}),
    "qrels": pl.DataFrame({"qid": ["q1", "402"], "docno": ["d1", "d2"], "label": [1, 2], "iteration": ["0", "0"]}),
    "scores": LONG,
}


def odd_column(rows: int, rng: Random) -> pl.Series:
    kind = rng.choice(TYPES)
    cells = [rng.choice(["1", "a", None, "0.5"]) for _ in range(rows)]
    try:
        return pl.Series("x", cells).cast(kind, strict=False)
    except pl.exceptions.PolarsError:
        return pl.Series("x", [None] * rows, dtype=kind)


def odd_frame(good: pl.DataFrame, rng: Random) -> pl.DataFrame:
    """Some columns of another type, left out, renamed or added; sometimes no rows."""
    columns = {name: good[name] for name in good.columns}
    for _ in range(rng.choice((1, 1, 2, 3))):
        name = rng.choice(list(columns) or [""])
        done = rng.randrange(4)
        if done == 0:
            columns[name] = odd_column(len(good), rng)
        elif done == 1:
            columns.pop(name, None)
        elif done == 2:
            columns[rng.choice([*COLUMNS, odd_text(rng).replace("\ud800", "").replace("\udcff", "")])] = odd_column(
                len(good), rng
            )
        elif name in columns:
            columns[rng.choice(COLUMNS)] = columns.pop(name)
    made = pl.DataFrame([column.alias(name) for name, column in columns.items()])
    return made.clear() if rng.random() < 0.05 else made


def odd_parquet(rng: Random) -> tuple[str, File]:
    kind = rng.choice(list(GOOD))
    file = io.BytesIO()
    odd_frame(GOOD[kind], rng).write_parquet(file)
    data = file.getvalue()
    return rng.choice([kind, kind, rng.choice(list(TRIED))]), File("x.parquet", data)


def test_parquet_with_odd_columns() -> None:
    try_each("columns of Parquet", 500, odd_parquet, lambda made: TRIED[made[0]](made[1]))


def test_parquet_with_one_bit_changed() -> None:
    """Of some such files polars panics, which Python sees as no Exception."""

    def make(rng: Random) -> File:
        return File("x.parquet", flipped(rng.choice([RUN_FILES["Parquet"], SCORE_FILES["x.parquet"]]), rng))

    def attempt(file: File) -> None:
        with written(file) as path:
            assert_read_or_refused(lambda: read_runs(path), path)
            assert_read_or_refused(lambda: are_scores(path, is_measure), path)

    try_each("bits of Parquet", 400, make, attempt)


# CBOR, which holds more than JSON


def odd_cbor(rng: Random) -> tuple[str, File]:
    """Mappings of ranx with an odd node, which may be a date, bytes, a tag or a shared value."""
    value = rng.choice([RUN, QREL, BY_SYSTEM, {"a": RUN}])
    try:
        data = cbor2.dumps(with_odd_node(value, rng))
    except (cbor2.CBOREncodeError, UnicodeEncodeError, ValueError, TypeError):
        data = cbor2.dumps(cbor2.CBORTag(rng.randrange(300), rng.choice([{}, RUN, [1], "a"])))
    return rng.choice(list(TRIED)), File("x.lz4", packed(data, rng) if rng.random() < 0.5 else data)


def test_odd_cbor() -> None:
    try_each("CBOR", 400, odd_cbor, lambda made: TRIED[made[0]](made[1]))


# JSON of any shape

keys = st.sampled_from(
    ["q1", "d1", "qid", "docno", "score", "system", "measure", "topic", "mteb_model_meta", "", "study"]
)
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just("\ud800")
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=12
)
in_rows = st.lists(st.dictionaries(keys, leaves, min_size=2), min_size=1, max_size=3)


@drawn(300)
@given(values | in_rows, st.booleans(), st.sampled_from(list(TRIED)))
def test_json_of_any_shape(value: Any, is_lines: bool, taken_for: str) -> None:  # noqa: ANN401, FBT001  # of Hypothesis
    rows = value if is_lines and isinstance(value, list) else [value]
    attempted(lambda: TRIED[taken_for](File("x", lines(*map(json.dumps, rows)))))
