"""Charts of judges: what becomes of people's claims, and systems by people's judgments and by a judge's."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

import altair as alt

from irgauge.errors import DesignError
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.words import capital, counted, signed
from irgauge.studies.judges.compared import JudgeCompared
from irgauge.studies.judges.grading import GradesCompared
from irgauge.studies.judges.study import Judged

T = TypeVar("T")
_WIDTH, _STEP, _SIDE = 520, 26, 250  # pixels: of the bars, of a row, of a plot of means
_CELL, _NAME = 52, 17  # pixels, of a matrix, and of a row with a name
_ROWS = 20  # of systems and groups that a judge favours or disfavours most
_ACROSS, _MOST = 3, 12  # plots of means side by side, and in all
_COLOURS = {"kept": "#2b7bba", "lost": "#d0d0d0", "reversed": style.ACCENT, "added": "#e8b021"}


def survival(result: Judged) -> Figure:
    """A bar for each judge: claims kept, lost and reversed to the right, those added to the left of 0."""
    _check_runs(result)
    names = [judged.judge for judged in result.each]
    axis = alt.Axis(title=None, ticks=False, labelLimit=style.LONGEST, labelPadding=6)
    base = alt.Chart(data(_bars(result))).encode(
        y=alt.Y("judge:N", sort=names, scale=alt.Scale(domain=names), axis=axis),
        color=alt.Color("outcome:N", scale=scale(_COLOURS), legend=alt.Legend(title=None, orient="top")),
        tooltip=tips("judge:N", "outcome:N", "pairs:Q", digits=","),
    )
    counts = alt.Axis(tickMinStep=1, format=",d")
    x = alt.X("from:Q", title="pairs of systems: added claims left of 0, people's claims right", axis=counts)
    return Figure(
        base.mark_bar().encode(x=x, x2=alt.X2("to:Q")).properties(width=_WIDTH, height=_STEP * max(2, len(names))),
        _survival_title(result),
        (
            "Right of 0: the claims that people's judgments support, by what the judge says of them. Left of 0: claims "
            "that only the judge's judgments support.",
        ),
        width=_WIDTH + 220,
        provenance=result.provenance,
        alternative="A bar for each judge, divided into claims kept, lost, reversed and added.",
    )


def _survival_title(result: Judged) -> str:
    """How many of people's claims the judge keeps; of several judges, the one that keeps most, and the one least."""
    each = sorted(result.each, key=lambda judged: -judged.counts["kept"])
    kept = [f"{judged.judge} keeps {judged.counts['kept']:,} of {judged.claimed:,}" for judged in _ends(each)]
    reversing = sum(judged.counts["reversed"] > 0 for judged in each)
    turned = f"{counted(reversing, 'judge')} {'reverses' if reversing == 1 else 'reverse'} some" if reversing else ""
    return f"Of people's claims by {result.measure}, {', '.join(kept)}; {turned or 'none is reversed'}"


def _heading(text: str) -> alt.TitleParams:
    """What stands over one of several plots."""
    return alt.TitleParams(text, fontSize=style.SMALLEST, anchor="start")


def _ends(ordered: Sequence[T]) -> Sequence[T]:
    """The first and the last; the only one once."""
    return ordered if len(ordered) == 1 else (ordered[0], ordered[-1])


def _check_runs(result: Judged) -> None:
    if not result.each:
        raise DesignError("judgments without runs say nothing of systems; draw the chart 'confusion', or give runs")


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
    _check_runs(result)
    shown = result.each[:_MOST]
    most = max(1, *(int(abs(judged.orders.change).max()) for judged in shown))  # of one scale of colours
    plots = [_plot(result, judged, most) for judged in shown]
    left_out = len(result.each) - len(shown)
    return Figure(
        alt.concat(*plots, columns=_ACROSS),
        _means_title(result),
        (
            "A point is a system, by its mean by people's judgments (across) and by the judge's (up); its colour says "
            "how far its rank moves. Were the orders the same, the points would rise all along.",
            *((f"Shown: the first {len(shown)} of {len(result.each)} judges.",) if left_out else ()),
        ),
        width=min(_ACROSS, len(plots)) * (_SIDE + 80) + 100,
        provenance=result.provenance,
        alternative="Systems as points: the mean by people's judgments against the mean by a judge's.",
    )


def _means_title(result: Judged) -> str:
    """How well the order agrees with people's; of several judges, by the one that agrees most, and the one least."""
    known = [judged for judged in result.each if not math.isnan(judged.orders.tau.value)] or list(result.each)
    each = sorted(known, key=lambda judged: -judged.orders.tau.value)
    taus = [f"τ = {signed(judged.orders.tau.value)} by {judged.judge}" for judged in _ends(each)]
    systems = counted(len(result.systems), "system")
    return f"The order of {systems} by {result.measure} agrees with people's with {' to '.join(taus)}"


