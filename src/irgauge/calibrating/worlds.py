"""Experiments like the one at hand in which systems are equally good: the scores are real, the truth is known.

Scores are taken apart (`models.anova.decompose`), and what a claim takes for chance is drawn anew. For other topics
that is all by which systems differ on a topic: as it is where they change places, so that equal scores stay equal,
else once its means are taken out, so that differences vary as they do. For other documents it is what a system has on
a shard of a topic. A mean of cells varies as its cells do: of what is drawn beside them only the rest is kept, so
that mean squares stand to each other as in the data. What all systems share stays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.inference.sampling import Sampling
from irgauge.models.anova import CELL, Population, Sums, decompose
from irgauge.reading.topic_slices import Slice

Rng = np.random.Generator
Part = Callable[[Floats, Rng], Floats]  # an effect[topic, system, shard] -> the same, drawn anew
TOPIC, SHARD = "topic:system", "system:shard"
RESAMPLED, HALF_BETTER = "resampled", "half better"
CHANCE: Mapping[Population, tuple[str, ...]] = {  # what each population but topics takes for chance
    "documents": (SHARD, CELL),
    "both": (TOPIC, SHARD, CELL),
    "shards": (SHARD,),
    "topics+shards": (TOPIC, SHARD),
    "sources": (CELL,),
}
_OF_TOPICS = ("topics", "both", "topics+shards")  # populations that take topics for chance
_MOSTLY = 0.5  # of the topics: two systems that score the same on so many are copies
_NO_SPREAD = 1e-3  # the chance that a resample of two systems has no spread, with which they count as copies
_TELLING = 1 / 12  # of the topics
_FEWEST_SHARDS = 8  # of which a resample has many forms
BANDWIDTH = 0.25  # of the noise that smooths a resample, in deviations: skewness falls by a twelfth


@dataclass(frozen=True, eq=False)
class Drawn:
    """The scores of an experiment, and how much better than the others each system truly is."""

    values: Floats  # topic, system, shard
    truth: Floats  # system
    sampling: Sampling | None = None  # how its topics came together, where they were not drawn one by one
    slices: tuple[Slice, ...] = ()  # kinds of its topics, where claims are on these

    def of(self, systems: Indices) -> Drawn:
        """Some of its systems."""
        return replace(self, values=self.values[:, systems], truth=self.truth[systems])


@dataclass(frozen=True, eq=False)
class World:
    """A way to draw experiments."""

    name: str
    draw: Callable[[Rng], Drawn]
    systems: int
    is_resampled: bool = False  # whether intervals are tried in it too
    tells_of_plain: bool = True  # whether tests that take topics one by one, though they are not, are tried in it too

    def better(self, delta: float) -> World:
        """The same where half of the systems, drawn each time, are better by δ."""
        return replace(self, name=HALF_BETTER, draw=partial(_half_better, self, delta), is_resampled=False)

    def by_thirds(self, delta: float, *, of_first: bool = False) -> World:
        """The same where a third of the systems is better by δ, and a third worse: verdicts err most easily there.

        `of_first`: than the first, as where δ is a share of its mean.
        """
        return replace(
            self, name="better and worse by the margin", draw=partial(_by_thirds, self, delta, of_first=of_first)
        )


def _half_better(world: World, delta: float, rng: Rng) -> Drawn:
    drawn = world.draw(rng)
    truth = np.zeros(world.systems)
    truth[rng.permutation(world.systems)[: world.systems // 2]] = delta
    return replace(drawn, values=drawn.values + truth[:, None], truth=truth)


def _by_thirds(world: World, delta: float, rng: Rng, *, of_first: bool) -> Drawn:
    drawn = world.draw(rng)
    truth = np.asarray(delta * (rng.permutation(world.systems) % 3 - 1.0), np.float64)
    if of_first:
        truth[0] = 0.0
    return replace(drawn, values=drawn.values + truth[:, None], truth=truth)


def worlds(values: Floats, population: Population) -> Iterator[World]:
    """The worlds of values[topic, system, shard] in which all systems are equally good for a population.

    >>> scores = np.random.default_rng(1).random((10, 4, 1))
    >>> [world.name for world in worlds(scores, "topics")]
    ['permuted', 'flipped', 'resampled']
    """
    apart = _taken_apart(values, population)
    if values.shape[1] > 2:  # of two systems, to change places is to change the sign
        yield World("permuted", partial(_of_parts, *apart, _permuted), values.shape[1])
    centred = _centred(*apart) if population == "topics" else apart
    yield World("flipped", partial(_of_parts, *centred, _flipped), values.shape[1])
    resampled = _resampled(values, population)
    if resampled is not None:
        yield resampled


def _taken_apart(values: Floats, population: Population) -> tuple[Floats, list[Floats]]:
    """What stays, and what is chance."""
    if population == "topics":
        shared = values.mean(axis=1, keepdims=True)
        return shared, [values - shared]
    sums, chance = decompose(values), CHANCE[population]
    fixed = values - sum(sums.parts[term] for term in ("system", *chance))
    return fixed, [_unshrunk(sums, term) * _own_share(sums, term, chance) for term in chance]


def _centred(shared: Floats, chance: list[Floats]) -> tuple[Floats, list[Floats]]:
    """Without the means of systems over topics, which would add to the spread of what is flipped."""
    (part,) = chance
    n = len(part)
    return shared, [(part - part.mean(axis=0)) * math.sqrt(n / (n - 1))]


def _of_parts(fixed: Floats, chance: list[Floats], anew: Part, rng: Rng) -> Drawn:
    values = fixed + sum(anew(part, rng) for part in chance)
    return Drawn(values, np.zeros(values.shape[1]))


def _unshrunk(sums: Sums, term: str) -> Floats:
    """With the variance that it had before means were taken out of it; topic, system, shard, or 1."""
    part = sums.parts[term]
    return part * math.prod(math.sqrt(n / (n - 1)) for n in (part.shape[0], part.shape[2]) if n > 1)


def _own_share(sums: Sums, term: str, chance: tuple[str, ...]) -> float:
    """The share of its deviation that does not come from the cells that are drawn too: MS(term) less MS(cell)."""
    if term == CELL or CELL not in chance or sums.ss[term] <= sums.noise:
        return 1.0
    return math.sqrt(max(0.0, 1 - sums.ms(CELL) / sums.ms(term)))


def _permuted(part: Floats, rng: Rng) -> Floats:
    """Systems change places, on each topic or shard: all of them vary alike."""
    return rng.permuted(part, axis=1)


def _flipped(part: Floats, rng: Rng) -> Floats:
    """The sign of each topic or shard is drawn, for all systems: each keeps its spread."""
    return part * rng.choice((-1.0, 1.0), (part.shape[0], 1, part.shape[2]))


def _redrawn(part: Floats, rng: Rng) -> Floats:
    """Each topic or shard is one drawn with replacement, for all systems."""
    topics, _, shards = part.shape
    rows, columns = rng.integers(topics, size=(topics, shards)), rng.integers(shards, size=(topics, shards))
    return np.moveaxis(part[rows, :, columns], -1, 1)


def _resampled(values: Floats, population: Population) -> World | None:
    """Topics drawn with replacement around equal means, shards, or both, as the claim takes them for chance.

    None of few shards. Copies are left out: set to one mean, they would differ without any spread.
    """
    by_topic, by_shard = population in _OF_TOPICS, population != "topics"
    if by_shard and values.shape[2] < _FEWEST_SHARDS:
        return None
    kept = distinct(values.mean(axis=2)) if by_topic else np.arange(values.shape[1])
    if len(kept) < 2:
        return None
    some = values[:, kept]
    if by_topic and by_shard:  # whole rows and columns drawn at once would count the cells three times
        draw = partial(_of_parts, *_taken_apart(some, population), _redrawn)
        return World(RESAMPLED, draw, len(kept), is_resampled=True)
    level = some - some.mean(axis=(0, 2) if by_topic else 2, keepdims=True)
    draw = partial(_smoothed, level) if by_topic else partial(_resample, level, 2)
    return World(RESAMPLED, draw, len(kept), is_resampled=True)


def _resample(level: Floats, axis: int, rng: Rng) -> Drawn:
    """Topics or shards drawn with replacement."""
    n = level.shape[axis]
    return Drawn(np.take(level, rng.integers(n, size=n), axis), np.zeros(level.shape[1]))


def _smoothed(level: Floats, rng: Rng) -> Drawn:
    """Topics drawn with replacement, each with normal noise that varies as topics do (Silverman and Young 1987).

    y* = (y_i + h ε) / √(1 + h²) with ε of the covariance of the topics, so that spreads stay what they are. No score
    is drawn twice, and no resample is without spread.
    """
    drawn, n = _resample(level, 0, rng), len(level)
    noise = np.tensordot(rng.normal(size=(n, n)) / math.sqrt(n), level, axes=1)
    return Drawn((drawn.values + BANDWIDTH * noise) / math.sqrt(1 + BANDWIDTH**2), drawn.truth)


def rare(values: Floats, population: Population) -> int:
    """How many systems of values[topic, system, shard] differ rarely and much, so that tests cannot be judged.

    They are left out where topics are resampled (see `distinct`), though they are not copies, which score the same on
    most topics.

    >>> d = np.where(np.arange(50) < 2, 0.6, -0.02) + np.linspace(0, 0.01, 50)
    >>> rare(np.stack([np.zeros(50), d], axis=1)[:, :, None], "topics")
    1
    """
    if population not in _OF_TOPICS:
        return 0
    scores = values.mean(axis=2)
    kept = distinct(scores)
    left = np.setdiff1d(np.arange(scores.shape[1]), kept)
    ties = (scores[:, left, None].round(12) == scores[:, None, kept].round(12)).mean(axis=0)  # system left out, kept
    return int((ties.max(axis=1, initial=0.0) < _MOSTLY).sum())


def distinct(scores: Floats) -> Indices:
    """The systems of scores[topic, system] that copy none before them, nor differ from them on hardly any topic.

    Two systems are copies if a resample of topics shows no spread of their difference with a chance above 0.1 %. Their
    difference rests on hardly any topic if (Σd²)² / Σd⁴, the topics that make its spread, is below a twelfth of all: a
    third is usual. Resamples that lack these topics would say of such pairs what no other topics would.

    >>> distinct(np.array([[0.9, 0.9, 0.1], [0.5, 0.5, 0.6], [0.4, 0.4, 0.2], [0.3, 0.2, 0.6]] * 3)).tolist()
    [0, 2]
    """
    most = _NO_SPREAD ** (1 / len(scores))
    kept: list[int] = []
    for system in range(scores.shape[1]):
        d = np.sort((scores[:, [system]] - scores[:, kept]).round(12), axis=0)  # topic, system kept
        if not kept or (_most_alike(d) <= most and _fewest_telling(d) >= len(scores) * _TELLING):
            kept.append(system)
    return np.array(kept, np.intp)


def _fewest_telling(d: Floats) -> float:
    """How many topics make the spread of a column, of the column in which these are fewest."""
    squares = np.square(d - d.mean(axis=0))
    return float((squares.sum(axis=0) ** 2 / np.square(squares).sum(axis=0)).min())


def _most_alike(ordered: Floats) -> float:
    """The largest share of one value in any column."""
    run = longest = np.ones(ordered.shape[1])
    for above, row in pairwise(ordered):
        run = np.where(row == above, run + 1, 1.0)
        longest = np.maximum(longest, run)
    return float(longest.max() / len(ordered))
