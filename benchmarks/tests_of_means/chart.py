"""The chart of the page: how often equal systems are called different, by topics; lines are ours, points theirs."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import vl_convert

from benchmarks.tests_of_means import ROOT
from benchmarks.tests_of_means.decisions import TESTS
from benchmarks.tests_of_means.published import ALPHA, PUBLISHED
from benchmarks.tests_of_means.scores import MEASURES
from benchmarks.tests_of_means.table import SAME_MARGIN, Row

NAME = "tests-of-means.svg"
_COLOURS = ("#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#009e73", "#cc79a7")  # of Okabe and Ito
_TOPICS = alt.X("topics:O", title="topics", axis=alt.Axis(labelAngle=0))
_RATE = alt.Y("rate:Q", title="equal systems called different, %", scale=alt.Scale(domain=[0, 13]))
_TEST = alt.Color("test:N", title="test", sort=list(TESTS), scale=alt.Scale(domain=list(TESTS), range=list(_COLOURS)))


def write(rows: Sequence[Row]) -> None:
    """Draw it beside the page."""
    (ROOT / "docs" / NAME).write_text(vl_convert.vegalite_to_svg(drawn(rows).to_json()) + "\n")


def drawn(rows: Sequence[Row]) -> alt.HConcatChart:
    """A panel a measure."""
    title = alt.Title("Type I errors at α = 0.05", subtitle="Lines: this study. Points: Urbano, Lima and Hanjalic.")
    return alt.hconcat(*(_panel(rows, measure) for measure in MEASURES), title=title, background="white")


def _panel(rows: Sequence[Row], measure: str) -> alt.LayerChart | alt.FacetChart:
    theirs = [
        {"topics": topics, "test": test, "rate": rate}
        for (of, topics, test), rate in PUBLISHED[SAME_MARGIN].items()
        if of == measure
    ]
    ours = [
        {"topics": row.topics, "test": test, "rate": round(100 * row.share(test), 2)}
        for row in rows
        if (row.what, row.alpha, row.measure) == (SAME_MARGIN, ALPHA, measure)
        for test in TESTS
    ]
    line = alt.Chart(alt.Data(values=ours)).mark_line(strokeWidth=2, aria=False).encode(_TOPICS, _RATE, _TEST)
    point = alt.Chart(alt.Data(values=theirs)).mark_point(size=45, aria=False).encode(_TOPICS, _RATE, _TEST)
    nominal = alt.Chart().mark_rule(strokeDash=[4, 3], color="#666").encode(y=alt.datum(100 * ALPHA))
    return alt.layer(nominal, line, point, title=measure, width=150, height=230)
