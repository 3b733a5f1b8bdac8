"""What a comparison claims, as data: which pairs differ, and which verdicts there are, by measure and population."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from irgauge.compute.arrays import Bools
from irgauge.inference.assertions import Assertion, of_verdicts, verdict_kind
from irgauge.inference.comparison import Comparison
from irgauge.inference.slices import SliceClaims
from irgauge.studies.compare.study import Compared, MeasureCompared


def claims_of(result: Compared) -> Iterator[Assertion]:
    """All that a comparison claims, whatever of it is told."""
    for compared in result.each:
        for comparison in compared.comparisons:
            yield from found(compared, comparison)
            yield from judged(compared, comparison)
        yield from on_slices(compared)


def on_slices(result: MeasureCompared) -> Iterator[Assertion]:
    """The verdicts on all pairs on kinds of topics."""
    for own in result.sliced.slices:
        yield from of_verdicts(
            zip(own.comparison.names, own.verdicts.verdicts, strict=True),
            measure=result.measure,
            population=slice_population(own),
            margin=own.verdicts.margin,
            place="secondary",
            direction=result.direction,
        )


def slice_population(own: SliceClaims) -> str:
    """What claims on a slice cover."""
    return f"topics, {own.column} {own.value}"


def found(result: MeasureCompared, comparison: Comparison, among: Bools | None = None) -> Iterator[Assertion]:
    """Which of some pairs, or of all, differ significantly, and in which direction."""
    differs, above = comparison.significant, comparison.gain > 0
    chosen = differs if among is None else differs & among
    for verdict, pairs in (("better", chosen & above), ("worse", chosen & ~above)):
        yield from _claimed(result, comparison, verdict, pairs)


def of_leaders(result: MeasureCompared, comparison: Comparison) -> Iterator[Assertion]:
    """Which systems differ significantly from the best, or from those that share the first place."""
    best = np.isin(np.array(comparison.systems), result.leaders(comparison.population).best)
    yield from found(result, comparison, best[comparison.first])


def of_neighbours(result: MeasureCompared, comparison: Comparison) -> Iterator[Assertion]:
    """Which neighbours in the ranking differ significantly: it is that by the first comparison."""
    ranks = np.array([result.comparison.systems.index(system) for system in comparison.systems])
    yield from found(result, comparison, np.abs(ranks[comparison.first] - ranks[comparison.second]) == 1)


def judged(result: MeasureCompared, comparison: Comparison, among: Bools | None = None) -> Iterator[Assertion]:
    """The verdicts on some pairs, or on all; where all scores of two systems are the same, nothing is claimed."""
    of_pairs = result.verdicts[comparison.population]
    verdicts = np.array(of_pairs.verdicts)
    for verdict in dict.fromkeys(of_pairs.verdicts):
        chosen = verdicts == verdict if among is None else (verdicts == verdict) & among
        yield from _claimed(result, comparison, verdict, chosen)


def _claimed(result: MeasureCompared, comparison: Comparison, verdict: str, pairs: Bools) -> Iterator[Assertion]:
    kind, margin = verdict_kind(verdict), result.verdicts[comparison.population].margin
    if kind is None or not pairs.any() or (kind == "equivalence" and margin is None):
        return
    places = zip(comparison.first[pairs].tolist(), comparison.second[pairs].tolist(), strict=True)
    yield Assertion(
        kind,
        verdict,
        tuple((comparison.systems[first], comparison.systems[second]) for first, second in places),
        measure=result.measure,
        population=comparison.population,
        margin=margin if kind == "equivalence" else None,
        place=comparison.place,
        direction=comparison.direction,
    )


def is_guessed(result: MeasureCompared) -> bool:
    """Whether lower scores count as better because the measure's name sounds so."""
    return result.whole.scores.measures[0].needs_direction
