"""Runs of a grid of systems: all or none, the same whatever the number of threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgauge.errors import DesignError, InputError
from irgauge.lab.analysis import Analyser
from irgauge.lab.running import run_all, search
from irgauge.lab.systems import FULL_GRID, System, systems_of
from irgauge.lab.texts import Topic
from irgauge.reading.formats import read_run
from oracles.made_text import index_of

DOCUMENTS = {
    "d1": ["wave", "radio", "the", "radio"],
    "d2": ["waves", "of", "noise"],
    "d3": ["noise", "and", "radios"],
    "d4": ["waving", "x9"],
}
TOPICS = [Topic("1", "the waves"), Topic("2", "radio noise")]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_system_has_a_run_named_after_it(tmp_path: Path) -> None:
    systems = systems_of(FULL_GRID)
    assert run_all(tmp_path / "runs", index_of(DOCUMENTS), TOPICS, systems) == []
    assert len(systems) == 90
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {f"{system}.run" for system in systems}
    runs = [read_run(path) for path in (tmp_path / "runs").iterdir()]
    assert {run.tag for run in runs} == {str(system) for system in systems}
    assert all(run.topics == ("1", "2") for run in runs)


def test_a_run_holds_what_its_system_finds(tmp_path: Path) -> None:
    index = index_of(DOCUMENTS)
    run_all(tmp_path / "runs", index, TOPICS, systems_of("short-porter-bm25"), depth=2)
    rows = [line.split() for line in (tmp_path / "runs" / "short-porter-bm25.run").read_text().splitlines()]
    stemmed = index.analysed(Analyser("short", "porter"))
    found = search(stemmed, "the waves", System.of("bm25"), 2)
    assert [row[2] for row in rows if row[0] == "1"] == [stemmed.docnos[one] for one in found.documents]
    assert [float(row[4]) for row in rows if row[0] == "1"] == found.scores.tolist()
    assert [row[3] for row in rows] == ["1", "2", "1", "2"]


def test_the_number_of_threads_does_not_matter(tmp_path: Path) -> None:
    systems = systems_of("{none,short}-porter-{bm25,jm}{,+rm3}")
    for workers in (1, 2, 5):
        run_all(tmp_path / str(workers), index_of(DOCUMENTS), TOPICS, systems, workers=workers)
    assert contents(tmp_path / "1") == contents(tmp_path / "2") == contents(tmp_path / "5")


def test_a_topic_without_terms_after_stopping_is_refused_before_any_run(tmp_path: Path) -> None:
    topics = [*TOPICS, Topic("3", "Of the and")]
    told: list[int] = []
    with pytest.raises(InputError) as caught:
        run_all(
            tmp_path / "runs",
            index_of(DOCUMENTS),
            topics,
            systems_of("{none,short}-none-bm25"),
            progress=lambda done, _: told.append(done),
        )
    assert str(caught.value) == (
        "the topic '3' has no terms: the stop list 'short' leaves nothing of 'Of the and'; change its text, or take "
        "another stop list"
    )
    assert told == []
    assert list(tmp_path.iterdir()) == []


def test_a_topic_that_no_document_matches_is_named(tmp_path: Path) -> None:
    topics = [Topic("9", "gravitation"), *TOPICS]
    assert run_all(tmp_path / "runs", index_of(DOCUMENTS), topics, systems_of("bm25{,+rm3}")) == ["9"]
    assert read_run(tmp_path / "runs" / "bm25.run").topics == ("1", "2")


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all(tmp_path / "runs", index_of(DOCUMENTS), TOPICS, systems_of("bm25,jm,pl2"), progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_systems_that_an_index_cannot_serve_are_refused_before_any_run(tmp_path: Path) -> None:
    index = index_of(DOCUMENTS).analysed(Analyser("none", "porter"))
    with pytest.raises(DesignError, match="a system asks for short-porter, and the index was made with none-porter"):
        run_all(tmp_path / "runs", index, TOPICS, systems_of("none-porter-bm25,short-porter-bm25"))
    with pytest.raises(DesignError, match="is searched in an index that was made with none-porter"):
        search(index, "waves", System.of("short-porter-bm25"))
    assert list(tmp_path.iterdir()) == []


def test_progress_counts_runs(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    run_all(tmp_path, index_of(DOCUMENTS), TOPICS, systems_of("bm25,jm"), progress=lambda *one: told.append(one))
    assert told == [(1, 2), (2, 2)]