def _plot(result: Judged, judged: JudgeCompared, most: int) -> alt.LayerChart:
    colour = alt.Color(
        "change:Q",
        scale=alt.Scale(domain=[-most, 0, most], range=[_COLOURS["kept"], style.PALE, style.ACCENT], interpolate="rgb"),
        legend=alt.Legend(title="ranks lost"),
    )
    scale = alt.Scale(zero=False, nice=True, padding=8)  # so that no point is cut
    base = alt.Chart(data(_points(judged))).encode(
        x=alt.X("people:Q", title=f"mean {result.measure}, people", scale=scale),
        y=alt.Y("judge:Q", title=f"mean {result.measure}, {judged.judge}", scale=scale),
        tooltip=tips("system:N", "people:Q", "judge:Q", "rank:O", "judge_rank:O", "change:Q", judge_rank="rank, judge"),
    )
    points = base.mark_point(filled=True, size=45, stroke=style.INK, strokeWidth=0.4).encode(
        color=colour, opacity=style.fading("system")
    )
    title = (
        f"{judged.judge}: τ = {signed(judged.orders.tau.value)}, {judged.counts['kept']:,} of {judged.claimed:,} kept"
    )
    return layered(points).properties(width=_SIDE, height=_SIDE, title=_heading(title))


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


def confusion(result: Judged) -> Figure:
    """For each judge a matrix of people's grades and the judge's."""
    if not result.grading:
        raise DesignError("tables of scores have no grades; give judgments and runs")
    shown = result.with_people[:_MOST]
    left_out = len(result.with_people) - len(shown)
    return Figure(
        alt.concat(*map(_matrix, shown), columns=_ACROSS),
        _confusion_title(result.with_people),
        (
            "A cell: of the documents with a grade by people (down) the share with a grade by the judge (across), in "
            "per cent. Were they the same, all would stand on the diagonal.",
            *((f"Shown: the first {len(shown)} of {len(result.with_people)} judges.",) if left_out else ()),
        ),
        width=min(_ACROSS, len(shown)) * (_SIDE + 40) + 100,
        provenance=result.provenance,
        alternative="Matrices of people's grades and a judge's, with the share of each row in its cells.",
    )


def _confusion_title(compared: Sequence[GradesCompared]) -> str:
    known = [own for own in compared if not math.isnan(own.estimates["kappa"].value)] or list(compared)
    each = sorted(known, key=lambda own: -own.estimates["kappa"].value)
    kappas = [f"κ = {signed(own.estimates['kappa'].value)} by {own.judge}" for own in _ends(each)]
    return f"Grades agree with people's with {' to '.join(kappas)}"


def _matrix(compared: GradesCompared) -> alt.LayerChart:
    base = alt.Chart(data(_cells(compared))).encode(
        x=alt.X("judge:O", title=f"grade by {compared.judge}", axis=alt.Axis(labelAngle=0, ticks=False)),
        y=alt.Y("people:O", title="grade by people", sort="descending", axis=alt.Axis(ticks=False)),
        tooltip=tips("people:O", "judge:O", "pairs:Q", "share:Q", digits=",.3~g"),
    )
    colours = alt.Scale(domain=[0, 1], range=["#ffffff", _COLOURS["kept"]], interpolate="rgb")
    cells = base.mark_rect(stroke=style.GRID).encode(color=alt.Color("share:Q", scale=colours, legend=None))
    texts = base.mark_text(color=style.INK).encode(text=alt.Text("shown:N"))
    title, side = f"{compared.judge}: κ = {signed(compared.estimates['kappa'].value)}", _CELL * len(compared.grades)
    return layered(cells, texts).properties(width=side, height=side, title=_heading(title))


def _cells(compared: GradesCompared) -> Iterator[Row]:
    for g, grade in enumerate(compared.grades):
        counts = compared.confusion[g].tolist()
        for other, count in zip(compared.grades, counts, strict=True):
            share = count / sum(counts) if sum(counts) else 0.0
            shown = f"{100 * share:.0f}" if sum(counts) else ""
            yield {"people": grade, "judge": other, "pairs": count, "share": share, "shown": shown}


