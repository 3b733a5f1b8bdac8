"""TREC files: layouts, every fault with its path and line, names of systems, and what is written is read back."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.errors import InputError
from irgauge.reading.formats import read_qrels, read_run
from irgauge.reading.run_names import file_name
from irgauge.reading.trec import Qrels, Rows, Run, system_names, write_qrels, write_run

RUN = "401 Q0 d1 1 2.5 mine\n401 Q0 d2 2 1.5 mine\n402 Q0 d1 1 0.25 mine\n"
QRELS = "401 0 d1 1\n401 0 d2 0\n402 0 d1 2\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def to_file(content: str | bytes) -> Path:
        path = tmp_path / "given.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return to_file


Write = Callable[[str | bytes], Path]


def docnos(rows: Rows) -> list[list[str]]:
    """The docnos of each topic, in the order of the file."""
    bounds = rows.bounds.tolist()
    return [[rows.docno(row) for row in range(first, last)] for first, last in pairwise(bounds)]


def assert_located(read: Callable[[Path], Rows], path: Path, line: int | None, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert str(caught.value).startswith(f"{path}: " if line is None else f"{path}:{line}: ")


# runs

LAYOUTS = {
    "spaces": RUN,
    "no final newline": RUN.rstrip("\n"),
    "tabs": RUN.replace(" ", "\t"),
    "CRLF": RUN.replace("\n", "\r\n"),
    "several spaces": RUN.replace(" ", "    "),
    "leading and trailing": RUN.replace("401", " \t401").replace("\n", "  \n"),
    "blank lines": "\n\n" + RUN.replace("\n", "\n \t\n"),
    "byte order mark": "\ufeff" + RUN,
    "exponents": RUN.replace("2.5", "25E-1").replace("0.25", "+.25e0"),
    "other ranks": RUN.replace(" 1 2.5", " 9 2.5").replace(" 2 1.5", " x 1.5"),
}


@pytest.mark.parametrize("content", LAYOUTS.values(), ids=LAYOUTS)
def test_a_run_is_read_whatever_its_layout(content: str, write: Write) -> None:
    path = write(content)
    run = read_run(path)
    assert isinstance(run, Run)
    assert run.path == str(path)
    assert run.line_of is None
    assert run.tag == "mine"
    assert run.topics == ("401", "402")
    assert run.bounds.tolist() == [0, 2, 3]
    assert docnos(run) == [["d1", "d2"], ["d1"]]
    assert run.scores.tolist() == [2.5, 1.5, 0.25]


def test_a_compressed_run_is_read(tmp_path: Path) -> None:
    path = tmp_path / "given.run.gz"
    path.write_bytes(gzip.compress(RUN.encode()))
    run = read_run(str(path))
    assert docnos(run) == [["d1", "d2"], ["d1"]]
    assert run.path == str(path)


def test_rows_of_interleaved_topics_are_brought_together(write: Write) -> None:
    run = read_run(write("b Q0 d1 1 5 t\na Q0 d2 1 4 t\nb Q0 d3 1 3 t\nc Q0 d4 1 2 t\na Q0 d5 1 1 t\n"))
    assert run.topics == ("b", "a", "c")
    assert docnos(run) == [["d1", "d3"], ["d2", "d5"], ["d4"]]
    assert run.scores.tolist() == [5.0, 3.0, 4.0, 1.0, 2.0]
    assert [run.topic(row) for row in range(5)] == ["b", "b", "a", "a", "c"]
    assert [run.error(row, "").line for row in range(5)] == [1, 3, 2, 5, 4]


def test_a_run_of_one_line_is_read(write: Write) -> None:
    run = read_run(write("401 Q0 d1 1 0.5 t"))
    assert (run.topics, run.tag, docnos(run), run.scores.tolist()) == (("401",), "t", [["d1"]], [0.5])


def test_infinite_scores_are_read(write: Write) -> None:
    run = read_run(write("401 Q0 d1 1 inf t\n401 Q0 d2 2 -Infinity t\n"))
    assert run.scores.tolist() == [float("inf"), float("-inf")]


def test_a_file_with_several_tags_has_none(write: Write) -> None:
    assert read_run(write("401 Q0 d1 1 2 one\n401 Q0 d2 2 1 two\n")).tag is None


def test_names_need_not_be_ascii(write: Write) -> None:
    run = read_run(write("thème Q0 文書 1 1 système\n"))
    assert (run.topics, run.tag, docnos(run)) == (("thème",), "système", [["文書"]])


def test_unicode_spaces_separate_no_fields(write: Write) -> None:
    run = read_run(write("4\u00a001 Q0 d\u00a01 1 2 my\u3000tag\n4\u00a002 Q0 d\u00a01 1 1 my\u3000tag\n"))
    assert run.topics == ("4\u00a001", "4\u00a002")
    assert docnos(run) == [["d\u00a01"], ["d\u00a01"]]
    assert run.tag == "my\u3000tag"


def test_very_long_docnos_are_read(write: Write) -> None:
    long = "http://" + "x" * 20_000
    run = read_run(write(f"401 Q0 {long} 1 1 mine\n401 Q0 d2 2 0.5 mine\n402 Q0 {long} 1 1 mine\n"))
    assert (run.topics, run.tag) == (("401", "402"), "mine")
    assert docnos(run) == [[long, "d2"], [long]]


def test_many_blank_lines_before_the_first_are_skipped(write: Write) -> None:
    assert read_run(write("\n" * 100_000 + RUN)).topics == ("401", "402")


# faults of runs


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("401 Q0 d1 1 2.5\n", 1, "5 columns where a run has 6: topic Q0 docno rank score tag"),
        ("401\n", 1, "^[^ ]+ 1 column where a run has 6"),
        ("\n \r\n401 Q0 d1 1 2.5 my tag\n401 Q0 d2 2 1.5 our tag\n", 3, "7 columns where a run has 6"),
        ("401 Q0 the d1 1 2.5 mine\n", 1, "7 columns where a run has 6: .* the number 2.5: is there a space in"),
        (RUN + "402 Q0 d2 2 mine\n", 4, "5 columns where the lines above have 6; fix this line"),
        (RUN + "\n\n402 Q0 d2 2 0.1 my tag\n" + RUN, 6, "7 columns where the lines above have 6"),
        (RUN.replace("\n", "\r\n") + "402", 4, "1 column where the lines above have 6"),
        (RUN + QRELS, 4, "4 columns where the lines above have 6"),
    ],
)
def test_a_wrong_number_of_columns_in_a_run_is_located(content: str, line: int, message: str, write: Write) -> None:
    assert_located(read_run, write(content), line, message)


@pytest.mark.parametrize("content", [QRELS, "\n" + QRELS, "401 0 d1 1 2\n"])
def test_qrels_in_place_of_a_run_are_recognised(content: str, write: Write) -> None:
    line = 2 if content.startswith("\n") else 1
    assert_located(read_run, write(content), line, "this looks like a qrels file: name the qrels first, then the runs")


def test_other_widths_do_not_look_like_qrels(write: Write) -> None:
    with pytest.raises(InputError) as caught:
        read_run(write("401 d1\n"))
    assert "looks like" not in str(caught.value)


@pytest.mark.parametrize("field", ["high", "nan", "NaN", "-nan", "1,5", "0x1", "1_000", "--1", "1e", "."])
def test_a_score_that_is_no_number_is_located(field: str, write: Write) -> None:
    content = RUN + f"\n402 Q0 d2 2 {field} mine\n"
    assert_located(read_run, write(content), 5, f"the score '{field}' is not a number; fix the file")


def test_further_scores_that_are_no_numbers_are_counted(write: Write) -> None:
    content = "401 Q0 d1 1 x mine\n401 Q0 d2 1 1 mine\n401 Q0 d3 1 y mine\n401 Q0 d4 1 nan mine\n"
    assert_located(read_run, write(content), 1, r"the score 'x' is not a number \(and 2 more\)")


def test_the_score_is_named_rightly_beside_unicode_spaces(write: Write) -> None:
    assert_located(read_run, write("401 Q0 d\u00a01 1 high mine\n"), 1, "the score 'high' is not a number")


@pytest.mark.parametrize("read", [read_run, read_qrels])
@pytest.mark.parametrize("content", ["", "\n", " \t\r\n \n", "\ufeff", "\ufeff\n", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_refused(content: str | bytes, read: Callable[[Path], Rows], write: Write) -> None:
    assert_located(read, write(content), None, "the file is empty; was it written to the end?")


@pytest.mark.parametrize(("read", "good", "bad"), [(read_run, RUN, "1 0.5 m\xe9"), (read_qrels, QRELS, "\xe9 1")])
def test_text_that_is_not_utf_8_is_located(read: Callable[[Path], Rows], good: str, bad: str, write: Write) -> None:
    content = good.encode() + b"402 Q0 d2 " + bad.encode("latin-1") + b"\n"
    assert_located(read, write(content), 4, "this is not UTF-8 text; convert the file to UTF-8")


@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_a_missing_file_is_an_input_error(read: Callable[[Path], Rows], tmp_path: Path) -> None:
    assert_located(read, tmp_path / "missing", None, "there is no such file")


# qrels


@pytest.mark.parametrize(
    "content",
    [
        QRELS,
        QRELS.rstrip("\n"),
        QRELS.replace(" ", "\t").replace("\n", "\r\n"),
        "\n" + QRELS.replace(" ", "   ").replace("\n", " \n\n"),
        QRELS.replace(" 0 d", " Q0 d"),
        QRELS.replace("d1 1", "d1 +1").replace("d1 2", "d1 2.0"),
    ],
)
def test_qrels_are_read_whatever_their_layout(content: str, write: Write) -> None:
    qrels = read_qrels(write(content))
    assert isinstance(qrels, Qrels)
    assert qrels.topics == ("401", "402")
    assert docnos(qrels) == [["d1", "d2"], ["d1"]]
    assert qrels.grades.tolist() == [1, 0, 2]
    assert qrels.strata.tolist() == [0, 0, 0]
    assert qrels.grades.dtype == qrels.strata.dtype == np.int64


def test_qrels_with_strata_are_read(write: Write) -> None:
    qrels = read_qrels(write("401 0 d1 1 2\n402 0 d2 2 -1\n401 0 d3 2 0\n"))
    assert qrels.topics == ("401", "402")
    assert docnos(qrels) == [["d1", "d3"], ["d2"]]
    assert qrels.strata.tolist() == [1, 2, 2]
    assert qrels.grades.tolist() == [2, 0, -1]


def test_judgments_of_interleaved_topics_are_brought_together(write: Write) -> None:
    qrels = read_qrels(write("b 0 d1 1\na 0 d1 2\nb 0 d2 3\na 0 d2 4\n"))
    assert qrels.topics == ("b", "a")
    assert docnos(qrels) == [["d1", "d2"], ["d1", "d2"]]
    assert qrels.grades.tolist() == [1, 3, 2, 4]
    assert [qrels.error(row, "").line for row in range(4)] == [1, 3, 2, 4]


@pytest.mark.parametrize("grade", ["-1", "-2147483648", "2147483648", "1e3", "007"])
def test_whole_grades_of_any_form_are_read(grade: str, write: Write) -> None:
    assert read_qrels(write(f"401 0 d1 {grade}\n")).grades.tolist() == [int(float(grade))]


# faults of qrels


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("401 0 d1\n", 1, "3 columns where qrels have 4: topic 0 docno grade"),
        ("\n401\n", 2, "1 column where qrels have 4"),
        ("401 0 d1 1 1 1 1\n", 1, "7 columns where qrels have 4"),
        (QRELS + "402 0 d2\n", 4, "3 columns where the lines above have 4"),
        (QRELS + "402 0 d2 1 1\n", 4, "5 columns where the lines above have 4"),
        ("401 0 d1 1 1\n401 0 d2 1\n", 2, "4 columns where the lines above have 5"),
        (QRELS + "\n" + RUN, 5, "6 columns where the lines above have 4"),
    ],
)
def test_a_wrong_number_of_columns_in_qrels_is_located(content: str, line: int, message: str, write: Write) -> None:
    assert_located(read_qrels, write(content), line, message)


@pytest.mark.parametrize("blank", ["", "\n\r\n"])
def test_a_run_in_place_of_qrels_is_recognised(blank: str, write: Write) -> None:
    message = "6 columns where qrels have 4.*this looks like a run: name the qrels first, then the runs"
    assert_located(read_qrels, write(blank + RUN), 1 + blank.count("\n"), message)


@pytest.mark.parametrize("field", ["high", "nan", "1,5", "0x1", "--1"])
@pytest.mark.parametrize("strata", [False, True])
def test_a_grade_that_is_no_number_is_located(field: str, strata: bool, write: Write) -> None:  # noqa: FBT001  # a parameter
    stratum = " 1" if strata else ""
    content = f"401 0 d1{stratum} 1\n401 0 d2{stratum} {field}\n"
    assert_located(read_qrels, write(content), 2, f"the grade '{field}' is not a number")


@pytest.mark.parametrize("field", ["0.5", "1e-3", "inf", "-inf", "2147483649", "1e300"])
@pytest.mark.parametrize("strata", [False, True])
def test_a_grade_that_is_not_whole_is_located(field: str, strata: bool, write: Write) -> None:  # noqa: FBT001  # a parameter
    stratum = " 1" if strata else ""
    content = f"401 0 d1{stratum} 1\n\n401 0 d2{stratum} {field}\n"
    assert_located(read_qrels, write(content), 3, f"the grade '{field}' is not a whole number up to 2147483648")


@pytest.mark.parametrize(("field", "message"), [("x", "is not a number"), ("1.5", "is not a whole number")])
def test_a_wrong_stratum_is_located(field: str, message: str, write: Write) -> None:
    assert_located(read_qrels, write(f"401 0 d1 1 1\n401 0 d2 {field} 1\n"), 2, f"the stratum '{field}' {message}")


# names of systems


def test_a_run_is_named_by_its_tag() -> None:
    assert system_names([("one", "a.run"), ("two", "b.run")]) == ["one", "two"]


def test_runs_that_share_a_tag_are_named_after_their_files() -> None:
    runs = [("mine", "runs/a.run.gz"), ("other", "runs/o.run"), ("mine", "runs/b.txt"), ("mine", "c")]
    assert system_names(runs) == ["a", "other", "b", "c"]


def test_runs_with_several_tags_are_named_after_their_files() -> None:
    assert system_names([(None, "a.run"), ("t", "b.run"), (None, "c.run")]) == ["a", "t", "c"]


def test_one_run_with_several_tags_is_named_after_its_file() -> None:
    assert system_names([(None, "runs/input.a.gz")]) == ["a"]


@pytest.mark.parametrize(
    ("runs", "name"),
    [
        ([("t", "x/a.run"), ("t", "y/a.run.gz")], "a"),
        ([("b", "a.run"), ("t", "x/b.run"), ("t", "c.run")], "b"),
        ([(None, "x/a.run"), ("t", "c"), ("a", "b")], "a"),
    ],
)
def test_two_runs_with_one_name_are_refused(runs: list[tuple[str | None, str]], name: str) -> None:
    paths = [path for (tag, path) in runs if name in (tag, file_name(path))]
    with pytest.raises(InputError, match=f"two runs have the same name '{name}'") as caught:
        system_names(runs)
    assert caught.value.path in paths
    others = [path for path in paths if path != caught.value.path]
    assert any(f"(the other: {path})" in caught.value.message for path in others)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a", "a"),
        ("runs/a.run", "a"),
        ("runs/a.txt", "a"),
        ("a.trec", "a"),
        ("a.res", "a"),
        ("a.run.gz", "a"),
        ("a.txt.bz2", "a"),
        ("a.xz", "a"),
        ("a.res.zst", "a"),
        ("input.a.gz", "a"),
        ("/x/y/input.a", "a"),
        ("a.b.run", "a.b"),
        ("my.input.a", "my.input.a"),
        ("a.dat", "a.dat"),
        (".gz", ".gz"),
        ("input.", "input."),
        ("input.gz", "input"),
    ],
)
def test_a_name_after_a_file_has_no_suffixes(path: str, name: str) -> None:
    assert file_name(path) == name


# writing

finite_or_infinite = st.floats(allow_nan=False)
words = st.text("abYZ019-_.é漢\"',;", min_size=1, max_size=8)
ranked_lists = st.lists(st.tuples(words, finite_or_infinite), min_size=1, max_size=6)


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(words, ranked_lists, min_size=1, max_size=4), words)
def test_a_run_that_was_written_is_read_back_exactly(lists: dict[str, list[tuple[str, float]]], tag: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.run")
        write_run(path, ((t, [d for d, _ in rows], [s for _, s in rows]) for t, rows in lists.items()), tag)
        run = read_run(path)
    assert run.topics == tuple(lists)
    assert run.tag == tag
    assert docnos(run) == [[docno for docno, _ in rows] for rows in lists.values()]
    expected = [score for rows in lists.values() for _, score in rows]
    assert [score.hex() for score in run.scores.tolist()] == [score.hex() for score in expected]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(["1", "2", "é"]), words, st.integers(-(2**31), 2**31)), min_size=1))
def test_qrels_that_were_written_are_read_back_exactly(judgments: list[tuple[str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "qrels.txt")
        write_qrels(path, judgments)
        qrels = read_qrels(path)
    topics = tuple(dict.fromkeys(topic for topic, _, _ in judgments))
    expected = [judgment for topic in topics for judgment in judgments if judgment[0] == topic]
    rows = range(len(judgments))
    assert qrels.topics == topics
    assert [(qrels.topic(row), qrels.docno(row), int(qrels.grades[row])) for row in rows] == expected


def test_the_lines_of_a_run_are_those_of_trec(tmp_path: Path) -> None:
    write_run(tmp_path / "a.run", [("401", ["d2", "d1"], [1.5, 0.25]), ("402", ["d1"], [1.0])], "mine")
    lines = [line.split(" ") for line in (tmp_path / "a.run").read_text().splitlines()]
    assert [line[:4] + line[5:] for line in lines] == [
        ["401", "Q0", "d2", "1", "mine"],
        ["401", "Q0", "d1", "2", "mine"],
        ["402", "Q0", "d1", "1", "mine"],
    ]
    assert [float(line[4]) for line in lines] == [1.5, 0.25, 1.0]


def test_the_lines_of_qrels_are_those_of_trec(tmp_path: Path) -> None:
    write_qrels(tmp_path / "qrels", [("401", "d1", 2), ("401", "d2", -1)])
    assert (tmp_path / "qrels").read_text() == "401 0 d1 2\n401 0 d2 -1\n"


@pytest.mark.parametrize(
    "lists",
    [
        [("401", ["d1", "d2"], [2, 1]), ("402", ["d1"], [0.5])],
        [("401", ["d1", "d2"], [2.0, 1.0]), ("402", ["d1"], [0.5]), ("403", [], [])],
        [("400", [], []), ("401", ["d1", "d2"], [2.0, 1.0]), ("402", ["d1"], [0.5])],
        [("401", ["d1", "d2"], np.array([2.0, 1.0])), ("402", ["d1"], np.array([0.5]))],
    ],
    ids=["whole numbers", "an empty list last", "an empty list first", "arrays"],
)
def test_lists_of_other_kinds_are_written(
    lists: list[tuple[str, Sequence[str], Sequence[float]]], tmp_path: Path
) -> None:
    write_run(tmp_path / "a.run", lists, "mine")
    run = read_run(tmp_path / "a.run")
    assert run.topics == ("401", "402")
    assert docnos(run) == [["d1", "d2"], ["d1"]]
    assert run.scores.tolist() == [2.0, 1.0, 0.5]


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    def lists() -> Iterator[tuple[str, list[str], list[float]]]:
        yield "401", ["d1"], [1.0]
        raise KeyboardInterrupt

    path = tmp_path / "a.run"
    path.write_text(RUN)
    with pytest.raises(KeyboardInterrupt):
        write_run(path, lists(), "mine")
    assert path.read_text() == RUN
    assert list(tmp_path.iterdir()) == [path]


def test_writing_into_a_missing_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "a"
    with pytest.raises(InputError, match="cannot be written") as caught:
        write_run(path, [("401", ["d1"], [1.0])], "mine")
    assert caught.value.path == str(path)
    with pytest.raises(InputError, match="cannot be written") as caught:
        write_qrels(path, [("401", "d1", 1)])
    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    ("line", "lacking"),
    [
        ("1 d1 1 0.5 tag", "the second column, Q0, seems to be missing"),
        ("1 Q0 d1 1 0.5", "the tag, the rank or the score is missing"),
        ("1 Q0 d1 0.5", "the tag, the rank or the score is missing"),
    ],
)
def test_a_run_that_lacks_a_column_is_not_taken_for_judgments(write: Write, line: str, lacking: str) -> None:
    assert_located(read_run, write(f"{line}\n"), 1, lacking)
