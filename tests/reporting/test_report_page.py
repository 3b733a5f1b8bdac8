from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import altair as alt
import pytest

from irgauge.present.page import Page, Panel, Section
from irgauge.present.report import render
from irgauge.present.report_methods import methods, package_versions, references
from irgauge.present.report_object import report_json
from irgauge.present.report_page import page_of
from irgauge.present.report_panels import BEST
from irgauge.present.report_sections import sections
from irgauge.present.tables import to_json, to_latex
from irgauge.reading.collection import Collection
from irgauge.replicates.labels import labelling
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.preflight import Preflight
from irgauge.studies.report import Missing, Report, Settings, report

SETTINGS = Settings(shards="even:3", resamples=2, images=10)
DESIGN = Design(systems=6, families=3, topics=10, depth=60, corpus_size=500, relevant_median=20, seed=4)
MANY = Design(systems=45, families=5, topics=8, depth=40, corpus_size=400, relevant_median=15, seed=6)
KEYS = ["data", "systems", "differences", "topics-needed", "effects", "robustness", "partitions"]
KEYS += ["precision", "pools", "instances"]
BY_NAME = labelling(pattern="{algorithm}-{instance}")


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def result(collection: Collection, preflight: Preflight) -> Report:
    return report(collection, preflight, ["AP", "nDCG@10", "nDCG@5"], SETTINGS, label=BY_NAME)


@pytest.fixture(scope="module")
def page(result: Report) -> Page:
    return page_of(result, {"judgments": "qrels.txt"})


@pytest.fixture(scope="module")
def many(preflight: Preflight) -> Page:
    return page_of(report(simulate(MANY).collection(), preflight, ["AP"], SETTINGS))


def panels(page: Page) -> dict[str, Panel]:
    found = [panel for section in page.sections for panel in section.panels]
    assert len({panel.key for panel in found}) == len(found)
    return {panel.key: panel for panel in found}


def values(panel: Panel, name: str) -> list[str]:
    return list(dict.fromkeys(dict(variant.choices)[name] for variant in panel.variants))


def rows_of(chart: alt.TopLevelMixin | None) -> list[dict[str, Any]]:
    """All data of a chart."""
    assert chart is not None
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def test_sections_stand_in_the_order_of_the_questions(page: Page) -> None:
    assert [section.key for section in page.sections] == KEYS
    assert all(section.reason is None and section.panels for section in page.sections if section.key != "topics-needed")
    assert {finding.section for finding in page.findings} <= set(KEYS)


def test_every_panel_is_described_and_has_forms(page: Page) -> None:
    for panel in panels(page).values():
        assert re.fullmatch("[a-z-]+", panel.key)
        assert panel.title
        assert panel.caption
        assert len(panel.alternative) > 10
        assert panel.variants
        assert len({variant.choices for variant in panel.variants}) == len(panel.variants)
        assert all((variant.chart is None) != (variant.table is None) for variant in panel.variants)


def test_measures_and_populations_can_be_switched(page: Page) -> None:
    for key in ("intervals", "systems", "pairs-map", "pairs", "mean-boxes", "rank-boxes"):
        assert values(panels(page)[key], "measure") == ["AP", "nDCG@10", "nDCG@5"]
        assert values(panels(page)[key], "population") == ["documents", "topics", "both"]
    assert values(panels(page)["interactions"], "interaction") == ["topic:system", "system:shard", "topic:shard"]
    assert "effect-curves" in panels(page)  # nDCG has two cut-offs


def test_all_charts_are_valid(page: Page) -> None:
    for panel in panels(page).values():
        for variant in panel.variants:
            if variant.chart is not None:
                variant.chart.to_dict()  # altair checks it


