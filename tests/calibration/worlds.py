"""Worlds whose truth is known: scores of systems that are equally good, though they differ in everything else.

None of this shares code with irgauge.simulation: a method that is tuned to the simulation is found out here. Every
draw takes a generator of random numbers; what is fixed, such as the spread of each system, follows from the number of
systems alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtr

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Rng = np.random.Generator
TopicWorld = Callable[[Rng, int, int], Floats]  # topics, systems -> values[topic, system]
Noise = Callable[[Rng, tuple[int, ...]], Floats]  # mean 0, standard deviation 1
Qrels = dict[str, dict[str, int]]  # topic, docno: grade
Run = dict[str, dict[str, float]]  # topic, docno: score
MEAN = 0.25  # of every system in the worlds of topics
_STEPS = 20_000  # of the tables of quantiles
_SAME, _COPIED = 0.002, 0.2  # differences of scores that count as one; share of topics with one difference


def gaussian(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """Normal noise."""
    return rng.normal(size=shape)


def lopsided(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """Noise with a long tail to the right: exponential, its skewness is 2."""
    return rng.exponential(size=shape) - 1


def heavy_tailed(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """Noise with long tails to both sides: t with 3 degrees of freedom."""
    return rng.standard_t(3, size=shape) / np.sqrt(3)


# Scores of topics: values[topic, system], the same true mean for all systems


def normal(rng: Rng, topics: int, systems: int) -> Floats:
    """Topics differ, and systems differ on topics; every system varies alike."""
    return MEAN + 0.15 * gaussian(rng, (topics, 1)) + 0.1 * gaussian(rng, (topics, systems))


def unequal_spread(rng: Rng, topics: int, systems: int) -> Floats:
    """Normal; the last system varies four times as much as the first: differences vary as unequally as in TREC-8."""
    own = np.geomspace(0.05, 0.2, systems)
    return MEAN + 0.15 * gaussian(rng, (topics, 1)) + own * gaussian(rng, (topics, systems))


def bounded(rng: Rng, topics: int, systems: int) -> Floats:
    """Scores in [0, 1]: the first system is steady, the last is 0 on half of the topics and varies widely on others."""
    return _of_quantiles(_bounded_quantiles(systems), rng, topics, np.full(systems, 0.5))


def skewed(rng: Rng, topics: int, systems: int) -> Floats:
    """Scores with long tails to the right, the first system's longest: differences are as skewed as AP's in TREC."""
    return _of_quantiles(_gamma_quantiles(systems), rng, topics, np.full(systems, 0.5))


def binary(rng: Rng, topics: int, systems: int) -> Floats:
    """Success or none, with one chance for all; the first systems go by the topic, the last by luck."""
    table = np.tile(np.arange(_STEPS) >= (1 - MEAN) * _STEPS, (systems, 1)).astype(np.float64)
    return _of_quantiles(table, rng, topics, np.linspace(0.9, 0.1, systems))


def near_copies(rng: Rng, topics: int, systems: int) -> Floats:
    """Systems that score nearly the same: where one is worse, it loses the same on every topic."""
    return MEAN + 0.05 * gaussian(rng, (topics, 1)) + 0.002 * gaussian(rng, (topics, systems))


def rare_gains(rng: Rng, shape: tuple[int, ...], share: float = 0.08, gain: float = 0.5) -> Floats:
    """Differences of mean 0: a gain on a share of topics, on the others a small loss that makes up for it."""
    loss = gain * share / (1 - share)
    noise = np.clip(gaussian(rng, shape), -2, 2) * loss / 4
    return np.where(rng.random(shape) < share, gain, -loss) + noise


def rare_winner(rng: Rng, topics: int, systems: int) -> Floats:
    """Scores in [0, 1]: the first system gains on a few topics, and loses a little on all others, which score alike."""
    level = 0.25 + 0.1 * np.clip(gaussian(rng, (topics, 1)), -1.2, 1.2)
    y = level + 0.01 * np.clip(gaussian(rng, (topics, systems)), -3, 3)
    y[:, 0] += rare_gains(rng, (topics,))
    return np.asarray(y)


def rare_loser(rng: Rng, topics: int, systems: int) -> Floats:
    """The same the other way round: rare large losses."""
    return 1 - rare_winner(rng, topics, systems)


def _of_quantiles(table: Floats, rng: Rng, topics: int, loading: Floats) -> Floats:
    """Scores with the quantiles of table[system, step]; a system's rank goes by its topic to the degree of loading."""
    latent = np.sqrt(loading) * gaussian(rng, (topics, 1)) + np.sqrt(1 - loading) * gaussian(rng, (topics, len(table)))
    step = np.minimum((ndtr(latent) * _STEPS).astype(np.intp), _STEPS - 1)  # topic, system
    return np.asarray(table[np.arange(len(table)), step])


