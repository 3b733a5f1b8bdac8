"""Values that Python objects hold and files cannot: missing ones of pandas, numbers without end, lazy frames."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import polars as pl
import pytest

import irgauge as ig
from irgauge.errors import InputError
from irgauge.reading.tables.sheet import is_missing, quoted, text_of

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}}
RUN = {"q1": {"d1": 1.0, "d2": 0.5}, "q2": {"d3": 1.0}}
JUDGED = pd.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d2", "d3"], "relevance": [1, 0, 1]})
RETRIEVED = pd.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d2", "d3"], "score": [1.0, 0.5, 1.0]})
SCORED = pd.DataFrame({"topic": ["q1", "q2"] * 2, "system": ["a", "a", "b", "b"], "score": [0.1, 0.2, 0.3, 0.4]})
LARGE = (10**400, 10**5000)  # more than a double holds; more than Python writes
large = pytest.mark.parametrize("number", LARGE, ids=["400 digits", "5000 digits"])


def lacking(frame: pd.DataFrame, column: str, missing: object = pd.NA) -> pd.DataFrame:
    """The frame without its first cell in a column."""
    cells = frame[column].astype(object).tolist()
    return frame.assign(**{column: pd.Series([missing, *cells[1:]], dtype=object)})


@pytest.mark.parametrize("value", [None, math.nan, pd.NA, pd.NaT])
def test_what_is_missing_is_known(value: object) -> None:
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, "", "nan", False, math.inf])
def test_what_is_there_is_known(value: object) -> None:
    assert not is_missing(value)


def test_names_and_quotes_of_numbers() -> None:
    assert [text_of(value) for value in (401, 401.0, "a b", 1e22)] == ["401", "401", "a b", "10000000000000000000000"]
    assert quoted(10**100) == "1" + "0" * 58 + "..."
    assert quoted("x" * 58) == "'" + "x" * 58 + "'"
    with pytest.raises(InputError, match="is no name"):
        text_of(10**5000)


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA])
@pytest.mark.parametrize(("column", "said"), [("query_id", "no topic"), ("doc_id", "no docno")])
def test_names_that_are_missing_are_refused(column: str, said: str, missing: object) -> None:
    with pytest.raises(InputError, match=f"there is {said} in row 1"):
        ig.load(lacking(JUDGED, column, missing), RUN)
    with pytest.raises(InputError, match=f"there is {said} in row 1"):
        ig.load(QRELS, lacking(RETRIEVED, column, missing))


def test_values_that_are_missing_are_refused() -> None:
    with pytest.raises(InputError, match="the grade <NA> in row 1 is not a number"):
        ig.load(lacking(JUDGED, "relevance"), RUN)
    with pytest.raises(InputError, match="the score <NA> in row 1 is not a number"):
        ig.load(QRELS, lacking(RETRIEVED, "score"))
    with pytest.raises(InputError, match="row 1 has no system"):
        ig.load(QRELS, lacking(RETRIEVED.assign(system="a"), "system"))


def test_a_score_of_a_table_may_be_missing_and_a_label_may_not() -> None:
    assert ig.load_scores(lacking(SCORED, "score"), missing="zero").values.ravel().tolist() == [0.0, 0.3, 0.2, 0.4]
    assert math.isnan(ig.Scores.of({"a": {"q1": pd.NA, "q2": 0.2}}).values[0, 0, 0, 0])
    with pytest.raises(InputError, match=r"a: 1 topic \(q1\)"):
        ig.load_scores({"a": {"q1": pd.NA, "q2": 0.2}})
    for label in ("topic", "system"):
        with pytest.raises(InputError, match=f"1 row has no {label}"):
            ig.load_scores(lacking(SCORED, label))


@large
def test_numbers_that_no_double_holds_are_no_scores_and_no_grades(number: int) -> None:
    with pytest.raises(InputError, match=r"the grade .* in row 1 is not a number"):
        ig.load({"q1": {"d1": number}}, RUN)
    with pytest.raises(InputError, match=r"the score .* in row 1 is not a number"):
        ig.load(QRELS, {"a": {"q1": {"d1": number}}})
    with pytest.raises(InputError, match=r"the score .* is not a number"):
        ig.load_scores({"a": {"q1": number, "q2": 0.4}})


def test_numbers_that_python_does_not_write_are_no_names() -> None:
    given: list[Any] = [{10**5000: {"d1": 1}}, {"q1": {10**5000: 1}}, [(10**5000, "d1", 1)]]
    for one in given:
        with pytest.raises(InputError, match="is no name"):
            ig.load(one, RUN)
    with pytest.raises(InputError, match="is no name"):
        ig.load_scores({"a": {10**5000: 0.5}})
    with pytest.raises(InputError, match="is not a tuple"):
        ig.load([(10**5000, "d1")], RUN)


def test_lazy_frames_are_computed() -> None:
    lazy = [pl.DataFrame(frame.to_dict("list")).lazy() for frame in (JUDGED, RETRIEVED, SCORED)]
    found = ig.load(lazy[0], lazy[1])
    assert (found.topics, found.lengths.tolist()) == (("q1", "q2"), [[2], [1]])
    assert ig.load(QRELS, {"mine": lazy[1]}).systems == ("mine",)
    assert ig.load_scores(lazy[2]).values.ravel().tolist() == [0.1, 0.3, 0.2, 0.4]
    assert ig.compare(lazy[2]).frame()["difference"].to_list() == pytest.approx([0.2])
    with pytest.raises(InputError, match=r"the lazy frame cannot be computed \(.*nope"):
        ig.load(lazy[0].select("nope"), RUN)
