"""The command `compare`: what it prints, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from irgauge.inference.tests.registry import TESTS
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.show.verdicts import SHORT
from irgauge.studies.compare.charts import CHARTS
from oracles.compared_systems import (
    POPULATIONS,
)

Irgauge = Callable[..., tuple[int, str, str]]


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def answer(run: Irgauge, *arguments: object) -> dict[str, Any]:
    """What a command gives as JSON."""
    code, out, _ = run(*arguments, "--format", "json")
    assert code == 0
    shown = json.loads(out)
    assert isinstance(shown, dict)
    return shown


def only(shown: dict[str, Any]) -> dict[str, Any]:
    """What is said by the only measure, with the provenance of all."""
    [one] = shown["measures"]
    return {**one, "provenance": shown["provenance"]}


def test_json_has_the_counts_the_systems_and_the_pairs(demo: Path, run: Irgauge) -> None:
    shown = only(answer(run, "compare", *paths(demo), "--shards", "even:3", "--population", "documents"))
    assert (len(shown["pairs"]), len(shown["systems"])) == (3 * 6, 3 * 4)
    pairs, systems = shown["pairs"][:6], shown["systems"][:4]
    assert {row["population"] for row in (*pairs, *systems)} == {"documents"}
    assert shown["significant"] == sum(pair["significant"] for pair in pairs)
    assert shown["not_significant"] == 6 - shown["significant"]
    assert [system["mean"] for system in systems] == sorted((system["mean"] for system in systems), reverse=True)
    assert shown["top_group"] == len(shown["top_group_systems"])
    assert shown["top_group_systems"][0] == systems[0]["system"]
    assert shown["provenance"]["population"] == "documents"
    assert set(shown["populations"]) == set(POPULATIONS)


def test_without_shards_it_is_the_guarded_t_test(demo: Path, run: Irgauge) -> None:
    shown = only(answer(run, "compare", *paths(demo)))
    facts = shown["provenance"]
    assert (facts["test"], facts["correction"], facts["population"]) == ("guarded t-test", "holm", "topics")
    assert "model" not in facts
    assert list(shown["populations"]) == ["topics"]


def test_the_papers_analysis_is_tukeys(demo: Path, run: Irgauge) -> None:
    shown = only(answer(run, "compare", *paths(demo), "--test", "tukey"))
    facts = shown["provenance"]
    assert (facts["test"], facts["model"], facts["population"]) == ("Tukey's HSD test", "MD1", "topics")
    assert shown["spread"] == []  # six topics are too few for the check


@pytest.mark.parametrize(
    ("options", "populations"),
    [
        ([], ["topics", "shards", "topics+shards"]),
        (["--population", "shards"], ["shards", "topics", "topics+shards"]),
        (["--population", "sources"], ["sources", "topics", "shards", "topics+shards"]),
        (["--test", "tukey", "--population", "topics+shards"], ["topics+shards", "topics", "shards"]),
        (["--test", "max-t"], ["topics"]),
    ],
    ids=str,
)
def test_shards_that_differ_in_kind(options: list[str], populations: list[str], demo: Path, run: Irgauge) -> None:
    given = ["compare", *paths(demo), "--shards", "match:^....", "--sparse"]
    shown = only(answer(run, *given, *options))
    assert list(shown["populations"]) == populations
    assert shown["provenance"]["population"] == populations[0]
    code, out, _ = run(*given, *options)
    assert code == 0
    assert SHORT[populations[0]] in " ".join(out.split())


def test_a_table_with_replicates_is_of_shards_of_which_nothing_is_known(
    demo: Path, run: Irgauge, tmp_path: Path
) -> None:
    import irgauge

    bench = Bench(irgauge.load(*paths(demo)))
    bench.measured(Measuring(parse_measures(["AP"]), "even:3")).save(tmp_path / "scores.csv")
    shown = only(answer(run, "compare", tmp_path / "scores.csv"))
    assert list(shown["populations"]) == ["topics", "shards", "topics+shards"]
    code, _, err = run("compare", tmp_path / "scores.csv", "--population", "documents")
    assert code == 2
    assert "these scores say nothing of 'documents': the shards differ in kind" in " ".join(err.split())


@pytest.mark.parametrize("test", ["randomised-tukey", "max-t", "t", "unpaired-t", "wilcoxon", "randomization"])
def test_the_command_takes_every_test(test: str, demo: Path, run: Irgauge) -> None:
    shown = only(answer(run, "compare", *paths(demo), "--test", test, "--draws", 20_000))
    told = shown["provenance"]
    assert (told["test"], told["population"]) == (TESTS[test].title, "topics")
    usual = {"randomised-tukey": "built in", "max-t": "step-down", "randomization": "bh"}
    assert told["correction"] == usual.get(test, "holm")


def test_with_a_baseline_there_are_its_pairs_only(demo: Path, run: Irgauge) -> None:
    shown = only(answer(run, "compare", *paths(demo), "--test", "t", "--correction", "bh", "--baseline", "F1-2"))
    assert len(shown["pairs"]) == 3
    assert all("F1-2" in (pair["system"], pair["against"]) for pair in shown["pairs"])
    code, out, _ = run("compare", *paths(demo), "--baseline", "F1-2")
    assert code == 0
    assert "3 pairs with baseline F1-2" in " ".join(out.split())


def test_text_has_the_answer_first_and_names_method_and_population(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("compare", *paths(demo), "--shards", "even:3")
    shown = " ".join(out.split())
    assert shown.startswith("- By AP, ")
    method = shown.rpartition("Method: ")[2]
    for part in ("guarded t-test", "Holm's correction", "all 6 pairs", "α = 0.05", "population: topics"):
        assert part in method
    first, *others = method.split("also computed: ")
    assert "even:3" not in first  # topics are of the whole corpus
    for population, other in zip(("documents", "both"), others, strict=True):
        family = "all 6 pairs, together with those of 1 more comparison"
        assert f"t-test over shards; family: {family}; population: {population}" in other
        assert "shards even:3; seed 0; 3 shards" in other
    _, out, _ = run("compare", *paths(demo), "--shards", "even:3", "--test", "tukey", "--population", "documents")
    method = " ".join(out.split()).rpartition("Method: ")[2]
    for part in ("Tukey's HSD test", "all 6 pairs", "model MD6", "population: documents", "seed 0", "even:3"):
        assert part in method
    _, out, _ = run("compare", *paths(demo), "--test", "max-t", "--draws", 999)
    method = " ".join(out.split()).rpartition("Method: ")[2]
    assert (
        "max-|t| test; family: all 6 pairs; corrected by the largest |t| of these pairs, step by step; 999 draws"
        in method
    )


def test_csv_has_the_pairs(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("compare", *paths(demo), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 6
    assert {"system", "against", "difference", "low", "high", "p", "significant"} <= set(rows[0])
    assert {row["significant"] for row in rows} <= {"true", "false"}


def test_a_table_of_scores_will_do(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    import irgauge

    table = Bench(irgauge.load(*paths(demo))).whole(parse_measures(["AP"]))
    table.save(tmp_path / "scores.parquet")
    shown = only(answer(run, "compare", tmp_path / "scores.parquet"))
    direct = only(answer(run, "compare", *paths(demo)))
    assert shown["pairs"] == direct["pairs"]


@pytest.mark.parametrize("chart", [chart for chart in CHARTS if chart != "slices"])  # needs kinds of topics
def test_the_command_draws(chart: str, demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    options = ["--shards", "even:2", "--chart", target, "--chart-of", chart]
    code, _, _ = run("compare", *paths(demo), *options)
    assert code == 0
    assert target.read_text().startswith("<svg")


BAD: dict[str, tuple[list[str], str]] = {
    "a baseline that is not there": (["--baseline", "F9-9"], "F9-9"),
    "an unknown test": (["--test", "tuckey"], "did you mean 'tukey'?"),
    "documents of shards of a kind": (
        ["--shards", "match:^....", "--sparse", "--population", "documents"],
        "these scores say nothing of 'documents': the shards differ in kind; choose topics or shards or",
    ),
    "systems to keep": (["--keep-systems", "top200%"], "'top200%' of 4 systems cannot be kept"),
    "a chart that is not there": (["--chart", "x.svg", "--chart-of", "sizes"], "the chart 'sizes' is unknown"),
    "a chart of an unknown kind": (["--chart", "x.bmp"], ".bmp"),
    "a chart without a file": (["--chart-of", "pairs"], "needs a file to draw to"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(name: str, demo: Path, run: Irgauge) -> None:
    options, message = BAD[name]
    code, out, err = run("compare", *paths(demo), *options)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())
