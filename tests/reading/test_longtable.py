"""Long tables: what is read from text, against the csv module, and the line that an error names."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import InputError
from irgauge.reading.tables.longtable import LongTable, long_table
from irgauge.reading.tables.read import frame_sheet, read_tables, table_of
from irgauge.reading.tables.text import write_table

KEYS = ("topic", "system")


def no_measure(_: str) -> bool:
    return False


# without surrounding space, and without the apostrophe that keeps spreadsheets from computing what follows
FIELDS = st.text("ab1,;\t\n\"' ", min_size=1, max_size=4).filter(
    lambda text: text == text.strip() and not re.match(r"'+[\t\n]", text)
)
ROWS = st.lists(st.tuples(FIELDS, FIELDS, st.floats(-9, 9).map(repr)), min_size=1, max_size=8)
BLANKS = st.lists(st.sampled_from(["", "\n", " \n", "\n\n"]), min_size=9, max_size=9)


def written(rows: list[tuple[str, ...]], blanks: list[str], separator: str) -> tuple[bytes, list[int]]:
    """A file with blank lines before some rows, and the last line of each row."""
    text, lines = "", []
    for row, blank in zip([(*KEYS, "score"), *rows], blanks, strict=False):
        record = io.StringIO()
        csv.writer(record, delimiter=separator, lineterminator="\n").writerow(row)
        text += blank + record.getvalue()
        lines.append(text.count("\n"))
    return text.encode(), lines[1:]


def read(folder: pytest.TempPathFactory, data: bytes) -> LongTable:
    path = folder.mktemp("tables") / "table.csv"
    path.write_bytes(data)
    return read_tables([path], no_measure)


@settings(deadline=None, max_examples=60)
@given(rows=ROWS, blanks=BLANKS, separator=st.sampled_from(",;\t"))
def test_text_is_read_as_the_csv_module_writes_it(
    rows: list[tuple[str, ...]], blanks: list[str], separator: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table = read(tmp_path_factory, written(rows, blanks, separator)[0])
    expected = [(topic, system, float(score)) for topic, system, score in rows]
    assert table.frame.select(*KEYS, "score").rows() == expected


@settings(deadline=None, max_examples=60)
@given(rows=ROWS, blanks=BLANKS, separator=st.sampled_from(",;\t"), data=st.data())
def test_an_error_names_the_line_of_the_row(
    rows: list[tuple[str, ...]],
    blanks: list[str],
    separator: str,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    bad = data.draw(st.integers(0, len(rows) - 1))
    rows[bad] = (*rows[bad][:2], "high")
    content, lines = written(rows, blanks, separator)
    with pytest.raises(InputError, match="the score 'high' is not a number") as caught:
        read(tmp_path_factory, content)
    assert caught.value.line == lines[bad]


def test_the_line_is_known_after_rows_were_left_out(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("# a comment\n\nmeasure,topic,system,score\nAP,1,a,1\nAP,all,a,1\nRR,1,a,1\nAP,1,b,1\nRR,1,a,2\n")
    with pytest.raises(InputError, match="appears twice") as caught:
        read_tables([path], no_measure).only("measure", "RR").refuse_twice(KEYS)
    assert (caught.value.path, caught.value.line) == (str(path), 8)


def test_an_error_names_the_file_of_several(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(f"topic,system,score\n1,{name[0]},0.5\n2,c,0.5\n")
    with pytest.raises(InputError, match="topic '2', system 'c' appears twice") as caught:
        read_tables([tmp_path], no_measure).refuse_twice(KEYS)
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "b.csv"), 3)


def test_rows_are_read_whatever_the_file_is_called(tmp_path: Path) -> None:
    frame = pl.DataFrame({"topic": ["1"], "system": ["a"], "score": [0.5]})
    for name in ("a.csv", "a.tsv", "a.jsonl", "a.parquet"):
        write_table(tmp_path / name, frame)
        (tmp_path / name).rename(tmp_path / "table")
        assert read_tables([tmp_path / "table"], no_measure).frame.select(frame.columns).equals(frame)


def test_labels_that_are_no_labels_are_refused() -> None:
    frame = pl.DataFrame({"topic": [[1]], "system": ["a"], "score": [0.5]})
    with pytest.raises(InputError, match="the column topic is of type List"):
        long_table(frame_sheet(frame), no_measure)
    with pytest.raises(InputError, match="a int cannot be read; give the path of a table, a polars or pandas data fr"):
        table_of(3, no_measure)
