"""Intervals of the mean of a system, for other topics: those of `score`, and those that are for comparing systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.calibration import real, topics
from benchmarks.calibration.cells import Cell, Group, Method
from calibration.worlds import MEAN, Floats, ShardWorld, TopicWorld
from irgauge.inference.intervals import MeanInterval, anova_interval, sem_interval, tukey_interval
from irgauge.models.anova import fit
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores
from irgauge.studies.means import summarise

SYSTEMS, TRIALS = 20, 600
_SHARDS = 5
_FIRST = 0.35  # of documents at the top that are relevant, where any is
_MEASURED = {"bounded, zeros": "AP", "binary": "P@1"}  # world: a measure with its range; others have none


@dataclass(frozen=True, eq=False)
class Drawn:
    """Scores, and the mean that each system has over all topics there could be."""

    values: Floats  # topic, system, shard
    truth: Floats  # system
    measure: str = "AP"


def covered(drawn: Drawn, low: Floats, high: Floats) -> float:
    """The share of systems whose interval holds the true mean."""
    return float(((low <= drawn.truth) & (drawn.truth <= high)).mean())


def _names(drawn: Drawn) -> tuple[str, ...]:
    return tuple(str(system) for system in range(drawn.values.shape[1]))


def by_score(drawn: Drawn, _: int) -> float:
    """The interval of `score`."""
    topics_ = tuple(str(topic) for topic in range(len(drawn.values)))
    scores = Scores(drawn.values[None], (Measure.read(drawn.measure),), topics_, _names(drawn), ("all",))
    found = {one.system: one for one in summarise(scores)}
    bounds = np.array([(found[name].low, found[name].high) for name in _names(drawn)])
    return covered(drawn, bounds[:, 0], bounds[:, 1])


def by_weakest(drawn: Drawn, seed: int) -> float:
    """The interval of `score`, of the quarter of systems whose true means are lowest."""
    weak = np.argsort(drawn.truth, kind="stable")[: len(drawn.truth) // 4]
    return by_score(Drawn(drawn.values[:, weak], drawn.truth[weak], drawn.measure), seed)


def by_interval(interval: Callable[[Drawn], MeanInterval]) -> Callable[[Drawn, int], float]:
    """One of the three intervals for comparing systems."""

    def observe(drawn: Drawn, _: int) -> float:
        found = interval(drawn)
        return covered(drawn, found.low, found.high)

    return observe


def _model(drawn: Drawn) -> str:
    return "MD1" if drawn.values.shape[2] == 1 else "MD6"


COMPARING = (
    Method(
        "SEM interval, as one of a mean",
        "topics",
        "coverage",
        by_interval(lambda drawn: sem_interval(drawn.values, _names(drawn))),
    ),
    Method(
        "ANOVA interval, as one of a mean",
        "topics",
        "coverage",
        by_interval(lambda drawn: anova_interval(fit(drawn.values, _model(drawn)), _names(drawn), population="topics")),
    ),
    Method(
        "Tukey interval, as one of a mean",
        "topics",
        "coverage",
        by_interval(lambda drawn: tukey_interval(fit(drawn.values, _model(drawn)), _names(drawn), population="topics")),
    ),
)
SCORE = Method("interval of score", "topics", "coverage", by_score)
WEAKEST = Method("interval of score, weakest quarter", "topics", "coverage", by_weakest)


def _equal(world: TopicWorld, count: int, measure: str) -> Callable[[np.random.Generator], Drawn]:
    def draw(rng: np.random.Generator) -> Drawn:
        return Drawn(world(rng, count, SYSTEMS)[:, :, None], np.full(SYSTEMS, MEAN), measure)

    return draw


def _resampled(measure: str, count: int) -> Callable[[np.random.Generator], Drawn]:
    """Topics of TREC-8 drawn with replacement: the true mean is that over all of them."""
    scores = real.trec8(measure).scores

    def draw(rng: np.random.Generator) -> Drawn:
        systems = rng.choice(scores.shape[1], 4 * SYSTEMS, replace=False)
        values = scores[np.ix_(rng.choice(len(scores), count), systems)]
        return Drawn(values[:, :, None], scores[:, systems].mean(axis=0), measure)

    return draw


def _on_shards(count: int) -> Callable[[np.random.Generator], Drawn]:
    def draw(rng: np.random.Generator) -> Drawn:
        return Drawn(ShardWorld().values(rng, (count, SYSTEMS, _SHARDS)), np.zeros(SYSTEMS))

    return draw


def _rarely(rng: np.random.Generator, size: tuple[int, int], mean: float = 0.05) -> Floats:
    """1 / rank of the first relevant document, on the few topics that have one in their lists."""
    rank = rng.geometric(_FIRST, size)
    chance = mean * (1 - _FIRST) / (-_FIRST * np.log(_FIRST))
    return np.asarray(np.where(rng.random(size) < chance, 1 / rank, 0.0))


def _near_0(count: int) -> dict[str, Callable[[np.random.Generator], Drawn]]:
    """Worlds whose means are near 0."""
    size = count, SYSTEMS
    return {
        "near 0, reciprocal ranks": lambda rng: Drawn(_rarely(rng, size)[:, :, None], np.full(SYSTEMS, 0.05), "RR"),
        "near 0, beta": lambda rng: Drawn(rng.beta(0.03, 0.97, size)[:, :, None], np.full(SYSTEMS, 0.03)),
    }


def cells() -> list[Cell[Drawn]]:
    """All worlds and numbers of topics."""
    found: list[Cell[Drawn]] = []
    for count in topics.TOPICS:
        design = f"{count} topics"
        found += [Cell(name, design, draw, (SCORE,), TRIALS, TRIALS) for name, draw in _near_0(count).items()]
        for name in ("normal", "bounded, zeros", "skewed", "binary"):
            draw = _equal(topics.worlds()[name], count, _MEASURED.get(name, "gain"))
            found.append(Cell(name, design, draw, (SCORE, *COMPARING), TRIALS, TRIALS))
        for measure in ("AP", "P@10", "RR", "P@1") if real.is_there() else ():
            methods = (SCORE, WEAKEST)
            found.append(Cell(f"TREC-8 resampled, {measure}", design, _resampled(measure, count), methods, 300, 300))
        found.append(Cell(f"{_SHARDS} random shards", design, _on_shards(count), COMPARING, TRIALS, TRIALS))
    return found


GROUP = Group(
    "means",
    "The mean of a system",
    "Intervals at 95 %, as intervals of the mean over other topics. Those of SEM, ANOVA and Tukey are for comparing "
    "systems with each other, and are here to show that they are not for this.",
    cells,
)
