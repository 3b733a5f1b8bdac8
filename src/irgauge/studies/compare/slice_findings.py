"""What is said of kinds of topics: overall, then where it differs, and whether it is the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from irgauge.inference.assertions import Assertion, of_verdicts
from irgauge.inference.slices import SliceClaims
from irgauge.inference.verdicts import mirrored
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import amount, is_ratio
from irgauge.show.words import counted, listed, p_text
from irgauge.studies.compare.claims import slice_population
from irgauge.studies.compare.slicing import POPULATION
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.compare.tables import directed
from irgauge.studies.small_slices import could_find, small_told

_FEW = 3  # systems of which all slices are told


class OnSlice(NamedTuple):
    """What is said on one slice."""

    value: str
    verdict: str
    difference: float
    topics: int
    detectable: float
    is_ratio: bool = False

    @property
    def text(self) -> str:
        """With its numbers, and what it could have found where it shows nothing."""
        found = f", {could_find(self.detectable, is_ratio=self.is_ratio)}" if self.verdict == "inconclusive" else ""
        return (
            f"{self.value} ({amount(self.difference, is_ratio=self.is_ratio)}, {counted(self.topics, 'topic')}{found})"
        )


def slices_told(result: Compared) -> Iterator[Finding]:
    """Of each pair that is told of, what its slices say; then slices that are too small."""
    for compared in result.each:
        for column in dict.fromkeys(own.column for own in compared.sliced.slices):
            own = [claims for claims in compared.sliced.slices if claims.column == column]
            yield from _of_column(compared, column, own)
    yield from small_told(result.first.sliced.small, result.first.measure)


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
            slices=[_on_slice(own, system, against, is_log=is_ratio(compared.measure)) for own in slices],
            p=_p(compared, column, system, against),
        )
        claims = _claims(compared, slices, system, against)
        yield finding.about(population=POPULATION, measure=compared.measure).claiming(claims, "secondary")


def _place(own: SliceClaims, system: str, against: str) -> tuple[int, int]:
    """The pair on a slice, where the order of systems may be another, and the sign of its difference."""
    names = own.comparison.names
    return (names.index((system, against)), 1) if (system, against) in names else (names.index((against, system)), -1)


def _on_slice(own: SliceClaims, system: str, against: str, *, is_log: bool = False) -> OnSlice:
    pair, sign = _place(own, system, against)
    verdict = own.verdicts.verdicts[pair]
    difference = sign * float(own.comparison.difference[pair])
    said = verdict if sign > 0 else mirrored(verdict)
    return OnSlice(own.value, said, difference, own.topics, float(own.verdicts.detectable[pair]), is_log)


def _p(compared: MeasureCompared, column: str, system: str, against: str) -> float | None:
    for test in compared.sliced.heterogeneity:
        if test.column == column and {test.system, test.against} == {system, against}:
            return test.p
    return None


def _claims(compared: MeasureCompared, slices: Sequence[SliceClaims], system: str, against: str) -> Iterator[Assertion]:
    for own in slices:
        said = _on_slice(own, system, against)
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
    groups: dict[str, list[str]] = {}
    for own in slices:
        groups.setdefault(own.verdict, []).append(own.text)
    parts = [f"{_but(overall, verdict)}{verdict} on {listed(texts)}" for verdict, texts in groups.items()]
    size = amount(difference, is_ratio=any(own.is_ratio for own in slices))
    head = f"By {column}, {system} against {against} in {measure}: {overall} overall ({size})"
    return f"{head}, {'; '.join(parts)} (all slices corrected together).{_same(p)}"


def _but(overall: str, verdict: str) -> str:
    return "but " if {overall, verdict} == {"better", "worse"} else ""


def _same(p: float | None) -> str:
    """A number alone: it is no claim, as it has no α."""
    return "" if p is None else f" Is the difference the same on all of them? Welch's test: {p_text(p)}."
