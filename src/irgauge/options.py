"""Options, each written once: the fields of a frozen dataclass, from which verbs, commands, help and docs are made."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import MISSING, dataclass, fields
from functools import cache, wraps
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import (
    Annotated,
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

from irgauge.choices import nearest
from irgauge.errors import DesignError
from irgauge.kinds import check_kind

P = ParamSpec("P")
A = TypeVar("A")
D = TypeVar("D")
R = TypeVar("R")
D_in = TypeVar("D_in", contravariant=True)
R_out = TypeVar("R_out", covariant=True)
LARGEST = 2**63 - 1  # of whole numbers, where an option has no limit of its own
LARGEST_SEED = 2**128 - 1  # of as many bits as numpy draws for seeds


@dataclass(frozen=True)
class Told:
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
    told: Told
    allowed: Any  # all types that it may have

    @property
    def flag(self) -> str:
        """The name on the command line, such as --keep-systems."""
        return f"--{self.told.flag or self.name.replace('_', '-')}"


def options_of(asked: type) -> Iterator[Option]:
    """The options that a dataclass declares: the positional ones, its own, then those of its bases."""
    hints = get_type_hints(asked, localns={"Measure": str}, include_extras=True)
    allowed = get_type_hints(asked, localns={"Measure": object})
    for field in sorted(fields(asked), key=lambda one: (one.kw_only, _distance(asked, one.name))):
        kind, told = _told(hints[field.name])
        if told is not None:
            default = field.default if field.default_factory is MISSING else field.default_factory()
            yield Option(field.name, _without_none(kind), default, told, allowed[field.name])


def _distance(asked: type, name: str) -> int:
    """How far up among the bases a field is declared."""
    return next(i for i, base in enumerate(asked.__mro__) if name in vars(base).get("__annotations__", {}))


def help_of(option: Option) -> str:
    """What an option means and, where a registry says so, what it may be."""
    told = option.told
    listed = told.names or told.forms
    return told.said if listed is None else f"{told.said} One of: {', '.join(listed())}."


def _told(hint: Any) -> tuple[Any, Told | None]:  # noqa: ANN401  # any type
    if get_origin(hint) is not Annotated:
        return hint, None
    kind, *notes = get_args(hint)
    return kind, next((note for note in notes if isinstance(note, Told)), None)


def _without_none(kind: Any) -> Any:  # noqa: ANN401  # any type
    """The type that a value has where one is given; the first of several."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    return next(one for one in get_args(kind) if one is not NoneType)


def asking(asked: Callable[P, A]) -> Callable[[Callable[[D, A], R]], Callable[Concatenate[D, P], R]]:
    """Make a verb of a function of data and options: it takes the options as arguments.

    >>> @dataclass(frozen=True)
    ... class Asked:
    ...     times: Annotated[int, Told("How often.")] = 2
    >>> @asking(Asked)
    ... def repeat(data: str, asked: Asked) -> str:
    ...     return data * asked.times
    >>> repeat("ab", times=3)
    'ababab'
    """

    def verb_of(run: Callable[[D, A], R]) -> Callable[Concatenate[D, P], R]:
        @wraps(run)
        def verb(data: D, *args: P.args, **kwargs: P.kwargs) -> R:
            _check_given(asked, args, kwargs)
            options = checked(asked(*args, **kwargs))
            with within_memory(), _meanwhile(options):
                return run(data, settled(options))

        _document(verb, run, asked)
        return cast("Callable[Concatenate[D, P], R]", verb)  # which may also be called with data=

    return verb_of


def asking_alone(asked: Callable[P, A]) -> Callable[[Callable[[A], R]], Callable[P, R]]:
    """Make a verb of a function of options alone, which takes no data.

    >>> @dataclass(frozen=True)
    ... class Asked:
    ...     times: Annotated[int, Told("How often.")] = 2
    >>> @asking_alone(Asked)
    ... def laugh(asked: Asked) -> str:
    ...     return "ha" * asked.times
    >>> laugh(times=3)
    'hahaha'
    """

    def verb_of(run: Callable[[A], R]) -> Callable[P, R]:
        @wraps(run)
        def verb(*args: P.args, **kwargs: P.kwargs) -> R:
            _check_given(asked, args, kwargs)
            options = checked(asked(*args, **kwargs))
            with within_memory(), _meanwhile(options):
                return run(settled(options))

        _document(verb, run, asked)
        return verb

    return verb_of


class PerhapsOf(Protocol[D_in, P, R_out]):
    """A verb that takes data, or none."""

    def __call__(self, data: D_in | None = None, *args: P.args, **kwargs: P.kwargs) -> R_out:
        """Answer."""


