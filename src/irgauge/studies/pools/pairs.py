"""Pairs of runs under shallow pools: scored in images, and what pools, or chance alone, do to confidence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.brief import OneLine
from irgauge.compute.arrays import Bools, Floats, Ints, Weights
from irgauge.compute.jit import kernel
from irgauge.compute.tasks import Task, check_stop, in_threads, one_by_one
from irgauge.inference.tests.paired_t import t_of_differences
from irgauge.reading.collection import Collection
from irgauge.replicates.images import draw_images
from irgauge.replicates.undefined import check_defined
from irgauge.scoring.hits import weights_of
from irgauge.scoring.lists import Blocks, Lists, lists_of_systems, side_by_side
from irgauge.scoring.scorer import Scorer
from irgauge.studies.pools.options import PoolsOptions

FALLS_TO = 0.5  # of the p-value with all judgments: from here on p is said to fall
RANGE = (0.05, 0.95)  # of images, between which differences and p-values are told


@dataclass(frozen=True, eq=False, repr=False)
class PairPools(OneLine):
    """The difference of two runs and its p-value, for each pool on the root and in every image."""

    system: str
    against: str
    root_difference: Floats  # measure, pool
    root_p: Floats  # measure, pool
    difference: Floats  # measure, pool, image
    p: Floats  # measure, pool, image
    chance_gain: Floats  # measure, pool: how often exchangeable runs gain as much confidence with some pool
    chance_loss: Floats  # measure, pool: how often they lose as much

    @cached_property
    def median_p(self) -> Floats:
        """The median over images: measure, pool."""
        return np.median(self.p, axis=2)

    @cached_property
    def lower(self) -> Floats:
        """The share of images in which p is lower than with all judgments: measure, pool."""
        return (self.p < self.p[:, -1:]).mean(axis=2)

    @cached_property
    def falls(self) -> Bools:
        """Whether p is lower than with all judgments in most images, and its median at most half: measure, pool."""
        return (self.lower > 0.5) & (self.median_p <= FALLS_TO * self.median_p[:, -1:])

    @cached_property
    def rises(self) -> Bools:
        """The opposite: in most images p is higher, and its median at least twice theirs."""
        higher = (self.p > self.p[:, -1:]).mean(axis=2)
        return (higher > 0.5) & (FALLS_TO * self.median_p >= self.median_p[:, -1:])

    def gains(self, alpha: float) -> Bools:
        """Whether fewer judgments bring more confidence, beyond what exchangeable runs show: measure, pool."""
        return self.falls & (self.chance_gain <= alpha)

    def loses(self, alpha: float) -> Bools:
        """Whether fewer judgments bring less confidence, beyond what exchangeable runs show: measure, pool."""
        return self.rises & (self.chance_loss <= alpha)

    @cached_property
    def median_difference(self) -> Floats:
        """The median over images: measure, pool."""
        return np.median(self.difference, axis=2)

    @cached_property
    def turns(self) -> Bools:
        """Whether the median difference favours the other run than with all judgments: measure, pool."""
        return self.median_difference * self.median_difference[:, -1:] < 0

    @cached_property
    def difference_range(self) -> Floats:
        """The bounds of the differences of most images: bound, measure, pool."""
        return np.quantile(self.difference, RANGE, axis=2)

    @cached_property
    def p_range(self) -> Floats:
        """The bounds of the p-values of most images: bound, measure, pool."""
        return np.quantile(self.p, RANGE, axis=2)

    def significant(self, alpha: float) -> Floats:
        """The share of images in which the runs differ: measure, pool."""
        return (self.p <= alpha).mean(axis=2)

    def over_images(self, alpha: float) -> dict[str, Floats]:
        """What images say of the pair, by the names of records and frames: measure, pool."""
        return {
            "median_difference": self.median_difference,
            "difference_low": self.difference_range[0],
            "difference_high": self.difference_range[1],
            "median_p": self.median_p,
            "p_low": self.p_range[0],
            "p_high": self.p_range[1],
            "significant": self.significant(alpha),
        }


SWAPS = 999  # random ways to swap the two runs, topic by topic
_LEAST = 1e-12  # a variance, as a part of the mean square: so that t is finite where all differences are the same
_SAME = 1e-9  # t values as near as this are ties


def swaps(topics: int, seed: int) -> Floats:
    """−1 where the runs are swapped, else 1: draw, topic; nothing is swapped in the first draw."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, 2)))  # images draw with (i,) and (i, 1)
    signs = np.ones((1 + SWAPS, topics))
    for draw in signs[1:]:  # one after the other takes a third of the memory
        draw[:] = rng.choice((-1.0, 1.0), topics)
    return signs


def swapped_t(differences: Floats, signs: Floats) -> Floats:
    """Student's t over topics, summed over images, in every draw: draw, measure, pool.

    From differences[measure, pool, topic, image] and signs[draw, topic]. On a swapped topic the difference has the
    other sign with every pool and in every image; its square stays.
    """
    topics = differences.shape[2]
    total = np.empty((len(signs), *differences.shape[:2]))
    for place in np.ndindex(*differences.shape[:2]):
        square = np.square(differences[place]).mean(axis=0)  # image
        mean = signs @ differences[place] / topics  # draw, image
        variance = np.maximum(square - mean * mean, _LEAST * square) / (topics - 1)
        total[(slice(None), *place)] = np.divide(mean, np.sqrt(variance), where=variance > 0, out=mean).sum(axis=1)
    return total


