"""docs/calibration.md, which a benchmark writes: nothing is called valid there that the numbers beside it deny."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from benchmarks.calibration import claims, table
from benchmarks.calibration.page import every_claim

DOCS = Path(__file__).parents[2] / "docs"
LEAST = {"coverage", "assurance"}  # promises of at least so much; all others are of at most


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    with (DOCS / "calibration.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def page() -> str:
    return (DOCS / "calibration.md").read_text()


def test_every_sentence_that_claims_something_has_a_row(page: str) -> None:
    """A new finding fails here until it says what it claims, and something was measured of it."""
    lines = [line.strip("| ").split(" | ") for line in page.partition(claims.TITLE)[2].splitlines()]
    rows = [
        (line[0].strip("`"), sentence.strip("`"), line[2])
        for line in lines
        if len(line) == len(claims.HEAD)
        for sentence in line[1].split(", ")
    ]
    assert len(claims.claimed()) > 50
    assert set(claims.claimed()) <= set(rows)
    verdicts = [line[-1] for line in lines if len(line) == len(claims.HEAD) and line[0].startswith("`")]
    assert all(
        re.match(r"keeps its promise|cautious|\*\*(does|may) not keep it\*\*|\*\*not measured\*\*: ", verdict)
        for verdict in verdicts
    )


def test_the_verdicts_on_sentences_are_those_of_the_numbers(page: str) -> None:
    assert every_claim(table.read()) in page


def errors_off(row: dict[str, str]) -> float:
    """By how many Monte Carlo errors a claim errs more often than it promises; NaN where nothing is promised."""
    off = (float(row["observed"]) - float(row["nominal"])) / float(row["error"])
    return round(-off if row["what"] in LEAST else off, 9)  # numbers of the table are rounded: exactly 3 is 3


def test_a_verdict_is_liberal_or_conservative_beyond_three_errors(rows: list[dict[str, str]]) -> None:
    assert len(rows) > 500
    for row in rows:
        off = errors_off(row)
        if row["verdict"]:
            assert (row["verdict"] == "liberal") == (off > 3), row
            assert (row["verdict"] == "conservative") == (off < -3), row
            assert row["verdict"] != "kept" or off <= 0 or 3 * float(row["error"]) < 0.0501, row


def summaries(page: str) -> list[list[str]]:
    """The lines that sum a method up: method, population, promise, lowest, highest, verdict."""
    lines = [line.strip("| ").split(" | ") for line in page.splitlines() if re.search(r": at (most|least) \d", line)]
    return [line for line in lines if len(line) == 6]


def test_a_method_keeps_its_promise_only_if_it_is_liberal_nowhere(page: str, rows: list[dict[str, str]]) -> None:
    liberal = {tuple(row[name] for name in ("group", "method", "population", "what")) for row in rows if is_off(row)}
    said = [line for line in summaries(page) if line[-1].startswith("liberal")]
    assert len(said) == len(liberal)
    assert {tuple(line[:2]) for line in said} == {one[1:3] for one in liberal}


def is_off(row: dict[str, str]) -> bool:
    return errors_off(row) > 3


def test_the_page_has_every_group(page: str, rows: list[dict[str, str]]) -> None:
    assert len(re.findall(r"^## ", page, re.MULTILINE)) >= len({row["group"] for row in rows})