def _levels() -> Floats:
    return (np.arange(_STEPS) + 0.5) / _STEPS


@cache
def _bounded_quantiles(systems: int) -> Floats:
    zeros, size = np.linspace(0.0, 0.5, systems)[:, None], np.geomspace(30.0, 1.5, systems)[:, None]
    mean = MEAN / (1 - zeros)
    above = np.clip((_levels() - zeros) / (1 - zeros), 0, 1)  # system, step
    return _with_mean(np.where(_levels() < zeros, 0.0, stats.beta.ppf(above, mean * size, (1 - mean) * size)))


@cache
def _gamma_quantiles(systems: int) -> Floats:
    return _with_mean(stats.gamma.ppf(_levels(), np.geomspace(0.8, 4.0, systems)[:, None]))


def _with_mean(table: Floats) -> Floats:
    return np.asarray(table * (MEAN / table.mean(axis=1, keepdims=True)))


@dataclass(frozen=True, eq=False)
class Real:
    """Scores of a real experiment, values[topic, system]: worlds in which its systems are equally good."""

    scores: Floats

    def distinct(self) -> list[int]:
        """Systems that do not copy another on many topics: set to one mean, copies would differ without any spread."""
        kept: list[int] = []
        for system in range(self.scores.shape[1]):
            d = self.scores[:, [system]] - self.scores[:, kept]  # topic, other
            same = np.abs(d - np.median(d, axis=0)) < _SAME
            if not (same.mean(axis=0) > _COPIED).any():
                kept.append(system)
        return kept

    def shuffled(self, rng: Rng, topics: int, systems: int) -> Floats:
        """Some topics and systems, the scores of each topic handed out anew: every system has one distribution."""
        return rng.permuted(self._some(rng, self.scores, topics, systems), axis=1)

    def flipped(self, rng: Rng, topics: int, systems: int) -> Floats:
        """What topics and systems leave unexplained, its sign drawn for each topic: spreads and dependence are real."""
        topic, system = self.scores.mean(axis=1, keepdims=True), self.scores.mean(axis=0)
        left = self.scores - topic - system + self.scores.mean()
        signs = rng.choice([-1.0, 1.0], (topics, 1))
        return self.scores.mean() + signs * self._some(rng, left, topics, systems)

    def resampled(self, rng: Rng, topics: int, systems: int) -> Floats:
        """Topics drawn with replacement, each system moved to one mean: spreads, skewness and dependence are real."""
        level = self.scores - self.scores.mean(axis=0) + self.scores.mean()
        return self._some(rng, level, topics, systems, replace=True)

    @staticmethod
    def _some(rng: Rng, values: Floats, topics: int, systems: int, *, replace: bool = False) -> Floats:
        rows = rng.choice(len(values), topics, replace=replace)
        columns = rng.choice(values.shape[1], systems, replace=False)
        return np.asarray(values[np.ix_(rows, columns)])


# Scores on shards: values[topic, system, shard]


