"""Counts of TREC-8 that pages quote are those that the command gives, with its own seed and precision."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import irgauge as ig
from irgauge import Collection

if TYPE_CHECKING:
    from irgauge.names import Test

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    """A page on one line."""
    return " ".join((DOCS / name).read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def scored(trec8_in_64_bits: Collection) -> ig.Scores:
    return ig.score(trec8_in_64_bits, "AP").scores


@pytest.mark.parametrize("test", ["skewed-t", "t", "max-t", "bounded", "bootstrap-t"])
def test_pairs_found_on_trec_8_are_those_of_the_page(scored: ig.Scores, test: Test) -> None:
    significant = int(ig.compare(scored, "AP", test=test)["AP"].comparison.significant.sum())
    text = page("which-test.md")
    (quoted,) = re.findall(r"On TREC-8 \(`-m AP`, .*? and `bounded` \d+\.", text)
    quoted += " ".join(re.findall(r"(By `bootstrap-t`) .*?(?:it finds) ([\d,]+) of", text)[0])
    (count,) = re.findall(rf"`{test}`(?: finds)? ([\d,]+)", quoted)
    assert int(count.replace(",", "")) == significant


def test_pairs_found_by_source_are_those_of_the_page(trec8_in_64_bits: Collection) -> None:
    text = page("populations.md")
    (shards,) = re.findall(r"by source \(`-m AP --shards '(.*?)'`\)", text)
    told = r"it finds ([\d,]+) of .*?`--population shards` (\d+);.*?in the papers, ([\d,]+) and ([\d,]+)"
    (quoted,) = re.findall(told, text)
    tests: tuple[Test | None, ...] = (None, "tukey")
    found = [
        ig.compare(trec8_in_64_bits, "AP", shards=shards, population=population, test=test).first.comparisons[0]
        for test in tests
        for population in ("sources", "shards")
    ]
    assert [one.population for one in found] == ["sources", "shards"] * 2
    assert [f"{one.significant_count:,}" for one in found] == list(quoted)


def test_conclusions_that_transforms_keep_are_those_of_the_page(scored: ig.Scores) -> None:
    quoted = re.findall(r"(\d\d\.\d) % (?:of pairs )?\(`(ranks|arcsine)`\)", page("questions/anova.md"))
    assert [transform for _, transform in quoted] == ["ranks", "arcsine"]
    for share, transform in quoted:
        (found,) = ig.compare(scored, "AP", transform=transform).findings().of("survives-transform")
        assert f"{100 * found.fields['same']['topics'] / found.fields['conclusions']:.1f}" == share


def test_decisions_by_number_of_splits_are_those_of_the_page(trec8_in_64_bits: Collection) -> None:
    text = page("questions/partition.md")
    rows = {
        rule: {
            row["splits"]: row
            for row in ig.partition(trec8_in_64_bits, "AP", splits=33, by_splits=True, aggregate=rule)
            .table("by-splits")
            .records()
        }
        for rule in ("all", "twice-median")
    }
    means = {splits: f"{row['mean']:,.0f}" for splits, row in rows["all"].items()}
    assert f"{means[1]} pairs differ by one split and {means[11]} by 11; {means[33]} differ by all 33" in text
    alike = 100 * float(rows["twice-median"][15]["as_others"] or 0)
    assert f"two sets of 15 splits decide {alike:.1f} % of pairs alike" in text
