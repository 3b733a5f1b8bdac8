"""Pairs of runs scored in images, under pools of their own top documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints, Weights
from irgauge.compute.jit import kernel
from irgauge.compute.tasks import Task, check_stop, in_threads, one_by_one
from irgauge.inference.tests.paired_t import t_of_differences
from irgauge.reading.collection import Collection
from irgauge.replicates.images import draw_images
from irgauge.replicates.undefined import check_defined
from irgauge.scoring.hits import weights_of
from irgauge.scoring.lists import Blocks, Lists, lists_of_systems
from irgauge.scoring.scorer import Scorer
from irgauge.studies.pools.chance import swapped_t
from irgauge.studies.pools.options import PoolsOptions

_BATCH = 256  # images at a time
_PAIRS = 16  # at a time


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
        """The whole lists, topic by topic: what is pooled may be below the last hit."""
        return Blocks(self.scorer.collection, None, alone=True)

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
                if options.progress is not None:
                    options.progress(len(batches), len(firsts) * len(self.pairs))
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
        both = np.empty((measures, 2, images))  # on one topic: all of them would take most of the memory
        for topic in range(topics):
            check_stop()
            lists = lists_of_systems(self.lists.lists(topic), pair)
            own = weights_of(weights, lists.documents)
            for pool, counted in enumerate(self._judged(lists, own)):
                self.scorer.score_images(lists, own, counted, both)
                is_undefined = np.isnan(both[:, 0])
                np.nan_to_num(both, copy=False)
                of_topics[pool, topic] = both[:, 0] - both[:, 1]
                judged[pool] += np.count_nonzero(counted[lists.judged_docs, 0]) / topics
            undefined += is_undefined  # with all judgments, which come last
        differences = np.moveaxis(of_topics, 2, 0)  # measure, pool, topic, image
        p = np.array([[t_of_differences(in_pool)[1] for in_pool in by_measure] for by_measure in differences])
        by_topic = differences if len(self.pairs) == 1 else None
        swapped = swapped_t(differences, self.signs)
        return InImages(differences.mean(axis=2), p, by_topic, judged, swapped, undefined / topics)

    def _judged(self, lists: Lists, weights: Weights) -> Iterator[Weights]:
        """The weights of the documents that are judged, for each depth and then for all judgments."""
        for depth in self.depths:
            yield _pooled(lists.docs, lists.firsts, lists.lengths, weights, depth)
        yield weights


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
