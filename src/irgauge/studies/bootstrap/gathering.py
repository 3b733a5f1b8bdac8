"""What is kept of bootstrap images: drawn and scored batch by batch, so that memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from importlib.metadata import version

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import kernel
from irgauge.compute.tasks import in_threads, worth_threads
from irgauge.errors import DesignError
from irgauge.replicates.images import draw_images, draw_topics
from irgauge.replicates.kept import Bounds, fingerprint, keeping
from irgauge.replicates.undefined import check_defined
from irgauge.scoring.scorer import Scorer, scored
from irgauge.scoring.scores import Scores
from irgauge.studies.bootstrap.moments import Moments
from irgauge.studies.bootstrap.options import BootstrapOptions, Draw

_BATCH = 64  # images at a time: the weights of a document are then one cache line
_MOST_BYTES = 1 << 28  # of the scores of a batch
_CELLS = 1 << 16  # of systems and images, whose moments one thread adds at a time


class Gathering:
    """What is kept of the images, added to batch by batch."""

    def __init__(self, scorer: Scorer, root: Floats, options: BootstrapOptions, draws: Sequence[Draw]) -> None:
        self.scorer, self.root, self.asked = scorer, root, options
        shape = len(root), root.shape[2], options.images
        self.means = {draw: np.empty(shape) for draw in draws}  # measure, system, image
        self.undefined = np.zeros(len(root), np.int64)  # measure: topics and images without a score
        self.moments = None if options.draw == "topics" else Moments(root, pairs=options.pairs or options.held_out > 0)

    def gather(self) -> None:
        """Draw, score and add all images but those that an earlier try has kept; keep them where that is asked for."""
        asked, batches = self.asked, self.batches()
        with keeping(asked.keep, self._settings if asked.keep else {}, batches) as shelf:
            kept = {batch for batch in batches if shelf.has(batch)}  # once: another process may keep some meanwhile
            drawn = self._drawn([batch for batch in batches if batch not in kept])
            for batch in batches:
                if batch not in kept:
                    values = next(drawn)
                    shelf.put(batch, self._scores(batch, values))
                else:
                    values = shelf.take(batch, (*self.root.shape, batch[1] - batch[0]))
                self._add(batch, values)
                if asked.told is not None:
                    asked.told(batch[1], asked.images)

    def batches(self) -> list[Bounds]:
        """Bounds of batches."""
        return self._bounds(0, self.asked.images)

    def further(self, count: int) -> Iterator[Floats]:
        """The scores in so many images after those gathered, in batches; measure, topic, system, image."""
        images = self.asked.images
        drawn = self._drawn(self._bounds(images, images + count))
        return drawn if self.asked.undefined == "skip" else map(np.nan_to_num, drawn)

    def _bounds(self, start: int, end: int) -> list[Bounds]:
        size = min(_BATCH, max(1, _MOST_BYTES // (8 * self.root.size)))
        return [(first, min(first + size, end)) for first in range(start, end, size)]

    def _drawn(self, batches: Sequence[Bounds]) -> Iterator[Floats]:
        """The scores in batches of images (measure, topic, system, image): undefined where nothing is relevant."""
        if self.moments is None:
            return (np.repeat(self.root[..., None], last - first, axis=3) for first, last in batches)
        score = partial(_in_images, seed=self.asked.seed, workers=self.asked.workers)
        return scored(self.scorer, score, batches, _named)

    @property
    def _settings(self) -> dict[str, object]:
        """What the scores in images rest on."""
        return {
            "irgauge": version("irgauge"),
            "data": fingerprint(self.scorer.collection),
            "measures": list(map(str, self.scorer.measures)),
            "images": self.asked.images,
            "seed": self.asked.seed,
        }

    def _scores(self, batch: Bounds, values: Floats) -> Scores:
        """The scores in a batch, with their names."""
        collection, names = self.scorer.collection, tuple(str(image + 1) for image in range(*batch))
        return Scores(values, self.scorer.measures, collection.topics, collection.systems, names)

    def _add(self, batch: Bounds, values: Floats) -> None:
        """Add the scores in a batch of images."""
        first, last = batch
        if self.moments is not None:
            self.undefined += np.isnan(values[:, :, 0]).sum(axis=(1, 2))
            if first == 0 and not self.asked.sparse:
                self._check_defined(last)
            values = values if self.asked.undefined == "skip" else np.nan_to_num(values)
            self._add_moments(self.moments, values)
        for draw, means in self.means.items():
            means[..., first:last] = _checked_means(values, self._times(draw, first, last), first)

    def undefined_share(self, images: int) -> dict[str, float]:
        """Measure -> the share of topics and images without a score, of so many images."""
        cells = self.root.shape[1] * images
        return {str(measure): float(n) / cells for measure, n in zip(self.scorer.measures, self.undefined, strict=True)}

    def _check_defined(self, images: int) -> None:
        """Refuse images in which most scores are undefined, after the first of them."""
        check_defined(self.undefined_share(images), "no relevant document in an image", ["draw topics (draw: topics)"])

    def _times(self, draw: Draw, first: int, last: int) -> Ints:
        """How often each topic is drawn in each image."""
        topics = self.root.shape[1]
        if draw == "documents":
            return np.ones((topics, last - first), np.int64)
        return draw_topics(topics, last - first, seed=self.asked.seed, first=first)

    def _add_moments(self, moments: Moments, values: Floats) -> None:
        def add_some(topics: slice) -> None:
            for measure in range(len(values)):
                moments.add(measure, topics, values[measure, topics])

        size = max(1, _CELLS // values[0, 0].size)
        some = [slice(first, first + size) for first in range(0, values.shape[1], size)]
        in_threads(add_some, some, worth_threads(self.asked.workers, values.size))


def _in_images(scorer: Scorer, batch: Bounds, seed: int, workers: int | None) -> Floats:
    """Draw a batch of images, and score it."""
    first, last = batch
    draw = partial(draw_images, scorer.collection, documents=scorer.documents, workers=workers)
    return scorer.score(draw(last - first, seed=seed, first=first), workers=workers)


def _named(batch: Bounds) -> str:
    return f"images {batch[0] + 1} to {batch[1]}"


def _checked_means(values: Floats, times: Ints, first: int) -> Floats:
    means = _means(values, times)
    empty = np.flatnonzero(np.isnan(means).any(axis=(0, 1)))
    if len(empty):
        message = f"image {first + empty[0] + 1} leaves some measure without a topic that is defined"
        raise DesignError(f"{message}; score undefined topics 0 instead of leaving them out")
    return means


def _means(values: Floats, times: Ints) -> Floats:
    """Means over topics (measure, system, image), topic by topic, so that batches do not matter."""
    measures, _, systems, images = values.shape
    means, counts = np.zeros((measures, systems, images)), np.zeros((measures, images), np.int64)
    _add_up(values, times, means, counts, np.empty(images, np.int64))
    with np.errstate(invalid="ignore"):  # of no topic there is no mean
        return means / counts[:, None]


@kernel
def _add_up(values: Floats, times: Ints, sums: Floats, counts: Ints, own: Ints) -> None:
    """Add topics, as often as each image has them."""
    measures, topics, systems, images = values.shape
    for measure in range(measures):
        for topic in range(topics):
            for image in range(images):
                own[image] = 0 if np.isnan(values[measure, topic, 0, image]) else times[topic, image]
                counts[measure, image] += own[image]
            for system in range(systems):
                for image in range(images):
                    if own[image]:
                        sums[measure, system, image] += own[image] * values[measure, topic, system, image]
