"""The partition method's part of a report."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from conftest import Golden
from irgauge import Collection, load
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import parse_measures
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition.section import PART
from irgauge.studies.partition.study import partition
from irgauge.studies.report_part import Ran, Reporting

KEYS = ["effects", "agreement", "densities", "decisions", "splits", "levels", "tests", "lengths", "systems", "pairs"]


@cache
def simulated(systems: int, relevant: int = 30) -> Collection:
    design = Design(
        systems=systems,
        families=3,
        topics=12,
        depth=60,
        corpus_size=900,
        relevant_median=relevant,
        relevant_sd=0.3,
        seed=1,
    )
    return simulate(design).collection()


@cache
def reporting(systems: int, relevant: int = 30) -> Reporting:
    return Reporting(Bench(simulated(systems, relevant)), parse_measures(["AP", "P@5"]))


@cache
def ran(systems: int, relevant: int = 30) -> Ran:
    return PART.run(reporting(systems, relevant))


def test_few_systems_have_all_panels() -> None:
    made = PART.section(ran(5), reporting(5))
    assert (made.key, made.reason) == ("partitions", None)
    assert [panel.key for panel in made.panels] == [f"partition-{key}" for key in KEYS]
    for panel in made.panels:
        assert [variant.choices for variant in panel.variants] == [(("measure", "AP"),), (("measure", "P@5"),)]
    lead = " ".join(made.texts)
    assert "--" not in lead
    assert lead.count("p is two-sided, of the difference") == 1
    assert made.texts[0].startswith("What 11 random splits of the documents into 2 parts find of each pair stands in")
    assert "draw topics too" not in lead
    ((heading, text),) = PART.methods(ran(5), reporting(5))
    assert heading == "Partition method"
    assert "a two-sided t-test of the difference" in text
    assert "Beside them stand unpaired and paired t-tests" in text


def test_the_report_asks_what_the_verb_answers() -> None:
    asked: dict[str, Any] = {"tests_of": (2,), "lengths_of": (2,)}
    for result in ran(5).results:
        alone = partition(simulated(5), result.first.measure, **asked).first
        np.testing.assert_array_equal(result.first.splits.p_adjusted, alone.splits.p_adjusted)
        names = ["2 parts", "MD6 on 2 parts, Tukey", "MD6 on 2 parts, BH", "11 splits of 2 parts, all"]
        assert [test.name for test in result.first.tests.tests][4:] == names
        assert not list(PART.headline(result))  # a page describes it, and claims nothing of it


def test_each_split_is_scored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[object] = []
    score = Bench._scored
    monkeypatch.setattr(
        Bench, "_scored", lambda self, measures, key, shards: _noted(scored, key, score(self, measures, key, shards))
    )
    bench = Bench(simulated(5), ["AP", "P@5"])
    PART.run(Reporting(bench, parse_measures(["AP", "P@5"])))
    assert len(scored) == len(set(scored)) == 1 + 11  # the whole corpus and every split, for both measures at once


def _noted(scored: list[object], key: object, found: Any) -> Any:  # noqa: ANN401  # scores
    scored.append(key)
    return found


def test_many_systems_have_no_tests_and_all_pairs(golden: Golden) -> None:
    made = PART.section(ran(90), reporting(90))
    panels = {panel.key: panel for panel in made.panels}
    assert not {"partition-decisions", "partition-tests"} & set(panels)
    golden(made.texts[-1])
    table = panels["partition-pairs"].variants[0].table
    assert table is not None
    assert len(table.rows) == 4005
    assert "of 4,005 pairs with an adjusted p" in table.title
    figure = panels["partition-agreement"].variants[0].figure
    assert figure is not None
    assert "Shown: the best 20 of 90 systems." in figure.caption
    assert "Beside them" not in next(PART.methods(ran(90), reporting(90)))[1]


def test_topics_are_dropped_where_splits_would_seldom_do() -> None:
    made = ran(4, 3)
    assert {result.first.splits.fill for result in made.results} == {"drop"}
    assert "were left out of that split" in next(PART.methods(made, reporting(4, 3)))[1]


def test_data_that_cannot_be_split_say_why(golden: Golden) -> None:
    qrels = {"1": {"a": 1}, "2": {"b": 1, "c": 1}}
    runs = {name: {topic: {"a": i, "b": 1, "c": 2} for topic in qrels} for i, name in enumerate("xy")}
    asked = Reporting(Bench(load(qrels, runs)), parse_measures(["AP"]))
    made = PART.run(asked)
    shown = PART.section(made, asked)
    golden(str(shown.reason))
    assert list(PART.methods(made, asked)) == []
