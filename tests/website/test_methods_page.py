"""The page of methods: all records are on it, as they are, with error rates as the table of calibration has them."""

from __future__ import annotations

import csv
import re

import pytest

from irgauge.inference.corrections import CORRECTIONS
from irgauge.inference.tests.registry import TESTS
from irgauge.show import bibtex
from irgauge.show.references import REFERENCES
from irgauge.show.verdicts import COVERS
from website import methods, rates

PAGE = methods.PAGE.read_text()


def test_the_page_is_made_from_the_records() -> None:
    assert methods.page() == PAGE, "python -m website.methods writes it anew"


def test_every_test_correction_and_population_is_on_it_with_what_it_assumes() -> None:
    assert [name for name in TESTS.own if f"{{ #test-{name} }}" not in PAGE] == []
    assert [name for name in CORRECTIONS.own if f"{{ #correction-{name} }}" not in PAGE] == []
    assert [name for name in COVERS if not re.search(rf"\| <code>{re.escape(name)}</code> \|.*\]\(#", PAGE)] == []
    assert [name for name, test in TESTS.own.items() if not test.assumes] == []
    assert [name for name, correction in CORRECTIONS.own.items() if not correction.assumes] == []


def test_error_rates_are_found_by_their_labels() -> None:
    assert methods.LABELS.keys() <= TESTS.own.keys()
    assert [name for name, label in methods.LABELS.items() if not rates.rates(rates.named(label))] == []


def test_rates_are_the_lowest_and_the_highest_cell() -> None:
    with rates.CELLS.open() as lines:
        rows = [row for row in csv.DictReader(lines) if (row["method"], row["what"]) == ("skewed-t, Holm", "any pair")]
    observed = [100 * float(row["observed"]) for row in rows]
    liberal = sum(row["verdict"] == "liberal" for row in rows)
    line = next(line for line in PAGE.splitlines() if line.startswith("| skewed-t, Holm | topics | any pair |"))
    low, high = re.findall(r"([\d.]+) % \(", line)
    assert (float(low), float(high)) == pytest.approx((min(observed), max(observed)), rel=0.01)
    assert line.endswith(f"| {liberal} of {len(rows)} |")


@pytest.mark.parametrize("key", REFERENCES)
def test_bibtex_has_all_that_a_reference_has(key: str) -> None:
    entry = bibtex.entry(key, REFERENCES[key])
    plain = entry.replace("--", "–").replace(" and ", " ")
    words = re.findall(r"[\w’'–-]+", re.sub(r"https://doi\.org/", "", REFERENCES[key]))
    assert [word for word in words if word not in {"and", "In", "article"} and word not in plain] == []
    assert re.search(r"year = \{\d{4}\}", entry)
    author = re.search(r"author = \{(.*)\}", entry)
    assert author
    assert REFERENCES[key].startswith(author[1].split(" and ")[0])
    assert len(author[1]) < 120
