"""How far collections disagree about pairs of systems, in sentences, and what one more of them would show."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, percent, signed, two_digits
from irgauge.studies.suite.claims import SuiteClaims

_FEW_PAIRS = 3  # of which each has a sentence


def disagreement(claims: SuiteClaims) -> Iterator[Finding]:
    """Of each pair where there are few, else of all together."""
    if claims.disagreement is None:
        return
    if len(claims.comparison.first) > _FEW_PAIRS:
        yield pairs_disagree(pairs=len(claims.comparison.first), i2=float(np.median(claims.disagreement.i2)))
        return
    for record in claims.pair_records():
        yield pair_disagrees(
            system=record["system"],
            against=record["against"],
            tau=math.sqrt(record["tau2"]),
            i2=record["i2"],
            expected=(record["expected_low"], record["expected_high"]),
            confidence=claims.comparison.confidence,
        )


@sentence("disagreement", claims=("forecast",))
def pair_disagrees(
    *, system: str, against: str, tau: float, i2: float, expected: tuple[float, float], confidence: float
) -> str:
    """How far collections disagree about a pair, and what one more of them would show."""
    between = (
        "collections differ no more than by chance of topics (I² is 0)"
        if tau == 0
        else f"the difference varies between collections by {two_digits(tau)} beyond chance of topics (τ; I² is "
        f"{percent(i2)})"
    )
    ends = f"{signed(expected[0])} and {signed(expected[1])}"
    return (
        f"Of {system} and {against}, {between}; one more collection like these would show a difference between {ends}, "
        f"with confidence {percent(confidence)}."
    )


@sentence("disagreements", claims=())
def pairs_disagree(*, pairs: int, i2: float) -> str:
    """How far collections disagree about most pairs."""
    return (
        f"Of the variance of a difference between collections, {percent(i2)} is beyond chance of topics (I², the "
        f"median of {counted(pairs, 'pair')})."
    )
