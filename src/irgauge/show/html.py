"""A page as one self-contained HTML file: it needs no server and no network."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irgauge.errors import DesignError
from irgauge.nouns import NONE
from irgauge.show import style, verdicts
from irgauge.show.escapes import LATEX
from irgauge.show.fitting import setting_of
from irgauge.show.latex import frame_of
from irgauge.show.packing import deflated, packed
from irgauge.show.page import Page, Panel, Variant
from irgauge.show.safe_html import html_in_words, page_file, policy, script_data, template
from irgauge.show.table import Cell, Column, Table, decimals_of, is_numeric, shown_cell, shown_column
from irgauge.show.vega import plain_name, vega
from irgauge.show.words import method_sentence
from irgauge.visible import visible

LONG = 200  # rows of a table that is drawn whole; longer ones are packed
_DIGITS = 7  # significant digits of numbers in the page


def table_data(table: Table) -> dict[str, object]:
    """The table as the page reads it."""
    table = table.in_words()
    by = None if table.group_by is None else table.names.index(table.group_by)
    head: dict[str, object] = {"title": visible(table.title), "caption": visible(table.caption), "group_by": by}
    head |= {"rows": len(table.rows), "latex": _latex(table)}
    heads = [_head(table, i) for i in range(len(table.columns))]
    if len(table.rows) <= LONG:
        columns = [_table_column(table, i) for i in range(len(table.columns))]
        return head | {"columns": [own | more for own, more in zip(heads, columns, strict=True)]}
    columns, numbers = packed(table)
    return head | {"columns": [own | more for own, more in zip(heads, columns, strict=True)], "packed": numbers}


def _head(table: Table, place: int) -> dict[str, object]:
    column = table.columns[place]
    bound = {} if column.below is None else {"below": column.below, "least": column.least}
    head = {
        "name": visible(column.shown),
        "id": column.name,
        "role": column.role,
        "decimals": decimals_of(table, column),
        "numeric": is_numeric(table, place),
    }
    return head | bound


def _latex(table: Table) -> dict[str, object]:
    """What stands around the rows in LaTeX, the columns that are set, and those whose names may be broken."""
    setting = setting_of(_widest(table))
    before, after = frame_of(setting)
    kept = [table.names.index(name) for name in setting.table.names]
    return {"before": before, "after": after, "columns": kept, "wrapped": [kept[i] for i in setting.wrapped]}


def _widest(table: Table) -> Table:
    """The first rows of a long table, and those with the widest cells: they are set as the whole is."""
    if len(table.rows) <= LONG:
        return table
    rows = dict.fromkeys(range(LONG))
    for place in range(len(table.columns)):
        rows |= dict.fromkeys(_extremes(table.cells(place), is_number=is_numeric(table, place)))
    return table.with_rows(table.rows[i] for i in sorted(rows))


def _extremes(cells: Sequence[Cell], *, is_number: bool) -> list[int]:
    """Where the least and the largest number stand, or the longest text."""
    if not is_number:
        return [cells.index(max(set(cells), key=lambda cell: (len(str(cell)), str(cell))))]
    numbers = np.array(cells, dtype=float)
    if not np.isfinite(numbers).any():
        return []
    finite = np.where(np.isfinite(numbers), numbers, np.nan)
    return [int(np.nanargmin(finite)), int(np.nanargmax(finite))]


def _table_column(table: Table, place: int) -> dict[str, object]:
    """A column with its kind; where the page could not write its cells as Python does, with their texts."""
    cells, texts = table.cells(place), shown_column(table, place)
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {int}:
        return {"kind": "int"} | column_data(cells)
    if kinds <= {float, int} and not any(isinstance(cell, float) and math.isinf(cell) for cell in cells):
        decimals = decimals_of(table, table.columns[place])
        return {"kind": "float", "values": [_brief(cell, table.columns[place], decimals) for cell in cells]}
    if texts == ["–" if cell is None else cell for cell in cells]:
        return {"kind": "text"} | column_data(cells)
    return {"kind": "text", "values": [rounded(cell) for cell in cells], "shown": texts}


def _brief(cell: Cell, column: Column, decimals: int) -> Cell:
    """The number in few digits, unless these would be shown as another number."""
    brief: Cell = rounded(cell)
    if brief is None or shown_cell(brief, decimals, column.below) == shown_cell(cell, decimals, column.below):
        return brief
    return cell


def column_data(cells: Sequence[Any]) -> dict[str, object]:
    """Texts by their numbers in a list of those that differ, if that is shorter; numbers rounded."""
    texts = dict.fromkeys(cell for cell in cells if isinstance(cell, str))
    if all(cell is None or isinstance(cell, str) for cell in cells) and 2 * len(texts) < len(cells):
        place = {text: i for i, text in enumerate(texts)}
        return {"of": list(texts), "at": [None if cell is None else place[cell] for cell in cells]}
    return {"values": [rounded(cell) for cell in cells]}


def rounded(cell: Any) -> Any:  # noqa: ANN401  # of any data
    """A number in few digits; None for what is none."""
    if not isinstance(cell, float):
        return cell
    return float(f"{cell:.{_DIGITS}g}") if math.isfinite(cell) else None


_DATA, _TABLES = ("inflate.js", "data.js"), ("packing.js", "rows.js", "tables.js")
_CODE = (*_DATA, "colours.js", "charts.js", "order.js", *_TABLES, "exports.js", "marks.js", "page.js")  # run so
_THEME = (
    'document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";'
)
_FEW = 10  # rows of data that are written as they are
_MUCH = 10_000  # letters of data that are deflated

_OF_PAGE = ("measure", "population", "systems")  # switched for the whole page; other choices in their panel

Switch = tuple[str, list[str]]  # what is switched, and between what


def render(page: Page) -> str:
    """The page as HTML, with its data, style and code.

    >>> from irgauge.show.page import Front
    >>> html = render(Page("A report", "", Front(()), (), ("Few topics.",), (), (), ()))
    >>> "<h1>A report</h1>" in html, "Few topics." in html
    (True, True)
    """
    _check_keys(page)
    kept = _Data()
    forms = {panel.key: _form(panel, kept) for panel in page.panels}
    scripts = (vega(), f'(() => {{\n"use strict";\n{chr(10).join(map(page_file, _CODE))}\n}})();')
    whole = template("page.html.j2").render(
        page=page,
        forms=forms,
        methods={claim.text: claim.method for claim in page.claims},
        switches=_page_switches(page),
        is_cut=page.front.picture is not None and "systems" in dict(_switches([page.front.picture])),
        words=verdicts.OTHER,
        settings=[(name, _setting(value)) for name, value in page.settings.items()],
        data=kept.items(),
        systems=sorted(kept.systems),
        latex=script_data(LATEX),
        fields=script_data({"marked": style.MARKED, "systems": [field._asdict() for field in style.SYSTEM_FIELDS]}),
        font=style.FONT,
        css=page_file("page.css"),
        theme=_THEME,
        scripts=scripts,
        policy=policy([_THEME, *scripts]),
    )
    return html_in_words(whole, page.nouns)


def _check_keys(page: Page) -> None:
    """Keys become addresses in the page and names of files."""
    for what, keys in (
        ("sections", [section.key for section in page.sections]),
        ("panels", [panel.key for panel in page.panels]),
    ):
        if twice := sorted({key for key in keys if keys.count(key) > 1}):
            raise DesignError(f"two {what} of a report have the key '{twice[0]}'; give each its own")


@dataclass(frozen=True)
class _Form:
    """A panel as the template needs it."""

    switches: list[Switch]
    variants: list[tuple[str, str]]  # choices, contents
    charts: bool
    tables: bool
    rows: int  # of the first table


def _form(panel: Panel, kept: _Data) -> _Form:
    return _Form(
        switches=[switch for switch in _switches([panel]) if len(switch[1]) > 1 and switch[0] not in _OF_PAGE],
        variants=[(_choices(variant), _content(variant, kept)) for variant in panel.variants],
        charts=any(variant.figure is not None for variant in panel.variants),
        tables=any(variant.table is not None for variant in panel.variants),
        rows=next((len(variant.table.rows) for variant in panel.variants if variant.table is not None), 0),
    )


def _choices(variant: Variant) -> str:
    """What is chosen, in the words that a reader chooses by."""
    return json.dumps([(name, visible(value)) for name, value in variant.choices])


def _switches(panels: Iterable[Panel]) -> list[Switch]:
    values: dict[str, dict[str, None]] = {}
    for panel in panels:
        for variant in panel.variants:
            for name, value in variant.choices:
                values.setdefault(name, {})[visible(value)] = None
    return [(name, list(each)) for name, each in values.items()]


def _page_switches(page: Page) -> list[Switch]:
    """What is switched for the whole page, where there is a choice."""
    switches = dict(_switches(page.panels))
    known = list(verdicts.OTHER)  # other topics first
    switches["population"] = sorted(switches.get("population", []), key=known.index)
    return [(name, switches[name]) for name in _OF_PAGE if len(switches.get(name, ())) > 1]


def _content(variant: Variant, kept: _Data) -> str:
    figure, table = variant.figure, variant.table
    shown = figure if figure is not None else table
    said = NONE.said if shown is None else shown.nouns.said
    content: dict[str, object] = {
        "seen": visible(said(figure.title if figure is not None else table.title if table is not None else "")),
        "how": visible(said(" ".join(dict.fromkeys(filter(None, _how(variant)))))),
    }
    if figure is not None:
        content["alternative"] = visible(said(figure.alternative))
        content["chart"] = _chart(figure.to_dict(with_method=False), kept)
    if table is not None:
        content["table"] = table_data(table)
    return script_data(content)


def _how(variant: Variant) -> Iterator[str]:
    """What the marks and the columns are, and how they were computed, in sentences."""
    figure, table = variant.figure, variant.table
    yield from figure.sentences if figure is not None else ()
    yield from (*table.notes, table.legend_sentence) if table is not None else ()
    if figure is not None:
        yield figure.method
    if table is not None and variant.provenance is not None:
        omitted = () if figure is not None else ("missing",)  # a table says it by itself
        yield method_sentence(variant.provenance.without(*omitted))


class _Data:
    """The data of all charts, each kept once however many charts and layers show it."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}  # packed rows -> name
        self._of_charts: dict[str, str] = {}  # altair's name, which is made of the rows -> name
        self.systems: set[str] = set()

    def name(self, rows: Sequence[Mapping[str, Any]]) -> str:
        named = [(field.system, field.rank) for field in style.SYSTEM_FIELDS]
        names = {row[name] for row in rows for name, rank in named if rank in row and name in row}
        self.systems |= {plain_name(system) for system in names if system is not None}
        return self._names.setdefault(script_data(_packed(rows)), f"data-{len(self._names) + 1}")

    def of_chart(self, name: str, rows: Sequence[Mapping[str, Any]]) -> str:
        """The same of rows that a chart has under a name; charts of the same rows have them under the same."""
        if name not in self._of_charts:
            self._of_charts[name] = self.name(rows)
        return self._of_charts[name]

    def items(self) -> list[tuple[str, str]]:
        return [(name, _small(rows)) for rows, name in self._names.items()]


