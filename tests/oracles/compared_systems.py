"""Comparisons of simulated systems, for all that test how they are shown."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from irgauge.reading.collection import Collection
from irgauge.show.figure import Figure
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare.study import Compared, compare

POPULATIONS = ("topics", "documents", "both")


@cache
def simulated(systems: int = 8) -> Collection:
    families = min(5, systems)
    design = Design(systems=systems, families=families, topics=10, depth=100, corpus_size=2000)
    return simulate(design).collection()


@cache
def on_shards(systems: int = 8) -> Compared:
    return compare(simulated(systems), "AP", shards="even:3", seed=7)


@cache
def of_a_kind(systems: int = 8) -> Compared:
    return compare(simulated(systems), "AP", shards="match:^....")


@cache
def as_in_the_papers(systems: int = 8) -> Compared:
    return compare(simulated(systems), "AP", shards="even:3", test="tukey", population="documents", seed=7)


@cache
def by_t(systems: int = 8) -> Compared:
    return compare(simulated(systems), "AP")


@cache
def with_baseline(systems: int = 8) -> Compared:
    return compare(simulated(systems), "AP", shards="even:3", baseline=simulated(systems).systems[-1])


RESULTS = {
    "shards": on_shards,
    "kinds": of_a_kind,
    "papers": as_in_the_papers,
    "t": by_t,
    "baseline": with_baseline,
}


def rows_of(figure: Figure) -> list[dict[str, Any]]:
    """The largest of the inline data of a chart."""
    spec = figure.to_dict()
    json.dumps(spec, allow_nan=False)  # NaN is not JSON, and browsers refuse it
    datasets: list[list[dict[str, Any]]] = [list(rows) for rows in spec["datasets"].values()]
    return max(datasets, key=len)
