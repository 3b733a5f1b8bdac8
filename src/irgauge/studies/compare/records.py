"""Systems and populations of a comparison as records: what tables, JSON and charts are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import MeanInterval


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


def alike(one: Comparison) -> set[str]:
    """The best system, or the baseline, and those that do not differ from it."""
    if one.baseline is None:
        return set(one.top_group)
    pairs = ~one.significant
    ends = {*one.first[pairs].tolist(), *one.second[pairs].tolist()}
    return {one.baseline, *(one.systems[i] for i in ends)}


def of_population(one: Comparison, intervals: Sequence[MeanInterval]) -> list[MeanInterval]:
    """The intervals that are about the population of the comparison, in the order of its systems."""
    return [interval.of(one.systems) for interval in intervals if interval.population == one.population]


def system_records(one: Comparison, intervals: Sequence[MeanInterval]) -> list[dict[str, Any]]:
    """Every system, best first: its mean and intervals, its group, and the letters of those it does not differ from."""
    shown = of_population(one, intervals)
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
        records.append({"rank": i + 1, "system": system, "mean": mean, **ends, **group})
    return records


def baseline_records(one: Comparison) -> list[dict[str, Any]]:
    """The systems as differences from the baseline, best first: where it is the better one, the sign turns."""
    place = one.systems.index(str(one.baseline))
    records = []
    for pair, (first, second) in enumerate(zip(one.first.tolist(), one.second.tolist(), strict=True)):
        turn, other = (-1, second) if first == place else (1, first)
        ends = sorted((turn * float(one.low[pair]), turn * float(one.high[pair])))
        records.append(
            {
                "system": one.systems[other],
                "rank": other + (other < place),
                "difference": turn * float(one.difference[pair]),
                "low": ends[0],
                "high": ends[1],
                "p": float(one.p[pair]),
                "significant": bool(one.significant[pair]),
            }
        )
    return sorted(records, key=lambda record: int(record["rank"]))