def _chart(spec: dict[str, Any], kept: _Data) -> dict[str, Any]:
    """The specification with the names of its data instead of the data."""
    named = {name: kept.of_chart(name, rows) for name, rows in spec.pop("datasets", {}).items()}
    used: dict[str, None] = {}
    bare = _without_data(spec, kept, named, used)
    return bare | {"usedData": list(used)}


def _without_data(node: Any, kept: _Data, named: Mapping[str, str], used: dict[str, None]) -> Any:  # noqa: ANN401  # JSON
    if isinstance(node, list):
        return [_without_data(child, kept, named, used) for child in node]
    if not isinstance(node, dict):
        return node
    bare = {}
    for key, value in node.items():
        if key == "data" and isinstance(value, dict) and (isinstance(value.get("values"), list) or "name" in value):
            name = kept.name(value["values"]) if "values" in value else named.get(value["name"], value["name"])
            used[name] = None
            bare[key] = {what: content for what, content in value.items() if what != "values"} | {"name": name}
        else:
            bare[key] = _without_data(value, kept, named, used)
    return bare


def _small(rows: str) -> str:
    """Data as they are; deflated if they are many."""
    return rows if len(rows) <= _MUCH else script_data({"deflated": deflated(rows.encode())})


def _packed(rows: Sequence[Mapping[str, Any]]) -> object:
    """Rows of data by column."""
    if len(rows) <= _FEW:
        return rows
    names = dict.fromkeys(name for row in rows for name in row)
    columns = [{"name": name} | column_data([row.get(name) for row in rows]) for name in names]
    return {"rows": len(rows), "columns": columns}


def _setting(value: object) -> str:
    if isinstance(value, Mapping):
        return "\n".join(f"{name}: {_setting(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_setting, value))
    return "–" if value is None else str(value)
