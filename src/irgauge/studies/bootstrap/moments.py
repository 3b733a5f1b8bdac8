"""Moments of scores over images, added up batch by batch: nothing here grows with the number of images."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.jit import kernel

_MOST_BYTES = 1 << 30  # of the products of systems, and of the histograms
_FINEST = 1000  # steps of a histogram over scores from 0 to 1
_COARSEST = 20


class Moments:
    """Sums over images of each cell's deviation from its score on the root, of their products, and histograms.

    Sums run in the order of the images, so that they do not depend on the size of batches.
    """

    def __init__(self, root: Floats) -> None:
        measures, topics, systems = root.shape
        _check_memory(measures, topics, systems)
        self.root = np.nan_to_num(root)  # measure, topic, system; any number will do where it is undefined
        self.steps = min(max(_MOST_BYTES // (4 * root.size), _COARSEST), _FINEST)
        self.counts = np.zeros((measures, topics), np.int64)  # images in which the topic is defined
        self.sums = np.zeros(root.shape)
        self.products = np.zeros((measures, topics, systems, systems))  # the lower half
        self.histograms = np.zeros((*root.shape, self.steps + 1), np.uint32)

    def add(self, measure: int, topic: int, values: Floats) -> None:
        """Add values[system, image] of a measure on a topic; images in which they are NaN are left out."""
        cell = (measure, topic)
        deviations = _deviations(values, self.root[cell], self.histograms[cell], self.steps)
        self.counts[cell] += len(deviations)
        _add_products(deviations, self.sums[cell], self.products[cell])

    @property
    def mean(self) -> Floats:
        """The mean of each cell over images: measure, topic, system; NaN where no image defines it."""
        with np.errstate(invalid="ignore"):
            return self.root + self.sums / self.counts[..., None]

    @property
    def sd(self) -> Floats:
        """The standard deviation of each cell over images: measure, topic, system."""
        squares = np.diagonal(self.products, axis1=2, axis2=3)
        return _sd(squares, self.sums, self.counts[..., None])

    def difference_mean(self, measure: int) -> Floats:
        """The mean over images of each pair's difference: topic, pair; pairs as in `np.triu_indices`."""
        first, second = np.triu_indices(self.root.shape[2], 1)
        mean = self.mean[measure]
        return mean[:, first] - mean[:, second]

    def difference_sd(self, measure: int) -> Floats:
        """The standard deviation over images of each pair's difference: topic, pair; as in `difference_mean`."""
        first, second = np.triu_indices(self.root.shape[2], 1)
        products, sums = self.products[measure], self.sums[measure]
        squares = products[:, first, first] + products[:, second, second] - 2 * products[:, second, first]
        return _sd(squares, sums[:, first] - sums[:, second], self.counts[measure][:, None])

    def quantile(self, share: float) -> Floats:
        """The least score that this share of the images does not exceed, to half a step: measure, topic, system."""
        needed = np.maximum(np.ceil(share * self.counts), 1).astype(np.int64)
        places = np.array([_places(*cell) for cell in zip(self.histograms, needed, strict=True)])
        return np.where(self.counts[..., None] > 0, places / self.steps, np.nan)


def _check_memory(measures: int, topics: int, systems: int) -> None:
    needed = measures * topics * systems**2 * 8
    if needed > _MOST_BYTES:
        raise DesignError(
            f"the differences of {systems} systems on {topics} topics by {measures} measures need {needed / 2**30:.1f} "
            f"GiB, more than {_MOST_BYTES / 2**30:.0f}; keep fewer systems, such as 100, or take fewer measures"
        )


def _sd(squares: Floats, sums: Floats, counts: Ints) -> Floats:
    """The standard deviation; NaN for fewer than two images."""
    freedom = np.where(counts > 1, counts - 1.0, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (squares - sums * sums / counts) / freedom
    return np.sqrt(np.maximum(variance, 0.0))


@kernel
def _deviations(values: Floats, root: Floats, histograms: NDArray[np.uint32], steps: int) -> Floats:
    """The deviations (image, system) in the images that define the topic, which are counted in the histograms."""
    systems, images = values.shape
    deviations, defined = np.empty((images, systems)), 0
    for image in range(images):
        if np.isnan(values[0, image]):
            continue
        for system in range(systems):
            value = values[system, image]
            deviations[defined, system] = value - root[system]
            histograms[system, int(min(max(value, 0.0), 1.0) * steps + 0.5)] += np.uint32(1)
        defined += 1
    return deviations[:defined]


@kernel
def _places(histograms: NDArray[np.uint32], needed: Ints) -> Ints:
    """The first step of each histogram (topic, system) at which enough images are counted; the last if never."""
    topics, systems, steps = histograms.shape
    places = np.full((topics, systems), steps - 1)
    for topic in range(topics):
        for system in range(systems):
            count = 0
            for step in range(steps):
                count += histograms[topic, system, step]
                if count >= needed[topic]:
                    places[topic, system] = step
                    break
    return places


@kernel
def _add_products(deviations: Floats, sums: Floats, products: Floats) -> None:
    images, systems = deviations.shape
    for system in range(systems):
        for image in range(images):
            own = deviations[image, system]
            sums[system] += own
            for other in range(system + 1):
                products[system, other] += own * deviations[image, other]
