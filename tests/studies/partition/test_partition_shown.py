"""Tables, sentences and the object of the partition method, against the study and against counts by hand."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from conftest import Golden
from irgauge import Collection, load
from irgauge.inference.aggregation import aggregation
from irgauge.show.finding import Finding
from irgauge.show.table import Table
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition.findings import findings
from irgauge.studies.partition.lengths import RelatedRuns
from irgauge.studies.partition.side_by_side import SideBySide
from irgauge.studies.partition.splits import Splits, alphas
from irgauge.studies.partition.study import OfMeasure, Partitioned, partition

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
def result(measure: str = "AP", **options: Any) -> Splits:  # noqa: ANN401  # of partition
    return partition(simulated(), measure, **{"splits": 5, **FEW, **options}).first.splits


@cache
def answer() -> Partitioned:
    """All that can be asked."""
    groups = {system: system.split("-")[0] for system in simulated().systems}
    asked: dict[str, Any] = {"tests": True, "lengths_of": (2, 3), "groups": groups, "skip_singles": True}
    return partition(simulated(), "AP", splits=5, **asked, **FEW)


def found() -> Splits:
    return answer().first.splits


def side_by_side() -> SideBySide:
    tests = answer().first.tests
    assert tests is not None
    return tests


def related() -> RelatedRuns:
    own = answer().first.related
    assert own is not None
    return own


def of(*splits: Splits) -> Partitioned:
    return Partitioned(tuple(map(OfMeasure, splits)), None)


def told(*splits: Splits) -> dict[str, Finding]:
    """What is found, by kind."""
    return {finding.kind: finding for finding in findings(of(*splits))}


def text_of(*splits: Splits) -> str:
    return " ".join(finding.text for finding in findings(of(*splits)))


def table(name: str) -> Table:
    return answer().table(name)


def hand_levels(of: Splits, alpha: float) -> Counter[int]:
    """The pairs at each level of disagreement, counted one by one."""
    counted: Counter[int] = Counter()
    for pair in range(len(of.first)):
        said = Counter(
            one.direction[pair] if one.p_adjusted[pair] <= alpha else 0  # the two directions are two decisions
            for one in of.inferences
        )
        counted[len(of.inferences) - max(said.values())] += 1
    return counted


def test_levels_are_the_one_asked_for_and_those_of_the_paper() -> None:
    assert alphas(0.05) == (0.05, 0.01)
    assert alphas(0.01) == (0.01, 0.05)
    assert alphas(0.2) == (0.2, 0.05, 0.01)


def test_splits_have_their_counts() -> None:
    records = table("splits").records()
    assert [record["split"] for record in records] == [1, 2, 3, 4, 5]
    assert [record["attempts"] for record in records] == [split.attempts for split in found().splits]
    for record, inference in zip(records, found().inferences, strict=True):
        strict = int((inference.p_adjusted <= 0.01).sum())
        loose = int((inference.p_adjusted <= 0.05).sum())
        shown = [record[name] for name in ("significant_0.05", "share_0.05", "significant_0.01", "share_0.01")]
        assert shown == [loose, loose / 28, strict, strict / 28]


def test_levels_of_disagreement_are_those_counted_by_hand() -> None:
    *records, total = table("disagreement").records()
    assert [record["splits"] for record in records] == ["0:5", "1:4", "2:3"]
    for alpha in (0.05, 0.01):
        counted = hand_levels(found(), alpha)
        assert [record[f"significant_{alpha:g}"] for record in records] == [counted[few] for few in range(3)]
        assert total[f"significant_{alpha:g}"] == 28 - counted[0]
    assert total["splits"] == "all disagreements"


def test_two_measures_stand_in_the_same_tables() -> None:
    both = partition(simulated(), ["AP", "P@10"], splits=5, **FEW)
    assert [one.name for one in both.tables()] == ["splits", "disagreement", "systems", "pairs"]
    assert both.table("systems").column("measure") == ["AP"] * 8 + ["P@10"] * 8
    assert both.table().is_main
    assert len(both.frame()) == 56
    kinds = [finding.kind for finding in both.findings()]
    assert (kinds.count("pairs"), kinds.count("covers"), kinds.count("spread")) == (2, 1, 1)
    assert [finding.measure for finding in both.findings().of("pairs")] == ["AP", "P@10"]
    for alone in (result(), result("P@10")):  # each as if it were alone
        np.testing.assert_array_equal(both.of(alone.measure).splits.p_adjusted, alone.p_adjusted)


def test_one_measure_is_named_by_the_titles() -> None:
    assert all(one.title.endswith("(AP)") and "measure" not in one.names for one in answer().tables())


def test_systems_have_plain_and_adjusted_intervals() -> None:
    first = found().inferences[0]
    for i, record in enumerate(table("systems").records()):
        assert record["system"] == found().systems[i]
        assert record["effect"] == first.effects[i]
        shown: list[Any] = [record[name] for name in ("plain_low", "plain_high", "adjusted_low", "adjusted_high")]
        assert shown == [first.plain.low[i], first.plain.high[i], first.adjusted.low[i], first.adjusted.high[i]]
        assert shown[2] <= shown[0] <= first.effects[i] <= shown[1] <= shown[3]


def test_the_top_group_is_the_best_and_those_that_it_is_not_better_than() -> None:
    own = found()
    largest = own.p_adjusted.max(axis=0)  # the rule is all
    others = [own.systems[j] for j in range(1, 8) if largest[(own.first == 0) & (own.second == j)][0] > 0.05]
    assert list(own.top_group) == [own.systems[0], *others]
    marked = [record["system"] for record in table("systems").records() if record["is_top"]]
    assert marked == [own.systems[0], *others]
    assert told(own)["top"].fields["others"] == tuple(others)


def test_tests_name_their_correction_and_population() -> None:
    records = table("tests").records()
    assert [record["test"] for record in records] == [
        "unpaired t",
        "paired t",
        "randomization, one-sided",
        "randomization, two-sided",
        "2 parts",
        "3 parts",
        "MD6 on 2 parts, Tukey",
        "MD6 on 2 parts, BH",
        "MD6 on 3 parts, Tukey",
        "MD6 on 3 parts, BH",
        "5 splits of 2 parts, all",
    ]
    cells = [(record["correction"], record["population"]) for record in records]
    assert set(cells[:4]) == {("none", "topics")}
    assert {cells[place] for place in (4, 5, 7, 9, 10)} == {("Benjamini-Hochberg", "documents")}
    assert cells[6] == cells[8] != cells[7]
    assert records[-1]["significant_0.05"] == int((found().combined_p() <= 0.05).sum())
    assert [(test.kind, test.parts) for test in side_by_side().tests[3:]] == [
        ("topics", None), ("split", 2), ("split", 3), *[("model", 2)] * 2, *[("model", 3)] * 2, ("splits", 2)
    ]  # fmt: skip


def test_tests_are_told_as_counts() -> None:
    finding = answer().findings().of("tests")[0]
    counts = [int((test.p_adjusted <= 0.05).sum()) for test in side_by_side().tests]
    assert list(finding.fields["counts"].values()) == counts
    assert finding.population == "topics and documents"
    assert f"{min(counts)} (" in finding.text
    assert "gives p ≤ α to the fewest pairs in AP" in finding.text


def test_lengths_go_by_parts_and_model() -> None:
    shown = answer().first.lengths
    assert shown is not None
    records = table("lengths").records()
    assert [(record["parts"], record["model"]) for record in records] == [
        (parts, f"{model} interactions") for parts in (2, 3) for model in ("without", "with")
    ]
    for record, one in zip(records, shown.models, strict=True):
        for name, interval in (("plain", one.plain), ("adjusted", one.adjusted)):
            lengths = interval.high - interval.low
            cells = [record[key] for key in (name, f"{name}_shortest", f"{name}_longest")]
            assert cells == pytest.approx([lengths.mean(), lengths.min(), lengths.max()])
    means = [one.lengths[1].mean for one in shown.models]
    assert answer().findings().of("lengths").texts() == [
        f"The adjusted 95 % intervals of effects in AP have a mean length of {means[1]:.3f} with and {means[0]:.3f} "
        f"without interactions in 2 parts, of {means[3]:.3f} with and {means[2]:.3f} without interactions in 3 parts."
    ]


def test_related_runs_are_counted() -> None:
    across, within = related().across, related().within
    expected = {
        "related_pairs": len(across),
        "decided_alike": int((across == within).sum()),
        "both": int(((across == within) & (across != 0)).sum()),
        "across_only": int(((across != 0) & (within == 0)).sum()),
        "within_only": int(((across == 0) & (within != 0)).sum()),
        "neither": int(((across == 0) & (within == 0)).sum()),
        "opposite": int((across * within < 0).sum()),
    }
    assert table("related-pairs").records() == [expected]
    (sentence,) = answer().findings().of("related").texts()
    assert f"decide {expected['decided_alike']} of {expected['related_pairs']} related pairs" in sentence
    lengths = table("related-lengths").records()
    assert [record["plain"] for record in lengths] == [one.plain for one in related().lengths]


def test_the_frame_has_every_pair_and_every_split_as_numbers() -> None:
    own, frame = found(), answer().frame()
    by_split, by_test = answer().frame("by-split"), answer().frame("by-test")
    records = frame.to_dicts()
    assert len(records) == 28
    for i, record in enumerate(records):
        signs = [one.direction[i] if one.p_adjusted[i] <= 0.05 else 0 for one in own.inferences]
        pair = {"system": record["system"], "against": record["against"]}
        splits = by_split.filter(**pair)
        assert splits["split"].to_list() == [1, 2, 3, 4, 5]
        assert splits["decision"].to_list() == signs
        assert splits["p"].to_list() == [one.p[i] for one in own.inferences]
        assert splits["p_adjusted"].to_list() == [one.p_adjusted[i] for one in own.inferences]
        assert record["p_adjusted"] == own.combined_p()[i]
        assert record["verdict"] == {1: "better", -1: "worse", 0: "inconclusive"}[int(own.decided()[i])]
        assert record["ahead"] == {1: record["system"], -1: record["against"]}[int(own.direction[i])]
        assert record["minority"] == 5 - max(Counter(signs).values())
        for test in ("paired t", "3 parts"):
            assert by_test.filter(test=test, **pair)["p_adjusted"].item() == side_by_side().test(test).p_adjusted[i]


def test_the_table_of_pairs_names_who_is_better() -> None:
    own = found()
    for record, sign in zip(table("pairs").records(), own.decided().tolist(), strict=True):
        assert record["better"] == {1: record["system"], -1: record["against"], 0: "neither"}[sign]
    assert (
        table("pairs").title
        == f"{own.significant_count} of 28 pairs with an adjusted p ≤ 0.05 by all splits together (AP)"
    )


def test_findings_are_the_numbers_of_the_study(golden: Golden) -> None:
    own = result()
    n = int((own.p_adjusted.max(axis=0) <= 0.05).sum())
    by_kind = told(own)
    assert by_kind["pairs"].text == (
        f"In AP, {n} of 28 pairs of systems differ significantly ({round(100 * n / 28, 1):g} %) for other documents "
        "on these topics by 5 random splits of the documents into 2 parts together (rule 'all', every split rejects: "
        "the largest p-value), at α = 0.05 after correction over all pairs."
    )
    levels, counts = hand_levels(own, 0.05), [int((one.p_adjusted <= 0.05).sum()) for one in own.inferences]
    assert by_kind["agreement"].fields == {
        "measure": "AP",
        "splits": 5,
        "pairs": 28,
        "disagreements": 28 - levels[0],
        "worst_pairs": levels[max(levels)],
        "worst_minority": max(levels),
        "least": min(counts),
        "most": max(counts),
    }
    assert f"in single splits {min(counts)} to {max(counts)} of 28 pairs have p ≤ α" in by_kind["agreement"].text
    golden(by_kind["opposed"].text)
    golden(by_kind["covers"].text)
    assert by_kind["pairs"].population == by_kind["covers"].population == "documents"
    assert "rule" not in by_kind
    assert [one.tone for one in by_kind.values() if one.kind in ("spread", "pairs")] == ["finding", "note"]
    assert "over the parts of each topic" in by_kind["spread"].text
    assert by_kind["few-topics"].text.startswith("There are 15 topics")


def test_findings_with_the_papers_p_claim_no_error_rate(golden: Golden) -> None:
    by_kind = told(result(p="paper"))
    caution = "as in the paper: a ranking of evidence, not an error rate"
    assert by_kind["pairs"].text.endswith(f"(p {caution}).")
    golden(by_kind["covers"].text)
    assert by_kind["paper-p"].text.startswith(f"p is {caution}, and no rule for all splits together makes it one")
    assert "no rule" not in told(result(p="paper", splits=1))["paper-p"].text
    tones = {kind: by_kind[kind].tone for kind in ("paper-p", "resolution", "direction")}
    assert tones == {"paper-p": "warning", "resolution": "note", "direction": "note"}
    assert not {"spread", "few-topics", "rule"} & set(by_kind)


def test_no_sentence_names_an_option_of_the_command() -> None:
    assert "--" not in " ".join([*answer().findings().texts(), text_of(result(splits=1)), answer().to_text()])


def test_the_method_says_all_that_was_chosen() -> None:
    text = of(result()).provenance.text
    for part in (
        "5 random splits of the documents into 2 parts",
        "with interactions",
        "t-test of differences over parts; p of the difference of two systems, two-sided",
        "seed 4",
        "Benjamini and Hochberg's correction; family: all 28 pairs",
        "rule 'all'",
        "α = 0.05",
        "population: documents (these topics, other documents)",
        "8 systems × 15 topics",
        "0 redraws needed",
        "score descending, ties by docno descending, scores in double precision",
    ):
        assert part in text, part
    assert "1,000 draws" not in text
    for sides, name in ((1, "one"), (2, "two")):
        paper = result(p="paper", sides=sides).provenance.text
        assert "bootstrap ANOVA; p as in the paper: a ranking of evidence, not an error rate" in paper
        assert f"1,000 draws of residuals; {name}-sided p" in paper
    assert "without interactions" in result(interactions=False).provenance.text


@pytest.mark.parametrize("name", ["majority", "median-p", "fisher", "harmonic"])
def test_rules_that_are_not_valid_are_told_with_one_that_is(name: str) -> None:
    finding = told(replace(result(), rule=aggregation(name)))["rule"]
    assert finding.tone == "warning"
    assert finding.text.startswith(f"The rule '{name}' is not valid for splits that depend on each other: ")
    assert finding.text.endswith("'twice-median' is valid under any dependence.")


def test_topics_that_are_drawn_change_what_is_covered(golden: Golden) -> None:
    drawn = result(drawn="topics")
    golden(told(drawn)["covers"].text)
    assert ("drawing-topics" in told(drawn), "drawing-topics" in told(result())) == (False, True)
    text = drawn.provenance.text
    assert "population: both (other topics, other documents)" in text
    assert "t-test of differences over topics" in text
    assert "over the topics" in told(drawn)["spread"].text
    assert "draws of residuals and topics" in result(drawn="topics", p="paper").provenance.text


def test_one_split_says_what_it_cannot_say() -> None:
    by_kind = told(result(splits=1))
    assert by_kind["one-split"].text.startswith("One split says nothing of how much AP depends on it")
    assert not {"agreement", "opposed"} & set(by_kind)
    assert "together" not in by_kind["pairs"].text


def test_dropped_topics_and_redraws_are_told() -> None:
    dropped = partition(simulated(6), "AP", splits=2, fill="drop", **FEW).first.splits
    names = list(dict.fromkeys(topic for split in dropped.splits for topic in split.dropped))
    assert 0 < len(names) <= 5
    assert dropped.provenance["dropped"] == tuple(names)
    assert "redraws" not in dropped.provenance
    counts = sorted(len(split.topics) for split in dropped.splits)
    assert f"8 systems × {counts[0]} to {counts[1]} topics" in dropped.provenance.text
    redrawn = partition(simulated(6), "AP", splits=4, **FEW).first.splits
    again = sum(split.attempts for split in redrawn.splits) - 4
    assert again > 1
    assert f"{again} redraws needed" in redrawn.provenance.text
    assert "dropped" not in redrawn.provenance


def test_pairs_in_opposite_directions_are_named() -> None:
    own = result()
    turned = list(own.inferences)
    sure = int(np.argmin(own.p_adjusted.max(axis=0)))  # a pair that differs in every split
    direction = turned[1].direction.copy()
    direction[sure] = -direction[sure]
    turned[1] = replace(turned[1], direction=direction)
    names = own.systems[own.first[sure]], own.systems[own.second[sure]]
    assert told(replace(own, inferences=tuple(turned)))["opposed"].text == (
        f"In AP, 1 pair has p ≤ α in opposite directions in different splits: {' and '.join(names)}."
    )


def test_densities_are_of_the_closest_decision() -> None:
    shown = answer()
    own = shown.first.splits
    better, worse = own.closest
    ratio = np.abs(np.log(np.maximum(own.p_adjusted[0], 1e-300) / own.alpha))
    assert ratio[own.place(better, worse)] == ratio.min()
    assert {shown.densities.better, shown.densities.worse} == {better, worse}
    assert "nearest to α = 0.05" in shown.chart("densities").caption[-1]


def test_the_best_neighbours_that_overlap() -> None:
    own = result()
    better, worse = own.nearest
    place = own.systems.index(better)
    assert own.systems[place + 1] == worse
    for first in range(place):
        pair = (own.first == first) & (own.second == first + 1)
        assert own.p[0][pair] < 1e-4
    assert own.p[0][(own.first == place) & (own.second == place + 1)] >= 1e-4


def test_the_object_has_every_field() -> None:
    own = found()
    shown = json.loads(json.dumps(answer().to_dict()))
    assert list(shown) == ["study", "provenance", "findings", "aggregate", "measures", "densities"]
    (one,) = shown["measures"]
    assert one["significant"] == int((own.combined_p() <= 0.05).sum())
    assert [pair["p_adjusted_by_split"] for pair in one["pairs"]] == own.p_adjusted.T.tolist()
    assert [pair["p_by_split"] for pair in one["pairs"]] == own.p.T.tolist()
    assert [pair["directions"] for pair in one["pairs"]] == own.directions.T.tolist()
    assert [pair["minority"] for pair in one["pairs"]] == own.minority().tolist()
    assert [split["effects"] for split in one["splits"]] == [each.effects.tolist() for each in own.inferences]
    assert one["splits"][0]["adjusted"]["low"] == own.inferences[0].adjusted.low.tolist()
    assert one["splits"][0]["topics"] == list(own.splits[0].topics)
    assert one["levels"][1]["alpha"] == 0.01
    agreed = hand_levels(own, 0.05)[0]
    assert one["levels"][0]["levels"][0] == {"minority": 0, "majority": 5, "pairs": agreed, "share": agreed / 28}
    assert {test["name"]: test["population"] for test in one["tests"]["tests"]}["paired t"] == "topics"
    assert [len(model["plain"]["low"]) for model in one["lengths"]["models"]] == [8] * 4
    assert one["groups"]["outcomes"] == related().outcomes()
    assert len(shown["densities"]["density"]) == 400
    assert shown["aggregate"]["is_valid"] is True


@pytest.mark.parametrize("extension", ["json", "csv", "parquet", "md", "tex", "txt", "png", "svg"])
def test_results_are_saved(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"partition.{extension}"
    answer().save(path)
    if extension == "csv":
        assert pl.read_csv(path)["p_adjusted"].to_list() == found().combined_p().tolist()
    elif extension == "json":
        assert json.loads(path.read_text()).items() >= answer().to_dict().items()
    elif extension in ("md", "tex", "txt"):
        assert str(found().significant_count) in path.read_text()
    else:
        assert path.stat().st_size > 1000


def test_a_result_shows_itself_shortly_and_safely() -> None:
    assert len(repr(answer()).splitlines()) < 8
    assert repr(answer()).startswith("Partitioned:")
    runs = {
        f"<b>{name}": {topic: {doc: (i * 7 + j * (3 + i)) % 11 for j, doc in enumerate("abcdefgh")} for topic in "qr"}
        for i, name in enumerate("xy")
    }
    data = load({topic: {doc: int(doc < "e") for doc in "abcdefgh"} for topic in "qr"}, runs)
    shown = partition(data, "AP", splits=1, fill="drop")._repr_html_()
    assert "<b>x" not in shown
    assert "&lt;b&gt;x" in shown
