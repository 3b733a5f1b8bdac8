"""Comments of runs and judgments: lines with '#' are left out, and ir_metadata headers are read as YAML."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import Collection, InputError, load
from irgauge.reading.formats import read_qrels, read_run
from irgauge.reading.textfile import take_comments
from irgauge.studies.check.study import check
from oracles.every_format import QRELS, RUNS, lines, rows, trec_run
from oracles.sameness import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # notes are what is tested here

QREL = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}
RUN = {"q1": {"d1": 2.5, "d2": 1.5}, "q2": {"d2": 0.5}}
TREC = trec_run(RUN)


def header(text: str, start: str = "# ir_metadata.start", end: str = "# ir_metadata.end") -> bytes:
    return lines(*filter(None, (start, *(f"# {line}" for line in text.splitlines()), end)))


def read(folder: Path, data: bytes) -> Collection:
    path = folder / "mine"
    path.write_bytes(data)
    return load(QREL, path)


def said(collection: Collection) -> list[str]:
    return list(map(str, collection.notes))


# headers that are read

EXAMPLE = """\
schema version: 0.1
platform:
  hardware:
    cpu:
      model: Intel Xeon Gold 6144 CPU @ 3.50GHz
      number of cores: 16
  software:
    libraries:
      python: [scikit-learn==0.20.1, numpy==1.15.4]
implementation:
  source:
    repository: github.com/castorini/anserini # a comment of YAML
actor:
  name: Jüri Keller
  date: 2022-02-11
method:
  score ties: reverse alphabetical order
