"""Agreement of two raters: κ against scikit-learn, α against its definition over all pairs of values, and intervals."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from irgauge.compute.arrays import Ints
from irgauge.inference.raters import STATISTICS, agreement, confusion_of

GRADES = (0, 1, 2, 3)


def rated(rng: np.random.Generator, items: int = 120) -> tuple[Ints, Ints]:
    first = rng.integers(0, 4, items)
    noise = rng.random(items) < 0.4
    return first, np.where(noise, np.minimum(first + rng.integers(0, 3, items), 3), first)


def slow_alpha(first: Ints, second: Ints, *, is_ordinal: bool) -> float:
    """1 − the mean distance within items over the mean distance of all pairs of values."""
    values = [*first.tolist(), *second.tolist()]
    counts = [values.count(grade) for grade in GRADES]

    def apart(c: int, k: int) -> float:
        if not is_ordinal:
            return float(c != k)
        low, high = min(c, k), max(c, k)
        return (sum(counts[low : high + 1]) - (counts[low] + counts[high]) / 2) ** 2

    within = np.mean([apart(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True)])
    among = np.mean([apart(a, b) for a, b in permutations(values, 2)])
    return float(1 - within / among)


@pytest.mark.parametrize("seed", range(3))
def test_kappas_and_alphas_are_those_of_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rated(rng)
    topics = rng.integers(0, 9, len(first))
    found = agreement(confusion_of(topics, first, second, GRADES, 9), GRADES, draws=20)
    for name, weights in (("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        expected = cohen_kappa_score(first, second, labels=GRADES, weights=weights)
        assert found[name].value == pytest.approx(expected, abs=1e-12)
    assert found["alpha_nominal"].value == pytest.approx(slow_alpha(first, second, is_ordinal=False), abs=1e-12)
    assert found["alpha_ordinal"].value == pytest.approx(slow_alpha(first, second, is_ordinal=True), abs=1e-12)
    assert found["leniency"].value == pytest.approx((second - first).mean())
    assert found["same"].value == pytest.approx((second == first).mean())


def test_alpha_has_the_printed_value() -> None:
    """Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), B: two observers, nominal, α = 0.692."""
    names = ["a", "b", "c", "d", "e"]
    first, second = (
        ["a", "a", "b", "b", "d", "c", "c", "c", "e", "d", "d", "a"],
        ["b", "a", "b", "b", "b", "c", "c", "c", "e", "d", "d", "d"],
    )
    codes = [np.array([names.index(value) for value in values]) for values in (first, second)]
    counts = confusion_of(np.zeros(12, np.int64), codes[0], codes[1], range(5), 1)[0].astype(float)
    assert float(STATISTICS["alpha_nominal"].of(counts, np.arange(5.0))) == pytest.approx(0.692, abs=5e-4)


def test_what_cannot_differ_has_no_kappa() -> None:
    counts = np.zeros((3, 2, 2), np.int64)
    counts[:, 1, 1] = 4
    found = agreement(counts, (0, 1), draws=10)
    assert np.isnan(found["kappa"].value)
    assert np.isnan(found["alpha_ordinal"].value)
    assert found["same"] == (1, 1, 1)


def test_intervals_over_topics_hold_where_topics_differ() -> None:
    """Items of a topic are alike, so that intervals over items would be far too short."""
    rng = np.random.default_rng(8)
    hits = 0
    trials = 200
    for trial in range(trials):
        shift = rng.normal(0.5, 0.4, 30)
        first = rng.integers(0, 2, (30, 40))
        second = (rng.random((30, 40)) < np.clip(shift, 0, 1)[:, None]) * 1 + first
        topics = np.repeat(np.arange(30), 40)
        counts = confusion_of(topics, first.ravel(), second.ravel(), (0, 1, 2), 30)
        low, high = agreement(counts, (0, 1, 2), draws=200, seed=trial)["leniency"][1:]
        hits += low <= 0.5 <= high
    assert hits >= trials * (0.95 - 3 * np.sqrt(0.95 * 0.05 / trials))
