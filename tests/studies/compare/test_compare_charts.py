"""Charts of a comparison, against its numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.tukey import tukey
from irgauge.models.anova import decompose
from irgauge.show import style
from irgauge.show.verdicts import COVERS
from irgauge.studies.compare import STUDY
from irgauge.studies.compare.charts import CHARTS, pair_heatmap, system_intervals
from irgauge.studies.compare.study import compare
from oracles.compared_systems import (
    POPULATIONS,
    RESULTS,
    as_in_the_papers,
    by_t,
    of_a_kind,
    on_shards,
    rows_of,
    simulated,
)


def test_the_charts_are_those_that_the_study_names() -> None:
    assert list(CHARTS) == list(STUDY.charts)


WITHOUT = {("models", "t"), ("pairs", "baseline")}  # shards; pairs of all systems
DRAWN = [(name, of) for name in CHARTS for of in RESULTS if name != "slices" and (name, of) not in WITHOUT]


def test_pairs_with_a_baseline_are_no_matrix_and_no_kinds_of_topics_no_forest() -> None:
    with pytest.raises(DesignError, match="one row, not a matrix; draw the chart 'intervals'"):
        RESULTS["baseline"]().chart("pairs")
    with pytest.raises(DesignError, match="no kinds of topics to draw; name a column of topics by 'by'"):
        RESULTS["t"]().chart("slices")


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


INTERVALS = [
    ("shards", "topics", {"mean"}),
    ("shards", "both", {"mean"}),
    ("papers", "topics", {"mean", "Tukey", "SEM", "ANOVA"}),
    ("papers", "documents", {"Tukey", "SEM", "ANOVA"}),
    ("papers", "both", {"mean", "Tukey", "SEM", "ANOVA"}),
]


@pytest.mark.parametrize(("of", "population", "names"), INTERVALS)
def test_intervals_are_those_of_the_result(of: str, population: str, names: set[str]) -> None:
    result = RESULTS[of]()
    rows = rows_of(result.chart(population=population))
    kept = result.first.intervals[population]
    assert {one.name for one in kept} == names
    assert len(rows) == len(names) * 8
    for interval in kept:
        drawn = {row["system"]: row for row in rows if row["interval"] == interval.name}
        for i, system in enumerate(interval.systems):
            expected = interval.mean[i], interval.low[i], interval.high[i]
            assert (drawn[system]["mean"], drawn[system]["low"], drawn[system]["high"]) == expected


@pytest.mark.parametrize(("of", "interval"), [("shards", "mean"), ("papers", "Tukey")])
def test_systems_stand_best_first(of: str, interval: str) -> None:
    result = RESULTS[of]()
    rows = [row for row in rows_of(result.chart()) if row["interval"] == interval]
    assert [row["rank"] for row in rows] == list(range(1, 9))
    assert tuple(row["system"] for row in rows) == result.comparison.systems
    means = [row["mean"] for row in rows]
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize("population", ["documents", "topics+shards"])
def test_where_no_interval_is_known_the_means_are_drawn(population: str) -> None:
    result = (on_shards if population == "documents" else of_a_kind)()
    figure = result.chart(population=population)
    assert [row["mean"] for row in rows_of(figure)] == result.first.under(population).means.tolist()
    assert not any("interval" in line for line in figure.caption)


def test_the_axis_says_where_means_are_over_shards() -> None:
    def title(population: str) -> object:
        layers = on_shards().chart(population=population).to_dict()["layer"]
        return next(layer["encoding"]["x"]["title"] for layer in layers if layer["encoding"]["x"].get("title"))

    assert (title("topics"), title("documents")) == ("mean AP", "mean AP over 3 shards")


@pytest.mark.parametrize("of", ["shards", "papers"])
def test_the_top_group_is_marked_and_counted_in_the_title(of: str) -> None:
    figure, top = RESULTS[of]().chart(), RESULTS[of]().comparison.top_group
    marked = {row["system"] for row in rows_of(figure) if row["group"].startswith("top group")}
    assert marked == set(top)
    below = {f"significantly below the best ({8 - len(top)})"} if len(top) < 8 else set()
    assert {row["group"] for row in rows_of(figure)} == {f"top group ({len(top)})"} | below
    expected = f"{len(top) - 1} other system" if len(top) > 1 else "differs significantly from all others"
    assert expected in figure.title


def test_the_title_of_a_best_system_that_differs_from_all() -> None:
    one = on_shards().comparison
    clear = replace(one, p_adjusted=np.zeros(28))
    title = system_intervals(on_shards().first, clear).title
    assert title == f"The best of 8 systems in AP, {one.systems[0]}, differs significantly from all others"


def test_the_caption_says_what_the_marks_are_and_the_method_once() -> None:
    figure = as_in_the_papers().chart()
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
    assert "95 % intervals of each mean, for other topics; two may overlap and yet differ." in told
    assert "for comparing systems" not in told


def test_the_papers_intervals_are_called_for_comparing_systems() -> None:
    caption = as_in_the_papers().chart(population="topics").caption
    assert "95 % intervals for comparing systems: Tukey, SEM and ANOVA." in caption
    assert any("intervals of each mean" in line for line in caption)
    no_population = "SEM takes the shards of a topic for independent values, and covers no population."
    assert no_population not in caption
    assert no_population in as_in_the_papers().chart(population="documents").caption


def test_charts_of_the_best_systems_have_the_numbers_of_all() -> None:
    note = "Shown: the best 3 of 8 systems."
    for name in set(CHARTS) - {"slices"}:
        every, few = on_shards().chart(name), on_shards().chart(name, best=3)
        assert note in few.caption
        assert note not in every.caption
        drawn = [row for row in rows_of(every) if max(row.get("rank", 0), row.get("worse_rank", 0)) <= 3]
        assert sorted(map(str, rows_of(few))) == sorted(map(str, drawn))


def test_baseline_differences_have_the_sign_of_the_other_system() -> None:
    found = compare(simulated(), "AP", correction="bonferroni", baseline=simulated().systems[-1])
    one = found.comparison
    means = dict(zip(one.systems, one.means.tolist(), strict=True))
    rows = rows_of(found.chart())
    assert [row["rank"] for row in rows] == list(range(1, 8))
    for row in rows:
        assert row["difference"] == pytest.approx(means[row["system"]] - means[str(one.baseline)])
        assert row["low"] <= row["difference"] <= row["high"]
        assert (row["low"] > 0 or row["high"] < 0) == (row["p_adjusted"] <= 0.05)


def test_bands_keep_their_numbers_and_fixed_colours() -> None:
    figure = on_shards().chart("models")
    rows = rows_of(figure)
    assert {row["series"] for row in rows} == {"MD1", "MD2", "MD3", "MD6"}
    fit = decompose(on_shards().first.measured.values()).fit("MD6")  # of topics, all models say the same
    half = tukey(fit, simulated().systems, population="documents")
    drawn = {row["system"]: row["high"] - row["low"] for row in rows if row["series"] == "MD6"}
    width = (half.high - half.low)[0] / 2
    assert all(value == pytest.approx(width) for value in drawn.values())
    scale = figure.to_dict()["layer"][0]["encoding"]["color"]["scale"]
    assert scale == {"domain": list(dict.fromkeys(row["series"] for row in rows)), "range": _colours(rows)}
    assert "population: topics (MD1), documents (MD2, MD3, MD6)" in " ".join(figure.caption)


def _colours(rows: list[dict[str, Any]]) -> list[str]:
    return [style.MODELS[name] for name in dict.fromkeys(row["series"] for row in rows)]


def test_bands_need_shards() -> None:
    for result in (by_t(), compare(on_shards().first.measured)):
        with pytest.raises(DesignError, match="intervals by model need runs and shards"):
            result.chart("models")


def test_bands_of_shards_of_a_kind_are_of_other_shards_like_these() -> None:
    caption = " ".join(of_a_kind().chart("models").caption)
    assert "population: topics (MD1), shards (MD2, MD3, MD6)" in caption


@pytest.mark.parametrize("population", POPULATIONS)
def test_every_pair_has_its_cell_and_its_class(population: str) -> None:
    one = on_shards().first.under(population)
    rows = rows_of(on_shards().chart("pairs", population=population))
    assert len(rows) == 28
    assert (
        f"of 28 pairs of systems differ significantly in {on_shards().first.measure}"
        in on_shards().chart("pairs").title
    )
    for pair, row in enumerate(rows):
        assert (row["better"], row["worse"]) == one.names[pair]
        assert (row["difference"], row["p_adjusted"]) == (one.difference[pair], one.p_adjusted[pair])
        assert (row["low"], row["high"]) == (one.low[pair], one.high[pair])
        bound = next((b for b in (0.001, 0.01, 0.05) if row["p_adjusted"] <= b), None)
        assert row["class"] == ("p > 0.05: not significant" if bound is None else f"p ≤ {bound:g}")


def tukey_of(alpha: float) -> Comparison:
    return tukey(on_shards().first.fit, simulated().systems, population="documents", alpha=alpha)


@pytest.mark.parametrize(("alpha", "classes"), [(0.05, 4), (0.01, 3), (0.001, 2), (0.0001, 2)])
def test_classes_of_p_go_up_to_alpha(alpha: float, classes: int) -> None:
    figure = pair_heatmap(tukey_of(alpha))
    domain = figure.to_dict()["encoding"]["color"]["scale"]["domain"]
    assert len(domain) == classes
    above = [row["class"] for row in rows_of(figure) if row["p_adjusted"] > alpha]
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
    figure = pair_heatmap(tukey(fit, [f"s{i}" for i in range(120)], population="documents"))
    encoding = figure.to_dict()["encoding"]
    assert (encoding["x"]["field"], encoding["y"]["field"]) == ("better_rank", "worse_rank")
    assert len(rows_of(figure)) == 120 * 119 // 2
    assert "better" in [tip["field"] for tip in encoding["tooltip"]]
