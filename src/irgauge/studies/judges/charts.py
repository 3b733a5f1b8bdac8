"""Charts of judges: what becomes of people's claims, and systems by people's judgments and by a judge's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.words import counted, signed
from irgauge.studies.judges.study import JudgeCompared, Judged

_WIDTH, _STEP, _SIDE = 520, 26, 250  # pixels: of the bars, of a row, of a plot of means
_ACROSS, _MOST = 3, 12  # plots of means side by side, and in all
_COLOURS = {"kept": "#2b7bba", "lost": "#d0d0d0", "reversed": style.ACCENT, "added": "#e8b021"}


def survival(result: Judged) -> Figure:
    """A bar for each judge: claims kept, lost and reversed to the right, those added to the left of 0."""
    names = [judged.judge for judged in result.each]
    axis = alt.Axis(title=None, ticks=False, labelLimit=200, labelPadding=6)
    base = alt.Chart(data(_bars(result))).encode(
        y=alt.Y("judge:N", sort=names, scale=alt.Scale(domain=names), axis=axis),
        color=alt.Color("outcome:N", scale=scale(_COLOURS), legend=alt.Legend(title=None, orient="top")),
        tooltip=tips("judge:N", "outcome:N", "pairs:Q", digits=","),
    )
    x = alt.X("from:Q", title="pairs of systems: added claims left of 0, people's claims right")
    return Figure(
        base.mark_bar().encode(x=x, x2=alt.X2("to:Q")).properties(width=_WIDTH, height=_STEP * max(2, len(names))),
        f"What becomes of people's claims by {result.measure} under {counted(len(names), 'judge')}",
        (
            "Right of 0: the claims that people's judgments support, by what the judge says of them. Left of 0: claims "
            "that only the judge's judgments support.",
        ),
        width=_WIDTH + 220,
        provenance=result.provenance,
        alternative="A bar for each judge, divided into claims kept, lost, reversed and added.",
    )


def _bars(result: Judged) -> Iterator[Row]:
    for judged in result.each:
        end = 0
        for outcome in ("kept", "lost", "reversed"):
            count = judged.counts[outcome]
            yield {"judge": judged.judge, "outcome": outcome, "from": end, "to": end + count, "pairs": count}
            end += count
        added = judged.counts["added"]
        yield {"judge": judged.judge, "outcome": "added", "from": -added, "to": 0, "pairs": added}


def means(result: Judged) -> Figure:
    """For each judge a plot of systems: their means by people's judgments and by the judge's."""
    shown = result.each[:_MOST]
    plots = [_plot(result, judged) for judged in shown]
    left_out = len(result.each) - len(shown)
    return Figure(
        alt.concat(*plots, columns=_ACROSS),
        f"{counted(len(result.systems), 'system')} by {result.measure}: people and {counted(len(shown), 'judge')}",
        (
            "A point is a system, by its mean by people's judgments (across) and by the judge's (up); its colour says "
            "how far its rank moves. Were the orders the same, the points would rise all along.",
            *((f"Shown: the first {len(shown)} of {len(result.each)} judges.",) if left_out else ()),
        ),
        width=min(_ACROSS, len(plots)) * (_SIDE + 80) + 100,
        provenance=result.provenance,
        alternative="Systems as points: the mean by people's judgments against the mean by a judge's.",
    )


def _plot(result: Judged, judged: JudgeCompared) -> alt.LayerChart:
    most = max(1, int(abs(judged.orders.change).max()))
    colour = alt.Color(
        "change:Q",
        scale=alt.Scale(domain=[-most, 0, most], range=[_COLOURS["kept"], style.PALE, style.ACCENT], interpolate="rgb"),
        legend=alt.Legend(title="ranks lost"),
    )
    base = alt.Chart(data(_points(judged))).encode(
        x=alt.X("people:Q", title=f"mean {result.measure}, people", scale=alt.Scale(zero=False)),
        y=alt.Y("judge:Q", title=f"mean {result.measure}, {judged.judge}", scale=alt.Scale(zero=False)),
        tooltip=tips("system:N", "people:Q", "judge:Q", "rank:O", "judge_rank:O", "change:Q", judge_rank="rank, judge"),
    )
    points = base.mark_point(filled=True, size=45, stroke=style.INK, strokeWidth=0.4).encode(
        color=colour, opacity=style.fading("system")
    )
    title = (
        f"{judged.judge}: τ = {signed(judged.orders.tau.value)}, {judged.counts['kept']:,} of {judged.claimed:,} kept"
    )
    return layered(points).properties(width=_SIDE, height=_SIDE, title=title)


def _points(judged: JudgeCompared) -> Iterator[Row]:
    orders = judged.orders
    for s, system in enumerate(judged.systems):
        yield {
            "system": system,
            "people": float(judged.people_means[s]),
            "judge": float(judged.means[s]),
            "rank": int(orders.ranks[s]),
            "judge_rank": int(orders.other_ranks[s]),
            "change": int(orders.change[s]),
        }


CHARTS: Mapping[str, Callable[..., Figure]] = {"survival": survival, "means": means}
