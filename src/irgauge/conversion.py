"""Out of irgauge: collections and tables as dicts, and as objects of pandas, ranx and Hugging Face datasets.

In, `load`, `Scores.of` and the studies take such objects as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from irgauge.errors import DesignError
from irgauge.reading.collection import Collection

if TYPE_CHECKING:
    import polars as pl

Judgments = dict[str, dict[str, int]]  # topic -> docno -> grade
Lists = dict[str, dict[str, float]]  # topic -> docno -> score


class Framed(Protocol):
    """What has a table: a result, scores, a measured collection."""

    def frame(self) -> pl.DataFrame:
        """The table."""


class Dicts(NamedTuple):
    """A collection as pytrec_eval takes it."""

    qrels: Judgments
    runs: dict[str, Lists]  # system -> its lists


def to_dicts(collection: Collection) -> Dicts:
    """Judgments and runs as dicts; a document's score is minus its rank, which keeps the order and breaks all ties.

    >>> from irgauge import load
    >>> to_dicts(load({"q1": {"d1": 1}}, {"mine": {"q1": {"d1": 0.5, "d2": 0.7}}}))
    Dicts(qrels={'q1': {'d1': 1}}, runs={'mine': {'q1': {'d2': -1.0, 'd1': -2.0}}})
    """
    if collection.documents == "judged":
        raise DesignError("the documents of runs are not known; load the collection with documents='all'")
    docnos = collection.docnos.to_list()
    grades = collection.grades[collection.judged_levels].tolist()
    judged = [docnos[doc] for doc in collection.judged_docs.tolist()]
    bounds = collection.judged_bounds.tolist()
    qrels = {
        topic: dict(zip(judged[bounds[t] : bounds[t + 1]], grades[bounds[t] : bounds[t + 1]], strict=True))
        for t, topic in enumerate(collection.topics)
    }
    return Dicts(qrels, {system: _lists(collection, s, docnos) for s, system in enumerate(collection.systems)})


def _lists(collection: Collection, system: int, docnos: list[str]) -> Lists:
    lists: Lists = {}
    for t, topic in enumerate(collection.topics):
        first, length = int(collection.firsts[t, system]), int(collection.lengths[t, system])
        if length:
            entries = collection.docs[first : first + length].tolist()
            lists[topic] = {docnos[doc]: -float(rank) for rank, doc in enumerate(entries, 1)}
    return lists


def to_ranx(collection: Collection) -> tuple[Any, list[Any]]:
    """ranx's `Qrels`, and a `Run` for each system."""
    from ranx import Qrels, Run

    qrels, runs = to_dicts(collection)
    return Qrels(qrels), [Run(lists, name=system) for system, lists in runs.items()]


def to_pandas(table: Framed | pl.DataFrame) -> Any:  # noqa: ANN401  # pandas has no annotations
    """A table as a data frame of pandas.

    >>> import polars as pl
    >>> to_pandas(pl.DataFrame({"topic": ["1"], "score": [0.5]})).to_dict("records")
    [{'topic': '1', 'score': 0.5}]
    """
    import pandas as pd

    return pd.DataFrame(_frame(table).to_dict(as_series=False))


def to_datasets(table: Framed | pl.DataFrame) -> Any:  # noqa: ANN401  # has no annotations
    """A table as a `Dataset` of Hugging Face's datasets."""
    from datasets import Dataset

    return Dataset.from_dict(_frame(table).to_dict(as_series=False))


def _frame(table: Framed | pl.DataFrame) -> pl.DataFrame:
    return table.frame() if hasattr(table, "frame") else table
