"""Provenance in words."""

from __future__ import annotations

import pytest

from irgauge.inference import facts as tests
from irgauge.provenance import Fact, Provenance
from irgauge.reading import facts as files
from irgauge.reading.missing import MissingTopics
from irgauge.replicates import facts as data
from irgauge.show.words import method_sentence
from irgauge.studies.robustness.study import models, resamples

READ = files.of_runs(
    rule="score descending",
    precision="single",
    topics={"rule": "relevant", "without_relevant": 0},
    depth_read=None,
    left_out=None,
    of_headers={},
    of_documents=files.of_corpus(5000, 400),
)
FACTS = Provenance.of(
    tests.test("Tukey's HSD test"),
    tests.family("all 6 pairs"),
    tests.correction("holm"),
    tests.alpha(0.05),
    tests.population("topics"),
    tests.model("MD6"),
    data.measures(("AP", "P@10")),
    data.systems(4, kept="top50%"),
    data.topics(50),
    data.shards("even:5", split=0),
    data.shard_count(5),
    data.seed(3),
    data.fill("zero", undefined=12),
    files.missing(MissingTopics({"x": ("1", "2")}, of=50)),
    READ,
)


def test_every_fact_is_said_once() -> None:
    assert FACTS.text == (
        "Tukey's HSD test; family: all 6 pairs; Holm's correction; α = 0.05; population: topics (other topics, these "
        "documents); model MD6; AP and P@10; shards even:5; seed 3; 12 undefined scores filled with zero; topics "
        "missing from a run score 0 there: x (2); order: score descending, scores in single precision; corpus of "
        "5,000 documents, 400 of them in runs and qrels; 4 systems (kept: top50%) × 50 topics × 5 shards"
    )


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (data.fill("drop", undefined=3), "topics with undefined scores left out"),
        (data.fill("redraw"), "splits drawn again until no score is undefined"),
        (data.fill("zero", undefined=0), "no undefined scores"),
        (data.fill("mean"), "undefined scores filled with mean"),
        (data.fill("zero", undefined=9, shares={"AP": 0.25}), "9 undefined scores (25 %) filled with zero"),
        (data.shards("even:5", split=2), "shards even:5, split 2"),
        (data.systems(1), "1 system"),
        (data.systems(5, kept="5", by="AP", given=9), "5 systems (the best of 9 by AP)"),
        (files.corpus_size(10, documents=10), "corpus of 10 documents"),
        (tests.sides(1), "one-sided p"),
        (tests.sides(2), "two-sided p"),
        (tests.draws(10_000), "10,000 draws"),
        (tests.correction("none"), "no correction"),
        (tests.correction("built in"), "corrected for all pairs together"),
        (tests.correction("maximum"), "corrected by the largest |t| of these pairs"),
        (tests.population("shards"), "population: shards (these topics, other shards like these)"),
        (tests.population("sources"), "population: sources (these topics, other documents of these same sources)"),
        (tests.population("topics, documents and both"), "population: topics, documents and both"),
        (tests.error({"topic": "residual", "system": "residual"}), "error: residual"),
        (models(("MD3", "MD6")), "models MD3 and MD6"),
        (models(("MD6",)), "model MD6"),
        (resamples(4), "4 random splits into each number of shards"),
    ],
    ids=str,
)
def test_facts(told: Fact, text: str) -> None:
    assert told.text == text


def test_a_sentence_leaves_out_how_runs_were_read() -> None:
    text = method_sentence(FACTS)
    assert text.startswith("Tukey's HSD test; family")
    assert text.endswith("× 5 shards.")
    assert "order" not in text
    assert "corpus of" not in text
    assert method_sentence(READ) == method_sentence(Provenance()) == ""
