"""The scores of each population, and other experiments on the same systems in which claims are looked up."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from irgauge.arrays import Floats
from irgauge.calibrating.halves import Sides
from irgauge.errors import DesignError, InputError
from irgauge.models.anova import Population
from irgauge.reading.collection import load
from irgauge.replicates.data import Data as Experiment
from irgauge.replicates.given import is_scores, opened
from irgauge.replicates.measured import Bench, Measured, Measuring
from irgauge.scoring.measures import Measure
from irgauge.scoring.ranges import range_of
from irgauge.studies.calibrate.options import Asked
from irgauge.studies.calibrate.trying import Data

_MOST_SOURCES = 10  # pairs of them


def data_of(
    population: Population, whole: Measured, shards: Measured, asked: Asked, other: Measured | None
) -> tuple[Data, tuple[str, ...]]:
    """The scores for a population, with the names of their systems: the baseline first, then from the best on."""
    found = whole if population == "topics" else shards
    order = _ordered(found, asked.baseline)
    systems = tuple(found.scores.systems[i] for i in order)
    values = found.values()[:, order]
    if population == "topics":
        values = values.mean(axis=2, keepdims=True)
    others = tuple(_others(population, shards, other, systems, values)) if population == "topics" else ()
    return Data(values, range_of(found.scores.measures[0], values), others), systems


def _ordered(found: Measured, baseline: str | None) -> list[int]:
    means, systems = found.values().mean(axis=(0, 2)), found.scores.systems
    ranked = np.argsort(-means, kind="stable").tolist()
    return sorted(ranked, key=lambda i: systems[i] != baseline)


def _others(
    population: Population, shards: Measured, other: Measured | None, systems: Sequence[str], values: Floats
) -> Iterator[tuple[str, Sides]]:
    """Two sources at a time, where shards differ in kind; other judgments, where there are some."""
    if shards.shards > 1 and not shards.is_random and population == "topics":
        by_source = _of_systems(shards, systems)
        pairs = list(combinations(range(shards.shards), 2))[:_MOST_SOURCES]
        for one, two in pairs:
            names = " and ".join(shards.scores.replicates[k] for k in (one, two))
            yield names, Sides(by_source[:, :, [one]], by_source[:, :, [two]])
    if other is not None:
        yield "these and the other judgments", Sides(values, _of_systems(other, systems).mean(axis=2, keepdims=True))


def _of_systems(found: Measured, systems: Sequence[str]) -> Floats:
    return found.values()[:, [found.scores.systems.index(one) for one in systems]]


def other_scores(data: Experiment, asked: Asked, measure: Measure, systems: Sequence[str]) -> Measured | None:
    """Scores of the same systems under other judgments, or of another table."""
    if asked.against is None:
        return None
    given = asked.against
    is_file = isinstance(given, str | os.PathLike)
    other = _judged_anew(data, Path(given), asked) if is_file and not is_scores(given) else opened(given, asked.workers)
    only = other.measures if other.measures is not None and len(other.measures) == 1 else (measure,)  # by any name
    found = other.measured(Measuring(only))
    lacking = [one for one in systems if one not in found.scores.systems]
    if lacking:
        raise DesignError(
            f"'against' has no scores of {len(lacking)} systems, such as {lacking[0]}; it is to have all systems, by "
            "the same names"
        )
    return found


def _judged_anew(data: Experiment, qrels: Path, asked: Asked) -> Bench:
    """The same runs under other judgments."""
    if not data.has_runs:
        message = "these are judgments, and a table of scores cannot be judged anew; give another table"
        raise InputError(message, path=str(qrels))
    if not all(Path(origin).exists() for origin in data.origins.values()):
        raise DesignError(
            "other judgments need runs from files; load the runs with them, and give the collection as 'against'"
        )
    return Bench(load(qrels, data.origins, warn=False), workers=asked.workers)
