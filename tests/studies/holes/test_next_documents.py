"""What to judge next, against bounds that are computed again with each document judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import Golden
from irgauge import holes, load
from irgauge.errors import DesignError, InputError
from irgauge.scoring.measures import parse_measures
from irgauge.studies.holes.next_documents import Chances

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # the data have gaps on purpose
KINDS = ("judgments-added", "judge-next", "nothing-to-judge")
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 1}}
RUNS = {
    "good": {"1": {"a": 4.0, "u": 3.0, "v": 2.0, "b": 1.0}, "2": {"a": 4.0, "w": 3.0, "b": 1.0}},
    "poor": {"1": {"u": 4.0, "b": 3.0, "x": 2.0, "v": 1.0}, "2": {"y": 4.0, "b": 3.0, "w": 2.0, "z": 1.0}},
}


@pytest.mark.parametrize("measure", ["RBP", "P@3", "DCG@3"])
def test_the_first_lifts_the_least_difference_most(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rare = Chances(np.empty(0, np.int64), np.empty(0), 0.0, 0)  # no document is relevant
    monkeypatch.setattr(Chances, "of", lambda *_: rare)
    result = holes(load(QRELS, RUNS), measure, baseline="poor", next_documents=20)
    assert result.to_judge is not None
    before, lifts = result.pairs[0].least, {}
    for topic, docnos in {"1": "uvx", "2": "wyz"}.items():
        for docno in docnos:
            judged = QRELS | {topic: QRELS[topic] | {docno: 0}}
            after = holes(load(judged, RUNS), measure, baseline="poor").pairs[0].least
            lifts[topic, docno] = after - before
    uses = {(row.topic, row.docno): row.use for row in result.to_judge.documents}
    assert uses == pytest.approx({pair: lift for pair, lift in lifts.items() if lift > 1e-9})
    assert result.frame("next")["docno"].to_list() == [row.docno for row in result.to_judge.documents]
    assert list(uses.values()) == sorted(uses.values(), reverse=True)


def test_judging_what_is_named_settles_the_pairs_as_all_judgments_do(tmp_path: Path, golden: Golden) -> None:
    rng, docnos = np.random.default_rng(4), [f"d{number}" for number in range(60)]
    truth = {str(topic): {docno: int(rng.random() < 0.2) for docno in docnos} | {"d0": 1} for topic in range(8)}
    runs = {
        system: {
            topic: {docno: skill * grades[docno] + rng.random() for docno in rng.permutation(docnos)[:40].tolist()}
            for topic, grades in truth.items()
        }
        for system, skill in (("a", 0.9), ("b", 0.5), ("c", 0.1))
    }
    first = {topic: {max(run[topic], key=run[topic].__getitem__) for run in runs.values()} | {"d0"} for topic in truth}
    shown = {topic: {docno: truth[topic][docno] for docno in own} for topic, own in first.items()}
    data = load(shown, runs)
    for batch in range(30):
        result = holes(data, "P@10", next_documents=10, judged=tmp_path)
        assert result.to_judge is not None
        if batch == 1 or not result.to_judge.unsettled:
            golden(finding.text for finding in result.findings() if finding.kind in KINDS)
        if not result.to_judge.unsettled:
            break
        lines = [f"{row.topic} 0 {row.docno} {truth[row.topic][row.docno]}\n" for row in result.to_judge.documents]
        (tmp_path / str(batch)).write_text("".join(lines))
    assert 0 < batch < 29
    assert result.added is not None
    assert 0 < result.added <= 10 * batch
    final = holes(load(truth, runs), "P@10")
    assert [(row.system, row.against) for row in final.pairs if row.system == "a"] == [("a", "b"), ("a", "c")]


def test_a_queue_needs_the_question() -> None:
    result = holes(load(QRELS, RUNS), "P@3")
    with pytest.raises(DesignError, match="--next 20"):
        result.own_forms()["queue"](result)


def test_a_grade_above_those_that_bounds_rest_on_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "judged"
    folder.mkdir()
    (folder / "more").write_text("1 0 c 3\n")
    runs = load({"1": {"a": 1, "b": 0}}, {"g": {"1": {"a": 2, "b": 1}}, "p": {"1": {"c": 2, "b": 1}}})
    with pytest.raises(InputError, match="the grade 3 is above 1, the highest of the judgments"):
        holes(runs, "DCG@2", judged=folder)


def test_chances_are_even_where_judgments_tell_nothing() -> None:
    sparse = load({"1": {"a": 1}}, {"g": {"1": {"a": 2, "x": 1}}, "p": {"1": {"y": 2, "a": 1}}})
    assert Chances.of(sparse, parse_measures("RR")[0]).on(0, np.arange(3)).tolist() == [0.5] * 3
