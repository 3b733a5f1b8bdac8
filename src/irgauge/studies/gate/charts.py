"""Charts of a gate: the difference in each measure, against its margin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

import altair as alt

from irgauge.scoring.direction import LOWER
from irgauge.show import style, verdicts
from irgauge.show.figure import Figure
from irgauge.show.ratios import axis_of, is_ratio, plain_name
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.words import capital, listed, lower_told, percent
from irgauge.studies.gate.reason_told import reason_findings
from irgauge.studies.gate.study import Gated

_COLOURS: Mapping[str, str] = {
    "pass": verdicts.COLOURS["equivalent"],
    "undecided": verdicts.COLOURS["inconclusive"],
    "fail": verdicts.COLOURS["worse"],
}
_WIDE, _ROW = 520, 46  # pixels


def margins(result: Gated) -> Figure:
    """The difference in each measure with its intervals, against the band of differences that do not matter."""
    rows = list(_rows(result))
    chart = layered(*_bands(rows), *_intervals(result, rows))
    return Figure(
        chart.properties(width=_WIDE, height=_ROW * len(rows) + 10),
        _title(result),
        (_caption(result), *(finding.text for finding in islice(reason_findings(result), 1))),
        width=_WIDE + 180,
        provenance=result.provenance,
        alternative="Differences by each measure with their intervals, and bands of differences that do not matter.",
    )


def _rows(result: Gated) -> Iterator[Row]:
    for gated in result.each:
        yield {
            "measure": f"{plain_name(gated.measure)}{lower_told(gated.topics.direction)}\n"
            f"{gated.verdict}: {gated.outcome}",
            "difference": gated.difference,
            "low": gated.low,
            "high": gated.high,
            "margin_low": gated.margin_low,
            "margin_high": gated.margin_high,
            "from": -gated.margin,
            "to": gated.margin,
            "verdict": gated.verdict,
            "outcome": gated.outcome,
            "zero": 0.0,
        }


def _y(rows: Sequence[Row]) -> alt.Y:
    names = [str(row["measure"]) for row in rows]
    axis = alt.Axis(title=None, ticks=False, labelLimit=style.LONGEST, labelExpr=style.ON_LINES, grid=False)
    return alt.Y("measure:N", sort=names, scale=alt.Scale(domain=names, padding=0.1), axis=axis)


def _bands(rows: Sequence[Row]) -> Iterator[alt.Chart]:
    """The margin of each measure, in its own row."""
    base = alt.Chart(data(rows)).encode(y=_y(rows))
    yield base.mark_bar(color=verdicts.BAND, height={"band": 1}).encode(x=alt.X("from:Q"), x2=alt.X2("to:Q"))
    for end in ("from", "to"):
        yield base.mark_tick(color=verdicts.EDGE, thickness=1.4, height={"band": 1}).encode(x=alt.X(f"{end}:Q"))
    yield alt.Chart(data(rows[:1])).mark_rule(color=style.INK, strokeWidth=0.8).encode(x=alt.X("zero:Q"))


def _intervals(result: Gated, rows: Sequence[Row]) -> Iterator[alt.Chart]:
    measure = result.each[0].measure  # all are on one scale
    title = f"{result.candidate} {'/' if is_ratio(measure) else '−'} {result.baseline}"
    fields = ("measure:N", "difference:Q", "low:Q", "high:Q", "margin_low:Q", "margin_high:Q", "to:Q", "verdict:N")
    base = alt.Chart(data(rows)).encode(
        y=_y(rows),
        color=alt.Color("outcome:N", scale=scale(_COLOURS), legend=None),
        tooltip=tips(*fields, to="margin"),
    )
    yield base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title=title, axis=axis_of(measure)), x2=alt.X2("high:Q")
    )
    yield base.mark_rule(strokeWidth=7).encode(x=alt.X("margin_low:Q"), x2=alt.X2("margin_high:Q"))
    points = base.mark_point(filled=True, size=40, opacity=1, stroke=style.INK, strokeWidth=0.8)
    yield points.encode(x=alt.X("difference:Q"), color=alt.ColorValue("#ffffff"))


def _title(result: Gated) -> str:
    by = [f"{gated.verdict} in {plain_name(gated.measure)}" for gated in result.each]
    return f"{capital(result.verdict)}: {result.candidate} against {result.baseline} is {listed(by)}"


def _caption(result: Gated) -> str:
    together = ", for all measures together" if len(result.each) > 1 else ""
    inside, inner = percent(1 - result.alpha), percent(1 - 2 * result.alpha)
    turned = any(gated.topics.direction == LOWER for gated in result.each)
    is_log = is_ratio(result.each[0].measure)
    same, least, band = (1, "1/margin", "from 1/margin to") if is_log else (0, "−margin", "±")
    other = "it is" if is_log else "signs are"
    return (
        f"Thin lines: {inside} intervals, better above {same} and worse below {same}; thick lines: {inner} intervals, "
        f"not worse above {least}{together}; bands: {band} the margin of each measure."
        + f" Where lower is better, {other} the other way round."
        * turned
    )


CHARTS: Mapping[str, Callable[..., Figure]] = {"margins": margins}