def test_tables_hold_the_numbers_of_the_studies(page: Page, result: Report) -> None:
    found = result.measures[0].significance
    assert not isinstance(found, Missing)
    table = panels(page)["systems"].variants[0].table
    assert table is not None
    comparison = found[0].comparison
    assert [row[1] for row in table.rows] == list(comparison.systems)
    assert [row[2] for row in table.rows] == comparison.means.tolist()
    near = panels(page)["neighbours"].variants[0].table
    assert near is not None
    assert len(near.rows) == 5
    place = near.columns.index("p, topics")
    matrix = found[1].comparison.p_matrix
    assert [row[place] for row in near.rows] == [matrix[i, i + 1] for i in range(5)]
    pairs = panels(page)["pairs"].variants[1].table
    assert pairs is not None
    assert len(pairs.rows) == 15
    assert "population: topics" in pairs.caption


def test_of_many_systems_charts_show_the_best_and_tables_all(many: Page) -> None:
    found = panels(many)
    for key in ("intervals", "mean-boxes", "rank-boxes", "models"):
        assert values(found[key], "systems") == [f"best {BEST}", "all"]
        best, everyone = found[key].variants[:2]
        for variant, count in ((best, BEST), (everyone, 45)):
            rows = [row for row in rows_of(variant.chart) if "rank" in row]
            assert len({row["system"] for row in rows}) == count
        title = best.chart.to_dict()["title"]  # type: ignore[union-attr]
        assert f"Shown: the best {BEST} of 45 systems" in " ".join(title["subtitle"]).replace("\u00a0", " ")
        assert title["text"] == everyone.chart.to_dict()["title"]["text"]  # type: ignore[union-attr]
    for key in ("systems", "means", "image-systems", "runs"):
        table = found[key].variants[0].table
        assert table is not None
        assert len(table.rows) == (45 if key != "runs" else 4)  # the check is of another collection
    near = found["neighbours"].variants[0].table
    assert near is not None
    assert len(near.rows) == 44


def test_of_many_systems_the_pairs_of_the_best_are_shown_and_the_family_stays(many: Page) -> None:
    chart = panels(many)["pairs-map"].variants[0].chart
    assert len(rows_of(chart)) == BEST * (BEST - 1) // 2
    title = chart.to_dict()["title"]  # type: ignore[union-attr]
    assert "all 990 pairs" in " ".join(title["subtitle"])
    assert f"of 435 pairs of the best {BEST} differ" in " ".join(title["text"])
    table = panels(many)["pairs"].variants[0].table
    assert table is not None
    assert len(table.rows) == 435
    assert "all 990 pairs" in table.caption


def test_of_many_lines_the_best_are_shown(many: Page) -> None:
    chart = panels(many)["interactions"].variants[0].chart
    lines = {row["line"] for row in rows_of(chart)}
    assert len(lines) == BEST + 1  # and the mean


@pytest.mark.parametrize("kept", [[0], [0, 5]])
def test_one_or_two_systems_make_a_page(kept: list[int], collection: Collection, preflight: Preflight) -> None:
    result = report(collection.only(kept), preflight, ["AP"], SETTINGS)
    made = page_of(result)
    by = {section.key: section for section in made.sections}
    absent = [key for key, section in by.items() if section.reason]
    compared = ["differences", "topics-needed", "effects", "robustness", "partitions", "pools"]
    assert absent == [*(compared if len(kept) == 1 else []), "instances"]
    if len(kept) == 1:
        assert "needs at least 2 systems" in str(by["differences"].reason)
        assert "rank-boxes" not in panels(made)
    assert "mean-boxes" in panels(made)
    json.loads(to_json(report_json(result, made)))


def test_numbers_of_one_are_not_plural(collection: Collection, preflight: Preflight) -> None:
    one = replace(preflight, systems=1, topics=1, relevant=1)
    alone = report(collection.only([0]), one, ["AP"], SETTINGS)
    assert sections(alone)[0].lead[0].startswith("1 system on 1 topic with 1 relevant document; the corpus has ")
    assert "1 system was scored" in dict(methods(alone))["Data and scores"]
    seen = replace(alone, documents=alone.corpus_size)
    assert sections(seen)[0].lead[0].endswith(" documents, all of them in runs and judgments.")


