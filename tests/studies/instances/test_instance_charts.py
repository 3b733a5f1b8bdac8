from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import vl_convert

from irgauge.errors import DesignError
from irgauge.replicates.instances import InstanceScores
from irgauge.show.figure import Figure
from irgauge.studies.instances import STUDY
from irgauge.studies.instances.charts import CHARTS, margins, topic_boxes, topic_means, topics, variance
from irgauge.studies.instances.study import AlgorithmsCompared, instances
from oracles.simulated_scores import Effects, simulate_scores

SERIES = Effects(("full", "rate-4", "rate-1"), (0.5, 0.5, 0.4), topic_algorithm_sd=0.02, deterministic=("full",))


def compared(scores: InstanceScores, **options: Any) -> AlgorithmsCompared:  # noqa: ANN401  # passed on
    return instances(scores, seed=7, **options)


@pytest.fixture(scope="module")
def series() -> AlgorithmsCompared:
    """A baseline and two settings, on many topics."""
    return compared(simulate_scores(SERIES, topics=70, instances=6, seed=2), baseline="full")


@pytest.fixture(scope="module")
def pairs() -> AlgorithmsCompared:
    """All pairs, with missing cells and without a posterior."""
    effects = Effects(("a", "b", "c", "d"), (0.5, 0.3, 0.5, 0.4), deterministic=("d",))
    return compared(simulate_scores(effects, topics=12, instances=4, missing=0.1, seed=3), posterior=False)


@pytest.fixture(scope="module")
def single() -> AlgorithmsCompared:
    """One instance each."""
    return compared(simulate_scores(Effects(), topics=12, instances=1))


def spec_of(chart: Figure) -> dict[str, Any]:
    spec: dict[str, Any] = chart.to_dict()
    json.dumps(spec, allow_nan=False)  # NaN is not JSON, and browsers refuse it
    return spec


def rows_of(chart: Figure, field: str) -> list[dict[str, Any]]:
    """The rows that have a field."""
    return [row for rows in spec_of(chart)["datasets"].values() for row in rows if field in row]


def text_of(chart: Figure, part: str) -> str:
    return " ".join(spec_of(chart)["title"][part]).replace("\u00a0", " ")


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("size", ["series", "pairs", "single"])
def test_every_chart_is_drawn_and_captioned(name: str, size: str, request: pytest.FixtureRequest) -> None:
    result: AlgorithmsCompared = request.getfixturevalue(size)
    chart = result.chart(name)
    svg = vl_convert.vegalite_to_svg(spec_of(chart))
    assert svg.startswith("<svg")
    assert not re.search("NaN|undefined", svg)
    caption, scores = text_of(chart, "subtitle"), result.scores
    for part in (
        f"Model {result.model}; random effects in brackets: {result.formula}",
        "variances of each algorithm by its mean squares, and intervals by t of each part (Banerjee 1960); Holm's",
        "margin 0.01",
        "α = 0.05",
        f"{len(scores.instances)} instances of {len(scores.algorithms)} algorithms",
        f"{len(scores.topics)} topics.",
        f"population: {result.population}",
        *([] if size == "pairs" else ["4 chains × 2,000 draws, prior", "seed 7"]),
        *(["16 missing cells"] if size == "pairs" else []),
    ):
        assert part in caption
    assert text_of(chart, "text") == chart.title
    assert chart.alternative
    assert ("posterior" in caption) == (size != "pairs")


def test_the_charts_are_those_of_the_study(series: AlgorithmsCompared) -> None:
    assert list(CHARTS) == list(STUDY.charts)
    assert series.chart().title == topics(series).title


# topics


def test_boxes_are_quartiles_over_instances(pairs: AlgorithmsCompared) -> None:
    scores = pairs.scores
    frame = scores.frame()
    for row in rows_of(topics(pairs, ("b", "d")), "median"):
        values = frame.filter(algorithm=row["algorithm"], topic=row["topic"])["score"].to_list()
        drawn = [row[end] for end in ("low", "lower", "median", "upper", "high")]
        assert drawn == pytest.approx(np.percentile(values, [0, 25, 50, 75, 100]).tolist())
        assert row["is_single"] == ("yes" if row["algorithm"] == "d" else "no")


def test_topics_stand_by_their_means_and_of_many_those_are_shown_that_vary_most(series: AlgorithmsCompared) -> None:
    chart = topics(series)
    shown = list(dict.fromkeys(row["topic"] for row in rows_of(chart, "median")))
    means = topic_means(series.scores, ["rate-4", "full"])
    values = [means[series.scores.topics.index(topic)] for topic in shown]
    assert values == sorted(values, reverse=True)
    assert len(shown) == 25
    boxes = [topic_boxes(series.scores, name) for name in ("rate-4", "full")]
    spans = np.max([box[-1] for box in boxes], axis=0) - np.min([box[0] for box in boxes], axis=0)
    assert set(shown) == {series.scores.topics[t] for t in np.argsort(-spans)[:25]}
    assert "Shown: the 25 topics on which scores vary most." in text_of(chart, "subtitle")
    assert spec_of(chart)["layer"][0]["encoding"]["y"]["scale"]["domain"] == shown


def test_the_pair_has_a_random_algorithm_first(series: AlgorithmsCompared, pairs: AlgorithmsCompared) -> None:
    assert {row["algorithm"] for row in rows_of(topics(series), "median")} == {"rate-4", "full"}
    assert {row["algorithm"] for row in rows_of(topics(pairs, ("a", "d")), "median")} == {"a", "d"}
    asked = compared(pairs.scores, posterior=False, pair=("b", "d"))
    assert {row["algorithm"] for row in rows_of(asked.chart(), "median")} == {"b", "d"}
    with pytest.raises(DesignError, match="the algorithm 'e' is unknown"):
        topics(pairs, ("a", "e"))


