"""What must hold of scores whatever the data: Hypothesis looks for data where it does not."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge import Measure, load
from irgauge.scoring.scores import score
from oracles.slow_measures import MEASURES, NOT_0_IF_EMPTY

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # the data have gaps on purpose

# The first use of a kernel compiles it, which no deadline should count.
properties = settings(deadline=None, max_examples=60)

DOCNOS = [f"d{number:02}" for number in range(14)]
# a share of the list; positions against an ideal list of the same length; the list as a set; where it ends
LENGTH_MATTERS = (
    "Judged",
    "Twist",
    "Unjudged",
    "SetP",
    "SetF",
    "SetAP",
    "Utility",
    "NumRet",
    "Accuracy",
    "Rndcg",
    "Compat",
    "MADP",
)
LENGTH_MATTERS_TO = ("MP(states='all')", "MP(states='all', steps='local', distance='log')")

NEVER_LOWERED = (
    *("AP", "P", "R", "Rprec", "RR", "nDCG", "ERR", "INSQ", "Bpref", "Success", "R_cap", "F1", "DCG", "SDCG"),
    *("INST", "IPrec", "IAP", "SetP", "SetR", "SetF", "SetAP", "GMAP", "GMBpref", "G", "BinG", "GAP"),
)
ONE_IF_IDEAL = (
    *("AP", "AP(rel=2)", "R@14", "Rprec", "RR", "nDCG", "nDCG@3", "nDCG(dcg='jk')", "Twist", "Bpref", "Success@1"),
    *("R_cap@3", "Accuracy", "IPrec@0.0", "IPrec@0.5", "IPrec@1.0", "IAP", "SetR", "G", "BinG", "RelNDCG", "Rndcg"),
    *("Q", "Q(beta=10)", "GAP", "GAP(thresholds={1: 0.3, 3: 0.7})", "MP", "MP(states='all')"),
)
NOT_0_WITHOUT_RELEVANT = ("Judged", "Unjudged", "Utility", "NumRet", "NumNonrelRet")
GRADED_RBP = tuple(text for text in MEASURES if text.startswith("RBP") and not re.search("rel=|residual=", text))


class Topic(NamedTuple):
    grades: dict[str, int]
    runs: dict[str, dict[str, float]]  # system


@st.composite
def topics(draw: st.DrawFn, *, ties: bool = True) -> Topic:
    """Grades with at least one that is highest, and the scores of three systems."""
    judged = draw(st.dictionaries(st.sampled_from(DOCNOS), st.integers(-1, 3), max_size=len(DOCNOS)))
    grades = judged | {draw(st.sampled_from(DOCNOS)): 3}
    runs = {system: draw(lists(ties=ties)) for system in ("a", "b", "c")}
    return Topic(grades, runs)


@st.composite
def lists(draw: st.DrawFn, *, ties: bool) -> dict[str, float]:
    """Scores of some documents."""
    docnos = draw(st.lists(st.sampled_from(DOCNOS), min_size=1, unique=True))
    if not ties:
        return {docno: -float(rank) for rank, docno in enumerate(docnos)}
    scores = draw(st.lists(st.sampled_from([-1.5, 0.0, 0.25, 2.0]), min_size=len(docnos), max_size=len(docnos)))
    return dict(zip(docnos, scores, strict=True))


def scores_of(
    grades: Mapping[str, int], runs: Mapping[str, Mapping[str, float]], measures: Sequence[str] = tuple(MEASURES)
) -> NDArray[np.float64]:
    """measure, system"""
    collection = load({"q": grades}, {system: {"q": run} for system, run in runs.items()}, workers=1)
    return score(collection, measures, workers=1).values[:, 0, :, 0]


def score_list(grades: Mapping[str, int], ranking: Sequence[str], measures: Sequence[str]) -> dict[str, float]:
    run = {docno: -float(rank) for rank, docno in enumerate(ranking)}
    return dict(zip(measures, scores_of(grades, {"s": run}, measures)[:, 0].tolist(), strict=True))


def by_name(names: Sequence[str]) -> tuple[str, ...]:
    """The measures of these names, with all parameters and cut-offs that are tested."""
    return tuple(text for text in MEASURES if text.partition("(")[0].partition("@")[0] in names)


@properties
@given(topics())
def test_scores_lie_in_the_range_of_the_measure(topic: Topic) -> None:
    for text, scores in zip(MEASURES, scores_of(topic.grades, topic.runs), strict=True):
        least, largest = Measure.parse(text).range or (-math.inf, math.inf)
        assert scores.min() >= least - 1e-12, text
        assert scores.max() <= largest + 1e-12 or text in GRADED_RBP, text


@properties
@given(topics(), st.lists(st.text("09AZaz~é文𝒜", max_size=3), min_size=14, max_size=14))
def test_new_names_in_the_same_order_leave_all_scores_unchanged(topic: Topic, suffixes: list[str]) -> None:
    named = {docno: f"{number:02}{suffixes[number]}" for number, docno in enumerate(DOCNOS)}
    grades = {named[docno]: grade for docno, grade in topic.grades.items()}
    runs = {system: {named[docno]: value for docno, value in run.items()} for system, run in topic.runs.items()}
    np.testing.assert_array_equal(scores_of(topic.grades, topic.runs), scores_of(grades, runs))


@properties
@given(topics(ties=False), st.permutations(DOCNOS))
def test_new_names_in_any_order_leave_all_scores_unchanged_where_no_scores_tie(
    topic: Topic, permuted: list[str]
) -> None:
    named = dict(zip(DOCNOS, permuted, strict=True))
    grades = {named[docno]: grade for docno, grade in topic.grades.items()}
    runs = {system: {named[docno]: value for docno, value in run.items()} for system, run in topic.runs.items()}
    np.testing.assert_array_equal(scores_of(topic.grades, topic.runs), scores_of(grades, runs))


@properties
@given(topics(), st.permutations(["a", "b", "c"]))
def test_permuted_systems_have_the_same_scores(topic: Topic, systems: list[str]) -> None:
    permuted = {system: topic.runs[system] for system in systems}
    np.testing.assert_array_equal(scores_of(topic.grades, topic.runs), scores_of(topic.grades, permuted))


@properties
@given(topics(ties=False), st.integers(1, 9))
def test_unjudged_documents_at_the_end_change_only_measures_that_look_at_the_length(topic: Topic, more: int) -> None:
    unchanged = tuple(text for text in MEASURES if text not in (*by_name(LENGTH_MATTERS), *LENGTH_MATTERS_TO))
    runs = {
        system: run | {f"new{number}": -100.0 - number for number in range(more)} for system, run in topic.runs.items()
    }
    before, after = scores_of(topic.grades, topic.runs, unchanged), scores_of(topic.grades, runs, unchanged)
    np.testing.assert_allclose(after, before, rtol=1e-14)


def test_judged_and_twist_look_at_the_length() -> None:
    grades = {"a": 1, "b": 1}
    before = score_list(grades, ["a", "x", "b"], ("Judged", "Twist"))
    after = score_list(grades, ["a", "x", "b", "y"], ("Judged", "Twist"))
    assert (before["Judged"], after["Judged"]) == (2 / 3, 2 / 4)
    # Positions 0 −1 +1 (0): ρ = 0. The reversed ideal has −2 0 +1, of four documents −2 −1 +1 +2.
    assert [before["Twist"], after["Twist"]] == pytest.approx([0, 1 / 3])


@properties
@given(topics(ties=False), st.data())
def test_relevant_document_that_moves_up_past_another_never_lowers_a_score(topic: Topic, data: st.DataObject) -> None:
    ranking = list(topic.runs["a"])
    grades = [topic.grades.get(docno, 0) for docno in ranking]
    places = [i for i in range(len(ranking) - 1) if grades[i] <= 0 < grades[i + 1]]
    assume(places)
    place = data.draw(st.sampled_from(places))
    swapped = [*ranking[:place], ranking[place + 1], ranking[place], *ranking[place + 2 :]]
    # gains of one's own may value a grade of 0 above one of 2
    measures = tuple(text for text in by_name(NEVER_LOWERED) if "gains=" not in text)
    before, after = score_list(topic.grades, ranking, measures), score_list(topic.grades, swapped, measures)
    lowered = {measure for measure in measures if after[measure] < before[measure] - 1e-12}
    assert lowered == set()


@properties
@given(topics())
def test_ideal_ranking_scores_one(topic: Topic) -> None:
    ideal = sorted(topic.grades, key=lambda docno: topic.grades[docno], reverse=True)
    assert score_list(topic.grades, ideal, ONE_IF_IDEAL) == pytest.approx(dict.fromkeys(ONE_IF_IDEAL, 1.0), rel=1e-14)


@properties
@given(topics(ties=False))
def test_list_without_relevant_documents_scores_zero(topic: Topic) -> None:
    others = [docno for docno in topic.runs["a"] if topic.grades.get(docno, 0) <= 0]
    others_count = (*NOT_0_IF_EMPTY, *by_name(NOT_0_WITHOUT_RELEVANT))
    measures = tuple(text for text in MEASURES if text not in others_count and "gains=" not in text)
    assert set(score_list(topic.grades, [*others, "unjudged"], measures).values()) == {0.0}


@properties
@given(topics(), st.sampled_from([1e-3, 2.0, 1e6]), st.sampled_from([-8.0, 0.0, 64.0]))
def test_scores_depend_on_the_order_of_a_run_alone(topic: Topic, factor: float, shift: float) -> None:
    runs = {
        system: {docno: value * factor + shift for docno, value in run.items()} for system, run in topic.runs.items()
    }
    np.testing.assert_array_equal(scores_of(topic.grades, topic.runs), scores_of(topic.grades, runs))
