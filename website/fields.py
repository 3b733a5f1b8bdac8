"""The page of JSON: the fields of each result, from an example of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from typing import Any, NamedTuple

from irgauge.show.saving import plain
from irgauge.show.verdicts import SHORT
from irgauge.studies.registry import studies
from irgauge.studies.result import Result
from website.examples import results
from website.markup import code, prose, table, text
from website.words import WORDS

DEEPEST = 5  # objects within objects that are followed
_COMMENT = re.compile(r"^    (\w+): [^#\n]*  # (?!noqa|type:)(.+)$", re.MULTILINE)


class Field(NamedTuple):
    """A field of JSON: where it is, what it holds, and what it means."""

    path: str  # `[]` is each entry of a list, `*` each name of an object
    holds: str
    meaning: str


def page(intro: str) -> str:
    """What is written by hand, then the fields of each study."""
    return "\n".join([intro, *(_study(name, result) for name, result in results().items())])


def _study(name: str, result: Result) -> str:
    rows = [[code(one.path), one.holds, prose(one.meaning)] for one in fields(result)]
    return f"## {name}\n\n{text(studies()[name].question)}\n\n{table(['field', 'holds', 'meaning'], rows)}"


def fields(result: Result) -> list[Field]:
    """The fields of a result besides those that all have, such as provenance and findings."""
    own = {key.partition(".")[2]: told for key, told in WORDS.items() if key.startswith(f"{result.study}.")}
    words = {**WORDS, **_explained(result), **own}
    told = {**words, **comments(type(result))}
    return [one for key, value in result.content().items() for one in _walk(key, value, told.get(key, ""), words)]


def _explained(result: Result) -> Mapping[str, str]:
    """What tables say of their columns, where those of one name mean the same in all."""
    found: dict[str, set[str]] = {}
    for column in (column for one in result.tables() for column in one.columns):
        found.setdefault(column.name, set()).add(column.explained)
    return {name: texts.copy().pop() for name, texts in found.items() if len(texts) == 1 and texts != {""}}


def _walk(path: str, value: Any, told: str, words: Mapping[str, str]) -> Iterator[Field]:  # noqa: ANN401  # any result
    """A field and those within it; a comment beside one in the code says what it means, or else its name."""
    yield Field(path, _holds(plain(value)), told)
    if path.count(".") + path.count("[]") >= DEEPEST:
        return
    if isinstance(value, list | tuple) and not _is_record(value):
        first = next(iter(value), None)
        if _is_record(first) or isinstance(first, list | tuple):
            yield from list(_walk(f"{path}[]", first, "", words))[1:]
    elif _is_record(value):
        inside = comments(type(value))
        for key, one in _items(value):
            yield from _walk(f"{path}.{key}", one, inside.get(key) or words.get(key, ""), words)


def _is_record(value: object) -> bool:
    return isinstance(value, Mapping) or is_dataclass(value) or hasattr(value, "_asdict")


def _items(value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401  # a record
    """The fields of an object; of one whose keys are names of systems, topics or measures, the first as `*`."""
    if isinstance(value, Mapping):
        named = {str(key): one for key, one in value.items()}
        return list(named.items()) if _has_fields(named) else [("*", one) for one in list(named.values())[:1]]
    if is_dataclass(value):
        return [(field.name, getattr(value, field.name)) for field in fields_of(value)]
    return list(value._asdict().items())


def _has_fields(value: Mapping[str, Any]) -> bool:
    """Whether the keys of an object are names of fields, and not of systems, topics, measures or populations."""
    return all(re.fullmatch("[a-z][a-z0-9_]*", key) for key in value) and not value.keys() <= SHORT.keys()


def _holds(value: Any) -> str:  # noqa: ANN401  # JSON
    if isinstance(value, list):
        return f"list of {_holds(value[0]).removesuffix('s')}s" if value else "list"
    if isinstance(value, dict):
        return "object"
    kinds = {bool: "yes or no", int: "number", float: "number", str: "text"}
    return kinds.get(type(value), "null here")


def comments(kind: type) -> Mapping[str, str]:
    """The comments beside the fields of a class and of its bases."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("irgauge"):
            found |= dict(_COMMENT.findall(inspect.getsource(base)))
    return found
