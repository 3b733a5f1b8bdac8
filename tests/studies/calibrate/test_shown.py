"""How a calibration is shown: sentences by what was found, tables and charts with the numbers of the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from conftest import Golden
from irgauge.calibrating.halves import HoldsUp
from irgauge.calibrating.methods import Method
from irgauge.calibrating.power import Detectable, Power
from irgauge.calibrating.trials import Rate, Verdict
from irgauge.errors import DesignError
from irgauge.inference.corrections import BUILT_IN
from irgauge.provenance import Provenance
from irgauge.reporting.report import report
from irgauge.scoring.scores import Scores, load_scores
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.calibrate.calibration import Calibration, Errors, Found, IntervalCoverage
from irgauge.studies.calibrate.section import apart
from irgauge.studies.calibrate.study import Calibrated, calibrate
from irgauge.studies.calibrate.tables import promise_table

Tried = dict[tuple[str, str], tuple[float, Verdict, float]]  # method -> errors, verdict, power
KEEPS: Verdict = "keeps its promise"
HOLM, TUKEY, ALONE, MAX = ("t", "holm"), ("tukey", BUILT_IN.name), ("t", "none"), ("max-t", BUILT_IN.name)


@pytest.fixture(scope="module")
def found() -> Calibrated:
    """Four systems on shards, few experiments."""
    design = Design(systems=4, families=2, topics=12, depth=60, corpus_size=400, relevant_median=30, seed=3)
    runs = simulate(design).collection()
    return calibrate(runs, "AP", shards="even:3", margin=0.05, quick=True, trials=12)


# results made by hand


def rate(observed: float, error: float = 0.004) -> Rate:
    return Rate(observed, error, max(0.0, observed - 2 * error), min(1.0, observed + 2 * error), 400)


def method(test: str, correction: str) -> Method:
    return Method(test, correction, "topics")


def made(tried: Tried, *, pairs: int = 6, **fields: object) -> Calibration:
    """Each method with its errors in the worst world, the verdict, and what it finds."""
    own = {method(*name): told for name, told in tried.items()}
    errors = [
        Errors(one, world, 4, 0.05, rate(observed * share), verdict)
        for one, (observed, verdict, _) in own.items()
        for world, share in (("permuted", 0.5), ("resampled", 1.0))
    ]
    empty: dict[str, Any] = {"verdicts": (), "coverage": (), "powers": (), "holds_up": (), "detectable": {}}
    return Calibration(
        population="topics",
        systems=2 if pairs == 1 else 4,
        pairs=pairs,
        topics=50,
        trials=400,
        errors=tuple(errors),
        found=tuple(Found(one, 0.08, rate(power)) for one, (_, _, power) in own.items()),
        **empty | fields,
    )


def result(*each: Calibration, **fields: object) -> Calibrated:
    usual: dict[str, Any] = {"alpha": 0.05, "margin": None, "baseline": None, "is_quick": False}
    return Calibrated(measure="AP", each=each, seed=0, draws=199, facts=Provenance(), **usual | fields)


def told(*each: Calibration, **fields: object) -> list[str]:
    return result(*each, **fields).findings().texts()


def held(name: tuple[str, str], again: float | None, between: str = "halves of topics") -> HoldsUp:
    of = None if again is None else rate(again)
    same = None if again is None else rate(0.97)
    reverse = None if again is None else rate(0.005)
    return HoldsUp(method(*name), between, 20, 3.0, rate(0.9), same, of, reverse, rate(0.7))


GOOD: Tried = {
    HOLM: (0.048, KEEPS, 0.53),
    TUKEY: (0.03, KEEPS, 0.41),
    ALONE: (0.05, KEEPS, 0.8),
    MAX: (0.091, "liberal", 0.6),
}


def test_three_sentences_say_what_to_use_what_it_detects_and_what_not_to_believe(golden: Golden) -> None:
    detectable = {"t": Detectable("t", 50, 0.0664, 0.0966)}
    golden(told(made(GOOD, detectable=detectable, holds_up=(held(TUKEY, 0.6), held(HOLM, 0.776)))))


def test_where_no_test_surely_keeps_its_promise_it_is_said_with_what_would_decide(golden: Golden) -> None:
    open_: Tried = {HOLM: (0.055, "unclear", 0.36), TUKEY: (0.075, "unclear", 0.37), ALONE: (0.05, KEEPS, 0.7)}
    first = told(made(open_), is_quick=True)[0]
    golden(first)
    assert told(made(open_))[0].endswith("; more experiments (--trials) decide.")
    golden(told(made(open_))[-1])


def test_where_every_test_breaks_its_promise_the_nearest_is_named_with_its_errors(golden: Golden) -> None:
    broken: Tried = {
        HOLM: (0.13, "liberal", 0.5),
        TUKEY: (0.08, "liberal", 0.5),
        ALONE: (0.2, "liberal", 0.5),
        MAX: (0.17, "liberal", 0.5),
        ("wilcoxon", "bh"): (0.07, "liberal", 0.5),
    }
    texts = told(made(broken))
    golden(texts)


def test_a_test_that_finds_next_to_nothing_is_not_advised_where_another_may_do() -> None:
    weak: Tried = {("unpaired-t", "holm"): (0.0, "conservative", 0.01), HOLM: (0.05, "unclear", 0.4)}
    assert told(made(weak))[0].startswith(
        "No test of all pairs both keeps 5 % here and finds much; the paired t-test with Holm's correction may keep "
        "it: it errs in 5.0 ± 0.4 %"
    )
    alone: Tried = {("unpaired-t", "holm"): (0.0, "conservative", 0.01), HOLM: (0.09, "liberal", 0.4)}
    assert told(made(alone))[0].startswith(
        "No test of all pairs both keeps 5 % here and finds much; the paired t-test with Holm's correction comes "
        "nearest: it errs in 9.0 ± 0.4 %"
    )
    some: Tried = {HOLM: (0.05, KEEPS, 0.4), TUKEY: (0.07, "unclear", 0.45), MAX: (0.08, "unclear", 0.5)}
    assert told(made(some), is_quick=True)[0].endswith(
        "in AP; whether 2 others do, more experiments (without --quick) decide."
    )


def test_ranks_are_not_advised_for_means_nor_what_was_not_judged_in_every_world() -> None:
    ranks, usual = ("wilcoxon", "holm"), ("skewed-t", "holm")
    best = made({**GOOD, ranks: (0.03, KEEPS, 0.9)})
    assert best.advised.method == method(*HOLM)
    partly = replace(best, errors=tuple(e for e in best.errors if (e.method, e.world) != (method(*HOLM), "resampled")))
    verdicts = {kept.method: kept.verdict for kept in partly.kept}
    assert (verdicts[method(*HOLM)], verdicts[method(*TUKEY)]) == ("cannot be judged", KEEPS)
    assert partly.advised.method == method(*TUKEY)
    unsure = made({HOLM: (0.05, "unclear", 0.6), usual: (0.052, "unclear", 0.5)})
    assert unsure.advised.method == method(*usual)  # the cautious one, not the one that finds most


def test_where_systems_differ_rarely_and_much_no_test_is_said_to_keep_its_promise() -> None:
    rarely = replace(made({**GOOD, ("skewed-t", "holm"): (0.04, KEEPS, 0.5)}), rare=2)
    assert {kept.verdict for kept in rarely.kept} == {"cannot be judged", "liberal"}
    first, *_, doubt = told(rarely)
    assert first == (
        "Whether a test of all pairs keeps 5 % here cannot be judged: 2 systems differ from others much on hardly any "
        "topic, and topics drawn from these do not show how rare that is; the guarded t-test with Holm's correction is "
        "the cautious choice, not a sure one."
    )
    assert doubt.startswith("Do not believe the max-|t| test")


def test_of_one_pair_nothing_is_corrected(golden: Golden) -> None:
    tried: Tried = {ALONE: (0.05, KEEPS, 0.5), ("wilcoxon", "none"): (0.1, "liberal", 0.9)}
    detectable = {"t": Detectable("t", 25, 0.12, 0.12)}
    golden(told(made(tried, pairs=1, detectable=detectable, holds_up=(held(ALONE, None),))))


def test_of_one_pair_a_test_of_all_pairs_is_advised_where_there_is_no_other() -> None:
    first, *_ = told(made({TUKEY: (0.03, KEEPS, 0.41)}, pairs=1))
    assert first.startswith(
        "Use Tukey's HSD test: it is the only test of this pair that keeps 5 % here, and finds 41 %"
    )


def test_pairs_with_a_baseline_are_named_as_such() -> None:
    assert "tests of all pairs with BM25 that keep" in told(made(GOOD), baseline="BM25")[0]


def test_what_the_usual_test_detects_stands_for_that_of_a_test_of_all_pairs(golden: Golden) -> None:
    tried: Tried = {TUKEY: (0.03, KEEPS, 0.41)}
    only = made(tried, detectable={"skewed-t": Detectable("skewed-t", 50, 0.0664, None)})
    golden(told(only)[1])
    nothing = made(tried, detectable={"skewed-t": Detectable("skewed-t", 50, None, None)})
    assert [one.kind for one in result(nothing).findings()] == ["use", "doubt"]


def test_other_experiments_margins_and_intervals_have_sentences_of_their_own(golden: Golden) -> None:
    wrong = Errors(method(*HOLM), "better and worse by the margin", 4, 0.05, rate(0.07), "unclear")
    short = IntervalCoverage("t", "all pairs", 0.95, rate(0.87), "liberal")
    mean = IntervalCoverage("mean", "mean", 0.95, rate(0.9), "liberal")
    comparing = IntervalCoverage("tukey", "mean", 0.95, rate(0.6), "liberal")
    of = "these and the other judgments"
    one = made(
        GOOD,
        verdicts=(replace(wrong, method=method(*TUKEY)), wrong),
        coverage=(mean, short, comparing),
        holds_up=(held(HOLM, 0.8), held(HOLM, 0.65, of)),
    )
    documents = replace(one, population="documents", verdicts=(), coverage=(), holds_up=())
    found = result(one, documents, margin=0.02).findings()
    assert [finding.kind for finding in found] == ["use", "doubt", "elsewhere", "margin", "intervals", "use"]
    assert [finding.population for finding in found] == ["topics"] * 5 + ["documents"]
    golden(found.texts()[2:])


# tables


def test_promises_are_sorted_by_what_is_promised_then_by_verdict_and_power() -> None:
    tried: Tried = {**GOOD, ("wilcoxon", "holm"): (0.06, "unclear", 0.7), ("skewed-t", "holm"): (0.04, KEEPS, 0.6)}
    table = promise_table(result(made(tried)))
    assert [(row["promise"], row["method"]) for row in table.records()] == [
        ("any pair", "guarded t-test, Holm's correction"),
        ("any pair", "paired t-test, Holm's correction"),
        ("any pair", "Tukey's HSD test"),
        ("any pair", "Wilcoxon's signed-rank test, Holm's correction"),
        ("any pair", "max-|t| test"),
        ("each pair", "paired t-test, no correction"),
    ]
    assert table.records()[1] == {
        "promise": "any pair",
        "method": "paired t-test, Holm's correction",
        "observed": 4.8,
        "error": 0.4,
        "world": "resampled",
        "verdict": KEEPS,
        "power": 53.0,
    }
    head = {column.name: column.shown for column in table.columns}
    assert (head["promise"], head["power"]) == ("at most 5 % of", "finds 0.08, %")


def test_the_worst_world_of_each_method_is_that_of_the_frame(found: Calibrated) -> None:
    errors = found.frame().filter(pl.col("world") != "better and worse by the margin")
    worst = errors.group_by("population", "test", "correction").agg(pl.col("observed").max())
    expected = sorted((one, round(100 * most, 1)) for one, most in worst.select("population", "observed").iter_rows())
    shown = found.table("promises").records()
    assert sorted((row["population"], row["observed"]) for row in shown) == expected
    assert {row["population"] for row in shown} == {"topics", "documents", "both"}


def test_tables_have_the_numbers_of_the_result(found: Calibrated) -> None:
    tables = {table.name: table for table in found.tables()}
    assert list(tables) == ["promises", "errors", "power", "detectable", "coverage", "holds-up", "verdicts"]
    worlds = [name for name in tables["errors"].names if name in ("permuted", "flipped", "resampled", "half better")]
    counted = sum(cell is not None for world in worlds for cell in tables["errors"].column(world))
    assert counted == sum(len(one.errors) for one in found.each)
    row = found.of("topics").powers[0]
    shown = tables["power"].where(test="paired t-test", of="one pair", delta=row.delta).records()
    assert shown[0][f"topics_{row.topics}"] == round(100 * row.single.observed)
    assert len(tables["coverage"].rows) == sum(len(one.coverage) for one in found.each)
    assert len(tables["holds-up"].rows) == sum(len(one.holds_up) for one in found.each)


def test_intervals_for_comparing_systems_have_no_verdict(found: Calibrated) -> None:
    rows = found.table("coverage").records()
    silent = {str(row["interval"]) for row in rows if row["verdict"] is None}
    assert silent == {f"{name} interval, for comparing systems" for name in ("Tukey's", "SEM", "ANOVA")}


def test_power_among_all_pairs_is_not_told_of_p_values_that_are_too_coarse() -> None:
    powers = Power("t", 50, 0.1, rate(0.8), rate(0.5)), Power("randomization", 50, 0.1, rate(0.8), None)
    shown = result(made(GOOD, powers=powers)).table("power").records()
    assert [row["of"] for row in shown] == ["one pair", "all pairs", "one pair"]


def test_tests_that_were_tried_on_some_systems_are_named() -> None:
    tried: Tried = {**GOOD, ("wilcoxon", "none"): (0.06, KEEPS, 0.7)}
    many = replace(made(tried), systems=26)
    assert "Tried on 25 systems, drawn each time: Wilcoxon's signed-rank test." in result(many).table("errors").notes
    assert result(made(tried)).table("errors").notes == ()


# charts


def values_of(chart: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All rows of data anywhere in a chart."""
    rows = []
    for part in chart.values():
        for one in part if isinstance(part, list | tuple) else [part]:
            if isinstance(one, dict):
                rows += [one, *values_of(one)]
    return rows


