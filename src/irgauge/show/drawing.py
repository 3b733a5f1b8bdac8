"""Charts as drawings: what draws them is another program's code, whose failures are told in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from irgauge.errors import DesignError
from irgauge.show.drawable import in_one_plane

T = TypeVar("T", str, bytes)
_SHARPNESS = 2  # pixels of a PNG for each of the chart's


def svg_of(spec: dict[str, Any]) -> str:
    """A specification of Vega-Lite as a drawing; its texts must be visible, see `drawable`.

    Vega may cut a long name between the two halves of a sign such as 😀, which cannot be drawn: then all such signs
    are written out.
    """
    try:
        return _svg(spec)
    except DesignError:
        if (other := in_one_plane(spec)) == spec:
            raise
        return _svg(other)


def _svg(spec: dict[str, Any]) -> str:
    import vl_convert

    return _drawn(lambda: vl_convert.vegalite_to_svg(spec))


def of_svg(svg: str, ending: str) -> str | bytes:
    """A drawing as the content of a file that ends in .svg, .png or .pdf."""
    import vl_convert

    if ending == ".svg":
        return svg
    if ending == ".png":
        return _drawn(lambda: vl_convert.svg_to_png(svg, scale=_SHARPNESS))
    return _drawn(lambda: vl_convert.svg_to_pdf(svg))


def _drawn(draw: Callable[[], T]) -> T:
    """What is drawn; a panic of Rust is no Exception, and would pass by all that tells errors."""
    try:
        return draw()
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            said = " ".join(str(error).split("\n")[:2]) or type(error).__name__
            raise DesignError(f"the chart cannot be drawn ({said[:200]}); save it as .html instead") from None
        raise
