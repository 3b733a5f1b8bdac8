"""Effects of topics, and of systems on topics, when the residuals of a fitted model are resampled.

A draw gives every cell a residual out of all, as in `models.residuals`. In a balanced design all levels of a term then
change by amounts of one distribution: that of the sum of the residuals that fall to the level itself, less its share of
those that fall to others. One number is drawn instead of one a cell (Voorhees, Samarov and Soboroff 2017, section 2.2).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.models.anova import Fit
from irgauge.models.least_squares import UnbalancedFit
from irgauge.models.residuals import ResidualSums

Term = Literal["topic", "topic:system"]


def level_changes(
    fit: Fit | UnbalancedFit, term: Term, *, draws: int, seed: int, key: tuple[int, ...] = (), is_scaled: bool = True
) -> Floats:
    """What draws add to the effect of any one level of a term, ascending.

    With cell means ē the change of a topic is ē_i. − ē.., that of a system on a topic ē_ij − ē_i. − ē_.j + ē.. .
    Residuals are scaled by √(N / df), as the fit has made them smaller than the errors; the paper does not.

    >>> from irgauge.models.anova import fit
    >>> fitted = fit(np.random.default_rng(1).random((6, 3, 2)), "MD3")
    >>> bool(level_changes(fitted, "topic", draws=999, seed=1).std() < level_changes(fitted, "topic:system", draws=999,
    ...     seed=1).std())
    True
    """
    if isinstance(fit, UnbalancedFit):
        raise DesignError(
            "the effects of topics are drawn where all topics have scores on all parts; redraw splits, or drop topics"
        )
    topics, systems, parts = fit.shape
    scale = np.sqrt(topics * systems * parts / fit.error.df) if is_scaled else 1.0
    counts, shares = _weights(term, topics, systems, parts)
    pool, rng = fit.residuals() * scale, np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    sums = (ResidualSums.of(pool, n).draw(rng, (draws,)) for n in counts)
    drawn = sum((share * own for share, own in zip(shares, sums, strict=True)), np.zeros(draws))
    return np.sort(drawn)


def _weights(term: Term, topics: int, systems: int, parts: int) -> tuple[list[int], list[float]]:
    """How many residuals fall to the level, to those beside it and to all others, and what each counts."""
    cells = topics * systems * parts
    if term == "topic":
        own = systems * parts
        return [own, cells - own], [1 / own - 1 / cells, -1 / cells]
    row, column = parts * (systems - 1), parts * (topics - 1)  # of its topic, of its system
    others = cells - parts - row - column
    of_topic, of_system = 1 / (parts * systems), 1 / (parts * topics)
    shares = [1 / parts - of_topic - of_system + 1 / cells, 1 / cells - of_topic, 1 / cells - of_system, 1 / cells]
    return [parts, row, column, others], shares
