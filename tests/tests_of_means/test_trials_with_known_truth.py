"""The experiments of the study: who is compared with whom, and that the truth is what it is said to be."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.tests_of_means import statistics as kernels
from benchmarks.tests_of_means import trials
from benchmarks.tests_of_means.copulas import Grid
from benchmarks.tests_of_means.decisions import p_values
from benchmarks.tests_of_means.margins import means
from benchmarks.tests_of_means.running import ALPHAS, SEED, counted
from benchmarks.tests_of_means.scores import chosen
from benchmarks.tests_of_means.statistics import COLUMNS, MEAN, ROUNDING
from benchmarks.tests_of_means.stream import state
from benchmarks.tests_of_means.table import POWER, SAME_MEAN, TYPE_III
from benchmarks.tests_of_means.trials import SAME_MARGIN, Cell, Sizes, planned, statistics_of
from benchmarks.tests_of_means.worlds import World, fit_to

from irgauge.errors import DesignError

TOPICS, SYSTEMS = 20, (8, 16)
WHOLE = Grid.whole()
SOME = np.arange(0, len(WHOLE.family), 67)
THIN = Grid(WHOLE.family[SOME], WHOLE.a[SOME], WHOLE.b[SOME], WHOLE.parameters[SOME])


def tables() -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    ease = rng.beta(2, 3, (TOPICS, 1))
    return [np.clip(ease * rng.uniform(0.4, 1.2, n) + rng.normal(0, 0.1, (TOPICS, n)), 0, 1) for n in SYSTEMS]


@pytest.fixture(scope="module", params=["AP", "P@10"])
def world(request: pytest.FixtureRequest) -> World:
    rounded = [np.round(table, 4 if request.param == "AP" else 1) for table in tables()]
    return fit_to(rounded, request.param, 3, THIN)


@pytest.mark.parametrize("difference", [0.0, 0.05])
def test_systems_are_compared_with_those_near_them(world: World, difference: float) -> None:
    plan = planned(world, Cell(10, difference, 2000), np.random.default_rng(1))
    target = world.means[plan.baseline] + difference
    np.testing.assert_allclose(means(plan.others, world.cells)[plan.other], target, atol=1e-9)
    for collection in (0, 1):
        own = world.collection == collection
        best = np.sort(world.means[own])[::-1][: round(own.sum() / 4)]
        drawn = plan.baseline[own[plan.baseline]]
        assert world.means[drawn].max() < best.min()
        assert len(set(drawn.tolist())) == own.sum() - len(best)
    weight = np.bincount(plan.baseline)[np.unique(plan.baseline)]
    assert weight.max() < 2 * weight.min()  # all baselines alike, however many partners they have


def test_systems_of_one_margin_differ_in_their_copulas_alone(world: World) -> None:
    plan = planned(world, Cell(10, SAME_MARGIN, 2000), np.random.default_rng(1))
    assert (plan.baseline == plan.other).all()
    assert len(set(plan.baseline.tolist())) == sum(SYSTEMS)
    assert {tuple(one) for one in plan.copulas.tolist()} <= {tuple(one) for one in world.copulas.tolist()}


@pytest.mark.parametrize("difference", [SAME_MARGIN, 0.0, 0.08])
def test_means_differ_by_what_they_should(world: World, difference: float) -> None:
    found = statistics_of(world, Cell(25, difference, 600), 5)[:, MEAN]
    error = found.std(ddof=1) / np.sqrt(len(found))
    assert abs(found.mean() - max(difference, 0)) < 4 * error
    assert error < 0.01


def test_students_test_keeps_its_level_and_finds_what_there_is(world: World) -> None:
    shares = [
        (p_values(statistics_of(world, Cell(25, difference, 600), 5), 25)[:, 0] <= 0.05).mean()
        for difference in (SAME_MARGIN, 0.08)
    ]
    assert shares[0] < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 600)
    assert shares[1] > 3 * shares[0]


def test_workers_do_not_matter_but_the_seed_does(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell(12, 0.0, 1100)
    found = statistics_of(world, cell, 5)
    assert (statistics_of(world, cell, 6) != found).any()
    monkeypatch.setattr(trials, "_WORKERS", 1)
    np.testing.assert_array_equal(statistics_of(world, cell, 5), found)


def test_tests_do_not_change_what_is_drawn(world: World) -> None:
    kept, lost = (statistics_of(world, Cell(25, 0.0, 300, slack), 5) for slack in (ROUNDING, 0.0))
    np.testing.assert_array_equal(kept[:, : kernels.FLIPPED], lost[:, : kernels.FLIPPED])
    assert (kept[:, kernels.FLIPPED] > lost[:, kernels.FLIPPED] + 0.02).any() == (world.measure == "P@10")


def test_what_is_counted_of_few_trials(world: World) -> None:
    found, (equal, *_) = list(counted(world, Cell(15, 0.08, 300))), counted(world, Cell(15, 0.0, 300))
    assert [(row.what, row.alpha) for row in found] == [(what, alpha) for what in (POWER, TYPE_III) for alpha in ALPHAS]
    statistics = statistics_of(world, Cell(15, 0.08, 300), SEED)
    p = p_values(statistics, 15)
    for row in found:
        is_counted = statistics[:, MEAN] < (0 if row.what == TYPE_III else np.inf)
        assert row.shares == tuple(np.mean((p <= row.alpha) & is_counted[:, None], axis=0))
    assert (equal.what, equal.difference, equal.trials) == (SAME_MEAN, 0.0, 300)
    assert all(0 < few < many < 1 for few, many in zip(equal.shares, found[0].shares, strict=True))


def test_the_second_system_of_a_pair_may_be_the_baseline(world: World) -> None:
    """Turned around, and the copula with it, an experiment is the same but for the sign."""
    first, second = np.argwhere(world.pairs >= 0)[0]
    margins = world.margins[[first, second]]
    plan = planned(world, Cell(10, SAME_MARGIN, 400), np.random.default_rng(1))
    one, other = np.zeros(400, dtype=np.int64), np.ones(400, dtype=np.int64)
    copulas = np.repeat(world.copulas[world.pairs[first, second]][None], 400, axis=0)
    found = []
    for is_second in (one, other):
        rows = (other, one) if is_second[0] else (one, other)
        turned = plan._replace(
            copulas=copulas, is_second=is_second, baselines=margins, others=margins, baseline=rows[0], other=rows[1]
        )
        found.append(np.empty((400, COLUMNS)))
        trials._run(turned, world.grid, world.cells, Sizes(10), np.stack([state(4), state(5)]), found[-1], 0)
    assert found[0][0, MEAN] == -found[1][0, MEAN] != 0


def test_collections_have_as_many_topics() -> None:
    with pytest.raises(DesignError, match=r"\[19, 20\] topics"):
        fit_to([tables()[0], tables()[1][1:]], "AP", 1, THIN)


def test_systems_given_twice_and_the_weakest_take_no_part() -> None:
    rng = np.random.default_rng(2)
    values = rng.random((30, 10)) * np.linspace(0.1, 1, 10)
    doubled = np.concatenate([values, values[:, 3:5] + 1e-6], axis=1)
    np.testing.assert_array_equal(chosen(doubled), values[:, np.argsort(values.mean(axis=0))[1:].copy()][:, :])
