"""Registries: the records of a kind, irgauge's own and what installed packages or this program add.

A package names its records as entry points (`irgauge.tests` and so on). They are loaded when all of a kind are asked
for, or a name that irgauge has not.
"""

from __future__ import annotations

import pickle
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cached_property
from importlib import import_module
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from irgauge.choices import known
from irgauge.errors import DesignError, ExtensionWarning
from irgauge.extensions.installed import GROUP, Entry, installed, loaded

Kind = Literal["measures", "tests", "corrections", "shards", "studies"]
OURS = "irgauge"
_REGISTRIES: Mapping[str, tuple[str, str]] = {  # class of a record -> where its registry is
    "Record": ("irgauge.scoring.parsing", "MEASURES"),
    "Test": ("irgauge.inference.tests.registry", "TESTS"),
    "Correction": ("irgauge.inference.corrections", "CORRECTIONS"),
    "Scheme": ("irgauge.replicates.shards", "SCHEMES"),
    "Study": ("irgauge.studies.registry", "STUDIES"),
}
_SENT = ("tests", "corrections", "shards")  # to workers with each task; a measure travels by itself
_WORDS: Mapping[Kind, str] = {
    "measures": "measure",
    "tests": "test",
    "corrections": "correction",
    "shards": "way to shard",
    "studies": "study",
}


class _Form(NamedTuple):
    """What names look like."""

    pattern: str
    told: str


_SMALL = _Form("[a-z][a-z0-9_-]{0,30}", "small letters, digits, - and _, and begins with a letter")
_NAMES: Mapping[Kind, _Form] = {
    "measures": _Form("(?=.*[A-Z])[A-Za-z][A-Za-z0-9_]{0,30}", "letters, digits and _, and at least one capital"),
    "tests": _SMALL,
    "corrections": _SMALL,
    "shards": _SMALL,
    "studies": _Form("[a-z][a-z0-9_]{0,30}", "small letters, digits and _, and begins with a letter"),
}
_are_ours_alone: ContextVar[bool] = ContextVar("ours alone", default=False)


class Named(Protocol):
    """A record."""

    @property
    def name(self) -> str:
        """In options and in JSON."""


R = TypeVar("R", bound=Named)


class UnknownRecordError(DesignError, KeyError):
    """A name that no record has."""

    __str__ = Exception.__str__  # a KeyError would quote it


class _Added(NamedTuple, Generic[R]):
    """A record of others, and whose it is."""

    record: R
    home: str


class Registry(Mapping[str, R]):
    """The records of a kind by their names: irgauge's own, those of installed packages, and those of this program."""

    def __init__(
        self,
        kind: Kind,
        own: Callable[[], Iterable[R]],
        *,
        check: Callable[[R], None] | None = None,  # of one that is added
        order: Callable[[R], Any] = lambda _: 0,
    ) -> None:
        self.kind = kind
        self._own, self._check, self._order = own, check, order
        self._program: dict[str, _Added[R]] = {}
        self._packages: dict[str, _Added[R]] | None = None  # not looked for yet
        self._lock = threading.RLock()

    @cached_property
    def own(self) -> dict[str, R]:
        """Those of irgauge, of which nothing else is loaded."""
        records = sorted(self._own(), key=self._order)
        return {record.name: record for record in records}

    def __getitem__(self, name: str) -> R:
        if name in self.own:
            return self.own[name]
        added = self._added().get(name)
        if added is None:
            raise UnknownRecordError(
                f"the {_WORDS[self.kind]} '{name}' is unknown here: neither irgauge has it, nor a package that is "
                "installed here, nor a module that can be imported here"
            )
        return added.record

    def __iter__(self) -> Iterator[str]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self.all())

    def all(self) -> Mapping[str, R]:
        """All records, in their order."""
        added = [] if _are_ours_alone.get() else [added.record for added in self._added().values()]
        records = sorted([*self.own.values(), *added], key=self._order)
        return {record.name: record for record in records}

    def known(self, name: str) -> R:
        """The record that is meant, upper and lower case aside; otherwise an error that names the nearest."""
        return self.own.get(name) or self[known(name, tuple(self), _WORDS[self.kind])]

    def homes(self) -> Mapping[str, str]:
        """Of the records that others added: whose they are."""
        return {name: added.home for name, added in self._added().items()}

    def is_of_program(self, name: str) -> bool:
        """Whether this program added the record."""
        return name in self._program

    def add(self, record: R, home: str) -> None:
        """Add a record; one that its home added before is replaced, as where a cell of a notebook runs again."""
        self._refuse_wrong(record, home)
        self._program[record.name] = _Added(record, home)

    def sendable(self) -> Iterator[R]:
        """The records of this program that other processes can load."""
        return (added.record for added in self._program.values() if packed(added.record) is not None)

    def _added(self) -> Mapping[str, _Added[R]]:
        with self._lock:
            if self._packages is None:
                self._packages = {}  # what is imported now may ask in turn
                self._packages = dict(self._load(installed()))
        return {**self._packages, **self._program}

    def _load(self, entries: Iterable[Entry]) -> Iterator[tuple[str, _Added[R]]]:
        """The records of packages; one that cannot be used is left out, with a warning."""
        by_name: dict[str, list[_Added[R]]] = {}
        for entry in entries:
            if entry.point.group == f"{GROUP}{self.kind}":
                with _warned(_WORDS[self.kind], entry.point.name, entry.home):
                    record = loaded(entry)
                    self._refuse_wrong(record, entry.home)
                    by_name.setdefault(record.name, []).append(_Added(record, entry.home))
        for name, added in by_name.items():
            if len(added) == 1:
                yield name, added[0]
            else:
                homes = " and ".join(each.home for each in added)
                _warn(f"the {_WORDS[self.kind]} '{name}' is left out, as {homes} both have one; uninstall one of them")

    def _refuse_wrong(self, record: R, home: str) -> None:
        word, wanted, form = _WORDS[self.kind], type(next(iter(self.own.values()))), _NAMES[self.kind]
        if not isinstance(record, wanted):
            raise DesignError(f"a {word} is a {wanted.__name__} of irgauge.extending, not a {type(record).__name__}")
        if not isinstance(record.name, str) or not re.fullmatch(form.pattern, record.name):
            raise DesignError(f"'{record.name}' is no name of a {word}; it has {form.told}")
        others = dict.fromkeys(self.own, OURS) | {name: added.home for name, added in self._homes_here(home)}
        same = [name for name in others if name.lower() == str(record.name).lower()]
        if same:
            whose = others[same[0]]
            raise DesignError(
                f"the {word} '{record.name}' of {home} has the name of one of {whose}; give it another name"
            )
        if self._check is not None:
            self._check(record)

    def _homes_here(self, home: str) -> Iterable[tuple[str, _Added[R]]]:
        """What others than this home have added."""
        return ((name, added) for name, added in self._added().items() if added.home != home)


