"""Between which scores a measure lies."""

from __future__ import annotations

from irgauge.arrays import Floats
from irgauge.scoring.measures import Measure

Range = tuple[float, float]  # the least and the largest score that is possible
ROUNDING = 1e-9  # a perfect nDCG may come out as 1 + 2e-16
_RANGE = (0.0, 1.0)  # of every measure of the catalogue


def range_of(measure: Measure, values: Floats) -> Range | None:
    """The range of a measure: 0 to 1 for one of the catalogue; None where only a name, or the scores, say otherwise.

    >>> import numpy as np
    >>> range_of(Measure.read("AP"), np.array([0.1, 0.5])), range_of(Measure.read("AP"), np.array([10.0, 50.0]))
    ((0.0, 1.0), None)
    """
    least, largest = _RANGE
    are_inside = bool(((values >= least - ROUNDING) & (values <= largest + ROUNDING)).all())
    return _RANGE if are_inside and not measure.is_opaque else None