def test_tables_say_on_how_much_they_rest(page: Page) -> None:
    for key in ("populations", "neighbours", "pairs"):
        for variant in panels(page)[key].variants:
            assert variant.table is not None
            assert "n = 6 systems × 10 topics × 3 shards" in variant.table.caption
    for key in ("error-terms", "checks", "splits"):
        for variant in panels(page)[key].variants:
            assert variant.table is not None
            assert re.search(r"6 systems \(kept: all\) on 10 topics", variant.table.caption)


def test_tables_of_shallow_pools_name_their_measure(page: Page) -> None:
    for key, panel in panels(page).items():
        for variant in panel.variants:
            if key.startswith("pool-") and variant.table is not None:
                assert variant.table.title.endswith(f"({dict(variant.choices)['measure']})")


def test_all_signs_of_tables_can_be_set_in_latex(page: Page) -> None:
    for panel in panels(page).values():
        for variant in panel.variants:
            if variant.table is not None:
                assert to_latex(variant.table).isascii()


def test_one_topic_makes_a_page(preflight: Preflight) -> None:
    single = simulate(Design(systems=4, families=2, topics=1, depth=60, corpus_size=500, seed=1)).collection()
    result = report(single, preflight, ["AP"], SETTINGS)
    by = {section.key: section for section in page_of(result).sections}
    assert "2 topics" in str(by["differences"].reason)
    assert any("Drawing topics, both: one topic" in sentence for sentence in by["precision"].lead)


def test_without_shards_the_reason_stands_in_its_place(collection: Collection, preflight: Preflight) -> None:
    result = report(collection, preflight, ["AP"], Settings(shards=None, images=4))
    by = {section.key: section for section in sections(result)}
    assert "no shards were asked for" in str(by["robustness"].reason)
    assert "cover other topics only" in by["differences"].lead[0]
    assert by["effects"].panels[0].key == "main-effects"
    assert "MD1" in dict(methods(result))["Comparison of systems"]
    assert not any("Satterthwaite" in reference for reference in references(result))


def test_ten_measures_make_a_page(collection: Collection, preflight: Preflight) -> None:
    ten = ["AP", "RR", "Rprec", "P@5", "P@10", "nDCG", "nDCG@5", "nDCG@10", "RBP", "Bpref"]
    made = page_of(report(collection.only([0, 1, 2]), preflight, ten, Settings(shards="even:2", resamples=1, images=4)))
    for key in ("intervals", "partition-effects", "pool-images"):
        assert len(values(panels(made)[key], "measure")) == 10
    counts = [sum(finding.measure == name for finding in made.findings) for name in [*ten, None]]
    assert max(counts[:-1]) <= 12
    assert counts[-1] == 3


def test_methods_name_seeds_versions_and_sources(page: Page) -> None:
    texts = dict(page.methods)
    assert "even:3, seed 0" in texts["Comparison of systems"]
    assert "10 bootstrap images" in texts["Precision of measures"]
    assert f"numpy {package_versions()['numpy']}" in texts["Reproduction"]
    assert "10 bootstrap images" in texts["Shallow pools"]
    assert "11 times" in texts["Partition method"]
    assert "by REML" in texts["Instances of random algorithms"]
    authors = r"(Tukey|Ferro and Sanderson|Kim|Zobel|Voorhees|Satterthwaite|Jayasinghe)"
    cited = set(re.findall(authors, " ".join(texts.values())))
    assert len(cited) == 7
    for name in cited:
        assert any(name.split()[0] in reference for reference in page.references)
    assert page.settings["seed"] == 0
    assert page.settings["judgments"] == "qrels.txt"


