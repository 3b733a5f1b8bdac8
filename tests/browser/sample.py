"""A small report made by hand, with what a page must cope with."""

from __future__ import annotations

import math

import altair as alt

from irgauge.inference.facts import method
from irgauge.provenance import Provenance
from irgauge.replicates.facts import seed
from irgauge.show.figure import Figure
from irgauge.show.finding import remarks, sentence
from irgauge.show.page import Card, Claim, Front, Page, Panel, Section, Variant
from irgauge.show.style import Row, data
from irgauge.show.table import Column, Record, Table

EVIL = "</script><b>|&_"  # a system's name that would end a script, a cell or a command
SYSTEMS = ("s10", "s9", EVIL, "s1")
LONG = 250  # rows of a table that is not shown at once
BY_HAND = Provenance.of(method("by hand"), seed(3))


@sentence("best")
def best(*, system: str) -> str:
    return f"{system} is the best."


@sentence("unlinked")
def unlinked() -> str:
    return "No link."


def bars(measure: str, factor: float, width: int) -> alt.Chart:
    kinds = ("other", "other", "top", "top")
    rows: list[Row] = [
        {"name": name, "mean": factor * i, "kind": kind}
        for i, (name, kind) in enumerate(zip(SYSTEMS, kinds, strict=True), 1)
    ]
    marks = alt.Chart(data(rows)).mark_bar(color="#222222").properties(width=width, height=200)
    return marks.encode(x="name:N", y=alt.Y("mean:Q", title=measure), color="kind:N", tooltip=["name:N", "mean:Q"])


def figure(measure: str, factor: float) -> Figure:
    return Figure(
        bars(measure, factor, 900),
        f"Bars of {measure}",
        ("Drawn by hand.",),
        width=900,
        provenance=BY_HAND,
        alternative="Four bars that rise.",
    )


def side_by_side() -> Figure:
    both = alt.hconcat(bars("AP", 0.1, 400), bars("AP", 0.2, 400))
    caption = ("Side by side.", "Charts of bars, drawn by hand.")
    return Figure(both, "Two charts", caption, width=800, alternative="Two charts of bars.")


def table(measure: str, factor: float) -> Table:
    """Ties between decimals, a tiny number, undefined and mixed cells, and groups."""
    means = (factor, 0.03125 * factor, math.nan, 1e-7)
    extra: tuple[str | int | float | None, ...] = (1, "two", 0.5, None)
    rows = zip(SYSTEMS, means, (3, 1, 2, 4), extra, ("a", "a", "b", "b"), strict=True)
    names = ("system", "mean", "rank", "extra", "group")
    records: list[Record] = [dict(zip(names, row, strict=True)) for row in rows]
    columns = [Column("system", role="system"), Column("mean", explained="± 5 %"), *map(Column, names[2:])]
    return Table.of("systems", f"Systems in {measure}", records, columns, group_by="group")


def long_table() -> Table:
    """Counts, a p that is 0, counts among decimals, and a text on two lines."""
    told = "a topic whose text is so long that it takes some width"
    records: list[Record] = [
        {
            "topic": f"t{i}",
            "score": math.sin(i),
            "told": told if i != 7 else f"{told}\nand two lines",
            "count": 10**i if i < 9 else i,
            "p": i % 2 / 4,
            "mixed": i / 2 if i % 2 else i,
        }
        for i in range(LONG)
    ]
    columns: list[Column | str] = ["topic", "score", "told", "count", Column("p", below=1e-300), "mixed"]
    notes = ("Charts of bars, drawn by hand.", "All topics.")
    return Table.of("topics", "Topics", records, columns, notes, decimals=3)


def page() -> Page:
    values = {("AP", "topics"): 1.0, ("AP", "documents"): 3.0, ("P@5", "topics"): 5.0}  # one combination is missing
    choices = {key: (("measure", key[0]), ("population", key[1])) for key in values}
    charts = tuple(Variant(choices[key], figure(" ".join(key), value)) for key, value in values.items())
    tables = tuple(
        Variant(choices[key], table=table(" ".join(key), value), provenance=BY_HAND) for key, value in values.items()
    )
    both = Variant((), side_by_side(), long_table())
    return Page(
        title="A report & more",
        subtitle=f"Systems: {', '.join(SYSTEMS)}",
        front=Front(
            (best(system="s1").about(population="topics", measure="AP"), best(system="s9").about(measure="P@5")),
            Panel("answer", "The answer", "As high as their means.", charts),
            (
                Card("4", "systems", "for other topics", "systems", "AP", "topics"),
                Card("5", "systems", "for other documents", "systems", "AP", "documents"),
                Card("1", "warning", "", "warnings"),
            ),
        ),
        claims=(
            Claim(best(system="s1").about(population="topics"), BY_HAND, "systems"),
            Claim(unlinked(), Provenance.of(method("none")), "gone"),
        ),
        warnings=("Few topics.",),
        sections=(
            Section(
                "systems",
                "Which systems differ?",
                (
                    best(system="s1").about(population="topics", measure="AP"),
                    best(system="s9").about(measure="P@5"),
                    *remarks(["None do."]),
                ),
                (
                    Panel("bars", "Bars", "As high as their means.", charts),
                    Panel("numbers", "Numbers", "As printed.", tables),
                ),
            ),
            Section("topics", "Which topics?", (), (Panel("wide", "Wide", "Both.", (both,)),)),
            Section("shards", "Shards?", (), (), reason="There is one shard only."),
        ),
        methods=(("Scores", "By hand.\n\nTwice."),),
        references=("A paper. https://doi.org/10.1145/1",),
        settings={"seed": 1, "versions": {"irgauge": "0.1"}, "runs": [f"run{i}" for i in range(99)], "size": None},
    )
