"""Ferro and Sanderson 2019: what is typed, and entries on simulated collections against oracles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from numpy.typing import NDArray
from scipy import stats

from irgauge.papers.entry import SOURCES, Dataset, Entry, Recomputed
from irgauge.papers.ferro_sanderson_2019 import ENTRIES
from irgauge.papers.ferro_sanderson_2019.tables import COUNTS, RESAMPLES
from irgauge.papers.published import Computed, Key, Lacking, papers
from irgauge.replicates.shards import sharding
from irgauge.simulation.collections import Design, simulate
from oracles.compared_systems import rows_of

PAPER = "ferro-sanderson-2019"
SIZE = 3000
DESIGNS = {
    "trec8": Design(systems=12, families=4, topics=12, depth=150, corpus_size=SIZE, grades=1, system_sd=0.5, seed=1),
    "trec9": Design(systems=7, families=3, topics=9, depth=120, corpus_size=SIZE, grades=2, system_sd=0.4, seed=2),
    "trec27": Design(systems=6, families=2, topics=8, depth=200, corpus_size=SIZE, grades=2, system_sd=0.4, seed=3),
}
Values = Mapping[Key, Computed | bool | Lacking]


def entry(name: str) -> Entry:
    return next(one for one in ENTRIES if one.name == f"{PAPER}/{name}")


# what is typed


def test_every_table_and_figure_with_data_has_an_entry() -> None:
    """Figure 2 is a scheme."""
    names = {one.name for one in ENTRIES}
    assert names == {f"{PAPER}/{which}" for which in papers()[PAPER].exhibits}
    assert names == {
        f"{PAPER}/{which}" for which in ("table-1", "table-2", "figure-1", "figure-3", "figure-4", "figure-5")
    }


@pytest.mark.parametrize("one", ENTRIES, ids=lambda one: one.name)
def test_an_entry_takes_the_collections_of_its_values(one: Entry) -> None:
    assert set(one.needs) == {value.collection for value in one.exhibit.values}


def printed(which: str) -> dict[Key, float]:
    return {value.key: value.number.value for value in entry(which).exhibit.values if value.number is not None}


def test_typed_changes_are_those_of_the_typed_counts() -> None:
    found, checked = printed("table-1"), 0
    for key, change in found.items():
        if len(key) == 3 and " vs " in key[1]:
            after, before = (found[key[0], model, key[2]] for model in key[1].split(" vs "))
            rounded = 0.5e-4 if key[2] == "omega2" else 0.0  # counts are whole, ω² has four digits
            within = 0.00501 + 100 * rounded * (1 + after / before) / before
            assert 100 * (after / before - 1) == pytest.approx(change, abs=within), key
            checked += 1
    assert checked == 159


def test_typed_counts_are_of_all_pairs() -> None:
    found = printed("table-1")
    for split, model, column in (key for key in found if len(key) == 3):
        if column == "Sig" and " vs " not in model:
            assert found[split, model, "Sig"] + found[split, model, "NotSig"] == 8256


def test_typed_fractions_are_mean_counts_over_all_pairs() -> None:
    for value in entry("table-2").exhibit.values:
        if value.key[1] == "Frac. sig. pairs":
            pairs = math.comb(SOURCES[value.collection].systems or 0, 2)
            count = printed("table-2")[value.key[0], "Sig. pairs"]
            assert count / pairs == pytest.approx(printed("table-2")[value.key], abs=0.5001e-4)


# simulated collections


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Collections of the shapes of the papers', small."""
    made = {}
    for key, design in DESIGNS.items():
        folder = tmp_path_factory.mktemp(key)
        simulate(design).write(folder)
        made[key] = folder
    return made


@pytest.fixture(scope="module")
def simulated(folders: dict[str, Path]) -> dict[str, Dataset]:
    return {key: Dataset(replace(SOURCES[key], corpus_size=SIZE), folder) for key, folder in folders.items()}


@pytest.fixture(scope="module")
def recomputed(simulated: dict[str, Dataset]) -> dict[tuple[str, str], Recomputed]:
    """(entry, collection) -> what it gives."""
    return {(one.name, key): one.recompute(simulated[key]) for one in ENTRIES for key in one.needs}


def number(values: Values, *key: str) -> Computed:
    found = values[key]
    assert isinstance(found, Computed)
    return found


@pytest.mark.parametrize("one", ENTRIES, ids=lambda one: one.name)
def test_every_printed_key_gets_a_value(one: Entry, recomputed: dict[tuple[str, str], Recomputed]) -> None:
    for printed_value in one.exhibit.values:
        ours = recomputed[one.name, printed_value.collection].values[printed_value.key]
        assert isinstance(ours, bool) == (printed_value.text == "yes"), printed_value.key
        assert not isinstance(ours, Lacking)
        assert isinstance(ours, bool) or math.isfinite(ours.value + ours.error), printed_value.key


