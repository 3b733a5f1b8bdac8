"""From scores to claims: which scores and which test answer for a population, and the verdict on each pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from irgauge.brief import OneLine
from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.families import corrected_together, level_of
from irgauge.inference.hierarchy import Standing, in_families
from irgauge.inference.intervals import MeanInterval, anova_interval, sem_interval, tukey_interval
from irgauge.inference.margins import Margin, against_share, check_level_of_margin, check_measures_of, margin_of
from irgauge.inference.mean_bounds import mean_bounds
from irgauge.inference.sampled_bounds import sampled_bounds
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.record import Experiment, Test
from irgauge.inference.tests.registry import TESTS, check_correction, check_sides, default_test, known_test
from irgauge.inference.verdicts import Verdict, Verdicts, by_margin, by_test, mirrored, same_scores
from irgauge.models.anova import Fit, Model, Population, decompose
from irgauge.models.checks import brown_forsythe
from irgauge.replicates.measured import Measured
from irgauge.scoring.measures import Range, range_of
from irgauge.studies.compare.options import CompareOptions
from irgauge.studies.sampled import drawn
from irgauge.studies.tested import claimable

_FEWEST_TOPICS = 3  # for a comparison
_FEWEST = 10  # values of each system: with fewer, the test of their spread finds differences that are not there


@dataclass(frozen=True)
class Spread:
    """Whether systems vary alike (Levene's test), as Tukey's test takes for granted."""

    population: Population
    statistic: float
    p: float
    least: float  # the standard deviation of the errors of the system that varies least
    most: float


@dataclass(frozen=True, eq=False, repr=False)
class ComparedScores(OneLine):
    """The scores that comparisons rest on."""

    in_line: ClassVar[tuple[str, ...]] = ("measure",)

    whole: Measured  # for claims about topics
    shards: Measured  # for claims about documents and shards; the whole corpus, where there are none
    model: Model  # of the shards
    sampling: Sampling | None = None  # clusters and weights of topics; None: drawn one by one, and alike

    @property
    def measure(self) -> str:
        """What was measured."""
        return str(self.whole.scores.measures[0])

    def common(self) -> ComparedScores | None:
        """The same on the topics that all systems answer; None where that is all topics, or hardly any."""
        whole = self.whole.common()
        shards = whole if self.shards is self.whole else self.shards.common()
        if whole is None or shards is None or len(whole.scores.topics) < _FEWEST_TOPICS:
            return None
        try:
            return ComparedScores(whole, shards, self.model, self._sampling_on(whole.scores.topics))
        except DesignError:  # of clusters, or of topics of a kind, hardly any are left
            return None

    def _sampling_on(self, topics: Sequence[str]) -> Sampling | None:
        places = {topic: place for place, topic in enumerate(self.whole.scores.topics)}
        return None if self.sampling is None else self.sampling.on(np.array([places[topic] for topic in topics]))

    def drawn(self, population: str) -> str:
        """What claims about a population are for, in the words of `show.verdicts.FOR`."""
        return drawn(population, self.sampling, self.whole.scores.wordings)

    def of(self, population: str) -> Measured:
        """The scores that answer for a population."""
        return self.whole if population == "topics" else self.shards

    def range_of(self, population: str) -> Range | None:
        """Between which scores the measure lies, where that is known."""
        return range_of(self.whole.scores.measures[0], self.of(population).values())

    @cached_property
    def fit(self) -> Fit:
        """The model of the shards, fitted."""
        return decompose(self.shards.values()).fit(self.model)

    def fit_of(self, population: str) -> Fit:
        """The model that answers for a population: for topics that of the whole corpus."""
        return self._classic if population == "topics" else self.fit

    @cached_property
    def _classic(self) -> Fit:
        return self.fit if self.whole is self.shards else decompose(self.whole.values()).fit("MD1")

    @cached_property
    def whole_means(self) -> dict[str, float]:
        """System -> its mean on the whole corpus; of a table that has shards only, nothing is known of it."""
        if self.whole.shards > 1:
            return {}
        values = self.whole.by_topic()
        means = values.mean(axis=0) if self.sampling is None else self.sampling.means(values)
        return dict(zip(self.whole.scores.systems, means.tolist(), strict=True))

    def by_topic(self, population: str) -> Floats:
        """values[topic, system], over shards where there are some."""
        return self.of(population).by_topic()

    def spreads(self, comparisons: Iterable[Comparison]) -> tuple[Spread, ...]:
        """The check of equal spread for each comparison that rests on it; two systems always spread alike."""
        rest = [
            comparison
            for comparison in comparisons
            if TESTS[comparison.test].is_equal_spread and len(comparison.systems) > 2
        ]
        checks = (spread(self.fit_of(comparison.population), comparison.population) for comparison in rest)
        return tuple(check for check in checks if check is not None)


def spread(fit: Fit, population: Population) -> Spread | None:
    """Brown and Forsythe's test, by system, of what the test takes for error; None of too few values a system."""
    terms = fit.error_of("system", population).terms[:2]
    error = sum((fit.sums.parts[term] for term in terms), np.zeros(())) if terms else fit.residuals()
    if error.size < _FEWEST * error.shape[1]:
        return None
    check, deviations = brown_forsythe(error, 1), error.std(axis=(0, 2))  # system
    return Spread(population, check.statistic, check.p, float(deviations.min()), float(deviations.max()))


def populations(shards: Measured, options: CompareOptions) -> tuple[Population, ...]:
    """What is claimed: what the scores speak of, the population asked for first, as far as the test covers it."""
    every = claimable(shards, options.population, lambda population: chosen_test(population, options))
    if options.test is None:
        return every
    covers = known_test(options.test).covers
    left = tuple(population for population in every if population in covers)
    if not left:
        instead = f"use the test {default_test('topics').name}"
        raise DesignError(f"the test {options.test} needs shards: name a way to split, such as even:5, or {instead}")
    if options.population not in (None, left[0]):
        says = f"these scores say nothing of '{options.population}' by the test {options.test}"
        raise DesignError(f"{says}; choose {' or '.join(left)}")
    return left


def compared(
    scored: ComparedScores, population: Population, options: CompareOptions, alpha: float, factor: float = 1.0
) -> Comparison:
    """The pairs under one population, by the test asked for or by its usual one, at a level.

    The baseline's scores may be multiplied, for claims about a share of its mean.
    """
    test, scores = chosen_test(population, options), scored.of(population)
    check_sides(test, options.sides)
    if options.test is not None:
        check_correction(test, options.correction)
    experiment = Experiment(
        scores.values(),
        scores.scores.systems,
        population,
        alpha,
        correction_of(population, options),
        options.baseline,
        options.draws,
        options.seed,
        options.sides,
        within=scored.range_of(population),
        fitted=lambda: scored.fit_of(population),
        direction=scores.direction,
        sampling=scored.sampling,
    )
    return test.compare(experiment if factor == 1 else experiment.with_factor(factor))


def chosen_test(population: Population, options: CompareOptions) -> Test:
    """The test asked for, or the usual one of a population."""
    return default_test(population) if options.test is None else known_test(options.test)


def correction_of(population: Population, options: CompareOptions) -> str:
    """The correction over the pairs: as asked for, or the usual one of the test."""
    test = chosen_test(population, options)
    return options.correction or test.corrected_by.name if test.is_of_pairs else test.corrected_by.name


def intervals(scored: ComparedScores, comparison: Comparison) -> tuple[MeanInterval, ...]:
    """Of each mean, where topics are a sample; by Tukey's test also the papers' three, for comparing systems."""
    of_mean = [mean_interval(scored, comparison)] if comparison.population in ("topics", "both") else []
    intervals = (*of_mean, *(_for_comparing(scored, comparison) if TESTS[comparison.test].needs == "fit" else ()))
    return tuple(interval.within(scored.range_of(comparison.population)) for interval in intervals)


def mean_interval(scored: ComparedScores, comparison: Comparison) -> MeanInterval:
    """The interval of each mean, over other topics; over other documents too, where a topic's score is over shards."""
    scores, values = scored.of(comparison.population).scores, scored.by_topic(comparison.population)
    within = range_of(scores.measures[0], values)
    if scored.sampling is None:
        mean, ends = values.mean(axis=0), mean_bounds(values, alpha=comparison.alpha, within=within)
    else:
        mean, ends = scored.sampling.means(values), sampled_bounds(values, scored.sampling, comparison.alpha, within)
    return MeanInterval(scores.systems, "mean", mean, *ends, comparison.alpha, comparison.population)


def _for_comparing(scored: ComparedScores, comparison: Comparison) -> tuple[MeanInterval, ...]:
    measured, population = scored.of(comparison.population), comparison.population
    fit, systems = scored.fit_of(population), measured.scores.systems
    return (
        tukey_interval(fit, systems, population=population, alpha=comparison.alpha),
        sem_interval(measured.values(), systems, alpha=comparison.alpha),
        anova_interval(fit, systems, population=population, alpha=comparison.alpha),
    )


Tested = dict[tuple[int, Population], Comparison]  # the number of a measure and a population -> its pairs


@dataclass(frozen=True, eq=False)
class MeasureClaims:
    """What is claimed by one measure."""

    comparisons: tuple[Comparison, ...]  # population
    intervals: Mapping[str, tuple[MeanInterval, ...]]  # population -> of means
    verdicts: Mapping[str, Verdicts]  # population -> of each pair
    margin: Margin | None


def decided(scored: Sequence[ComparedScores], options: CompareOptions) -> tuple[MeasureClaims, ...]:
    """The claims by each measure."""
    covered = populations(scored[0].shards, options)
    tested = _tested(scored, covered, options, options.alpha)
    wide = {} if options.margin is None else _for_margin(scored, tested, options)
    check_measures_of(options.margin, [scores.measure for scores in scored])
    claims = []
    for i, scores in enumerate(scored):
        comparisons = tuple(tested[i, population] for population in covered)
        margin = margin_of(options.margin, scores.measure)
        verdicts: dict[str, Verdicts] = {
            each.population: _verdicts(scores, each, margin, wide.get((i, each.population))) for each in comparisons
        }
        means: dict[str, tuple[MeanInterval, ...]] = {each.population: intervals(scores, each) for each in comparisons}
        claims.append(_within(MeasureClaims(comparisons, means, verdicts, margin), scores))
    return tuple(claims)


def _within(claims: MeasureClaims, scored: ComparedScores) -> MeasureClaims:
    """With intervals of differences that are possible; tests and verdicts rest on those as they were computed."""
    return replace(
        claims,
        comparisons=tuple(
            comparison.within(scored.range_of(comparison.population)) for comparison in claims.comparisons
        ),
        verdicts={name: verdicts.within(scored.range_of(name)) for name, verdicts in claims.verdicts.items()},
    )


def _for_margin(scored: Sequence[ComparedScores], tested: Tested, options: CompareOptions) -> Tested:
    """The comparisons at 2α, whose intervals have a side of α for each pair.

    Where the test is of all pairs together, that would not hold for pairs that lie on different sides of the margin:
    there the intervals are those at α.
    """
    if all(map(_is_of_all_pairs, tested.values())):
        return _by_shares(scored, tested, tested, options)
    check_level_of_margin(options.alpha)
    wide = _tested(scored, tuple(dict.fromkeys(population for _, population in tested)), options, 2 * options.alpha)
    return _by_shares(
        scored, tested, {key: each if _is_of_all_pairs(each) else wide[key] for key, each in tested.items()}, options
    )


def _by_shares(scored: Sequence[ComparedScores], tested: Tested, wide: Tested, options: CompareOptions) -> Tested:
    """With claims about margins in per cent by tests of the ratio, each at its level."""
    margins = {key: margin_of(options.margin, scored[key[0]].measure) for key in tested}
    shares = {key: margin for key, margin in margins.items() if margin is not None and margin.is_share}
    by_share = dict(wide)
    for key, margin in shares.items():
        (i, population), mean = key, _baseline_mean(tested[key])
        amount = margin.of(mean, None)
        worse, better = (
            compared(scored[i], population, options, wide[key].own_alpha, factor)
            for factor in margin.factors(mean or 0.0, tested[key].direction)
        )
        by_share[key] = against_share(wide[key], worse, better, amount)
    return by_share


def _baseline_mean(comparison: Comparison) -> float | None:
    """None where there is no baseline."""
    if comparison.baseline is None:
        return None
    return float(comparison.means[comparison.systems.index(comparison.baseline)])


def _is_of_all_pairs(comparison: Comparison) -> bool:
    return comparison.corrected_by.is_of_test and len(comparison.first) > 1


def _tested(
    scored: Sequence[ComparedScores], covered: Sequence[Population], options: CompareOptions, alpha: float
) -> Tested:
    """The comparison by each measure for each population, at its level in the hierarchy of claims."""
    tested: Tested = {}
    ordered = [(i, population) for i in range(len(scored)) for population in covered]
    for group in in_families(ordered, options.family, standing_of(options, len(ordered))):
        levels = [level_of(alpha, group, correction_of(population, options)) for _, population in group.members]
        comparisons = [
            compared(scored[i], population, options, level)
            for (i, population), level in zip(group.members, levels, strict=True)
        ]
        tested |= dict(zip(group.members, corrected_together(comparisons, alpha, group), strict=True))
    return tested


def standing_of(options: CompareOptions, comparisons: int) -> Standing:
    """With slices, which are secondary claims too, other secondary claims have half of their α."""
    standing = options.own_standing
    has_both = bool(options.slice_columns) and (comparisons > 1 or not standing.has_primary)
    return replace(standing, share=standing.share / 2) if has_both else standing


def _verdicts(
    scored: ComparedScores, comparison: Comparison, margin: Margin | None, wide: Comparison | None
) -> Verdicts:
    if margin is None or wide is None:
        return by_test(comparison, same(scored, comparison))
    amount = margin.of(_baseline_mean(comparison), scored.range_of(comparison.population))
    return by_margin(comparison, wide, amount, same(scored, comparison))


def same(scored: ComparedScores, comparison: Comparison) -> Bools:
    """Whether the two systems of each pair have the same score on every topic."""
    values = scored.of(comparison.population).values()  # topic, system, shard
    systems = scored.of(comparison.population).scores.systems
    ranked = values[:, [systems.index(system) for system in comparison.systems]]
    by_system = np.moveaxis(ranked, 1, -1).reshape(-1, len(systems))  # topic and shard, system
    return same_scores(by_system, comparison.first, comparison.second)


@dataclass(frozen=True)
class Change:
    """A verdict that rests on zeros for topics that a run does not answer."""

    population: str
    system: str
    against: str
    verdict: Verdict  # on all topics
    on_common: Verdict  # on the topics that all systems answer
    topics: int  # of these


def changes(
    scored: Sequence[ComparedScores], claims: Sequence[MeasureClaims], options: CompareOptions
) -> tuple[tuple[Change, ...], ...]:
    """The changes by each measure; none where all systems answer all topics, or hardly any topic is left."""
    common = [scores.common() for scores in scored]
    left = [scores for scores in common if scores is not None]
    if len(left) < len(scored):
        return ((),) * len(scored)
    again = decided(left, replace(options, keep_systems="all"))
    return tuple(changed_claims(before, after) for before, after in zip(claims, again, strict=True))


def changed_claims(before: MeasureClaims, after: MeasureClaims) -> tuple[Change, ...]:
    """The verdicts that are others, and what they are."""
    changed = []
    for comparison, other in zip(before.comparisons, after.comparisons, strict=True):
        on_common: dict[tuple[str, str], Verdict] = {}
        for (first, second), verdict in zip(other.names, after.verdicts[other.population].verdicts, strict=True):
            on_common |= {(first, second): verdict, (second, first): mirrored(verdict)}
        for pair, verdict in zip(comparison.names, before.verdicts[comparison.population].verdicts, strict=True):
            if on_common[pair] != verdict:
                changed.append(Change(comparison.population, *pair, verdict, on_common[pair], other.topics))
    return tuple(changed)
