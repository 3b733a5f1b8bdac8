"""docs/lab-case-study.md: its answer is that of its table, and a smaller study of Vaswani finds about the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from irgauge.lab.analysis import Analyser
from irgauge.lab.clusters import Clustering, topical_shards
from irgauge.lab.index import Index, build
from irgauge.lab.selective import SelectiveOptions, write_selective
from irgauge.lab.shards import random_shards
from irgauge.lab.texts import read_documents, read_topics
from irgauge.scoring.drawn import Shards

PAGE = (Path(__file__).parents[2] / "docs" / "lab-case-study.md").read_text()
ROW = re.compile(r"^\| ([\d.]+) % \| ([\d,]+) \| (.*?) \| (.*?) \| (.*?) \|", re.MULTILINE)
ROWS = {float(rate): (int(size.replace(",", "")), *cells) for rate, size, *cells in ROW.findall(PAGE)}
NEAR = 0.015  # of a difference, with one map and five instances


def difference(cell: str) -> float:
    return float(cell.split()[0].replace("−", "-"))


@pytest.fixture(scope="module")
def index(vaswani: Path) -> Index:
    return build(read_documents([vaswani / "documents.trec.gz"]), Analyser("long", "porter"))


def differences(
    vaswani: Path, index: Index, shards: Shards, options: SelectiveOptions, folder: Path
) -> dict[float, float]:
    """The mean difference of each rate from exhaustive search in nDCG@10, by trec_eval."""
    write_selective(folder, index, read_topics(vaswani / "topics.trec"), [shards], options)
    with (vaswani / "qrels.txt").open() as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {"ndcg_cut.10"})
    means: dict[str, list[float]] = {}
    for line in (folder / "manifest.txt").read_text().splitlines():
        name, algorithm, *_ = line.split()
        with (folder / "runs" / f"{name}.run").open() as run:
            scores = evaluator.evaluate(pytrec_eval.parse_run(run))
        means.setdefault(algorithm, []).append(sum(one["ndcg_cut_10"] for one in scores.values()) / 93)
    (whole,) = means.pop("exhaustive")
    assert whole == pytest.approx(0.444, abs=0.0005)
    return {float(name.removeprefix("csi-")): float(np.mean(found)) - whole for name, found in means.items()}


def test_the_answer_is_the_first_rate_of_the_table_from_which_on_all_are_equivalent() -> None:
    assert [round(rate * 11_429 / 100) for rate in ROWS] == [row[0] for row in ROWS.values()]
    equivalent = [rate for rate, row in ROWS.items() if "equivalent" in row[3]]
    assert equivalent == list(ROWS)[-len(equivalent) :]
    assert f"With 20 of 50 shards, **{equivalent[0]:g} %** is the smallest rate" in PAGE
    assert not [row for row in ROWS.values() if "equivalent" in row[1] + row[2]]


def test_topical_shards_lose_what_the_table_says(vaswani: Path, index: Index, tmp_path: Path) -> None:
    shards = topical_shards(index, Clustering(50, sample=0.3, seed=1))
    for picks, column in ((5, 1), (20, 3)):
        asked = SelectiveOptions(csi=(0.01, 0.04, 0.16), instances=5, picks=picks, depth=10)
        found = differences(vaswani, index, shards, asked, tmp_path / str(picks))
        printed = {rate: difference(str(ROWS[rate][column])) for rate in found}
        assert found == pytest.approx(printed, abs=NEAR)


def test_random_shards_lose_far_more(vaswani: Path, index: Index, tmp_path: Path) -> None:
    asked = SelectiveOptions(csi=(0.01, 0.16), instances=5, picks=20, depth=10)
    found = differences(vaswani, index, random_shards(index.n_documents, 50, seed=1), asked, tmp_path)
    assert all(-0.15 < one < -0.08 for one in found.values())


def test_with_all_shards_picked_it_is_exhaustive_search(vaswani: Path, index: Index, tmp_path: Path) -> None:
    asked = SelectiveOptions(csi=(0.01,), instances=1, picks=50, depth=1000)
    shards = random_shards(index.n_documents, 50, seed=1)
    assert differences(vaswani, index, shards, asked, tmp_path) == {1.0: 0.0}
    whole, picked = (
        [line.split()[:5] for line in (tmp_path / "runs" / f"{name}.run").read_text().splitlines()]
        for name in ("exhaustive", "csi-1-1")
    )
    assert whole == picked
