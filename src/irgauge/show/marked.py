"""Marked: a number of a table that stands out, in bold or with a mark behind it."""

from __future__ import annotations


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

    @property
    def has_letters(self) -> bool:
        """Whether the mark is letters, which readers might take as part of the number."""
        return self.mark[:1].isalpha()


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
