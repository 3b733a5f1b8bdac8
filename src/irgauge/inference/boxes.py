"""What a box plot shows: quartiles, and the ends of whiskers."""

from __future__ import annotations

from typing import NamedTuple

from irgauge.compute.arrays import Floats


class Boxes(NamedTuple):
    """Quartiles, and the ends of whiskers."""

    low: Floats
    lower: Floats
    median: Floats
    upper: Floats
    high: Floats
