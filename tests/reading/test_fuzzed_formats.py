"""Random data through every format, and damaged files: these are read, or refused with an error that names the file."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import cbor2
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from irgauge import InputError, Scores, load
from irgauge.reading.formats import read_qrels, read_runs
from irgauge.reading.tables.looks import are_scores
from irgauge.scoring.scores import is_measure, score
from oracles.every_format import COMPRESS, QRELS, RUNS, lines, stacked, with_header
from oracles.sameness import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # notes on random data say much
LONGEST = timedelta(seconds=20)  # a file of a few lines takes no longer: nothing hangs


@contextmanager
def file_of(data: bytes, name: str = "mine") -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


# random data are the same in every format


def is_name(text: str) -> bool:
    """Whether TREC's columns can hold it, at the start of a file too, and tabs without quotes."""
    return not text.startswith(("#", "{", "[", "<", '"'))


words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6).filter(is_name)
names = words | st.sampled_from(["1", "1.0", "01", "NaN", "NA", "null", "true", "1e5", "inf", "a'b", 'a"b', "a,b;c"])
topics = st.sampled_from(["401", "1.0", "é", "q;1", "a,b"])
numbers = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 0.5, 1.0, 2.0])
some_qrels = st.dictionaries(topics, st.dictionaries(names, st.integers(-1, 4), min_size=1), min_size=1)
some_runs = st.dictionaries(topics, st.dictionaries(names, numbers, min_size=1), min_size=1)


