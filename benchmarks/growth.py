"""How studies grow: the time of a processor of a small study, and how many times that ten times as much of it takes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import polars as pl

import irgauge
from benchmarks.figures import Figure
from irgauge.reading.collection import Collection
from irgauge.simulation.collections import Design, simulate
from irgauge.simulation.judges import JudgeDesign, simulate_judge
from irgauge.studies.result import Result

TENFOLD = 10
ROUNDS = 2
Sizes = Mapping[str, int]
Study = Callable[[], Result]  # ready to be timed: what it needs is made


def judges(systems: int, topics: int, judges: int) -> Study:
    """People's claims under the judgments of some judges."""
    people = _collection(systems, topics)
    every = {f"judge {seed}": simulate_judge(people, JudgeDesign(), seed=seed) for seed in range(judges)}
    return lambda: irgauge.judges(people, every, "nDCG@10")


def holes(systems: int, topics: int) -> Study:
    """Bounds of all systems and pairs."""
    collection = _collection(systems, topics)
    return lambda: irgauge.holes(collection, "nDCG@10")


def slices(systems: int, topics: int, kinds: int) -> Study:
    """All pairs on all kinds of topics."""
    rng = np.random.default_rng(0)
    kind_of = rng.integers(0, kinds, topics)
    rows = _rows(rng, systems, kind_of)
    frame = pl.DataFrame(rows)
    return lambda: irgauge.compare(frame, by="kind")


def sequential(topics: int) -> Study:
    """A look at so many topics."""
    rng = np.random.default_rng(0)
    old = rng.beta(2, 3, topics)
    scores = {"old": old, "new": np.clip(old + rng.normal(0, 0.1, topics), 0, 1)}
    tables = {name: {str(topic): float(score) for topic, score in enumerate(own)} for name, own in scores.items()}

    def look() -> Result:
        with tempfile.TemporaryDirectory() as folder:
            state = Path(folder) / "state.json"
            return irgauge.gate(tables, "old", "new", margin=0.02, sequential=True, state=state)

    return look


STUDIES: Mapping[str, tuple[Callable[..., Study], Sizes]] = {
    "judges": (judges, {"systems": 20, "topics": 50, "judges": 3}),
    "holes": (holes, {"systems": 20, "topics": 50}),
    "compare, by kinds": (slices, {"systems": 20, "topics": 500, "kinds": 5}),
    "gate, a look": (sequential, {"topics": 1000}),
}


def run() -> Iterator[Figure]:
    """Each study as it is, and with ten times as much of everything in turn."""
    for name, (make, sizes) in STUDIES.items():
        base = _seconds(make(**sizes))
        said = ", ".join(f"{count} {what}" for what, count in sizes.items())
        yield Figure(f"{name} ({said})", 1000 * base, "ms")
        for what, count in sizes.items():
            more = _seconds(make(**{**sizes, what: TENFOLD * count}))
            yield Figure(f"{name}, 10 times the {what}", more / base, "times")


def _collection(systems: int, topics: int) -> Collection:
    return simulate(Design(systems=systems, families=5, topics=topics, depth=100, corpus_size=10_000)).collection()


def _rows(rng: np.random.Generator, systems: int, kind_of: np.ndarray) -> dict[str, list[object]]:
    topics = range(len(kind_of))
    return {
        "topic": [f"t{topic}" for _ in range(systems) for topic in topics],
        "kind": [f"kind {kind_of[topic]}" for _ in range(systems) for topic in topics],
        "system": [f"s{system}" for system in range(systems) for _ in topics],
        "score": rng.beta(2, 3, systems * len(kind_of)).tolist(),
    }


def _seconds(study: Study) -> float:
    """Of a processor, as there may be other work, with all that is said; compiled before."""
    study().findings()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        study().findings()
        times.append(time.process_time() - start)
    return min(times)
