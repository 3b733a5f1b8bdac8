"""Inputs that were faults once, each the smallest of its kind: all are refused in words."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest

from fuzz.files import File, written
from fuzz.samples import QREL
from fuzz.test_commands import ended
from irgauge import InputError, InstanceScores, anova, compare, effects, load, load_scores, plan, score
from irgauge.errors import DesignError
from irgauge.inference.mean_bounds import mean_bounds
from irgauge.inference.studentized import range_curves
from irgauge.inference.tests.skewed_t import skewness
from irgauge.lab.texts import Document, read_documents, read_topics
from irgauge.models.mixed.reml import fit
from irgauge.scoring.measures import parse_measures
from irgauge.simulation.collections import Design
from irgauge.simulation.instances import InstanceTruth
from irgauge.simulation.truth import Truth
from irgauge.studies.partition.lengths import members_of


class Row(NamedTuple):
    """A row of a run."""

    qid: str
    docno: str
    score: float


def documents(path: str) -> list[Document]:
    return list(read_documents([path]))


def damaged_truth() -> bytes:
    """A truth of three systems, without the last."""
    cell = {"mean": 0.5, "se": 0.1}
    design = asdict(Design(systems=3, families=1))
    return json.dumps({"design": design, "truth_topics": 2, "measures": {"AP": {"a": cell, "b": cell}}}).encode()


DEEP = b"[" * 100_000
FILES: Mapping[str, tuple[Callable[[str], object], bytes, str]] = {
    "a group of a system called by a white space that is no ASCII": (
        lambda path: members_of(path, "ab"),
        "\u0085 x\nb x\n".encode(),
        "x:1: the groups name 1 system",
    ),
    "a group of a system whose name has such a white space": (
        lambda path: members_of(path, "ab"),
        "a x\nb\u00a0c x\n".encode(),
        "x:2: the groups name 1 system",
    ),
    "a truth of instances that is too deep": (InstanceTruth.load, DEEP, "this is not a truth.json"),
    "scores whose squares are infinite": (
        load_scores,
        b"topic,a\n1,0.5\n2,1e300\n",
        "x:3: the score 1e.300 is too large",
    ),
    "a table of commas": (load_scores, b"," * 400_000, "x:1: the table has some 400,000 columns"),
    "a document of JSON that is too deep": (documents, b'{"a":' * 100_000, "x:1: this line is no JSON object"),
    "topics of JSON that are too deep": (read_topics, b'{"a":' + DEEP, "x:1: this line is no JSON object"),
    "docnos that do not end": (documents, b"<DOC>" + b"<DOCNO>" * 60_000 + b"</DOC>", "x:1: the document has no id"),
    "a truth of fewer systems than its design has": (
        Truth.load,
        damaged_truth(),
        "3 systems by 1 measures have 2 means",
    ),
    "scores of instances whose squares are infinite": (
        InstanceScores.load,
        b"algorithm,topic,score\na,1,0.5\na,2,1e300\n",
        "x:3: the score 1e.300 is too large",
    ),
}

OBJECTS: Mapping[str, tuple[Callable[[], object], str]] = {
    "a list of scores in place of a score": (lambda: load_scores({"a": {"1": np.zeros(0)}}), "is not a number"),
    "a number that cannot be compared": (lambda: load(QREL, {"a": {"q1": {"d1": Decimal("sNaN")}}}), "is not a number"),
    "a grade of a thousand digits": (lambda: parse_measures(f"NERR10(max_rel={'9' * 1000})"), "a whole number"),
    "half a character as a path": (lambda: load(QREL, ["\ud800"]), "half a character"),
    "half a character as the path of a named run": (lambda: load(QREL, {"a": "\ud800"}), "half a character"),
    "half a character as the name of a run": (lambda: load(QREL, {"\udcff": {"q1": {"d1": 1}}}), "not valid Unicode"),
    "an array without axes": (lambda: load(np.array(1), {"a": {"q1": {"d1": 1}}}), "a ndarray cannot be read"),
    "a masked value as a column of scores": (lambda: load_scores({"a": [0.5], "b": np.ma.masked}), "a holds a list"),
    "an array without values as a pattern": (
        lambda: plan({"a": {"1": 0.5}, "b": {"1": 0.25}}, pattern=np.zeros(0)),  # type: ignore[arg-type]  # as users do
        "pattern",
    ),
    "a span of time as a margin": (
        lambda: compare({"a": {"1": 0.5}}, margin=np.timedelta64(1)),  # type: ignore[arg-type]  # as users do
        "margin is np.time",
    ),
    "a masked value as a list": (
        lambda: effects({"a": {"1": 0.5}}, shards=np.ma.masked),  # type: ignore[arg-type]  # as users do
        "shards is masked",
    ),
    "minus zero as a standard deviation": (lambda: Design(system_sd=-0.0), "system_sd=-0.0 is not possible"),
    "true as a number": (lambda: Design(families=True), "families=True is not possible"),
    "equal systems by a number that is not whole": (lambda: Design(equal=0.0), "equal=0.0 is not possible"),  # type: ignore[arg-type]  # as in a file
    "half a seed of numpy": (
        lambda: compare({"a": {"1": 0.5}}, seed=np.float16(0.5)),  # type: ignore[arg-type]  # as users do
        "it is a whole number",
    ),
    "a run that is an array without axes": (lambda: load(QREL, [np.array(1)]), "a ndarray cannot be read"),
    "a system without topics of its own": (
        lambda: score(load_scores({"a": {"1": 0.5}, "b": {"1": float("nan")}}), own_topics=True),
        "scores are missing on some of the 1 topics",
    ),
    "scores of instances whose squares vanish": (
        lambda: fit([1e-310, 0.0, 5e-324, 0.0], [0, 0, 1, 1], {"topic": [0, 1, 0, 1]}),
        "lie within 1e-310, too little",
    ),
    "no precision": (lambda: load(QREL, {"a": QREL}, precision=None), "precision is None; it is 'double' or 'single'"),  # type: ignore[arg-type]  # as users do
    "half a character as a measure": (lambda: load_scores({"a": {"1": 0.5}}, measure="\ud800"), "half a character"),
    "half a character as a baseline": (lambda: compare({"a": {"1": 0.5}}, baseline="\ud800"), "half a character"),
    "no rule of missing topics": (
        lambda: load_scores({"a": {"1": 0.5}}, missing="0"),  # type: ignore[arg-type]  # as users do
        "missing topics '0' is unknown",
    ),
    "a seed that is no whole number": (lambda: Design(seed=1000.0), "seed=1000.0 is not possible"),  # type: ignore[arg-type]  # as in a file
    "half a character in a table": (lambda: load_scores({"topic": ["\ud800"], "a": [0.5]}), "is not valid Unicode"),
    "named tuples and others": (
        lambda: load(QREL, {"a": [Row("q1", "d1", 1), ("q1", "d2", 0.5)]}),
        "names other fields",
    ),
    "scores whose products vanish": (
        lambda: anova({"a": {"1": 1e-150, "2": 0.0}, "b": {"1": 0.0, "2": 3e-150}}),
        "lie within 3e-150, too little",
    ),
    "more systems than can be computed with": (lambda: range_curves([10**18], [2]), "at most 1,000,000,000 groups"),
}
LINES: Mapping[str, tuple[list[str], str]] = {
    "a chart whose name is too long": (["score", "x.csv", "--chart", "9" * 400 + ".html"], "too long"),
    "a list as a page, on the screen": (["reproduce", "--list", "--format", "html"], "irgauge: a list is no page"),
}


@pytest.mark.parametrize("name", FILES)
def test_files(name: str) -> None:
    read, data, message = FILES[name]
    with written(File("x", data)) as path, pytest.raises(InputError, match=message):
        read(path)


@pytest.mark.parametrize("name", ["a page of −6 values", "a column that ends behind the file", "a footer without end"])
def test_parquet_that_would_end_the_process(name: str) -> None:
    """Of a wrong count polars asks for more memory than there is, which nothing can catch."""
    file = io.BytesIO()
    pl.DataFrame({"topic": ["1"] * 5, "a": [0.5] * 5}).write_parquet(file, compression="uncompressed", statistics=False)
    data, counts = bytearray(file.getvalue()), {}
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    if name == "a page of −6 values":  # in zigzag 10 is 5, 11 is −6
        counts = {place: 11 for place in range(4, footer) if data[place - 1 : place + 1] == b"\x15\x0a"}
        assert counts
    elif name == "a footer without end":
        counts = dict.fromkeys(range(footer, len(data) - 8), 21)
    else:
        counts = {place: 0x7E for place in range(footer, len(data) - 8) if data[place - 1 : place] == b"\x16"}
    for place, value in counts.items():
        data[place] = value
    with (
        written(File("x.parquet", bytes(data))) as path,
        pytest.raises(InputError, match="not a readable Parquet"),
    ):
        load_scores(path)


@pytest.mark.parametrize("name", OBJECTS)
def test_objects(name: str) -> None:
    use, message = OBJECTS[name]
    with pytest.raises((InputError, DesignError), match=message):
        use()


@pytest.mark.parametrize("digits", ["9" * 5000, "0" * 5000 + "65"])
def test_an_entity_of_thousands_of_digits(digits: str) -> None:
    with written(File("x", f"<DOC><DOCNO>d</DOCNO>a &#{digits}; b</DOC>".encode())) as path:
        assert documents(path)[0].text.split() == ["a", "\ufffd" if digits[0] == "9" else "A", "b"]


def test_scores_whose_squares_are_0() -> None:
    tiny = np.array([[0.0], [5e-324], [1e-310]])
    low, high = mean_bounds(tiny)
    assert np.isnan([low, high]).all()
    assert skewness(tiny) == pytest.approx(skewness(np.array([[0.0], [0.0], [1.0]])))


@pytest.mark.parametrize("name", ["*", "^b.*$", "b"])
def test_systems_called_like_patterns_of_polars(name: str) -> None:
    with written(File("x.csv", f"topic,{name},bm25\nq1,0.5,0.125\nq2,0.25,\n".encode())) as path:
        table = load_scores(path, missing="zero")
    assert table.systems == (name, "bm25")
    assert table.values[0, :, :, 0].tolist() == [[0.5, 0.125], [0.25, 0.0]]


@pytest.mark.parametrize("name", LINES)
def test_command_lines(name: str) -> None:
    words, message = LINES[name]
    Path("x.csv").write_text("topic,a,b\n1,0.5,0.25\n2,0.75,0.5\n")
    code, _, err = ended(words)
    assert code == 2
    assert message in err
