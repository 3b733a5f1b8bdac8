"""Pairs of runs scored in images, under pools of their own top documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Floats, Ints, Weights
from irgauge.inference.pairwise import t_of_differences
from irgauge.jit import kernel
from irgauge.replicates.images import draw_images
from irgauge.replicates.sparseness import check_defined
from irgauge.scoring.kernels import weights_of
from irgauge.scoring.scorer import Lists, Scorer, lists_of_systems
from irgauge.studies.pools.chance import swapped_t
from irgauge.studies.pools.options import Asked
from irgauge.threads import check_stop, in_threads, thread_count

_BATCH = 256  # images at a time


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

    def run(self, asked: Asked) -> list[InImages]:
        """Every pair in all images, the root first."""
        batches: list[list[InImages]] = []
        collection, images, workers = self.scorer.collection, asked.images, asked.workers
        for first in range(0, images, _BATCH):
            count = min(_BATCH, images - first)
            drawn = draw_images(collection, count, seed=asked.seed, first=first, workers=workers).weights
            batches.append([])
            for pair in self._differences(_with_root(drawn) if first == 0 else drawn, workers):
                if not (batches[0] or asked.sparse):
                    check_defined(self.undefined_share(pair), "no relevant document in an image", ["judge more"])
                batches[-1].append(pair)
                if asked.progress is not None:
                    asked.progress(sum(map(len, batches)), -(-images // _BATCH) * len(self.pairs))
        return [_joined([batch[i] for batch in batches]) for i in range(len(self.pairs))]

    def undefined_share(self, pair: InImages) -> dict[str, float]:
        """Measure -> the share of topics and images without a score; the first image is the root."""
        shares = pair.undefined[:, 1:].mean(axis=1).tolist()
        return dict(zip(map(str, self.scorer.measures), shares, strict=True))

    def _differences(self, weights: Weights, workers: int | None) -> Iterator[InImages]:
        """What each pair shows in a batch of images, in threads: a few pairs at a time, so that none is left over."""
        size = thread_count(workers)
        for first in range(0, len(self.pairs), size):
            yield from in_threads(partial(self._pair, weights=weights), self.pairs[first : first + size], size)

    def _pair(self, pair: tuple[int, int], weights: Weights) -> InImages:
        topics, images = len(self.scorer.collection.topics), weights.shape[1]
        values = np.empty((len(self.depths) + 1, topics, len(self.scorer.measures), 2, images))
        judged = np.zeros(len(self.depths) + 1)
        for topic in range(topics):
            check_stop()
            lists = lists_of_systems(self.scorer.lists(topic), pair)
            own = weights_of(weights, lists.documents)
            for pool, counted in enumerate(self._judged(lists, own)):
                self.scorer.score_images(lists, own, counted, values[pool, topic])
                judged[pool] += np.count_nonzero(counted[lists.judged_docs, 0]) / topics
        scores = np.nan_to_num(values)
        differences = np.moveaxis(scores[:, :, :, 0] - scores[:, :, :, 1], 2, 0)  # measure, pool, topic, image
        _, p = t_of_differences(np.moveaxis(differences, 2, 0))
        by_topic = differences if len(self.pairs) == 1 else None
        undefined = np.isnan(values[-1, :, :, 0]).mean(axis=0)  # measure, image
        return InImages(differences.mean(axis=2), p, by_topic, judged, swapped_t(differences, self.signs), undefined)

    def _judged(self, lists: Lists, weights: Weights) -> Iterator[Weights]:
        """The weights of the documents that are judged, for each depth and then for all judgments."""
        for depth in self.depths:
            yield _pooled(lists.docs, lists.firsts, lists.lengths, weights, depth)
        yield weights


@kernel
def _pooled(docs: NDArray[np.int32], firsts: Ints, lengths: Ints, weights: Weights, depth: int) -> Weights:
    """The weights of the documents in the top `depth` of any list, and 0 for all others (doc, image).

    A document of which one copy is in the top is judged, and all its copies with it.
    """
    images = weights.shape[1]
    pooled = np.zeros_like(weights)
    for system in range(len(firsts)):
        seen = np.zeros(images, np.int64)
        for entry in range(firsts[system], firsts[system] + lengths[system]):
            if seen.min() >= depth:
                break
            for image in range(images):
                if seen[image] < depth:
                    pooled[docs[entry], image] = weights[docs[entry], image]
                    seen[image] += weights[docs[entry], image]
    return pooled


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
