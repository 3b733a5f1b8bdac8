"""Charts of a check: how much of what runs rank first is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, level_axis, scale, tips, width_of
from irgauge.show.words import counted
from irgauge.studies.check.facts import RunFacts
from irgauge.studies.check.study import Checked

_DEPTHS = {"top 10": style.DISTINCT[0], "top 100": style.DISTINCT[4]}


def judged(result: Checked) -> Figure:
    """The share of the top 10 and of the top 100 that is judged, run by run."""
    runs = sorted(result.runs, key=lambda run: -run.judged_10)
    names = [run.system for run in runs]
    width = width_of(len(names), step=24, least=380, most=920)
    title = f"{counted(len(names), 'system')}, the most judged first"
    chart = (
        alt.Chart(data(_rows(result, names)))
        .mark_point(filled=True, size=36, opacity=1)
        .encode(
            x=alt.X(**level_axis(names, title, fields=style.SYSTEM)),
            y=alt.Y("judged:Q", title="judged", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%")),
            color=alt.Color("of:N", title=None, scale=scale(_DEPTHS)),
            opacity=style.fading("system"),
            tooltip=tips("system:N", "of:N", "judged:Q"),
        )
    )
    return Figure(
        chart.properties(width=width, height=280),
        _title(runs[-1]),
        ("Points: share of judged documents among those ranked first, mean over topics.",),
        width=width + 120,
        provenance=result.provenance,
        alternative="For each run, the share of its top 10 and of its top 100 documents that is judged.",
    )


def _title(least: RunFacts) -> str:
    if least.judged_10 == 1:
        return "The top 10 of every run is judged"
    return f"Of {least.system} the least is judged: {least.judged_10:.0%} of its top 10"


def _rows(result: Checked, names: list[str]) -> Iterator[Row]:
    runs = {run.system: run for run in result.runs}
    for rank, name in enumerate(names, 1):
        shares = zip(_DEPTHS, (runs[name].judged_10, runs[name].judged_100), strict=True)
        for of, share in shares:
            yield {"system": name, "rank": rank, "of": of, "judged": share}


CHARTS: Mapping[str, Callable[..., Figure]] = {"judged": judged}
