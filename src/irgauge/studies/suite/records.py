"""Systems, populations and collections of a suite as records: what tables, JSON and charts are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irgauge.studies.suite.claims import Claims

if TYPE_CHECKING:
    from irgauge.studies.suite.study import OnCollection, SuiteCompared


def system_records(result: SuiteCompared) -> list[dict[str, Any]]:
    """Every system, best first: its mean over collections and on each, and for each population ranks and group."""
    means = result.means
    return [
        {
            "rank": place + 1,
            "system": system,
            "mean": float(means[:, place].mean()),
            "means": dict(zip(result.collections, means[:, place].tolist(), strict=True)),
            "ranks": {one.population: one.ranks_of(system) for one in result.over},
            "is_top": {one.population: system in one.top_group for one in result.over},
        }
        for place, system in enumerate(result.systems)
    ]


def population_record(claims: Claims) -> dict[str, Any]:
    """What is found for one population."""
    return {
        "test": claims.comparison.test,
        "significant": claims.comparison.significant_count,
        "not_significant": claims.comparison.not_significant_count,
        "top_group_systems": claims.top_group,
        "margin": claims.verdicts.margin,
        "pairs": claims.pair_records(),
    }


def collection_record(collection: OnCollection, systems: tuple[str, ...]) -> dict[str, Any]:
    """What is found on one collection."""
    own = [
        {"system": system, "mean": mean, "ranks": collection.claims.ranks_of(system)}
        for system, mean in zip(systems, collection.means.tolist(), strict=True)
    ]
    return {
        "collection": collection.name,
        "topics": collection.topics,
        "systems": own,
        **population_record(collection.claims),
    }


def said_of(claims: Claims) -> dict[str, str]:
    """What is said of each system: its verdict against the baseline, or whether it is in the top group."""
    compared = claims.comparison
    if compared.baseline is None:
        top = set(claims.top_group)
        best = compared.systems[0]
        return {system: BEST if system == best else TOP if system in top else BELOW for system in compared.systems}
    names = (first for first, _ in compared.names)
    return {**dict(zip(names, claims.verdicts.verdicts, strict=True)), compared.baseline: BASELINE}


BEST, TOP, BELOW, BASELINE = "the best", "not different from the best", "significantly worse", "the baseline"
