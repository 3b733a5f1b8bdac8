"""Moments of scores over images, added up batch by batch: nothing here grows with the number of images."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints, Weights
from irgauge.compute.jit import kernel
from irgauge.compute.tasks import in_threads
from irgauge.errors import DesignError
from irgauge.replicates.shards import sharding
from irgauge.scoring.drawn import Images
from irgauge.scoring.scorer import Scorer, scored
from irgauge.studies.bootstrap.options import BootstrapOptions

PARTS = 10  # of the corpus, of which each is left out in turn
SPLITS = 20  # of the corpus into parts
_TOGETHER = 6  # splits that are scored together: their images fill about a cache line
_KEY = 2  # of the random numbers of splits, which those of images do not have


class LeftOut(NamedTuple):
    """Variances of what is scored on the corpus without a part of it, part by part."""

    means: Floats  # measure, system: of the mean over topics
    topics: Floats  # measure, topic, system: of the score on a topic; NaN where leaving out leaves it undefined


@dataclass(frozen=True, eq=False)
class Leaving:
    """Leave out each of ten random parts of the documents, and do so for twenty splits; once, when it is asked for.

    Σ over parts of (M₋ − mean of M₋)², where M₋ is scored without the part; the mean over splits. On average this is
    at least the variance of M on a corpus of nine tenths of the size, however rough the measure is (Efron and Stein
    1981), and near it if the parts are large (Shao and Wu 1989).
    """

    scorer: Scorer = field(repr=False)
    asked: BootstrapOptions = field(repr=False)

    def stored(self) -> dict[str, Floats]:
        """What comes of it: neither lists nor judgments."""
        return self.variances._asdict()

    @classmethod
    def restored(cls, means: Floats, topics: Floats) -> Leaving:
        """What was computed before."""
        leaving = cls.__new__(cls)
        vars(leaving)["variances"] = LeftOut(means, topics)
        return leaving

    @cached_property
    def variances(self) -> LeftOut:
        """Of the means and of the scores on topics."""
        some = [range(first, min(first + _TOGETHER, SPLITS)) for first in range(0, SPLITS, _TOGETHER)]
        every = scored(self.scorer, partial(_scores, options=self.asked), some, _named)
        by_split = [
            _variances(split) for numbers, values in zip(some, every, strict=True) for split in _parted(values, numbers)
        ]
        means, topics = zip(*by_split, strict=True)
        return LeftOut(np.mean(means, axis=0), np.mean(topics, axis=0))


def _scores(scorer: Scorer, numbers: range, options: BootstrapOptions) -> Floats:
    """The scores without each part, for each of some splits: measure, topic, system, split and part."""
    held, corpus = scorer.documents, scorer.collection.corpus_size
    parts = sharding(scorer.collection, f"even:{min(PARTS, corpus)}")

    def split(number: int) -> NDArray[np.int32]:
        return parts.split(options.seed, number, _KEY).labels[held]

    labels = np.stack(in_threads(split, numbers, options.workers), axis=1)  # doc, split
    drawn = Images(_without_each(labels, len(parts.names)), documents=held)
    values = scorer.score(drawn, workers=options.workers)
    return values if options.undefined == "skip" else np.nan_to_num(values)


def _parted(values: Floats, numbers: range) -> list[Floats]:
    """Those of each split: measure, topic, system, part."""
    return np.split(values, len(numbers), axis=3)


def _named(numbers: range) -> str:
    return f"splits {numbers[0] + 1} to {numbers[-1] + 1}"


def _without_each(labels: NDArray[np.int32], parts: int) -> Weights:
    """The corpus without each part of each split, as images that hold every other document once."""
    weights = np.ones((labels.shape[0], labels.shape[1] * parts), np.uint8)  # doc, split and part
    _leave_out(labels, parts, weights)
    return weights


@kernel
def _leave_out(labels: NDArray[np.int32], parts: int, weights: Weights) -> None:
    for doc in range(labels.shape[0]):
        for split in range(labels.shape[1]):
            weights[doc, split * parts + labels[doc, split]] = 0


def _variances(values: Floats) -> LeftOut:
    """Of values[measure, topic, system, part]."""
    defined = (~np.isnan(values)).sum(axis=1)  # measure, system, part
    with np.errstate(invalid="ignore"):
        means = np.nansum(values, axis=1) / defined
    return LeftOut(_squares(means), _squares(values))


def _squares(values: Floats) -> Floats:
    """The sum over parts, the last axis, of the squared deviations from their mean."""
    squares: Floats = ((values - values.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    return squares


_MOST_BYTES = 1 << 30  # of the products of systems
_HISTOGRAM_BYTES = 1 << 28  # of very many topics they are coarser: a report holds those of two bootstraps
_PAIRS = 1 << 20  # on topics, whose deviations are computed at a time
_FINEST = 1000  # steps of a histogram over scores from 0 to 1
_COARSEST = 20


class Moments:
    """Sums over images of each cell's deviation from its score on the root, of squares and products, and histograms.

    Sums run in the order of the images, so that they do not depend on the size of batches. Products of systems are
    for the differences of pairs; where they would take too much memory there are none, or it is refused, if pairs
    are asked for.
    """

    def __init__(self, root: Floats, *, pairs: bool = False) -> None:
        measures, topics, _ = root.shape
        held = _pairs_held(root, is_asked=pairs)
        self.root = np.nan_to_num(root)  # measure, topic, system; any number will do where it is undefined
        self.steps = min(max(_HISTOGRAM_BYTES // (4 * root.size), _COARSEST), _FINEST)
        self.counts = np.zeros((measures, topics), np.int64)  # images in which the topic is defined
        self.sums = np.zeros(root.shape)
        self.squares = np.zeros(root.shape)
        self.products = np.zeros((measures, topics, held))  # pairs: a system with each before it; none if too many
        self.histograms = np.zeros((*root.shape, self.steps + 1), np.uint32)

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

    def add(self, measure: int, topics: slice, values: Floats) -> None:
        """Add values[topic, system, image] of a measure on some topics; images in which they are NaN are left out."""
        cells = (measure, topics)
        sums = (self.sums[cells], self.squares[cells], self.products[cells])
        deviations = np.empty(values.shape[:0:-1])  # image, system
        _add(values, self.root[cells], self.counts[cells], sums, self.histograms[cells], deviations)

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
def _add(
    values: Floats,
    root: Floats,
    counts: Ints,
    added: tuple[Floats, Floats, Floats],
    histograms: NDArray[np.uint32],
    deviations: Floats,
) -> None:
    """Add values[topic, system, image] to sums, squares and products, in the order of the images."""
    (sums, squares, products), (topics, systems, _) = added, values.shape
    for topic in range(topics):
        defined = _deviations(values[topic], root[topic], deviations)
        _count(values[topic], histograms[topic])
        counts[topic] += defined
        for image in range(defined):
            for system in range(systems):
                sums[topic, system] += deviations[image, system]
                squares[topic, system] += deviations[image, system] * deviations[image, system]
        if products.shape[1]:
            _add_products(deviations[:defined], products[topic])


@kernel
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
def _count(values: Floats, histograms: NDArray[np.uint32]) -> None:
    """Count the scores of the images that define the topic: system by system, as a histogram fits the nearest cache."""
    steps = histograms.shape[1] - 1
    for system in range(values.shape[0]):
        for image in range(values.shape[1]):
            value = values[system, image]
            if not np.isnan(value):
                histograms[system, np.uint64(min(max(value, 0.0), 1.0) * steps + 0.5)] += np.uint32(1)


@kernel
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
