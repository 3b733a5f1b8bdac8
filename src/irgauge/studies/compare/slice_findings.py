"""What is said of kinds of topics: overall, then where it differs, and whether it is the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.inference.assertions import Assertion, of_verdicts
from irgauge.inference.slices import SliceClaims
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import is_ratio
from irgauge.studies.compare.claims import slice_population
from irgauge.studies.compare.slicing import POPULATION
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.compare.tables import directed
from irgauge.studies.sampling_findings import unit_of
from irgauge.studies.slices_told import (
    OnSlice,
    heterogeneity_p,
    no_kind_told,
    on_slice,
    on_slices_text,
    same_text,
    small_told,
)

_FEW = 3  # systems of which all slices are told


def slices_told(result: Compared) -> Iterator[Finding]:
    """Of each pair that is told of, what its slices say; then slices that are too small."""
    for compared in result.each:
        for column in dict.fromkeys(own.column for own in compared.sliced.slices):
            own = [claims for claims in compared.sliced.slices if claims.column == column]
            yield from _of_column(compared, column, own)
    yield from small_told(result.first.sliced.small, result.first.measure, unit_of(result.first.scored.sampling))
    scores, slices = result.first.whole.scores, result.first.sliced.slices
    yield from no_kind_told(scores.about, (own.column for own in slices), scores.topics)


def _of_column(compared: MeasureCompared, column: str, slices: Sequence[SliceClaims]) -> Iterator[Finding]:
    overall = compared.under(POPULATION)
    names = overall.names if overall.baseline is not None else overall.names[:1]
    for pair, (system, against) in enumerate(names[:_FEW]):
        finding = by_slices(
            measure=directed(compared, overall),
            column=column,
            system=system,
            against=against,
            overall=compared.verdicts[POPULATION].verdicts[pair],
            difference=float(overall.difference[pair]),
            slices=[on_slice(own, system, against, is_log=is_ratio(compared.measure)) for own in slices],
            p=heterogeneity_p(compared.sliced.heterogeneity, column, {system, against}),
        )
        claims = _claims(compared, slices, system, against)
        yield finding.about(population=POPULATION, measure=compared.measure).claiming(claims, "secondary")


def _claims(compared: MeasureCompared, slices: Sequence[SliceClaims], system: str, against: str) -> Iterator[Assertion]:
    for own in slices:
        said = on_slice(own, system, against)
        yield from of_verdicts(
            [((system, against), said.verdict)],
            measure=compared.measure,
            population=slice_population(own),
            margin=own.verdicts.margin,
            place="secondary",
            direction=compared.direction,
        )


@sentence("slices", claims=("difference", "equivalence"))
def by_slices(
    *,
    measure: str,
    column: str,
    system: str,
    against: str,
    overall: str,
    difference: float,
    slices: Sequence[OnSlice],
    p: float | None,
) -> str:
    """Overall, then on each slice, and whether the difference is the same on all of them."""
    head = f"By {column}, {system} against {against} in {measure}"
    return f"{head}: {on_slices_text(overall, difference, slices)}.{same_text(p)}"
