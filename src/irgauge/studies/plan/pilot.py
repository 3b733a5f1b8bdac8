"""What a plan rests on: the variances of pairs, from pilot data or typed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.instance_tests import Pair, chosen_model, instances_covered, pairs_of, squares_of
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.crossed_t import TOPICS
from irgauge.inference.wordings import wording_spread
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.design_effect import DesignEffect, design_effect
from irgauge.planning.designs import Observed, Observing, TopicsAndInstances
from irgauge.planning.over_wordings import over_wordings
from irgauge.planning.sizes import Size
from irgauge.provenance import Provenance
from irgauge.reading.topic_slices import NoKind, without_kind
from irgauge.replicates.data import Data, baseline_of
from irgauge.replicates.facts import instances, topics
from irgauge.replicates.given import Instances, one_measure
from irgauge.replicates.instances import InstanceScores
from irgauge.replicates.labels import RunLabels
from irgauge.replicates.measured import REDRAW, Measured, Measuring
from irgauge.scoring.direction import sign_of
from irgauge.scoring.measures import Range, of_differences, range_of
from irgauge.studies.plan.kinds import SlicePilot, observed_on_slices
from irgauge.studies.plan.options import PlanOptions
from irgauge.studies.sampled import drawn, sampling
from irgauge.studies.tested import covered

Role = Literal["only", "baseline", "typical", "noisiest", "typed"]
Replicates = Literal["shards", "instances", "judged topics", "wordings"]
WORDINGS: Replicates = "wordings"  # of each topic, which is a need
JUDGED: Replicates = "judged topics"  # by a judge alone, beside those by people


class PlannedPair(NamedTuple):
    """Two systems, and why they are planned for; typed components are of no system."""

    role: Role
    system: str = ""
    against: str = ""


class PairPilot(NamedTuple):
    """A pair, and what is known of its difference."""

    pair: PlannedPair
    seen: Observed


class Gains(NamedTuple):
    """By how much the first system of a pair is better on each topic, and the range of that."""

    values: Floats  # topic
    within: Range | None


@dataclass(frozen=True, eq=False)
class Pilot:
    """What is known before the experiment that is planned."""

    pairs: tuple[PairPilot, ...]
    of_pairs: int  # that these stand for
    systems: int  # of the experiment to come
    random: int  # of these, random ones, that have instances
    replicates: Replicates | None  # what there is beside topics
    here: Size | None  # the size of the pilot
    measure: str | None
    population: str
    facts: Provenance
    values: Floats | None  # topic, system, shard
    judgments: float | None = None  # of a topic; with shards, in each of them
    sampling: Sampling | None = None  # clusters and weights of topics
    design_effect: DesignEffect | None = None  # of the first pair, where topics are in clusters
    slices: tuple[SlicePilot, ...] = ()  # the first pair on kinds of topics
    no_kind: tuple[NoKind, ...] = ()  # topics that are of none
    first: Floats | None = None  # topic, system: scores of the first pair, where the plan is for topics
    gains: Gains | None = None  # of the first pair, where the plan is for topics alone
    drawn: str | None = None  # what plans about topics are for, where these were drawn in another way
    judge: str | None = None  # who judges topics besides people
    notes: tuple[str, ...] = ()  # what a careful reader should know of a judge's judgments


EACH = 10  # pairs with a baseline that are planned for one by one
Named = tuple[str, str]


def chosen(spreads: Mapping[Named, float], baseline: str | None) -> dict[Named, PlannedPair]:
    """The pairs planned for, by how much their differences vary; the first is the one that sentences are of.

    >>> spread = {("a", "b"): 0.1, ("a", "c"): 0.3, ("b", "c"): 0.2}
    >>> [pair.role + " " + pair.system + pair.against for pair in chosen(spread, None).values()]
    ['typical bc', 'noisiest ac']
    """
    varied = sorted((pair for pair, spread in spreads.items() if spread > 0), key=lambda pair: spreads[pair])
    if not varied:
        raise DesignError("no two systems differ in how they score on topics: there is no variance to plan with")
    if len(varied) == 1:
        return {varied[0]: PlannedPair("only" if len(spreads) == 1 else "typical", *varied[0])}
    if baseline is not None and len(varied) <= EACH:
        return {pair: PlannedPair("baseline", *pair) for pair in spreads if spreads[pair] > 0}
    typical, noisiest = varied[(len(varied) - 1) // 2], varied[-1]
    return {typical: PlannedPair("typical", *typical), noisiest: PlannedPair("noisiest", *noisiest)}


def pilot_of_scores(data: Data, options: PlanOptions) -> Pilot:
    """The variances of pairs of systems over topics, or over topics and shards."""
    measured, population = _measured(data, options)
    systems = measured.scores.systems
    if len(systems) < 2:
        raise DesignError(f"there is one system, '{systems[0]}'; at least 2 are needed for differences to plan with")
    baseline = None if options.baseline is None else known(baseline_of(data, options.baseline), systems, "baseline")
    values = measured.values().mean(axis=2, keepdims=True) if population == "topics" else measured.values()
    if len(values) < 2:
        raise DesignError("there is one topic; at least 2 are needed for variances to plan with")
    observing = Observing(values, population, options.systems or len(systems))
    sampled = _sampling(measured, population, options)
    pairs = chosen(_spreads(observing, measured, baseline, sampled), baseline)
    seen = {pair: _seen(observing, measured, _places(named, systems), sampled) for named, pair in pairs.items()}
    replicates, here = _beside(observing, measured)
    first = values[:, _places(next(iter(pairs)), systems), 0]  # topic, system of the first pair
    return Pilot(
        pairs=tuple(PairPilot(pair, own) for pair, own in seen.items()),
        of_pairs=len(systems) - 1 if baseline else len(systems) * (len(systems) - 1) // 2,
        systems=observing.systems,
        random=0,
        replicates=replicates,
        here=here,
        measure=str(measured.scores.measures[0]),
        population=population,
        facts=Provenance.of(facts.sampling(sampled), measured.provenance),
        values=values if sampled is None else None,
        sampling=sampled,
        design_effect=_design_effect(first[:, 0] - first[:, 1], sampled, options.alpha),
        judgments=_judgments(data, observing.size.replicates) if options.judgments is None else options.judgments,
        first=first if population == "topics" else None,
        gains=_gains(measured, first) if population == "topics" and replicates is None and sampled is None else None,
        drawn=drawn(population, sampled, measured.scores.wordings),
        slices=observed_on_slices(measured, values, population, _places(next(iter(pairs)), systems), options),
        no_kind=tuple(without_kind(measured.scores.about, options.slice_columns, measured.scores.topics)),
    )


def _gains(measured: Measured, first: Floats) -> Gains:
    gains = sign_of(measured.direction) * (first[:, 0] - first[:, 1])
    return Gains(gains, of_differences(range_of(measured.scores.measures[0], first)))


def _seen(observing: Observing, measured: Measured, places: tuple[int, int], sampling: Sampling | None) -> Observed:
    """What is known of a pair."""
    values = _by_wording(measured)
    return observing.pair(*places, sampling=sampling) if values is None else over_wordings(values[:, places])


def _beside(observing: Observing, measured: Measured) -> tuple[Replicates | None, Size]:
    """What there is beside topics, and how many."""
    values = _by_wording(measured)
    if values is None:
        return "shards" if observing.size.replicates > 1 else None, observing.size
    count = round(wording_spread(values).wordings)
    return WORDINGS, Size(len(measured.scores.topics), max(1, count))


def _by_wording(measured: Measured) -> Floats | None:
    """values[need, system, wording], where scores are means over wordings."""
    return None if measured.scores.wordings is None else measured.scores.wordings.behind(measured.scores)


def _places(named: Named, systems: Sequence[str]) -> tuple[int, int]:
    return systems.index(named[0]), systems.index(named[1])


def _sampling(measured: Measured, population: str, options: PlanOptions) -> Sampling | None:
    """Where topics are in clusters or have weights, which are planned for on one corpus."""
    if options.is_sampled and population != "topics":
        raise DesignError(
            "clusters, weights and shares of topics are planned for on one corpus; leave the shards out, or plan for "
            "topics"
        )
    return sampling(measured.scores, options)


def _design_effect(d: Floats, sampled: Sampling | None, alpha: float) -> DesignEffect | None:
    """Where topics are in clusters, and count alike."""
    if sampled is None or sampled.columns.cluster is None or sampled.is_weighted:
        return None
    return design_effect(d, sampled, alpha)


def _judgments(data: Data, shards: int) -> float | None:
    """Of a topic, in each shard; None where no judgments were given."""
    return None if data.judgments is None else data.judgments / shards


def _measured(data: Data, options: PlanOptions) -> tuple[Measured, str]:
    """What is planned with, and what the plan covers: as much as the scores speak of, if nothing is asked for."""
    measuring = Measuring(
        one_measure(data, options.measure),
        options.shards,
        options.fill,
        options.keep_systems,
        options.seed,
        sparse=options.sparse,
        transform=options.scale,
    )
    measured = data.measured(measuring)
    if options.scale is not None and measured.scores.wordings is not None:
        raise DesignError(
            "a plan for wordings (variants) is of scores as they are, not of ratios: logarithms are of means over "
            "wordings, which do not tell how these vary; leave the scale or the variants out"
        )
    allowed = covered(measured, options.population)
    population = allowed[0] if options.population else next((name for name in TOPICS if name in allowed), "topics")
    if population == "shards":
        raise DesignError("plans cover topics, topics+shards or sources, not shards alone; choose one of these")
    if population == "topics" and measured.shards > 1 and data.has_runs:
        fill = "zero" if options.fill == REDRAW else options.fill
        return data.measured(replace(measuring, shards=None, fill=fill, seed=0)), population
    return measured, population


def _spreads(
    observing: Observing, measured: Measured, baseline: str | None, sampled: Sampling | None
) -> dict[Named, float]:
    """How much the difference of each pair varies: the better system first, by means, or each before the baseline."""
    spreads, systems = observing.spreads(sampled), measured.scores.systems
    by_topic = observing.values.mean(axis=2)
    gains = sign_of(measured.direction) * (by_topic.mean(axis=0) if sampled is None else sampled.means(by_topic))
    order = np.argsort(-gains, kind="stable").tolist()
    if baseline is None:
        codes = [(order[a], order[b]) for a in range(len(order)) for b in range(a + 1, len(order))]
    else:
        codes = [(code, systems.index(baseline)) for code in order if systems[code] != baseline]
    return {(systems[first], systems[second]): float(spreads[first, second]) for first, second in codes}


def pilot_of_instances(data: InstanceScores | Data, options: PlanOptions) -> Pilot:
    """The variances of pairs of algorithms over topics and instances."""
    if options.shards is not None:
        raise DesignError("shards and instances were both asked for; plan for one of them, and leave the other out")
    scores, source = _wanted(options).scored(data)
    known_judgments = None if isinstance(data, InstanceScores) else data.judgments
    if len(scores.algorithms) < 2:
        raise DesignError(f"there is one algorithm, '{scores.algorithms[0]}'; at least 2 are needed for a difference")
    baseline = None if options.baseline is None else known(options.baseline, scores.algorithms, "baseline")
    cells = scores.cells()
    means = np.array([np.nanmean(cells[scores.algorithm_of == a]) for a in range(len(scores.algorithms))])
    pairs = pairs_of(scores, baseline, means)
    squares = {
        pair: of_pair for pair, of_pair in squares_of(scores, pairs).items() if isinstance(of_pair, TwoAlgorithms)
    }
    named = chosen({(pair.system, pair.against): sum(of_pair.variance) for pair, of_pair in squares.items()}, baseline)
    counts = scores.instance_counts.tolist()
    deterministic, algorithms = len(scores.deterministic), len(scores.algorithms)
    planned = options.systems or algorithms
    return Pilot(
        pairs=tuple(_pilot(pair, squares[Pair(*names)]) for names, pair in named.items()),
        of_pairs=len(pairs),
        systems=planned,
        random=max(1, planned - deterministic) if deterministic < algorithms else 0,
        replicates="instances" if deterministic < algorithms else None,
        here=Size(len(scores.topics), int(np.median([count for count in counts if count > 1] or [1]))),
        measure=scores.measure,
        population=instances_covered(scores, chosen_model(scores, None)),
        facts=Provenance.of(
            source, instances(dict(zip(scores.algorithms, counts, strict=True))), topics(len(scores.topics))
        ),
        values=None,
        judgments=known_judgments if options.judgments is None else options.judgments,
    )


def _wanted(options: PlanOptions) -> Instances:
    runs = RunLabels(manifest=options.manifest, pattern=options.pattern, labels=options.labels, fill=options.fill)
    return Instances(measure=options.measure, usual="AP", of_runs=runs)


def _pilot(pair: PlannedPair, squares: TwoAlgorithms) -> PairPilot:
    certain = TopicsAndInstances.of(squares, is_certain=True)
    random = [
        name
        for name, algorithm in zip(pair[1:], (squares.first, squares.second), strict=True)
        if algorithm.instances > 1
    ]
    components = {"topic:system": float(certain.over_topics[0])}
    for i, name in enumerate(random):
        components |= {f"instance of {name}": float(certain.instance[i, 0])}
        components |= {f"residual of {name}": float(certain.residual[i, 0])}
    return PairPilot(pair, Observed(squares.difference, components, TopicsAndInstances.of(squares), certain))
