"""Between which scores a measure lies, and with it their differences, and the intervals of both."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats
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


def of_differences(within: Range | None) -> Range | None:
    """The range of the difference of two scores, or of two means.

    >>> of_differences((0.0, 1.0))
    (-1.0, 1.0)
    """
    return None if within is None else (within[0] - within[1], within[1] - within[0])


def cut(low: Floats, high: Floats, within: Range | None) -> tuple[Floats, Floats]:
    """The ends of intervals cut to what is possible; an end that is not finite says that there is none, and stays.

    >>> low, high = cut(np.array([-3.05, -np.inf]), np.array([3.3, 0.2]), (-1.0, 1.0))
    >>> low.tolist(), high.tolist()
    ([-1.0, -inf], [1.0, 0.2])
    """
    if within is None:
        return low, high
    ends = (np.where(np.isfinite(end), np.clip(end, *within), end) for end in (low, high))
    return next(ends), next(ends)
