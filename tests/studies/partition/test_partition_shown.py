"""Tables, sentences and the object of the partition method, against the study and against counts by hand."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from irgauge import Collection
from irgauge.inference.aggregation import aggregation
from irgauge.present import tables
from irgauge.present.partition_findings import Answer, findings, method
from irgauge.present.partition_object import partition_json
from irgauge.present.partitions import levels, pair_table, partition_tables
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition_tests import compare_tests
from irgauge.studies.partitions import Partitions, partitions
from irgauge.studies.related_runs import related_runs
from irgauge.studies.splits import interval_lengths

FEW: dict[str, Any] = {"draws": 1000, "seed": 4}


@cache
def simulated(relevant: int = 30) -> Collection:
    design = Design(
        systems=8,
        families=3,
        topics=15,
        depth=60,
        corpus_size=900,
        relevant_median=relevant,
        relevant_sd=0.3 if relevant > 10 else 0.4,
        seed=1,
    )
    return simulate(design).collection()


@cache
def result(measure: str = "AP", **options: Any) -> Partitions:  # noqa: ANN401  # of partitions
    return partitions(simulated(), measure, **{"splits": 5, **FEW, **options})


@cache
def answer() -> Answer:
    """All that can be asked."""
    collection = simulated()
    groups = {system: system.split("-")[0] for system in collection.systems}
    side_by_side = compare_tests(collection, "AP", splits=5, **FEW)
    return Answer(
        side_by_side.many,
        "double",
        side_by_side,
        interval_lengths(collection, "AP", parts=[2, 3], **FEW),
        related_runs(collection, "AP", groups, singles="leave out", **FEW),
    )


def table(title: str, *answers: Answer) -> tables.Table:
    return next(one for one in partition_tables(answers) if one.title.startswith(title))


def hand_levels(found: Partitions, alpha: float) -> Counter[int]:
    """The pairs at each level of disagreement, counted one by one."""
    told: Counter[int] = Counter()
    for pair in range(len(found.first)):
        said = Counter(
            one.direction[pair] if one.p[pair] <= alpha else 0  # the two directions are two decisions
            for one in found.inferences
        )
        told[len(found.inferences) - max(said.values())] += 1
    return told


def test_levels_are_the_one_asked_for_and_those_of_the_paper() -> None:
    assert levels(0.05) == (0.05, 0.01)
    assert levels(0.01) == (0.01, 0.05)
    assert levels(0.2) == (0.2, 0.05, 0.01)


def test_splits_have_their_counts() -> None:
    rows = table("Pairs that differ", answer()).rows
    assert [row[:3] for row in rows] == [("AP", j, split.attempts) for j, split in enumerate(result().splits, 1)]
    for row, inference in zip(rows, answer().found.inferences, strict=True):
        strict = int((inference.p <= 0.01).sum())
        loose = int((inference.p <= 0.05).sum())
        assert row[5:] == (loose, loose / 28, strict, strict / 28)


def test_levels_of_disagreement_are_those_counted_by_hand() -> None:
    *rows, total = table("How far", answer()).rows
    assert [row[1] for row in rows] == ["0:5", "1:4", "2:3"]
    for place, alpha in ((2, 0.05), (4, 0.01)):
        counted = hand_levels(answer().found, alpha)
        assert [row[place] for row in rows] == [counted[few] for few in range(3)]
        assert total[place] == 28 - counted[0]
    assert total[1] == "all disagreements"


def test_two_measures_stand_in_the_same_tables() -> None:
    answers = [Answer(result(), "double"), Answer(result("P@10"), "double")]
    shown = partition_tables(answers)
    assert [one.title.split()[0] for one in shown] == ["Pairs", "How", "Systems"]
    assert [row[0] for row in shown[2].rows] == ["AP"] * 8 + ["P@10"] * 8
    told = findings(answers)
    assert sum("of 28 pairs of systems differ" in sentence for sentence in told) == 2
    assert sum(sentence.startswith("Method: ") for sentence in told) == 1


def test_systems_have_plain_and_adjusted_intervals() -> None:
    shown = table("Systems", answer())
    assert shown.columns[5:9] == ("plain low", "plain high", "adj. low", "adj. high")
    first = answer().found.inferences[0]
    for i, row in enumerate(shown.rows):
        assert row[2] == answer().found.systems[i]
        assert row[4] == first.effects[i]
        assert row[5:9] == (first.plain.low[i], first.plain.high[i], first.adjusted.low[i], first.adjusted.high[i])
        assert row[7] <= row[5] <= row[4] <= row[6] <= row[8]  # type: ignore[operator]  # numbers


def test_the_top_group_is_the_best_and_those_not_told_from_it() -> None:
    found = answer().found
    largest = found.p.max(axis=0)  # the rule is all
    others = [found.systems[j] for j in range(1, 8) if largest[(found.first == 0) & (found.second == j)][0] > 0.05]
    assert list(found.top_group) == [found.systems[0], *others]
    groups = {row[2]: row[9] for row in table("Systems", answer()).rows}
    assert [system for system, group in groups.items() if group == "top"] == [found.systems[0], *others]


def test_tests_name_their_correction_and_population() -> None:
    rows = table("Tests side by side", answer()).rows
    assert [row[1] for row in rows] == [
        "unpaired t",
        "paired t",
        "randomization, one-sided",
        "randomization, two-sided",
        "2 parts",
        "3 parts",
        "5 splits of 2 parts, all",
    ]
    assert {row[2:4] for row in rows[:4]} == {("none", "topics")}
    assert {row[2:4] for row in rows[4:]} == {("Benjamini-Hochberg", "documents")}
    assert rows[-1][4] == int((answer().found.combined_p() <= 0.05).sum())


def test_lengths_go_by_parts_and_model() -> None:
    shown = answer().lengths
    assert shown is not None
    rows = table("Lengths", answer()).rows
    assert [row[1:3] for row in rows] == [
        (parts, f"{model} interactions") for parts in (2, 3) for model in ("without", "with")
    ]
    for row, one in zip(rows, shown.models, strict=True):
        for place, interval in ((5, one.plain), (8, one.adjusted)):
            lengths = interval.high - interval.low
            assert row[place : place + 3] == pytest.approx((lengths.mean(), lengths.min(), lengths.max()))


def test_related_runs_are_counted() -> None:
    related = answer().related
    assert related is not None
    row = table("Related pairs", answer()).rows[0]
    across, within = related.across, related.within
    expected = (
        len(across),
        int((across == within).sum()),
        int(((across == within) & (across != 0)).sum()),
        int(((across != 0) & (within == 0)).sum()),
        int(((across == 0) & (within != 0)).sum()),
        int(((across == 0) & (within == 0)).sum()),
        int((across * within < 0).sum()),
    )
    assert row == ("AP", *expected)
    sentence = next(one for one in findings([answer()]) if "models of related runs" in one)
    assert f"decide {expected[1]} of {expected[0]} related pairs" in sentence


def test_pairs_have_every_split() -> None:
    found, shown = answer().found, pair_table([answer()])
    records = shown.records()
    assert len(records) == 28
    for i, record in enumerate(records):
        signs = [one.direction[i] if one.p[i] <= 0.05 else 0 for one in found.inferences]
        assert [record[f"decision_{j}"] for j in range(1, 6)] == signs
        assert [record[f"p_{j}"] for j in range(1, 6)] == [one.p[i] for one in found.inferences]
        names = {1: record["first"], -1: record["second"], 0: "neither"}
        assert record["decision"] == names[int(found.decided()[i])]
        few = 5 - max(Counter(signs).values())
        assert record["agreement"] == f"{few}:{5 - few}"
        assert answer().tests is not None
        assert record["p of paired t"] == answer().tests.test("paired t").p[i]  # type: ignore[union-attr]


def test_findings_are_the_numbers_of_the_study() -> None:
    found = result()
    told = " ".join(findings([Answer(found, "double")]))
    n = int((found.p.max(axis=0) <= 0.05).sum())
    assert f"In AP, {n} of 28 pairs of systems differ" in told
    assert "by 5 random splits of the documents into 2 parts together (rule 'all'" in told
    disagreed = 28 - hand_levels(found, 0.05)[0]
    assert f"do not all decide alike on {disagreed} pair" in told
    counts = [int((one.p <= 0.05).sum()) for one in found.inferences]
    assert f"single splits tell {min(counts)} to {max(counts)} of 28 apart" in told
    assert "In AP, no pair is significant in opposite directions" in told
    assert "other documents on these same topics; they say nothing of other topics" in told
    assert "not valid" not in told


def test_the_method_line_says_all_that_was_chosen() -> None:
    text = method([Answer(result(), "single")])
    for part in (
        "5 random splits of the documents into 2 parts",
        "with interactions",
        "1,000 draws of residuals, seed 4",
        "Benjamini-Hochberg over all 28 pairs",
        "rule 'all'",
        "valid under any dependence",
        "α = 0.05",
        "population: documents (these topics, other documents)",
        "n = 8 systems × 15 topics",
        "redraws needed, no topic dropped",
        "fill resample",
        "systems kept: all",
        "score descending, ties by docno descending, scores in single precision",
    ):
        assert part in text, part


@pytest.mark.parametrize("name", ["majority", "median-p", "fisher", "harmonic"])
def test_rules_that_are_not_valid_are_told_with_one_that_is(name: str) -> None:
    told = " ".join(findings([Answer(replace(result(), rule=aggregation(name)), "double")]))
    assert "not valid under dependence" in told
    assert "'twice-median' is valid under any dependence" in told


def test_topics_that_are_drawn_change_what_is_covered() -> None:
    told = " ".join(findings([Answer(result(resample="topics"), "double")]))
    assert "Topics are drawn too. These differences hold for other topics and other documents." in told
    assert "population: both (other topics, other documents)" in told
    assert "draws of residuals and topics" in told


def test_one_split_says_what_it_cannot_say() -> None:
    told = findings([Answer(result(splits=1), "double")])
    assert any(one.startswith("One split says nothing of how much AP depends on it") for one in told)
    assert not any(" together" in one or "opposite" in one for one in told)


def test_dropped_topics_and_redraws_are_told() -> None:
    dropped = partitions(simulated(6), "AP", splits=2, fill="drop", **FEW)
    names = list(dict.fromkeys(topic for split in dropped.splits for topic in split.dropped))
    assert 0 < len(names) <= 5
    assert f"0 redraws needed, topics dropped from some split: {', '.join(names)};" in method(
        [Answer(dropped, "double")]
    )
    counts = sorted(len(split.topics) for split in dropped.splits)
    assert f"n = 8 systems × {counts[0]} to {counts[1]} topics" in method([Answer(dropped, "double")])
    redrawn = partitions(simulated(6), "AP", splits=4, **FEW)
    again = sum(split.attempts for split in redrawn.splits) - 4
    assert again > 1
    assert f"{again} redraws needed, no topic dropped" in method([Answer(redrawn, "double")])


def test_pairs_in_opposite_directions_are_named() -> None:
    found = result()
    turned = list(found.inferences)
    sure = int(np.argmin(found.p.max(axis=0)))  # a pair that every split tells apart
    direction = turned[1].direction.copy()
    direction[sure] = -direction[sure]
    turned[1] = replace(turned[1], direction=direction)
    opposed = replace(found, inferences=tuple(turned))
    names = found.systems[found.first[sure]], found.systems[found.second[sure]]
    told = findings([Answer(opposed, "double")])
    assert any(
        f"1 pair is significant in opposite directions in different splits: {' and '.join(names)}." in one
        for one in told
    )


def test_densities_are_of_the_best_neighbours_that_overlap() -> None:
    found = result()
    better, worse = found.nearest
    place = found.systems.index(better)
    assert found.systems[place + 1] == worse
    for first in range(place):
        pair = (found.first == first) & (found.second == first + 1)
        assert found.p_single[0][pair] == [0.0]
    assert found.p_single[0][(found.first == place) & (found.second == place + 1)] > 0


def test_the_object_has_every_field() -> None:
    found = answer().found
    shown = json.loads(tables.to_json(partition_json([answer()], found.overlap(*found.nearest))))
    assert list(shown) == ["settings", "findings", "measures", "densities"]
    (one,) = shown["measures"]
    assert one["significant"] == int((found.combined_p() <= 0.05).sum())
    assert [pair["p_by_split"] for pair in one["pairs"]] == found.p.T.tolist()
    assert [pair["p_single_by_split"] for pair in one["pairs"]] == found.p_single.T.tolist()
    assert [pair["directions"] for pair in one["pairs"]] == found.directions.T.tolist()
    assert [split["effects"] for split in one["splits"]] == [each.effects.tolist() for each in found.inferences]
    assert one["splits"][0]["adjusted"]["low"] == found.inferences[0].adjusted.low.tolist()
    assert one["splits"][0]["topics"] == list(found.splits[0].topics)
    assert one["levels"][1]["alpha"] == 0.01
    assert one["levels"][0]["levels"][0] == {
        "level": "0:5",
        "minority": 0,
        "majority": 5,
        "pairs": hand_levels(found, 0.05)[0],
        "share": hand_levels(found, 0.05)[0] / 28,
    }
    assert {test["name"]: test["population"] for test in one["tests"]["tests"]}["paired t"] == "topics"
    assert [len(model["plain"]["low"]) for model in one["lengths"]["models"]] == [8] * 4
    assert one["groups"]["outcomes"] == answer().related.outcomes()  # type: ignore[union-attr]
    assert len(shown["densities"]["densities"][0]) == 400
    assert shown["settings"]["aggregate"]["is_valid"] is True
