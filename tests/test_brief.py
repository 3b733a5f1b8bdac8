"""What objects say of themselves in a few lines."""

from __future__ import annotations

import re
from html import unescape

import polars as pl
import pytest

from irgauge import load
from irgauge.brief import Brief, some
from irgauge.replicates.images import draw_images
from irgauge.replicates.instances import InstanceScores
from irgauge.replicates.shards import sharding
from irgauge.scoring.scores import score

COLLECTION = load(
    {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 2}, "q3": {"d1": 1}, "q4": {"d1": 1}},
    {"<b>&mine": {topic: {"d2": 0.9, "d3": 0.8} for topic in ("q1", "q2", "q3", "q4")}},
    corpus_size=1000,
)
SHARDS = sharding(COLLECTION, "match:[12]|3").split(0)
ROWS = {"algorithm": ["<i>"] * 3, "instance": ["1", "1", "2"], "topic": ["1", "2", "1"], "score": [0.5, 0.25, 0.5]}
SHOWN: dict[str, tuple[Brief, dict[str, str]]] = {
    "Collection": (
        COLLECTION,
        {
            "topics": "4 (q1, q2, q3, ...)",
            "systems": "1 (<b>&mine)",
            "documents": "3 of runs and qrels",
            "corpus size": "1,000",
        },
    ),
    "Shards": (SHARDS, {"shards": "3 (1, 2, 3)", "documents": "3 of runs and qrels, 1 to 1 in a shard"}),
    "Images": (
        draw_images(COLLECTION, 4, seed=1),
        {"images": "4 (1, 2, 3, ...)", "documents": "3 of runs and qrels"},
    ),
    "Scores": (
        score(COLLECTION, ["AP", "RR"], SHARDS),
        {
            "measures": "2 (AP, RR)",
            "topics": "4 (q1, q2, q3, ...)",
            "systems": "1 (<b>&mine)",
            "replicates": "3 (1, 2, 3)",
            "scores": "24, of which 16 are undefined",
        },
    ),
    "InstanceScores": (
        InstanceScores.from_frame(pl.DataFrame(ROWS)),
        {
            "measure": "not named",
            "algorithms": "1 (<i>: 2)",
            "instances": "2",
            "topics": "2 (1, 2)",
            "scores": "3, and 1 missing",
        },
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_an_object_shows_its_facts_as_text(name: str) -> None:
    shown, facts = SHOWN[name]
    title, *lines = repr(shown).splitlines()
    assert title == name
    assert dict(re.split(" {2,}", line.strip(), maxsplit=1) for line in lines) == facts


@pytest.mark.parametrize("name", SHOWN)
def test_an_object_shows_the_same_facts_as_html_with_names_escaped(name: str) -> None:
    shown, facts = SHOWN[name]
    html = shown._repr_html_()
    assert f"<caption>{name}</caption>" in html
    assert "<b>" not in html
    assert "<i>" not in html
    cells = re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", html)
    assert dict(zip(*[map(unescape, cells)] * 2, strict=True)) == facts


def test_a_collection_tells_of_its_notes() -> None:
    collection = load({"q1": {"d1": 1}, "q2": {"d1": 1}}, {"a": {"q1": {"d1": 1.0}}}, warn=False)
    assert "notes        1, the first: a: 1 topic (q2) not in the run, scored 0" in repr(collection)


def test_names_are_counted_and_the_first_are_shown() -> None:
    assert some([]) == "0"
    assert some(range(12345)) == "12,345 (0, 1, 2, ...)"
