"""How precise each measure is, in a few numbers: the summary of a bootstrap."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import rankdata

from irgauge.compute.arrays import Floats

if TYPE_CHECKING:
    from irgauge.studies.bootstrap.study import Bootstrapped, Swap

SWAPS = 0.05  # of images, from which a swap of neighbours is told


class MeanAndSd(NamedTuple):
    """Mean and standard deviation, of standard deviations."""

    mean: float
    sd: float


class Bias(NamedTuple):
    """How far images are off the collection as it is."""

    score: float  # of a mean, median over systems
    sds: float  # the same in standard deviations over images
    on_topics: float | None  # of scores on topics, root mean square, in standard deviations; None without documents


class MeasurePrecision(NamedTuple):
    """What the images say of one measure; None where documents are not drawn, or where there is one system.

    There is no difference either where pairs on topics are too many.
    """

    measure: str
    difference: MeanAndSd | None  # over pairs and topics, of the standard deviation of a difference (Table 3)
    cell: MeanAndSd | None  # over systems and topics, of the standard deviation of a score
    mean_sd: float  # the median over systems of the standard deviation of a mean
    bias: Bias
    intervals: int  # systems whose mean has an interval
    mean_error: float  # the median over systems of the standard error of a mean
    digits: int | None  # of a mean that are justified; None where images are too biased
    rank_width: float | None  # mean over systems, in places; None where images are too biased
    neighbours: int  # pairs of them in the ranking
    swapped: tuple[Swap, ...]  # those that swap in more than SWAPS of the images


def precision(result: Bootstrapped) -> tuple[MeasurePrecision, ...]:
    """A summary of each measure."""
    parts = zip(_differences(result), _cells(result), strict=True)
    return tuple(_precision(result, measure, *spreads) for measure, spreads in enumerate(parts))


def _precision(
    result: Bootstrapped, measure: int, difference: MeanAndSd | None, cell: MeanAndSd | None
) -> MeasurePrecision:
    swaps = result.swaps(measure)
    return MeasurePrecision(
        measure=result.measures[measure],
        difference=difference,
        cell=cell,
        mean_sd=result.typical_sd(measure),
        bias=_bias(result, measure),
        intervals=int((~np.isnan(result.interval[0, measure])).sum()),
        mean_error=result.typical_error(measure),
        digits=result.digits(measure),
        rank_width=result.rank_width(measure),
        neighbours=len(swaps),
        swapped=tuple(swap for swap in swaps if swap.share > SWAPS),
    )


def _bias(result: Bootstrapped, measure: int) -> Bias:
    on_topics = None if result.moments is None else float(result.bias_on_topics[measure])
    score, sds = (float(np.median(values[measure])) for values in (result.bias, result.bias_in_sds))
    return Bias(score, sds, on_topics)


def _differences(result: Bootstrapped) -> list[MeanAndSd | None]:
    if result.moments is None or not result.moments.has_pairs or len(result.systems) < 2:
        return [None for _ in result.measures]
    means, sds = result.difference_spread()
    return [MeanAndSd(mean, sd) for mean, sd in zip(means.tolist(), sds.tolist(), strict=True)]


def _cells(result: Bootstrapped) -> list[MeanAndSd | None]:
    if result.moments is None:
        return [None for _ in result.measures]
    ddof = 1 if result.root[0].size > 1 else 0
    return [MeanAndSd(float(np.nanmean(cells)), float(np.nanstd(cells, ddof=ddof))) for cells in result.topic_sd()]


def justified_digits(deviation: float) -> int:
    """How many decimals are justified: the unit of the last is not below the standard deviation; at most four.

    >>> justified_digits(0.02), justified_digits(0.0099), justified_digits(0)
    (1, 2, 4)
    """
    return int(min(max(np.floor(-np.log10(deviation)), 0), 4)) if deviation > 0 else 4


_ROUNDING = 1e-12  # of scores, within which they count as equal


def rounded(values: Floats) -> Floats:
    """Means without the last bits, which depend on the order of additions and would break ties."""
    return np.round(values / _ROUNDING) * _ROUNDING


def ranks(means: Floats) -> Floats:
    """The ranks of systems (measure, system, ...), ties sharing the mean of theirs.

    >>> ranks(np.array([[0.3, 0.5, 0.1 + 0.2]])).tolist()
    [[2.5, 1.0, 2.5]]
    """
    return rankdata(-rounded(means), axis=1)
