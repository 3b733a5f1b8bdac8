from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import irgauge
from irgauge.reading.trec import read_map
from irgauge.replicates.shards import sharding
from irgauge.studies.measurement import measure_shards

Irgauge = Callable[..., tuple[int, str, str]]


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def answer(run: Irgauge, *arguments: object) -> dict[str, object]:
    """What a command gives as JSON."""
    code, out, _ = run(*arguments, "--format", "json")
    assert code == 0
    shown = json.loads(out)
    assert isinstance(shown, dict)
    return shown


def values_of(demo: Path, spec: str, measure: str = "AP") -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    collection = irgauge.load(*paths(demo))
    return measure_shards(collection, [measure], sharding(collection, spec)).values()


def test_shard_writes_the_map_that_map_reads(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "map.tsv"
    code, _, err = run("shard", *paths(demo), "--shards", "even:3", "--seed", 5, "-o", target)
    assert code == 0
    assert "in 3 shards" in err
    collection = irgauge.load(*paths(demo))
    split = next(sharding(collection, "even:3").splits(5))
    written = read_map(target)
    assert written.docnos.to_list() == collection.docnos.to_list()
    np.testing.assert_array_equal(written.labels, split.labels)
    by_map = answer(run, "anova", *paths(demo), "--shards", f"map:{target}")
    directly = answer(run, "anova", *paths(demo), "--shards", "even:3", "--seed", 5)
    assert by_map["rows"] == directly["rows"]


def test_compare_json_has_the_counts_the_systems_and_the_pairs(demo: Path, run: Irgauge) -> None:
    shown = answer(run, "compare", *paths(demo), "--shards", "even:3")
    pairs, systems = shown["pairs"], shown["systems"]
    assert isinstance(pairs, list)
    assert isinstance(systems, list)
    assert len(pairs) == 6
    assert shown["significant"] == sum(pair["verdict"] == "different" for pair in pairs)
    assert shown["not_significant"] == 6 - sum(pair["verdict"] == "different" for pair in pairs)
    assert [system["mean"] for system in systems] == sorted((system["mean"] for system in systems), reverse=True)
    first = systems[0]
    top = shown["top_group_systems"]
    assert isinstance(top, list)
    assert shown["top_group"] == len(top)
    assert top[0] == first["system"]
    assert shown["interval_width"] == pytest.approx(first["tukey"]["high"] - first["tukey"]["low"])
    assert shown["population"] == "documents"
    populations = shown["populations"]
    assert isinstance(populations, dict)
    assert set(populations) == {"documents", "topics", "both"}


def test_compare_without_shards_is_the_classic_analysis(demo: Path, run: Irgauge) -> None:
    shown = answer(run, "compare", *paths(demo))
    assert (shown["model"], shown["population"]) == ("MD1", "topics")


@pytest.mark.parametrize("test", ["randomised-tukey", "t", "unpaired-t", "wilcoxon", "randomization"])
def test_compare_takes_every_test(test: str, demo: Path, run: Irgauge) -> None:
    shown = answer(run, "compare", *paths(demo), "--test", test, "--draws", 20_000)
    assert (shown["test"], shown["population"]) == (test, "topics")
    assert shown["correction"] == {"randomised-tukey": "built in", "randomization": "bh"}.get(test, "holm")


def test_compare_with_a_baseline_has_its_pairs_only(demo: Path, run: Irgauge) -> None:
    shown = answer(run, "compare", *paths(demo), "--test", "t", "--correction", "bh", "--baseline", "F1-2")
    pairs = shown["pairs"]
    assert isinstance(pairs, list)
    assert len(pairs) == 3
    assert all("F1-2" in (pair["first"], pair["second"]) for pair in pairs)
    code, out, _ = run("compare", *paths(demo), "--baseline", "F1-2")
    assert code == 0
    assert "3 pairs with baseline F1-2" in " ".join(out.split())


def test_compare_text_names_method_and_population(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("compare", *paths(demo), "--shards", "even:3", "--population", "topics")
    shown = " ".join(out.split())
    for part in ("test tukey", "all 6 pairs", "α 0.05", "population: topics", "seed 0", "fill zero", "even:3"):
        assert part in shown
    assert "These differences hold for other documents on these same topics" in shown
    assert "These differences hold for other topics on these documents." in shown


def test_compare_csv_has_the_pairs(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("compare", *paths(demo), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 6
    assert {"first", "second", "difference", "p", "verdict"} <= set(rows[0])


def test_robustness_has_outcomes_and_stability(demo: Path, run: Irgauge) -> None:
    shown = answer(run, "robustness", *paths(demo), "--shards", "2,3", "--resamples", 2, "--models", "MD3,MD6")
    outcomes, stability = shown["outcomes"], shown["stability"]
    assert isinstance(outcomes, list)
    assert isinstance(stability, list)
    expected = [(2, "MD3"), (2, "MD6"), (3, "MD3"), (3, "MD6")]
    assert [(row["shards"], row["model"]) for row in outcomes] == expected
    assert [(row["shards"], row["model"]) for row in stability] == expected
    assert set(outcomes[1]["changes"]) == {"MD1", "MD3"}
    code, out, _ = run("robustness", *paths(demo), "--shards", "2", "--resamples", 2)
    assert code == 0
    assert "Over resamples" in out


BAD: dict[str, tuple[list[str], str]] = {
    "a model that needs shards": (["compare", "--model", "MD6"], "MD6 needs shards"),
    "unknown shards": (["compare", "--shards", "odd:2"], "shards 'odd:2' are unknown"),
    "more shards than documents": (["compare", "--shards", "even:1000"], "are more than the"),
    "a baseline that is not there": (["compare", "--baseline", "F9-9"], "F9-9"),
    "a correction of Tukey": (["compare", "--correction", "bh"], "leave the correction out"),
    "a population that a t-test does not cover": (
        ["compare", "--test", "t", "--population", "documents"],
        "covers 'topics'",
    ),
    "documents without shards": (["compare", "--population", "documents"], "one shard says nothing about other"),
    "two measures": (["compare", "-m", "AP", "-m", "P@10"], "asked of one measure at a time, not of 2"),
    "one system": (["compare", "--keep-systems", "1"], "system"),
    "numbers of shards": (["robustness", "--shards", "two"], "are not whole numbers"),
    "a chart that is not there": (["compare", "--chart", "x.svg", "--chart-of", "sizes"], "there are intervals, pairs"),
    "a chart of an unknown kind": (["compare", "--chart", "x.bmp"], ".bmp"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(name: str, demo: Path, run: Irgauge) -> None:
    (command, *options), message = BAD[name]
    code, out, err = run(command, *paths(demo), *options)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "--shards", "even:2"],
        ["robustness", "--shards", "2,3", "--resamples", "2"],
        ["compare", "--shards", "even:2", "--chart-of", "pairs"],
        ["compare", "--shards", "even:2", "--chart-of", "models"],
        ["compare", "--baseline", "F1-1"],
        ["robustness", "--shards", "2,3", "--resamples", "1", "--chart-of", "intervals"],
    ],
    ids=" ".join,
)
def test_charts_are_drawn(arguments: list[str], demo: Path, run: Irgauge, tmp_path: Path) -> None:
    command, *options = arguments
    target = tmp_path / "chart.svg"
    code, _, _ = run(command, *paths(demo), *options, "--chart", target)
    assert code == 0
    assert target.read_text().startswith("<svg")


def test_an_alpha_that_is_none_has_no_critical_value(run: Irgauge) -> None:
    code, _, err = run("studentized", "--alpha", "0")
    assert code == 2
    assert "alpha" in err


def test_critical_values_of_the_studentized_range(run: Irgauge, tmp_path: Path) -> None:
    code, out, _ = run(
        "studentized", "--systems", "3,129", "--df", "10,6272", "-f", "json", "--chart", tmp_path / "r.svg"
    )
    assert code == 0
    shown = json.loads(out)
    rows = [(row["systems"], row["df"], round(row["Q"], 3)) for row in shown]
    assert rows[0] == (3, 10, 3.877)  # as printed tables have it
    assert [row[:2] for row in rows] == [(3, 10), (3, 6272), (129, 10), (129, 6272)]
    assert (tmp_path / "r.svg").read_text().startswith("<svg")


def test_the_classic_analysis_of_trec8(trec8: Path, run: Irgauge) -> None:
    shown = answer(run, "compare", trec8 / "qrels.txt.gz", trec8 / "runs", "-m", "AP", "--precision", "single")
    assert (shown["significant"], shown["not_significant"], shown["top_group"]) == (3423, 4833, 7)
