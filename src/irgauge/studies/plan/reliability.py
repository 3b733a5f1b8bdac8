"""How reliable is the ranking of systems? Components of variance, Eρ², Φ and Kendall's τ, by topics and shards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.orders import LEAST_TOPICS, Halves, Separations, halves, tau_with_truth
from irgauge.models.anova import CELL
from irgauge.models.generalizability import (
    ONE_SHARD,
    SEVERAL_SHARDS,
    SYSTEM,
    Bounds,
    Components,
    Kind,
    MeanSquares,
    ReliabilityTopics,
    bounds,
    is_error,
)
from irgauge.planning.sizes import Size
from irgauge.studies.plan.options import PlanOptions
from irgauge.studies.plan.pilot import Pilot

KINDS: tuple[Kind, Kind] = ("relative", "absolute")
TOPICS = (10, 25, 50, 100, 200, 500, 1000)  # in tables
RESIDUAL = "residual"  # of topics, systems and shards, as it is typed
_SHARDS = (2, 5, 20)  # lines of a curve, beside the number at hand
_LEAST_SYSTEMS = 3  # two have an order, which the plan of a pair is of
_TYPED = Size(50, 5)  # what the error of typed components is told for
_SAMPLED = ("topics", "both", "topics+shards")  # populations of which topics are a sample


@dataclass(frozen=True)
class VarianceSource:
    """One term of a score, and what it adds to the error of means."""

    name: str
    variance: float
    share: float  # of the variance of one score
    relative: float | None  # part of the error of the ranking; None where it adds nothing to that
    absolute: float | None  # part of the error of the means; None where it adds nothing, or that is not known
    is_below_0: bool  # whether it is estimated below 0, and counts as 0


class Estimate(NamedTuple):
    """A reliability with its interval, which typed components have not."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Reached:
    """How reliable an experiment of a size is."""

    topics: int
    shards: int
    relative: Estimate  # Eρ², of the ranking
    absolute: Estimate | None  # Φ, of the means themselves; None where typed components do not tell
    tau: float  # Kendall's, with the true ranking


@dataclass(frozen=True)
class TopicsFor:
    """The topics that the reliability wanted needs, on so many shards."""

    kind: Kind
    shards: int
    topics: int | None  # None if no number is enough
    interval: ReliabilityTopics | None  # None for typed components
    most: float  # what is reached with ever more topics


@dataclass(frozen=True)
class Reliability:
    """What the ranking rests on, how reliable it is, and what more topics and shards would make of it."""

    sources: tuple[VarianceSource, ...]
    size: Size  # of which the errors of sources are told
    systems: int | None  # that are ranked; None for typed components
    here: Reached | None
    curve: tuple[Reached, ...]
    target: float
    needed: tuple[TopicsFor, ...]
    halves: Halves | None  # None for typed components, and for few topics

    @property
    def is_complete(self) -> bool:
        """Whether all terms are known, and Φ with them; some may be left out of typed components."""
        return self.curve[0].absolute is not None

    @property
    def method(self) -> str:
        """How it was found, as a fact."""
        factors = "topics, systems and shards" if self.size.replicates > 1 else "topics and systems"
        by = "draws of mean squares" if self.size.replicates > 1 else "F"
        return f"variance components of random {factors}{'' if self.systems is None else f', intervals by {by}'}"

    def needing(self, kind: Kind, shards: int) -> TopicsFor | None:
        """What the reliability wanted needs on so many shards, if it is known."""
        return next((need for need in self.needed if (need.kind, need.shards) == (kind, shards)), None)


def reliability_of(pilot: Pilot, options: PlanOptions) -> Reliability | None:
    """The reliability of the ranking; None where topics or systems are no sample, or two systems are all there are."""
    if pilot.values is None:
        typed = typed_components(options.typed)
        return None if typed is None else _Made(typed).reliability(options.reliability)
    if pilot.population not in _SAMPLED or pilot.values.shape[1] < _LEAST_SYSTEMS:
        return None
    try:
        squares = MeanSquares.from_values(pilot.values)
    except DesignError:  # no system ever changes its place
        return None
    components = Components.of(squares)
    made = _Made(
        components,
        bounds(squares, alpha=options.alpha, seed=options.seed),
        Separations.of(pilot.values, components),
        pilot.values,
    )
    return made.reliability(options.reliability, seed=options.seed)


