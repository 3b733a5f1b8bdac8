"""What is said of the agreement of measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, signed
from irgauge.studies.agreement.study import Agreement, MeasurePair


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


@sentence("measures-alike")
def two_measures(*, pair: MeasurePair, systems: int) -> str:
    """How well two measures agree."""
    return (
        f"{pair.first} and {pair.second} agree on the order of {counted(systems, 'system')} with Kendall's τ = "
        f"{_tau(pair)} (1: the same order, 0: no relation)."
    )


@sentence("measures-agree")
def of_pairs(*, least: MeasurePair, most: MeasurePair, pairs: int, systems: int) -> str:
    """The ends of the agreement of measures."""
    if least.tau == most.tau:
        return f"All {pairs:,} pairs of measures agree alike on the order of {systems:,} systems (τ = {_tau(least)})."
    return (
        f"Of {pairs:,} pairs of measures, {least.first} and {least.second} agree least on the order of "
        f"{systems:,} systems (Kendall's τ = {_tau(least)}), {most.first} and {most.second} most ({_tau(most)})."
    )


@sentence("measures-without-order", tone="note")
def no_order(*, measures: Sequence[str]) -> str:
    """That there is nothing to agree on."""
    same = "by all, or all but one, the means of systems are the same"
    return f"Of {counted(len(measures), 'measure')}, no two order the systems: {same}."


@sentence("rank-moved")
def most_moved(*, system: str, high: tuple[str, int], low: tuple[str, int], systems: int) -> str:
    """The system whose rank depends most on the measure."""
    return (
        f"The rank of {system} depends most on the measure: {high[1]:,} by {high[0]}, {low[1]:,} by {low[0]}, of "
        f"{counted(systems, 'system')}."
    )


def _tau(pair: MeasurePair) -> str:
    return "–" if pair.tau is None else signed(pair.tau)
