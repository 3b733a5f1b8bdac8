"""Texts that the lab reads: documents and topics, from TREC's files, JSON lines, tables, or ir_datasets."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from irgauge.errors import InputError
from irgauge.files.opening import expand, is_there, read_bytes
from irgauge.lab.analysis import has_words
from irgauge.reading.objects import dataset_items

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ZEROS = re.compile("(?<=&#)0+(?=[0-9])")
_BEYOND = re.compile("(?<=&#)[0-9]{8,}")  # the number of no sign, and perhaps of more digits than Python reads


class TextRecord(NamedTuple):
    """Fields of text by their names, and where they are from."""

    fields: Mapping[str, str]
    path: str
    line: int

    def name(self, keys: Iterable[str], what: str, where: str) -> str:
        """The name of a document or topic, in the first of these fields; refuses what a run cannot have."""
        name = next((self.fields[key].strip() for key in keys if key in self.fields), "")
        if not name:
            raise self.error(f"the {what} has no id; give it one, in <{where}> or in the field id")
        if not name.isprintable() or " " in name:
            raise self.error(f"the id '{name}' of a {what} has blanks or signs that a run cannot have; change it")
        return name

    def error(self, message: str) -> InputError:
        """An error that names the place."""
        return InputError(message, path=self.path, line=self.line)


Blocks = Callable[[str], Mapping[str, str]]  # from what is between two tags to fields


def records(
    path: str | os.PathLike[str], tag: str, fields_of: Blocks, columns: tuple[str, str]
) -> Iterator[TextRecord]:
    """The records of a file: blocks between <tag> and </tag>, JSON objects, or lines of two columns and tabs."""
    name, text = str(path), _text(path)
    start = text.lstrip()[:1]
    if start == "<":
        return _blocks(name, text, tag, fields_of)
    if start == "{":
        return _objects(name, text)
    if "\t" in text.lstrip(" \r\n").partition("\n")[0]:
        return _rows(name, text, columns)
    formats = f"<{tag}> blocks, a JSON object on each line, or {columns[0]}, a tab and {columns[1]} on each line"
    problem = "the file has no known format" if start else "the file is empty"
    raise InputError(f"{problem}; it should have {formats}", path=name)


def _text(path: str | os.PathLike[str]) -> str:
    data = read_bytes(path).tobytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("this is not UTF-8 text; convert the file to UTF-8", path=str(path), line=line) from None


def _blocks(path: str, text: str, tag: str, fields_of: Blocks) -> Iterator[TextRecord]:
    begin = re.compile(rf"<{tag}\b[^<>]*>", re.IGNORECASE)
    end = re.compile(rf"</{tag}\s*>", re.IGNORECASE)
    at, line, counted = 0, 1, 0
    while (opened := begin.search(text, at)) is not None:
        line, counted = line + text.count("\n", counted, opened.start()), opened.start()
        closed = end.search(text, opened.end())
        again = begin.search(text, opened.end())
        if closed is None or (again is not None and again.start() < closed.start()):
            raise InputError(f"<{tag}> has no </{tag}>; was the file written to the end?", path=path, line=line)
        yield TextRecord(fields_of(text[opened.end() : closed.start()]), path, line)
        at = closed.end()


def _objects(path: str, text: str) -> Iterator[TextRecord]:
    for line, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            content = json.loads(row)
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            raise InputError("this line is no JSON object; write one on each line", path=path, line=line)
        texts = {key: "" if value is None else value for key, value in content.items()}
        yield TextRecord({key: str(value) for key, value in texts.items() if isinstance(value, str | int)}, path, line)


def _rows(path: str, text: str, columns: tuple[str, str]) -> Iterator[TextRecord]:
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            first, tab, rest = row.rstrip("\r").partition("\t")
            second = {columns[1]: rest.replace("\t", " ")} if tab else {}
            yield TextRecord({columns[0]: first} | second, path, line)


def without_tags(text: str) -> str:
    """The text between tags, with signs in place of entities such as &amp;."""
    plain = _TAG.sub(" ", text) if "<" in text else text
    return html.unescape(_BEYOND.sub("9999999", _ZEROS.sub("", plain))) if "&" in plain else plain


_DOCNO, _END = (re.compile(tag, re.IGNORECASE) for tag in ("<DOCNO>", "</DOCNO>"))  # one pattern would be quadratic
_DOCUMENT_IDS = ("id", "_id", "docno", "doc_id", "docid")
_DOCUMENT_TEXTS = ("title", "contents", "text", "body", "abstract")


class Document(NamedTuple):
    """A document: its name and its text."""

    docno: str
    text: str


def read_documents(names: Iterable[str | os.PathLike[str]]) -> Iterator[Document]:
    """The documents of files, of all files of folders, of glob patterns, or of datasets of ir_datasets.

    Some may have no words, as in Cranfield; but not all of them.
    """
    seen: set[str] = set()
    any_words = False
    for record in _records(names):
        document = _document(record)
        if document.docno in seen:
            raise record.error(f"the document '{document.docno}' appears twice; remove one of the two")
        seen.add(document.docno)
        any_words = any_words or has_words(document.text)
        yield document
    if seen and not any_words:
        message = f"none of the {len(seen):,} documents has words; their text is in {_places()}"
        raise InputError(message, path=", ".join(map(str, names)))
    if not seen:
        raise InputError("there are no documents; name files that have some", path=", ".join(map(str, names)))


def field_values(names: Iterable[str | os.PathLike[str]], field: str) -> Iterator[tuple[str, str]]:
    """The docno and a field of each document, which is empty where a document has none of this name."""
    for record in _records(names, field):
        docno = record.name(_DOCUMENT_IDS, "document", "DOCNO")
        yield docno, next((text for key, text in record.fields.items() if key.lower() == field), "")


def _records(names: Iterable[str | os.PathLike[str]], field: str | None = None) -> Iterator[TextRecord]:
    """Records of documents, with a field beside their names and texts."""
    for name in names:
        if _is_dataset(str(name)):
            for number, document in enumerate(dataset_items(str(name), "docs"), 1):
                more = {} if field is None else {field: str(getattr(document, field, ""))}
                fields = {"id": document.doc_id, "text": document.default_text()} | more
                yield TextRecord(fields, str(name), number)
            continue
        for path in expand([name]):
            yield from records(path, "DOC", partial(_document_fields, field), ("id", "text"))


def _is_dataset(name: str) -> bool:
    return not is_there(name) and not any(sign in name for sign in "*?[")


def _document_fields(field: str | None, block: str) -> Mapping[str, str]:
    """The fields of a <DOC> block: all of it that is not the docno is its text."""
    begin = _DOCNO.search(block)
    end = None if begin is None else _END.search(block, begin.end())
    if begin is None or end is None:
        return {}
    rest = f"{block[: begin.start()]} {block[end.end() :]}"
    more = {} if field is None else {field: _tagged(block, field)}
    return {"id": block[begin.end() : end.start()], "text": without_tags(rest)} | more


def _tagged(block: str, tag: str) -> str:
    """What is between the first two tags of a name."""
    begin = re.search(rf"<{re.escape(tag)}(?:\s[^<>]*)?>", block, re.IGNORECASE)
    end = None if begin is None else re.compile(f"</{re.escape(tag)}>", re.IGNORECASE).search(block, begin.end())
    return "" if begin is None or end is None else without_tags(block[begin.end() : end.start()]).strip()


def _document(record: TextRecord) -> Document:
    docno = record.name(_DOCUMENT_IDS, "document", "DOCNO")
    texts = [record.fields[key] for key in _DOCUMENT_TEXTS if key in record.fields]
    if not texts:
        raise record.error(f"the document '{docno}' has no text; give it some, which may be empty, in {_places()}")
    return Document(docno, " ".join(texts))


def _places() -> str:
    return f"<DOC> beside the <DOCNO>, in a field {', '.join(_DOCUMENT_TEXTS)}, or after a tab"


_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]*)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:)?([^<]*)", re.IGNORECASE)
_TOPIC_IDS = ("id", "_id", "qid", "query_id", "topic")
_TOPIC_TEXTS = ("title", "text", "query", "contents")


class Topic(NamedTuple):
    """A topic and the text that is searched for."""

    id: str
    text: str


def read_topics(path: str | os.PathLike[str]) -> list[Topic]:
    """The topics of a file, in their order, or of a dataset of ir_datasets; of TREC's topics the title is taken."""
    rows = records(path, "top", _topic_fields, ("id", "text")) if is_there(path) else _topics_of_dataset(str(path))
    topics: dict[str, Topic] = {}
    for record in rows:
        topic = _topic(record)
        if topic.id in topics:
            raise record.error(f"the topic '{topic.id}' appears twice; remove one of the two")
        topics[topic.id] = topic
    if not topics:
        raise InputError("the file has no topics; name a file of topics", path=str(path))
    return list(topics.values())


def _topics_of_dataset(name: str) -> Iterator[TextRecord]:
    for number, query in enumerate(dataset_items(name, "queries"), 1):
        yield TextRecord({"id": query.query_id, "text": query.default_text()}, name, number)


def _topic_fields(block: str) -> Mapping[str, str]:
    """The fields of a <top> block; old ones have no closing tags."""
    matches = {"id": _NUMBER.search(block), "title": _TITLE.search(block)}
    return {name: without_tags(match[1]) for name, match in matches.items() if match is not None}


def _topic(record: TextRecord) -> Topic:
    name = record.name(_TOPIC_IDS, "topic", "num")
    text = next((record.fields[key] for key in _TOPIC_TEXTS if record.fields.get(key, "").strip()), "")
    if not text:
        raise record.error(
            f"the topic '{name}' has no text; give it a <title>, or a field {' or '.join(_TOPIC_TEXTS[:2])}"
        )
    return Topic(name, " ".join(text.split()))
