from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from irgauge.reading.collection import Collection, load
from irgauge.replicates.bench import Bench
from irgauge.reporting.differ import differ_panel, differ_records
from irgauge.reporting.first_screen import cards
from irgauge.reporting.report import Report, report
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import score
from irgauge.show.page import Card
from irgauge.show.verdicts import FOR, OTHER, SHORT
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare.study import compare
from irgauge.studies.report_part import Ran, Reporting

FEW: dict[str, Any] = {"shards": "even:3", "resamples": 1, "images": 10}
MEASURES = ["AP", "nDCG@10"]
POPULATIONS = ["topics", "documents", "both"]


def design(systems: int) -> Design:
    shape: dict[str, int] = {"systems": systems, "families": min(systems, 3), "topics": 15, "depth": 60}
    return Design(**shape, corpus_size=500, relevant_median=20, seed=4)


@pytest.fixture(scope="module")
def result() -> Report:
    return report(simulate(design(8)).collection(), MEASURES, **FEW)


def shown(found: Report, label: str, measure: str = "AP", population: str | None = None) -> Card:
    """The only card with this in its label that a reader sees who chose this."""
    (card,) = [
        one
        for one in cards(found)
        if label in one.label and one.measure in (None, measure) and one.population in (None, population or "topics")
    ]
    return card


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("population", POPULATIONS)
def test_what_is_chosen_has_three_to_five_cards(measure: str, population: str, result: Report) -> None:
    seen = [one for one in cards(result) if one.measure in (None, measure) and one.population in (None, population)]
    assert 3 <= len(seen) <= 5
    keys = {section.key for section in result.page.sections} | {"warnings", ""}
    assert all(one.section in keys for one in seen)
    assert len({one.label for one in seen}) == len(seen)


@pytest.mark.parametrize("measure", MEASURES)
def test_top_group_and_pairs_are_counted(measure: str, result: Report) -> None:
    compared = result.ran["compare"].results[MEASURES.index(measure)].first
    top, pairs = {}, {}
    for one in compared.comparisons:
        with_best = [p for p, first in zip(one.p_adjusted, one.first, strict=True) if first == 0]
        top[one.population] = 1 + sum(p > 0.05 for p in with_best)
        pairs[one.population] = sum(p <= 0.05 for p in one.p_adjusted)
    for name in POPULATIONS:
        card = shown(result, "top group", measure, name)
        assert (card.value, card.covers, card.section) == (str(top[name]), FOR[name], "compare")
        assert card.detail == "; ".join(f"{OTHER[other]}: {top[other]}" for other in POPULATIONS if other != name)
        assert shown(result, "of 28 pairs differ", measure, name).value == str(pairs[name])
        assert ("guarded t-test" in card.method) == (name == "topics")


def test_decimals_follow_the_standard_error(result: Report) -> None:
    for found in result.ran["bootstrap"].results:
        for number, measure in enumerate(MEASURES):
            error = float(np.median(found.standard_error[number]))
            digits = max(0, round(-np.log10(error)))  # the unit of the last decimal is next to the error
            card = shown(result, "is the best mean, with the decimals worth reporting", measure, found.draw)
            assert card.value == f"{np.nanmean(found.root[number], axis=0).max():.{digits}f}"
            assert card.detail.startswith(f"standard error {error:#.2g}")
            assert card.section == "bootstrap"


def test_what_topics_find_is_of_the_first_two(result: Report) -> None:
    compared = result.ran["compare"].results[0].first
    card = shown(result, "is the smallest difference that these topics find")
    assert card.value == f"{compared.verdicts['topics'].detectable[0]:#.2g}"
    assert card.detail.startswith(" and ".join(compared.under("topics").systems[:2]))


def test_warnings_are_those_of_the_page(result: Report) -> None:
    card = cards(result)[-1]
    assert card.value == str(len(result.page.warnings))
    assert (card.measure, card.population) == (None, None)


def test_with_a_baseline_its_verdicts_stand_instead_of_pairs() -> None:
    made = report(simulate(design(8)).collection(), "AP", baseline="F1-1", **FEW)
    compared = made.ran["baseline"].results[0].first
    assert not [one for one in cards(made) if "pairs differ" in one.label]
    for name in POPULATIONS:
        counts: Counter[str] = Counter(compared.verdicts[name].verdicts)
        card = shown(made, "than F1-1, of 7", "AP", name)
        assert (card.value, card.section) == (f"{counts['better']} / {counts['worse']}", "baseline")


