"""`irgauge studentized`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

Irgauge = Callable[..., tuple[int, str, str]]


def test_an_alpha_that_is_none_has_no_critical_value(run: Irgauge) -> None:
    code, _, err = run("studentized", "--alpha", "0")
    assert code == 2
    assert "alpha" in err


def test_numbers_of_systems_are_whole(run: Irgauge) -> None:
    code, _, err = run("studentized", "--systems", "two")
    assert code == 2
    assert "--systems 'two' are not whole numbers" in err


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
