"""Which systems differ, and what does the claim cover? All pairs, or those with a baseline, under each population."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from irgauge.brief import OneLine
from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.by_topic import effective_topics, in_order, on_topics, topic_records
from irgauge.inference.comparison import Comparison
from irgauge.inference.hierarchy import Order
from irgauge.inference.intervals import MeanInterval
from irgauge.inference.leaders import SAME, Leaders
from irgauge.inference.margins import Margin, margins_of_logs
from irgauge.inference.slices import Sliced
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.verdicts import Verdicts
from irgauge.models.anova import Fit
from irgauge.options.verbs import verb
from irgauge.provenance import Provenance, fact
from irgauge.replicates import facts as data_facts
from irgauge.replicates.data import baseline_of, check_kept
from irgauge.replicates.given import Given
from irgauge.replicates.measured import Measured
from irgauge.replicates.needs import opened_needs
from irgauge.replicates.undefined import worst_shares
from irgauge.scoring.direction import Direction, sign_of
from irgauge.scoring.measures import Measure
from irgauge.studies.compare.further_looks import IgnoredClusters, claims_and_holes, ignored_clusters, survivals
from irgauge.studies.compare.options import CompareOptions, PageCompareOptions
from irgauge.studies.compare.paper_options import Language
from irgauge.studies.compare.records import measure_record, pair_records, population_record, system_records
from irgauge.studies.compare.remembered import remember
from irgauge.studies.compare.scored import scored_by_measure
from irgauge.studies.compare.slicing import slices_by_measure
from irgauge.studies.compare.testing import Change, ComparedScores, changes, decided, standing_of
from irgauge.studies.hole_changes import HoleChanges, UnseenHoles
from irgauge.studies.navigation import for_population
from irgauge.studies.result import Result
from irgauge.studies.run_lists import RunLists
from irgauge.studies.survival import Survival
from irgauge.studies.tested import facts_of, slice_records


@fact()
def usual(test: str) -> str:
    """Why the test was taken, where none was named."""
    return f"the default test: {TESTS[test].usual}"


@dataclass(frozen=True, eq=False, repr=False)
class MeasureCompared(OneLine):
    """Comparisons of systems by one measure under one or more populations, the one asked for first."""

    in_line: ClassVar[tuple[str, ...]] = ("measure", "populations", "alpha", "margin")

    scored: ComparedScores
    comparisons: tuple[Comparison, ...]
    intervals: Mapping[str, tuple[MeanInterval, ...]]  # population -> of means, and for comparing systems
    verdicts: Mapping[str, Verdicts]  # population -> of each pair
    changes: tuple[Change, ...] = ()  # verdicts that would be others without the topics that a run does not answer
    asked_margin: Margin | None = None
    sliced: Sliced = field(default_factory=Sliced)  # claims on kinds of topics
    ignored: tuple[IgnoredClusters, ...] = ()  # columns that look like clusters, which would change verdicts
    survivals: tuple[Survival, ...] = ()  # population: what is concluded without the transformation, where there is one
    holes: HoleChanges | UnseenHoles | None = None  # verdicts that unjudged documents could change

    @property
    def whole(self) -> Measured:
        """What claims about topics rest on: scores on the whole corpus, or on all shards of a table."""
        return self.scored.whole

    @property
    def measured(self) -> Measured:
        """The shards; without shards, the whole corpus."""
        return self.scored.shards

    @property
    def basis(self) -> Measured:
        """The scores that the comparison under the population asked for rests on."""
        return self.scored.of(self.comparison.population)

    def shards_of(self, population: str) -> int:
        """How many shards the means of a population are over; 1 for the whole corpus."""
        return self.scored.of(population).shards

    @property
    def fit(self) -> Fit:
        """The model of the shards; without shards, of the whole corpus."""
        return self.scored.fit

    @property
    def measure(self) -> str:
        """The measure that systems are compared by."""
        return self.scored.measure

    @property
    def direction(self) -> Direction:
        """Which scores are better."""
        return self.comparison.direction

    @property
    def populations(self) -> tuple[str, ...]:
        """What is claimed for, the one asked for first."""
        return tuple(comparison.population for comparison in self.comparisons)

    @property
    def model(self) -> str:
        """The model of scores."""
        return str(self.scored.model)

    @property
    def comparison(self) -> Comparison:
        """The comparison under the population asked for."""
        return self.comparisons[0]

    @property
    def verdict(self) -> Verdicts:
        """The verdicts under the population asked for."""
        return self.verdicts[self.comparison.population]

    @property
    def margin(self) -> float | None:
        """The smallest difference that matters."""
        return self.verdict.margin

    @property
    def alpha(self) -> float:
        """The level of the tests."""
        return self.comparison.alpha

    def under(self, population: str | None = None) -> Comparison:
        """The comparison under a population; under the one asked for first, if none is named."""
        if population is None:
            return self.comparison
        comparisons = [comparison for comparison in self.comparisons if comparison.population == population]
        if not comparisons:
            there = ", ".join(comparison.population for comparison in self.comparisons)
            raise DesignError(f"nothing was compared for the population '{population}'; there is {there}")
        return comparisons[0]

    def for_population(self, population: str) -> MeasureCompared:
        """What is said for one population alone."""
        comparison = for_population(self.comparisons, population)
        name = comparison.population
        return replace(
            self,
            comparisons=(comparison,),
            intervals={name: self.intervals[name]},
            verdicts={name: self.verdicts[name]},
            changes=tuple(change for change in self.changes if change.population == name),
            survivals=tuple(survival for survival in self.survivals if survival.population == name),
        )

    def effective_topics(self, comparison: Comparison) -> Floats:
        """On how many topics the difference of each pair rests."""
        values, sampling = in_order(self.scored.of(comparison.population), comparison), self.scored.sampling
        if sampling is not None and sampling.is_weighted:
            values = values * sampling.weight[:, None]
        return effective_topics(values, comparison)

    def shown(self, mean: float) -> float:
        """A mean over topics as it is shown: of logarithms the geometric mean."""
        return Measure.read(self.measure).shown(mean)

    @cached_property
    def whole_means(self) -> Mapping[str, float]:
        """System -> its mean on the whole corpus, as it is shown; of a table that has replicates only, over these."""
        comparison = self.comparison
        means = self.scored.whole_means or dict(zip(comparison.systems, comparison.means.tolist(), strict=True))
        return {system: self.shown(mean) for system, mean in means.items()}

    def leaders(self, population: str | None = None) -> Leaders:
        """Who is ahead under a population, by the mean as it is shown."""
        comparison = self.under(population)
        ahead = Leaders.of(comparison.systems, comparison.means.tolist(), comparison.top_group)
        return replace(ahead, mean=self.shown(ahead.mean))

    def is_other_order(self, first: str, second: str) -> bool:
        """Whether a system that is ahead of another over shards is behind it on the whole corpus."""
        return sign_of(self.direction) * (self.whole_means[second] - self.whole_means[first]) > SAME

    @property
    def provenance(self) -> Provenance:
        """The test, its family, population and level, what was measured, and what other populations differ in."""
        first, *others = map(self.provenance_of, self.comparisons)
        return first.with_others(others)

    def provenance_of(self, comparison: Comparison) -> Provenance:
        """The provenance under one of the populations."""
        needs = TESTS[comparison.test].needs
        model = str(self.scored.fit_of(comparison.population).model) if needs == "fit" else None
        tested = facts_of(comparison, model, drawn=self.scored.drawn(comparison.population))
        how = facts.sampling(self.scored.sampling)
        measured = Provenance.of(tested, how, self.scored.of(comparison.population).provenance)
        return measured if comparison.seed is None else measured | data_facts.seed(comparison.seed)


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Result):
    """Comparisons of systems by one or more measures, in the order asked for."""

    study: ClassVar[str] = "compare"

    each: tuple[MeasureCompared, ...]  # measure
    margins: tuple[Margin, ...] | None  # measure: as asked for
    worst: int  # how many of the largest gains and losses are shown
    is_usual: bool  # whether the test is the usual one, since none was named
    order: Order  # of claims: those by other measures may stand behind these
    lists: RunLists = field(default_factory=RunLists)  # how deep runs are, and how many of their documents are tied

    @property
    def parts(self) -> Mapping[str, MeasureCompared]:
        """Measure -> what it says."""
        return {compared.measure: compared for compared in self.each}

    @property
    def first(self) -> MeasureCompared:
        """What the first measure says."""
        return self.each[0]

    @property
    def comparison(self) -> Comparison:
        """The comparison by the first measure under the population asked for."""
        return self.first.comparison

    @property
    def alpha(self) -> float:
        """The level of the tests."""
        return self.comparison.alpha

    @property
    def measures(self) -> tuple[str, ...]:
        """What systems are compared by."""
        return tuple(compared.measure for compared in self.each)

    def population(self, name: str) -> Compared:
        """What is said for one population alone, by each measure."""
        return replace(self, each=tuple(compared.for_population(name) for compared in self.each))

    def by_measure(self) -> tuple[Compared, ...]:
        """The same of each measure alone, as it stands among all."""
        margins = [None] * len(self.each) if self.margins is None else [(margin,) for margin in self.margins]
        return tuple(replace(self, each=(one,), margins=own) for one, own in zip(self.each, margins, strict=True))

    def of(self, measure: str | Measure | None = None) -> MeasureCompared:
        """What a measure says; the first if none is named."""
        if measure is None:
            return self.first
        return self.each[self.measures.index(known(str(Measure.read(str(measure))), self.measures, "measure"))]

    @property
    def provenance(self) -> Provenance:
        """The test, its family, population and level, what was measured, and what other populations differ in."""
        first, *others = map(self._all_measures, self.first.comparisons)
        return first.with_others(others)

    def provenance_for(self, population: str | None) -> Provenance:
        """The provenance of what is said of a population."""
        comparisons = [comparison for comparison in self.first.comparisons if comparison.population == population]
        return self._all_measures(comparisons[0]) if comparisons else self.provenance

    def _all_measures(self, of_first: Comparison) -> Provenance:
        """The provenance under the population of a comparison by the first measure."""
        margins = zip(self.each, self.margins or (), strict=False)
        margin_facts = {compared.measure: margin.fact(compared.margin) for compared, margin in margins}
        shares = worst_shares(compared.scored.of(of_first.population) for compared in self.each) or {}
        scores = self.first.scored.of(of_first.population)
        return Provenance.of(
            facts.hierarchy(self.order if self._is_several else None, drawn=self._drawn_first),
            self.first.provenance_of(of_first),
            data_facts.scores_by(self.measures),
            usual(self.comparison.test if self.is_usual else None),
            facts.margins(margin_facts or None),
            data_facts.fill(str(scores.measuring.fill), undefined=scores.undefined, shares=shares),
            replace(scores.sparse, shares=shares).fact,
        )

    @property
    def _drawn_first(self) -> str:
        """What the first claims are for."""
        return self.first.scored.drawn(self.order.populations[0])

    @property
    def _is_several(self) -> bool:
        claims = len(self.order.measures) * len(self.order.populations)
        return claims > 1 or bool(self.order.slices) or not self.order.standing.has_primary

    def has_chart(self, name: str) -> bool:
        """All, but slices without kinds of topics, and pairs with a baseline, which are one row."""
        return {"slices": bool(self.first.sliced.slices), "pairs": self.comparison.baseline is None}.get(name, True)

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Pairs, systems and counts by each measure under each population; or the pairs told of on each topic."""
        if name == "topics":
            return topic_records(
                pair for compared in self.each for pair in on_topics(compared.basis, compared.comparison)
            )
        if name == "slices":
            return [row for compared in self.each for row in slice_records(compared.measure, compared.sliced.slices)]
        return [
            record
            for compared in self.each
            for comparison in compared.comparisons
            for record in _RECORDS[name](compared, comparison)
        ]

    def for_paper(self, folder: str | os.PathLike[str]) -> None:
        """Write table, figure, caption, what one may write and what not, references and scripts into a new folder."""
        self._shown("for_paper").write_for_paper(self, folder)

    def recompute(self, language: Language = "python") -> str:
        """A script with the scores that computes every claim again, without irgauge; `language` is python or r."""
        return self._shown("recompute").recomputing(self, language)

    def content(self) -> dict[str, Any]:
        """Systems, pairs, topics with the largest differences, the counts under each population; by each measure."""
        return {"measures": [measure_record(compared, self.worst) for compared in self.each]}


