"""The page of JSON: the fields of each result, from an example of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from typing import Any, NamedTuple

from irgauge.show.saving import plain
from irgauge.show.verdicts import SHORT
from irgauge.studies.frames import FRAMES, Rows
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
    words = words_of(result)
    told = {**words, **comments(type(result))}
    return [one for key, value in result.content().items() for one in _walk(key, value, told.get(key, ""), words)]


def words_of(result: Result) -> Mapping[str, str]:
    """What names of fields mean in the JSON of a study, where no comment beside a field says it."""
    own = {key.partition(".")[2]: told for key, told in WORDS.items() if key.startswith(f"{result.study}.")}
    frames = _of_frames(FRAMES.values()), _of_frames([result.frames])
    return {**frames[0], **WORDS, **frames[1], **_explained(result), **own}


def _of_frames(frames: Iterable[Mapping[str, Rows]]) -> Mapping[str, str]:
    """What the contract says of frames and their columns, where those of one name mean the same in all."""
    meanings: dict[str, set[str]] = {}
    for name, rows in ((name, rows) for own in frames for name, rows in own.items()):
        meanings.setdefault(name.replace("-", "_"), set()).add(rows.of)
        for column in rows.columns:
            meanings.setdefault(column.name, set()).add(column.meaning)
    return {name: texts.pop() for name, texts in meanings.items() if len(texts) == 1}


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
    if isinstance(value, list | tuple) and not is_record(value):
        first = next(iter(value), None)
        if is_record(first) or isinstance(first, list | tuple):
            yield from list(_walk(f"{path}[]", first, "", words))[1:]
    elif is_record(value):
        inside = comments(type(value))
        for key, one in _items(value):
            yield from _walk(f"{path}.{key}", one, inside.get(key) or words.get(key, ""), words)


def is_record(value: object) -> bool:
    """Whether JSON has it as an object."""
    return isinstance(value, Mapping) or is_dataclass(value) or hasattr(value, "_asdict")


def _items(value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401  # a record
    """The fields of an object; of one whose keys are names of systems, topics or measures, the first as `*`."""
    if isinstance(value, Mapping):
        named = {str(key): one for key, one in value.items()}
        return list(named.items()) if has_fields(named) else [("*", one) for one in list(named.values())[:1]]
    if is_dataclass(value):
        return [(field.name, getattr(value, field.name)) for field in fields_of(value)]
    return list(value._asdict().items())


def has_fields(value: Mapping[str, Any]) -> bool:
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