def test_the_title_of_topics_names_the_widest_box(series: AlgorithmsCompared, single: AlgorithmsCompared) -> None:
    chart = topics(series)
    widest = max(rows_of(chart, "median"), key=lambda row: row["high"] - row["low"])
    ends = f"from {widest['low']:.2f} to {widest['high']:.2f}"
    assert text_of(chart, "text") == (
        f"One run says little: the score of {widest['algorithm']} on topic {widest['topic']} is {ends}, depending on "
        "the instance"
    )
    assert text_of(topics(single), "text") == "One instance each does not show how others would score"


def test_instances_that_do_not_differ_are_told() -> None:
    scores = simulate_scores(Effects(("a", "b", "c"), (0.5,) * 3), topics=8, instances=3, seed=4)
    same = np.where(scores.algorithm < 2, scores.cells()[3 * scores.algorithm, scores.topic], scores.scores)
    result = compared(replace(scores, scores=same), posterior=False)
    assert text_of(topics(result, ("a", "b")), "text") == "The instances of an algorithm do not differ in score"


# margins


def test_intervals_are_those_of_the_study_by_setting(series: AlgorithmsCompared) -> None:
    rows, found = rows_of(margins(series), "difference"), series
    assert [row["name"] for row in rows] == ["rate-1", "rate-4"]
    assert found.hpd is not None
    for row in rows:
        i = [pair.system for pair in found.pairs].index(row["name"])
        assert [row["low"], row["high"]] == found.intervals[:, i].tolist()
        assert [row["other_low"], row["other_high"]] == found.hpd[:, i].tolist()
        assert row["difference"] == found.tests.difference[i]
        assert row["verdict"] == found.verdicts[i]
    (limits,) = rows_of(margins(series), "zero")
    assert (limits["from"], limits["to"]) == (-0.01, 0.01)


def test_all_pairs_lie_beside_their_names(pairs: AlgorithmsCompared) -> None:
    spec = spec_of(margins(pairs))
    rows = rows_of(margins(pairs), "difference")
    assert [row["name"] for row in rows] == [f"{pair.system} − {pair.against}" for pair in pairs.pairs]
    assert spec["layer"][-1]["encoding"]["y"]["field"] == "name"
    assert [row["low"] for row in rows] == pairs.intervals[0].tolist()
    counts = [f"{pairs.verdicts.count(one)} {one}" for one in set(pairs.verdicts)]
    title = text_of(margins(pairs), "text")
    assert title.startswith("6 pairs of algorithms at a margin of 0.01: ")
    assert all(count in title for count in counts)


def with_hpd(result: AlgorithmsCompared, low: list[float], high: list[float]) -> AlgorithmsCompared:
    """The result as if it had these intervals, shown as in the paper."""
    return replace(result, hpd=np.array([low, high]), variances="common", df="satterthwaite")


def test_with_common_variances_intervals_are_those_of_the_paper(series: AlgorithmsCompared) -> None:
    low, high = [-0.001, -0.5], [0.02, -0.4]
    found = with_hpd(series, low, high)
    rows = {row["name"]: row for row in rows_of(margins(found), "difference")}
    assert found.hpd_verdicts is not None
    for i, pair in enumerate(found.pairs):
        row = rows[pair.system]
        assert (row["low"], row["high"], row["verdict"]) == (low[i], high[i], found.hpd_verdicts[i])
        assert [row["other_low"], row["other_high"]] == found.intervals[:, i].tolist()


@pytest.mark.parametrize(
    ("low", "high", "title"),
    [  # of rates 4 and 1
        ([-0.5, -0.5], [-0.4, -0.4], "Up to 4, no setting is shown to be not worse than full by 0.01"),
        (
            [-0.001, -0.5],
            [0.02, -0.4],
            "From 4 on, settings are not worse than full by 0.01, but none is shown to be equivalent",
        ),
        (
            [-0.001, -0.001],
            [0.002, 0.02],
            "From 1 on, settings are not worse than full by 0.01, and from 4 on equivalent",
        ),
    ],
)
def test_the_title_of_a_series_names_the_smallest(
    low: list[float], high: list[float], title: str, series: AlgorithmsCompared
) -> None:
    assert text_of(margins(with_hpd(series, low, high)), "text") == title


def test_the_title_of_two_is_the_verdict(single: AlgorithmsCompared) -> None:
    found = single
    first, second = found.pairs[0]
    expected = f"{first} against {second}: {found.verdicts[0]}, at a margin of 0.01"
    assert text_of(margins(single), "text") == expected


def test_many_pairs_are_cut() -> None:
    names = tuple(f"x{i}y" for i in range(12))
    result = compared(simulate_scores(Effects(names, (0.5,) * 12), topics=6, instances=2), posterior=False)
    chart = margins(result)
    assert len(rows_of(chart, "difference")) == 60
    assert "Shown: the first 60 of 66 pairs." in text_of(chart, "subtitle")


# variance


def test_shares_stand_largest_first(series: AlgorithmsCompared) -> None:
    rows = rows_of(variance(series), "share")
    shares = {one.name: one.share for one in series.fit.components}
    assert [row["share"] for row in rows] == sorted(shares.values(), reverse=True)
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert all(row["low"] <= row["share"] <= row["high"] for row in rows)
    title = text_of(variance(series), "text")
    assert title.startswith(f"Topics make up {100 * shares['topic']:.0f} % of the variance of one score, instances ")


def test_a_large_residual_is_told() -> None:
    scores = simulate_scores(Effects(topic_sd=0.01, residual_sd=0.3), topics=10, instances=3)
    title = text_of(variance(compared(scores, posterior=False)), "text")
    assert title.startswith("The residual makes up ")
