"""The one look of all charts, and the words under their titles: how a result was computed and what it covers."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import altair as alt
from altair import Undefined

from irgauge.inference.comparison import Comparison
from irgauge.models.anova import Fit
from irgauge.present.sentences import counted as counted  # charts take it from here
from irgauge.studies.effects import Effects
from irgauge.studies.measurement import Measured
from irgauge.studies.robustness import Robustness
from irgauge.studies.significance import COVERS, Significance

FONT = "Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif"
INK, MUTED, GRID, PALE = "#222222", "#5f6368", "#e6e6e6", "#c4c4c4"
ACCENT = "#d55e00"  # what a chart points out

# colours that colour-blind readers can tell apart, most of them Okabe and Ito's; a name has one colour in all charts
FACTORS = {
    "topic": "#0072b2",
    "system": "#d55e00",
    "shard": "#009e73",
    "topic:system": "#cc79a7",
    "system:shard": "#e69f00",
    "topic:shard": "#56b4e9",
}
MODELS = {
    "MD1": "#6b6b6b",
    "MD2": "#e69f00",
    "MD3": "#56b4e9",
    "MD4": "#009e73",
    "MD5": "#cc79a7",
    "MD6": "#0072b2",
}
POPULATIONS = {"documents": "#0072b2", "topics": "#e69f00", "both": "#117733"}
INTERVALS = {"Tukey": "#9ecae9", "ANOVA": "#0072b2", "SEM": "#6b6b6b"}
SIZES = {
    "large": "#0b4f8a",
    "medium": "#5b9bd0",
    "small": "#b5d4ec",
    "negligible": "#edf4fa",
    "not significant": "#dcdcdc",
}
P_CLASSES = ("#08416f", "#3f86bd", "#a9cee9")  # from the smallest p to α
NOT_TOLD_APART = "#f3dfc1"
DISTINCT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b6b6b")  # for names without an order
ORDERED = ("#e8b021", "#8fb339", "#2fa386", "#22799a", "#2b4c8c", "#3b1c62")  # from few to many

SYSTEM = ("system", "rank")  # the fields of a system and its rank: what a page marks and sorts by
MARKED = "marked"  # the parameter with the systems that a reader marked; a page sets it, elsewhere it is empty
_FADED = 0.15  # of the opacity, where other systems are marked
NAMED = 60  # so many levels have their names on an axis; of more, their ranks
_LETTER = 0.47  # width of a letter, in font sizes
_TITLE, _CAPTION = 15, 11  # font sizes
_NARROWEST = 600  # pixels, of a caption
_TESTS = {
    "tukey": "Tukey's HSD test",
    "randomised-tukey": "randomised Tukey test",
    "t": "paired t-test",
    "unpaired-t": "two-sample t-test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "randomization": "randomization test",
}

Row = dict[str, str | int | float | None]
_BOUNDS = (0.01, 0.06, 0.14)  # from which an ω² is small, medium, large
Chart = TypeVar("Chart", alt.Chart, alt.LayerChart, alt.HConcatChart, alt.ConcatChart, alt.FacetChart)


def data(rows: Iterable[Row]) -> dict[str, Any]:
    """Rows as inline data of a chart, null where not a number.

    A plain dict has no limit on its rows, and altair does not check each of them against its schema; nor does it copy
    a tuple row by row with every chart made of another.
    """
    return {"values": tuple({name: _json(value) for name, value in row.items()} for row in rows)}


def _json(value: Any) -> Any:  # noqa: ANN401  # numpy's numbers too
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def series_colours(names: Sequence[str]) -> dict[str, str]:
    """The fixed colours of models, populations and factors; other names have steps of one scale, in their order."""
    fixed = MODELS | POPULATIONS | FACTORS
    others = [name for name in names if name not in fixed]
    step = (len(ORDERED) - 1) / max(1, len(others) - 1)
    steps = {name: ORDERED[round(i * step)] for i, name in enumerate(others)}
    return {name: (fixed | steps)[name] for name in names}


def distinct_colours(names: Sequence[str]) -> dict[str, str]:
    """A colour for each of some names that have no order, such as measures."""
    return {name: DISTINCT[i % len(DISTINCT)] for i, name in enumerate(names)}


def scale(colours: Mapping[str, str]) -> alt.Scale:
    """A scale that gives each name its colour."""
    return alt.Scale(domain=list(colours), range=list(colours.values()))


def level_axis(
    levels: Sequence[str],
    title: str,
    *,
    fields: tuple[str, str] = ("name", "rank"),
    named: int = NAMED,
    angle: int = -50,
) -> dict[str, Any]:
    """An axis of levels in their order: by their names, or if there are many by their ranks; `fields` holds the two."""
    if len(levels) <= named:
        bold = _unless(f"indexof({MARKED}, datum.value) < 0", "normal", "bold")
        axis = alt.Axis(
            title=title,
            labelAngle=angle if len(levels) > 4 else 0,
            labelFontWeight=Undefined if fields[0] == "name" else bold,
            labelLimit=110,
            labelPadding=6,
            ticks=False,
        )
        return {"shorthand": f"{fields[0]}:O", "scale": alt.Scale(domain=list(levels)), "axis": axis}
    step = next(step for step in (10, 20, 50, 100, 200, 500, 1000, 10**9) if len(levels) <= 12 * step)
    axis = alt.Axis(title=title, values=[1, *range(step, len(levels) + 1, step)], labelAngle=0)
    return {"shorthand": f"{fields[1]}:O", "scale": alt.Scale(domain=list(range(1, len(levels) + 1))), "axis": axis}


def fading(*fields: str, opacity: float = 1) -> dict[str, Any]:
    """An opacity that falls if other systems are marked than those that the fields hold."""
    return _unless(f"!length({MARKED}) || {is_marked(*fields)}", opacity, _FADED * opacity)


def receding(opacity: float = 1) -> dict[str, Any]:
    """An opacity of what shows many systems at once: it falls if some are marked."""
    return _unless(f"!length({MARKED})", opacity, 0.35 * opacity)


def growing(field: str, size: float, most: float) -> dict[str, Any]:
    """A size, or the width of a line, that grows if the system is marked."""
    return _unless(f"!({is_marked(field)})", size, most)


def is_marked(*fields: str) -> str:
    """The test whether a system that the fields hold is marked."""
    return " || ".join(f"indexof({MARKED}, datum.{field}) >= 0" for field in fields)


def _unless(test: str, value: float | str, other: float | str) -> dict[str, Any]:
    """A value, and another where the test fails."""
    return {"condition": {"test": test, "value": value}, "value": other}


def width_of(levels: int, *, step: float, least: int, most: int) -> int:
    """The width of a chart of so many levels."""
    return round(min(most, max(least, step * levels)))


def tips(*fields: str) -> list[alt.Tooltip]:
    """What is shown under the pointer: fields with their types, such as `mean:Q`."""
    return [alt.Tooltip(field, format=".4~g") if field.endswith(":Q") else alt.Tooltip(field) for field in fields]


def only(chart: alt.Chart, field: str, value: str) -> alt.Chart:
    """The rows whose field has that value, whatever signs it holds."""
    return chart.transform_filter(alt.FieldEqualPredicate(field=field, equal=value))


def layered(*layers: alt.Chart) -> alt.LayerChart:
    """Charts one over the other; `alt.layer`, whose type is also that of facets."""
    return alt.LayerChart(layer=list(layers))


def finished(chart: Chart, title: str, caption: Sequence[str], *, width: float) -> Chart:
    """The chart with its title, the caption under it, and the common look; `width` wraps the two."""
    width = max(width, _NARROWEST)
    lines = [line for text in caption if text for line in _wrapped(text, _CAPTION, width)]
    heading = alt.TitleParams(text=_wrapped(title, _TITLE * 1.1, width), subtitle=lines, anchor="start", offset=14)
    marked = alt.VariableParameter(name=MARKED, value=[])
    return chart.properties(title=heading, background="#ffffff", padding=14, config=_config(), params=[marked])


def _wrapped(text: str, size: float, width: float) -> list[str]:
    whole = re.sub(
        r" (=|×) |(?<=\bseed) |(?<=±) ", lambda space: space[0].replace(" ", "\u00a0"), text
    )  # not to be broken
    return textwrap.wrap(whole, max(40, int(width / (size * _LETTER))), break_on_hyphens=False)


def _config() -> alt.Config:
    fonts: dict[str, Any] = {
        "labelFont": FONT,
        "titleFont": FONT,
        "labelColor": MUTED,
        "titleColor": INK,
        "titleFontWeight": "normal",
    }
    return alt.Config(
        font=FONT,
        view=alt.ViewConfig(stroke=None),
        axis=alt.AxisConfig(**fonts, gridColor=GRID, domainColor=PALE, tickColor=PALE, labelFontSize=10),
        legend=alt.LegendConfig(**fonts, labelFontSize=11, symbolOpacity=1, labelLimit=300),
        header=alt.HeaderConfig(labelFont=FONT, labelFontSize=12, labelColor=INK, labelFontWeight="bold"),
        title=alt.TitleConfig(
            font=FONT,
            fontSize=_TITLE,
            color=INK,
            subtitleFont=FONT,
            subtitleFontSize=_CAPTION,
            subtitleColor=MUTED,
            subtitleLineHeight=15,
            subtitlePadding=6,
        ),
    )


def p_text(p: float) -> str:
    """A p-value in a sentence."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def facts(*given: str) -> str:
    """A sentence of facts."""
    return "; ".join(fact for fact in given if fact) + "."


