from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from irgauge.errors import InputError
from irgauge.files.made import Made
from irgauge.provenance import package_versions
from irgauge.reading.collection import Collection
from irgauge.reporting.report import Report, report
from irgauge.reporting.sections import sections
from irgauge.scoring.scores import Scores
from irgauge.show.figure import Figure
from irgauge.show.html import render
from irgauge.show.page import Page, Panel, Variant
from irgauge.show.saving import to_json
from irgauge.show.table import Table
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.report_part import BEST

FEW: dict[str, Any] = {"shards": "even:3", "resamples": 2, "images": 10}
DESIGN = Design(systems=6, families=3, topics=10, depth=60, corpus_size=500, relevant_median=20, seed=4)
MANY = Design(systems=45, families=5, topics=8, depth=40, corpus_size=400, relevant_median=15, seed=6)
KEYS = [
    "data",
    "systems",
    "compare",
    "topics",
    "measures",
    "anova",
    "robustness",
    "partitions",
    "bootstrap",
    "pools",
    "instances",
    "plan",
]
BY_NAME = "{algorithm}-{instance}"


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("simulated")
    simulate(DESIGN).write(folder)
    data = (folder / "qrels.txt", folder / "runs")
    return report(data, ["AP", "nDCG@10", "nDCG@5"], pattern=BY_NAME + ".run", **FEW)


@pytest.fixture(scope="module")
def page(result: Report) -> Page:
    return result.page


@pytest.fixture(scope="module")
def many() -> Page:
    return report(simulate(MANY).collection(), ["AP"], **FEW).page


def panels(page: Page) -> dict[str, Panel]:
    found = page.panels
    assert len({panel.key for panel in found}) == len(found)
    return {panel.key: panel for panel in found}


def variants(page: Page) -> Iterator[tuple[str, Variant]]:
    return ((key, variant) for key, panel in panels(page).items() for variant in panel.variants)


def values(panel: Panel, name: str) -> list[str]:
    return list(dict.fromkeys(dict(variant.choices)[name] for variant in panel.variants))


def figure_of(panel: Panel, place: int = 0) -> Figure:
    figure = panel.variants[place].figure
    assert figure is not None
    return figure


def table_of(panel: Panel, place: int = 0) -> Table:
    table = panel.variants[place].table
    assert table is not None
    return table


def rows_of(figure: Figure) -> list[dict[str, Any]]:
    """All data of a chart."""
    return [row for rows in figure.to_dict()["datasets"].values() for row in rows]


def test_sections_stand_in_the_order_of_the_questions(page: Page) -> None:
    assert [section.key for section in page.sections] == KEYS
    assert all(section.reason is None and section.panels for section in page.sections)
    assert {claim.section for claim in page.claims} <= set(KEYS)


def test_what_makes_scores_vary_and_how_much_is_one_section(page: Page) -> None:
    (section,) = [section for section in page.sections if section.key == "anova"]
    assert section.panels[0].key == "main-effects"
    assert {"effect-sizes", "effect-table", "effect-curves"} < {panel.key for panel in section.panels}
    kinds = [finding.kind for finding in section.told]
    assert (kinds[0], kinds[-1]) == ("variance-shares", "omega2")


def test_every_panel_is_described_and_has_forms(page: Page) -> None:
    for panel in panels(page).values():
        assert re.fullmatch("[a-z-]+", panel.key)
        assert panel.title
        assert panel.caption
        assert len(panel.alternative) > 10
        assert panel.variants
        assert len({variant.choices for variant in panel.variants}) == len(panel.variants)
        assert all(variant.figure is not None or variant.table is not None for variant in panel.variants)


def test_every_figure_and_table_says_how_it_was_computed(page: Page) -> None:
    for key, variant in variants(page):
        if variant.figure is not None:
            assert variant.figure.method, key
            assert variant.figure.alternative, key
        elif key not in ("data", "runs", "order", "replicates", "check"):  # counts of what was read
            assert variant.provenance, key


