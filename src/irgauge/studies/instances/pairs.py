"""The pairs of algorithms that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from irgauge.arrays import Floats
from irgauge.inference.equivalence import Verdict

NOT_WORSE: tuple[Verdict, ...] = ("better", "equivalent", "not worse")


class Pair(NamedTuple):
    """Two algorithms; a difference is of the first from the second."""

    first: str
    second: str


def pairs_of(names: Sequence[str], baseline: str | None, means: Floats) -> tuple[Pair, ...]:
    """Each algorithm with the baseline; or all pairs, best first by fitted means, as raw ones go by missing cells."""
    if baseline is None:
        best_first = [names[a] for a in np.argsort(-means, kind="stable")]
        return tuple(Pair(*pair) for pair in combinations(best_first, 2))
    return tuple(Pair(name, baseline) for name in names if name != baseline)
