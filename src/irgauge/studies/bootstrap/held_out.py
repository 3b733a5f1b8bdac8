"""Other images as the truth: how many differences on topics lie in the intervals that images before them give."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError

if TYPE_CHECKING:
    from irgauge.studies.bootstrap.gathering import Gathering
    from irgauge.studies.bootstrap.options import BootstrapOptions

_ROUNDING = 1e-12  # of scores, within which they count as equal


class HeldOut(NamedTuple):
    """Of the differences of all pairs on all topics in other images, the shares below, in and above their intervals."""

    measure: str
    images: int  # held out
    below: float
    inside: float
    above: float


class Places(NamedTuple):
    """How many differences lie below and above their intervals, and how many there are."""

    below: int
    above: int
    defined: int

    @property
    def shares(self) -> tuple[float, float, float]:
        """Below, in and above."""
        below, above = self.below / self.defined, self.above / self.defined
        return below, 1 - below - above, above


def held_out(gathering: Gathering, options: BootstrapOptions) -> tuple[HeldOut, ...]:
    """Draw further images, and hold them against mean ± z s over those gathered; nothing if none is asked for.

    That images of one corpus are alike is all that it can show: not that intervals hold for other documents (Zobel and
    Rashidi 2020, section 4).
    """
    moments, measures = gathering.moments, gathering.scorer.measures
    if not options.held_out or moments is None:
        return ()
    if gathering.root.shape[2] < 2:
        raise DesignError("held-out images are for differences of systems, and there is one; give two or more")
    counts = np.zeros((len(measures), 3), np.int64)
    for values in gathering.further(options.held_out):
        for m in range(len(measures)):
            counts[m] += places(values[m], moments.difference_mean(m), moments.difference_sd(m), options.alpha)
    return tuple(
        HeldOut(str(measure), options.held_out, *Places(*row).shares)
        for measure, row in zip(measures, counts.tolist(), strict=True)
    )


def places(values: Floats, mean: Floats, sd: Floats, alpha: float) -> Places:
    """Where the differences of values[topic, system, image] lie with regard to mean ± z sd, both [topic, pair]."""
    first, second = np.triu_indices(values.shape[1], 1)
    margin = NormalDist().inv_cdf(1 - alpha / 2) * sd + _ROUNDING
    below = above = defined = 0
    for image in np.moveaxis(values, 2, 0):
        off = image[:, first] - image[:, second] - mean  # topic, pair
        below += int((off < -margin).sum())
        above += int((off > margin).sum())
        defined += int((~np.isnan(off - margin)).sum())
    return Places(below, above, defined)
