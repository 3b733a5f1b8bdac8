"""Running: a run of each system of a grid, in TREC's format, in one folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from irgauge.compute.tasks import counting, in_threads
from irgauge.errors import DesignError, InputError
from irgauge.files.writing import filling
from irgauge.lab.analysis import Analyser
from irgauge.lab.dependence import NEEDS_POSITIONS
from irgauge.lab.index import Index
from irgauge.lab.ranking import Query, RankedList, expanded, rank
from irgauge.lab.systems import System
from irgauge.lab.texts import Topic
from irgauge.options.progress import Progress
from irgauge.reading import trec

Listed = tuple[str, Sequence[str], Sequence[float]]  # a topic, docnos in rank order, and their scores


def write_run(path: str | os.PathLike[str], name: str, rankings: Iterable[Listed]) -> None:
    """Write the run of a system: what it finds for each topic."""
    trec.write_run(path, rankings, name)


def listed(index: Index, topics: Sequence[Topic], rankings: Iterable[RankedList]) -> Iterator[Listed]:
    """Rankings by the names of topics and documents."""
    for topic, ranking in zip(topics, rankings, strict=True):
        yield topic.id, [index.docnos[document] for document in ranking.documents.tolist()], ranking.scores.tolist()


def check_terms(topics: Iterable[Topic], analyser: Analyser) -> None:
    """Refuse a topic of which a stop list leaves nothing."""
    for topic in topics:
        if not analyser.terms(topic.text):
            message = f"the topic '{topic.id}' has no terms: the stop list '{analyser.stop}' leaves nothing of"
            raise InputError(f"{message} '{topic.text}'; change its text, or take another stop list")


def run_all(
    folder: str | os.PathLike[str],
    index: Index,
    topics: Sequence[Topic],
    systems: Sequence[System],
    depth: int = 1000,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Write the run of each system to a folder, named after the system: all runs, or none.

    Returns the topics for which some system finds nothing.
    """
    by_analyser = systems_by_analyser(index, systems)
    for analyser in by_analyser:
        check_terms(topics, analyser)
    tell, without = counting(progress, len(systems)), dict[str, None]()
    with filling(folder) as place:
        for analyser, alike in by_analyser.items():
            analysed = index.analysed(analyser)
            for system in alike:
                rankings = search_all(analysed, topics, system, depth, workers=workers)
                write_run(place / f"{system}.run", str(system), listed(analysed, topics, rankings))
                without |= dict.fromkeys(unmatched(topics, rankings))
                tell(system)
    return list(without)


def unmatched(topics: Iterable[Topic], rankings: Iterable[RankedList]) -> list[str]:
    """The topics for which nothing is found, as none of their terms is in a document."""
    return [topic.id for topic, ranking in zip(topics, rankings, strict=True) if not len(ranking.documents)]


def systems_by_analyser(index: Index, systems: Iterable[System]) -> dict[Analyser, list[System]]:
    """Systems by what they need of an index; refuses what this one has not."""
    by_analyser: dict[Analyser, list[System]] = {}
    for system in systems:
        analyser = system.analyser or index.analyser
        index.check_analyser(analyser)
        check_positions(index, system)
        by_analyser.setdefault(analyser, []).append(system)
    return by_analyser


def search(index: Index, query: str | Query, system: System, depth: int = 1000) -> RankedList:
    """The first documents that a system finds in an index for a query, as text or as weighted terms."""
    _check_fit(index, system)
    asked = Query.of(index.analyse(query)) if isinstance(query, str) else query
    return rank(index, with_feedback(index, asked, system), system.model, system.chosen.values, depth)


def with_feedback(index: Index, query: Query, system: System) -> Query:
    """The query that a system searches: with terms of the documents of this index, where it has feedback."""
    if system.feedback is None:
        return query
    model, values = system.model, system.feedback.values
    ranking = rank(index, query, model, system.chosen.values, int(values["docs"]))
    return expanded(index, query, ranking, model, values)


def search_all(
    index: Index, topics: Sequence[Topic], system: System, depth: int = 1000, *, workers: int | None = None
) -> list[RankedList]:
    """What a system finds for each topic, whatever the number of threads."""
    return in_threads(partial(_of_topic, index, system, depth), topics, workers)


def _of_topic(index: Index, system: System, depth: int, topic: Topic) -> RankedList:
    return search(index, topic.text, system, depth)


def check_positions(index: Index, system: System) -> None:
    """Refuse a model of dependences on an index without positions."""
    if system.model.dependences is not None and index.positions is None:
        raise DesignError(f"the system {system} cannot be run: {NEEDS_POSITIONS}")


def _check_fit(index: Index, system: System) -> None:
    """Refuse a system with another stop list or stemmer than the index has."""
    if system.analyser not in (None, index.analyser):
        raise DesignError(f"the system {system} is searched in an index that was made with {index.analyser}")
