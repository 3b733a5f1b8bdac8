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

from irgauge.errors import DesignError, InputError
from irgauge.files.writing import write
from irgauge.nouns import NONE, Nouns
from irgauge.provenance import Provenance
from irgauge.show import gaps, style
from irgauge.show.safe_html import page_file, policy, script_data, template
from irgauge.show.vega import drawable, of_svg, svg_of, vega
from irgauge.show.words import method_sentence
from irgauge.visible import visible

FORMATS = (".html", ".svg", ".png", ".pdf")
_LETTER = 0.47  # width of a letter, in font sizes
_TITLE, _PANEL, _CAPTION = 15, 13, style.SMALLEST  # font sizes
_NARROWEST = 600  # pixels, of a caption
_LARGEST = 100_000  # pixels of a plot, along one side
_SHARPEST = 20  # pixels of a PNG for each of the chart's


# a chart in a notebook follows its theme: that of JupyterLab, VS Code or Colab, else that of the browser; light turns
# to dark, and hues stay
_DARK_PLACES = ('[data-jp-theme-light="false"]', ".vscode-dark", 'html[theme="dark"]')
_UNTHEMED = "body:not([data-jp-theme-light], .vscode-light, .vscode-dark)"
_TURNED = ".irgauge-chart { filter: invert(.9) hue-rotate(180deg); }"
_DARK = (
    f"<style>{' '.join(f'{place} {_TURNED}' for place in _DARK_PLACES)} "
    f"@media (prefers-color-scheme: dark) {{ html:not([theme]) {_UNTHEMED} {_TURNED} }}</style>"
)


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart, a title that says what is seen, a caption that says what the marks are, and how it was computed.

    It has the methods of altair's charts, and `|`, `&` and `+` with others. Functions of altair, and charts of altair
    to its left, take only altair's own classes: `alt.hconcat(figure.altair(), ...)`, `mine | figure.altair()`.
    """

    chart: alt.TopLevelMixin  # bare: without title and look
    title: str
    caption: tuple[str, ...]  # sentences
    width: float  # pixels, to which title and caption are wrapped
    provenance: Provenance | None = None
    alternative: str = ""  # what is seen, for those who do not see it
    is_titled: bool = True  # whether title, caption and method are drawn with the chart
    panels: tuple[str, ...] = ()  # what stands over panels where titles are not drawn
    nouns: Nouns = NONE  # what people read for topics and shards

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
        """The chart as altair's own, with its title and the caption under it; it has the look of altair's theme.

        `altair.theme.enable("irgauge")` gives it ours. It has no parameters that a page of a report sets, so that it
        can stand beside others.
        """
        chart, title = self._own_chart(), drawable(self._frame(with_method=with_method)).get("title")
        return chart if title is None else chart.properties(title=alt.TitleParams(**title))

    def _own_chart(self) -> Any:  # noqa: ANN401  # charts of any kind
        """The chart without our parameters, as people read it."""
        chart = unmarked(self.chart)
        return type(chart).from_dict(in_words(chart.to_dict(), self.nouns)) if self.nouns.words else chart

    def properties(self, **properties: Any) -> Any:  # noqa: ANN401  # altair's
        """The chart as altair's own with other properties, such as `width`, `height` or `title`."""
        return self.altair().properties(**properties)

    def __or__(self, other: AnyChart) -> SideBySide:
        """The two side by side, as altair's own."""
        return SideBySide(hconcat=[self.altair(), of_altair(other)])

    def __and__(self, other: AnyChart) -> Below:
        """The two below each other, as altair's own."""
        return Below(vconcat=[self.altair(), of_altair(other)])

    def __add__(self, other: AnyChart) -> Any:  # noqa: ANN401  # a chart of layers, as altair's own
        """The other drawn over this one, as altair's own."""
        return self.altair() + of_altair(other)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # what altair's charts can do besides
        """What charts of altair can do besides, such as `configure_axis`; done by `altair()`."""
        if name.startswith("_") or not hasattr(alt.TopLevelMixin, name):
            raise AttributeError(f"a chart has no attribute '{name}'", name=name, obj=self)
        return getattr(self.altair(), name)

    def sized(self, width: int | None = None, height: int | None = None) -> Figure:
        """The figure with another width or height of its plot, in pixels; of each panel where it has several alike."""
        sizes = {name: size for name, size in (("width", width), ("height", height)) if size is not None}
        for name, size in sizes.items():
            if isinstance(size, bool) or not isinstance(size, int | float) or not 1 <= size <= _LARGEST:
                raise DesignError(f"{name} is {size!r}; it is a number of pixels from 1 to {_LARGEST:,}")
        if not sizes:
            return self
        return replace(self, chart=_sized(self.chart, sizes), width=self.width if width is None else width)

    def to_dict(self, *, with_method: bool = True) -> dict[str, Any]:
        """The Vega-Lite specification, which can be drawn whatever names it holds.

        It is that of `altair()`, whose copy of the whole chart takes as long as all of the rest.
        """
        spec = in_words(cast(Any, self.chart).to_dict(validate=False), self.nouns)
        config = update_nested(spec["config"], _config().to_dict(validate=False))
        named: dict[str, Any] = drawable(spec | self._frame(with_method=with_method) | {"config": config})
        return named

    def untitled(self) -> Figure:
        """The figure without title, caption and method, which a paper sets itself."""
        if not self.panels:
            return replace(self, is_titled=False)
        chart = cast(Any, self.chart).copy(deep=False)
        named = zip(chart.vconcat, self.panels, strict=True)
        chart.vconcat = [panel.properties(title=_panel_title(name, self.width)) for panel, name in named]
        return replace(self, chart=chart, is_titled=False)

    def _frame(self, *, with_method: bool) -> dict[str, Any]:
        """What stands around the chart, as Vega-Lite has it."""
        around = {"background": "#ffffff", "padding": 14, "params": [{"name": style.MARKED, "value": []}]}
        return {"title": self._title(with_method=with_method), **around} if self.is_titled else around

    def _title(self, *, with_method: bool) -> dict[str, Any]:
        """The title, and under it the caption and how it was computed."""
        width = max(self.width, _NARROWEST)
        texts = [*self.sentences, *([self.method] if with_method else [])]
        said = map(self.nouns.said, filter(None, texts))
        lines = [line for text in said for line in _wrapped(text, _CAPTION, width)]
        text = _wrapped(self.nouns.said(self.title), _TITLE * 1.1, width)
        return {"text": text, "subtitle": lines, "anchor": "start", "offset": 14}

    def save(self, path: str | os.PathLike[str], *, scale: float | None = None) -> None:
        """Write the chart as .html (works offline), .svg, .png or .pdf.

        `scale` is how many pixels a PNG has for each of the chart's; 2, if not given.
        """
        check_format(path)
        ending = Path(path).suffix.lower()
        if scale is not None:
            check_scale(scale, ending)
        write(path, self.drawn(ending, scale=scale))

    def to_page(self) -> str:
        """The chart as a page of its own, which needs no network and runs no other script than ours."""

        title, alternative = map(self.nouns.said, (self.title, self.alternative or self.title))
        return chart_page(self.to_dict(), visible(title), visible(alternative))

    def drawn(self, ending: str, *, scale: float | None = None) -> str | bytes:
        """The content of a file that ends in .html, .svg, .png or .pdf."""
        return self.to_page() if ending == ".html" else of_svg(self.to_svg(), ending, scale)

    def to_svg(self) -> str:
        """The chart as a drawing."""
        return svg_of(self.to_dict())

    def to_html(self) -> str:
        """The chart as an image that needs no network and runs no script; for notebooks."""
        data = base64.b64encode(self.to_svg().encode()).decode()
        text = html.escape(visible(self.nouns.said(self.alternative or self.title)), quote=True)
        return f'{_DARK}<img class="irgauge-chart" alt="{text}" src="data:image/svg+xml;base64,{data}">'

    _repr_html_ = to_html

    def __repr__(self) -> str:
        return f"Figure: {self.nouns.said(self.title)}"


