"""What selective search costs for a topic: shards and documents searched, and terms that a sample does not know."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from irgauge.reading.tables.text import write_table

if TYPE_CHECKING:
    import polars as pl


class TopicCost(NamedTuple):
    """What a run costs for a topic.

    Documents that have a term of the topic are what a search looks at; those of the sample and of the shards together
    are the cost of Kulkarni and Callan (2015).
    """

    algorithm: str
    run: str
    topic: str
    shards: int  # that are searched
    documents: int  # of these shards
    matched: int  # of these, documents that have a term of the topic
    sample_matched: int  # the same in the sample
    terms: int  # of the topic that the corpus has, each once
    unknown_terms: int  # of these, terms that the sample has not


class MeanCost(NamedTuple):
    """What an algorithm costs, on average over runs and topics."""

    algorithm: str
    shards: float
    documents: float
    looked_at: float  # documents with a term of the topic, of the sample and of the shards
    terms: float
    unknown_terms: float


def write_costs(path: str | os.PathLike[str], costs: Iterable[TopicCost]) -> None:
    """Write the table of costs, one row for each run and topic."""
    write_table(path, _frame(list(costs)))


def _frame(costs: Sequence[TopicCost]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(costs, schema=list(TopicCost._fields), orient="row")


def mean_costs(costs: Iterable[TopicCost]) -> list[MeanCost]:
    """Of each algorithm, in the order in which they come."""
    import polars as pl

    frame = _frame(list(costs)).with_columns((pl.col("matched") + pl.col("sample_matched")).alias("looked_at"))
    means = frame.group_by("algorithm", maintain_order=True).agg(pl.col(MeanCost._fields[1:]).mean())
    return [MeanCost(*row) for row in means.select(MeanCost._fields).iter_rows()]
