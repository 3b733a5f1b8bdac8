from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from answers import answer_of
from irgauge.inference.equivalence import Verdict
from irgauge.present.instance_findings import Answer, findings, p_text, setting, share, signed, warnings
from irgauge.present.instances import instance_json, instance_tables, pair_table
from irgauge.present.tables import Table, to_json
from irgauge.simulation.instances import Effects, simulate_scores
from irgauge.studies.instances import Instances, compare_instances
from irgauge.studies.sample_size import Needed, Plan
from irgauge.studies.single_instances import SingleTests

RATES = Effects(("full", "rate-1", "rate-4"), (0.5, 0.45, 0.5), topic_algorithm_sd=0.03, deterministic=("full",))
SETTING = (
    "Mixed model by REML: score = algorithm + (instance in algorithm) + (topic) + (topic:algorithm)",
    "Satterthwaite's df, Holm's correction",
    "margin 0.01",
    "α = 0.05",
    "4 chains × 2,000 draws, seed 7, prior of standard deviations: half-t, 3 degrees of freedom, scale",
    "score on 30 topics, 11 instances of 3 algorithms (1 to 5 each), 0 missing cells",
    "population: other topics and other instances of the algorithms",
)


@pytest.fixture(scope="module")
def rates() -> Answer:
    return answer_of(simulate_scores(RATES, topics=30, instances=5, seed=2), baseline="full")


@pytest.fixture(scope="module")
def tests_alone() -> Answer:
    return answer_of(simulate_scores(RATES, topics=30, instances=5, seed=2), baseline="full", posterior=False)


@pytest.fixture(scope="module")
def two() -> Instances:
    return compare_instances(simulate_scores(Effects(), topics=10, instances=3), baseline="b", posterior=False)


def told(two: Instances, difference: float, half: float, hpd: float | None = None) -> str:
    """The first finding, as if this had been the difference of two algorithms, with intervals of these half widths."""
    se, d = half / 1.96, np.array([difference])
    p = [stats.norm.sf(x / se) for x in (np.abs(d), d + 0.01, 0.01 - d)]
    tests = replace(two.tests, difference=d, p_difference=2 * p[0], p_not_worse=p[1], p_not_better=p[2])
    ends = None if hpd is None else np.array([d - hpd, d + hpd])
    found = replace(two, tests=tests, intervals=np.array([d - half, d + half]), hpd=ends)
    return findings(Answer(found, (), (), 0.01))[0]


WHERE = "For other topics and other instances of the algorithms (mixed model, Satterthwaite's df, Holm's correction), "


@pytest.mark.parametrize(
    ("difference", "half", "sentence"),
    [
        (
            0.03,
            0.015,
            "a is better than b (difference 0.030, 95 % interval 0.015 to 0.045, p < 0.001), by 0.01 or more.",
        ),
        (
            0.03,
            0.025,
            "a is better than b (difference 0.030, 95 % interval 0.005 to 0.055, p = 0.019), though perhaps by less "
            "than 0.01.",
        ),
        (
            -0.03,
            0.015,
            "a is worse than b (difference −0.030, 95 % interval −0.045 to −0.015, p < 0.001), by 0.01 or more.",
        ),
        (
            -0.001,
            0.004,
            "a is equivalent to b: they differ by less than 0.01 (difference −0.001, 95 % interval −0.005 to 0.003, "
            "p < 0.001).",
        ),
        (
            0.005,
            0.01,
            "a is not worse than b by 0.01 or more (difference 0.005, 95 % interval −0.005 to 0.015, p = 0.002), but "
            "it is not shown to be equivalent.",
        ),
        (
            -0.005,
            0.01,
            "a is not better than b by 0.01 or more (difference −0.005, 95 % interval −0.015 to 0.005, p = 0.002), but "
            "it is not shown to be equivalent.",
        ),
        (
            0.005,
            0.1,
            "nothing is shown of a and b at a margin of 0.01 (difference 0.005, 95 % interval −0.095 to 0.105, "
            "p = 0.922): neither a difference nor its absence.",
        ),
    ],
)
def test_each_verdict_has_a_sentence(difference: float, half: float, sentence: str, two: Instances) -> None:
    assert told(two, difference, half) == WHERE + sentence


def test_another_verdict_of_the_hpd_interval_is_told(two: Instances) -> None:
    sentence = told(two, 0.001, 0.0099, hpd=0.0095)
    assert "a is equivalent to b" in sentence
    assert sentence.endswith("(difference 0.001, 95 % HPD interval −0.009 to 0.010, p = 0.037). "
                             "Its HPD interval says: not worse.")  # fmt: skip
    assert "says" not in told(two, 0.001, 0.004, hpd=0.004)


