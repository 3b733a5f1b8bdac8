"""What a suite says of kinds of topics over its collections, as sentences and a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.inference.assertions import Assertion, of_verdicts
from irgauge.inference.slices import SliceClaims
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Table
from irgauge.show.words import some
from irgauge.studies.sampling_findings import unit_of
from irgauge.studies.slices_told import (
    OnSlice,
    heterogeneity_p,
    notes_of,
    on_slice,
    on_slices_text,
    same_text,
    slice_columns,
    small_told,
)
from irgauge.studies.suite.slicing import SomeCollections
from irgauge.studies.suite.study import SuiteCompared
from irgauge.studies.tested import slice_records

_FEW = 3  # pairs of which all kinds are told


def slices_told(result: SuiteCompared) -> Iterator[Finding]:
    """Of the first pairs, what is said on each kind of topics; then kinds that are too small."""
    for column in result.kinds.columns:
        slices = [own for own in result.kinds.sliced.slices if own.column == column]
        claims = result.under(result.sliced_for)
        names = claims.comparison.names if result.baseline is not None else claims.comparison.names[:1]
        for pair, (system, against) in enumerate(names[:_FEW]):
            finding = by_slices(
                column=column,
                system=system,
                against=against,
                measure=result.measure,
                overall=claims.verdicts.verdicts[pair],
                difference=float(claims.comparison.difference[pair]),
                slices=[on_slice(own, system, against) for own in slices],
                p=heterogeneity_p(result.kinds.sliced.heterogeneity, column, {system, against}),
            )
            own_claims = _claims(result, slices, (system, against))
            yield finding.about(population=result.sliced_for).claiming(own_claims, "secondary")
    if result.kinds.somewhere:
        yield on_some_collections(kinds=result.kinds.somewhere)
    yield from small_told(result.kinds.sliced.small, result.measure, unit_of(next(iter(result.samplings), None)))
    yield from notes_of(result.kinds.no_kind)


def _claims(result: SuiteCompared, slices: Sequence[SliceClaims], pair: tuple[str, str]) -> Iterator[Assertion]:
    for own in slices:
        yield from of_verdicts(
            [(pair, on_slice(own, *pair).verdict)],
            measure=result.measure,
            population=f"{result.sliced_for}, {own.column} {own.value}",
            margin=own.verdicts.margin,
            place="secondary",
            direction=own.comparison.direction,
        )


@sentence("slices", claims=("difference", "equivalence"))
def by_slices(
    *,
    column: str,
    system: str,
    against: str,
    measure: str,
    overall: str,
    difference: float,
    slices: Sequence[OnSlice],
    p: float | None,
) -> str:
    """Overall, then on each kind, and whether the difference is the same on all of them."""
    head = f"By {column} over collections, {system} against {against} in {measure}"
    return f"{head}: {on_slices_text(overall, difference, slices)}.{same_text(p)}"


@sentence("slices-somewhere", "note", claims=())
def on_some_collections(*, kinds: Sequence[SomeCollections]) -> str:
    """Kinds that are not on all collections."""
    told = [f"{kind.column} {kind.value} is of {some(kind.collections, _FEW)} alone" for kind in kinds]
    return f"What is said on {'; on '.join(told)}: other collections have fewer than 2 such topics."


def slice_tables(result: SuiteCompared) -> list[Table]:
    """Every pair on every kind of topics; nothing where none was asked for."""
    records = list(slice_records(result.measure, result.kinds.sliced.slices))
    if not records:
        return []
    columns = slice_columns(result.kinds.sliced.slices[0].comparison, records[0])
    return [Table.of("slices", "Kinds of topics over collections", records, columns, is_long=True)]
