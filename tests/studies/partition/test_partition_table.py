"""The partition method on a table of scores, whose replicates are the parts of one split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.studies.partition.study import Partitioned

PARTS, SEED = 3, 5


@pytest.fixture(scope="module")
def runs() -> ig.Collection:
    return ig.simulate(systems=6, families=3, topics=20, depth=60, corpus_size=600, seed=2).collection()


@pytest.fixture(scope="module")
def table(runs: ig.Collection) -> ig.Scores:
    """The parts of the first split, as `partition` draws them."""
    return ig.measure(runs, ["AP", "P@10"], shards=f"die:{PARTS}", seed=SEED, fill="drop").scores


def pairs(found: Partitioned) -> dict[frozenset[str], float]:
    rows = found.frame().select("measure", "system", "against", "p_adjusted").rows()
    return {frozenset(row[:3]): row[3] for row in rows}


@pytest.mark.parametrize("interactions", [True, False])
def test_p_values_are_those_of_runs_that_are_split_so(
    runs: ig.Collection, table: ig.Scores, *, interactions: bool
) -> None:
    of_table = ig.partition(table, "AP", interactions=interactions)
    asked: dict[str, Any] = {"parts": PARTS, "splits": 1, "seed": SEED, "fill": "drop"}
    of_runs = ig.partition(runs, "AP", interactions=interactions, **asked)
    assert pairs(of_table) == pytest.approx(pairs(of_runs), rel=1e-9)
    assert (of_table.first.splits.parts, len(of_table.first.splits.splits)) == (PARTS, 1)


def test_systems_are_in_the_order_of_their_means_over_parts(table: ig.Scores) -> None:
    found = ig.partition(table, "AP").first.splits
    means = table.values[list(map(str, table.measures)).index("AP")].mean(axis=(0, 2))
    order = np.argsort(-means)
    assert list(found.systems) == [table.systems[s] for s in order]
    assert found.means == pytest.approx(means[order])


def test_the_claim_covers_other_documents_of_these_parts(table: ig.Scores, tmp_path: Path) -> None:
    table.save(tmp_path / "parts.csv")
    found = ig.partition(tmp_path / "parts.csv", "AP", tests=True, lengths=True)
    assert found.provenance["population"] == "sources"
    told = " ".join(found.findings().texts())
    assert "by the 3 replicates of the table, taken as parts of one split" in told
    assert "random" not in told.replace("randomization", "")
    assert "whole corpus" not in told
    assert {chart for chart in ("effects", "densities", "decisions", "agreement") if found.chart(chart).title} == {
        *("effects", "densities", "decisions", "agreement")
    }


def test_all_measures_of_the_table_are_taken_if_none_is_named(table: ig.Scores) -> None:
    assert [one.measure for one in ig.partition(table).measures] == ["AP", "P@10"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"splits": 3}, "'splits' is of documents that are split, and a table is one split"),
        ({"parts": 3}, "'parts' is of documents"),
        ({"drawn": "topics"}, "'drawn' is of documents"),
        ({"measures": "nDCG"}, "the table has no scores of nDCG; it has AP, P@10"),
    ],
)
def test_what_a_table_cannot_answer(table: ig.Scores, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        ig.partition(table, **asked)


def test_a_table_without_replicates_is_refused() -> None:
    with pytest.raises(DesignError, match="the parts of a split are needed as replicates; add a column 'replicate'"):
        ig.partition({"a": {"1": 0.5, "2": 0.2}, "b": {"1": 0.3, "2": 0.4}})


@pytest.mark.parametrize(("column", "is_warned"), [("seed", True), ("replicate", True), ("shard", False)])
def test_replicates_that_may_be_no_parts_of_the_documents_are_named(
    table: ig.Scores, tmp_path: Path, column: str, *, is_warned: bool
) -> None:
    table.save(tmp_path / "parts.csv")
    text = (tmp_path / "parts.csv").read_text()
    header, _, rows = text.partition("\n")
    (tmp_path / "named.csv").write_text(f"{header.replace('replicate', column)}\n{rows}")
    texts = ig.partition(tmp_path / "named.csv", "AP").findings().texts()
    expected = f"The {column}s of the table are taken as parts of the documents"
    assert any(text.startswith(expected) for text in texts) == is_warned
