"""The corpus bootstrap of Zobel and Rashidi (2020) on all scores at once, in plain numpy and loops.

Every function takes values[measure, topic, system, image], NaN where a topic is left out of an image.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm, rankdata

from irgauge import Collection
from irgauge.replicates.images import draw_images, draw_topics
from irgauge.replicates.shards import sharding
from irgauge.scoring.drawn import Images
from irgauge.scoring.scores import score

Floats = NDArray[np.float64]
DIGITS = 11  # of means, to which systems tie


def assert_close(found: ArrayLike, expected: ArrayLike) -> None:
    """Equal but for the rounding of sums of squares, which leaves about 1e-8 of a deviation of 0."""
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-9, atol=1e-8)


def image_scores(collection: Collection, measures: list[str], images: int, seed: int, undefined: str) -> Floats:
    """All images drawn and scored together."""
    values = score(collection, measures, draw_images(collection, images, seed=seed)).values
    return values if undefined == "skip" else np.nan_to_num(values)


def root_scores(collection: Collection, measures: list[str]) -> Floats:
    """measure, topic, system"""
    return np.nan_to_num(score(collection, measures).values[..., 0])


def means(values: Floats, seed: int | None = None) -> Floats:
    """measure, system, image: over topics, which a seed resamples for each image."""
    measures, topics, systems, images = values.shape
    times = np.ones((topics, images), np.int64) if seed is None else draw_topics(topics, images, seed=seed)
    found = np.empty((measures, systems, images))
    for image in range(images):
        resampled = np.repeat(np.arange(topics), times[:, image])
        found[..., image] = np.nanmean(values[..., image][:, resampled], axis=1)
    return found


def sd_of(values: Floats) -> float:
    """The standard deviation of those values that are defined, NaN for fewer than two."""
    defined = values[~np.isnan(values)]
    return float(np.std(defined, ddof=1)) if len(defined) > 1 else float("nan")


def cell_sd(values: Floats) -> Floats:
    """measure, topic, system"""
    found = [sd_of(values[cell]) for cell in np.ndindex(values.shape[:3])]
    return np.array(found).reshape(values.shape[:3])


def differences(values: Floats) -> Floats:
    """measure, topic, pair, image"""
    return np.stack([values[:, :, a] - values[:, :, b] for a, b in _pairs(values.shape[2])], axis=2)


def _pairs(systems: int) -> Iterator[tuple[int, int]]:
    return ((a, b) for a in range(systems) for b in range(a + 1, systems))


def bias_on_topics(values: Floats, root: Floats) -> list[float]:
    """How far the means of cells over images are off the root, in standard deviations of a mean; by measure.

    The square of what few images show by chance is subtracted.
    """
    found = []
    for of_measure, on_root in zip(values, root, strict=True):
        squares = []
        for cell in np.ndindex(on_root.shape):
            defined = of_measure[cell][~np.isnan(of_measure[cell])]
            squares.append((defined.mean() - on_root[cell]) ** 2 - np.var(defined, ddof=1) / len(defined))
        variances = [np.nanmean(of_measure[:, system], axis=0).var(ddof=1) for system in range(on_root.shape[1])]
        share = np.mean(squares) / len(on_root) / np.mean(variances)
        found.append(float(np.sqrt(max(share, 0))))
    return found


def left_out(collection: Collection, measures: list[str], seed: int, undefined: str) -> tuple[Floats, Floats]:
    """Sums of squares over ten parts left out in turn, mean over twenty splits: of means, and of scores on topics."""
    of_means, of_topics = [], []
    for number in range(20):
        labels = sharding(collection, "even:10").split(seed, number, 2).labels
        weights = np.stack([np.where(labels == part, 0, 1) for part in range(10)], axis=1).astype(np.uint8)
        values = score(collection, measures, Images(weights)).values
        values = values if undefined == "skip" else np.nan_to_num(values)
        of_means.append(9 * np.nanmean(values, axis=1).var(axis=-1, ddof=1))
        of_topics.append(9 * values.var(axis=-1, ddof=1))
    return np.mean(of_means, axis=0), np.mean(of_topics, axis=0)


def ranks(means_: Floats) -> Floats:
    """The rank of each system in each image: measure, system, image."""
    found = np.empty(means_.shape)
    for measure, image in np.ndindex(means_.shape[0], means_.shape[2]):
        found[measure, :, image] = rankdata(-np.round(means_[measure, :, image], DIGITS))
    return found


def swap_shares(root_means: Floats, means_: Floats) -> list[tuple[int, int, float]]:
    """Of one measure (system; system, image): neighbours on the root, and how often the lower one is ahead."""
    order = sorted(range(len(root_means)), key=lambda system: (-round(float(root_means[system]), DIGITS), system))
    rounded = np.round(means_, DIGITS)
    return [(upper, lower, sum(rounded[lower] > rounded[upper]) / means_.shape[1]) for upper, lower in pairwise(order)]


def held_out(values: Floats, alpha: float) -> list[tuple[float, float, float]]:
    """The shares of the last image's differences below, in and above mean ± z s over the images before; by measure."""
    z = norm.ppf(1 - alpha / 2)
    shares = []
    for by_topic in differences(values):
        where = []
        for pair in by_topic.reshape(-1, values.shape[3]):
            before, last = pair[:-1][~np.isnan(pair[:-1])], pair[-1]
            if np.isnan(last) or len(before) < 2:
                continue
            off, margin = last - before.mean(), z * sd_of(before)
            where.append(0 if abs(off) <= margin + 1e-9 else int(np.sign(off)))
        shares.append((where.count(-1) / len(where), where.count(0) / len(where), where.count(1) / len(where)))
    return shares
