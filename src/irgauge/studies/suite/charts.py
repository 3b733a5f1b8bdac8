"""Charts of a suite: differences over collections, ranks, and every system on every collection."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import altair as alt

from irgauge.errors import DesignError
from irgauge.show import style, verdicts
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, level_axis, scale, tips
from irgauge.show.verdicts import COVERS, FOR, OTHER, best_of
from irgauge.show.words import best_note, capital, counted, percent
from irgauge.studies.suite.claims import BASELINE, BELOW, BEST, CORRECTION, TOP, SuiteClaims, counting, said_of
from irgauge.studies.suite.study import SuiteCompared

_WIDE, _ALONE = 330, 560  # pixels of a panel, of one of two and of one alone
_SAID: Mapping[str, str] = {
    BEST: style.ACCENT,
    TOP: "#e69f00",
    BELOW: style.MUTED,
    **verdicts.COLOURS,
    BASELINE: style.INK,
}
_CELLS: Mapping[str, str] = {  # light, so that numbers can be read on them
    BEST: "#f4bd92",
    TOP: "#fdeedd",
    BELOW: "#e3e3e3",
    "better": "#9fc8e6",
    "not worse": "#d3e9f7",
    "equivalent": "#a9dcc8",
    "not better": "#f6dda4",
    "worse": "#f0b48a",
    "inconclusive": "#ececec",
    BASELINE: "#c4c4c4",
}
_LETTERED = 400  # cells that have room for their numbers


# differences over collections


def systems(result: SuiteCompared, population: str | None = None, best: int | None = None) -> Figure:
    """Differences from the best system, or from the baseline: over collections with intervals, and on each."""
    shown = result.over if population is None else (result.under(population),)
    names = [system for system in result.systems if system != _against(result)][:best]
    domain = _domain(result, shown, names)
    panels = [_panel(result, claims, names, domain, is_first=i == 0) for i, claims in enumerate(shown)]
    alone, several = panels[0].properties(width=_ALONE), alt.HConcatChart(hconcat=panels, spacing=16)
    return Figure(
        alone if len(panels) == 1 else several,
        _title(result, shown),
        (*_caption(result, shown), *best_note(len(names) + 1, len(result.systems))),
        width=(_ALONE if len(panels) == 1 else 2 * _WIDE) + 240,
        provenance=result.provenance if population is None else result.provenance_for(population),
        alternative="Differences of systems over collections with intervals, and on each collection as points.",
    )


def _against(result: SuiteCompared) -> str:
    return result.baseline or result.systems[0]


def _differences(result: SuiteCompared, claims: SuiteClaims, names: Sequence[str]) -> list[Row]:
    """A row a system: its difference over collections, with its interval, and what is said of it."""
    other, verdicts = _against(result), said_of(claims)
    rows: dict[str, Row] = {}
    for record in claims.pair_records():
        if other not in (record["system"], record["against"]):
            continue
        is_first = record["against"] == other
        ends = sorted(float(record[end]) * (1 if is_first else -1) for end in ("low", "high"))
        difference = float(record["difference"]) * (1 if is_first else -1)
        system = str(record["system"] if is_first else record["against"])
        rows[system] = {"difference": difference, "low": ends[0], "high": ends[1], "p_adjusted": record["p_adjusted"]}
    return [
        {"system": system, "rank": rank, "said": verdicts[system], **rows[system]}
        for rank, system in enumerate(names, 1)
    ]


def _on_each(result: SuiteCompared, names: Sequence[str]) -> list[Row]:
    """A row a system and collection: the difference there."""
    means, place = result.means, {system: i for i, system in enumerate(result.systems)}
    d = means - means[:, [place[_against(result)]]]
    return [
        {"system": system, "rank": rank, "collection": name, "difference": float(d[c, place[system]])}
        for rank, system in enumerate(names, 1)
        for c, name in enumerate(result.collections)
    ]


def _domain(result: SuiteCompared, shown: Sequence[SuiteClaims], names: Sequence[str]) -> list[float]:
    """What all panels show: every difference, and intervals as far as they are not much wider."""
    points = [float(str(row["difference"])) for row in _on_each(result, names)]
    reach = max(max(points, default=0.0), 0.0) - min(min(points, default=0.0), 0.0) or 1.0
    ends = [
        float(str(row[end]))
        for claims in shown
        for row in _differences(result, claims, names)
        for end in ("low", "high")
    ]
    near = [end for end in ends if -3 * reach <= end <= 3 * reach]
    return [min([0.0, *points, *near]) - 0.03 * reach, max([0.0, *points, *near]) + 0.03 * reach]


def _panel(
    result: SuiteCompared, own_claims: SuiteClaims, names: Sequence[str], domain: list[float], *, is_first: bool
) -> alt.LayerChart:
    rows = _differences(result, own_claims, names)
    seen = {str(row["said"]) for claims in result.over for row in _differences(result, claims, names)}
    colours = {name: colour for name, colour in _SAID.items() if name in seen}
    step = max(8.0, min(30.0, 900 / max(1, len(names))))
    title = f"{len(names)} systems, best first" if len(names) > style.NAMED else ""
    axis = level_axis(names, title, fields=style.SYSTEM, angle=0)
    if not is_first:
        axis["axis"] = alt.Axis(labels=False, ticks=False, title=None)
    y = alt.Y(**axis)
    x = alt.X(
        "difference:Q",
        title=f"{result.measure}, system − {_against(result)}",
        scale=alt.Scale(domain=domain, nice=False),
        axis=alt.Axis(grid=True, tickCount=6),
    )
    each = alt.Chart(data(_on_each(result, names))).encode(
        y=y, x=x, opacity=style.fading("system", opacity=0.75), tooltip=tips("system:N", "collection:N", "difference:Q")
    )
    base = alt.Chart(data(rows)).encode(
        y=y,
        color=alt.Color("said:N", title=None, scale=scale(colours), legend=alt.Legend(orient="top", columns=3)),
        opacity=style.fading("system"),
        tooltip=tips(
            "system:N", "difference:Q", "low:Q", "high:Q", "p_adjusted:Q", "said:N", said="is", **style.ADJUSTED
        ),
    )
    return layered(
        *_margin(own_claims.verdicts.margin),
        alt.Chart(data([{}])).mark_rule(color=style.INK).encode(x=alt.XDatum(0)),
        base.mark_rule(strokeWidth=max(2.0, step / 6), clip=True).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q")),
        each.mark_point(shape="circle", size=max(10.0, step), stroke=style.MUTED, strokeWidth=1.1),
        base.mark_point(filled=True, shape="diamond", size=max(30.0, 4.5 * step), opacity=1).encode(x=x),
    ).properties(
        width=_WIDE,
        height=max(60, round(step * len(names))),
        title=alt.TitleParams(capital(FOR[own_claims.population]), fontSize=style.SMALLEST, fontWeight="normal"),
    )


def _margin(margin: float | None) -> Iterator[alt.Chart]:
    """A band of differences that do not matter."""
    if margin is not None:
        band = alt.Chart(data([{"from": -margin, "to": margin}]))
        yield band.mark_rect(color=verdicts.BAND, opacity=1).encode(x=alt.X("from:Q"), x2=alt.X2("to:Q"))


def _title(result: SuiteCompared, shown: Sequence[SuiteClaims]) -> str:
    """How many systems are better than the baseline, or tied with the best."""
    over = f"over {counted(len(result.on), 'collection')}"
    if result.baseline is not None:
        counts = [f"{claims.verdicts.verdicts.count('better')} {FOR[claims.population]}" for claims in shown]
        many = counted(len(result.systems) - 1, "system")
        return f"Of {many}, better than {result.baseline} in {result.measure} {over}: {', '.join(counts)}"
    first, systems = result.leaders.best, len(result.systems)
    counts = [f"{sum(system not in first for system in claims.top_group)} {FOR[claims.population]}" for claims in shown]
    best = best_of(first, systems, counted(systems, "system"), where=f" in {result.measure} {over}")
    if len(first) == systems:
        return capital(best)
    return f"{best}; others not significantly below {'it' if len(first) == 1 else 'them'}: {', '.join(counts)}"


def _caption(result: SuiteCompared, shown: Sequence[SuiteClaims]) -> Iterator[str]:
    first = shown[0].comparison
    yield f"Circles: the difference on each collection. Diamonds: over all of them, {counting(result.weights)}."
    pairs = counted(len(first.first), "pair")
    yield f"Bars: {percent(first.confidence)} intervals for all {pairs} together ({CORRECTION.intervals})."
    if result.margin is not None:
        yield "Band: the margin."
    if len(shown) == 1:
        yield COVERS[shown[0].population]


# ranks


def ranks(result: SuiteCompared, population: str | None = None, best: int | None = None) -> Figure:
    """The ranks that each system may have, for each population."""
    shown = result.over if population is None else (result.under(population),)
    names = result.systems[:best]
    colours = {capital(OTHER[claims.population]): style.POPULATIONS[claims.population] for claims in shown}
    step = max(10.0, min(30.0, 1000 / len(names)))
    base = alt.Chart(data(_rank_rows(shown, names))).encode(
        y=alt.Y(**level_axis(names, "", fields=style.SYSTEM, angle=0)),
        yOffset=alt.YOffset("of:N", sort=list(colours)),
        color=alt.Color("of:N", title=None, scale=scale(colours), legend=alt.Legend(orient="top")),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "of:N", "rank:Q", "low:Q", "high:Q"),
    )
    span = alt.Scale(domain=[0.5, len(result.systems) + 0.5], nice=False)
    axis = alt.Axis(grid=True, format="d", tickMinStep=1, tickCount=min(len(result.systems), 12))
    chart = layered(
        base.mark_rule(strokeWidth=max(3.0, step / 5), strokeCap="round").encode(
            x=alt.X("from:Q", title="rank", scale=span, axis=axis), x2=alt.X2("to:Q")
        ),
        base.mark_point(filled=True, size=max(20.0, 2 * step), color=style.INK, opacity=1).encode(
            x=alt.X("rank:Q"), color=alt.value(style.INK)
        ),
    )
    width = 560
    return Figure(
        chart.properties(width=width, height=round(step * len(names))),
        _ranks_title(result, shown, names[0]),
        (
            "Points: the rank by the mean over collections. Bars: from the best to the worst rank that is possible, "
            f"for all systems together with confidence {percent(1 - result.alpha)}.",
            *([COVERS[shown[0].population]] if len(shown) == 1 else []),
            *best_note(len(names), len(result.systems)),
        ),
        width=width + 220,
        provenance=result.provenance if population is None else result.provenance_for(population),
        alternative="A bar of possible ranks for each system and population, with a point at its rank.",
    )


def _ranks_title(result: SuiteCompared, shown: Sequence[SuiteClaims], first: str) -> str:
    """How far the first system may fall."""
    spans = [f"{' to '.join(map(str, dict.fromkeys(own.ranks_of(first))))} {FOR[own.population]}" for own in shown]
    over = f"over {counted(len(result.on), 'collection')}"
    return (
        f"The first of {len(result.systems)} systems by {result.measure} {over}, {first}, has rank {', '.join(spans)}"
    )


def _rank_rows(shown: Sequence[SuiteClaims], names: Sequence[str]) -> Iterator[Row]:
    for claims in shown:
        for rank, system in enumerate(names, 1):
            low, high = claims.ranks_of(system)
            reach = 0.12 if low == high else 0.0  # so that one rank is seen too
            yield {
                "system": system,
                "rank": rank,
                "of": capital(OTHER[claims.population]),
                "low": low,
                "high": high,
                "from": low - reach,
                "to": high + reach,
            }


# every system on every collection


def collections(result: SuiteCompared, best: int | None = None) -> Figure:
    """A cell for each system and collection, coloured by what is said of the system there."""
    if result.is_of_means:
        raise DesignError("of single collections means are known alone, and nothing is said there: draw another chart")
    names, claims = result.systems[:best], result.tested[0][1]
    rows = list(_cells(result, names))
    seen = {str(row["said"]) for row in rows}
    colours = {name: colour for name, colour in _CELLS.items() if name in seen}
    wide, high = max(16.0, min(64.0, 800 / len(names))), max(14.0, min(26.0, 900 / len(result.on)))
    base = alt.Chart(data(rows)).encode(
        x=alt.X(**level_axis(names, f"{counted(len(names), 'system')}, best first", fields=style.SYSTEM)),
        y=alt.Y(**level_axis(result.collections, "", fields=("collection", "place"), angle=0)),
        opacity=style.fading("system"),
        tooltip=tips("collection:N", "system:N", "mean:Q", "ranks:N", "said:N", said="is"),
    )
    cells = base.mark_rect(stroke="#ffffff").encode(
        color=alt.Color("said:N", title=None, scale=scale(colours), legend=alt.Legend(orient="top", columns=3))
    )
    numbers = base.mark_text(color=style.INK).encode(text=alt.Text("mean:Q", format=".3f"))
    is_lettered = len(rows) <= _LETTERED and wide >= 36
    return Figure(
        layered(cells, *([numbers] if is_lettered else [])).properties(
            width=round(wide * len(names)), height=round(high * len(result.on))
        ),
        _collections_title(result),
        (
            f"Colours: what is said {FOR[claims.population]} of each collection, corrected over its pairs."
            + (" Numbers: means." if is_lettered else ""),
            *best_note(len(names), len(result.systems)),
        ),
        width=round(wide * len(names)) + 220,
        provenance=result.provenance_of(claims).without("margins"),
        alternative="A table of systems and collections, each cell coloured by what is said of the system there.",
    )


def _collections_title(result: SuiteCompared) -> str:
    """How often the first system is the best, or on how many collections any system is better than the baseline."""
    many, said = counted(len(result.on), "collection"), [said_of(claims) for _, claims in result.tested]
    systems = f"{len(result.systems)} systems"
    if result.baseline is None:
        first = result.systems[0]
        best = sum(of[first] == BEST for of in said)
        return f"{first}, the first of {systems} by {result.measure}, is the best on {best} of {many}"
    each = [verdict for of in said for verdict in of.values()]
    counts = f"{each.count('better')} times better and {each.count('worse')} times worse"
    return f"On {many}, systems are {counts} than {result.baseline} by {result.measure}"


def _cells(result: SuiteCompared, names: Sequence[str]) -> Iterator[Row]:
    for place, (collection, claims) in enumerate(result.tested, 1):
        verdicts = said_of(claims)
        for rank, system in enumerate(names, 1):
            low, high = claims.ranks_of(system)
            yield {
                "collection": collection.name,
                "place": place,
                "system": system,
                "rank": rank,
                "mean": float(collection.means[rank - 1]),
                "ranks": f"{low} to {high}",
                "said": verdicts[system],
            }


CHARTS: Mapping[str, Callable[..., Figure]] = {"systems": systems, "ranks": ranks, "collections": collections}
