"""Whether a value has the type that is declared for it, and what that type is called to users."""

from __future__ import annotations

import collections.abc
import os
from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

from irgauge.errors import DesignError

_NAMES: Mapping[Any, str] = {
    NoneType: "None",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    object: "an object of irgauge",
    tuple: "a list",
    os.PathLike: "a path",
    collections.abc.Sequence: "a list",
    collections.abc.Iterable: "a list",
    collections.abc.Mapping: "a mapping",
    collections.abc.Callable: "a function",
}
_LONGEST = 60  # characters of a value in a message


def check_kind(name: str, value: object, kind: Any) -> None:  # noqa: ANN401  # any type
    """Refuse a value of another type, and a text that no file can hold.

    >>> check_kind("precision", None, Literal["double", "single"])
    Traceback (most recent call last):
    irgauge.errors.DesignError: precision is None; it is 'double' or 'single'
    """
    if not _is_of(value, kind):
        raise DesignError(f"{name} is {_brief(value)}; it is {kind_in_words(kind)}")
    if any(_is_half(text) for text in _texts(value)):
        raise DesignError(f"{name} is {_brief(value)}, which holds half a character; write it anew")


def _is_of(value: object, kind: Any) -> bool:  # noqa: ANN401  # any type
    """What mappings hold is checked by who takes them; so is which of some texts it is."""
    parts = _parts(kind)
    if len(parts) > 1:
        return any(_is_of(value, part) for part in parts)
    origin = get_origin(kind) or kind
    if origin in (Any, object):
        return True
    if origin is Literal:
        return isinstance(value, str)
    if origin in (int, float):
        is_number = isinstance(value, int | float | np.integer | np.floating)  # a whole one: checked with its range
        return is_number and not isinstance(value, np.timedelta64)  # which numpy takes for an integer
    if origin is bool:
        return isinstance(value, bool | np.bool_)
    if origin in (tuple, collections.abc.Sequence):
        return _is_list(value, get_args(kind))
    return isinstance(value, origin) and not isinstance(value, bytes)


def _is_list(value: object, kinds: tuple[Any, ...]) -> bool:
    """Whether it holds what it may; as many as there are kinds, if these are a pair and the like."""
    if not isinstance(value, collections.abc.Sequence | np.ndarray) or isinstance(value, str | bytes):
        return False
    if len(kinds) == 1 or kinds[-1] is Ellipsis:
        return all(_is_of(each, kinds[0]) for each in value)
    return len(value) == len(kinds) and all(map(_is_of, value, kinds))


def _parts(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401  # any type
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def kind_in_words(kind: Any) -> str:  # noqa: ANN401  # any type
    """What a value may be.

    >>> kind_in_words(float | str | None)
    'a number, a text or None'
    """
    *first, last = dict.fromkeys(_names(kind))
    return f"{', '.join(first)} or {last}" if first else last


def _names(kind: Any) -> Iterable[str]:  # noqa: ANN401  # any type
    for part in _parts(kind):
        if get_origin(part) is Literal:
            yield from map(repr, get_args(part))
        else:
            origin = get_origin(part) or part
            yield _NAMES.get(origin, f"a {getattr(origin, '__name__', origin)}")


def _brief(value: object) -> str:
    shown = repr(value) if not isinstance(value, int) else f"{value}" if abs(value) < 10**_LONGEST else "too large"
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]} …"


def _texts(value: object) -> Iterable[str]:
    """The texts of a value, and of what it holds; files and frames are looked at where they are read."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for pair in value.items() for text in pair if isinstance(text, str)]
    return [text for text in value if isinstance(text, str)] if isinstance(value, list | tuple) else []


def _is_half(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text)
