"""Judged topics that a run does not answer: scored 0, left out for all systems, or refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import Collection, InputError, load
from irgauge.errors import DataWarning
from irgauge.reading.missing import MissingTopics
from irgauge.replicates.bench import Bench
from irgauge.replicates.images import draw_images
from irgauge.replicates.measured import Measured, Measuring
from irgauge.scoring.drawn import Shards
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scorer import Scorer
from irgauge.scoring.scores import score
from oracles.sameness import assert_same

Qrels = Mapping[str, Mapping[str, int]]
Runs = Mapping[str, Mapping[str, Mapping[str, float]]]
MEASURES = ("AP", "P@5", "nDCG@10", "RR", "infAP", "Bpref", "ERR@10")
TREC = {"AP": "map", "P@5": "P_5", "nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "infAP": "infAP", "Bpref": "bpref"}
DOCS = [f"d{i:02}" for i in range(30)]


def collection_with_gaps(seed: int, gaps: Mapping[str, Sequence[int]], topics: int = 6) -> tuple[Qrels, Runs]:
    """Judgments of all documents with all grades on every topic, and runs that lack some topics."""
    rng = np.random.default_rng(seed)
    names = [f"t{t}" for t in range(topics)]
    grades = rng.permuted(np.tile(np.arange(30) % 3, (topics, 1)), axis=1)
    qrels = {name: dict(zip(DOCS, of, strict=True)) for name, of in zip(names, grades.tolist(), strict=True)}
    runs = {
        system: {
            name: dict(zip(rng.permutation(DOCS)[:20].tolist(), rng.normal(size=20).tolist(), strict=True))
            for t, name in enumerate(names)
            if t not in gaps.get(system, ())
        }
        for system in ("a", "b", "c")
    }
    return qrels, runs


GAPS = {"a": (1, 4), "c": (4,)}


@pytest.fixture(scope="module")
def data() -> tuple[Qrels, Runs]:
    return collection_with_gaps(1, GAPS)


def loaded(data: tuple[Qrels, Runs], missing: str = "zero", **options: object) -> Collection:
    return load(*data, missing=missing, warn=False, **options)  # type: ignore[arg-type]  # names are tried that are wrong


def by_trec_eval(qrels: Qrels, run: Mapping[str, Mapping[str, float]], topics: Sequence[str]) -> list[list[float]]:
    """What pytrec_eval says of some topics, 0 for those that the run does not answer: measure, topic."""
    found = pytrec_eval.RelevanceEvaluator(qrels, set(TREC.values())).evaluate(run)
    return [[found[topic][name] if topic in found else 0.0 for topic in topics] for name in TREC.values()]


@pytest.mark.parametrize("documents", ["all", "judged"])
@pytest.mark.parametrize("rule", ["zero", "drop"])
def test_scores_are_those_of_trec_eval_on_the_topics_left(data: tuple[Qrels, Runs], rule: str, documents: str) -> None:
    qrels, runs = data
    found = score(loaded(data, rule, documents=documents), list(TREC))
    assert found.topics == (tuple(qrels) if rule == "zero" else ("t0", "t2", "t3", "t5"))
    for s, system in enumerate(found.systems):
        expected = by_trec_eval(qrels, runs[system], found.topics)
        np.testing.assert_allclose(found.values[:, :, s, 0], expected, atol=1e-6)


def test_what_is_missing_is_told_with_what_was_done(data: tuple[Qrels, Runs]) -> None:
    for rule, done in (("zero", "scored 0"), ("drop", "left out for all systems")):
        found = loaded(data, rule)
        assert found.missing.topics_of == {"a": ("t1", "t4"), "c": ("t4",)}
        assert (found.missing.rule, found.missing.of, found.missing.topics) == (rule, 6, ("t1", "t4"))
        assert found.missing.fact == {"rule": rule, "topics": 2, "of": 6, "systems": {"a": 2, "c": 1}}
        assert list(map(str, found.notes)) == [
            f"a: 2 topics (t1, t4) not in the run, {done}",
            f"c: 1 topic (t4) not in the run, {done}",
        ]
    with pytest.warns(DataWarning, match="left out for all systems") as warned:
        load(*data, missing="drop")
    assert {one.filename for one in warned} == {__file__}


@pytest.mark.parametrize("rule", ["zero", "drop", "fail"])
def test_runs_that_answer_all_topics_are_the_same_under_every_rule(rule: str) -> None:
    whole = collection_with_gaps(2, {})
    found = loaded(whole, rule)
    assert found.missing.fact is None
    assert found.notes == ()
    assert_same(found, loaded(whole), but=["missing"])


def test_a_list_without_documents_is_missing() -> None:
    found = load({"1": {"a": 1}, "2": {"a": 1}}, {"x": {"1": {"a": 1.0}, "2": {}}}, missing="drop", warn=False)
    assert (found.topics, found.missing.counts) == (("1",), {"x": 1})


def test_missing_topics_are_refused_where_none_may_be(data: tuple[Qrels, Runs]) -> None:
    with pytest.raises(InputError) as caught:
        loaded(data, "fail")
    assert str(caught.value).splitlines() == [
        "2 runs do not answer all of the 6 judged topics:",
        "  a: 2 topics (t1, t4)",
        "  c: 1 topic (t4)",
        "complete the runs, or let missing topics score 0 ('zero') or be left out for all systems ('drop')",
    ]


def test_some_topic_must_be_left() -> None:
    none = collection_with_gaps(3, {"a": (0, 1, 2), "b": (3, 4), "c": (5,)})
    with pytest.raises(
        InputError, match=r"no topic is left: each of the 6 .* most from a \(3\), b \(2\), c \(1\); leave"
    ):
        loaded(none, "drop")
    assert len(loaded(none).topics) == 6


def test_an_unknown_rule_is_refused_before_runs_are_read(tmp_path: Path) -> None:
    qrels = {"1": {"a": 1}}
    (tmp_path / "x.run").write_text("1 Q0 a 1 high x\n")
    with pytest.raises(InputError, match="rule for missing topics 'dorp' is unknown; did you mean 'drop'"):
        load(qrels, tmp_path, missing="dorp")  # type: ignore[arg-type]  # no rule
    with pytest.raises(TypeError, match="load has no option 'mising'; did you mean missing"):
        load(qrels, tmp_path, mising="drop")  # type: ignore[call-arg]  # no option


def test_some_of_the_systems_say_what_concerns_them(data: tuple[Qrels, Runs]) -> None:
    assert loaded(data).only([1, 2]).missing.topics_of == {"c": ("t4",)}
    assert loaded(data).only([1]).missing.fact is None
    left = loaded(data, "drop").only([1])  # whose topics are left out too, since others lack them
    assert (left.topics, left.missing.counts) == (("t0", "t2", "t3", "t5"), {"a": 2, "c": 1})


# dropping is the same as judgments that never had these topics


gaps = st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(0, 4), unique=True, max_size=4), min_size=1)


@settings(max_examples=25, deadline=None)
@given(gaps=gaps, seed=st.integers(0, 1000))
def test_dropping_equals_judgments_without_these_topics(gaps: Mapping[str, Sequence[int]], seed: int) -> None:
    qrels, runs = collection_with_gaps(seed, gaps)
    dropped = load(qrels, runs, missing="drop", warn=False)
    lacking = {t for places in gaps.values() for t in places}
    kept = {topic: grades for t, (topic, grades) in enumerate(qrels.items()) if t not in lacking}
    expected = load(kept, runs, warn=False)
    assert_same(dropped, expected, but=["notes", "missing", "firsts", "docs", "levels"])
    measures = parse_measures(MEASURES)
    shards = Shards(np.arange(30, dtype=np.int32) % 3, ("1", "2", "3"))
    parts = [Scorer(each, measures).score(shards) for each in (dropped, expected)]
    np.testing.assert_array_equal(parts[0], parts[1])
    images = [Scorer(each, measures).score(draw_images(each, 3, seed=seed)) for each in (dropped, expected)]
    np.testing.assert_array_equal(images[0], images[1])
    for fill in ("zero", "lq", "redraw"):
        asked = Measuring(measures[:2], "even:2", fill=fill, seed=seed)
        split = [Bench(each).measured(asked).scores.values for each in (dropped, expected)]
        np.testing.assert_array_equal(split[0], split[1])


def test_the_corpus_stays_where_topics_are_left_out() -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"c": 2, "a": 1}}
    runs = {"x": {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}}, "y": {"1": {"b": 2.0}}}
    found = load(qrels, runs, missing="drop", warn=False)
    assert (found.topics, found.document_count, found.corpus_size) == (("1",), 3, 3)
    assert found.docnos.to_list() == ["a", "b", "c"]
    assert found.grades.tolist() == [0, 1, 2]  # the scale of grades, on which ERR rests, is that of the judgments
    assert found.relevant_counts().tolist() == [1]


# the topics in common of what was measured


def measured(collection: Collection, **asked: object) -> Measured:
    return Bench(collection).measured(Measuring(parse_measures(["AP", "AP(rel=2)"]), **asked))  # type: ignore[arg-type]  # of any kind


@pytest.mark.parametrize("shards", [None, "even:4"])
@pytest.mark.parametrize("fill", ["zero", 0.5])
def test_scores_on_common_topics_are_those_of_dropping(
    data: tuple[Qrels, Runs], shards: str | None, fill: float | str
) -> None:
    found = measured(loaded(data), shards=shards, fill=fill).common()
    expected = measured(loaded(data, "drop"), shards=shards, fill=fill)
    assert found is not None
    np.testing.assert_array_equal(found.scores.values, expected.scores.values)
    assert found.scores.topics == expected.scores.topics == ("t0", "t2", "t3", "t5")
    assert (found.undefined, found.provenance) == (expected.undefined, expected.provenance)
    assert found.only(*parse_measures(["AP(rel=2)"])).provenance == (
        expected.only(*parse_measures(["AP(rel=2)"])).provenance
    )


def test_there_are_no_other_topics_in_common_where_all_are_answered(data: tuple[Qrels, Runs]) -> None:
    assert measured(loaded(collection_with_gaps(2, {}))).common() is None
    assert measured(loaded(data, "drop")).common() is None
    assert measured(loaded(data).only([1])).common() is None
    none = loaded(collection_with_gaps(3, {"a": (0, 1, 2), "b": (3, 4, 5)}))
    assert measured(none).common() is None
    best = measured(loaded(data), keep_systems="1")
    (kept,) = best.scores.systems
    assert (best.common() is None) == (kept == "b")


def test_systems_that_lack_the_same_topics_count_them_once() -> None:
    found = MissingTopics({"x": ("2", "1"), "y": ("1",)}, of=3)
    assert found.fact == {"rule": "zero", "topics": 2, "of": 3, "systems": {"x": 2, "y": 1}}
    assert not found.is_refused
    assert replace(found, rule="fail").is_refused
    assert not replace(found, rule="drop").is_refused
    assert replace(found, rule="drop", of=2).is_refused
