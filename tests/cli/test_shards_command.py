"""`irgauge shards`, and the verb behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

import irgauge
from irgauge.reading.trec import read_map
from irgauge.replicates.shards import sharding

Irgauge = Callable[..., tuple[int, str, str]]


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def test_the_map_is_the_one_that_map_reads(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "map.tsv"
    code, _, err = run("shards", *paths(demo), "--shards", "even:3", "--seed", 5, "-o", target)
    assert code == 0
    assert "3 shards of " in err
    collection = irgauge.load(*paths(demo))
    split = next(sharding(collection, "even:3").splits(5))
    written = read_map(target)
    assert written.docnos.to_list() == collection.docnos.to_list()
    np.testing.assert_array_equal(written.labels, split.labels)
    by_map = json.loads(run("compare", *paths(demo), "--shards", f"map:{target}", "-f", "json")[1])
    directly = json.loads(run("compare", *paths(demo), "--shards", "even:3", "--seed", 5, "-f", "json")[1])
    pairs, ours = (found["measures"][0]["pairs"] for found in (by_map, directly))
    assert pairs[:6] == ours[:6]  # for other topics; of a map the shards are no random ones


def test_the_verb_gives_the_same_split(demo: Path) -> None:
    collection = irgauge.load(*paths(demo))
    found = irgauge.shards(collection, "even:3", seed=5)
    np.testing.assert_array_equal(found.shards.labels, sharding(collection, "even:3").split(5, 0).labels)
    assert sum(found.sizes.values()) == collection.document_count
    assert found.frame().columns == ["docno", "shard"]
    assert found.frame()["docno"].to_list() == collection.docnos.to_list()
    assert repr(found).startswith("Split\n  split      even:3, seed 5\n")


def test_bad_arguments_exit_with_2(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    qrels, runs = paths(demo)
    for arguments, message in (
        ([qrels, runs, "--shards", "odd:2", "-o", tmp_path / "map"], "'odd"),
        ([qrels, "--shards", "even:2", "-o", tmp_path / "map"], "name the runs after the judgments"),
        ([qrels, runs, "--shards", "even:2", "-o", tmp_path / "no" / "map"], "the folder of this file does not exist"),
        ([qrels, runs, "-o", tmp_path / "map"], "--shards"),
    ):
        code, out, err = run("shards", *arguments)
        assert (code, out) == (2, "")
        assert message in err
    assert not (tmp_path / "map").exists()
