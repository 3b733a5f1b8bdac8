"""Ferro, Kim and Sanderson 2019: tables and figures on simulated collections of the shape of the paper's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from numpy.typing import NDArray

from irgauge.papers.entry import SOURCES, Dataset, Entry
from irgauge.papers.ferro_kim_sanderson_2019 import ENTRIES
from irgauge.papers.ferro_kim_sanderson_2019.effects import (
    DRAWS,
    MEASURES,
    SUMMED,
    by_ap,
    effects_of,
)
from irgauge.papers.published import Computed, Key, Lacking, Verdict, exhibit, papers
from irgauge.papers.reproduce import reproduce
from irgauge.simulation.collections import Design, simulate

PAPER = "ferro-kim-sanderson-2019"
BY_NAME = {entry.name.partition("/")[2]: entry for entry in ENTRIES}
SIMULATED = [name for name, entry in BY_NAME.items() if "trec8" not in entry.needs]
CORPUS, DOMAINS, CLUSTERS = 6000, 59, 199
Values = NDArray[np.float64]
Judgments = dict[str, dict[str, int]]
Lists = dict[str, dict[str, float]]


# the simulated collections


def docnos_of(folder: Path) -> list[str]:
    """All documents of runs and judgments."""
    lines = [
        line.split()[2]
        for path in (folder / "qrels.txt", *folder.glob("*/*.run"))
        for line in path.read_text().splitlines()
    ]
    return sorted(set(lines))


def write_map(path: Path, shard_of: Mapping[str, str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{docno} {shard}\n" for docno, shard in shard_of.items()))


def domains(seen: Sequence[str]) -> dict[str, str]:
    """A whole corpus in 59 domains of uneven size; each has some of the documents that were seen."""
    rng = np.random.default_rng(7)
    shares = 1 / np.arange(1, DOMAINS + 1)
    drawn = rng.choice(DOMAINS, size=len(seen) - DOMAINS, p=shares / shares.sum())
    known = dict(zip(seen, (f"d{i:02}" for i in (*range(DOMAINS), *drawn)), strict=True))
    return known | {f"UNSEEN-{i}": f"d{i % DOMAINS:02}" for i in range(CORPUS - len(seen))}


def make(folder: Path, seed: int) -> None:
    """A collection with the files of all tables beside judgments and runs."""
    design = Design(systems=8, families=3, topics=6, depth=120, corpus_size=CORPUS, relevant_median=40, seed=seed)
    simulate(design).write(folder)
    fitted = folder / "made"
    simulate(replace(design, systems=6, quality=0.9)).write(fitted)
    (fitted / "runs").rename(folder / "fifty")
    seen = docnos_of(folder)
    write_map(folder / "shards" / "tld", domains(seen))
    write_map(folder / "shards" / "gov2_199", {docno: f"c{i % CLUSTERS}" for i, docno in enumerate(seen)})
    write_map(folder / "shards" / "pdf", {docno: "pdf" if i % 5 == 0 else "other" for i, docno in enumerate(seen)})


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dataset]:
    root = tmp_path_factory.mktemp("collections")
    keys = ("trec9", "trec10", "trec13", "trec14", "trec15")
    for seed, key in enumerate(keys):
        make(root / key, seed)
    return {key: Dataset(replace(SOURCES[key], corpus_size=CORPUS), root / key) for key in keys}


# the oracle: trec_eval on files that hold one shard, and sums of squares from group means


def read_qrels(folder: Path) -> Judgments:
    found: Judgments = {}
    for line in (folder / "qrels.txt").read_text().splitlines():
        topic, _, docno, grade = line.split()
        found.setdefault(topic, {})[docno] = int(grade)
    return found


def read_runs(folder: Path, runs: str = "runs") -> dict[str, Lists]:
    found: dict[str, Lists] = {}
    for path in sorted((folder / runs).iterdir()):
        for line in path.read_text().splitlines():
            topic, _, docno, _, score, _ = line.split()
            found.setdefault(path.stem, {}).setdefault(topic, {})[docno] = float(score)
    return found


def evaluated(qrels: Judgments, run: Lists, measure: str, kept: set[str] | None = None) -> dict[str, float]:
    """The score of every topic on the documents that are kept; 0 where none is relevant."""
    judged = {t: {d: g for d, g in docs.items() if kept is None or d in kept} for t, docs in qrels.items()}
    lists = {t: {d: s for d, s in docs.items() if kept is None or d in kept} for t, docs in run.items()}
    relevant = {t: docs for t, docs in judged.items() if any(grade > 0 for grade in docs.values())}
    found = pytrec_eval.RelevanceEvaluator(relevant, {measure}).evaluate({t: d for t, d in lists.items() if d})
    return {topic: found.get(topic, {measure: 0.0})[measure] for topic in qrels}


def scored(folder: Path, shard_of: Mapping[str, str], measure: str, runs: str = "runs") -> Values:
    """values[topic, system, shard] of the better three quarters of the systems by AP."""
    qrels, lists = read_qrels(folder), read_runs(folder, runs)
    quality = {name: -np.mean(list(evaluated(qrels, run, "map").values())) for name, run in lists.items()}
    best = sorted(lists, key=quality.__getitem__)[: len(lists) * 3 // 4]
    shards = {shard: {d for d, s in shard_of.items() if s == shard} for shard in sorted(set(shard_of.values()))}
    found = [[list(evaluated(qrels, lists[s], measure, kept).values()) for kept in shards.values()] for s in best]
    return np.array(found).transpose(2, 0, 1)


def omega2(values: Values) -> dict[str, float]:
    """ω² of all main effects and two-way interactions, by group means."""
    axes, mean = {"topic": 0, "system": 1, "shard": 2}, values.mean()

    def between(*factors: str) -> float:
        others = tuple(axis for factor, axis in axes.items() if factor not in factors)
        means = values.mean(axis=others)
        return float(np.square(means - mean).sum() * values.size / means.size)

    ss = {factor: between(factor) for factor in axes}
    df = {factor: values.shape[axis] - 1 for factor, axis in axes.items()}
    for a, b in combinations(axes, 2):
        ss[f"{a}:{b}"], df[f"{a}:{b}"] = between(a, b) - ss[a] - ss[b], df[a] * df[b]
    error = (np.square(values - mean).sum() - sum(ss.values())) / (values.size - 1 - sum(df.values()))
    gain = {term: ss[term] / error - df[term] for term in ss}  # df (F − 1)
    return {term: one / (one + values.size) for term, one in gain.items()}


def read_map(folder: Path, name: str) -> dict[str, str]:
    return dict(line.split() for line in (folder / "shards" / name).read_text().splitlines())


def cut_evenly(shard_of: Mapping[str, str], parts: int) -> dict[str, str]:
    """Documents in the order of shard and docno, in parts of equal size."""
    order = sorted(shard_of, key=lambda docno: (shard_of[docno], docno))
    return {docno: str(place * parts // len(order)) for place, docno in enumerate(order)}


def number(values: Mapping[Key, Computed | bool | Lacking], *key: str) -> float:
    found = values[key]
    assert isinstance(found, Computed)
    return found.value


# what is there


def test_every_table_and_every_figure_with_data_has_an_entry() -> None:
    tables = [f"table-{n}" for n in range(1, 22)]
    expected = {*tables, "table-18-right", *(f"figure-{n}" for n in range(2, 7))}  # Figure 1 is a scheme without data
    assert set(BY_NAME) == set(papers()[PAPER].exhibits) == expected
    assert len(ENTRIES) == len(BY_NAME)


@pytest.mark.parametrize("entry", ENTRIES, ids=list(BY_NAME))
def test_every_printed_value_is_of_a_collection_that_the_entry_takes(entry: Entry) -> None:
    assert {value.collection for value in entry.exhibit.values} == set(entry.needs)
    assert {file for files in entry.needs.values() for file in files} == set(entry.files)


@pytest.mark.parametrize("number", range(1, 16))
def test_printed_sums_of_squares_add_up(number: int) -> None:
    values = {value.key: value for value in exhibit(f"{PAPER}/table-{number}").values}
    for column in ("SS", "DF"):
        parts = [float(value.text) for key, value in values.items() if key[1] == column and key[0] != "total"]
        assert sum(parts) == pytest.approx(float(values["total", column].text), abs=5e-4)


def test_printed_counts_of_sizes_add_up() -> None:
    values = {value.key: value.number for value in exhibit(f"{PAPER}/table-21").values}
    for source in {key[0] for key in values}:
        counts = [values[source, size] for size in ("not significant", "small", "medium", "large")]
        assert sum(count.value for count in counts if count) == 352


# simulated collections


@pytest.mark.parametrize("name", SIMULATED)
def test_every_printed_value_is_computed_and_charts_are_drawn(name: str, datasets: dict[str, Dataset]) -> None:
    entry = BY_NAME[name]
    [outcome] = reproduce([entry], datasets)
    assert len(outcome.values) == len(entry.exhibit.values)
    assert all(value.ours is not None and math.isfinite(value.ours) for value in outcome.values)
    assert outcome.counts[Verdict.NEEDS] == 0
    charts = [chart for found in outcome.charts.values() for chart in found]
    assert bool(charts) == (name != "table-21")
    assert all(chart.to_dict() for chart in charts)
    assert outcome.beside


@pytest.mark.parametrize("measure", [("AP", "map"), ("P@10", "P_10")], ids=["AP", "P@10"])
@pytest.mark.parametrize("split", ["TLD", "TLD_EVEN"])
def test_effects_on_domains_are_those_of_trec_eval(
    split: str, measure: tuple[str, str], datasets: dict[str, Dataset]
) -> None:
    folder = datasets["trec9"].folder
    shard_of = read_map(folder, "tld")
    expected = omega2(scored(folder, shard_of if split == "TLD" else cut_evenly(shard_of, DOMAINS), measure[1]))
    values = BY_NAME["table-16"].recompute(datasets["trec9"]).values
    assert {term: number(values, split, measure[0], term) for term in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("table", "name", "runs"),
    [("table-18", "gov2_199", "runs"), ("table-18-right", "gov2_199", "fifty"), ("table-19", "pdf", "runs")],
)
def test_effects_on_gov2_are_those_of_trec_eval(table: str, name: str, runs: str, datasets: dict[str, Dataset]) -> None:
    folder = datasets["trec14"].folder
    expected = omega2(scored(folder, read_map(folder, name), "map", runs))
    values = BY_NAME[table].recompute(datasets["trec14"]).values
    assert {term: number(values, "AP", term) for term in expected} == pytest.approx(expected)


def test_random_splits_are_drawn_several_times(datasets: dict[str, Dataset]) -> None:
    for table, split in (("table-17", "RANDOM_UNEVEN"), ("table-17", "RANDOM_EVEN"), ("table-20", "RANDOM_5")):
        found = BY_NAME[table].recompute(datasets["trec9"]).values[split, "AP", "system"]
        assert isinstance(found, Computed)
        assert (found.draws, found.sd > 0) == (DRAWS, True)


def test_sizes_are_counted_over_all_splits_and_measures(datasets: dict[str, Dataset]) -> None:
    own = datasets["trec9"]
    found = [effects_of(own if key == "trec9" else own.beside(key), split) for key in SUMMED for split in SUMMED[key]]
    assert len(found) * len(MEASURES) == 352
    values = BY_NAME["table-21"].recompute(own).values
    for source in ("shard", "system:shard", "topic:shard"):
        counts: dict[str, list[int]] = {"not significant": [], "small": [], "medium": [], "large": []}
        for draw in range(DRAWS):
            effects = [e for draws in found for e in draws[draw if len(draws) > 1 else 0].effects if e.source == source]
            real = [e.omega2 for e in effects if e.p <= 0.05]
            counts["not significant"].append(len(effects) - len(real))
            counts["small"].append(sum(one < 0.06 for one in real))
            counts["medium"].append(sum(0.06 <= one < 0.14 for one in real))
            counts["large"].append(sum(one >= 0.14 for one in real))
        for size, of_draws in counts.items():
            assert values[source, size] == Computed.over(of_draws)
            assert number(values, source, f"{size}, share") == pytest.approx(np.mean(of_draws) / 3.52)
        assert number(values, source, "total") == 352


def test_systems_are_tested_under_each_population_over_all_splits(datasets: dict[str, Dataset]) -> None:
    own = datasets["trec9"]
    tested = [by_ap(own if key == "trec9" else own.beside(key), split) for key in SUMMED for split in SUMMED[key]]
    [sentence] = BY_NAME["table-21"].recompute(own).beside
    for population in ("documents", "topics", "both", "sources", "shards", "topics+shards"):
        some = [one for one in tested if one.population == {"both": "documents"}.get(population, population)]
        if population in ("topics", "shards", "topics+shards"):
            some = [one for one in tested if population == "topics" or one.population == "sources"]
        differ = sum(one.fit.error_term(population).p <= 0.05 for one in some)
        assert f"{differ} of {len(some)} for the population {population}" in sentence


def test_spread_of_systems_over_the_years(datasets: dict[str, Dataset]) -> None:
    sd = {}
    for key in ("trec13", "trec14", "trec15"):
        qrels, lists = read_qrels(datasets[key].folder), read_runs(datasets[key].folder)
        means = [np.mean(list(evaluated(qrels, run, "map").values())) for run in lists.values()]
        sd[key] = float(np.std(means, ddof=1))
    found = BY_NAME["figure-4"].recompute(datasets["trec15"])
    for year in ("14", "15"):
        said = f"mean AP spreads less in TREC-{year} than in TREC-13"
        assert found.values[said, "holds"] == (sd[f"trec{year}"] < sd["trec13"])
    assert all(f"{value:.4f} ({key})" in found.beside[0] for key, value in sd.items())


def test_statements_on_domains_follow_from_the_effects(datasets: dict[str, Dataset]) -> None:
    folder = datasets["trec9"].folder
    shard_of = read_map(folder, "tld")
    uneven, even = (scored(folder, one, "map") for one in (shard_of, cut_evenly(shard_of, DOMAINS)))
    main = BY_NAME["figure-2"].recompute(datasets["trec9"]).values
    assert main["mean AP is lower on uneven shards", "holds"] == (uneven.mean() < even.mean())
    for source in ("topic", "system"):
        larger = omega2(even)[source] > omega2(uneven)[source]
        assert main[f"the {source} effect is larger on even shards", "holds"] == larger
    pairs = BY_NAME["figure-3"].recompute(datasets["trec9"]).values
    for split, values in (("TLD", uneven), ("TLD_EVEN", even)):
        of_pairs = {term: one for term, one in omega2(values).items() if ":" in term}
        largest, smallest = max(of_pairs, key=of_pairs.__getitem__), min(of_pairs, key=of_pairs.__getitem__)
        assert pairs["topic by shard is the largest interaction", split] == (largest == "topic:shard")
        assert pairs["system by shard is the smallest interaction", split] == (smallest == "system:shard")


@pytest.mark.parametrize("lacking", ["fifty", "shards/gov2_199"])
def test_what_is_lacking_is_named_and_the_rest_is_computed(lacking: str, datasets: dict[str, Dataset]) -> None:
    class Without(Dataset):
        def has(self, name: str) -> bool:
            return name != lacking and super().has(name)

    some = {key: Without(one.source, one.folder) for key, one in datasets.items()}
    left, right, types = reproduce([BY_NAME[name] for name in ("table-18", "table-18-right", "table-19")], some)
    assert right.verdict == Verdict.NEEDS
    assert all(lacking in value.reason for value in right.values)
    assert (left.verdict == Verdict.NEEDS) == (lacking != "fifty")
    assert types.verdict != Verdict.NEEDS
