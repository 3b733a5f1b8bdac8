"""Tables of the agreement of measures: pairs of measures, and the ranks of systems."""

from __future__ import annotations

from dataclasses import asdict

from irgauge.show.table import Column, Record, Table
from irgauge.show.words import counted
from irgauge.studies.agreement.study import Agreement


def tables(result: Agreement) -> list[Table]:
    """The pairs of measures, then the ranks of systems."""
    return [pair_table(result), rank_table(result)]


def pair_table(result: Agreement) -> Table:
    """Every pair of measures, the least agreeing first."""
    rest = [pair for pair in result.pairs if pair.tau is None]
    return Table.of(
        "measures",
        f"Agreement of measures on the order of {counted(len(result.systems), 'system')}",
        [asdict(one) for one in (*result.known, *rest)],
        [
            Column("first"),
            Column("second"),
            Column("tau", "τ", "Kendall's τ-b of the orders of systems: 1 the same, −1 the reverse", decimals=3),
        ],
        ["A measure by which all means are the same orders no systems, and has no τ."] if rest else [],
    )


def rank_table(result: Agreement) -> Table:
    """The ranks of systems, those first whose ranks differ most."""
    order = sorted(result.systems, key=lambda one: -one.moved)
    records: list[Record] = [
        {"system": one.system, **dict(zip(result.measures, one.ranks, strict=True)), "moved": one.moved}
        for one in order
    ]
    return Table.of(
        "ranks",
        f"Ranks of {counted(len(order), 'system')} by {counted(len(result.measures), 'measure')}",
        records,
        [
            Column("system", role="system"),
            *(Column(measure, measure) for measure in result.measures),
            Column("moved", "difference", "of the best and the worst rank; systems with the same mean share a rank"),
        ],
        is_long=True,
    )
