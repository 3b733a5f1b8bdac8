"""The order in which runs, topics, rows, columns and collections are given changes no number of any study."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.archive.entry import Entry, KeptRun, KeptVerdict
from irgauge.archive.store import HistoryFile
from irgauge.show.saving import to_json
from irgauge.studies.registry import studies

Shuffle = Callable[[list[Any]], list[Any]]
Key = TypeVar("Key")
Value = TypeVar("Value")
SYSTEMS = ("a", "b10", "b9", "c", "d", "e", "f")  # of which the first three are instances of two algorithms
TOPICS = tuple(str(topic) for topic in range(1, 13))
DOCNOS = tuple(f"d{doc}" for doc in range(60))


def shuffled(seed: int) -> Shuffle:
    rng = np.random.default_rng(seed)
    return lambda items: [items[place] for place in rng.permutation(len(items))]


def as_given(items: list[Any]) -> list[Any]:
    return items


def reordered(mapping: Mapping[Key, Value], order: Shuffle) -> dict[Key, Value]:
    return dict(order(list(mapping.items())))


def collection(order: Shuffle, seed: int = 3) -> tuple[dict[str, Any], dict[str, Any]]:
    """Judgments and runs, every mapping in an order of its own."""
    rng = np.random.default_rng(seed)
    qrels = {topic: {doc: int(rng.random() < 0.4) for doc in rng.choice(DOCNOS, 30, replace=False)} for topic in TOPICS}
    runs = {
        system: {
            topic: {str(doc): float(rng.random()) for doc in rng.choice(DOCNOS, 25, replace=False)} for topic in TOPICS
        }
        for system in SYSTEMS
    }
    qrels = reordered({topic: reordered(grades, order) for topic, grades in qrels.items()}, order)
    return qrels, reordered({system: reordered(lists, order) for system, lists in runs.items()}, order)


def loaded(order: Shuffle, seed: int = 3) -> ig.Collection:
    return ig.load(*collection(order, seed), warn=False)


def table(order: Shuffle, shards: int = 1) -> pl.DataFrame:
    """A long table of scores, its rows and columns in any order."""
    rng = np.random.default_rng(5)
    rows = [
        {"measure": "AP", "topic": topic, "system": system, "replicate": str(shard), "score": float(rng.random())}
        for topic in TOPICS
        for system in SYSTEMS
        for shard in range(shards)
    ]
    return pl.DataFrame(order(rows)).select(order(["measure", "topic", "system", "replicate", "score"]))


def compared(order: Shuffle) -> list[Any]:
    runs = loaded(order)
    names = ("t", "skewed-t", "max-t", "tukey", "randomised-tukey", "wilcoxon")
    forms: list[dict[str, Any]] = [{"test": name} for name in names]
    forms += [{"test": "randomization", "baseline": "c"}, {"test": "dunnett", "baseline": "c"}]
    forms += [{"shards": "even:2"}, {"shards": "even:2", "population": "documents", "test": "tukey"}]
    return [ig.compare(runs, ["AP", "P@5"], draws=200, **form) for form in forms]


def gates(order: Shuffle) -> list[Any]:
    qrels, runs = collection(order)
    sides = (
        {name: runs[name] for name in runs if name in ("c", "d")},
        {name: runs[name] for name in runs if "b" in name},
    )
    scores = ig.load_scores(table(order))
    return [
        ig.gate(qrels, *sides, "AP", margin=0.1),
        ig.gate(qrels, {"c": runs["c"]}, {"a": runs["a"]}, "AP", margin=0.1),
        ig.gate(scores, order(["c", "d"]), order(["b9", "b10"]), margin=0.1),
    ]


def instances(order: Shuffle) -> list[Any]:
    by: dict[str, Any] = {"pattern": ["{algorithm}9", "{algorithm}10", "{algorithm}"], "draws": 100}
    scores = ig.InstanceScores.from_frame(table(order, 3))
    return [
        ig.instances(loaded(order), "AP", **by),
        ig.instances(loaded(order), "AP", variances="common", only=order(["b", "c", "d"]), **by),
        ig.instances(scores, draws=100),
    ]


def histories(order: Shuffle) -> list[Any]:
    """The scores of six nights, those of each in any order."""
    rng = np.random.default_rng(6)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "nights.sqlite"
        for night in range(6):
            own = {topic: float(rng.random()) + 0.3 * (night > 2) for topic in TOPICS}
            scores = {("AP", "new"): reordered(own, order), ("AP", "old"): reordered(dict.fromkeys(TOPICS, 0.5), order)}
            with HistoryFile(path).writing() as history:
                history.add(night_of(night, reordered(scores, order)))
        return [ig.history(path)]


def night_of(night: int, scores: Mapping[tuple[str, str], Mapping[str, float]]) -> Entry:
    return Entry(
        time=datetime(2026, 10, 1 + night, tzinfo=UTC),
        command="gate",
        version="1",
        checkout=None,
        judgments="a",
        settings={},
        runs=(KeptRun("old", "old", "baseline", "x"), KeptRun("new", "new", "candidate", str(night))),
        scores=scores,
        verdicts=(KeptVerdict("AP", "new", "old", "topics", "higher", 0.0, None, None, None, 0.1, "equivalent"),),
    )


QUESTIONS: Mapping[str, Callable[[Shuffle], list[Any]]] = {
    "check": lambda order: [ig.check(*collection(order))],
    "score": lambda order: [ig.score(loaded(order), ["AP", "nDCG@5"]), ig.score(table(order))],
    "compare": compared,
    "suite": lambda order: [
        ig.suite(
            reordered({name: loaded(order, seed) for seed, name in enumerate("xyz")}, order), "AP", baseline=baseline
        )
        for baseline in (None, "c")
    ],
    "gate": gates,
    "history": histories,
    "judges": lambda order: [
        ig.judges(loaded(order), {"m": collection(order, 4)[0]}, "AP", draws=20),
        ig.judges(table(order), {"m": table(order)}, draws=20),
    ],
    "teams": lambda order: [ig.teams(data, groups=dict.fromkeys("ac", "x")) for data in (loaded(order), table(order))],
    "topics": lambda order: [ig.topics(loaded(order), "AP"), ig.topics(table(order, 2))],
    "agreement": lambda order: [ig.agreement(loaded(order), ["AP", "nDCG@5", "RR"])],
    "thinning": lambda order: [
        ig.thinning(loaded(order), "AP", way=way, sizes=[10], repeats=2, draws=50)
        for way in ("stratified", "random", "depth")
    ],
    "sensitivity": lambda order: [
        ig.sensitivity(loaded(order), ["AP", "RR"], draws=50),
        ig.sensitivity(table(order), draws=50),
    ],
    "anova": lambda order: [ig.anova(loaded(order), "AP", shards="even:2"), ig.anova(table(order, 2))],
    "effects": lambda order: [ig.effects(loaded(order), "AP", shards=["even:2"])],
    "robustness": lambda order: [ig.robustness(loaded(order), "AP", shards=[2, 3], resamples=2)],
    "partition": lambda order: [
        ig.partition(loaded(order), "AP", splits=3),
        ig.partition(table(order, 2)),
    ],
    "bootstrap": lambda order: [
        ig.bootstrap(loaded(order), "AP", images=20, draw=draw) for draw in ("documents", "topics", "both")
    ],
    "pools": lambda order: [ig.pools(loaded(order), "AP", images=20, all_pairs=True, depths=[5])],
    "instances": instances,
    "calibrate": lambda order: [ig.calibrate(loaded(order), "AP", quick=True, trials=2)],
    "plan": lambda order: [ig.plan(loaded(order), "AP", difference=0.05), ig.plan(table(order, 2), difference=0.05)],
}


@pytest.mark.parametrize("name", studies())
def test_the_order_of_data_changes_nothing(name: str) -> None:
    verb: Callable[..., Any] = studies()[name].verb
    ask: Callable[[Shuffle], list[Any]] = QUESTIONS.get(name) or (lambda order: [verb(loaded(order))])
    first, again = ([to_json(result.to_dict()) for result in ask(order)] for order in (as_given, shuffled(1)))
    for one, other in zip(first, again, strict=True):
        assert one == other


def test_the_report_does_not_depend_on_the_order_of_data() -> None:
    made = [
        ig.report(loaded(order), "AP", images=20, resamples=2, shards="even:2") for order in (as_given, shuffled(2))
    ]
    first, again = (re.sub(r"\d+T\d+:\d+:\d+Z", "", to_json(report.to_dict())) for report in made)  # when it was made
    assert first == again


def test_subtopics_are_summed_in_the_order_of_their_names(tmp_path: Path) -> None:
    rng, lines = np.random.default_rng(4), []
    for topic in TOPICS[:4]:
        for subtopic in range(12):
            lines += [f"{topic} {subtopic} {doc} 1\n" for doc in rng.choice(DOCNOS, 7, replace=False)]
    run = {topic: {str(doc): float(rng.random()) for doc in DOCNOS} for topic in TOPICS[:4]}
    values = []
    for order in (as_given, shuffled(3)):
        path = tmp_path / "qrels.txt"
        path.write_text("".join(order(lines)))
        runs = ig.load(path, {"mine": run}, warn=False)
        values.append(ig.measure(runs, ["alpha_nDCG@20", "nERR_IA@20"]).scores.values.tolist())
    assert values[0] == values[1]
