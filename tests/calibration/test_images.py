"""Do intervals from a bootstrap of the corpus hold the mean that other corpora of the same size have?

A corpus is a sample of documents without end: each is relevant to a topic with the topic's chance, and each system
gives it a score that is higher where it is relevant. The truth is the mean of a measure over many such corpora.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from calibration.rates import assert_at_least
from irgauge.reading.collection import Collection
from irgauge.scoring.scores import score
from irgauge.studies.bootstrap.study import Bootstrapped, bootstrap

Floats = NDArray[np.float64]
MEASURES = ["AP", "P@10", "nDCG", "nDCG@10", "RBP(p=0.95, rel=1)", "RBP(p=0.8, rel=1)", "P@1", "RR"]
DOCUMENTS, DEPTH, SYSTEMS = 500, 150, 3
CORPORA, OTHERS, IMAGES = 60, 300, 100


@dataclass(frozen=True)
class World:
    """What stays the same over corpora."""

    topics: int
    relevant: float  # documents, on average
    strengths: tuple[float, float]  # of the weakest and the best system: how much higher relevant documents score
    shared: float  # of the variance of scores, what systems have in common
    seed: int

    def chances(self, rng: np.random.Generator) -> Floats:
        """Of a document to be relevant: topic."""
        return np.clip(self.relevant * rng.lognormal(-0.1, 0.5, self.topics), 5, DOCUMENTS / 4) / DOCUMENTS

    def lifts(self, rng: np.random.Generator) -> Floats:
        """topic, system"""
        return np.linspace(*self.strengths, SYSTEMS) + rng.normal(0, 0.4, (self.topics, SYSTEMS))


WORLDS = {
    "few relevant documents": World(20, 8, (1.0, 2.5), 0.5, 1),
    "many relevant documents": World(15, 50, (1.0, 2.5), 0.5, 2),
    "weak systems": World(20, 20, (0.3, 1.0), 0.3, 3),
    "strong systems that are alike, few topics": World(10, 15, (2.0, 3.0), 0.9, 4),
}


def corpus(world: World, chances: Floats, lifts: Floats, rng: np.random.Generator) -> Collection:
    """One sample of documents, ranked by every system on every topic."""
    topics = world.topics
    relevant = rng.random((topics, DOCUMENTS)) < chances[:, None]
    relevant[np.arange(topics), rng.integers(DOCUMENTS, size=topics)] |= ~relevant.any(axis=1)
    common, own = rng.normal(size=(topics, 1, DOCUMENTS)), rng.normal(size=(topics, SYSTEMS, DOCUMENTS))
    noise = np.sqrt(world.shared) * common + np.sqrt(1 - world.shared) * own
    ranked = np.argsort(-(noise + lifts[..., None] * relevant[:, None]), axis=2)[..., :DEPTH]
    return Collection(
        topics=tuple(f"t{i}" for i in range(topics)),
        systems=tuple(f"s{i}" for i in range(SYSTEMS)),
        origins=("",) * SYSTEMS,
        document_count=DOCUMENTS,
        name_documents=lambda: pl.Series([f"d{i:04}" for i in range(DOCUMENTS)]),
        corpus_size=DOCUMENTS,
        documents="all",
        firsts=np.arange(topics * SYSTEMS).reshape(topics, SYSTEMS) * DEPTH,
        lengths=np.full((topics, SYSTEMS), DEPTH),
        docs=ranked.astype(np.int32).ravel(),
        levels=np.where(np.take_along_axis(relevant[:, None], ranked, axis=2), 0, -1).astype(np.int16).ravel(),
        judged_bounds=np.append(0, relevant.sum(axis=1).cumsum()),
        judged_docs=np.nonzero(relevant)[1].astype(np.int32),
        judged_levels=np.zeros(relevant.sum(), np.int16),
        grades=np.array([1]),
        strata=np.array([0]),
        precision="double",
        notes=(),
    )


@dataclass(frozen=True)
class Drawn:
    """The truth of a world, and bootstraps of some of its corpora."""

    truth: Floats  # measure, system
    found: list[Bootstrapped]

    def covered(self, measure: int) -> NDArray[np.bool_]:
        """Whether the interval of the middle system holds the truth, where it has an interval."""
        middle = SYSTEMS // 2
        ends = np.array([one.interval[:, measure, middle] for one in self.found])
        given = ends[~np.isnan(ends[:, 0])]
        held: NDArray[np.bool_] = (given[:, 0] <= self.truth[measure, middle]) & (
            self.truth[measure, middle] <= given[:, 1]
        )
        return held


@pytest.fixture(scope="module", params=WORLDS)
def drawn(request: pytest.FixtureRequest) -> Drawn:
    world = WORLDS[request.param]
    rng = np.random.default_rng(world.seed)
    chances, lifts = world.chances(rng), world.lifts(rng)
    corpora = [corpus(world, chances, lifts, rng) for _ in range(CORPORA)]
    found = [bootstrap(one, MEASURES, images=IMAGES, seed=number) for number, one in enumerate(corpora)]
    others = [score(corpus(world, chances, lifts, rng), MEASURES).values[..., 0].mean(axis=1) for _ in range(OTHERS)]
    return Drawn(np.mean(others, axis=0), found)


def test_intervals_hold_the_mean_over_other_corpora(drawn: Drawn) -> None:
    for m in range(len(MEASURES)):
        held = drawn.covered(m)
        assert len(held) == CORPORA  # none is without one, not even where one document decides
        assert_at_least(int(held.sum()), len(held))


def test_intervals_of_all_measures_together_hold_it(drawn: Drawn) -> None:
    held = np.concatenate([drawn.covered(m) for m in range(len(MEASURES))])
    assert held.mean() > 0.92
