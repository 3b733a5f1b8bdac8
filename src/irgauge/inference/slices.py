"""Kinds of topics: a verdict for each slice, all slices and pairs corrected together, and whether slices differ.

Claims about slices stand behind those about all topics: they are one family, which has α together, whatever is found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.special import fdtrc

from irgauge.brief import OneLine
from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.families import corrected_together, level_of
from irgauge.inference.hierarchy import Members
from irgauge.inference.margins import Margin, against_share, check_level_of_margin
from irgauge.inference.outcomes import differences
from irgauge.inference.tests.record import Experiment, Test
from irgauge.inference.verdicts import Verdicts, by_margin, by_test, same_scores
from irgauge.reading.topic_table import TopicTable

FEWEST = 5  # topics of a slice that is tested: smaller ones would only cost the others their α
_MOST = 50  # slices of a column: with more it is a column of topics, not of kinds


class Slice(NamedTuple):
    """The topics that have a value in a column."""

    column: str
    value: str
    topics: Indices  # their places


def slices_of(about: TopicTable, columns: Sequence[str], topics: Sequence[str]) -> tuple[Slice, ...]:
    """The slices of each column, the largest first; topics without a value are in none."""
    return tuple(part for column in dict.fromkeys(columns) for part in _of_column(about, column, topics))


def _of_column(about: TopicTable, column: str, topics: Sequence[str]) -> list[Slice]:
    values = about.column(column)
    places: dict[str, list[int]] = {}
    for place, topic in enumerate(topics):
        if topic in values:
            places.setdefault(values[topic], []).append(place)
    if not 2 <= len(places) <= _MOST:
        raise DesignError(
            f"the column '{column}' has {len(places)} values on these topics; slices need 2 to {_MOST}: name another"
        )
    parts = [Slice(column, value, np.array(own)) for value, own in places.items()]
    return sorted(parts, key=lambda part: (-len(part.topics), part.value))


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


@dataclass(frozen=True, eq=False, repr=False)
class Sliced(OneLine):
    """What is said of the slices by one measure."""

    in_line: ClassVar[tuple[str, ...]] = ("slices",)

    slices: tuple[SliceClaims, ...] = ()
    heterogeneity: tuple[Heterogeneity, ...] = ()
    small: Mapping[str, Mapping[str, int]] | None = None  # column -> slices that are too small to test -> their topics


def sliced(
    experiments: Sequence[Experiment],
    parts: Sequence[Slice],
    test: Test,
    margins: Sequence[Margin | None],
    share: float = 1.0,
) -> tuple[Sliced, ...]:
    """The claims on each slice by each measure: all pairs, slices and measures are one family, with a share of α.

    An experiment is of all topics by one measure, with the α of all claims together. A margin in per cent is
    a share of the baseline's mean on each slice; where that is 0, there is none.
    """
    tested = [part for part in parts if len(part.topics) >= FEWEST]
    if not tested:
        raise DesignError(f"no slice has {FEWEST} topics or more, so that nothing can be said of any")
    alpha = experiments[0].alpha
    keys = [(m, part) for m in range(len(experiments)) for part in tested]
    group = Members("secondary", tuple(keys), share)
    comparisons = _compared(experiments, group, test, alpha)
    wide = comparisons
    if any(margin is not None for margin in margins):
        check_level_of_margin(alpha)
        wide = _compared(experiments, group, test, 2 * alpha)
    claims: list[list[SliceClaims]] = [[] for _ in experiments]
    for (m, part), comparison, wider in zip(keys, comparisons, wide, strict=True):
        on_slice = experiments[m].on(part.topics, wider.own_alpha)
        verdicts = _verdicts(on_slice, test, comparison, wider, margins[m])
        within = experiments[m].within
        own = comparison.within(within), verdicts.within(within)
        claims[m].append(SliceClaims(part.column, part.value, len(part.topics), *own))
    small = _small(parts)
    return tuple(
        Sliced(tuple(own), _heterogeneity(experiment, tested, own), small)
        for experiment, own in zip(experiments, claims, strict=True)
    )


def _small(parts: Sequence[Slice]) -> dict[str, dict[str, int]]:
    small: dict[str, dict[str, int]] = {}
    for part in parts:
        if len(part.topics) < FEWEST:
            small.setdefault(part.column, {})[part.value] = len(part.topics)
    return small


def _compared(
    experiments: Sequence[Experiment], group: Members[tuple[int, Slice]], test: Test, alpha: float
) -> tuple[Comparison, ...]:
    """Each slice by each measure at its share of α, all as one family."""
    level = level_of(alpha, group, experiments[0].correction)
    each = [test.compare(experiments[m].on(part.topics, level)) for m, part in group.members]
    return corrected_together(each, alpha, group)


def _verdicts(
    on_slice: Experiment, test: Test, comparison: Comparison, wide: Comparison, margin: Margin | None
) -> Verdicts:
    """By intervals at 2α against a margin, which are of the ratio where it is in per cent."""
    same = same_scores(_ranked(on_slice, comparison), comparison.first, comparison.second)
    mean = _baseline_mean(comparison)
    if margin is None or (margin.is_share and mean == 0):
        return by_test(comparison, same)
    amount = margin.of(mean, on_slice.within)
    if margin.is_share:
        factors = margin.factors(mean or 0.0, comparison.direction)
        worse, better = (test.compare(on_slice.with_factor(factor)) for factor in factors)
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
    """Of each pair, in the order of its first slice, in each column of two or more slices."""
    found = []
    for column in dict.fromkeys(part.column for part in parts):
        own = [part for part in parts if part.column == column]
        first = next(claim.comparison for claim in claims if claim.column == column)
        d = differences(_ranked(experiment, first), first.first, first.second)  # topic, pair
        for pair, (system, against) in enumerate(first.names if len(own) > 1 else ()):
            outcome = welch([d[part.topics, pair] for part in own])
            if outcome is not None:
                found.append(Heterogeneity(column, system, against, *outcome))
    return tuple(found)


def welch(groups: Sequence[Floats]) -> tuple[float, tuple[float, float], float] | None:
    """Welch's F, its degrees of freedom and p, of whether groups of unequal variance have one mean.

    With w = n / s², W = Σ w, m̃ = Σ w m / W, Λ = Σ (1 − w/W)² / (n − 1) and k groups,
    F = Σ w (m − m̃)² / (k − 1) / (1 + 2 (k − 2) Λ / (k² − 1)) with k − 1 and (k² − 1) / (3 Λ) degrees of freedom (Welch,
    "On the comparison of several mean values: an alternative approach", Biometrika 1951). None where a group does not
    vary, as nothing is then known of its spread.

    >>> f, df, p = welch([np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0, 8.0])])
    >>> round(f, 4), round(df[1], 4), round(p, 4)
    (4.5, 4.0755, 0.0999)
    """
    k = len(groups)
    n = np.array([len(group) for group in groups], float)
    m, s2 = np.array([group.mean() for group in groups]), np.array([group.var(ddof=1) for group in groups])
    if (s2 <= 1e-24 * np.maximum(1.0, np.square(m))).any():
        return None
    w = n / s2
    centre, total = float((w * m).sum() / w.sum()), float(w.sum())
    spread = float((np.square(1 - w / total) / (n - 1)).sum())
    f = float((w * np.square(m - centre)).sum() / (k - 1) / (1 + 2 * (k - 2) * spread / (k * k - 1)))
    df = float(k - 1), (k * k - 1) / (3 * spread)
    return f, df, float(fdtrc(*df, f))
