"""The methods that are tried: every test of pairs that speaks of a population, with each correction it may have."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from irgauge.calibrating.worlds import Drawn
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import BH, BUILT_IN, DEFAULT, NONE, Correction, Promise, any_correction
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import TESTS
from irgauge.models.anova import Population

TRIED = (NONE.name, DEFAULT.name, BH.name)  # corrections, where none is named
MANY = 25  # systems: of more, slow tests are tried on so many, drawn each time
_ONE_PAIR = 1


@dataclass(frozen=True)
class Method:
    """A test with a correction, and what it promises."""

    test: str
    correction: str  # its name
    population: Population
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
    return [test.name for test in covering if setting.baseline is not None or not test.needs_baseline]


def methods(setting: Setting) -> Iterator[Method]:
    """The tests, each with the corrections that are tried, unless it is of all pairs together.

    >>> [(one.test, one.correction) for one in methods(Setting("both", ("a", "b", "c")))]
    [('tukey', 'built in'), ('crossed-t', 'none'), ('crossed-t', 'holm'), ('crossed-t', 'bh')]
    """
    for test in covering_tests(setting):
        if not TESTS[test].is_of_pairs:
            yield Method(test, BUILT_IN.name, setting.population)
            continue
        for correction in setting.corrections:
            if correction == NONE.name or setting.is_corrected(test):
                yield Method(test, correction, setting.population)


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
        )
    )


def names(drawn: Drawn) -> list[str]:
    """Of the systems of an experiment: their places."""
    return list(map(str, range(drawn.values.shape[1])))


def _baseline(drawn: Drawn, setting: Setting) -> str | None:
    """The baseline, which stands first."""
    return None if setting.baseline is None else names(drawn)[0]
