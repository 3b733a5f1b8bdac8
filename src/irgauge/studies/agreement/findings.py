"""What is said of the agreement of measures, in sentences and in tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Record, Table
from irgauge.show.words import counted, signed
from irgauge.studies.agreement.study import Agreement, MeasurePair
from irgauge.studies.cautions import direction_guessed


def findings(result: Agreement) -> Iterator[Finding]:
    """The least and the most agreeing pair, and the system whose rank moves most."""
    known = result.known
    if not known:
        yield no_order(measures=result.measures)
        return
    systems, pairs = len(result.systems), len(known)
    if pairs == 1:
        yield two_measures(pair=known[0], systems=systems)
    else:
        yield of_pairs(least=known[0], most=known[-1], pairs=pairs, systems=systems)
    moved = max(result.systems, key=lambda system: system.moved)
    if moved.moved:
        ends = [moved.ranks.index(end(moved.ranks)) for end in (min, max)]
        named = [(result.measures[i], moved.ranks[i]) for i in ends]
        yield most_moved(system=moved.system, high=named[0], low=named[1], systems=systems)
    for measure in result.guessed:
        yield direction_guessed(measure=measure).about(measure=measure)


@sentence("measures-alike", claims=())
def two_measures(*, pair: MeasurePair, systems: int) -> str:
    """How well two measures agree."""
    return (
        f"{pair.measure} and {pair.against} agree on the order of {counted(systems, 'system')} with Kendall's τ = "
        f"{_tau(pair)} (1: the same order, 0: no relation)."
    )


@sentence("measures-agree", claims=())
def of_pairs(*, least: MeasurePair, most: MeasurePair, pairs: int, systems: int) -> str:
    """The ends of the agreement of measures."""
    if least.tau == most.tau:
        return f"All {pairs:,} pairs of measures agree alike on the order of {systems:,} systems (τ = {_tau(least)})."
    return (
        f"Of {pairs:,} pairs of measures, {least.measure} and {least.against} agree least on the order of "
        f"{systems:,} systems (Kendall's τ = {_tau(least)}), {most.measure} and {most.against} most ({_tau(most)})."
    )


@sentence("measures-without-order", tone="note")
def no_order(*, measures: Sequence[str]) -> str:
    """That there is nothing to agree on."""
    same = "by all, or all but one, the means of systems are the same"
    return f"Of {counted(len(measures), 'measure')}, no two order the systems: {same}."


@sentence("rank-moved", claims=())
def most_moved(*, system: str, high: tuple[str, int], low: tuple[str, int], systems: int) -> str:
    """The system whose rank depends most on the measure."""
    return (
        f"The rank of {system} depends most on the measure: {high[1]:,} by {high[0]}, {low[1]:,} by {low[0]}, of "
        f"{counted(systems, 'system')}."
    )


def _tau(pair: MeasurePair) -> str:
    return "–" if pair.tau is None else signed(pair.tau)


def tables(result: Agreement) -> list[Table]:
    """The pairs of measures, then the ranks of systems."""
    return [pair_table(result), rank_table(result)]


def pair_table(result: Agreement) -> Table:
    """Every pair of measures, the least agreeing first."""
    rest = [pair for pair in result.pairs if pair.tau is None]
    return Table.of(
        "measures",
        f"Agreement of measures on the order of {counted(len(result.systems), 'system')}",
        [asdict(pair) for pair in (*result.known, *rest)],
        [
            Column("measure"),
            Column("against"),
            Column("tau", "τ", "Kendall's τ-b of the orders of systems: 1 the same, −1 the reverse", decimals=3),
            Column("tau_ap", "τ_AP", "τ that counts the top of the orders more, the mean of both ways", decimals=3),
            Column("rmse", "RMSE", "of the effects of systems, their means less the mean of all; in units of measures"),
        ],
        ["A measure by which all means are the same orders no systems, and has no τ."] if rest else [],
    )


def rank_table(result: Agreement) -> Table:
    """The ranks of systems, those first whose ranks differ most."""
    order = sorted(result.systems, key=lambda system: -system.moved)
    records: list[Record] = [
        {"system": system.system, **dict(zip(result.measures, system.ranks, strict=True)), "moved": system.moved}
        for system in order
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
