from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irgauge import load
from irgauge.errors import DesignError, InputError
from irgauge.lab.shards import random_shards, read_shards, save_shards
from irgauge.replicates.shards import sharding
from oracles.made_text import index_of

INDEX = index_of({docno: ["wave"] for docno in ("d1", "d2", "d3", "d4", "d5")})


def test_random_shards_are_even_and_their_own_for_each_seed() -> None:
    found = random_shards(103, 10, seed=1)
    assert sorted(np.bincount(found.labels).tolist()) == [10] * 7 + [11] * 3
    assert found.labels.tolist() == random_shards(103, 10, seed=1).labels.tolist()
    assert found.labels.tolist() != random_shards(103, 10, seed=2).labels.tolist()
    often = np.mean([random_shards(5, 2, seed=seed).labels for seed in range(2000)], axis=0)
    assert often == pytest.approx(np.full(5, 0.4), abs=0.06)  # sizes 3 and 2, wherever a document stands
    with pytest.raises(DesignError, match="6 shards are more than the 5 documents"):
        random_shards(5, 6)


def test_a_map_is_read_back_and_by_other_commands(tmp_path: Path) -> None:
    shards = random_shards(5, 2, seed=3)
    save_shards(INDEX, shards, tmp_path / "map.tsv")
    again = read_shards(INDEX, tmp_path / "map.tsv")
    assert (again.labels.tolist(), again.names) == (shards.labels.tolist(), shards.names)
    runs = load({"q": {"d5": 1}}, {"mine": {"q": dict.fromkeys(INDEX.docnos, 1.0)}})
    elsewhere = sharding(runs, f"map:{tmp_path / 'map.tsv'}").split(0, 0)
    assert dict(elsewhere.frame(runs).iter_rows()) == {
        docno: shards.names[label] for docno, label in zip(INDEX.docnos, shards.labels, strict=True)
    }


def test_a_map_may_have_other_documents_in_any_order_and_shards_of_these_alone(tmp_path: Path) -> None:
    (tmp_path / "map").write_text("d5 x\nd1 y\nnone z\nd3 x\nd2 y\nd4 y\n")
    found = read_shards(INDEX, tmp_path / "map")
    assert found.names == ("x", "y")
    assert found.labels.tolist() == [1, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("d1 x\nd2 y\n", "map: 3 documents of the index are not in the map, such as d3, d4, d5; make the map of this"),
        ("d1 x\nd2\n", "map:2: "),
        ("d1 x\nd1 y\n", "map:2: this document appears twice"),
        ("", "map"),
    ],
)
def test_a_map_that_cannot_be_used_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "map").write_text(text)
    with pytest.raises(InputError, match=said):
        read_shards(INDEX, tmp_path / "map")
    with pytest.raises(InputError, match="missing"):
        read_shards(INDEX, tmp_path / "missing")
