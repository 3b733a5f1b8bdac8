"""From scores to claims: tests of the pairs by each measure, corrected together where asked, and a verdict on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irgauge.compute.arrays import Bools
from irgauge.inference.comparison import Comparison, corrected_together, share_of
from irgauge.inference.intervals import MeanInterval
from irgauge.inference.margins import Margin, check_level_of_margin, margin_of
from irgauge.inference.verdicts import Verdict, Verdicts, by_margin, by_test, mirrored, same_scores
from irgauge.models.anova import Population
from irgauge.studies.compare.options import CompareOptions
from irgauge.studies.compare.testing import Scored, compared, correction_of, intervals, populations


@dataclass(frozen=True, eq=False)
class Claims:
    """What is claimed by one measure."""

    comparisons: tuple[Comparison, ...]  # population
    intervals: Mapping[str, tuple[MeanInterval, ...]]  # population -> of means
    verdicts: Mapping[str, Verdicts]  # population -> of each pair
    margin: Margin | None


def decided(scored: Sequence[Scored], options: CompareOptions) -> tuple[Claims, ...]:
    """The claims by each measure."""
    covered = populations(scored[0].shards, options)
    tested = {
        population: _tested(scored, population, options, options.alpha) for population in covered
    }  # population -> comparison[measure]
    wide = (
        {}
        if options.margin is None
        else {population: _for_margin(scored, tested[population], options) for population in covered}
    )
    claims = []
    for i, scores in enumerate(scored):
        comparisons = tuple(tested[population][i] for population in covered)
        margin = margin_of(options.margin, scores.measure)
        verdicts: dict[str, Verdicts] = {
            each.population: _verdicts(scores, each, margin, wide[each.population][i] if wide else None)
            for each in comparisons
        }
        means: dict[str, tuple[MeanInterval, ...]] = {each.population: intervals(scores, each) for each in comparisons}
        claims.append(_within(Claims(comparisons, means, verdicts, margin), scores))
    return tuple(claims)


def _within(claims: Claims, scored: Scored) -> Claims:
    """With intervals of differences that are possible; tests and verdicts rest on those as they were computed."""
    return replace(
        claims,
        comparisons=tuple(
            comparison.within(scored.range_of(comparison.population)) for comparison in claims.comparisons
        ),
        verdicts={name: verdicts.within(scored.range_of(name)) for name, verdicts in claims.verdicts.items()},
    )


def _for_margin(
    scored: Sequence[Scored], comparisons: tuple[Comparison, ...], options: CompareOptions
) -> tuple[Comparison, ...]:
    """The comparisons at 2α, whose intervals have a side of α for each pair.

    Where the test is of all pairs together, that would not hold for pairs that lie on different sides of the margin:
    there the intervals are those at α.
    """
    comparison = comparisons[0]
    if comparison.corrected_by.is_of_test and len(comparison.first) > 1:
        return comparisons
    check_level_of_margin(options.alpha)
    return _tested(scored, comparison.population, options, 2 * options.alpha)


def _tested(
    scored: Sequence[Scored], population: Population, options: CompareOptions, alpha: float
) -> tuple[Comparison, ...]:
    """The comparison by each measure; with the measures as one family, each at its share of α."""
    if not options.measures_family:
        return tuple(compared(scores, population, options, alpha) for scores in scored)
    share = share_of(alpha, len(scored), correction_of(population, options))
    return corrected_together([compared(scores, population, options, share) for scores in scored], alpha)


def _verdicts(scored: Scored, comparison: Comparison, margin: Margin | None, wide: Comparison | None) -> Verdicts:
    if margin is None or wide is None:
        return by_test(comparison, same(scored, comparison))
    mean = (
        None if comparison.baseline is None else float(comparison.means[comparison.systems.index(comparison.baseline)])
    )
    return by_margin(
        comparison, wide, margin.of(mean, scored.range_of(comparison.population)), same(scored, comparison)
    )


def same(scored: Scored, comparison: Comparison) -> Bools:
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
    first: str
    second: str
    verdict: Verdict  # on all topics
    on_common: Verdict  # on the topics that all systems answer
    topics: int  # of these


def changes(
    scored: Sequence[Scored], claims: Sequence[Claims], options: CompareOptions
) -> tuple[tuple[Change, ...], ...]:
    """The changes by each measure; none where all systems answer all topics, or hardly any topic is left."""
    common = [scores.common() for scores in scored]
    left = [scores for scores in common if scores is not None]
    if len(left) < len(scored):
        return ((),) * len(scored)
    again = decided(left, replace(options, keep_systems="all"))
    return tuple(_changed(before, after) for before, after in zip(claims, again, strict=True))


def _changed(before: Claims, after: Claims) -> tuple[Change, ...]:
    changed = []
    for comparison, other in zip(before.comparisons, after.comparisons, strict=True):
        on_common: dict[tuple[str, str], Verdict] = {}
        for (first, second), verdict in zip(other.names, after.verdicts[other.population].verdicts, strict=True):
            on_common |= {(first, second): verdict, (second, first): mirrored(verdict)}
        for pair, verdict in zip(comparison.names, before.verdicts[comparison.population].verdicts, strict=True):
            if on_common[pair] != verdict:
                changed.append(Change(comparison.population, *pair, verdict, on_common[pair], other.topics))
    return tuple(changed)
