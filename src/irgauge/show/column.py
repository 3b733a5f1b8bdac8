"""A figure for a column of a two-column article: narrow, legends below, so that its text can be read there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from irgauge.show.figure import Figure
from irgauge.show.vega import svg_of

COLUMN = 400  # pixels: texts of 12 have 7 points in a column of 240 points
_LEAST = 120  # pixels of a plot, however long names are
_TRIES = 3
_LEGENDS = {"orient": "bottom", "direction": "vertical", "layout": {"bottom": {"direction": "vertical"}}}


def in_column(figure: Figure) -> str:
    """The drawing of a figure, whose plots are as wide as what stands beside them allows."""
    spec = figure.to_dict()
    spec["padding"] = 2
    spec["config"]["legend"] |= _LEGENDS
    plots = [view for view in _views(spec) if "width" in view]
    for axis in (axis for view in _views(spec) for axis in _axes(view) if axis.get("titleY") is not None):
        axis["title"] = None  # over rows, where it looks like a title of the figure
    width = min(COLUMN, *(plot["width"] for plot in plots)) if plots else COLUMN
    for _ in range(_TRIES):
        for plot in plots:
            plot["width"] = width
        drawing = svg_of(spec)
        beyond = _width(drawing) - COLUMN
        if beyond <= 0 or width == _LEAST:
            break
        width = max(_LEAST, width - beyond)
    return drawing


def _views(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A specification and those within it."""
    yield spec
    for part in (*spec.get("vconcat", ()), *spec.get("layer", ())):
        yield from _views(part)


def _axes(view: dict[str, Any]) -> Iterator[dict[str, Any]]:
    channels = view.get("encoding", {})
    yield from (channels[name]["axis"] for name in ("x", "y") if isinstance(channels.get(name, {}).get("axis"), dict))


def _width(svg: str) -> int:
    size = re.search(r'<svg[^>]* width="([\d.]+)"', svg)
    return 0 if size is None else round(float(size[1]))
