"""Pages and comparisons by several measures, on systems that are equal: how many say anything false?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from benchmarks.calibration import real
from benchmarks.calibration.cells import Cell, Group, Method
from calibration.worlds import Floats, ShardWorld, TopicWorld, lopsided, skewed
from irgauge import Scores
from irgauge.inference.assertions import Assertion
from irgauge.inference.hierarchy import Families
from irgauge.reporting.options import ReportOptions
from irgauge.reporting.report import page_claims
from irgauge.scoring.measures import Measure
from irgauge.studies.compare.claims import claims_of
from irgauge.studies.compare.study import compare

TRIALS = {5: 600, 20: 300}  # systems -> pages
_ALIKE = 0.7  # of a score: what the measures have in common


class Design(NamedTuple):
    """The size of an experiment."""

    topics: int
    systems: int
    shards: int
    measures: int

    def __str__(self) -> str:
        shards = f" × {self.shards} shards" if self.shards > 1 else ""
        return f"{self.topics} × {self.systems}{shards}, {self.measures} measures"


DESIGNS = (Design(30, 5, 1, 2), Design(30, 5, 4, 2), Design(50, 5, 1, 4), Design(50, 20, 1, 4), Design(50, 20, 4, 2))


def table(values: Floats) -> Scores:
    """Scores of values[measure, topic, system, shard]."""
    names = [
        tuple(f"{letter}{number:02}" for number in range(size))
        for letter, size in zip("mtsr", values.shape, strict=True)
    ]
    measures, topics, systems, shards = names
    return Scores(values, tuple(map(Measure.read, measures)), topics, systems, shards)


class Drawn:
    """An experiment whose systems are equal, and what is claimed of it."""

    def __init__(self, values: Floats) -> None:
        self.scores = table(values)

    @cached_property
    def page(self) -> list[Assertion]:
        """What a page claims."""
        return page_claims(self.scores, ReportOptions(workers=1))

    def compared(self, family: Families) -> list[Assertion]:
        """What a comparison by all measures claims."""
        return list(claims_of(compare(self.scores, family=family, workers=1)))


def of_page(place: str | None, drawn: Drawn, _: int) -> float:
    """Whether a page says anything false, in one of the places of its claims or in any."""
    return _any_false([claim for claim in drawn.page if place in (None, claim.place)])


def of_comparison(family: Families, drawn: Drawn, _: int) -> float:
    """Whether a comparison by all measures says anything false."""
    return _any_false(drawn.compared(family))


def _any_false(claims: Sequence[Assertion]) -> float:
    return float(any(claim.is_false(dict.fromkeys(chain(*claim.pairs), 0.0)) for claim in claims))


METHODS: Sequence[Method[Drawn]] = [
    Method("a page", "all of them", "any claim", partial(of_page, None)),
    Method("a page, its first claim", "topics", "any pair", partial(of_page, "primary")),
    Method("a page, all other claims", "all of them", "any pair", partial(of_page, "secondary")),
    Method("compare by all measures, in order", "all of them", "any claim", partial(of_comparison, "order")),
    Method("compare by all measures, together", "all of them", "any pair", partial(of_comparison, "together")),
]


def equal(world: ShardWorld, design: Design, rng: np.random.Generator) -> Floats:
    """values[measure, topic, system, shard] of systems that are equal on every topic and shard."""
    shape = (design.topics, design.systems, design.shards)
    shared = world.values(rng, shape)
    return np.array([_ALIKE * shared + (1 - _ALIKE) * world.values(rng, shape) for _ in range(design.measures)])


def by_topics(world: TopicWorld, design: Design, rng: np.random.Generator) -> Floats:
    """The same on the whole corpus: systems have one mean over other topics."""
    drawn = [world(rng, design.topics, design.systems)[..., None] for _ in range(design.measures + 1)]
    return np.array([_ALIKE * drawn[0] + (1 - _ALIKE) * own for own in drawn[1:]])


def cells() -> list[Cell[Drawn]]:
    """All worlds and designs."""
    alike = ShardWorld(topic_system=0.0)
    shards = {"equal on each topic": alike, "the same, skewed": ShardWorld(topic_system=0.0, noise=lopsided)}
    topics: dict[str, TopicWorld] = {"skewed": skewed}
    if real.is_there():
        topics["TREC-8 shuffled"] = real.trec8().shuffled
    return [
        *(_cell(name, partial(equal, world, design), design) for design in DESIGNS for name, world in shards.items()),
        *(
            _cell(name, partial(by_topics, world, design), design)
            for design in DESIGNS
            if design.shards == 1
            for name, world in topics.items()
        ),
    ]


def _cell(name: str, values: Callable[[np.random.Generator], Floats], design: Design) -> Cell[Drawn]:
    def draw(rng: np.random.Generator) -> Drawn:
        return Drawn(values(rng))

    return Cell(name, str(design), draw, METHODS, TRIALS[design.systems], TRIALS[design.systems])


GROUP = Group(
    "page",
    "A page, and comparisons by several measures",
    "Reports on tables of scores whose systems are equal: every claim of a difference is false. The first claim of a "
    "page (the first measure, other topics, all pairs) has 5 % for itself and all other claims 5 % together, so that "
    "it says anything false in at most 10 %. Claims are counted as data, not by reading. A design is topics × systems.",
    cells,
)
