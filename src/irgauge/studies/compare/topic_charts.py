"""The chart of what happened per topic: sorted differences from the baseline, or of the best system from others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import altair as alt
import numpy as np

from irgauge.choices import known
from irgauge.inference.by_topic import PairOnTopics, on_topics
from irgauge.inference.comparison import Comparison
from irgauge.scoring.direction import sign_of
from irgauge.show import style, verdicts
from irgauge.show.abridged import spaced, spaced_note
from irgauge.show.figure import Figure
from irgauge.show.ratios import plain_name
from irgauge.show.style import Row, data, layered, only, scale, tips, width_of
from irgauge.show.words import best_note, counted, lower_told, over_shards, percent, some
from irgauge.studies.compare.study import Compared
from irgauge.studies.compare.tables import held_for

_PANELS = 6  # systems that are shown side by side
_PANEL = 290  # pixels, the width of one of several panels
_KINDS = {"win": verdicts.COLOURS["better"], "loss": verdicts.COLOURS["worse"], "tie": style.INK}
_NARROW = 4  # pixels of a topic: with fewer, bars have no room between them


def topics(result: Compared, measure: str | None = None, system: str | None = None, best: int | None = None) -> Figure:
    """Differences on topics, sorted: of systems from the baseline, or of the best system from others."""
    compared = result.of(measure)
    comparison = compared.comparison
    figure = sorted_differences(comparison, list(on_topics(compared.basis, comparison)), system, best)
    is_one_of_several = measure is None and len(result.each) > 1
    note = (f"By {compared.measure}, the first of {len(result.each)} measures.",) if is_one_of_several else ()
    return replace(figure.noting(*note), provenance=compared.provenance_of(comparison))


def sorted_differences(
    comparison: Comparison, pairs: Sequence[PairOnTopics], system: str | None = None, best: int | None = None
) -> Figure:
    """A panel for each of a few systems: a bar a topic, the mean difference and its interval."""
    asked = _asked(comparison, pairs, system, best)
    chart, width = _single(comparison, asked[0]) if len(asked) == 1 else _several(comparison, asked[:_PANELS])
    return Figure(
        chart,
        _title(comparison, asked),
        tuple(_caption(comparison, asked, best if system is None else None)),
        width=width,
        alternative="Bars of the differences on topics, from the largest gain to the largest loss.",
    )


def _asked(
    comparison: Comparison, pairs: Sequence[PairOnTopics], system: str | None, best: int | None
) -> Sequence[PairOnTopics]:
    """The pair with a system, or those with the best systems; one at least."""
    others = [_other(comparison, pair) for pair in pairs]
    if system is not None:
        return [pairs[others.index(known(system, others, "system"))]]
    first = comparison.systems[:best]
    return [pair for pair, other in zip(pairs, others, strict=True) if other in first] or pairs[:1]


def _other(comparison: Comparison, pair: PairOnTopics) -> str:
    """The system of a pair that is not in all of them."""
    return pair.against if comparison.baseline is None else pair.system


# panels


def _single(comparison: Comparison, pair: PairOnTopics) -> tuple[alt.LayerChart, float]:
    """One panel, with the names of topics where there is room, and its width."""
    width = width_of(len(pair.topics), step=15, least=320, most=920)
    chart = _panel(comparison, [pair], _topic_axis(pair), width, alt.Chart(data(_rows(comparison, [pair]))))
    return chart.properties(width=width, height=340), width + 120


def _several(comparison: Comparison, pairs: Sequence[PairOnTopics]) -> tuple[alt.FacetChart, float]:
    """A panel a pair, and the width of all."""
    columns = 2 if len(pairs) in (2, 4) else 3
    x = _place_axis(pairs[0], title=None)  # a title would stand under empty places too
    header = alt.Header(title=None, labelExpr=style.ON_LINES, labelAnchor="start")
    chart = _panel(comparison, pairs, x, _PANEL, alt.Chart()).properties(width=_PANEL, height=190)
    facets = chart.facet(
        facet=alt.Facet("panel:N", sort=[_heading(comparison, pair) for pair in pairs], header=header),
        columns=columns,
        data=data(_rows(comparison, pairs)),
        spacing=18,
    )
    return facets, columns * (_PANEL + 18) + 60


def _heading(comparison: Comparison, pair: PairOnTopics) -> str:
    """The system in one line, its wins, ties and losses in the next."""
    against = "against " if comparison.baseline is None else ""
    counts = counted(pair.wins, "win"), counted(pair.ties, "tie"), f"{pair.losses:,} loss{'es' * (pair.losses != 1)}"
    return f"{against}{_other(comparison, pair)}\n{', '.join(counts)}"


def _topic_axis(pair: PairOnTopics) -> alt.X:
    title = f"{counted(len(pair.topics), 'topic')}, largest gain first"
    if len(pair.topics) > style.NAMED:
        return _place_axis(pair, title)
    names = [pair.topics[topic] for topic in pair.order.tolist()]
    axis = alt.Axis(title=title, labelAngle=-90, labelLimit=style.LONGEST, ticks=False, grid=False)
    return alt.X("topic:O", scale=alt.Scale(domain=names), axis=axis)


def _place_axis(pair: PairOnTopics, title: str | None) -> alt.X:
    axis = alt.Axis(title=title, labels=False, ticks=False, grid=False, domain=False)
    return alt.X("place:O", scale=alt.Scale(domain=spaced(range(1, len(pair.topics) + 1))), axis=axis)


def _panel(
    comparison: Comparison, pairs: Sequence[PairOnTopics], x: alt.X, width: float, base: alt.Chart
) -> alt.LayerChart:
    """The interval behind, then the bars, a line at 0 and one at the mean."""
    reach = alt.Scale(domain=_reach(comparison, pairs), nice=True)
    mean = only(base, "kind", "mean").encode(tooltip=tips("system:N", "mean:Q", "low:Q", "high:Q"))
    ends = mean.transform_filter("isValid(datum.low) && isValid(datum.high)")
    bars = base.encode(
        x=x,
        y=alt.Y(
            "difference:Q",
            title=f"difference in {_directed(pairs[0])}",
            axis=alt.Axis(grid=True),
        ),
        opacity=style.fading("system"),
        tooltip=_tips(comparison, pairs[0]),
    )
    return layered(
        ends.mark_rect(color=style.MUTED, opacity=0.25, clip=True).encode(
            y=alt.Y("low:Q", scale=reach), y2=alt.Y2("high:Q")
        ),
        *_bars(bars, pairs, is_narrow=width < _NARROW * len(pairs[0].topics)),
        mean.mark_rule(color=style.INK, strokeWidth=0.8).encode(y=alt.YDatum(0), tooltip=alt.TooltipValue(None)),
        mean.mark_rule(color=style.INK, strokeWidth=1.4, strokeDash=[6, 3]).encode(y=alt.Y("mean:Q")),
    )


def _reach(comparison: Comparison, pairs: Sequence[PairOnTopics]) -> tuple[float, float]:
    """Of the axis: 0, all differences, and the intervals as far as they are not wider than the largest difference."""
    values = np.concatenate([[0.0], *(pair.difference for pair in pairs)])
    most = float(np.abs(values).max()) or 1.0
    ends = np.concatenate([each[[pair.pair for pair in pairs]] for each in (comparison.low, comparison.high)])
    values = np.concatenate([values, np.clip(ends[np.isfinite(ends)], -most, most)])
    low, high = float(values.min()), float(values.max())
    return low, high if high > low else most


def _tips(comparison: Comparison, pair: PairOnTopics) -> list[alt.Tooltip]:
    """The panel's system, the topic, both scores and the difference."""
    whose = (
        {"score": f"score of {pair.system}"}
        if comparison.baseline is None
        else {"other": f"score of {comparison.baseline}"}
    )
    rest = {"other": "score"} if comparison.baseline is None else {}
    return tips("system:N", "topic:N", "score:Q", "other:Q", "difference:Q", **whose, **rest)


