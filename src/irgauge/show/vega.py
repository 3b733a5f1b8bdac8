"""The script that draws charts in a page. To make it takes 2 s, so it is kept beside Python's compiled code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from irgauge.errors import DesignError, InputError
from irgauge.files.writing import write
from irgauge.show.drawable import in_one_plane

_FOLDER = Path(__file__).with_name("__pycache__")


@cache
def vega() -> str:
    """A script that brings Vega, Vega-Lite and Vega-Embed, from the package that also draws the charts as files."""
    kept = _FOLDER / f"vega-{version('vl-convert-python')}.js"
    script = _read(kept)
    if script is None:
        script = _made()
        _keep(kept, script)
    return script


def _made() -> str:
    import vl_convert

    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", r"<\/script")
    return f"(() => {{\n{bundle}\n}})();"


def _read(path: Path) -> str | None:
    """What is kept, unless it is damaged."""
    try:
        digest, _, script = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return script if digest == _digest(script) else None


def _keep(path: Path, script: str) -> None:
    """Keep it where Python keeps its own; where that is not possible, it is made each time."""
    if sys.dont_write_bytecode or not path.parent.is_dir():
        return
    with suppress(OSError, InputError):
        write(path, f"{_digest(script)}\n{script}")


def _digest(script: str) -> str:
    return sha256(script.encode()).hexdigest()


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
            message = " ".join(str(error).split("\n")[:2]) or type(error).__name__
            raise DesignError(f"the chart cannot be drawn ({message[:200]}); save it as .html instead") from None
        raise
