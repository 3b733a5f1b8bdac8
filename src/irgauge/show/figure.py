"""Figure: a chart with its title and caption as data; drawn, saved or put on a page only at the end."""

from __future__ import annotations

import base64
import html
import os
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import altair as alt
from altair.utils import update_nested

from irgauge.errors import InputError
from irgauge.files.writing import write
from irgauge.provenance import Provenance
from irgauge.show import gaps, style
from irgauge.show.safe_html import page_file, policy, script_data, template
from irgauge.show.vega import drawable, of_svg, svg_of, vega
from irgauge.show.words import method_sentence
from irgauge.visible import visible

FORMATS = (".html", ".svg", ".png", ".pdf")
_LETTER = 0.47  # width of a letter, in font sizes
_TITLE, _PANEL, _CAPTION = 15, 13, 11  # font sizes
_NARROWEST = 600  # pixels, of a caption


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart, a title that says what is seen, a caption that says what the marks are, and how it was computed."""

    chart: alt.TopLevelMixin  # bare: without title and look
    title: str
    caption: tuple[str, ...]  # sentences
    width: float  # pixels, to which title and caption are wrapped
    provenance: Provenance | None = None
    alternative: str = ""  # what is seen, for those who do not see it

    def noting(self, *notes: str) -> Figure:
        """The figure with more sentences under it."""
        return replace(self, caption=(*self.caption, *notes))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The caption; before it, whether many of the scores that it shows are undefined."""
        return (*gaps.sparse_notes(self.provenance), *self.caption)

    @property
    def method(self) -> str:
        """How it was computed, in a sentence; empty if nothing is said."""
        return "" if self.provenance is None else method_sentence(self.provenance)

    def altair(self, *, with_method: bool = True) -> Any:  # noqa: ANN401  # charts of any kind
        """The chart with its title, the caption under it, and the common look."""
        frame = self._frame(with_method=with_method)
        marked = [alt.VariableParameter(**parameter) for parameter in frame["params"]]
        return cast(Any, self.chart).properties(**frame | {"params": marked}, config=_config())

    def to_dict(self, *, with_method: bool = True) -> dict[str, Any]:
        """The Vega-Lite specification, which can be drawn whatever names it holds.

        It is that of `altair()`, whose copy of the whole chart takes as long as all of the rest.
        """
        spec = cast(Any, self.chart).to_dict(validate=False)
        config = update_nested(spec["config"], _config().to_dict(validate=False))
        named: dict[str, Any] = drawable(spec | self._frame(with_method=with_method) | {"config": config})
        return named

    def _frame(self, *, with_method: bool) -> dict[str, Any]:
        """What stands around the chart, as Vega-Lite has it."""
        width = max(self.width, _NARROWEST)
        texts = [*self.sentences, *([self.method] if with_method else [])]
        lines = [line for text in texts if text for line in _wrapped(text, _CAPTION, width)]
        text = _wrapped(self.title, _TITLE * 1.1, width)
        return {
            "title": {"text": text, "subtitle": lines, "anchor": "start", "offset": 14},
            "background": "#ffffff",
            "padding": 14,
            "params": [{"name": style.MARKED, "value": []}],
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the chart as .html (works offline), .svg, .png or .pdf."""
        check_format(path)
        write(path, self.drawn(Path(path).suffix.lower()))

    def to_page(self) -> str:
        """The chart as a page of its own, which needs no network and runs no other script than ours."""

        return chart_page(self.to_dict(), visible(self.title), visible(self.alternative or self.title))

    def drawn(self, ending: str) -> str | bytes:
        """The content of a file that ends in .html, .svg, .png or .pdf."""
        return self.to_page() if ending == ".html" else of_svg(self.to_svg(), ending)

    def to_svg(self) -> str:
        """The chart as a drawing."""
        return svg_of(self.to_dict())

    def to_html(self) -> str:
        """The chart as an image that needs no network and runs no script; for notebooks."""
        data = base64.b64encode(self.to_svg().encode()).decode()
        text = html.escape(visible(self.alternative or self.title), quote=True)
        return f'<img alt="{text}" src="data:image/svg+xml;base64,{data}">'

    _repr_html_ = to_html

    def __repr__(self) -> str:
        return f"Figure: {self.title}"


def below_each_other(figures: Sequence[Figure], title: str, provenance: Provenance) -> Figure:
    """Figures as one: panels below each other, each with its title; what captions say, once. One alone stays itself."""
    if len(figures) == 1:
        return figures[0]
    width = max(figure.width for figure in figures)
    panels = [cast(Any, figure.chart).properties(title=_panel_title(figure.title, width)) for figure in figures]
    captions = dict.fromkeys(text for figure in figures for text in figure.caption)
    chart = alt.VConcatChart(vconcat=panels, spacing=36).resolve_scale(color="independent", fill="independent")
    return Figure(chart, title, tuple(captions), width, provenance, figures[0].alternative)


def _panel_title(title: str, width: float) -> alt.TitleParams:
    return alt.TitleParams(text=_wrapped(title, _PANEL * 1.1, width), fontSize=_PANEL, anchor="start", offset=8)


def check_format(path: str | os.PathLike[str]) -> None:
    """Refuse a file whose ending names no format of charts."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        fault = f"'{suffix}' is not a format of charts" if suffix else "a chart needs a format"
        raise InputError(f"{fault}; end the name in {', '.join(FORMATS)}", path=str(path))


def _wrapped(text: str, size: float, width: float) -> list[str]:
    whole = re.sub(
        r" (=|×) |(?<=\bseed) |(?<=±) ", lambda space: space[0].replace(" ", "\u00a0"), text
    )  # not to be broken
    return textwrap.wrap(whole, max(40, int(width / (size * _LETTER))), break_on_hyphens=False)


@cache
def _config() -> alt.Config:
    fonts: dict[str, Any] = {
        "labelFont": style.FONT,
        "titleFont": style.FONT,
        "labelColor": style.MUTED,
        "titleColor": style.INK,
        "titleFontWeight": "normal",
    }
    axis = alt.AxisConfig(
        **fonts, gridColor=style.GRID, domainColor=style.PALE, tickColor=style.PALE, labelFontSize=10, labelFlush=False
    )
    return alt.Config(
        font=style.FONT,
        view=alt.ViewConfig(stroke=None),
        axis=axis,
        legend=alt.LegendConfig(**fonts, labelFontSize=11, symbolOpacity=1, labelLimit=300),
        header=alt.HeaderConfig(labelFont=style.FONT, labelFontSize=12, labelColor=style.INK, labelFontWeight="bold"),
        title=alt.TitleConfig(
            font=style.FONT,
            fontSize=_TITLE,
            color=style.INK,
            subtitleFont=style.FONT,
            subtitleFontSize=_CAPTION,
            subtitleColor=style.MUTED,
            subtitleLineHeight=15,
            subtitlePadding=6,
        ),
    )


def chart_page(spec: Mapping[str, Any], title: str, alternative: str) -> str:
    """The page of a Vega-Lite specification."""
    scripts = (vega(), page_file("chart.js"))
    return template("chart.html.j2").render(
        title=title, alternative=alternative, spec=script_data(spec), scripts=scripts, policy=policy(scripts)
    )
