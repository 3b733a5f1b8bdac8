"""The chart of differences on topics, against its numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from irgauge import Scores
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.by_topic import on_topics
from irgauge.scoring.measures import parse_measures
from irgauge.show.figure import Figure
from irgauge.studies.compare.study import Compared, compare
from irgauge.studies.compare.topic_charts import sorted_differences, topics
from oracles.compared_systems import by_t, on_shards, rows_of, with_baseline

PAIR = np.array([[3, 2], [5, 5], [1, 4], [9, 3], [8, 6]]) / 10  # s0 wins on 3 of 5 topics, ties on 1, loses on 1


def made(values: Floats, baseline: str | None = "s1") -> Compared:
    """A comparison by values[topic, system]."""
    topic_names, systems = (
        tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("qs", values.shape, strict=True)
    )
    scores = Scores(values[None, :, :, None], parse_measures(["AP"]), topic_names, systems, ("whole",))
    return compare(scores, baseline=baseline)


def many(systems: int = 9, topics: int = 40) -> Floats:
    return np.random.default_rng(4).random((topics, systems)).round(1)


def bars(figure: Figure) -> list[dict[str, Any]]:
    return [row for row in rows_of(figure) if row["kind"] != "mean"]


def means(figure: Figure) -> list[dict[str, Any]]:
    return [row for row in rows_of(figure) if row["kind"] == "mean"]


def test_the_title_says_how_often_a_system_wins() -> None:
    assert topics(made(PAIR)).title == "By AP, s0 beats s1 on 3 of 5 topics, ties on 1 and loses on 1"


def test_bars_are_the_differences_sorted() -> None:
    drawn = bars(topics(made(PAIR)))
    assert [row["topic"] for row in drawn] == ["q3", "q4", "q0", "q1", "q2"]
    assert [row["difference"] for row in drawn] == pytest.approx([0.6, 0.2, 0.1, 0, -0.3])
    assert [row["kind"] for row in drawn] == ["win", "win", "win", "tie", "loss"]
    assert [row["place"] for row in drawn] == [1, 2, 3, 4, 5]
    assert [(row["score"], row["other"]) for row in drawn] == [tuple(PAIR[i]) for i in (3, 4, 0, 1, 2)]


def test_the_mean_and_its_interval_are_those_of_the_comparison() -> None:
    result = made(PAIR)
    one = result.comparison
    (mean,) = means(topics(result))
    assert (mean["mean"], mean["low"], mean["high"]) == (one.difference[0], one.low[0], one.high[0])
    assert "band: its 95 % interval" in topics(result).caption[0]


def test_where_no_interval_is_known_none_is_drawn() -> None:
    found = made(PAIR).first
    pairs = list(on_topics(found.basis, found.comparison))
    endless = replace(found.comparison, low=np.array([-np.inf]), high=np.array([np.inf]))
    figure = sorted_differences(endless, pairs)
    assert "band" not in figure.caption[0]
    assert figure.to_svg().count("NaN") == 0


def test_an_interval_far_wider_than_the_bars_is_cut() -> None:
    two = made(PAIR[[0, 3]])
    assert "(wider than the chart)" in topics(two).caption[0]
    scale = topics(two).to_dict()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert scale == pytest.approx([-0.6, 0.6])
    assert "(wider than the chart)" not in topics(made(many(2))).caption[0]


def test_systems_that_score_the_same_have_dots_only() -> None:
    values = np.hstack([PAIR, PAIR[:, 1:]])
    figure = topics(made(values), system="s2")
    assert {row["kind"] for row in bars(figure)} == {"tie"}
    assert figure.title == "By AP, s2 beats s1 on 0 of 5 topics, ties on 5 and loses on 0"
    assert "NaN" not in figure.to_svg()


def test_a_panel_a_system_and_no_more_than_six() -> None:
    result = made(many())
    figure = topics(result)
    others = [system for system in result.comparison.systems if system != "s1"]
    assert list(dict.fromkeys(row["system"] for row in bars(figure))) == others[:6]
    assert figure.caption[-1] == f"Not shown: {others[6]} and {others[7]}."
    assert len(bars(figure)) == 6 * 40
    headings = list(dict.fromkeys(row["panel"] for row in rows_of(figure)))
    for heading, system in zip(headings, others, strict=False):
        kinds = [row["kind"] for row in bars(figure) if row["system"] == system]
        counts = [kinds.count(kind) for kind in ("win", "tie", "loss")]
        words = [f"{n} {word}" for n, word in zip(counts, _nouns(counts), strict=True)]
        assert heading == f"{system}\n{', '.join(words)}"


def _nouns(counts: list[int]) -> list[str]:
    return [
        one if n == 1 else more
        for n, one, more in zip(counts, ("win", "tie", "loss"), ("wins", "ties", "losses"), strict=True)
    ]


def test_titles_of_several_systems() -> None:
    base = many(1)
    shift = np.linspace(0.1, 0.2, len(base))[:, None]
    better, worse = base + shift, base - shift
    assert topics(made(np.hstack([better, base, better + 0.1]))).title == ("By AP, 2 of 2 systems are better than s1")
    assert topics(made(np.hstack([better, base, worse]))).title == (
        "By AP, 1 of 2 systems is better than s1, 1 is worse"
    )
    assert topics(made(np.hstack([worse, base, worse - 0.1]))).title == (
        "By AP, 0 of 2 systems are better than s1, 2 are worse"
    )
    assert topics(made(np.hstack([better, base, worse]), None)).title == (
        "By AP, s0 is better than 2 of 2 other systems"
    )
    assert topics(made(np.hstack([better, base, base[::-1]]))).title == (
        "By AP, 1 of 2 systems is better than s1, s2 is undecided"
    )


def test_a_system_by_its_name() -> None:
    result = made(many())
    figure = topics(result, system="S8")
    assert {row["system"] for row in rows_of(figure)} == {"s8"}
    assert figure.title.startswith("By AP, s8 beats s1 on ")
    assert len(figure.caption) == 1
    with pytest.raises(DesignError, match="the system 's99' is unknown"):
        topics(result, system="s99")


def test_the_best_systems_and_one_at_least() -> None:
    result = made(many(), None)
    few = topics(result, best=3)
    assert list(dict.fromkeys(row["system"] for row in bars(few))) == list(result.comparison.systems[1:3])
    assert "Shown: the best 3 of 9 systems." in few.caption
    assert {row["system"] for row in bars(topics(result, best=1))} == {result.comparison.systems[1]}


def test_a_measure_by_its_name() -> None:
    values = np.random.default_rng(6).random((2, 7, 2))
    names = tuple(f"q{i}" for i in range(7)), ("s0", "s1")
    result = compare(Scores(values[..., None], parse_measures(["AP", "P@10"]), *names, ("whole",)), baseline="s1")
    assert topics(result).title.startswith("By AP, ")
    assert topics(result, "P@10").title.startswith("By P@10, ")
    assert "P@10" in topics(result, "P@10").method


@pytest.mark.parametrize("topics_there", [2, 60, 61, 500])
@pytest.mark.parametrize("systems", [2, 3])
def test_any_number_of_topics_is_drawn(topics_there: int, systems: int) -> None:
    figure = topics(made(many(systems, topics_there)))
    svg = figure.to_svg()
    assert "NaN" not in svg
    assert (">q0<" in svg) == (systems == 2 and topics_there <= 60)  # names of topics, where there is room


@pytest.mark.parametrize("make", [on_shards, with_baseline, by_t])
def test_of_simulated_runs(make: Any) -> None:  # noqa: ANN401  # makes a comparison
    figure = topics(make())
    assert figure.to_svg().startswith("<svg")
    assert "population: " in figure.method
    assert figure.alternative
