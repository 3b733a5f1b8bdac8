"""How well the orders of systems by several measures agree."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from irgauge.arrays import Floats
from irgauge.inference.kendall import kendall_tau
from irgauge.provenance import Provenance
from irgauge.reporting.found import Found
from irgauge.show.finding import Finding
from irgauge.studies.score.study import Scored

_DIGITS = 12  # in which means differ


@dataclass(frozen=True)
class MeasurePair:
    """Two measures, and how well their orders of systems agree."""

    first: str
    second: str
    tau: float | None  # Kendall's τ-b; None where one of them orders no systems


@dataclass(frozen=True)
class SystemRanks:
    """A system's mean and rank by each measure."""

    system: str
    means: tuple[float, ...]  # measure
    ranks: tuple[int, ...]  # measure: systems with a higher mean, and one

    @property
    def moved(self) -> int:
        """How many ranks lie between its best and its worst."""
        return max(self.ranks) - min(self.ranks)


@dataclass(frozen=True, eq=False)
class Agreement(Found):
    """The agreement of each pair of measures."""

    measures: tuple[str, ...]
    pairs: tuple[MeasurePair, ...]
    systems: tuple[SystemRanks, ...]  # in the order of the first measure
    facts: Provenance

    @property
    def provenance(self) -> Provenance:
        """What was scored."""
        return self.facts

    def findings(self) -> Iterable[Finding]:
        """What it says, the answer first."""
        from irgauge.reporting.parts.measures.findings import findings

        return findings(self)

    def content(self) -> dict[str, object]:
        """All but what the provenance holds."""
        return {name: getattr(self, name) for name in ("measures", "pairs", "systems")}

    @property
    def known(self) -> list[MeasurePair]:
        """The pairs that have a τ, the least agreeing first."""
        return sorted((one for one in self.pairs if one.tau is not None), key=lambda one: one.tau or 0.0)


def agreement(scored: Scored) -> Agreement:
    """Kendall's τ of every pair of measures, of means on the whole corpus."""
    names = tuple(map(str, scored.measures))
    means = [{one.system: one.mean for one in scored.of(name)} for name in names]
    systems = list(means[0])
    values = {name: np.array([of[system] for system in systems]) for name, of in zip(names, means, strict=True)}
    levels = {name: _levels(own) for name, own in values.items()}
    ranks = {name: 1 + (own[:, None] < own[None, :]).sum(axis=1) for name, own in levels.items()}  # system
    pairs = [MeasurePair(a, b, _tau(kendall_tau(levels[a], levels[b]))) for a, b in combinations(names, 2)]
    return Agreement(
        measures=names,
        pairs=tuple(pairs),
        systems=tuple(
            SystemRanks(
                system, tuple(float(values[one][i]) for one in names), tuple(int(ranks[one][i]) for one in names)
            )
            for i, system in enumerate(systems)
        ),
        facts=scored.provenance.without("method", "alpha", "population"),
    )


def _levels(means: Floats) -> Floats:
    """Means in which those are the same that differ by rounding, as sums over topics in another order do."""
    largest = float(np.abs(means).max())
    return means if largest == 0 else np.round(means / largest, _DIGITS)


def _tau(value: float) -> float | None:
    return None if math.isnan(value) else value
