"""What single instances would say, from which setting on an algorithm is as good, and whether variances differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import fdtr, fdtrc

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.instance_tests import Pair
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.paired_t import t_of_differences
from irgauge.inference.verdicts import Verdict, smallest_setting
from irgauge.models.mixed.squares import OneAlgorithm
from irgauge.replicates.instances import InstanceScores
from irgauge.scoring.direction import sign_of

LEVELS = (0.05, 0.1)


@dataclass(frozen=True)
class SingleTests:
    """The shares of all tests of one instance against one that say better, worse or nothing at a level."""

    system: str
    against: str
    alpha: float
    tests: int
    topics: int  # of the test that has the fewest
    better: float
    worse: float

    @property
    def significant(self) -> float:
        """The share that finds a difference (Table 1)."""
        return self.better + self.worse

    @property
    def contradict(self) -> float:
        """The chance that two of the tests, drawn at random with replacement, do not say the same."""
        return 1 - self.better**2 - self.worse**2 - (1 - self.significant) ** 2


def single_tests(scores: InstanceScores, first: str, second: str, alpha: float) -> SingleTests:
    """Test every instance of one algorithm against every instance of another, on the topics that both have scores on.

    Two instances with fewer than 2 such topics are not tested. Jayasinghe et al. (SIGIR 2014), Table 1.
    """
    check_alpha(alpha)
    cells = scores.cells()  # instance, topic
    a, b = (cells[scores.algorithm_of == scores.algorithms.index(name)] for name in (first, second))
    tests = _tests(sign_of(scores.direction) * a, sign_of(scores.direction) * b)
    if len(tests[0]) == 0:
        raise DesignError(f"no instances of '{first}' and '{second}' have scores on the same 2 topics; score more")
    return _counted(first, second, alpha, tests)


def _counted(first: str, second: str, alpha: float, tests: tuple[Floats, Floats, Floats]) -> SingleTests:
    t, p, topics = tests
    significant = p <= alpha
    better, worse = int((significant & (t > 0)).sum()), int((significant & (t < 0)).sum())
    return SingleTests(first, second, alpha, len(t), int(topics.min()), better / len(t), worse / len(t))


def single_tests_of(
    scores: InstanceScores, pairs: Iterable[Sequence[str]], sampling: Sampling | None = None
) -> tuple[SingleTests, ...]:
    """The tests of some pairs of algorithms at the levels of Table 1; a pair that cannot be tested is left out."""
    cells = sign_of(scores.direction) * scores.cells()  # instance, topic: what is above is better
    tables = {name: cells[scores.algorithm_of == number] for number, name in enumerate(scores.algorithms)}
    counts = []
    for first, second in pairs:
        tests = _tests(tables[first], tables[second], sampling)
        if len(tests[0]):
            counts += [_counted(first, second, alpha, tests) for alpha in LEVELS]
    return tuple(counts)


def _tests(a: Floats, b: Floats, sampling: Sampling | None = None) -> tuple[Floats, Floats, Floats]:
    """t, p and the number of topics of the test of each instance of one algorithm and each of the other."""
    if np.isfinite(a).all() and np.isfinite(b).all():
        differences = np.moveaxis(a[:, None] - b, 2, 0).reshape(a.shape[1], -1)  # topic, test
        t, p = t_of_differences(differences, sampling)
        return t, p, np.full(len(t), float(a.shape[1]))
    each = [d for instance in a for d in instance - b]
    statistics = [(*test, float(np.isfinite(d).sum())) for d in each if (test := _test(d, sampling)) is not None]
    t, p, topics = np.array(statistics, np.float64).reshape(-1, 3).T
    return t, p, topics


def _test(d: Floats, sampling: Sampling | None) -> tuple[float, float] | None:
    """t and p of differences on topics, some of which may have none; None where too few topics are left."""
    there = np.flatnonzero(np.isfinite(d))
    if len(there) < 2:
        return None
    try:
        t, p = t_of_differences(d[there, None], None if sampling is None else sampling.on(there))
    except DesignError:  # too few clusters
        return None
    return float(t[0]), float(p[0])


NOT_WORSE: tuple[Verdict, ...] = ("better", "equivalent", "not worse")
_NUMBER = re.compile(
    r"(?<![0-9])((?:[0-9]{1,99}(?:\.[0-9]{1,99})?|\.[0-9]{1,99})(?:e-?[0-9]{1,9})?)%?$"
)  # bounded: linear


class SeriesSetting(NamedTuple):
    """An algorithm as a setting of a series, and what is said of it."""

    algorithm: str
    value: float
    verdict: Verdict
    hpd_verdict: Verdict | None


class Smallest(NamedTuple):
    """The smallest settings from which on all are shown to be so; None where there is none."""

    not_worse: float | None
    equivalent: float | None


def setting_of(algorithm: str) -> float | None:
    """The number at the end of a name, as of a sampling rate.

    >>> setting_of("sampled-0.5"), setting_of("rate4%"), setting_of("eps-1e-3"), setting_of("exhaustive")
    (0.5, 4.0, 0.001, None)
    """
    match = _NUMBER.search(algorithm)
    return float(match[1]) if match else None


def _stem(algorithm: str) -> str:
    """A name without the number at its end."""
    return _NUMBER.sub("", algorithm)


def series_of(
    pairs: Sequence[Pair], verdicts: Sequence[Verdict], hpd_verdicts: Sequence[Verdict] | None
) -> tuple[SeriesSetting, ...]:
    """The algorithms whose names differ in the number at their end, by that number, each against the baseline.

    Where there are several such series, the longest; one algorithm alone is none.
    """
    stems = [_stem(pair.system) for pair in pairs if setting_of(pair.system) is not None]
    longest = max(stems, key=stems.count, default="")
    if stems.count(longest) < 2:
        return ()
    by_hpd = hpd_verdicts or (None,) * len(pairs)
    rows = [
        SeriesSetting(pair.system, value, verdict, by)
        for pair, verdict, by in zip(pairs, verdicts, by_hpd, strict=True)
        if (value := setting_of(pair.system)) is not None and _stem(pair.system) == longest
    ]
    return tuple(sorted(rows, key=lambda setting: setting.value))


def smallest_of(series: Sequence[SeriesSetting], *, by_hpd: bool = False) -> Smallest:
    """From which setting on all are not worse, and from which on all are equivalent; by the tests, or by intervals."""
    values = [setting.value for setting in series]
    verdicts = [setting.hpd_verdict if by_hpd else setting.verdict for setting in series]
    return Smallest(
        smallest_setting(values, [verdict in NOT_WORSE for verdict in verdicts]),
        smallest_setting(values, [verdict == "equivalent" for verdict in verdicts]),
    )


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
    p: float  # of the two alone
    p_adjusted: float  # over the pairs of algorithms (Bonferroni)


def unequal_variances(scores: InstanceScores, sampling: Sampling | None = None) -> Unequal | None:
    """The two algorithms whose variances differ most surely, at least by a factor of 2 and at 5 % for each kind.

    Means of instances are compared by the F test, which few instances allow; squared deviations on topics, of the
    residual and of topics by algorithm, by paired t-tests over topics, which no distribution of scores upsets.
    """
    comparisons = [*_of_instances(scores), *_over_topics(scores, sampling)]
    tests = Counter(comparison.kind for comparison in comparisons)
    corrected = [replace(each, p_adjusted=min(1.0, each.p * tests[each.kind])) for each in comparisons]
    sure = [comparison for comparison in corrected if comparison.ratio >= _RATIO and comparison.p_adjusted <= _LEVEL]
    return min(sure, key=lambda comparison: comparison.p_adjusted, default=None)


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


def _over_topics(scores: InstanceScores, sampling: Sampling | None) -> Iterator[Unequal]:
    """The mean squared deviations of two algorithms on the topics of both."""
    for kind, deviations in _deviations(scores):
        for (a, first), (b, second) in combinations(deviations.items(), 2):
            both = np.isfinite(first) & np.isfinite(second)
            means = first[both].sum(), second[both].sum()
            test = _test(first - second, sampling) if min(means) > 0 else None
            if test is not None:
                yield _ordered(kind, (a, b), float(means[0] / means[1]), test[1])


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
    return Unequal(kind, larger, smaller, max(ratio, 1 / ratio), p, p)