def test_the_corner_has_a_point_of_each_method_with_a_name_that_covers_no_other() -> None:
    tried: Tried = {**GOOD, ("wilcoxon", "holm"): (0.06, "unclear", 0.53), ("skewed-t", "holm"): (0.04, KEEPS, 0.53)}
    rows = values_of(result(made(tried)).chart().to_dict())
    points = {row["name"]: row for row in rows if "edge" in row}
    assert sorted(points) == ["max-t", "skewed-t, Holm", "t", "t, Holm", "tukey", "wilcoxon, Holm"]
    heights = sorted(row["height"] for row in points.values() if row["promise"] == "any pair")
    assert np.diff(heights).min() >= 100 * 13 / 140  # a name takes 13 pixels, and a page may leave 140 for all
    assert (points["t, Holm"]["errors"], points["t, Holm"]["power"]) == (pytest.approx(4.8), pytest.approx(53))
    assert {row["to"] for row in rows if "to" in row} == {5.0}


@pytest.mark.parametrize("name", ["corner", "errors"])
def test_charts_are_drawn_of_every_population(found: Calibrated, name: str, tmp_path: Path) -> None:
    for one in found.each:
        found.chart(name, population=one.population).save(tmp_path / f"{one.population}.svg")
    assert len({path.read_text() for path in tmp_path.iterdir()}) == 3
    with pytest.raises(DesignError, match="nothing was tried for the population 'shards'; there is topics, doc"):
        found.chart(name, population="shards")