def setting(result: Significance | Measured) -> str:
    """How the scores behind a result came about: the note of a chart that is given only a part of it."""
    if isinstance(result, Measured):
        what, fill, undefined = ", ".join(map(str, result.scores.measures)), result.undefined, result.undefined_cells
    else:
        what, fill, undefined = f"{result.measure} by {result.model}", result.fill, result.undefined
    split = result.shards if result.shards == "whole corpus" else f"shards {result.shards}, seed {result.seed}"
    return facts(what, split, _filled(fill, undefined), "" if result.kept == "all" else f"systems kept: {result.kept}")


def _filled(fill: str, cells: int | None = None) -> str:
    """What was done with undefined cells."""
    special = {"drop": "topics with undefined cells dropped", "resample": "splits redrawn until no cell is undefined"}
    count = "" if cells is None else f"{cells:,} " if cells else "no "
    return special.get(fill, f"{count}undefined cells filled with {fill}" if cells != 0 else "no undefined cells")


def _size(topics: int, systems: int, shards: int = 1) -> str:
    return f"n = {systems} systems × {topics} topics" + (f" × {shards} shards" if shards > 1 else "")


def family(c: Comparison) -> str:
    """The pairs over which errors are controlled, as sentences write them."""
    pairs = math.comb(len(c.systems), 2)
    return c.family if c.baseline is not None else f"all {pairs:,} pairs" if pairs > 1 else "1 pair"


