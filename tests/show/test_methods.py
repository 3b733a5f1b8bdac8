"""Provenance in words."""

from __future__ import annotations

import pytest

from irgauge.provenance import Provenance
from irgauge.show.methods import READING, said, sentence_of

FACTS = Provenance(
    {
        "test": "Tukey's HSD test",
        "family": "all 6 pairs",
        "correction": "holm",
        "alpha": 0.05,
        "population": "topics",
        "model": "MD6",
        "measures": ("AP", "P@10"),
        "systems": 4,
        "keep_systems": "top50%",
        "topics": 50,
        "shards": "even:5",
        "shard_count": 5,
        "seed": 3,
        "split": 0,
        "fill": "zero",
        "undefined": 12,
        "missing": {"rule": "zero", "topics": 2, "of": 50, "systems": {"x": 2}},
        "order": "score descending",
        "precision": "single",
        "corpus_size": 5000,
        "documents": 400,
    }
)


def test_every_fact_is_said_once() -> None:
    assert said(FACTS) == (
        "Tukey's HSD test; family: all 6 pairs; Holm's correction; α = 0.05; population: topics (other topics, these "
        "documents); model MD6; AP and P@10; shards even:5; seed 3; 12 undefined scores filled with zero; topics "
        "missing from a run score 0 there: x (2); order: score descending, scores in single precision; corpus of "
        "5,000 documents, 400 of them in runs and qrels; 4 systems (kept: top50%) × 50 topics × 5 shards"
    )


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"fill": "drop", "undefined": 3}, "topics with undefined scores left out"),
        ({"fill": "redraw"}, "splits drawn again until no score is undefined"),
        ({"fill": "zero", "undefined": 0}, "no undefined scores"),
        ({"fill": "mean"}, "undefined scores filled with mean"),
        ({"shards": "even:5", "split": 2}, "shards even:5, split 2"),
        ({"corpus_size": 10, "documents": 10}, "corpus of 10 documents"),
        ({"order": "score"}, "order: score"),
        ({"sides": 1}, "one-sided p"),
        ({"sides": 2}, "two-sided p"),
        ({"draws": 10_000}, "10,000 draws"),
        ({"correction": "none"}, "no correction"),
        ({"correction": "built in"}, "corrected for all pairs together"),
        ({"correction": "maximum"}, "corrected by the largest |t| of these pairs"),
        ({"correction": "a new one"}, "a new one"),
        ({"population": "shards"}, "population: shards (these topics, other shards like these)"),
        ({"population": "sources"}, "population: sources (these topics, other documents of these same sources)"),
        ({"error": {"topic": "residual", "system": "residual"}}, "error: residual"),
        (
            {"error": {"topic": "residual", "system": "topic:system", "system:shard": "residual"}},
            "error: topic:system for system, else residual",
        ),
        ({"models": ("MD3", "MD6"), "resamples": 4}, "models MD3 and MD6; 4 random splits into each number of shards"),
        ({"models": ("MD6",), "resamples": 1}, "model MD6; 1 random split into each number of shards"),
        ({"systems": 1}, "1 system"),
        ({"something_new": 0.25}, "something new: 0.25"),
        ({"something_new": (1, 2)}, "something new: 1, 2"),
        ({"population": "topics, documents and both"}, "population: topics, documents and both"),
        ({}, ""),
    ],
    ids=str,
)
def test_facts(facts: dict[str, object], text: str) -> None:
    assert said(Provenance(facts)) == text


def test_a_sentence_leaves_out_how_runs_were_read() -> None:
    text = sentence_of(FACTS)
    assert text.startswith("Tukey's HSD test; family")
    assert text.endswith("× 5 shards.")
    assert "order" not in text
    assert "corpus of" not in text
    assert sentence_of(FACTS.only(*READING)) == ""
