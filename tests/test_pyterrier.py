"""Experiments of PyTerrier: irgauge's tests in them, and their tables and folders as data."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.pyterrier import paired_test

with warnings.catch_warnings():  # of what will go from packages that it imports
    warnings.simplefilter("ignore")
    import pyterrier as pt

SYSTEMS = ("bm25", "dense", "fused")
TOPICS = [str(t) for t in range(12)]
DOCS = [f"d{i}" for i in range(15)]
RNG = np.random.default_rng(5)
QRELS = pd.DataFrame(
    [(topic, doc, int(RNG.integers(0, 3) * (RNG.random() < 0.5))) for topic in TOPICS for doc in DOCS],
    columns=["qid", "docno", "label"],
)
NAMED = pd.DataFrame({"qid": TOPICS, "query": "words"})


def results() -> list[pd.DataFrame]:
    """What three systems retrieved, as PyTerrier has it."""
    found = []
    for _ in SYSTEMS:
        rows = [(t, d, float(s), r) for t in TOPICS for r, (d, s) in enumerate(zip(DOCS, RNG.random(15), strict=True))]
        found.append(pd.DataFrame(rows, columns=["qid", "docno", "score", "rank"]))
    return found


def experiment(**options: Any) -> pd.DataFrame:  # noqa: ANN401  # whatever an experiment takes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        systems = [pt.Transformer.from_df(frame) for frame in RESULTS]
        return pt.Experiment(systems, NAMED, QRELS, ["map", "ndcg_cut_10"], names=list(SYSTEMS), **options)


RESULTS = results()


@pytest.mark.parametrize("test", ["t", "skewed-t", "wilcoxon", "randomization", "unpaired-t"])
def test_p_values_of_an_experiment_are_those_of_compare(test: str) -> None:
    table = experiment(baseline=0, test=paired_test(test))
    runs = dict(zip(SYSTEMS, RESULTS, strict=True))
    ours = ig.compare(ig.load(QRELS, runs, topics="judged"), ["AP", "nDCG@10"], baseline="bm25", test=test)  # type: ignore[arg-type]  # any text
    for measure, column in (("AP", "map p-value"), ("nDCG@10", "ndcg_cut_10 p-value")):
        pairs = ours.of(measure).comparison
        found = dict(zip((pairs.systems[s] for s in pairs.first), pairs.p, strict=True))
        assert [found[name] for name in SYSTEMS[1:]] == pytest.approx(list(table[column][1:]), abs=1e-9)


def test_the_plain_t_test_is_that_of_scipy() -> None:
    one, other = RNG.random(20), RNG.random(20)
    assert paired_test()(one, other) == pytest.approx(tuple(stats.ttest_rel(one, other)), abs=1e-9)


def test_tests_of_families_are_refused() -> None:
    with pytest.raises(DesignError, match="'tukey'"):
        paired_test("tukey")


def test_a_table_of_queries_is_a_table_of_scores(tmp_path: Path) -> None:
    frame = experiment(perquery=True)
    frame.to_csv(tmp_path / "perquery.csv", index=False)
    runs = dict(zip(SYSTEMS, RESULTS, strict=True))
    expected = ig.compare(ig.load(QRELS, runs, topics="judged"), "nDCG@10")
    for given in (frame, tmp_path / "perquery.csv"):
        found = ig.compare(given, "ndcg_cut_10")
        assert found.comparison.p_adjusted == pytest.approx(expected.comparison.p_adjusted, abs=1e-9)
        assert set(found.comparison.systems) == set(SYSTEMS)


def test_a_folder_of_saved_results_is_a_folder_of_runs(tmp_path: Path) -> None:
    experiment(save_dir=str(tmp_path), save_mode="overwrite")
    collection = ig.load(QRELS, tmp_path, warn=False)
    assert set(collection.systems) == set(SYSTEMS)
    assert collection.lengths.min() == len(DOCS)
