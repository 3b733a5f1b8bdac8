"""Do claims from shards keep their promise? For other documents, other shards like these, and other topics as well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from calibration.rates import assert_at_most
from calibration.worlds import Floats, RealShards, Rng, ShardWorld, bounded, lopsided, normal, unequal_spread
from irgauge import Collection
from irgauge.inference.intervals import standard_error
from irgauge.inference.studentized import ppf
from irgauge.inference.tests.crossed_t import crossed_t
from irgauge.models.anova import Population, fit
from irgauge.models.f_tests import system_test, term_tests
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import Measure

Draw = Callable[[Rng], Floats]  # values[topic, system, shard]
Claims = Callable[[Floats], bool]  # whether any two systems are said to differ, which is wrong in these worlds
DRAWS, ALPHA = 500, 0.05
FEW, MANY = (12, 6, 5), (10, 5, 20)  # topics, systems, shards
WORLDS = {
    "equal": ShardWorld(),
    "unequal": ShardWorld(spread=8.0),
    "skewed": ShardWorld(spread=4.0, noise=lopsided),
}
OF_KINDS = {name: replace(world, system_shard=0.04) for name, world in WORLDS.items()}


def errors(draw: Draw, claims: Claims, seed: int, draws: int = DRAWS) -> int:
    rng = np.random.default_rng(seed)
    return sum(claims(draw(rng)) for _ in range(draws))


def by_tukey(population: Population) -> Claims:
    """The largest difference decides whether Tukey's test finds any."""

    def claims(values: Floats) -> bool:
        error = fit(values, "MD6").error_term(population)
        least = float(ppf(1 - ALPHA, values.shape[1], error.df)) * standard_error(error)
        return bool(np.ptp(values.mean(axis=(0, 2))) > least)

    return claims


def by_t(population: Population) -> Claims:
    def claims(values: Floats) -> bool:
        names = [f"s{system}" for system in range(values.shape[1])]
        return bool(crossed_t(values, names, population=population, correction="holm").significant.any())

    return claims


def by_f(population: Population) -> Claims:
    return lambda values: system_test(fit(values, "MD6" if values.shape[2] > 1 else "MD1"), population).p <= ALPHA


def by_row(term: str, population: Population) -> Claims:
    """The test of another term of the ANOVA table."""

    def claims(values: Floats) -> bool:
        return next(test.p for test in term_tests(fit(values, "MD6"), population) if test.source == term) <= ALPHA

    return claims


# other documents on these topics: random shards


@pytest.mark.parametrize("shape", [FEW, MANY], ids=str)
def test_tukey_holds_for_other_documents_where_systems_vary_alike(shape: tuple[int, int, int]) -> None:
    draw = WORLDS["equal"].values
    assert_at_most(errors(lambda rng: draw(rng, shape, these_topics=True), by_tukey("documents"), 1), DRAWS)


def test_tukey_fails_for_other_documents_where_they_do_not() -> None:
    found = errors(lambda rng: WORLDS["unequal"].values(rng, FEW, these_topics=True), by_tukey("documents"), 2)
    with pytest.raises(AssertionError, match="trials err"):
        assert_at_most(found, DRAWS)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("test", [by_t, by_f])
def test_other_documents(test: Callable[[Population], Claims], world: str) -> None:
    found = errors(lambda rng: WORLDS[world].values(rng, FEW, these_topics=True), test("documents"), 3)
    assert_at_most(found, DRAWS)


# other shards like these: they differ in kind


def test_tukey_holds_for_other_shards_like_these_and_the_residual_does_not() -> None:
    def draw(rng: Rng) -> Floats:
        return OF_KINDS["equal"].values(rng, FEW, these_topics=True)

    assert_at_most(errors(draw, by_tukey("shards"), 4), DRAWS)
    for test in (by_tukey, by_t, by_f):
        with pytest.raises(AssertionError, match="trials err"):
            assert_at_most(errors(draw, test("sources"), 4), DRAWS)


def test_the_residual_holds_for_other_documents_of_these_same_sources() -> None:
    def draw(rng: Rng) -> Floats:
        return OF_KINDS["equal"].values(rng, FEW, these_topics=True, these_shards=True)

    assert_at_most(errors(draw, by_tukey("sources"), 5), DRAWS)


