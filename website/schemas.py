"""JSON Schemas of results: src/irgauge/schemas, which `python -m website.schemas` writes anew.

What a record holds is read from its annotations; what a study puts together, from an example of its result. The latter
may be null everywhere, and there may be more fields than a schema names: new ones come without a new version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, is_dataclass
from dataclasses import fields as fields_of
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from irgauge.inference.assertions import Assertion
from irgauge.show.finding import Finding
from irgauge.show.saving import SCHEMA, to_json
from irgauge.studies.registry import studies
from irgauge.studies.result import Result
from website.examples import results
from website.fields import comments, has_fields, is_record, words_of

FOLDER = Path(__file__).parents[1] / "src" / "irgauge" / "schemas"
Schema = dict[str, Any]
_HOLDS = {"text": "string", "number": "number", "count": "number", "yes or no": "boolean"}  # of frames -> of JSON
_PLAIN: Mapping[object, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def text(result: Result) -> str:
    """The schema of the results of a study, from one of them."""
    return to_json(_schema(result))


def _schema(result: Result) -> Schema:
    making = _Making(words_of(result), {column.name: column.holds for column in _columns(result)})
    told = {**making.words, **comments(type(result))}
    own: Schema = {}
    for name, value in result.content().items():
        hint = _hint(result, name, value)
        own[name] = _meaning(told[name]) | (making.of_type(hint) if hint else making.of_value(value, name))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"irgauge {result.study}",
        "description": studies()[result.study].question,
        "type": "object",
        "properties": _head(result.study) | own,
        "required": ["study", "schema", "irgauge", "versions", "made", "provenance", "findings"],
        "$defs": dict(sorted((making.defs | _said()).items())),
    }


def _hint(result: Result, name: str, value: object) -> object:
    """The annotation of a first field, where it is a field or a property of the result; else None."""
    kind = type(result)
    attribute = getattr(kind, name, None)
    getter = getattr(attribute, "fget", None) or getattr(attribute, "func", None)
    if getter is not None and is_record(value) and not isinstance(value, Mapping):
        return get_type_hints(getter)["return"]
    hints = _hints(kind)
    return hints[name] if name in hints and getattr(result, name) is value else None


def _columns(result: Result) -> Iterable[Any]:
    return (column for rows in result.frames.values() for column in rows.columns)


def _head(study: str) -> Schema:
    """What all results have."""
    return {
        "study": _meaning("the name of the study") | {"const": study},
        "schema": _meaning("the version of these fields") | {"const": SCHEMA},
        "irgauge": _meaning("the version of irgauge that wrote it") | {"type": "string"},
        "versions": _meaning("of Python and of packages, by their names") | {"type": "object"},
        "made": _meaning("when, by which command, of which files") | {"type": "object"},
        "provenance": _meaning("how the numbers came about") | {"type": "object"},
        "findings": _meaning("what is said, the answer first") | {"type": "array", "items": _record(Finding)},
        "state": _meaning("what irgauge reads the result from again; for nobody else") | {"type": "string"},
    }


def _said() -> Schema:
    """Findings and what they claim, as `to_dict` gives them."""
    making = _Making(_SAID, {})
    making.of_type(Assertion)
    making.defs["Assertion"]["required"] = ["kind", "verdict", "place"]
    hints = dict(_hints(Finding)) | {"text": str, "claims": tuple[Assertion, ...]}
    names = ("kind", "tone", "measure", "population", "place", "text", "fields", "claims")
    own = {name: _meaning(_SAID[name]) | making.of_type(hints[name]) for name in names}
    return making.defs | {"Finding": _object(own) | {"description": "what is said", "required": list(own)}}


_SAID = {
    "kind": "what it says, by a name that stays; of a claim, what is claimed",
    "tone": "finding, note, warning or error",
    "measure": "the measure; null: of all",
    "population": "what the claim covers; null where it claims nothing beyond the data",
    "place": "in the hierarchy of claims; null where it belongs to none",
    "text": "the sentence",
    "fields": "the numbers and names of the sentence",
    "claims": "what it claims beyond the data, so that it may be false",
    "pairs": "the pairs of systems that it is about",
    "terms": "the terms of a model that it is about",
    "margin": "the smallest difference that matters",
}


@dataclass
class _Making:
    """A schema in the making: the records that it refers to."""

    words: Mapping[str, str]  # of fields
    holds: Mapping[str, str]  # of columns of frames
    defs: dict[str, Schema] = field(default_factory=dict)

    def of_type(self, kind: Any) -> Schema:  # noqa: ANN401  # any annotation
        """What an annotation allows, as JSON has it."""
        origin, parts = get_origin(kind) or kind, get_args(kind)
        if origin in (Union, UnionType):
            return _any_of([self.of_type(part) for part in parts])
        if origin is Literal:
            return {"enum": list(parts)}
        if origin is float:
            return {"type": ["number", "null"]}  # null: not finite
        if origin in _PLAIN:
            return {"type": _PLAIN[origin]}
        return self._of_class(origin, parts) if isinstance(origin, type) else {}

    def _of_class(self, kind: type, parts: tuple[Any, ...]) -> Schema:
        if issubclass(kind, Mapping):
            return {"type": "object"} | ({"additionalProperties": self.of_type(parts[1])} if parts else {})
        if is_dataclass(kind) or hasattr(kind, "_asdict"):
            return self._defined(kind)
        if issubclass(kind, np.ndarray):
            return {"type": "array"}
        if issubclass(kind, list | tuple | AbstractSet) or kind.__name__ == "Sequence":
            is_one_type = parts and (len(parts) == 1 or parts[1] is Ellipsis)
            return {"type": "array"} | ({"items": self.of_type(parts[0])} if is_one_type else {})
        return {}

    def _defined(self, kind: type) -> Schema:
        """A reference to a record; its fields are all there."""
        if kind.__name__ not in self.defs:
            self.defs[kind.__name__] = {}  # may refer to itself
            hints, told = _hints(kind), {**self.words, **comments(kind)}
            own = {name: _meaning(told.get(name, "")) | self.of_type(hint) for name, hint in hints.items()}
            about = (kind.__doc__ or "").partition("\n")[0]
            self.defs[kind.__name__] = _object(own) | {"description": about, "required": list(own)}
        return _record(kind)

    def of_value(self, value: Any, name: str = "") -> Schema:  # noqa: ANN401  # any result
        """What is allowed where an example has this value."""
        if value is None:
            return {"type": [_HOLDS[self.holds[name]], "null"]} if name in self.holds else {}
        if isinstance(value, Mapping):
            return self._mapping({str(key): item for key, item in value.items()})
        if is_record(value):
            return _any_of([self.of_type(type(value)), {"type": "null"}])
        if isinstance(value, np.ndarray | np.generic):
            return self.of_value(value.tolist(), name)
        if isinstance(value, str | bool):
            return {"type": [_PLAIN[type(value)], "null"]} if type(value) in _PLAIN else {"type": ["string", "null"]}
        if isinstance(value, int | float):
            return {"type": ["number", "null"]}
        items = _of_all(map(self.of_value, value))
        return {"type": ["array", "null"]} | ({"items": items} if items else {})

    def _mapping(self, value: Mapping[str, Any]) -> Schema:
        if has_fields(value):
            return _object(
                {key: _meaning(self.words.get(key, "")) | self.of_value(item, key) for key, item in value.items()},
                ["object", "null"],
            )
        inner = _of_all(map(self.of_value, value.values()))
        return {"type": ["object", "null"]} | ({"additionalProperties": inner} if inner else {})


def _hints(kind: Any) -> Mapping[str, Any]:  # noqa: ANN401  # a class
    """The types of the fields that JSON has; what only a type checker imports may be anything."""
    unknown: dict[str, Any] = {}
    while True:
        try:
            hints = get_type_hints(kind, localns=unknown)
        except NameError as error:
            unknown[str(error.name)] = Any
        else:
            names = [one.name for one in fields_of(kind)] if is_dataclass(kind) else kind._fields
            return {name: hints[name] for name in names}


def _record(kind: type) -> Schema:
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _meaning(told: str) -> Schema:
    return {"description": told} if told else {}


def _object(properties: Schema, kind: str | list[str] = "object") -> Schema:
    return {"type": kind, "properties": properties}


def _any_of(allowed: Iterable[Schema]) -> Schema:
    """One of several; simple types are listed."""
    every = [part for one in allowed for part in one.get("anyOf", [one])]
    if {} in every:
        return {}
    kinds = sorted({kind for one in every if one.keys() == {"type"} for kind in _kinds(one)})
    others = [one for place, one in enumerate(every) if one.keys() != {"type"} and one not in every[:place]]
    joined = [*others, *([{"type": kinds if len(kinds) > 1 else kinds[0]}] if kinds else [])]
    return joined[0] if len(joined) == 1 else {"anyOf": joined}


def _kinds(one: Schema) -> list[str]:
    return [one["type"]] if isinstance(one["type"], str) else one["type"]


def _of_all(examples: Iterable[Schema]) -> Schema:
    merged: Schema = {}
    for example in examples:
        merged = _merged(merged, example)
    return merged


def _merged(one: Schema, other: Schema) -> Schema:
    """What allows what two examples have; a field means the same in both."""
    if not one or not other or one == other:
        return one or other
    if "description" in one:
        return _meaning(one["description"]) | _merged(_allowed(one), _allowed(other))
    if one.get("type") != other.get("type"):
        return _any_of([one, other])
    inner = {key: _merged(one.get(key, {}), other.get(key, {})) for key in ("items", "additionalProperties")}
    names = one.get("properties", {}) | other.get("properties", {})
    merged = {name: _merged(*(part.get("properties", {}).get(name, {}) for part in (one, other))) for name in names}
    return {"type": one["type"]} | {key: part for key, part in (inner | {"properties": merged}).items() if part}


def _allowed(one: Schema) -> Schema:
    return {key: part for key, part in one.items() if key != "description"}


def write(folder: Path = FOLDER, made: Callable[[], Mapping[str, Result]] = results) -> None:
    """Write the schema of every study."""
    folder.mkdir(exist_ok=True)
    for name, result in made().items():
        (folder / f"{name}.json").write_text(text(result))


if __name__ == "__main__":
    write()