def test_measures_and_populations_can_be_switched(page: Page) -> None:
    for key in ("systems", "pairs-map", "pairs", "mean-boxes", "rank-boxes"):
        assert values(panels(page)[key], "measure") == ["AP", "nDCG@10", "nDCG@5"]
        assert set(values(panels(page)[key], "population")) == {"documents", "topics", "both"}
    assert values(panels(page)["interactions"], "interaction") == ["topic:system", "system:shard", "topic:shard"]
    assert "effect-curves" in panels(page)  # nDCG has two cut-offs


def test_all_charts_are_valid(page: Page) -> None:
    for _, variant in variants(page):
        if variant.figure is not None:
            variant.figure.altair().to_dict()  # altair checks it


def test_tables_hold_the_numbers_of_the_studies(page: Page, result: Report) -> None:
    found = result.ran["compare"].results[0].first
    table = table_of(panels(page)["systems"])
    assert table.column("system") == list(found.comparison.systems)
    assert table.column("mean") == found.comparison.means.tolist()
    near = table_of(panels(page)["neighbours"])
    matrix = found.under("topics").p_matrix
    assert near.column("p_adjusted_topics") == [matrix[i, i + 1] for i in range(5)]
    place = values(panels(page)["pairs"], "population").index("topics")
    assert len(table_of(panels(page)["pairs"], place).rows) == 15
    variant = panels(page)["pairs"].variants[place]
    assert variant.provenance is not None
    assert variant.provenance["population"] == "topics"


def test_of_many_systems_charts_show_the_best_and_tables_all(many: Page) -> None:
    found = panels(many)
    for key in ("answer", "mean-boxes", "rank-boxes", "models"):
        assert values(found[key], "systems") == [f"best {BEST}", "all"]
        best, everyone = figure_of(found[key]), figure_of(found[key], 1)
        for figure, count in ((best, BEST), (everyone, 45)):
            assert len({row["system"] for row in rows_of(figure) if "rank" in row}) == count
        assert f"Shown: the best {BEST} of 45 systems." in best.caption
        assert best.title == everyone.title
    for key in ("systems", "mean-table", "image-systems"):
        assert len(table_of(found[key]).rows) == 45
    assert len(table_of(found["neighbours"]).rows) == 44


def test_of_many_systems_the_best_are_drawn_and_all_pairs_stand_in_the_table(many: Page) -> None:
    figure = figure_of(panels(many)["pairs-map"])
    assert len(rows_of(figure)) == BEST * (BEST - 1) // 2
    assert "all 990 pairs" in figure.method
    assert len(table_of(panels(many)["pairs"]).rows) == 990
    facts = panels(many)["pairs"].variants[0].provenance
    assert facts is not None
    assert facts["family"] == "all 990 pairs"


def test_of_many_systems_the_partition_of_the_best_is_drawn_and_the_table_has_all(many: Page) -> None:
    figure = figure_of(panels(many)["partition-agreement"])
    assert len(rows_of(figure)) == BEST * (BEST - 1) // 2
    assert "all 990 pairs" in figure.method
    assert len(table_of(panels(many)["partition-pairs"]).rows) == 990


def test_of_many_lines_the_best_are_shown(many: Page) -> None:
    lines = {row["line"] for row in rows_of(figure_of(panels(many)["interactions"]))}
    assert len(lines) == BEST + 1  # and the mean


@pytest.mark.parametrize("kept", [[0], [0, 5]])
def test_one_or_two_systems_make_a_page(kept: list[int], collection: Collection) -> None:
    result = report(collection.only(kept), ["AP"], **FEW)
    by = {section.key: section for section in result.page.sections}
    absent = [key for key, section in by.items() if section.reason]
    compared = ["compare", "anova", "effects", "robustness", "partitions", "pools"]
    assert absent == ["data", *(compared if len(kept) == 1 else []), "instances", *(["plan"] if len(kept) == 1 else [])]
    if len(kept) == 1:
        assert "a comparison needs at least 2 topics and 2 systems" in str(by["compare"].reason)
        assert "rank-boxes" not in panels(result.page)
        assert result.page.title == "How good is it?"
    assert "mean-boxes" in panels(result.page)
    json.loads(to_json(result.to_dict()))
    render(result.page)


