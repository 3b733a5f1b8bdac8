"""Tables, charts, findings, files, the section and the command of a comparison, against its numbers."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from irgauge import Scores
from irgauge.errors import DesignError
from irgauge.inference import pairwise
from irgauge.inference.comparison import Comparison
from irgauge.models.anova import decompose
from irgauge.reading.collection import Collection
from irgauge.replicates.measured import Bench, Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.populations import COVERS
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.compare import STUDY, section
from irgauge.studies.compare.charts import CHARTS, pair_heatmap, system_intervals
from irgauge.studies.compare.findings import against_baseline, best, more_topics, topics_text
from irgauge.studies.compare.needed import PairNeeded
from irgauge.studies.compare.study import Compared, compare
from irgauge.studies.compare.tables import neighbour_table, pair_table
from irgauge.studies.reporting import Reporting

Irgauge = Callable[..., tuple[int, str, str]]
POPULATIONS = ("documents", "topics", "both")


@cache
def simulated(systems: int = 8) -> Collection:
    families = min(5, systems)
    design = Design(systems=systems, families=families, topics=10, depth=100, corpus_size=2000)
    return simulate(design).collection()


@cache
def on_shards(systems: int = 8) -> Compared:
    return compare(simulated(systems), "AP", shards="even:3", population="documents", seed=7)


@cache
def by_t(systems: int = 8) -> Compared:
    return compare(simulated(systems), "AP", test="t", correction="holm")


@cache
def with_baseline(systems: int = 8) -> Compared:
    return compare(simulated(systems), "AP", shards="even:3", baseline=simulated(systems).systems[-1])


RESULTS = {"shards": on_shards, "t": by_t, "baseline": with_baseline}


def rows_of(figure: Figure) -> list[dict[str, Any]]:
    """The largest of the inline data of a chart."""
    spec = figure.to_dict()
    json.dumps(spec, allow_nan=False)  # NaN is not JSON, and browsers refuse it
    datasets: list[list[dict[str, Any]]] = [list(rows) for rows in spec["datasets"].values()]
    return max(datasets, key=len)


# charts


def test_the_charts_are_those_that_the_study_names() -> None:
    assert list(CHARTS) == list(STUDY.charts)


DRAWN = [(name, of) for name in CHARTS for of in RESULTS if name != "models" or of != "t"]


@pytest.mark.parametrize("systems", [8, 2])
@pytest.mark.parametrize(("name", "of"), DRAWN)
def test_every_chart_is_drawn_and_captioned(name: str, of: str, systems: int) -> None:
    families = RESULTS[of](systems)
    figure = families.chart(name)
    svg = figure.to_svg()
    assert svg.startswith("<svg")
    assert "NaN" not in svg
    assert figure.title
    assert figure.alternative
    told = " ".join((*figure.caption, figure.method))
    assert "α = 0.05" in told
    assert "population: " in told
    assert f"{systems} systems" in told


@pytest.mark.parametrize(("name", "of"), DRAWN)
def test_where_systems_are_marked_the_others_fade(name: str, of: str) -> None:
    import vl_convert

    spec = RESULTS[of]().chart(name).to_dict()
    assert spec["params"] == [{"name": style.MARKED, "value": []}]
    faded = re.compile(r'opacity="0\.1(5|05)"')
    assert not faded.search(vl_convert.vegalite_to_svg(spec))
    spec["params"][0]["value"] = [simulated().systems[0]]  # the baseline is the last, and in all of its pairs
    assert faded.search(vl_convert.vegalite_to_svg(spec))


@pytest.mark.parametrize("population", POPULATIONS)
def test_intervals_are_those_of_the_result(population: str) -> None:
    rows = rows_of(on_shards().chart(population=population))
    kept = [one for one in on_shards().intervals[population] if one.population == population]
    assert {one.name for one in kept} == {"Tukey", "ANOVA"}
    assert len(rows) == 2 * 8
    for interval in kept:
        drawn = {row["system"]: row for row in rows if row["interval"] == interval.name}
        for i, system in enumerate(interval.systems):
            expected = interval.mean[i], interval.low[i], interval.high[i]
            assert (drawn[system]["mean"], drawn[system]["low"], drawn[system]["high"]) == expected


def test_systems_stand_best_first() -> None:
    tukey = [row for row in rows_of(on_shards().chart()) if row["interval"] == "Tukey"]
    assert [row["rank"] for row in tukey] == list(range(1, 9))
    assert tuple(row["system"] for row in tukey) == on_shards().comparison.systems
    means = [row["mean"] for row in tukey]
    assert means == sorted(means, reverse=True)


def test_the_top_group_is_marked_and_counted_in_the_title() -> None:
    figure, top = on_shards().chart(), on_shards().comparison.top_group
    marked = {row["system"] for row in rows_of(figure) if row["group"].startswith("top group")}
    assert marked == set(top)
    assert {row["group"] for row in rows_of(figure)} == {
        f"top group ({len(top)})",
        f"significantly below the best ({8 - len(top)})",
    }
    expected = f"{len(top) - 1} other system" if len(top) > 1 else "differs significantly from all others"
    assert expected in figure.title


def test_the_title_of_a_best_system_that_differs_from_all() -> None:
    one = on_shards().comparison
    clear = replace(one, p=np.zeros(28))
    title = system_intervals(on_shards(), clear).title
    assert title == f"The best of 8 systems in AP, {one.systems[0]}, differs significantly from all others"


def test_the_caption_says_what_the_marks_are_and_the_method_once() -> None:
    figure = on_shards().chart()
    assert figure.caption[0] == COVERS["documents"]
    told = " ".join((*figure.caption, figure.method))
    for part in (
        "Tukey's HSD test; family: all 28 pairs",
        "α = 0.05",
        "population: documents (these topics, other documents)",
        "model MD6",
        "shards even:3",
        "seed 7",
        "8 systems × 10 topics × 3 shards",
        "Dashed: lower end of the Tukey interval of the best",
    ):
        assert told.count(part) == 1


def test_the_caption_of_another_test_names_it_and_its_correction() -> None:
    told = " ".join((*by_t().chart().caption, by_t().chart().method))
    assert "Holm's correction" in told
    assert "t-test" in told
    assert "Dashed" not in told  # overlap of Tukey's bars says nothing of this test


def test_charts_of_the_best_systems_have_the_numbers_of_all() -> None:
    note = "Shown: the best 3 of 8 systems."
    for name in CHARTS:
        every, few = on_shards().chart(name), on_shards().chart(name, best=3)
        assert note in few.caption
        assert note not in every.caption
        drawn = [row for row in rows_of(every) if max(row.get("rank", 0), row.get("worse_rank", 0)) <= 3]
        assert sorted(map(str, rows_of(few))) == sorted(map(str, drawn))


def test_baseline_differences_have_the_sign_of_the_other_system() -> None:
    one = with_baseline().comparison
    means = dict(zip(one.systems, one.means.tolist(), strict=True))
    rows = rows_of(with_baseline().chart())
    assert [row["rank"] for row in rows] == list(range(1, 8))
    for row in rows:
        assert row["difference"] == pytest.approx(means[row["system"]] - means[str(one.baseline)])
        assert row["low"] <= row["difference"] <= row["high"]
        assert (row["low"] > 0 or row["high"] < 0) == (row["p"] <= 0.05)


def test_bands_keep_their_numbers_and_fixed_colours() -> None:
    figure = on_shards().chart("models")
    rows = rows_of(figure)
    assert {row["series"] for row in rows} == {"MD1", "MD2", "MD3", "MD6"}
    fit = decompose(on_shards().measured.values()).fit("MD6")
    half = pairwise.tukey(fit, simulated().systems, population="documents")
    drawn = {row["system"]: row["high"] - row["low"] for row in rows if row["series"] == "MD6"}
    width = (half.high - half.low)[0] / 2
    assert all(value == pytest.approx(width) for value in drawn.values())
    scale = figure.to_dict()["layer"][0]["encoding"]["color"]["scale"]
    assert scale == {"domain": list(dict.fromkeys(row["series"] for row in rows)), "range": _colours(rows)}
    assert "population: topics (MD1), documents (MD2, MD3, MD6)" in " ".join(figure.caption)


def _colours(rows: list[dict[str, Any]]) -> list[str]:
    return [style.MODELS[name] for name in dict.fromkeys(row["series"] for row in rows)]


def test_bands_need_shards() -> None:
    with pytest.raises(DesignError, match="intervals by model need runs and shards"):
        by_t().chart("models")


def test_every_pair_has_its_cell_and_its_class() -> None:
    one = on_shards().comparison
    rows = rows_of(on_shards().chart("pairs"))
    assert len(rows) == 28
    for pair, row in enumerate(rows):
        assert (row["better"], row["worse"]) == one.names[pair]
        assert (row["difference"], row["p"]) == (one.difference[pair], one.p[pair])
        assert (row["low"], row["high"]) == (one.low[pair], one.high[pair])
        bound = next((b for b in (0.001, 0.01, 0.05) if row["p"] <= b), None)
        assert row["class"] == ("p > 0.05: not significant" if bound is None else f"p ≤ {bound:g}")


def tukey_of(alpha: float) -> Comparison:
    return pairwise.tukey(on_shards().fit, simulated().systems, population="documents", alpha=alpha)


@pytest.mark.parametrize(("alpha", "classes"), [(0.05, 4), (0.01, 3), (0.001, 2), (0.0001, 2)])
def test_classes_of_p_go_up_to_alpha(alpha: float, classes: int) -> None:
    figure = pair_heatmap(tukey_of(alpha))
    domain = figure.to_dict()["encoding"]["color"]["scale"]["domain"]
    assert len(domain) == classes
    above = [row["class"] for row in rows_of(figure) if row["p"] > alpha]
    assert above
    assert set(above) == {domain[-1]}
    assert f"{tukey_of(alpha).significant_count} of 28 pairs" in figure.title


def test_infinite_bounds_are_null_in_the_data() -> None:
    endless = replace(on_shards().comparison, high=np.full(28, np.inf), low=np.full(28, np.nan))
    assert {(row["low"], row["high"]) for row in rows_of(pair_heatmap(endless))} == {(None, None)}


def test_many_systems_have_ranks_on_the_axis_and_no_limit_on_rows() -> None:
    rng = np.random.default_rng(5)
    values = rng.random((4, 120, 2)) + rng.random((1, 120, 1))
    fit = decompose(values).fit("MD6")
    figure = pair_heatmap(pairwise.tukey(fit, [f"s{i}" for i in range(120)], population="documents"))
    encoding = figure.to_dict()["encoding"]
    assert (encoding["x"]["field"], encoding["y"]["field"]) == ("better_rank", "worse_rank")
    assert len(rows_of(figure)) == 120 * 119 // 2
    assert "better" in [tip["field"] for tip in encoding["tooltip"]]


# findings


def test_the_best_is_told_for_each_population() -> None:
    told = on_shards().findings().of("best")
    assert [one.population for one in told] == [one.population for one in on_shards().comparisons]
    for one, finding in zip(on_shards().comparisons, told, strict=True):
        assert finding.measure == "AP"
        assert finding.fields == {
            "measure": "AP",
            "system": one.systems[0],
            "mean": one.means[0],
            "systems": 8,
            "over_shards": True,
            "others": one.top_group[1:],
            "population": one.population,
        }


def test_sentences_of_the_best() -> None:
    fields: dict[str, Any] = {
        "measure": "AP",
        "system": "x",
        "mean": 0.25,
        "over_shards": False,
        "population": "topics",
    }
    first = "By AP, x is the best of 3 systems (mean 0.250)"
    alone = best(**fields, systems=3, others=())
    assert alone.text == f"{first}, and for other topics it differs significantly from every other system."
    one = best(**fields, systems=3, others=("y",))
    assert one.text == f"{first}; for other topics 1 system does not differ significantly from it: y."
    two = best(**(fields | {"over_shards": True, "population": "both"}), systems=3, others=("y", "z"))
    assert two.text == (
        "By AP, x is the best of 3 systems (mean over topics and shards 0.250); for other topics and other documents "
        "2 systems do not differ significantly from it: y and z."
    )
    pair = best(**fields, systems=2, others=())
    assert pair.text.endswith("it differs significantly from the other.")


def test_kinds_of_findings() -> None:
    assert [one.kind for one in on_shards().findings()] == [
        *["best"] * 3,
        "coverage",
        "neighbours",
        "neighbours",
        on_shards().findings()[-1].kind,
    ]
    assert on_shards().findings()[-1].kind in ("topics-needed", "topics-enough")
    assert [one.kind for one in by_t().findings()] == ["best", "pairs", "neighbours"]
    assert {one.kind for one in with_baseline().findings()} == {"against-baseline"}
    assert {one.kind for one in on_shards(2).findings()} == {"best"}


def test_pairs_are_counted_by_what_they_cover() -> None:
    [coverage] = on_shards().findings().of("coverage")
    documents, topics, both = (on_shards().under(name).significant for name in POPULATIONS)
    assert coverage.fields["documents_only"] == (documents & ~topics).sum()
    assert coverage.text.startswith(
        f"Of 28 pairs of systems, {documents.sum()} differ significantly in AP for other documents on these topics; "
        f"{(documents & topics).sum()} of these differ for other topics too, and {(documents & ~topics).sum()} hold "
        "for other documents only"
    )
    assert coverage.text.endswith(f"; {both.sum()} differ for other topics and other documents together.")
    [pairs] = by_t().findings().of("pairs")
    assert pairs.text == (
        f"Of 28 pairs of systems, {by_t().comparison.significant_count} differ significantly in AP for other topics; "
        "without shards nothing is known of other documents."
    )


def test_systems_against_a_baseline_are_better_or_worse() -> None:
    one = with_baseline().comparison
    finding = next(iter(with_baseline().findings()))
    means = dict(zip(one.systems, one.means.tolist(), strict=True))
    assert finding.fields["baseline"] == one.baseline
    differ = {name for pair, found in zip(one.names, one.significant, strict=True) if found for name in pair}
    expected = {name for name in differ if means[name] > means[str(one.baseline)]}
    assert set(finding.fields["better"]) == expected
    assert set(finding.fields["worse"]) == differ - expected - {one.baseline}


def test_topics_needed_are_told() -> None:
    pairs = (PairNeeded("a", "b", 0.0, None), PairNeeded("a", "c", 1e-6, None), PairNeeded("a", "d", 0.1234, 12345))
    assert [topics_text(pair) for pair in pairs] == [
        "no number of topics",
        "more than 100,000 topics",
        "about 12,000 topics",
    ]
    told = more_topics(measure="AP", best="a", topics=50, first=pairs[0], last=pairs[2]).text
    assert told == (
        "To separate a, the best by AP, from the runner-up b (difference 0.0000) for other topics, no number of topics "
        "would be needed, and about 12,000 topics from the last of its top group, d (0.1234); there are 50."
    )
    alone = more_topics(measure="AP", best="a", topics=50, first=pairs[1], last=pairs[1]).text
    assert alone.endswith("more than 100,000 topics would be needed; there are 50.")


# tables and files


def test_tables_are_named_and_the_pairs_are_the_main_one() -> None:
    assert [table.name for table in on_shards().tables()] == ["systems", "populations", "pairs"]
    assert [table.name for table in by_t().tables()] == ["systems", "pairs"]
    assert on_shards().table().name == "pairs"
    with pytest.raises(DesignError, match="the table 'pair' is unknown; did you mean 'pairs'"):
        on_shards().table("pair")


def test_the_frame_has_the_pairs() -> None:
    one = on_shards().comparison
    frame = on_shards().frame()
    assert list(zip(frame["first"], frame["second"], strict=True)) == one.names
    np.testing.assert_array_equal(frame["p"], one.p)
    table = on_shards().table()
    assert table.column("p") == one.p.tolist()
    assert table.title == f"{one.significant_count} of 28 pairs differ significantly"


def test_pairs_of_the_best_systems() -> None:
    one = on_shards().comparison
    table = pair_table(one, 3)
    assert len(table.rows) == 3
    assert table.title.endswith("of 3 pairs of the best 3 systems differ significantly")
    assert table.column("p") == one.best(3).p.tolist()


def test_neighbours_have_their_p_for_each_population() -> None:
    table = neighbour_table(on_shards())
    assert len(table.rows) == 7
    for record in table.records():
        differ = [name for name in POPULATIONS if float(str(record[f"p_{name}"])) <= 0.05]
        assert record["differ"] == (", ".join(differ) or "no")


def test_json_has_every_number_in_full_precision(tmp_path: Path) -> None:
    on_shards().save(tmp_path / "compare.json")
    read = json.loads((tmp_path / "compare.json").read_text())
    one = on_shards().comparison
    assert (read["study"], read["measure"], read["model"]) == ("compare", "AP", "MD6")
    assert [row["p"] for row in read["pairs"]] == one.p.tolist()
    assert [row["mean"] for row in read["systems"]] == one.means.tolist()
    assert set(read["populations"]) == set(POPULATIONS)
    first = read["systems"][0]
    assert read["interval_width"] == pytest.approx(first["tukey_high"] - first["tukey_low"])
    assert read["provenance"]["population"] == "documents"
    assert [told["kind"] for told in read["findings"]] == [told.kind for told in on_shards().findings()]


@pytest.mark.parametrize("extension", ["json", "csv", "parquet", "md", "tex", "txt", "png", "svg", "pdf", "html"])
def test_results_are_saved(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"compare.{extension}"
    on_shards().save(path)
    starts = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "json": b"{", "md": b"- By AP", "txt": b"- By AP"}
    assert path.read_bytes().startswith(starts.get(extension, b""))
    assert path.stat().st_size > 1000
    if extension == "csv":
        assert pl.read_csv(path).equals(on_shards().frame())
    if extension == "parquet":
        assert pl.read_parquet(path).equals(on_shards().frame())


def test_the_result_shows_itself_shortly_and_safely() -> None:
    assert repr(on_shards()).startswith("Compared:\n- By AP, ")
    assert len(repr(on_shards())) < 1000
    table = Bench(simulated()).whole(parse_measures(["AP"]))
    hostile = Scores(
        table.values,
        table.measures,
        table.topics,
        ("<script>alert(1)</script>", "a\n|b_*", *table.systems[2:]),
        table.replicates,
    )
    found = compare(hostile)
    assert "<script" not in found._repr_html_()
    assert found._repr_html_().count("<img ") == 1
    assert "<script>" not in re.sub(r"\\<", "", found.to_text("markdown"))
    assert r"\textless{}script" in found.to_text("latex")


@pytest.mark.parametrize("width", [80, 120])
def test_text_fits_a_terminal(width: int) -> None:
    for result in (on_shards(), by_t(), with_baseline()):
        assert max(map(len, result.to_text(width=width).splitlines())) <= width


# the report


def test_the_section_of_a_report() -> None:
    measures = parse_measures(["AP", "P@5"])
    asked = Reporting(Bench(simulated(), measures), measures, shards="even:3")
    ran = section.run(asked)
    assert [found.measure for found in ran.results] == ["AP", "P@5"]
    made = section.section(ran, asked)
    keys = ["intervals", "populations", "systems", "neighbours", "pairs-map", "pairs", "models", "topics-needed"]
    assert [panel.key for panel in made.panels if panel.key in keys] == [panel.key for panel in made.panels]
    assert {"intervals", "populations", "pairs", "models"} <= {panel.key for panel in made.panels}
    by_population = next(panel for panel in made.panels if panel.key == "intervals").variants
    assert len(by_population) == 2 * 3
    assert [one.text for one in section.headline(ran.results[0])] == ran.results[0].findings().texts()
    assert [heading for heading, _ in section.methods(ran, asked)] == ["Comparison of systems", "Topics needed"]


def test_a_report_without_shards_says_what_it_covers() -> None:
    measures = parse_measures(["AP"])
    asked = Reporting(Bench(simulated(), measures), measures, shards=None, unsharded="no shards were asked for")
    ran = section.run(asked)
    made = section.section(ran, asked)
    assert made.lead[0].endswith("cover other topics only: no shards were asked for.")
    assert "models" not in {panel.key for panel in made.panels}
    assert "(MD1)" in dict(section.methods(ran, asked))["Comparison of systems"]


# the command


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def answer(run: Irgauge, *arguments: object) -> dict[str, Any]:
    """What a command gives as JSON."""
    code, out, _ = run(*arguments, "--format", "json")
    assert code == 0
    shown = json.loads(out)
    assert isinstance(shown, dict)
    return shown


def test_json_has_the_counts_the_systems_and_the_pairs(demo: Path, run: Irgauge) -> None:
    shown = answer(run, "compare", *paths(demo), "--shards", "even:3", "--population", "documents")
    pairs, systems = shown["pairs"], shown["systems"]
    assert len(pairs) == 6
    assert shown["significant"] == sum(pair["significant"] for pair in pairs)
    assert shown["not_significant"] == 6 - shown["significant"]
    assert [system["mean"] for system in systems] == sorted((system["mean"] for system in systems), reverse=True)
    assert shown["top_group"] == len(shown["top_group_systems"])
    assert shown["top_group_systems"][0] == systems[0]["system"]
    assert shown["interval_width"] == pytest.approx(systems[0]["tukey_high"] - systems[0]["tukey_low"])
    assert shown["provenance"]["population"] == "documents"
    assert set(shown["populations"]) == set(POPULATIONS)


def test_without_shards_it_is_the_classic_analysis(demo: Path, run: Irgauge) -> None:
    shown = answer(run, "compare", *paths(demo))
    assert (shown["model"], shown["provenance"]["population"]) == ("MD1", "topics")


@pytest.mark.parametrize("test", ["randomised-tukey", "t", "unpaired-t", "wilcoxon", "randomization"])
def test_the_command_takes_every_test(test: str, demo: Path, run: Irgauge) -> None:
    shown = answer(run, "compare", *paths(demo), "--test", test, "--draws", 20_000)
    told = shown["provenance"]
    assert (told["test"], told["population"]) == (pairwise.TESTS[test].title, "topics")
    assert told["correction"] == {"randomised-tukey": "built in", "randomization": "bh"}.get(test, "holm")


def test_with_a_baseline_there_are_its_pairs_only(demo: Path, run: Irgauge) -> None:
    shown = answer(run, "compare", *paths(demo), "--test", "t", "--correction", "bh", "--baseline", "F1-2")
    assert len(shown["pairs"]) == 3
    assert all("F1-2" in (pair["first"], pair["second"]) for pair in shown["pairs"])
    code, out, _ = run("compare", *paths(demo), "--baseline", "F1-2")
    assert code == 0
    assert "3 pairs with baseline F1-2" in " ".join(out.split())


def test_text_has_the_answer_first_and_names_method_and_population(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("compare", *paths(demo), "--shards", "even:3", "--population", "topics")
    shown = " ".join(out.split())
    assert shown.startswith("- By AP, ")
    method = shown.rpartition("Method: ")[2]
    for part in ("Tukey's HSD test", "all 6 pairs", "α = 0.05", "population: topics", "seed 0", "even:3"):
        assert part in method


def test_csv_has_the_pairs(demo: Path, run: Irgauge) -> None:
    _, out, _ = run("compare", *paths(demo), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 6
    assert {"first", "second", "difference", "low", "high", "p", "significant"} <= set(rows[0])
    assert {row["significant"] for row in rows} <= {"true", "false"}


def test_a_table_of_scores_will_do(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    import irgauge

    table = Bench(irgauge.load(*paths(demo))).whole(parse_measures(["AP"]))
    table.save(tmp_path / "scores.parquet")
    shown = answer(run, "compare", tmp_path / "scores.parquet")
    direct = answer(run, "compare", *paths(demo))
    assert shown["pairs"] == direct["pairs"]


@pytest.mark.parametrize("chart", CHARTS)
def test_the_command_draws(chart: str, demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    options = ["--shards", "even:2", "--chart", target, "--chart-of", chart]
    code, _, _ = run("compare", *paths(demo), *options)
    assert code == 0
    assert target.read_text().startswith("<svg")


BAD: dict[str, tuple[list[str], str]] = {
    "a model that needs shards": (["--model", "MD6"], "MD6 needs shards"),
    "unknown shards": (["--shards", "odd:2"], "odd:2"),
    "more shards than documents": (["--shards", "even:1000"], "are more than the"),
    "a baseline that is not there": (["--baseline", "F9-9"], "F9-9"),
    "a correction of Tukey": (["--correction", "bh"], "leave the correction out"),
    "an unknown test": (["--test", "tuckey"], "did you mean 'tukey'?"),
    "a population that a t-test does not cover": (["--test", "t", "--population", "documents"], "covers 'topics'"),
    "documents without shards": (["--population", "documents"], "one shard says nothing about other documents"),
    "systems to keep": (["--keep-systems", "top200%"], "'top200%' of 4 systems cannot be kept"),
    "one system": (["--keep-systems", "1"], "system"),
    "a chart that is not there": (["--chart", "x.svg", "--chart-of", "sizes"], "the chart 'sizes' is unknown"),
    "a chart of an unknown kind": (["--chart", "x.bmp"], ".bmp"),
    "a chart without a file": (["--chart-of", "pairs"], "needs a file to draw to"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_exit_with_2(name: str, demo: Path, run: Irgauge) -> None:
    options, message = BAD[name]
    code, out, err = run("compare", *paths(demo), *options)
    assert (code, out) == (2, "")
    assert message in err


def test_measuring_before_comparing_is_the_same() -> None:
    measured = Bench(simulated()).measured(Measuring(parse_measures(["AP"]), "even:3", seed=7))
    assert compare(measured, population="documents").content() == on_shards().content()


@pytest.mark.parametrize(
    ("better", "worse", "said"),
    [
        (["b"], [], "b differs significantly from a: it is better"),
        ([], ["b"], "b differs significantly from a: it is worse"),
        ([], [], "the other system does not differ significantly from a"),
    ],
)
def test_one_system_beside_the_baseline_is_not_counted(better: list[str], worse: list[str], said: str) -> None:
    told = against_baseline(measure="AP", baseline="a", others=1, better=better, worse=worse, population="topics")
    assert told.text == f"By AP, for other topics {said}."
