"""The specification of a chart that Vega draws whatever names it holds."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

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
