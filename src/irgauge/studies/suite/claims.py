"""What is claimed of systems, on one collection or over all, and its records for tables, JSON and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from irgauge.brief import OneLine
from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import DEFAULT
from irgauge.inference.margins import Margin, against_share, with_factor
from irgauge.inference.orders import RankIntervals, rank_intervals
from irgauge.inference.outcomes import on_grid, step_of
from irgauge.inference.strata import Disagreement
from irgauge.inference.tests.registry import default_test
from irgauge.inference.verdicts import Verdicts, by_margin, by_test, same_scores
from irgauge.scoring.direction import HIGHER, Direction, sign_of
from irgauge.scoring.measures import Range
from irgauge.studies.tested import pair_columns, records_of

if TYPE_CHECKING:
    from irgauge.studies.suite.study import OnCollection, SuiteCompared

OnCollections = Literal["topics", "clusters", "traffic"]  # what claims on one collection are for
OnSuite = (
    OnCollections
    | Literal["same collections", "clusters of same collections", "traffic of same collections", "collections"]
)
OVER_SAME: Mapping[OnCollections, OnSuite] = {
    "topics": "same collections",
    "clusters": "clusters of same collections",
    "traffic": "traffic of same collections",
}  # what claims over these collections are for
Test = Callable[..., Comparison]  # of alpha, correction and baseline
TestOf = Callable[[float], Test]  # a factor of the baseline's scores -> the test
CORRECTION = DEFAULT
_STRATIFIED = "stratified by collection (Welch and Satterthwaite)"
TESTS: Mapping[str, str] = {
    **dict.fromkeys(OVER_SAME, default_test("topics").title),  # on one collection
    "same collections": f"t-test over topics, {_STRATIFIED}",
    "clusters of same collections": f"guarded t-test over clusters of topics (CR2), {_STRATIFIED}",
    "traffic of same collections": f"guarded t-test over topics that count unequally (CR2), {_STRATIFIED}",
    "collections": "t-test over collections, whose error is at least that of topics (Knapp and Hartung)",
}
OF_MEANS = f"{default_test('topics').title} over collections, of each of which a mean is known alone"
_COUNTING: Mapping[str, str] = {"equal": "each counting the same", "topics": "each counting by its topics"}


def counting(weights: str) -> str:
    """How collections count, in words.

    >>> counting("topics"), counting("traffic")
    ('each counting by its topics', 'each counting by the traffic of its topics')
    """
    return _COUNTING.get(weights, f"each counting by the {weights} of its topics")


@dataclass(frozen=True)
class Deciding:
    """By which measure, and how it is decided."""

    measure: str
    alpha: float
    baseline: str | None
    margin: Margin | None
    within: Range | None  # of the scores
    direction: Direction = HIGHER  # which scores are better

    def run(self, test: Test, alpha: float, baseline: str | None) -> Comparison:
        """What a test says; it is given the negatives of scores of which lower ones are better."""
        comparison = test(alpha=alpha, correction=CORRECTION.name, baseline=baseline)
        return comparison if self.direction == HIGHER else comparison.mirrored()

    def scaled(self, systems: tuple[str, ...]) -> Callable[[Floats, float], Floats]:
        """What multiplies the baseline's scores, for claims about a share of its mean; negated where less is better."""
        place = 0 if self.baseline is None else systems.index(self.baseline)
        sign = sign_of(self.direction)
        return lambda values, factor: sign * (values if factor == 1 else with_factor(values, place, factor))


@dataclass(frozen=True, eq=False, repr=False)
class SuiteClaims(OneLine):
    """Claims for one population."""

    in_line: ClassVar[tuple[str, ...]] = ("population", "top_group")

    population: OnSuite
    measure: str
    every: Comparison  # of all pairs: top groups and ranks rest on it
    comparison: Comparison  # of all pairs, or of those with the baseline
    verdicts: Verdicts  # of its pairs
    disagreement: Disagreement | None = None  # of collections about its pairs, where claims are about other ones

    @property
    def top_group(self) -> tuple[str, ...]:
        """The best system and those that do not differ significantly from it."""
        return self.every.top_group

    @cached_property
    def ranks(self) -> RankIntervals:
        """The ranks that each system may have, in the order of `every`."""
        return rank_intervals(self.every)

    def ranks_of(self, system: str) -> tuple[int, int]:
        """The best and the worst rank that a system may have."""
        place = self.every.systems.index(system)
        return int(self.ranks.low[place]), int(self.ranks.high[place])

    def pair_records(self) -> list[dict[str, Any]]:
        """Every pair asked for, with its verdict."""
        columns = pair_columns(self.measure, self.comparison, self.verdicts, population=self.population)
        if self.disagreement is not None:
            columns |= {name: getattr(self.disagreement, of).tolist() for name, of in _DISAGREEMENT.items()}
        return records_of(columns)


_DISAGREEMENT = {"tau2": "tau2", "i2": "i2", "expected_low": "low", "expected_high": "high"}  # column -> field


def claimed(
    population: OnSuite, test_of: TestOf, values: Floats, systems: tuple[str, ...], deciding: Deciding
) -> SuiteClaims:
    """What a test says of systems that have these values[topic, system], which tell whether two are the same."""
    test = test_of(1.0)
    every = comparison = deciding.run(test, deciding.alpha, None)
    if deciding.baseline is not None:
        comparison = deciding.run(test, deciding.alpha, deciding.baseline)
    verdicts, within = _verdicts(comparison, test_of, values, systems, deciding), deciding.within
    comparisons = every.within(within), comparison.within(within)
    return SuiteClaims(population, deciding.measure, *comparisons, verdicts.within(within))