def test_power_is_drawn_for_topics(found: Calibrated) -> None:
    rows = [row for row in values_of(found.chart("power").to_dict()) if "power" in row]
    assert {row["topics"] for row in rows} == {str(row.topics) for row in found.first.powers}
    with pytest.raises(DesignError, match="power by number of topics is of the population topics; this is of both"):
        found.chart("power", population="both")


@pytest.mark.parametrize("seed", range(20))
def test_labels_are_apart_in_order_and_within_the_chart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.choice([0, 3, 50, 51, 100], rng.integers(1, 20)).tolist()
    found = np.array(apart(places, 4.0, 100.0))
    order = np.argsort(found)
    assert found.min() >= 0
    assert found.max() <= 100 + 1e-9
    assert (np.diff(found[order]) >= 4 - 1e-9).all()
    assert (np.diff(np.array(places)[order]) >= 0).all()


# the report


@pytest.fixture(scope="module")
def table() -> Scores:
    rng = np.random.default_rng(2)
    values = np.clip(rng.normal(0.5, 0.2, (8, 1)) + rng.normal(0, 0.1, (8, 3)), 0, 1)
    return load_scores(values, systems=["a", "b", "c"])


def test_a_report_has_the_section_only_where_it_is_asked_for(table: Scores) -> None:
    without = report(table)
    assert "calibrate" not in {section.key for section in without.page.sections}
    page = report(table, calibrate=True).page
    (section,) = [section for section in page.sections if section.key == "calibrate"]
    assert section.told[0].kind == "use"
    assert section.panels[0].variants[0].figure is not None
    assert any("Urbano" in text for text in page.references)
    assert "Calibration" in dict(page.methods)
    assert "calibrate" in {claim.section for claim in page.claims}


def test_a_report_of_too_few_topics_says_why_it_has_no_calibration(table: Scores) -> None:
    few = load_scores(table.values[0, :4, :, 0], systems=list(table.systems))
    (section,) = [one for one in report(few, calibrate=True).page.sections if one.key == "calibrate"]
    assert "a calibration needs at least 5 topics and 2 systems; given: topics: 4" in str(section.reason)