@contextmanager
def ours_alone() -> Iterator[None]:
    """Meanwhile registries have irgauge's own records alone: nothing of others is loaded while irgauge is imported."""
    token = _are_ours_alone.set(True)
    try:
        yield
    finally:
        _are_ours_alone.reset(token)


def register(*records: object) -> None:
    """Add measures, tests, corrections, ways to shard or studies to those of irgauge, for this program.

    The classes are in `irgauge.extending`. What an installed package names as entry points needs no call.

    >>> from irgauge.extending import Scheme
    >>> register(Scheme("even", "even:S", "my own", lambda collection, spec, rest: None))
    Traceback (most recent call last):
    irgauge.errors.DesignError: the way to shard 'even' of ... has the name of one of irgauge; give it another name
    """
    home = str(sys._getframe(1).f_globals.get("__name__", "this program"))
    for record in records:
        _registry_of(record).add(record, home)


def _registry_of(record: object) -> Registry[Any]:
    place = _REGISTRIES.get(type(record).__name__)
    if place is None:
        raise DesignError(
            f"a {type(record).__name__} cannot be registered; irgauge.extending has what can: list_measure, Test, "
            "Correction, Scheme and Study"
        )
    registry: Registry[Any] = getattr(import_module(place[0]), place[1])
    return registry


@contextmanager
def _warned(word: str, name: str, home: str) -> Iterator[None]:
    """A warning that names the package, in place of whatever error its code ends in."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  # it is the code of others, which may even exit
        kind = "" if isinstance(error, DesignError) else f"{type(error).__name__}: "
        _warn(f"the {word} '{name}' of the package {home} is left out ({kind}{error}); update or uninstall the package")


def _warn(message: str) -> None:
    warnings.warn(message, ExtensionWarning, stacklevel=2)


# from and to other processes


def packed(record: object) -> bytes | None:
    """A record as other processes can load it; None where it holds what only this program has."""
    try:
        data = pickle.dumps(record, protocol=5)
    except Exception:  # noqa: BLE001  # whatever it holds
        return None
    return None if b"__main__" in data else data


def unpacked(data: bytes | None) -> Any:  # noqa: ANN401  # any record
    """The record that another process packed; None where there is none, or where this process has not its module."""
    with suppress(ImportError, AttributeError):
        return None if data is None else pickle.loads(data)  # noqa: S301  # what our own client packed
    return None


def sent() -> tuple[bytes, ...]:
    """What this program registered, as workers can load it."""
    places = [place for place in _REGISTRIES.values() if place[0] in sys.modules]
    registries = [getattr(sys.modules[module], name) for module, name in places]
    records = (record for registry in registries if registry.kind in _SENT for record in registry.sendable())
    return tuple(data for record in records if (data := packed(record)) is not None)


def take(records: Iterable[bytes]) -> None:
    """Register what another process sent; what has no module here is unknown."""
    for data in records:
        record = unpacked(data)
        if record is not None:
            _registry_of(record).add(record, "the program that asks")
