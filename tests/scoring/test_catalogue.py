"""Every measure of the catalogue against slow definitions, and against cases worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from irgauge import Collection, DesignError, Measure, load
from irgauge.scoring.catalogue import RECORDS
from irgauge.scoring.scores import score
from oracles.amended import TREC_EVAL, trec_eval
from oracles.slow_measures import MEASURES, NOT_0_IF_EMPTY, Case, order, value

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # the data have gaps on purpose
TOPICS, SYSTEMS = 200, ("plain", "short", "tied")
# names whose order by bytes is not that of a dictionary
NAMES = [f"doc{number}" for number in range(20)] + [
    "Z",
    "z",
    "ä",
    "é",
    "ｆ",
    "文",
    "𝒜",
    "a-b",
    "_",
    "~",
]


class Judged(NamedTuple):
    qrels: dict[str, dict[str, int]]
    strata: dict[str, dict[str, int]]
    runs: dict[str, dict[str, dict[str, float]]]
    highest: int

    def case(self, topic: str, system: str) -> Case:
        ranking = order(self.runs[system].get(topic, {}))
        return Case(ranking, self.qrels[topic], self.strata[topic], self.highest)


def random_grades(rng: np.random.Generator) -> dict[str, int]:
    """Grades of some documents: graded or binary, some in the pool but not judged, at least one relevant."""
    lowest, highest = int(rng.choice([-1, 0])), int(rng.integers(1, 4))
    judged = rng.choice(NAMES, size=rng.integers(1, len(NAMES)), replace=False)
    grades = {str(docno): int(rng.integers(lowest, highest + 1)) for docno in judged}
    return grades | {str(judged[0]): highest}


def random_scores(rng: np.random.Generator, system: str) -> dict[str, float]:
    """Scores of some documents: all different, many tied, or of very few documents."""
    size = rng.integers(1, 5 if system == "short" else len(NAMES) + 1)
    docnos = [str(docno) for docno in rng.choice(NAMES, size=size, replace=False)]
    scores = rng.integers(-1, 3, size=size) / 2 if system == "tied" else rng.normal(size=size)
    return dict(zip(docnos, scores.tolist(), strict=True))


@pytest.fixture(scope="module")
def data() -> Judged:
    rng = np.random.default_rng(8)
    topics = [str(topic) for topic in range(TOPICS)]
    qrels = {topic: random_grades(rng) for topic in topics}
    strata = {topic: {docno: int(rng.integers(1, 4)) for docno in grades} for topic, grades in qrels.items()}
    runs = {
        system: {topic: random_scores(rng, system) for topic in topics if system != "short" or rng.random() < 0.9}
        for system in SYSTEMS
    }
    return Judged(qrels, strata, runs, max(max(grades.values()) for grades in qrels.values()))


def write_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]], strata: Mapping[str, Mapping[str, int]]) -> Path:
    rows = [
        f"{topic} 0 {docno} {strata[topic][docno]} {grade}\n"
        for topic, grades in qrels.items()
        for docno, grade in grades.items()
    ]
    path.write_text("".join(rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def collection(data: Judged, tmp_path_factory: pytest.TempPathFactory) -> Collection:
    return load(write_qrels(tmp_path_factory.mktemp("strata") / "qrels", data.qrels, data.strata), data.runs)


@pytest.fixture(scope="module")
def values(collection: Collection) -> dict[str, NDArray[np.float64]]:
    scores = score(collection, MEASURES)
    assert scores.topics == tuple(map(str, range(TOPICS)))
    assert scores.systems == SYSTEMS
    return dict(zip(MEASURES, scores.values[..., 0], strict=True))


def test_measure_agrees_with_its_definition_on_random_lists(
    data: Judged, values: dict[str, NDArray[np.float64]]
) -> None:
    cases = [[data.case(str(topic), system) for system in SYSTEMS] for topic in range(TOPICS)]
    for measure, found in values.items():
        expected = [[value(measure, case) for case in of_topic] for of_topic in cases]
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13, err_msg=measure)


def test_strata_matter_to_xinfap_only(data: Judged, values: dict[str, NDArray[np.float64]]) -> None:
    without = dict(zip(MEASURES, score(load(data.qrels, data.runs), MEASURES).values[..., 0], strict=True))
    for measure in MEASURES:
        if measure.startswith("xinfAP"):
            assert np.nanmax(np.abs(values[measure] - without[measure])) > 0.01
        else:
            np.testing.assert_allclose(values[measure], without[measure], rtol=1e-14, err_msg=measure)


def test_judged_documents_suffice_for_all_measures(data: Judged) -> None:
    every, judged = (load(data.qrels, data.runs, documents=documents) for documents in ("all", "judged"))
    np.testing.assert_array_equal(score(judged, MEASURES).values, score(every, MEASURES).values)


@pytest.mark.parametrize("measure", TREC_EVAL)
def test_slow_measures_agree_with_trec_eval(measure: str, data: Judged) -> None:
    rel, oracle = MEASURES[measure]
    for system in SYSTEMS:
        theirs = trec_eval(data.qrels, data.runs[system], measure)
        for topic in data.qrels:
            if any(grade >= rel for grade in data.qrels[topic].values()):
                assert oracle(data.case(topic, system)) == pytest.approx(theirs[topic], rel=1e-11)


def test_every_measure_has_a_slow_definition_with_all_that_it_takes() -> None:
    tested = [Measure.parse(text) for text in MEASURES]
    for record in [one for one in RECORDS if one.diversity is None]:  # those of diversity have a test of their own
        variants = [measure for measure in tested if measure.name == record.name]
        given = {name for measure in variants for name, _ in measure.given}
        cut = {measure.cutoff is not None for measure in variants}
        assert given == set(record.parameters), record.name
        assert cut == {"none": {False}, "optional": {False, True}, "required": {True}}[record.cutoff], record.name


def one(measure: str, ranking: Sequence[str], grades: Mapping[str, int]) -> float:
    """The score of one ranked list."""
    run = {docno: -float(rank) for rank, docno in enumerate(ranking)}
    return float(score(load({"q": dict(grades)}, {"s": {"q": run}}), [measure]).values.item())


def test_topic_that_is_not_in_the_run_scores_as_an_empty_list_which_mostly_is_zero() -> None:
    qrels = {"q1": {"a": 3}, "q2": {"a": 3}}
    scores = score(load(qrels, {"s": {"q1": {"a": 1.0}}}), MEASURES)
    for measure, found in zip(MEASURES, scores.values[:, 1, 0, 0].tolist(), strict=True):
        assert found == pytest.approx(value(measure, Case([], qrels["q2"], {"a": 1}, 3))), measure
        assert (found == 0) == (measure not in NOT_0_IF_EMPTY), measure


# Twist. R: relevant documents; N: length. A position is a rank less the nearest ideal rank of its grade.


def test_twist_of_the_ideal_ranking_is_one() -> None:
    # Ideal ranks: grade 2 at 1, grade 1 at 2 and 3, others from 4. All positions 0: ρ = 1, σ = 1.
    assert one("Twist", ["a", "b", "c", "x", "y"], {"a": 2, "b": 1, "c": 1, "x": 0}) == 1


def test_twist_of_the_reversed_ideal_ranking() -> None:
    # R = 1, N = 3. Ideal: a x y, the others at ranks 2 to 3. Run x y a: positions −1 0 +2, cumulated −1 −1 +1.
    # The cumulated position is positive first at rank 3, so that b = 2 and ρ = 1 / max(1, 2).
    # The reversed ideal is as bad as this: σ is the harmonic mean of 0 and 0.
    assert one("Twist", ["x", "y", "a"], {"a": 1}) == pytest.approx((1 / 2 + 0) / 2)


def test_twist_of_a_graded_ranking() -> None:
    # R = 3, N = 6. Ideal grades 2 1 1 0 0 0: grade 2 at rank 1, grade 1 at 2 to 3, others at 4 to 6.
    # Run grades 1 0 2 0 0 1: positions 1−2 = −1, 2−4 = −2, 3−1 = +2, 0, 0, 6−3 = +3; cumulated −1 −3 −1 −1 −1 +2.
    # b = 5, ρ = 3/5. Positive 5, negative 3.
    # Reversed 0 0 0 1 1 2: −3 −2 −1 +1 +2 +5: positive 8, negative 6.
    # σ is the harmonic mean of 1 − 5/8 = 3/8 and 1 − 3/6 = 1/2: 2 · 3/16 / (7/8) = 3/7.
    ranking = ["b", "w", "a", "x", "y", "c"]
    assert one("Twist", ranking, {"a": 2, "b": 1, "c": 1}) == pytest.approx((3 / 5 + 3 / 7) / 2)


def test_twist_where_the_cumulated_position_never_becomes_positive() -> None:
    # R = 2, N = 4, one relevant document missing. Ideal 1 1 0 0. Run 1 0 0 0: positions 0, 2−3 = −1, 0, 0: ρ = 0.
    # Reversed 0 0 1 1: −2 −1 +1 +2. σ is the harmonic mean of 1 − 0/3 = 1 and 1 − 1/3 = 2/3: 4/5.
    assert one("Twist", ["a", "w", "x", "y"], {"a": 1, "b": 1}) == pytest.approx((0 + 4 / 5) / 2)


def test_twist_is_never_negative_where_more_is_displaced_than_in_the_reversed_ideal() -> None:
    # R = 2, N = 3, one missing. Ideal 1 1 0. Run 0 0 1: −2 −1 +1, cumulated below 0: ρ = 0.
    # Reversed 0 1 1: −2 0 +1. 1 − 3/2 < 0 counts as 0, so that σ = 0.
    assert one("Twist", ["x", "y", "a"], {"a": 1, "b": 1}) == 0


def test_twist_of_a_list_shorter_than_the_recall_base() -> None:
    # R = 3, N = 2. The others' ideal ranks start at 4. Run 1 0: positions 0, 2−4 = −2: ρ = 0.
    # The best list of two has nothing to turn round, so that any displacement is the worst: σ is that of 1 and 0.
    grades = {"a": 1, "b": 1, "c": 1}
    assert one("Twist", ["a", "x"], grades) == 0
    assert one("Twist", ["b", "a"], grades) == 1  # nothing is displaced


def test_twist_without_a_relevant_document_is_zero() -> None:
    assert one("Twist", ["x", "y"], {"a": 1}) == 0


def test_insq_by_hand() -> None:
    # T = 1: S = π²/6 − 1; weights 1/(S (rank + 1)²). Relevant at ranks 1 and 3: 1/4 + 1/16.
    assert one("INSQ", ["a", "x", "b"], {"a": 1, "b": 1}) == pytest.approx((1 / 4 + 1 / 16) / (math.pi**2 / 6 - 1))
    # T = 2: S = π²/6 − 1 − 1/4 − 1/9; weights 1/(S (rank + 3)²). Relevant at rank 2, cut after it: 1/25.
    expected = (1 / 25) / (math.pi**2 / 6 - 1 - 1 / 4 - 1 / 9)
    assert one("INSQ(T=2)@2", ["x", "a", "b"], {"a": 1, "b": 1}) == pytest.approx(expected)


def test_jk_ndcg_by_hand() -> None:
    grades = {"a": 3, "b": 2, "c": 1}
    # base 2: 3 at rank 1 and 2 at rank 2 (log2 2 = 1) whole, 1 at rank 4 halved; the ideal has it at rank 3.
    assert one("nDCG(dcg='jk')", ["a", "b", "x", "c"], grades) == pytest.approx(5.5 / (5 + 1 / math.log2(3)))
    # base 4: no discount down to rank 4, so that any order of these is as good as the ideal.
    assert one("nDCG(dcg='jk', base=4)", ["x", "c", "b", "a"], grades) == 1
    # and from rank 5 on, the logarithm to the base 4: log4 16 = 2.
    below = [f"x{rank}" for rank in range(15)]
    assert one("nDCG(dcg='jk', base=4)", [*below, "a"], grades) == pytest.approx((3 / 2) / 6)


def test_err_by_hand() -> None:
    # Grades 1 and 2 of at most 2: stops with 1/4 at rank 1, with 3/4 at rank 2 where 3/4 come: 1/4 + 9/16/2.
    grades = {"a": 2, "b": 1}
    assert one("ERR(max_rel=2)", ["b", "a"], grades) == pytest.approx(1 / 4 + 9 / 32)
    assert one("ERR(max_rel=2)@1", ["b", "a"], grades) == pytest.approx(1 / 4)
    # Of at most 3: stops with 1/8, then with 3/8 where 7/8 come.
    assert one("ERR(max_rel=3)", ["b", "a"], grades) == pytest.approx(1 / 8 + 7 / 8 * 3 / 8 / 2)


def test_err_takes_the_highest_grade_of_all_topics() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 3}}
    scores = score(load(qrels, {"s": {"q1": {"a": 1.0}, "q2": {"a": 1.0}}}), ["ERR(max_rel='qrels')", "ERR"])
    assert scores.values.ravel().tolist() == [1 / 8, 7 / 8, 1 / 16, 7 / 16]  # 4 is the highest unless others say so


def test_err_refuses_a_max_rel_below_the_grades() -> None:
    with pytest.raises(DesignError, match=r"ERR\(max_rel=1\).*grade 2, above max_rel=1; raise max_rel"):
        one("ERR(max_rel=1)", ["a"], {"a": 2})


def test_err_with_a_far_too_high_max_rel_is_zero() -> None:
    assert one("ERR(max_rel=2000)", ["a"], {"a": 2}) == 0


def test_xinfap_by_hand(tmp_path: Path) -> None:
    # Stratum 1: a relevant, b not: 2 of 2 judged, so that each stands for 1. Stratum 2: c relevant, f not, d and e
    # not judged: 2 of 4, so that each stands for 2. Estimated relevant: 1 + 2 = 3. List: b d a x c.
    # a at rank 3: above it stratum 1 has 1 document and none of 1 relevant, stratum 2 has 1 and none judged, which
    # smoothing takes as 1/2: (1 + 0 + 1/2) / 3 = 1/2.
    # c at rank 5: stratum 1 has 2 and 1 of 2 relevant, stratum 2 has 1 and none judged: (1 + 1 + 1/2) / 5 = 1/2.
    # Together (1 · 1/2 + 2 · 1/2) / 3 = 1/2, but for the smoothing.
    qrels = {"q": {"a": 1, "b": 0, "c": 1, "d": -1, "e": -1, "f": 0}}
    strata = {"q": {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2, "f": 2}}
    run = {"s": {"q": {"b": 5.0, "d": 4.0, "a": 3.0, "x": 2.0, "c": 1.0}}}
    scores = score(load(write_qrels(tmp_path / "qrels", qrels, strata), run), ["xinfAP"])
    assert scores.values.item() == pytest.approx(0.5, abs=1e-5)


def test_xinfap_in_one_stratum_is_infap(data: Judged) -> None:
    scores = score(load(data.qrels, data.runs), ["xinfAP", "infAP"]).values
    np.testing.assert_allclose(scores[0], scores[1], rtol=1e-12)


def test_inferred_aps_are_close_to_ap_where_all_is_judged(data: Judged) -> None:
    every = {topic: dict.fromkeys(NAMES, 0) | grades for topic, grades in data.qrels.items()}
    complete = {topic: {docno: max(grade, 0) for docno, grade in grades.items()} for topic, grades in every.items()}
    ap, inferred, extended = score(load(complete, data.runs), ["AP", "infAP", "xinfAP"]).values
    np.testing.assert_allclose(inferred, ap, atol=1e-4)
    np.testing.assert_allclose(extended, ap, atol=1e-4)
    assert np.abs(inferred - ap).max() > 0
