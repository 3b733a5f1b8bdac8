"""How many new topics would show that a system is not worse than another one by a margin, if it is as good?

Planned from the margin, not from the difference that was observed: one that is not shown may be nothing, or the other
way round, and topics that would show it as it came out are too few as often as not. Variances are as the data show
them, with an assurance of 80 % that the power is 80 % with the true ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from irgauge.compute.arrays import Floats
from irgauge.inference.sampling import Sampling
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.designs import TopicsAndInstances, over_topics, over_units
from irgauge.planning.sizes import Goal, Variances, topics_for

_PLANNED = 0.9  # the assurance, of which 0.8 is left where tails are heavy: variances are known less well there


@dataclass(frozen=True)
class Needed:
    """What new topics would show of a system that is as good as the other, and how many; None: MOST are too few."""

    topics: int | None
    claim: Literal["not worse"] = "not worse"
    measure: str | None = None  # by which it would be shown; None: by all
    clusters: int | None = None  # that these topics are in, where they are in clusters as those here


def of_variances(variances: Variances, replicates: int, margin: float, level: float, here: int) -> Needed:
    """By a one-sided test at `level`; never fewer topics than there are `here`, which did not show it."""
    topics = topics_for(variances, replicates, Goal("difference", margin, assurance=_PLANNED, level=2 * level))
    return Needed(None if topics is None else max(topics, here))


def by_differences(d: Floats, margin: float, level: float, sampling: Sampling | None = None) -> Needed:
    """From the differences on each topic; of a margin in per cent, with its share of the other's scores taken off.

    Where topics are in clusters or have weights, new ones are taken to be so too.

    >>> import numpy as np
    >>> by_differences(np.linspace(-0.1, 0.1, 25), 0.02, 0.05).topics
    91
    """
    if sampling is None:
        return of_variances(over_topics(d).variances, 1, margin, level, len(d))
    needed = of_variances(over_units(d, sampling).variances, 1, margin, level, len(d))
    if needed.topics is None or sampling.columns.cluster is None:
        return needed
    return replace(needed, clusters=math.ceil(needed.topics * sampling.clusters / len(d)))


def of_instances(squares: TwoAlgorithms, margin: float, level: float) -> Needed:
    """With as many runs as the side with fewer has; a side of one run is taken as it is.

    More topics leave what runs differ by on all topics alike as it is, so that there may be no number of them.
    """
    runs = [side.instances for side in (squares.first, squares.second) if side.instances > 1]
    return of_variances(TopicsAndInstances.of(squares), min(runs), margin, level, squares.topics)
