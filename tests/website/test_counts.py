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

PAGE = Path(__file__).parents[2] / "docs" / "which-test.md"


@pytest.fixture(scope="module")
def scored(trec8_in_64_bits: Collection) -> ig.Scores:
    return ig.score(trec8_in_64_bits, "AP").scores


@pytest.mark.parametrize("test", ["skewed-t", "t", "max-t", "bounded", "bootstrap-t"])
def test_pairs_found_on_trec_8_are_those_of_the_page(scored: ig.Scores, test: Test) -> None:
    significant = int(ig.compare(scored, "AP", test=test)["AP"].comparison.significant.sum())
    text = " ".join(PAGE.read_text().split())
    (quoted,) = re.findall(r"On TREC-8 \(`-m AP`, .*? and `bounded` \d+\.", text)
    quoted += " ".join(re.findall(r"(By `bootstrap-t`) .*?(?:it finds) ([\d,]+) of", text)[0])
    (count,) = re.findall(rf"`{test}`(?: finds)? ([\d,]+)", quoted)
    assert int(count.replace(",", "")) == significant
