"""Charts of the agreement of measures: systems by two measures, or a matrix of more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, tips
from irgauge.show.words import counted, signed
from irgauge.studies.agreement.study import Agreement

_SIDE = 380  # pixels, of the chart of two measures
_CELL = 46  # pixels, of the matrix
_MOST_SIDE = 700
_COLOURS = ("#f3c9a5", "#ffffff", "#a9cee9")  # of a τ of -1, 0 and 1: pale, so that text can be read on each
_TAU = "Kendall's τ: 1 where two measures order all systems alike, 0 without any relation, −1 in the reverse order."


def measures(result: Agreement) -> Figure:
    """Of two measures the systems, of more the pairs of measures."""
    return scatter(result) if len(result.measures) == 2 else matrix(result)


def scatter(result: Agreement) -> Figure:
    """The mean of each system by two measures."""
    x, y = result.measures
    rows = [_point(result, i) for i in range(len(result.systems))]
    first, second = (alt.Scale(zero=False, nice=True) for _ in "xy")
    base = alt.Chart(data(rows)).encode(
        x=alt.X("x:Q", title=f"mean {x}", scale=first),
        y=alt.Y("y:Q", title=f"mean {y}", scale=second),
        opacity=style.fading("system", opacity=0.8),
        size=style.growing("system", 40, 130),
        tooltip=tips(
            "system:N", "x:Q", "y:Q", "rank:O", "other_rank:O", x=x, y=y, rank=f"rank, {x}", other_rank=f"rank, {y}"
        ),
    )
    return Figure(
        base.mark_point(filled=True, color=style.DISTINCT[0]).properties(width=_SIDE, height=_SIDE),
        f"{counted(len(rows), 'system')} by {x} and {y}{_tau_of(result)}",
        ("A point is a system, by its means over topics. Were the orders the same, the points would rise all along.",),
        width=_SIDE + 120,
        provenance=result.provenance,
        alternative=f"Systems as points: mean {x} against mean {y}.",
    )


def _tau_of(result: Agreement) -> str:
    tau = result.pairs[0].tau
    return "" if tau is None else f"; Kendall's τ = {signed(tau)}"


def _point(result: Agreement, place: int) -> Row:
    one = result.systems[place]
    (x, y), (rank, other) = one.means, one.ranks
    return {"system": one.system, "rank": rank, "x": x, "y": y, "other_rank": other}


def matrix(result: Agreement) -> Figure:
    """A cell for each pair of measures, with its τ."""
    names = list(result.measures)
    cell = max(18, min(_CELL + 14, _MOST_SIDE // len(names)))
    side = cell * len(names)
    base = alt.Chart(data(_cells(result))).encode(
        x=alt.X("across:O", scale=alt.Scale(domain=names), axis=_axis(-50)),
        y=alt.Y("down:O", scale=alt.Scale(domain=names), axis=_axis(0)),
        tooltip=tips("down:N", "across:N", "tau:Q", down="measure", across="other measure", tau="τ"),
    )
    scale = alt.Scale(domain=[-1, 0, 1], range=list(_COLOURS), interpolate="rgb")
    colour = alt.Color("tau:Q", scale=scale, legend=alt.Legend(title="Kendall's τ"))
    cells = base.mark_rect(stroke=style.GRID).encode(color=colour)
    texts = base.mark_text(fontSize=11 if cell >= 32 else 8, color=style.INK).encode(text=alt.Text("shown:N"))
    return Figure(
        layered(cells, texts).properties(width=side, height=side),
        f"How well {len(names)} measures agree on the order of {counted(len(result.systems), 'system')}",
        (_TAU,),
        width=max(side, 340) + 160,
        provenance=result.provenance,
        alternative="A matrix of measures; each cell holds Kendall's τ of two of them.",
    )


def _axis(angle: int) -> alt.Axis:
    return alt.Axis(title=None, labelAngle=angle, ticks=False, labelPadding=6, labelLimit=160)


def _cells(result: Agreement) -> Iterator[Row]:
    """Both halves of the matrix; a measure agrees with itself, which is not shown."""
    for pair in result.pairs:
        shown = "–" if pair.tau is None else f"{pair.tau:.2f}".replace("-", "−")
        for down, across in ((pair.first, pair.second), (pair.second, pair.first)):
            yield {"down": down, "across": across, "tau": pair.tau, "shown": shown}


CHARTS: Mapping[str, Callable[..., Figure]] = {"measures": measures}
