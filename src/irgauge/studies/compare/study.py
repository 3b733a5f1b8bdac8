"""Which systems differ, and what does the claim cover? All pairs, or those with a baseline, under each population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from irgauge.errors import DesignError
from irgauge.inference import pairwise
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import MeanInterval
from irgauge.models.anova import Fit, Model, decompose
from irgauge.options import asking
from irgauge.provenance import Provenance
from irgauge.reading.collection import Collection
from irgauge.replicates.measured import REDRAW, Bench, Data, Given, Measured, Measuring, measured, one_measure, opened
from irgauge.studies.compare.needed import TopicsNeeded, separate_top_group
from irgauge.studies.compare.options import Asked
from irgauge.studies.compare.records import counts, population_record, system_records
from irgauge.studies.compare.testing import Scored, compared, intervals, populations
from irgauge.studies.result import Result

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Result):
    """Comparisons of systems under one or more populations, the one asked for first."""

    study: ClassVar[str] = "compare"

    scored: Scored
    comparisons: tuple[Comparison, ...]
    intervals: Mapping[str, tuple[MeanInterval, ...]]  # population -> of means, and for comparing systems

    @property
    def whole(self) -> Measured:
        """What claims about topics rest on: scores on the whole corpus, or on all shards of a table."""
        return self.scored.whole

    @property
    def measured(self) -> Measured:
        """The shards; without shards, the whole corpus."""
        return self.scored.shards

    @property
    def fit(self) -> Fit:
        """The model of the shards; without shards, of the whole corpus."""
        return self.scored.fit

    @property
    def measure(self) -> str:
        """The measure that systems are compared by."""
        return str(self.whole.scores.measures[0])

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
            if one.population == "topics" and one.baseline is None:
                return separate_top_group(one)
        return None

    @property
    def provenance(self) -> Provenance:
        """The test, its family, population and level, what was measured, and what other populations differ in."""
        first, *others = map(self.provenance_of, self.comparisons)
        return first | {"beside": tuple(one.beside(first) for one in others) or None}

    def provenance_for(self, population: str | None) -> Provenance:
        """The provenance of what is said of a population."""
        found = [self.provenance_of(one) for one in self.comparisons if one.population == population]
        return found[0] if found else self.provenance

    def provenance_of(self, one: Comparison) -> Provenance:
        """The provenance under one of the populations."""
        test = pairwise.TESTS[one.test]
        tested = {
            "test": test.title,
            "family": one.family,
            "correction": None if one.is_wider else one.correction,  # the family says it
            "sides": one.sides if one.sides == 1 else None,
            "draws": one.draws,
            "alpha": one.alpha,
            "population": one.population,
            "model": str(self.scored.fit_of(one.population).model) if "fit" in test.takes else None,
        }
        scores = self.scored.of(one.population)
        return Provenance({}) | tested | scores.provenance | ({"seed": one.seed} if one.seed is not None else {})

    def frame(self) -> pl.DataFrame:
        """The pairs."""
        return self.comparison.frame()

    def content(self) -> dict[str, Any]:
        """Systems, pairs, and the counts under each population."""
        return {
            "measure": self.measure,
            "test": self.comparison.test,
            **counts(self.comparison),
            "systems": system_records(self.comparison, self.intervals[self.comparison.population]),
            "pairs": self.frame().to_dicts(),
            "populations": {one.population: population_record(one) for one in self.comparisons},
            "spread": self.scored.spreads(self.comparisons),
            "topics_needed": self.needed,
        }


@asking(Asked)
def compare(data: Given, asked: Asked) -> Compared:
    """Compare systems by a test, for other topics first: by default the paired t-test with Holm's correction.

    What is said of other topics rests on scores on the whole corpus. With random shards there are two more claims, for
    other documents and for both, by t-tests of each pair over shards. Shards that differ in kind (map, match, ordered)
    speak of other shards like these, by Tukey's test against MS(system:shard). The papers' test is Tukey's, of a model
    (Ferro and Sanderson, SIGIR 2019). The correction is Holm's by default, and Benjamini and Hochberg's for sign flips
    of single pairs, whose p-values are seldom fine enough for Holm's; Tukey's test and max-t are of the family itself.

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}}
    >>> good = {"1": {"a": 2, "x": 1}, "2": {"b": 2, "x": 1}, "3": {"c": 2, "x": 1}}
    >>> poor = {"1": {"x": 2, "a": 1}, "2": {"b": 2, "x": 1}, "3": {"x": 3, "y": 2, "c": 1}}
    >>> compare(load(qrels, {"good": good, "poor": poor}), "AP").comparison.significant_count
    0
    """
    scored = _scored(opened(data), asked)
    covered = populations(scored.shards, asked)
    comparisons = tuple(compared(scored, population, asked) for population in covered)
    return Compared(
        scored=scored,
        comparisons=comparisons,
        intervals={one.population: intervals(scored, one) for one in comparisons},
    )


def _scored(data: Data, asked: Asked) -> Scored:
    """The scores on the whole corpus and on the shards, and the model of these."""
    measuring = Measuring(one_measure(data, asked.measure), asked.shards, asked.fill, asked.keep_systems, asked.seed)
    runs = Bench(data, workers=asked.workers) if isinstance(data, Collection) else data
    shards = measured(runs, measuring)
    if asked.model not in (None, "MD1") and asked.shards is None and shards.shards == 1:
        raise DesignError(f"{Model.parse(asked.model)} needs shards; name a way to split, such as even:5, or use MD1")
    chosen = Model.parse(asked.model or ("MD1" if shards.shards == 1 else "MD6"))
    whole = runs.measured(_on_whole(measuring)) if isinstance(runs, Bench) and shards.shards > 1 else shards
    return Scored(whole, shards, decompose(shards.values()).fit(chosen))


def _on_whole(measuring: Measuring) -> Measuring:
    fill = "zero" if measuring.fill == REDRAW else measuring.fill
    return Measuring(measuring.measures, fill=fill, keep_systems=measuring.keep_systems)