def typed_components(typed: Mapping[str, float]) -> Components | None:
    """Those of rankings; None where the variance of systems is not there, or instances are.

    >>> typed_components({"system": 0.003, "topic:system": 0.01, "residual": 0.002}).variance
    {'system': 0.003, 'topic:system': 0.012}
    """
    if SYSTEM not in typed or "instance" in typed:
        return None
    if "system:shard" in typed:
        return Components({CELL if name == RESIDUAL else name: variance for name, variance in typed.items()})
    left = typed.get("topic:system", 0.0) + typed.get(RESIDUAL, 0.0)
    return Components({name: typed[name] for name in ("topic", SYSTEM) if name in typed} | {"topic:system": left})


@dataclass(frozen=True, eq=False)
class _Made:
    """What reliabilities are made of."""

    components: Components
    bounds: Bounds | None = None
    separations: Separations | None = None
    values: Floats | None = None  # topic, system, shard

    def reliability(self, target: float, *, seed: int = 0) -> Reliability:
        here = None if self.values is None else Size(len(self.values), self.values.shape[2])
        return Reliability(
            sources=tuple(self._sources(here or self._typed_size)),
            size=here or self._typed_size,
            systems=None if self.values is None else self.values.shape[1],
            here=None if here is None else self._reached(here),
            curve=tuple(self._curve(here)),
            target=target,
            needed=tuple(self._needed(kind, shards, target) for kind in self._kinds for shards in self._lines(here)),
            halves=None if self.values is None or len(self.values) < LEAST_TOPICS else halves(self.values, seed=seed),
        )

    @property
    def _has_shards(self) -> bool:
        return any("shard" in term for term in self.components.variance)

    @property
    def _typed_size(self) -> Size:
        return _TYPED if self._has_shards else Size(_TYPED.topics, 1)

    @property
    def _kinds(self) -> tuple[Kind, ...]:
        """The absolute error is known where all terms are."""
        terms = SEVERAL_SHARDS if self._has_shards else ONE_SHARD
        return KINDS if set(terms) <= set(self.components.variance) else KINDS[:1]

    def _lines(self, here: Size | None) -> list[int]:
        """The numbers of shards that are told."""
        return sorted({*_SHARDS, *([] if here is None else [here.replicates])}) if self._has_shards else [1]

    def _sources(self, size: Size) -> Iterator[VarianceSource]:
        for term, variance in self.components.variance.items():
            parts = {kind: self._part(term, kind, size) for kind in self._kinds}
            yield VarianceSource(
                RESIDUAL if term == CELL else term,
                variance,
                self.components.share(term),
                parts["relative"],
                parts.get("absolute"),
                term in self.components.below_0,
            )

    def _part(self, term: str, kind: Kind, size: Size) -> float | None:
        if not is_error(term, kind):
            return None
        error = self.components.errors(kind, *size)
        return error[term] / sum(error.values())

    def _curve(self, here: Size | None) -> Iterator[Reached]:
        own = [] if here is None else [here.topics]
        even = np.geomspace(5, max(*TOPICS, *own), 24).round().astype(int).tolist()
        for shards in self._lines(here):
            for topics in sorted({*TOPICS, *own, *even}):
                yield self._reached(Size(topics, shards))

    def _reached(self, size: Size) -> Reached:
        estimates = {kind: self._estimate(kind, size) for kind in self._kinds}
        return Reached(*size, estimates["relative"], estimates.get("absolute"), self._tau(size))

    def _estimate(self, kind: Kind, size: Size) -> Estimate:
        interval = () if self.bounds is None else self.bounds.of(kind, *size)
        return Estimate(self.components.reliability(kind, *size), *interval)

    def _tau(self, size: Size) -> float:
        """Of these systems; of normal ones, where components are typed."""
        if self.separations is None:
            return tau_with_truth(self.components.reliability("relative", *size))
        return self.separations.with_truth(self.components.error("relative", *size))

    def _needed(self, kind: Kind, shards: int, target: float) -> TopicsFor:
        interval = None if self.bounds is None else self.bounds.needed(target, kind, shards)
        topics = self.components.topics_needed(target, kind, shards)
        return TopicsFor(kind, shards, topics, interval, self.components.most(kind, shards))
