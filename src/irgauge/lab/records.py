"""Records of a text file: blocks between tags, JSON lines, or lines of a table; each with the line where it begins."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from irgauge.errors import InputError
from irgauge.files.opening import read_bytes

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ZEROS = re.compile("(?<=&#)0+(?=[0-9])")
_BEYOND = re.compile("(?<=&#)[0-9]{8,}")  # the number of no sign, and perhaps of more digits than Python reads


class Record(NamedTuple):
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


def records(path: str | os.PathLike[str], tag: str, fields_of: Blocks, columns: tuple[str, str]) -> Iterator[Record]:
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


def _blocks(path: str, text: str, tag: str, fields_of: Blocks) -> Iterator[Record]:
    begin = re.compile(rf"<{tag}\b[^<>]*>", re.IGNORECASE)
    end = re.compile(rf"</{tag}\s*>", re.IGNORECASE)
    at, line, counted = 0, 1, 0
    while (opened := begin.search(text, at)) is not None:
        line, counted = line + text.count("\n", counted, opened.start()), opened.start()
        closed = end.search(text, opened.end())
        again = begin.search(text, opened.end())
        if closed is None or (again is not None and again.start() < closed.start()):
            raise InputError(f"<{tag}> has no </{tag}>; was the file written to the end?", path=path, line=line)
        yield Record(fields_of(text[opened.end() : closed.start()]), path, line)
        at = closed.end()


def _objects(path: str, text: str) -> Iterator[Record]:
    for line, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            content = json.loads(row)
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            raise InputError("this line is no JSON object; write one on each line", path=path, line=line)
        yield Record({key: str(value) for key, value in content.items() if isinstance(value, str | int)}, path, line)


def _rows(path: str, text: str, columns: tuple[str, str]) -> Iterator[Record]:
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            first, _, rest = row.rstrip("\r").partition("\t")
            yield Record({columns[0]: first, columns[1]: rest.replace("\t", " ")}, path, line)


def without_tags(text: str) -> str:
    """The text between tags, with signs in place of entities such as &amp;."""
    plain = _TAG.sub(" ", text) if "<" in text else text
    return html.unescape(_BEYOND.sub("9999999", _ZEROS.sub("", plain))) if "&" in plain else plain
