"""What is said of algorithms on kinds of topics, as sentences and a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from irgauge.inference.assertions import Assertion, of_verdicts
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import LEAST_P, Column, Table
from irgauge.show.words import percent
from irgauge.studies.instances.records import slice_records
from irgauge.studies.instances.slicing import InstanceSlice
from irgauge.studies.instances.study import AlgorithmsCompared
from irgauge.studies.sampling_findings import unit_of
from irgauge.studies.slices_told import OnSlice, heterogeneity_p, no_kind_told, on_slices_text, same_text, small_told

_FEW = 3  # pairs that are told of


def slices_told(result: AlgorithmsCompared) -> Iterator[Finding]:
    """Of the first pairs, what is said on each kind of topics; then kinds that are too small, topics of none."""
    columns = list(dict.fromkeys(own.column for own in result.slices))
    for column in columns:
        slices = [own for own in result.slices if own.column == column]
        for i, pair in enumerate(result.pairs[:_FEW]):
            finding = on_kinds(
                measure=result.measure,
                column=column,
                pair=(pair.system, pair.against),
                overall=result.verdicts[i],
                difference=float(result.tests.difference[i]),
                slices=[_on_slice(own, i) for own in slices],
                p=heterogeneity_p(result.heterogeneity, column, {pair.system, pair.against}),
            )
            yield finding.claiming(_claims(result, slices, i), "secondary")
    yield from small_told(result.small_slices, result.measure, unit_of(result.sampling))
    yield from no_kind_told(result.scores.about, columns, result.scores.topics)


def slice_claims(result: AlgorithmsCompared) -> Iterator[Assertion]:
    """What is claimed on kinds of topics, of the pairs that are told of."""
    for number in range(len(result.pairs[:_FEW])):
        yield from _claims(result, result.slices, number)


def _on_slice(own: InstanceSlice, pair: int) -> OnSlice:
    least = own.detectable[pair] if own.detectable else math.inf
    return OnSlice(own.value, own.tests.verdicts[pair], float(own.tests.difference[pair]), own.topics, least)


def _claims(result: AlgorithmsCompared, slices: Sequence[InstanceSlice], number: int) -> Iterator[Assertion]:
    pair = result.pairs[number]
    for own in slices:
        yield from of_verdicts(
            [((pair.system, pair.against), own.tests.verdicts[number])],
            measure=result.scores.measure,
            population=f"{result.population}, {own.column} {own.value}",
            margin=result.margin,
            place="secondary",
            direction=result.scores.direction,
        )


@sentence("slices", claims=("difference", "equivalence"))
def on_kinds(
    *,
    measure: str,
    column: str,
    pair: tuple[str, str],
    overall: str,
    difference: float,
    slices: Sequence[OnSlice],
    p: float | None,
) -> str:
    """Overall, then on each kind of topics, and whether the difference is the same on all of them."""
    head = f"By {column}, {pair[0]} against {pair[1]} in {measure}"
    return f"{head}: {on_slices_text(overall, difference, slices)}.{same_text(p)}"


def slice_table(result: AlgorithmsCompared) -> Table:
    """Every pair on every kind of topics."""
    ends = f"the {percent(1 - result.alpha)} interval, for all kinds together"
    columns = [
        Column("column"),
        Column("slice"),
        Column("n", "topics"),
        Column("system", role="system"),
        *([] if result.baseline else [Column("against", role="system")]),
        Column("difference"),
        Column("low", "", ends, "low, high"),
        Column("high"),
        Column("p_adjusted", "adjusted p", "over all pairs and kinds", below=LEAST_P),
        Column("verdict"),
    ]
    return Table.of("slices", "Kinds of topics", slice_records(result), columns, is_long=True)