def chances(t: Floats) -> tuple[Floats, Floats]:
    """The share of draws that gain, and that lose, with some pool as much as the first: measure, pool.

    From t[draw, measure, pool], the last pool all judgments. With t_k by a pool and t by all judgments, a gain is
    r = (t_k − t) sign(t_k + t), above 0 where p is lower with the pool, over the root mean square of r in all draws.
    Under exchangeable runs no draw differs from another, so that some pool's share is at most α in at most α of pairs
    of runs.

    >>> gain, loss = chances(np.array([[[3.0, 2.0]], [[1.0, 1.5]], [[-0.5, 0.2]], [[0.1, 0.0]]]))
    >>> gain.tolist(), loss.tolist()
    ([[0.25, 1.0]], [[1.0, 1.0]])
    """
    shallow, complete = t[..., :-1], t[..., -1:]
    gain = (shallow - complete) * np.sign(shallow + complete)  # draw, measure, pool
    spread = np.sqrt(np.square(gain).mean(axis=0))
    gain = np.divide(gain, spread, where=spread > 0, out=np.zeros_like(gain))
    return _share(gain), _share(-gain)


def _share(gain: Floats) -> Floats:
    """The share of draws whose largest gain reaches that of the first draw, and 1 for all judgments."""
    reaches = gain.max(axis=2, keepdims=True) >= gain[:1] - _SAME
    shares = reaches.mean(axis=0)  # measure, pool
    return np.concatenate([shares, np.ones((len(shares), 1))], axis=1)


_BATCH = 256  # images at a time
_PAIRS = 16  # at a time
_WEIGHTS = 1 << 20  # of documents in images, of topics that are scored together: as many as the cache of a core holds


class InImages(NamedTuple):
    """What is found of one pair in some images."""

    difference: Floats  # measure, pool, image
    p: Floats  # measure, pool, image
    topics: Floats | None  # measure, pool, topic, image; kept of a single pair
    judged: Floats  # pool: documents judged for a topic in the first image, mean over topics
    swapped: Floats  # draw, measure, pool: t with the runs swapped on some topics, summed over images
    undefined: Floats  # measure, image: share of topics without a score, with all judgments


