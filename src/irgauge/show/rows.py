"""Charts whose levels stand in rows, each with its name at the side, where there are few enough to be read so."""

from __future__ import annotations

from typing import Any, TypeVar

import altair as alt

from irgauge.show import style

Chart = TypeVar("Chart", alt.Chart, alt.LayerChart)
ROW = 22  # pixels of a level
_WIDE = 520  # pixels, of the plot
_ABOVE = {"titleAngle": 0, "titleAlign": "left", "titleBaseline": "bottom", "titleX": 0, "titleY": -6}  # the rows
_AXES = {"X": "Y", "Y": "X", "x": "y", "y": "x", "width": "height", "height": "width", "dx": "dy", "dy": "dx"}


def in_rows(chart: Chart, levels: int, *, row: float = ROW) -> Chart:
    """A chart of levels from left to right with these from top to bottom; of very many levels, as it is.

    Their axis is a `level_axis` with `angle=0`, which of very many levels has ranks, not names.
    """
    if levels > style.NAMED:
        return chart
    return _turned(chart).properties(width=_WIDE, height=round(row * levels + ROW))


def _turned(chart: Any) -> Any:  # noqa: ANN401  # charts, of one layer or of several
    """The chart with its axes exchanged."""
    turned = chart.copy(deep=False)
    if isinstance(chart, alt.LayerChart):
        turned.layer = [_turned(layer) for layer in chart.layer]
        return turned
    if isinstance(chart.mark, alt.MarkDef):
        turned.mark = alt.MarkDef(**{_AXES.get(name, name): value for name, value in chart.mark._kwds.items()})
    channels = {_other(name): _exchanged(channel) for name, channel in chart.encoding._kwds.items()}
    turned.encoding = type(chart.encoding)(**channels)
    return turned


def _other(name: str) -> str:
    """The other of two names such as x2 and y2, or XOffset and YOffset; any other name as it is."""
    is_axis = name[:1] in _AXES and name[1:] in ("", "2", "Offset", "Datum", "Value", "2Datum", "2Value")
    return _AXES[name[0]] + name[1:] if is_axis else name


def _exchanged(channel: Any) -> Any:  # noqa: ANN401  # altair's
    name = type(channel).__name__
    if _other(name) == name:
        return channel
    own = dict(channel._kwds)
    if name == "X" and isinstance(own["axis"], alt.Axis):  # of the levels
        own["axis"] = alt.Axis(**(own["axis"]._kwds | _ABOVE))
    return getattr(alt, _other(name))(**own)
