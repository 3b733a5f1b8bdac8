"""How many pairs differ, by population and method, and why these numbers are not the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from irgauge.inference.comparison import Comparison
from irgauge.inference.pairwise import TESTS
from irgauge.show.methods import CORRECTIONS
from irgauge.show.populations import SHORT
from irgauge.show.table import Column, Record, Table
from irgauge.show.words import counted, percent
from irgauge.studies.partition.splits import Splits

if TYPE_CHECKING:
    from irgauge.reporting.report import Report

_WHY: Mapping[str, str] = {
    "topics": "a difference must hold for other topics, and scores vary much from topic to topic",
    "documents": "topics are fixed: only the luck of documents counts, so smaller differences are found",
    "both": "the luck of topics and that of documents both count, on scores over shards",
    "shards": "topics are fixed: only what varies from shard to shard counts",
    "topics+shards": "what varies from topic to topic and from shard to shard both count",
    "sources": "topics and sources are fixed: only the luck of documents within sources counts",
}
_COLUMNS = (
    Column("population"),
    Column("covers"),
    Column("method"),
    Column("differ", "pairs that differ"),
    Column("pairs", "of pairs"),
    Column("top_group", "top group", "the best system and those that do not differ significantly from it"),
    Column("why", "why this number"),
)


def differ_tables(report: Report) -> dict[str, Table]:
    """Measure -> the table; measures by which nothing was compared have none."""
    records = {str(measure): list(_records(report, str(measure))) for measure in report.reporting.measures}
    title = "How many pairs differ, by population and method"
    return {name: Table.of("differ", f"{title}: {name}", of, _COLUMNS) for name, of in records.items() if of}


def _records(report: Report, measure: str) -> Iterator[Record]:
    """The comparison under each population, then the partition method."""
    for result in report.ran["compare"].results:
        if result.first.measure == measure:
            yield from map(_compared, result.first.comparisons)
    for result in report.ran["partition"].results:
        yield from (_divided(one.splits) for one in result.measures if one.measure == measure)


def _compared(one: Comparison) -> Record:
    correction = CORRECTIONS.get(one.correction, one.correction)
    return {
        "population": one.population,
        "covers": SHORT[one.population],
        "method": f"{TESTS[one.test].title}, {correction}",
        "differ": one.significant_count,
        "pairs": len(one.first),
        "top_group": len(one.top_group),
        "why": _WHY[one.population],
    }


def _divided(found: Splits) -> Record:
    share = f"false discoveries are limited as a share ({percent(found.alpha)} of those found), not to one among all"
    return {
        "population": found.population,
        "covers": SHORT[found.population],
        "method": f"{counted(len(found.splits), 'random split')} into {found.parts} parts, {CORRECTIONS['bh']}",
        "differ": found.significant_count,
        "pairs": len(found.first),
        "top_group": len(found.top_group),
        "why": f"{share}{'; topics are fixed' if found.population == 'documents' else ''}",
    }
