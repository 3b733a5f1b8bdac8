"""Intervals of Eρ² and Φ against gt4ireval, Brennan, and the share of simulated experiments that they hold in."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from irgauge.models.generalizability import Components, DrawnBounds, FBounds, Kind, MeanSquares, bounds
from oracles.printed_components import ADHOC3_BEST, BRENNAN, BRENNAN_TWO

KINDS: tuple[Kind, Kind] = ("relative", "absolute")
TRUE = {
    "topic": 0.03,
    "system": 0.004,
    "shard": 0.001,
    "topic:system": 0.01,
    "system:shard": 0.002,
    "topic:shard": 0.003,
    "topic:system:shard": 0.008,
}
EXPERIMENTS = 400


def drawn_squares(shape: tuple[int, int, int], true: dict[str, float], seed: int) -> list[MeanSquares]:
    """Mean squares of experiments whose components are known: each is its expectation times χ²(ν)/ν."""
    rng, sizes = np.random.default_rng(seed), dict(zip(("topic", "system", "shard"), shape, strict=True))
    empty = MeanSquares(*shape, dict.fromkeys(true, 0.0))
    expected = {}
    for term in true:
        above = [other for other in true if set(term.split(":")) <= set(other.split(":"))]
        cells = [np.prod([n for factor, n in sizes.items() if factor not in other.split(":")]) for other in above]
        expected[term] = sum(true[other] * n for other, n in zip(above, cells, strict=True))
    return [
        MeanSquares(
            *shape, {term: ms * rng.chisquare(empty.df(term)) / empty.df(term) for term, ms in expected.items()}
        )
        for _ in range(EXPERIMENTS)
    ]


def test_intervals_are_those_of_brennan() -> None:
    """Table 6.5: 80 % intervals."""
    found = bounds(BRENNAN, alpha=0.2)
    assert list(found.of("relative", 12)) == pytest.approx([0.541, 0.876], abs=6e-4)
    assert list(found.of("absolute", 12)) == pytest.approx([0.457, 0.845], abs=6e-4)


@pytest.mark.parametrize(
    ("topics", "relative", "absolute"),
    [
        (20, (0.76971, 0.91208), (0.43864, 0.74647)),
        (50, (0.89311, 0.96287), (0.66141, 0.88039)),
        (100, (0.94354, 0.98109), (0.79621, 0.93639)),
        (200, (0.97095, 0.99045), (0.88654, 0.96715)),
    ],
)
def test_intervals_are_those_that_gt4ireval_prints(
    topics: int, relative: tuple[float, float], absolute: tuple[float, float]
) -> None:
    found = bounds(ADHOC3_BEST)
    assert list(found.of("relative", topics)) == pytest.approx(list(relative), abs=3e-5)
    assert list(found.of("absolute", topics)) == pytest.approx(list(absolute), abs=3e-5)


@pytest.mark.parametrize(
    ("alpha", "relative", "absolute"),
    [(0.01, (0.87737, 0.96967), (0.61466, 0.9023)), (0.1, (0.90062, 0.95901), (0.68417, 0.86796))],
)
def test_intervals_of_other_levels_are_those_that_gt4ireval_prints(
    alpha: float, relative: tuple[float, float], absolute: tuple[float, float]
) -> None:
    found = bounds(ADHOC3_BEST, alpha=alpha)
    assert list(found.of("relative", 50)) == pytest.approx(list(relative), abs=3e-5)
    assert list(found.of("absolute", 50)) == pytest.approx(list(absolute), abs=3e-5)


@pytest.mark.parametrize(
    ("target", "relative", "absolute"),
    [
        (0.8, (8, 24), (28, 103)),
        (0.9, (18, 54), (62, 231)),
        (0.95, (37, 114), (130, 487)),
        (0.99, (191, 593), (673, 2534)),
    ],
)
def test_topics_that_may_be_needed_are_those_that_gt4ireval_prints(
    target: float, relative: tuple[int, int], absolute: tuple[int, int]
) -> None:
    found = bounds(ADHOC3_BEST)
    assert found.needed(target, "relative") == relative
    assert found.needed(target, "absolute") == absolute


def test_the_page_says_what_is_found() -> None:
    """The table of docs/reliability.md, beside what gt4ireval prints."""
    page = (Path(__file__).parents[2] / "docs" / "reliability.md").read_text(encoding="utf-8")
    components, found = Components.of(ADHOC3_BEST), bounds(ADHOC3_BEST)
    for kind, name in zip(KINDS, ("Eρ²", "Φ"), strict=True):
        for topics in (50, 200):
            low, high = found.of(kind, topics)
            own = f"{components.reliability(kind, topics):.5f} ({low:.5f} to {high:.5f})"
            assert re.search(rf"\| {name} with {topics} topics \| .* \| {re.escape(own)} \|", page)
        for target in (0.95, 0.99):
            fewest, most = found.needed(target, kind)
            own = f"{components.topics_needed(target, kind):,} ({fewest:,} to {most:,})"
            assert re.search(rf"\| topics for {name} = {target:g} \| .* \| {re.escape(own)} \|", page)


def test_draws_give_the_interval_of_f_on_one_shard() -> None:
    by_f, by_draws = FBounds.of_squares(ADHOC3_BEST, 0.05), DrawnBounds.of_squares(ADHOC3_BEST, 0.05, 0)
    assert list(by_draws.of("relative", 50)) == pytest.approx(list(by_f.of("relative", 50)), abs=0.003)
    assert list(by_draws.of("absolute", 50)) == pytest.approx(list(by_f.of("absolute", 50)), abs=0.01)
    drawn, exact = by_draws.needed(0.95, "relative"), by_f.needed(0.95, "relative")
    assert [drawn.fewest, drawn.most] == pytest.approx([exact.fewest, exact.most], rel=0.04)


def test_no_number_of_topics_may_be_enough() -> None:
    unsure = MeanSquares(10, 4, 1, {"topic": 2.0, "system": 1.5, "topic:system": 1.0})
    assert bounds(unsure).of("relative", 10).low == 0
    assert bounds(unsure).needed(0.95, "relative").most is None
    assert bounds(BRENNAN_TWO).needed(0.9, "relative", 2).most is None


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_scores_of_any_size_have_the_same_reliability(scale: float) -> None:
    scaled = MeanSquares(50, 30, 1, {term: scale * square for term, square in ADHOC3_BEST.of.items()})
    for kind in KINDS:
        assert list(bounds(scaled).of(kind, 50)) == pytest.approx(list(bounds(ADHOC3_BEST).of(kind, 50)))
        assert Components.of(scaled).topics_needed(0.95, kind) == Components.of(ADHOC3_BEST).topics_needed(0.95, kind)


def test_draws_depend_on_the_seed_alone() -> None:
    assert bounds(BRENNAN_TWO, seed=1).of("relative", 4, 2) == bounds(BRENNAN_TWO, seed=1).of("relative", 4, 2)
    assert bounds(BRENNAN_TWO, seed=1).of("relative", 4, 2) != bounds(BRENNAN_TWO, seed=2).of("relative", 4, 2)


@pytest.mark.parametrize("shape", [(30, 20, 1), (30, 20, 6)])
def test_intervals_hold_the_true_value_as_often_as_they_say(shape: tuple[int, int, int]) -> None:
    """90 % intervals; those by F of Eρ² are exact, the others near it."""
    true = TRUE if shape[2] > 1 else {term: TRUE[term] for term in ("topic", "system", "topic:system")}
    components = Components(true)
    found = [bounds(one, alpha=0.1) for one in drawn_squares(shape, true, seed=7)]
    slack = 3 * np.sqrt(0.9 * 0.1 / EXPERIMENTS)
    for kind in KINDS:
        value = components.reliability(kind, shape[0], shape[2])
        needed = components.topics_needed(0.8, kind, shape[2])
        assert needed is not None
        ends = np.array([one.of(kind, shape[0], shape[2]) for one in found])
        covered = ((ends[:, 0] <= value) & (value <= ends[:, 1])).mean()
        assert 0.9 - slack <= covered <= 0.9 + slack + (0.03 if shape[2] > 1 else 0)
        low, high = zip(*(one.needed(0.8, kind, shape[2]) for one in found), strict=True)
        most = [np.inf if end is None else end for end in high]
        fewest = [np.inf if end is None else end for end in low]
        held = np.mean([a <= needed <= b for a, b in zip(fewest, most, strict=True)])
        assert 0.9 - slack <= held <= 0.97
