"""Do measures agree on the order of systems?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.orders import kendall_tau
from irgauge.inference.two_orders import effects_rmse, taus_ap_b
from irgauge.options.verbs import verb
from irgauge.provenance import Provenance
from irgauge.replicates.given import Given, opened, several_measures
from irgauge.scoring.direction import HIGHER, sign_of
from irgauge.studies.agreement.options import AgreementOptions
from irgauge.studies.means import facts_of_scores, summarise
from irgauge.studies.result import Result

LEAST_MEASURES, LEAST_SYSTEMS = 2, 3  # fewer have no order to agree on
_DIGITS = 12  # in which means differ


@dataclass(frozen=True)
class MeasurePair:
    """Two measures, and how well their orders of systems agree."""

    measure: str
    against: str  # another measure
    tau: float | None  # Kendall's τ-b; None where one of them orders no systems
    tau_ap: float | None = None  # the same by τ_AP, symmetric, with ties
    rmse: float | None = None  # root mean square difference of systems' effects: means less the mean of all


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


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Result):
    """The agreement of each pair of measures."""

    study: ClassVar[str] = "agreement"
    part: ClassVar[str] = "pair of measures"

    measures: tuple[str, ...]  # whose orders are compared
    pairs: tuple[MeasurePair, ...]  # of measures
    systems: tuple[SystemRanks, ...]  # in the order of the first measure
    facts: Provenance
    guessed: tuple[str, ...] = ()  # whose names sound as if less were better, and nothing was said of it

    @property
    def parts(self) -> Mapping[tuple[str, str], MeasurePair]:
        """The two measures of a pair -> how well their orders agree."""
        return {(pair.measure, pair.against): pair for pair in self.pairs}

    @property
    def provenance(self) -> Provenance:
        """What was scored."""
        return self.facts

    def content(self) -> dict[str, object]:
        """All but what the provenance holds."""
        return {name: getattr(self, name) for name in ("measures", "pairs", "systems")}

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Pairs of measures; or the mean and rank of every system by each measure."""
        if name == "measures":
            return [asdict(pair) for pair in self.pairs]
        return [
            {"measure": measure, "system": system.system, "mean": mean, "rank": rank}
            for i, measure in enumerate(self.measures)
            for system in self.systems
            for mean, rank in [(system.means[i], system.ranks[i])]
        ]

    @property
    def known(self) -> list[MeasurePair]:
        """The pairs that have a τ, the least agreeing first."""
        return sorted((pair for pair in self.pairs if pair.tau is not None), key=lambda pair: pair.tau or 0.0)


@verb(AgreementOptions)
def agreement(data: Given, options: AgreementOptions) -> Agreement:
    """Compare the orders of systems by each two measures: Kendall's τ-b of means on the whole corpus.

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1, "b": 1}}
    >>> runs = {"x": {"1": {"a": 2, "b": 1}}, "y": {"1": {"a": 2, "c": 1}}, "z": {"1": {"c": 2, "b": 1}}}
    >>> round(agreement(load(qrels, runs, warn=False), ["AP", "P@2"]).pairs[0].tau, 4)
    0.8165
    """
    opened_data = opened(data, options.workers, missing=options.missing)
    measures = several_measures(opened_data, options.measures)
    _check_enough(len(measures), len(opened_data.systems))
    scores = opened_data.whole(measures)
    names = tuple(map(str, scores.measures))
    means: dict[str, dict[str, float]] = {name: {} for name in names}
    for mean in summarise(scores):
        means[mean.measure][mean.system] = mean.mean
    systems = list(means[names[0]])
    values = {name: np.array([own[system] for system in systems]) for name, own in means.items()}
    signs = {str(measure): sign_of(measure.direction or HIGHER) for measure in scores.measures}
    levels = {name: signs[name] * _levels(own) for name, own in values.items()}
    ranks = {name: 1 + (own[:, None] < own[None, :]).sum(axis=1) for name, own in levels.items()}  # system
    effects = {name: signs[name] * own for name, own in values.items()}
    pairs = [
        MeasurePair(
            a,
            b,
            tau=_tau(kendall_tau(levels[a], levels[b])),
            tau_ap=_tau(float(taus_ap_b(levels[a], levels[b]))),
            rmse=effects_rmse(effects[a], effects[b]),
        )
        for a, b in combinations(names, 2)
    ]
    return Agreement(
        measures=names,
        pairs=tuple(pairs),
        systems=tuple(
            SystemRanks(
                system, tuple(float(values[name][i]) for name in names), tuple(int(ranks[name][i]) for name in names)
            )
            for i, system in enumerate(systems)
        ),
        facts=facts_of_scores(scores, opened_data.missing, opened_data.whole_source),
        guessed=tuple(str(measure) for measure in scores.measures if measure.needs_direction),
    )


def _check_enough(measures: int, systems: int) -> None:
    if measures < LEAST_MEASURES:
        raise DesignError("agreement is between measures, and one was given; name at least two, such as AP and nDCG@10")
    if systems < LEAST_SYSTEMS:
        raise DesignError(f"there are {systems} systems; measures agree on the order of at least {LEAST_SYSTEMS}")


def _levels(means: Floats) -> Floats:
    """Means in which those are the same that differ by rounding, as sums over topics in another order do."""
    largest = float(np.abs(means).max())
    return means if largest == 0 else np.round(means / largest, _DIGITS)


def _tau(value: float) -> float | None:
    return None if math.isnan(value) else value
