"""Running: a run of each system of a grid, in TREC's format, in one folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from irgauge.errors import InputError
from irgauge.lab.analysis import Analyser
from irgauge.lab.index import Index
from irgauge.lab.ranking import Ranking
from irgauge.lab.searching import search_all
from irgauge.lab.systems import System
from irgauge.lab.topics import Topic
from irgauge.reading import trec
from irgauge.reading.options import Progress
from irgauge.threads import counting
from irgauge.writing import filling

Listed = tuple[str, Sequence[str], Sequence[float]]  # a topic, docnos in rank order, and their scores


def write_run(path: str | os.PathLike[str], name: str, rankings: Iterable[Listed]) -> None:
    """Write the run of a system: what it finds for each topic."""
    trec.write_run(path, rankings, name)


def listed(index: Index, topics: Sequence[Topic], rankings: Iterable[Ranking]) -> Iterator[Listed]:
    """Rankings by the names of topics and documents."""
    for topic, ranking in zip(topics, rankings, strict=True):
        yield topic.id, [index.docnos[one] for one in ranking.documents.tolist()], ranking.scores.tolist()


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
    by_analyser = _by_analyser(index, systems)
    for analyser in by_analyser:
        check_terms(topics, analyser)
    tell, without = counting(progress, len(systems)), dict[str, None]()
    with filling(folder) as place:
        for analyser, alike in by_analyser.items():
            analysed = index.analysed(analyser)
            for system in alike:
                found = search_all(analysed, topics, system, depth, workers=workers)
                write_run(place / f"{system}.run", str(system), listed(analysed, topics, found))
                without |= dict.fromkeys(unmatched(topics, found))
                tell(system)
    return list(without)


def unmatched(topics: Iterable[Topic], rankings: Iterable[Ranking]) -> list[str]:
    """The topics for which nothing is found, as none of their terms is in a document."""
    return [topic.id for topic, one in zip(topics, rankings, strict=True) if not len(one.documents)]


def _by_analyser(index: Index, systems: Iterable[System]) -> dict[Analyser, list[System]]:
    """Systems by what they need of an index; refuses what this one has not."""
    found: dict[Analyser, list[System]] = {}
    for system in systems:
        analyser = system.analyser or index.analyser
        index.check_analyser(analyser)
        found.setdefault(analyser, []).append(system)
    return found
