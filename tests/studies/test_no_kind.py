"""Topics without a kind are counted wherever kinds are told apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.studies.result import Result
from irgauge.studies.slices_told import no_kind

KINDS = pl.DataFrame({"topic": [f"q{t}" for t in range(30)], "type": ["long", "short"] * 13 + ["odd"] * 2 + [None] * 2})


def scores(*, runs: int = 1) -> pl.DataFrame:
    """Two systems, or algorithms with so many runs each, on 30 topics."""
    values = np.random.default_rng(3).random((30, 2, runs))
    return pl.DataFrame(
        [
            {"topic": f"q{t}", "system": system, "seed": f"s{run}", "score": values[t, s, run]}
            for t in range(30)
            for s, system in enumerate(("old", "new"))
            for run in range(runs)
        ]
    )


def halves() -> dict[str, pl.DataFrame]:
    """Two collections, with one topic without a kind each."""
    table = scores().drop("seed").join(KINDS, on="topic").with_row_index()
    return {name: table.filter(pl.col("index") // 2 % 2 == part).drop("index") for part, name in enumerate("xy")}


ASKED: dict[str, Callable[[], Result]] = {
    "compare": lambda: ig.compare(scores().drop("seed"), baseline="old", by="type", topics_table=KINDS),
    "score": lambda: ig.score(scores().drop("seed"), by="type", topics_table=KINDS),
    "gate": lambda: ig.gate(scores().drop("seed"), "old", "new", "score:0.1", by="type", topics_table=KINDS),
    "plan": lambda: ig.plan(scores().drop("seed"), difference=0.05, by="type", topics_table=KINDS),
    "suite": lambda: ig.suite(halves(), baseline="old", by="type"),
    "instances": lambda: ig.instances(
        scores(runs=3).rename({"system": "algorithm", "seed": "instance"}), by="type", topics_table=KINDS
    ),
}


@pytest.mark.parametrize("study", ASKED)
def test_topics_without_a_kind_are_counted(study: str) -> None:
    note = "2 of 30 topics have no type: they count overall, and on no slice."
    assert ASKED[study]().findings().of("no-kind").texts() == [note]


def test_nothing_is_said_where_all_have_one_and_one_is_told_as_one() -> None:
    full = KINDS.with_columns(pl.col("type").fill_null("odd"))
    compared = ig.compare(scores().drop("seed"), baseline="old", by="type", topics_table=full)
    assert not compared.findings().of("no-kind")
    assert no_kind(column="type", without=1, topics=30).text.startswith("1 of 30 topics has no type: it counts overall")
