"""A pilot of scores of systems on topics, and perhaps on shards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irgauge.arrays import Floats
from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.inference.tests.crossed_t import TOPICS
from irgauge.inference.tests.paired_t import paired_t
from irgauge.planning.observed import Observing
from irgauge.planning.separation import TopicsNeeded, separate_top_group
from irgauge.replicates.baselines import baseline_of
from irgauge.replicates.data import Data
from irgauge.replicates.given import one_measure
from irgauge.replicates.measured import REDRAW, Measured, Measuring
from irgauge.studies.covered import covered
from irgauge.studies.plan.chosen import Named, chosen
from irgauge.studies.plan.options import Asked
from irgauge.studies.plan.pilot import PairPilot, Pilot


def pilot_of_scores(data: Data, asked: Asked) -> Pilot:
    """The variances of pairs of systems over topics, or over topics and shards."""
    found, population = _measured(data, asked)
    systems = found.scores.systems
    if len(systems) < 2:
        raise DesignError(f"there is one system, '{systems[0]}'; at least 2 are needed for differences to plan with")
    baseline = None if asked.baseline is None else known(baseline_of(data, asked.baseline), systems, "baseline")
    values = found.values().mean(axis=2, keepdims=True) if population == "topics" else found.values()
    if len(values) < 2:
        raise DesignError("there is one topic; at least 2 are needed for variances to plan with")
    observing = Observing(values, population, asked.systems or len(systems))
    pairs = chosen(_spreads(observing, systems, baseline), baseline)
    return Pilot(
        pairs=tuple(PairPilot(pair, observing.pair(*map(systems.index, named))) for named, pair in pairs.items()),
        of_pairs=len(systems) - 1 if baseline else len(systems) * (len(systems) - 1) // 2,
        systems=observing.systems,
        random=0,
        replicates="shards" if observing.size.replicates > 1 else None,
        here=observing.size,
        measure=str(found.scores.measures[0]),
        population=population,
        facts=found.provenance,
        values=values,
        separation=_separation(values[:, :, 0], systems, asked) if population == "topics" and not baseline else None,
        judgments=_judgments(data, observing.size.replicates) if asked.judgments is None else asked.judgments,
    )


def _separation(values: Floats, systems: tuple[str, ...], asked: Asked) -> TopicsNeeded | None:
    """What would separate the top group, as `compare` finds it."""
    comparison = paired_t(values, systems, alpha=asked.alpha, correction=asked.correction)
    return separate_top_group(comparison, power=asked.power)


def _judgments(data: Data, shards: int) -> float | None:
    """Of a topic, in each shard; None where no judgments were given."""
    return None if data.judgments is None else data.judgments / shards


def _measured(data: Data, asked: Asked) -> tuple[Measured, str]:
    """What is planned with, and what the plan covers: as much as the scores speak of, if nothing is asked for."""
    measuring = Measuring(
        one_measure(data, asked.measure), asked.shards, asked.fill, asked.keep_systems, asked.seed, sparse=asked.sparse
    )
    found = data.measured(measuring)
    allowed = covered(found, asked.population)
    population = allowed[0] if asked.population else next((one for one in TOPICS if one in allowed), "topics")
    if population == "shards":
        raise DesignError("plans cover topics, topics+shards or sources, not shards alone; choose one of these")
    if population == "topics" and found.shards > 1 and data.has_runs:
        fill = "zero" if asked.fill == REDRAW else asked.fill
        return data.measured(replace(measuring, shards=None, fill=fill, seed=0)), population
    return found, population


def _spreads(observing: Observing, systems: tuple[str, ...], baseline: str | None) -> dict[Named, float]:
    """How much the difference of each pair varies: the better system first, by means, or each before the baseline."""
    spreads = observing.spreads()
    order = np.argsort(-observing.values.mean(axis=(0, 2)), kind="stable").tolist()
    if baseline is None:
        codes = [(order[a], order[b]) for a in range(len(order)) for b in range(a + 1, len(order))]
    else:
        codes = [(one, systems.index(baseline)) for one in order if systems[one] != baseline]
    return {(systems[first], systems[second]): float(spreads[first, second]) for first, second in codes}
