"""Verbs: functions of data and options that take the options as keywords, each checked against its declared type."""

from __future__ import annotations

import collections.abc
import inspect
import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, wraps
from types import NoneType, UnionType
from typing import (
    Any,
    Concatenate,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from irgauge.choices import nearest
from irgauge.errors import DesignError
from irgauge.extensions.registry import ours_alone
from irgauge.files.made import Made, noting_files, read_from
from irgauge.options.fields import Option, checked, declared_options, help_of, options_of

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
        raise DesignError(f"{name} is {brief(value)}; it is {kind_in_words(kind)}")
    if any(_is_half(text) for text in _texts(value)):
        raise DesignError(f"{name} is {brief(value)}, which holds half a character; write it anew")


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
    if isinstance(value, np.ndarray) and value.ndim == 0:  # such as a masked value
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


def brief(value: object) -> str:
    """A value in a message, cut where it is long."""
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


P = ParamSpec("P")
A = TypeVar("A")
D = TypeVar("D")
R = TypeVar("R")
D_in = TypeVar("D_in", contravariant=True)
R_out = TypeVar("R_out", covariant=True)


def verb(options: Callable[P, A]) -> Callable[[Callable[[D, A], R]], Callable[Concatenate[D, P], R]]:
    """Make a verb of a function of data and options: it takes the options as arguments.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class RepeatOptions:
    ...     times: int = 2
    >>> @verb(RepeatOptions)
    ... def repeat(data: str, options: RepeatOptions) -> str:
    ...     return data * options.times
    >>> repeat("ab", times=3)
    'ababab'
    """

    def verb_of(run: Callable[[D, A], R]) -> Callable[Concatenate[D, P], R]:
        @wraps(run)
        def answer(data: D, *args: P.args, **kwargs: P.kwargs) -> R:
            with _ready(answer, options, args, kwargs) as asked, _noting(read_from(data)) as noted:
                return noted(run(data, asked))

        _document(answer, run, options)
        return cast("Callable[Concatenate[D, P], R]", answer)  # which may also be called with data=

    return verb_of


def verb_without_data(options: Callable[P, A]) -> Callable[[Callable[[A], R]], Callable[P, R]]:
    """Make a verb of a function of options alone, which takes no data.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class LaughOptions:
    ...     times: int = 2
    >>> @verb_without_data(LaughOptions)
    ... def laugh(options: LaughOptions) -> str:
    ...     return "ha" * options.times
    >>> laugh(times=3)
    'hahaha'
    """

    def verb_of(run: Callable[[A], R]) -> Callable[P, R]:
        @wraps(run)
        def answer(*args: P.args, **kwargs: P.kwargs) -> R:
            with _ready(answer, options, args, kwargs) as asked, _noting() as noted:
                return noted(run(asked))

        _document(answer, run, options)
        return answer

    return verb_of


class VerbOfDataOrNone(Protocol[D_in, P, R_out]):
    """A verb that takes data, or none."""

    def __call__(self, data: D_in | None = None, *args: P.args, **kwargs: P.kwargs) -> R_out:
        """Answer."""


def verb_of_data_or_none(
    options: Callable[P, A],
) -> Callable[[Callable[[D | None, A], R]], VerbOfDataOrNone[D, P, R]]:
    """Make a verb of a function of options and of data that may be left out.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class RepeatOptions:
    ...     times: int = 2
    >>> @verb_of_data_or_none(RepeatOptions)
    ... def repeat(data: str | None, options: RepeatOptions) -> str:
    ...     return (data or "ha") * options.times
    >>> repeat(times=3), repeat("ab")
    ('hahaha', 'abab')
    """

    def verb_of(run: Callable[[D | None, A], R]) -> VerbOfDataOrNone[D, P, R]:
        of_data = verb(options)(run)

        @wraps(of_data)
        def answer(data: D | None = None, *args: P.args, **kwargs: P.kwargs) -> R:
            return of_data(data, *args, **kwargs)

        first, *others = inspect.signature(of_data).parameters.values()
        vars(answer)["__signature__"] = inspect.signature(of_data).replace(
            parameters=[first.replace(default=None), *others]
        )
        return answer

    return verb_of


@contextmanager
def _ready(
    answer: Callable[..., Any], options: Callable[..., A], args: Sequence[object], kwargs: Mapping[str, object]
) -> Iterator[A]:
    """The options of a call of a verb, checked and resolved, for as long as it runs."""
    args = [_without_array(value) for value in args]
    kwargs = {name: _without_array(value) for name, value in kwargs.items()}
    _check_given(answer, options, args, kwargs)
    made = checked(options(*args, **kwargs))
    with within_memory(), _while_running(made):
        yield resolved(made)


@contextmanager
def _noting(paths: Sequence[str] = ()) -> Iterator[Callable[[R], R]]:
    """What notes of a result when and of which files it was made: those that were read before, and meanwhile."""
    made = Made()

    def noted(result: R) -> R:
        for one in result if isinstance(result, tuple) else (result,):
            if hasattr(one, "note_made"):
                one.note_made(made.of([*paths, *read]))
        return result

    with noting_files() as read:
        yield noted


def _without_array(value: object) -> object:
    """An array as the list of its values, which is empty or not, and equal to another or not."""
    return value.tolist() if isinstance(value, np.ndarray) and value.ndim else value


@contextmanager
def _while_running(options: object) -> Iterator[None]:
    """What options set up for as long as a verb runs, each kind of them in its method `while_running`."""
    with ExitStack() as stack:
        for kind in type(options).__mro__:
            if "while_running" in vars(kind):
                stack.enter_context(vars(kind)["while_running"](options))
        yield


@contextmanager
def within_memory() -> Iterator[None]:
    """Say plainly that what was asked for does not fit into memory."""
    try:
        yield
    except MemoryError as error:
        needed = f" ({error})" if str(error) else ""
        raise DesignError(f"there is not enough memory for this{needed}; ask for fewer images, draws or runs") from None


def resolved(options: A) -> A:
    """Options of which some change others: those that a dataclass resolves in a method `resolved`."""
    return cast("A", options.resolved()) if hasattr(options, "resolved") else options


def _check_given(
    answer: Callable[..., Any], options: Callable[..., Any], args: Sequence[object], kwargs: Mapping[str, object]
) -> None:
    """Refuse what a verb does not take, as Python refuses an argument, and a value of another type."""
    taken = _parameters(options)
    by_place = [name for name, parameter in taken.items() if parameter.kind is not inspect.Parameter.KEYWORD_ONLY]
    values = {**dict(zip(by_place, args, strict=False)), **kwargs}
    problem = _misfit(taken, by_place, args, kwargs)
    if problem is not None:
        raise TypeError(f"{answer.__name__} {problem}")
    for option in declared_options(cast("type", options)):
        if option.name in values:
            check_kind(option.name, values[option.name], option.allowed)


@cache
def _parameters(options: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """What a class of options takes; looked up once."""
    return inspect.signature(options).parameters


def _misfit(
    taken: Mapping[str, inspect.Parameter],
    by_place: Sequence[str],
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> str | None:
    """Why arguments do not fit what is taken; None where they do."""
    for name in kwargs:
        if name not in taken:
            return f"has no option '{name}'; did you mean {nearest(name, taken)}?"
    if len(args) > len(by_place):
        before = " and ".join(["data", *by_place])
        return f"takes {before} by their places, and {brief(args[len(by_place)])} besides; name it, as in option=value"
    for name in by_place[: len(args)]:
        if name in kwargs:
            return f"is given {name} twice, by its place and by its name; leave one out"
    needed = [name for name, parameter in taken.items() if parameter.default is inspect.Parameter.empty]
    lacking = [name for name in needed if name not in (*by_place[: len(args)], *kwargs)]
    return f"needs {' and '.join(lacking)}; see help(irgauge)" if lacking else None


def _document(answer: Callable[..., Any], run: Callable[..., Any], options: Callable[..., Any]) -> None:
    """Give a verb the signature that it takes and a word on each parameter, for help() and notebooks."""
    *first, _ = inspect.signature(run).parameters.values()
    own = inspect.signature(options)
    declared = list(options_of(cast("type", options)))
    order = {option.name: place for place, option in enumerate(declared)}
    kinds = get_type_hints(options, localns={"Measure": str})
    taken = [parameter.replace(annotation=kinds[name]) for name, parameter in own.parameters.items()]
    by_name = inspect.Parameter.KEYWORD_ONLY  # others stay in the order in which they are taken
    taken.sort(key=lambda taken: (taken.kind, order.get(taken.name, len(order)) if taken.kind is by_name else 0))
    signature = own.replace(parameters=[*first, *taken], return_annotation=inspect.signature(run).return_annotation)
    vars(answer).update(__signature__=signature, options=options)
    with ours_alone():  # verbs are made while irgauge is imported
        parameters = "\n".join(f"{_heading(option)}\n{_indented(help_of(option))}" for option in declared)
    returned = _returned(run)
    answer.__doc__ = f"{inspect.getdoc(run)}\n\nParameters\n----------\n{parameters}\n\nReturns\n-------\n{returned}\n"


def _returned(run: Callable[..., Any]) -> str:
    """What a verb gives: its type, and what that is."""
    name = str(inspect.signature(run).return_annotation)
    about = (inspect.getdoc(vars(inspect.getmodule(run)).get(name)) or "").partition("\n")[0]
    return f"{name}\n{_indented(about)}" if about else name


def _heading(option: Option) -> str:
    """The name of a parameter, its type in words, and its default."""
    return f"{option.name} : {kind_in_words(option.allowed)}, default {option.default!r}"


def _indented(text: str) -> str:
    return textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
