"""The part of a report that says which topics are hard, and which separate systems; its charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import altair as alt

from irgauge.show import style
from irgauge.show.abridged import spaced, spaced_note
from irgauge.show.figure import Figure
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.style import Row, data, layered, level_axis, tips
from irgauge.show.words import best_note, counted
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown
from irgauge.studies.topics.findings import ends_table, findings
from irgauge.studies.topics.study import Topics, topics

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
    side = "left" if result.topics[0].mean <= result.topics[-1].mean else "right"
    base = alt.Chart(data(rows)).encode(
        x=alt.X("mean:Q", title=f"mean {result.measure} over systems (harder on the {side})"),
        y=alt.Y("sd:Q", title="standard deviation over systems"),
    )
    points = base.mark_point(filled=True, size=70, stroke=style.INK, strokeWidth=0.5, opacity=1)
    names = base.mark_text(align="left", dx=6, dy=-5, color=style.INK).encode(text=alt.Text("named:N"))
    return Figure(
        layered(points.encode(fill=_fill(), tooltip=tip), names).properties(width=_WIDTH, height=_HEIGHT),
        _difficulty_title(result),
        (
            "A point is a topic. Its colour is its discrimination: the correlation, over systems, of its scores with "
            "the means of the other topics; below 0 it orders systems against them.",
            *spaced_note(len(result.topics)),
        ),
        width=_WIDTH + 160,
        provenance=result.provenance,
        alternative="Topics as points: the mean over systems against their standard deviation.",
    )


def _difficulty_title(result: Topics) -> str:
    """The hardest topic, and the one that separates systems most."""
    topics = counted(len(result.topics), "topic")
    widest = max(result.topics, key=lambda topic: topic.sd or 0.0)
    separates = f"; {widest.topic} separates systems most" if widest.sd else ""
    return f"{result.topics[0].topic} is the hardest of {topics} in {result.measure}{separates}"


def _fill() -> alt.Fill:
    scale = alt.Scale(domain=[-1, 0, 1], range=list(_COLOURS))
    return alt.Fill("discrimination:Q", scale=scale, legend=alt.Legend(title="discrimination"))


def _rows(result: Topics) -> Iterator[Row]:
    named = _ends(result)
    for topic in result.topics:
        sd = 0.0 if topic.sd is None else topic.sd
        yield vars(topic) | {"sd": sd, "named": topic.topic if topic.topic in named else ""}


def _ends(result: Topics) -> set[str]:
    """The topics that stand out: the hardest, the easiest, and those that separate most."""
    by_sd = sorted(result.topics, key=lambda topic: -(topic.sd or 0.0))
    return {topic.topic for topic in (*result.topics[:1], *result.topics[-1:], *by_sd[:MOST_SEPARATING])}


MOST_SEPARATING = 4  # topics that a chart names
ORDERS = ("by difficulty", "by separation", "by name")
MOST_CELLS = 60_000  # of more, only the best systems are shown
_CELL, _MOST_SIDE = 17, 1020  # pixels: 60 names below it, each on its own
_HEAT_COLOURS = ("#f4f6f8", "#a9cee9", "#3f86bd", "#08416f", "#021a30")  # from the lowest score to the highest
_SAID = ("hardest first", "most separating first", "by name")


def scores(result: Topics) -> Figure:
    """The score of every system on every topic, the hardest topic first."""
    return next(heat_maps(result))


def heat_maps(result: Topics) -> Iterator[Figure]:
    """One chart for each order of topics, all of the same rows, which a page keeps once."""
    shown = spaced_topics(result)
    cells = _cells(shown, result.systems[: _shown(shown)])
    for names, order in zip(_orders(shown), _SAID, strict=True):
        yield _figure(shown, cells, names, order).noting(*spaced_note(len(result.topics)))


def spaced_topics(result: Topics) -> Topics:
    """The same with the topics that a chart can show: of very many, some by difficulty, and the most separating."""
    places = range(len(result.topics))
    separating = sorted(places, key=lambda t: -(result.topics[t].sd or 0.0))[:MOST_SEPARATING]
    kept = sorted({*spaced(places), *separating})
    return replace(result, topics=tuple(result.topics[t] for t in kept), scores=result.scores[kept])


def _shown(result: Topics) -> int:
    """How many systems are shown."""
    return min(len(result.systems), max(1, MOST_CELLS // len(result.topics)))


def _cells(result: Topics, systems: Sequence[str]) -> alt.Chart:
    """The cells of some systems, without the axis of topics."""
    by = "" if len(systems) <= style.NAMED else " by rank"
    title = f"{counted(len(systems), 'system')}{by}, best first"
    cells = alt.Chart(data(_heat_rows(result, len(systems)))).mark_rect().properties(height=_side(len(systems), _CELL))
    return cells.encode(
        y=alt.Y(**level_axis(systems, title, fields=style.SYSTEM, angle=0)),
        color=alt.Color("score:Q", title=result.measure, scale=alt.Scale(range=list(_HEAT_COLOURS))),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "rank:O", "topic:N", "score:Q", score=result.measure),
    )


def _orders(result: Topics) -> Iterator[list[str]]:
    """Topics as in ORDERS; numbers by their value."""
    hardest = [topic.topic for topic in result.topics]
    yield hardest
    yield [topic.topic for topic in sorted(result.topics, key=lambda topic: -(topic.sd or 0.0))]
    yield sorted(hardest, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name))


def _figure(result: Topics, cells: alt.Chart, names: list[str], order: str) -> Figure:
    width = _side(len(names), _CELL)
    shown = _shown(result)
    x = _topic_axis(names, f"{counted(len(names), 'topic')}, {order}")
    return Figure(
        cells.encode(x=x).properties(width=width),
        _scores_title(result),
        ("A cell is the score of a system on a topic.", *best_note(shown, len(result.systems))),
        width=max(width, 340) + 160,
        provenance=result.provenance,
        alternative="Cells of systems, best first, by topics; the colour is the score.",
    )


def _scores_title(result: Topics) -> str:
    """On how many topics the best system has the best score."""
    best, of = result.systems[0], f"{counted(len(result.topics), 'topic')}"
    if len(result.systems) == 1:
        return f"{result.measure} of {best} on {of}, from {result.topics[0].topic} to {result.topics[-1].topic}"
    ahead = sum(score == topic.best_score for score, topic in zip(result.scores[:, 0], result.topics, strict=True))
    return f"{best}, the best of {len(result.systems)} systems, has the best {result.measure} on {ahead} of {of}"


def _side(levels: int, step: int) -> int:
    """Whole pixels for a level, so that no seams show."""
    return levels * max(1, min(step, _MOST_SIDE // levels))


def _topic_axis(names: list[str], title: str) -> alt.X:
    """By names in every order, so that the rows need no place of their own in it; of many topics, without labels."""
    axis = alt.Axis(
        title=title, labels=len(names) <= style.NAMED, ticks=False, labelAngle=-90, labelLimit=style.LONGEST
    )
    return alt.X("topic:O", scale=alt.Scale(domain=names), axis=axis)


def _heat_rows(result: Topics, systems: int) -> Iterator[style.Row]:
    for topic, scores in zip(result.topics, result.scores[:, :systems].tolist(), strict=True):
        for rank, score in enumerate(scores, 1):
            yield {"topic": topic.topic, "system": result.systems[rank - 1], "rank": rank, "score": score}


CHARTS: Mapping[str, Callable[..., Figure]] = {"difficulty": difficulty, "scores": scores}


def run(reporting: Reporting) -> Ran:
    """The topics by each measure."""
    return reporting.each_measure(
        lambda measure: topics(reporting.data, measure, workers=reporting.workers), "difficulty of topics"
    )


def shown(ran: Ran, _: Reporting) -> Shown:
    """Sentences, the topics as points, a table of them, and the score of every system on every topic."""
    return (finding for result in ran.results for finding in findings(result)), _panels(ran.results)


def _panels(results: Sequence[Topics]) -> Iterator[Panel]:
    yield from panel(
        "topic-difficulty",
        "Topics by difficulty and separation",
        "Hard topics stand on the left; topics that separate systems stand high.",
        (Variant(of_measure(result.measure), difficulty(result)) for result in results),
    )
    yield from panel(
        "topic-scores",
        "Every system on every topic",
        "A row is a system, a column a topic.",
        (
            Variant((*of_measure(result.measure), ("topics", order)), figure)
            for result in results
            for order, figure in zip(ORDERS, heat_maps(result), strict=True)
        ),
    )
    yield from panel(
        "topic-numbers",
        "All topics",
        "The hardest first.",
        (
            Variant(of_measure(result.measure), table=ends_table(result), provenance=result.provenance)
            for result in results
        ),
    )


def methods(ran: Ran, _: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield (
            "Topics",
            "The difficulty of a topic is the mean of its scores over systems, its separation their standard deviation "
            "(n − 1). Its discrimination is Pearson's correlation, over systems, of the scores on the topic with the "
            "means over all other topics: near 1 the topic orders systems as the others do, below 0 against them. "
            "These describe the systems at hand, and claim nothing of others.",
        )


PART = ReportPart(  # without a headline, as the top of the page is about systems
    with_sampling="alike",
    key="topics",
    title="Which topics are hard, and which separate systems?",
    run=run,
    shown=shown,
    methods=methods,
)
