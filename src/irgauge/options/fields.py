"""An option: a field of a frozen dataclass, from which an argument, a flag, a help text and a check are made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass, fields
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from irgauge.errors import DesignError

A = TypeVar("A")
LARGEST = 2**63 - 1  # of whole numbers, where an option has no limit of its own
LARGEST_SEED = 2**128 - 1  # of as many bits as numpy draws for seeds


@dataclass(frozen=True)
class Help:
    """What an option means, and what the command line needs to know of it beyond its type."""

    text: str | Callable[[], str]  # or what makes it, from a registry
    names: Callable[[], Iterable[str]] | None = None  # the names that it may have, from their registry
    forms: Callable[[], Iterable[str]] | None = None  # what it may look like, from its registry; such as even:S
    short: str | None = None  # such as -m
    flag: str | None = None  # its name on the command line, if that is not the field's
    read: Callable[[str], Any] | None = None  # what makes a value of the text on the command line
    least: int | None = None  # of a number
    most: int | None = None  # of a number
    check: Callable[[Any], None] | None = None  # what refuses values, where least and most do not say all
    metavar: str | None = None
    writes: Literal["file", "folder"] | None = None  # what it names to be written, if it does

    @property
    def said(self) -> str:
        """The text."""
        return self.text if isinstance(self.text, str) else self.text()


@dataclass(frozen=True)
class Option:
    """A field of a dataclass of options."""

    name: str
    kind: Any  # its type, without None
    default: Any
    help: Help
    allowed: Any  # all types that it may have

    @property
    def flag(self) -> str:
        """The name on the command line, such as --keep-systems."""
        return f"--{self.help.flag or self.name.replace('_', '-')}"


def options_of(asked: type) -> Iterator[Option]:
    """The options that a dataclass declares: the positional ones, its own, then those of its bases."""
    hints = get_type_hints(asked, localns={"Measure": str}, include_extras=True)
    allowed = get_type_hints(asked, localns={"Measure": object})
    for field in sorted(fields(asked), key=lambda item: (item.kw_only, _distance(asked, item.name))):
        kind, spec = _help(hints[field.name])
        if spec is not None:
            default = field.default if field.default_factory is MISSING else field.default_factory()
            yield Option(field.name, _without_none(kind), default, spec, allowed[field.name])


def _distance(asked: type, name: str) -> int:
    """How far up among the bases a field is declared."""
    return next(i for i, base in enumerate(asked.__mro__) if name in vars(base).get("__annotations__", {}))


def help_of(option: Option) -> str:
    """What an option means and, where a registry says so, what it may be."""
    text = option.help
    listed = text.names or text.forms
    return text.said if listed is None else f"{text.said} One of: {', '.join(listed())}."


def _help(hint: Any) -> tuple[Any, Help | None]:  # noqa: ANN401  # any type
    if get_origin(hint) is not Annotated:
        return hint, None
    kind, *notes = get_args(hint)
    return kind, next((note for note in notes if isinstance(note, Help)), None)


def _without_none(kind: Any) -> Any:  # noqa: ANN401  # any type
    """The type that a value has where one is given; the first of several."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    return next(argument for argument in get_args(kind) if argument is not NoneType)


def checked(asked: A) -> A:
    """Options of which none has a value that it cannot have."""
    for option in declared_options(type(asked)):  # type: ignore[arg-type]  # a type can be hashed
        _check_value(option, getattr(asked, option.name))
    return asked


@cache
def declared_options(asked: Callable[..., Any]) -> tuple[Option, ...]:
    """The options of a dataclass, made once."""
    return tuple(options_of(cast(type, asked)))


def _check_value(option: Option, value: object) -> None:
    """Refuse what is no number where one is needed, and numbers out of their range."""
    for item in value if isinstance(value, tuple | list) else [value]:
        if isinstance(item, Real):
            _check_number(option, int(item) if isinstance(item, Integral) else float(item))
    is_whole = not isinstance(value, str) and (not isinstance(value, Real) or isinstance(value, Integral))
    if option.help.read is None and option.kind is int and not is_whole:
        raise DesignError(f"{option.name} is {value!r}; it is a whole number")
    if option.help.read is None and isinstance(value, str) and option.kind is float:
        raise DesignError(f"{option.name} is {value!r}; it is a number")
    if option.help.check is not None and value is not None:
        option.help.check(value)


def _check_number(option: Option, value: float) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        if option.help.check is None:
            raise DesignError(f"{option.name} is {value}; it is a finite number")
        return
    least = -LARGEST if option.help.least is None else option.help.least
    most = LARGEST if option.help.most is None else option.help.most
    if value < least:
        raise DesignError(f"{option.name} is {_written(value)}; it is at least {least:,}")
    if value > most:
        raise DesignError(f"{option.name} is {_written(value)}; it is at most {most:,}")


def _written(value: float) -> str:
    """A number, or what can be said of one that is too long to be read."""
    return str(value) if abs(value) <= LARGEST else f"about {'-' if value < 0 else ''}10^{int(math.log10(abs(value)))}"


def refuse(asked: object, names: Iterable[str], of: str, word: Callable[[str], str] = "the option '{}'".format) -> None:
    """Refuse options that do not apply to what was given, unless they are at their default.

    >>> @dataclass(frozen=True)
    ... class RepeatOptions:
    ...     shards: str | None = None
    >>> refuse(RepeatOptions(shards="even:5"), ["shards"], "runs, and a table of scores was given; leave it out")
    Traceback (most recent call last):
    irgauge.errors.DesignError: the option 'shards' is of runs, and a table of scores was given; leave it out
    """
    for name in names:
        if getattr(asked, name) != getattr(type(asked), name):
            raise DesignError(f"{word(name)} is of {of}")
