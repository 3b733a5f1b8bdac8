"""One random split of the corpus, and the bootstrap ANOVA of the scores in its parts.

p(A, B) is the share of B's bootstrap effects that reach the effect of A, the better system, corrected by Benjamini and
Hochberg over all pairs: Voorhees, Samarov and Soboroff (TOIS 2017), sections 2 and 3, Figure 3. The corrected p-values
are those of the step-up procedure, which hold for any α; at the α that k belongs to they decide as the paper's N p / k.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError, check_alpha
from irgauge.inference.intervals import MeanInterval
from irgauge.inference.multiplicity import benjamini_hochberg
from irgauge.models.anova import Population, decompose
from irgauge.models.residuals import Bootstrap, Resample, bootstrap
from irgauge.reading.collection import Collection
from irgauge.replicates.shards import sharding
from irgauge.scoring.kernels import RELEVANT
from irgauge.scoring.measures import Measure
from irgauge.studies.measurement import measure_shards, measure_whole, one_measure

Floats = NDArray[np.float64]
Sides = Literal[1, 2]  # of a test
Signs = NDArray[np.int8]  # 1: the first system of the pair, −1: the second, 0: neither
Indices = NDArray[np.intp]
PLAIN, ADJUSTED = "percentile", "percentile, adjusted by k/N"
_SHOWN = 5  # topics named in an error


@dataclass(frozen=True, eq=False)
class Ranking:
    """The systems, best first by their means over the whole corpus, and all pairs of them."""

    measure: str
    systems: tuple[str, ...]
    means: Floats  # system
    first: Indices  # pair -> system: the better one on the whole corpus
    second: Indices  # pair -> system

    def matrix(self, of_pairs: NDArray[np.generic], order: Sequence[str] | None = None) -> Floats:
        """What is said of pairs as [system, system], NaN on the diagonal; in another order of systems if asked."""
        square = np.full((len(self.systems),) * 2, np.nan)
        square[self.first, self.second] = square[self.second, self.first] = of_pairs
        places = [self.systems.index(system) for system in order or self.systems]
        return square[np.ix_(places, places)]


@dataclass(frozen=True, eq=False)
class Drawing:
    """How the bootstrap is drawn, at which level intervals are taken, and of which model."""

    alpha: float
    draws: int
    seed: int
    resample: Resample
    interactions: bool
    sides: Sides = 1  # of the test of a pair: 2 doubles its p

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        if self.sides not in (1, 2):
            raise DesignError(f"sides are {self.sides}; a test has 1 or 2 sides")
        least = math.ceil(2 / self.alpha - 1e-9)
        if self.draws < least:
            message = f"{self.draws} draws cannot resolve alpha {self.alpha}: intervals leave out the share α/2 of them"
            raise DesignError(f"{message} on each side, which takes at least {least}; 10000 are usual")

    def __call__(self, values: Floats, key: tuple[int, ...]) -> Bootstrap:
        """The bootstrap of values[topic, system, part] under the model with or without topic:system."""
        fit = decompose(values).fit("MD3" if self.interactions else "MD2")
        key = (*key, int(self.interactions))
        return bootstrap(fit, draws=self.draws, seed=self.seed, key=key, resample=self.resample)


@dataclass(frozen=True)
class Split:
    """A random partition of the documents, and how it came about."""

    parts: int
    number: int
    attempts: int  # draws until every topic had relevant documents in every part
    topics: tuple[str, ...]
    dropped: tuple[str, ...]  # topics without relevant documents in some part


@dataclass(frozen=True, eq=False)
class Inference:
    """What the bootstrap of one split says of the systems and of the pairs."""

    effects: Floats  # system
    direction: Signs  # pair: which system is ahead
    p_single: Floats  # pair: for the system that is ahead
    p: Floats  # pair: corrected over all pairs
    plain: MeanInterval  # of the effects
    adjusted: MeanInterval


@dataclass(frozen=True)
class Length:
    """The lengths of the intervals of all systems, of one kind."""

    interval: str
    mean: float
    shortest: float
    longest: float


@dataclass(frozen=True, eq=False)
class ModelIntervals:
    """The intervals of the effects by one model of one split."""

    interactions: bool
    split: Split
    plain: MeanInterval
    adjusted: MeanInterval

    @property
    def lengths(self) -> tuple[Length, Length]:
        """Of the plain and of the adjusted intervals."""
        return length(self.plain), length(self.adjusted)


@dataclass(frozen=True, eq=False)
class IntervalLengths(Ranking):
    """Intervals of the effects by number of parts, without and with interactions (Tables 1 and 3, Figure 2)."""

    models: tuple[ModelIntervals, ...]
    alpha: float
    draws: int
    seed: int
    fill: str
    kept: str
    population: Population


def rank(collection: Collection, measure: str | Measure, keep: str, workers: int | None) -> Ranking:
    """The systems that are kept, in the order of their means over the whole corpus; ties in the order given."""
    whole = measure_whole(collection, [one_measure([measure])], fill="drop", keep=keep, workers=workers).scores
    if len(whole.systems) < 2:
        raise DesignError(f"there is one system, {whole.systems[0]}; at least 2 systems are needed")
    means = whole.values[0, :, :, 0].mean(axis=0)
    order = np.argsort(-means, kind="stable")
    systems = tuple(whole.systems[system] for system in order)
    return Ranking(str(whole.measures[0]), systems, means[order], *np.triu_indices(len(order), 1))


@dataclass(frozen=True)
class Divider:
    """Draws splits into parts, and scores the systems of a ranking in them."""

    collection: Collection
    ranking: Ranking
    parts: int
    fill: str
    seed: int
    workers: int | None

    def __call__(self, number: int) -> tuple[Split, Floats]:
        """A split, and values[topic, system, part], the systems in the order of the ranking."""
        scheme = sharding(self.collection, f"die:{self.parts}")
        found = measure_shards(
            self.collection,
            [self.ranking.measure],
            scheme,
            fill=self.fill,
            seed=self.seed,
            number=number,
            workers=self.workers,
        )
        topics, systems = found.scores.topics, found.scores.systems
        dropped = tuple(topic for topic in self.collection.topics if topic not in topics)
        columns = [systems.index(system) for system in self.ranking.systems]
        return Split(self.parts, number, found.attempts, topics, dropped), found.values()[:, columns]


def check_split(collection: Collection, measure: str | Measure, parts: int, fill: str) -> None:
    """Refuse what cannot be split so that every cell has a score."""
    if parts < 2:
        raise DesignError(f"{parts} parts are no partition; ask for at least 2")
    if fill not in ("resample", "drop"):
        message = "the partition method needs a score in every cell: resample the split, or drop topics"
        raise DesignError(f"fill '{fill}' is not possible; {message}")
    if fill == "resample":
        _check_relevant(collection, one_measure([measure]), parts)


def check_parts(parts: Sequence[int]) -> None:
    """Numbers of parts: some, and each of them once."""
    if not parts or len(set(parts)) < len(parts):
        raise DesignError(f"the numbers of parts are {list(parts)}; name at least one, and none twice")


def _check_relevant(collection: Collection, measure: Measure, parts: int) -> None:
    """No split gives a topic that has fewer relevant documents than there are parts some in every part."""
    relevant = (measure.kinds(collection.grades) == RELEVANT)[collection.judged_levels]
    counts = np.add.reduceat(relevant.astype(np.int64), collection.judged_bounds[:-1])  # topic
    few = [f"{collection.topics[topic]} ({counts[topic]})" for topic in np.flatnonzero(counts < parts)]
    if few:
        named = ", ".join(few[:_SHOWN]) + (f" and {len(few) - _SHOWN} more" if len(few) > _SHOWN else "")
        raise DesignError(
            f"no split into {parts} parts gives every topic a relevant document in every part: topics with fewer than "
            f"{parts} relevant documents are {named}; {'use fewer parts, or ' * (parts > 2)}--fill drop"
        )


def infer(drawn: Bootstrap, ranking: Ranking, drawing: Drawing) -> Inference:
    """p-values of all pairs, and both intervals of the effects (sections 3.1 and 2.2).

    With one side p is the share of the worse system's draws that reach the better one, as in Figure 3 of the paper;
    with two it is doubled, as the better one is known from the data. With k of N pairs rejected, the adjusted interval
    leaves α k / 2N of the draws out on each side instead of α / 2.
    """
    direction = sign(drawn.effects[ranking.first] - drawn.effects[ranking.second])
    better = np.where(direction > 0, ranking.first, ranking.second)
    worse = np.where(direction > 0, ranking.second, ranking.first)
    p_single = np.minimum(1, drawing.sides * drawn.reached[better, worse])
    p, alpha = benjamini_hochberg(p_single), drawing.alpha
    rejected = float((p <= alpha).mean())
    plain = MeanInterval(PLAIN, drawn.effects, *drawn.interval(alpha), alpha, drawn.population)
    low, high = drawn.interval(alpha * rejected)
    adjusted = replace(plain, name=ADJUSTED, low=low, high=high)
    return Inference(drawn.effects, direction, p_single, p, plain, adjusted)


def sign(difference: Floats) -> Signs:
    """Who is ahead; the first system where they are level."""
    return np.where(difference >= 0, 1, -1).astype(np.int8)


def length(interval: MeanInterval) -> Length:
    """Mean, shortest and longest of the lengths of the systems' intervals."""
    lengths = interval.high - interval.low
    return Length(interval.name, float(lengths.mean()), float(lengths.min()), float(lengths.max()))


