"""How findings stand on a page: claims have their place, and what is exploratory uses no word of significance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from irgauge import Scores
from irgauge.reporting.options import ReportOptions
from irgauge.reporting.report import Report, page_claims, report
from irgauge.scoring.measures import parse_measures
from irgauge.show.finding import Finding
from irgauge.show.page import Variant
from irgauge.show.standing import MARK
from irgauge.simulation.collections import Design, simulate

# words by which a reader takes it that something was tested
SIGNIFICANCE = re.compile(
    r"\b(significan\w*|differs?|better|worse|equivalent|effects?|trust\w*)\b|\bp [=<≤]", re.IGNORECASE
)
OF_TESTS = "calibrate"  # the section that is about tests, and not about systems
DESIGN = Design(systems=5, families=2, topics=20, depth=60, corpus_size=600, seed=2)
FEW: dict[str, Any] = {"images": 20, "resamples": 2}
PAGES: dict[str, dict[str, Any]] = {
    "all pairs": {},
    "a baseline": {"baseline": "F1-1", "margin": 0.02, "groups": {"F1-1": "one", "F1-2": "one"}},
    "algorithms": {"pattern": "{algorithm}-{instance}"},
    "without shards": {"shards": None},
}


@cache
def page_of(name: str) -> Report:
    if name == "a table":
        values = np.random.default_rng(4).random((2, 20, 4, 3))
        topics, systems, shards = (tuple(map(str, range(size))) for size in values.shape[1:])
        return report(Scores(values, parse_measures(["AP", "P@10"]), topics, systems, shards))
    return report(simulate(DESIGN).collection(), ["AP", "nDCG@10", "P@10"], **FEW, **PAGES[name])


def told(page: Report) -> Iterator[tuple[str, Finding]]:
    """Every finding of the page with the section that tells it."""
    yield from (("front", headline) for headline in page.page.front.headlines)
    yield from ((claim.section, claim.finding) for claim in page.page.claims)
    yield from ((section.key, finding) for section in page.page.sections for finding in section.told)


def notes_of(variant: Variant) -> Iterator[tuple[str, ...]]:
    """What stands under a chart, and under a table."""
    if variant.figure is not None:
        yield variant.figure.caption
    if variant.table is not None:
        yield tuple(variant.table.notes)


EVERY = pytest.mark.parametrize("name", [*PAGES, "a table"])


@EVERY
def test_what_is_exploratory_uses_no_word_of_significance(name: str) -> None:
    wrong = [
        f"{section}: {finding.text}"
        for section, finding in told(page_of(name))
        if finding.tone == "finding" and finding.place not in ("primary", "secondary") and section != OF_TESTS
        if SIGNIFICANCE.search(finding.text) and finding.kind != "single-instances"
    ]
    assert not wrong, "describe these data on a page, or make it a claim (ReportPart.claims):\n" + "\n".join(wrong)


@EVERY
def test_every_finding_has_a_place_and_only_claims_claim(name: str) -> None:
    for section, finding in told(page_of(name)):
        assert finding.tone != "finding" or finding.place is not None, (section, finding.text)
        assert finding.place != "exploratory" or not finding.claims, (section, finding.text)


@EVERY
def test_one_measure_for_one_population_is_primary(name: str) -> None:
    primary = {
        (claim.measure, claim.population)
        for _, finding in told(page_of(name))
        for claim in finding.claims
        if claim.place == "primary"
    }
    first = page_of(name).page.front.headlines[0]
    assert first.place == "primary"
    assert primary <= {(first.measure, first.population)}


def test_no_sentence_of_the_page_claims_what_is_not_counted() -> None:
    """What a page says is all among what its null copies are counted by."""
    page = page_of("a baseline")
    counted = page_claims(
        simulate(DESIGN).collection(), ReportOptions(["AP", "nDCG@10", "P@10"], **FEW, **PAGES["a baseline"])
    )
    every = {
        (claim.verdict, claim.measure, claim.population, claim.place, pair) for claim in counted for pair in claim.pairs
    }
    said = [claim for _, finding in told(page) for claim in finding.claims]
    assert said
    assert {(one.verdict, one.measure, one.population, one.place, pair) for one in said for pair in one.pairs} <= every


@EVERY
def test_exploratory_charts_and_tables_say_so(name: str) -> None:
    page = page_of(name)
    for section in page.page.sections:
        marked = [
            MARK in notes for panel in section.panels for variant in panel.variants for notes in notes_of(variant)
        ]
        is_claim = section.key in {"compare", "baseline", "instances"} and section.place is None
        assert not any(marked) if is_claim else all(marked), section.key
        assert section.place in (None, "exploratory")


@EVERY
def test_titles_of_what_is_exploratory_use_no_word_of_significance(name: str) -> None:
    """A title is read as an answer, whatever stands under the chart."""
    variants = [
        variant
        for section in page_of(name).page.sections
        if section.place == "exploratory" and section.key != OF_TESTS
        for panel in section.panels
        for variant in panel.variants
    ]
    titles = [shown.title for variant in variants for shown in (variant.figure, variant.table) if shown is not None]
    assert titles
    assert not [title for title in titles if re.search("significan", title, re.IGNORECASE)]


def test_the_page_shows_places() -> None:
    html = page_of("all pairs").to_html()
    assert '<p class="place">exploratory</p>' in html
    assert 'data-place="primary"' in html
    assert 'data-place="secondary"' in html
