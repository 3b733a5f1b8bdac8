from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import vl_convert
from altair.typing import ChartType

from irgauge.errors import DesignError, InputError
from irgauge.inference import pairwise
from irgauge.inference.intervals import MeanInterval, tukey_interval
from irgauge.inference.studentized import cdf, ppf
from irgauge.models.anova import Fit, decompose
from irgauge.present import charts, style
from irgauge.reading.collection import Collection
from irgauge.replicates.shards import sharding
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.measurement import Measured, measure_shards, measure_whole
from irgauge.studies.robustness import Robustness, Spread, robustness
from irgauge.studies.significance import COVERS, Significance, compare_systems



@dataclass(frozen=True)
class Results:
    significance: Significance
    whole: Significance
    baseline: Significance
    robustness: Robustness
    measured: Measured
    fit: Fit
    series: dict[str, tuple[tuple[str, ...], MeanInterval]]

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        scores = self.measured.scores
        return {"topic": scores.topics, "system": scores.systems, "shard": scores.replicates}


def results_of(collection: Collection) -> Results:
    measured = measure_shards(collection, ["AP"], sharding(collection, "even:3"))
    sums, systems = decompose(measured.values()), measured.scores.systems
    classic = decompose(measure_whole(collection, ["AP"]).values()).fit("MD1")
    series = {model: (systems, tukey_interval(sums.fit(model), population="documents")) for model in ("MD2", "MD6")}
    return Results(
        significance=compare_systems(collection, "AP", shards="even:3", population="documents", seed=7),
        whole=compare_systems(collection, "AP", test="t", correction="holm"),
        baseline=compare_systems(collection, "AP", shards="even:3", baseline=systems[-1]),
        robustness=robustness(collection, "AP", shards=(2, 3), resamples=3),
        measured=measured,
        fit=sums.fit("MD6"),
        series={"MD1": (systems, tukey_interval(classic, population="topics"))} | series,
    )


@pytest.fixture(scope="module")
def small() -> Results:
    return results_of(simulate(Design(systems=8, topics=10, depth=100, corpus_size=2000)).collection())


@pytest.fixture(scope="module")
def two() -> Results:
    return results_of(simulate(Design(systems=2, families=1, topics=6, depth=50, corpus_size=1000)).collection())


def spec_of(chart: ChartType) -> dict[str, Any]:
    spec: dict[str, Any] = chart.to_dict()
    json.dumps(spec, allow_nan=False)  # NaN is not JSON, and browsers refuse it
    return spec


def datasets(chart: ChartType) -> list[list[dict[str, Any]]]:
    """The inline data of a chart, largest first."""
    return sorted(spec_of(chart)["datasets"].values(), key=len, reverse=True)


def rows_of(chart: ChartType) -> list[dict[str, Any]]:
    return datasets(chart)[0]


def title_of(chart: ChartType) -> str:
    return " ".join(spec_of(chart)["title"]["text"]).replace("\u00a0", " ")


def caption_of(chart: ChartType) -> str:
    return " ".join(spec_of(chart)["title"]["subtitle"]).replace("\u00a0", " ")


ALL: dict[str, Callable[[Results], ChartType]] = {
    "system_intervals": lambda r: charts.system_intervals(r.significance),
    "system_intervals of the whole corpus": lambda r: charts.system_intervals(r.whole),
    "system_intervals with a baseline": lambda r: charts.system_intervals(r.baseline),
    "model_intervals": lambda r: charts.model_intervals(r.series, measure="AP", note="A note."),
    "pair_heatmap": lambda r: charts.pair_heatmap(r.significance.comparison, note=charts.setting(r.significance)),
    "pair_heatmap with a baseline": lambda r: charts.pair_heatmap(r.baseline.comparison),
    "baseline_differences": lambda r: charts.baseline_differences(r.baseline.comparison),
    "robustness_chart": lambda r: charts.robustness_chart(r.robustness),
}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("size", ["small", "two"])
def test_every_chart_is_drawn_and_captioned(name: str, size: str, request: pytest.FixtureRequest) -> None:
    chart = ALL[name](request.getfixturevalue(size))
    svg = vl_convert.vegalite_to_svg(spec_of(chart))
    assert svg.startswith("<svg")
    assert "NaN" not in svg
    assert "undefined" not in re.sub("undefined cells", "", svg)
    caption = caption_of(chart)
    assert "population: " in caption
    assert re.search(r"n = \d+ systems", caption)
    assert "α = 0.05" in caption or "F tests of MD6" in caption
    assert title_of(chart)


