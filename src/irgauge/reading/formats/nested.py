"""Mappings from topics to documents: JSON files, among them MTEB's predictions and ranx's, and ranx's .lz4 (CBOR)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from irgauge.compute.arrays import Bytes
from irgauge.errors import InputError
from irgauge.reading.formats.record import Format, Head
from irgauge.reading.json_text import TwiceError, loaded
from irgauge.reading.tables.jsons import refuse_halves
from irgauge.reading.tables.sheet import Origin
from irgauge.reading.trec import Qrels, Run
from irgauge.reading.triples import of_mapping, qrels_of_triples, run_of_triples

_MTEB = "mteb_model_meta"  # the key of what MTEB says of the model, beside its predictions
_SHAPES = "a run is {topic: {docno: score}}, judgments are {topic: {docno: grade}}"
_KEY = rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:'
_MOST_BITS = 1024  # of whole numbers; larger ones are no scores
_THREE_DEEP = re.compile(_KEY * 2 + rb"\s*\{")

Nested = Mapping[str, Any]


def _json(path: str, text: Bytes) -> Nested:
    try:
        decoded = text.tobytes().decode()
        content = loaded(decoded)
    except TwiceError as error:
        raise InputError(str(error), path=path) from None
    except json.JSONDecodeError as error:
        message = f"this is not valid JSON ({error.msg}); was it written to the end?"
        raise InputError(message, path=path, line=error.lineno) from None
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8 text; convert the file to UTF-8", path=path) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, objects a thousand deep
        raise InputError(f"this JSON cannot be read; {_SHAPES}", path=path) from None
    refuse_halves(content, decoded, path)
    return content if isinstance(content, Mapping) else {}


def _cbor(path: str, text: Bytes) -> Nested:
    try:
        import cbor2
    except ImportError:
        raise InputError("this is a file of ranx; to read it, install cbor2 (pip install cbor2)", path=path) from None
    try:
        content = cbor2.loads(text.tobytes())
        if not _is_plain(content):
            raise ValueError("it holds more than mappings, text and numbers")
    except Exception as error:  # noqa: BLE001  # whatever another package raises on a damaged file
        raise InputError(f"this is not a readable file of ranx ({error})", path=path) from None
    return content if isinstance(content, Mapping) else {}


def _is_plain(content: object) -> bool:
    """Whether something is a number, or a mapping from text to such: CBOR holds dates, sets and cycles besides."""
    if isinstance(content, Mapping):
        return all(isinstance(key, str) and _is_plain(value) for key, value in content.items())
    return isinstance(content, float) or (isinstance(content, int) and content.bit_length() < _MOST_BITS)


def runs_of_nested(nested: Nested, path: str) -> list[Run]:
    """The runs of a file: one, several by their names, or the predictions of MTEB."""
    if _MTEB in nested:
        return [_of_mteb(nested, path)]
    if _is_documents(nested):
        return [run_of_triples(of_mapping(nested, Origin(path)), None)]
    if nested and all(isinstance(run, Mapping) and _is_documents(run) for run in nested.values()):
        named = [(str(name), of_mapping(run, Origin(f"{path} ({name})"))) for name, run in nested.items()]
        return [run_of_triples(rows, name, is_named=True) for name, rows in named]
    raise _other_shape(nested, path)


def qrels_of_nested(nested: Nested, path: str) -> Qrels:
    """The judgments of a file."""
    if not _is_documents(nested):
        raise _other_shape(nested, path)
    return qrels_of_triples(of_mapping(nested, Origin(path)))


def _is_documents(nested: Nested) -> bool:
    """Whether a mapping goes from topics to documents to values."""
    return bool(nested) and all(
        isinstance(documents, Mapping) and not any(isinstance(value, Mapping | list) for value in documents.values())
        for documents in nested.values()
    )


def _of_mteb(nested: Nested, path: str) -> Run:
    """The predictions of a model, by subset, split and topic; several subsets are one run if no topic is in two."""
    topics: dict[str, Any] = {}
    for place, split in _splits(nested, path):
        if again := topics.keys() & split.keys():
            message = f"topic '{min(again)}' is in '{place}' and in another split; keep one split in a file"
            raise InputError(message, path=path)
        topics |= split
    if not topics:
        raise InputError("the predictions of MTEB have no topics; was the file written to the end?", path=path)
    meta = nested[_MTEB]
    name = meta.get("model_name") if isinstance(meta, Mapping) else None
    return run_of_triples(of_mapping(topics, Origin(path)), name if isinstance(name, str) and name else None)


def _splits(nested: Nested, path: str) -> Iterator[tuple[str, Nested]]:
    for subset, splits in nested.items():
        if subset == _MTEB:
            continue
        for split, topics in splits.items() if isinstance(splits, Mapping) else [("", None)]:
            if not isinstance(topics, Mapping) or not _is_documents(topics):
                raise InputError(f"'{subset}' holds no predictions of documents: is it a retrieval task?", path=path)
            yield f"{subset}.{split}", topics


def _other_shape(nested: Nested, path: str) -> InputError:
    if not nested:
        return InputError(f"this JSON holds no topics; {_SHAPES}", path=path)
    key, value = next(iter(nested.items()))
    if isinstance(value, Mapping) and value:
        inner, last = next(iter(value.items()))
        example = f"{{'{key}': {{'{inner}': {_kind(last)}}}}}"
    else:
        example = f"{{'{key}': {_kind(value)}}}"
    return InputError(f"this JSON has another shape, such as {example}; {_SHAPES}", path=path)


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", type(None): "null"}
    return kinds.get(type(value), "a number")


def _is_json(head: Head) -> bool:
    return head.data.lstrip().startswith(b"{")


def _holds_several(head: Head) -> bool:
    return _THREE_DEEP.match(head.data) is not None


def _is_cbor(head: Head) -> bool:
    """Whether the first byte is that of a CBOR map, with which no UTF-8 text begins."""
    return 0xA0 <= (head.data or b" ")[0] <= 0xBF


JSON = Format(
    "a JSON file",
    _is_json,
    lambda path, text: runs_of_nested(_json(path, text), path),
    lambda path, text: qrels_of_nested(_json(path, text), path),
    _holds_several,
)
CBOR = Format(
    "a file of ranx (.lz4)",
    _is_cbor,
    lambda path, text: runs_of_nested(_cbor(path, text), path),
    lambda path, text: qrels_of_nested(_cbor(path, text), path),
)
