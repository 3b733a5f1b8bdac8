"""The headline of many systems: which is the best, and how many do not differ from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.inference.comparison import Comparison
from irgauge.reporting.front.means import first_of, is_other_order, over_shards, whole_means
from irgauge.show.finding import Finding, sentence
from irgauge.show.populations import FOR
from irgauge.show.words import counted, listed
from irgauge.studies.compare.study import MeasureCompared

_NAMED = 3  # systems that share the first place


def best_told(result: MeasureCompared) -> Iterator[Finding]:
    """The best system under each population."""
    for one in result.comparisons:
        yield _best(result, one).about(population=one.population, measure=result.measure)


def _best(result: MeasureCompared, one: Comparison) -> Finding:
    first, means = first_of(one), whole_means(result)
    highest = max(means, key=means.__getitem__)
    return best_system(
        measure=result.measure,
        by_shards=is_other_order(result, first[0], highest),
        best=first,
        mean=means[first[0]],
        systems=len(one.systems),
        alike=sum(system not in first for system in one.top_group),
        population=one.population,
    )


@sentence("front-best")
def best_system(
    *, measure: str, by_shards: bool, best: Sequence[str], mean: float, systems: int, alike: int, population: str
) -> str:
    """The best system or those that share the first place, and how many others do not differ from it."""
    number = f"{mean:.3f}" + " on the whole corpus" * by_shards
    measure = over_shards(measure, by_shards=by_shards)
    covers, first = FOR[population], best[0]
    if len(best) == 1:
        said = f"{first} is the best of {counted(systems, 'system')} by {measure} ({number})"
        return f"{said}; {_alike(alike, 'it', covers, '')}"
    if len(best) == systems:
        return f"All {counted(systems, 'system')} have the same mean by {measure} ({number})."
    names = listed(list(best)) if len(best) <= _NAMED else f"{first} and {len(best) - 1} others"
    at = "" if by_shards else f" ({number})"
    said = f"{names} share the first place among {counted(systems, 'system')} by {measure}{at}"
    if not alike:
        return f"{said}; every system below them differs significantly from {first} {covers}."
    return f"{said}; {_alike(alike, first, covers, 'other ')}"


def _alike(alike: int, best: str, covers: str, other: str) -> str:
    """How many do not differ from the best."""
    if not alike:
        return f"{best} differs significantly from every other system {covers}."
    verb = "does" if alike == 1 else "do"
    return f"{counted(alike, f'{other}system')} {verb} not differ significantly from {best} {covers}."
