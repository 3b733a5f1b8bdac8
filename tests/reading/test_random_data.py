"""Random data are the same in every format."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from irgauge import load
from oracles.every_format import QRELS, RUNS
from oracles.sameness import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # notes on random data say much
LONGEST = timedelta(seconds=20)  # a file of a few lines takes no longer: nothing hangs


@contextmanager
def file_of(data: bytes, name: str = "mine") -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


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
