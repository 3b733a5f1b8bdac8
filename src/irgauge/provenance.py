"""Provenance: how a result came about, as facts that say themselves. Captions, JSON and methods are made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from irgauge.extensions.installed import packages

P = ParamSpec("P")
T = TypeVar("T")
Place = Literal[
    "method",  # in the line of methods, in its order
    "reading",  # in that line too, but not under every chart: how runs were read
    "size",  # at the end of that line, joined with other sizes: systems × topics × shards
    "last",  # after the sizes
]
_BESIDE = "beside"


@dataclass(frozen=True)
class Fact:
    """One thing that is to be known of a result: a name and a value, which JSON has, and how it reads.

    What has no text is said by another fact, or not at all. A value of None does not apply.
    """

    name: str
    value: object
    text: str = field(default="", compare=False)
    place: Place = field(default="method", compare=False)
    note: str = field(default="", compare=False)  # what must stand beside numbers that it is of
    under_table: str = field(default="", compare=False)  # what must stand under tables that it is of
    record: object = field(default=None, compare=False)  # what it was made of, for those who need more than its value


def fact(
    place: Place = "method",
) -> Callable[[Callable[Concatenate[T, P], str]], Callable[Concatenate[T | None, P], Fact]]:
    """Make a kind of fact of a function that says it: its name is the name, its first argument the value.

    >>> @fact()
    ... def seed(number: int) -> str:
    ...     return f"seed {number}"
    >>> seed(3).name, seed(3).value, seed(3).text, seed(None).text
    ('seed', 3, 'seed 3', '')
    """

    def kind_of(say: Callable[Concatenate[T, P], str]) -> Callable[Concatenate[T | None, P], Fact]:
        @wraps(say)
        def make(value: T | None, /, *args: P.args, **more: P.kwargs) -> Fact:
            return Fact(say.__name__, value, "" if value is None else say(value, *args, **more), place)

        return make

    return kind_of


def named(name: str, value: object) -> Fact:
    """A fact that reads as its name and its value.

    >>> named("time_budget", 0.25).text, named("levels", (1, 2)).text
    ('time budget: 0.25', 'levels: 1, 2')
    """
    text = f"{value:g}" if isinstance(value, float) else str(value)
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else text
    return Fact(name, value, f"{name.replace('_', ' ')}: {text}")


@dataclass(frozen=True)
class Provenance(Mapping[str, object]):
    """Facts in the order in which they are told; as a mapping, their values by their names.

    >>> found = Provenance.of(Fact("test", "tukey", "Tukey's test"), Fact("seed", None), Fact("draws", 9, "9 draws"))
    >>> dict(found), found.text
    ({'test': 'tukey', 'draws': 9}, "Tukey's test; 9 draws")
    """

    facts: tuple[Fact, ...] = ()

    @classmethod
    def of(cls, *parts: Fact | Provenance) -> Provenance:
        """Some facts, alone or together; a later one of the same name stands where the first stood."""
        return cls() | (fact for part in parts for fact in (part.facts if isinstance(part, Provenance) else (part,)))

    def __or__(self, more: Fact | Provenance | Iterable[Fact]) -> Provenance:
        """These facts and more; a fact of the same name is replaced where it stands, by one without a value removed."""
        added = (more,) if isinstance(more, Fact) else more.facts if isinstance(more, Provenance) else more
        facts = {fact.name: fact for fact in self.facts}
        for addition in added:
            facts[addition.name] = addition
        return Provenance(tuple(fact for fact in facts.values() if fact.value is not None))

    def only(self, *names: str) -> Provenance:
        """Some of the facts, in the order given."""
        facts = {fact.name: fact for fact in self.facts}
        return Provenance(tuple(facts[name] for name in names if name in facts))

    def without(self, *names: str) -> Provenance:
        """All facts but these."""
        return Provenance(tuple(fact for fact in self.facts if fact.name not in names))

    @property
    def without_reading(self) -> Provenance:
        """All facts but those of how runs were read."""
        return Provenance(tuple(fact for fact in self.facts if fact.place != "reading"))

    def beside(self, other: Provenance) -> Provenance:
        """The facts that another provenance does not have, or has otherwise.

        >>> dict(Provenance.of(Fact("test", "t"), Fact("seed", 1)).beside(Provenance.of(Fact("seed", 1))))
        {'test': 't'}
        """
        return Provenance(tuple(fact for fact in self.facts if fact not in other.facts))

    def with_others(self, others: Sequence[Provenance]) -> Provenance:
        """These facts, and what other claims of the same result differ in."""
        differing = tuple(other.beside(self) for other in others)
        text = "; ".join(f"also computed: {difference.text}" for difference in differing)
        return self | Fact(_BESIDE, differing or None, text, "last", record=differing)

    @property
    def others(self) -> tuple[Provenance, ...]:
        """What other claims of the same result differ in."""
        facts: Any = self.only(_BESIDE).facts
        return facts[0].record if facts else ()

    @property
    def alone(self) -> Provenance:
        """The facts of the claim itself."""
        return self.without(_BESIDE)

    @property
    def text(self) -> str:
        """All facts in one line, ready for a caption; empty for none."""
        line = [fact.text for fact in self.facts if fact.place in ("method", "reading")]
        size = " × ".join(fact.text for fact in self.facts if fact.place == "size" and fact.text)
        return "; ".join(filter(None, [*line, size, *(fact.text for fact in self.facts if fact.place == "last")]))

    @property
    def notes(self) -> tuple[str, ...]:
        """What must stand beside numbers."""
        return tuple(fact.note for fact in self.facts if fact.note)

    @property
    def under_tables(self) -> tuple[str, ...]:
        """What must stand under tables."""
        return tuple(fact.under_table for fact in self.facts if fact.under_table)

    @property
    def measures(self) -> tuple[str, ...]:
        """What was scored, where that is known."""
        names: Any = self.get("measures", ())
        return tuple(names)

    def record(self, kind: type[T]) -> T | None:
        """What a fact was made of, if there is one of that kind."""
        return next((fact.record for fact in self.facts if isinstance(fact.record, kind)), None)

    def __getitem__(self, name: str) -> object:
        for fact in self.facts:
            if fact.name == name:
                return fact.value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (fact.name for fact in self.facts)

    def __contains__(self, name: object) -> bool:
        return any(fact.name == name for fact in self.facts)

    def __len__(self) -> int:
        return len(self.facts)

    def __hash__(self) -> int:
        return hash(tuple(self))


_PACKAGES = ("irgauge", "numpy", "scipy", "numba", "polars", "altair", "vl-convert-python")


def package_versions() -> dict[str, str]:
    """Python and the packages that compute and draw, or add to irgauge, each with its version."""
    import platform

    added = {name: version for package in packages() for name, version in [package.rsplit(" ", 1)]}
    return {"Python": platform.python_version()} | {name: _version(name) for name in _PACKAGES} | added


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # which --help does without

    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"
