"""Which test and which interval keep their promise on these data, and what can they find?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from irgauge.calibrating.methods import TRIED, Setting
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.corrections import correction
from irgauge.inference.margins import Margin
from irgauge.models.anova import Population
from irgauge.options import asking
from irgauge.provenance import Fact, Provenance
from irgauge.replicates.baselines import baseline_of, check_kept
from irgauge.replicates.facts import seed
from irgauge.replicates.given import Given, one_measure, opened, whole_and_shards
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.ranges import range_of
from irgauge.studies.calibrate.found import Calibration
from irgauge.studies.calibrate.given import data_of, other_scores
from irgauge.studies.calibrate.options import Asked
from irgauge.studies.calibrate.records import content, error_records
from irgauge.studies.calibrate.sizes import Sizes
from irgauge.studies.calibrate.trying import Drawing, calibrated
from irgauge.studies.covered import covered
from irgauge.studies.result import Result
from irgauge.wording import counted

if TYPE_CHECKING:
    import polars as pl

_FEWEST_TOPICS = 5
_DRAWS = {True: 99, False: 199}  # of tests that draw, at least, where it is to be quick and where not


@dataclass(frozen=True, eq=False, repr=False)
class Calibrated(Result):
    """What every method is worth on these data, by population; the one asked for first."""

    study: ClassVar[str] = "calibrate"

    measure: str
    each: tuple[Calibration, ...]  # population
    alpha: float
    margin: float | None
    baseline: str | None
    seed: int
    draws: int
    is_quick: bool
    facts: Provenance  # of what was measured

    @property
    def first(self) -> Calibration:
        """What was found for the population asked for."""
        return self.each[0]

    def of(self, population: str | None = None) -> Calibration:
        """What was found for a population; for the one asked for, if none is named."""
        found = [one for one in self.each if population in (None, one.population)]
        if not found:
            there = ", ".join(one.population for one in self.each)
            raise DesignError(f"nothing was tried for the population '{population}'; there is {there}")
        return found[0]

    @property
    def provenance(self) -> Provenance:
        """What was drawn, of what, and how often."""
        one = self.first
        return Provenance.of(
            facts.test("all tests of pairs, and intervals"),
            facts.family(self._family),
            facts.alpha(self.alpha),
            facts.population(", ".join(each.population for each in self.each)),
            facts.margin(self.margin),
            Fact("trials", one.trials, f"{counted(one.trials, 'experiment')} of each kind"),
            facts.draws(self.draws),
            self.facts,
            seed(self.seed),
        )

    @property
    def _family(self) -> str:
        pairs = self.first.pairs
        if pairs == 1:
            return "1 pair"
        return f"all {pairs:,} pairs" if self.baseline is None else f"{pairs:,} pairs with baseline {self.baseline}"

    def frame(self) -> pl.DataFrame:
        """A row for each method and world: how often it errs, and the verdict."""
        import polars as pl

        return pl.DataFrame(error_records(self.each), infer_schema_length=None)

    def content(self) -> dict[str, Any]:
        """Everything, by population."""
        return {"measure": self.measure, "margin": self.margin, "populations": [content(one) for one in self.each]}


@asking(Asked)
def calibrate(data: Given, asked: Asked) -> Calibrated:
    """Try every test and interval on experiments that are drawn to look like this one, and whose truth is known.

    For other topics there are three worlds in which systems are equally good: systems change places on each topic
    (permuted), the sign of their differences is drawn for each topic (flipped), topics are drawn with replacement
    around equal means (resampled). For other documents the parts of shards are drawn in these ways. A method keeps
    its promise if it errs no more often than it says in any world. Its power is what it finds where half of the
    systems are better; that of tests of single pairs is also given by size of difference and number of topics.

    >>> from irgauge.simulation.collections import Design, simulate
    >>> runs = simulate(Design(systems=4, families=2, topics=20, depth=60, corpus_size=900)).collection()
    >>> found = calibrate(runs, "AP", quick=True, trials=20)
    >>> found.first.pairs, [one.world for one in found.first.errors[:1]]
    (6, ['permuted'])
    """
    runs = opened(data, asked.workers)
    if asked.baseline is not None:
        asked = replace(asked, baseline=baseline_of(runs, asked.baseline))
    (measure,) = one_measure(runs, asked.measure)
    wanted = Measuring((measure,), asked.shards, asked.fill, asked.keep_systems, asked.seed, sparse=asked.sparse)
    whole, shards = whole_and_shards(runs, wanted)
    _check(whole, asked)
    other = other_scores(runs, asked, measure, whole.scores.systems)
    margin = _margin(whole, asked)
    each = tuple(_calibrations(whole, shards, other, asked, margin))
    return Calibrated(
        measure=str(measure),
        each=each,
        alpha=asked.alpha,
        margin=margin,
        baseline=asked.baseline,
        seed=asked.seed,
        draws=_draws(asked),
        is_quick=asked.quick,
        facts=shards.provenance,
    )


def _calibrations(
    whole: Measured, shards: Measured, other: Measured | None, asked: Asked, margin: float | None
) -> Iterator[Calibration]:
    populations = covered(shards, asked.population)
    wanted: tuple[Population, ...] = populations if asked.population is None else populations[:1]
    for population in wanted:
        data, systems = data_of(population, whole, shards, asked, other)
        setting = Setting(population, systems, asked.alpha, asked.baseline, _draws(asked), _corrections(asked))
        sizes = Sizes.of(asked, setting, len(data.values))
        yield calibrated(data, setting, Drawing(sizes, margin, asked.seed, asked.workers, asked.progress))


def _corrections(asked: Asked) -> tuple[str, ...]:
    """The usual ones, and the one asked for."""
    more = () if asked.correction is None else (correction(asked.correction).name,)
    return tuple(dict.fromkeys((*TRIED, *more)))


def _draws(asked: Asked) -> int:
    """So many draws B that α (B + 1) is whole: then the level of a test is exact.

    >>> _draws(Asked(quick=True)), _draws(Asked(alpha=0.01)), _draws(Asked(alpha=0.005, quick=True))
    (99, 199, 199)
    """
    least = _DRAWS[asked.quick] + 1
    return round(math.ceil(least * asked.alpha - 1e-9) / asked.alpha) - 1


def _check(whole: Measured, asked: Asked) -> None:
    topics, systems, _ = whole.values().shape
    if topics < _FEWEST_TOPICS or systems < 2:
        raise DesignError(
            f"a calibration needs at least {_FEWEST_TOPICS} topics and 2 systems; given: topics: {topics}, "
            f"systems: {systems}"
        )
    if not np.ptp(whole.values() - whole.values()[:, :1], axis=0).any():
        raise DesignError(
            "systems differ by the same amount on every topic, or not at all: there is nothing to draw from; give "
            "scores that vary"
        )
    check_kept(whole.scores.systems, asked.baseline, asked.keep_systems)


def _margin(whole: Measured, asked: Asked) -> float | None:
    """In the unit of the measure."""
    if asked.margin is None:
        return None
    means = dict(zip(whole.scores.systems, whole.values().mean(axis=(0, 2)).tolist(), strict=True))
    mean = None if asked.baseline is None else means[asked.baseline]
    return Margin.parse(asked.margin).of(mean, range_of(whole.scores.measures[0], whole.values()))
