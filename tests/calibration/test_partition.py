"""Does p of the partition method err no more often than it says? One split and eleven, documents and both populations.

Under `documents` the topics and what systems are good at on them are fixed, and equal systems have the same mean over
these topics; under `both` topics are drawn too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.rates import assert_at_least, assert_at_most
from irgauge import Collection, load
from irgauge.inference.comparison import Pairs
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.studies.partition.inferring import Drawing, Inference, infer
from irgauge.studies.partition.splits import Splits
from irgauge.studies.partition.study import partition

Floats = NDArray[np.float64]
Rng = np.random.Generator
Shape = tuple[int, int, int]  # topics, systems, parts
World = Callable[[Rng, Shape], Floats]  # values[topic, system, part] of systems that are equal
DOCUMENTS, BOTH = "residuals", "topics"
TRIALS = 400
SHAPES = [(50, 12, 2), (25, 5, 3)]


def normal(rng: Rng, shape: Shape) -> Floats:
    return rng.normal(size=shape)


def moving(rng: Rng, shape: Shape) -> Floats:
    """All systems move together in a part of a topic, and share what topics and systems have in common."""
    topics, systems, parts = shape
    liked = rng.normal(size=(topics, systems, 1))
    liked -= liked.mean(axis=0)
    return rng.normal(size=shape) + 2 * rng.normal(size=(topics, 1, parts)) + liked


def unequal(rng: Rng, shape: Shape) -> Floats:
    """The last systems vary seven times as much as the first, and some topics much more than others."""
    spread = np.exp(np.linspace(-1, 1, shape[1]))[:, None] * rng.gamma(2, 1, (shape[0], 1, 1))
    return rng.normal(size=shape) * spread


def skewed(rng: Rng, shape: Shape) -> Floats:
    return rng.gamma(0.4, 1, shape) * rng.gamma(2, 1, (shape[0], 1, 1))


def bounded(rng: Rng, shape: Shape) -> Floats:
    """Between 0 and 1, with many zeros."""
    ease = rng.beta(0.7, 1.5, (shape[0], 1, 1))
    return rng.beta(3 * ease, 3 * (1 - ease), shape) * (rng.random(shape) < 0.5 + ease / 2)


def topics_too(world: World) -> World:
    """Systems are good at different topics, some of them more so than others; all as good over topics."""

    def drawn(rng: Rng, shape: Shape) -> Floats:
        liked = rng.gamma(1, 1, (shape[0], shape[1], 1)) * np.linspace(0.5, 2, shape[1])[:, None]
        return world(rng, shape) + liked - np.linspace(0.5, 2, shape[1])[:, None]

    return drawn


WORLDS = {world.__name__: world for world in (normal, moving, unequal, skewed, bounded)}


def inferred(values: Floats, drawn: str, p: str = "difference") -> Inference:
    """What one split says of these values."""
    names = tuple(f"s{system}" for system in range(values.shape[1]))
    pairs = Pairs.all_of(names, np.zeros(len(names)))
    drawing = Drawing(0.05, 0, drawn, interactions=True, p=p, draws=400 if p == "paper" else 0, sides=2)
    return infer(drawing.fit(values), (values.shape[2], 0), pairs, drawing)


def check(make: Callable[[Rng], Floats], drawn: str, seed: int) -> None:
    """Errors on a pair chosen at random, on the last pair, and on any pair after correction; effects are 0."""
    rng = np.random.default_rng(seed)
    some = last = any_ = covered = 0
    for _ in range(TRIALS):
        found = inferred(make(rng), drawn)
        some += int(found.p[rng.integers(len(found.p_adjusted))] <= 0.05)
        last += int(found.p[-1] <= 0.05)
        any_ += int((found.p_adjusted <= 0.05).any())
        system = rng.integers(len(found.effects))
        covered += int(found.plain.low[system] <= 0 <= found.plain.high[system])
    for errors in (some, last, any_):
        assert_at_most(errors, TRIALS)
    assert_at_least(covered, TRIALS)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", WORLDS)
def test_one_split_for_other_documents(name: str, shape: Shape) -> None:
    check(lambda rng: WORLDS[name](rng, shape), DOCUMENTS, 11)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", WORLDS)
def test_one_split_for_other_topics_and_documents(name: str, shape: Shape) -> None:
    check(lambda rng: topics_too(WORLDS[name])(rng, shape), BOTH, 12)


def test_p_is_not_needlessly_large() -> None:
    """Of two systems it errs as often as it says; of many, whose spreads are equal, nearly so."""
    rng = np.random.default_rng(13)
    two = sum(int(inferred(moving(rng, (25, 2, 2)), DOCUMENTS).p_adjusted[0] <= 0.05) for _ in range(1500))
    assert 0.035 * 1500 < two < 0.065 * 1500
    many = [float((inferred(moving(rng, (50, 12, 2)), DOCUMENTS).p <= 0.05).mean()) for _ in range(200)]
    assert 0.03 < np.mean(many) < 0.055


@pytest.mark.parametrize("drawn", [DOCUMENTS, BOTH])
def test_the_papers_p_errs_far_more_often(drawn: str) -> None:
    rng, make = np.random.default_rng(14), normal if drawn == DOCUMENTS else topics_too(normal)
    rates = [float((inferred(make(rng, (25, 5, 2)), drawn, "paper").p <= 0.05).mean()) for _ in range(100)]
    assert np.mean(rates) > 0.15


# TREC-8


@pytest.fixture(scope="module")
def halves(trec8_runs: Collection) -> Floats:
    """AP[split, topic, system, part] of every sixth system of TREC-8."""
    bench, measures = Bench(trec8_runs), parse_measures(["AP"])
    split = [bench.measured(Measuring(measures, "die:2", "redraw", number=number)).values() for number in range(3)]
    return np.array(split)[:, :, ::6]


def shuffled(values: Floats, rng: Rng) -> Floats:
    """Systems change places in every part of every topic, so that they are equal on these topics."""
    return np.take_along_axis(values, rng.random(values.shape).argsort(axis=1), axis=1)


def shuffled_by_topic(values: Floats, rng: Rng) -> Floats:
    """Systems change places in every topic, so that they are equal over other topics."""
    order = rng.random(values.shape[:2]).argsort(axis=1)[:, :, None]
    return np.take_along_axis(values, np.broadcast_to(order, values.shape), axis=1)


def flipped(values: Floats, rng: Rng) -> Floats:
    """Deviations of systems from their means change sign by topic: each keeps its spread, and all are equal."""
    return (values - values.mean(axis=(0, 2), keepdims=True)) * rng.choice([-1.0, 1.0], (len(values), 1, 1))


@pytest.mark.parametrize(
    ("change", "drawn"),
    [(shuffled, DOCUMENTS), (shuffled_by_topic, BOTH), (flipped, BOTH)],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_one_split_of_trec8(change: Callable[[Floats, Rng], Floats], drawn: str, halves: Floats) -> None:
    check(lambda rng: change(halves[rng.integers(len(halves))], rng), drawn, 15)


# eleven splits of runs


def runs_of_equals(rng: Rng, systems: int = 5, topics: int = 20, documents: int = 120) -> Collection:
    """Runs that score relevant documents higher by as much, and agree with each other more or less."""
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {f"s{system}": {} for system in range(systems)}
    for topic in map(str, range(topics)):
        docs = [f"{topic}-{document}" for document in range(documents)]
        relevant = np.arange(documents) < rng.integers(12, 50)
        qrels[topic] = dict(zip(docs, relevant.astype(int).tolist(), strict=True))
        signal, shared = rng.uniform(0.3, 2) * relevant, rng.normal(size=documents)
        for run, share in zip(runs.values(), np.linspace(0, 0.9, systems), strict=True):
            scores = signal + np.sqrt(share) * shared + np.sqrt(1 - share) * rng.normal(size=documents)
            run[topic] = dict(zip(docs, scores.tolist(), strict=True))
    return load(qrels, runs)


@cache
def eleven() -> tuple[Splits, ...]:
    """Eleven splits of each of several collections whose systems are equal."""
    rng = np.random.default_rng(16)
    return tuple(
        partition(runs_of_equals(rng), "AP", fill="drop", seed=seed, workers=1).first.splits for seed in range(40)
    )


@pytest.mark.parametrize("rule", ["all", "twice-median"])
def test_eleven_splits_together(rule: str) -> None:
    assert_at_most(sum(int((found.combined_p(rule) <= 0.05).any()) for found in eleven()), len(eleven()))
    assert_at_most(sum(int((found.p_adjusted[0] <= 0.05).any()) for found in eleven()), len(eleven()))


def test_fishers_rule_counts_the_same_evidence_again() -> None:
    pairs = [float((found.combined_p("fisher") <= 0.05).mean()) for found in eleven()]
    single = [float((found.p_adjusted[0] <= 0.05).mean()) for found in eleven()]
    assert np.mean(pairs) > np.mean(single)
