"""Navigation: the parts of a result by their names, in their order, and counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Protocol, TypeVar

from irgauge.choices import known
from irgauge.errors import DesignError


class Parts:
    """What a result consists of: by measures, or by what else its study is of.

    A part of two names, such as a pair of systems, has both: `result["bm25", "dph"]`.
    """

    part: ClassVar[str] = "measure"  # what one of them is of
    study: ClassVar[str]

    @property
    def parts(self) -> Mapping[Any, Any]:
        """The parts by their names, in their order."""
        raise DesignError(f"a result of {self.study} has no parts; frame() gives its rows")

    def __getitem__(self, name: object) -> Any:  # noqa: ANN401  # of the study
        """The part of that name; a measure in any way to write it."""
        parts = self.parts
        if (key := self._key(name)) in parts:
            return parts[key]
        written = {_written(key): key for key in parts}
        return parts[written[known(_written(name), written, self.part, hint=_hint(written))]]

    def __contains__(self, name: object) -> bool:
        """Whether there is a part of that name."""
        return self._key(name) in self.parts

    def __iter__(self) -> Iterator[Any]:
        """The parts."""
        return iter(self.parts.values())

    def __len__(self) -> int:
        """How many parts there are."""
        return len(self.parts)

    def __bool__(self) -> bool:
        """A result is something, whatever it says and however many parts it has."""
        return True

    def _key(self, name: object) -> object:
        if isinstance(name, tuple):
            return tuple(map(str, name))
        from irgauge.scoring.measures import Measure

        return str(Measure.read(str(name))) if self.part == "measure" else str(name)


def _written(name: object) -> str:
    return " and ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _hint(names: Iterable[str]) -> str | None:
    """What to write where there is but one."""
    listed = list(names)
    return f"there is {listed[0]}" if len(listed) == 1 else None


class OfPopulation(Protocol):
    """What is said for one population."""

    @property
    def population(self) -> str:
        """The population."""


Claims = TypeVar("Claims", bound=OfPopulation)


def for_population(claims: Iterable[Claims], population: str) -> Claims:
    """Those for a population, among those for several."""
    by_name = {claim.population: claim for claim in claims}
    return by_name[known(population, by_name, "population", hint=_hint(by_name))]
