"""Kinds of topics: a verdict for each slice, all slices and pairs corrected together, and whether slices differ.

Claims about slices stand behind those about all topics: they are one family, which has α together, whatever is found.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.special import fdtrc

from irgauge.brief import OneLine
from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.families import corrected_together, level_of
from irgauge.inference.hierarchy import Members
from irgauge.inference.intervals import critical_t
from irgauge.inference.margins import Margin, against_share, check_level_of_margin
from irgauge.inference.outcomes import deviations, differences
from irgauge.inference.sampling import Sampling
from irgauge.inference.slice_spread import with_common_sampled_spread, with_common_spread
from irgauge.inference.tests.record import Experiment, Test
from irgauge.inference.tests.skewed_t import SKEWED_T
from irgauge.inference.verdicts import Verdicts, by_margin, by_test, noncentrality, same_scores
from irgauge.reading.topic_slices import Slice
from irgauge.scoring.measures import of_differences

FEWEST = 5  # topics of a slice that is tested: smaller ones would only cost the others their α
_FLAT = 1e-12  # an error of a mean below it is 0


@dataclass(frozen=True, eq=False, repr=False)
class SliceClaims(OneLine):
    """What is claimed on the topics of one slice."""

    in_line: ClassVar[tuple[str, ...]] = ("column", "value", "topics")

    column: str
    value: str
    topics: int
    comparison: Comparison
    verdicts: Verdicts


class Heterogeneity(NamedTuple):
    """Whether the difference of a pair is the same in all slices of a column, by Welch's test."""

    column: str
    system: str
    against: str
    statistic: float
    df: tuple[float, float]
    p: float  # for itself


class SmallSlice(NamedTuple):
    """A slice that is too small to test."""

    column: str
    value: str
    topics: int
    detectable: float  # the smallest true difference of any pair that it would show with a power of 80 %; inf: none


SliceMargins = Mapping[tuple[str, str], Margin]  # column and value -> the smallest difference that matters there


@dataclass(frozen=True, eq=False, repr=False)
class Sliced(OneLine):
    """What is said of the slices by one measure."""

    in_line: ClassVar[tuple[str, ...]] = ("slices",)

    slices: tuple[SliceClaims, ...] = ()
    heterogeneity: tuple[Heterogeneity, ...] = ()
    small: tuple[SmallSlice, ...] = ()


def sliced(
    experiments: Sequence[Experiment],
    parts: Sequence[Slice],
    test: Test,
    margins: Sequence[Margin | None],
    share: float = 1.0,
    own_margins: SliceMargins | None = None,
) -> tuple[Sliced, ...]:
    """The claims on each slice by each measure: all pairs, slices and measures are one family, with a share of α.

    An experiment is of all topics by one measure, with the α of all claims together. A margin in per cent is
    a share of the baseline's mean on each slice; where that is 0, there is none. Slices may have their own margins.
    """
    own_margins = own_margins or {}
    _check_margins(own_margins, parts)
    sampling = experiments[0].sampling
    check_without_shares(sampling)
    tested = [part for part in parts if units_of(part, sampling) >= FEWEST]
    if not tested:
        unit = "topics" if sampling is None or sampling.columns.cluster is None else "clusters"
        raise DesignError(f"no slice has {FEWEST} {unit} or more, so that nothing can be said of any")
    alpha = experiments[0].alpha
    keys = [(m, part) for m in range(len(experiments)) for part in tested]
    group = Members("secondary", tuple(keys), share)
    on_slice = _OnSlices(test, parts)
    comparisons = _compared(experiments, group, on_slice, alpha)
    wide = comparisons
    if own_margins or any(margin is not None for margin in margins):
        check_level_of_margin(alpha)
        wide = _compared(experiments, group, on_slice, 2 * alpha)
    claims: list[list[SliceClaims]] = [[] for _ in experiments]
    for (m, part), comparison, wider in zip(keys, comparisons, wide, strict=True):
        margin = own_margins.get((part.column, part.value), margins[m])
        verdicts = _verdicts(experiments[m], part, on_slice, comparison, wider, margin)
        within = experiments[m].within
        own = comparison.within(within), verdicts.within(within)
        claims[m].append(SliceClaims(part.column, part.value, len(part.topics), *own))
    small = [part for part in parts if units_of(part, sampling) < FEWEST]
    level = comparisons[0].level
    return tuple(
        Sliced(
            tuple(own),
            _heterogeneity(experiment, tested, own),
            tuple(_small(experiment, part, level) for part in small),
        )
        for experiment, own in zip(experiments, claims, strict=True)
    )