def _verdicts(
    comparison: Comparison, test_of: TestOf, values: Floats, systems: tuple[str, ...], deciding: Deciding
) -> Verdicts:
    """As `compare` gives them: against a margin by intervals at 2α, whose sides are α."""
    ranked = values[:, [systems.index(system) for system in comparison.systems]]
    same = same_scores(ranked, comparison.first, comparison.second)
    if deciding.margin is None:
        return by_test(comparison, same)
    mean = (
        None if comparison.baseline is None else float(comparison.means[comparison.systems.index(comparison.baseline)])
    )
    amount = deciding.margin.of(mean, deciding.within)

    def at(factor: float) -> Comparison:
        return deciding.run(test_of(factor), 2 * deciding.alpha, deciding.baseline)

    wide = at(1.0)
    if mean is not None and deciding.margin.is_share:
        worse, better = deciding.margin.factors(mean, deciding.direction)
        wide = against_share(wide, at(worse), at(better), amount)
    return by_margin(comparison, wide, amount, same)


class CollectionWins(NamedTuple):
    """On how many collections the first of a pair has the better mean, the same, the worse."""

    wins: int
    ties: int
    losses: int


def collection_wins(result: SuiteCompared) -> dict[tuple[str, str], CollectionWins]:
    """Of each ordered pair, on how many collections it is ahead."""
    means, place = result.means, {system: i for i, system in enumerate(result.systems)}
    counts = {}
    for system, against in result.over[0].comparison.names:
        d = result.sign * on_grid(means[:, place[system]] - means[:, place[against]], step_of(means))
        counts[system, against] = CollectionWins(int((d > 0).sum()), int((d == 0).sum()), int((d < 0).sum()))
    return counts


def system_records(result: SuiteCompared) -> list[dict[str, Any]]:
    """Every system, best first: its mean over collections and on each, and for each population ranks and group."""
    means, over = result.means, result.over_collections
    return [
        {
            "measure": result.measure,
            "rank": place + 1,
            "system": system,
            "mean": float(over[place]),
            "means": dict(zip(result.collections, means[:, place].tolist(), strict=True)),
            "ranks": {claims.population: claims.ranks_of(system) for claims in result.over},
            "is_top": {claims.population: system in claims.top_group for claims in result.over},
        }
        for place, system in enumerate(result.systems)
    ]


def system_rows(result: SuiteCompared) -> list[dict[str, Any]]:
    """Every system for each population: its mean over collections, the ranks that it may have, and its group."""
    return [
        {
            "measure": result.measure,
            "system": record["system"],
            "mean": record["mean"],
            "n": claims.comparison.topics,
            "population": claims.population,
            "alpha": result.alpha,
            "direction": claims.comparison.direction,
            "rank": record["rank"],
            "rank_low": record["ranks"][claims.population][0],
            "rank_high": record["ranks"][claims.population][1],
            "is_top": record["is_top"][claims.population],
        }
        for claims in result.over
        for record in system_records(result)
    ]


def collection_rows(result: SuiteCompared) -> list[dict[str, Any]]:
    """Every system on each collection, for other topics like those of the collection."""
    return [
        {
            "measure": result.measure,
            "system": system,
            "mean": mean,
            "n": collection.topics,
            "population": claims.population,
            "alpha": result.alpha,
            "direction": claims.comparison.direction,
            "collection": collection.name,
            "rank_low": claims.ranks_of(system)[0],
            "rank_high": claims.ranks_of(system)[1],
            "is_top": system in claims.top_group,
        }
        for collection, claims in result.tested
        for system, mean in zip(result.systems, collection.means.tolist(), strict=True)
    ]


def population_record(claims: SuiteClaims) -> dict[str, Any]:
    """What is found for one population."""
    return {
        "test": claims.comparison.test,
        "significant": claims.comparison.significant_count,
        "not_significant": claims.comparison.not_significant_count,
        "top_group_systems": claims.top_group,
        "margin": claims.verdicts.margin,
        "pairs": claims.pair_records(),
    }


def collection_record(collection: OnCollection, systems: tuple[str, ...]) -> dict[str, Any]:
    """What is found on one collection."""
    claims = collection.own
    own: list[dict[str, Any]] = [
        {"system": system, "mean": mean, "ranks": None if claims is None else claims.ranks_of(system)}
        for system, mean in zip(systems, collection.means.tolist(), strict=True)
    ]
    tested = {} if claims is None else population_record(claims)
    return {"collection": collection.name, "topics": collection.topics or None, "systems": own, **tested}


def said_of(claims: SuiteClaims) -> dict[str, str]:
    """What is said of each system: its verdict against the baseline, or whether it is in the top group."""
    compared = claims.comparison
    if compared.baseline is None:
        top = set(claims.top_group)
        best = compared.systems[0]
        return {system: BEST if system == best else TOP if system in top else BELOW for system in compared.systems}
    names = (first for first, _ in compared.names)
    return {**dict(zip(names, claims.verdicts.verdicts, strict=True)), compared.baseline: BASELINE}


BEST, TOP, BELOW, BASELINE = "the best", "not different from the best", "significantly worse", "the baseline"
