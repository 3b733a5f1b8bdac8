"""Charts of an analysis of variance: their numbers, their titles and captions, and what is refused."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
import vl_convert

from irgauge.errors import DesignError
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.anova import STUDY
from irgauge.studies.anova.section import CHARTS
from irgauge.studies.anova.study import Analysed, anova

NAMES = ("main", "topic:system", "system:shard", "topic:shard", "residuals")


@pytest.fixture(scope="module")
def small() -> Analysed:
    collection = simulate(Design(systems=8, topics=10, depth=100, corpus_size=2000)).collection()
    return anova(collection, "AP", shards="even:3")


@pytest.fixture(scope="module")
def two() -> Analysed:
    collection = simulate(Design(systems=2, families=1, topics=6, depth=50, corpus_size=1000)).collection()
    return anova(collection, "AP", shards="even:3")


def spec_of(figure: Figure) -> dict[str, Any]:
    spec = figure.to_dict()
    json.dumps(spec, allow_nan=False)  # NaN is not JSON, and browsers refuse it
    return spec


def rows_of(figure: Figure) -> list[dict[str, Any]]:
    """The largest of the inline data of a chart."""
    rows: list[dict[str, Any]] = max(spec_of(figure)["datasets"].values(), key=len)
    return rows


def test_charts_are_those_that_the_study_names() -> None:
    assert tuple(CHARTS) == tuple(STUDY.charts) == NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", ["small", "two"])
def test_every_chart_is_drawn_and_captioned(name: str, size: str, request: pytest.FixtureRequest) -> None:
    result: Analysed = request.getfixturevalue(size)
    figure = result.chart(name)
    svg = figure.to_svg()
    assert svg.startswith("<svg")
    assert "NaN" not in svg
    assert "undefined" not in re.sub(r"undefined(<[^>]*>| )*scores", "", svg)  # which a line may break
    assert "population: topics (other topics, these documents); model MD6; AP; shards even:3" in figure.method
    assert figure.provenance == result.provenance
    assert figure.title
    assert figure.alternative


@pytest.mark.parametrize("name", NAMES)
def test_where_systems_are_marked_the_others_fade(name: str, small: Analysed) -> None:
    spec = spec_of(small.chart(name))
    assert spec["params"] == [{"name": style.MARKED, "value": []}]
    faded = re.compile(r'opacity="0\.1(5|05)"')
    assert not faded.search(vl_convert.vegalite_to_svg(spec))
    spec["params"][0]["value"] = [small.labels["system"][0]]
    assert bool(faded.search(vl_convert.vegalite_to_svg(spec))) == (name not in ("topic:shard", "residuals"))


def test_main_effects_are_marginal_means(small: Analysed) -> None:
    figure, values = small.chart(), small.measured.values()
    spec = spec_of(figure)
    axes = {"topic": (1, 2), "system": (0, 2), "shard": (0, 1)}
    for panel, (factor, others) in zip(spec["hconcat"], axes.items(), strict=True):
        rows = spec["datasets"][panel["layer"][1]["data"]["name"]]
        expected = dict(zip(small.labels[factor], values.mean(axis=others), strict=True))
        name = "system" if factor == "system" else "name"
        assert {row[name]: row["mean"] for row in rows} == pytest.approx(expected)
        assert [row["mean"] for row in rows] == sorted((row["mean"] for row in rows), reverse=True)
    largest = max((small.fit.row(factor) for factor in axes), key=lambda row: row.omega2)
    assert figure.title == f"{largest.source.capitalize()} is the largest main effect on AP in shards"
    assert all(f"{factor} {small.fit.row(factor).size} (ω² = " in " ".join(figure.caption) for factor in axes)


def test_main_effects_without_shards_have_two_panels(small: Analysed) -> None:
    whole = anova(small.measured.scores.filled(), model="topic + system")
    assert len(spec_of(whole.chart())["hconcat"]) == 2


@pytest.mark.parametrize("term", ["topic:system", "system:shard", "topic:shard"])
def test_interactions_are_means_of_pairs_of_levels(term: str, small: Analysed) -> None:
    line, across = ("topic", "shard") if term == "topic:shard" else ("system", term.replace("system", "").strip(":"))
    rows, labels = rows_of(small.chart(term)), small.labels
    axes = {"topic": 0, "system": 1, "shard": 2}
    other = next(axis for factor, axis in axes.items() if factor not in (line, across))
    means = small.measured.values().mean(axis=other)
    means = means if axes[line] < axes[across] else means.T  # line, across
    assert len(rows) == (len(labels[line]) + 1) * len(labels[across])  # and the mean of all
    for row in rows:
        at = means[:, labels[across].index(row["name"])]
        is_mean = row["line"] == f"mean of all {line}s"
        assert row["mean"] == pytest.approx(at.mean() if is_mean else at[labels[line].index(row["line"])])


def test_one_line_is_highlighted(small: Analysed) -> None:
    chosen = small.labels["system"][3]
    rows = rows_of(small.chart("topic:system", highlight=chosen))
    assert {row["line"] for row in rows if row["kind"] == chosen} == {chosen}
    best = small.labels["system"][int(np.argmax(small.measured.values().mean(axis=(0, 2))))]
    assert {row["line"] for row in rows_of(small.chart("topic:system")) if row["kind"] == best} == {best}


def test_of_many_lines_the_best_are_shown_and_that_is_said(small: Analysed) -> None:
    figure = small.chart("system:shard", best=3)
    means = dict(zip(small.labels["system"], small.measured.values().mean(axis=(0, 2)), strict=True))
    best = sorted(means, key=lambda system: -means[system])[:3]
    assert {row["line"] for row in rows_of(figure)} == {*best, "mean of all systems"}
    assert figure.caption[-1] == "Shown: the lines of the best 3 of 8 systems."
    assert figure.title == small.chart("system:shard").title
    worst = min(means, key=means.__getitem__)
    kept = rows_of(small.chart("system:shard", best=3, highlight=worst))
    assert {row["line"] for row in kept} == {*best, worst, "mean of all systems"}
    assert "Shown" not in " ".join(small.chart("system:shard", best=8).caption)


def test_what_cannot_be_drawn_is_refused(small: Analysed) -> None:
    with pytest.raises(DesignError, match="no system 'nobody'"):
        small.chart("topic:system", highlight="nobody")
    plain = anova(small.measured, model="MD3")
    with pytest.raises(DesignError, match="MD3 has no term 'topic:shard'; its terms are topic, system, topic:system"):
        plain.chart("topic:shard")
    with pytest.raises(DesignError, match="chart 'topic:sistem' is unknown; did you mean 'topic:system'"):
        small.chart("topic:sistem")
