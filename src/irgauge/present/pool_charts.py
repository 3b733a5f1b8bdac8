"""Charts of shallow pools: p-values against differences, and differences on topics, by measure and pool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
import numpy as np

from irgauge.present import style
from irgauge.present.pool_findings import p_value, pool_name, setting
from irgauge.present.sentences import counted, listed
from irgauge.present.style import Row, data, finished, layered, only, scale, tips, width_of
from irgauge.studies.pools import ALL, RANGE, PairPools, Pools

ROOT = "#c1121f"  # the red of the root, as in the paper
_LEAST_P = 1e-6  # p-values below are drawn here
_PANEL = 190  # pixels, the width of a panel of p-values
_GAINS = {"gains confidence": style.ACCENT, "does not": "#8aa4b8"}


def p_values(result: Pools) -> alt.FacetChart:
    """p against the difference, a point an image (Zobel and Rashidi, Fig. 6); of many pairs, a point a pair."""
    return _images(result, result.pairs[0]) if len(result.pairs) == 1 else _pairs(result)


def _images(result: Pools, pair: PairPools) -> alt.FacetChart:
    rows = list(_image_rows(result, pair))
    x = alt.X("difference:Q", title="difference", axis=alt.Axis(tickCount=5))
    y = alt.Y("shown:Q", title="p-value", **_p_axis(rows, result.alpha))
    tooltip = tips("measure:N", "pool:N", "kind:N", "difference:Q", "p:Q")
    root, image = (only(alt.Chart(), "kind", kind) for kind in ("root", "image"))
    at = root.mark_rule(color=ROOT, strokeWidth=1.1).encode(tooltip=tooltip)
    panel = layered(
        root.mark_rule(strokeWidth=0.8, color=style.MUTED, strokeDash=[3, 3]).encode(
            y=alt.YDatum(result.alpha), tooltip=alt.value(None)
        ),
        at.encode(x=x),
        at.encode(y=y),
        image.mark_point(size=16, filled=True, opacity=0.55, color=style.FACTORS["topic"]).encode(
            x=x, y=y, tooltip=tooltip
        ),
    )
    caption = [
        f"Differences {pair.first} − {pair.second}. Points: images of the corpus. Red: the difference and its p on the "
        "collection as it is. Dashed: α.",
        *_caption(result, rows),
    ]
    return _panels(result, panel, rows, _images_title(result, pair), caption)


def _pairs(result: Pools) -> alt.FacetChart:
    """Median p over images with a pool against that with all judgments, a point a pair."""
    rows = list(_pair_rows(result))
    axis = _p_axis(rows, result.alpha)
    x = alt.X("all_shown:Q", title="median p with all judgments", **axis)
    y = alt.Y("shown:Q", title="median p with the pool", **axis)
    base = alt.Chart().encode(x=x, y=y, tooltip=tips("measure:N", "pool:N", "pair:N", "p:Q", "p_all:Q", "kind:N"))
    pairs = [only(base, "kind", kind) for kind in reversed(_GAINS)]
    colour = alt.Color("kind:N", title=None, scale=scale(_GAINS), legend=alt.Legend(symbolType="circle"))
    ends = only(alt.Chart(), "kind", "end").encode(tooltip=alt.value(None))
    rule = ends.mark_rule(strokeWidth=0.8, color=style.MUTED, strokeDash=[3, 3])
    panel = layered(
        rule.encode(y=alt.YDatum(result.alpha)),
        rule.encode(x=alt.XDatum(result.alpha)),
        ends.mark_line(strokeWidth=1, color=style.MUTED).encode(x=x, y=y),
        *(one.mark_point(size=22, filled=True, opacity=0.75).encode(color=colour) for one in pairs),
    )
    caption = [
        "Points: pairs of runs, medians over images. Below the line p is lower with the pool. Dashed: α.",
        *_caption(result, rows),
    ]
    return _panels(result, panel, rows, _pairs_title(result), caption)


def _panels(
    result: Pools, panel: alt.LayerChart, rows: Sequence[Row], title: str, caption: Sequence[str]
) -> alt.FacetChart:
    pools = list(dict.fromkeys(str(row["pool"]) for row in rows))
    chart = panel.properties(width=_PANEL, height=_PANEL).facet(
        row=alt.Row("measure:N", sort=list(result.measures), header=alt.Header(title=None)),
        column=alt.Column("pool:N", sort=pools, header=alt.Header(title=None)),
        data=data(rows),
        spacing=16,
    )
    return finished(chart, title, caption, width=len(pools) * (_PANEL + 16) + 80)


def _p_axis(rows: Sequence[Row], alpha: float) -> dict[str, Any]:
    """A logarithmic axis from the smallest p to 1; what lies below, as ends of lines do, is drawn at its start."""
    points = [row for row in rows if row["kind"] != "end"]
    values = [float(row[name] or _LEAST_P) for row in points for name in ("shown", "all_shown") if name in row]
    start = min(*values, alpha) / 1.3
    powers = [10.0**power for power in range(-6, 1) if 10.0**power >= start]
    text = "datum.value < 0.0009 ? format(datum.value, '.0e') : format(datum.value, '~g')"
    return {
        "scale": alt.Scale(type="log", domain=[start, 1], nice=False, clamp=True),
        "axis": alt.Axis(values=powers, labelExpr=text, grid=True),
    }


def _label(pool: str) -> str:
    return "all judgments" if pool == ALL else f"depth {pool}"


def _image_rows(result: Pools, pair: PairPools) -> Iterator[Row]:
    for m, measure in enumerate(result.measures):
        for k, pool in enumerate(result.pools):
            place: Row = {"measure": measure, "pool": _label(pool)}
            yield place | {"kind": "root"} | _point(pair.root_difference[m, k], pair.root_p[m, k])
            for difference, p in zip(pair.difference[m, k], pair.p[m, k], strict=True):
                yield place | {"kind": "image"} | _point(difference, p)


def _point(difference: float, p: float) -> Row:
    return {"difference": difference, "p": p, "shown": max(float(p), _LEAST_P)}


def _pair_rows(result: Pools) -> Iterator[Row]:
    for m, measure in enumerate(result.measures):
        for k, pool in enumerate(result.pools[:-1]):
            place: Row = {"measure": measure, "pool": _label(pool)}
            for end in (_LEAST_P, 1.0):
                yield place | {"kind": "end", "shown": end, "all_shown": end}
            for pair in result.pairs:
                p, p_all = float(pair.median_p[m, k]), float(pair.median_p[m, -1])
                point: Row = {"p": p, "p_all": p_all, "shown": max(p, _LEAST_P), "all_shown": max(p_all, _LEAST_P)}
                kind = list(_GAINS)[0 if pair.gains[m, k] else 1]
                yield place | point | {"pair": f"{pair.first} − {pair.second}", "kind": kind}


def _caption(result: Pools, rows: Sequence[Row]) -> list[str]:
    low = any(float(row[name] or 0) < _LEAST_P for row in rows for name in ("p", "p_all") if name in row)
    return [f"p-values below {_LEAST_P:g} are drawn there." if low else "", _setting(result)]


def _setting(result: Pools) -> str:
    text = style.facts(*setting(result))
    return text[0].upper() + text[1:]


def _images_title(result: Pools, pair: PairPools) -> str:
    """The pool by which each measure gains most, or that none does."""
    told = []
    for m, measure in enumerate(result.measures):
        for gain in result.worst(m):
            medians = f"p is {p_value(pair.median_p[m, gain.pool])} with {pool_name(result.pools[gain.pool])}"
            told.append(f"{measure}: median {medians}, {p_value(pair.median_p[m, -1])} with all judgments")
    if not told:
        return f"{listed(list(result.measures))} {_do(result)} not clearly gain confidence as judgments shrink"
    return f"Fewer judgments, more confidence. {'; '.join(told)}"


def _do(result: Pools) -> str:
    return "does" if len(result.measures) == 1 else "do"


def _pairs_title(result: Pools) -> str:
    """How many pairs gain by the pool by which most do."""
    told = []
    for measure, gains in zip(result.measures, result.gains(), strict=True):
        pool = int(np.argmax(gains))
        told.append(f"{gains[pool]} by {measure} ({_label(result.pools[pool])})" if gains[pool] else f"0 by {measure}")
    return f"Of {counted(len(result.pairs), 'pair')}, fewer judgments bring more confidence in {listed(told)}"


def topic_differences(result: Pools) -> alt.HConcatChart:
    """Box plots of the differences on each topic over images, a column a measure, a row a pool (Figure 7)."""
    columns = [list(_topic_rows(result, m)) for m in range(len(result.measures))]
    ends = [float(row[name] or 0) for rows in columns for row in rows for name in ("low", "high", "root")]
    domain = alt.Scale(domain=[min(ends), max(ends)], nice=True)
    width = width_of(len(result.topics), step=9, least=240, most=620)
    charts = [_topic_column(result, m, rows, domain, width) for m, rows in enumerate(columns)]
    pair, ends_at = result.pairs[0], f"{100 * RANGE[0]:g} % to {100 * RANGE[1]:g} %"
    caption = [
        f"Differences {pair.first} − {pair.second}. Boxes: quartiles over images; whiskers: {ends_at}; red: the "
        "collection as it is. Topics by their difference there with all judgments, largest first.",
        _setting(result),
    ]
    chart = alt.hconcat(*charts, spacing=24)
    return finished(chart, _widths_title(result), caption, width=len(charts) * (width + 80))


def _topic_column(result: Pools, m: int, rows: Sequence[Row], domain: alt.Scale, width: int) -> alt.FacetChart:
    bar = min(9.0, max(1.5, 0.62 * width / len(result.topics)))
    order = list(dict.fromkeys(str(row["name"]) for row in rows))
    named = len(order) <= style.NAMED
    axis = alt.Axis(
        title=f"{counted(len(order), 'topic')}", labelAngle=-90, labelFontSize=8, labels=named, ticks=False, grid=False
    )
    base = alt.Chart().encode(
        x=alt.X("name:N", sort=order, axis=axis),
        y=alt.Y("low:Q", title="difference", scale=domain, axis=alt.Axis(tickCount=4)),
        tooltip=tips("name:N", "pool:N", "low:Q", "lower:Q", "median:Q", "upper:Q", "high:Q", "root:Q"),
    )
    zero = only(alt.Chart(), "name", order[0]).mark_rule(color=style.PALE, strokeWidth=1)
    panel = layered(
        zero.encode(y=alt.YDatum(0), tooltip=alt.value(None)),
        base.mark_rule(strokeWidth=1, color=style.MUTED).encode(y2="high:Q"),
        base.mark_rule(strokeWidth=bar, color=style.INTERVALS["Tukey"]).encode(y="lower:Q", y2="upper:Q"),
        base.mark_tick(thickness=1.4, width=bar, color=style.INK).encode(y="median:Q"),
        base.mark_point(size=9, filled=True, opacity=1, color=ROOT).encode(y="root:Q"),
    )
    return panel.properties(width=width, height=130).facet(
        row=alt.Row(
            "pool:N", sort=[_label(pool) for pool in result.pools], header=alt.Header(title=None, labels=m == 0)
        ),
        data=data(rows),
        spacing=18,
        bounds="flush",  # so that the rows of all measures stand at the same heights
        title=alt.TitleParams(result.measures[m], fontSize=12, anchor="middle"),
    )


def _topic_rows(result: Pools, m: int) -> Iterator[Row]:
    boxes, root = result.topic_boxes(m), result.root_topic_differences
    if root is None:
        return
    for topic in np.argsort(-root[m, -1], kind="stable"):
        for k, pool in enumerate(result.pools):
            ends = {name: end[k, topic] for name, end in zip(boxes._fields, boxes, strict=True)}
            yield {"name": result.topics[topic], "pool": _label(pool), "root": root[m, k, topic]} | ends


def _widths_title(result: Pools) -> str:
    """How much wider differences spread with the shallowest pool than with all judgments."""
    spread = [
        (f"{widths[0] / widths[-1]:.1f} times", measure)
        for measure, widths in zip(result.measures, result.topic_widths(), strict=True)
        if widths[-1] > 0
    ]
    if not spread:
        return "Differences on topics are the same in most images"
    (times, first), *others = spread
    told = [f"{times} as far as with all judgments in {first}", *(f"{times} in {name}" for times, name in others)]
    return f"With {pool_name(result.pools[0])} differences on a topic spread {listed(told)}"