@dataclass(frozen=True)
class Survey:
    """Pairs of systems, and the depths of the pools under which they are scored."""

    scorer: Scorer
    depths: tuple[int, ...]
    pairs: list[tuple[int, int]]
    signs: Floats  # draw, topic: −1 where the two runs are swapped

    @cached_property
    def lists(self) -> Blocks:
        """The lists topic by topic, as far as scores depend on them and as the deepest pool may reach."""
        return Blocks(self.scorer.collection, self.scorer.levels_read, alone=True, least=_reach(max(self.depths)))

    @cached_property
    def drawn(self) -> _Drawn:
        """The images, of the documents in these lists."""
        return _Drawn(self.scorer.collection, self.lists.documents)

    def __getstate__(self) -> dict[str, object]:
        """Without lists and images: they are made again elsewhere."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def run(self, options: PoolsOptions) -> list[InImages]:
        """Every pair in all images, the root first."""
        firsts, batches = range(0, options.images, _BATCH), list[InImages]()
        some = [slice(place, place + _PAIRS) for place in range(0, len(self.pairs), _PAIRS)]
        work = partial(_differences, options=options)
        jobs = [(first, pairs) for first in firsts for pairs in some]
        for pairs in one_by_one(Task(work, self, job, f"images from {job[0] + 1} on") for job in jobs):
            if not (batches or options.sparse):
                check_defined(self.undefined_share(pairs[0]), "no relevant document in an image", ["judge more"])
            for pair in pairs:
                batches.append(pair)
                if options.told is not None:
                    options.told(len(batches), len(firsts) * len(self.pairs))
        return [_joined(batches[pair :: len(self.pairs)]) for pair in range(len(self.pairs))]

    def undefined_share(self, pair: InImages) -> dict[str, float]:
        """Measure -> the share of topics and images without a score; the first image is the root."""
        shares = pair.undefined[:, 1:].mean(axis=1).tolist()
        return dict(zip(map(str, self.scorer.measures), shares, strict=True))

    def pair(self, pair: tuple[int, int], weights: Weights) -> InImages:
        """What one pair shows in a batch of images."""
        topics, measures, images = len(self.scorer.collection.topics), len(self.scorer.measures), weights.shape[1]
        of_topics = np.empty((len(self.depths) + 1, topics, measures, images))
        judged, undefined = np.zeros(len(self.depths) + 1), np.zeros((measures, images))
        for some in self._blocks(images):
            check_stop()
            lists = side_by_side([lists_of_systems(self.lists.lists(topic), pair) for topic in some])
            own = weights_of(weights, lists.documents)
            both = np.empty((measures, 2, len(some) * images))  # of all topics they would take most of the memory
            for pool, counted in enumerate(self._judged(lists, own)):
                self.scorer.score_images(lists, own, counted, both)
                scores = both.reshape(measures, 2, len(some), images)
                is_undefined = np.isnan(scores[:, 0])
                np.nan_to_num(scores, copy=False)
                of_topics[pool, some.start : some.stop] = (scores[:, 0] - scores[:, 1]).swapaxes(0, 1)
                is_judged = counted[lists.judged_docs, 0] > 0
                for first, last in pairwise(lists.judged_bounds.tolist()):
                    judged[pool] += np.count_nonzero(is_judged[first:last]) / topics
            undefined += is_undefined.sum(axis=1)  # with all judgments, which come last
        differences = np.moveaxis(of_topics, 2, 0)  # measure, pool, topic, image
        p = np.array([[t_of_differences(in_pool)[1] for in_pool in by_measure] for by_measure in differences])
        by_topic = differences if len(self.pairs) == 1 else None
        swapped = swapped_t(differences, self.signs)
        return InImages(differences.mean(axis=2), p, by_topic, judged, swapped, undefined / topics)

    def _blocks(self, images: int) -> list[range]:
        """Topics that are scored together; those with subtopics alone."""
        topics, entries = len(self.scorer.collection.topics), int(self.lists.lengths.sum())
        size = 1 if self.scorer.has_diversity else max(1, _WEIGHTS * topics // max(entries * images, 1))
        return [range(first, min(first + size, topics)) for first in range(0, topics, size)]

    def _judged(self, lists: Lists, weights: Weights) -> Iterator[Weights]:
        """The weights of the documents that are judged, for each depth and then for all judgments."""
        for depth in self.depths:
            yield _pooled(lists.docs, lists.firsts, lists.lengths, weights, depth)
        yield weights


def _reach(depth: int) -> int:
    """How many entries hold so many documents in any image, each once on average: but for a chance below 1e-20."""
    return depth + 10 * math.isqrt(depth) + 50


def _differences(survey: Survey, job: tuple[int, slice], options: PoolsOptions) -> list[InImages]:
    """What some pairs show in a batch of images, in threads."""
    first, pairs = job
    weights = survey.drawn.weights(first, options)
    return in_threads(partial(survey.pair, weights=weights), survey.pairs[pairs], options.workers)


class _Drawn:
    """The batch of images that was drawn last, since many pairs in turn need the same."""

    def __init__(self, collection: Collection, documents: NDArray[np.int32]) -> None:
        self._collection, self._documents = collection, documents
        self._last: tuple[int, Weights] | None = None

    def weights(self, first: int, options: PoolsOptions) -> Weights:
        """How often each document is in each image of the batch, from its first image on; the root before all."""
        last = self._last
        if last is None or last[0] != first:
            draw = partial(draw_images, self._collection, documents=self._documents, workers=options.workers)
            images = draw(min(_BATCH, options.images - first), seed=options.seed, first=first)
            last = self._last = first, images.weights if first else _with_root(images.weights)
        return last[1]


def _pooled(docs: NDArray[np.int32], firsts: Ints, lengths: Ints, weights: Weights, depth: int) -> Weights:
    """The weights of the documents in the top `depth` of any list, and 0 for all others (doc, image).

    A document of which one copy is in the top is judged, and all its copies with it.
    """
    pooled = np.zeros_like(weights)
    seen = np.zeros((len(firsts), weights.shape[1]), np.int64)  # system, image
    _pool((docs, firsts, lengths), weights, depth, seen, pooled)
    return pooled


@kernel
def _pool(
    lists: tuple[NDArray[np.int32], Ints, Ints], weights: Weights, depth: int, seen: Ints, pooled: Weights
) -> None:
    docs, firsts, lengths = lists
    for system in range(len(firsts)):
        entry, last, left = firsts[system], firsts[system] + lengths[system], weights.shape[1]  # images to be filled
        while entry < last and left > 0:
            left = 0
            for image in range(weights.shape[1]):
                if seen[system, image] < depth:
                    pooled[docs[entry], image] = weights[docs[entry], image]
                    seen[system, image] += weights[docs[entry], image]
                    left += seen[system, image] < depth
            entry += 1


def _with_root(weights: Weights) -> Weights:
    """The root, in which every document appears once, before the images."""
    return np.concatenate([np.ones((len(weights), 1), np.uint8), weights], axis=1)


def _joined(parts: list[InImages]) -> InImages:
    """One pair in all images, the root first."""
    topics = [part.topics for part in parts if part.topics is not None]
    return InImages(
        difference=np.concatenate([part.difference for part in parts], axis=2),
        p=np.concatenate([part.p for part in parts], axis=2),
        topics=np.concatenate(topics, axis=3) if topics else None,
        judged=parts[0].judged,
        swapped=np.sum([part.swapped for part in parts], axis=0),
        undefined=np.concatenate([part.undefined for part in parts], axis=1),
    )
