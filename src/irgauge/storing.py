"""Records as JSON that comes back: dataclasses, named tuples, enumerations and arrays of numbers.

What is plain in JSON stays as it is, a tuple is a list, and all else is an object with a sign `$` that says what it is:
the name of a class with its fields, or one of `float`, `list`, `set`, `map`, `array`. Data run no code: a class is one
of those that the reader named, and its fields must fit their annotations. A class that holds what cannot be stored,
such as a function, has two methods: `stored` gives what is stored instead, and `restored` takes it back.
"""

from __future__ import annotations

import base64
import collections.abc
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

NOT_STORED = {"stored": False}  # the metadata of a field that a file does not hold; what is read has its default
_SIGN = "$"
_DEEPEST = 100  # objects within objects
_LISTS = {"list": list, "set": frozenset}
_ARRAYS = "biuf"  # kinds of numbers, as numpy names them
_NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def packed(value: object) -> Any:  # noqa: ANN401  # JSON
    """What JSON can hold of a record, so that `unpacked` gives it again.

    >>> from irgauge.provenance import Fact
    >>> packed((Fact("seed", 3), math.inf))[1], packed({"a": (1, [2])})
    ({'$': 'float', 'is': 'inf'}, {'a': [1, {'$': 'list', 'of': [2]}]})
    """
    if value is None or type(value) in (str, int, bool):
        return value
    if isinstance(value, Enum):
        return {_SIGN: type(value).__name__, "value": value.value}
    if isinstance(value, np.generic | str):
        return packed(value.item()) if isinstance(value, np.generic) else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else {_SIGN: "float", "is": str(value)}
    if isinstance(value, np.ndarray):
        return _packed_array(value)
    if _is_record(type(value)):
        return {_SIGN: type(value).__name__} | {name: packed(field) for name, field in _contents(value).items()}
    return _packed_several(value)


def _packed_several(value: object) -> Any:  # noqa: ANN401  # JSON
    if isinstance(value, Mapping):
        is_plain = all(type(key) is str and key != _SIGN for key in value)
        if is_plain:
            return {key: packed(item) for key, item in value.items()}
        return {_SIGN: "map", "of": [[packed(key), packed(item)] for key, item in value.items()]}
    if isinstance(value, tuple | range):
        return [packed(item) for item in value]
    if isinstance(value, list):
        return {_SIGN: "list", "of": [packed(item) for item in value]}
    if isinstance(value, set | frozenset):
        return {_SIGN: "set", "of": [packed(item) for item in sorted(value, key=str)]}
    raise TypeError(f"a {type(value).__name__} cannot be stored; give it the methods stored and restored")