def _bars(base: alt.Chart, pairs: Sequence[PairOnTopics], *, is_narrow: bool) -> Iterator[alt.Chart]:
    """Wins and losses as bars, ties as dots."""
    there = {kind for pair in pairs for kind in map(_kind, pair.gain.tolist())}
    colours = {kind: colour for kind, colour in _KINDS.items() if kind in there}
    legend = alt.Legend(title=None, orient="top", symbolType="square", symbolStrokeWidth=0)
    coloured = base.encode(color=alt.Color("kind:N", scale=scale(colours), legend=legend))
    edge = 0.4 if is_narrow else 0  # pixels, so that no seams show between bars
    for kind, colour in colours.items():
        mark = only(coloured, "kind", kind)
        is_dot = kind == "tie"
        yield mark.mark_point(size=9, filled=True) if is_dot else mark.mark_bar(stroke=colour, strokeWidth=edge)


def _kind(gain: float) -> str:
    return "tie" if gain == 0 else "win" if gain > 0 else "loss"


def _rows(comparison: Comparison, pairs: Sequence[PairOnTopics]) -> Iterator[Row]:
    """The mean difference of each pair, then its topics from the largest gain to the largest loss."""
    for pair in pairs:
        other = _other(comparison, pair)
        panel: Row = {"panel": _heading(comparison, pair), "system": other, "rank": comparison.systems.index(other) + 1}
        ends: Row = {name: float(getattr(comparison, name)[pair.pair]) for name in ("low", "high")}
        yield panel | {"kind": "mean", "mean": float(comparison.difference[pair.pair])} | ends
        places = spaced(range(1, len(pair.topics) + 1))
        for place, record in zip(places, pair.records(spaced(pair.order.tolist())), strict=True):
            values: Row = {name: record[name] for name in ("topic", "score", "other", "difference")}
            kind = _kind(sign_of(pair.direction) * record["difference"])
            yield panel | {"kind": kind, "place": place} | values


