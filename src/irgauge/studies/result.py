"""Result: what every verb that answers gives. It holds numbers and names, and shows itself when it is asked to."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict, Unpack

from irgauge.choices import known, nearest
from irgauge.errors import DesignError
from irgauge.files.made import Made
from irgauge.nouns import Nouns, singular
from irgauge.provenance import Provenance
from irgauge.studies.navigation import Parts

if TYPE_CHECKING:
    import polars as pl

    from irgauge.show.figure import Figure
    from irgauge.show.finding import Findings
    from irgauge.show.table import Table
    from irgauge.studies.frames import Rows


_MADE, _CALL = "_made", "_call"  # the names of what is noted of a result
_OF_NAMES = ("system", "against", "topic", "baseline", "algorithm")  # columns whose cells are names


class ChartOptions(TypedDict, total=False):
    """What charts may be asked; each takes some of them."""

    measure: str | None  # one of those of the result; all, if not given
    population: str | None  # the one that it is of
    best: int | None  # so many systems only, the best
    system: str | None  # the one that is compared on topics
    highlight: str | None  # a line that stands out
    model: str | None  # the one whose intervals are shown
    pair: tuple[str, str] | None  # of algorithms


def _check_chart_options(chart: Callable[..., Figure], name: str, options: Mapping[str, Any]) -> None:
    """Refuse an option that a chart does not have, as Python refuses an argument."""
    _, *taken = inspect.signature(chart).parameters  # the result comes first
    for option in options:
        if option not in taken:
            meant = nearest(option, [*taken, "width", "height", "title"])
            raise TypeError(f"the chart {name} has no option '{option}'; did you mean {meant}?")


class Result(Parts):
    """The base of frozen results; a study's folder says how they are shown (see `Study`).

    What is of no single study, such as a report, says itself what its tables, charts and findings are.
    """

    study: ClassVar[str]  # the name of the study, and of its folder; or that of the verb

    @property
    def provenance(self) -> Provenance:
        """How the result came about."""
        raise NotImplementedError

    def provenance_for(self, population: str | None) -> Provenance:  # noqa: ARG002  # most have one for all
        """How what is said of a population came about."""
        return self.provenance

    @property
    def nouns(self) -> Nouns:
        """What people read for topics and shards; data for programs keep our words."""
        own, call = Nouns.of(self.provenance), vars(self).get(_CALL)
        return own if call is None else own.calling("topic", singular(call), call).keeping(self._names())

    def note_call(self, nouns: str) -> None:
        """Take note of what people are to read instead of topics: a plural, such as questions."""
        vars(self)[_CALL] = nouns

    def _names(self) -> Iterable[str]:
        """The names that its tables hold, of systems and of topics."""
        for table in self._shown("tables").tables(self):
            places = [i for i, column in enumerate(table.columns) if column.role or column.name in _OF_NAMES]
            yield from (str(cell) for i in places for cell in table.cells(i) if isinstance(cell, str))

    def how_made(self) -> Made:
        """When, by which command, of which files; no part of what results are compared by."""
        made: Made = vars(self).get(_MADE) or Made()
        return made

    def note_made(self, made: Made) -> None:
        """Take note of it."""
        vars(self)[_MADE] = made  # no field: the same data give the same result, whenever that is

    @property
    def read_from(self) -> tuple[str, ...]:
        """The paths of all files that were read for it."""
        return tuple(self.how_made().paths)

    def frame(self, name: str | None = None) -> pl.DataFrame:
        """The main rows in full precision, or those of that name: see `frames` and docs/frames.md."""
        frames = self.frames
        if name in self._declared("layouts"):
            return self.table(name).frame()
        if not frames:
            return self.table(name).frame()
        chosen = self.main_frame if name is None else known(name, tuple(frames), "frame")
        return frames[chosen].frame(self.frame_rows(chosen))

    def to_pandas(self, name: str | None = None) -> Any:  # noqa: ANN401  # pandas has no annotations
        """The same rows as a data frame of pandas, which must be installed."""
        import pandas as pd

        return pd.DataFrame(self.frame(name).to_dict(as_series=False))

    def to_arrow(self, name: str | None = None) -> Any:  # noqa: ANN401  # pyarrow has no annotations
        """The same rows as a table of Arrow, with the types of the contract; pyarrow must be installed."""
        return self.frame(name).to_arrow()

    @property
    def frames(self) -> Mapping[str, Rows]:
        """The frames that there are by their names, the main one first: what a row is of, and its columns."""
        from irgauge.studies.frames import FRAMES

        return FRAMES.get(self.study, {})

    @property
    def main_frame(self) -> str:
        """The name of what `frame()`, CSV and Parquet hold."""
        return next(iter(self.frames))

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """The rows of a frame; those of the table of that name, unless a study says otherwise."""
        return next((table.records() for table in self.tables() if table.name == name), ())

    def to_latex(
        self,
        name: str | None = None,
        *,
        caption: str | None = None,
        label: str | None = None,
        decimals: int | Mapping[str, int] | None = None,
        systems: Sequence[str] | Mapping[str, str] | None = None,
        columns: Sequence[str] | Mapping[str, str] | None = None,
    ) -> str:
        """The main table for a paper, or the one of that name, such as `paper`; see `Table.to_latex`."""
        table = self.table(name)
        return table.to_latex(caption=caption, label=label, decimals=decimals, systems=systems, columns=columns)

    def content(self) -> dict[str, Any]:
        """What JSON holds of the result besides findings and provenance: its fields, unless a study says otherwise."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # a dataclass

    @property
    def exit_code(self) -> int:
        """What a command that shows it ends with: 0, unless the answer is that something is wrong."""
        return 0

    def aside(self) -> str:
        """What a command tells besides where it prints the first finding alone: nothing, unless a study says so."""
        return ""

    def to_csv(self) -> str:
        """The main rows as CSV, in full precision; texts that spreadsheets would take as formulas are guarded.

        A cell is empty where there is no finite number. Made without polars, whose import takes longer than to score
        most collections.
        """
        from irgauge.show.table import Column, Table

        if not self.frames:
            return self.table().to_csv()
        cells = self.frames[self.main_frame].cells(self.frame_rows(self.main_frame))
        return Table.of_columns(self.main_frame, "", cells, [Column(name) for name in cells]).to_csv()

    def own_forms(self) -> Mapping[str, Callable[[Any], str | bytes]]:
        """What writes the forms that only this study has, by their names."""
        return self._shown("forms").FORMS if self._declared("forms") else {}

    def tables(self) -> tuple[Table, ...]:
        """All tables, in the order in which they are read."""
        from irgauge.show import gaps

        facts, tables = self.provenance, self._shown("tables").tables(self)
        noted = (gaps.note_sparse(gaps.note_missing(table, facts), facts) for table in tables)
        nouns = self.nouns
        return tuple(replace(table, nouns=nouns) for table in noted)

    def table(self, name: str | None = None) -> Table:
        """The table or the layout of that name, or the main table."""
        from irgauge.show import gaps

        layouts = self._declared("layouts")
        if name is not None and name in layouts:
            layout = gaps.note_sparse(self._shown("forms").LAYOUTS[name](self), self.provenance)
            return replace(layout, nouns=self.nouns)
        tables = {table.name: table for table in self.tables()}
        if name is not None:
            return tables[known(name, (*tables, *layouts), "table")]
        return next((table for table in tables.values() if table.is_main), next(iter(tables.values())))

    def findings(self) -> Findings:
        """What it says, the answer first; each finding is data, and prints as a sentence.

        Before the answer stands only that many of the scores it rests on are undefined.
        """
        from irgauge.show import gaps
        from irgauge.show.finding import Findings

        own, facts = tuple(self._shown("findings").findings(self)), self.provenance
        after = (*gaps.sparse_findings_beside(facts), *gaps.missing_findings(facts))
        findings = (*gaps.sparse_findings(facts), *own[:1], *after, *own[1:])
        nouns = self.nouns
        return Findings(replace(finding, nouns=nouns) for finding in findings)

    def charts(self) -> Mapping[str, Callable[..., Figure]]:
        """What draws its charts, by their names; nothing where there are none."""
        return {name: draw for name, draw in self._all_charts.items() if self.has_chart(name)}

    def has_chart(self, name: str) -> bool:  # noqa: ARG002  # of a study whose charts need more than a result
        """Whether there is something to draw in a chart of its study."""
        return True

    @property
    def _all_charts(self) -> Mapping[str, Callable[..., Figure]]:
        return self._shown("charts").CHARTS if self._declared("charts") else {}

    def chart(
        self,
        of: str | None = None,
        *,
        width: int | None = None,
        height: int | None = None,
        title: bool = True,
        **options: Unpack[ChartOptions],
    ) -> Figure:
        """The chart of that name, or the first; its plot so many pixels wide and high.

        `title=False` leaves out the title and all lines under it, for a paper that sets its own caption.
        It saves itself, and can be used as a chart of altair: `.properties`, `|`, `&`, `+`, `.configure_axis`, ...
        Functions of altair, such as `alt.hconcat`, take `result.chart().altair()`.
        """
        drawable = self.charts()
        charts = {**self._all_charts, **drawable}  # one that cannot be drawn says why
        if not drawable:
            raise DesignError(f"there are no charts of {self.study}; tables() gives its tables")
        name = next(iter(drawable)) if of is None else known(of, tuple(charts), "chart")
        _check_chart_options(charts[name], name, options)
        drawn, nouns = charts[name](self, **options).sized(width, height), self.nouns
        figure = replace(drawn, nouns=nouns) if nouns.words else drawn
        return figure if title else figure.untitled()

    def to_dict(self) -> dict[str, Any]:
        """The whole result as an object: provenance, findings, then all numbers in full precision."""
        from irgauge.show.saving import plain

        findings = [finding.to_dict() for finding in self.findings()]
        head = {"study": self.study, "provenance": dict(self.provenance), "findings": findings}
        return plain(head | self.content())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file; its extension chooses how.

        .json holds everything, .csv and .parquet the main table, .md, .tex and .txt findings and tables, .html, .svg,
        .png and .pdf the first chart.
        """
        from irgauge.show.saving import save

        save(self, path)

    def to_text(self, form: str = "text", *, width: int = 100) -> str:
        """Findings, tables, and how they were found; `form` is text, markdown or latex."""
        from irgauge.show.document import render

        return render(self.findings(), self.tables(), self.provenance, form, width=width, nouns=self.nouns)

    def __repr__(self) -> str:
        from irgauge.show.document import summary

        return summary(type(self).__name__, self.findings(), self.nouns.said(self.provenance.text))

    def _repr_html_(self) -> str:
        from irgauge.show.document import notebook

        chart = self.chart() if self.charts() else None
        return notebook(self.findings(), chart, self.table(), self.nouns.said(self.provenance.text))

    def _declared(self, what: str) -> Mapping[str, str]:
        """The forms, layouts or charts that the study declares; nothing where the result is of none."""
        from irgauge.studies.registry import studies

        return getattr(studies()[self.study], what) if self.study in studies() else {}

    def _shown(self, part: str) -> Any:  # noqa: ANN401  # a module of the study's folder
        from irgauge.studies.registry import studies

        return studies()[self.study].part(part)