OF_SYSTEMS = [name for name in ALL if not name.startswith(("robustness",))]


@pytest.mark.parametrize("name", ALL)
def test_where_systems_are_marked_the_others_fade(name: str, small: Results) -> None:
    spec = spec_of(ALL[name](small))
    assert spec["params"] == [{"name": style.MARKED, "value": []}]
    faded = re.compile(r'opacity="0\.1(5|05)"')
    assert not faded.search(vl_convert.vegalite_to_svg(spec))
    spec["params"][0]["value"] = [small.labels["system"][0]]  # the baseline is the last, and in all of its pairs
    assert bool(faded.search(vl_convert.vegalite_to_svg(spec))) == (name in OF_SYSTEMS)


def test_intervals_are_those_of_the_result(small: Results) -> None:
    rows = rows_of(charts.system_intervals(small.significance))
    assert len(rows) == 3 * 8
    for interval in small.significance.intervals:
        drawn = {row["system"]: row for row in rows if row["interval"] == interval.name}
        for i, system in enumerate(small.significance.systems):
            expected = interval.mean[i], interval.low[i], interval.high[i]
            assert (drawn[system]["mean"], drawn[system]["low"], drawn[system]["high"]) == expected


def test_systems_stand_best_first(small: Results) -> None:
    tukey = [row for row in rows_of(charts.system_intervals(small.significance)) if row["interval"] == "Tukey"]
    assert [row["rank"] for row in tukey] == list(range(1, 9))
    assert tuple(row["system"] for row in tukey) == small.significance.comparison.systems
    means = [row["mean"] for row in tukey]
    assert means == sorted(means, reverse=True)


def test_top_group_is_marked_and_counted_in_the_title(small: Results) -> None:
    chart = charts.system_intervals(small.significance)
    top = small.significance.comparison.top_group
    assert {row["system"] for row in rows_of(chart) if row["group"].startswith("not told")} == set(top)
    others = f"{len(top) - 1} other system"
    assert (others in title_of(chart)) if len(top) > 1 else ("differs from all others" in title_of(chart))


def test_significance_caption_names_method_and_data(small: Results) -> None:
    caption = caption_of(charts.system_intervals(small.significance))
    for part in (
        "AP by MD6",
        "shards even:3",
        "seed 7",
        "Tukey's HSD test of all 28 pairs, α = 0.05",
        "population: documents",
        "n = 8 systems × 10 topics × 3 shards",
        "filled with zero",
        COVERS["documents"],
    ):
        assert part in caption


def test_caption_of_another_test_names_it_and_its_correction(small: Results) -> None:
    caption = caption_of(charts.system_intervals(small.whole))
    assert "paired t-test of all 28 pairs, holm correction, α = 0.05; population: topics" in caption
    assert "whole corpus" in caption
    assert "Dashed" not in caption  # overlap of Tukey's bars says nothing of this test


def test_baseline_is_the_reference(small: Results) -> None:
    comparison = small.baseline.comparison
    chart = charts.system_intervals(small.baseline)
    alike = {row["system"] for row in rows_of(chart) if row["group"].startswith("not told")}
    assert comparison.baseline in alike
    assert len(alike) == 1 + comparison.not_significant_count
    assert (
        title_of(chart) == f"{comparison.significant_count} of 7 other systems differ from {comparison.baseline} in AP"
    )