# words


def _measure(pair: PairOnTopics) -> str:
    return over_shards(pair.measure, pair.shards)


def _directed(pair: PairOnTopics) -> str:
    return _measure(pair) + lower_told(pair.direction)


def _title(comparison: Comparison, pairs: Sequence[PairOnTopics]) -> str:
    """On how many topics a system wins; of several, how many are better and worse, and which are undecided."""
    pair = pairs[0]
    by = over_shards(plain_name(pair.measure), pair.shards)
    if len(pairs) == 1:
        return (
            f"By {by}, {pair.system} beats {pair.against} on {pair.wins:,} of "
            f"{counted(len(pair.topics), 'topic')}, ties on {pair.ties:,} and loses on {pair.losses:,}"
        )
    return f"By {by}, {_standing(comparison, pairs)}"


def _standing(comparison: Comparison, pairs: Sequence[PairOnTopics]) -> str:
    """How many systems are better than the baseline, or worse than the system that is shown; which are undecided."""
    ahead, behind = (
        sum(bool(comparison.significant[pair.pair]) and sign * comparison.gain[pair.pair] > 0 for pair in pairs)
        for sign in (1, -1)
    )
    open_ = [_other(comparison, pair) for pair in pairs if not comparison.significant[pair.pair]]
    if comparison.baseline is None:
        told = [f"{pairs[0].system} is better than {ahead} of {len(pairs)} other systems"]
        told += [f"worse than {behind}"] if behind else []
    else:
        told = [f"{ahead} of {len(pairs)} systems {'is' if ahead == 1 else 'are'} better than {comparison.baseline}"]
        told += [f"{behind} {'is' if behind == 1 else 'are'} worse"] if behind else []
    if open_:
        told.append(f"{some(open_, 3)} {'is' if len(open_) == 1 else 'are'} undecided")
    return ", ".join(told)


def _caption(comparison: Comparison, asked: Sequence[PairOnTopics], best: int | None) -> Iterator[str]:
    """What the marks are, then which systems are shown."""
    pair = asked[0]
    first = pair.system if comparison.baseline is None or len(asked) == 1 else "system"
    second = pair.against if comparison.baseline is not None or len(asked) == 1 else "other system"
    yield (
        f"Bars: {first} − {second}, on each of {counted(len(pair.topics), 'topic')}, largest gain first; dots: ties. "
        f"Dashed: the mean difference{_band(comparison, asked[:_PANELS])}."
    )
    yield from spaced_note(len(pair.topics))
    yield from best_note(best or len(comparison.systems), len(comparison.systems))
    rest = [_other(comparison, pair) for pair in asked[_PANELS:]]
    if rest:
        yield f"Not shown: {some(rest)}."


def _band(comparison: Comparison, pairs: Sequence[PairOnTopics]) -> str:
    places = [pair.pair for pair in pairs]
    if not np.isfinite(comparison.low[places]).any():
        return ""
    low, high = _reach(comparison, pairs)
    is_cut = bool((comparison.low[places] < low).any() or (comparison.high[places] > high).any())
    wider = " (wider than the chart)" * is_cut
    return f"; band: its {percent(comparison.confidence)} interval, for {held_for(comparison)}{wider}"
