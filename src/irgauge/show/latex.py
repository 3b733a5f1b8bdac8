"""A table in LaTeX: as `table`, or as `longtable` where it is longer than a page or too wide for it.

It needs pdfLaTeX and the packages that its first line names: booktabs, array for wrapped texts, longtable, and lscape.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from irgauge.errors import DesignError
from irgauge.show.escapes import latex_text
from irgauge.show.fitting import (
    COLUMN,
    INDENT,
    LONG_SIDE,
    USUAL,
    SetColumn,
    TableSetting,
    TypeSize,
    breakable,
    setting_of,
)
from irgauge.show.marks import Marked
from irgauge.show.table import Cell, Table, ends_group


def table_text(table: Table, caption: str | None = None, label: str | None = None) -> str:
    """The table in LaTeX, with its own caption and label or with others."""
    setting = setting_of(table)
    wrapped = setting.wrapped
    rows = zip(*(_cells(column, is_wrapped=i in wrapped) for i, column in enumerate(setting.columns)), strict=True)
    body = [_row(row) + (r" \midrule" if ends_group(table, i) else "") for i, row in enumerate(rows)]
    before, after = frame_of(setting, caption, label)
    return "\n".join([*before, *body, *after, ""])


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cells(column: SetColumn, *, is_wrapped: bool) -> Iterator[str]:
    """The cells of a column; names in a wrapped one may be broken."""
    if is_wrapped:
        return map(breakable, column.shown)
    if not column.has_marks:
        return map(latex_text, column.shown)
    longest = max(column.shown, key=len)
    return (_dressed(text, cell, longest) for text, cell in zip(column.shown, column.cells, strict=True))


def _dressed(text: str, cell: Cell, longest: str) -> str:
    """A number with its mark behind it; numbers start in line, as with digits before them."""
    before = longest[: len(longest) - len(text)]
    number = (rf"\phantom{{{latex_text(before)}}}" if before else "") + latex_text(text)
    if not isinstance(cell, Marked):
        return number
    mark = rf"\textsuperscript{{{latex_text(cell.mark)}}}" if cell.mark else ""
    return (rf"\textbf{{{number}}}" if cell.is_bold else number) + mark


def frame_of(
    setting: TableSetting, caption: str | None = None, label: str | None = None
) -> tuple[list[str], list[str]]:
    """The lines before and after the rows."""
    head = [
        rf"\caption{{{_caption(setting.table) if caption is None else _closed(caption)}}}",
        rf"\label{{{f'tab:{setting.table.name}' if label is None else _checked(label)}}}",
    ]
    return _long_frame(setting, head) if setting.is_long else _frame(setting, head)


def _closed(caption: str) -> str:
    """A caption in LaTeX that ends where it ends."""
    unescaped = re.sub(r"\\.", "", caption)
    if "%" in unescaped or unescaped.count("{") != unescaped.count("}"):
        raise DesignError(
            f"the caption '{caption}' does not end in LaTeX; write \\% for a per cent sign, and close every brace"
        )
    return caption


def _checked(label: str) -> str:
    """A label that LaTeX can read."""
    if not re.fullmatch(r"[^\s{}\\%#&~^$,]+", label):
        raise DesignError(f"the label '{label}' cannot be one in LaTeX; use letters, digits, and signs such as - and :")
    return label


def _frame(setting: TableSetting, head: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of a table that floats; wide ones take both columns of a page that has two."""
    float_of = "table" if setting.room == COLUMN or setting.points <= COLUMN else "table*"
    before = [
        rf"\begin{{{float_of}}} % needs {_packages(setting)}",
        r"\centering",
        *head,
        r"\smallskip",
        *_type(setting.size),
        rf"\begin{{tabular}}{{{_alignment(setting)}}}",
        *_titles(setting),
    ]
    return before, [r"\bottomrule", r"\end{tabular}", rf"\end{{{float_of}}}"]


def _long_frame(setting: TableSetting, head: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of a table that is broken over pages."""
    around = "landscape" if setting.room == LONG_SIDE else "center"
    titles = _titles(setting)
    before = [
        rf"\begin{{{around}}} % needs {_packages(setting)}, and a page with one column",
        *_type(setting.size),
        r"\setlength{\LTcapwidth}{\linewidth}",
        rf"\begin{{longtable}}{{{_alignment(setting)}}}",
        *head[:-1],
        rf"{head[-1]} \\",
        *titles,
        r"\endfirsthead",
        *titles,
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
    ]
    return before, [r"\end{longtable}", rf"\end{{{around}}}"]


def _packages(setting: TableSetting) -> str:
    used = {
        "array": bool(setting.wrapped),
        "booktabs": True,
        "longtable": setting.is_long,
        "lscape": setting.room == LONG_SIDE,
    }
    return rf"\usepackage{{{','.join(name for name, is_used in used.items() if is_used)}}}"


def _caption(table: Table) -> str:
    """The title and what is told of the table; signs stay with what they compare."""
    return breakable(re.sub(" ([=<≤≥±]) ", "\xa0\\1\xa0", f"{table.title}. {table.caption}".strip()))


def _type(size: TypeSize) -> list[str]:
    gap = rf"\setlength{{\tabcolsep}}{{{size.gap:g}pt}}"
    return [*filter(None, [size.command]), *([gap] if size.gap != USUAL.gap else [])]


def _alignment(setting: TableSetting) -> str:
    """How columns are aligned; those that are wrapped share what the others leave of the line, however wide it is."""
    kinds = ["r" if column.is_number and not column.has_marks else "l" for column in setting.columns]
    ems = sum(width for i, width in enumerate(setting.widths) if i not in setting.wrapped)
    for i in setting.wrapped:
        share = setting.widths[i] / sum(setting.widths[j] for j in setting.wrapped)
        left = f"{math.ceil(10 * share * ems) / 10:g}em-{math.ceil(share * setting.gaps)}pt"
        of = "" if len(setting.wrapped) == 1 else f"{math.floor(1000 * share) / 1000:g}"
        width = rf"\dimexpr{of}\linewidth-{left}\relax"
        kinds[i] = rf">{{\raggedright\hangindent={INDENT:g}em\arraybackslash}}p{{{width}}}"
    return f"@{{}}{''.join(kinds)}@{{}}"


def _titles(setting: TableSetting) -> list[str]:
    """The heads between two rules; on several lines where that is narrower, the last lines in line."""
    widths = setting.widths if setting.has_folded_heads else [math.inf] * len(setting.columns)
    lines = [column.head_lines(width) for column, width in zip(setting.columns, widths, strict=True)]
    height = max(map(len, lines))
    padded = [[""] * (height - len(each)) + [latex_text(line) for line in each] for each in lines]
    return [r"\toprule", *map(_row, zip(*padded, strict=True)), r"\midrule"]