@pytest.mark.parametrize("name", ["table-2", "figure-1", "figure-3", "figure-4", "figure-5"])
def test_charts_build(name: str, recomputed: dict[tuple[str, str], Recomputed]) -> None:
    for key in entry(name).needs:
        charts = recomputed[f"{PAPER}/{name}", key].charts
        assert len(charts) == {"figure-3": 2, "figure-4": 4}.get(name, 1)
        assert all(chart.to_dict()["title"]["text"] for chart in charts)


def test_figure_3_has_all_three_intervals_on_the_corpus_and_on_shards(
    recomputed: dict[tuple[str, str], Recomputed],
) -> None:
    for chart in recomputed[f"{PAPER}/figure-3", "trec8"].charts:
        assert {"Tukey", "SEM", "ANOVA"} <= {row["interval"] for row in rows_of(chart) if "interval" in row}


def test_populations_are_told_beside(recomputed: dict[tuple[str, str], Recomputed]) -> None:
    for name, key in recomputed:
        if name != f"{PAPER}/figure-1":
            assert any("other topics" in sentence for sentence in recomputed[name, key].beside), name


@cache
def runs_and_judgments(folder: Path) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, int]]]:
    """Read without irgauge; scores in 32 bits."""
    qrels: dict[str, dict[str, int]] = {}
    for topic, _, docno, grade in (line.split() for line in (folder / "qrels.txt").read_text().splitlines()):
        qrels.setdefault(topic, {})[docno] = int(grade)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for path in sorted((folder / "runs").iterdir()):
        for topic, _, docno, _, value, system in (line.split() for line in path.read_text().splitlines()):
            runs.setdefault(system, {}).setdefault(topic, {})[docno] = float(np.float32(value))
    return runs, {topic: judged for topic, judged in qrels.items() if max(judged.values()) > 0}


def average_precision(folder: Path, shard_of: Mapping[str, int], shards: int) -> NDArray[np.float64]:
    """AP[topic, system, shard] by trec_eval, 0 where undefined."""
    runs, qrels = runs_and_judgments(folder)
    values = np.zeros((len(qrels), len(runs), shards))
    for k in range(shards):
        judged = {t: {d: int(g > 0) for d, g in one.items() if shard_of[d] == k} for t, one in qrels.items()}
        evaluator = pytrec_eval.RelevanceEvaluator({t: one for t, one in judged.items() if one}, {"map"})
        for j, run in enumerate(runs.values()):
            left = {t: {d: s for d, s in one.items() if shard_of[d] == k} for t, one in run.items()}
            found = evaluator.evaluate({t: one for t, one in left.items() if one})
            for i, topic in enumerate(qrels):
                value = found.get(topic, {}).get("map", 0.0)
                values[i, j, k] = value if any(judged[topic].values()) else 0.0
    return values


def whole(folder: Path) -> NDArray[np.float64]:
    runs, qrels = runs_and_judgments(folder)
    retrieved = {docno for run in runs.values() for one in run.values() for docno in one}
    judged = {docno for one in qrels.values() for docno in one}
    return average_precision(folder, dict.fromkeys(retrieved | judged, 0), 1)


def splits(data: Dataset, count: int, seed: int, resamples: int) -> list[NDArray[np.float64]]:
    scheme = sharding(data.collection, f"even:{count}")
    names = data.collection.docnos
    labels = [scheme.split(seed, number).labels.tolist() for number in range(resamples)]
    return [average_precision(data.folder, dict(zip(names, one, strict=True)), count) for one in labels]


@cache  # scipy takes seconds
def critical(systems: int, df: int) -> float:
    return float(stats.studentized_range.ppf(0.95, systems, df))


def tukey(y: NDArray[np.float64], terms: str) -> tuple[float, int]:
    """The width of the interval and the pairs that differ, with the residual of least squares on indicators."""
    t, r, s = y.shape
    axes = {"t": 0, "r": 1, "s": 2}
    index = np.indices(y.shape).reshape(3, -1)
    columns = [np.ones((y.size, 1))]
    for term in terms.split():
        code = np.ravel_multi_index([index[axes[f]] for f in term], [y.shape[axes[f]] for f in term])
        columns.append(np.eye(code.max() + 1)[code])
    design = np.hstack(columns)
    coefficients, _, rank, _ = np.linalg.lstsq(design, y.ravel(), rcond=None)
    df = y.size - int(rank)
    ms = float(((y.ravel() - design @ coefficients) ** 2).sum()) / df
    width = critical(r, df) * math.sqrt(ms / (t * s))
    means = y.mean(axis=(0, 2))
    return width, sum(abs(means[a] - means[b]) > width for a, b in combinations(range(r), 2))


