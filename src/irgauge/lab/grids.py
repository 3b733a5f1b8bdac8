"""Grids of systems as texts: braces hold alternatives, as in {none,porter} or {,+rm3}, and all of them are combined."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from irgauge.errors import InputError
from irgauge.lab.analysis import STEMMERS, STOP_LISTS, Analyser
from irgauge.lab.models import MODELS
from irgauge.lab.systems import System

MODEL_GRID = f"{{{','.join(MODELS)}}}{{,+rm3}}"
FULL_GRID = f"{{{','.join(STOP_LISTS)}}}-{{{','.join(STEMMERS)}}}-{MODEL_GRID}"
_MOST = 10_000  # systems of a grid
_PAIRS = {"{": "}", "(": ")"}


def default_grid(analyser: Analyser) -> str:
    """All models with and without feedback; for an index of words as they are, with every stop list and stemmer."""
    return FULL_GRID if analyser.is_plain else MODEL_GRID


def systems_of(grid: str) -> list[System]:
    """The systems of a grid, each once, in their order.

    >>> [str(one) for one in systems_of("{none,short}-porter-bm25(b={0.4,0.75}){,+rm3},jm")][:4]
    ['none-porter-bm25', 'none-porter-bm25+rm3', 'none-porter-bm25(b=0.75)', 'none-porter-bm25(b=0.75)+rm3']
    >>> len(systems_of(FULL_GRID))
    90
    """
    texts = list(islice((text for part in _parts(grid) for text in _expanded(part)), _MOST + 1))
    if len(texts) > _MOST:
        raise InputError(f"the grid has more than {_MOST:,} systems; ask for fewer alternatives")
    return list(dict.fromkeys(System.of(text) for text in texts))


def _expanded(text: str) -> Iterator[str]:
    """The texts that a text with braces means."""
    start = text.find("{")
    if start < 0:
        if "}" in text:
            raise InputError(f"the grid has a '}}' without a '{{' in '{text}'; write it like {{none,porter}}")
        yield text
        return
    stop = _closing(text, start)
    for middle in _parts(text[start + 1 : stop]):
        for first in _expanded(middle):
            for rest in _expanded(text[stop + 1 :]):
                yield f"{text[:start]}{first}{rest}"


def _closing(text: str, start: int) -> int:
    """Where the brace that is opened here is closed."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    raise InputError(f"the grid has a '{{' without a '}}' in '{text}'; write it like {{none,porter}}")


def _parts(text: str) -> list[str]:
    """A text cut at its commas, but for those in braces or parentheses."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in _PAIRS) - (sign in _PAIRS.values())
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
