"""The variance of the difference of a pair over needs, each put in several ways; see `inference.wordings`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.planning.designs import MeanSquare, Observed, OverTopics, variance_freedom
from irgauge.planning.power import POINTS
from irgauge.planning.sizes import Size


@dataclass(frozen=True, eq=False)
class OverWordings(OverTopics):
    """The variances of a difference from need to need and from wording to wording: Var(d̄) = (σ_N² + σ_W²/k) / n."""

    of_wordings: Floats = field(default_factory=lambda: np.zeros(POINTS))  # draw

    @classmethod
    def averaged(cls, over_needs: MeanSquare, within: MeanSquare, per_wording: float) -> OverWordings:
        """From the variance of means over wordings, and that within needs; `per_wording` is the mean of 1/k."""
        of_wordings = within.drawn(1)
        return cls(np.maximum(over_needs.drawn(0) - of_wordings * per_wording, 0.0), of_wordings=of_wordings)

    def _spread(self, size: Size) -> tuple[Floats, float]:
        return (self.variance + self.of_wordings / size.replicates) / size.topics, size.topics - 1


def over_wordings(d: Floats) -> Observed:
    """Of the differences of a pair on each wording, d[need, wording]; NaN where a need has fewer."""
    counts = (~np.isnan(d)).sum(axis=1)
    d, counts = d[counts > 0], counts[counts > 0]
    means, df = np.nansum(d, axis=1) / counts, int((counts - 1).sum())
    within = MeanSquare(float(np.nansum(np.square(d - means[:, None]))) / df, df)
    over_needs = MeanSquare(float(means.var(ddof=1)), variance_freedom(means))
    per_wording = float((1 / counts).mean())
    known = OverWordings.averaged(over_needs, within, per_wording)
    certain = OverWordings.averaged(MeanSquare(over_needs.value), MeanSquare(within.value), per_wording)
    components = {"need:system": float(certain.variance[0]), "wording:system": within.value}
    return Observed(float(means.mean()), components, known, certain)
