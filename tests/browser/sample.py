"""A small report made by hand, with what a page must cope with."""

from __future__ import annotations

import math

import altair as alt

from irgauge.present.page import Finding, Page, Panel, Section, Variant
from irgauge.present.style import Row, data, finished
from irgauge.present.tables import Table

EVIL = "</script><b>|&_"  # a system's name that would end a script, a cell or a command
SYSTEMS = ("s10", "s9", EVIL, "s1")
LONG = 250  # rows of a table that is not shown at once


def bars(measure: str, factor: float, width: int) -> alt.Chart:
    kinds = ("other", "other", "top", "top")
    rows: list[Row] = [
        {"name": name, "mean": factor * i, "kind": kind}
        for i, (name, kind) in enumerate(zip(SYSTEMS, kinds, strict=True), 1)
    ]
    marks = alt.Chart(data(rows)).mark_bar(color="#222222").properties(width=width, height=200)
    return marks.encode(x="name:N", y=alt.Y("mean:Q", title=measure), color="kind:N", tooltip=["name:N", "mean:Q"])


def chart(measure: str, factor: float) -> alt.Chart:
    return finished(bars(measure, factor, 900), f"Bars of {measure}", ["Drawn by hand."], width=900)


def side_by_side() -> alt.HConcatChart:
    both = alt.hconcat(bars("AP", 0.1, 400), bars("AP", 0.2, 400))
    return finished(both, "Two charts", ["Side by side.", "Charts of bars, drawn by hand."], width=800)


def table(measure: str, factor: float) -> Table:
    """Ties between decimals, a tiny number, undefined and mixed cells, and groups."""
    means = (factor, 0.03125 * factor, math.nan, 1e-7)
    extra: tuple[str | int | float | None, ...] = (1, "two", 0.5, None)
    rows = tuple(zip(SYSTEMS, means, (3, 1, 2, 4), extra, ("a", "a", "b", "b"), strict=True))
    return Table(
        f"Systems in {measure}", ("system", "mean", "rank", "extra", "group"), rows, "Means ± 5 %.", group_by=4
    )


def long_table() -> Table:
    rows = tuple((f"t{i}", math.sin(i), "a topic whose text is so long that it takes some width") for i in range(LONG))
    return Table("Topics", ("topic", "score", ""), rows, "Charts of bars, drawn by hand. All topics.", decimals=3)


def page() -> Page:
    values = {("AP", "topics"): 1.0, ("AP", "documents"): 3.0, ("P@5", "topics"): 5.0}  # one combination is missing
    choices = {key: (("measure", key[0]), ("population", key[1])) for key in values}
    charts = tuple(Variant(choices[key], chart=chart(" ".join(key), value)) for key, value in values.items())
    tables = tuple(Variant(choices[key], table=table(" ".join(key), value)) for key, value in values.items())
    both = Variant((), chart=side_by_side(), table=long_table())
    return Page(
        title="A report & more",
        subtitle=f"Systems: {', '.join(SYSTEMS)}",
        findings=(
            Finding("s1 is the best.", "topics", "by hand", "systems"),
            Finding("No link.", "both", "none", "gone"),
        ),
        warnings=("Few topics.",),
        sections=(
            Section(
                "systems",
                "Which systems differ?",
                ("None do.",),
                (
                    Panel("bars", "Bars", "As high as their means.", "Four bars that rise.", charts),
                    Panel("numbers", "Numbers", "As printed.", "", tables),
                ),
            ),
            Section("topics", "Which topics?", (), (Panel("wide", "Wide", "Both.", "Two charts of bars.", (both,)),)),
            Section("shards", "Shards?", (), (), reason="There is one shard only."),
        ),
        methods=(("Scores", "By hand.\n\nTwice."),),
        references=("A paper. https://doi.org/10.1145/1",),
        settings={"seed": 1, "versions": {"irgauge": "0.1"}, "runs": [f"run{i}" for i in range(99)], "size": None},
    )
