"""Tables of what happened per topic: the column of wins, ties and losses, and the largest gains and losses."""

from __future__ import annotations

from irgauge.inference.by_topic import largest_records
from irgauge.show import missing
from irgauge.show.table import Column, Table
from irgauge.show.words import over_shards
from irgauge.studies.compare.study import Compared

WINS = Column("won", "W/T/L", "the topics with a difference above 0, of 0, and below 0 (wins, ties, losses)")


def topic_tables(result: Compared) -> list[Table]:
    """The table of the largest gains and losses, where there are some."""
    table = topic_table(result)
    return [table] if table.rows else []


def topic_table(result: Compared) -> Table:
    """The topics with the largest gains and losses: of systems against the baseline, or of the best system."""
    baseline, is_several = result.comparison.baseline, len(result.each) > 1
    whom = f"against {baseline}" if baseline else "of the best against the next"
    over = over_shards("", result.first.shards_of(result.comparison.population))
    records = [record for one in result.each for record in largest_records(one.basis, one.comparison, result.worst)]
    return Table.of(
        "topics",
        f"Largest gains and losses by topic{over}, {whom}",
        records,
        [
            *([Column("measure")] if is_several else []),
            Column("system", role="system"),
            *([] if baseline else [Column("against", role="system")]),
            Column("topic"),
            Column("score"),
            Column("other", baseline or "other", "" if baseline else "the score of the system that it is against"),
            Column("difference"),
            *([missing.COLUMN] if any(record["missing"] for record in records) else []),
        ],
        group_by="measure" if is_several else None,
        is_long=True,
    )
