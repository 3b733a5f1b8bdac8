"""The command `effects`: text, JSON, CSV, charts, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import irgauge
from irgauge.studies.effects.study import Effect, effects

Irgauge = Callable[..., tuple[int, str, str]]
ASKED = ("-m", "AP", "-m", "P@5", "--shards", "even:2", "--shards", "die:2")


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def test_json_has_the_effects_of_each_measure_and_way_to_split(demo: Path, run: Irgauge) -> None:
    code, out, _ = run("effects", *paths(demo), *ASKED, "--format", "json")
    assert code == 0
    shown = json.loads(out)
    expected = effects(irgauge.load(*paths(demo)), ["AP", "P@5"], shards=["even:2", "die:2"])
    assert len(expected.effects) == 2 * 2 * 6
    assert tuple(Effect(**one) for one in shown["effects"]) == expected.effects
    assert {one["cutoff"] for one in shown["effects"]} == {None, 5}
    assert shown["counts"] == expected.counts()
    assert shown["provenance"]["measures"] == ["AP", "P@5"]


def test_the_usual_measures_are_taken_if_none_is_named(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("effects", *paths(demo), "--shards", "even:2", "--format", "json")
    assert json.loads(out)["provenance"]["measures"] == ["AP", "P@10", "nDCG@10"]


def test_text_has_the_answer_first_and_fits_the_terminal(
    demo: Path, run: Irgauge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("effects", *paths(demo), *ASKED)
    assert code == 0
    warning, answer = " ".join(out.split()).split("- ")[1:3]
    assert re.match(r"Warning: Up to [0-9]+ % of scores are undefined \(no relevant document in the shard\)", warning)
    assert "has the largest effect in" in answer
    assert max(map(len, out.splitlines())) <= 80
    assert all(title in out for title in ("Effect sizes ω², MD6", "Sizes of effects", "Every effect"))
    assert "shards even:2 and die:2" in out.replace("\n", " ")
    assert "… 4 more: -o effects.csv" in out


def test_csv_has_a_row_for_each_effect_in_numbers(demo: Path, run: Irgauge) -> None:
    code, out, _ = run("effects", *paths(demo), *ASKED, "--format", "csv")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == len({(row["shards"], row["measure"], row["source"]) for row in rows}) == 24
    assert all(float(row["omega2"]) < 1 and 0 <= float(row["p"]) <= 1 for row in rows)
    assert all(row["significant"] == str(float(row["p"]) <= 0.05).lower() for row in rows)
    assert {row["size"] for row in rows} <= {"large", "medium", "small", "negligible"}


@pytest.mark.parametrize("of", [None, "sizes", "curves"])
def test_charts_are_drawn(of: str | None, demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    named = [] if of is None else ["--chart-of", of]
    measures = ("-m", "P@5", "-m", "P@10")
    code, _, _ = run("effects", *paths(demo), "--shards", "even:2", *measures, "--chart", target, *named)
    assert code == 0
    assert target.read_text().startswith("<svg")


BAD: dict[str, tuple[list[str], str]] = {
    "no shards": ([], "effect sizes need shards; name at least one way to split, such as even:5"),
    "unknown shards": (["--shards", "odd:2"], "shards 'odd:2' are unknown"),
    "one shard": (["--shards", "even:1"], "MD6 needs more than one shard"),
    "an unknown model": (["--shards", "even:2", "--model", "MD7"], "MD1 to MD6"),
    "an unknown measure": (["--shards", "even:2", "-m", "NDGC@10"], "nDCG"),
    "no cut-offs to draw": (
        ["--shards", "even:2", "-m", "AP", "--chart", "x.svg", "--chart-of", "curves"],
        "no measure has several cut-offs",
    ),
    "a chart that is not there": (["--shards", "even:2", "--chart", "x.svg", "--chart-of", "size"], "sizes"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(
    name: str, demo: Path, run: Irgauge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options, message = BAD[name]
    code, out, err = run("effects", *paths(demo), *options)
    assert (code, out) == (2, "")
    assert message in err
    assert not list(tmp_path.iterdir())
