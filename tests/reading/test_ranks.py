"""The rank column against the scores, by a slow count of pairs."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.reading.formats import read_run
from irgauge.reading.objects import run_of
from irgauge.reading.trec import TOP, first_by_rank, rank_order, ranks_of

Line = tuple[str, str, float]  # docno, rank, score


def written(folder: Path, lists: dict[str, list[Line]]) -> Path:
    path = folder / "one.run"
    lines = [f"{topic} Q0 {docno} {rank} {score} x" for topic, rows in lists.items() for docno, rank, score in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def slow_opposite(rows: list[Line], first: int) -> float:
    """Of pairs with one of the first ranks, those that ranks and scores order: the share that they order otherwise."""
    ranked = sorted(rows, key=lambda row: int(row[1]))
    pairs = [
        (a, b)
        for (i, a), (_, b) in combinations(enumerate(ranked), 2)
        if i < first and int(a[1]) != int(b[1]) and a[2] != b[2]
    ]
    return np.mean([a[2] < b[2] for a, b in pairs]).item() if pairs else np.nan


@given(
    st.lists(st.tuples(st.integers(0, 15), st.integers(-3, 3)), min_size=1, max_size=25),
    st.lists(st.tuples(st.integers(0, 15), st.integers(-3, 3)), min_size=1, max_size=25),
)
@settings(max_examples=60, deadline=None)
def test_opposite_pairs_are_those_of_a_slow_count(
    tmp_path_factory: pytest.TempPathFactory, one: list[tuple[int, int]], two: list[tuple[int, int]]
) -> None:
    lists = {
        topic: [(f"d{i}", str(rank), float(score)) for i, (rank, score) in enumerate(rows)]
        for topic, rows in (("1", one), ("2", two))
    }
    order = rank_order(read_run(written(tmp_path_factory.getbasetemp(), lists)))
    expected = [slow_opposite(rows, TOP) for rows in lists.values()]
    np.testing.assert_allclose(order.opposite, expected)
    assert order.is_known.tolist() == [not np.isnan(share) for share in expected]


@pytest.mark.parametrize("start", [0, 1])
def test_ranks_from_0_or_1_agree_with_falling_scores(tmp_path: Path, start: int) -> None:
    rows = [(f"d{i}", str(start + i), 9.0 - i // 2) for i in range(9)]  # ties in score contradict nothing
    for given_rows in (rows, sorted(rows, key=lambda row: row[0], reverse=True)):
        order = rank_order(read_run(written(tmp_path, {"1": given_rows})))
        assert (order.opposite.tolist(), order.rising.tolist()) == ([0], [0])


def test_scores_that_rise_with_the_rank_are_opposite_throughout(tmp_path: Path) -> None:
    order = rank_order(read_run(written(tmp_path, {"1": [(f"d{i}", str(i), float(i)) for i in range(30)]})))
    assert (order.opposite.tolist(), order.rising.tolist()) == ([1], [1])


def test_documents_put_on_top_with_scores_of_another_scale_are_opposite_but_do_not_rise(tmp_path: Path) -> None:
    again = [(f"a{i}", str(i + 1), 1 - i / 100) for i in range(20)]
    rest = [(f"b{i}", str(i + 21), 30.0 - i / 10) for i in range(200)]
    order = rank_order(read_run(written(tmp_path, {"1": again + rest})))
    assert order.opposite[0] > 0.9
    assert order.rising[0] < 0.01


@pytest.mark.parametrize("ranks", [["1", "1", "1"], ["x", "2", "3"], ["1", "-2", "3"], ["1", "2.5", "3"], ["1e2"] * 3])
def test_ranks_that_order_nothing_say_nothing(tmp_path: Path, ranks: list[str]) -> None:
    order = rank_order(read_run(written(tmp_path, {"1": [(f"d{i}", rank, float(i)) for i, rank in enumerate(ranks)]})))
    assert not order.is_known.any()


def test_objects_have_no_ranks() -> None:
    assert np.isnan(ranks_of(run_of({"q": {"d1": 1.0, "d2": 2.0}}, "mine"))).all()


def test_rows_of_a_topic_that_are_apart_keep_their_ranks(tmp_path: Path) -> None:
    path = tmp_path / "one.run"
    path.write_text("1 Q0 a 1 9 x\n2 Q0 a 1 9 x\n1\tQ0\tb\t2  8 x\r\n2 Q0 b 2 8 x\n")
    run = read_run(path)
    assert ranks_of(run).tolist() == [1, 2, 1, 2]


def test_the_first_documents_by_rank(tmp_path: Path) -> None:
    lists = {
        "1": [("a", "3", 3.0), ("bb", "2", 2.0), ("ccc", "1", 1.0)],
        "2": [("a", "1", 1.0), ("bb", "1", 2.0), ("ccc", "1", 3.0)],  # no ranks: its scores decide
        "3": [("z", "1", 5.0)],
    }
    found = first_by_rank(read_run(written(tmp_path, lists)), 2)
    assert [found.docno(row) for row in range(len(found.scores))] == ["ccc", "bb", "ccc", "bb", "z"]
    assert found.bounds.tolist() == [0, 2, 4, 5]
    assert found.text.tobytes() == b"cccbbcccbbz"
    assert found.scores.tolist() == [-1, -2, 3, 2, 5]


@given(st.binary(max_size=60))
@settings(max_examples=100, deadline=None)
def test_whatever_follows_a_docno_is_a_rank_or_none(tail: bytes) -> None:
    run = run_of({"q": {"d": 1.0}}, "mine")
    text = np.frombuffer(b"d" + tail, np.uint8).copy()
    (rank,) = ranks_of(type(run)(run.path, run.topics, run.bounds, text, run.starts, np.array([1]), "t", run.scores))
    field = tail.split(b"\n")[0].replace(b"\n", b" ")
    cleaned = bytes(byte if byte > 32 else 32 for byte in field)
    first = cleaned.split(b" ") if cleaned.startswith(b" ") else []
    word = next((part for part in first if part), b"")
    if word.isdigit() and len(word) <= 9:
        assert rank == int(word)
    else:
        assert np.isnan(rank)
