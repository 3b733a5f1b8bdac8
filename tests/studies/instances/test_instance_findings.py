"""What is said of a comparison of algorithms: kinds and fields as data, and some sentences whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from conftest import Golden
from irgauge.errors import DesignError
from irgauge.inference.verdicts import Verdict
from irgauge.replicates.instances import InstanceScores
from irgauge.show.finding import Finding
from irgauge.studies.instances.cautions import not_converged, untested_pairs
from irgauge.studies.instances.findings import best_over_instances, contradictions, noise, share
from irgauge.studies.instances.further_questions import SingleTests, Smallest
from irgauge.studies.instances.study import AlgorithmsCompared, instances
from oracles.simulated_scores import Effects, simulate_scores

RATES = Effects(("full", "rate-1", "rate-4"), (0.5, 0.45, 0.5), topic_algorithm_sd=0.03, deterministic=("full",))


def compared(scores: InstanceScores, **options: Any) -> AlgorithmsCompared:  # noqa: ANN401  # passed on
    return instances(scores, seed=7, **options)


def by_tests(scores: InstanceScores, **options: Any) -> AlgorithmsCompared:  # noqa: ANN401  # passed on
    return compared(scores, posterior=False, **options)


def of_kind(result: AlgorithmsCompared, kind: str) -> list[Finding]:
    return list(result.findings().of(kind))


@pytest.fixture(scope="module")
def rates() -> AlgorithmsCompared:
    return compared(simulate_scores(RATES, topics=30, instances=5, seed=2), baseline="full")


@pytest.fixture(scope="module")
def two() -> AlgorithmsCompared:
    return by_tests(simulate_scores(Effects(), topics=10, instances=3), baseline="b")


def told(two: AlgorithmsCompared, difference: float, half: float, hpd: float | None = None) -> Finding:
    """The first finding, as if this had been the difference of two algorithms, with intervals of these half widths."""
    se, d = half / 1.96, np.array([difference])
    p = [stats.norm.sf(x / se) for x in (np.abs(d), d + 0.01, 0.01 - d)]
    tests = replace(two.tests, difference=d, p_difference=2 * p[0], p_not_worse=p[1], p_not_better=p[2])
    ends = None if hpd is None else np.array([d - hpd, d + hpd])
    return replace(two, tests=tests, intervals=np.array([d - half, d + half]), hpd=ends).findings()[0]


WHERE = "For other topics and other instances of the algorithms, "


@pytest.mark.parametrize(
    ("difference", "half", "verdict", "sentence"),
    [
        (
            0.03,
            0.015,
            "better",
            "a is better than b (difference 0.030, 95 % interval 0.015 to 0.045, p < 0.001), by 0.01 or more.",
        ),
        (
            0.03,
            0.025,
            "better",
            "a is better than b (difference 0.030, 95 % interval 0.005 to 0.055, p = 0.019), though perhaps by less "
            "than 0.01.",
        ),
        (
            -0.03,
            0.015,
            "worse",
            "a is worse than b (difference −0.030, 95 % interval −0.045 to −0.015, p < 0.001), by 0.01 or more.",
        ),
        (
            -0.001,
            0.004,
            "equivalent",
            "a is equivalent to b: they differ by less than 0.01 (difference −0.001, 95 % interval −0.005 to 0.003, "
            "p for the margin < 0.001).",
        ),
        (
            0.005,
            0.01,
            "not worse",
            "a is not worse than b by 0.01 or more (difference 0.005, 95 % interval −0.005 to 0.015, p for the "
            "margin = 0.002), but "
            "it is not shown to be equivalent.",
        ),
        (
            -0.005,
            0.01,
            "not better",
            "a is not better than b by 0.01 or more (difference −0.005, 95 % interval −0.015 to 0.005, p for the "
            "margin = 0.002), but "
            "it is not shown to be equivalent.",
        ),
        (
            0.005,
            0.1,
            "inconclusive",
            "the comparison of a and b is inconclusive at a margin of 0.01 (difference 0.005, 95 % interval −0.095 to "
            "0.105, p = 0.922): neither a difference nor equivalence is shown.",
        ),
    ],
)
def test_each_verdict_has_a_sentence(
    difference: float, half: float, verdict: Verdict, sentence: str, two: AlgorithmsCompared
) -> None:
    found = told(two, difference, half)
    assert (found.kind, found.fields["verdict"], found.fields["pair"]) == ("verdict", verdict, ("a", "b"))
    assert found.population == two.population
    assert found.text == WHERE + sentence


def test_another_verdict_of_the_hpd_interval_is_told(two: AlgorithmsCompared) -> None:
    found = told(two, 0.001, 0.0099, hpd=0.0095)
    assert (found.fields["verdict"], found.fields["hpd_verdict"]) == ("equivalent", "not worse")
    assert found.text.endswith(
        "(difference 0.001, 95 % interval −0.009 to 0.011, p for the margin = 0.037). Its HPD interval, with variances "
        "common to all algorithms, says: not worse."
    )
    assert "says" not in told(two, 0.001, 0.004, hpd=0.004).text


def test_shares_are_short() -> None:
    assert [share(value) for value in (0.8831, 0.0432, 0.0016, 0.0)] == ["88 %", "4.3 %", "0.16 %", "0 %"]


def said(result: AlgorithmsCompared, verdicts: tuple[Verdict, Verdict], hpd: tuple[Verdict, Verdict]) -> Finding:
    """The finding on the series, as if these had been the verdicts of rates 1 and 4."""
    differences: dict[Verdict, float] = {"worse": -0.5, "not worse": 0.008, "equivalent": 0.0, "better": 0.5}
    d, by = (np.array([differences[one] for one in given]) for given in (verdicts, hpd))
    p = [stats.norm.sf(x / 0.005) for x in (np.abs(d), d + 0.01, 0.01 - d)]
    tests = replace(result.tests, difference=d, p_difference=2 * p[0], p_not_worse=p[1], p_not_better=p[2])
    half = np.where(by == 0.008, 0.015, 0.005)
    (found,) = of_kind(replace(result, tests=tests, hpd=np.array([by - half, by + half])), "series")
    return found


def test_the_smallest_settings_are_told(rates: AlgorithmsCompared, golden: Golden) -> None:
    same = said(rates, ("worse", "equivalent"), ("worse", "equivalent"))
    assert same.fields["settings"] == [1, 4]
    assert same.fields["by_tests"] == same.fields["by_hpd"] == Smallest(4, 4)
    golden(same.text)
    other = said(rates, ("equivalent", "equivalent"), ("worse", "not worse"))
    assert (other.fields["by_tests"], other.fields["by_hpd"]) == (Smallest(1, 1), Smallest(4, None))
    assert other.text.endswith(
        "by HPD intervals, from 4 on, every setting is not worse, and no setting, with all larger ones, is shown to be "
        "equivalent."
    )


def test_shares_of_the_noise_are_told(rates: AlgorithmsCompared, golden: Golden) -> None:
    (found,) = of_kind(rates, "noise")
    shares = {one.name: one.share for one in rates.fit.components}
    assert found.fields["shares"] == shares
    assert list(found.fields["shares"].values()) == sorted(shares.values(), reverse=True)
    golden(noise(measure="AP", shares={"topic": 0.883, "instance": 0.0432, "residual": 0.0736}).text)


def test_single_instances_are_told_by_the_pair_that_contradicts_most(two: AlgorithmsCompared, golden: Golden) -> None:
    singles = (
        SingleTests("a", "b", 0.05, 9, 10, better=0.1, worse=0.0),
        SingleTests("a", "b", 0.1, 9, 10, better=0.2, worse=0.0),
        SingleTests("c", "b", 0.05, 9, 10, better=0.25, worse=0.25),
        SingleTests("c", "b", 0.1, 9, 10, better=1.0, worse=0.0),
    )
    other = replace(two)
    vars(other)["singles"] = singles
    (found,) = of_kind(other, "single-instances")
    assert found.population == "other topics, the two instances at hand"
    golden(found.text)
    assert "any other pair" not in contradictions(worst=singles[0], levels=singles[:2], is_most=False).text
    for even in (0.0, 0.25):  # no pair contradicts itself most
        alike = [SingleTests(system, "b", 0.05, 9, 10, better=even, worse=even) for system in "ac"]
        vars(other)["singles"] = tuple(alike)
        assert "any other pair" not in of_kind(other, "single-instances")[0].text


def test_it_is_said_that_lower_is_better() -> None:
    scores = simulate_scores(Effects(("a", "b", "c"), (0.2, 0.6, 0.6)), topics=30, instances=3, seed=1)
    result = compared(scores, measures="latency:lower", draws=2000)
    assert result.findings()[0].text.startswith("By latency (lower is better), a is the best")
    assert "lower is better, 95 % interval" in of_kind(result, "verdict")[0].text
    assert result.table("differences").title == "Differences in latency (lower is better)"
    better = result.frame().filter(system="a", against="b")["probability_better"].item()
    assert better == pytest.approx(1)
    heads = {column.name: column.title for column in result.table("margin").columns}
    assert heads["probability_better"] == "P(< −0.01)"


def test_many_pairs_are_counted() -> None:
    names = tuple(f"x{i}y" for i in range(6))
    scores = simulate_scores(Effects(names, (0.5,) * 6), topics=10, instances=2)
    for result in (by_tests(scores), compared(scores, draws=4000)):
        best, first = result.findings()[:2]
        assert best == best_over_instances(result)
        counts = first.fields["counts"]
        assert first.kind == "verdicts"
        assert counts == {one: result.verdicts.count(one) for one in set(result.verdicts)}
        name, count = next(iter(counts.items()))
        assert first.text.startswith(f"{WHERE}of 15 pairs of algorithms the first is {name} in {count}")
        assert not result.findings().of("verdict")
        assert (first.fields["hpd_counts"] is None) == (result.hpd is None)
        assert ("by 95 % HPD intervals" in first.text) == (result.hpd is not None)


def test_the_best_algorithm_is_told_with_what_is_shown_of_it() -> None:
    effects = Effects(("a", "b", "c"), (0.2, 0.6, 0.6), topic_algorithm_sd=0.005, instance_sd=0.001, residual_sd=0.005)
    result = by_tests(simulate_scores(effects, topics=50, instances=4, seed=1), measures="AP")
    found = best_over_instances(result)
    best, other = result.pairs[0]
    assert {best, other} == {"b", "c"}
    assert found.fields["against"] == {"equivalent": [other], "better": ["a"]}
    assert (found.population, found.measure) == (result.population, "AP")
    assert found.text == (
        f"By AP, {best} is the best of 3 algorithms over instances and topics (fitted mean "
        f"{result.means[best][0]:.3f}); at a margin of 0.01 it is equivalent to {other} and better than a."
    )


# warnings and notes


def cautions(result: AlgorithmsCompared) -> dict[str, Finding]:
    return {one.kind: one for one in result.findings() if one.tone != "finding"}


def test_a_singular_fit_is_told() -> None:
    result = by_tests(simulate_scores(Effects(instance_sd=0.0), topics=20, instances=3, seed=4))
    assert result.fit.is_singular
    found = cautions(result)["singular"]
    assert (found.tone, found.fields["components"]) == ("warning", ["instance"])
    assert found.text.startswith("Singular fit: the variance of 'instance' is estimated as 0.")


def test_a_fit_that_did_not_converge_is_told(two: AlgorithmsCompared, golden: Golden) -> None:
    fit = replace(two.fit, convergence=replace(two.fit.convergence, converged=False))
    assert cautions(replace(two, fit=fit))["not-converged"] == not_converged()
    golden(not_converged().text)
    assert "not-converged" not in cautions(two)


def test_instances_that_never_differ_are_told() -> None:
    scores = simulate_scores(Effects(), topics=20, instances=3, seed=4)
    same = np.where(scores.algorithm == 0, scores.cells()[0][scores.topic], scores.scores)
    found = cautions(by_tests(replace(scores, scores=same)))["unchanging"]
    assert found.text == "The instances of a never differ on a topic; did the seed take effect?"


def test_missing_cells_are_told(golden: Golden) -> None:
    result = by_tests(simulate_scores(RATES, topics=20, instances=4, missing=0.1, seed=1))
    found = cautions(result)["missing-cells"]
    assert found.fields == {"missing": 18, "cells": 180}
    golden(found.text)


def test_variances_that_differ_are_told() -> None:
    base = simulate_scores(Effects(("a", "b", "c"), (0.5,) * 3, topic_algorithm_sd=0.0), topics=40, instances=4, seed=1)
    shift = np.where(base.algorithm == 1, np.random.default_rng(2).normal(0, 0.2, 40)[base.topic], 0)
    noisy = replace(base, scores=base.scores + shift)
    result = by_tests(noisy, baseline="a")
    assert result.unequal is not None
    assert (result.unequal.kind, result.unequal.larger) == ("topic:algorithm", "b")
    found = cautions(result)["unequal-variances"]
    assert found.text.startswith("The variance of topics by algorithm differs: that of b is ")
    assert found.text.endswith("tests and intervals allow for it, the shares of the variance take it as equal.")
    common = cautions(by_tests(noisy, variances="common"))["unequal-variances"]
    assert "with common variances tests of noisy algorithms reject too often" in common.text
    assert "unequal-variances" not in cautions(by_tests(base))


def test_two_instances_are_told_to_be_few() -> None:
    scores = simulate_scores(Effects(), topics=10, instances=2)
    found = cautions(by_tests(scores))["two-instances"]
    assert (found.tone, found.fields) == ("warning", {"algorithms": ["a", "b"]})
    assert found.text.startswith("a and b have 2 instances, which say little of how much others differ")
    assert "two-instances" not in cautions(by_tests(scores, variances="common"))


def test_few_topics_and_uneven_numbers_of_instances_are_told() -> None:
    scores = simulate_scores(Effects(), topics=30, instances=6, seed=1)
    even = cautions(compared(scores))
    assert {"few-topics", "uneven-instances"} & set(even) == set()
    kept = (scores.algorithm == 0) | (scores.instance % 6 < 2)
    cells = {name: getattr(scores, name)[kept] for name in ("instance", "topic", "scores")}
    labels, cells["instance"] = np.unique(cells["instance"], return_inverse=True)
    fewer = replace(
        scores,
        instances=tuple(scores.instances[label] for label in labels),
        algorithm_of=scores.algorithm_of[labels],
        **cells,
    )
    found = cautions(compared(fewer))["uneven-instances"]
    assert found.text.startswith("a has 6 instances, b 2: HPD intervals take their variances as equal")
    assert "uneven-instances" not in cautions(by_tests(fewer))
    assert "few-topics" in cautions(by_tests(simulate_scores(Effects(), topics=10, instances=3)))


def test_a_prior_that_matters_is_told(rates: AlgorithmsCompared, golden: Golden) -> None:
    assert rates.influence is not None
    assert "prior" not in cautions(rates)
    other = replace(rates)
    vars(other)["influence"] = (1.05, 1.42)
    golden(cautions(other)["prior"].text)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"model": "topic"}, "these-instances"),
        ({"model": "topic", "variances": "common"}, "independent"),
        ({"model": "repeated", "variances": "common"}, "instances-left-out"),
        ({"df": "n-f", "variances": "common"}, "degrees-of-freedom"),
    ],
)
def test_what_a_model_leaves_out_is_told(options: dict[str, Any], kind: str) -> None:
    scores = simulate_scores(Effects(), topics=10, instances=3)
    assert cautions(by_tests(scores, **options))[kind].tone == "warning"
    assert kind not in cautions(by_tests(scores))


def test_one_instance_is_told(rates: AlgorithmsCompared, golden: Golden) -> None:
    found = cautions(rates)
    assert list(found) == ["deterministic"]
    assert found["deterministic"].tone == "note"
    assert found["deterministic"].text == "Since it has one instance, full is taken as deterministic."
    golden(cautions(by_tests(rates.scores, variances="common"))["deterministic"].text)
    crossed = by_tests(rates.scores.only(["full", "rate-1"]), model="crossed", variances="common")
    assert cautions(crossed)["deterministic"].text == "Since it has one instance, full is taken as deterministic."
    alone = by_tests(simulate_scores(Effects(), topics=10, instances=1))
    assert "one-instance" in cautions(alone)
    assert "deterministic" not in cautions(alone)
    assert of_kind(alone, "single-instances") == []


def test_pairs_without_common_topics_are_told(golden: Golden) -> None:
    scores = InstanceScores(
        algorithms=("a", "b", "c"),
        instances=("1", "1", "1"),
        topics=("1", "2", "3"),
        algorithm_of=np.array([0, 1, 2]),
        instance=np.array([0, 0, 1, 1, 2, 2, 2]),
        topic=np.array([0, 1, 1, 2, 0, 1, 2]),
        scores=np.array([0.1, 0.2, 0.4, 0.31, 0.2, 0.4, 0.35]),
    )
    assert cautions(by_tests(scores, variances="common"))["untested"].fields == {"pairs": 1}
    with pytest.raises(DesignError, match="cannot be compared with variances of their own: the two have scores on 1"):
        by_tests(scores)
    golden(untested_pairs(pairs=1).text)


def test_no_sentence_names_an_option_of_the_command_line(rates: AlgorithmsCompared) -> None:
    names = tuple("abcd")
    results = [rates, by_tests(simulate_scores(Effects(names, (0.5,) * 4), topics=9, instances=2, missing=0.1))]
    assert not any("--" in text for result in results for text in result.findings().texts())


def test_only_the_first_verdict_says_what_is_covered(rates: AlgorithmsCompared) -> None:
    first, *others = of_kind(rates, "verdict")
    assert others
    assert first.text.startswith(WHERE)
    assert all(one.text.startswith((one.fields["pair"].system, "The comparison of ")) for one in others)
    assert {one.population for one in (first, *others)} == {rates.population}
