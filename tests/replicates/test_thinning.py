"""Thinned judgments: what each way keeps, against sets of documents made by hand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from irgauge.conversion import to_dicts
from irgauge.reading.collection import Collection, load
from irgauge.replicates.thinning import thinned, unthinned
from irgauge.simulation.collections import Design, simulate

COLLECTION = simulate(
    Design(systems=4, families=2, topics=6, depth=40, corpus_size=400, relevant_median=12, seed=2)
).collection()
GIVEN = to_dicts(COLLECTION)
SEED = np.random.SeedSequence(7)


def judged(collection: Collection) -> dict[str, dict[str, int]]:
    """The documents that are judged, without those left out."""
    qrels: Mapping[str, Mapping[str, int]] = to_dicts(collection).qrels
    return {topic: {doc: grade for doc, grade in own.items() if grade >= 0} for topic, own in qrels.items()}


def test_all_judgments_are_those_that_were_given() -> None:
    part = unthinned(COLLECTION)
    assert judged(part.collection) == GIVEN.qrels
    assert part.judged == np.mean([len(own) for own in GIVEN.qrels.values()])
    assert part.relevant == np.mean([sum(grade > 0 for grade in own.values()) for own in GIVEN.qrels.values()])


def test_a_depth_keeps_the_top_documents_of_all_runs() -> None:
    for depth, part in zip((20, 3), thinned(COLLECTION, "depth", (20, 3), SEED), strict=True):
        for topic, own in GIVEN.qrels.items():
            lists = [GIVEN.runs[system][topic] for system in COLLECTION.systems]
            tops = {doc for run in lists for doc in sorted(run, key=lambda doc: (run[doc], doc))[::-1][:depth]}
            assert judged(part.collection)[topic] == {doc: grade for doc, grade in own.items() if doc in tops}


def test_shares_of_grades_are_nested_and_keep_the_least() -> None:
    shares = (90, 50, 5)
    sets = [judged(part.collection) for part in thinned(COLLECTION, "stratified", shares, SEED)]
    for topic, own in GIVEN.qrels.items():
        for larger, smaller in zip((GIVEN.qrels, *sets), sets, strict=False):
            assert smaller[topic].items() <= larger[topic].items()
        for share, kept in zip(shares, sets, strict=True):
            for grade in set(own.values()):
                size = sum(other == grade for other in own.values())
                least = min(size, 1 if grade > 0 else 10)
                expected = max(least, int(share * size / 100 + 0.5))
                assert sum(other == grade for other in kept[topic].values()) == expected


def test_shares_at_random_have_a_relevant_document() -> None:
    for share, part in zip((40, 1), thinned(COLLECTION, "random", (40, 1), SEED), strict=True):
        for topic, own in GIVEN.qrels.items():
            kept = judged(part.collection)[topic]
            assert len(kept) == max(1, share * len(own) // 100)
            assert kept.items() <= own.items()
            assert any(grade > 0 for grade in kept.values())


def test_documents_are_drawn_alike() -> None:
    collection = load({"q": {f"d{i}": int(i < 2) for i in range(30)}}, {"s": {"q": {"d0": 1.0}}}, warn=False)
    counts = dict.fromkeys((f"d{i}" for i in range(2, 30)), 0)
    for number in range(300):
        (part,) = thinned(collection, "stratified", (50,), np.random.SeedSequence(number))
        for doc in set(judged(part.collection)["q"]) & set(counts):
            counts[doc] += 1
    assert min(counts.values()) == pytest.approx(150, abs=45)  # five standard errors
    assert max(counts.values()) == pytest.approx(150, abs=45)
