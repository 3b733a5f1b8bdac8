"""Which systems differ, and what does the claim cover? All pairs, or those with a baseline, under each population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from irgauge.errors import DesignError
from irgauge.inference import pairwise
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import MeanInterval, anova_interval, sem_interval, tukey_interval
from irgauge.models.anova import Fit, Model, Population, decompose
from irgauge.options import asking
from irgauge.provenance import Provenance
from irgauge.reading.collection import Collection
from irgauge.replicates.measured import Bench, Given, Measured, Measuring, measured, one_measure, opened
from irgauge.studies.compare.needed import TopicsNeeded, separate_top_group
from irgauge.studies.compare.options import Asked
from irgauge.studies.compare.records import counts, population_record, system_records
from irgauge.studies.result import Result

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Result):
    """Comparisons of systems under one or more populations, the one asked for first."""

    study: ClassVar[str] = "compare"

    measured: Measured
    whole: Measured | None  # on the whole corpus, where the comparison is of shards
    fit: Fit
    comparisons: tuple[Comparison, ...]
    intervals: Mapping[str, tuple[MeanInterval, ...]]  # population -> Tukey, SEM, ANOVA

    @property
    def measure(self) -> str:
        """The measure that systems are compared by."""
        return str(self.measured.scores.measures[0])

    @property
    def model(self) -> str:
        """The model of scores."""
        return str(self.fit.model)

    @property
    def comparison(self) -> Comparison:
        """The comparison under the population asked for."""
        return self.comparisons[0]

    @property
    def alpha(self) -> float:
        """The level of the tests."""
        return self.comparison.alpha

    def under(self, population: str) -> Comparison:
        """The comparison under a population."""
        found = [one for one in self.comparisons if one.population == population]
        if not found:
            there = ", ".join(one.population for one in self.comparisons)
            raise DesignError(f"nothing was compared for the population '{population}'; there is {there}")
        return found[0]

    @cached_property
    def needed(self) -> TopicsNeeded | None:
        """The topics that would separate the top group; None where that cannot be told."""
        for one in self.comparisons:
            if one.population == "topics" and one.error_ms is not None and one.baseline is None and one.test == "tukey":
                return separate_top_group(one)
        return None

    @property
    def provenance(self) -> Provenance:
        """The test, its family, population and level, and what was measured."""
        return self.provenance_of(self.comparison)

    def provenance_of(self, one: Comparison) -> Provenance:
        """The provenance under one of the populations."""
        tested = {
            "test": pairwise.TESTS[one.test].title,
            "family": one.family,
            "correction": None if one.is_wider else one.correction,  # the family says it
            "sides": one.sides if one.sides == 1 else None,
            "draws": one.draws,
            "alpha": one.alpha,
            "population": one.population,
            "model": self.model,
        }
        return Provenance({}) | tested | self.measured.provenance | ({"seed": one.seed} if one.seed is not None else {})

    def frame(self) -> pl.DataFrame:
        """The pairs."""
        return self.comparison.frame()

    def content(self) -> dict[str, Any]:
        """Systems, pairs, and the counts under each population."""
        return {
            "measure": self.measure,
            "model": self.model,
            **counts(self.comparison),
            "interval_width": float(self.intervals[self.comparison.population][0].length[0]),  # Tukey's, of all alike
            "systems": system_records(self.comparison, self.intervals[self.comparison.population]),
            "pairs": self.frame().to_dicts(),
            "populations": {one.population: population_record(one) for one in self.comparisons},
            "topics_needed": self.needed,
        }


@asking(Asked)
def compare(data: Given, asked: Asked) -> Compared:
    """Compare systems by a test; without shards this is MD1, the classic analysis.

    The tests on scores of topics (all but tukey) use the means of a topic's scores over shards, and cover other
    topics. Their correction is Holm's by default, and Benjamini and Hochberg's for sign flips, whose p-values are
    seldom fine enough for Holm's. Tukey's test is of the family itself. Ferro and Sanderson (SIGIR 2019).

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}}
    >>> good = {"1": {"a": 2, "x": 1}, "2": {"b": 2, "x": 1}, "3": {"c": 2, "x": 1}}
    >>> poor = {"1": {"x": 2, "a": 1}, "2": {"b": 2, "x": 1}, "3": {"x": 3, "y": 2, "c": 1}}
    >>> compare(load(qrels, {"good": good, "poor": poor}), "AP").comparison.significant_count
    0
    """
    data = opened(data)
    measuring = Measuring(one_measure(data, asked.measure), asked.shards, asked.fill, asked.keep_systems, asked.seed)
    runs = Bench(data, workers=asked.workers) if isinstance(data, Collection) else data
    found = measured(runs, measuring)
    if asked.model not in (None, "MD1") and asked.shards is None and found.shards == 1:
        raise DesignError(f"{Model.parse(asked.model)} needs shards; name a way to split, such as even:5, or use MD1")
    chosen = Model.parse(asked.model or ("MD1" if found.shards == 1 else "MD6"))
    fit = decompose(found.values()).fit(chosen)
    comparisons = tuple(_comparisons(found, fit, asked))
    return Compared(
        measured=found,
        whole=runs.measured(_on_whole(measuring)) if isinstance(runs, Bench) and found.shards > 1 else None,
        fit=fit,
        comparisons=comparisons,
        intervals={one.population: _intervals(fit, found, one.population, asked.alpha) for one in comparisons},
    )


def _on_whole(measuring: Measuring) -> Measuring:
    return Measuring(measuring.measures, keep_systems=measuring.keep_systems)


def _comparisons(found: Measured, fit: Fit, asked: Asked) -> list[Comparison]:
    """The comparison asked for, then, by Tukey's test with shards, those under the other populations."""
    systems, population = found.scores.systems, cast("Population | None", asked.population)
    if asked.test != "tukey":
        return [_by_topics(found, asked)]
    if asked.correction not in (None, "none"):
        raise DesignError("Tukey's test is of the whole family of pairs: leave the correction out")
    first = population or fit.populations[0]
    populations = [first, *(one for one in fit.populations if one != first)]
    options: dict[str, Any] = {"alpha": asked.alpha, "baseline": asked.baseline}
    return [pairwise.tukey(fit, systems, population=one, **options) for one in populations]


def _by_topics(found: Measured, asked: Asked) -> Comparison:
    if asked.population not in (None, "topics"):
        raise DesignError(
            f"the {asked.test} test takes topics as a sample: it covers 'topics', not '{asked.population}'"
        )
    takes = pairwise.TESTS[asked.test].takes if asked.test in pairwise.TESTS else ()
    drawn = {"draws": asked.draws, "seed": asked.seed} if "draws" in takes else {}
    usual = "none" if "correction" not in takes else "bh" if "draws" in takes else "holm"
    return pairwise.run_test(
        asked.test,
        found.values().mean(axis=2),  # topic, system
        found.scores.systems,
        alpha=asked.alpha,
        baseline=asked.baseline,
        correction=asked.correction or usual,
        **drawn,
    )


def _intervals(fit: Fit, found: Measured, population: Population, alpha: float) -> tuple[MeanInterval, ...]:
    """The three intervals of the paper: eq. 3, 4 and 5. That of SEM is of no population where there are shards."""
    systems = found.scores.systems
    return (
        tukey_interval(fit, systems, population=population, alpha=alpha),
        sem_interval(found.values(), systems, alpha=alpha),
        anova_interval(fit, systems, population=population, alpha=alpha),
    )
