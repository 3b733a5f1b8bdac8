"""Markdown, of what code says of itself."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence


def text(value: object) -> str:
    """A text that is shown as it is: no sign of it is Markdown, and it fits a cell of a table."""
    escaped = html.escape(str(value), quote=False)
    spans = [re.sub(r"([\\`*_{}\[\]|#])", r"\\\1", one) for one in escaped.split("\n")]
    return " ".join(spans)


def prose(value: str) -> str:
    """A text with `code` in it: what stands between backquotes is code, the rest is shown as it is."""
    parts = re.split(r"`([^`\n]*)`", value)
    return "".join(code(part) if i % 2 else text(part) for i, part in enumerate(parts))


def code(value: object) -> str:
    """Code in a line, or in a cell of a table."""
    return f"<code>{html.escape(str(value), quote=False).replace('|', '&#124;')}</code>" if str(value) else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def block(language: str, content: str) -> str:
    """A block of code."""
    return f"```{language}\n{content.rstrip()}\n```\n"


def anchor(name: str) -> str:
    """The end of a link to a heading that has this name."""
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-")
