"""`irgauge measures`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

Irgauge = Callable[..., tuple[int, str, str]]


def test_measures_lists_all_of_the_catalogue(run: Irgauge) -> None:
    code, out, _ = run("measures", "--format", "json")
    listed = {row["measure"].partition("@")[0].rstrip("[") for row in json.loads(out)}
    assert code == 0
    assert listed == set(
        "AP P R Rprec RR nDCG ERR RBP INSQ Twist Bpref infAP xinfAP Judged".split()  # noqa: SIM905  # a list of names
    )


def test_measures_say_how_they_are_written(run: Irgauge, tmp_path: Path) -> None:
    code, out, _ = run("measures", "-o", tmp_path / "measures.csv")
    assert (code, out) == (0, "")
    lines = (tmp_path / "measures.csv").read_text().splitlines()
    assert lines[0] == "measure,name,explanation,in_trec_eval"
    assert lines[1].startswith("AP[@k],average precision,")
    code, _, err = run("measures", "-o", tmp_path / "measures.parquet")
    assert code == 2
    assert "no format is known for the extension '.parquet'" in err
