"""What is said of algorithms on kinds of topics, as sentences and a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from irgauge.inference.assertions import of_verdicts
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import LEAST_P, Column, Table
from irgauge.show.words import counted, listed, percent, signed
from irgauge.studies.instances.records import slice_records
from irgauge.studies.instances.study import AlgorithmsCompared
from irgauge.studies.no_kind import no_kind_told

_FEW = 3  # pairs that are told of


class OnKind(NamedTuple):
    """What is said on one kind."""

    value: str
    verdict: str
    difference: float
    topics: int


def slices_told(result: AlgorithmsCompared) -> Iterator[Finding]:
    """Of the first pairs, what is said on each kind of topics."""
    columns = list(dict.fromkeys(own.column for own in result.slices))
    yield from no_kind_told(result.scores.about, columns, result.scores.topics)
    for column in columns:
        slices = [own for own in result.slices if own.column == column]
        for i, pair in enumerate(result.pairs[:_FEW]):
            verdicts = [(own.value, own.tests.verdicts[i]) for own in slices]
            finding = on_kinds(
                measure=result.measure,
                column=column,
                pair=(pair.system, pair.against),
                overall=result.verdicts[i],
                difference=float(result.tests.difference[i]),
                slices=[
                    OnKind(own.value, own.tests.verdicts[i], float(own.tests.difference[i]), own.topics)
                    for own in slices
                ],
            )
            claims = (
                claim
                for value, verdict in verdicts
                for claim in of_verdicts(
                    [((pair.system, pair.against), verdict)],
                    measure=result.scores.measure,
                    population=f"{result.population}, {column} {value}",
                    margin=result.margin,
                    place="secondary",
                    direction=result.scores.direction,
                )
            )
            yield finding.claiming(claims, "secondary")


@sentence("slices", claims=("difference", "equivalence"))
def on_kinds(
    *,
    measure: str,
    column: str,
    pair: tuple[str, str],
    overall: str,
    difference: float,
    slices: Sequence[OnKind],
) -> str:
    """Overall, then on each kind of topics."""
    groups: dict[str, list[str]] = {}
    for own in slices:
        text = f"{own.value} ({signed(own.difference)}, {counted(own.topics, 'topic')})"
        groups.setdefault(own.verdict, []).append(text)
    parts = [f"{_but(overall, verdict)}{verdict} on {listed(texts)}" for verdict, texts in groups.items()]
    head = f"By {column}, {pair[0]} against {pair[1]} in {measure}: {overall} overall ({signed(difference)})"
    return f"{head}, {'; '.join(parts)} (all kinds corrected together)."


def _but(overall: str, verdict: str) -> str:
    return "but " if {overall, verdict} == {"better", "worse"} else ""


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