_RECORDS: Mapping[str, Callable[[MeasureCompared, Comparison], list[dict[str, Any]]]] = {
    "pairs": lambda compared, comparison: pair_records(compared, comparison.population),
    "systems": system_records,
    "populations": lambda compared, comparison: [
        {"measure": compared.measure, **population_record(compared, comparison)}
    ],
}


@verb(CompareOptions)
def compare(data: Given, options: CompareOptions) -> Compared:
    """Compare systems by a test, for other topics first, with a correction over the pairs.

    What is said of other topics rests on scores on the whole corpus. With random shards there are two more claims, for
    other documents and for both, by tests over shards. Shards that differ in kind (map, match, ordered) speak of other
    shards like these. Each population has its usual test and each test its usual correction (see the options `test` and
    `correction`, and `inference.tests`). The papers' test is Tukey's, of a model (Ferro and Sanderson, SIGIR 2019).
    Every pair has a verdict: see `inference.verdicts`.

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}}
    >>> good = {"1": {"a": 2, "x": 1}, "2": {"b": 2, "x": 1}, "3": {"c": 2, "x": 1}}
    >>> poor = {"1": {"x": 2, "a": 1}, "2": {"b": 2, "x": 1}, "3": {"x": 3, "y": 2, "c": 1}}
    >>> compare(load(qrels, {"good": good, "poor": poor}), "AP").comparison.significant_count
    0
    """
    return _compared(data, options)


