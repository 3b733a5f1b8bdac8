"""What topics and shards are called where people read: replicates of a table have the name of their column."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import irgauge
from irgauge.show.html import render

Irgauge = Callable[..., tuple[int, str, str]]


def table(column: str, systems: tuple[str, ...] = ("base", "shard-model")) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    rows = [
        {"topic": f"q{topic}", "system": system, column: str(draw), "score": rng.random()}
        for topic in range(8)
        for system in systems
        for draw in range(3)
    ]
    return pl.DataFrame(rows)


def read(result: Any) -> str:  # noqa: ANN401  # any result
    return "\n".join([result.to_text(), result.to_text("markdown"), repr(result), json.dumps(result.chart().to_dict())])


@pytest.mark.parametrize(("column", "noun"), [("seed", "seeds"), ("epoch", "epochs"), ("replicate", "replicates")])
def test_replicates_have_the_name_of_their_column(column: str, noun: str) -> None:
    result = irgauge.compare(table(column))
    text = result.to_text()
    assert f"over 3 {noun}" in text
    assert f"other {noun} like these" in text
    assert not re.search(r"\bshards?\b(?!-model)", result.to_text())
    assert not re.search(r"\bshards?\b(?!-model)", result.to_text("latex"))


def test_a_column_that_is_said_gives_its_name_too() -> None:
    assert "over 3 annotators" in irgauge.compare(table("annotator"), columns="replicate=annotator").to_text()


def test_replicates_of_an_array_are_replicates() -> None:
    assert "over 3 replicates" in irgauge.compare(np.random.default_rng(1).random((8, 2, 3))).to_text()


def test_names_stay() -> None:
    text = read(irgauge.compare(table("seed")))
    assert "shard-model" in text
    assert "seed-model" not in text


def test_data_keep_our_words_and_what_is_read_again_its_nouns() -> None:
    result = irgauge.compare(table("seed"))
    assert "other shards like these" in json.dumps(result.to_dict()["findings"])
    assert "shards" in result.frame("populations")["population"].to_list()


def texts_of(html: str) -> str:
    texts = re.sub(r'<script.*?</script>|<style.*?</style>|<section id="references".*?</section>', "", html, flags=re.S)
    return re.sub(r"<[^>]*>", " ", texts)


def test_a_page_has_the_nouns_of_its_data() -> None:
    html = render(irgauge.report(table("seed")).page)
    texts = texts_of(html)
    assert "other seeds" in texts
    assert not re.search(r"\bshards?\b(?!-model)", texts)
    variants = re.findall(r'<script type="application/json" class="variant"[^>]*>(.*?)</script>', html)
    said = [json.loads(variant) for variant in variants]
    assert not any(re.search(r"\bshards?\b(?!-model)", f"{each['seen']} {each['how']}") for each in said)


def test_topics_are_called_as_asked_and_names_stay(tmp_path: Path, run: Irgauge) -> None:
    place, page = tmp_path / "scores.csv", tmp_path / "page.html"
    table("seed", ("base", "topic-model")).write_csv(place)
    _, text, _ = run("compare", place, "--call", "queries")
    assert "for other queries" in text
    assert "topic-model" in text
    assert not re.search(r"\btopics?\b(?!-model)", text, re.IGNORECASE)
    run("report", place, "--call", "queries", "-o", page, "-q")
    texts = texts_of(page.read_text())
    assert "for other queries" in texts
    assert not re.search(r"\btopics?\b(?!-model)", texts, re.IGNORECASE)


def test_json_is_the_same_whatever_topics_are_called() -> None:
    result, called = irgauge.compare(table("seed")), irgauge.compare(table("seed"))
    called.note_call("questions")
    assert called.to_dict() == result.to_dict()
    assert called.to_csv() == result.to_csv()
    assert called.to_text() != result.to_text()


def test_a_noun_is_a_word(run: Irgauge) -> None:
    code, _, err = run("compare", "scores.csv", "--call", "two words")
    assert code == 2
    assert "--call takes a plural noun" in err