def test_of_many_systems_the_partition_of_the_best_is_shown_and_the_family_stays(many: Page) -> None:
    chart = panels(many)["partition-agreement"].variants[0].chart
    assert len(rows_of(chart)) == BEST * (BEST - 1) // 2
    title = chart.to_dict()["title"]  # type: ignore[union-attr]
    caption = " ".join(title["subtitle"]).replace("\u00a0", " ")
    assert "Benjamini-Hochberg over all 990 pairs" in caption
    assert "n = 45 systems" in caption
    assert f"of the pairs of the best {BEST} systems" in " ".join(title["text"])
    table = panels(many)["partition-pairs"].variants[0].table
    assert table is not None
    assert len(table.rows) == 435
    assert "Benjamini-Hochberg over all 990 pairs" in table.caption
    assert "p_j" not in table.caption


def test_partitions_pools_and_instances_are_those_of_the_studies(page: Page, result: Report) -> None:
    divided, compared = result.measures[1].partitions, result.measures[1].instances
    assert not isinstance(divided, Missing)
    assert not isinstance(compared, Missing)
    assert not isinstance(result.pools, Missing)
    keys = ("partition-pairs", "instance-differences", "pool-table")
    pairs, differences, pool = (panels(page)[key].variants[1].table for key in keys)  # by nDCG@10
    assert pairs is not None
    assert [row[pairs.columns.index("p")] for row in pairs.rows] == divided.found.combined_p().tolist()
    assert differences is not None
    assert [row[-1] for row in differences.rows] == list(compared.found.verdicts)
    assert pool is not None
    assert [row[pool.columns.index("root p")] for row in pool.rows] == result.pools[0].pairs[0].root_p[1].tolist()


def test_sections_say_what_they_compare(page: Page, many: Page) -> None:
    by = {section.key: section for section in page.sections}
    assert "Compared are the best 5 of 6 systems by AP, pair by pair" in by["pools"].lead[0]
    assert "all other sections take each run as a system of its own" in by["instances"].lead[0]
    assert not any("--resample" in sentence for sentence in by["partitions"].lead)
    assert any("say nothing of other topics" in sentence for sentence in by["partitions"].lead)
    assert not any(sentence.startswith("Method") for sentence in by["partitions"].lead)
    assert any(" and the partition method (" in sentence for sentence in by["partitions"].lead)
    assert sum("justified" in sentence and "other documents" in sentence for sentence in by["precision"].lead) == 2
    assert {section.key: section for section in many.sections}["instances"].reason is not None


def test_of_many_topics_single_ones_are_not_drawn(result: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irgauge.present.report_pools._TOPICS", 9)
    assert "pool-topics" not in panels(page_of(result))


def test_results_hold_every_pair_and_every_finding(page: Page, result: Report) -> None:
    shown = json.loads(to_json(report_json(result, page)))
    first = shown["measures"][0]
    assert len(shown["findings"]) == len(page.findings)
    assert len(first["comparison"]["populations"]["both"]["pairs"]["p"]) == 15
    assert shown["settings"]["versions"]["irgauge"]
    assert first["topics_needed"]["topics"] == 10
    assert len(first["partitions"]["pairs"]["p"]) == 15
    assert len(first["partitions"]["splits"]) == 11
    assert first["instances"]["settings"]["model"] == "nested"
    assert [len(one["pairs"]) for one in shown["pools"]] == [1, 10]


def test_findings_of_further_measures_are_folded(page: Page) -> None:
    html = render(page)
    top = html[html.index('<section id="findings"') : html.index('<section id="section-data"')]
    assert re.findall(r"<summary>By (\S+) \((\d+) findings\)</summary>", top) == [
        (name, str(sum(finding.measure == name for finding in page.findings))) for name in ("nDCG@10", "nDCG@5")
    ]
    assert re.findall(r"<h3>(.*?)</h3>", top) == ["By AP", "By all measures"]
    assert re.findall(r"Copy finding (\d+)", top) == [str(n) for n in range(1, len(page.findings) + 1)]


def test_a_section_is_plain_data(page: Page) -> None:
    assert all(isinstance(section, Section) for section in page.sections)
    assert all(
        isinstance(sentence, str) and sentence.endswith((".", ":")) for one in page.sections for sentence in one.lead
    )
