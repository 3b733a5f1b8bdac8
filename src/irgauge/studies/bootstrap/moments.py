"""Moments of scores over images: nothing here grows with the number of images.

Sums are those of some images each, which are made wherever these are scored, in the order of the images, and are then
added up in their order: moments do not depend on who scored what, nor on the size of batches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import kernel
from irgauge.compute.tasks import in_threads, worth_threads
from irgauge.errors import DesignError

_MOST_BYTES = 1 << 30  # of the products of systems
_HISTOGRAM_BYTES = 1 << 28  # of very many topics they are coarser: a report holds those of two bootstraps
_PAIRS = 1 << 20  # on topics, whose deviations are computed at a time
_FINEST = 1000  # steps of a histogram over scores from 0 to 1
_COARSEST = 20
_CELLS = 1 << 16  # of systems and images, whose sums one thread adds at a time
_STEPS = 8  # for threads to be worth while: what a score takes, with its products, in nanoseconds
_BITS = 10  # of a word, for a step of a histogram
_STEP = (1 << _BITS) - 1
_MOST_TIMES = (1 << 16 - _BITS) - 1  # in its other bits


class Frame(NamedTuple):
    """What sums are of: all that is needed to begin them, anywhere."""

    root: Floats  # measure, topic, system; any number will do where it is undefined
    steps: int  # of histograms
    pairs: int  # a system with each before it; none if too many


class Seen(NamedTuple):
    """How often scores are at which step of a histogram: some words for each cell, one cell after the other."""

    words: NDArray[np.uint16]  # the step, and in the higher bits how often
    lengths: NDArray[np.uint16]  # measure, cell: of topics and systems


class Sums:
    """Sums over some images of each cell's deviation from its score on the root, of squares and products, and steps.

    They run in the order of the images, so that they do not depend on the size of batches.
    """

    def __init__(self, frame: Frame, histograms: NDArray[np.uint32] | None = None) -> None:
        measures, topics, _ = frame.root.shape
        self.histograms = histograms  # those of the moments, where they are at hand; else steps are noted for later
        self.counts = np.zeros((measures, topics), np.int64)  # images in which the topic is defined
        self.sums = np.zeros(frame.root.shape)
        self.squares = np.zeros(frame.root.shape)
        self.products = np.zeros((measures, topics, frame.pairs))
        self.seen: list[Seen] = []

    def add(self, frame: Frame, values: Floats, workers: int | None = None) -> None:
        """Add values[measure, topic, system, image]; images in which they are NaN are left out."""
        measures, topics, systems, images = values.shape
        words = np.zeros(values.shape if self.histograms is None else 0, np.uint16)

        def add_some(cells: tuple[int, slice]) -> None:
            sums = (self.sums[cells], self.squares[cells], self.products[cells])
            _add(values[cells], frame.root[cells], self.counts[cells], sums, np.empty((images, systems)))
            if self.histograms is None:
                _note(values[cells], frame.steps, words[cells])
            else:
                _count(values[cells], self.histograms[cells])

        size = max(1, _CELLS // (systems * images))
        some = [(m, slice(first, first + size)) for m in range(measures) for first in range(0, topics, size)]
        in_threads(add_some, some, worth_threads(workers, _STEPS * values.size))
        if self.histograms is None:
            self.seen.append(Seen(words.ravel(), np.full((measures, topics * systems), images, np.uint16)))

    def pack(self) -> None:
        """Make it small enough to be sent: what was seen is one word for each step of a cell that was seen at all."""
        cells = self.seen[0].lengths.size
        words = np.concatenate([seen.words.reshape(cells, -1) for seen in self.seen], axis=1)
        packed, lengths = np.empty(words.size, np.uint16), np.empty_like(self.seen[0].lengths)
        end = _pack(words, np.zeros(_STEP + 1, np.int64), packed, lengths.reshape(-1))
        self.seen = [Seen(packed[:end].copy(), lengths)]


class Moments:
    """Sums over all images, added up from those of some, and histograms.

    Products of systems are for the differences of pairs; where they would take too much memory there are none, or it
    is refused, if pairs are asked for.
    """

    def __init__(self, root: Floats, *, pairs: bool = False) -> None:
        measures, topics, _ = root.shape
        held = _pairs_held(root, is_asked=pairs)
        self.root = np.nan_to_num(root)  # measure, topic, system
        self.steps = min(max(_HISTOGRAM_BYTES // (4 * root.size), _COARSEST), _FINEST)
        self.counts = np.zeros((measures, topics), np.int64)
        self.sums = np.zeros(root.shape)
        self.squares = np.zeros(root.shape)
        self.products = np.zeros((measures, topics, held))
        self.histograms = np.zeros((*root.shape, self.steps + 1), np.uint32)

    def frame(self, topics: slice = slice(None)) -> Frame:
        """What sums of some topics are of."""
        return Frame(self.root[:, topics], self.steps, self.products.shape[2])

    def add(self, sums: Sums, topics: slice = slice(None)) -> None:
        """Add the sums over the next images on some topics."""
        for own, new in (
            (self.counts, sums.counts),
            (self.sums, sums.sums),
            (self.squares, sums.squares),
            (self.products, sums.products),
        ):
            own[:, topics] += new
        for seen in sums.seen:
            ends = seen.lengths.cumsum(dtype=np.int64).reshape(seen.lengths.shape)
            for measure, own in enumerate(ends):
                _count_words(seen.words, own, own[0] - seen.lengths[measure, 0], self.histograms[measure, topics])

    def stored(self) -> dict[str, Any]:
        """All sums and counts."""
        return {name: value for name, value in vars(self).items() if name != "steps"}

    @classmethod
    def restored(
        cls,
        root: Floats,
        counts: Ints,
        sums: Floats,
        squares: Floats,
        products: Floats,
        histograms: NDArray[np.uint32],
    ) -> Moments:
        """The sums and counts of before."""
        moments = cls.__new__(cls)
        values = {"root": root, "counts": counts, "sums": sums, "squares": squares, "products": products}
        vars(moments).update(values, histograms=histograms, steps=histograms.shape[-1] - 1)
        return moments

    @property
    def has_pairs(self) -> bool:
        """Whether the differences of pairs are known."""
        systems = self.root.shape[2]
        return self.products.shape[2] == systems * (systems - 1) // 2

    @property
    def mean(self) -> Floats:
        """The mean of each cell over images: measure, topic, system; NaN where no image defines it."""
        with np.errstate(invalid="ignore"):
            return self.root + self.sums / self.counts[..., None]

    @property
    def sd(self) -> Floats:
        """The standard deviation of each cell over images: measure, topic, system."""
        return _sd(self.squares, self.sums, self.counts[..., None])

    def difference_mean(self, measure: int) -> Floats:
        """The mean over images of each pair's difference: topic, pair; pairs as in `np.triu_indices`."""
        first, second = np.triu_indices(self.root.shape[2], 1)
        mean = self.mean[measure]
        return mean[:, first] - mean[:, second]

    def difference_sd(self, measure: int) -> Floats:
        """The standard deviation over images of each pair's difference: topic, pair; as in `difference_mean`."""
        if not self.has_pairs:
            raise DesignError(_too_large(self.root))
        first, second = np.triu_indices(self.root.shape[2], 1)
        pairs = second * (second - 1) // 2 + first
        sds = np.empty((self.root.shape[1], len(pairs)))
        size = max(1, _PAIRS // max(1, len(pairs)))
        for start in range(0, len(sds), size):
            topics = slice(start, start + size)
            products, squares, sums = (of[measure, topics] for of in (self.products, self.squares, self.sums))
            deviations = squares[:, first] + squares[:, second] - 2 * products[:, pairs]
            counts = self.counts[measure, topics, None]
            sds[topics] = _sd(deviations, sums[:, first] - sums[:, second], counts)
        return sds

    def quantile(self, share: float) -> Floats:
        """The least score that this share of the images does not exceed, to half a step: measure, topic, system."""
        needed = np.maximum(np.ceil(share * self.counts), 1).astype(np.int64)
        places = np.array([_places(*cell) for cell in zip(self.histograms, needed, strict=True)])
        return np.where(self.counts[..., None] > 0, places / self.steps, np.nan)


def _pairs_held(root: Floats, *, is_asked: bool) -> int:
    """The number of pairs of systems whose products are held: all, or none if they are too many."""
    if _bytes_of_pairs(root) <= _MOST_BYTES:
        return root.shape[2] * (root.shape[2] - 1) // 2
    if is_asked:
        raise DesignError(_too_large(root))
    return 0


def _bytes_of_pairs(root: Floats) -> int:
    measures, topics, systems = root.shape
    return measures * topics * systems * (systems - 1) // 2 * 8


def _too_large(root: Floats) -> str:
    measures, topics, systems = root.shape
    return (
        f"the differences of {systems} systems on {topics} topics by {measures} measures need "
        f"{_bytes_of_pairs(root) / 2**30:.1f} GiB, more than {_MOST_BYTES / 2**30:.0f}; keep fewer systems, such as "
        "100, or take fewer measures"
    )


def _sd(squares: Floats, sums: Floats, counts: Ints) -> Floats:
    """The standard deviation; NaN for fewer than two images."""
    freedom = np.where(counts > 1, counts - 1.0, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (squares - sums * sums / counts) / freedom
    return np.sqrt(np.maximum(variance, 0.0))


def _places(histograms: NDArray[np.uint32], needed: Ints) -> Ints:
    """The first step of each histogram (topic, system) at which enough images are counted; the last if never."""
    places = np.full(histograms.shape[:2], histograms.shape[2] - 1)
    _find_places(histograms, needed, places)
    return places


@kernel
def _find_places(histograms: NDArray[np.uint32], needed: Ints, places: Ints) -> None:
    topics, systems, steps = histograms.shape
    for topic in range(topics):
        for system in range(systems):
            count = 0
            for step in range(steps):
                count += histograms[topic, system, step]
                if count >= needed[topic]:
                    places[topic, system] = step
                    break


@kernel
def _add(values: Floats, root: Floats, counts: Ints, added: tuple[Floats, Floats, Floats], deviations: Floats) -> None:
    """Add values[topic, system, image] to sums, squares and products, in the order of the images."""
    (sums, squares, products), (topics, systems, _) = added, values.shape
    for topic in range(topics):
        defined = _deviations(values[topic], root[topic], deviations)
        counts[topic] += defined
        for image in range(defined):
            for system in range(systems):
                sums[topic, system] += deviations[image, system]
                squares[topic, system] += deviations[image, system] * deviations[image, system]
        if products.shape[1]:
            _add_products(deviations[:defined], products[topic])


@kernel(from_python=False)
def _deviations(values: Floats, root: Floats, deviations: Floats) -> int:
    """Write deviations (image, system) of the images that define the topic."""
    systems, images = values.shape
    defined = 0
    for image in range(images):
        if np.isnan(values[0, image]):
            continue
        for system in range(systems):
            deviations[defined, system] = values[system, image] - root[system]
        defined += 1
    return defined


@kernel
def _note(values: Floats, steps: int, words: NDArray[np.uint16]) -> None:
    """Write the step of each score, seen once; nothing where it is undefined."""
    once = np.uint16(1 << _BITS)
    for topic in range(values.shape[0]):
        for system in range(values.shape[1]):
            for image in range(values.shape[2]):
                value = values[topic, system, image]
                if not np.isnan(value):
                    words[topic, system, image] = once | np.uint16(min(max(value, 0.0), 1.0) * steps + 0.5)


@kernel
def _pack(words: NDArray[np.uint16], times: Ints, packed: NDArray[np.uint16], lengths: NDArray[np.uint16]) -> int:
    """Write the words of each cell (cell, word) as one for each step, two or more where that is seen very often."""
    end = 0
    for cell in range(words.shape[0]):
        start, first, last = end, len(times), 0
        for place in range(words.shape[1]):
            step = int(words[cell, place] & _STEP)
            times[step] += words[cell, place] >> _BITS
            first, last = min(first, step), max(last, step)
        for step in range(first, last + 1):
            while times[step] > 0:
                some = min(times[step], _MOST_TIMES)
                packed[end] = some << _BITS | step
                times[step] -= some
                end += 1
        lengths[cell] = end - start
    return end


@kernel
def _count_words(words: NDArray[np.uint16], ends: Ints, start: int, histograms: NDArray[np.uint32]) -> None:
    """Add what was noted of each cell to histograms[topic, system, step]."""
    topics, systems, _ = histograms.shape
    for topic in range(topics):
        for system in range(systems):
            own, end = histograms[topic, system], ends[topic * systems + system]
            for place in range(start, end):
                own[np.uint64(words[place] & _STEP)] += np.uint32(words[place] >> _BITS)
            start = end


@kernel
def _count(values: Floats, histograms: NDArray[np.uint32]) -> None:
    """Count the scores of the images that define the topic: system by system, as a histogram fits the nearest cache."""
    steps = histograms.shape[2] - 1
    for topic in range(values.shape[0]):
        for system in range(values.shape[1]):
            for image in range(values.shape[2]):
                value = values[topic, system, image]
                if not np.isnan(value):
                    histograms[topic, system, np.uint64(min(max(value, 0.0), 1.0) * steps + 0.5)] += np.uint32(1)


@kernel(from_python=False)
def _add_products(deviations: Floats, products: Floats) -> None:
    """Add each image after the other; four in one pass, so that a sum is loaded and stored once for all of them."""
    images, systems = deviations.shape
    together = images - images % 4
    for system in range(1, systems):
        own = products[system * (system - 1) // 2 : system * (system + 1) // 2]  # with each system before it
        for image in range(0, together, 4):
            a, b, c, d = deviations[image], deviations[image + 1], deviations[image + 2], deviations[image + 3]
            of_a, of_b, of_c, of_d = a[system], b[system], c[system], d[system]
            for other in range(system):
                own[other] = own[other] + of_a * a[other] + of_b * b[other] + of_c * c[other] + of_d * d[other]
        for image in range(together, images):
            for other in range(system):
                own[other] += deviations[image, system] * deviations[image, other]
