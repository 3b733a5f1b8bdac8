"""Measures of diversity: against pyndeval, and against slow definitions in shards and images that were rewritten."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyndeval
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge import Collection, DesignError, load
from irgauge.replicates.images import draw_images
from irgauge.replicates.shards import sharding
from irgauge.scoring.drawn import Images, Replicates, Shards, whole
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scorer import Scorer
from irgauge.scoring.scores import score
from oracles import slow_diversity
from oracles.amended import Image, amended_qrels, amended_run, shard_image
from oracles.slow_diversity import Case
from oracles.slow_measures import MEASURES as ORDINARY
from oracles.slow_measures import order

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # the data have gaps on purpose
TOPICS, SYSTEMS, DOCUMENTS, SHARDS, IMAGES = 8, 2, 40, 3, 3
SLOW = list(slow_diversity.MEASURES)
NOT_IN_PYNDEVAL = [name for name in SLOW if "judged_only" in name or int(name.partition("@")[2] or 0) > 20]

# measure as irgauge writes it: as pyndeval does, the lowest relevant grade, α and β
PYNDEVAL: dict[str, tuple[str, int, float, float]] = {
    "alpha_nDCG@1": ("alpha-nDCG@1", 1, 0.5, 0.5),
    "alpha_nDCG@5": ("alpha-nDCG@5", 1, 0.5, 0.5),
    "alpha_nDCG(alpha=0.3)@20": ("alpha-nDCG@20", 1, 0.3, 0.5),
    "alpha_nDCG(alpha=0.7, rel=2)@10": ("alpha-nDCG@10", 2, 0.7, 0.5),
    "alpha_DCG@5": ("alpha-DCG@5", 1, 0.5, 0.5),
    "alpha_DCG(alpha=0.9)@20": ("alpha-DCG@20", 1, 0.9, 0.5),
    "ERR_IA@2": ("ERR-IA@2", 1, 0.5, 0.5),
    "ERR_IA(rel=2)@20": ("ERR-IA@20", 2, 0.5, 0.5),
    "nERR_IA@5": ("nERR-IA@5", 1, 0.5, 0.5),
    "nERR_IA(rel=2)@20": ("nERR-IA@20", 2, 0.5, 0.5),
    "NRBP": ("NRBP", 1, 0.5, 0.5),
    "NRBP(alpha=0.3, beta=0.9)": ("NRBP", 1, 0.3, 0.9),
    "nNRBP": ("nNRBP", 1, 0.5, 0.5),
    "nNRBP(alpha=0.2, beta=0.8, rel=2)": ("nNRBP", 2, 0.2, 0.8),
    "AP_IA": ("MAP-IA", 1, 0.5, 0.5),
    "AP_IA(rel=2)": ("MAP-IA", 2, 0.5, 0.5),
    "P_IA@10": ("P-IA@10", 1, 0.5, 0.5),
    "StRecall@5": ("strec@5", 1, 0.5, 0.5),
    "StRecall(rel=2)@10": ("strec@10", 2, 0.5, 0.5),
}

Judged = dict[str, dict[str, dict[str, int]]]  # topic, docno, subtopic: grade
Run = dict[str, dict[str, float]]  # topic, docno: score


class Diverse(NamedTuple):
    """A small collection with judgments by subtopic, and the objects it was made of."""

    judged: Judged
    runs: dict[str, Run]
    collection: Collection

    def of_documents(self, values: Image, dtype: type[np.generic]) -> NDArray[np.generic]:
        """Values of docnos, in the collection's order of documents."""
        return np.array([values[docno] for docno in self.collection.docnos], dtype)


def rows(judged: Judged) -> list[tuple[str, str, str, int]]:
    """Rows of topic, subtopic, docno and grade."""
    return [
        (topic, subtopic, docno, grade)
        for topic, documents in judged.items()
        for docno, grades in documents.items()
        for subtopic, grade in grades.items()
    ]


