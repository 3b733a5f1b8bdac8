"""What a plan rests on: the variances of pairs, from pilot data or typed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from irgauge.arrays import Floats
from irgauge.planning.observed import Observed
from irgauge.planning.separation import TopicsNeeded
from irgauge.planning.sizes import Size
from irgauge.provenance import Provenance

Role = Literal["only", "baseline", "typical", "noisiest", "typed"]
Replicates = Literal["shards", "instances"]


class Pair(NamedTuple):
    """Two systems, and why they are planned for; typed components are of no system."""

    role: Role
    first: str = ""
    second: str = ""


class PairPilot(NamedTuple):
    """A pair, and what is known of its difference."""

    pair: Pair
    seen: Observed


@dataclass(frozen=True, eq=False)
class Pilot:
    """What is known before the experiment that is planned."""

    pairs: tuple[PairPilot, ...]
    of_pairs: int  # that these stand for
    systems: int  # of the experiment to come
    random: int  # of these, random ones, that have instances
    replicates: Replicates | None  # what there is beside topics
    here: Size | None  # the size of the pilot
    measure: str | None
    population: str
    facts: Provenance
    values: Floats | None  # topic, system, shard
    separation: TopicsNeeded | None = None  # of the best system from its top group
    judgments: float | None = None  # of a topic; with shards, in each of them
