"""What a comparison says in sentences, against its numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from conftest import Golden
from irgauge import Scores
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import TESTS
from irgauge.scoring.measures import parse_measures
from irgauge.show.verdicts import FOR
from irgauge.studies.compare.cautions import unequal_spread
from irgauge.studies.compare.findings import best, not_separated
from irgauge.studies.compare.study import Compared, compare
from oracles.compared_systems import (
    POPULATIONS,
    as_in_the_papers,
    by_t,
    of_a_kind,
    on_shards,
    simulated,
    with_baseline,
)


def test_the_best_is_told_for_each_population() -> None:
    told = on_shards().findings().of("best")
    assert [one.population for one in told] == [one.population for one in on_shards().first.comparisons]
    for one, finding in zip(on_shards().first.comparisons, told, strict=True):
        assert finding.measure == "AP"
        assert finding.fields == {
            "measure": "AP",
            "system": one.systems[0],
            "tied": (),
            "mean": one.means[0],
            "systems": 8,
            "shards": 1 if one.population == "topics" else 3,
            "whole_mean": on_shards().comparison.means[list(on_shards().comparison.systems).index(one.systems[0])],
            "others": one.top_group[1:],
            "population": one.population,
        }


def test_sentences_of_the_best(golden: Golden) -> None:
    fields: dict[str, Any] = {
        "measure": "AP",
        "system": "x",
        "tied": (),
        "mean": 0.25,
        "shards": 1,
        "whole_mean": 0.25,
        "population": "topics",
    }
    first = "By AP, x is the best of 3 systems (mean 0.250)"
    alone = best(**fields, systems=3, others=())
    assert alone.text == f"{first}; for other topics it differs significantly from every other system."
    one = best(**fields, systems=3, others=("y",))
    assert one.text == f"{first}; for other topics y does not differ significantly from it."
    on_shards_ = fields | {"shards": 5, "mean": 0.2, "population": "both"}
    two = best(**on_shards_, systems=3, others=("y", "z"))
    golden(two.text)
    of_a_table = best(**(on_shards_ | {"whole_mean": None}), systems=3, others=())
    assert of_a_table.text.startswith("By AP over 5 shards, x is the best of 3 systems (mean 0.200); for other")
    pair = best(**fields, systems=2, others=())
    assert pair.text.endswith("it differs significantly from the other.")


def test_kinds_of_findings() -> None:
    needed = on_shards().findings()[7].kind
    assert needed in ("topics-few", "topics-enough")
    told_ = [
        *["best"] * 3,
        "coverage",
        "more-for-wider",
        *["neighbours"] * 2,
        needed,
        "topics",
        "graded",
        "few-topics",
        "few-effective-topics",
    ]
    assert [one.kind for one in on_shards().findings()] == told_
    assert [one.kind for one in by_t().findings()] == [
        "best",
        "pairs",
        "neighbours",
        needed,
        "topics",
        "graded",
        "few-topics",
    ]
    assert [one.kind for one in with_baseline().findings()] == [*["verdicts"] * 3, "topics", "graded", "few-topics"]
    assert [one.kind for one in on_shards(2).findings()] == [
        *["verdict"] * 3,
        "topics",
        "graded",
        "few-topics",
        "few-effective-topics",
    ]
    assert [one.kind for one in with_baseline(2).findings()] == [
        "verdict",
        *["verdicts"] * 2,
        "topics",
        "graded",
        "few-topics",
    ]


@pytest.mark.parametrize(("topics", "is_told"), [(24, True), (25, False)])
def test_few_topics_are_told(topics: int, is_told: bool) -> None:  # noqa: FBT001  # a case
    notes = compare(spread_out(1.0, topics)).findings().of("few-topics")
    assert [(one.tone, one.text) for one in notes] == [
        (
            "note",
            "Tests over fewer than 25 topics, 24 here, are rough: they err more often than α says where differences "
            "are skewed.",
        )
    ] * is_told


def test_few_topics_do_not_matter_where_the_claim_is_of_these_topics() -> None:
    found = compare(simulated(), "AP", shards="match:^....", test="crossed-t", population="sources")
    assert found.findings().of("few-topics")  # topics+shards stands beside
    only = replace(found, each=(replace(found.first, comparisons=found.first.comparisons[:1]),))
    assert not only.findings().of("few-topics")


def differing(one: Comparison) -> set[tuple[str, str]]:
    """The pairs that differ, the better system first."""
    return {pair for pair, found in zip(one.names, one.significant, strict=True) if found}


def test_pairs_are_counted_by_what_they_cover() -> None:
    [coverage] = as_in_the_papers().findings().of("coverage")
    topics, documents, both = (differing(as_in_the_papers().first.under(name)) for name in POPULATIONS)
    more = {frozenset(pair) for pair in documents} - {frozenset(pair) for pair in topics}
    assert coverage.fields["found"] == {"topics": len(topics), "documents": len(documents), "both": len(both)}
    assert (coverage.fields["shared"], coverage.fields["other_only"]) == (len(topics & documents), len(more))
    assert coverage.population == "topics, documents, both"
    assert coverage.text == (
        f"Of 28 pairs of systems, {told(len(topics))} significantly in AP for other topics; "
        f"{told(len(topics & documents), ' of these')} for other documents on these topics too, and "
        f"{told(len(more), ' more')} for other documents on these topics only; {told(len(both))} for other topics and "
        "other documents together."
    )
    assert more


def told(count: int, of: str = "") -> str:
    return f"{count}{of} differ{'s' * (count == 1)}"


def test_without_shards_pairs_are_counted_for_topics() -> None:
    [pairs] = by_t().findings().of("pairs")
    assert pairs.text == (
        f"Of 28 pairs of systems, {told(by_t().comparison.significant_count)} significantly in AP for other topics; "
        "this says nothing about other documents (add --shards)."
    )
    [pairs] = compare(simulated(), "AP", shards="even:3", test="t").findings().of("pairs")
    assert pairs.text.endswith("significantly in AP for other topics.")


def test_shards_of_a_kind_are_called_by_what_they_cover() -> None:
    assert [one.population for one in of_a_kind().findings().of("best")] == ["topics", "shards", "topics+shards"]
    [coverage] = of_a_kind().findings().of("coverage")
    for part in ("for other shards like these on these topics", "for other topics and other shards like these"):
        assert part in coverage.text
    assert "documents" not in coverage.text
    sources = compare(simulated(), "AP", shards="match:^....", population="sources").findings()
    assert "for other documents of these same sources on these topics" in sources.of("best")[0].text


@pytest.mark.parametrize("test", TESTS)
def test_a_test_with_a_caution_says_so(test: str) -> None:
    against: dict[str, Any] = {"baseline": simulated().systems[0]} if test == "dunnett" else {}
    found = compare(simulated(), "AP", shards="even:3", test=test, draws=999, **against)  # type: ignore[arg-type]  # any text
    cautions = [one for one in found.findings() if one.kind == "test-caution"]
    expected = TESTS[test].caution
    assert [one.tone for one in cautions] == ["warning"] * (expected is not None)
    if test == "wilcoxon":
        assert cautions[0].text.startswith("Wilcoxon's test is about the centre of the differences, not their mean")
        assert cautions[0].text.endswith(".")
    if test == "max-t":
        assert "with few topics and skewed differences it errs too often" in cautions[0].text
    if test == "unpaired-t":
        assert "does not use that the topics are the same" in cautions[0].text


def spread_out(most: float, topics: int = 40) -> Scores:
    """Scores of four systems, the last of which varies more than the others."""
    rng = np.random.default_rng(3)
    values = 0.5 + rng.normal(0, 0.05, (topics, 4)) * np.array([1, 1, 1, most])
    names = tuple(str(topic) for topic in range(topics))
    return Scores(values[None, :, :, None], parse_measures(["AP"]), names, ("a", "b", "c", "d"), ("whole",))


@pytest.mark.parametrize("test", ["tukey", "randomised-tukey"])
def test_where_systems_do_not_vary_alike_tukey_says_so(test: str) -> None:
    alike = compare(spread_out(1.0), test=test, draws=99)  # type: ignore[arg-type]  # any text
    assert [one.kind for one in alike.findings() if one.tone == "warning"] == []
    (check,) = alike.first.scored.spreads(alike.first.comparisons)
    y = alike.first.whole.values()[:, :, 0]
    residuals = y - y.mean(axis=0) - y.mean(axis=1, keepdims=True) + y.mean()
    theirs = stats.levene(*residuals.T, center="median")
    assert (check.statistic, check.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert (check.least, check.most) == pytest.approx((residuals.std(axis=0).min(), residuals.std(axis=0).max()))
    apart = compare(spread_out(6.0), test=test, draws=99)  # type: ignore[arg-type]  # any text
    [warning] = apart.findings().of("unequal-spread")
    (check,) = apart.first.scored.spreads(apart.first.comparisons)
    assert (warning.tone, warning.population) == ("warning", "topics")
    assert warning.text == (
        f"By AP, for other topics, {TESTS[test].title} takes for granted that systems vary alike, and here "
        f"they do not (standard deviations {check.least:.3f} to {check.most:.3f}; Brown and Forsythe's test: p < "
        "0.001): it errs too often in pairs that vary much; use the test skewed-t or max-t."
    )


@pytest.mark.parametrize(
    ("population", "instead"),
    [
        ("topics", "use the test skewed-t or max-t"),
        ("documents", "use the test crossed-t"),
        ("topics+shards", "use the test crossed-t"),
        ("shards", "use the test crossed-t"),
    ],
)
def test_what_to_do_where_systems_do_not_vary_alike(population: str, instead: str) -> None:
    told_ = unequal_spread(
        measure="AP", test="Tukey's HSD test", least=0.1, most=0.2, p=0.01, population=population
    ).text
    assert told_.startswith(f"By AP, {FOR[population]}, Tukey's HSD test takes for granted")
    assert told_.endswith(f"; {instead}.")


def test_tests_with_a_spread_for_each_pair_need_no_check() -> None:
    for test in ("t", "max-t", "wilcoxon"):
        found = compare(spread_out(6.0), test=test, draws=999)
        assert found.first.scored.spreads(found.first.comparisons) == ()
        assert not [one for one in found.findings() if one.kind == "unequal-spread"]


def of_kinds(shards: int) -> Compared:
    """Systems that vary alike over shards, and unequally over topics."""
    rng = np.random.default_rng(4)
    kinds = rng.normal(0, 0.1, (1, 5, shards))
    noise = rng.normal(0, 0.02, (30, 5, shards)) * np.array([1, 1, 1, 1, 9])[:, None]
    y = 0.5 + kinds + noise - noise.mean(axis=0)  # systems on shards as drawn
    names = tuple(map(str, range(30))), tuple("abcde"), tuple(map(str, range(shards)))
    return compare(Scores(y[None], parse_measures(["AP"]), *names), test="tukey")


def test_the_check_is_of_what_the_test_takes_for_error() -> None:
    found = of_kinds(12)
    checks = {one.population: one for one in found.first.scored.spreads(found.first.comparisons)}
    assert set(checks) == {"topics", "shards", "topics+shards"}
    on_shard = found.first.measured.values().mean(axis=0)  # system, shard
    effects = on_shard - on_shard.mean(axis=0) - on_shard.mean(axis=1, keepdims=True) + on_shard.mean()
    assert checks["shards"].p == pytest.approx(stats.levene(*effects, center="median").pvalue)
    assert checks["topics"].p < 0.001 < checks["shards"].p
    assert found.findings().of("unequal-spread")[0].population == "topics"


def test_few_shards_do_not_show_whether_systems_vary_alike() -> None:
    found = of_kinds(9)
    assert {one.population for one in found.first.scored.spreads(found.first.comparisons)} == {
        "topics",
        "topics+shards",
    }


def test_what_topics_do_not_separate_is_told(golden: Golden) -> None:
    fields: dict[str, Any] = {"measure": "AP", "best": "a", "topics": 50, "other": "b", "difference": 0.0123}
    fields["population"] = "topics"
    golden(not_separated(**fields, others=2, detectable=0.0312).text)
    golden(not_separated(**fields, others=0, detectable=math.inf).text)


@pytest.mark.parametrize(
    ("systems", "test", "is_told"),
    [(20, None, False), (21, None, True), (6, "t", True), (21, "bootstrap-t", False), (130, "bootstrap-t", True)],
)
def test_of_very_many_systems_it_is_said_for_how_many_intervals_hold(
    systems: int, test: str | None, *, is_told: bool
) -> None:
    values = np.random.default_rng(1).random((30, systems, 1))
    names = tuple(map(str, range(30))), tuple(f"s{i}" for i in range(systems)), ("all",)
    found = compare(Scores(values[None], parse_measures(["AP"]), *names), test=test, draws=199)  # type: ignore[arg-type]  # any text
    told = found.findings().of("many-systems")
    assert bool(told) == is_told
    assert all(("The test bootstrap-t has wider ones" in one.text) == (test != "bootstrap-t") for one in told)
    assert (
        not compare(Scores(values[None], parse_measures(["AP"]), *names), baseline="s0").findings().of("many-systems")
    )