def check_without_shares(sampling: Sampling | None) -> None:
    """Refuse slices of topics whose kinds have known shares."""
    if sampling is not None and sampling.columns.shares is not None:
        raise DesignError("kinds with known shares (shares) are one mean; a verdict on each (by) is asked without them")


def units_of(part: Slice, sampling: Sampling | None) -> int:
    """The topics of a slice; where topics are in clusters, these."""
    return len(part.topics if sampling is None else np.unique(sampling.cluster[part.topics]))


def _check_margins(margins: SliceMargins, parts: Sequence[Slice]) -> None:
    """Refuse a margin of a slice that there is not."""
    for column, value in margins:
        known(column, tuple(dict.fromkeys(part.column for part in parts)), "column of a slice's margin")
        known(value, tuple(part.value for part in parts if part.column == column), f"value of '{column}' with a margin")


def _small(experiment: Experiment, part: Slice, level: float) -> SmallSlice:
    """What so few topics would show, if pairs vary on them as on all topics, which tell more of it."""
    n, values = len(part.topics), experiment.values
    first, second = np.triu_indices(values.shape[1], 1)
    if experiment.baseline is not None:
        with_it = experiment.systems.index(experiment.baseline)
        is_own = (first == with_it) | (second == with_it)
        first, second = first[is_own], second[is_own]
    se = float(deviations(differences(values, first, second)).min()) / math.sqrt(n)
    least = math.inf if n < 2 else se * float(noncentrality(np.array([critical_t(level, n - 1)]), n - 1)[0])
    possible = of_differences(experiment.within)
    return SmallSlice(part.column, part.value, n, least if possible is None or least <= possible[1] else math.inf)


@dataclass(frozen=True)
class _OnSlices:
    """A test on slices; that which guards against skewness is guarded against slices that seem too calm as well."""

    test: Test
    parts: Sequence[Slice]  # all, also small ones

    def compare(self, experiment: Experiment, part: Slice, level: float) -> Comparison:
        """The pairs on one slice of an experiment."""
        comparison = self.test.compare(experiment.on(part.topics, level))
        if self.test.name != SKEWED_T.name:
            return comparison
        d = differences(_ranked(experiment, comparison), comparison.first, comparison.second)
        parts = [own for own in self.parts if own.column == part.column]
        if experiment.sampling is None:
            return with_common_spread(comparison, d, parts)
        return with_common_sampled_spread(comparison, d, part, parts, experiment.sampling)


def _compared(
    experiments: Sequence[Experiment], group: Members[tuple[int, Slice]], on_slice: _OnSlices, alpha: float
) -> tuple[Comparison, ...]:
    """Each slice by each measure at its share of α, all as one family."""
    level = level_of(alpha, group, experiments[0].correction)
    each = [on_slice.compare(experiments[m], part, level) for m, part in group.members]
    return corrected_together(each, alpha, group)


def _verdicts(
    experiment: Experiment,
    part: Slice,
    on_slice: _OnSlices,
    comparison: Comparison,
    wide: Comparison,
    margin: Margin | None,
) -> Verdicts:
    """By intervals at 2α against a margin, which are of the ratio where it is in per cent."""
    same = same_scores(_ranked(experiment, comparison)[part.topics], comparison.first, comparison.second)
    mean = _baseline_mean(comparison)
    if margin is None or (margin.is_share and mean == 0):
        return by_test(comparison, same)
    amount = margin.of(mean, experiment.within)
    if margin.is_share:
        factors = margin.factors(mean or 0.0, comparison.direction)
        scaled = (experiment.with_factor(factor) for factor in factors)
        worse, better = (on_slice.compare(each, part, wide.own_alpha) for each in scaled)
        wide = against_share(wide, worse, better, amount)
    return by_margin(comparison, wide, amount, same)


