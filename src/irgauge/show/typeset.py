"""How wide a text is when it is typeset, and where its long words may be broken."""

from __future__ import annotations

import re
from collections.abc import Sequence

from irgauge.show.escapes import latex_text, printable

# ems of Computer Modern, rounded up, which is wider than Times and Libertine: letters about as wide
_EMS = {
    0.28: "il.,:;!'`|[]",
    0.4: "fjrstI()-_ ",
    0.45: "cez",
    0.5: 'ago0123456789/$?*\\~^{}–"',
    0.53: "kqvxyJ†‡",
    0.56: "bdhnpuS",
    0.69: "EFLPZ",
    0.79: "wABCDGHKNOQRTUVXY&+=@<>",
    0.84: "m%#−",
    1.03: "MW",
}
_WIDTHS = {sign: width for width, signs in _EMS.items() for sign in signs}
_OTHERS = 0.85  # of a sign that is not among them
BOLD = 1.16  # how much wider bold type is
RAISED = 0.9  # and that of superscripts, in the small sizes of type
_STEPS = 40  # of halving the range of a width
_SHORT, _WHOLE = 9, 16  # letters of a word that is never broken, and of one that is broken at signs only
_AT_SIGNS = re.compile(r"(?<=[_\-/+|])(?=[^_\-/+|])|(?<=[.:])(?=[A-Za-z])")
_LONG = re.compile(rf"([^\s_\-/+|]{{{_WHOLE + 1},}})")


def width_of(text: str) -> float:
    """The width of a text in ems.

    >>> round(width_of("0.25"), 2)
    1.78
    """
    return sum(_WIDTHS.get(sign, _OTHERS) for sign in text)


def pieces(word: str) -> list[str]:
    """A word cut where a line may end: a long one after signs, and a very long one anywhere.

    >>> pieces("SPLADE_P/en-US"), pieces("BM25_RM3")
    (['SPLADE_', 'P/', 'en-', 'US'], ['BM25_RM3'])
    """
    if len(word) <= _SHORT:
        return [word]
    parts = [part for piece in _AT_SIGNS.split(word) for part in _LONG.split(piece) if part]
    return [piece for part in parts for piece in (part if _LONG.fullmatch(part) else [part])]


def narrowest(text: str) -> float:
    """The width of the widest part that is never broken, in ems."""
    return max((width_of(piece) for word in text.split() for piece in pieces(word)), default=0.0)


def breakable(text: str) -> str:
    r"""A text in LaTeX, whose long names may be broken at the end of a line; LaTeX itself breaks after hyphens.

    >>> breakable("of SPLADE_P/en-US")
    'of SPLADE\\_\\allowbreak{}P/\\allowbreak{}en-US'
    """
    broken = (r"\allowbreak{}".join(map(latex_text, pieces(word))) for word in printable(text).split(" "))
    return " ".join(broken).replace(r"-\allowbreak{}", "-")


def levelled(least: Sequence[float], most: Sequence[float], room: float) -> list[float]:
    """Widths of columns that share some room: all the same, but none below its least and none above its most.

    They are wider than the room where that holds less than the least of all.

    >>> [round(width, 3) for width in levelled([1.0, 1.0, 4.0], [2.0, 9.0, 9.0], 11.0)]
    [2.0, 4.5, 4.5]
    """
    low, high = 0.0, max(most, default=0.0)
    for _ in range(_STEPS):
        level = (low + high) / 2
        low, high = (level, high) if sum(_between(level, least, most)) <= room else (low, level)
    return _between(low, least, most)


def _between(level: float, least: Sequence[float], most: Sequence[float]) -> list[float]:
    return [min(max(level, low), high) for low, high in zip(least, most, strict=True)]
