"""The command `anova`: text, JSON, CSV, charts, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import irgauge
from irgauge.models.anova import fit
from irgauge.models.f_tests import term_tests
from irgauge.replicates.shards import sharding
from irgauge.scoring.scores import score

Irgauge = Callable[..., tuple[int, str, str]]


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def answer(run: Irgauge, *arguments: object) -> dict[str, Any]:
    """What the command gives as JSON."""
    code, out, _ = run("anova", *arguments, "--format", "json")
    assert code == 0
    shown = json.loads(out)
    assert isinstance(shown, dict)
    return shown


def test_json_has_the_fields_and_the_numbers_of_the_model(demo: Path, run: Irgauge) -> None:
    shown = answer(run, *paths(demo), "-m", "AP", "--shards", "even:3", "--against", "MD4")
    assert shown["shape"] == {"topics": 6, "systems": 4, "shards": 3}
    assert (shown["model"], shown["measure"], shown["provenance"]["fill"]) == ("MD6", "AP", "zero")
    collection = irgauge.load(*paths(demo))
    scores = score(collection, ["AP"], sharding(collection, "even:3").split(0, 0)).filled("zero")
    expected = fit(scores.values[0], "MD6")
    tests = term_tests(expected, "topics")
    assert [row["source"] for row in shown["rows"]] == list(expected.model.terms)
    for row, ours, test in zip(shown["rows"], expected.rows, tests, strict=True):
        assert set(row) == {"source", "ss", "df", "ms", "against", "f", "p", "omega2", "size"}
        assert (row["ss"], row["omega2"]) == (ours.ss, ours.omega2)
        assert (row["against"], row["f"], row["p"]) == (test.against, test.f, test.p)
    assert shown["comparison"]["against"] == "MD4"
    assert {"error", "total", "checks", "populations", "findings"} <= set(shown)


def test_text_has_the_answer_first_and_fits_the_terminal(
    demo: Path, run: Irgauge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("anova", *paths(demo), "--shards", "even:3", "--against", "MD4")
    assert code == 0
    warning, answer = " ".join(out.split()).split("- ")[1:3]
    assert re.match(r"Warning: [0-9]+ % of scores are undefined \(no relevant document in the shard\)", warning)
    assert answer.startswith("Effects on AP, the largest first: ")
    assert max(map(len, out.splitlines())) <= 80
    titles = ("Analysis of variance of AP over 3 shards, MD6", "What the F tests of MD6 assume", "MD6 against MD4")
    assert all(title in out for title in titles)
    method = " ".join(out.split("Method: ")[1].split())
    errors = "error: topic:system for system, topic:shard for shard, else residual"
    assert method.startswith(f"F tests; {errors}; α = 0.05; population: topics (other topics, these documents)")


@pytest.mark.parametrize(("population", "error"), [("documents", "residual"), ("both", "topic:system")])
def test_another_population_is_tested_against_its_own_error(
    population: str, error: str, demo: Path, run: Irgauge
) -> None:
    shown = answer(run, *paths(demo), "--shards", "even:3", "--population", population)
    assert shown["population"] == shown["populations"][0]["population"] == population
    assert shown["rows"][1]["against"].startswith(error)
    assert [one["scores"] for one in shown["populations"]].count("whole corpus") == 1


def test_csv_has_the_table_in_numbers(demo: Path, run: Irgauge) -> None:
    code, out, _ = run("anova", *paths(demo), "--format", "csv")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["source"] for row in rows] == ["topic", "system", "error", "total"]
    assert all(float(row[name]) >= 0 for row in rows[:2] for name in ("ss", "df", "ms", "f", "p"))


def test_a_table_of_scores_will_do(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    collection = irgauge.load(*paths(demo))
    scores = score(collection, ["AP"], sharding(collection, "even:3").split(0, 0)).filled("zero")
    scores.save(tmp_path / "scores.parquet")
    assert answer(run, tmp_path / "scores.parquet")["model"] == "MD6"
    by_table = answer(run, tmp_path / "scores.parquet")["rows"]
    by_runs = answer(run, *paths(demo), "--shards", "even:3")["rows"]
    assert [row["omega2"] for row in by_table] == pytest.approx([row["omega2"] for row in by_runs])
    assert [row["p"] for row in by_table] == pytest.approx([row["p"] for row in by_runs])


@pytest.mark.parametrize("of", [None, "main", "topic:system", "system:shard", "topic:shard"])
def test_charts_are_drawn(of: str | None, demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    named = [] if of is None else ["--chart-of", of]
    code, _, _ = run("anova", *paths(demo), "--shards", "even:2", "--chart", target, *named)
    assert code == 0
    assert target.read_text().startswith("<svg")


BAD: dict[str, tuple[list[str], str]] = {
    "an unknown term": (["--model", "topic + sistem"], "'sistem' is unknown; did you mean 'system'?"),
    "systems to keep": (["--keep-systems", "top200%"], "'top200%' of 4 systems cannot be kept"),
    "a model that needs shards": (["--model", "MD6"], "MD6 needs more than one shard"),
    "MD1 on shards": (["--model", "MD1", "--shards", "even:2"], "MD1 is for the whole corpus"),
    "a model that is not nested": (["--shards", "even:2", "--against", "MD6"], "MD6 is not nested in MD6"),
    "an interaction that is not there": (
        ["--chart", "x.svg", "--chart-of", "topic:system"],
        "MD1 has no term 'topic:system'; its terms are topic, system",
    ),
    "a chart that is not there": (["--chart", "x.svg", "--chart-of", "sizes"], "main, topic:system, system:shard"),
    "a level": (["--alpha", "2"], "alpha"),
    "a population without shards": (["--population", "both"], "there are no shards; choose topics"),
    "a population of other shards": (
        ["--population", "shards", "--shards", "even:2"],
        "the shards are random; choose topics or documents or both",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(
    name: str, demo: Path, run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options, message = BAD[name]
    code, out, err = run("anova", *paths(demo), *options)
    assert (code, out) == (2, "")
    assert message in err
    assert not list(tmp_path.iterdir())
