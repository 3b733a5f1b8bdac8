"""What the claims of a study cover: the population asked for first, then the others that its scores speak of."""

from __future__ import annotations

from typing import get_args

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.models.anova import Population, populations_of
from irgauge.replicates.measured import Measured


def covered(shards: Measured, asked: str | None = None) -> tuple[Population, ...]:
    """The populations of these scores: topics, or the one asked for, first; `sources` only where it is asked for.

    >>> from irgauge.replicates.measured import Measuring
    >>> from irgauge.scoring.scores import Scores
    >>> import numpy as np
    >>> scores = Scores(np.zeros((1, 2, 2, 3)), (), ("1", "2"), ("a", "b"), ("x", "y", "z"))
    >>> covered(Measured(scores, Measuring(()), 0, is_random=True), "both")
    ('both', 'topics', 'documents')
    """
    possible = populations_of(shards.shards, is_random=shards.is_random)
    usual = [one for one in possible if one != "sources"]
    if asked is None:
        return tuple(usual)
    known(asked, get_args(Population), "population")
    if asked not in possible:
        raise DesignError(f"these scores say nothing of '{asked}': {_why(shards)}; choose {' or '.join(possible)}")
    first = next(one for one in possible if one == asked)
    return (first, *(one for one in usual if one != first))


def _why(shards: Measured) -> str:
    if shards.shards == 1:
        return "there are no shards"
    return "the shards are random" if shards.is_random else "the shards differ in kind"
