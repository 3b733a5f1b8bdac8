"""Between which scores a measure lies."""

from __future__ import annotations

from irgauge.arrays import Floats
from irgauge.scoring.measures import Measure

Range = tuple[float, float]  # the least and the largest score that is possible
ROUNDING = 1e-9  # a perfect nDCG may come out as 1 + 2e-16


def range_of(measure: Measure, values: Floats) -> Range | None:
    """The range of a measure: that of its record; None where it has none, is only a name, or scores are outside.

    >>> import numpy as np
    >>> range_of(Measure.read("AP"), np.array([0.1, 0.5])), range_of(Measure.read("AP"), np.array([10.0, 50.0]))
    ((0.0, 1.0), None)
    """
    if measure.range is None:
        return None
    least, largest = measure.range
    are_inside = bool(((values >= least - ROUNDING) & (values <= largest + ROUNDING)).all())
    return measure.range if are_inside else None
