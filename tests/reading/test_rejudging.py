"""Judgments as they come: duplicates, grades off the scale, names of judges; and runs under other judgments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irgauge import load
from irgauge.errors import DesignError, InputError
from irgauge.reading.judges import check_scale, grades_of, judges_of, mapped, settled
from irgauge.reading.objects import qrels_of
from irgauge.reading.rejudging import own_pairs, pairs_of, rejudged
from irgauge.reading.trec import Qrels
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.simulation.judges import JudgeDesign, simulate_judge

LINES = "1 0 a 0\n1 0 b 1\n2 0 a 2\n1 0 b 2\n2 0 a 2\n1 0 b 2\n"
DESIGN = Design(systems=4, families=2, topics=6, depth=30, corpus_size=300, relevant_median=6, seed=2)


def read(path: Path, text: str) -> Qrels:
    path.write_text(text)
    (judge,) = judges_of(path)
    return judge.read()


@pytest.mark.parametrize(("rule", "grade"), [("first", 1), ("max", 2), ("mean", 2)])
def test_pairs_that_are_judged_twice_are_settled_and_noted(rule: str, grade: int, tmp_path: Path) -> None:
    qrels, notes = settled(read(tmp_path / "j.qrels", LINES), rule)  # type: ignore[arg-type]  # one of them
    rows = {(qrels.topic(row), qrels.docno(row)): int(g) for row, g in enumerate(qrels.grades)}
    assert rows == {("1", "a"): 0, ("1", "b"): grade, ("2", "a"): 2}
    assert "2 pairs are judged more than once, 1 of them with different grades" in notes[0]
    assert "j.qrels:4)" in notes[0]


def test_pairs_that_are_judged_twice_can_be_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"j.qrels:4: document 'b' appears twice in topic '1'.*--duplicates first"):
        settled(read(tmp_path / "j.qrels", LINES), "refuse")
    plain = qrels_of({"1": {"a": 1}})
    assert settled(plain, "refuse") == (plain, ())


def test_grades_off_the_scale_are_refused_with_what_would_map_them(tmp_path: Path) -> None:
    qrels = read(tmp_path / "j.qrels", "1 0 a 0\n1 0 b 7\n2 0 a 4\n2 0 b 4\n")
    with pytest.raises(InputError, match=r"j.qrels:2: 3 grades off .* 0 to 3 \(4: 2, 7: 1\).*--grades 4=3,7=3"):
        check_scale(qrels, 0, 3, {})
    meant = grades_of("4=3,7=3")
    assert mapped(qrels, meant).grades.tolist() == [0, 3, 3, 3]
    check_scale(mapped(qrels, meant), 0, 3, meant)
    check_scale(qrels, 0, 3, {4: 4, 7: 7})  # what is asked for stays


@pytest.mark.parametrize("text", ["1", "1=x", "1=0,1=1", ""])
def test_grades_that_are_no_pairs_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="write them like 0=0,1=0,2=1"):
        grades_of(text)


def test_judges_are_named_by_files_or_by_their_users(tmp_path: Path) -> None:
    for name in ("a.qrels", "b.qrels.txt"):
        (tmp_path / name).write_text("1 0 a 1\n")
    assert [judge.name for judge in judges_of(str(tmp_path))] == ["a", "b"]
    assert [judge.name for judge in judges_of([f"gpt={tmp_path / 'a.qrels'}"])] == ["gpt"]
    with pytest.raises(DesignError, match="two judges have the name 'a'"):
        judges_of([tmp_path / "a.qrels", f"a={tmp_path / 'b.qrels.txt'}"])
    with pytest.raises(InputError, match="2 files, and NAME=FILE names one"):
        judges_of([f"gpt={tmp_path}"])
    with pytest.raises(DesignError, match="there is no judge"):
        judges_of([])


def test_runs_under_other_judgments_score_as_if_they_had_been_loaded_with_them() -> None:
    runs = simulate(DESIGN)
    collection = runs.collection()
    model = simulate_judge(collection, JudgeDesign(noise=0.5, leniency=0.2))
    model[collection.topics[0]]["a document that nobody names"] = 1
    pairs = pairs_of(qrels_of(model), collection)
    own = rejudged(collection, pairs)
    lists = {
        system: {
            topic: {
                collection.docnos[int(doc)]: -float(rank)
                for rank, doc in enumerate(collection.docs[first : first + length])
            }
            for topic, first, length in zip(
                collection.topics, collection.firsts[:, s], collection.lengths[:, s], strict=True
            )
        }
        for s, system in enumerate(collection.systems)
    }
    expected = score(load(model, lists, topics="judged", warn=False), ["AP", "nDCG@10", "bpref"])
    np.testing.assert_allclose(score(own, ["AP", "nDCG@10", "bpref"]).values, expected.values)
    assert int((~pairs.among(own_pairs(collection))).sum()) == 1


def test_collections_of_judged_documents_cannot_be_judged_again(demo: Path) -> None:
    collection = load(demo / "qrels.txt", demo / "runs", documents="judged", warn=False)
    with pytest.raises(DesignError, match="load the collection with documents='all'"):
        pairs_of(qrels_of({"1": {"a": 1}}), collection)
