"""Scores on TREC-8: all runs and topics against trec_eval, samples against ir_measures and the slow definitions."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from numpy.typing import NDArray

from irgauge import Collection, Measure, load
from irgauge.scoring.drawn import Shards
from irgauge.scoring.scores import Fill, score
from oracles.slow_measures import (
    Case,
    expected_reciprocal_rank,
    extended_inferred_ap,
    inverse_squares,
    ndcg,
    order,
    rank_biased_precision,
    twist,
)

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

PARTS = 8  # the runs are compared part by part, to spare memory and to share the work between processes

# trec_eval's name: ours
BOTH = {
    "map": "AP",
    "map_cut_10": "AP@10",
    "map_cut_100": "AP@100",
    "map_cut_1000": "AP@1000",
    "P_5": "P@5",
    "P_10": "P@10",
    "P_1000": "P@1000",
    "recall_10": "R@10",
    "recall_100": "R@100",
    "recall_1000": "R@1000",
    "Rprec": "Rprec",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "ndcg_cut_5": "nDCG@5",
    "ndcg_cut_20": "nDCG@20",
    "ndcg_cut_100": "nDCG@100",
    "bpref": "Bpref",
    "infAP": "infAP",
}


def run_paths(trec8: Path) -> list[Path]:
    return sorted((trec8 / "runs").glob("*.gz"))


def read_fields(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split()


def read_run(path: Path) -> Run:
    fields = read_fields(path)
    run: Run = {}
    for topic, docno, value in zip(fields[0::6], fields[2::6], map(float, fields[4::6]), strict=True):
        run.setdefault(topic, {})[docno] = value
    return run


@pytest.fixture(scope="module")
def qrels(trec8: Path) -> Qrels:
    fields = read_fields(trec8 / "qrels.txt.gz")
    qrels: Qrels = {}
    for topic, docno, grade in zip(fields[0::4], fields[2::4], map(int, fields[3::4]), strict=True):
        qrels.setdefault(topic, {})[docno] = grade
    return qrels


def in_order(run: Run) -> Run:
    """The run with whole-number scores that do not tie: what 32 bits can hold, and hence every trec_eval."""
    return {
        topic: {docno: float(-rank) for rank, docno in enumerate(order(scores), 1)} for topic, scores in run.items()
    }


def in_single_precision(run: Run) -> Run:
    return {
        topic: dict(zip(scores, np.array(list(scores.values())).astype(np.float32).tolist(), strict=True))
        for topic, scores in run.items()
    }


def trec_eval(qrels: Qrels, runs: Iterable[Run], topics: Sequence[str], rel: int = 1) -> NDArray[np.float64]:
    """measure, topic, system: what trec_eval says, 0 for a topic that is not in the run."""
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(BOTH), relevance_level=rel)
    found = [evaluator.evaluate(run) for run in runs]
    nothing = dict.fromkeys(BOTH, 0.0)
    return np.array([[[one.get(topic, nothing)[name] for one in found] for topic in topics] for name in BOTH])


def compare(measures: Iterable[str], ours: NDArray[np.float64], theirs: NDArray[np.float64], within: float) -> None:
    for measure, one, other in zip(measures, ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=within, err_msg=measure)


@pytest.mark.parametrize("part", range(PARTS))
def test_all_scores_agree_with_trec_eval(part: int, trec8: Path, qrels: Qrels) -> None:
    paths = run_paths(trec8)[part::PARTS]
    collection = load(trec8 / "qrels.txt.gz", paths)
    assert len(collection.topics) == 50
    theirs = trec_eval(qrels, (in_order(read_run(path)) for path in paths), collection.topics)
    compare(BOTH, score(collection, BOTH.values()).values[..., 0], theirs, 1e-9)


def test_scores_in_single_precision_agree_with_trec_eval_given_32_bits(trec8: Path, qrels: Qrels) -> None:
    paths = run_paths(trec8)[1::PARTS]
    collection = load(trec8 / "qrels.txt.gz", paths, precision="single")
    ours = score(collection, BOTH.values())
    theirs = trec_eval(qrels, (in_single_precision(read_run(path)) for path in paths), collection.topics)
    compare(BOTH, ours.values[..., 0], theirs, 1e-9)
    double = score(load(trec8 / "qrels.txt.gz", paths), BOTH.values())
    assert np.abs(ours.values - double.values).max() > 1e-6  # some of these runs have scores that 32 bits cannot tell


def test_scores_are_the_same_where_only_judged_documents_are_told_apart(trec8: Path) -> None:
    paths = run_paths(trec8)[2::PARTS]
    every, judged = (load(trec8 / "qrels.txt.gz", paths, documents=documents) for documents in ("all", "judged"))
    measures = [*BOTH.values(), *SLOW]
    np.testing.assert_array_equal(score(judged, measures).values, score(every, measures).values)


def test_all_129_runs_are_compared(trec8: Path) -> None:
    assert len(run_paths(trec8)) == 129


def test_trec_evals_names_are_ours() -> None:
    assert {name: str(Measure.parse(name)) for name in BOTH} == BOTH


@pytest.fixture(scope="module")
def regraded(qrels: Qrels) -> Qrels:
    """Grades 1 to 3 for the relevant documents, and a third of the others not judged (−1)."""
    rng = np.random.default_rng(1)
    return {
        topic: {docno: int(rng.integers(1, 4) if grade else rng.choice([0, 0, -1])) for docno, grade in judged.items()}
        for topic, judged in qrels.items()
    }


@pytest.fixture(scope="module")
def sample(trec8: Path) -> dict[str, Run]:
    return {path.name: in_order(read_run(path)) for path in run_paths(trec8)[5::40]}


@pytest.fixture(scope="module")
def collection(regraded: Qrels, sample: dict[str, Run]) -> Collection:
    return load(regraded, sample)


def with_rel(measure: str, rel: int) -> str:
    """The measure that counts grades from `rel` on as relevant; nDCG goes by grades alone."""
    name, at, cutoff = measure.partition("@")
    return measure if name == "nDCG" else f"{name}(rel={rel}){at}{cutoff}"


@pytest.mark.parametrize("rel", [1, 2, 3])
def test_graded_scores_agree_with_trec_eval_at_every_relevance_level(
    rel: int, collection: Collection, regraded: Qrels, sample: dict[str, Run]
) -> None:
    measures = [with_rel(measure, rel) for measure in BOTH.values()]
    ours = score(collection, measures).values[..., 0]  # measure, topic, system
    theirs = trec_eval(regraded, sample.values(), collection.topics, rel)
    assert all(max(regraded[topic].values()) == 3 for topic in collection.topics)  # so that all scores are defined
    compare(measures, ours, theirs, 1e-9)


def test_judged_agrees_with_ir_measures(collection: Collection, regraded: Qrels, sample: dict[str, Run]) -> None:
    ours = score(collection, ["Judged", "Judged@10", "Judged@100"])
    theirs = from_ir_measures(["Judged", "Judged@10", "Judged@100"], collection, regraded, sample)
    compare(map(str, ours.measures), ours.values[..., 0], theirs, 1e-12)


@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval, which ir_measures asks for ERR, is written in perl")
def test_err_and_exponential_ndcg_agree_with_gdeval(regraded: Qrels, sample: dict[str, Run]) -> None:
    few = dict(list(sample.items())[:2])
    collection = load(regraded, few)
    ours = score(collection, ["ERR(max_rel=4)@20", "nDCG(dcg='exp-log2')@20"])
    theirs = from_ir_measures(["ERR@20", "nDCG(dcg='exp-log2')@20"], collection, regraded, few)
    compare(map(str, ours.measures), ours.values[..., 0], theirs, 0.500001e-5)  # gdeval prints five decimals


def from_ir_measures(
    measures: list[str], collection: Collection, qrels: Qrels, runs: Mapping[str, Run]
) -> NDArray[np.float64]:
    """measure, topic, system"""
    evaluator = ir_measures.evaluator([ir_measures.parse_measure(measure) for measure in measures], qrels)
    values = np.zeros((len(measures), len(collection.topics), len(collection.systems)))
    for system, name in enumerate(collection.systems):
        for found in evaluator.iter_calc(runs[name]):
            row, topic = measures.index(str(found.measure)), collection.topics.index(found.query_id)
            values[row, topic, system] = found.value
    return values


SLOW: dict[str, Callable[[Case], float]] = {
    "RBP(p=0.95, rel=1)@1000": lambda case: rank_biased_precision(case, 1000, 0.95),
    "RBP(rel=2)": lambda case: rank_biased_precision(case, rel=2),
    "INSQ(T=5)": lambda case: inverse_squares(case, t=5),
    "INSQ": inverse_squares,
    "ERR(max_rel='qrels')": expected_reciprocal_rank,
    "nDCG(dcg='jk', base=10)@1000": lambda case: ndcg(case, 1000, "jk", 10),
    "nDCG(dcg='exp-log2')": lambda case: ndcg(case, dcg="exp-log2"),
    "xinfAP": extended_inferred_ap,
    "Twist": twist,
}


@pytest.mark.parametrize("measure", SLOW)
def test_measures_that_trec_eval_lacks_agree_with_their_definitions(
    measure: str, collection: Collection, regraded: Qrels, sample: dict[str, Run]
) -> None:
    topics = range(0, 50, 10)
    ours = score(collection, [measure]).values[0, topics, :, 0]
    theirs = [
        [SLOW[measure](_case(run, regraded, collection.topics[topic])) for run in sample.values()] for topic in topics
    ]
    compare([measure], ours[None], np.array(theirs)[None], 1e-10)


def _case(run: Run, qrels: Qrels, topic: str) -> Case:
    return Case(order(run.get(topic, {})), qrels[topic], dict.fromkeys(qrels[topic], 0), highest=3)


@pytest.fixture(scope="module")
def source_shards(trec8_runs: Collection) -> Shards:
    """The documents by their source."""
    sources = ("FBIS", "FR", "FT", "LA")
    labels = [next(i for i, source in enumerate(sources) if docno.startswith(source)) for docno in trec8_runs.docnos]
    return Shards(np.array(labels, np.int32), sources)


def test_published_fill_values_and_topics_of_the_source_shards(trec8_runs: Collection, source_shards: Shards) -> None:
    """Ferro, Kim and Sanderson 2019: AP of 129 systems in four sources, and the 15 topics relevant in each."""
    scores = score(trec8_runs, ["AP"], source_shards)
    undefined = np.isnan(scores.values)
    assert undefined.any()
    published: dict[Fill, str] = {"lq": "0.03243", "med": "0.1801", "mean": "0.2676", "uq": "0.4186"}
    for fill, printed in published.items():
        values = np.unique(scores.filled(fill).values[undefined])
        assert [f"{value:.4g}" for value in values] == [printed]
    assert len(scores.dropped().topics) == 15
