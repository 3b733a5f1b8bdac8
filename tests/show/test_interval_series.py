"""Intervals of systems, by model or by number of shards."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from irgauge.inference.intervals import MeanInterval
from irgauge.models.anova import Population
from irgauge.show.figure import Figure
from irgauge.show.shared_charts import interval_rows, interval_series


def interval(mean: list[float], half: float, population: Population | None = "documents") -> MeanInterval:
    means = np.array(mean)
    return MeanInterval(("a", "b", "c"), "Tukey", means, means - half, means + half, 0.05, population)


SERIES = {
    "MD1": interval([0.2, 0.5, 0.3], 0.1, "topics"),
    "MD6 on 2 shards": interval([0.25, 0.4, 0.35], 0.05),
    "MD6 on 5 shards": interval([0.3, 0.4, 0.2], 0.025),
}


def rows_of(figure: Figure) -> list[dict[str, Any]]:
    spec = figure.to_dict()
    json.dumps(spec, allow_nan=False)
    datasets: list[list[dict[str, Any]]] = [list(rows) for rows in spec["datasets"].values()]
    return max(datasets, key=len)


def test_rows_of_an_interval_have_systems_with_their_ranks() -> None:
    first, *_ = interval_rows(SERIES["MD1"].of(["b", "c", "a"]))
    assert first == {"system": "b", "rank": 1, "mean": 0.5, "low": 0.4, "high": 0.6}


def test_systems_stand_in_the_order_of_the_first_series() -> None:
    rows = rows_of(interval_series(SERIES, "AP"))
    assert len(rows) == 9
    for name, one in SERIES.items():
        drawn = [row for row in rows if row["series"] == name]
        assert [(row["system"], row["rank"]) for row in drawn] == [("b", 1), ("c", 2), ("a", 3)]
        assert [row["mean"] for row in drawn] == one.of(["b", "c", "a"]).mean.tolist()
        assert [row["low"] for row in drawn] == one.of(["b", "c", "a"]).low.tolist()


def test_the_title_has_the_half_widths_of_the_first_and_the_last() -> None:
    figure = interval_series(SERIES, "AP")
    assert (
        figure.title
        == "Tukey intervals for comparing systems in mean AP are ± 0.100 with MD1 and ± 0.025 with MD6 on 5 shards"
    )
    one = {"MD1": SERIES["MD1"]}
    assert interval_series(one, "AP").title == "Tukey intervals for comparing systems in mean AP are ± 0.100 with MD1"


def test_the_caption_has_the_population_of_each_series() -> None:
    assert interval_series(SERIES, "AP").caption == (
        "Lines: Tukey intervals, α = 0.05; population: topics (MD1), documents (MD6 on 2 shards, MD6 on 5 shards).",
        "Lines of different populations answer different questions.",
    )
    same = {name: one for name, one in SERIES.items() if name != "MD1"}
    assert interval_series(same, "AP").caption == ("Lines: Tukey intervals, α = 0.05; population: documents.",)


@pytest.mark.parametrize("best", [1, 2, 3])
def test_the_best_systems_are_those_of_the_first_series(best: int) -> None:
    figure = interval_series(SERIES, "AP", best)
    assert {row["system"] for row in rows_of(figure)} == set("bca"[:best])
    assert figure.title == interval_series(SERIES, "AP").title
    assert (f"Shown: the best {best} of 3 systems." in figure.caption) == (best < 3)
    assert figure.to_svg().startswith("<svg")