def _baseline_mean(comparison: Comparison) -> float | None:
    """On the slice; None where there is no baseline."""
    if comparison.baseline is None:
        return None
    return float(comparison.means[comparison.systems.index(comparison.baseline)])


def _ranked(experiment: Experiment, comparison: Comparison) -> Floats:
    """values[topic, system], systems in the order of a comparison."""
    return experiment.values[:, [experiment.systems.index(system) for system in comparison.systems]]


def _heterogeneity(
    experiment: Experiment, parts: Sequence[Slice], claims: Sequence[SliceClaims]
) -> tuple[Heterogeneity, ...]:
    """Of each pair, in the order of its first slice, in each column of two or more slices that share no cluster."""
    found = []
    for column in dict.fromkeys(part.column for part in parts):
        own = [part for part in parts if part.column == column]
        if experiment.sampling is not None and share_clusters(own, experiment.sampling):
            continue
        first = next(claim.comparison for claim in claims if claim.column == column)
        d = differences(_ranked(experiment, first), first.first, first.second)  # topic, pair
        for pair, (system, against) in enumerate(first.names if len(own) > 1 else ()):
            outcome = _welch(d[:, [pair]], own, experiment.sampling)
            if outcome is not None:
                found.append(Heterogeneity(column, system, against, *outcome))
    return tuple(found)


def share_clusters(parts: Sequence[Slice], sampling: Sampling) -> bool:
    """Whether a cluster has topics of several slices, which then are not independent."""
    clusters = [np.unique(sampling.cluster[part.topics]) for part in parts]
    return sum(map(len, clusters)) > len(np.unique(np.concatenate(clusters)))


def _welch(d: Floats, parts: Sequence[Slice], sampling: Sampling | None) -> Welch | None:
    """Of the differences d[topic, 1] of a pair."""
    if sampling is None:
        return welch([d[part.topics, 0] for part in parts])
    each = [sampling.on(part.topics).of(d[part.topics]) for part in parts]
    return welch_of_means(*(np.concatenate(values) for values in list(zip(*each, strict=True))[:3]))


Welch = tuple[float, tuple[float, float], float]  # F, its degrees of freedom, p


def welch(groups: Sequence[Floats]) -> Welch | None:
    """Welch's F, its degrees of freedom and p, of whether groups of unequal variance have one mean.

    With w = n / s², W = Σ w, m̃ = Σ w m / W, Λ = Σ (1 − w/W)² / (n − 1) and k groups,
    F = Σ w (m − m̃)² / (k − 1) / (1 + 2 (k − 2) Λ / (k² − 1)) with k − 1 and (k² − 1) / (3 Λ) degrees of freedom (Welch,
    "On the comparison of several mean values: an alternative approach", Biometrika 1951). None where a group does not
    vary, as nothing is then known of its spread.

    >>> f, df, p = welch([np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0, 8.0])])
    >>> round(f, 4), round(df[1], 4), round(p, 4)
    (4.5, 4.0755, 0.0999)
    """
    n = np.array([len(group) for group in groups], float)
    m, s = np.array([group.mean() for group in groups]), np.array([group.std(ddof=1) for group in groups])
    return welch_of_means(m, s / np.sqrt(n), n - 1)


def welch_of_means(m: Floats, se: Floats, freedom: Floats) -> Welch | None:
    """Of means with their errors and degrees of freedom, s/√n and n − 1 of topics that are drawn one by one."""
    if (se <= _FLAT * np.maximum(1.0, np.abs(m))).any():
        return None
    k, w = len(m), 1 / np.square(se)
    centre, total = float((w * m).sum() / w.sum()), float(w.sum())
    spread = float((np.square(1 - w / total) / freedom).sum())
    f = float((w * np.square(m - centre)).sum() / (k - 1) / (1 + 2 * (k - 2) * spread / (k * k - 1)))
    df = float(k - 1), (k * k - 1) / (3 * spread)
    return f, df, float(fdtrc(*df, f))
