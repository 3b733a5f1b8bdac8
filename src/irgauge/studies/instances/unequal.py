"""Do algorithms differ in their variances? Of instances, of the residual, and of topics by algorithm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from scipy.special import fdtr, fdtrc

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.tests.paired_t import t_of_differences
from irgauge.models.mixed.squares import OneAlgorithm
from irgauge.replicates.instances import InstanceScores

Kind = Literal["instance", "residual", "topic:algorithm"]
_LEVEL = 0.05  # of all tests of a kind together
_RATIO = 2.0  # of two variances, below which it matters little
_SCALE = 2.5  # of a prior, in standard deviations


@dataclass(frozen=True)
class Unequal:
    """The variance of one algorithm is larger than that of another, beyond chance."""

    kind: Kind
    larger: str
    smaller: str
    ratio: float
    p: float  # corrected (Bonferroni) over the pairs of algorithms


def unequal_variances(scores: InstanceScores) -> Unequal | None:
    """The two algorithms whose variances differ most surely, at least by a factor of 2 and at 5 % for each kind.

    Means of instances are compared by the F test, which few instances allow; squared deviations on topics, of the
    residual and of topics by algorithm, by paired t-tests over topics, which no distribution of scores upsets.
    """
    comparisons = [*_of_instances(scores), *_over_topics(scores)]
    tests = Counter(comparison.kind for comparison in comparisons)
    corrected = [replace(comparison, p=min(1.0, comparison.p * tests[comparison.kind])) for comparison in comparisons]
    sure = [comparison for comparison in corrected if comparison.ratio >= _RATIO and comparison.p <= _LEVEL]
    return min(sure, key=lambda comparison: comparison.p, default=None)


def spread_of_instances(scores: InstanceScores) -> float:
    """The scale of a weakly informative prior of the instances' standard deviation: 2.5 (1 + 1/ν) s.

    s² is the variance of the means of instances within algorithms, with ν degrees of freedom: few may show too little.
    """
    several = [algorithm for _, algorithm in _squares(scores) if algorithm.instances > 1]
    freedom = sum(algorithm.instances - 1 for algorithm in several)
    if freedom == 0:
        return 0.0
    pooled = sum((algorithm.instances - 1) * algorithm.between for algorithm in several) / freedom
    return float(_SCALE * (1 + 1 / freedom) * np.sqrt(pooled))


def _squares(scores: InstanceScores) -> Iterator[tuple[str, OneAlgorithm]]:
    """The mean squares of each algorithm that can be taken apart."""
    cells = scores.cells()  # instance, topic
    for number, name in enumerate(scores.algorithms):
        own = cells[scores.algorithm_of == number]
        try:
            yield name, OneAlgorithm.of(own[:, np.isfinite(own).any(axis=0)])
        except DesignError:
            continue


def _of_instances(scores: InstanceScores) -> Iterator[Unequal]:
    several = [
        (name, algorithm) for name, algorithm in _squares(scores) if algorithm.instances > 1 and algorithm.between > 0
    ]
    for (a, first), (b, second) in combinations(several, 2):
        ratio, df = first.between / second.between, (first.instances - 1, second.instances - 1)
        p = 2 * float(min(fdtr(*df, ratio), fdtrc(*df, ratio)))
        yield _ordered("instance", (a, b), ratio, p)


def _over_topics(scores: InstanceScores) -> Iterator[Unequal]:
    """The mean squared deviations of two algorithms on the topics of both."""
    for kind, deviations in _deviations(scores):
        for (a, first), (b, second) in combinations(deviations.items(), 2):
            both = np.isfinite(first) & np.isfinite(second)
            means = first[both].sum(), second[both].sum()
            if both.sum() > 1 and min(means) > 0:
                _, p = t_of_differences(first[both] - second[both])
                yield _ordered(kind, (a, b), float(means[0] / means[1]), float(p))


def _deviations(scores: InstanceScores) -> Iterator[tuple[Kind, dict[str, Floats]]]:
    """By kind and algorithm, the squared deviations on each topic, NaN where there is none."""
    cells, of = scores.cells(), scores.algorithm_of
    tables = {name: cells[of == number] for number, name in enumerate(scores.algorithms)}
    several = {name: table for name, table in tables.items() if len(table) > 1}
    yield "residual", {name: _within(table) for name, table in several.items()}
    if len(tables) > 2:
        means = np.array([_means(table) for table in tables.values()])  # algorithm, topic
        centred = means - np.nanmean(means, axis=1, keepdims=True)
        left = centred - centred.mean(axis=0)
        yield "topic:algorithm", dict(zip(tables, np.square(left), strict=True))


def _means(table: Floats) -> Floats:
    """The mean of the instances on each topic, NaN where none has a score."""
    finite = np.isfinite(table)
    return np.divide(
        np.where(finite, table, 0.0).sum(axis=0),
        finite.sum(axis=0),
        out=np.full(table.shape[1], np.nan),
        where=finite.any(axis=0),
    )


def _within(table: Floats) -> Floats:
    """The variance of the instances on each topic, their own effects taken off; NaN where one is missing."""
    effects = np.nanmean(table, axis=1, keepdims=True)
    return np.asarray((table - effects).var(axis=0, ddof=1))


def _ordered(kind: Kind, pair: tuple[str, str], ratio: float, p: float) -> Unequal:
    larger, smaller = pair if ratio >= 1 else pair[::-1]
    return Unequal(kind, larger, smaller, max(ratio, 1 / ratio), p)
