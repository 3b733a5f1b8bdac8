"""Briefs: an object in a few lines, as text at the prompt and as a small table in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from html import escape
from numbers import Real
from typing import ClassVar

from irgauge.visible import visible

_SHOWN = 3  # names in a brief
_LONGEST = 200  # characters of a line
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


class OneLine:
    """A dataclass that shows its names and numbers on one line, rather than all that it holds."""

    in_line: ClassVar[tuple[str, ...]] = ()  # attributes to show; the fields, where none is named

    def __repr__(self) -> str:
        names = self.in_line or [field.name for field in fields(self)]  # type: ignore[arg-type]  # a dataclass
        values = {name: _in_line(getattr(self, name)) for name in names}
        line = ", ".join(f"{name}={text}" for name, text in values.items() if text is not None)
        cut = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
        return visible(f"{type(self).__name__}({cut})")


def _in_line(value: object) -> str | None:
    """A name or a number, or how many names there are; None of all else."""
    if isinstance(value, bool | str | int | None):
        return repr(value)
    if isinstance(value, Real):
        return f"{float(value):.4g}"
    if isinstance(value, tuple) and value and all(isinstance(item, str) for item in value):
        return some(value)
    return None


def some(names: Sequence[object], shown: int = _SHOWN) -> str:
    """How many there are, and the first of them.

    >>> some(["401", "402", "403", "404"])
    '4 (401, 402, 403, ...)'
    """
    listed = [*map(str, names[:shown]), *["..."] * (len(names) > shown)]
    return f"{len(names):,}" + (f" ({', '.join(listed)})" if listed else "")
