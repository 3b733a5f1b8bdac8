"""Columns of numbers beside the scores: those that by, cluster or weights name describe topics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import irgauge as ig

Irgauge = Callable[..., tuple[int, str, str]]


@pytest.fixture
def table() -> pl.DataFrame:
    """Scores of three systems on 24 topics of 8 conversations, with how often each was asked."""
    rng, topics = np.random.default_rng(3), np.repeat(np.arange(24), 3)
    return pl.DataFrame(
        {
            "topic": topics,
            "system": ["a", "b", "c"] * 24,
            "AP": rng.random(72),
            "conversation": topics // 3,
            "year": 1999 + topics % 2,
            "hits": 1 + topics % 5,
        }
    )


@pytest.mark.parametrize("verb", [ig.compare, ig.score])
def test_a_column_of_numbers_that_is_named_is_no_measure(verb: Callable[..., object], table: pl.DataFrame) -> None:
    alike = table.with_columns(pl.col("conversation", "year", "hits").cast(pl.String) + "x").drop("hits")
    asked = {"cluster": "conversation", "by": "year"}
    assert str(verb(table.drop("hits"), **asked)).replace("x", "") == str(verb(alike, **asked)).replace("x", "")
    assert ig.compare(table.drop("hits"), cluster="conversation", by="year").measures == ("AP",)


def test_what_is_named_must_be_the_same_in_all_rows_of_a_topic(table: pl.DataFrame) -> None:
    with pytest.raises(ig.DesignError, match="which has one value for each topic"):
        ig.compare(table.drop("conversation", "year"), measures="hits", cluster="AP")


def test_counts_that_are_the_same_for_all_systems_describe_topics(table: pl.DataFrame) -> None:
    """Unless they are asked for as a measure, or all columns are the same, as those of a system and its copy."""
    table = table.rename({"hits": "clicks"})
    scores = ig.load_scores(table)
    assert (list(map(str, scores.measures)), list(scores.about.columns)) == (["AP"], ["conversation", "year", "clicks"])
    assert ig.compare(table, measures="clicks").measures == ("clicks",)
    copies = table.with_columns(pl.col("AP").first().over("topic"))
    assert len(ig.load_scores(copies).measures) == 4


def test_the_commands_take_named_columns_for_those_of_topics(table: pl.DataFrame, tmp_path: Path, run: Irgauge) -> None:
    for name in ("first", "second"):
        table.drop("year").write_csv(tmp_path / f"{name}.csv")
    first, asked = str(tmp_path / "first.csv"), ["--cluster", "conversation", "--weights", "hits", "--quiet"]
    for command in (
        ["compare", first],
        ["gate", first, "a", "b", "--margin", "0.05"],
        ["score", first],
        ["suite", str(tmp_path)],
    ):
        code, said, error = run(*command, *asked)
        assert code != 2, error
        assert "AP" in said
        assert not any(f"in {column}" in said for column in ("conversation", "hits", "NumRet")), command


def test_instances_take_named_columns_for_those_of_topics(table: pl.DataFrame) -> None:
    noise = np.random.default_rng(4).random((3, 72)) / 20
    twice = pl.concat(
        [table.with_columns(pl.lit(r).alias("instance"), pl.col("AP") + pl.Series(noise[r])) for r in (1, 2)]
    )
    result = ig.instances(twice.drop("year"), cluster="conversation", weights="hits")
    assert result.provenance["clusters"] == "conversation"
