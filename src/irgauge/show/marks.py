"""What stands beside a number or a name in a table for readers; data have it in columns of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irgauge.show.table import Cell


class Noted(str):
    """A name with a note, such as that it is the baseline; code that computes sees the name alone.

    >>> Noted("BM25", "baseline") == "BM25", noted_text(Noted("BM25", "baseline"))
    (True, 'BM25 (baseline)')
    """

    __slots__ = ("note",)
    note: str

    def __new__(cls, name: str, note: str = "") -> Noted:
        """The name, and what is noted of it."""
        made = super().__new__(cls, name)
        made.note = note
        return made

    def __reduce__(self) -> tuple[type[Noted], tuple[str, str]]:
        return Noted, (str(self), self.note)


def noted_text(cell: object) -> str:
    """A text as readers see it, with its note."""
    return f"{cell} ({cell.note})" if isinstance(cell, Noted) and cell.note else str(cell)


class Marked(float):
    """A number with how it stands out; code that computes sees the number alone.

    >>> best = Marked(0.5, "†", is_bold=True)
    >>> best + 1, best.mark
    (1.5, '†')
    """

    mark: str  # such as †, or the letters of groups
    is_bold: bool

    def __new__(cls, number: float, mark: str = "", *, is_bold: bool = False) -> Marked:
        """The number, and how it stands out."""
        made = super().__new__(cls, number)
        made.mark, made.is_bold = mark, is_bold
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return _marked, (float(self), self.mark, self.is_bold)

    @property
    def has_letters(self) -> bool:
        """Whether the mark is letters, which readers might take as part of the number."""
        return self.mark[:1].isalpha()


def _marked(number: float, mark: str, is_bold: bool) -> Marked:  # noqa: FBT001  # pickle's arguments have no names
    return Marked(number, mark, is_bold=is_bold)


def plain_of(shown: str, cell: object) -> tuple[str, str]:
    """The number, and what stands behind it, in plain text: stars for bold."""
    if not isinstance(cell, Marked):
        return shown, ""
    star = "*" if cell.is_bold else ""
    return f"{star}{shown}", f"{star}{' ' if cell.has_letters else ''}{cell.mark}"


def markdown_of(shown: str, cell: object) -> str:
    """The cell in Markdown, which takes HTML for raised letters."""
    if not isinstance(cell, Marked):
        return shown
    number = f"**{shown}**" if cell.is_bold else shown
    return f"{number}<sup>{cell.mark}</sup>" if cell.has_letters else f"{number}{cell.mark}"


def html_of(shown: str, cell: object) -> str:
    """The cell in HTML."""
    if not isinstance(cell, Marked):
        return shown
    number = f"<b>{shown}</b>" if cell.is_bold else shown
    return f"{number}<sup>{cell.mark}</sup>" if cell.mark else number


def data_columns(names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> tuple[list[str], list[Sequence[Cell]]]:
    """Names and rows for code: behind a column with marks or notes stands one that has these.

    >>> data_columns(["system", "AP"], [(Noted("a", "baseline"), Marked(0.5, "†"))])
    (['system', 'system_note', 'AP', 'AP_mark'], [('a', 'baseline', 0.5, '†')])
    """
    beside = [_beside(row[place] for row in rows) for place in range(len(names))]
    if not any(beside):
        return list(names), list(rows)
    expanded = [column for name, kind in zip(names, beside, strict=True) for column in _named_apart(name, kind, names)]
    return expanded, [
        tuple(part for cell, kind in zip(row, beside, strict=True) for part in _apart(cell, kind)) for row in rows
    ]


def _beside(cells: Iterable[Cell]) -> str:
    """What stands beside the cells of a column: marks, notes, or nothing."""
    kinds = set(map(type, cells))
    return "mark" if Marked in kinds else "note" if Noted in kinds else ""


def _named_apart(name: str, kind: str, taken: Sequence[str]) -> list[str]:
    """A column, and the one beside it, whose name no other has."""
    if not kind:
        return [name]
    other = f"{name}_{kind}"
    while other in taken:
        other += "_"
    return [name, other]


def _apart(cell: Cell, kind: str) -> tuple[Cell, ...]:
    """A cell, and what stands beside it."""
    if not kind:
        return (cell,)
    if isinstance(cell, Marked):
        return float(cell), cell.mark
    return (str(cell), cell.note) if isinstance(cell, Noted) else (cell, "")
