"""Better, worse, or as good as? Differences against the smallest difference that matters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.corrections import TUKEY
from irgauge.inference.corrections import correction as correction_named
from irgauge.inference.outcomes import ratio
from irgauge.inference.parts import Parts
from irgauge.inference.studentized import sf

Verdict = Literal["better", "worse", "equivalent", "not worse", "not better", "inconclusive"]


@dataclass(frozen=True, eq=False)
class Equivalence:
    """Tests of each difference against 0 and against a margin on either side, and what they say together."""

    difference: Floats  # pair
    parts: Parts  # of the variances of the differences
    margin: float
    alpha: float
    correction: str
    p_difference: Floats  # pair: two-sided, against 0
    p_not_worse: Floats  # pair: against the difference being -margin or below
    p_not_better: Floats  # pair: against its being margin or above

    @property
    def p_equivalent(self) -> Floats:
        """Two one-sided tests: the larger of the two p-values."""
        return np.maximum(self.p_not_worse, self.p_not_better)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What can be said of each pair."""
        differ = self.p_difference <= self.alpha
        not_worse, not_better = self.p_not_worse <= self.alpha, self.p_not_better <= self.alpha
        above = self.difference > 0
        claims = zip(differ & above, differ & ~above, not_worse, not_better, strict=True)
        return tuple(
            verdict_of(better=better, worse=worse, not_worse=not_less, not_better=not_more)
            for better, worse, not_less, not_more in claims
        )


def equivalence(
    difference: ArrayLike,
    parts: Parts,
    *,
    margin: float,
    alpha: float = 0.05,
    correction: str = "none",
    means: int = 2,
) -> Equivalence:
    """Test differences d, whose variances are sums of parts, against 0 and against a margin δ.

    Two one-sided tests: d + δ against the first being worse by δ, δ − d against its being better by δ; equivalent
    where both reject (Schuirmann 1987). The correction is over the pairs, each kind of test a family of its own, or
    tukey over all pairs of `means` means with the standard error and the degrees of freedom of each pair (Games and
    Howell 1976), which is conservative for the one-sided tests.

    >>> parts = Parts.student([0.002, 0.004, 0.004], 99)
    >>> equivalence([0.001, 0.03, 0.006], parts, margin=0.01).verdicts
    ('equivalent', 'better', 'not worse')
    """
    check_margin(margin)
    check_alpha(alpha)
    d, _ = np.broadcast_arrays(np.asarray(difference, float), parts.se)
    numerators = (np.abs(d), d + margin, margin - d)
    record = TUKEY if correction == TUKEY.name else correction_named(correction)
    if record.is_of_test:
        p = [_tukey(ratio(numerator, parts.se), means, parts.freedom(alpha)) for numerator in numerators]
    else:
        p = [record.adjusted(sides * parts.tail(one)) for one, sides in zip(numerators, (2, 1, 1), strict=True)]
    return Equivalence(d, parts, margin, alpha, record.name, *p)


def _tukey(t: Floats, means: int, df: Floats) -> Floats:
    return np.where(t > 0, sf(math.sqrt(2) * np.maximum(t, 0.0), means, df), 1.0)


def verdicts_of_intervals(low: ArrayLike, high: ArrayLike, margin: float) -> tuple[Verdict, ...]:
    """What intervals of differences say, such as HPD intervals: a claim holds if the whole interval supports it.

    >>> verdicts_of_intervals([-0.002, 0.004, -0.02], [0.004, 0.03, 0.03], 0.01)
    ('equivalent', 'better', 'inconclusive')
    """
    check_margin(margin)
    bounds = zip(np.atleast_1d(low).tolist(), np.atleast_1d(high).tolist(), strict=True)
    return tuple(
        verdict_of(better=low > 0, worse=high < 0, not_worse=low > -margin, not_better=high < margin)
        for low, high in bounds
    )


def verdict_of(*, better: bool, worse: bool, not_worse: bool, not_better: bool) -> Verdict:
    """The strongest of what four claims say: equivalence first, as a difference within the margin does not matter."""
    if not_worse and not_better:
        return "equivalent"
    if better or worse:
        return "better" if better else "worse"
    if not_worse or not_better:
        return "not worse" if not_worse else "not better"
    return "inconclusive"


def smallest_setting(settings: Sequence[float], holds: Sequence[bool]) -> float | None:
    """The smallest setting from which on a claim holds at every larger one too; None if there is none.

    >>> smallest_setting([0.1, 0.5, 1, 4], [True, False, True, True])
    1
    """
    smallest = None
    for setting, is_held in sorted(zip(settings, holds, strict=True), reverse=True):
        if not is_held:
            break
        smallest = setting
    return smallest


def check_margin(margin: float) -> None:
    """Refuse a margin that is not above 0."""
    if not (margin > 0 and math.isfinite(margin)):
        raise DesignError(f"margin {margin} is not possible; it is the smallest difference that matters, above 0")