@pytest.mark.parametrize(
    ("value", "text"), [(-0.0042, "−0.004"), (0.0, "0.000"), (0.00042, "0.0004"), (-2e-6, "−2e−06"), (1.5, "1.500")]
)
def test_differences_have_a_proper_sign(value: float, text: str) -> None:
    assert signed(value) == text


def test_p_values_and_shares_are_short() -> None:
    assert [p_text(p) for p in (1e-9, 0.0123, 0.99951)] == ["p < 0.001", "p = 0.012", "p = 1"]
    assert [share(value) for value in (0.8831, 0.0432, 0.0016, 0.0)] == ["88 %", "4.3 %", "0.16 %", "0 %"]


def said(answer: Answer, verdicts: tuple[Verdict, Verdict], hpd: tuple[Verdict, Verdict]) -> list[str]:
    """The sentence on the series, as if these had been the verdicts of rates 1 and 4."""
    differences: dict[Verdict, float] = {"worse": -0.5, "not worse": 0.008, "equivalent": 0.0, "better": 0.5}
    d, by = (np.array([differences[one] for one in given]) for given in (verdicts, hpd))
    p = [stats.norm.sf(x / 0.005) for x in (np.abs(d), d + 0.01, 0.01 - d)]
    tests = replace(answer.found.tests, difference=d, p_difference=2 * p[0], p_not_worse=p[1], p_not_better=p[2])
    half = np.where(by == 0.008, 0.015, 0.005)
    found = replace(answer.found, tests=tests, hpd=np.array([by - half, by + half]))
    return [one for one in findings(replace(answer, found=found)) if "of the settings 1 and 4 against full" in one]


def test_the_smallest_settings_are_told(rates: Answer) -> None:
    (same,) = said(rates, ("worse", "equivalent"), ("worse", "equivalent"))
    assert same.endswith(
        "at a margin of 0.01: by the tests and by HPD intervals 4 is the smallest from which on all are not worse, and "
        "4 is the smallest from which on all are equivalent."
    )
    (other,) = said(rates, ("equivalent", "equivalent"), ("worse", "not worse"))
    assert other.endswith(
        "by the tests 1 is the smallest from which on all are not worse, and 1 is the smallest from which on all are "
        "equivalent; by HPD intervals 4 is the smallest from which on all are not worse, and there is none from which "
        "on all are equivalent."
    )


def test_shares_of_the_noise_are_told(rates: Answer) -> None:
    (noise,) = [one for one in findings(rates) if one.startswith("Of the variance of one score, ")]
    for one in rates.found.fit.components:
        assert f"{share(one.share)} " in noise
    assert "comes from topics, " in noise
    assert noise.count("comes") == 1


def test_single_instances_are_told_by_the_pair_that_contradicts_most(two: Instances) -> None:
    singles = (
        SingleTests("a", "b", 0.05, 9, 10, better=0.1, worse=0.0),
        SingleTests("a", "b", 0.1, 9, 10, better=0.2, worse=0.0),
        SingleTests("c", "b", 0.05, 9, 10, better=0.25, worse=0.25),
        SingleTests("c", "b", 0.1, 9, 10, better=1.0, worse=0.0),
    )
    sentences = findings(Answer(two, singles, (), 0.01))
    assert (
        "With one instance each, the 9 paired t-tests of c against b are 50 % significant at 0.05 and 100 % "
        "significant at 0.1: two such experiments contradict each other with a chance of 62.5 % at 0.05, more often "
        "than for any other pair (a p-value of theirs is about other topics and these two instances)."
    ) in sentences


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (
            Plan("two random algorithms", (Needed(1, None), Needed(2, 900), Needed(10, 80), Needed(100, 60)), 5),
            "two random algorithms need 80 topics with 10 instances and 60 topics with 100 instances of each that is "
            "random; with 1 no number of topics is enough; on the 10 topics here 5 instances are enough (from the "
            "fitted components).",
        ),
        (
            Plan("two random algorithms", (Needed(1, None), Needed(10, None), Needed(100, None)), None),
            "two random algorithms need more instances than 100; with 1, 10 and 100 no number of topics is enough; on "
            "the 10 topics here no number of instances is enough (from the fitted components).",
        ),
        (
            Plan("two algorithms with one instance each", (Needed(1, 400),), None),
            "two algorithms with one instance each need 400 topics; how many instances would help cannot be told from "
            "one (from the fitted components).",
        ),
    ],
)
def test_what_is_needed_is_told(plan: Plan, sentence: str, two: Instances) -> None:
    assert f"For a 95 % interval of ± 0.02, {sentence}" in findings(Answer(two, (), (plan,), 0.02))


