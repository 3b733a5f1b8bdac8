"""Charts of topics: difficulty against separation, and every score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.many_topics import spaced_note
from irgauge.show.style import Row, data, layered, tips
from irgauge.show.words import counted
from irgauge.studies.topics.heat_map import MOST_SEPARATING, scores, spaced_topics
from irgauge.studies.topics.study import Topics

_WIDTH, _HEIGHT = 560, 340
_COLOURS = (style.ACCENT, style.PALE, "#0072b2")  # of a discrimination of -1, 0 and 1


def difficulty(result: Topics) -> Figure:
    """A point a topic: the mean over systems, their standard deviation, and the correlation with other topics."""
    rows = list(_rows(spaced_topics(result)))
    tip = tips(
        "topic:N",
        "mean:Q",
        "sd:Q",
        "discrimination:Q",
        "best:N",
        "best_score:Q",
        *(["relevant:Q"] if result.topics[0].relevant is not None else []),
        mean="mean over systems",
        sd="standard deviation",
        best="best system",
        best_score="its score",
        relevant="relevant documents",
    )
    base = alt.Chart(data(rows)).encode(
        x=alt.X("mean:Q", title=f"mean {result.measure} over systems (harder on the left)"),
        y=alt.Y("sd:Q", title="standard deviation over systems"),
    )
    points = base.mark_point(filled=True, size=70, stroke=style.INK, strokeWidth=0.5, opacity=1)
    names = base.mark_text(align="left", dx=6, dy=-5, fontSize=10, color=style.INK).encode(text=alt.Text("named:N"))
    return Figure(
        layered(points.encode(fill=_fill(), tooltip=tip), names).properties(width=_WIDTH, height=_HEIGHT),
        f"{counted(len(result.topics), 'topic')} by difficulty and separation in {result.measure}",
        (
            "A point is a topic. Its colour is its discrimination: the correlation, over systems, of its scores with "
            "the means of the other topics; below 0 it orders systems against them.",
            *spaced_note(len(result.topics)),
        ),
        width=_WIDTH + 160,
        provenance=result.provenance,
        alternative="Topics as points: the mean over systems against their standard deviation.",
    )


def _fill() -> alt.Fill:
    scale = alt.Scale(domain=[-1, 0, 1], range=list(_COLOURS))
    return alt.Fill("discrimination:Q", scale=scale, legend=alt.Legend(title="discrimination"))


def _rows(result: Topics) -> Iterator[Row]:
    named = _ends(result)
    for one in result.topics:
        sd = 0.0 if one.sd is None else one.sd
        yield asdict(one) | {"sd": sd, "named": one.topic if one.topic in named else ""}


def _ends(result: Topics) -> set[str]:
    """The topics that stand out: the hardest, the easiest, and those that separate most."""
    by_sd = sorted(result.topics, key=lambda one: -(one.sd or 0.0))
    return {one.topic for one in (*result.topics[:1], *result.topics[-1:], *by_sd[:MOST_SEPARATING])}


CHARTS: Mapping[str, Callable[..., Figure]] = {"difficulty": difficulty, "scores": scores}
