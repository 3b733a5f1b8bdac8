"""The section of a report on shallow pools: what if fewer documents had been judged?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from irgauge.present import pool_charts
from irgauge.present import report_findings as told
from irgauge.present.page import Panel, Section, Variant
from irgauge.present.pool_findings import findings
from irgauge.present.pools import pools_tables
from irgauge.present.report_panels import of_measure, panel, tables
from irgauge.present.sentences import counted
from irgauge.present.tables import Table
from irgauge.studies.pools import Pools
from irgauge.studies.ranked_subsets import pools_part
from irgauge.studies.report import Missing, Report

_TITLE = "What if fewer documents had been judged?"
_TOPICS = 250  # that a chart shows side by side


def pools(report: Report) -> Section:
    """What fewer judgments do to the comparison of the best systems."""
    if isinstance(report.pools, Missing):
        return Section(told.POOLS, _TITLE, (), (), reason=f"{report.pools.reason}.")
    lead = [_compared(report, report.pools)]
    lead += [f"{told.pooled(report, one)}: {sentence}" for one in report.pools for sentence in findings(one)[:-1]]
    lead += [findings(one)[-1] for one in report.pools[-1:]]
    lead += [f"Note: {note}." for note in dict.fromkeys(note for one in report.pools for note in one.notes)]
    return Section(told.POOLS, _TITLE, tuple(lead), tuple(_panels(report.pools)))


def _compared(report: Report, results: Sequence[Pools]) -> str:
    systems, first = counted(len(report.systems), "system"), report.measures[0].measure
    which = f"the best {told.pooled_systems(results[-1])} of {systems} by {first}"
    return (
        f"Compared are {which}, pair by pair, as if only the documents in the top 10, 25 or 100 of one of the two runs "
        "were judged; a measure that is surer of a difference with fewer judgments is not to be trusted on shallow "
        "pools."
    )


def _panels(results: Sequence[Pools]) -> Iterator[Panel]:
    one = next((result for result in results if len(result.pairs) == 1), None)
    many = next((result for result in results if len(result.pairs) > 1), None)
    if one is not None:
        yield from _pair_panels(one)
    if many is not None:
        yield panel(
            "pool-pairs",
            "p-values of all pairs with fewer judgments",
            "Points below the line have a lower p with fewer judgments.",
            "A panel for each pool: p-values of pairs with the pool against those with all judgments.",
            _p_values(many),
        )
        counts, *worst = pools_tables(many)
        yield _by_measure("pool-counts", "Pairs with fewer judgments", "A table of pools.", many, counts)
        for table in worst:
            yield _by_measure("pool-gains", "Pairs that gain confidence", "A table of pairs.", many, table)


def _pair_panels(result: Pools) -> Iterator[Panel]:
    pair = result.pairs[0]
    yield panel(
        "pool-images",
        f"{pair.first} against {pair.second} with fewer judgments",
        "p-values against differences, in images of the corpus.",
        "A panel for each pool: points of p-values against differences, one for each image.",
        _p_values(result),
    )
    if len(result.topics) <= _TOPICS:
        yield panel(
            "pool-topics",
            "Differences on topics with fewer judgments",
            "How far the difference on a topic moves with other documents, by pool.",
            "A row of box plots of differences on topics for each pool.",
            (
                Variant(of_measure(name), chart=pool_charts.topic_differences(pools_part(result, m)))
                for m, name in enumerate(result.measures)
            ),
        )
    (table,) = pools_tables(result)
    yield _by_measure("pool-table", "The pair with fewer judgments", "A table of pools.", result, table)


def _p_values(result: Pools) -> Iterator[Variant]:
    for m, name in enumerate(result.measures):
        yield Variant(of_measure(name), chart=pool_charts.p_values(pools_part(result, m)))


def _by_measure(key: str, title: str, seen: str, result: Pools, table: Table) -> Panel:
    """A table whose first column is the measure, measure by measure."""
    forms = []
    for name in result.measures:
        rows = tuple(row[1:] for row in table.rows if row[0] == name)
        own = replace(table, title=f"{table.title} ({name})", columns=table.columns[1:], rows=rows, group_by=None)
        forms.append((of_measure(name), own))
    return panel(key, title, "Paired t-tests in images of the corpus.", seen, tables(forms))