AnyChart = Figure | alt.TopLevelMixin


def of_altair(chart: AnyChart) -> Any:  # noqa: ANN401  # charts of any kind
    """A chart as altair's own."""
    return chart.altair() if isinstance(chart, Figure) else chart


class SideBySide(alt.HConcatChart):
    """Charts side by side, to which ours can be added, too."""

    def __or__(self, other: AnyChart) -> SideBySide:
        """With one more beside them."""
        return super().__or__(of_altair(other))

    def __and__(self, other: AnyChart) -> Below:
        """With one below them."""
        return Below(vconcat=[self, of_altair(other)])


class Below(alt.VConcatChart):
    """Charts below each other, to which ours can be added, too."""

    def __and__(self, other: AnyChart) -> Below:
        """With one more below them."""
        return super().__and__(of_altair(other))

    def __or__(self, other: AnyChart) -> SideBySide:
        """With one beside them."""
        return SideBySide(hconcat=[self, of_altair(other)])


def _sized(chart: alt.TopLevelMixin, sizes: Mapping[str, int]) -> alt.TopLevelMixin:
    if isinstance(chart, alt.FacetChart):
        panels = chart.copy(deep=["spec"])
        panels.spec = cast(Any, panels.spec).properties(**sizes)
        return panels
    if isinstance(chart, alt.Chart | alt.LayerChart):
        return chart.properties(**sizes)
    raise DesignError("this chart has panels of several kinds; altair() gives them, to size each by itself")


def below_each_other(figures: Sequence[Figure], title: str, provenance: Provenance, *, names: Sequence[str]) -> Figure:
    """Figures as one: panels below each other, each with its title; what captions say, once. One alone stays itself.

    Where titles are not drawn, panels have their names.
    """
    if len(figures) == 1:
        return figures[0]
    width = max(figure.width for figure in figures)
    panels = [cast(Any, figure.chart).properties(title=_panel_title(figure.title, width)) for figure in figures]
    captions = dict.fromkeys(text for figure in figures for text in figure.caption)
    chart = alt.VConcatChart(vconcat=panels, spacing=36).resolve_scale(color="independent", fill="independent")
    return Figure(chart, title, tuple(captions), width, provenance, figures[0].alternative, panels=tuple(names))