def _random_grades(rng: np.random.Generator, subtopics: Sequence[str]) -> dict[str, int]:
    under = rng.choice(subtopics, size=rng.integers(1, len(subtopics) + 1), replace=False)
    return {str(one): int(rng.choice([-1, 0, 0, 1, 1, 2])) for one in under}


def random_judged(rng: np.random.Generator, docnos: Sequence[str]) -> Judged:
    """Judgments of documents under some of their topic's subtopics."""
    judged: Judged = {}
    for topic in range(TOPICS):
        subtopics = [f"s{i}" for i in range(rng.integers(2, 6))]
        documents = map(str, rng.choice(docnos, size=rng.integers(3, len(docnos)), replace=False))
        judged[f"t{topic}"] = {docno: _random_grades(rng, subtopics) for docno in documents}
        judged[f"t{topic}"][str(rng.choice(docnos))] = {"s0": 2, "s1": 1}
    return judged


def random_run(rng: np.random.Generator, docnos: Sequence[str]) -> Run:
    """Lists of many lengths."""
    lists = {f"t{t}": rng.permutation(docnos)[: rng.integers(1, DOCUMENTS)] for t in range(TOPICS)}
    return {topic: {str(docno): 1.0 / (1 + rank) for rank, docno in enumerate(one)} for topic, one in lists.items()}


