"""Where collections of a suite agree: the best of each, and pairs whose order differs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from irgauge.studies.suite.study import SuiteCompared


@dataclass(frozen=True)
class BestOn:
    """On which collections the system that is best over all of them is best, and in the top group."""

    system: str
    best: tuple[str, ...]
    top: tuple[str, ...]


def best_on(result: SuiteCompared) -> BestOn:
    """Where the best system is best."""
    system = result.systems[0]
    best = tuple(one.name for one in result.on if one.claims.every.systems[0] == system)
    return BestOn(system, best, tuple(one.name for one in result.on if system in one.claims.top_group))


class Opposite(NamedTuple):
    """A pair of which the first is significantly better on some collections, and significantly worse on others."""

    first: str
    second: str
    better: tuple[str, ...]
    worse: tuple[str, ...]


def opposites(result: SuiteCompared) -> tuple[Opposite, ...]:
    """The pairs that collections disagree on, in the order of the suite; with a baseline, those with it."""
    won: dict[tuple[str, str], list[str]] = defaultdict(list)  # better, worse -> collections
    for one in result.on:
        compared = one.claims.comparison
        for (first, second), above, differs in zip(
            compared.names, compared.difference > 0, compared.significant, strict=True
        ):
            if differs:
                won[(first, second) if above else (second, first)].append(one.name)
    place = {system: i for i, system in enumerate(result.systems)}
    pairs = sorted((place[a], place[b], a, b) for a, b in won if place[a] < place[b] and (b, a) in won)
    return tuple(Opposite(a, b, tuple(won[a, b]), tuple(won[b, a])) for _, _, a, b in pairs)
