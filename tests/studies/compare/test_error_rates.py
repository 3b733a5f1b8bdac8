"""Error rates where no system is better than another: what each population's error term can and cannot claim."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge.inference.studentized import sf
from irgauge.models.anova import Fit, Population, decompose
from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import Measure
from irgauge.simulation.collections import Design, simulate

Values = NDArray[np.float64]

ALPHA = 0.05
SHUFFLES = 1000
DRAWS = 400
COMMON = 0.001  # a rate of exactly alpha leaves the bounds this often; seeds are fixed


def bounds(trials: int) -> tuple[int, int]:
    """How many of the trials reject where each does with probability alpha."""
    low, high = stats.binom.ppf([COMMON / 2, 1 - COMMON / 2], trials, ALPHA)
    return int(low), int(high)


def scores(collection: Collection, shards: int, *, seed: int = 0, workers: int | None = None) -> Values:
    """AP[topic, system, shard]."""
    asked = Measuring((Measure.parse("AP"),), f"even:{shards}", seed=seed)
    return Bench(collection, workers=workers).measured(asked).values()


def shuffled(values: Values, rng: np.random.Generator) -> Values:
    """values[topic, system, shard] with the systems of each topic in another order, one for all its shards."""
    return np.array([topic[rng.permutation(len(topic))] for topic in values])


def p_values(fit: Fit, population: Population) -> Values:
    """Tukey's p-value of each pair of systems."""
    error, means = fit.error_term(population), fit.means("system").ravel()
    differences = np.array([abs(means[a] - means[b]) for a, b in combinations(range(len(means)), 2)])
    return sf(differences / np.sqrt(error.ms / error.n), len(means), error.df)


@cache
def simulated_scores(shards: int) -> Values:
    """AP of systems that differ, in shards."""
    collection = simulate(Design(systems=10, families=4, topics=30, depth=100, corpus_size=3000)).collection()
    return scores(collection, shards)


@cache
def families_with_errors(shards: int, population: Population) -> int:
    """In how many shuffles some pair is called different."""
    rng = np.random.default_rng(1)
    fits = (decompose(shuffled(simulated_scores(shards), rng)).fit("MD6") for _ in range(SHUFFLES))
    return sum(bool(p_values(fit, population).min() < ALPHA) for fit in fits)


def test_shuffling_leaves_shards_and_topics_as_they_were() -> None:
    before = simulated_scores(3)
    after = shuffled(before, np.random.default_rng(0))
    np.testing.assert_array_equal(np.sort(after.sum(axis=2), axis=1), np.sort(before.sum(axis=2), axis=1))
    np.testing.assert_allclose(after.sum(axis=1), before.sum(axis=1))
    assert (after != before).any()


def test_before_shuffling_systems_differ() -> None:
    assert p_values(decompose(simulated_scores(2)).fit("MD6"), "topics").min() < 0.001


@pytest.mark.parametrize("shards", [2, 5])
def test_family_wise_error_over_topics_is_alpha(shards: int) -> None:
    low, high = bounds(SHUFFLES)
    assert low <= families_with_errors(shards, "topics") <= high


@pytest.mark.parametrize("shards", [2, 5])
def test_family_wise_error_over_documents_is_far_above_alpha_for_other_topics(shards: int) -> None:
    _, high = bounds(SHUFFLES)
    assert families_with_errors(shards, "documents") > 5 * high


@pytest.mark.parametrize("shards", [2, 5])
def test_family_wise_error_over_both_is_at_most_that_over_topics(shards: int) -> None:
    assert families_with_errors(shards, "both") <= families_with_errors(shards, "topics")


@pytest.fixture(scope="module")
def shuffled_trec8(trec8_runs: Collection) -> Fit:
    values = scores(trec8_runs, 2)
    return decompose(shuffled(values, np.random.default_rng(0))).fit("MD6")


def test_on_shuffled_trec8_documents_calls_many_pairs_different(shuffled_trec8: Fit) -> None:
    p = p_values(shuffled_trec8, "documents")
    assert len(p) == 8256
    assert (p < ALPHA).sum() > 1000


@pytest.mark.parametrize("population", ["topics", "both"])
def test_on_shuffled_trec8_topics_calls_hardly_a_pair_different(shuffled_trec8: Fit, population: Population) -> None:
    assert (p_values(shuffled_trec8, population) < ALPHA).sum() <= 5


# systems that are truly equal

EQUAL = Design(
    systems=2, families=1, equal=2, topics=25, depth=40, corpus_size=500, relevant_median=10, topic_system_sd=0.6
)


@cache
def equal_pairs() -> tuple[Values, ...]:
    """AP of two equal systems in two shards, in collections with topics and documents of their own."""
    collections = (simulate(EQUAL, draw=draw).collection() for draw in range(DRAWS))
    return tuple(scores(collection, 2, seed=draw, workers=1) for draw, collection in enumerate(collections))


def rejections(population: Population) -> int:
    return sum(bool(p_values(decompose(values).fit("MD6"), population)[0] < ALPHA) for values in equal_pairs())


def test_equal_systems_are_called_different_over_topics_as_often_as_alpha_says() -> None:
    low, high = bounds(DRAWS)
    assert low <= rejections("topics") <= high


def test_equal_systems_are_called_different_over_documents_far_more_often() -> None:
    _, high = bounds(DRAWS)
    assert rejections("documents") > 2 * high


def test_tukey_of_two_systems_over_topics_is_the_paired_t_test_of_their_means_over_shards() -> None:
    for values in equal_pairs()[:20]:
        one, other = values.mean(axis=2).T
        expected = stats.ttest_rel(one, other).pvalue
        assert p_values(decompose(values).fit("MD6"), "topics")[0] == pytest.approx(expected, rel=1e-8)
