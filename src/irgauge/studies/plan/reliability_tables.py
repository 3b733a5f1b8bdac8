"""Tables of the reliability of a ranking: where variance comes from, what topics and shards reach, what is needed."""

from __future__ import annotations

import math
from collections.abc import Iterator

from irgauge.show.table import Column, Record, Table
from irgauge.show.words import listed, percent
from irgauge.studies.plan.reliability import TOPICS, Estimate, Reached, Reliability
from irgauge.studies.plan.reliability_words import MEANINGS, SYMBOLS, whole
from irgauge.studies.plan.study import Planned

_LEAST = 0.0005  # a share or a reliability below it is shown so
_ABSOLUTE = ("absolute", "absolute_low", "absolute_high")
_ENDS = ("relative_low", "relative_high", "absolute_low", "absolute_high", "fewest", "most")


def reliability_tables(result: Planned) -> Iterator[Table]:
    """All three; none where no ranking is planned for."""
    if result.reliability is not None:
        for table in (source_table, reached_table, ranking_table):
            yield table(result, result.reliability).without(*_unknown(result, result.reliability))


def _unknown(result: Planned, found: Reliability) -> Iterator[str]:
    """The columns that say nothing: without shards, without intervals, or without Φ."""
    yield from ("shards", "limit") if result.replicates is None else ()
    yield from _ENDS if found.systems is None else ()
    yield from () if found.is_complete else _ABSOLUTE


def source_table(result: Planned, found: Reliability) -> Table:
    """The variance of one score by what it comes from."""
    records: list[Record] = [
        {
            "source": one.name,
            "meaning": MEANINGS[one.name],
            "variance": one.variance,
            "share": one.share,
            "relative": one.relative,
            "absolute": one.absolute,
        }
        for one in found.sources
    ]
    shards = "" if result.replicates is None else f" and {found.size.replicates} shards"
    below = [one.name for one in found.sources if one.is_below_0]
    notes = [f"Estimated below 0, and taken as 0: {listed(below)}."] if below else []
    columns = [
        Column("source"),
        Column("meaning", is_minor=True),
        Column("variance", decimals=6),
        Column("share", explained=f"of {whole(found)}", below=_LEAST),
        Column(
            "relative", "of ranking", f"part of the error of the ranking, with {found.size.topics:,} topics{shards}"
        ),
        Column("absolute", "of means", "part of the error of the means themselves"),
    ]
    title = f"Where the variance of one {result.measure or 'score'} comes from"
    return Table.of("sources", title, records, columns, notes, decimals=3)


def reached_table(result: Planned, found: Reliability) -> Table:
    """Eρ², Φ and τ by the number of topics, and of shards."""
    own = () if found.here is None else (found.here.topics,)
    inside = percent(1 - result.alpha)
    columns = [
        Column("shards"),
        Column("topics"),
        Column("relative", SYMBOLS["relative"], "reliability of the ranking", below=_LEAST),
        Column(
            "relative_low",
            "low",
            f"{inside} interval of what stands before it, as of normal scores",
            "low, high",
            below=_LEAST,
        ),
        Column("relative_high", "high"),
        Column("absolute", SYMBOLS["absolute"], "reliability of the means themselves", below=_LEAST),
        Column("absolute_low", "low", below=_LEAST),
        Column("absolute_high", "high"),
        Column("tau", "τ", "Kendall's τ with the true ranking, as expected", below=_LEAST),
    ]
    return Table.of(
        "reliability",
        "How reliable the ranking is",
        [_reached(one) for one in found.curve if one.topics in (*TOPICS, *own)],
        columns,
        list(_halves(found)),
        decimals=3,
        group_by="shards",
    )


def _reached(one: Reached) -> Record:
    absolute = one.absolute or Estimate(math.nan)
    return {
        "topics": one.topics,
        "shards": one.shards,
        "relative": one.relative.value,
        "relative_low": one.relative.low,
        "relative_high": one.relative.high,
        "absolute": absolute.value,
        "absolute_low": absolute.low,
        "absolute_high": absolute.high,
        "tau": one.tau,
    }


def _halves(found: Reliability) -> Iterator[str]:
    one = found.halves
    if one is not None and not math.isnan(one.seen):
        yield (
            f"The rankings by two random halves of {one.topics} topics agree with τ = {one.seen:.3f}, the mean of "
            f"{one.splits} splits; {one.expected:.3f} was to be expected."
        )


def ranking_table(result: Planned, found: Reliability) -> Table:
    """The topics that the reliability wanted needs, by the number of shards."""
    records: list[Record] = [
        {
            "reliability": f"{SYMBOLS[one.kind]} = {found.target:g}",
            "shards": one.shards,
            "topics": one.topics,
            "fewest": None if one.interval is None else one.interval.fewest,
            "most": None if one.interval is None else one.interval.most,
            "limit": one.most,
        }
        for one in found.needed
    ]
    columns = [
        Column("reliability"),
        Column("shards"),
        Column("topics", "topics needed", "– where no number is enough"),
        Column("fewest", "low", f"{percent(1 - result.alpha)} interval of the topics", "low, high"),
        Column("most", "high"),
        Column("limit", "at most", "what is reached with ever more topics", decimals=3),
    ]
    group_by = None if result.replicates is None else "reliability"
    return Table.of("ranking-needed", "Topics that a reliable ranking needs", records, columns, group_by=group_by)