def _packed_array(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """The numbers of an array, as bytes in the order of rows, the least of a number first."""
    if array.dtype.kind not in _ARRAYS:
        raise TypeError(f"an array of {array.dtype} cannot be stored")
    kind = array.dtype.newbyteorder("<")
    data = base64.b64encode(np.ascontiguousarray(array, kind).tobytes()).decode()
    return {_SIGN: "array", "type": kind.str, "shape": list(array.shape), "data": data}


def _is_record(kind: object) -> bool:
    """Whether it is a class whose fields are known."""
    if not isinstance(kind, type):
        return False
    return hasattr(kind, "restored") or is_dataclass(kind) or hasattr(kind, "_asdict")


def _contents(value: Any) -> Mapping[str, Any]:  # noqa: ANN401  # a record
    if hasattr(value, "restored"):
        stored: Mapping[str, Any] = value.stored()
        return stored
    if is_dataclass(value):
        return {name: getattr(value, name) for name in _stored_fields(type(value))}
    contents: dict[str, Any] = value._asdict()
    return contents


def kinds_of(*roots: object) -> dict[str, type]:
    """The records that annotations name, and those that their own fields name, by the names of the classes.

    >>> from irgauge.provenance import Provenance
    >>> list(kinds_of(tuple[Provenance, ...] | None))
    ['Provenance', 'Fact']
    """
    kinds: dict[str, type] = {}
    followed: set[type] = set()
    waiting = list(roots)
    while waiting:
        kind = waiting.pop(0)
        if not isinstance(kind, type):
            waiting += [part for part in (get_origin(kind), *get_args(kind)) if part is not None]
        elif (_is_record(kind) or issubclass(kind, Enum)) and kinds.setdefault(kind.__name__, kind) is not kind:
            raise TypeError(f"{kind} and {kinds[kind.__name__]} have one name; rename one of them")
        elif _is_record(kind) and kind not in followed:
            followed.add(kind)
            waiting += hints_of(kind).values()
    return kinds


@cache
def hints_of(kind: Any) -> Mapping[str, Any]:  # noqa: ANN401  # a class
    """The types of what a record is made of; what only a type checker imports may be anything."""
    unknown: dict[str, Any] = {}
    made: Any = getattr(kind, "restored", kind)
    while True:
        try:
            hints = get_type_hints(made, localns=unknown)
        except NameError as error:
            unknown[str(error.name)] = Any
        else:
            break
    names = _stored_fields(kind) if made is kind and is_dataclass(kind) else tuple(hints)
    return {name: hints[name] for name in names if name != "return"}


def _stored_fields(kind: Any) -> tuple[str, ...]:  # noqa: ANN401  # a dataclass
    return tuple(field.name for field in fields(kind) if field.init and field.metadata != NOT_STORED)


@dataclass(frozen=True)
class Unpacking:
    """What gives records again: the classes that there may be, by their names."""

    kinds: Mapping[str, type]
    renamed: Mapping[str, str]  # the name of a class once -> its name now

    def value(self, stored: object, depth: int = 0) -> Any:  # noqa: ANN401  # whatever was packed
        """What was packed; a ValueError says why it cannot be."""
        if depth > _DEEPEST:
            raise ValueError(f"it is nested more than {_DEEPEST} deep")
        if isinstance(stored, list):
            return tuple(self.value(item, depth + 1) for item in stored)
        if not isinstance(stored, dict):
            return stored
        if _SIGN not in stored:
            return {key: self.value(item, depth + 1) for key, item in stored.items()}
        sign, others = stored[_SIGN], {key: item for key, item in stored.items() if key != _SIGN}
        if sign == "float":
            return _NUMBERS[others["is"]]
        if sign == "array":
            return _array(**others)
        inner = {key: self.value(item, depth + 1) for key, item in others.items()}
        if sign in _LISTS:
            return _LISTS[sign](inner["of"])
        return dict(inner["of"]) if sign == "map" else self._record(sign, inner)

    def _record(self, sign: object, contents: Mapping[str, Any]) -> Any:  # noqa: ANN401  # of the class named
        name = self.renamed.get(str(sign), str(sign))
        if name not in self.kinds:
            raise ValueError(f"there can be no {name} in it")
        kind: Any = self.kinds[name]
        if issubclass(kind, Enum):
            return kind(contents["value"])
        hints = hints_of(kind)
        for field, item in contents.items():
            if field not in hints:
                raise ValueError(f"{name} has no {field}")
            if not fits(item, hints[field]):
                raise ValueError(f"the {field} of {name} is none: a {type(item).__name__}")
        made: Any = getattr(kind, "restored", kind)
        return made(**contents)


def _array(*, type: str, shape: list[int], data: str) -> np.ndarray[Any, Any]:  # noqa: A002  # as the file has it
    """The array, which is as large as its data are."""
    kind = np.dtype(type)
    if kind.kind not in _ARRAYS or not all(isinstance(size, int) and size >= 0 for size in shape):
        raise ValueError(f"there can be no array of {kind} in it")
    numbers = np.frombuffer(base64.b64decode(data, validate=True), kind).astype(kind.newbyteorder("="))
    return numbers.reshape(shape)


def fits(value: object, kind: Any) -> bool:  # noqa: ANN401  # any type
    """Whether a value is of a type, at any depth.

    >>> fits((1.0, None), tuple[float | None, ...]), fits({"a": "x"}, Mapping[str, int]), fits("b", Literal["a"])
    (True, False, False)
    """
    origin, parts = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is Annotated:
        return fits(value, parts[0])
    if origin is Literal:
        return isinstance(value, str | int) and value in parts
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and _is_of_numbers(value, parts)
    if origin in (int, float):
        return isinstance(value, int if origin is int else int | float) and not isinstance(value, bool)
    if origin is Any or not isinstance(origin, type) or getattr(origin, "_is_protocol", False):
        return True  # or a variable of a type, or what has no class
    return isinstance(value, origin) and _holds(value, origin, parts)


def _is_of_numbers(array: np.ndarray[Any, Any], parts: tuple[Any, ...]) -> bool:
    """Whether the numbers of an array are of the type that is named after its shape, if one is."""
    wanted = get_args(parts[1]) if len(parts) > 1 else ()
    return not wanted or not isinstance(wanted[0], type) or issubclass(array.dtype.type, wanted[0])


def _holds(value: Any, origin: type, parts: tuple[Any, ...]) -> bool:  # noqa: ANN401  # of that type
    """Whether what is in a value is of the types of its parts."""
    if not parts or not issubclass(origin, collections.abc.Iterable):
        return True
    if issubclass(origin, Mapping):
        return all(fits(key, parts[0]) and fits(item, parts[1]) for key, item in value.items())
    if issubclass(origin, tuple) and parts[-1] is not Ellipsis:
        return len(value) == len(parts) and all(map(fits, value, parts))
    return not isinstance(value, str) and all(fits(item, parts[0]) for item in value)
