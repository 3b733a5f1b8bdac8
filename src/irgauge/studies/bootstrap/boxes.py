"""What a box plot shows of scores, means and ranks over images."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Floats
from irgauge.inference.boxes import Boxes

if TYPE_CHECKING:
    from irgauge.studies.bootstrap.study import Bootstrapped


def mean_boxes(result: Bootstrapped, measure: int) -> Boxes:
    """Each system's mean over images (Figure 3), whiskers to the ends of its interval around the mean on the root."""
    return _boxes(result.means[measure], result.interval[:, measure])


def rank_boxes(result: Bootstrapped, measure: int) -> Boxes:
    """Each system's rank over images (Figure 5), whiskers to the ends of its interval."""
    return _boxes(result.ranks[measure], result.rank_interval[:, measure])


def topic_boxes(result: Bootstrapped, measure: int, system: int) -> Boxes:
    """The scores of a system on each topic, whiskers to mean ± 2 standard deviations (Figure 2)."""
    sd = result.topic_sd()[measure, :, system]
    mean = topic_means(result)[measure, :, system]
    lower, median, upper = result.topic_quartiles()[:, measure, :, system]
    return Boxes(mean - 2 * sd, lower, median, upper, mean + 2 * sd)


def topic_means(result: Bootstrapped) -> Floats:
    """The mean over images of each system on each topic: measure, topic, system."""
    return result.root if result.moments is None else result.moments.mean


def _boxes(values: NDArray[np.floating], interval: Floats) -> Boxes:
    """Boxes of values[system, image] and of interval[bound, system]."""
    lower, median, upper = np.quantile(values, (0.25, 0.5, 0.75), axis=1)
    return Boxes(interval[0], lower, median, upper, interval[1])
