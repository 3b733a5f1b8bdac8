"""Findings as sentences that can be quoted: as text, as Markdown or as LaTeX."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from irgauge.present.tables import latex_text

_WIDEST = 100  # columns; longer lines are hard to read


def render(sentences: Sequence[str], form: str, *, width: int) -> str:
    """A list of sentences: as text for a terminal of that width, or as Markdown or LaTeX."""
    if form == "latex":
        items = (f"\\item {latex_text(sentence)}" for sentence in sentences)
        return "\n".join([r"\begin{itemize}", *items, r"\end{itemize}", ""])
    if form == "markdown":
        return "\n".join([*(f"- {sentence}" for sentence in sentences), ""])
    return "\n".join(_wrapped(sentence, min(width, _WIDEST)) for sentence in sentences) + "\n"


def _wrapped(sentence: str, width: int) -> str:
    """A sentence with hanging indent; a number stays with its sign."""
    whole = re.sub(r"(?<=\d) (?=%)| ± ", lambda space: space[0].replace(" ", "\u00a0"), sentence)
    lines = textwrap.fill(whole, width, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)
    return lines.replace("\u00a0", " ")


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(n: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "image"), counted(1200, "image")
    ('1 image', '1,200 images')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
