"""Whether conclusions survive a transformation of scores, as a sentence and a table, which claim nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import is_ratio, plain_name
from irgauge.show.table import Column, Record, Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import counted, listed
from irgauge.studies.survival import ChangedConclusion, Survival

_FEW = 3  # changes that a sentence names
_WITHOUT = "Without the transformation"


def survival_told(survivals: Sequence[Survival]) -> Iterator[Finding]:
    """Of each measure."""
    by_measure: dict[str, list[Survival]] = {}
    for survival in survivals:
        by_measure.setdefault(survival.measure, []).append(survival)
    for measure, own in by_measure.items():
        finding = survives(
            measure=measure,
            unit=own[0].unit,
            conclusions=own[0].conclusions,
            same={
                survival.drawn or survival.population: survival.conclusions - len(survival.changed) for survival in own
            },
            changed=next((survival.changed for survival in own if survival.changed), ()),
        )
        yield finding.about(measure=measure)


@sentence("survives-transform", tone="note", claims=())
def survives(
    *, measure: str, unit: str, conclusions: int, same: Mapping[str, int], changed: Sequence[ChangedConclusion]
) -> str:
    """How many conclusions are the same without the transformation, and which are not: the first that changes."""
    counts = [
        f"{'all' if count == conclusions else f'{count:,}'} {FOR[population]}" for population, count in same.items()
    ]
    of = f"of {counted(conclusions, unit)} by {plain_name(measure)}"
    is_scale = unit == "pair" and is_ratio(measure)
    other, this = ("With differences of scores, not ratios", "with ratios") if is_scale else (_WITHOUT, "with it")
    text = f"{other}, {of} the same is concluded of {listed(counts)}"
    if not changed:
        return f"{text}."
    named = "; ".join(f"{change.of}: {change.as_they_are}, {this} {change.transformed}" for change in changed[:_FEW])
    more = f"; and {len(changed) - _FEW:,} more" if len(changed) > _FEW else ""
    return f"{text} ({named}{more})."


def survival_tables(survivals: Sequence[Survival]) -> Iterator[Table]:
    """The conclusions that change, where some do."""
    records: list[Record] = [
        {
            "measure": survival.measure,
            "population": survival.population,
            "of": change.of,
            "transformed": change.transformed,
            "as_they_are": change.as_they_are,
        }
        for survival in survivals
        for change in survival.changed
    ]
    if records:
        yield Table.of(
            "survival",
            "Conclusions that change without the transformation",
            records,
            [
                Column("measure"),
                Column("population"),
                Column("of", survivals[0].unit),
                Column("transformed", explained="what is concluded on the transformed scores"),
                Column("as_they_are", "as they are", "what is concluded on the scores as they are"),
            ],
            ["Two analyses of the same topics side by side, with no claim about their difference."],
            is_long=True,
        )
