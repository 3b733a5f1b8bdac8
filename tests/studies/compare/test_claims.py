"""What comparisons claim together, where the order on shards is not that on the whole corpus."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Golden
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.paired_t import paired_t
from irgauge.models.anova import Population
from irgauge.studies.compare.findings import covered
from irgauge.studies.compare.records import coverage, neighbours

NAMES = ("a", "b", "c", "d")


def claimed(population: Population, *means: float, noise: float = 0.05, seed: int = 1) -> Comparison:
    """A comparison of systems a, b, ... with these true means."""
    rng = np.random.default_rng(seed)
    values = np.array(means) + rng.normal(0, noise, (20, len(means)))
    return replace(paired_t(values, NAMES[: len(means)], correction="holm"), population=population)


def better(one: Comparison) -> set[tuple[str, str]]:
    """The pairs that differ, the better system first."""
    return {pair for pair, found in zip(one.names, one.significant, strict=True) if found}


def test_a_pair_that_differs_in_opposite_directions_is_counted_as_such(golden: Golden) -> None:
    topics = claimed("topics", 0.5, 0.3, 0.3, noise=0.1)  # a above b and c
    documents = claimed("documents", 0.3, 0.5, 0.3, noise=0.1)  # b above a and c
    assert better(topics) == {("a", "b"), ("a", "c")}
    assert better(documents) == {("b", "a"), ("b", "c")}
    found = coverage((topics, documents))
    assert found is not None
    assert (found.pairs, found.found) == (3, {"topics": 2, "documents": 2})
    assert (found.shared, found.opposite, found.topics_only, found.other_only) == (0, 1, 1, 1)
    told = covered(measure="AP", pairs=3, found=found.found, shared=0, opposite=1, other_only=1).text
    golden(told)


@given(seeds=st.lists(st.integers(0, 1 << 32), min_size=3, max_size=3), noise=st.sampled_from([0.05, 0.2, 0.6]))
@settings(deadline=None, max_examples=40)
def test_coverage_counts_pairs_by_where_they_differ(seeds: list[int], noise: float) -> None:
    populations: tuple[Population, ...] = ("topics", "shards", "topics+shards")
    comparisons = [
        claimed(population, *np.random.default_rng(seed).random(4).tolist(), noise=noise, seed=seed)
        for population, seed in zip(populations, seeds, strict=True)
    ]
    topics, shards, both = map(better, comparisons)
    turned = {(second, first) for first, second in shards}
    found = coverage(comparisons)
    assert found is not None
    assert found.pairs == 6
    assert found.found == {"topics": len(topics), "shards": len(shards), "topics+shards": len(both)}
    assert (found.shared, found.opposite) == (len(topics & shards), len(topics & turned))
    assert found.topics_only == len(topics - shards - turned)
    assert found.other_only == len({frozenset(pair) for pair in shards} - {frozenset(pair) for pair in topics})
    assert coverage(comparisons[::-1]) == found  # whichever was asked for first


def test_of_one_population_nothing_is_covered_beside() -> None:
    topics, both = claimed("topics", 0.5, 0.3), claimed("both", 0.5, 0.3)
    assert coverage((topics,)) is None
    assert coverage((topics, both)) is None
    assert coverage((both, claimed("documents", 0.5, 0.3))) is None


@pytest.mark.parametrize("first", [0, 1])
def test_neighbours_are_those_of_the_first_comparison(first: int) -> None:
    comparisons = [claimed("topics", 0.5, 0.45, 0.3, 0.29), claimed("documents", 0.3, 0.5, 0.31, 0.6)]
    assert comparisons[0].systems != comparisons[1].systems
    ordered = (comparisons[first], comparisons[1 - first])
    near = neighbours(ordered)
    systems = ordered[0].systems
    assert [(one.rank, one.upper, one.lower) for one in near] == [(i + 1, systems[i], systems[i + 1]) for i in range(3)]
    for one in near:
        for comparison in comparisons:
            pairs = {
                frozenset(pair): p for pair, p in zip(comparison.names, comparison.p_adjusted.tolist(), strict=True)
            }
            p = pairs[frozenset((one.upper, one.lower))]
            assert one.p_adjusted[comparison.population] == p
            assert one.differs[comparison.population] == (p <= 0.05)
        means = dict(zip(systems, ordered[0].means.tolist(), strict=True))
        assert one.difference == pytest.approx(means[one.upper] - means[one.lower])
        assert one.difference >= 0


def test_every_pair_stands_somewhere() -> None:
    comparisons = (claimed("topics", 0.5, 0.1, 0.3, 0.7), claimed("documents", 0.5, 0.1, 0.3, 0.7))
    found = coverage(comparisons)
    assert found is not None
    assert (found.shared, found.opposite, found.topics_only, found.other_only) == (6, 0, 0, 0)
    assert found.pairs == len(list(combinations(NAMES, 2)))