def asking_or_alone(asked: Callable[P, A]) -> Callable[[Callable[[D | None, A], R]], PerhapsOf[D, P, R]]:
    """Make a verb of a function of options and of data that may be left out.

    >>> @dataclass(frozen=True)
    ... class Asked:
    ...     times: Annotated[int, Told("How often.")] = 2
    >>> @asking_or_alone(Asked)
    ... def repeat(data: str | None, asked: Asked) -> str:
    ...     return (data or "ha") * asked.times
    >>> repeat(times=3), repeat("ab")
    ('hahaha', 'abab')
    """

    def verb_of(run: Callable[[D | None, A], R]) -> PerhapsOf[D, P, R]:
        of_data = asking(asked)(run)

        @wraps(of_data)
        def verb(data: D | None = None, *args: P.args, **kwargs: P.kwargs) -> R:
            return of_data(data, *args, **kwargs)

        first, *others = inspect.signature(of_data).parameters.values()
        vars(verb)["__signature__"] = inspect.signature(of_data).replace(
            parameters=[first.replace(default=None), *others]
        )
        return verb

    return verb_of


@contextmanager
def _meanwhile(asked: object) -> Iterator[None]:
    """What options set up for as long as a verb runs, each kind of them in its method `meanwhile`."""
    with ExitStack() as stack:
        for kind in type(asked).__mro__:
            if "meanwhile" in vars(kind):
                stack.enter_context(vars(kind)["meanwhile"](asked))
        yield


@contextmanager
def within_memory() -> Iterator[None]:
    """Say plainly that what was asked for does not fit into memory."""
    try:
        yield
    except MemoryError as error:
        needed = f" ({error})" if str(error) else ""
        raise DesignError(f"there is not enough memory for this{needed}; ask for fewer images, draws or runs") from None


def checked(asked: A) -> A:
    """Options of which none has a value that it cannot have."""
    for option in _options(type(asked)):  # type: ignore[arg-type]  # a type can be hashed
        _check_value(option, getattr(asked, option.name))
    return asked


@cache
def _options(asked: Callable[..., Any]) -> tuple[Option, ...]:
    return tuple(options_of(cast(type, asked)))


def _check_value(option: Option, value: object) -> None:
    """Refuse what is no number where one is needed, and numbers out of their range."""
    for one in value if isinstance(value, tuple | list) else [value]:
        if isinstance(one, Real):
            _check_number(option, int(one) if isinstance(one, Integral) else float(one))
    if option.told.read is None and isinstance(value, str | float) and option.kind is int:
        raise DesignError(f"{option.name} is {value!r}; it is a whole number")
    if option.told.read is None and isinstance(value, str) and option.kind is float:
        raise DesignError(f"{option.name} is {value!r}; it is a number")
    if option.told.check is not None and value is not None:
        option.told.check(value)


def _check_number(option: Option, value: float) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        if option.told.check is None:
            raise DesignError(f"{option.name} is {value}; it is a finite number")
        return
    least = -LARGEST if option.told.least is None else option.told.least
    most = LARGEST if option.told.most is None else option.told.most
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
    ... class Asked:
    ...     shards: str | None = None
    >>> refuse(Asked(shards="even:5"), ["shards"], "runs, and a table of scores was given; leave it out")
    Traceback (most recent call last):
    irgauge.errors.DesignError: the option 'shards' is of runs, and a table of scores was given; leave it out
    """
    for name in names:
        if getattr(asked, name) != getattr(type(asked), name):
            raise DesignError(f"{word(name)} is of {of}")


def settled(asked: A) -> A:
    """Options of which some change others: those that a dataclass settles in a method `settled`."""
    return cast("A", asked.settled()) if hasattr(asked, "settled") else asked


def _check_given(asked: Callable[..., Any], args: Sequence[object], kwargs: Mapping[str, object]) -> None:
    """Refuse an option that there is not, as Python refuses an argument, and a value of another type."""
    names = list(inspect.signature(asked).parameters)
    for name in kwargs:
        if name not in names:
            raise TypeError(f"there is no option '{name}'; did you mean '{nearest(name, names)}'?")
    values = {**dict(zip(names, args, strict=False)), **kwargs}
    for option in _options(asked):
        if option.name in values:
            check_kind(option.name, values[option.name], option.allowed)


def _document(verb: Callable[..., Any], run: Callable[..., Any], asked: Callable[..., Any]) -> None:
    """Give a verb the signature that it takes and a word on each option, for help() and notebooks."""
    *first, _ = inspect.signature(run).parameters.values()
    own = inspect.signature(asked)
    options = list(options_of(cast(type, asked)))
    order = {option.name: place for place, option in enumerate(options)}
    kinds = get_type_hints(asked, localns={"Measure": str})
    taken = [one.replace(annotation=kinds[name]) for name, one in own.parameters.items()]
    by_name = inspect.Parameter.KEYWORD_ONLY  # others stay in the order in which they are taken
    taken.sort(key=lambda one: (one.kind, order.get(one.name, len(order)) if one.kind is by_name else 0))
    signature = own.replace(parameters=[*first, *taken], return_annotation=inspect.signature(run).return_annotation)
    vars(verb).update(__signature__=signature, asked=asked)
    told = "\n".join(f"    {option.name}: {option.told.said}" for option in options)
    verb.__doc__ = f"{inspect.getdoc(run)}\n\nOptions:\n{told}\n"