@pytest.mark.parametrize("world", WORLDS)
def test_the_f_test_for_other_shards_like_these(world: str) -> None:
    found = errors(lambda rng: OF_KINDS[world].values(rng, MANY, these_topics=True), by_f("shards"), 6)
    assert_at_most(found, DRAWS)


# other topics as well


@pytest.mark.parametrize(("population", "worlds"), [("both", WORLDS), ("topics+shards", OF_KINDS)])
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("test", [by_t, by_f])
def test_other_topics_and_shards(
    test: Callable[[Population], Claims], world: str, population: Population, worlds: dict[str, ShardWorld]
) -> None:
    assert_at_most(errors(lambda rng: worlds[world].values(rng, FEW), test(population), 7), DRAWS)


def test_tukey_fails_for_both_where_systems_do_not_vary_alike() -> None:
    found = errors(lambda rng: WORLDS["unequal"].values(rng, FEW), by_tukey("both"), 8)
    with pytest.raises(AssertionError, match="trials err"):
        assert_at_most(found, DRAWS)


# F tests on the whole corpus, and of other terms


@pytest.mark.parametrize("world", [normal, unequal_spread, bounded])
@pytest.mark.parametrize("size", [(12, 5), (15, 25)], ids=str)
def test_the_f_test_for_other_topics(world: Callable[[Rng, int, int], Floats], size: tuple[int, int]) -> None:
    assert_at_most(errors(lambda rng: world(rng, *size)[:, :, None], by_f("topics"), 9, 2 * DRAWS), 2 * DRAWS)


def test_the_plain_f_test_fails_for_other_topics() -> None:
    def plain(values: Floats) -> bool:
        return fit(values, "MD1").error_term("topics").p <= ALPHA

    found = errors(lambda rng: unequal_spread(rng, 15, 25)[:, :, None], plain, 10, 2 * DRAWS)
    with pytest.raises(AssertionError, match="trials err"):
        assert_at_most(found, 2 * DRAWS)


@pytest.mark.parametrize(
    ("term", "population", "without"),
    [
        ("shard", "topics", {"shard": 0.0}),
        ("topic", "shards", {"topic": 0.0, "topic_system": 0.0}),
        ("system:shard", "topics", {}),
        ("topic:system", "shards", {"topic_system": 0.0}),
    ],
)
def test_other_terms(term: str, population: str, without: dict[str, Any]) -> None:
    """A term without an effect is seldom significant; against the residual, shards and topics mostly are."""
    world, of = replace(WORLDS["equal"], **without), cast("Population", population)
    found = errors(lambda rng: world.values(rng, FEW), by_row(term, of), 11)
    assert_at_most(found, DRAWS)
    if ":" not in term:
        assert errors(lambda rng: world.values(rng, FEW), by_row(term, "documents"), 11) > DRAWS // 4


# TREC-8 on 50 random shards


@pytest.fixture(scope="module")
def real(trec8_in_64_bits: Collection) -> RealShards:
    return RealShards(Bench(trec8_in_64_bits).measured(Measuring((Measure.parse("AP"),), "even:50")).values())


@pytest.mark.parametrize("population", ["shards", "topics+shards"])
@pytest.mark.parametrize("shape", [(20, 20, 3), (50, 2, 3)], ids=str)
def test_one_system_that_depends_on_the_kind_of_shard(population: Population, shape: tuple[int, int, int]) -> None:
    world = ShardWorld(system_shard=0.01, dependent=0.15)
    these_topics = population == "shards"
    found = errors(lambda rng: world.values(rng, shape, these_topics=these_topics), by_t(population), 14, 200)
    assert_at_most(found, 200)


@pytest.mark.parametrize("test", [by_t, by_f])
def test_real_scores(test: Callable[[Population], Claims], real: RealShards) -> None:
    shape = (25, 6, 6)
    assert_at_most(errors(lambda rng: real.documents(rng, shape), test("documents"), 12), DRAWS)
    assert_at_most(errors(lambda rng: real.both(rng, shape), test("both"), 13), DRAWS)