"""


def test_the_header_of_a_run_is_read(tmp_path: Path) -> None:
    """All values are as they are written: no dates, no numbers."""
    found = read(tmp_path, header(EXAMPLE) + TREC).headers["mine"]
    assert found["schema version"] == "0.1"
    assert found["actor"] == {"name": "Jüri Keller", "date": "2022-02-11"}
    assert found["platform"]["hardware"]["cpu"]["number of cores"] == "16"
    assert found["platform"]["software"]["libraries"]["python"] == ["scikit-learn==0.20.1", "numpy==1.15.4"]
    assert found["implementation"]["source"]["repository"] == "github.com/castorini/anserini"
    assert list(found) == ["schema version", "platform", "implementation", "actor", "method"]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.recursive(
    texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=8
)


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(texts, values, min_size=1, max_size=4), st.booleans())
def test_what_yaml_writes_is_read_back(fields: dict[str, Any], flow: bool) -> None:  # noqa: FBT001  # of Hypothesis
    own = json.loads(json.dumps(fields))  # no object twice, for which YAML would write an alias
    text = yaml.safe_dump(own, sort_keys=False, default_flow_style=flow)
    with tempfile.TemporaryDirectory() as folder:
        found = read(Path(folder), header(text) + TREC)
    assert found.headers == {"mine": fields}
    assert not any("header" in note for note in said(found))


FORMS = {
    "no space after #": header(EXAMPLE).replace(b"# ", b"#"),
    "a tab after #": header("tag: a").replace(b"# ", b"#\t"),
    "CRLF": header(EXAMPLE).replace(b"\n", b"\r\n"),
    "other comments around it": b"# made by hand\n#\n\n" + header(EXAMPLE) + b"\n# the run\n",
    "a byte order mark": b"\xef\xbb\xbf" + header(EXAMPLE),
}


@pytest.mark.parametrize("form", FORMS)
def test_headers_of_other_forms_are_read(form: str, tmp_path: Path) -> None:
    expected = {"tag": "a"} if "tab" in form else read(tmp_path, header(EXAMPLE) + TREC).headers["mine"]
    found = read(tmp_path, FORMS[form] + TREC)
    assert found.headers == {"mine": expected}
    assert_same(found, read(tmp_path, TREC), but=["headers"])


@pytest.mark.parametrize("size", [20, 2**14])
def test_headers_of_any_length_are_read(size: int, tmp_path: Path) -> None:
    """More than what is looked at first; in one line, and in many."""
    for text in (f"a: {'x' * 4 * size}", "\n".join(f"a{i}: {i}" for i in range(size // 2))):
        found = read(tmp_path, header(text) + TREC)
        assert found.headers == {"mine": dict([line.split(": ") for line in text.splitlines()])}
        assert_same(found, read(tmp_path, TREC), but=["headers"])


def test_each_run_has_its_own_header(tmp_path: Path) -> None:
    for name in "abc":
        text = b"" if name == "b" else header(f"tag: {name}")
        (tmp_path / name).write_bytes(text + trec_run(RUN, name))
    found = load(QREL, [tmp_path / name for name in "abc"])
    assert found.headers == {"a": {"tag": "a"}, "c": {"tag": "c"}}
    assert found.only([1, 2]).headers == {"c": {"tag": "c"}}
    assert found.source["headers"] == found.headers
    assert check(QREL, [tmp_path / name for name in "abc"]).provenance is not None


# headers that are not read: a note says so, and the run is read all the same

UNREADABLE = {
    "no YAML": ("a: [1", "it is no valid YAML (in its line 1)"),
    "a tab": ("a:\n\t- b", "it is no valid YAML (in its line 2)"),
    "two documents": ("a: 1\n---\nb: 2", "it is no valid YAML (in its line 2)"),
    "aliases": ("a: &x [1]\nb: *x", "it has YAML aliases"),
    "a list": ("- a\n- b", "it has no fields"),
    "a text": ("just words", "it has no fields"),
    "nothing": ("", "it has no fields"),
    "a character beyond Unicode": (r'a: "\UFFFFFFFF"', "it is no valid YAML"),
    "half a character": (r'a: "\ud800"', "it is no valid YAML"),
    "a character that YAML lacks": ("a: \x07", "it is no valid YAML"),
    "a list as key": ("? [a]\n: b", "it is no valid YAML (in its line 1)"),
    "too deep": ("[" * 100_000, "it is more than 50 levels deep"),
    "too deep in blocks": ("- " * 100_000, "it is more than 50 levels deep"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_header_that_cannot_be_read_is_a_note(name: str, tmp_path: Path) -> None:
    text, why = UNREADABLE[name]
    found = read(tmp_path, header(text) + TREC)
    assert found.headers == {}
    assert said(found) == [f"mine: its ir_metadata header is left out, as {why}"]
    assert_same(found, read(tmp_path, TREC), but=["notes"])


def test_a_header_without_an_end_is_a_note(tmp_path: Path) -> None:
    found = read(tmp_path, header(EXAMPLE, end="") + TREC)
    assert (found.headers, said(found)) == (
        {},
        ["mine: its ir_metadata header has no '# ir_metadata.end'; the header is left out"],
    )


def test_a_header_that_would_grow_without_end_is_not_followed(tmp_path: Path) -> None:
    many = ["a0: &a0 [x, x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30))]
    start = time.monotonic()
    assert said(read(tmp_path, header("\n".join(many)) + TREC)) == [
        "mine: its ir_metadata header is left out, as it has YAML aliases"
    ]
    assert time.monotonic() - start < 5


def test_comments_of_judgments_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_bytes(header("a: [1") + QRELS["TREC"](QREL))
    found = load(path, {"mine": RUN})
    assert said(found) == ["the qrels: its ir_metadata header is left out, as it is no valid YAML (in its line 1)"]
    assert_same(found, load(QREL, {"mine": RUN}), but=["notes"])


# comments elsewhere


def slow_comments(text: bytes) -> tuple[bytes, int]:
    """The other lines, and how many comments come after the first of them."""
    later = 0
    kept: list[bytes] = []
    for line in text.split(b"\n"):
        is_comment = line.startswith(b"#")
        later += is_comment and any(one.strip() for one in kept)
        kept += [] if is_comment else [line]
    return b"\n".join(kept), later


some_lines = st.lists(st.sampled_from(["#", "# a b c", "#q1 Q0 d9 1 1 t", "", " ", "\t\r", " # x y z u v"]), max_size=5)


@settings(deadline=None, max_examples=100)
@given(st.lists(some_lines, min_size=4, max_size=4), st.booleans())
def test_comments_are_left_out_and_lines_keep_their_numbers(between: list[list[str]], ends: bool) -> None:  # noqa: FBT001  # of Hypothesis
    made = [
        line for some, row in zip(between, [*TREC.decode().splitlines(), None], strict=True) for line in (*some, row)
    ]
    text = "\n".join(line for line in made if line is not None).encode() + b"\n" * ends
    expected, later = slow_comments(text)
    data = np.frombuffer(text, np.uint8).copy()
    notes = take_comments(data).notes
    left = data.tobytes()
    assert [line.split() for line in left.split(b"\n") if line.strip()] == [
        line.split() for line in expected.split(b"\n") if line.strip()
    ]
    assert left.count(b"\n") == text.count(b"\n")
    count = "1 line that starts" if later == 1 else f"{later} lines that start"
    assert notes == ((f"{count} with '#' among the others left out",) if later else ())


def test_an_error_below_comments_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(header(EXAMPLE) + TREC + b"# more\nq2 Q0 d7 1 high mine\n")
    with pytest.raises(InputError, match="the score 'high' is not a number") as caught:
        read_run(path)
    assert caught.value.line == EXAMPLE.count("\n") + 2 + len(rows(RUN)) + 2


@pytest.mark.parametrize(
    "form", ["TREC", "three columns of MS MARCO", "three columns, named", "CSV", "TSV", "JSON lines"]
)
def test_comments_may_stand_above_every_text(form: str, tmp_path: Path) -> None:
    text = RUNS[form](RUN)
    assert_same(read(tmp_path, header(EXAMPLE) + b"\n" + text), read(tmp_path, text), but=["headers"])


@pytest.mark.parametrize("form", ["TREC", "MS MARCO", "BEIR", "three columns", "CSV", "TSV", "JSON lines"])
def test_comments_may_stand_above_judgments(form: str, tmp_path: Path) -> None:
    text = QRELS[form](QREL)
    (tmp_path / "qrels").write_bytes(b"# judged by hand\n#\n" + text)
    assert read_qrels(tmp_path / "qrels").grades.tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    "text", [b"#\n", b"# a b c", b"# ir_metadata.start\n# a: b\n# ir_metadata.end\n", b"\n\n#\n \n"]
)
def test_comments_alone_are_an_empty_file(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(text)
    for reader in (read_run, read_qrels):
        with pytest.raises(InputError, match="the file is empty; was it written to the end"):
            reader(tmp_path / "x")
