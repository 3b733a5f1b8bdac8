"""Out of irgauge, and in again."""

from __future__ import annotations

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