def favour(result: Judged) -> Figure:
    """For each judge a row for each group, and for the systems that it favours or disfavours most."""
    _check_runs(result)
    shown = result.each[:_ACROSS]
    left_out = len(result.each) - len(shown)
    return Figure(
        alt.concat(*(_favours(result, judged.judge) for judged in shown), columns=_ACROSS),
        _favour_title(result, [judged.judge for judged in shown]),
        (
            f"Points: what the judge adds to a mean by people, less what it adds to all systems in the mean; the "
            f"{_ROWS} largest, groups first. Lines: intervals for all together.",
            *((f"Shown: the first {len(shown)} of {len(result.each)} judges.",) if left_out else ()),
        ),
        width=len(shown) * (_SIDE + 170) + 60,
        provenance=result.provenance,
        alternative="For each judge, systems with what it adds to them against the mean of all, with intervals.",
    )


def _favour_title(result: Judged, judges: Sequence[str]) -> str:
    """How many systems each judge favours and disfavours."""
    found = [favour for favour in result.favours if favour.group is None and favour.is_found(result.alpha)]
    of = f"of {counted(len(result.systems), 'system')} by {result.measure}"
    if not any(favour.judge in judges for favour in found):
        return f"{f'{judges[0]} is not' if len(judges) == 1 else 'No judge is'} shown to favour any {of}"
    each = {judge: [favour.difference > 0 for favour in found if favour.judge == judge] for judge in judges}
    counts = [f"{judge} favours {sum(up)} and disfavours {len(up) - sum(up)}" for judge, up in each.items()]
    return f"{capital(of)}, {'; '.join(counts)}"


def _favours(result: Judged, judge: str) -> alt.LayerChart:
    own = [favour for favour in result.favours if favour.judge == judge]
    largest = sorted(own, key=lambda favour: (favour.group is None, -abs(favour.difference)))[:_ROWS]
    rows = [{**favour.row(result.measure, result.alpha), "name": favour.name, "zero": 0.0} for favour in largest]
    names = [favour.name for favour in sorted(largest, key=lambda favour: -favour.difference)]
    axis = alt.Axis(title=None, ticks=False, labelLimit=style.LONGEST)
    base = alt.Chart(data(rows)).encode(
        y=alt.Y("name:N", sort=names, axis=axis),
        color=alt.condition("datum.significant", alt.value(style.ACCENT), alt.value(style.MUTED)),
        tooltip=tips("name:N", "difference:Q", "low:Q", "high:Q", "p_adjusted:Q", **style.ADJUSTED),
    )
    zero = alt.Chart(data(rows[:1])).mark_rule(color=style.INK, strokeWidth=0.8).encode(x=alt.X("zero:Q"))
    lines = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=f"favour, {judge}"), x2=alt.X2("high:Q"))
    points = base.mark_point(filled=True, size=45, opacity=1).encode(x=alt.X("difference:Q"))
    return layered(zero, lines, points).properties(width=_SIDE, height=_NAME * len(rows), title=_heading(judge))


def worth(result: Judged) -> Figure:
    """For each judge, how many topics by people its others are worth."""
    if not result.corrected:
        raise DesignError(
            "no judge has topics that people did not judge, as judgments and runs that are read; give some"
        )
    rows: list[Row] = []
    for claims in result.corrected:
        low, middle, high = (end - claims.topics for end in claims.worth)
        rows.append({"judge": claims.judge, "low": low, "median": middle, "high": high, "others": claims.judged})
    base = alt.Chart(data(rows)).encode(
        y=alt.Y("judge:N", sort=None, axis=alt.Axis(title=None, ticks=False, labelLimit=style.LONGEST)),
        tooltip=tips("judge:N", "median:Q", "low:Q", "high:Q", "others:Q", others="topics by the judge"),
    )
    lines = base.mark_rule(strokeWidth=5, color=style.PALE).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    points = base.mark_point(filled=True, size=60, opacity=1, color=style.ACCENT)
    x = alt.X("median:Q", title="topics more by people that would tell as much")
    return Figure(
        layered(lines, points.encode(x=x)).properties(width=_WIDTH, height=_STEP * max(2, len(rows))),
        _worth_title(result),
        ("Points: the median over pairs of systems; bars: half of the pairs.",),
        width=_WIDTH + 220,
        provenance=result.provenance,
        alternative="For each judge, how many more topics by people would tell as much as its judgments do.",
    )


def _worth_title(result: Judged) -> str:
    """How many topics more the judgments of the best judge are worth, and those of the least."""
    each = sorted(result.corrected, key=lambda claims: claims.topics - claims.worth[1])
    more = [f"{claims.judge} is worth {claims.worth[1] - claims.topics:.1f} more" for claims in _ends(each)]
    return f"Beside {counted(each[0].topics, 'topic')} by people, {', '.join(more)} by {result.measure}"


CHARTS: Mapping[str, Callable[..., Figure]] = {
    "survival": survival,
    "means": means,
    "confusion": confusion,
    "favour": favour,
    "worth": worth,
}
