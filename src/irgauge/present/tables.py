"""One Table, many renderers: text, Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

Cell = str | int | float | None
_NARROWEST = 20  # a wrapped column is no narrower


@dataclass(frozen=True)
class Table:
    """Rows under named columns, with a title, and a caption that names the method."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str
    decimals: int = 4
    group_by: int | None = None  # a column whose change starts a new block of rows

    def records(self) -> list[dict[str, Cell]]:
        """The rows as objects, in full precision."""
        return [dict(zip(self.columns, map(_json_value, row), strict=True)) for row in self.rows]


def _json_value(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def shown_cell(cell: Cell, decimals: int) -> str:
    """A cell as tables for readers show it."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, float):
        return f"{cell:.1e}" if 0 < abs(cell) < 0.5 * 10**-decimals else f"{cell:.{decimals}f}"
    return str(cell)


def _shown_rows(table: Table) -> list[list[str]]:
    return [[shown_cell(cell, table.decimals) for cell in row] for row in table.rows]


def _is_numeric(table: Table, column: int) -> bool:
    return all(isinstance(row[column], int | float | None) for row in table.rows)


def to_text(table: Table, *, width: int | None = None) -> str:
    """A table for the terminal; where it is wider than `width`, its last text column is wrapped."""
    rows = [list(table.columns), *_shown_rows(table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numeric = [_is_numeric(table, i) for i in range(len(table.columns))]
    if width is not None and not all(numeric):
        wrapped = max(range(len(widths)), key=lambda i: 0 if numeric[i] else widths[i])
        excess = sum(widths) + 2 * len(widths) - 2 - width
        widths[wrapped] = min(widths[wrapped], max(_NARROWEST, widths[wrapped] - excess))
    rule = "─" * (sum(widths) + 2 * len(widths) - 2)
    lines = [table.title, "", *_text_lines(rows[0], widths, numeric), rule]
    for i, row in enumerate(rows[1:]):
        lines += _text_lines(row, widths, numeric)
        if _ends_group(table, i):
            lines.append(rule)
    return "\n".join([*lines, "", *textwrap.wrap(table.caption, max(len(rule), 80)), ""])


def _text_lines(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> list[str]:
    """The lines of a row: several where a cell is wrapped."""
    cells = [textwrap.wrap(cell, size) if len(cell) > size else [cell] for cell, size in zip(row, widths, strict=True)]
    lines = []
    for parts in zip_longest(*cells, fillvalue=""):
        padded = [
            part.rjust(size) if right else part.ljust(size)
            for part, size, right in zip(parts, widths, numeric, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


def _ends_group(table: Table, row: int) -> bool:
    by = table.group_by
    return by is not None and row + 1 < len(table.rows) and table.rows[row][by] != table.rows[row + 1][by]


def to_markdown(table: Table) -> str:
    """A table for a README or an issue."""
    rule = ["---:" if _is_numeric(table, i) else ":---" for i in range(len(table.columns))]
    rows = [list(table.columns), rule, *([cell.replace("|", "\\|") for cell in row] for row in _shown_rows(table))]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([f"**{table.title}**", "", *lines, "", table.caption, ""])


LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "²": r"$^2$",
    "√": r"$\surd$",
    "α": r"$\alpha$",
    "δ": r"$\delta$",
    "τ": r"$\tau$",
    "ω": r"$\omega$",
    "ρ": r"$\rho$",
    "σ": r"$\sigma$",
}


def to_latex(table: Table) -> str:
    """A booktabs table for a paper."""
    alignment = "".join("r" if _is_numeric(table, i) else "l" for i in range(len(table.columns)))
    body = []
    for i, row in enumerate(_shown_rows(table)):
        body.append(" & ".join(map(latex_text, row)) + r" \\" + (r" \midrule" if _ends_group(table, i) else ""))
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{latex_text(table.title)}. {latex_text(table.caption)}}}",
            rf"\begin{{tabular}}{{{alignment}}}",
            r"\toprule",
            " & ".join(map(latex_text, table.columns)) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def latex_text(text: str) -> str:
    """Text with what LaTeX would take as commands written out."""
    return re.sub("|".join(map(re.escape, LATEX)), lambda match: LATEX[match[0]], text)


def to_csv(table: Table) -> str:
    """The rows in full precision, without title and caption."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_json_value(cell) for cell in row] for row in table.rows)
    return out.getvalue()


def to_json(value: object) -> str:
    """Any result, indented, lists of numbers on one line; null stands for what is undefined."""
    return _json(_plain(value), "") + "\n"


def _json(value: object, indent: str) -> str:
    """Indented JSON. json.dumps indents in Python, number by number; here it writes whole lists of numbers."""
    deeper = indent + "  "
    if isinstance(value, Mapping) and value:
        items = [f"{json.dumps(key, ensure_ascii=False)}: {_json(one, deeper)}" for key, one in value.items()]
        return "{\n" + ",\n".join(deeper + item for item in items) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(one, list | Mapping) for one in value):
        return "[\n" + ",\n".join(deeper + _json(one, deeper) for one in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> object:
    """The value with null in place of NaN and infinities, at any depth."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


FORMS: Mapping[str, Callable[[Table], str]] = {
    "markdown": to_markdown,
    "latex": to_latex,
    "csv": to_csv,
    "json": lambda table: to_json(table.records()),
}


def render(tables: Sequence[Table], form: str, *, width: int | None = None) -> str:
    """Tables one after the other: as a table for a terminal of that width, or in one of the FORMS."""
    if form == "table":
        return "\n".join(to_text(table, width=width) for table in tables)
    return "\n".join(FORMS[form](table) for table in tables)