@dataclass(frozen=True)
class ShardWorld:
    """The standard deviation of each effect; all systems are equally good in the population that is drawn from."""

    topic: float = 0.15
    topic_system: float = 0.08
    shard: float = 0.02
    topic_shard: float = 0.05
    system_shard: float = 0.0  # above 0 where shards differ in kind
    dependent: float | None = None  # the same of the first system, where it depends on the kind more than the others
    residual: float = 0.1
    spread: float = 1.0  # of what is a system's own: the largest over the smallest
    noise: Noise = gaussian

    def values(
        self, rng: Rng, shape: tuple[int, int, int], *, these_topics: bool = False, these_shards: bool = False
    ) -> Floats:
        """Scores; with `these_topics` or `these_shards` systems are equal on those drawn, else on those to come."""
        (topics, systems, shards), own = shape, self._own(shape[1])
        by_topic = self.topic_system * own * self.noise(rng, (topics, systems, 1))
        by_shard = self._by_shard(own) * self.noise(rng, (1, systems, shards))
        return (
            self.topic * gaussian(rng, (topics, 1, 1))
            + self.shard * gaussian(rng, (1, 1, shards))
            + self.topic_shard * gaussian(rng, (topics, 1, shards))
            + (by_topic - by_topic.mean(axis=0) if these_topics else by_topic)
            + (by_shard - by_shard.mean(axis=2, keepdims=True) if these_shards else by_shard)
            + self.residual * own * self.noise(rng, shape)
        )

    def _by_shard(self, own: Floats) -> Floats:
        """The standard deviation of system:shard of each system: system, shard."""
        each = self.system_shard * own
        if self.dependent is not None:
            each[0] = self.dependent
        return each

    def _own(self, systems: int) -> Floats:
        """The factor of each system's own standard deviations: system, shard."""
        return np.geomspace(self.spread**-0.5, self.spread**0.5, systems)[:, None]


@dataclass(frozen=True, eq=False)
class RealShards:
    """Scores of a real experiment on many random shards, values[topic, system, shard], from which shards are drawn."""

    scores: Floats

    def documents(self, rng: Rng, shape: tuple[int, int, int]) -> Floats:
        """Shards drawn with replacement; on each of these topics all systems have one mean over all shards."""
        each = self.scores.mean(axis=2, keepdims=True)
        return self._some(rng, self.scores - each + each.mean(axis=1, keepdims=True), shape, replace=False)

    def topics(self, rng: Rng, shape: tuple[int, int, int]) -> Floats:
        """Topics drawn with replacement; on the shards that are drawn all systems have one mean over all topics."""
        drawn = self.scores[:, :, rng.choice(self.scores.shape[2], shape[2])]
        level = drawn - drawn.mean(axis=(0, 2), keepdims=True) + drawn.mean()
        rows = rng.choice(len(level), shape[0])
        return np.asarray(level[np.ix_(rows, rng.choice(level.shape[1], shape[1], replace=False))])

    def both(self, rng: Rng, shape: tuple[int, int, int]) -> Floats:
        """Topics and shards drawn with replacement; all systems have one mean over all of them."""
        level = self.scores - self.scores.mean(axis=(0, 2), keepdims=True) + self.scores.mean()
        return self._some(rng, level, shape, replace=True)

    @staticmethod
    def _some(rng: Rng, values: Floats, shape: tuple[int, int, int], *, replace: bool) -> Floats:
        rows = rng.choice(values.shape[0], shape[0], replace=replace)
        columns = rng.choice(values.shape[1], shape[1], replace=False)
        return np.asarray(values[np.ix_(rows, columns, rng.choice(values.shape[2], shape[2]))])


# Scores of instances: for each algorithm values[topic, instance]


@dataclass(frozen=True)
class InstanceWorld:
    """Algorithms of one true mean, with their own numbers of instances and their own standard deviations."""

    counts: tuple[int, ...]  # algorithm: its instances
    instance: tuple[float, ...]  # algorithm: of what an instance adds on all topics
    topic_algorithm: tuple[float, ...]  # algorithm: of what a topic adds for all its instances
    residual: tuple[float, ...]  # algorithm
    topic: float = 0.2
    noise: Noise = gaussian

    def values(self, rng: Rng, topics: int) -> list[Floats]:
        """Scores of each algorithm: topic, instance."""
        shared = 0.5 + self.topic * gaussian(rng, (topics, 1))
        return [
            shared
            + topic_sd * self.noise(rng, (topics, 1))
            + instance_sd * self.noise(rng, (1, count))
            + residual_sd * self.noise(rng, (topics, count))
            for count, instance_sd, topic_sd, residual_sd in zip(
                self.counts, self.instance, self.topic_algorithm, self.residual, strict=True
            )
        ]


# Runs on a corpus: qrels, and a ranked list for each system and topic


