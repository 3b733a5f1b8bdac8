"""The order of claims: the first measure for other topics has α for itself, all else has it together."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from irgauge import Scores
from irgauge.scoring.measures import parse_measures
from irgauge.studies.compare.claims import claims_of
from irgauge.studies.compare.study import Compared, compare

SYSTEMS, MEASURES = ("a", "b", "c", "d"), ("AP", "nDCG@10", "P@10")


@cache
def table() -> Scores:
    """values[measure, topic, system, replicate]: some systems differ."""
    rng = np.random.default_rng(11)
    topics, means = rng.normal(0.4, 0.1, (1, 30, 1, 1)), np.array([0.0, 0.02, 0.05, -0.05])[:, None]
    values = np.asarray(topics + means + rng.normal(0, 0.07, (3, 30, 4, 3)))
    return Scores(values, parse_measures(MEASURES), tuple(map(str, range(30))), SYSTEMS, ("1", "2", "3"))


@cache
def compared(**options: Any) -> Compared:  # noqa: ANN401  # of compare
    return compare(table(), MEASURES, **options)


def slow_holm(p: list[float]) -> list[float]:
    """Holm's adjustment, step by step."""
    adjusted, largest = [0.0] * len(p), 0.0
    for step, i in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        largest = max(largest, min(1.0, (len(p) - step) * p[i]))
        adjusted[i] = largest
    return adjusted


def test_the_first_comparison_is_as_it_is_alone() -> None:
    alone = compare(table(), "AP", family="each").comparison
    first = compared().comparison
    assert (first.place, first.population, first.families) == ("primary", "topics", 1)
    for name in ("p", "low", "high"):
        assert getattr(first, name).tolist() == getattr(alone, name).tolist()


@pytest.mark.parametrize("baseline", [None, "a"])
def test_all_others_are_one_family(baseline: str | None) -> None:
    first, *others = [one for each in compared(baseline=baseline).each for one in each.comparisons]
    assert len(others) == 8  # three measures by three populations, but for the first
    assert {one.place for one in others} == {"secondary"}
    assert {one.alpha for one in (first, *others)} == {0.05}
    by_holm = [one for one in others if one.correction == "holm"]  # these have their part of the eight of α together
    p = [value for one in by_holm for value in one.p_adjusted.tolist()]
    pooled = slow_holm([value for one in by_holm for value in one.p.tolist()])
    assert p == pytest.approx(np.minimum(1, 8 / len(by_holm) * np.array(pooled)), rel=1e-9)
    assert {round(0.05 / one.level) for one in by_holm} == {8 * len(first.p_adjusted)}
    for one in others:
        if one.correction != "holm":  # the test is of all pairs together
            assert one.p_adjusted.tolist() == pytest.approx(np.minimum(1, 8 * one.p), rel=1e-9)


def test_who_asks_for_another_population_has_it_first() -> None:
    found = compared(population="shards")
    places = {one.population: one.place for one in found.first.comparisons}
    assert places == {"shards": "primary", "topics": "secondary", "topics+shards": "secondary"}


def test_the_method_says_what_alpha_is_for() -> None:
    text = compared().provenance.text
    rest = "5 % for the rest together (nDCG@10, P@10, other shards, topics and shards)"
    assert f"error rate: 5 % for AP for other topics; {rest}" in text
    assert "5 % for each measure and each population by itself" in compared(family="each").provenance.text
    assert "5 % for all measures and populations together" in compared(family="together").provenance.text
    assert "error rate:" not in compare(Scores(table().values[:1, ..., :1], *_one()), "AP").provenance.text


def _one() -> tuple[Any, ...]:
    return parse_measures(["AP"]), table().topics, SYSTEMS, ("1",)


def test_what_is_claimed_stands_beside_the_sentences_as_data() -> None:
    found = compared()
    said = json.loads(json.dumps(found.to_dict()["findings"]))
    best = next(finding for finding in said if finding["kind"] == "best" and finding["measure"] == "AP")
    differs = [
        names for names, is_it in zip(found.comparison.names, found.comparison.significant, strict=True) if is_it
    ]
    first = found.comparison.systems[0]
    assert best["place"] == "primary"
    assert best["claims"] == [
        {
            "kind": "difference",
            "verdict": "better",
            "pairs": [list(pair) for pair in differs if pair[0] == first],
            "measure": "AP",
            "population": "topics",
            "place": "primary",
        }
    ]
    assert {finding["place"] for finding in said if finding["measure"] == "P@10" and finding["claims"]} == {"secondary"}


@pytest.mark.parametrize(
    "options", [{}, {"baseline": "a"}, {"baseline": "a", "margin": 0.03}, {"margin": 0.03}], ids=str
)
def test_no_sentence_claims_what_the_tests_do_not(options: dict[str, Any]) -> None:
    found = compared(**options)
    claims = {(one.verdict, pair, one.measure, one.population) for one in claims_of(found) for pair in one.pairs}
    told = [claim for finding in found.findings() for claim in finding.claims]
    assert told
    assert {(one.verdict, pair, one.measure, one.population) for one in told for pair in one.pairs} <= claims


def test_measures_after_the_first_say_at_their_numbers_what_their_rate_is_for() -> None:
    told = compared().findings().of("shared-rate")
    assert [finding.fields["measure"] for finding in told] == list(MEASURES[1:])
    assert all("5 % is for the claims for all populations together" in finding.text for finding in told)
    assert not compared(family="each").findings().of("shared-rate")
