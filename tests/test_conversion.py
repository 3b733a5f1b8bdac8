"""Out of irgauge, and in again."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
import pytrec_eval
import ranx

import irgauge as ig
from irgauge.conversion import to_datasets, to_dicts, to_pandas, to_ranx
from irgauge.errors import DesignError
from irgauge.scoring.scores import score

# what numba says of ranx's kernels, when it compiles them for the first time
pytestmark = pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaTypeSafetyWarning")
DOCS = [f"d{i}" for i in range(20)]


@pytest.fixture(scope="module")
def runs() -> ig.Collection:
    rng = np.random.default_rng(3)
    qrels = {f"q{t}": {d: int(rng.integers(0, 3)) for d in DOCS[:12]} for t in range(5)}
    found = {
        name: {f"q{t}": {d: float(rng.integers(0, 6)) for d in DOCS if rng.random() < 0.8} for t in range(lists)}
        for name, lists in (("all", 5), ("some", 4))
    }
    return ig.load(qrels, found, warn=False)


def test_dicts_are_scored_alike_by_pytrec_eval(runs: ig.Collection) -> None:
    qrels, found = to_dicts(runs)
    ours = score(runs, ["AP", "nDCG@10"]).values[..., 0]  # measure, topic, system
    for s, system in enumerate(runs.systems):
        theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut_10"}).evaluate(found[system])
        for t, topic in enumerate(runs.topics):
            expected = theirs.get(topic, {"map": 0, "ndcg_cut_10": 0})
            assert ours[:, t, s].tolist() == pytest.approx([expected["map"], expected["ndcg_cut_10"]])


def test_ranx_scores_alike(runs: ig.Collection) -> None:
    qrels, (first, _) = to_ranx(runs)
    assert ranx.evaluate(qrels, first, "map") == pytest.approx(ig.score(runs, "AP").of("AP")[0].mean)
    assert first.name == "all"


def test_what_goes_out_comes_in_again(runs: ig.Collection) -> None:
    again = ig.load(*to_dicts(runs), warn=False)
    assert (score(again, "AP").values == score(runs, "AP").values).all()
    qrels, found = to_ranx(runs)
    assert (score(ig.load(qrels, found, warn=False), "AP").values == score(runs, "AP").values).all()


def test_objects_of_ranx_give_the_collection_of_dicts() -> None:
    judged = {"q1": {"d1": 1, "d2": 0, "d4": 2}, "q2": {"d3": 1, "é1": -1}}
    given = {
        "mine": {"q1": {"d2": 0.5, "d1": 0.5, "d9": 0.75}, "q2": {"é1": 1.5, "d3": -2.0}},
        "other": {"q1": {"d4": 3.0}, "q2": {"d3": 1.0, "d1": 2.0}},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        qrels = ranx.Qrels(judged)
        runs = [ranx.Run(run, name=name) for name, run in given.items()]
    named = ig.load(qrels, runs)
    assert named.systems == ("mine", "other")  # by their own names
    assert ig.load(qrels, runs[0]).systems == ("mine",)
    for one in (named, ig.load(qrels, dict(zip(given, runs, strict=True)))):
        assert_same_lists(one, ig.load(judged, given))


def assert_same_lists(one: ig.Collection, other: ig.Collection) -> None:
    """Equal but for the order of judgments, which ranx sorts."""
    for name in ("topics", "systems", "notes", "corpus_size"):
        assert getattr(one, name) == getattr(other, name)
    for name in ("docs", "levels", "firsts", "lengths", "grades", "judged_bounds"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    bounds = one.judged_bounds.tolist()
    for first, last in pairwise(bounds):
        judged = [dict(zip(c.judged_docs[first:last], c.judged_levels[first:last], strict=True)) for c in (one, other)]
        assert judged[0] == judged[1]


def test_tables_of_pandas_are_scores_again(runs: ig.Collection) -> None:
    table = to_pandas(score(runs, ["AP", "RR"]))
    assert list(table.columns) == ["measure", "topic", "system", "replicate", "score"]
    assert (ig.Scores.from_frame(table).values == score(runs, ["AP", "RR"]).values).all()
    assert len(to_pandas(ig.compare(runs, "AP"))) == 1


def test_documents_must_be_known() -> None:
    with pytest.raises(DesignError, match="documents='all'"):
        to_dicts(ig.load({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}}, documents="judged"))


def test_datasets_of_hugging_face() -> None:
    frame = pl.DataFrame({"query_id": ["1", "2"], "score": [0.5, 0.25]})
    assert to_datasets(frame)[1] == {"query_id": "2", "score": 0.25}


def test_datasets_of_hugging_face_are_runs_and_judgments(runs: ig.Collection) -> None:
    qrels, found = to_dicts(runs)
    judged = [(topic, doc, grade) for topic, docs in qrels.items() for doc, grade in docs.items()]
    ranked = [
        (name, topic, doc, value)
        for name in found
        for topic, docs in found[name].items()
        for doc, value in docs.items()
    ]
    as_frames = (
        pl.DataFrame(judged, schema=["query-id", "corpus-id", "score"], orient="row"),
        pl.DataFrame(ranked, schema=["system", "query-id", "corpus-id", "score"], orient="row"),
    )
    again = ig.load(*map(to_datasets, as_frames), warn=False)
    assert again.systems == runs.systems
    assert (score(again, "AP").values == score(runs, "AP").values).all()