@verb(PageCompareOptions)
def compare_on_page(data: Given, options: PageCompareOptions) -> Compared:
    """Compare systems as `compare` does, as a part of a page whose claims stand in one order."""
    return _compared(data, options)


def _compared(data: Given, options: CompareOptions) -> Compared:
    options.check_history()
    options.check_written()
    asked = options.measures or options.usual
    runs = opened_needs(data, options.workers, asked, missing=options.missing, **options.about_topics)
    if options.baseline is not None:
        options = replace(options, baseline=baseline_of(runs, options.baseline))
    scored = scored_by_measure(runs, options)
    check_kept(scored[0].whole.scores.systems, options.baseline, options.keep_systems)
    if options.own_transform == "log":
        measures_of_logs = [own.whole.scores.measures[0] for own in scored]
        options = replace(options, margin=margins_of_logs(options.margin, measures_of_logs))
    decisions = decided(scored, options)
    parts = zip(
        scored,
        decisions,
        changes(scored, decisions, options),
        slices_by_measure(scored, decisions, options),
        ignored_clusters(scored, decisions, options),
        survivals(runs, scored, decisions, options),
        claims_and_holes(runs, scored, decisions),
        strict=True,
    )
    each = tuple(
        MeasureCompared(scores, claims.comparisons, claims.intervals, claims.verdicts, changed, claims.margin, *further)
        for scores, claims, changed, *further in parts
    )
    margins = (
        None if options.margin is None else tuple(claims.margin for claims in decisions if claims.margin is not None)
    )
    first, measures = each[0], tuple(compared.measure for compared in each)
    covered = tuple(comparison.population for comparison in first.comparisons)
    standing = standing_of(options, len(measures) * len(covered))
    order = Order(options.family, measures, covered, options.alpha, standing, options.slice_columns)
    compared = Compared(each, margins, options.worst, options.test is None, order, RunLists.of(runs))
    options.write(compared)
    remember(compared, runs, options)
    return compared