def test_one_topic_makes_a_page() -> None:
    single = simulate(Design(systems=4, families=2, topics=1, depth=60, corpus_size=500, seed=1)).collection()
    by = {section.key: section for section in report(single, ["AP"], **FEW).page.sections}
    assert "2 topics" in str(by["compare"].reason)
    assert any("Drawing topics, both: one topic" in sentence for sentence in by["bootstrap"].texts)


def test_without_shards_the_reason_stands_in_its_place(collection: Collection) -> None:
    page = report(collection, ["AP"], shards=None, images=4).page
    by = {section.key: section for section in page.sections}
    assert "no shards were asked for" in str(by["robustness"].reason)
    assert "cover other topics only" in by["compare"].texts[-1]
    assert by["anova"].panels[0].key == "main-effects"
    assert "guarded t-test" in dict(page.methods)["Comparison of systems"]
    assert not any("Satterthwaite" in reference for reference in page.references)


def test_ten_measures_make_a_page(collection: Collection) -> None:
    ten = ["AP", "RR", "Rprec", "P@5", "P@10", "nDCG", "nDCG@5", "nDCG@10", "RBP", "Bpref"]
    made = report(collection.only([0, 1, 2]), ten, shards="even:2", resamples=1, images=4).page
    for key in ("answer", "partition-effects", "pool-images"):
        assert len(values(panels(made)[key], "measure")) == 10
    counts = [sum(claim.finding.measure == name for claim in made.claims) for name in [*ten, None]]
    assert max(counts[:-1]) <= 12
    assert counts[-1] == 3


def test_all_signs_of_tables_can_be_set_in_latex(page: Page) -> None:
    for key, variant in variants(page):
        if variant.table is not None:
            assert variant.table.to_latex().isascii(), key


def test_methods_name_seeds_versions_and_sources(page: Page) -> None:
    texts = dict(page.methods)
    assert "even:3, seed 0" in texts["Comparison of systems"]
    assert "10 bootstrap images" in texts["Precision of measures"]
    assert f"numpy {package_versions()['numpy']}" in texts["Reproduction"]
    assert "10 bootstrap images" in texts["Shallow pools"]
    assert "11 times" in texts["Partition method"]
    assert "variances of each algorithm by its mean squares" in texts["Instances of random algorithms"]
    tests = "Hall|Holm|Banerjee|Ferro and Sanderson|Kim|Zobel|Voorhees|Satterthwaite|Jayasinghe|Kendall"
    plans = "Kupper|Brennan|Urbano|Arteaga"
    cited = set(re.findall(f"({tests}|{plans})", " ".join(texts.values())))
    assert len(cited) == 14
    for name in cited:
        assert any(name.split()[0] in reference for reference in page.references)
    assert len(set(page.references)) == len(page.references) == 15  # Urbano for plans, and for ties in τ_AP


def test_settings_name_files_choices_and_versions(page: Page) -> None:
    settings = page.settings
    assert str(settings["judgments"]).endswith("qrels.txt")
    assert settings["pattern of instances"] == ["{algorithm}-{instance}.run"]
    assert (settings["seed"], settings["shards"], settings["images"]) == (0, "even:3", 10)
    assert "11 random splits" in str(settings["partition AP"])
    assert settings["versions"] == package_versions()


def test_partitions_pools_and_instances_are_those_of_the_studies(page: Page, result: Report) -> None:
    divided, compared = (result.ran[name].results[1] for name in ("partition", "instances"))
    closest = result.ran["pools"].results[0]
    keys = ("partition-pairs", "instance-differences", "pool-table")
    pairs, differences, pool = (table_of(panels(page)[key], 1) for key in keys)  # by nDCG@10
    assert pairs.column("p_adjusted") == divided.first.splits.combined_p().tolist()
    assert differences.column("verdict") == list(compared.verdicts)
    assert pool.column("p") == closest.pairs[0].root_p[1].tolist()


