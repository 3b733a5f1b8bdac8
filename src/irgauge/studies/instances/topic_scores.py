"""Scores of an algorithm topic by topic: how far its instances differ, and their means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irgauge.arrays import Floats
from irgauge.inference.boxes import Boxes
from irgauge.replicates.instances import InstanceScores


def topic_boxes(scores: InstanceScores, algorithm: str) -> Boxes:
    """The scores of an algorithm's instances on each topic, whiskers to the least and the largest (Figure 1).

    NaN on a topic that none of them has a score on.
    """
    cells = scores.cells()[scores.algorithm_of == scores.algorithms.index(algorithm)]
    ends = np.full((5, cells.shape[1]), np.nan)  # end, topic
    scored = np.isfinite(cells).any(axis=0)
    ends[:, scored] = np.nanquantile(cells[:, scored], (0, 0.25, 0.5, 0.75, 1), axis=0)
    return Boxes(*ends)


def topic_means(scores: InstanceScores, algorithms: Sequence[str]) -> Floats:
    """The mean over some algorithms of their mean scores on each topic; of those that have one."""
    cells, of = scores.cells(), scores.algorithm_of
    sums, counts = np.zeros(cells.shape[1]), np.zeros(cells.shape[1])
    for name in algorithms:
        own = cells[of == scores.algorithms.index(name)]
        scored = np.isfinite(own).any(axis=0)
        sums[scored] += np.nanmean(own[:, scored], axis=0)
        counts += scored
    return np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
