"""Briefs: an object in a few lines, as text at the prompt and as a small table in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from irgauge.visible import visible

_SHOWN = 3  # names in a brief
_CELL = 'style="text-align:left"'  # notebooks align numbers to the right


class Brief:
    """An object that shows a few facts of itself rather than all its arrays."""

    def _facts(self) -> Mapping[str, str]:
        """What a reader wants to know first, by name."""
        raise NotImplementedError

    def __repr__(self) -> str:
        facts = self._facts()
        width = max(map(len, facts))
        return "\n".join(
            [type(self).__name__, *(f"  {name:<{width}}  {visible(fact)}" for name, fact in facts.items())]
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" {_CELL}>{escape(name)}</th><td {_CELL}>{escape(visible(fact))}</td></tr>'
            for name, fact in self._facts().items()
        )
        return f"<table><caption>{type(self).__name__}</caption>{rows}</table>"


def some(names: Sequence[object], shown: int = _SHOWN) -> str:
    """How many there are, and the first of them.

    >>> some(["401", "402", "403", "404"])
    '4 (401, 402, 403, ...)'
    """
    listed = [*map(str, names[:shown]), *["..."] * (len(names) > shown)]
    return f"{len(names):,}" + (f" ({', '.join(listed)})" if listed else "")