def test_sections_say_what_they_compare(page: Page, many: Page) -> None:
    by = {section.key: section for section in page.sections}
    assert "Compared are the best 5 of 6 systems by AP, pair by pair" in by["pools"].texts[0]
    assert any("all other sections take each run as a system of its own" in text for text in by["instances"].texts)
    assert "`irgauge partition` tests it" in by["partitions"].texts[0]
    assert {section.key: section for section in many.sections}["instances"].reason is not None


def test_no_word_of_the_page_is_of_the_command_line_or_of_old(page: Page, many: Page) -> None:
    for made in (page, many):
        texts = [claim.text + claim.method for claim in made.claims] + [text for _, text in made.methods]
        for section in made.sections:
            texts += [*section.texts, section.reason or "", section.title]
            texts += [panel.title + panel.caption for panel in section.panels]
        for _, variant in variants(made):
            texts += [variant.table.title, variant.table.caption] if variant.table is not None else []
            texts += [variant.figure.title, *variant.figure.caption] if variant.figure is not None else []
        for text in texts:
            assert not re.search(r"(^|\s)--[a-z]|told apart|told from|cannot be told|[Nn]ot one of", text), text


def test_results_hold_every_pair_and_every_claim(page: Page, result: Report) -> None:
    shown = json.loads(to_json(result.to_dict()))
    assert list(shown["studies"]) == list(sections())
    found = {name: one["results"] for name, one in shown["studies"].items()}
    assert len(shown["claims"]) == len(page.claims)
    comparison = result.ran["compare"].results[0].first.under("both")
    assert found["compare"][0]["pairs"]["both"]["p_adjusted"] == comparison.p_adjusted.tolist()
    assert found["plan"][0]["here"]["topics"] == 10
    assert shown["settings"]["versions"]["irgauge"]
    assert found["instances"][0]["model"] == "nested"
    assert [len(one["pairs"]) for one in found["pools"]] == [1, 10]
    assert "topics" not in found["bootstrap"][0]
    assert shown["studies"]["check"]["missing"] == {}
    assert shown["without_shards"] is None


def test_leads_are_sentences(page: Page) -> None:
    assert all(sentence.endswith((".", ":")) for one in page.sections for sentence in one.texts)


def test_settings_say_when_by_what_and_of_which_files(result: Report, page: Page) -> None:
    shown, full = page.settings, json.loads(to_json(result.to_dict()))["settings"]
    assert shown["command"] == "from Python"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(shown["made at"]))
    assert abs(datetime.fromisoformat(str(shown["made at"])) - datetime.now(UTC)) < timedelta(hours=2)
    digits = full["sha256 of files"]
    assert set(digits) == {str(result.source["judgments"]), *result.reporting.bench.collection.origins}
    assert digits == {path: hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in digits}
    assert shown["sha256 of files"] == {path: digits[path][:16] for path in digits}


def test_what_is_no_file_has_no_fingerprint(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"abc")
    names = ["-", str(tmp_path / "pipe"), str(tmp_path), str(tmp_path / "none"), str(tmp_path / "file")]
    files = Made().of(names).hashed().files
    assert [files[name] for name in names] == [None] * 4 + [hashlib.sha256(b"abc").hexdigest()]


def test_pages_made_at_the_same_time_are_the_same(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "946684800")
    first, second = (report(collection, ["AP"], **FEW) for _ in range(2))
    assert first.page.settings["made at"] == "2000-01-01T00:00:00Z"
    assert first.to_html() == second.to_html()


@pytest.mark.parametrize("given", ["soon", "1e5", "9" * 30])
def test_a_time_that_is_none_is_refused(given: str, collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH"):
        report(collection, ["AP"], **FEW)


def test_tables_have_fingerprints(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("topic,system,AP\n" + "".join(f"{t},{s},0.{t}{s}\n" for t in range(1, 6) for s in (1, 2)))
    found = report(Scores.load(path))
    assert found.made.files == {str(path): hashlib.sha256(path.read_bytes()).hexdigest()}
