"""What scores say: sentences that can be quoted, tables, and forms of their own, such as trec_eval's lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from irgauge.scoring.direction import HIGHER, Direction
from irgauge.scoring.measures import Measure
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Record, Table
from irgauge.show.verdicts import FOR, OTHER, holders
from irgauge.show.words import counted, percent
from irgauge.studies.cautions import ENOUGH, direction_guessed
from irgauge.studies.means import SystemMean
from irgauge.studies.sampling_findings import sampling_told
from irgauge.studies.score.study import Scored

_MOST: Mapping[Direction, str] = {"higher": "highest", "lower": "lowest"}


def findings(result: Scored) -> Iterator[Finding]:
    """The highest mean by each measure; then what to know of few topics and of undefined scores."""
    yield from best_means(result)
    yield from few_topics(result)
    yield from sampling_told(result.sampling)
    if result.slices:
        from irgauge.studies.slices_told import no_kind_told  # beside tests of pairs, which means do without

        yield from no_kind_told(result.scores.about, (own.column for own in result.slices), result.scores.topics)
    for name in [str(measure) for measure in result.measures if measure.needs_direction]:
        yield direction_guessed(measure=name).about(measure=name)
    for measure, count in result.undefined.items():
        finding = undefined(measure=measure, count=count, topics=len(result.scores.topics), fill=str(result.fill))
        yield finding.about(measure=measure)


def best_means(result: Scored) -> Iterator[Finding]:
    """The system with the highest mean, by each measure."""
    for measure in map(str, result.measures):
        leaders = result.leaders(measure)
        finding = highest(
            measure=measure,
            system=leaders.best[0],
            tied=leaders.tied,
            mean=leaders.mean,
            systems=leaders.systems,
            direction=result.directions[measure] or HIGHER,
        )
        yield finding.about(measure=measure)


def few_topics(result: Scored) -> Iterator[Finding]:
    """That intervals rest on few topics, where they are shown."""
    topics = len(result.scores.topics)
    if topics < ENOUGH and not result.per_topic:
        yield few(topics=topics)


@sentence("highest-mean", claims=())
def highest(
    *, measure: str, system: str, tied: Sequence[str], mean: float, systems: int, direction: Direction = HIGHER
) -> str:
    """The system with the best mean, or those that share it."""
    shown = f"{mean:.4f}".replace("-", "−")
    if systems == 1:
        return f"{system} has a mean {measure} of {shown}."
    return f"{_have((system, *tied))} the {_MOST[direction]} mean {measure} of {counted(systems, 'system')}, {shown}."


def _have(best: Sequence[str]) -> str:
    return f"{holders(best)} {'has' if len(best) == 1 else 'share'}"


# the answer by one measure, where no comparison gives one


def answers(result: Scored, measure: str) -> Iterator[Finding]:
    """Of one system its mean; of several that could not be compared, the highest."""
    first, *others = result.of(measure)
    if not others and first.topics > 1:
        finding = one_system(measure=measure, mean=first, confidence=1 - result.alpha, drawn=result.drawn)
        yield finding.about(population="topics", measure=measure)
        return
    leaders = result.leaders(measure)
    finding = uncompared(
        measure=measure,
        best=leaders.best,
        mean=leaders.mean,
        systems=leaders.systems,
        topics=first.topics,
        direction=result.directions[measure] or HIGHER,
    )
    yield finding.about(measure=measure)


@sentence("answer-mean", claims=("interval",))
def one_system(*, measure: str, mean: SystemMean, confidence: float, drawn: str = "topics") -> str:
    """The mean of the only system with its interval."""
    ends = f"{percent(confidence)} interval {mean.low:.2f} to {mean.high:.2f} {FOR[drawn]}"
    return f"{mean.system} has a mean {measure} of {mean.mean:.3f} ({ends})."


@sentence("answer-highest", claims=())
def uncompared(
    *, measure: str, best: Sequence[str], mean: float, systems: int, topics: int, direction: Direction = HIGHER
) -> str:
    """The best mean, where nothing was compared."""
    on = "the only topic" if topics == 1 else counted(topics, "topic")
    rest = "one topic says nothing of other topics" if topics == 1 else "the systems could not be compared"
    if systems == 1:
        return f"{best[0]} has {measure} {mean:.3f} on {on}; {rest}."
    return (
        f"{_have(best)} the {_MOST[direction]} {measure} of {counted(systems, 'system')} on {on} ({mean:.3f}); {rest}."
    )


@sentence("few-topics", "note")
def few(*, topics: int) -> str:
    """That intervals rest on few topics."""
    if topics == 1:
        return "One topic gives no interval of a mean."
    return (
        f"Intervals of means from fewer than {ENOUGH} topics, {topics} here, are rough: a topic unlike these can move "
        "them far."
    )


@sentence("undefined", "note")
def undefined(*, measure: str, count: int, topics: int, fill: str) -> str:
    """Topics on which a measure has no score."""
    verb = "has" if count == 1 else "have"
    none = "no document that it takes as relevant"
    return f"{measure}: {count} of {counted(topics, 'topic')} {verb} {none}; their scores are filled with {fill}."


def tables(result: Scored) -> list[Table]:
    """The means, or, where every topic was asked for, its scores."""
    return [topic_table(result) if result.per_topic else mean_table(result), *slice_table(result)]


def mean_table(result: Scored, measure: str | None = None) -> Table:
    """Mean, standard error and interval of every system, by all measures or by one."""
    means = result.means if measure is None else result.of(measure)
    bounds = f"the {percent(1 - result.alpha)} interval of the mean over {OTHER[result.drawn]}"
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


def slice_table(result: Scored, measure: str | None = None) -> list[Table]:
    """The means on each kind of topics, by all measures or by one; nothing where none was asked for."""
    records = [
        asdict(mean) | {"column": own.column, "slice": own.value}
        for own in result.slices
        for mean in own.means
        if measure in (None, mean.measure)
    ]
    bounds = f"the {percent(1 - result.alpha)} interval of the mean over other such topics, each by itself"
    columns = [
        Column("measure"),
        Column("column"),
        Column("slice"),
        Column("topics"),
        Column("system", role="system"),
        Column("mean"),
        Column("se", explained="standard error of the mean"),
        Column("low", explained=bounds, explained_as="low, high"),
        Column("high"),
    ]
    return [Table.of("slices", "Kinds of topics", records, columns, is_long=True)] if records else []


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


_ONLY_OF_ALL = "NumQ"  # of which trec_eval prints nothing for single topics


def trec_lines(result: Scored) -> str:
    """The lines of `trec_eval -q -c`: the topics that a run answers in byte order, then `all` topics.

    Where there are several runs a line with the name of each comes before its scores.
    """
    lines: list[str] = []
    several = len(result.scores.systems) > 1
    names = _trec_names(result.measures)
    means = {(mean.system, mean.measure): mean for mean in result.means}
    for s, system in enumerate(result.scores.systems):
        lines += [f"{'runid':<22}\tall\t{system}"] if several else []
        lines += _of_topics(result, s, names)
        lines += [
            _line(measure, name, "all", _over_all(measure, means[system, str(measure)]))
            for measure, name in names.items()
        ]
    return "\n".join(lines) + "\n"


def _trec_names(measures: Sequence[Measure]) -> dict[Measure, str]:
    """Measure -> its name for trec_eval, which has one lowest relevant grade for all measures (-l)."""
    levels = {measure.values.get("rel") for measure in measures if not measure.is_opaque} - {None}
    return {measure: measure.trec_name_at_level if len(levels) == 1 else measure.trec_name for measure in measures}


def _over_all(measure: Measure, mean: SystemMean) -> float:
    """The mean, or of counts the sum, as trec_eval sums topics up."""
    return mean.mean * mean.topics if measure.over_topics == "sum" else mean.mean


def _of_topics(result: Scored, s: int, names: Mapping[Measure, str]) -> Iterator[str]:
    """The lines of the topics that a run answers."""
    scores = result.filled_scores
    values = scores.values[:, :, s].mean(axis=2)  # measure, topic
    missing = set(result.missing.topics_of.get(scores.systems[s], ()))
    for topic, t in sorted((topic.encode(), t) for t, topic in enumerate(scores.topics) if topic not in missing):
        for measure, value in zip(scores.measures, values[:, t], strict=True):
            if measure.name != _ONLY_OF_ALL:
                yield _line(measure, names[measure], topic.decode(), value)


def _line(measure: Measure, name: str, topic: str, value: float) -> str:
    shown = f"{value:.0f}" if measure.over_topics == "sum" else f"{value:6.4f}"
    return f"{name:<22}\t{topic}\t{shown}"


FORMS: Mapping[str, Callable[[Scored], str | bytes]] = {"trec": trec_lines}