def test_two_systems_have_a_p_and_the_topics_won() -> None:
    runs = simulate(design(2)).collection()
    made = report(runs, "AP", **FEW)
    values = score(runs, ["AP"]).values[0, :, :, 0]
    (best, other) = np.argsort(-values.mean(axis=0)).tolist()
    won = int((values[:, best] > values[:, other] + 1e-12).sum())
    card = shown(made, "scores higher")
    assert (card.value, card.section) == (f"{won} of 15", "pair")
    one = made.ran["compare"].results[0].first.under("topics")
    verdict = shown(made, " and ").value
    assert verdict.startswith("differ, p" if one.p_adjusted[0] <= 0.05 else "do not differ, p")
    assert "0.0000" not in "".join(card.value for card in cards(made))
    against = report(runs, "AP", baseline=runs.systems[other], **FEW)
    assert shown(against, " against ").value == against.ran["baseline"].results[0].first.verdict.verdicts[0]


@pytest.mark.parametrize("systems", [1, 2])
def test_few_systems_have_what_is_true_of_them(systems: int) -> None:
    made = report(simulate(design(systems)).collection(), "AP", **FEW)
    assert cards(made)
    assert not [one for one in cards(made) if "top group" in one.label]


def test_how_many_pairs_differ_is_counted_for_each_population(result: Report) -> None:
    (panel,) = differ_panel(result)
    assert [dict(one.choices)["measure"] for one in panel.variants] == MEASURES
    for number, one_measure in enumerate(panel.variants):
        assert one_measure.table is not None
        assert one_measure.figure is not None
        rows = one_measure.table.records()
        compared = result.ran["compare"].results[number].first
        assert [row["covers"] for row in rows] == [SHORT[name] for name in POPULATIONS]
        assert [row["differ"] for row in rows] == [
            sum(p <= 0.05 for p in one.p_adjusted) for one in compared.comparisons
        ]
        assert [row["top_group"] for row in rows] == [len(one.top_group) for one in compared.comparisons]
        assert [row["place"] for row in rows] == ["secondary" if number else "primary", "secondary", "secondary"]
        bars = [row for rows in one_measure.figure.to_dict()["datasets"].values() for row in rows]
        assert [(row["differ"], row["pairs"]) for row in bars] == [(row["differ"], 28) for row in rows]
        assert len({row["why"] for row in rows}) == 3


def test_what_was_not_compared_has_no_table() -> None:
    assert list(differ_panel(report(simulate(design(1)).collection(), "AP", **FEW))) == []
    assert list(differ_panel(report(simulate(design(2)).collection(), "AP", **FEW))) == []  # one pair


def test_pairs_of_trec_8_that_differ_are_those_of_scipy(trec8_in_64_bits: Collection) -> None:
    values = score(trec8_in_64_bits, ["AP"]).values[0, :, :, 0]
    first, second = zip(*combinations(np.nan_to_num(values).T, 2), strict=True)
    p = np.sort(ttest_rel(first, second, axis=1).pvalue)
    steps = 0.05 / (len(p) - np.arange(len(p)))  # Holm's
    differ = int(np.argmax(p > steps))
    ran = {"compare": Ran((compare(trec8_in_64_bits, "AP", test="t"),)), "partition": Ran(())}
    made = Report(Reporting(Bench(trec8_in_64_bits), parse_measures(["AP"])), ran, {}, {})
    (row,) = differ_records(made, "AP")
    assert (row["differ"], row["pairs"]) == (differ, 8256)
    assert differ == 3085


@pytest.mark.parametrize("baseline", [None, "old"])
def test_kinds_on_which_a_system_is_worse_are_on_the_first_screen(baseline: str | None) -> None:
    rng, rows = np.random.default_rng(2), []
    for topic in range(40):
        kind, base = ("long" if topic % 4 == 0 else "short"), float(rng.random())
        gain = (-0.2 if kind == "long" else 0.2) + float(rng.normal(0, 0.05))
        rows += [
            {"topic": str(topic), "kind": kind, "system": name, "score": base + add}
            for name, add in (("old", 0.0), ("new", gain))
        ]
    found = report(pd.DataFrame(rows), by="kind", baseline=baseline)
    card = shown(found, "kinds of topics", measure="score")
    assert (card.value, card.detail) == ("1 of 2", "long (10 topics)")
    assert (card.label, card.place) == ("kinds of topics on which new is shown to be worse", "secondary")


def test_unjudged_documents_that_could_change_verdicts_are_a_warning() -> None:
    """A system whose lists are not judged may be as good as one whose are."""
    qrels = {str(topic): {"a": 1, "b": 0} for topic in range(12)}
    good = {topic: {"a": 2.0 + (topic == "1"), "b": 1.0 + 3 * (topic in ("3", "4"))} for topic in qrels}
    new = {topic: {f"x{topic}": 2.0, "b": 1.0} for topic in qrels}
    found = report(load(qrels, {"good": good, "new": new}), "RR", shards=None, images=2)
    assert any("were judged, the verdict could change" in warning for warning in found.page.warnings)
