"""Kendall's τ to be expected against simulated experiments, and against halves of the topics of TREC."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference.orders import Halves, Separations, halves, tau_between, tau_with_truth
from irgauge.models.generalizability import Components, MeanSquares

Values = NDArray[np.float64]
PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
MEASURES = {"ap": "AP", "p10": "P@10", "rr": "RR"}
NAMES = {f"adhoc{year}_{short}": f"TREC-{year} {name}" for year in (5, 6, 7, 8) for short, name in MEASURES.items()}


def normal(
    shape: tuple[int, int, int], seed: int, *, between_shards: float = 0.0, cell: float = 0.0
) -> tuple[Values, Values]:
    """Values whose systems and errors are normal, and the true means of the systems."""
    rng, (topics, systems, shards) = np.random.default_rng(seed), shape
    true = rng.normal(0, 0.06, systems)
    noise = rng.normal(0, 0.2, (topics, 1, 1)) + rng.normal(0, 0.15, (topics, systems, 1))
    shard = rng.normal(0, between_shards, (1, systems, shards)) + rng.normal(0, cell, shape)
    return true[:, None] + noise + shard, true


@pytest.mark.parametrize("topics", [5, 25, 100])
def test_tau_of_normal_systems_is_that_of_simulated_experiments(topics: int) -> None:
    reliability = 0.06**2 / (0.06**2 + 0.15**2 / topics)
    with_truth, between = [], []
    for seed in range(60):
        values, true = normal((2 * topics, 60, 1), seed)
        first, second = values[:topics].mean(axis=(0, 2)), values[topics:].mean(axis=(0, 2))
        with_truth.append(stats.kendalltau(first, true).statistic)
        between.append(stats.kendalltau(first, second).statistic)
    for found, expected in ((with_truth, tau_with_truth(reliability)), (between, tau_between(reliability))):
        assert np.mean(found) == pytest.approx(expected, abs=4 * np.std(found) / math.sqrt(60))
        assert 4 * np.std(found) / math.sqrt(60) < 0.05


@pytest.mark.parametrize(("shards", "between_shards", "cell"), [(1, 0.0, 0.0), (6, 0.06, 0.1)])
def test_separations_of_normal_systems_agree_with_the_formula(shards: int, between_shards: float, cell: float) -> None:
    """What a pilot of 50 topics says of other numbers of topics, on average over pilots."""
    components = Components(
        {"system": 0.06**2, "topic:system": 0.15**2, "system:shard": between_shards**2, "topic:system:shard": cell**2}
    )
    found: dict[int, list[tuple[float, float]]] = {10: [], 50: [], 200: []}
    for seed in range(40):
        values, _ = normal((50, 60, shards), seed, between_shards=between_shards, cell=cell)
        estimated = Components.of(MeanSquares.from_values(values))
        separations = Separations.of(values, estimated)
        for topics, taus in found.items():
            error = estimated.error("relative", topics, shards)
            taus.append((separations.with_truth(error), separations.between(error)))
    for topics, taus in found.items():
        reliability = components.reliability("relative", topics, shards)
        with_truth, between = np.mean(taus, axis=0)
        assert with_truth == pytest.approx(tau_with_truth(reliability), abs=0.015)
        assert between == pytest.approx(tau_between(reliability), abs=0.02)


def test_halves_of_normal_systems_agree_with_what_is_expected() -> None:
    found = [halves(normal((40, 60, 1), seed)[0]) for seed in range(12)]
    seen, expected = np.mean([one.seen for one in found]), np.mean([one.expected for one in found])
    assert seen == pytest.approx(expected, abs=0.02)
    assert expected == pytest.approx(tau_between(0.06**2 / (0.06**2 + 0.15**2 / 20)), abs=0.03)


def test_the_tau_of_halves_is_that_of_scipy() -> None:
    """All splits of four topics, whose mean the splits drawn come near."""
    values, _ = normal((4, 8, 1), 3)
    scores = values[:, :, 0]
    splits = [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
    taus = [stats.kendalltau(scores[[*a]].mean(axis=0), scores[[*b]].mean(axis=0)).statistic for a, b in splits]
    assert halves(values).seen == pytest.approx(np.mean(taus), abs=0.05)
    assert halves(values, seed=1) == halves(values, seed=1)


def test_shards_are_shared_by_halves() -> None:
    """Much noise of shards is the same in both halves, and does not make their rankings differ."""
    noisy, _ = normal((40, 40, 4), 1, between_shards=0.5)
    found = halves(noisy)
    assert found.seen > 0.75
    assert found.seen == pytest.approx(found.expected, abs=0.03)


def test_equal_systems_have_no_order() -> None:
    values, _ = normal((20, 6, 1), 2)
    twice = np.concatenate([values, values], axis=1)
    components = Components.of(MeanSquares.from_values(values))
    assert len(Separations.of(values, components).apart) == 15
    assert len(Separations.of(twice, components).apart) == 12 * 11 / 2 - 6


def test_a_pair_that_differs_alike_on_all_topics_is_in_the_right_order() -> None:
    values, _ = normal((20, 3, 1), 2)
    shifted = np.concatenate([values, values[:, :1] + 1], axis=1)
    components = Components.of(MeanSquares.from_values(shifted))
    assert np.isinf(Separations.of(shifted, components).apart).sum() == 1
    assert Separations.of(shifted, components).with_truth(1e-9) == pytest.approx(1)


def test_two_halves_need_four_topics() -> None:
    with pytest.raises(DesignError, match="at least 4 topics; there are 3"):
        halves(normal((3, 5, 1), 1)[0])


@pytest.fixture(scope="module")
def topic_scores(trec8: Path) -> dict[str, Values]:
    """The scores of TREC 5 to 8, beside the data of TREC-8."""
    folder = trec8.parent / "topic-scores"
    if not folder.is_dir():
        pytest.skip("the folder that IRGAUGE_TREC8 names has no topic-scores beside it")
    return {name: np.loadtxt(folder / f"{name}.csv", delimiter=",", skiprows=1)[:, :, None] for name in NAMES}


def test_halves_of_trec_agree_as_expected(topic_scores: dict[str, Values]) -> None:
    """As the page says: the τ expected of real systems misses by 0.035 at most, that of normal ones by 0.12."""
    found = {name: halves(values) for name, values in topic_scores.items()}
    page = PAGE.read_text(encoding="utf-8")
    of_normal = {name: _normal(topic_scores[name], one) for name, one in found.items()}
    for name, one in found.items():
        row = (topic_scores[name].shape[1], *(f"{tau:.3f}" for tau in (one.seen, one.expected, of_normal[name])))
        assert f"| {NAMES[name]} | {' | '.join(map(str, row))} |" in page
    assert max(abs(one.seen - one.expected) for one in found.values()) < 0.035
    assert np.mean([abs(one.seen - one.expected) for one in found.values()]) < 0.013
    assert 0.1 < max(abs(of_normal[name] - one.seen) for name, one in found.items()) < 0.12


def _normal(values: Values, one: Halves) -> float:
    return tau_between(Components.of(MeanSquares.from_values(values)).reliability("relative", one.topics))
