"""Documents from TREC's files, JSON lines, tables and ir_datasets; and what is wrong with them."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from irgauge.errors import InputError
from irgauge.lab.index import build
from irgauge.lab.running import search
from irgauge.lab.systems import System
from irgauge.lab.texts import Document, read_documents

TREC = """<DOC>
<DOCNO> d1 </DOCNO>
<TITLE>Waves</TITLE> of AT&amp;T, 3 < 4
</DOC>
<doc><docno>d2</docno><TEXT>noise</TEXT></doc>
"""
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> Path:
        path = tmp_path / "documents"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def read(*paths: str | Path) -> list[Document]:
    return list(read_documents(paths))


def words(documents: list[Document]) -> dict[str, list[str]]:
    return {docno: text.split() for docno, text in documents}


def test_blocks_of_trec_are_documents_without_their_tags(write: Write) -> None:
    assert words(read(write(TREC))) == {"d1": ["Waves", "of", "AT&T,", "3", "<", "4"], "d2": ["noise"]}


@pytest.mark.parametrize(
    ("record", "text"),
    [
        ({"id": "d1", "contents": "waves"}, ["waves"]),
        ({"_id": "d1", "title": "On", "text": "waves", "metadata": {}}, ["On", "waves"]),
        ({"id": "d1", "title": "", "text": "waves"}, ["waves"]),
        ({"docno": "d1", "text": "naïve", "year": 1999}, ["naïve"]),
    ],
)
def test_json_lines_are_documents(record: dict[str, object], text: list[str], write: Write) -> None:
    assert words(read(write(f"{json.dumps(record)}\n\n"))) == {"d1": text}


def test_ids_that_are_numbers_are_names(write: Write) -> None:
    assert read(write('{"id": 17, "text": "waves"}')) == [("17", "waves")]


def test_lines_of_a_table_are_documents(write: Write) -> None:
    assert words(read(write("d1\twaves of\tradio\r\n\nd2\tnoise"))) == {"d1": ["waves", "of", "radio"], "d2": ["noise"]}


def test_files_may_be_compressed_and_several(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.gz").write_bytes(gzip.compress(TREC.encode()))
    (tmp_path / "a" / "2.tsv").write_text("d3\tradio\n")
    assert [one.docno for one in read(tmp_path / "a")] == ["d1", "d2", "d3"]
    assert [one.docno for one in read(str(tmp_path / "a" / "*.tsv"), tmp_path / "a" / "1.gz")] == ["d3", "d1", "d2"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (f"{TREC}\n<DOC>\nwaves\n</DOC>", 7, "the document has no id; give it one"),
        (f"{TREC}<DOC><DOCNO> </DOCNO>waves</DOC>", 6, "the document has no id"),
        ('{"id": "a", "text": "x"}\n{"text": "waves"}', 2, "the document has no id"),
        ("\twaves", 1, "the document has no id"),
        (f"{TREC}\n\n{TREC}", 8, "the document 'd1' appears twice; remove one of the two"),
        ('{"id": "a", "text": "x"}\n\n{"id": "a", "text": "y"}', 3, "the document 'a' appears twice"),
        ("a\tx\nb\ty\na\tz", 3, "the document 'a' appears twice"),
        ('{"id": "a", "words": "x"}', 1, "the document 'a' has no text; give it some, which may be empty, in <DOC>"),
        ("a\tx\nb", 2, "the document 'b' has no text"),
        ("a b\tx", 1, "the id 'a b' of a document has blanks or signs that a run cannot have; change it"),
        ('{"id": "a\\ud800", "text": "x"}', 1, "the id 'a\\ud800' of a document has blanks or signs"),
        ('{"id": "a\\u0000", "text": "x"}', 1, "the id 'a\\x00' of a document has blanks or signs"),
        (f"{TREC}<DOC>\n<DOCNO>d3</DOCNO>waves", 6, "<DOC> has no </DOC>; was the file written to the end?"),
        (f"<DOC>\n<DOCNO>d3</DOCNO>waves\n{TREC}", 1, "<DOC> has no </DOC>"),
        ('{"id": "a", "text": "x"}\n{"id": "b"', 2, "this line is no JSON object; write one on each line"),
        ('{"id": "a", "text": "x"}\n[]', 2, "this line is no JSON object"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, message: str, write: Write) -> None:
    path = write(text)
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:{line}: {message}")


@pytest.mark.parametrize(
    "text",
    [
        f"{TREC}<DOC><DOCNO>d3</DOCNO> <b> </b></DOC>",
        '{"id": "d1", "text": "x"}\n{"id": "d3", "text": " "}',
        '{"id": "d3", "text": null}\n{"id": "d1", "text": "x"}',
        "d1\tx\nd3\t... --",
        "d3\t\nd1\tx",
    ],
)
def test_documents_without_words_are_indexed_and_never_found(text: str, write: Write) -> None:
    index = build(read_documents([write(text)]))
    empty = index.docnos.index("d3")
    assert index.lengths[empty] == 0
    found = search(index, " ".join(index.terms), System.of("bm25+rm3"))
    assert sorted(found.documents.tolist()) == [n for n in range(index.n_documents) if n != empty]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"id": "a", "text": ""}\n{"id": "b", "text": "?"}',
            "none of the 2 documents has words; their text is in <DOC>",
        ),
        ("", "the file is empty; it should have <DOC> blocks"),
        (" \n", "the file is empty"),
        ("waves of radio\n", "the file has no known format; it should have <DOC> blocks, a JSON object"),
        ("<html>\n", "there are no documents; name files that have some"),
    ],
)
def test_files_without_documents_are_refused(text: str, message: str, write: Write) -> None:
    with pytest.raises(InputError, match=message):
        read(write(text))


def test_another_encoding_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"a\tx\nb\tna\xefve\n")
    with pytest.raises(InputError, match=r":2: this is not UTF-8 text"):
        read(path)


def test_the_same_id_in_two_files_names_the_second(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("d1\twaves\n")
    with pytest.raises(InputError) as caught:
        read(tmp_path / "a", tmp_path / "b")
    assert caught.value.path == str(tmp_path / "b")


class Dataset:
    """What ir_datasets gives for a name."""

    def has_docs(self) -> bool:
        return True

    def has_queries(self) -> bool:
        return False

    def docs_iter(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(doc_id="d1", default_text=lambda: "On waves")]


def test_documents_of_ir_datasets_come_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    module = SimpleNamespace(load=lambda name: {"made": Dataset()}[name], registry=["made"])
    monkeypatch.setitem(sys.modules, "ir_datasets", module)
    assert read("made") == [("d1", "On waves")]
    with pytest.raises(InputError, match="there is no such file, and ir_datasets knows no dataset of this name"):
        read("no-such")


def test_without_ir_datasets_a_path_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(InputError, match="no-such: there is no such file; check the path"):
        read("no-such")
