"""Names of ir_measures, pytrec_eval, ranx, BEIR and MTEB: the numbers of their owners, or refused with a reason."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from ranx.metrics import metric_switch

from conftest import Irgauge
from irgauge import Collection, InputError, Measure, load
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import score
from irgauge.visible import visible
from oracles import other_tools
from oracles.other_tools import QRELS, RUN, Floats, by_ir_measures, by_pytrec_eval, by_ranx, measures_of_ir_measures

EXACT, OF_GDEVAL = 1e-12, 6e-6  # gdeval prints 5 decimals


@pytest.fixture(scope="module")
def collection() -> Collection:
    return load(QRELS, {"run": RUN})


def own(collection: Collection, measure: str | Measure) -> Floats:
    """Our scores of topics."""
    scores = score(collection, measure)
    assert scores.topics == tuple(other_tools.LENGTHS)
    return scores.values[0, :, 0, 0]


def printed(text: str) -> list[str]:
    return [str(measure) for measure in parse_measures(text)]


def is_refused(text: str) -> bool:
    try:
        parse_measures(text)
    except InputError:
        return True
    return False


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_measures(text)
    assert f"'{visible(text, keep=chr(10))}'" in str(caught.value)
    return str(caught.value)


# ir_measures: the strings of its documentation and tests

IR_MEASURES = (Path(other_tools.__file__).parent / "ir_measures_names.txt").read_text(encoding="utf-8").splitlines()
REFUSED = {
    "Accuracy@1": "it is Success@1 in BEIR and PairAccuracy@1 in ir_measures; write one of these",
    "SetP(rel=2)@5": "SetP takes no cut-off",  # nor does it in ir_measures
    "SetR(rel=2)@5": "SetR takes no cut-off",
}
_CWL = "only cwl_eval has it, which is not installed"
NOT_COMPUTED = {  # by ir_measures, as it is installed here
    "official": "ir_measures lacks gm_map; see pytrec_eval below",
    "nDCG(dcg='exp-log2')": "only ranx has it without a cut-off; see ndcg_burges below",
    "RBP(p=0.9, rel=1, residual=True)": "ir_measures has no residual",
    "RBP": _CWL,
    "RBP(p=0.9, rel=1)": _CWL,
    "BPM(T=1.0, max_rel=1)@20": _CWL,
    "BPM(T=2.0, max_rel=1)@10": _CWL,
    "INSQ(T=1.0, max_rel=1)": _CWL,
    "INSQ(T=2.0, max_rel=1)": _CWL,
    "INST(T=1.0, max_rel=1)": _CWL,
    "INST(T=2.0, max_rel=1)": _CWL,
    "SDCG(max_rel=1)@10": _CWL,
    "NERR8(max_rel=1)@10": _CWL,
    "NERR9(max_rel=1)@10": _CWL,
    "NERR10(p=0.8, max_rel=1)": _CWL,
    "NERR11(T=2.0, max_rel=1)": _CWL,
}
COMPUTED = [name for name in IR_MEASURES if name not in REFUSED and name not in NOT_COMPUTED]


def test_all_names_of_ir_measures_but_three_are_accepted() -> None:
    assert len(IR_MEASURES) == len(set(IR_MEASURES)) == 252
    assert [name for name in IR_MEASURES if is_refused(name)] == list(REFUSED)
    for name, reason in REFUSED.items():
        assert reason in refusal(name)


@pytest.mark.parametrize("name", ["SetP(rel=2)@5", "SetR(rel=2)@5"])
def test_ir_measures_refuses_cut_offs_of_sets_too(name: str) -> None:
    with pytest.raises(AssertionError, match=r"unsupported params found: \['cutoff'\]"):
        ir_measures.parse_measure(name).validate_params()


def test_a_name_of_ir_measures_gives_its_numbers(collection: Collection) -> None:
    for name in COMPUTED:
        theirs = {Measure.parse(str(one)): by_ir_measures(one) for one in measures_of_ir_measures(name)}
        assert set(parse_measures(name)) == set(theirs)
        for measure, expected in theirs.items():
            error = OF_GDEVAL if measure.name == "ERR" or "exp-log2" in str(measure) else EXACT
            np.testing.assert_allclose(own(collection, measure), expected, rtol=0, atol=error, err_msg=name)


def test_err_has_4_grades_as_in_ir_measures_where_judgments_have_fewer() -> None:
    fewer = [one._replace(relevance=min(one.relevance, 2)) for one in QRELS]
    expected = by_ir_measures(ir_measures.ERR @ 20, fewer)
    np.testing.assert_allclose(own(load(fewer, {"run": RUN}), "ERR@20"), expected, rtol=0, atol=OF_GDEVAL)


# pytrec_eval

FAMILIES = pytrec_eval.supported_measures - other_tools.TEXTS
CUT = ("P", "recall", "relative_P", "success", "map_cut", "ndcg_cut")
NICKNAMES = ("official", "set", "all_trec")
TREC_EVAL = [
    *sorted(FAMILIES - {"recall"}),  # which is refused, as ranx means something else by it
    *NICKNAMES,
    *(family + numbers for family in CUT for numbers in (".5,10", ".7", "_5,10", "_10")),
    *("iprec_at_recall.0.25,0.5", "iprec_at_recall_0.10", "Rprec_mult.0.5,1.5", "Rprec_mult_1.40"),
]


@pytest.mark.parametrize("rel", [1, 2])
def test_a_name_of_pytrec_eval_gives_its_numbers(rel: int, collection: Collection) -> None:
    for name in TREC_EVAL:
        theirs = {parse_measures(one, rel=rel)[0]: scores for one, scores in by_pytrec_eval(name, rel=rel).items()}
        assert set(parse_measures(name, rel=rel)) == set(theirs)
        for measure, expected in theirs.items():
            np.testing.assert_allclose(own(collection, measure), expected, rtol=0, atol=EXACT, err_msg=name)


@pytest.mark.parametrize(("name", "measure"), [("set_F.0.5", "SetF(beta=0.5)"), ("set_F_2.4", "SetF(beta=2.4)")])
def test_set_f_which_pytrec_eval_calls_so_whatever_its_weight(name: str, measure: str, collection: Collection) -> None:
    assert printed(name) == [measure]
    np.testing.assert_allclose(own(collection, measure), by_pytrec_eval(name)["set_F"], rtol=0, atol=EXACT)


SUMMARIES: dict[str, Callable[[Floats], float]] = {
    "mean": lambda scores: float(np.mean(scores)),
    "sum": lambda scores: float(np.sum(scores)),
    "geometric mean": lambda logarithms: float(np.exp(np.mean(logarithms))),
}


def test_topics_are_summed_up_as_in_pytrec_eval(collection: Collection) -> None:
    for name, scores in by_pytrec_eval("all_trec").items():
        measure = Measure.parse(name)
        expected = pytrec_eval.compute_aggregated_measure(name, list(scores))
        assert SUMMARIES[measure.over_topics](own(collection, measure)) == pytest.approx(expected), name


def test_what_needs_other_judgments_is_refused_and_says_so() -> None:
    nicknames = pytrec_eval.supported_nicknames
    assert nicknames.keys() == {*NICKNAMES, "prefs", "all_prefs", "qrels_jg"}
    for name in nicknames["all_prefs"] - {"num_q", "runid"} | {"prefs", "all_prefs"}:
        assert refusal(name).endswith("it needs preferences between documents, which irgauge does not read")
    for name in nicknames["qrels_jg"] - {"num_q", "runid"} | {"qrels_jg"}:
        assert refusal(name).endswith("it needs several groups of judgments; irgauge reads one")
    for name in other_tools.TEXTS:
        assert refusal(name).endswith("it is a text, not a score")


# ranx

METRICS = re.findall(r'metric == "([^"]+)"', inspect.getsource(metric_switch))
UNCUT = ("r-precision", "bpref")  # which leave a cut-off out of account there, and are refused with one here
RANX = [
    *(f"{name}{level}" for name in METRICS if name not in ("recall", "rbp") for level in ("", "-l1", "-l2", "-l3")),
    *(f"{name}@{cut}" for name in METRICS if name not in (*UNCUT, "rbp") for cut in ("5", "100", "5-l2", "100-l3")),
    *("rbp.95", "rbp.8", "rbp.5-l1", "rbp.95-l2", "rbp.8-l3"),
]


def test_metrics_of_ranx_are_these() -> None:
    known = "hits hit_rate precision recall f1 r-precision mrr map dcg dcg_burges ndcg ndcg_burges bpref rbp"
    assert known.split() == METRICS


def test_a_name_of_ranx_gives_its_numbers(collection: Collection) -> None:
    for name, theirs in by_ranx(RANX).items():
        np.testing.assert_allclose(own(collection, name), theirs, rtol=0, atol=1e-11, err_msg=name)


def drawn_without_ties(rng: np.random.Generator) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments and a run on few topics, each with documents of all grades, as ranx is for such."""
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    docnos = [f"d{number}" for number in range(rng.integers(8, 60))]
    for topic in "12345"[: rng.integers(1, 6)]:
        judged = rng.choice(docnos, rng.integers(4, len(docnos)), replace=False).tolist()
        qrels[topic] = dict(zip(judged, [0, 1, 2, 3, *rng.integers(0, 4, len(judged) - 4).tolist()], strict=True))
        found = rng.choice(docnos, rng.integers(1, len(docnos)), replace=False).tolist()
        run[topic] = dict(zip(found, (rng.permutation(len(found)) / 7 - 2).tolist(), strict=True))
    return qrels, run