def test_many_pairs_are_counted() -> None:
    names = tuple(f"x{i}y" for i in range(6))
    answer = answer_of(simulate_scores(Effects(names, (0.5,) * 6), topics=10, instances=2), posterior=False)
    first, *others = findings(answer)
    assert f"of 15 pairs of algorithms the first is {answer.found.verdicts[0]} in " in first
    assert not any(" is better than " in one for one in others)


# warnings


def test_a_singular_fit_is_told() -> None:
    scores = simulate_scores(Effects(instance_sd=0.0), topics=20, instances=3, seed=4)
    answer = answer_of(scores, posterior=False)
    assert answer.found.fit.is_singular
    assert any(one.startswith("Warning: singular fit: the variance of 'instance'") for one in warnings(answer))


def test_instances_that_never_differ_are_told() -> None:
    scores = simulate_scores(Effects(), topics=20, instances=3, seed=4)
    same = np.where(scores.algorithm == 0, scores.cells()[0][scores.topic], scores.scores)
    answer = answer_of(replace(scores, scores=same), posterior=False)
    assert "Warning: the instances of a never differ on a topic; did the seed take effect?" in findings(answer)


def test_missing_cells_are_told() -> None:
    answer = answer_of(simulate_scores(RATES, topics=20, instances=4, missing=0.1, seed=1), posterior=False)
    assert "Warning: 18 of 180 cells (instance, topic) are missing; the rest is fitted as it is." in warnings(answer)
    assert any("18 missing cells" in one for one in setting(answer))


def test_variances_that_differ_are_told() -> None:
    base = simulate_scores(Effects(("a", "b", "c"), (0.5,) * 3, topic_algorithm_sd=0.0), topics=40, instances=4, seed=1)
    shift = np.where(base.algorithm == 1, np.random.default_rng(2).normal(0, 0.2, 40)[base.topic], 0)
    answer = answer_of(replace(base, scores=base.scores + shift), baseline="a", posterior=False)
    found = answer.found
    assert found.alone[1] is not None
    ratio = found.contrasts[1].se / found.alone[1].se
    (warning,) = [one for one in warnings(answer) if "same variances" in one]
    assert f"fitted to c and a alone, the standard error of their difference is {ratio:.1f} times smaller" in warning
    assert not any("same variances" in one for one in warnings(answer_of(base, posterior=False)))


@pytest.mark.parametrize(
    ("options", "warning"),
    [
        ({"model": "topic"}, "the model 'topic' takes scores of one algorithm on one topic as independent"),
        ({"model": "repeated"}, "the model 'repeated' does not count how much instances differ on all topics alike"),
        ({"freedom": "n-f"}, "n − f degrees of freedom take all scores as independent"),
    ],
)
def test_what_a_model_leaves_out_is_told(options: dict[str, Any], warning: str) -> None:
    scores = simulate_scores(Effects(), topics=10, instances=3)
    assert any(warning in one for one in warnings(answer_of(scores, posterior=False, **options)))
    assert not any(warning in one for one in warnings(answer_of(scores, posterior=False)))


def test_one_instance_is_told(rates: Answer) -> None:
    assert warnings(rates) == [
        "Note: full has one instance, and is taken as deterministic; with the residual of the others in the model, "
        "intervals against it are rather too wide than too narrow."
    ]
    crossed = answer_of(rates.found.scores.only(["full", "rate-1"]), model="crossed", posterior=False)
    assert warnings(crossed)[-1] == "Note: full has one instance, and is taken as deterministic."
    alone = answer_of(simulate_scores(Effects(), topics=10, instances=1), posterior=False)
    assert any("every algorithm has one instance" in one for one in warnings(alone))
    assert any("how many instances would help cannot be told" in one for one in findings(alone))
    assert not any("With one instance each" in one for one in findings(alone))


# tables


def records(tables: list[Table], title: str) -> list[dict[str, Any]]:
    (table,) = [table for table in tables if table.title.startswith(title)]
    return table.records()


def test_every_table_says_how_it_was_made(rates: Answer) -> None:
    tables = [*instance_tables(rates), pair_table(rates)]
    assert len(tables) == 8
    for table in tables:
        for part in SETTING:
            assert part in table.caption, table.title


