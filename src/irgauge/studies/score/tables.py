"""Tables of scores: the means of systems, or the score of every topic."""

from __future__ import annotations

from dataclasses import asdict

from irgauge.show.table import Column, Record, Table
from irgauge.show.words import counted, percent
from irgauge.studies.score.study import Scored


def tables(result: Scored) -> list[Table]:
    """The means, or, where every topic was asked for, its scores."""
    return [topic_table(result) if result.per_topic else mean_table(result)]


def mean_table(result: Scored, measure: str | None = None) -> Table:
    """Mean, standard error and interval of every system, by all measures or by one."""
    means = result.means if measure is None else result.of(measure)
    bounds = f"the {percent(1 - result.alpha)} interval of the mean over other topics"
    return Table.of(
        "means",
        _title(result),
        map(asdict, means),
        [
            Column("measure"),
            Column("system", role="system"),
            Column("mean"),
            Column("se", explained="standard error of the mean"),
            Column("low", explained=bounds, explained_as="low, high"),
            Column("high"),
            Column("topics", is_minor=True),
        ],
        group_by="measure",
        is_long=True,
        is_main=True,
    )


def topic_table(result: Scored) -> Table:
    """The score of every system on every topic; by replicate, where a table of scores has several."""
    scores = result.filled_scores
    replicates = [] if len(scores.replicates) == 1 else [Column("replicate")]
    return Table.of(
        "topics",
        _title(result),
        _records(result),
        [Column("measure"), Column("topic"), Column("system", role="system"), *replicates, Column("score")],
        is_long=True,
        is_main=True,
    )


def _records(result: Scored) -> list[Record]:
    scores = result.filled_scores
    return [
        {"measure": str(measure), "topic": topic, "system": system, "replicate": replicate, "score": value}
        for measure, of_measure in zip(scores.measures, scores.values.tolist(), strict=True)
        for topic, of_topic in zip(scores.topics, of_measure, strict=True)
        for system, of_system in zip(scores.systems, of_topic, strict=True)
        for replicate, value in zip(scores.replicates, of_system, strict=True)
    ]


def _title(result: Scored) -> str:
    return f"{counted(len(result.scores.systems), 'system')} on {counted(len(result.scores.topics), 'topic')}"
