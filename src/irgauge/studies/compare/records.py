"""Systems, pairs and populations of a comparison as records: what tables, JSON and charts are made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from irgauge.inference.by_topic import largest_records, wins_of
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import MeanInterval

if TYPE_CHECKING:
    from irgauge.studies.compare.study import MeasureCompared


def counts(one: Comparison) -> dict[str, Any]:
    """How many pairs differ, and who is in the top group."""
    top = one.top_group if one.baseline is None else None
    return {
        "significant": one.significant_count,
        "not_significant": one.not_significant_count,
        "top_group": None if top is None else len(top),
        "top_group_systems": top,
    }


def population_record(one: Comparison) -> dict[str, Any]:
    """What is found under one population."""
    return {"population": one.population, "test": one.test, **counts(one), "error_ms": one.error_ms, "df": one.df}


def measure_record(result: MeasureCompared, worst: int) -> dict[str, Any]:
    """All that is found by one measure, with so many topics with the largest gains and losses."""
    first = result.comparison
    return {
        "measure": result.measure,
        "test": first.test,
        "baseline": first.baseline,
        "margin": result.margin,
        **counts(first),
        "systems": system_records(result, first),
        "pairs": pair_records(result),
        "topics": largest_records(result.scored.of(first.population), first, worst),
        "populations": {one.population: population_record(one) for one in result.comparisons},
        "spread": result.scored.spreads(result.comparisons),
        "changes_on_common_topics": result.changes,
    }


def pair_records(result: MeasureCompared, population: str | None = None) -> list[dict[str, Any]]:
    """Every pair: see `pair_columns`."""
    columns, measure = pair_columns(result, population), result.measure
    rows = zip(*columns.values(), strict=True)
    return [{"measure": measure, **dict(zip(columns, row, strict=True))} for row in rows]


def pair_columns(result: MeasureCompared, population: str | None = None) -> dict[str, list[Any]]:
    """Of every pair its difference with its interval, p, what happened on topics, and the verdict."""
    one = result.under(population)
    found, per_topic = result.verdicts[one.population], wins_of(result.scored.of(one.population), one)
    columns = one.frame().to_dict(as_series=False)
    columns |= {name: counts.tolist() for name, counts in per_topic._asdict().items()}
    columns["verdict"] = list(found.verdicts)
    columns["detectable"] = [value if math.isfinite(value) else None for value in found.detectable.tolist()]
    if found.low is not None and found.high is not None:
        columns |= {"margin_low": found.low.tolist(), "margin_high": found.high.tolist()}
    return columns


def alike(one: Comparison) -> set[str]:
    """The best system, or the baseline, and those that do not differ from it."""
    if one.baseline is None:
        return set(one.top_group)
    return {one.baseline, *(one.systems[system] for system in one.first[~one.significant].tolist())}


def of_population(one: Comparison, intervals: Sequence[MeanInterval]) -> list[MeanInterval]:
    """The intervals that are about the population of the comparison, in the order of its systems."""
    return [interval.of(one.systems) for interval in intervals if interval.population == one.population]


def system_records(result: MeasureCompared, one: Comparison) -> list[dict[str, Any]]:
    """Every system, best first: its mean and intervals, its group, and the letters of those it does not differ from.

    Beside a mean over shards stands that on the whole corpus, where it is known.
    """
    shown = of_population(one, result.intervals[one.population])
    whole = result.scored.whole_means if result.shards_of(one.population) > 1 else {}
    letters = one.groups.texts if one.baseline is None else ("",) * len(one.systems)
    top = alike(one)
    records = []
    for i, (system, mean) in enumerate(zip(one.systems, one.means.tolist(), strict=True)):
        ends = {
            f"{interval.name.lower()}_{end}": float(getattr(interval, end)[i])
            for interval in shown
            for end in ("low", "high")
        }
        group = {"is_top": system in top, "letters": letters[i]}
        means = {"mean": mean} | ({"whole_mean": whole[system]} if whole else {})
        records.append({"rank": i + 1, "system": system, **means, **ends, **group})
    return records
