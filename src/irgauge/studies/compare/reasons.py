"""Why a system stands where it does: its interval and its p against the best system, or against the baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from irgauge.inference.comparison import Comparison
from irgauge.show.ratios import is_ratio, margin_size, ratio
from irgauge.show.table import LEAST_P
from irgauge.show.verdicts import AGAINST, p_beside
from irgauge.show.words import signed
from irgauge.studies.compare.records import alike
from irgauge.studies.compare.study import MeasureCompared


class Against(NamedTuple):
    """A system against the best one, or against the baseline: its score less that one's."""

    system: str
    difference: float
    p_adjusted: float
    low: float
    high: float
    verdict: str

    @classmethod
    def best(cls, result: MeasureCompared, comparison: Comparison) -> Iterator[Against]:
        """Every other system against the best, or the baseline; pairs with the best have it first."""
        verdicts = result.verdicts[comparison.population].verdicts
        is_based = comparison.baseline is not None
        sign, own = (1, comparison.first) if is_based else (-1, comparison.second)
        pairs = range(len(own)) if is_based else (comparison.first == 0).nonzero()[0].tolist()
        for pair in pairs:
            low, high = sorted((sign * float(comparison.low[pair]), sign * float(comparison.high[pair])))
            difference, p = sign * float(comparison.difference[pair]), float(comparison.p_adjusted[pair])
            yield cls(comparison.systems[own[pair]], difference, p, low, high, verdicts[pair])


def reasons(result: MeasureCompared, comparison: Comparison) -> Iterator[tuple[str, str]]:
    """Every system, the best first, and what is to be said behind its name."""
    against = {each.system: each for each in Against.best(result, comparison)}
    in_ratios = is_ratio(result.measure)
    top = alike(comparison)
    margin = margin_size(result.verdicts[comparison.population].margin, is_ratio=in_ratios)
    for system in comparison.systems:
        if system not in against:
            yield system, "is the best" if comparison.baseline is None else "is the baseline"
        elif comparison.baseline is None:
            yield system, _of_group(against[system], comparison.systems[0], is_top=system in top, in_ratios=in_ratios)
        else:
            yield system, _of_verdict(against[system], comparison.baseline, margin, in_ratios=in_ratios)


def _of_group(against: Against, best: str, *, is_top: bool, in_ratios: bool) -> str:
    is_where = "in the top group: not significantly different from" if is_top else _OUTSIDE
    return f"is {is_where} {best}, the best ({_numbers(against, in_ratios=in_ratios)})"


_OUTSIDE = "outside the top group: significantly worse than"


def _of_verdict(against: Against, baseline: str, margin: str | None, *, in_ratios: bool) -> str:
    at = "" if margin is None or against.verdict in ("better", "worse") else f" at a margin of {margin}"
    return f"is {AGAINST[against.verdict]} {baseline}{at} ({_numbers(against, in_ratios=in_ratios)})"


def _numbers(against: Against, *, in_ratios: bool) -> str:
    """Such as `0.021 to 0.060 below it, p = 0.003`."""
    ends = apart(against.low, against.high, in_ratios=in_ratios)
    return f"{ends}, {p_beside(against.verdict, against.p_adjusted, LEAST_P)}"


def apart(low: float, high: float, *, in_ratios: bool = False) -> str:
    """How far a score is above or below another one, or how many times it.

    >>> apart(-0.06, -0.021), apart(0.01, 0.02), apart(-0.01, 0.02), apart(-math.inf, math.inf)
    ('0.021 to 0.060 below it', '0.010 to 0.020 above it', '0.010 below it to 0.020 above', 'no interval')
    >>> apart(math.log(0.5), math.log(1.25), in_ratios=True)
    '0.500 to 1.25 times it'
    """
    if not math.isfinite(high - low):
        return "no interval"
    if in_ratios:
        return f"{ratio(low)} to {ratio(high)} times it"
    if high <= 0:
        return f"{signed(abs(high))} to {signed(-low)} below it"
    return (
        f"{signed(low)} to {signed(high)} above it" if low >= 0 else f"{signed(-low)} below it to {signed(high)} above"
    )
