"""Tables of topics."""

from __future__ import annotations

from dataclasses import asdict, replace

from irgauge.show.abridged import ends, ends_note
from irgauge.show.table import Column, Table
from irgauge.studies.topics.study import Topics


def tables(result: Topics) -> list[Table]:
    """Every topic."""
    return [topic_table(result)]


def topic_table(result: Topics) -> Table:
    """Every topic, hardest first."""
    judged = [Column("relevant", explained="relevant documents")] * (result.topics[0].relevant is not None)
    several = len(result.systems) > 1
    spread = [Column("sd", "separation", "the standard deviation over systems")] * several
    along = [
        Column("discrimination", explained="the correlation, over systems, with the mean of the other topics")
    ] * several
    return Table.of(
        "topics",
        f"Topics by difficulty in {result.measure}",
        [asdict(topic) for topic in result.topics],
        [
            Column("topic"),
            Column("mean", explained="over systems: the lower, the harder"),
            *spread,
            *along,
            Column("best", "best system", role="system"),
            Column("best_score"),
            *judged,
        ],
        is_main=True,
        is_long=True,
    )


def ends_table(result: Topics) -> Table:
    """The same for a page; of very many topics the hardest and the easiest."""
    table = topic_table(result)
    return replace(table, rows=tuple(ends(table.rows)), notes=(*table.notes, *ends_note(len(result.topics))))
