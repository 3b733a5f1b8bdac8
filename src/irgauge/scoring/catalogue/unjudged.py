"""What a measure makes of a document that nobody judged, had it been judged: by which rule its scores have bounds.

Bounds are over all grades that unjudged documents of the runs could have. A rule says of what kind a measure is:
`gains` is a sum of gains that ranks weigh; `ideal` the same over that of the ideal list; `first` the weight of the
first relevant document; `average` is average precision; `stopping` is expected reciprocal rank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from irgauge.compute.arrays import Floats, Ints

Values = Mapping[str, Any]  # of all parameters of a measure
Kind = Literal["gains", "ideal", "first", "average", "stopping"]
LOOSE: frozenset[Kind] = frozenset({"average", "stopping"})  # bounds of differences may be wider than need be


@dataclass(frozen=True)
class Weighed:
    """Documents count by the weights of their ranks."""

    kind: Kind
    weights: Callable[[Floats, Values, int], Floats] | None = (
        None  # of ranks, with a cut-off; None: those of the record
    )


@dataclass(frozen=True)
class Counted:
    """The score is the number of relevant documents down to a rank, divided by something."""

    ranks: Callable[[Ints, Values, int], Ints]  # given R, the relevant documents of the topic, and the cut-off
    # given R, the list's length, and the cut-off; of a longer list no less
    divisors: Callable[[Ints, int, Values, int], Ints | Floats]


Unjudged = Weighed | Counted


def down_to_cutoff(relevant: Ints, values: Values, cutoff: int) -> Ints:  # noqa: ARG001  # one signature for all
    """The cut-off, however many documents are relevant."""
    return np.full_like(relevant, cutoff)


def all_relevant(relevant: Ints, length: int, values: Values, cutoff: int) -> Ints:  # noqa: ARG001  # one signature for all
    """As many as are relevant."""
    return relevant
