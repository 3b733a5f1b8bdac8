"""How often a page says something false: its claims are made again on copies of the data without differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from irgauge.calibrating.trials import Rate, rate
from irgauge.compute.tasks import each
from irgauge.inference.assertions import Assertion
from irgauge.replicates.exchange import Exchange, Within
from irgauge.studies.report_part import Reporting, ReportPart, silent

_THESE_TOPICS = (
    "documents",
    "shards",
    "sources",
)  # of which a claim is false only where systems are equal on each topic
Counted = Mapping[tuple[str, str], int]  # place and kind -> false claims of a copy


@dataclass(frozen=True)
class NullWorld:
    """What pages said of copies of one kind."""

    name: str
    explained: str
    page: Rate  # that say anything false
    places: Mapping[str, Rate]  # primary, secondary -> that say anything false there
    kinds: Mapping[str, Rate]  # difference, equivalence, … -> that claim it falsely


@dataclass(frozen=True)
class PageRate:
    """How often pages on data like these, but without differences, say something false."""

    copies: int  # of each kind
    alpha: float
    seed: int
    worlds: tuple[NullWorld, ...]

    @property
    def worst(self) -> NullWorld:
        """The kind of copies on which most pages err."""
        return max(self.worlds, key=lambda world: world.page.observed)


def page_rate(
    reporting: Reporting,
    parts: Mapping[str, ReportPart],
    copies: int,
    *,
    then: Callable[[object], None] | None = None,
) -> PageRate:
    """Count the copies of the data on which the parts of a page that make claims say something false.

    Systems change places on each topic; where claims are of other documents on these topics too, also on each topic in
    each shard. The claims are those of the page, made by the same functions; charts and sentences are not.
    """
    worlds = [_world(reporting, parts, within, copies, then) for within in worlds_of(reporting)]
    return PageRate(copies, reporting.alpha, reporting.seed, tuple(worlds))


def worlds_of(reporting: Reporting) -> tuple[Within, ...]:
    """The kinds of copies that a page is tried on."""
    return ("topics", "cells") if reporting.has_replicates else ("topics",)


def _world(
    reporting: Reporting,
    parts: Mapping[str, ReportPart],
    within: Within,
    copies: int,
    then: Callable[[object], None] | None,
) -> NullWorld:
    counts = each(
        partial(_false, reporting, parts, within), range(copies), reporting.workers, named="null copy", then=then
    )
    replicate = "shard" if reporting.data.has_runs else "replicate"
    kinds = dict.fromkeys(("difference", *(kind for count in counts for _, kind in count)))
    return NullWorld(
        within,
        f"systems changed places {_where(reporting)}" + (f" in each {replicate}" if within == "cells" else ""),
        _rate(counts, lambda _: True),
        {place: _rate(counts, partial(_has, 0, place)) for place in ("primary", "secondary")},
        {kind: _rate(counts, partial(_has, 1, kind)) for kind in kinds},
    )


def _where(reporting: Reporting) -> str:
    return "on all topics of each cluster" if "cluster" in reporting.sampling else "on each topic"


def _has(part: int, name: str, key: tuple[str, str]) -> bool:
    return key[part] == name


def _rate(counts: Sequence[Counted], of: Callable[[tuple[str, str]], bool]) -> Rate:
    """Of copies with any such claim."""
    return rate(np.array([any(map(of, count)) for count in counts], np.float64))


def _false(reporting: Reporting, parts: Mapping[str, ReportPart], within: Within, number: int) -> Counted:
    """The false claims of the page of one copy."""
    data = reporting.data.exchanged(Exchange(within, reporting.seed, number, _clusters(reporting)))
    counts: dict[tuple[str, str], int] = {}
    for claim in claims_made(replace(reporting, data=data), parts):
        if within == "cells" or claim.population not in _THESE_TOPICS:
            names = {name for pair in claim.pairs for name in pair}
            if claim.is_false(dict.fromkeys(names, 0.0), without=frozenset(claim.terms)):
                counts[claim.place, claim.kind] = counts.get((claim.place, claim.kind), 0) + 1
    return counts


def _clusters(reporting: Reporting) -> Mapping[str, str] | None:
    """Topic -> its cluster, where claims are for other clusters."""
    column = reporting.sampling.get("cluster")
    return None if column is None else reporting.data.whole(reporting.measures[:1]).about.column(column)


def claims_made(reporting: Reporting, parts: Mapping[str, ReportPart]) -> Iterator[Assertion]:
    """What the parts of a page claim."""
    quiet = replace(reporting, claims_only=True, telling=silent)
    for name, part in parts.items():
        if name in reporting.standings and part.claims is not None:
            yield from (claim for result in part.run(quiet).results for claim in part.claims(result))