def test_tables_have_the_numbers_of_the_study(rates: Answer) -> None:
    tables, found = instance_tables(rates), rates.found
    for i, row in enumerate(records(tables, "Differences in score from full")):
        one, alone = found.contrasts[i], found.alone[i]
        assert alone is not None
        expected = (found.pairs[i].first, one.estimate, one.se, alone.se, one.df, one.t, one.p)
        assert tuple(row.values())[:7] == expected
        assert row["adjusted p"] == found.tests.p_difference[i]
        assert (row["low"], row["high"], row["verdict"]) == (*found.intervals[:, i], found.verdicts[i])
    assert found.hpd is not None
    assert found.probabilities is not None
    assert found.hpd_verdicts is not None
    for i, row in enumerate(records(tables, "Differences from full against the margin")):
        assert (row["p not worse"], row["p not better"]) == (found.tests.p_not_worse[i], found.tests.p_not_better[i])
        assert row["p equivalent"] == max(row["p not worse"], row["p not better"])
        assert (row["HPD low"], row["HPD high"]) == tuple(found.hpd[:, i])
        shares = [row[name] for name in ("P(> 0.01)", "P(within)", "P(< −0.01)")]
        assert shares == found.probabilities[:, i].tolist()
        assert row["by HPD"] == found.hpd_verdicts[i]
    algorithms = records(tables, "Algorithms")
    assert {row["algorithm"]: row["instances"] for row in algorithms} == {"full": 1, "rate-1": 5, "rate-4": 5}
    assert [row["mean"] for row in algorithms] == sorted((mean for mean, _ in found.means.values()), reverse=True)
    singles = records(tables, "What single instances would have said against full")
    assert [row["level"] for row in singles] == ["p ≤ 0.05", "p ≤ 0.1"] * 2
    assert [row["contradict"] for row in singles] == [one.contradict for one in rates.singles]
    needed = records(tables, "What an interval of ± 0.02 needs")
    assert [row["topics"] for row in needed] == [one.topics for one in rates.plans[0].needed]
    diagnostics = records(tables, "How far the draws")
    assert [row["parameter"] for row in diagnostics] == [
        *("mean of full", "mean of rate-1", "mean of rate-4"),
        *("sd of instance", "sd of topic", "sd of topic:algorithm", "sd of residual"),
    ]
    assert all(row["R-hat"] <= 1.01 and row["ESS bulk"] >= 400 for row in diagnostics)


def test_components_have_posterior_shares(rates: Answer) -> None:
    assert rates.found.posterior is not None
    variances = rates.found.posterior.sd.reshape(-1, 4) ** 2
    drawn = variances / variances.sum(axis=1, keepdims=True)
    for i, row in enumerate(instance_json(rates)["components"]):
        inside = (drawn[:, i] >= row["share_low"]) & (drawn[:, i] <= row["share_high"])
        assert inside.mean() == pytest.approx(0.95, abs=0.001)
        assert row["share"] == pytest.approx(row["sd"] ** 2 / sum(c.variance for c in rates.found.fit.components))


def test_without_a_posterior_its_columns_are_left_out(tests_alone: Answer) -> None:
    tables = instance_tables(tests_alone)
    assert len(tables) == 6
    assert "HPD" not in " ".join(column for table in tables for column in table.columns)
    assert any("no posterior" in one for one in setting(tests_alone))
    assert "HPD" not in " ".join(findings(tests_alone))


def test_runs_are_told_by_their_order_and_fill(rates: Answer) -> None:
    told = setting(replace(rates, fill="zero", precision="single"))
    assert "undefined scores filled with zero (0 of them)" in told
    assert "order: score descending, ties by docno descending, scores in single precision" in told


# the object


def test_json_has_everything(rates: Answer) -> None:
    shown = json.loads(to_json(instance_json(rates)))
    assert shown["findings"] == findings(rates)
    assert shown["warnings"] == warnings(rates)
    settings = shown["settings"]
    assert settings["formula"] == rates.found.formula
    assert settings["population"] == "other topics and other instances of the algorithms"
    assert (settings["margin"], settings["alpha"], settings["width"], settings["seed"]) == (0.01, 0.05, 0.02, 7)
    assert settings["prior"]["df"] == 3
    assert len(settings["topics"]) == 30
    assert shown["series"]["smallest"] == {
        "not_worse": rates.found.smallest(("better", "equivalent", "not worse")),
        "equivalent": rates.found.smallest(("equivalent",)),
    }
    assert [one["algorithm"] for one in shown["series"]["settings"]] == ["rate-1", "rate-4"]
    assert {field.name for field in fields(SingleTests)} <= set(shown["single_instances"][0])
    assert {field.name for field in fields(Plan)} <= set(shown["needed"][0])
    assert shown["fit"]["criterion"] == rates.found.fit.criterion


def test_json_has_null_for_what_is_not_a_number(rates: Answer) -> None:
    found = replace(rates.found, intervals=np.full((2, 2), math.nan))
    shown = json.loads(to_json(instance_json(replace(rates, found=found))))
    assert [pair["low"] for pair in shown["pairs"]] == [None, None]


def test_json_without_series_or_posterior() -> None:
    answer = answer_of(simulate_scores(Effects(), topics=10, instances=3), posterior=False)
    shown = json.loads(to_json(instance_json(answer)))
    assert shown["series"] is None
    assert shown["settings"]["draws"] is None
    assert shown["components"][0]["share_low"] is None
