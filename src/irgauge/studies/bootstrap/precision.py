"""How precise each measure is: intervals of means, how biased images are, and a few numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import rankdata

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.inference.intervals import Boxes
from irgauge.inference.mean_bounds import t_quantile
from irgauge.studies.bootstrap.leaving import PARTS, SPLITS, LeftOut
from irgauge.studies.bootstrap.moments import Moments

if TYPE_CHECKING:
    from irgauge.studies.bootstrap.study import Bootstrapped

_ROUNDING = 1e-12  # of scores, within which they count as equal
SWAPS = 0.05  # of images, from which a swap of neighbours is told


class Swap(NamedTuple):
    """Two neighbours in the ranking on the root, and the share of images in which the lower one is ahead."""

    upper: str
    lower: str
    share: float


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
    skewness: float | None  # over systems and topics, of the standard deviation of a score
    mean_sd: float  # the median over systems of the standard deviation of a mean
    bias: Bias
    intervals: int  # systems whose mean has an interval
    mean_error: float  # the median over systems of the standard error of a mean
    digits: int  # of a mean that are justified
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
        skewness=None if result.moments is None else float(result.deviation_skewness()[measure]),
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


def deviation_skewness(sd: Floats) -> Floats:
    """The skewness m₃ / m₂^1.5 of the deviations sd[measure, topic, system] of each measure; 0 where all are equal."""
    off = sd - np.nanmean(sd, axis=(1, 2), keepdims=True)
    second, third = (np.nanmean(off**power, axis=(1, 2)) for power in (2, 3))
    return np.asarray(np.where(second > _ROUNDING**2, third / np.maximum(second, _ROUNDING**2) ** 1.5, 0.0))


def justified_digits(error: float) -> int:
    """How many decimals are justified: the power of ten next to the standard error is the last unit; at most four.

    The unit is between 0.32 and 3.2 standard errors, so that an error a little above or below 0.01 says the same.

    >>> justified_digits(0.02), justified_digits(0.0099), justified_digits(0.04), justified_digits(0)
    (2, 2, 1, 4)
    """
    return int(min(max(np.rint(-np.log10(error)), 0), 4)) if error > 0 else 4


def rounded(values: Floats) -> Floats:
    """Means without the last bits, which depend on the order of additions and would break ties."""
    return np.round(values / _ROUNDING) * _ROUNDING


def ranks(means: Floats) -> Floats:
    """The ranks of systems (measure, system, ...), ties sharing the mean of theirs.

    >>> ranks(np.array([[0.3, 0.5, 0.1 + 0.2]])).tolist()
    [[2.5, 1.0, 2.5]]
    """
    return rankdata(-rounded(means), axis=1)


MOST_BIAS = 0.5  # standard deviations of a mean over images: beyond it images are said to be biased
MOST_BIAS_ON_TOPICS = 0.4  # the same of scores on topics, root mean square, times √T: beyond it ranks have no interval


def topic_variance(root: Floats) -> Floats:
    """s² / T, the variance of each system's mean for other topics: measure, system.

    >>> topic_variance(np.array([[[0.2], [0.4], [0.6]]])).round(4).tolist()
    [[0.0133]]
    """
    counts = topic_counts(root)[:, None]
    deviations = root - (np.nansum(root, axis=1) / counts)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        variance: Floats = np.nansum(deviations**2, axis=1) / (counts - 1) / counts
    return variance


def variance_of_both(root: Floats, left_out: LeftOut) -> Floats:
    """The variance of each system's mean for other topics and other documents: measure, system.

    s² / T has what documents do to each topic by itself; added is what they do to topics together, as in errors of
    two-way clusters: V_topics + V_documents − V_topics and documents.
    """
    counts = topic_counts(root)[:, None]
    together = left_out.means - np.nansum(left_out.topics, axis=1) / counts**2
    return topic_variance(root) + np.maximum(together, 0.0)


def topic_counts(root: Floats) -> Ints:
    """The number of topics on which a measure is defined: measure."""
    return np.asarray((~np.isnan(root[:, :, 0])).sum(axis=1))


def quantiles(root: Floats, alpha: float, *, has_topics: bool) -> Floats:
    """How many standard errors an interval reaches, by Student's t: measure.

    Its degrees of freedom are T − 1 where topics are drawn, and else those of all splits, of which each has as many
    as parts less one.

    >>> quantiles(np.full((1, 10, 1), 0.5), 0.05, has_topics=True).round(3).tolist()
    [2.262]
    """
    counts = topic_counts(root) if has_topics else np.full(len(root), SPLITS * (PARTS - 1) + 1)
    return np.array([t_quantile(1 - alpha / 2, int(n) - 1) if n > 1 else np.nan for n in counts])


def mean_interval(root: Floats, error: Floats, alpha: float, left_out: LeftOut | None) -> Floats:
    """The interval of each system's mean, around its value on the root: bound, measure, system; NaN for none.

    For other documents (`left_out`) with the variance of one more topic, which matters where one document decides a
    score. Where topics are drawn it counts where all scores are 0, or all are 1.
    """
    value, topics = np.asarray(np.nanmean(root, axis=1)), topic_counts(root)
    more = with_one_more(value, topics)
    is_at_end = (value <= 0) | (value >= 1)
    share = is_at_end.astype(float) if left_out is None else roughness(value, left_out)[:, None]
    widened = np.sqrt(error**2 + share * more * (1 - more) / topics[:, None] ** 2)
    return around(value, widened, quantiles(root, alpha, has_topics=left_out is None), more)


def around(value: Floats, error: Floats, quantile: Floats, more: Floats) -> Floats:
    """logit⁻¹(logit v ± q s / (v (1 − v))): an interval that stays between 0 and 1, and is longer on their far side.

    Of a value of 0 or 1 it is around `more`, and ends there. Without one is a value that does not vary.

    >>> value, more = np.array([[0.1, 0.5, 1.0]]), np.array([[0.1, 0.5, 0.9]])
    >>> around(value, np.array([[0.05, 0.0, 0.05]]), np.array([1.96]), more).round(3).tolist()
    [[[0.036, nan, 0.752]], [[0.248, nan, 1.0]]]
    """
    centre = np.where(error > 0, np.where((value > 0) & (value < 1), value, more), np.nan)
    half = quantile[:, None] * error / (centre * (1 - centre))
    low, high = expit(logit(centre) - half), expit(logit(centre) + half)
    return np.stack([np.where((value <= 0) & (error > 0), 0.0, low), np.where((value >= 1) & (error > 0), 1.0, high)])


def with_one_more(value: Floats, topics: Ints) -> Floats:
    """The mean over topics (measure, system) with one more topic of ½: few topics that are all 0 or 1 show no other.

    >>> with_one_more(np.array([[1.0, 0.5]]), np.array([9])).tolist()
    [[0.95, 0.5]]
    """
    counts = topics[:, None]
    return np.asarray((counts * value + 0.5) / (counts + 1))


def roughness(value: Floats, left_out: LeftOut) -> Floats:
    """The variance of a score on a topic, as a part of the largest that is possible with its mean: measure.

    Over all systems and topics: near 1 where one document decides, as in P@1, small where many do.
    """
    mean = value.mean(axis=1)
    largest = mean * (1 - mean)
    variance = np.nanmean(left_out.topics, axis=(1, 2))
    return np.minimum(np.divide(variance, largest, out=np.zeros_like(variance), where=largest > 0), 1.0)


def in_sds(bias: Floats, sd: Floats) -> Floats:
    """A bias in standard deviations; 0 where nothing varies."""
    return np.divide(bias, sd, out=np.zeros_like(bias), where=sd > 0)


def bias_on_topics(root: Floats, moments: Moments, sd: Floats) -> Floats:
    """How far scores on topics over images are off the root, in standard deviations of the mean: measure.

    √(mean over topics and systems of b² / (T s²)), where b is the bias on a topic less what few images would show by
    chance, and s the standard deviation of a mean. Biases on topics may cancel out in the mean; where they are large,
    few documents decide the score, and an image does not vary as another corpus does.
    """
    chance = moments.sd**2 / np.maximum(moments.counts, 1)[..., None]
    squares = np.nanmean((moments.mean - root) ** 2 - chance, axis=(1, 2))
    variance = topic_counts(root) * (sd**2).mean(axis=1)
    shares = np.divide(squares, variance, out=np.zeros_like(squares), where=variance > 0)
    return np.sqrt(np.maximum(shares, 0.0))


def too_rough(on_topics: Floats) -> Bools:
    """By which measures scores on topics are too biased for intervals of ranks: measure."""
    return on_topics > MOST_BIAS_ON_TOPICS


def are_biased(of_means: Floats, on_topics: Floats) -> Bools:
    """Which means are not those over images: of a system that is biased, or by a measure that is: measure, system."""
    is_measure = (np.median(np.abs(of_means), axis=1) > MOST_BIAS) | too_rough(on_topics)
    return (np.abs(of_means) > MOST_BIAS) | is_measure[:, None]


def mean_boxes(result: Bootstrapped, measure: int) -> Boxes:
    """Each system's mean over images (Figure 3), whiskers to the ends of its interval around the mean on the root."""
    return _boxes(result.means[measure], result.interval[:, measure])


