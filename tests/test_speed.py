"""The page on speed and the table of README.md: their figures are those that the benchmarks wrote to docs/speed.csv."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from benchmarks import figures

SECONDS = {"ms": 0.001, "s": 1.0}
CELL = re.compile(r"([\d,.]+) (ms|s|MiB|times)\b(?! the)")


def in_seconds(value: float, unit: str) -> tuple[float, str]:
    return (value * SECONDS[unit], "time") if unit in SECONDS else (value, unit)


def test_pages_are_made_of_the_table() -> None:
    assert figures.PAGE.read_text() == figures.page(), "run python -m benchmarks.figures"
    assert figures.README.read_text() == figures.readme(), "run python -m benchmarks.figures"


@pytest.mark.parametrize(("page", "fewest"), [(figures.PAGE, 20), (figures.README, 10)])
def test_every_figure_of_a_table_is_one_of_the_benchmarks(page: Path, fewest: int) -> None:
    """Read from both files anew: within the rounding to two digits, which is the same order of magnitude too."""
    with figures.TABLE.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["benchmark"] != "version"]
    measured = [in_seconds(float(row["value"]), row["unit"]) for row in rows]
    text = page.read_text().split("## Speed" if page == figures.README else "# Speed")[1].split("## More")[0]
    shown = [cell for line in text.splitlines() if line.startswith("|") for cell in CELL.findall(line)]
    assert len(shown) > fewest
    for number, unit in shown:
        value, of = in_seconds(float(number.replace(",", "")), unit)
        assert any(of == own and value == pytest.approx(known, rel=0.06) for known, own in measured), (number, unit)


def test_ratios_are_those_of_the_figures_beside_them() -> None:
    values = {figure.name: figure.value for each in figures.stored().values() for figure in each}
    ratios = {
        name: value for name, value in values.items() if re.fullmatch(r"\w+ (from files|in memory) over score", name)
    }
    assert len(ratios) == 4
    for name, ratio in ratios.items():
        peer, what = name.removesuffix(" over score").split(" ", 1)
        assert ratio == pytest.approx(values[f"{peer} {what}"] / values[f"score {what}"], rel=0.01)


def test_what_is_asked_is_said_to_be_met_where_it_is() -> None:
    said = dict(
        re.findall(r"^\| ([^|]+) \| [^|]+ \| at (?:most|least) [^|]+ \| (\S+) \|$", figures.PAGE.read_text(), re.M)
    )
    with figures.TABLE.open(newline="") as file:
        asked = [row for row in csv.DictReader(file) if row["asked"]]
    assert len(asked) > 5
    for row in asked:
        value, bound = float(row["value"]), float(row["asked"].split()[-1].replace(",", ""))
        is_met = value <= bound if row["asked"].startswith("at most") else value >= bound
        assert said[row["figure"]] == ("yes" if is_met else "**no**"), row


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0456, "0.046"), (1.0, "1"), (9.96, "10"), (12.4, "12"), (2871.3, "2,871")]
)
def test_figures_have_two_digits_or_are_whole(value: float, shown: str) -> None:
    assert figures.rounded(value) == shown
