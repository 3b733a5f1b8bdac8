"""What is kept of bootstrap images: drawn and scored batch by batch, so that memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import kernel
from irgauge.compute.tasks import are_elsewhere
from irgauge.errors import DesignError
from irgauge.replicates.images import draw_images, draw_topics
from irgauge.replicates.kept import Bounds, Shelf, fingerprint, keeping
from irgauge.replicates.undefined import check_defined
from irgauge.scoring.scorer import Part, Scorer, blocks, in_parts, scored
from irgauge.scoring.scores import Scores
from irgauge.studies.bootstrap.moments import Frame, Moments, Sums
from irgauge.studies.bootstrap.options import BootstrapOptions, Draw

_BATCH = 64  # images at a time: the weights of a document are then one cache line
_MOST_BYTES = 1 << 28  # of the scores of a batch
_LEAST = 64  # images of a chunk
_FEWEST = 4  # chunks, if there are so many images: as many workers have something to do
_FOR_EACH = 2  # images of a chunk for each system: the products of pairs are then at most a quarter of the scores

Chunk = list[Bounds]  # batches of images, whose sums are made in one place


class Wanted(NamedTuple):
    """What is to be added up: the images of a chunk, on a block of topics."""

    chunk: Chunk
    block: slice
    topics: int  # of all blocks
    frame: Frame | None  # of moments; None where documents are not drawn
    options: BootstrapOptions
    draws: Sequence[Draw]

    def times(self, draw: Draw, batch: Bounds) -> Ints:
        """How often each topic of the block is drawn in each image."""
        first, last = batch
        if draw == "documents":
            return np.ones((self.block.stop - self.block.start, last - first), np.int64)
        return draw_topics(self.topics, last - first, seed=self.options.seed, first=first)[self.block]


class Added:
    """What a chunk adds to what is kept of a block: sums over the topics of the block, or over the images."""

    def __init__(self, wanted: Wanted, histograms: NDArray[np.uint32] | None = None) -> None:
        self.means: list[list[tuple[Floats, Ints]]] = []  # batch, draw: measure, system, image; measure, image
        self.undefined = np.zeros((), np.int64)  # measure: topics and images without a score
        self.moments = None if wanted.frame is None else Sums(wanted.frame, histograms)

    def add(self, wanted: Wanted, batch: Bounds, values: Floats) -> None:
        """Add the scores in a batch, undefined where nothing is relevant: zeros are written over these, where asked."""
        if self.moments is not None and wanted.frame is not None:
            is_undefined = np.isnan(values[:, :, 0])  # for one system as for all: measure, topic, image
            self.undefined = self.undefined + is_undefined.sum(axis=(1, 2))
            if wanted.options.undefined != "skip":
                values.swapaxes(2, 3)[is_undefined] = 0.0
            self.moments.add(wanted.frame, np.ascontiguousarray(values), wanted.options.workers)
        self.means.append([_added_up(values, wanted.times(draw, batch)) for draw in wanted.draws])


class Gathering:
    """What is kept of the images, added to chunk by chunk."""

    def __init__(self, scorer: Scorer, root: Floats, options: BootstrapOptions, draws: Sequence[Draw]) -> None:
        self.scorer, self.root, self.asked = scorer, root, options
        shape = len(root), root.shape[2], options.images
        self.means = {draw: np.empty(shape) for draw in draws}  # measure, system, image
        self.undefined = np.zeros(len(root), np.int64)  # measure: topics and images without a score
        self.moments = None if options.draw == "topics" else Moments(root, pairs=options.pairs or options.held_out > 0)
        self._blocks = blocks(scorer.lengths)

    def gather(self) -> None:
        """Draw, score and add all images but those that an earlier try has kept; keep them where that is asked for."""
        chunks, asked = self._chunks(), self.asked
        if are_elsewhere() and self.moments is not None and asked.keep is None:
            for chunk, added in zip(chunks, self._added_elsewhere(chunks), strict=True):
                self._add(chunk, added)
                self._tell(chunk[-1])
            return
        with keeping(asked.keep, self._settings if asked.keep else {}, _batches(chunks)) as shelf:
            drawn = self._kept_or_drawn(_batches(chunks), shelf)
            for chunk in chunks:
                self._add(chunk, self._added(chunk, drawn))

    def further(self, count: int) -> Iterator[Floats]:
        """The scores in so many images after those gathered, in batches; measure, topic, system, image."""
        images = self.asked.images
        drawn = self._drawn(self._bounds(images, images + count))
        return drawn if self.asked.undefined == "skip" else map(np.nan_to_num, drawn)

    def _chunks(self) -> list[Chunk]:
        """The images, divided in the same way wherever they are drawn."""
        images, most = self.asked.images, _FOR_EACH * self.root.shape[2] // _LEAST * _LEAST
        size = max(_LEAST, min(most, -(-images // (_FEWEST * _LEAST)) * _LEAST))
        return [self._bounds(first, min(first + size, images)) for first in range(0, images, size)]

    def _bounds(self, start: int, end: int) -> list[Bounds]:
        size = min(_BATCH, max(1, _MOST_BYTES // (8 * self.root.size)))
        return [(first, min(first + size, end)) for first in range(start, end, size)]

    def _wanted(self, chunk: Chunk, block: slice) -> Wanted:
        frame = None if self.moments is None else self.moments.frame(block)
        return Wanted(chunk, block, self.root.shape[1], frame, self.asked, tuple(self.means))

    def _added_elsewhere(self, chunks: Sequence[Chunk]) -> Iterator[list[Added]]:
        """What each chunk adds, block by block: scores stay where they are made."""

        def wanted(chunk: Chunk, part: Part) -> Wanted:
            return self._wanted(chunk, *part.blocks)  # it is one

        return in_parts(self.scorer, _in_chunk, chunks, wanted, _chunk_named)

    def _added(self, chunk: Chunk, drawn: Iterator[Floats]) -> list[Added]:
        """What a chunk adds, block by block, of scores in its batches."""
        wanted = [self._wanted(chunk, block) for block in self._blocks]
        histograms = None if self.moments is None else self.moments.histograms
        added = [Added(of, None if histograms is None else histograms[:, of.block]) for of in wanted]
        for batch in chunk:
            values = next(drawn)
            for own, of in zip(added, wanted, strict=True):
                own.add(of, batch, values[:, of.block])
            self._tell(batch)
        return added

    def _tell(self, batch: Bounds) -> None:
        if self.asked.told is not None:
            self.asked.told(batch[1], self.asked.images)

    def _kept_or_drawn(self, batches: Sequence[Bounds], shelf: Shelf) -> Iterator[Floats]:
        """The scores in each batch: from the shelf, or drawn and put there."""
        kept = {batch for batch in batches if shelf.has(batch)}  # once: another process may keep some meanwhile
        drawn = self._drawn([batch for batch in batches if batch not in kept])
        for batch in batches:
            if batch in kept:
                yield shelf.take(batch, (*self.root.shape, batch[1] - batch[0]))
            else:
                values = next(drawn)
                shelf.put(batch, self._scores(batch, values))
                yield values

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

    def _add(self, chunk: Chunk, added: Sequence[Added]) -> None:
        """Add what a chunk adds, block by block."""
        if self.moments is not None:
            self.undefined += np.sum([own.undefined for own in added], axis=0)
            if chunk[0][0] == 0 and not self.asked.sparse:
                self._check_defined(chunk[-1][1])
            for own, block in zip(added, self._blocks, strict=True):
                if own.moments is not None:
                    self.moments.add(own.moments, block)
        for (first, last), *of_blocks in zip(chunk, *(own.means for own in added), strict=True):
            for means, *of_draw in zip(self.means.values(), *of_blocks, strict=True):
                sums, topics = (np.sum(of, axis=0) for of in zip(*of_draw, strict=True))
                means[..., first:last] = _checked_means(sums, topics, first)

    def undefined_share(self, images: int) -> dict[str, float]:
        """Measure -> the share of topics and images without a score, of so many images."""
        cells = self.root.shape[1] * images
        return {str(measure): float(n) / cells for measure, n in zip(self.scorer.measures, self.undefined, strict=True)}

    def _check_defined(self, images: int) -> None:
        """Refuse images in which most scores are undefined, after the first of them."""
        check_defined(self.undefined_share(images), "no relevant document in an image", ["draw topics (draw: topics)"])


def _batches(chunks: Sequence[Chunk]) -> list[Bounds]:
    return [batch for chunk in chunks for batch in chunk]


def _in_chunk(scorer: Scorer, wanted: Wanted) -> list[Added]:
    """Draw the batches of a chunk, score them on a block, which is all that the scorer has, and add them up."""
    added, options = Added(wanted), wanted.options
    for batch in wanted.chunk:
        added.add(wanted, batch, _in_images(scorer, batch, options.seed, options.workers))
    if added.moments is not None:
        added.moments.pack()
    return [added]


def _in_images(scorer: Scorer, batch: Bounds, seed: int, workers: int | None) -> Floats:
    """Draw a batch of images, and score it."""
    first, last = batch
    draw = partial(draw_images, scorer.collection, documents=scorer.documents, workers=workers)
    return scorer.score(draw(last - first, seed=seed, first=first), workers=workers)


def _named(batch: Bounds) -> str:
    return f"images {batch[0] + 1} to {batch[1]}"


def _chunk_named(chunk: Chunk) -> str:
    return _named((chunk[0][0], chunk[-1][1]))


def _checked_means(sums: Floats, topics: Ints, first: int) -> Floats:
    """Means over topics (measure, system, image)."""
    with np.errstate(invalid="ignore"):  # of no topic there is no mean
        means: Floats = sums / topics[:, None]
    empty = np.flatnonzero(np.isnan(means).any(axis=(0, 1)))
    if len(empty):
        message = f"image {first + empty[0] + 1} leaves some measure without a topic that is defined"
        raise DesignError(f"{message}; score undefined topics 0 instead of leaving them out")
    return means


def _added_up(values: Floats, times: Ints) -> tuple[Floats, Ints]:
    """Sums of scores and of times over topics that are defined, topic by topic, so that batches do not matter."""
    measures, _, systems, images = values.shape
    sums, topics = np.zeros((measures, systems, images)), np.zeros((measures, images), np.int64)
    _add_up(values, times, sums, topics, np.empty(images, np.int64))
    return sums, topics


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