def rank_boxes(result: Bootstrapped, measure: int) -> Boxes:
    """Each system's rank over images (Figure 5), whiskers to the ends of its interval."""
    return _boxes(result.ranks[measure], result.rank_interval[:, measure])


def topic_boxes(result: Bootstrapped, measure: int, system: int) -> Boxes:
    """The scores of a system on each topic, whiskers to mean ± 2 standard deviations (Figure 2)."""
    sd = result.topic_sd()[measure, :, system]
    mean = topic_means(result)[measure, :, system]
    lower, median, upper = result.topic_quartiles()[:, measure, :, system]
    return Boxes(mean - 2 * sd, lower, median, upper, mean + 2 * sd)


def topic_means(result: Bootstrapped) -> Floats:
    """The mean over images of each system on each topic: measure, topic, system."""
    return result.root if result.moments is None else result.moments.mean


def _boxes(values: NDArray[np.floating], interval: Floats) -> Boxes:
    """Boxes of values[system, image] and of interval[bound, system]."""
    lower, median, upper = np.quantile(values, (0.25, 0.5, 0.75), axis=1)
    return Boxes(interval[0], lower, median, upper, interval[1])


def mean_and_sd(values: Floats, axis: int | None = None) -> tuple[Floats, Floats]:
    """Of what is defined; NaN where there is nothing."""
    if values.size == 0:
        return np.asarray(np.nan), np.asarray(np.nan)
    ddof = 1 if (values.size if axis is None else values.shape[axis]) > 1 else 0
    return np.asarray(np.nanmean(values, axis=axis)), np.asarray(np.nanstd(values, axis=axis, ddof=ddof))
