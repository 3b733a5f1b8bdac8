"""Columns of topics that all collections need: how their topics came together, and how much each counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from irgauge.choices import advice
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.inference import facts
from irgauge.inference.sampling import Sampling, SamplingColumns, Shares, sampling_of, together
from irgauge.provenance import Provenance
from irgauge.reading.share_table import share_table
from irgauge.replicates.measured import Measured
from irgauge.scoring.scores import Scores
from irgauge.studies.suite.options import SuiteOptions


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
