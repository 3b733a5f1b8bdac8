"""What is kept of bootstrap images: drawn and scored batch by batch, so that memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from irgauge.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.jit import kernel
from irgauge.replicates.images import draw_images, draw_topics
from irgauge.replicates.sparseness import check_defined
from irgauge.scoring.scorer import Scorer, each_topic
from irgauge.scoring.scores import Scores
from irgauge.studies.bootstrap.moments import Moments
from irgauge.studies.bootstrap.options import Asked

_BATCH = 64  # images at a time: the weights of a document are then one cache line
_MOST_BYTES = 1 << 28  # of the scores of a batch


class Gathering:
    """What is kept of the images, added to batch by batch."""

    def __init__(self, scorer: Scorer, root: Floats, asked: Asked) -> None:
        self.scorer, self.root, self.asked = scorer, root, asked
        self.means = np.empty((len(root), root.shape[2], asked.images))  # measure, system, image
        self.undefined = np.zeros(len(root), np.int64)  # measure: topics and images without a score
        self.moments = None if asked.draw == "topics" else Moments(root)

    def batches(self) -> Iterator[tuple[int, int]]:
        """Bounds of batches."""
        images, size = self.asked.images, min(_BATCH, max(1, _MOST_BYTES // (8 * self.root.size)))
        for first in range(0, images, size):
            yield first, min(first + size, images)

    def add(self, first: int, last: int) -> Scores | None:
        """Draw images `first` to `last` and add them: their scores, where documents are drawn."""
        times = self._times(first, last)
        if self.moments is None:
            values = np.repeat(self.root[..., None], last - first, axis=3)
            self.means[..., first:last] = _checked_means(values, times, first)
            return None
        scores = self._scores(first, last)
        self.undefined += np.isnan(scores.values[:, :, 0]).sum(axis=(1, 2))
        if first == 0 and not self.asked.sparse:
            self._check_defined(last)
        values = scores.values if self.asked.undefined == "skip" else np.nan_to_num(scores.values)
        self._add_moments(self.moments, values)
        self.means[..., first:last] = _checked_means(values, times, first)
        return scores

    def undefined_share(self, images: int) -> dict[str, float]:
        """Measure -> the share of topics and images without a score, of so many images."""
        cells = self.root.shape[1] * images
        return {str(measure): float(n) / cells for measure, n in zip(self.scorer.measures, self.undefined, strict=True)}

    def _check_defined(self, images: int) -> None:
        """Refuse images in which most scores are undefined, after the first of them."""
        check_defined(self.undefined_share(images), "no relevant document in an image", ["draw topics (draw: topics)"])

    def _times(self, first: int, last: int) -> Ints:
        """How often each topic is drawn in each image."""
        topics = self.root.shape[1]
        if self.asked.draw == "documents":
            return np.ones((topics, last - first), np.int64)
        return draw_topics(topics, last - first, seed=self.asked.seed, first=first)

    def _scores(self, first: int, last: int) -> Scores:
        collection, workers = self.scorer.collection, self.asked.workers
        drawn = draw_images(collection, last - first, seed=self.asked.seed, first=first, workers=workers)
        values = self.scorer.score(drawn, workers=workers)
        return Scores(values, self.scorer.measures, collection.topics, collection.systems, drawn.names)

    def _add_moments(self, moments: Moments, values: Floats) -> None:
        def add_one(topic: int) -> None:
            for measure in range(len(values)):
                moments.add(measure, topic, values[measure, topic])

        each_topic(values.shape[1], add_one, self.asked.workers)


def _checked_means(values: Floats, times: Ints, first: int) -> Floats:
    means = _means(values, times)
    empty = np.flatnonzero(np.isnan(means).any(axis=(0, 1)))
    if len(empty):
        message = f"image {first + empty[0] + 1} leaves some measure without a topic that is defined"
        raise DesignError(f"{message}; score undefined topics 0 instead of leaving them out")
    return means


@kernel
def _means(values: Floats, times: Ints) -> Floats:
    """Means over topics (measure, system, image), topic by topic, so that batches do not matter."""
    measures, topics, systems, images = values.shape
    means = np.zeros((measures, systems, images))
    for measure in range(measures):
        counts = np.zeros(images, np.int64)
        for topic in range(topics):
            for image in range(images):
                if not np.isnan(values[measure, topic, 0, image]):
                    counts[image] += times[topic, image]
                    for system in range(systems):
                        means[measure, system, image] += times[topic, image] * values[measure, topic, system, image]
        means[measure] /= counts
    return means
