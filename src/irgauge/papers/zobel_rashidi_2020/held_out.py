"""The check of Table 2: where the differences in one more image lie, with regard to intervals from the others."""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from irgauge.arrays import Floats
from irgauge.papers.sources import Dataset
from irgauge.replicates.images import draw_images
from irgauge.scoring.scores import score
from irgauge.studies.bootstrap.study import Bootstrapped

_ROUNDING = 1e-12  # of scores, within which they count as equal


class HeldOut(NamedTuple):
    """Of the differences in the last image, the shares below, in and above the intervals from all other images."""

    below: float
    inside: float
    above: float


def held_out(dataset: Dataset, study: Bootstrapped) -> list[HeldOut]:
    """The shares for each measure, of all pairs of systems on all topics.

    An image is held out of images: this says that images are alike, not that intervals hold for other documents.
    """
    collection = dataset.collection.only([dataset.collection.systems.index(name) for name in study.systems])
    last = draw_images(collection, 1, seed=study.seed, first=study.images - 1, workers=dataset.workers)
    values = score(collection, study.measures, last, workers=dataset.workers).filled("zero").values[..., 0]
    return [_shares(study, m, values[m]) for m in range(len(study.measures))]


def _shares(study: Bootstrapped, measure: int, values: Floats) -> HeldOut:
    """Where the differences of values[topic, system] lie with regard to mean ± z s over the images before."""
    first, second = np.triu_indices(values.shape[1], 1)
    mean, sd, n = study.drawn.difference_mean(measure), study.drawn.difference_sd(measure), study.images
    off = values[:, first] - values[:, second] - mean  # topic, pair: from the mean over all images
    variance = ((n - 1) * sd**2 - off**2 * n / (n - 1)) / (n - 2)
    margin = NormalDist().inv_cdf(1 - study.alpha / 2) * np.sqrt(np.maximum(variance, 0)) + _ROUNDING
    off_others = off * n / (n - 1)  # from the mean over the others
    below, above = float((off_others < -margin).mean()), float((off_others > margin).mean())
    return HeldOut(below, 1 - below - above, above)