@dataclass(frozen=True, eq=False)
class Topics:
    """What stays when another corpus is drawn."""

    share: Floats  # topic: chance that a document is relevant
    separation: Floats  # topic, system: by how much relevant documents score higher


@dataclass(frozen=True)
class RunWorld:
    """A population of documents from which a corpus is drawn; systems of one strength are equally good in it."""

    strength: tuple[float, ...] = (1.4,) * 5  # system: by how much relevant documents score higher, in the mean
    documents: int = 1000
    depth: int = 100
    topic_system: float = 0.0  # standard deviation of the strength of a system over topics
    kinds: int = 1  # of documents, named at the start of a docno
    kind_system: float = 0.0  # standard deviation of the strength of a system over kinds, which are drawn with a corpus
    _shared: float = field(default=0.5, repr=False)  # of the variance of scores: how a document looks to all systems

    def topics(self, rng: Rng, count: int) -> Topics:
        """Draw topics."""
        hardness = 0.5 * gaussian(rng, (count, 1))
        own = self.topic_system * gaussian(rng, (count, len(self.strength)))
        return Topics(rng.uniform(0.01, 0.08, count), hardness + np.array(self.strength) + own)

    def corpus(self, rng: Rng, topics: Topics) -> tuple[Qrels, dict[str, Run]]:
        """Draw documents, judge them, and let the systems rank them."""
        kind = rng.integers(self.kinds, size=self.documents)
        by_kind = self.kind_system * gaussian(rng, (self.kinds, len(self.strength)))
        names = np.array([f"{chr(65 + one)}{number:05d}" for number, one in enumerate(kind)])
        qrels: Qrels = {}
        runs: dict[str, Run] = {f"s{system}": {} for system in range(len(self.strength))}
        for topic, share in enumerate(topics.share):
            grade = (rng.random(self.documents) < share) * rng.integers(1, 3, self.documents)
            found = np.flatnonzero(grade)
            qrels[f"t{topic}"] = dict(zip(names[found].tolist(), grade[found].tolist(), strict=True))
            gain = topics.separation[topic] + by_kind[kind]  # document, system
            scores = self._scores(rng, (grade > 0)[:, None] * gain)
            for system, run in enumerate(runs.values()):
                top = np.argsort(-scores[:, system])[: self.depth]
                run[f"t{topic}"] = dict(zip(names[top].tolist(), scores[top, system].tolist(), strict=True))
        return qrels, runs

    def _scores(self, rng: Rng, gain: Floats) -> Floats:
        """document, system."""
        looks = np.sqrt(self._shared) * gaussian(rng, (len(gain), 1))
        return gain + looks + np.sqrt(1 - self._shared) * gaussian(rng, gain.shape)


# Topics that are not drawn one by one: differences of two systems that are equally good


def clustered(rng: Rng, sizes: tuple[int, ...], correlation: float, noise: Noise = gaussian) -> tuple[Floats, Places]:
    """Differences of topics in clusters of these sizes, correlated within each; and the cluster of each topic."""
    cluster = np.repeat(np.arange(len(sizes), dtype=np.intp), sizes)
    common, own = noise(rng, (len(sizes),)), noise(rng, (len(cluster),))
    return np.sqrt(correlation) * common[cluster] + np.sqrt(1 - correlation) * own, cluster


def weighed(rng: Rng, topics: int, spread: float, tilt: float, noise: Noise = gaussian) -> tuple[Floats, Floats]:
    """Differences, and log-normal weights of topics, by which their mean is 0; a tilt makes frequent ones differ."""
    log = rng.normal(size=topics)
    return noise(rng, (topics,)) + tilt * (log - spread), np.exp(spread * log)


def stratified(
    rng: Rng, sizes: tuple[int, ...], shares: tuple[float, ...], noise: Noise = gaussian
) -> tuple[Floats, Places]:
    """Differences of topics in kinds, each with a mean and a spread of its own; by these shares the mean is 0."""
    kind = np.repeat(np.arange(len(sizes), dtype=np.intp), sizes)
    means = np.linspace(-1.0, 1.0, len(sizes))
    means -= float(np.array(shares) @ means)
    return means[kind] + np.linspace(0.5, 1.5, len(sizes))[kind] * noise(rng, (len(kind),)), kind