def test_random_collections_get_the_numbers_of_ranx() -> None:
    for seed in range(20 * int(os.environ.get("IRGAUGE_FUZZ", "1"))):
        qrels, run = drawn_without_ties(np.random.default_rng(seed))
        scores = score(load(qrels, {"ours": run}, warn=False), RANX)
        for name, theirs in by_ranx(RANX, qrels, run).items():
            ours = scores.values[scores.measures.index(parse_measures(name)[0]), :, 0, 0]
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11, err_msg=f"{seed} {name}")


# names that mean one thing here and another there, or that take no cut-off

UNCLEAR = {
    "rbp": ("in trec_eval it has p = 0.9", "in ranx it needs p, as in rbp.95", "write RBP(p=0.9, rel=1), or with max"),
    "rbp@95": ("in trec_eval it has p = 0.9", "in ranx it needs p, as in rbp.95"),
    "rbp.p=0.8": ("in trec_eval it has p = 0.9", "write RBP(p=0.9, rel=1)"),
    "rbp_resid": ("in trec_eval", "write RBP(p=0.9, residual=True)"),
    "recall": ("R@5, R@10, ... in trec_eval", "SetR in ranx", "write recall.5,10 with the cut-offs, or SetR"),
    "recall-l2": ("R@5, R@10, ... in trec_eval", "SetR in ranx"),
    "Accuracy@10": ("Success@10 in BEIR", "PairAccuracy@10 in ir_measures"),
    "ACCURACY@1,5": ("Success@1 in BEIR", "PairAccuracy@1 in ir_measures"),
    "accuracy_at_10": ("Success@10 in BEIR", "PairAccuracy@10 in ir_measures"),
    "accuracy": ("R@1 in MTEB", "PairAccuracy in ir_measures"),
    "Hole@10": ("in BEIR it counts documents that are judged for no topic", "write Unjudged@10"),
    "bpref@10": ("Bpref takes no cut-off; write Bpref",),
    "r-precision@10": ("did you mean 'r-precision'?",),
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_a_name_of_two_meanings_is_refused_with_both(name: str) -> None:
    message = refusal(name)
    assert [part for part in UNCLEAR[name] if part not in message] == []


# BEIR and MTEB

OF_BENCHMARKS = {
    "NDCG@10": "nDCG@10",
    "MAP@100": "AP@100",
    "Recall@100": "R@100",
    "P@10": "P@10",
    "MRR@10": "RR@10",
    "R_cap@100": "R_cap@100",
    "recall_cap@100": "R_cap@100",
    "top_k_accuracy@10": "Success@10",
    "ndcg_at_10": "nDCG@10",
    "map_at_10": "AP@10",
    "recall_at_10": "R@10",
    "precision_at_10": "P@10",
    "mrr_at_10": "RR@10",
    "hit_rate_at_10": "Success@10",
}


@pytest.mark.parametrize("name", OF_BENCHMARKS)
def test_a_name_of_beir_or_mteb_is_what_they_mean(name: str) -> None:
    assert printed(name) == [OF_BENCHMARKS[name]]


# several at once, in any case

SEVERAL = {
    "P@5,10": ["P@5", "P@10"],
    "P(rel=2)@5,10": ["P(rel=2)@5", "P(rel=2)@10"],
    "ndcg@10,20-l2": ["nDCG(gains={1: 0})@10", "nDCG(gains={1: 0})@20"],
    "hit_rate@1,5": ["Success@1", "Success@5"],
    "recall@5,10": ["R@5", "R@10"],
    "IPrec@0.1,0.2": ["IPrec@0.1", "IPrec@0.2"],
    "unj.5,10": ["Unjudged@5", "Unjudged@10"],
    "set_F.1.0,0.5": ["SetF", "SetF(beta=0.5)"],
    "rbp.8,95": ["RBP", "RBP(p=0.95)"],
    "success": ["Success@1", "Success@5", "Success@10"],
}


@pytest.mark.parametrize("name", SEVERAL)
def test_a_text_names_several_measures(name: str) -> None:
    assert printed(name) == SEVERAL[name]


@pytest.mark.parametrize("name", [*TREC_EVAL, *OF_BENCHMARKS])
def test_names_are_taken_in_any_case(name: str) -> None:
    assert parse_measures(name.upper()) == parse_measures(name.lower()) == parse_measures(name)


def test_official_measures_are_those_of_trec_eval_on_the_command_line(run: Irgauge, demo: Path) -> None:
    code, out, err = run("score", demo / "qrels.txt", demo / "runs", "-m", "official", "-m", "ndcg_cut.5,10")
    assert code == 0, err
    named = dict.fromkeys(re.findall(r"(?:has|share) the highest mean (\S+)", out))
    assert list(named) == [*printed("official"), "nDCG@5", "nDCG@10"]


# unknown names

NEAR = {
    "Sucess@10": "Success",
    "SuccessRate@10": "Success",
    "sucess_10": "success_10",
    "nDGC@10": "nDCG",
    "ndgc_cut_10": "ndcg_cut_10",
    "hit_rates@5": "hit_rate",
    "precison@10": "Precision",
    "gm_ap": "gm_map",
    "MRRR": "MRR",
    "clicks": None,
    "rouge": None,  # a little like Judged
    "kendall": None,
    "main_score": None,
    "latency@10": None,
    "Zufriedenheit": None,
}


@pytest.mark.parametrize("name", NEAR)
def test_an_unknown_name_gets_a_suggestion_where_one_is_near(name: str) -> None:
    expected = [] if NEAR[name] is None else [NEAR[name]]
    assert re.findall(r"did you mean '(.*?)'", refusal(name)) == expected


_heads = st.sampled_from([*sorted(FAMILIES), *METRICS, *NICKNAMES, "nDCG", "IPrec", "RBP", "Accuracy", "α_nDCG", ""])
_tails = st.sampled_from(
    ["", "@", "@10", "@5,10", "@,", "_", ".5", "-l2", "-l", "(rel=2)", "(gains={1: 2})", "()", "("]
)


@given(st.one_of(st.text(), st.builds("{}{}{}{}".format, _heads, _tails, st.text(max_size=2), _tails)))
def test_any_text_is_read_or_refused_with_the_text(text: str) -> None:
    if is_refused(text):
        assert refusal(text)  # which shows the text
    else:
        found = parse_measures(text)
        assert parse_measures(map(str, found)) == found != ()


@pytest.mark.parametrize("text", ["AP(rel=" + "-" * 2000 + "1)", "AP(rel=0x" + "f" * 9000 + ")", "P@" + "1," * 9000])
def test_a_text_that_python_cannot_read_is_refused(text: str) -> None:
    assert refusal(text)
