"""What a suite claims, as data: over its collections by population, and on each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from irgauge.inference.assertions import Assertion, Place, of_verdicts
from irgauge.inference.comparison import Comparison
from irgauge.studies.suite.claims import SuiteClaims
from irgauge.studies.suite.study import SuiteCompared

Verdicts = Iterable[tuple[tuple[str, str], str]]  # of pairs


def place_of(result: SuiteCompared, claims: SuiteClaims) -> Place:
    """The first population is primary, another one secondary: each has α for itself."""
    return "primary" if claims.population == result.over[0].population else "secondary"


def judged(result: SuiteCompared, claims: SuiteClaims) -> Iterator[Assertion]:
    """The verdicts on all pairs asked for."""
    verdicts = zip(claims.comparison.names, claims.verdicts.verdicts, strict=True)
    yield from asserted(claims, verdicts, place_of(result, claims))


def differing(result: SuiteCompared, claims: SuiteClaims) -> Iterator[Assertion]:
    """Which of the pairs asked for differ significantly."""
    yield from asserted(claims, _found(claims.comparison), place_of(result, claims))


def of_leader(result: SuiteCompared, claims: SuiteClaims) -> Iterator[Assertion]:
    """From which systems the best differs significantly."""
    best = result.systems[0]
    own = (pair for pair in _found(claims.every) if best in pair[0])
    yield from asserted(claims, own, place_of(result, claims))


def pairs_on_collections(result: SuiteCompared, pairs: Set[frozenset[str]]) -> Iterator[Assertion]:
    """In which direction pairs differ on single collections, each tested by itself."""
    for _, claims in result.tested:
        own = (claim for claim in _found(claims.comparison) if frozenset(claim[0]) in pairs)
        yield from asserted(claims, own, "secondary")


def _found(compared: Comparison) -> Verdicts:
    columns = zip(compared.names, compared.gain > 0, compared.significant, strict=True)
    return ((pair, "better" if above else "worse") for pair, above, differs in columns if differs)


def asserted(claims: SuiteClaims, verdicts: Verdicts, place: Place) -> Iterator[Assertion]:
    """Verdicts on pairs, as claims."""
    yield from of_verdicts(
        verdicts,
        measure=claims.measure,
        population=claims.population,
        margin=claims.verdicts.margin,
        place=place,
        direction=claims.comparison.direction,
    )
