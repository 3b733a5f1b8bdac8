"""Odd Python objects in place of judgments, runs and scores: taken, or refused."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.odd_values import LEAVES, odd_text, odd_value, with_odd_node
from fuzz.samples import BY_SYSTEM, LONG, QREL, RUN, WIDE
from fuzz.trials import attempted, drawn, try_each
from irgauge import InstanceScores, Scores, load, load_scores
from irgauge.conversion import to_dicts, to_pandas
from irgauge.scoring.scores import score
from oracles.every_format import OF_QRELS, OF_RUNS, frame, records, rows

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")

Row = namedtuple("Row", ["qid", "docno", "score"])  # what ir_datasets has


class Given(NamedTuple):
    """What is given, and in which place."""

    place: str
    value: object


def as_load_takes(qrels: object, runs: object) -> None:
    collection = load(qrels, runs)
    score(collection, "AP", workers=1).frame()
    to_dicts(collection)


def as_scores_takes(value: object) -> None:
    to_pandas(load_scores(value))


TAKES: Mapping[str, Callable[[Any], object]] = {
    "qrels": lambda value: as_load_takes(value, {"mine": RUN}),
    "runs": lambda value: as_load_takes(QREL, value),
    "a run": lambda value: as_load_takes(QREL, {"mine": RUN, "other": value}),
    "scores": as_scores_takes,
    "a frame of scores": Scores.from_frame,
    "instances": InstanceScores.of,
}
GOOD: Mapping[str, list[Any]] = {
    "qrels": [QREL, rows(QREL), records(QREL, OF_QRELS)],
    "runs": [RUN, {"a": RUN, "b": RUN}, [RUN], rows(RUN), records(RUN, OF_RUNS)],
    "a run": [RUN, rows(RUN), records(RUN, OF_RUNS)],
    "scores": [BY_SYSTEM, {"AP": BY_SYSTEM}, {"a": [0.5, 1.0], "b": [0.25, 0.5]}, LONG.to_dicts()],
    "instances": [BY_SYSTEM, LONG.to_dicts()],
}
FRAMES: Mapping[str, list[pl.DataFrame]] = {
    "qrels": [frame(QREL, OF_QRELS)],
    "runs": [frame(RUN, OF_RUNS)],
    "scores": [LONG, WIDE],
    "a frame of scores": [LONG, WIDE],
}


def attempt(made: Given) -> None:
    TAKES[made.place](made.value)


def nested(rng: Random) -> Given:
    """Mappings and lists with an odd node, sometimes two."""
    place = rng.choice(list(GOOD))
    value = with_odd_node(rng.choice(GOOD[place]), rng)
    return Given(place, with_odd_node(value, rng) if rng.random() < 0.2 else value)


def test_nested_objects() -> None:
    try_each("nested objects", 1200, nested, attempt)


def odd_frame(rng: Random) -> Given:
    """A frame of polars or pandas some of whose cells or columns are odd."""
    place = rng.choice(list(FRAMES))
    columns = {name: list(cells) for name, cells in rng.choice(FRAMES[place]).to_dict(as_series=False).items()}
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice(list(columns))
        cells = columns.pop(name) if rng.random() < 0.15 else columns[name]
        if rng.random() < 0.5:
            cells[rng.randrange(len(cells))] = odd_value(rng)
        else:
            columns[rng.choice([name, odd_text(rng).encode(errors="replace").decode()])] = [odd_value(rng)] * len(cells)
        columns = columns or {"a": [1] * len(cells)}
    return Given(place, _framed(columns, rng))


def _framed(columns: dict[str, list[Any]], rng: Random) -> object:
    kind = rng.randrange(4)
    if kind == 0:
        made = pd.DataFrame(columns, dtype=object)
        try:
            return made.convert_dtypes() if rng.random() < 0.3 else made
        except UnicodeEncodeError:  # of half characters, which pandas cannot convert
            return made
    if kind == 1:
        return pd.DataFrame({name: list(map(repr, cells)) for name, cells in columns.items()})
    if kind == 2:
        return columns
    return pl.DataFrame({name: list(map(_for_polars, cells)) for name, cells in columns.items()}, strict=False)


def _for_polars(cell: object) -> object:
    """What a frame of polars can hold: it panics at some objects."""
    is_small = isinstance(cell, float | None) or (isinstance(cell, int) and abs(cell) < 2**63)
    return cell if is_small else repr(cell)


def test_odd_frames() -> None:
    try_each("odd frames", 600, odd_frame, attempt)


ARRAYS = (
    *(np.zeros((2, 3)), np.ones((2, 2, 2)), np.zeros(3), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((1, 1, 1, 1))),
    *(np.array([["a", "b"]]), np.array([[None, 1]]), np.array([[True, False]]), np.array([[1j]]), np.array(0.5)),
    *(np.array([[np.nan, 1.0]]), np.array([[np.inf, 1.0]]), np.array([[1e308, -1e308]]), np.zeros((2, 2), "M8[s]")),
    *(np.ma.masked_array([[0.5, 1.0]], mask=[[True, False]]), np.array([["0.5"]]), np.zeros(2, [("a", float)])),
    *(np.array([[10**30]], dtype=object), np.zeros((2, 2), np.float16), np.asfortranarray(np.ones((3, 2)))),
)
NAMES: tuple[Any, ...] = (
    None,
    ["a"],
    ["a", "b"],
    ["a", "a"],
    ["a", "b", "c"],
    [],
    "ab",
    [1, 2],
    [None, "b"],
    ["", "b"],
)


@drawn(300)
@given(
    st.sampled_from(ARRAYS), st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from((None, "AP", "x", "", "@"))
)
def test_arrays(array: Any, systems: Any, topics: Any, measure: Any) -> None:  # noqa: ANN401  # of any type
    attempted(lambda: load_scores(array, systems=systems, topics=topics, measure=measure))


keys = st.sampled_from(
    ["q1", "d1", "qid", "docno", "score", "system", "topic", "", "measure", "mine", 1, 0.5, None, True]
)
values = st.recursive(
    st.integers(0, len(LEAVES) - 1).map(LEAVES.__getitem__) | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(keys, inner, max_size=3)
        | st.tuples(inner, inner, inner)
        | st.builds(Row, inner, inner, inner)
        | st.builds(lambda one: iter([one]), inner)
    ),
    max_leaves=10,
)


@drawn(400)
@given(st.sampled_from(list(TAKES)), values)
def test_any_object(place: str, value: Any) -> None:  # noqa: ANN401  # of any type
    attempted(lambda: TAKES[place](value))
