"""Charts for Vega: specifications that it draws whatever names they hold, and the script that draws them in a page.

To make the script takes 2 s, so it is kept beside Python's compiled code.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from irgauge.errors import DesignError, InputError
from irgauge.files.writing import write
from irgauge.visible import visible

JOINER = "\u2060"  # joins two words, and is not seen; no other text of a chart holds it, as `visible` writes it out
_OF_OBJECTS = frozenset(  # what every object of JavaScript has, which Vega takes as found where it looks a name up
    (
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__", "constructor"),
        *("hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"),
    )
)

_NUMBERS = (float, int)


def drawable(node: Any) -> Any:  # noqa: ANN401  # JSON
    """The specification, its texts visible, and a name that Vega trips over with a sign behind it that is not seen.

    Vega leaves out, or fails on, what is called as a property of objects; what draws SVG and PNG ends the whole
    process where a text holds a control, or what is no character.
    """
    if isinstance(node, str):
        return drawn_name(node)
    if isinstance(node, dict):
        # numbers are most of the data: a call for each would take as long as all of the rest
        return {
            visible(name): value
            if isinstance(value, _NUMBERS)
            else _title(value)
            if name == "title"
            else drawable(value)
            for name, value in node.items()
        }
    return [drawable(value) for value in node] if isinstance(node, list | tuple) else node


def _title(node: Any) -> Any:  # noqa: ANN401  # JSON
    r"""A title, which Vega-Lite writes into expressions as it is: in one line, each \ with a sign behind it.

    Otherwise r"\x1b", as `visible` writes it, would be ESC again in what charts say to those who do not see them.
    """
    if isinstance(node, list):
        return [_title(line) for line in node]
    return visible(node).replace("\\", f"\\{JOINER}") if isinstance(node, str) else drawable(node)


@lru_cache(4096)  # the rows of a chart repeat their names
def drawn_name(text: str) -> str:
    r"""A text as the data of a chart hold it; some of our charts have texts on two lines.

    >>> drawn_name("constructor"), drawn_name("bm25\x1b")
    ('constructor\u2060', 'bm25\\x1b')
    """
    shown = visible(text, keep="\n")
    return shown + JOINER if shown in _OF_OBJECTS else shown


def in_one_plane(node: Any) -> Any:  # noqa: ANN401  # JSON
    """The specification with signs that JavaScript takes as two, such as 😀, written out in its texts."""
    if isinstance(node, str):
        return re.sub("[\U00010000-\U0010ffff]", lambda sign: f"\\U{ord(sign[0]):08x}", node)
    if isinstance(node, dict):
        return {name: in_one_plane(value) for name, value in node.items()}
    return [in_one_plane(value) for value in node] if isinstance(node, list) else node


def plain_name(text: str) -> str:
    """The name of something drawn as readers see it."""
    return text.removesuffix(JOINER)


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


def of_svg(svg: str, ending: str, scale: float | None = None) -> str | bytes:
    """A drawing as the content of a file that ends in .svg, .png or .pdf."""
    import vl_convert

    if ending == ".svg":
        return svg
    if ending == ".png":
        return _drawn(lambda: vl_convert.svg_to_png(svg, scale=scale or _SHARPNESS))
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
