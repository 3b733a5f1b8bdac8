"""Shards by a field: what each kind takes of it, and where the field is read from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from irgauge.errors import InputError
from irgauge.lab.fields import KINDS, field_shards
from irgauge.lab.index import Index, build
from irgauge.lab.texts import read_documents

Irgauge = Callable[..., tuple[int, str, str]]
TREC = """<DOC><DOCNO>a</DOCNO>
<DOCHDR>
http://www.NASA.gov:80/x/Report.PDF?page=2#top 204.244.59.33 19970131 text/html
HTTP/1.0 200 OK
</DOCHDR>
waves</DOC>
<DOC><DOCNO>b</DOCNO><DOCHDR>http://irs.gov/forms/</DOCHDR>noise</DOC>
<DOC><DOCNO>c</DOCNO><DATE>1989-05-02</DATE>noise</DOC>
"""


@pytest.mark.parametrize(
    ("kind", "text", "shard"),
    [
        ("value", " Los Angeles  Times", "Los_Angeles_Times"),
        ("value", "a\x00b\ud800", "a_b"),
        ("domain", "https://user@Example.org.:8080/a", "example.org"),
        ("domain", "www.example.org/a.b", "www.example.org"),
        ("tld", "http://a.b.co.uk/x.pdf", "uk"),
        ("tld", "http://192.168.0.1/x", "address"),
        ("tld", "http://[::1]/x", "address"),
        ("tld", "http://[broken/x", ""),
        ("tld", "", ""),
        ("type", "http://example.org/a.b/paper.v2.PDF?x=1.html", "pdf"),
        ("type", "http://example.org", ""),
        ("year", "19970131", "1997"),
        ("year", "January 5, 1989, Sunday", "1989"),
        ("year", "31/01/2004", "2004"),
        ("year", "940131", ""),
        ("year", "doc 199701", ""),
        ("month", "1997-01-31T10:00", "1997-01"),
        ("month", "19971231", "1997-12"),
        ("month", "1997", ""),
        ("month", "1997-13-01", ""),
    ],
)
def test_what_a_kind_takes_of_a_field(kind: str, text: str, shard: str) -> None:
    assert KINDS[kind].of(text) == shard


def shard_of(index: Index, path: Path, by: str) -> dict[str, str]:
    shards, _ = field_shards(index, [path], by)
    return {docno: shards.names[label] for docno, label in zip(index.docnos, shards.labels, strict=True)}


def test_fields_are_between_the_tags_of_a_document(tmp_path: Path) -> None:
    path = tmp_path / "docs.trec"
    path.write_text(TREC)
    index = build(read_documents([path]))
    assert shard_of(index, path, "tld:dochdr") == {"a": "gov", "b": "gov", "c": "none"}
    assert shard_of(index, path, "domain:DOCHDR") == {"a": "www.nasa.gov", "b": "irs.gov", "c": "none"}
    assert shard_of(index, path, "type:dochdr") == {"a": "pdf", "b": "none", "c": "none"}
    assert shard_of(index, path, "year:date") == {"a": "none", "b": "none", "c": "1989"}


def test_fields_of_objects_make_a_map_and_what_is_without_is_told(run: Irgauge, tmp_path: Path) -> None:
    rows = [{"id": 1, "text": "x", "URL": "a.org/1"}, {"id": 2, "text": "y", "URL": None}, {"id": 3, "text": "z"}]
    path, index = tmp_path / "docs.jsonl", tmp_path / "index"
    path.write_text("\n".join(map(json.dumps, rows)))
    assert run("lab", "index", path, "-o", index, "-q")[0] == 0
    made = tmp_path / "map.tsv"
    code, _, err = run("lab", "shards", index, "--by", "tld:url", "--documents", path, "-o", made)
    assert code == 0
    assert "note: tld:url says nothing of 2 documents; the shard 'none' has them" in err.splitlines()
    assert made.read_text().split() == ["1", "org", "2", "none", "3", "none"]


def test_documents_that_are_not_there_are_named(tmp_path: Path) -> None:
    (tmp_path / "docs.trec").write_text(TREC)
    (tmp_path / "some").write_text(TREC[: TREC.index("<DOC><DOCNO>b")])
    index = build(read_documents([tmp_path / "docs.trec"]))
    with pytest.raises(InputError, match=r"some: 2 documents of the index are not here, such as b, c; name the files"):
        field_shards(index, [tmp_path / "some"], "tld:dochdr")