def test_baseline_differences_have_the_sign_of_the_other_system(small: Results) -> None:
    comparison = small.baseline.comparison
    assert comparison.baseline is not None
    means = dict(zip(comparison.systems, comparison.means.tolist(), strict=True))
    rows = rows_of(charts.baseline_differences(comparison))
    assert [row["rank"] for row in rows] == list(range(1, 8))
    for row in rows:
        assert row["difference"] == pytest.approx(means[row["system"]] - means[comparison.baseline])
        assert row["low"] <= row["difference"] <= row["high"]
        assert (row["low"] > 0 or row["high"] < 0) == (row["p"] <= 0.05)
    with pytest.raises(DesignError, match="baseline"):
        charts.baseline_differences(small.significance.comparison)


def test_series_keep_their_numbers_and_fixed_colours(small: Results) -> None:
    chart = charts.model_intervals(small.series, measure="AP", note="A note.")
    rows = rows_of(chart)
    assert len(rows) == 3 * 8
    for name, (systems, interval) in small.series.items():
        drawn = {row["system"]: (row["low"], row["high"]) for row in rows if row["series"] == name}
        assert drawn == {system: (interval.low[i], interval.high[i]) for i, system in enumerate(systems)}
    scale = spec_of(chart)["layer"][0]["encoding"]["color"]["scale"]
    assert scale == {"domain": ["MD1", "MD2", "MD6"], "range": [style.MODELS[name] for name in ("MD1", "MD2", "MD6")]}
    assert "population: topics (MD1), documents (MD2, MD6)" in caption_of(chart)
    assert "A note." in caption_of(chart)


def test_other_series_have_distinct_colours_in_order() -> None:
    colours = style.series_colours(["MD1", *(f"{s} shards" for s in (2, 3, 5, 10, 25, 50))])
    assert colours["MD1"] == style.MODELS["MD1"]
    assert len(set(colours.values())) == 7
    assert style.series_colours(["only"]) == {"only": style.ORDERED[0]}


def test_every_pair_has_its_cell_and_its_class(small: Results) -> None:
    comparison = small.significance.comparison
    rows = rows_of(charts.pair_heatmap(comparison))
    assert len(rows) == 28
    for pair, row in enumerate(rows):
        assert row["better"] == comparison.systems[comparison.first[pair]]
        assert row["worse"] == comparison.systems[comparison.second[pair]]
        assert (row["difference"], row["p"]) == (comparison.difference[pair], comparison.p[pair])
        assert (row["low"], row["high"]) == (comparison.low[pair], comparison.high[pair])
        bound = next((b for b in (0.001, 0.01, 0.05) if row["p"] <= b), None)
        assert row["class"] == ("p > 0.05: not told apart" if bound is None else f"p ≤ {bound:g}")


@pytest.mark.parametrize(("alpha", "classes"), [(0.05, 4), (0.01, 3), (0.001, 2), (0.0001, 2)])
def test_classes_of_p_go_up_to_alpha(small: Results, alpha: float, classes: int) -> None:
    comparison = pairwise.tukey(small.fit, small.labels["system"], population="documents", alpha=alpha)
    chart = charts.pair_heatmap(comparison)
    domain = spec_of(chart)["encoding"]["color"]["scale"]["domain"]
    assert len(domain) == classes
    assert {row["class"] == domain[-1] for row in rows_of(chart) if row["p"] > alpha} <= {True}
    assert f"{comparison.significant_count} of 28 pairs" in title_of(chart)


def test_infinite_bounds_are_null_in_the_data(small: Results) -> None:
    comparison = small.significance.comparison
    endless = dataclasses.replace(comparison, high=np.full(28, np.inf), low=np.full(28, np.nan))
    assert {(row["low"], row["high"]) for row in rows_of(charts.pair_heatmap(endless))} == {(None, None)}