def _panel_title(title: str, width: float) -> alt.TitleParams:
    return alt.TitleParams(text=_wrapped(title, _PANEL * 1.1, width), fontSize=_PANEL, anchor="start", offset=8)


def check_format(path: str | os.PathLike[str]) -> None:
    """Refuse a file whose ending names no format of charts."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        fault = f"'{suffix}' is not a format of charts" if suffix else "a chart needs a format"
        raise InputError(f"{fault}; end the name in {', '.join(FORMATS)}", path=str(path))


def check_scale(scale: float, ending: str) -> None:
    """Refuse a scale that no picture has, and one of what has no pixels."""
    if ending != ".png":
        raise DesignError(
            f"scale is of .png, and {ending} has no pixels; leave it out, or change the size of the chart"
        )
    if isinstance(scale, bool) or not isinstance(scale, int | float) or not 0 < scale <= _SHARPEST:
        raise DesignError(f"scale is {scale!r}; it is a number above 0, at most {_SHARPEST}")


def unmarked(node: Any) -> Any:  # noqa: ANN401  # charts, and what they are made of
    """A copy of a chart without the parameter of systems that a reader marked: as if none ever is."""
    if isinstance(node, alt.SchemaBase):
        copied = node.copy(deep=False)
        for name, value in copied._kwds.items():
            copied._kwds[name] = drawable(value) if name == "data" and isinstance(value, dict) else unmarked(value)
        return copied
    if isinstance(node, dict):
        return {name: unmarked(value) for name, value in node.items()}
    if isinstance(node, list):
        return [unmarked(value) for value in node]
    return re.sub(rf"\b(indexof|length)\({style.MARKED}\b", r"\1([]", node) if isinstance(node, str) else node


_WORDS = ("title", "text", "subtitle", "description")  # what of a specification is words, where it is a text
_VALUES = ("domain", "sort", "equal", "oneOf")  # where it names values of its data


def in_words(node: Any, nouns: Nouns, *, is_text: bool = False) -> Any:  # noqa: ANN401  # JSON
    """A specification as people read it: titles of charts, axes, legends and tips, and values; fields stay."""
    if not nouns.words or (isinstance(node, str) and not is_text):
        return node
    if isinstance(node, str):
        return nouns.said(node)
    if isinstance(node, dict):
        own = {"title": nouns.said(node["field"])} if node.get("field") in dict(nouns.words) and "type" in node else {}
        return own | {
            key: _data_in_words(value, nouns)
            if key in ("values", "datasets")
            else in_words(value, nouns, is_text=key in _WORDS or key in _VALUES)
            for key, value in node.items()
        }
    return [in_words(value, nouns, is_text=is_text) for value in node] if isinstance(node, list) else node


def _data_in_words(node: Any, nouns: Nouns) -> Any:  # noqa: ANN401  # JSON
    """Rows of data with the nouns in their texts; names stay, and so do the names of fields."""
    if isinstance(node, str):
        return nouns.said(node)
    if isinstance(node, dict):
        return {key: _data_in_words(value, nouns) for key, value in node.items()}
    return [_data_in_words(value, nouns) for value in node] if isinstance(node, list) else node


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
        "labelFontSize": style.SMALLEST,
        "titleFontSize": style.SMALLEST,
    }
    axis = alt.AxisConfig(**fonts, gridColor=style.GRID, domainColor=style.PALE, tickColor=style.PALE, labelFlush=False)
    return alt.Config(
        font=style.FONT,
        view=alt.ViewConfig(stroke=None),
        axis=axis,
        axisX=alt.AxisConfig(labelOverlap="greedy", labelSeparation=2),
        axisXQuantitative=alt.AxisConfig(labelSeparation=6),
        legend=alt.LegendConfig(**fonts, symbolOpacity=1, labelLimit=300),
        header=alt.HeaderConfig(
            labelFont=style.FONT, labelFontSize=style.SMALLEST, labelColor=style.INK, labelFontWeight="bold"
        ),
        text=alt.MarkConfig(font=style.FONT, fontSize=style.SMALLEST),
        title=alt.TitleConfig(
            font=style.FONT,
            fontSize=_TITLE,
            color=style.INK,
            subtitleFont=style.FONT,
            subtitleFontSize=_CAPTION,
            subtitleColor=style.MUTED,
            subtitleLineHeight=16,
            subtitlePadding=6,
        ),
    )


@alt.theme.register("irgauge", enable=False)
def look() -> alt.theme.ThemeConfig:
    """The common look of figures, for what is made of them."""
    return {"config": cast(Any, _config().to_dict(validate=False)), "background": "#ffffff", "padding": 14}


def chart_page(spec: Mapping[str, Any], title: str, alternative: str) -> str:
    """The page of a Vega-Lite specification."""
    scripts = (vega(), page_file("chart.js"))
    return template("chart.html.j2").render(
        title=title, alternative=alternative, spec=script_data(spec), scripts=scripts, policy=policy(scripts)
    )
