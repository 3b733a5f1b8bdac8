"""docs/tests-of-means.md, which a benchmark writes: its numbers are those of its table, and so are its verdicts."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from benchmarks.tests_of_means import chart, page, table
from benchmarks.tests_of_means.conclusions import CONCLUSIONS
from benchmarks.tests_of_means.decisions import TESTS
from benchmarks.tests_of_means.published import PUBLISHED
from benchmarks.tests_of_means.table import POWER, RUNNING, SAME_MARGIN, SAME_MEAN, TIES_LOST, TYPE_III

DOCS = Path(__file__).parents[2] / "docs"
Cells = dict[str, str]


@pytest.fixture(scope="module")
def rows() -> list[Cells]:
    with (DOCS / "tests-of-means.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def written() -> str:
    return (DOCS / "tests-of-means.md").read_text()


def section(written: str, title: str) -> str:
    return written.split(f"\n## {title}")[1].split("\n## ")[0]


def tables(text: str) -> list[list[list[str]]]:
    """The cells of each table, without its head."""
    found = re.findall(r"(?:^\|.*\|\n?)+", text, re.MULTILINE)
    return [[line.strip("| ").split(" | ") for line in one.strip().splitlines()[2:]] for one in found]


def of(rows: list[Cells], what: str, difference: str, alpha: str = "0.05") -> list[Cells]:
    return [row for row in rows if (row["what"], row["difference"], row["alpha"]) == (what, difference, alpha)]


def test_the_page_is_that_of_the_table(written: str) -> None:
    assert written == page.text(table.read())


def test_every_number_is_in_the_table(written: str, rows: list[Cells]) -> None:
    shown, own = tables(section(written, "Equal systems"))[0], of(rows, SAME_MARGIN, "0")
    assert len(shown) == len(own) == 9
    for line, row in zip(shown, own, strict=True):
        assert line[:2] == [row["measure"], row["topics"]]
        for cell, test in zip(line[2:], TESTS, strict=True):
            share, error = (float(one) for one in re.findall(r"\d+\.\d\d", cell)[:2])
            expected = float(row[test])
            assert share == pytest.approx(100 * expected, abs=0.00501)
            spread = (expected * (1 - expected) / int(row["trials"])) ** 0.5
            assert error == pytest.approx(100 * spread, abs=0.00501)
            assert cell.startswith("**") == (expected - 0.05 > 3 * spread)
            assert cell.startswith("_") == (expected - 0.05 < -3 * spread)


def test_ranges_are_those_of_the_table(written: str, rows: list[Cells]) -> None:
    for test, found, wrong in tables(section(written, "Unequal systems"))[0]:
        for shown, own in ((found, of(rows, POWER, "0.05")), (wrong, of(rows, TYPE_III, "0.01"))):
            shares = [100 * float(row[test]) for row in own]
            assert [float(end) for end in shown.split(" to ")] == pytest.approx([min(shares), max(shares)], abs=0.00501)
    margins, means = of(rows, SAME_MARGIN, "0"), of(rows, SAME_MEAN, "0")
    for one, other in zip(margins, means, strict=True):
        assert (one["measure"], one["topics"]) == (other["measure"], other["topics"])
    most, signs = re.findall(r"([\d.]+)(?= points of these|\.$)", section(written, "Equal systems"), re.MULTILINE)[-2:]
    apart = {
        test: max(abs(float(a[test]) - float(b[test])) for a, b in zip(margins, means, strict=True)) for test in TESTS
    }
    assert float(signs) == pytest.approx(100 * apart.pop("sign"), abs=0.00501)
    assert float(most) == pytest.approx(100 * max(apart.values()), abs=0.00501)


def test_the_study_is_as_large_as_it_should_be(rows: list[Cells]) -> None:
    equal = [row for row in rows if row["what"] in (SAME_MARGIN, SAME_MEAN)]
    assert len(equal) == 2 * 9 * 3
    assert all((0.05 * 0.95 / int(row["trials"])) ** 0.5 < 0.001 for row in equal)  # ± 0.2 % at α = 0.05
    assert len([row for row in rows if row["what"] == POWER]) == 9 * 10 * 3
    (whole,) = (row for row in rows if row["what"] == RUNNING)
    assert float(whole["cpu seconds"]) < 2 * 10 * 60  # ten minutes on two cores


def test_their_numbers_bear_out_their_conclusions() -> None:
    assert [one.exceptions(PUBLISHED) for one in CONCLUSIONS] == [[]] * len(CONCLUSIONS)


def test_we_agree_where_the_page_says_so(written: str, rows: list[Cells]) -> None:
    said = {line[0]: line[-1] for line in tables(section(written, "Where we agree"))[0]}
    assert len(said) == len(CONCLUSIONS)
    errors = of(rows, SAME_MARGIN, "0")
    for text, test in [("The t-test errs as often", "t"), ("So does the permutation test", "permutation")]:
        off = [f"{row['measure']} {row['topics']}" for row in errors if abs(float(row[test]) - 0.05) > 0.005]
        verdict = next(value for key, value in said.items() if key.startswith(text))
        assert verdict == (f"**not** in {', '.join(off)}" if off else "yes")
    assert f"bear out {list(said.values()).count('yes')} " in written
    ap = [float(row["wilcoxon"]) for row in errors if row["measure"] == "AP"]
    wilcoxon = next(value for key, value in said.items() if key.startswith("With AP, Wilcoxon's test errs"))
    assert (wilcoxon == "yes") == (ap[0] < ap[1] < ap[2] and ap[2] > 0.06)


def test_what_is_said_of_ties_and_of_power(rows: list[Cells]) -> None:
    lost, kept = of(rows, TIES_LOST, "0"), [row for row in of(rows, SAME_MARGIN, "0") if row["measure"] == "P@10"]
    for one, other in zip(lost, kept, strict=True):
        for test in ("t", "skewed-t", "wilcoxon", "sign"):
            assert one[test] == other[test]  # the same experiments
        for test in ("permutation", "bootstrap"):
            theirs = PUBLISHED[SAME_MARGIN]["P@10", int(one["topics"]), test]
            assert abs(100 * float(one[test]) - theirs) < abs(100 * float(other[test]) - theirs)
        assert float(other["permutation"]) < 0.05
    power = {row["topics"]: row for row in of(rows, POWER, "0.05") if row["measure"] == "AP"}
    assert all(100 * float(row["t"]) < PUBLISHED[POWER]["AP", int(topics), "t"] for topics, row in power.items())
    assert [float(row["wilcoxon"]) > float(row["t"]) for row in power.values()] == [True, True, False]


def test_the_chart_has_all_tests_and_measures() -> None:
    panels = chart.drawn(table.read()).to_dict()["hconcat"]
    assert [panel["title"] for panel in panels] == ["AP", "P@10", "RR"]
    lines = [panel["layer"][1]["data"]["values"] for panel in panels]
    assert [len(values) for values in lines] == [3 * len(TESTS)] * 3


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = table.read()
    table.write(rows, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (DOCS / "tests-of-means.csv").read_bytes()
    assert table.read(tmp_path / "again.csv") == rows
