"""The scores that experiments are drawn from: for each population, and of other judgments or tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from irgauge.calibrating.halves import Sides
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.models.anova import Population
from irgauge.reading.collection import load
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import Data
from irgauge.replicates.given import is_scores, opened
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.direction import sign_of
from irgauge.scoring.measures import Measure, range_of
from irgauge.studies.calibrate.options import CalibrateOptions
from irgauge.studies.calibrate.trying import PopulationScores

_MOST_SOURCES = 10  # pairs of them


def data_of(
    population: Population, whole: Measured, shards: Measured, options: CalibrateOptions, other: Measured | None
) -> tuple[PopulationScores, tuple[str, ...]]:
    """The scores for a population, with the names of their systems: the baseline first, then from the best on."""
    measured = whole if population == "topics" else shards
    order = _ordered(measured, options.baseline)
    systems = tuple(measured.scores.systems[i] for i in order)
    values = measured.values()[:, order]
    if population == "topics":
        values = values.mean(axis=2, keepdims=True)
    others = tuple(_others(population, shards, other, systems, values)) if population == "topics" else ()
    return PopulationScores(values, range_of(measured.scores.measures[0], values), others=others), systems


def _ordered(measured: Measured, baseline: str | None) -> list[int]:
    means, systems = measured.values().mean(axis=(0, 2)), measured.scores.systems
    ranked = np.argsort(-sign_of(measured.direction) * means, kind="stable").tolist()
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


def _of_systems(measured: Measured, systems: Sequence[str]) -> Floats:
    return measured.values()[:, [measured.scores.systems.index(system) for system in systems]]


def other_scores(data: Data, options: CalibrateOptions, measure: Measure, systems: Sequence[str]) -> Measured | None:
    """Scores of the same systems under other judgments, or of another table."""
    if options.against is None:
        return None
    against = options.against
    is_file = isinstance(against, str | os.PathLike)
    other = (
        _judged_anew(data, Path(against), options)
        if is_file and not is_scores(against)
        else opened(against, options.workers, missing=options.missing)
    )
    only = other.measures if other.measures is not None and len(other.measures) == 1 else (measure,)  # by any name
    measured = other.measured(Measuring(only))
    lacking = [system for system in systems if system not in measured.scores.systems]
    if lacking:
        raise DesignError(
            f"'against' has no scores of {len(lacking)} systems, such as {lacking[0]}; it is to have all systems, by "
            "the same names"
        )
    return measured


def _judged_anew(data: Data, qrels: Path, options: CalibrateOptions) -> Bench:
    """The same runs under other judgments."""
    if not data.has_runs:
        message = "these are judgments, and a table of scores cannot be judged anew; give another table"
        raise InputError(message, path=str(qrels))
    if not all(Path(origin).exists() for origin in data.origins.values()):
        raise DesignError(
            "other judgments need runs from files; load the runs with them, and give the collection as 'against'"
        )
    return Bench(load(qrels, data.origins, warn=False), workers=options.workers)