MD5, MD6 = "t r s tr rs", "t r s tr rs ts"


@pytest.mark.parametrize(("key", "corpus"), [("trec9", "WT10g"), ("trec27", "WAPO")])
@pytest.mark.parametrize("count", [2, 5])
def test_table_2_against_trec_eval_and_least_squares(
    key: str, corpus: str, count: int, simulated: dict[str, Dataset], recomputed: dict[tuple[str, str], Recomputed]
) -> None:
    values = recomputed[f"{PAPER}/table-2", key].values
    split, data = f"{corpus}_RNDE_{count:02}", simulated[key]
    measured = splits(data, count, seed=0, resamples=RESAMPLES)
    tests = [tukey(y, MD6) for y in measured]
    widths, counts = np.array([width for width, _ in tests]), np.array([found for _, found in tests])
    order = whole(data.folder).mean(axis=(0, 2))
    taus = np.array([stats.kendalltau(order, y.mean(axis=(0, 2))).statistic for y in measured])
    pairs = math.comb(DESIGNS[key].systems, 2)
    expected = {"tau": taus, "CI width": widths, "Sig. pairs": counts, "Frac. sig. pairs": counts / pairs}
    assert np.std(counts) > 0
    for column, drawn in expected.items():
        ours = number(values, split, column)
        assert ours.value == pytest.approx(np.mean(drawn), rel=1e-7)
        assert ours.sd == pytest.approx(np.std(drawn, ddof=1), rel=1e-6)
        assert (ours.draws, ours.printed_draws) == (RESAMPLES, 10)


def test_what_md5_gives_is_told_beside_table_2(
    simulated: dict[str, Dataset], recomputed: dict[tuple[str, str], Recomputed]
) -> None:
    found = [tukey(y, MD5) for y in splits(simulated["trec9"], 2, seed=0, resamples=RESAMPLES)]
    width, pairs = np.array(found).mean(axis=0)
    told = f"WT10g_RNDE_02: MD5 gives a width of {width:.4f} (printed 0.0732) and {pairs:.1f} significant pairs"
    assert any(sentence.startswith(told) for sentence in recomputed[f"{PAPER}/table-2", "trec9"].beside)
    assert len([one for one in recomputed[f"{PAPER}/table-2", "trec9"].beside if "MD5 gives" in one]) == len(COUNTS)


def test_table_1_against_trec_eval_and_least_squares(
    simulated: dict[str, Dataset], recomputed: dict[tuple[str, str], Recomputed]
) -> None:
    """MD1 on the whole corpus; MD6 on two shards in every split drawn."""
    values, data = recomputed[f"{PAPER}/table-1", "trec8"].values, simulated["trec8"]
    y = whole(data.folder)
    pairs = math.comb(12, 2)
    _, count = tukey(y, "t r")
    assert 0 < count < pairs
    t, r, _ = y.shape
    residual = y - y.mean(axis=1, keepdims=True) - y.mean(axis=0, keepdims=True) + y.mean()
    f = t * y.mean(axis=0).var() * r / (r - 1) / (float((residual**2).sum()) / ((t - 1) * (r - 1)))
    omega2 = (r - 1) * (f - 1) / ((r - 1) * (f - 1) + y.size)
    for split in ("TIP_RNDE_02", "TIP_RNDE_05", "TIP_RNDE_10"):
        found = {column: number(values, split, "MD1", column) for column in ("omega2", "Sig", "NotSig", "TopG")}
        assert found["omega2"].value == pytest.approx(omega2)
        assert (found["Sig"].value, found["NotSig"].value) == (count, pairs - count)
        assert all(one.draws == 1 for one in found.values())
    seeds = np.random.SeedSequence(0).generate_state(number(values, "TIP_RNDE_02", "MD6", "Sig").draws)
    counts = [tukey(splits(data, 2, int(seed), 1)[0], MD6)[1] for seed in seeds]
    ours = number(values, "TIP_RNDE_02", "MD6", "Sig")
    assert (ours.value, ours.sd) == pytest.approx((np.mean(counts), np.std(counts, ddof=1)))
    change = number(values, "TIP_RNDE_02", "MD6 vs MD1", "Sig")
    assert change.value == pytest.approx(np.mean([100 * (one / count - 1) for one in counts]))


def test_statements_about_the_studentized_range_against_scipy(
    recomputed: dict[tuple[str, str], Recomputed],
) -> None:
    assert all(abs(critical(r, 100) / critical(r, 500) - 1) < 0.05 for r in (5, 25, 75))
    assert critical(5, 500) < critical(25, 500) < critical(75, 500)
    assert all(recomputed[f"{PAPER}/figure-1", "trec8"].values.values())
