"""What all collections of a suite have in common: systems, of which only these are compared, columns, a measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from irgauge.choices import advice
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.inference import facts
from irgauge.inference.sampling import Sampling, SamplingColumns, Shares, sampling_of, together
from irgauge.provenance import Fact, Provenance
from irgauge.reading.missing import MissingTopics
from irgauge.reading.share_table import share_table
from irgauge.replicates import facts as data_facts
from irgauge.replicates.measured import Measured
from irgauge.scoring.scores import Scores
from irgauge.studies.suite.options import SuiteOptions

Absent = dict[str, tuple[str, ...]]  # system -> the collections that lack it
_NAMED = 5  # systems, and collections of each, in an error
_OWN = ("corpus_size", "documents", "files", "topic_rule", "headers", "identical_ids")  # facts of one collection


def absent(measured: Mapping[str, Measured]) -> Absent:
    """The systems that some collection lacks, and which."""
    every = dict.fromkeys(system for collection in measured.values() for system in collection.scores.systems)
    lacking = {
        system: tuple(name for name, collection in measured.items() if system not in collection.scores.systems)
        for system in every
    }
    return {system: names for system, names in lacking.items() if names}


def common(measured: Mapping[str, Measured], lacking: Absent, baseline: str | None) -> tuple[str, ...]:
    """The systems that all collections have, the baseline among them; they are two at least."""
    first = next(iter(measured.values()))
    kept = tuple(system for system in first.scores.systems if system not in lacking)
    if baseline is not None:
        _check_baseline(baseline, kept, lacking)
    if len(kept) < 2:
        raise DesignError(
            f"{_count(len(kept))} in all {len(measured)} collections, and a comparison needs 2; systems are matched by "
            f"the names of their runs (see --name-by): {_told(lacking)}"
        )
    return kept


def _count(kept: int) -> str:
    return "no system is" if kept == 0 else "only 1 system is"


def _check_baseline(baseline: str, kept: Sequence[str], lacking: Absent) -> None:
    if baseline in kept:
        return
    if baseline in lacking:
        raise DesignError(f"the baseline {baseline} is missing in {_some(lacking[baseline])}; add its run there")
    raise DesignError(f"the baseline '{baseline}' is unknown; {advice(baseline, kept or tuple(lacking))}")


def _told(lacking: Absent) -> str:
    """`a is missing in x, b in y`, of some."""
    parts = [f"{system} is missing in {_some(names)}" for system, names in lacking.items()]
    more = f"; and {len(parts) - _NAMED} more systems" if len(parts) > _NAMED else ""
    return f"{'; '.join(parts[:_NAMED])}{more}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def of_systems(measured: Measured, systems: Sequence[str]) -> Measured:
    """The scores of some systems, in their order."""
    places = [measured.scores.systems.index(system) for system in systems]
    scores = replace(
        measured.scores, values=np.ascontiguousarray(measured.scores.values[:, :, places]), systems=tuple(systems)
    )
    return replace(measured, scores=scores, missing=measured.missing.only(systems))


def needed_column(name: str, scores: Scores, column: str, instead: str = "") -> None:
    """Refuse a collection that lacks a column of topics."""
    if column not in (there := scores.about.columns):
        raise DesignError(
            f"{name} has no column '{column}' of topics, which every collection needs: beside the scores of a table, "
            f"or in topics.csv in the collection's folder{instead}; {advice(column, there)}"
        )


def samplings_of(measured: Mapping[str, Measured], options: SuiteOptions) -> tuple[Sampling, ...]:
    """How topics of each collection came together; none where nothing is asked for."""
    if not options.is_sampled:
        return ()
    table = None if options.shares is None else share_table(options.shares)
    columns = SamplingColumns(options.cluster, options.topic_weights, None if table is None else table.column)
    shares = None if table is None else table.shares
    return tuple(_sampling(name, collection.scores, columns, shares) for name, collection in measured.items())


def _sampling(name: str, scores: Scores, columns: SamplingColumns, shares: Shares | None) -> Sampling:
    for column in (columns.cluster, columns.shares):
        if column is not None:
            needed_column(name, scores, column)
    if columns.weights is not None:
        needed_column(name, scores, columns.weights, " (other weights are equal and topics)")
    try:
        sampling = sampling_of(scores.about, scores.topics, columns, shares)
    except DesignError as error:
        raise DesignError(f"{name}: {error}") from None
    except InputError as error:
        raise InputError(f"{name}: {error.message}", path=error.path, line=error.line) from None
    if sampling is None:
        raise ValueError("nothing is asked for")
    return sampling


def collection_weights(measured: Sequence[Measured], options: SuiteOptions) -> Floats:
    """How much each collection counts: the same, by its topics, or by the sum of their weights."""
    column = options.topic_weights
    if column is not None:
        numbers = ((collection.scores.topics, collection.scores.about.numbers(column)) for collection in measured)
        return np.array([sum(of[topic] for topic in topics) for topics, of in numbers])
    if options.weights == "topics":
        return np.array([float(len(collection.scores.topics)) for collection in measured])
    return np.ones(len(measured))


def sampling_facts(samplings: Sequence[Sampling], weights: Floats) -> Provenance:
    """Clusters, weights and shares of the topics of collections, which count so much."""
    if not samplings:
        return Provenance.of()
    return facts.sampling(together(samplings, weights / weights.sum()))


def shared_measure(measured: Mapping[str, Measured]) -> str:
    """The measure of all collections."""
    of = {name: str(collection.scores.measures[0]) for name, collection in measured.items()}
    if len(set(of.values())) > 1:
        measures = ", ".join(f"{name}: {measure}" for name, measure in of.items())
        raise DesignError(f"collections have scores of different measures ({measures}); name one that all have")
    return next(iter(of.values()))


def all_missing(measured: Mapping[str, Measured]) -> MissingTopics:
    """The topics that systems lack, of all collections together."""
    lacking: dict[str, tuple[str, ...]] = {}
    for name, collection in measured.items():
        for system, topics in collection.missing.topics_of.items():
            lacking[system] = (*lacking.get(system, ()), *(f"{name}/{topic}" for topic in topics))
    rules = [collection.missing.rule for collection in measured.values()]
    judged = sum(collection.missing.of or len(collection.scores.topics) for collection in measured.values())
    return MissingTopics(lacking, of=judged, rule=rules[0])


def shared_source(collections: Sequence[Measured]) -> Provenance:
    """How scores were made, as far as that is the same for all collections."""
    first, *others = (collection.source.without(*_OWN) for collection in collections)
    shared = (fact for fact in first.facts if all(fact in other.facts for other in others))
    undefined = sum(collection.undefined for collection in collections)
    filled = data_facts.fill(str(collections[0].measuring.fill), undefined=undefined)
    return Provenance.of(filled, Fact("undefined", undefined), *shared)


def check_topics(values: Mapping[str, Floats]) -> None:
    """Refuse a collection of one topic."""
    if few := [name for name, own in values.items() if len(own) < 2]:
        raise DesignError(f"{few[0]} has {len(values[few[0]])} topic; a collection needs at least 2 to compare systems")