def written(path: Path, lines: Sequence[tuple[str, str, str, int]]) -> Path:
    path.write_text("".join(f"{' '.join(map(str, line))}\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def diverse(tmp_path_factory: pytest.TempPathFactory) -> Diverse:
    rng = np.random.default_rng(11)
    docnos = [f"d{i:02}" for i in range(DOCUMENTS)]  # of one size, so that copies of documents keep their order
    judged, runs = random_judged(rng, docnos), {f"run{s}": random_run(rng, docnos) for s in range(SYSTEMS)}
    path = written(tmp_path_factory.mktemp("diverse") / "qrels", rows(judged))
    return Diverse(judged, runs, load(path, runs))


def ndeval(judged: Judged, run: Run, measure: str) -> dict[str, float]:
    """What pyndeval says of each topic of the run."""
    name, rel, alpha, beta = PYNDEVAL[measure]
    ranked = [(topic, docno, scores[docno]) for topic, scores in run.items() for docno in order(scores)]
    evaluator = pyndeval.RelevanceEvaluator(rows(judged), [name], relevance_level=rel, alpha=alpha, beta=beta)
    return {topic: values[name] for topic, values in evaluator.evaluate(ranked).items()}


def slow(judged: Judged, run: Run, measure: str) -> dict[str, float]:
    return {
        topic: slow_diversity.value(measure, Case(order(run.get(topic, {})), documents))
        for topic, documents in judged.items()
    }


def amended(diverse: Diverse, image: Image) -> tuple[Judged, dict[str, Run]]:
    """Judgments and runs in which every document stands as often as in the image."""
    judged: Judged = amended_qrels(diverse.judged, image)  # type: ignore[arg-type,assignment]  # of any values
    return judged, {name: amended_run(run, image) for name, run in diverse.runs.items()}


def shards(diverse: Diverse) -> tuple[Shards, list[Image]]:
    drawn = next(sharding(diverse.collection, f"even:{SHARDS}").splits(4))
    labels = dict(zip(diverse.collection.docnos, drawn.labels.tolist(), strict=True))
    return drawn, [shard_image(labels, shard) for shard in range(SHARDS)]


def images(diverse: Diverse) -> tuple[Images, list[Image]]:
    drawn = draw_images(diverse.collection, IMAGES, seed=5)
    weights = [drawn.weights[:, i].tolist() for i in range(IMAGES)]
    return drawn, [dict(zip(diverse.collection.docnos, one, strict=True)) for one in weights]


# the whole corpus


@pytest.mark.parametrize("measure", PYNDEVAL)
def test_pyndeval_says_the_same(measure: str, diverse: Diverse) -> None:
    values = score(diverse.collection, measure).values[0, :, :, 0]
    for system, run in enumerate(diverse.runs.values()):
        found = ndeval(diverse.judged, run, measure)
        expected = [found[topic] for topic in diverse.collection.topics]
        np.testing.assert_allclose(np.nan_to_num(values[:, system]), np.nan_to_num(expected), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("measure", SLOW)
def test_the_definition_says_the_same(measure: str, diverse: Diverse) -> None:
    values = score(diverse.collection, measure).values[0, :, :, 0]
    for system, run in enumerate(diverse.runs.values()):
        expected = list(slow(diverse.judged, run, measure).values())
        np.testing.assert_allclose(values[:, system], expected, rtol=1e-12, atol=1e-14)


def test_the_slow_definitions_are_those_of_pyndeval(diverse: Diverse) -> None:
    run = diverse.runs["run0"]
    for measure in PYNDEVAL.keys() & slow_diversity.MEASURES.keys():
        found, expected = slow(diverse.judged, run, measure), ndeval(diverse.judged, run, measure)
        assert found == pytest.approx(expected, rel=1e-12), measure


def test_judged_documents_alone_score_the_same(diverse: Diverse, tmp_path: Path) -> None:
    path = written(tmp_path / "qrels", rows(diverse.judged))
    alone = load(path, diverse.runs, documents="judged")
    np.testing.assert_array_equal(score(alone, SLOW).values, score(diverse.collection, SLOW).values)


def test_ties_in_the_ideal_list_are_broken_by_docno() -> None:
    """By hand: a first (α = 1/2) gains 2, then 3/2, then 3/2; b first gains 2, then 2 by c, then 1."""
    patterns = {"1 2": {"1", "2"}, "2 3": {"2", "3"}, "1 4": {"1", "4"}}
    run = {"q": {"x": 1.0, "y": 0.5}}
    for docnos, ideal in (("cab", 2 + 1.5 / np.log2(3)), ("acb", 2 + 2 / np.log2(3))):
        named = dict(zip(docnos, patterns.values(), strict=True))
        qrels = [("q", s, docno, 1) for docno, covered in named.items() for s in sorted(covered)]
        found = pyndeval.RelevanceEvaluator([*qrels, ("q", "1", "x", 1)], ["alpha-nDCG@2"]).evaluate([("q", "x", 1.0)])
        judged = [_Qrel(topic, docno, grade, s) for topic, s, docno, grade in [*qrels, ("q", "1", "x", 1)]]
        assert score(load(judged, {"s": run}), "alpha_nDCG@2").values.item() == pytest.approx(1 / ideal)
        assert found["q"]["alpha-nDCG@2"] == pytest.approx(1 / ideal)


class _Qrel(NamedTuple):
    """As in ir_measures."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


# shards and images


@pytest.mark.parametrize("measure", NOT_IN_PYNDEVAL)
@pytest.mark.parametrize("kind", ["shards", "images"])
def test_replicates_score_as_rewritten_runs_and_judgments(kind: str, measure: str, diverse: Diverse) -> None:
    drawn: Replicates
    drawn, parts = shards(diverse) if kind == "shards" else images(diverse)
    values = score(diverse.collection, measure, drawn).values[0]
    for replicate, image in enumerate(parts):
        judged, runs = amended(diverse, image)
        for system, run in enumerate(runs.values()):
            expected = list(slow(judged, run, measure).values())
            np.testing.assert_allclose(values[:, system, replicate], expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kind", ["shards", "images"])
def test_pyndeval_says_the_same_of_rewritten_runs_and_judgments(kind: str, diverse: Diverse) -> None:
    drawn: Replicates
    drawn, parts = shards(diverse) if kind == "shards" else images(diverse)
    values = score(diverse.collection, list(PYNDEVAL), drawn).values
    for replicate, image in enumerate(parts):
        judged, runs = amended(diverse, image)
        for system, run in enumerate(runs.values()):
            for m, measure in enumerate(PYNDEVAL):
                found = ndeval(judged, run, measure)
                own = np.nan_to_num([values[m, diverse.collection.topics.index(t), system, replicate] for t in found])
                np.testing.assert_allclose(own, np.nan_to_num(list(found.values())), rtol=1e-12, atol=1e-14)


def test_images_of_every_document_once_score_as_the_whole_corpus(diverse: Diverse) -> None:
    once = Images(np.ones((diverse.collection.document_count, 2), np.uint8))
    root = score(diverse.collection, SLOW, whole(diverse.collection.document_count)).values
    np.testing.assert_array_equal(score(diverse.collection, SLOW, once).values, np.repeat(root, 2, axis=3))


# what else holds


def test_other_measures_take_the_highest_grade_of_a_document(diverse: Diverse) -> None:
    highest = {t: {d: max(g.values()) for d, g in documents.items()} for t, documents in diverse.judged.items()}
    plain = load(highest, diverse.runs)
    measures = [measure for measure in ORDINARY if Measure.parse(measure).record.diversity is None]
    for drawn in (whole(plain.document_count), draw_images(plain, 3, seed=1)):
        own, expected = (Scorer(one, parse_measures(measures)).score(drawn) for one in (diverse.collection, plain))
        np.testing.assert_allclose(own, expected, rtol=1e-12)


@pytest.mark.parametrize("iteration", ["0", "Q0", "{topic}"])
def test_judgments_without_subtopics_are_refused(iteration: str, tmp_path: Path) -> None:
    lines = [(t, iteration.format(topic=t), d, 1) for t in ("1", "2") for d in ("a", "b")]
    collection = load(written(tmp_path / "q", lines), {"x": {"1": {"a": 1.0}, "2": {"a": 1.0}}})
    with pytest.raises(DesignError, match="alpha_nDCG@10 needs judgments by subtopic"):
        score(collection, ["AP", "alpha_nDCG@10"])


def test_documents_that_have_one_of_several_subtopics_each_are_diversity_judgments(tmp_path: Path) -> None:
    lines = [("1", "1", "a", 1), ("1", "2", "b", 1), ("1", "2", "c", 1)]
    run = {"1": {"b": 3.0, "c": 2.0, "a": 1.0}}
    collection = load(written(tmp_path / "q", lines), {"x": run})
    found = ndeval({"1": {"a": {"1": 1}, "b": {"2": 1}, "c": {"2": 1}}}, run, "alpha_nDCG@5")
    assert score(collection, "alpha_nDCG@5").values.item() == pytest.approx(found["1"])
    assert not collection.notes


@pytest.mark.parametrize("measure", ["ERR_IA@1", "alpha_DCG@1"])
def test_what_ndeval_does_not_divide_is_refused(measure: str, diverse: Diverse) -> None:
    with pytest.raises(DesignError, match="are counts of subtopics in ndeval and ir_measures"):
        score(diverse.collection, measure)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_names_of_subtopics_and_the_order_of_rows_change_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    docnos = [f"d{i:02}" for i in range(12)]
    judged, run = random_judged(rng, docnos), {"x": random_run(rng, docnos)}
    lines = [_Qrel(topic, docno, grade, subtopic) for topic, subtopic, docno, grade in rows(judged)]
    names = dict(zip([f"s{i}" for i in range(6)], rng.permutation(list("abcdef")).tolist(), strict=True))
    other = [lines[i]._replace(iteration=names[lines[i].iteration]) for i in rng.permutation(len(lines))]
    one, two = (score(load(given, run), SLOW) for given in (lines, other))
    again = [two.topics.index(topic) for topic in one.topics]
    np.testing.assert_allclose(two.values[:, again], one.values, rtol=1e-12)
    for measure, values in zip(SLOW, one.values, strict=True):
        least, largest = Measure.parse(measure).range or (0, 0)
        assert (np.nan_to_num(values) >= least).all(), measure
        assert (np.nan_to_num(values) <= largest + 1e-12).all(), measure
