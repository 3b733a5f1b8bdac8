"""The experiment of benchmarks.judging on a small collection: verdicts are right, and take fewer judgments."""

from __future__ import annotations

import pytest
from benchmarks import judging

from irgauge.simulation.collections import Design, simulate


def test_named_documents_settle_pairs_with_fewer_judgments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "POOLS", (2,))
    monkeypatch.setattr(judging, "MEASURES", ("P@10",))
    monkeypatch.setattr(judging, "BATCH", 4)
    design = Design(systems=6, families=3, topics=12, depth=20, corpus_size=300, relevant_median=12, seed=1)
    made = simulate(design).collection()
    names, runs = made.docnos.to_list(), {}
    for place, system in enumerate(made.systems):
        starts, stops = made.firsts[:, place], made.firsts[:, place] + made.lengths[:, place]
        runs[system] = {
            topic: {names[doc]: -float(rank) for rank, doc in enumerate(made.docs[start:stop])}
            for topic, start, stop in zip(made.topics, starts, stops, strict=True)
        }
    rows = judging.run(judging.grades_of(made), runs, pairs=4, seed=2)
    assert len(rows) >= 2 * len(judging.WAYS)
    assert all(row.is_right for row in rows)
    judgments = dict(judging.means(rows).select("way", "judgments").iter_rows())
    assert judgments["named next"] < judgments["at random"]
    assert judgments["named next"] <= judgments["by depth"]
