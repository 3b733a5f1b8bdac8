"""irgauge as a provider of ir_measures: the same numbers as its own providers."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, ERR, RR, Bpref, Judged, P, R, Rprec, Success, nDCG

import irgauge.ir_measures

MEASURES = [AP, AP(rel=2), P @ 5, R @ 10, RR, RR(rel=2), nDCG, nDCG @ 10, Rprec, Bpref, Success @ 3]
DOCS = [f"d{i}" for i in range(25)]


def collection(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments, topic 4 without a relevant document, and a run that lacks topic 2."""
    rng = np.random.default_rng(seed)
    qrels = {str(t): {d: int(rng.integers(0, 4)) * (t != 4) for d in DOCS if rng.random() < 0.6} for t in range(7)}
    run = {str(t): {d: float(rng.integers(0, 9)) for d in DOCS if rng.random() < 0.7} for t in range(8) if t != 2}
    return qrels, run


@pytest.mark.parametrize("seed", range(3))
def test_each_topic_and_each_mean_are_those_of_the_other_providers(seed: int) -> None:
    qrels, run = collection(seed)
    others = [one for one in ir_measures.DefaultPipeline.providers if one.NAME != "irgauge"]
    expected = ir_measures.providers.FallbackProvider(others).calc(MEASURES, qrels, run)
    found = irgauge.ir_measures.provider.calc(MEASURES, qrels, run)
    means = [{str(one): mean for one, mean in dict(of.aggregated).items()} for of in (found, expected)]  # type: ignore[arg-type]  # of several measures
    assert means[0].keys() == {str(measure) for measure in MEASURES}
    assert means[0] == pytest.approx(means[1], abs=1e-9)
    by_topic = [{(one.query_id, str(one.measure)): one.value for one in of.per_query} for of in (found, expected)]
    assert by_topic[0] == pytest.approx(by_topic[1], abs=1e-9)


def test_judged_shares_are_those_of_ir_measures_where_no_scores_are_tied() -> None:
    """Its own code breaks ties by ascending docno, trec_eval and irgauge by descending docno."""
    qrels, run = collection(1)
    untied = {topic: {doc: score + i / 100 for i, (doc, score) in enumerate(of.items())} for topic, of in run.items()}
    expected = ir_measures.judged.calc_aggregate([Judged @ 10], qrels, untied)
    assert irgauge.ir_measures.provider.calc_aggregate([Judged @ 10], qrels, untied) == pytest.approx(expected)


def test_the_default_pipeline_asks_irgauge() -> None:
    assert ir_measures.providers.registry["irgauge"] is irgauge.ir_measures.provider
    assert [one.NAME for one in ir_measures.DefaultPipeline.providers][:2] == ["runtime", "irgauge"]


OTHERWISE = (
    "Accuracy",
    "Accuracy(rel=3)@10",
    "RR@5",
    "RR(rel=2)@10",
    "Judged@10",
    "Compat",
    "Compat(p=0.8)",
    "alpha_nDCG@5",
)
SCALED = ("BPM(max_rel=1)@10", "SDCG(max_rel=1)@10", "INSQ(max_rel=1)", "INST(max_rel=1)", "NERR8(max_rel=1)@5")


@pytest.mark.filterwarnings("ignore")  # what ir_measures says of plain judgments
@pytest.mark.parametrize("name", OTHERWISE)
def test_the_import_changes_no_number_of_ir_measures(name: str) -> None:
    """Their code orders tied documents, averages over topics or reads judgments in other ways."""
    qrels, run = collection(1)
    measure = ir_measures.parse_measure(name)
    others = [provider for provider in ir_measures.DefaultPipeline.providers if provider.NAME != "irgauge"]
    expected = ir_measures.providers.FallbackProvider(others).calc_aggregate([measure], qrels, run)
    assert ir_measures.calc_aggregate([measure], qrels, run) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", SCALED)
def test_measures_that_cut_grades_at_max_rel_are_left_to_cwl_eval(name: str) -> None:
    assert not irgauge.ir_measures.provider.supports(ir_measures.parse_measure(name))


def test_a_measure_that_irgauge_lacks_is_left_to_others() -> None:
    assert irgauge.ir_measures.provider.supports(ERR @ 20)
    mine = ir_measures.define_byquery(lambda _, run: float(len(run)), name="Length", support_cutoff=False)
    assert not irgauge.ir_measures.provider.supports(mine)
    qrels, run = collection(1)
    assert ir_measures.calc_aggregate([mine, AP], qrels, run)[AP] > 0


def test_a_run_without_any_judged_topic_scores_0() -> None:
    qrels, _ = collection(1)
    assert irgauge.ir_measures.provider.calc_aggregate([AP], qrels, {"x": {"d1": 1.0}}) == {AP: 0.0}
