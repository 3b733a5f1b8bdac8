"""The one look of all charts: colours, axes, marks.

Charts name the class of a channel, as in `alt.Y("mean:Q")`: altair takes 4 ms to find it for a text, 12 ms for a dict.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import altair as alt
from altair import Undefined

T = TypeVar("T")
FONT = "Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif"
LONGEST = 230  # pixels, of a name at an axis
SMALLEST = 12  # pixels, of a text that a chart shows
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
POPULATIONS = {
    "topics": "#e69f00",
    "documents": "#0072b2",
    "both": "#117733",
    "shards": "#56b4e9",
    "topics+shards": "#44aa99",
    "sources": "#6b6b6b",
    "same collections": "#e69f00",
    "clusters of same collections": "#e69f00",
    "traffic of same collections": "#e69f00",
    "collections": "#0072b2",
}
INTERVALS = {"mean": "#a3cfc0", "Tukey": "#9ecae9", "ANOVA": "#0072b2", "SEM": "#6b6b6b"}
SIZES = {
    "large": "#0b4f8a",
    "medium": "#5b9bd0",
    "small": "#b5d4ec",
    "negligible": "#edf4fa",
    "not significant": "#dcdcdc",
}
P_CLASSES = ("#08416f", "#3f86bd", "#a9cee9")  # from the smallest p to α
NOT_DIFFERENT = "#f3dfc1"
DISTINCT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b6b6b")  # for names without an order
ORDERED = ("#e8b021", "#8fb339", "#2fa386", "#22799a", "#2b4c8c", "#3b1c62")  # from few to many


class SystemField(NamedTuple):
    """A field of the data of charts that holds a system, and what stands on its axis where systems come by name."""

    system: str
    rank: str  # the field of its rank
    by_name: str  # of the axis; {n} is the number of systems


SYSTEM_FIELDS = (  # what a page marks and sorts by
    SystemField("system", "rank", "{n} systems by name"),
    SystemField("better", "better_rank", "better system by name"),
    SystemField("worse", "worse_rank", "worse system by name"),
    SystemField("row", "row_rank", "system by name"),
    SystemField("column", "column_rank", "system by name"),
)
SYSTEM = SYSTEM_FIELDS[0][:2]
MARKED = "marked"  # the parameter with the systems that a reader marked; a page sets it, elsewhere it is empty
_LEVEL = 45  # letters that stand level below a chart
_FADED = 0.15  # of the opacity, where other systems are marked
ON_LINES = "split(datum.label, '\\n')"  # the expression of a label that stands on several
NAMED = 60  # so many levels have their names on an axis; of more, their ranks
Row = dict[str, str | int | float | None]


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
    angle: int = -90,
) -> dict[str, Any]:
    """An axis of levels in their order: by their names, or if there are many by their ranks; `fields` holds the two."""
    if len(levels) <= named:
        bold = _unless(f"indexof({MARKED}, datum.value) < 0", "normal", "bold")
        axis = alt.Axis(
            title=title,
            labelAngle=angle if max(map(len, levels)) * len(levels) > _LEVEL else 0,
            labelFontWeight=Undefined if fields[0] == "name" else bold,
            labelLimit=LONGEST,
            labelPadding=6,
            ticks=False,
        )
        return {"shorthand": f"{fields[0]}:O", "scale": alt.Scale(domain=list(levels)), "axis": axis}
    step = next(step for step in (10, 20, 50, 100, 200, 500, 1000, 10**9) if len(levels) <= 12 * step)
    axis = alt.Axis(title=title, values=[1, *range(step, len(levels) + 1, step)], labelAngle=0)
    return {"shorthand": f"{fields[1]}:O", "scale": alt.Scale(domain=list(range(1, len(levels) + 1))), "axis": axis}


def topics_axis() -> alt.Axis:
    """A logarithmic axis of numbers of topics."""
    values = [step * 10**power for power in range(6) for step in (1, 2, 5)]
    return alt.Axis(grid=False, values=values, format=",d")


def fading(*fields: str, opacity: float = 1) -> alt.OpacityValue:
    """An opacity that falls if other systems are marked than those that the fields hold."""
    return alt.OpacityValue(**_unless(f"!length({MARKED}) || {is_marked(*fields)}", opacity, _FADED * opacity))


def only_marked(*fields: str) -> alt.OpacityValue:
    """An opacity of what is seen only if a system that the fields hold is marked."""
    return alt.OpacityValue(**_unless(is_marked(*fields), 1, 0))


def receding(opacity: float = 1) -> alt.OpacityValue:
    """An opacity of what shows many systems at once: it falls if some are marked."""
    return alt.OpacityValue(**_unless(f"!length({MARKED})", opacity, 0.35 * opacity))


def growing(field: str, size: float, most: float) -> alt.SizeValue:
    """A size, or the width of a line, that grows if the system is marked."""
    return alt.SizeValue(**_unless(f"!({is_marked(field)})", size, most))


def is_marked(*fields: str) -> str:
    """The test whether a system that the fields hold is marked."""
    return " || ".join(f"indexof({MARKED}, datum.{field}) >= 0" for field in fields)


def _unless(test: str, value: float | str, other: float | str) -> dict[str, Any]:
    """A value, and another where the test fails."""
    return {"condition": {"test": test, "value": value}, "value": other}


def width_of(levels: int, *, step: float, least: int, most: int) -> int:
    """The width of a chart of so many levels."""
    return round(min(most, max(least, step * levels)))


ADJUSTED = {"p_adjusted": "adjusted p"}  # a title under the pointer


def tips(*fields: str, digits: str = ".4~g", **titles: str) -> list[alt.Tooltip]:
    """What is shown under the pointer: fields with their types, such as `mean:Q`; `titles` are other names of some."""
    return [_tip(field, titles.get(field.split(":")[0]), digits) for field in fields]


def _tip(field: str, title: str | None, digits: str) -> alt.Tooltip:
    form = digits if field.endswith(":Q") else Undefined
    return alt.Tooltip(field, format=form, title=Undefined if title is None else title)


def only(chart: alt.Chart, field: str, value: str) -> alt.Chart:
    """The rows whose field has that value, whatever signs it holds."""
    return chart.transform_filter(alt.FieldEqualPredicate(field=field, equal=value))


def layered(*layers: alt.Chart) -> alt.LayerChart:
    """Charts one over the other; `alt.layer`, whose type is also that of facets.

    Altair copies a layer and all its parts some times here, and again with every chart made of this one. Its encoding
    and its mark, which are most of it and which nobody changes once it is made, are shared: half of the time.
    """
    for layer in layers:
        _share(layer.encoding)
        _share(layer.mark)
    return alt.LayerChart(layer=list(layers))


def _share(part: Any) -> None:  # noqa: ANN401  # what altair makes
    """Let copies of a chart have this part of it, not a copy."""
    if isinstance(part, alt.SchemaBase):  # a mark may be a word
        object.__setattr__(part, "__deepcopy__", partial(_same, part))  # what is set otherwise is a field of the part


def _same(part: T, _: object) -> T:
    return part
