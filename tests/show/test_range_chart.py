"""The studentized range as curves and as a table, against its distribution."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference.studentized import cdf, ppf, range_curves
from irgauge.show.figure import Figure
from irgauge.show.shared_charts import critical_table, range_chart


def datasets(figure: Figure) -> list[list[dict[str, Any]]]:
    """The inline data, largest first."""
    spec = figure.to_dict()
    json.dumps(spec, allow_nan=False)
    return sorted((list(rows) for rows in spec["datasets"].values()), key=len, reverse=True)


def test_the_chart_marks_critical_values() -> None:
    figure = range_chart(range_curves([5, 25], [100, float("inf")], 0.01))
    curves, marks, *_ = datasets(figure)
    assert [row["q"] for row in marks] == [float(ppf(0.99, k, df)) for k in (5, 25) for df in (100, np.inf)]
    some = [row for row in curves if row["systems"] == "25 systems" and row["df"] == "∞"]
    assert np.allclose([row["p"] for row in some], cdf([row["q"] for row in some], 25, np.inf))
    assert "α = 0.01" in figure.method
    assert figure.to_svg().startswith("<svg")


def test_titles() -> None:
    rises = range_chart(range_curves([5, 25], [100])).title
    assert rises == "The critical value of Tukey's test rises from 3.93 for 5 to 5.32 for 25 systems"
    assert range_chart(range_curves([5], [100, 500])).title.startswith(
        "The critical value of Tukey's test lies between 3.87 and 3.93"
    )


def test_the_table_has_the_values_of_scipy() -> None:
    table = critical_table(range_curves([3, 10], [10, 60], 0.05))
    for record in table.records():
        systems, df = int(str(record["systems"])), float(str(record["df"]))
        assert record["Q"] == pytest.approx(stats.studentized_range.ppf(0.95, systems, df), rel=1e-6)
    assert table.records()[0]["Q"] == pytest.approx(3.877, abs=5e-4)  # as printed tables have it
    assert [row[:2] for row in table.rows] == [(3, 10), (3, 60), (10, 10), (10, 60)]


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_an_alpha_that_is_none_has_no_critical_value(alpha: float) -> None:
    with pytest.raises(DesignError, match="alpha is"):
        range_curves([3], [10], alpha)
