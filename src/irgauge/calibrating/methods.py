"""The methods that are tried: every test of pairs that speaks of a population, with each correction it may have.

And what they say of the pairs of several experiments at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.calibrating.worlds import Drawn
from irgauge.compute.arrays import Bools, Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import BH, BUILT_IN, DEFAULT, NONE, Correction, Promise, any_correction
from irgauge.inference.margins import with_factor
from irgauge.inference.outcomes import on_grid, step_of
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.paired_t import PAIRED_T
from irgauge.inference.tests.record import Experiment, Test
from irgauge.inference.tests.registry import TESTS, default_test
from irgauge.models.anova import Population

TRIED = (NONE.name, DEFAULT.name, BH.name)  # corrections, where none is named
MANY = 25  # systems: of more, slow tests are tried on so many, drawn each time
_ONE_PAIR = 1
Said = tuple[Floats, Floats, Floats, Floats]  # of each pair: difference, p, low, high
_ZERO = "0"  # the name of a system that scores 0 on every topic
Way = Literal["as asked", "one by one", "kinds together", "each kind alone"]  # of making claims
AS_ASKED: Way = "as asked"
ONE_BY_ONE: Way = "one by one"  # as if topics were drawn one by one and counted alike, though they are not
KINDS_TOGETHER: Way = "kinds together"  # a verdict on each kind of topics, all of them corrected together
EACH_KIND_ALONE: Way = "each kind alone"  # as if each kind were the only one that was looked at


@dataclass(frozen=True)
class Method:
    """A test with a correction, and what it promises."""

    test: str
    correction: str  # its name
    population: Population
    way: Way = AS_ASKED
    promise: Promise = field(init=False)  # of what at most α is to be wrong

    def __post_init__(self) -> None:
        object.__setattr__(self, "promise", self.corrected_by.promise)

    @property
    def corrected_by(self) -> Correction:
        """The correction, which knows what goes with it."""
        return any_correction(self.correction)

    @property
    def is_of_family(self) -> bool:
        """Whether it limits the errors of all pairs together."""
        return self.promise == "any pair"


@dataclass(frozen=True)
class Setting:
    """What all experiments have in common."""

    population: Population
    systems: tuple[str, ...]
    alpha: float = 0.05
    baseline: str | None = None
    draws: int = 199  # of tests that draw: their level is exact with any number
    corrections: tuple[str, ...] = TRIED
    share: float | None = None  # that the margin is of the baseline's mean, below 0 as that is; None if it is an amount
    sampling: Sampling | None = None  # how topics came together, where they were not drawn one by one

    @property
    def pairs(self) -> int:
        """How many pairs are compared."""
        return len(self.systems) - 1 if self.baseline is not None else math.comb(len(self.systems), 2)

    def is_sampled(self, test: str) -> bool:
        """Whether a test is tried on some of the systems."""
        return TESTS[test].is_slow and len(self.systems) > MANY

    def is_fine(self, test: str) -> bool:
        """Whether there are several pairs, and the p-values of a test are fine enough to be corrected for them."""
        is_drawn = "draws" in TESTS[test].takes
        return self.pairs > _ONE_PAIR and (not is_drawn or self.alpha * (1 + self.draws) >= self.pairs)

    def is_corrected(self, test: str) -> bool:
        """Whether a test is tried with corrections too."""
        return self.is_fine(test) and not self.is_sampled(test)

    def is_of_all(self, method: Method) -> bool:
        """Whether what a method says holds for all pairs together: one pair needs no correction for that."""
        return method.is_of_family or self.pairs == _ONE_PAIR


def covering_tests(setting: Setting) -> list[str]:
    """The tests that speak of the population, and not of bounds, which scores of a simulated world may leave.

    >>> covering_tests(Setting("both", ("a", "b", "c")))
    ['tukey', 'crossed-t']
    """
    covering = [test for test in TESTS.values() if setting.population in test.covers and "within" not in test.takes]
    tests = [test for test in covering if setting.baseline is not None or not test.needs_baseline]
    return [test.name for test in tests if setting.sampling is None or _knows(test, setting.sampling)]


def _knows(test: Test, sampling: Sampling) -> bool:
    """Whether a test takes clusters; of weights and shares only those that draw nothing do."""
    return "sampling" in test.takes and not (sampling.is_weighted and "draws" in test.takes)


def methods(setting: Setting) -> Iterator[Method]:
    """The tests, each with the corrections that are tried, unless it is of all pairs together.

    >>> [(one.test, one.correction) for one in methods(Setting("both", ("a", "b", "c")))]
    [('tukey', 'built in'), ('crossed-t', 'none'), ('crossed-t', 'holm'), ('crossed-t', 'bh')]
    """
    for test in covering_tests(setting):
        if not TESTS[test].is_of_pairs:
            yield Method(test, BUILT_IN.name, setting.population)
            continue
        yield from _corrected(test, setting, AS_ASKED)
    if setting.sampling is not None:
        for test in plain_tests():
            yield from _corrected(test, setting, ONE_BY_ONE)


def _corrected(test: str, setting: Setting, way: Way) -> Iterator[Method]:
    for correction in setting.corrections:
        if correction == NONE.name or setting.is_corrected(test):
            yield Method(test, correction, setting.population, way)


def plain_tests() -> tuple[str, ...]:
    """The usual test for other topics, and the one that most papers use."""
    return default_test("topics").name, PAIRED_T.name


def compared(test: str, drawn: Drawn, setting: Setting, seed: int, correction: str) -> Comparison:
    """What a test says of a drawn experiment, whose systems are named by their places."""
    return TESTS[test].compare(
        Experiment(
            drawn.values,
            names(drawn),
            setting.population,
            setting.alpha,
            correction,
            _baseline(drawn, setting),
            setting.draws,
            seed,
            sampling=drawn.sampling,
        )
    )


def names(drawn: Drawn) -> list[str]:
    """Of the systems of an experiment: their places."""
    return list(map(str, range(drawn.values.shape[1])))


def _baseline(drawn: Drawn, setting: Setting) -> str | None:
    """The baseline, which stands first."""
    return None if setting.baseline is None else names(drawn)[0]


@dataclass(frozen=True, eq=False)
class PairClaims:
    """Of each experiment and pair, the systems in their order; [experiment, pair]."""

    alpha: float
    true: Floats  # the difference that there is
    difference: Floats
    p: Floats  # of the pair for itself; of all pairs, if the test is of them
    low: Floats
    high: Floats

    def significant(self, correction: Correction) -> Bools:
        """Which pairs differ significantly, with a correction in each experiment."""
        if correction.is_of_test:
            return np.asarray(self.p <= self.alpha)
        return np.array([correction.adjusted(row) for row in self.p]) <= self.alpha

    def wrong(self, claimed: Bools) -> Bools:
        """Which of the claims are false: the systems are equal, or the other one is better."""
        return np.asarray(claimed & (np.sign(self.true) != np.sign(self.difference)))

    @property
    def lacking(self) -> Bools:
        """Which intervals do not hold the truth."""
        return np.asarray((self.low > self.true) | (self.high < self.true))


class PairVerdicts(NamedTuple):
    """What can be said of pairs, each [experiment, pair]; the first that holds is the verdict."""

    equivalent: Bools
    better: Bools
    worse: Bools
    not_worse: Bools
    not_better: Bools

    def each(self, values: Sequence[Any], otherwise: float) -> NDArray[Any]:
        """Of each pair what is said of its verdict, in the order of these; `otherwise` where it is inconclusive."""
        return np.select(list(self), list(values), default=otherwise)


@dataclass(frozen=True, eq=False)
class Experiments:
    """Several experiments on as many systems, and the pairs of these."""

    drawn: tuple[Drawn, ...]
    setting: Setting

    @cached_property
    def pairs(self) -> tuple[Indices, Indices]:
        """The systems of each pair."""
        return pairs_of(self.drawn[0].values.shape[1], self.setting)

    @cached_property
    def true(self) -> Floats:
        """The difference that there is; [experiment, pair]."""
        first, second = self.pairs
        return np.array([draw.truth[first] - draw.truth[second] for draw in self.drawn])

    @cached_property
    def differences(self) -> Floats:
        """On each topic; [topic, experiment and pair]."""
        first, second = self.pairs
        y = np.stack([draw.values.mean(axis=2) for draw in self.drawn], axis=1)  # topic, experiment, system
        d = (y.take(first, axis=2) - y.take(second, axis=2)).reshape(len(y), -1)
        return on_grid(d, step_of(d))

    @property
    def are_alike(self) -> bool:
        """Whether all are on as many topics, drawn one by one, so that their differences stand side by side."""
        return len({len(draw.values) for draw in self.drawn}) == 1 and all(draw.sampling is None for draw in self.drawn)

    def made(self, way: Way) -> Experiments:
        """The same as a way of making claims takes them."""
        if way != ONE_BY_ONE:
            return self
        return replace(self, drawn=tuple(replace(draw, sampling=None) for draw in self.drawn))

    def with_baseline_times(self, factor: float) -> Experiments:
        """The same with the scores of the baseline, which stands first, multiplied."""
        scaled = tuple(replace(draw, values=with_factor(draw.values, 0, factor)) for draw in self.drawn)
        return replace(self, drawn=scaled)


def claimed(test: str, experiments: Experiments, seed: int, alpha: float | None = None) -> PairClaims:
    """What a test says, each pair for itself if it is not of all pairs together; at α, or at another level."""
    default, true = experiments.setting, experiments.true
    setting = default if alpha is None else replace(default, alpha=alpha)
    if is_by_differences(test) and experiments.are_alike:
        arrays = of_differences(test, experiments.differences, setting, seed)
        return PairClaims(setting.alpha, true, *(array.reshape(true.shape) for array in arrays))
    columns = zip(*(_alone(test, draw, setting, seed + i) for i, draw in enumerate(experiments.drawn)), strict=True)
    return PairClaims(setting.alpha, true, *map(np.array, columns))


def judged(method: Method, experiments: Experiments, seed: int, margin: float) -> PairVerdicts:
    """Verdicts against a margin, by the rules of `inference.verdicts.by_margin`, of a method for all pairs together."""
    setting, correction = experiments.setting, method.corrected_by
    level, wider = (correction.interval_level(alpha, setting.pairs) for alpha in (setting.alpha, 2 * setting.alpha))
    claims, of_margin = claimed(method.test, experiments, seed, level), level if correction.is_of_test else wider
    not_worse, not_better = _within(method.test, experiments, seed, margin, of_margin)
    return PairVerdicts(
        equivalent=not_worse & not_better,
        better=claims.low > 0,
        worse=claims.high < 0,
        not_worse=not_worse,
        not_better=not_better,
    )


def _within(test: str, experiments: Experiments, seed: int, margin: float, level: float) -> tuple[Bools, Bools]:
    """Which pairs are above −margin, and which below it; by `inference.margins.against_share` where it is a share."""
    share = experiments.setting.share
    if share is None:
        claims = claimed(test, experiments, seed, level)
        return claims.low > -margin, claims.high < margin
    ends = (claimed(test, experiments.with_baseline_times(1 + by), seed, level) for by in (-share, share))
    worse, better = ends
    return worse.low > 0, better.high < 0


def _alone(test: str, drawn: Drawn, setting: Setting, seed: int) -> Said:
    """Of one experiment; a test that refuses it, as where all systems score the same, claims nothing."""
    try:
        return _in_order(compared(test, drawn, setting, seed, NONE.name))
    except DesignError:
        first, second = pairs_of(drawn.values.shape[1], setting)
        by_topic = drawn.values.mean(axis=2)
        means = by_topic.mean(axis=0) if drawn.sampling is None else drawn.sampling.means(by_topic)
        endless = np.full(len(first), np.inf)
        return means[first] - means[second], np.ones(len(first)), -endless, endless


def pairs_of(systems: int, setting: Setting) -> tuple[Indices, Indices]:
    """The systems of each pair: all, or all with the first."""
    first, second = np.triu_indices(systems, 1)
    return (second[first == 0], first[first == 0]) if setting.baseline is not None else (first, second)


def is_by_differences(test: str) -> bool:
    """Whether a test says of a pair what its differences on topics say, whatever the other pairs are."""
    record = TESTS[test]
    return record.is_of_pairs and record.is_paired and record.needs == "values"


def of_differences(test: str, d: Floats, setting: Setting, seed: int) -> Said:
    """What a test says of the columns of d[topic, column], each for itself."""
    run = TESTS[test].of_differences
    if run is None:
        return _against_zero(test, d, setting, seed)
    outcome = run(d, setting.alpha)
    return d.mean(axis=0), outcome.p, outcome.low, outcome.high


def _against_zero(test: str, d: Floats, setting: Setting, seed: int) -> Said:
    """Of a test of systems: the columns are systems, compared with one that scores 0 on every topic."""
    values = np.column_stack([np.zeros(len(d)), d])[:, :, None]
    names = list(map(str, range(values.shape[1])))
    alone = Experiment(values, names, "topics", setting.alpha, NONE.name, _ZERO, setting.draws, seed)
    return _in_order(TESTS[test].compare(alone))


def _in_order(comparison: Comparison) -> Said:
    """Difference, p and interval of each pair, in the order of the systems, which are named by their places."""
    order = np.array(comparison.systems, np.intp)
    first, second = order[comparison.first], order[comparison.second]
    places = np.lexsort((np.maximum(first, second), np.minimum(first, second)))
    is_turned = ((first > second) & (comparison.baseline is None))[places]
    difference, low, high = comparison.difference[places], comparison.low[places], comparison.high[places]
    ends = np.where(is_turned, -high, low), np.where(is_turned, -low, high)
    return np.where(is_turned, -difference, difference), comparison.p_adjusted[places], *ends
