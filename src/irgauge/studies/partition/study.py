"""Which systems differ by random splits of the documents? The partition method: an ANOVA of each of many splits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from irgauge.brief import OneLine
from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.aggregation import aggregation
from irgauge.inference.corrections import BH, correction
from irgauge.options.progress import Progress
from irgauge.options.verbs import verb
from irgauge.provenance import Provenance
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import Data, kept_count
from irgauge.replicates.facts import measures as measures_told
from irgauge.replicates.given import Given, claimed_measures, only_higher, opened
from irgauge.scoring.measures import Measure
from irgauge.studies.partition.further import (
    OfSplitCount,
    OfSystemCount,
    TermEffects,
    by_split_count,
    by_system_count,
    check_system_counts,
    term_effects,
)
from irgauge.studies.partition.inferring import Drawing
from irgauge.studies.partition.lengths import (
    IntervalLengths,
    RelatedRuns,
    first_lengths,
    interval_lengths,
    lengths_record,
    members_of,
    related_record,
    related_runs,
)
from irgauge.studies.partition.options import PartitionOptions
from irgauge.studies.partition.records import pair_rows, rule_record, split_rows, splits_record, system_rows
from irgauge.studies.partition.side_by_side import SideBySide, compare_tests, test_rows, tests_record
from irgauge.studies.partition.split import Divider, GivenParts, asked_of_table, check_split
from irgauge.studies.partition.splits import Splits, alphas, many_splits
from irgauge.studies.result import Result

_POINTS = 400  # of a curve
_REACH = 4.0  # standard errors to each side


@dataclass(frozen=True, eq=False)
class Difference:
    """The density of the difference of two systems in the first split; half of p is its area below 0."""

    better: str
    worse: str
    difference: float
    error: float  # its standard error
    df: float
    at: Floats
    density: Floats
    p: float  # not corrected


@dataclass(frozen=True, eq=False)
class Overlap:
    """The densities of the effects of two systems; p is the area of the worse one's from the better one's effect on."""

    better: str
    worse: str
    effects: tuple[float, float]  # better, worse
    mean: float  # of all scores: an effect and this make a mean score
    at: Floats
    densities: Floats  # better and worse, at
    p: float  # not corrected


def densities(splits: Splits, system: str, other: str) -> Difference | Overlap:
    """Of two systems in the first split, as their p is taken."""
    return overlap(splits, system, other) if splits.drawing.is_paper else difference(splits, system, other)


def difference(splits: Splits, system: str, other: str) -> Difference:
    """The density of the difference of two systems in the first split, from below 0 on."""
    a, b = _ahead(splits, system, other)
    contrasts, pair = splits.differences, splits.place(splits.systems[a], splits.systems[b])
    d, error = abs(float(contrasts.estimate[pair])), float(contrasts.error[pair])
    at = np.linspace(min(d - _REACH * error, -error), d + _REACH * error, _POINTS)
    sign = 1 if contrasts.estimate[pair] >= 0 else -1
    density = contrasts.density(pair, sign * at)
    p = float(contrasts.p[pair])
    return Difference(splits.systems[a], splits.systems[b], d, error, float(contrasts.df[pair]), at, density, p)


def overlap(splits: Splits, system: str, other: str) -> Overlap:
    """The densities of two systems in the first split, as in the paper (Figure 3)."""
    a, b = _ahead(splits, system, other)
    drawn = splits.bootstrap
    ends = drawn.draws[[a, b]][:, [0, -1]]
    at = np.linspace(ends.min(), ends.max(), _POINTS)
    effects, p = (float(drawn.effects[a]), float(drawn.effects[b])), float(drawn.reached[a, b])
    own = np.array([drawn.density(a, at), drawn.density(b, at)])
    return Overlap(splits.systems[a], splits.systems[b], effects, drawn.mean, at, own, p)


def _ahead(splits: Splits, first: str, other: str) -> tuple[int, int]:
    """Two systems, the better one in the first split before the other."""
    a, b = (splits.systems.index(known(system, splits.systems, "system")) for system in (first, other))
    effects = splits.inferences[0].effects
    return (a, b) if effects[a] >= effects[b] else (b, a)


@dataclass(frozen=True, eq=False, repr=False)
class OfMeasure(OneLine):
    """What was found by one measure: the splits, and what was asked for besides."""

    in_line: ClassVar[tuple[str, ...]] = ("measure",)

    splits: Splits
    tests: SideBySide | None = None
    lengths: IntervalLengths | None = None
    related: RelatedRuns | None = None
    terms: tuple[TermEffects, ...] = ()  # effects of topics, and of systems on topics
    by_splits: tuple[OfSplitCount, ...] = ()
    by_systems: tuple[OfSystemCount, ...] = ()

    @property
    def measure(self) -> str:
        """The measure."""
        return self.splits.measure

    @cached_property
    def effects(self) -> IntervalLengths:
        """The effects of systems in the first split with their intervals, without and with interactions."""
        if self.lengths is not None and self.splits.parts in self.lengths.parts:
            return self.lengths.of(self.splits.parts)
        return first_lengths(self.splits)

    def content(self) -> dict[str, Any]:
        """All that is said by this measure."""
        return {
            **splits_record(self.splits),
            "tests": None if self.tests is None else tests_record(self.tests),
            "lengths": None if self.lengths is None else lengths_record(self.lengths),
            "groups": None if self.related is None else related_record(self.related),
            "terms": self.terms,
            "by_splits": self.by_splits,
            "by_systems": self.by_systems,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Partitioned(Result):
    """What random splits of the documents say of all pairs of systems, by one measure or two."""

    study: ClassVar[str] = "partition"

    measures: tuple[OfMeasure, ...]
    pair: tuple[str, str] | None  # whose difference is asked for; None: the best neighbours that overlap

    @property
    def parts(self) -> Mapping[str, OfMeasure]:
        """Measure -> what was found by it."""
        return {measure.measure: measure for measure in self.measures}

    @property
    def first(self) -> OfMeasure:
        """What was found by the first measure."""
        return self.measures[0]

    def of(self, measure: str | None) -> OfMeasure:
        """What was found by a measure; by the first if none is named."""
        by_name = {measure.measure: measure for measure in self.measures}
        return self.first if measure is None else by_name[known(measure, by_name, "measure")]

    @cached_property
    def densities(self) -> Difference | Overlap:
        """What the p of the pair asked for, or of the closest decision, is made of, by the first measure."""
        return densities(self.first.splits, *(self.pair or self.first.splits.closest))

    @property
    def provenance(self) -> Provenance:
        """How the splits were drawn, and how they became one decision."""
        return self.first.splits.provenance | measures_told(tuple(measure.measure for measure in self.measures))

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """Pairs by all splits together, by each split, or by the tests side by side; or systems."""
        if name == "by-test":
            tests = [measure.tests for measure in self.measures if measure.tests is not None]
            return (row for each in tests for row in test_rows(each))
        rows = {"pairs": pair_rows, "by-split": split_rows, "systems": system_rows}[name]
        return (row for measure in self.measures for row in rows(measure.splits))

    def content(self) -> dict[str, Any]:
        """All of each measure, and the densities of one pair; the draws themselves are left out."""
        return {
            "aggregate": rule_record(self.first.splits),
            "measures": [measure.content() for measure in self.measures],
            "densities": self.densities,
        }


@verb(PartitionOptions)
def partition(data: Given, options: PartitionOptions) -> Partitioned:
    """Compare systems by the partition method: an ANOVA for each of several random splits of the documents.

    The fill "redraw" draws a split again until every topic has relevant documents in every part; "drop" leaves the
    topics out that have not. Topics are fixed, so that claims cover other documents for these topics; with
    drawn="topics" they cover other topics too. p is two-sided, of the difference of two systems over the parts. With
    p="paper" it is as in the paper: a ranking of evidence, not an error rate; sides=1 does not double it for the better
    system, which is taken from the data. A table of scores with replicates is one split, whose parts they are.
    Voorhees, Samarov and Soboroff (TOIS 2017).

    >>> from irgauge import load
    >>> topics = {str(t): [f"d{t}{i}" for i in range(20)] for t in range(5)}
    >>> qrels = {t: {doc: i % 2 for i, doc in enumerate(docs)} for t, docs in topics.items()}
    >>> good = {t: {doc: 30 - i + 20 * (i % 2) for i, doc in enumerate(docs)} for t, docs in topics.items()}
    >>> poor = {t: {doc: i + i % 3 for i, doc in enumerate(docs)} for t, docs in topics.items()}
    >>> found = partition(load(qrels, {"good": good, "poor": poor}), "AP", splits=3)
    >>> found.first.splits.significant_count
    1
    """
    opened_data = opened(data, options.workers, missing=options.missing)
    measures = only_higher(claimed_measures(opened_data, options.measures, options.usual), "partition")
    source = opened_data.runs() if opened_data.has_runs else GivenParts(opened_data.whole(measures), options.workers)
    if not opened_data.has_runs:
        options.check_measures(measures)
        options = asked_of_table(options, opened_data.replicate_count)
    members = _checked(opened_data, options, measures)
    dividers = [Divider(source, measure, options) for measure in measures]
    _check_pair(options.pair, dividers[0].pairs.systems)
    claims = []
    for done, divider in enumerate(dividers):
        splits = many_splits(divider, _from(options.told, done * options.splits, len(dividers) * options.splits))
        claims.append(
            OfMeasure(
                splits,
                compare_tests(divider, splits, options.tested_parts, alphas(options.alpha))
                if options.tested_parts
                else None,
                interval_lengths(divider, options.measured_parts) if options.measured_parts else None,
                related_runs(divider, members) if members else None,
                term_effects(splits, options.draws) if options.all_effects else (),
                by_split_count(splits) if options.by_splits else (),
                by_system_count(splits, options.by_systems) if options.by_systems is not None else (),
            )
        )
    return Partitioned(tuple(claims), options.pair)


def _from(progress: Progress | None, before: int, total: int) -> Progress | None:
    """What is told how far the splits of one measure are, among those of all."""
    return None if progress is None else lambda done, _: progress(before + done, total)


def _checked(data: Data, options: PartitionOptions, measures: Sequence[Measure]) -> dict[str, set[str]] | None:
    """Refuse before any long work what these data cannot answer; the groups of systems, if any are asked for."""
    aggregation(options.aggregate)
    for name in (options.correction, options.tests_correction):
        correction(name or BH.name)
    for alpha in alphas(options.alpha) if options.tested_parts else (options.alpha,):
        Drawing.of(replace(options, alpha=alpha))  # refuses too few draws
    kept = kept_count(options.keep_systems, len(data.systems))
    if kept < 2:
        raise DesignError(f"a pair is two systems, and there is {kept}; give more runs, or keep more")
    if options.by_systems is not None:
        check_system_counts(options.by_systems, kept)
    if data.has_runs:
        _check_splits(data.runs(), measures, options)
    if options.groups is None:
        return None
    return members_of(options.groups, data.systems, skip_singles=options.skip_singles)


def _check_splits(runs: Bench, measures: Sequence[Measure], options: PartitionOptions) -> None:
    for measure in measures:
        for parts in dict.fromkeys((options.parts, *options.tested_parts)):
            check_split(runs.collection, measure, parts, options.fill)
        _check_lengths(runs, measure, options)


def _check_lengths(runs: Bench, measure: Measure, options: PartitionOptions) -> None:
    try:
        for parts in options.measured_parts:
            check_split(runs.collection, measure, parts, options.fill)
    except DesignError as error:
        raise DesignError(f"lengths of intervals: {error}; or name other numbers of parts, such as 2,3") from None


def _check_pair(pair: tuple[str, str] | None, systems: Sequence[str]) -> None:
    for system in pair or ():
        known(system, systems, "system", hint=f"a pair is two of the {len(systems)} systems kept")
