"""How many pairs of systems does each measure tell apart, and which difference does that take?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.discriminative import METHODS, TITLES, Discriminated
from irgauge.options.verbs import verb
from irgauge.provenance import Provenance
from irgauge.replicates import facts as data_facts
from irgauge.replicates.given import Given, opened, several_measures
from irgauge.scoring.scores import Scores
from irgauge.studies.means import facts_of_scores
from irgauge.studies.result import Result
from irgauge.studies.sensitivity.options import SensitivityOptions

LEAST = 2  # topics and systems: fewer have no pair that varies


@dataclass(frozen=True)
class MeasurePower:
    """The discriminative power of a measure by one test."""

    measure: str
    method: str  # a name of METHODS
    n: int  # topics on which the measure is defined
    pairs: int  # of systems
    found: int  # of these, with a p of at most α
    power: float  # their share
    needed: float | None  # the difference of means with which p reaches α; None where no pair varies


@dataclass(frozen=True)
class PairP:
    """The p of two systems by a measure."""

    measure: str
    method: str
    system: str
    against: str
    difference: float
    p: float


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity(Result):
    """The discriminative power of each measure, by each test, the largest first."""

    study: ClassVar[str] = "sensitivity"
    part: ClassVar[str] = "measure and test"

    measures: tuple[str, ...]  # as they were asked for
    powers: tuple[MeasurePower, ...]  # by test, the largest share first
    curves: tuple[PairP, ...]  # by test and measure, the smallest p first
    alpha: float
    draws: int
    facts: Provenance

    @property
    def parts(self) -> Mapping[tuple[str, str], MeasurePower]:
        """A measure and a test -> its discriminative power."""
        return {(power.measure, power.method): power for power in self.powers}

    @property
    def provenance(self) -> Provenance:
        """Both tests, and what was scored."""
        return self.facts

    def by(self, method: str) -> list[MeasurePower]:
        """What a test says of all measures, the largest share first."""
        return [power for power in self.powers if power.method == method]

    def content(self) -> dict[str, Any]:
        """All but the curves, which are many, and what the provenance holds."""
        return {"measures": self.measures, "powers": self.powers}

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Measures by test; or every pair by each of them."""
        return [asdict(row) for row in (self.powers if name == "measures" else self.curves)]


@verb(SensitivityOptions)
def sensitivity(data: Given, options: SensitivityOptions) -> Sensitivity:
    """Count the pairs of systems whose p is at most α, by each measure on the whole corpus: its discriminative power.

    >>> from irgauge import load_scores
    >>> topics = [str(topic) for topic in range(8)]
    >>> good = {topic: 0.5 + 0.01 * int(topic) for topic in topics}
    >>> poor = {topic: 0.3 + 0.02 * int(topic) for topic in topics}
    >>> [power.found for power in sensitivity(load_scores({"good": good, "poor": poor}), draws=99).powers]
    [1, 1]
    """
    opened_data = opened(data, options.workers, missing=options.missing)
    scores = opened_data.whole(several_measures(opened_data, options.measures))
    names = tuple(map(str, scores.measures))
    discriminated = {
        (method, measure): test(
            _values(scores, m), scores.systems, draws=options.draws, seed=options.seed, alpha=options.alpha
        )
        for method, test in METHODS.items()
        for m, measure in enumerate(names)
    }
    powers = [_power(*key, outcome) for key, outcome in discriminated.items()]
    return Sensitivity(
        measures=names,
        powers=tuple(sorted(powers, key=lambda power: (list(METHODS).index(power.method), -power.power))),
        curves=tuple(row for key, outcome in discriminated.items() for row in _curve(*key, outcome)),
        alpha=options.alpha,
        draws=options.draws,
        facts=Provenance.of(
            facts.method(f"{'; '.join(TITLES.values())}, uncorrected for several measures"),
            facts.alpha(options.alpha),
            facts.draws(options.draws),
            data_facts.seed(options.seed),
            facts_of_scores(scores, opened_data.missing, opened_data.whole_source),
        ),
    )


def _values(scores: Scores, m: int) -> Floats:
    """The scores by a measure on topics where it is defined: topic, system."""
    own = scores.values[m]
    defined = ~np.isnan(own).all(axis=(1, 2))
    if defined.sum() < LEAST or len(scores.systems) < LEAST:
        raise DesignError(
            f"pairs need at least {LEAST} systems and {LEAST} topics on which {scores.measures[m]} is defined; there "
            f"are {len(scores.systems)} and {int(defined.sum())}"
        )
    return scores.filled("zero").values[m][defined].mean(axis=2)


def _power(method: str, measure: str, outcome: Discriminated) -> MeasurePower:
    found, pairs = int(outcome.found.sum()), len(outcome.p)
    needed = None if math.isnan(outcome.needed) else outcome.needed
    return MeasurePower(measure, method, outcome.pairs.topics, pairs, found, found / pairs, needed)


def _curve(method: str, measure: str, outcome: Discriminated) -> Iterator[PairP]:
    family = outcome.pairs
    for pair in np.argsort(outcome.p, kind="stable"):
        system, against = family.systems[family.first[pair]], family.systems[family.second[pair]]
        yield PairP(measure, method, system, against, float(family.difference[pair]), float(outcome.p[pair]))
