"""Topics from TREC's files, JSON lines, tables and ir_datasets; and what is wrong with them."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from irgauge.errors import InputError
from irgauge.lab.texts import Topic, read_topics

CLOSED = "<top>\n<num>1</num><title>\nWAVES OF\nRADIO\n</title>\n</top>\n<top><num>2</num><title>noise</title></top>"
OPEN = """
<top>
<num> Number: 301
<title> Topic: International Crime
<desc> Description:
Identify
</top>
<top>
<num> Number: 302
<title> Polio
</top>
"""


def read(folder: Path, text: str) -> list[Topic]:
    path = folder / "topics"
    path.write_text(text, encoding="utf-8")
    return read_topics(path)


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        (CLOSED, [("1", "WAVES OF RADIO"), ("2", "noise")]),
        (OPEN, [("301", "International Crime"), ("302", "Polio")]),
        ('{"id": 1, "title": "waves"}\n{"_id": "2", "text": "noise"}\n', [("1", "waves"), ("2", "noise")]),
        ('{"qid": "1", "query": "waves"}', [("1", "waves")]),
        ("1\twaves of  radio\n2\tnoise\n", [("1", "waves of radio"), ("2", "noise")]),
    ],
    ids=["closed tags", "open tags", "JSON lines", "queries", "table"],
)
def test_topics_are_read(text: str, topics: list[tuple[str, str]], tmp_path: Path) -> None:
    assert read(tmp_path, text) == topics


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (f"{CLOSED}\n<top><title>x</title></top>", 8, "the topic has no id; give it one, in <num> or in the field id"),
        ("1\tx\n2\ty\n1\tz", 3, "the topic '1' appears twice; remove one of the two"),
        ("1\tx\n2\t \n", 2, "the topic '2' has no text; give it a <title>, or a field title or text"),
        ("<top><num>7</num><title> </title></top>", 1, "the topic '7' has no text"),
        ("1 a\tx", 1, "the id '1 a' of a topic has blanks"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'topics'}:{line}: {message}")


def test_a_file_without_topics_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file has no topics; name a file of topics"):
        read(tmp_path, "<DOC><DOCNO>d1</DOCNO>x</DOC>")


def test_topics_of_ir_datasets_come_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> list[SimpleNamespace]:
        raise OSError("no route to host")

    query = SimpleNamespace(query_id="1", default_text=lambda: "waves")
    made = {
        "made": SimpleNamespace(has_queries=lambda: True, queries_iter=lambda: [query]),
        "none": SimpleNamespace(has_queries=lambda: False),
        "lost": SimpleNamespace(has_queries=lambda: True, queries_iter=fail),
    }
    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=made.__getitem__, registry=list(made)))
    assert read_topics("made") == [("1", "waves")]
    with pytest.raises(InputError, match="none: ir_datasets has no topics for this dataset; name one that has"):
        read_topics("none")
    with pytest.raises(InputError, match=r"lost: ir_datasets could not give the topics \(no route to host\)"):
        read_topics("lost")
