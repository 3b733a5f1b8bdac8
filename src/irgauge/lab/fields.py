"""Shards by a field of the documents: by domain, type or date, or by the field as it is.

Ferro, Kim and Sanderson (2019, section 7) shard by the top-level domain of web pages, and by type (PDF or not).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, urlsplit

import numpy as np

from irgauge.choices import known
from irgauge.errors import InputError
from irgauge.lab.texts import field_values
from irgauge.scoring.drawn import Shards

if TYPE_CHECKING:
    from irgauge.lab.index import Index

NONE = "none"  # the shard of documents whose field says nothing
_SHOWN = 3  # documents named in an error
_YEAR = re.compile(r"(?<![0-9])((?:18|19|20)[0-9]{2})(?:(?![0-9])|(?=(?:0[1-9]|1[0-2])[0-9]{2}))")
_MONTH = re.compile(r"(?<![0-9])((?:18|19|20)[0-9]{2})(?:[-/](0[1-9]|1[0-2])(?![0-9])|(0[1-9]|1[0-2])(?=[0-9]{2}))")


def _value(text: str) -> str:
    return "_".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _url(text: str) -> SplitResult:
    """The first word of a text as a URL; the header of a web page (DOCHDR) begins with it."""
    word = next(iter(text.split()), "")
    try:
        return urlsplit(word if "://" in word else f"//{word}")
    except ValueError:  # such as of brackets that are not closed
        return urlsplit("")


def _domain(text: str) -> str:
    return (_url(text).hostname or "").rstrip(".")


def _top_level(text: str) -> str:
    last = _domain(text).rpartition(".")[2]
    return "address" if last.isdigit() or ":" in last else last


def _type(text: str) -> str:
    return PurePosixPath(_url(text).path).suffix[1:].lower()


def _year(text: str) -> str:
    match = _YEAR.search(text)
    return match[1] if match else ""


def _month(text: str) -> str:
    match = _MONTH.search(text)
    return f"{match[1]}-{match[2] or match[3]}" if match else ""


class FieldKind(NamedTuple):
    """What of a field names the shard."""

    told: str
    of: Callable[[str], str]  # "" where the field says nothing


KINDS: Mapping[str, FieldKind] = {
    "value": FieldKind("the field as it is", _value),
    "domain": FieldKind("the host of a URL", _domain),
    "tld": FieldKind("the top-level domain of a URL", _top_level),
    "type": FieldKind("the type of file in a URL, such as pdf", _type),
    "year": FieldKind("the year of a date such as 1997-01-31 or 19970131", _year),
    "month": FieldKind("its year and month", _month),
}


class Fielded(NamedTuple):
    """Shards by a field, and how many documents it says nothing of."""

    shards: Shards
    without: int


def field_shards(index: Index, documents: Iterable[str | os.PathLike[str]], by: str) -> Fielded:
    """The shards of an index by a field such as source, or by what a kind takes of it, such as tld:url."""
    names = list(documents)
    kind, colon, field = by.partition(":")
    if not colon:
        kind, field = "value", by
    name_of = KINDS[known(kind, KINDS, "kind of field", error=InputError)].of
    values_of = field_values(names, field.strip().lower())
    shard_of = {docno: _value(name_of(text)) for docno, text in values_of}  # a map has no blanks and control signs
    values = [shard_of.get(docno) for docno in index.docnos]
    _check(index, values, names, field)
    shards, labels = np.unique([value or NONE for value in values], return_inverse=True)
    return Fielded(Shards(labels.astype(np.int32), tuple(shards.tolist())), values.count(""))


def _check(index: Index, values: list[str | None], names: list[str | os.PathLike[str]], field: str) -> None:
    missing = [docno for docno, value in zip(index.docnos, values, strict=True) if value is None]
    path = ", ".join(map(str, names))
    if missing:
        message = f"{len(missing):,} documents of the index are not here, such as {', '.join(missing[:_SHOWN])}"
        raise InputError(f"{message}; name the files that the index was made of", path=path)
    if not any(values):
        message = f"the field '{field}' says nothing of any document"
        raise InputError(f"{message}; name another field, or another kind: {', '.join(KINDS)}", path=path)