def test_many_systems_have_ranks_on_the_axis_and_no_limit_on_rows() -> None:
    rng = np.random.default_rng(5)
    values = rng.random((4, 120, 2)) + rng.random((1, 120, 1))
    fit = decompose(values).fit("MD6")
    chart = charts.pair_heatmap(pairwise.tukey(fit, [f"s{i}" for i in range(120)], population="documents"))
    encoding = spec_of(chart)["encoding"]
    assert (encoding["x"]["field"], encoding["y"]["field"]) == ("better_rank", "worse_rank")
    assert len(rows_of(chart)) == 120 * 119 // 2
    assert "better" in [tip["field"] for tip in encoding["tooltip"]]


def test_robustness_draws_means_and_intervals_of_the_resamples(small: Results) -> None:
    chart = charts.robustness_chart(small.robustness)
    pairs = rows_of(chart)
    assert len(pairs) == len(small.robustness.stability) == 10
    for row, stability in zip(pairs, small.robustness.stability, strict=True):
        spread = stability.significant
        assert (row["shards"], row["model"]) == (stability.shards, stability.model)
        assert (row["mean"], row["low"], row["high"]) == (spread.mean, spread.low, spread.high)
    tau = datasets(chart)[1]
    assert [row["model"] for row in tau] == ["all models", "all models"]
    assert "3 random even splits" in caption_of(chart)
    assert "seed 0" in caption_of(chart)


def test_one_resample_has_no_interval(small: Results) -> None:
    def single(spread: Spread) -> Spread:
        return dataclasses.replace(spread, low=float("nan"), high=float("nan"))

    stability = tuple(
        dataclasses.replace(one, tau=single(one.tau), significant=single(one.significant))
        for one in small.robustness.stability
    )
    chart = charts.robustness_chart(dataclasses.replace(small.robustness, stability=stability))
    assert {row["low"] for row in rows_of(chart)} == {None}
    assert len(datasets(chart)[1]) == 2


def test_studentized_range_marks_critical_values() -> None:
    chart = charts.studentized_range([5, 25], [100, float("inf")], 0.01)
    curves, marks, *_ = datasets(chart)
    assert [row["q"] for row in marks] == [float(ppf(0.99, k, df)) for k in (5, 25) for df in (100, np.inf)]
    some = [row for row in curves if row["systems"] == "25 systems" and row["df"] == "∞"]
    assert np.allclose([row["p"] for row in some], cdf([row["q"] for row in some], 25, np.inf))
    assert "α = 0.01" in caption_of(chart)
    assert vl_convert.vegalite_to_svg(spec_of(chart)).startswith("<svg")


@pytest.mark.parametrize(("name", "start"), [("c.svg", b"<svg"), ("c.PNG", b"\x89PNG"), ("c.pdf", b"%PDF")])
def test_saves_pictures(small: Results, tmp_path: Path, name: str, start: bytes) -> None:
    charts.save(charts.pair_heatmap(small.significance.comparison), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_saved_page_works_offline(small: Results, tmp_path: Path) -> None:
    charts.save(charts.pair_heatmap(small.significance.comparison), tmp_path / "chart.html")
    page = (tmp_path / "chart.html").read_text(encoding="utf-8")
    assert not re.search(r"<(script|link)[^>]*(src|href)=", page)
    assert "vegaEmbed" in page
    assert small.significance.systems[0] in page


@pytest.mark.parametrize("name", ["chart.gif", "chart", "chart.html.gz"])
def test_other_formats_are_refused(small: Results, tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"end the name in \.html, \.svg, \.png, \.pdf"):
        charts.save(charts.pair_heatmap(small.significance.comparison), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_interrupted_save_leaves_the_old_file_alone(
    small: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    target = tmp_path / "chart.svg"
    target.write_text("old")
    chart = charts.pair_heatmap(small.significance.comparison)
    monkeypatch.setattr(type(chart), "save", interrupted)
    with pytest.raises(KeyboardInterrupt):
        charts.save(chart, target)
    assert [path.name for path in tmp_path.iterdir()] == ["chart.svg"]
    assert target.read_text() == "old"
