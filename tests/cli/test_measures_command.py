"""`irgauge measures`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from irgauge.scoring.catalogue import RECORDS

Irgauge = Callable[..., tuple[int, str, str]]


def test_measures_lists_all_of_the_catalogue(run: Irgauge) -> None:
    code, out, _ = run("measures", "--format", "json")
    listed = [row["measure"].partition("@")[0].rstrip("[") for row in json.loads(out)]
    assert code == 0
    assert listed == [record.name for record in RECORDS]


def test_measures_say_how_they_are_written(run: Irgauge, tmp_path: Path) -> None:
    code, out, _ = run("measures", "-o", tmp_path / "measures.csv")
    assert (code, out) == (0, "")
    lines = (tmp_path / "measures.csv").read_text().splitlines()
    assert lines[0] == "family,measure,name,parameters,elsewhere"
    assert lines[1].startswith("precision,AP[@k],average precision,")
    code, _, err = run("measures", "-o", tmp_path / "measures.parquet")
    assert code == 2
    assert "no format is known for the extension '.parquet'" in err


def test_scores_of_rbp_may_reach_the_highest_gain(run: Irgauge) -> None:
    shown = " ".join(run("measures", "RBP")[1].split())
    assert (
        "scores from 0 to 1 with rel=, max_rel= or residual=; else to the highest gain, where that is above 1" in shown
    )
    assert "scores from 0 to 1 better" in " ".join(run("measures", "AP")[1].split())
