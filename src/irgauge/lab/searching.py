"""Searching: what a system finds for one query, or for all topics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from irgauge.errors import DesignError
from irgauge.lab.feedback import expanded
from irgauge.lab.index import Index
from irgauge.lab.ranking import Query, Ranking, rank
from irgauge.lab.systems import System
from irgauge.lab.topics import Topic
from irgauge.threads import in_threads


def search(index: Index, query: str | Query, system: System, depth: int = 1000) -> Ranking:
    """The first documents that a system finds in an index for a query, as text or as weighted terms."""
    _check_fit(index, system)
    asked = Query.of(index.analyse(query)) if isinstance(query, str) else query
    return rank(index, with_feedback(index, asked, system), system.model, system.chosen.values, depth)


def with_feedback(index: Index, query: Query, system: System) -> Query:
    """The query that a system searches: with terms of the documents of this index, where it has feedback."""
    if system.feedback is None:
        return query
    model, values = system.model, system.feedback.values
    found = rank(index, query, model, system.chosen.values, int(values["docs"]))
    return expanded(index, query, found, model, values)


def search_all(
    index: Index, topics: Sequence[Topic], system: System, depth: int = 1000, *, workers: int | None = None
) -> list[Ranking]:
    """What a system finds for each topic, whatever the number of threads."""
    return in_threads(partial(_of_topic, index, system, depth), topics, workers)


def _of_topic(index: Index, system: System, depth: int, topic: Topic) -> Ranking:
    return search(index, topic.text, system, depth)


def _check_fit(index: Index, system: System) -> None:
    """Refuse a system with another stop list or stemmer than the index has."""
    if system.analyser not in (None, index.analyser):
        raise DesignError(f"the system {system} is searched in an index that was made with {index.analyser}")
