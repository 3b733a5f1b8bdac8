"""The variance of the difference of a pair over needs, each put in several ways; see `inference.wordings`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.wordings import wording_squares
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


def over_wordings(values: Floats) -> Observed:
    """Of the values[need, system, wording] of a pair; NaN where a need has fewer wordings."""
    squares = wording_squares(values)
    means, per_wording = squares.means[:, 0] - squares.means[:, 1], squares.per_wording
    within = MeanSquare(squares.within, squares.freedom)
    over_needs = MeanSquare(squares.between, variance_freedom(means))
    known = OverWordings.averaged(over_needs, within, per_wording)
    certain = OverWordings.averaged(MeanSquare(over_needs.value), MeanSquare(within.value), per_wording)
    components = {"need:system": float(certain.variance[0]), "wording:system": within.value}
    return Observed(float(means.mean()), components, known, certain)
