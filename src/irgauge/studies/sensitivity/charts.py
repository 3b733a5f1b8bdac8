"""Charts of discriminative power: the p of all pairs, the smallest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import altair as alt

from irgauge.inference.discriminative import METHODS, TITLES
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, tips
from irgauge.show.words import counted, listed
from irgauge.studies.sensitivity.study import Sensitivity

_WIDTH, _HEIGHT = 520, 320
_TOLD = 4  # measures in a title
_POINTS = 400  # of a line, of which there may be thousands


def curves(result: Sensitivity, method: str) -> Figure:
    """A line a measure: how many pairs have a p of at most so much."""
    colours = style.distinct_colours(result.measures)
    base = alt.Chart(data(_rows(result, method))).encode(
        x=alt.X("pair:Q", title="pairs of systems, the smallest p first"),
        y=alt.Y("p:Q", title="p", scale=alt.Scale(domain=[0, 1])),
        color=alt.Color("measure:N", title=None, scale=style.scale(colours)),
        tooltip=tips("measure:N", "pair:Q", "p:Q"),
    )
    level = alt.Chart(data([{}])).mark_rule(strokeDash=[5, 4], color=style.INK).encode(y=alt.YDatum(result.alpha))
    return Figure(
        layered(level, base.mark_line(strokeWidth=1.8)).properties(width=_WIDTH, height=_HEIGHT),
        _title(result, method),
        (
            f"By the {TITLES[method]}. The longer a line stays low, the more pairs its measure tells apart; dashed: "
            f"α = {result.alpha:g}.",
        ),
        width=_WIDTH + 160,
        provenance=result.provenance,
        alternative="A rising line for each measure: the p of pairs of systems, sorted.",
    )


def _title(result: Sensitivity, method: str) -> str:
    """How many pairs each measure tells apart, the most first; of many measures, the ends."""
    powers = result.by(method)
    shown = powers if len(powers) <= _TOLD else (powers[0], powers[-1])
    each = [f"{power.found:,} by {power.measure}" for power in shown]
    pairs = counted(powers[0].pairs, "pair")
    return f"Of {pairs} of systems, p ≤ {result.alpha:g} in {(listed if len(powers) <= _TOLD else ' to '.join)(each)}"


def _rows(result: Sensitivity, method: str) -> Iterator[Row]:
    for measure in result.measures:
        p = [row.p for row in result.curves if (row.measure, row.method) == (measure, method)]
        step = -(-len(p) // _POINTS)
        for pair in sorted({*range(0, len(p), step), len(p) - 1}):
            yield {"measure": measure, "pair": pair + 1, "p": p[pair]}


CHARTS: Mapping[str, Callable[..., Figure]] = {method: partial(curves, method=method) for method in METHODS}
