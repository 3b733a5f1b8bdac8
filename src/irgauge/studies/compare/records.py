"""Systems, pairs and populations of a comparison as records: what tables, JSON and charts are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irgauge.compute.arrays import Signs
from irgauge.inference.by_topic import largest_records, wins_of
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import MeanInterval
from irgauge.studies import tested
from irgauge.studies.tested import records_of, slice_records, slices_content

if TYPE_CHECKING:
    from irgauge.studies.compare.study import MeasureCompared


def counts(comparison: Comparison) -> dict[str, Any]:
    """How many pairs differ, and who is in the top group."""
    top = comparison.top_group if comparison.baseline is None else None
    return {
        "significant": comparison.significant_count,
        "not_significant": comparison.not_significant_count,
        "top_group": None if top is None else len(top),
        "top_group_systems": top,
    }


def population_record(result: MeasureCompared, comparison: Comparison) -> dict[str, Any]:
    """What is found under one population; of kinds with shares each pair has degrees of freedom of its own."""
    sampling = result.scored.sampling
    is_shared = sampling is None or len(sampling.freedom) == 1
    return {
        "population": comparison.population,
        "test": comparison.test,
        **counts(comparison),
        "error_ms": comparison.error_ms,
        "df": comparison.df if is_shared else None,
    }


def measure_record(result: MeasureCompared, worst: int) -> dict[str, Any]:
    """All that is found by one measure, with so many topics with the largest gains and losses."""
    first = result.comparison
    return {
        "measure": result.measure,
        "direction": first.direction,
        "test": first.test,
        "baseline": first.baseline,
        "margin": result.margin,
        **counts(first),
        "systems": [record for comparison in result.comparisons for record in system_records(result, comparison)],
        "pairs": [
            record for comparison in result.comparisons for record in pair_records(result, comparison.population)
        ],
        "topics": largest_records(result.scored.of(first.population), first, worst),
        "populations": {
            comparison.population: population_record(result, comparison) for comparison in result.comparisons
        },
        "spread": result.scored.spreads(result.comparisons),
        "changes_on_common_topics": result.changes,
        "ignored_clusters": [dict(ignored._asdict()) for ignored in result.ignored],
        "without_transform": result.survivals,
        "holes": result.holes,
        **slices_content(result.sliced, list(slice_records(result.measure, result.sliced.slices))),
    }


def pair_records(result: MeasureCompared, population: str | None = None) -> list[dict[str, Any]]:
    """Every pair: see `pair_columns`."""
    return records_of(pair_columns(result, population))


def pair_columns(result: MeasureCompared, population: str | None = None) -> dict[str, list[Any]]:
    """Of every pair its difference with its interval, p, what happened on topics, and the verdict."""
    comparison = result.under(population)
    per_topic = wins_of(result.scored.of(comparison.population), comparison)
    columns = tested.pair_columns(result.measure, comparison, result.verdicts[comparison.population])
    columns |= {name: counts.tolist() for name, counts in per_topic._asdict().items()}
    return columns | {"effective_topics": result.effective_topics(comparison).tolist()}


def alike(comparison: Comparison) -> set[str]:
    """The best system, or the baseline, and those that do not differ from it."""
    if comparison.baseline is None:
        return set(comparison.top_group)
    return {
        comparison.baseline,
        *(comparison.systems[system] for system in comparison.first[~comparison.significant].tolist()),
    }


def shown_intervals(result: MeasureCompared, comparison: Comparison) -> list[MeanInterval]:
    """The intervals that stand beside the means of a comparison, in the order of its systems."""
    return [interval.of(comparison.systems) for interval in result.intervals[comparison.population]]


def system_records(result: MeasureCompared, comparison: Comparison) -> list[dict[str, Any]]:
    """Every system, best first: its mean and intervals, its group, and the letters of those it does not differ from.

    Beside a mean over shards stands that on the whole corpus, where it is known.
    """
    shown = shown_intervals(result, comparison)
    whole = result.scored.whole_means if result.shards_of(comparison.population) > 1 else {}
    letters = comparison.groups.texts if comparison.baseline is None else ("",) * len(comparison.systems)
    top = alike(comparison)
    claim = {"population": comparison.population, "alpha": comparison.alpha, "direction": comparison.direction}
    same = {"n": comparison.topics, **claim}
    records = []
    for i, (system, mean) in enumerate(zip(comparison.systems, comparison.means.tolist(), strict=True)):
        ends = {
            interval_end(interval, end): float(getattr(interval, end)[i])
            for interval in shown
            for end in ("low", "high")
        }
        of_mean = {"mean": mean, "low": ends.pop("low", None), "high": ends.pop("high", None)}
        own = {"rank": i + 1, "whole_mean": whole.get(system), "is_top": system in top, "letters": letters[i]}
        records.append({"measure": result.measure, "system": system, **of_mean, **same, **own, **ends})
    return records


def interval_end(interval: MeanInterval, end: str) -> str:
    """The name of an end of an interval in a row of systems: that of the mean has no name of its own."""
    return end if interval.name == "mean" else f"{interval.name.lower()}_{end}"


class Neighbours(NamedTuple):
    """Two systems next to each other in the ranking, and whether they differ for each population."""

    rank: int  # of the upper one
    upper: str
    lower: str
    difference: float
    p_adjusted: dict[str, float]  # population -> p, adjusted for all pairs
    differs: dict[str, bool]  # population -> whether adjusted p ≤ α


def neighbours(comparisons: Sequence[Comparison]) -> tuple[Neighbours, ...]:
    """The neighbours down the ranking of the first comparison, under each population."""
    systems, means = comparisons[0].systems, comparisons[0].means
    p = {
        comparison.population: np.diagonal(comparison.matrix(comparison.p_adjusted, systems), 1)
        for comparison in comparisons
    }  # upper system
    return tuple(
        Neighbours(
            rank + 1,
            systems[rank],
            systems[rank + 1],
            float(means[rank] - means[rank + 1]),
            {name: float(each[rank]) for name, each in p.items()},
            {
                comparison.population: bool(p[comparison.population][rank] <= comparison.alpha)
                for comparison in comparisons
            },
        )
        for rank in range(len(systems) - 1)
    )


@dataclass(frozen=True)
class PopulationCounts:
    """How many pairs differ for other topics, for other documents or shards, and for both together."""

    pairs: int
    found: Mapping[str, int]  # population -> pairs that differ: topics, then what shards say, then both
    shared: int  # pairs that differ, in the same direction, for other topics and for other documents or shards
    opposite: int  # pairs that differ for both, but in opposite directions
    topics_only: int
    other_only: int


def coverage(comparisons: Sequence[Comparison]) -> PopulationCounts | None:
    """Which differences hold for which population; None where there is one population only."""
    of: dict[str, Comparison] = {comparison.population: comparison for comparison in comparisons}
    other = next((name for name in ("documents", "shards") if name in of), None)
    if other is None or "topics" not in of:
        return None
    systems = comparisons[0].systems
    topics, beside = (_decisions(of[name], systems) for name in ("topics", other))
    shared, opposite = (int((topics * beside == sign).sum()) // 2 for sign in (1, -1))
    counts: dict[str, int] = {
        name: of[name].significant_count for name in ("topics", other, "both", "topics+shards") if name in of
    }
    return PopulationCounts(
        pairs=len(comparisons[0].first),
        found=counts,
        shared=shared,
        opposite=opposite,
        topics_only=counts["topics"] - shared - opposite,
        other_only=counts[other] - shared - opposite,
    )


def _decisions(comparison: Comparison, order: Sequence[str]) -> Signs:
    """decisions[system, system]: 1 where the first is significantly better, −1 where the second is, else 0."""
    square = np.zeros((len(comparison.systems),) * 2, np.int8)
    square[comparison.first, comparison.second] = comparison.significant
    square[comparison.second, comparison.first] = -comparison.significant.astype(np.int8)
    places = [comparison.systems.index(system) for system in order]
    return square[np.ix_(places, places)]