@settings(deadline=LONGEST, max_examples=20)
@given(some_qrels, some_runs)
def test_random_data_are_the_same_in_every_format(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> None:
    assume(any(grade > 0 for topic in run for grade in qrels.get(topic, {}).values()))
    expected = load(qrels, {"mine": run})
    for write in RUNS.values():
        with file_of(write(run)) as path:
            assert_same(load(qrels, path), expected, but=["origins", "notes", "headers"])
    for judge in QRELS.values():
        with file_of(judge(qrels)) as path:
            assert_same(load(path, {"mine": run}), expected, but=["notes"])


# damaged files

Edit = tuple[str, int, int]  # what is done, where, with what
TOKENS = [
    *(b"", b" ", b"\t", b"\n", b"\r\n", b",", b";", b":", b'"', b"'", b"{", b"}", b"[", b"]", b"#", b"# ", b"\\", b"-"),
    *(
        b"\x00",
        b"\x0b",
        b"\xff",
        b"\xc2\xa0",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\\ud800",
        b"\x1f\x8b",
    ),
    *(
        b"0",
        b"1",
        b"0.5",
        b"nan",
        b"null",
        b"true",
        b"1e999",
        b"1_0",
        b"9" * 30,
        b"9" * 400,
        b"9" * 5000,
        b"all",
        b"map",
    ),
    *(b"query_id", b"doc_id", b"score", b"rank", b"system", b"runid", b"mteb_model_meta", b"number of the row"),
    *(b"\xa1", b"\xbf", b"\xd8\x1c", b"\xd8\x1d\x00", b"\xc2\x59\x08\x00", b"PAR1", b"[" * 3000, b'{"a":' * 3000),
    b'# ir_metadata.start\n# a: "\\UFFFFFFFF"\n# ir_metadata.end\n',
]


def edited(data: bytes, edit: Edit) -> bytes:
    done, where, what = edit
    at, size = where % (len(data) + 1), what % 9
    whole = data.split(b"\n")
    line = where % len(whole)
    made = {
        "flip": lambda: data[:at] + bytes(byte ^ 1 << what % 8 for byte in data[at : at + 1]) + data[at + 1 :],
        "overwrite": lambda: data[:at] + bytes([what]) + data[at + 1 :],
        "cut": lambda: data[:at],
        "remove": lambda: data[:at] + data[at + size :],
        "repeat": lambda: data[: at + size] + data[at:],
        "insert": lambda: data[:at] + TOKENS[what % len(TOKENS)] + data[at:],
        "remove a line": lambda: b"\n".join(whole[:line] + whole[line + 1 :]),
        "repeat a line": lambda: b"\n".join(whole[: line + 1] + whole[line:]),
        "begin with": lambda: TOKENS[what % len(TOKENS)] + data,
    }
    return made[done]()


DONE = ("flip", "overwrite", "cut", "remove", "repeat", "insert", "remove a line", "repeat a line", "begin with")
edits = st.lists(st.tuples(st.sampled_from(DONE), st.integers(0, 2**12), st.integers(0, 255)), min_size=1, max_size=3)
ends = st.sampled_from(["", "", *COMPRESS])


def damaged(data: bytes, end: str, done: list[Edit], *, inside: bool) -> bytes:
    """Damaged before it is compressed, or after."""
    made = data if inside else COMPRESS[end](data)
    for edit in done:
        made = edited(made, edit)
    return COMPRESS[end](made) if inside else made


def assert_read_or_refused(read: Callable[[], object], *places: str) -> None:
    """Anything but an InputError fails; it names one of the places, and can be printed."""
    if (error := refusal(read)) is not None:
        assert error.path is not None
        assert error.path.startswith(places)
        assert str(error).encode()


def refusal(read: Callable[[], object]) -> InputError | None:
    try:
        read()
    except InputError as error:
        return error
    return None


def try_run(path: Path) -> None:
    assert_read_or_refused(lambda: [run.error(0, "") for run in read_runs(path)], str(path))
    assert_read_or_refused(lambda: score(load(QREL, path), "AP").frame(), str(path))


def try_qrels(path: Path) -> None:
    assert_read_or_refused(lambda: read_qrels(path).error(0, ""), str(path))
    assert_read_or_refused(lambda: score(load(path, {"mine": RUN}), "AP").frame(), str(path), "run 'mine'")


def try_scores(path: Path) -> None:
    assert_read_or_refused(lambda: are_scores(str(path), is_measure), str(path))
    assert_read_or_refused(lambda: Scores.load(path).frame(), str(path))


QREL = {"q1": {"d1": 1, "d2": 0, "é3": 2}, "402": {"d1": 3, "q,x": 1}}
RUN = {"q1": {"d1": 1.5, "d2": 0.25, "é3": -2.0}, "402": {"402": 3.0, "d9": 1e-5, "d1": 7.125}}
RUN_FILES = {form: write(RUN) for form, write in RUNS.items()} | {
    "several": json.dumps({"a": RUN, "b": RUN}).encode(),
    "a long header": with_header(RUN).replace(b"linux\n", b"{linux: [x, 'y']}\n# text: |\n#   more\n# &a b: !!str c\n"),
    "a system in each row": stacked({"a": RUN, "b": RUN}).write_csv().encode(),
}
QREL_FILES = {form: write(QREL) for form, write in QRELS.items()}

many = settings(deadline=LONGEST, max_examples=300)


@many
@given(st.sampled_from([*RUN_FILES]), ends, edits, st.booleans())
def test_damaged_runs(form: str, end: str, done: list[Edit], inside: bool) -> None:  # noqa: FBT001  # of Hypothesis
    with file_of(damaged(RUN_FILES[form], end, done, inside=inside)) as path:
        try_run(path)


@many
@given(st.sampled_from([*QREL_FILES]), ends, edits, st.booleans())
def test_damaged_judgments(form: str, end: str, done: list[Edit], inside: bool) -> None:  # noqa: FBT001  # of Hypothesis
    with file_of(damaged(QREL_FILES[form], end, done, inside=inside)) as path:
        try_qrels(path)


# tables of scores

CELLS = [
    ("AP", topic, system, value / 8) for value, (topic, system) in enumerate([("q1", "a"), ("q1", "b"), ("7", "a")])
]
LONG = pl.DataFrame(CELLS, schema=["measure", "topic", "system", "score"], orient="row")
WIDE = LONG.pivot(on="system", index="topic", values="score")
BY_SYSTEM = {system: {topic: value for _, topic, own, value in CELLS if own == system} for system in ("a", "b")}


def in_parquet(frame: pl.DataFrame) -> bytes:
    with file_of(b"") as path:
        frame.write_parquet(path)
        return path.read_bytes()


SCORE_FILES = {
    "x.csv": LONG.write_csv().encode(),
    "x.tsv": LONG.write_csv(separator="\t").encode(),
    "wide.csv": WIDE.write_csv().encode(),
    "x.json": json.dumps(BY_SYSTEM).encode(),
    "by measure.json": json.dumps({"AP": BY_SYSTEM}).encode(),
    "list.json": json.dumps(LONG.to_dicts()).encode(),
    "of ours.json": json.dumps({"study": "score", "scores": LONG.to_dicts()}).encode(),
    "x.jsonl": LONG.write_ndjson().encode(),
    "x.parquet": in_parquet(LONG),
    "wide": in_parquet(WIDE),
    "x.eval": lines("map\tq1\t0.5", "map\t7\t0.25", "runid\tall\tmine", "map\tall\t0.375"),
}


def test_the_tables_are_read_as_they_are() -> None:
    for name, data in SCORE_FILES.items():
        with file_of(data, name) as path:
            assert Scores.load(path).topics == ("q1", "7")


@many
@given(st.sampled_from([*SCORE_FILES]), ends, edits, st.booleans())
def test_damaged_tables_of_scores(name: str, end: str, done: list[Edit], inside: bool) -> None:  # noqa: FBT001  # of Hypothesis
    with file_of(damaged(SCORE_FILES[name], end, done, inside=inside), name) as path:
        try_scores(path)


def test_parquet_with_one_byte_changed() -> None:
    """Of some such files polars panics, which Python sees as no Exception."""
    data = RUN_FILES["Parquet"]
    for at in range(4, len(data), 3):
        with file_of(edited(data, ("flip", at, 6))) as path:
            assert_read_or_refused(lambda path=path: read_runs(path), str(path))  # type: ignore[misc]  # of the loop
            assert_read_or_refused(lambda path=path: are_scores(str(path), is_measure), str(path))  # type: ignore[misc]


# files of nothing that we know

STARTS = [
    b"",
    b"PAR1",
    b"{",
    b"[",
    b'{"q1": {"',
    b"\x1f\x8b\x08",
    b"BZh9",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
    b"\xa1",
]
STARTS += [
    b"\x04\x22\x4d\x18",
    b"# ir_metadata.start\n# ",
    b"qid,docno,score\n",
    b"topic\tsystem\tscore\n",
    b"runid\tall\t",
]


@settings(deadline=LONGEST, max_examples=200)
@given(st.sampled_from(STARTS), st.binary(max_size=200))
def test_random_bytes(start: bytes, others: bytes) -> None:
    with file_of(start + others) as path:
        for attempt in (try_run, try_qrels, try_scores):
            attempt(path)


keys = st.sampled_from(
    ["q1", "d1", "qid", "docno", "score", "system", "measure", "topic", "mteb_model_meta", "", "study"]
)
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just("\ud800")
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=12
)


@settings(deadline=LONGEST, max_examples=100)
@given(values, st.lists(st.dictionaries(keys, leaves, min_size=2), min_size=1, max_size=3))
def test_json_and_cbor_of_any_shape(value: Any, records: list[dict[str, Any]]) -> None:  # noqa: ANN401  # any JSON
    of_lines = lines(*map(json.dumps, records))
    of_cbor = cbor2.dumps(json.loads(json.dumps(value).replace("\\ud800", "x")))
    for data in (json.dumps(value).encode(), json.dumps({"q1": value}).encode(), of_lines, of_cbor):
        with file_of(data) as path:
            for attempt in (try_run, try_qrels, try_scores):
                attempt(path)
