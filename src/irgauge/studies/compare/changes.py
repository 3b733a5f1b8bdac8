"""Topics that a run does not answer score 0 there: which verdicts would be others without these topics?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from irgauge.inference.equivalence import Verdict
from irgauge.inference.verdicts import mirrored
from irgauge.studies.compare.deciding import Claims, decided
from irgauge.studies.compare.options import Asked
from irgauge.studies.compare.testing import Scored


@dataclass(frozen=True)
class Change:
    """A verdict that rests on zeros for topics that a run does not answer."""

    population: str
    first: str
    second: str
    verdict: Verdict  # on all topics
    on_common: Verdict  # on the topics that all systems answer
    topics: int  # of these


def changes(scored: Sequence[Scored], found: Sequence[Claims], asked: Asked) -> tuple[tuple[Change, ...], ...]:
    """The changes by each measure; none where all systems answer all topics, or hardly any topic is left."""
    common = [one.common() for one in scored]
    left = [one for one in common if one is not None]
    if len(left) < len(scored):
        return ((),) * len(scored)
    again = decided(left, replace(asked, keep_systems="all"))
    return tuple(_changed(before, after) for before, after in zip(found, again, strict=True))


def _changed(before: Claims, after: Claims) -> tuple[Change, ...]:
    changed = []
    for one, other in zip(before.comparisons, after.comparisons, strict=True):
        on_common: dict[tuple[str, str], Verdict] = {}
        for (first, second), verdict in zip(other.names, after.verdicts[other.population].verdicts, strict=True):
            on_common |= {(first, second): verdict, (second, first): mirrored(verdict)}
        for pair, verdict in zip(one.names, before.verdicts[one.population].verdicts, strict=True):
            if on_common[pair] != verdict:
                changed.append(Change(one.population, *pair, verdict, on_common[pair], other.topics))
    return tuple(changed)
