"""Charts of shallow pools: p-values against differences, and differences on topics, by measure and pool."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from irgauge.inference.facts import method, population
from irgauge.provenance import Provenance
from irgauge.replicates.facts import measures as measures_told
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, only, scale, tips
from irgauge.show.words import counted, listed
from irgauge.studies.pools.findings import p_value, pool_name
from irgauge.studies.pools.pairs import RANGE, PairPools
from irgauge.studies.pools.study import ALL, Pooled

ROOT = "#c1121f"  # the red of the root, as in the paper
_LEAST_P = 1e-6  # p-values below are drawn here
_PANEL = 190  # pixels, the width of a panel
_ROW, _BOX = 18, 8  # pixels, of a topic and of its box
_TOPICS = 20  # that are shown of many
_GAINS = {"looks surer": style.ACCENT, "does not": "#8aa4b8"}


def p_values(result: Pooled, measure: str | None = None) -> Figure:
    """p against the difference, a point an image (Zobel and Rashidi, Fig. 6); of many pairs, a point a pair."""
    chosen = _chosen(result, measure)
    return _images(result, result.pairs[0], chosen) if len(result.pairs) == 1 else _pairs(result, chosen)


def _chosen(result: Pooled, measure: str | None) -> Sequence[int]:
    """The places of the measures that are shown: of one, or of all."""
    return range(len(result.measures)) if measure is None else [result.place(measure)]


def _provenance(result: Pooled, chosen: Sequence[int]) -> Provenance:
    return result.provenance | measures_told(tuple(result.measures[m] for m in chosen))


def _images(result: Pooled, pair: PairPools, chosen: Sequence[int]) -> Figure:
    rows = list(_image_rows(result, pair, chosen))
    x = alt.X("difference:Q", title="difference", axis=alt.Axis(tickCount=5))
    y = alt.Y("shown:Q", title="p-value", **_p_axis(rows, result.alpha))
    tooltip = tips("measure:N", "pool:N", "kind:N", "difference:Q", "p:Q")
    root, image = (only(alt.Chart(), "kind", kind) for kind in ("root", "image"))
    at = root.mark_rule(color=ROOT, strokeWidth=1.1).encode(tooltip=tooltip)
    panel = layered(
        root.mark_rule(strokeWidth=0.8, color=style.MUTED, strokeDash=[3, 3]).encode(
            y=alt.YDatum(result.alpha), tooltip=alt.TooltipValue(None)
        ),
        at.encode(x=x),
        at.encode(y=y),
        image.mark_point(size=16, filled=True, opacity=0.55, color=style.FACTORS["topic"]).encode(
            x=x, y=y, tooltip=tooltip
        ),
    )
    chart, width = _panels(result, panel, rows)
    return Figure(
        chart,
        _images_title(result, pair, chosen),
        (
            f"Differences {pair.system} − {pair.against}. Points: images of the corpus. Red: the difference and its p "
            "on the collection as it is. Dashed: α.",
            *_low_note(rows),
        ),
        width,
        _provenance(result, chosen),
        "A panel for each pool: points of p-values against differences, one for each image.",
    )


def _pairs(result: Pooled, chosen: Sequence[int]) -> Figure:
    """Median p over images with a pool against that with all judgments, a point a pair."""
    rows = list(_pair_rows(result, chosen))
    axis = _p_axis(rows, result.alpha)
    x = alt.X("all_shown:Q", title="median p with all judgments", **axis)
    y = alt.Y("shown:Q", title="median p with the pool", **axis)
    base = alt.Chart().encode(x=x, y=y, tooltip=tips("measure:N", "pool:N", "pair:N", "p:Q", "p_all:Q", "kind:N"))
    pairs = [only(base, "kind", kind) for kind in reversed(_GAINS)]
    colour = alt.Color("kind:N", title=None, scale=scale(_GAINS), legend=alt.Legend(symbolType="circle"))
    ends = only(alt.Chart(), "kind", "end").encode(tooltip=alt.TooltipValue(None))
    rule = ends.mark_rule(strokeWidth=0.8, color=style.MUTED, strokeDash=[3, 3])
    panel = layered(
        rule.encode(y=alt.YDatum(result.alpha)),
        rule.encode(x=alt.XDatum(result.alpha)),
        ends.mark_line(strokeWidth=1, color=style.MUTED).encode(x=x, y=y),
        *(pair.mark_point(size=22, filled=True, opacity=0.75).encode(color=colour) for pair in pairs),
    )
    chart, width = _panels(result, panel, rows)
    text = "Points: pairs of runs, medians over images. Below the line p is lower with the pool. Dashed: α."
    return Figure(
        chart,
        _pairs_title(result, chosen),
        (text, *_low_note(rows)),
        width,
        _provenance(result, chosen),
        "A panel for each pool: p-values of pairs with the pool against those with all judgments.",
    )


def _panels(result: Pooled, panel: alt.LayerChart, rows: Sequence[Row]) -> tuple[alt.FacetChart, int]:
    """A panel for each measure and pool, and the width of all."""
    pools = list(dict.fromkeys(str(row["pool"]) for row in rows))
    chart = panel.properties(width=_PANEL, height=_PANEL).facet(
        row=alt.Row("measure:N", sort=list(result.measures), header=alt.Header(title=None)),
        column=alt.Column("pool:N", sort=pools, header=alt.Header(title=None)),
        data=data(rows),
        spacing=16,
    )
    return chart, len(pools) * (_PANEL + 16) + 80


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


def _image_rows(result: Pooled, pair: PairPools, chosen: Sequence[int]) -> Iterator[Row]:
    for m in chosen:
        for k, pool in enumerate(result.pools):
            place: Row = {"measure": result.measures[m], "pool": _label(pool)}
            yield place | {"kind": "root"} | _point(pair.root_difference[m, k], pair.root_p[m, k])
            for difference, p in zip(pair.difference[m, k], pair.p[m, k], strict=True):
                yield place | {"kind": "image"} | _point(difference, p)


def _point(difference: float, p: float) -> Row:
    return {"difference": difference, "p": p, "shown": max(float(p), _LEAST_P)}


def _pair_rows(result: Pooled, chosen: Sequence[int]) -> Iterator[Row]:
    for m in chosen:
        gains = [pair.gains(result.alpha)[m] for pair in result.pairs]
        for k, pool in enumerate(result.pools[:-1]):
            place: Row = {"measure": result.measures[m], "pool": _label(pool)}
            for end in (_LEAST_P, 1.0):
                yield place | {"kind": "end", "shown": end, "all_shown": end}
            for pair, own in zip(result.pairs, gains, strict=True):
                p, p_all = float(pair.median_p[m, k]), float(pair.median_p[m, -1])
                point: Row = {"p": p, "p_all": p_all, "shown": max(p, _LEAST_P), "all_shown": max(p_all, _LEAST_P)}
                kind = list(_GAINS)[0 if own[k] else 1]
                yield place | point | {"pair": f"{pair.system} − {pair.against}", "kind": kind}


def _low_note(rows: Sequence[Row]) -> tuple[str, ...]:
    low = any(float(row[name] or 0) < _LEAST_P for row in rows for name in ("p", "p_all") if name in row)
    return (f"p-values below {_LEAST_P:g} are drawn at {_LEAST_P:g}.",) if low else ()


def _images_title(result: Pooled, pair: PairPools, chosen: Sequence[int]) -> str:
    """The pool by which each measure gains most, or that none does."""
    parts = []
    for m in chosen:
        for gain in result.worst(m):
            medians = f"p is {p_value(pair.median_p[m, gain.pool])} with {pool_name(result.pools[gain.pool])}"
            parts.append(f"{result.measures[m]}: median {medians}, {p_value(pair.median_p[m, -1])} with all judgments")
    if not parts:
        do = "does" if len(chosen) == 1 else "do"
        return f"{listed([result.measures[m] for m in chosen])} {do} not clearly look surer with fewer judgments"
    return f"Surer with fewer judgments. {'; '.join(parts)}"


def _pairs_title(result: Pooled, chosen: Sequence[int]) -> str:
    """How many pairs gain by the pool by which most do."""
    counts, gains = [], result.gains()  # measure, pool
    for m in chosen:
        pool = int(np.argmax(gains[m]))
        where = f" ({_label(result.pools[pool])})" if gains[m, pool] else ""
        counts.append(f"{gains[m, pool]} by {result.measures[m]}{where}")
    return f"Of {counted(len(result.pairs), 'pair')}, surer with fewer judgments: {listed(counts)}"


# differences on topics


def topics(result: Pooled, measure: str | None = None) -> Figure:
    """Box plots of the differences on topics over images, a row a topic, a column a pool (Figure 7).

    Of many topics, those whose differences the shallowest pool changes most.
    """
    chosen = _chosen(result, measure)
    kept = _changed_most(result, chosen)
    blocks = {m: list(_topic_rows(result, m, kept)) for m in chosen}
    ends = [float(row[name] or 0) for rows in blocks.values() for row in rows for name in ("low", "high", "root")]
    domain = alt.Scale(domain=[min(ends), max(ends)], nice=True)
    charts = [_topic_block(result, m, rows, domain) for m, rows in blocks.items()]
    pair, ends_at = result.pairs[0], f"{100 * RANGE[0]:g} % to {100 * RANGE[1]:g} %"
    text = (
        f"Differences {pair.system} − {pair.against}. Boxes: quartiles over images; whiskers: {ends_at}; red: the "
        "collection as it is. Topics by their difference there with all judgments, largest first."
    )
    return Figure(
        alt.vconcat(*charts, spacing=24) if len(charts) > 1 else charts[0],
        _widths_title(result, chosen),
        (text, *_topics_note(result, len(kept))),
        len(result.pools) * (_PANEL + 20) + 80,
        Provenance.of(
            method("corpus bootstrap"),
            population("documents"),
            _provenance(result, chosen).without("test", "alpha", "falls_to", "swaps", "population"),
        ),
        "A column of box plots of differences on topics for each pool.",
    )


def _changed_most(result: Pooled, chosen: Sequence[int]) -> set[int]:
    """The topics that are shown: those on which differences change most by any of the measures."""
    root = result.root_topic_differences
    if root is None:
        return set()
    change = np.abs(root[list(chosen), 0] - root[list(chosen), -1]).max(axis=0)  # over measures
    return set(np.argsort(-change, kind="stable")[:_TOPICS].tolist())


def _topics_note(result: Pooled, shown: int) -> tuple[str, ...]:
    if shown >= len(result.topics):
        return ()
    return (
        f"Shown: of {counted(len(result.topics), 'topic')} the {shown} whose difference "
        f"{pool_name(result.pools[0])} changes most.",
    )


def _topic_block(result: Pooled, m: int, rows: Sequence[Row], domain: alt.Scale) -> alt.FacetChart:
    order = list(dict.fromkeys(str(row["name"]) for row in rows))
    axis = alt.Axis(title="topic", ticks=False, grid=False, labelLimit=style.LONGEST)
    base = alt.Chart().encode(
        y=alt.Y("name:N", sort=order, axis=axis),
        x=alt.X("low:Q", title=f"difference in {result.measures[m]}", scale=domain, axis=alt.Axis(tickCount=4)),
        tooltip=tips("name:N", "pool:N", "low:Q", "lower:Q", "median:Q", "upper:Q", "high:Q", "root:Q", root="as is"),
    )
    zero = only(alt.Chart(), "name", order[0]).mark_rule(color=style.PALE, strokeWidth=1)
    panel = layered(
        zero.encode(x=alt.XDatum(0), tooltip=alt.TooltipValue(None)),
        base.mark_rule(strokeWidth=1, color=style.MUTED).encode(x2=alt.X2("high:Q")),
        base.mark_rule(strokeWidth=_BOX, color=style.INTERVALS["Tukey"]).encode(
            x=alt.X("lower:Q"), x2=alt.X2("upper:Q")
        ),
        base.mark_tick(thickness=1.4, height=_BOX, color=style.INK).encode(x=alt.X("median:Q")),
        base.mark_point(size=20, filled=True, opacity=1, color=ROOT).encode(x=alt.X("root:Q")),
    )
    return panel.properties(width=_PANEL, height=_ROW * len(order)).facet(
        column=alt.Column("pool:N", sort=[_label(pool) for pool in result.pools], header=alt.Header(title=None)),
        data=data(rows),
        spacing=18,
    )


def _topic_rows(result: Pooled, m: int, kept: Container[int]) -> Iterator[Row]:
    boxes, root = result.topic_boxes(m), result.root_topic_differences
    if root is None:
        return
    for topic in filter(kept.__contains__, np.argsort(-root[m, -1], kind="stable").tolist()):
        for k, pool in enumerate(result.pools):
            ends = {name: end[k, topic] for name, end in zip(boxes._fields, boxes, strict=True)}
            yield {"name": result.topics[topic], "pool": _label(pool), "root": root[m, k, topic]} | ends


def _widths_title(result: Pooled, chosen: Sequence[int]) -> str:
    """How much wider differences spread with the shallowest pool than with all judgments."""
    widths = result.topic_widths()  # measure, pool
    spread = [(f"{widths[m, 0] / widths[m, -1]:.1f} times", result.measures[m]) for m in chosen if widths[m, -1] > 0]
    if not spread:
        return "Differences on topics are the same in most images"
    (times, first), *others = spread
    parts = [f"{times} as far as with all judgments in {first}", *(f"{times} in {name}" for times, name in others)]
    return f"With {pool_name(result.pools[0])} differences on a topic spread {listed(parts)}"


CHARTS: Mapping[str, Callable[..., Figure]] = {"p-values": p_values, "topics": topics}
