"""Provenance: how a result came about, as named facts. Captions, JSON and methods are made of it, and of it alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Provenance(Mapping[str, object]):
    """Facts by their names, in the order in which they are told; what is None does not apply and is left out.

    >>> found = Provenance({"test": "tukey", "alpha": 0.05}) | {"seed": None, "topics": 50}
    >>> dict(found), found["alpha"]
    ({'test': 'tukey', 'alpha': 0.05, 'topics': 50}, 0.05)
    """

    facts: Mapping[str, object]

    def __or__(self, more: Mapping[str, object]) -> Provenance:
        """These facts and more; a fact of the same name is replaced where it stands."""
        return Provenance({name: fact for name, fact in (dict(self.facts) | dict(more)).items() if fact is not None})

    def only(self, *names: str) -> Provenance:
        """Some of the facts, in the order given."""
        return Provenance({name: self.facts[name] for name in names if name in self.facts})

    def without(self, *names: str) -> Provenance:
        """All facts but these."""
        return Provenance({name: fact for name, fact in self.facts.items() if name not in names})

    def beside(self, other: Mapping[str, object]) -> Provenance:
        """The facts that another provenance does not have, or has otherwise.

        >>> dict(Provenance({"test": "t", "alpha": 0.05}).beside({"test": "tukey", "alpha": 0.05}))
        {'test': 't'}
        """
        return Provenance({name: fact for name, fact in self.facts.items() if other.get(name) != fact})

    def __getitem__(self, name: str) -> object:
        return self.facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.facts)

    def __len__(self) -> int:
        return len(self.facts)

    def __hash__(self) -> int:
        return hash(tuple(self.facts))
