"""Every result is the same bit for bit: in one thread and two, on one worker, two and three, and after one died."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irgauge as ig
from cluster.processes import Cluster
from cluster.questions import QUESTIONS, told
from irgauge.compute.tasks import Task, done_by
from irgauge.scoring import scorer
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scorer import Scorer, blocks, of_topics, parts_of
from irgauge.studies.registry import studies


@pytest.fixture(autouse=True)
def _at_one_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")  # a report says when it was made


class Posted:
    """An engine that does tasks here, all from copies that came by post, the last of each few first."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}  # task: bytes that came back

    def results(self, tasks: Iterable[Task[Any, Any, Any]]) -> Iterator[Any]:
        """What each task gives, in their order."""
        named = [(task.name, pickle.dumps(task)) for task in tasks]
        found = [pickle.dumps(_done(pickle.loads(one))) for _, one in reversed(named)]  # noqa: S301  # our own
        self.sizes |= {name: len(one) for (name, _), one in zip(named, reversed(found), strict=True)}
        return (pickle.loads(one) for one in reversed(found))  # noqa: S301  # our own


def _done(task: Task[Any, Any, Any]) -> Any:  # noqa: ANN401  # of any task
    return task.do(task.data, task.item)


@pytest.mark.parametrize("name", QUESTIONS)
def test_tasks_can_be_sent_and_done_in_any_order(name: str, data: Path) -> None:
    here = told(QUESTIONS[name](data))
    with done_by(Posted()):
        assert told(QUESTIONS[name](data)) == here


def test_all_workers_and_all_threads_agree(cluster: Cluster, data: Path) -> None:
    here = {name: told(ask(data, workers=1)) for name, ask in QUESTIONS.items()}
    assert {name: told(ask(data, workers=2)) for name, ask in QUESTIONS.items()} == here
    for workers in (1, 2, 3):
        cluster.have(workers)
        found = {name: told(ask(data, scheduler=cluster.address)) for name, ask in QUESTIONS.items()}
        assert [name for name in QUESTIONS if found[name] != here[name]] == []


@pytest.mark.parametrize("name", ["bootstrap", "bootstrap that keeps scores", "partition"])
@pytest.mark.parametrize("when", [1, 3])
def test_a_worker_that_dies_changes_nothing(when: int, name: str, cluster: Cluster, data: Path) -> None:
    cluster.have(2)
    here, told_of = told(QUESTIONS[name](data)), list[int]()

    def kill_one(done: int, _: int) -> None:
        told_of.append(done)
        if len(told_of) == when:
            cluster.kill()

    assert told(QUESTIONS[name](data, scheduler=cluster.client, progress=kill_one)) == here
    assert len(told_of) >= when


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name.startswith("bootstrap")])
def test_topics_can_be_divided(name: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = ig.load(data / "qrels.txt", data / "runs", corpus_size=400, warn=False)
    monkeypatch.setattr(scorer, "_ENTRIES", 500)
    assert len(blocks(Scorer(runs, parse_measures("AP")).lengths)) > 2
    here = told(QUESTIONS[name](data, workers=2))
    with done_by(Posted()):
        assert told(QUESTIONS[name](data)) == here


def test_scores_come_back_only_where_they_are_kept(data: Path, tmp_path: Path) -> None:
    runs = ig.load(data / "qrels.txt", data / "runs", corpus_size=400, warn=False)
    ask = partial(ig.bootstrap, runs, ["P@5", "RR"], images=256)
    added, kept = Posted(), Posted()
    with done_by(added):
        ask()
    with done_by(kept):
        ask(keep=tmp_path / "scores")
    scores = 2 * runs.lengths.size * 64 * 8  # bytes of 64 images
    assert list(added.sizes) == list(kept.sizes)
    for name, size in added.sizes.items():
        if name.startswith("images"):
            assert kept.sizes[name] > scores
            assert size < scores / 2
        else:
            assert size < scores / 2, "what is left out does not send scores either"


@pytest.mark.parametrize("entries", [1, 300, 10**9])
def test_blocks_hold_the_lists_of_their_topics(entries: int, data: Path) -> None:
    whole = ig.load(data / "qrels.txt", data / "runs", warn=False).only([3, 0])
    parts = [of_topics(whole, block, whole.lengths) for block in blocks(whole.lengths, entries)]
    assert tuple(topic for part in parts for topic in part.topics) == whole.topics
    values = np.concatenate([ig.score(part, ["AP", "nDCG@10"]).values for part in parts], axis=1)
    np.testing.assert_array_equal(values, ig.score(whole, ["AP", "nDCG@10"]).values)
    assert all(part.lengths.sum() == len(part.docs) == len(part.levels) for part in parts)
    with pytest.raises(ig.DesignError, match="no names of documents"):
        _ = parts[0].docnos


@pytest.mark.parametrize(("measure", "is_cut"), [("AP", True), ("SetP", False)])
def test_lists_are_sent_down_to_what_scores_depend_on(measure: str, is_cut: bool, data: Path) -> None:  # noqa: FBT001
    whole = ig.load(data / "qrels.txt", data / "runs", warn=False)
    with done_by(Posted()):
        (part,) = parts_of(Scorer(whole, parse_measures(measure)))
    sent = part.scorer.collection
    relevant = sent.levels[sent.firsts + sent.lengths - 1][sent.lengths > 0] > 0
    assert bool(relevant.all()) == is_cut
    assert (len(sent.docs) < len(whole.docs)) == is_cut


def test_every_study_that_draws_much_can_be_shared() -> None:
    shared = {name for name, study in studies().items() if "scheduler" in {one.name for one in fields(study.options)}}
    assert shared == {"bootstrap", "pools", "partition", "robustness", "calibrate", "instances", "suite"}
