"""Damaged files that say something of runs, documents or scores: they are read, or refused."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
import yaml

from fuzz.files import File, damaged_one_of, written
from fuzz.mutations import damaged, packed
from fuzz.odd_values import odd_text, with_odd_node
from fuzz.samples import GROUPS, MANIFEST, QREL, RUN
from fuzz.trials import try_each
from irgauge import check, compare, gate, load, read
from irgauge.archive.store import HistoryFile
from irgauge.reading.collection import Collection
from irgauge.replicates.labels import labelling
from irgauge.simulation.collections import Design
from irgauge.simulation.instances import InstanceDesign, InstanceTruth, true_instances
from irgauge.simulation.truth import Truth, true_means
from irgauge.studies.partition.lengths import members_of
from irgauge.studies.score.study import score, truth_check
from oracles.every_format import trec_qrels, trec_run

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")

SMALL = Design(systems=2, families=1, topics=3, depth=5, corpus_size=30)


@cache
def collection() -> Collection:
    return load(QREL, dict.fromkeys("abc", RUN))


def tried(attempt: Callable[[str], object]) -> Callable[[File], object]:
    """An attempt with a file."""

    def attempt_file(file: File) -> object:
        with written(file) as path:
            return attempt(path)

    return attempt_file


def test_manifests() -> None:
    label = tried(lambda path: labelling(manifest=path)(collection()))
    try_each("manifests", 500, damaged_one_of({"manifest": MANIFEST}), label)


def test_groups() -> None:
    def attempt(path: str) -> None:
        members_of(path, "abc", skip_singles=Path(path).stat().st_size % 2 == 0)

    try_each("groups", 500, damaged_one_of({"groups": GROUPS}), tried(attempt))


def test_truths() -> None:
    true_means(SMALL, ["AP"], topics=2).save("good.json")
    good, simulated = Path("good.json").read_bytes(), load(QREL, {"F1-1": RUN, "F1-2": RUN})
    scored = score(simulated, ["AP"])
    assert truth_check(scored, Truth.load("good.json")).total == 2
    try_each(
        "truths",
        500,
        damaged_one_of({"truth.json": good}),
        tried(lambda path: truth_check(scored, Truth.load(path))),
    )


def test_truths_of_instances() -> None:
    design = InstanceDesign(instances=2, collection=Design(topics=3, depth=5, corpus_size=30, systems=1, families=1))
    true_instances(design, ["AP"], topics=2).save("good.json")
    good = {"truth.json": Path("good.json").read_bytes()}
    assert InstanceTruth.load("good.json").topics == 2
    try_each("truths of instances", 300, damaged_one_of(good), tried(InstanceTruth.load))


def test_locks() -> None:
    Path("qrels").write_bytes(trec_qrels(QREL))
    for name in "ab":
        Path(f"{name}.run").write_bytes(trec_run(RUN, name))

    def gated(path: str) -> None:
        gate("qrels", "a.run", "b.run", "AP", margin=0.1, lock=path)

    gated("good.lock")
    good = Path("good.lock").read_bytes()
    with written(File("same.lock", good)) as path:
        gated(path)
    try_each("locks", 250, damaged_one_of({"gate.lock": good}), tried(gated))


def test_states_of_gates() -> None:
    scores = {name: {str(topic): 0.1 * topic + 0.05 * (name == "b") for topic in range(6)} for name in "ab"}

    def gated(path: str) -> None:
        gate(scores, "a", "b", margin=0.1, sequential=True, state=path)

    gated("good.state")
    good = Path("good.state").read_bytes()
    with written(File("same.state", good)) as path:
        gated(path)
    try_each("states of gates", 250, damaged_one_of({"gate.state": good}), tried(gated))


def test_histories() -> None:
    scores = {"a": {"1": 0.1, "2": 0.4, "3": 0.2}, "b": {"1": 0.3, "2": 0.5, "3": 0.1}}
    compare(scores, history="good.db")
    good = Path("good.db").read_bytes()

    def added(path: str) -> None:
        with HistoryFile(path).reading() as history:
            assert [entry.scores for entry in history.entries()]
        gate(scores, "a", "b", margin=0.1, history=path, budget="fdr")

    with written(File("same.db", good)) as path:
        added(path)
    try_each("histories", 250, damaged_one_of({"history.db": good}), tried(added))


def test_results() -> None:
    compare({"a": {"1": 0.1, "2": 0.4, "3": 0.2}, "b": {"1": 0.3, "2": 0.5, "3": 0.1}}).save("good.json")
    good = Path("good.json").read_bytes()
    state = json.loads(gzip.decompress(base64.b64decode(json.loads(good)["state"])))

    def with_odd_state(rng: Random) -> File:
        """A result with an odd node in its state, or with a state that is damaged before it is compressed."""
        odd = with_odd_node(json.loads(json.dumps(state)), rng, of_json=True)
        text = json.dumps(odd).encode() if rng.random() < 0.7 else damaged(json.dumps(state).encode(), rng)
        content = {"study": "compare", "state": base64.b64encode(gzip.compress(text, mtime=0)).decode()}
        return File("result.json", json.dumps(content).encode())

    try_each("results", 300, damaged_one_of({"result.json": good}), tried(read))
    try_each("states of results", 500, with_odd_state, tried(read))


HEADER = {
    "tag": "bm25",
    "actor": {"team": "x", "name": ["a", "b"]},
    "research goal": {"venue": {"name": "TREC", "year": "2020"}, "evaluation": {"baseline": ["a"]}},
    "data": {"test collection": {"name": "x"}},
    "method": {"retrieval": [{"name": "bm25"}]},
}


def headed(rng: Random) -> File:
    """A run below a header of ir_metadata with an odd node, or with damaged YAML."""
    made = with_odd_node(json.loads(json.dumps(HEADER)), rng, of_json=True)
    text = yaml.safe_dump(made, allow_unicode=True, default_flow_style=rng.random() < 0.3).encode(errors="replace")
    text = damaged(text, rng) if rng.random() < 0.5 else text
    lines = b"\n".join(b"# " + line for line in text.split(b"\n"))
    return File("x.run", b"# ir_metadata.start\n" + lines + b"\n# ir_metadata.end\n" + trec_run(RUN))


def test_headers() -> None:
    def attempt(path: str) -> None:
        checked = check(QREL, path)
        assert [table.to_text() for table in checked.tables()]

    try_each("headers", 250, headed, tried(attempt))


def test_lists_of_documents() -> None:
    """The documents of a corpus, which a file or an object may name."""

    def make(rng: Random) -> File:
        names = [*(f"d{number}" for number in range(4)), odd_text(rng), odd_text(rng)]
        return File("docnos", packed("\n".join(names).encode(errors="replace"), rng))

    def attempt(file: File) -> None:
        load(QREL, RUN, corpus_size=file.data.decode(errors="replace").splitlines())

    try_each("documents", 200, make, attempt)