def omega2_text(omega2: float) -> str:
    """ω² to three decimals; to four, cut, where three would show a larger size. Below 0 it is to be read as 0."""
    value = max(0.0, omega2)
    shown = f"{value:.3f}"
    return f"{math.floor(1e4 * value) / 1e4:.4f}" if any(value < bound <= float(shown) for bound in _BOUNDS) else shown


def comparison_caption(c: Comparison) -> list[str]:
    """The test, its family, α, population and n; and what the claim covers."""
    return [facts(_test(c), f"population: {c.population}", size(c)), COVERS[c.population]]


def tested(c: Comparison) -> str:
    """The test, its family, α and n, whatever the population."""
    return facts(_test(c), size(c))


def size(c: Comparison) -> str:
    """How many systems, topics and shards were compared."""
    return _size(c.topics, len(c.systems), c.shards)


def _test(c: Comparison) -> str:
    correction = "" if c.correction in ("none", "built in") else f", {c.correction} correction"
    draws = "" if c.draws is None else f", {c.draws:,} draws, seed {c.seed}"
    return f"{_TESTS.get(c.test, c.test)} of {family(c)}{correction}{draws}, α = {c.alpha:g}"


def significance_caption(significance: Significance) -> list[str]:
    """The caption of the comparison, the measure, the split, and what the bars are."""
    test, covers = comparison_caption(significance.comparison)
    share = f"{100 * (1 - significance.alpha):g} %"
    bars = f"{share} intervals: Tukey for all systems together, SEM and ANOVA for each by itself."
    return [setting(significance), test, covers, bars]


def fit_caption(fit: Fit, note: str) -> list[str]:
    """The model, what its effects are tested against, and n."""
    covers = "population: documents" if fit.shape[2] > 1 else "population: topics"
    return [facts(f"Marginal means; F tests of {fit.model} against its residual", covers, _size(*fit.shape)), note]


def effects_caption(effects: Effects) -> list[str]:
    """The tests, their population, α, n, seed and fill, and the bounds of sizes."""
    test = f"F tests of {effects.model} against its residual, α = {effects.alpha:g}"
    size = _size(effects.topics, effects.systems)
    sizes = "ω² before rounding is large from 0.14, medium from 0.06, small from 0.01"
    population = f"population: {effects.population}"
    return [facts(test, population, size, f"seed {effects.seed}", _filled(effects.fill), sizes)]


def robustness_caption(r: Robustness) -> list[str]:
    """The test, its population, α, n, resamples, seed and fill, and what the intervals are."""
    test = f"Tukey's HSD test of all {r.pairs:,} pairs, α = {r.alpha:g}"
    covers = f"population: {r.population} (MD1: topics)"
    draws = f"{r.resamples} random even splits into each number of shards, seed {r.seed}"
    size = _size(r.topics, r.systems)
    return [
        facts(f"Mean {r.measure}", test, covers, size, draws, _filled(r.fill)),
        "Points: means over splits, with 95 % t intervals. τ: order of systems against that on the whole corpus.",
    ]
