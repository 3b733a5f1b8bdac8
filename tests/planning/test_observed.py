"""Variances of pairs: those of the tests that `compare` makes, and the same typed in as from data."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from irgauge.inference.tests.crossed_t import crossed_t
from irgauge.inference.tests.paired_t import paired_t
from irgauge.models.anova import Population
from irgauge.planning.designs import Observing

NAMES = ("a", "b", "c", "d")


def values(shards: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(shards)
    of_topics = rng.normal(0, 0.1, (30, 4, 1)) * np.array([1.0, 1.2, 0.7, 1.5])[:, None]
    means = np.array([0.8, 0.6, 0.4, 0.2])[:, None]  # so that the order of the systems is that of their names
    return np.asarray(means + of_topics + rng.normal(0, 0.03, (1, 4, shards)) + rng.normal(0, 0.1, (30, 4, shards)))


@pytest.mark.parametrize("pair", [(0, 1), (0, 3), (1, 2)])
def test_over_topics_the_width_at_hand_is_that_of_the_paired_t_test(pair: tuple[int, int]) -> None:
    y = values(1)
    tested = paired_t(y[:, :, 0], NAMES, correction="bonferroni")
    place = tested.names.index((NAMES[pair[0]], NAMES[pair[1]]))
    seen = Observing(y, "topics", 4).pair(*pair)
    expected = seen.estimates.expected(Observing(y, "topics", 4).size, 0.05 / 6)
    assert expected.half_width[0] == pytest.approx((tested.high - tested.low)[place] / 2)
    assert expected.se[0] == pytest.approx(tested.se[place])
    assert seen.difference == pytest.approx(tested.difference[place])


@pytest.mark.parametrize("population", ["both", "documents"])
@pytest.mark.parametrize("pair", [(0, 1), (1, 3)])
def test_with_shards_the_width_at_hand_is_that_of_crossed_t(population: Population, pair: tuple[int, int]) -> None:
    y = values(5)
    tested = crossed_t(y, NAMES, population=population, correction="bonferroni")
    place = tested.names.index((NAMES[pair[0]], NAMES[pair[1]]))
    observing = Observing(y, population, 4)
    expected = observing.pair(*pair).estimates.expected(observing.size, 0.05 / 6)
    assert expected.se[0] == pytest.approx(tested.se[place], rel=0.02 if population == "both" else 1e-9)
    # the degrees of freedom of pairs: the residual is the pair's own here, and that of all systems in the test
    assert expected.half_width[0] == pytest.approx((tested.high - tested.low)[place] / 2, rel=0.05)


@pytest.mark.parametrize("pair", [(0, 1), (0, 3), (1, 2)])
def test_of_shards_of_a_kind_the_variance_is_that_of_the_pair_or_of_all_whichever_is_larger(
    pair: tuple[int, int],
) -> None:
    y = values(5)
    y[:, 3] += np.array([0.3, -0.2, 0.0, 0.1, -0.2])  # depends on its sources
    tested = crossed_t(y, NAMES, population="topics+shards")
    place = tested.names.index((NAMES[pair[0]], NAMES[pair[1]]))
    observing = Observing(y, "topics+shards", 4)
    expected = observing.pair(*pair).estimates.expected(observing.size, 0.05)
    assert expected.se[0] == pytest.approx(tested.se[place])
    if 3 in pair:  # its own variance rests on five shards, of which four are free
        assert expected.df[0] == pytest.approx(4, abs=1)


def test_pairs_that_never_differ_have_no_spread() -> None:
    y = values(1)
    y[:, 1] = y[:, 0] + 0.1
    spreads = Observing(y, "topics", 4).spreads()
    assert spreads[0, 1] == 0
    assert spreads[0, 2] == pytest.approx(np.var(y[:, 0, 0] - y[:, 2, 0], ddof=1))
