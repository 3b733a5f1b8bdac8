"""Documents: docnos and texts, from TREC's files, JSON lines, tables, or ir_datasets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from irgauge.errors import InputError
from irgauge.files.opening import expand, is_there
from irgauge.lab.analysis import has_words
from irgauge.lab.records import Record, records, without_tags
from irgauge.reading.objects import dataset_items

_DOCNO, _END = (re.compile(tag, re.IGNORECASE) for tag in ("<DOCNO>", "</DOCNO>"))  # one pattern would be quadratic
_IDS = ("id", "_id", "docno", "doc_id", "docid")
_TEXTS = ("title", "contents", "text", "body", "abstract")


class Document(NamedTuple):
    """A document: its name and its text."""

    docno: str
    text: str


def read_documents(names: Iterable[str | os.PathLike[str]]) -> Iterator[Document]:
    """The documents of files, of all files of folders, of glob patterns, or of datasets of ir_datasets."""
    seen: set[str] = set()
    for record in _records(names):
        document = _document(record)
        if document.docno in seen:
            raise record.error(f"the document '{document.docno}' appears twice; remove one of the two")
        seen.add(document.docno)
        yield document
    if not seen:
        raise InputError("there are no documents; name files that have some", path=", ".join(map(str, names)))


def _records(names: Iterable[str | os.PathLike[str]]) -> Iterator[Record]:
    for name in names:
        if _is_dataset(str(name)):
            for number, document in enumerate(dataset_items(str(name), "docs"), 1):
                yield Record({"id": document.doc_id, "text": document.default_text()}, str(name), number)
            continue
        for path in expand([name]):
            yield from records(path, "DOC", _fields, ("id", "text"))


def _is_dataset(name: str) -> bool:
    return not is_there(name) and not any(sign in name for sign in "*?[")


def _fields(block: str) -> Mapping[str, str]:
    """The fields of a <DOC> block: all of it that is not the docno is its text."""
    begin = _DOCNO.search(block)
    end = None if begin is None else _END.search(block, begin.end())
    if begin is None or end is None:
        return {}
    rest = f"{block[: begin.start()]} {block[end.end() :]}"
    return {"id": block[begin.end() : end.start()], "text": without_tags(rest)}


def _document(record: Record) -> Document:
    docno = record.name(_IDS, "document", "DOCNO")
    text = " ".join(record.fields[key] for key in _TEXTS if key in record.fields)
    if not has_words(text):
        raise record.error(f"the document '{docno}' has no text; give it some, or remove it")
    return Document(docno, text)