def interval_lengths(
    collection: Collection,
    measure: str | Measure,
    *,
    parts: Sequence[int] = (2, 3, 5),
    alpha: float = 0.05,
    draws: int = 10_000,
    resample: Resample = "residuals",
    sides: Sides = 1,
    fill: str = "resample",
    keep: str = "all",
    seed: int = 0,
    workers: int | None = None,
) -> IntervalLengths:
    """How long are the intervals of the effects of systems, by number of parts, without and with interactions?

    The split into each number of parts is the first one of `partitions`. Where topics are drawn too, there is no model
    without interactions.
    """
    check_parts(parts)
    for count in parts:
        check_split(collection, measure, count, fill)
    ranking = rank(collection, measure, keep, workers)
    models: list[ModelIntervals] = []
    for count in parts:
        split, values = Divider(collection, ranking, count, fill, seed, workers)(0)
        for interactions in (True,) if resample == "topics" else (False, True):
            drawing = Drawing(alpha, draws, seed, resample, interactions, sides)
            found = infer(drawing(values, (count, 0)), ranking, drawing)
            models.append(ModelIntervals(interactions, split, found.plain, found.adjusted))
    population = models[0].plain.population or "documents"
    return IntervalLengths(
        **vars(ranking),
        models=tuple(models),
        alpha=alpha,
        draws=draws,
        seed=seed,
        fill=fill,
        kept=keep,
        population=population,
    )
