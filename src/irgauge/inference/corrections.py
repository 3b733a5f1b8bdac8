"""Corrections for many tests at once, a record each: adjusted p-values, the intervals that go with them, their words.

To add one is to add a record here: options, intervals, plans, sentences and captions ask it. Some tests are of all
pairs together and correct for these by themselves; what they do has a record too, but cannot be chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.extensions.registry import Registry

Adjustment = Callable[[Floats], Floats]
Level = Callable[[float, int], float]  # α, how many tests -> the level of one interval
Promise = Literal["any pair", "each pair", "false discoveries"]  # of what at most a share of α is wrong
_TRIED = np.array([0.001, 0.02, 0.04, 0.5, 1.0])  # p-values that an added correction is tried on
_ROUNDING = 1e-12
_SMALL = 2.0**-60  # a p-value that no adjustment brings to 1; a power of 2, so that multiples are exact


def own_level(alpha: float, tests: int) -> float:  # noqa: ARG001  # as all levels
    """Each interval by itself: α."""
    return alpha


def shared_level(alpha: float, tests: int) -> float:
    """Bonferroni's intervals, which hold together: α over the number of tests."""
    return alpha / tests


@dataclass(frozen=True)
class Correction:
    """What a correction does and promises, and how it is called."""

    name: str  # in options and in JSON
    title: str  # in a sentence
    label: str  # in a column
    short: str  # in a caption
    promise: Promise
    adjust: Adjustment | None  # of all p-values, which are one family; None: the test is of all of them together
    interval_level: Level  # of the interval of one pair
    is_simultaneous: bool  # whether intervals hold for all pairs together; else for each pair by itself
    is_stepwise: bool = False  # whether it may find a difference whose interval holds 0
    is_of_every_pair: bool = False  # whether errors are limited over all pairs of systems, of which few may be tested
    intervals: str = ""  # whose they are, if of another name
    references: tuple[str, ...] = ()  # the first is its own, and ends with its year
    exclusive: Adjustment | None = None  # of p[kind, pair], where at most one kind is true of a pair; None: `adjust`
    when: str = ""  # it is the one to take
    assumes: str = ""  # of the tests, for its promise to hold
    needs_dependence: bool = False  # whether that is of how tests depend on each other
    caution: str | None = None  # what a user who chose it should know

    @property
    def is_of_test(self) -> bool:
        """Whether the test itself is of all pairs together, so that nothing is adjusted."""
        return self.adjust is None

    @property
    def is_of_levels(self) -> bool:
        """Whether a pair is found at the level of its interval, at the first step at least, whatever the others say."""
        return not self.is_of_test and self.promise != "false discoveries"

    @property
    def cited(self) -> str:
        """In a text that has references.

        >>> HOLM.cited, NONE.cited
        ("Holm's correction (1979)", 'no correction')
        """
        return f"{self.title} ({self.references[0].split('-')[-1]})" if self.references else self.title

    def over(self, family: str) -> str:
        """What was done about a family, in a sentence.

        >>> HOLM.over("all pairs"), NONE.over("all pairs")
        ("Holm's correction over all pairs", 'not corrected for all pairs')
        """
        return f"not corrected for {family}" if self.adjust is unadjusted else f"{self.title} over {family}"

    @property
    def intervals_told(self) -> str:
        """What the intervals hold for, as a sentence."""
        if not self.is_simultaneous:
            return "Intervals of differences are for each pair by itself."
        text = f"Intervals of differences are {self.intervals or 'of the test'}, for all pairs together"
        if not self.is_stepwise:
            return f"{text}."
        return (
            f"{text}: they are a little wider than what {self.label}'s step by step test decides, so that a "
            "significant difference may have one that just holds 0."
        )

    def adjusted(self, p: Floats) -> Floats:
        """Adjusted p-values; as they are, where the test is of all of them."""
        return _checked(p).copy() if self.adjust is None else self.adjust(_checked(p))

    def adjusted_exclusive(self, p: Floats) -> Floats:
        """Adjusted p[kind, pair], all as one family, of hypotheses of which at most one can be true of a pair.

        Such as that a difference is 0, that it is −δ or less, and that it is δ or more.

        >>> BONFERRONI.adjusted_exclusive(np.array([[0.01, 0.2], [0.001, 0.3]])).tolist()
        [[0.02, 0.4], [0.002, 0.6]]
        """
        return self.adjusted(p) if self.exclusive is None else self.exclusive(_checked(p))

    def least_level(self, alpha: float, tests: int) -> float:
        """The p-value that at least one pair must reach for any to be found, and its interval to be known.

        >>> HOLM.least_level(0.05, 10), BH.least_level(0.05, 10)
        (0.005, 0.05)
        """
        factor = float(self.adjusted(np.full(tests, _SMALL))[0]) / _SMALL  # where all pairs are as clear as each other
        return min(alpha / max(1.0, factor), self.interval_level(alpha, tests))


def unadjusted(p: Floats) -> Floats:
    """Each test for itself: nothing is controlled over the tests together."""
    return p.copy()


def bonferroni(p: Floats) -> Floats:
    """Control the family-wise error rate, whatever the dependence: min(1, m p).

    >>> bonferroni(np.array([0.01, 0.02, 0.5])).tolist()
    [0.03, 0.06, 1.0]
    """
    return np.minimum(p * p.size, 1.0)


def holm(p: Floats) -> Floats:
    """Control the family-wise error rate, whatever the dependence: max over j ≤ i of (m − j + 1) p_(j).

    Never less powerful than Bonferroni (Holm, Scandinavian Journal of Statistics 1979).

    >>> holm(np.array([0.01, 0.02, 0.5])).tolist()
    [0.03, 0.04, 0.5]
    """
    order = np.argsort(p, axis=None, kind="stable")
    stepped = np.maximum.accumulate(np.arange(p.size, 0, -1) * p.ravel()[order])
    return _in_place(np.minimum(stepped, 1.0), order, p.shape)


def bonferroni_exclusive(p: Floats) -> Floats:
    """Of p[kind, pair] at most one kind is true of a pair: min(1, m p) with m pairs."""
    return np.minimum(p * p.shape[1], 1.0)


def holm_exclusive(p: Floats) -> Floats:
    """Holm's steps over p[kind, pair], where at most one kind is true of a pair.

    A step has as many hypotheses that may still be true as there are pairs of which some kind is not yet rejected
    (Shaffer, Journal of the American Statistical Association 1986).

    >>> holm_exclusive(np.array([[0.01, 0.02], [0.001, 0.5]])).tolist()
    [[0.02, 0.02], [0.002, 0.5]]
    """
    order = np.argsort(p, axis=None, kind="stable")
    pairs = order % p.shape[1]
    last = np.zeros(p.shape[1], np.intp)
    np.maximum.at(last, pairs, np.arange(p.size))  # pair -> the step that rejects the last kind of it
    open_pairs = p.shape[1] - np.searchsorted(np.sort(last), np.arange(p.size))
    stepped = np.maximum.accumulate(open_pairs * p.ravel()[order])
    return _in_place(np.minimum(stepped, 1.0), order, p.shape)


def hochberg(p: Floats) -> Floats:
    """Control the family-wise error rate of independent or positively dependent tests.

    min over j ≥ i of (m − j + 1) p_(j). Never less powerful than Holm's; it rests on the inequality of Simes
    (Hochberg, Biometrika 1988).

    >>> hochberg(np.array([0.01, 0.04, 0.05])).tolist()
    [0.03, 0.05, 0.05]
    """
    return _stepped_up(p, np.arange(p.size, 0, -1))


def benjamini_hochberg(p: Floats) -> Floats:
    """Control the false discovery rate of independent or positively dependent tests: min over j ≥ i of m p_(j) / j.

    Benjamini and Hochberg (Journal of the Royal Statistical Society B 1995).

    >>> benjamini_hochberg(np.array([0.01, 0.02, 0.5])).tolist()
    [0.03, 0.03, 0.5]
    """
    return _stepped_up(p, p.size / np.arange(1, p.size + 1))


def benjamini_yekutieli(p: Floats) -> Floats:
    """Control the false discovery rate, whatever the dependence: min over j ≥ i of m c p_(j) / j, with c = Σ 1/k ≤ m.

    Benjamini and Yekutieli (Annals of Statistics 2001).

    >>> benjamini_yekutieli(np.array([0.01, 0.02, 0.5])).round(3).tolist()
    [0.055, 0.055, 0.917]
    """
    ranks = np.arange(1, p.size + 1)
    return _stepped_up(p, (1 / ranks).sum() * (p.size / ranks))


def _stepped_up(p: Floats, factors: Floats | Indices) -> Floats:
    """The smallest of factor × p over p itself and those above it, at most 1."""
    order = np.argsort(p, axis=None, kind="stable")
    stepped = np.minimum.accumulate((p.ravel()[order] * factors)[::-1])[::-1]
    return _in_place(np.minimum(stepped, 1.0), order, p.shape)


def _in_place(adjusted: Floats, order: Indices, shape: tuple[int, ...]) -> Floats:
    """Adjusted p-values in ascending order, put back to where they came from."""
    placed = np.empty(adjusted.size)
    placed[order] = adjusted
    return placed.reshape(shape)


def _checked(p: Floats) -> Floats:
    p = np.asarray(p, np.float64)
    if not ((p >= 0) & (p <= 1)).all():  # NaN is neither
        wrong = p[~((p >= 0) & (p <= 1))]
        raise DesignError(f"p-values are between 0 and 1; {wrong.size} of {p.size} are not, such as {wrong[0]}")
    return p


def _check_added(record: Correction) -> None:
    """Refuse what does not adjust p-values, or to what cannot be."""
    if record.adjust is None:
        raise DesignError(f"the correction '{record.name}' adjusts nothing; give it a function `adjust`")
    adjusted = np.asarray(record.adjust(_TRIED.copy()), np.float64)
    if adjusted.shape != _TRIED.shape or not ((adjusted >= _TRIED - _ROUNDING) & (adjusted <= 1)).all():
        raise DesignError(
            f"the correction '{record.name}' makes {adjusted.tolist()} of the p-values {_TRIED.tolist()}; adjusted "
            "ones are as many, none smaller than before, and none above 1"
        )
    level = record.interval_level(0.05, _TRIED.size)
    if not 0 < level <= 0.05:
        raise DesignError(f"the correction '{record.name}' has intervals of level {level}, where alpha is 0.05")


NONE = Correction(
    name="none",
    title="no correction",
    label="none",
    short="uncorrected",
    promise="each pair",
    adjust=unadjusted,
    interval_level=own_level,
    is_simultaneous=False,
    assumes="one test, chosen before the scores were seen",
)
BONFERRONI = Correction(
    name="bonferroni",
    title="Bonferroni's correction",
    label="Bonferroni",
    short="Bonferroni",
    promise="any pair",
    adjust=bonferroni,
    interval_level=shared_level,
    is_simultaneous=True,
    intervals="Bonferroni's",
    exclusive=bonferroni_exclusive,
    assumes="nothing of how tests depend on each other",
)
HOLM = Correction(
    name="holm",
    title="Holm's correction",
    label="Holm",
    short="Holm",
    promise="any pair",
    adjust=holm,
    interval_level=shared_level,
    is_simultaneous=True,
    is_stepwise=True,
    intervals="Bonferroni's",
    references=("holm-1979",),
    exclusive=holm_exclusive,
    assumes="nothing of how tests depend on each other",
)
HOCHBERG = Correction(
    name="hochberg",
    title="Hochberg's correction",
    label="Hochberg",
    short="Hochberg",
    promise="any pair",
    adjust=hochberg,
    interval_level=shared_level,
    is_simultaneous=True,
    is_stepwise=True,
    intervals="Bonferroni's",
    references=("hochberg-1988",),
    caution="Hochberg's correction rests on tests that are independent or go together, which is not sure of pairs of "
    "systems; Holm's correction does not, and finds nearly as much",
    assumes="tests are independent, or go together",
    needs_dependence=True,
)
BH = Correction(
    name="bh",
    title="Benjamini and Hochberg's correction",
    label="Benjamini-Hochberg",
    short="BH",
    promise="false discoveries",
    adjust=benjamini_hochberg,
    interval_level=own_level,
    is_simultaneous=False,
    references=("benjamini-hochberg-1995",),
    when="to screen many systems; it limits the share of false findings, not the chance of one",
    assumes="tests are independent, or go together",
    needs_dependence=True,
)
BY = Correction(
    name="by",
    title="Benjamini and Yekutieli's correction",
    label="Benjamini-Yekutieli",
    short="BY",
    promise="false discoveries",
    adjust=benjamini_yekutieli,
    interval_level=own_level,
    is_simultaneous=False,
    references=("benjamini-yekutieli-2001",),
    assumes="nothing of how tests depend on each other",
)
_CHOICES = (NONE, BONFERRONI, HOLM, HOCHBERG, BH, BY)
CORRECTIONS = Registry("corrections", lambda: _CHOICES, check=_check_added)
DEFAULT = HOLM  # where none is named

# of tests that are of all pairs together
BUILT_IN = Correction(
    name="built in",
    title="corrected for all pairs together",
    label="built in",
    short="",
    promise="any pair",
    adjust=None,
    interval_level=own_level,
    is_simultaneous=True,
    is_of_every_pair=True,
)
MAXIMUM = Correction(
    name="maximum",
    title="corrected by the largest |t| of these pairs",
    label="maximum",
    short="",
    promise="any pair",
    adjust=None,
    interval_level=own_level,
    is_simultaneous=True,
)
STEP_DOWN = Correction(
    name="step-down",
    title="corrected by the largest |t| of these pairs, step by step",
    label="max-t",
    short="",
    promise="any pair",
    adjust=None,
    interval_level=own_level,
    is_simultaneous=True,
    is_stepwise=True,
    intervals="those of its first step",
)
TUKEY = Correction(
    name="tukey",
    title="Tukey's correction over all pairs",
    label="Tukey",
    short="Tukey",
    promise="any pair",
    adjust=None,
    interval_level=own_level,
    is_simultaneous=True,
    is_of_every_pair=True,
    references=("tukey-1949",),
)
_OF_TESTS: Mapping[str, Correction] = {record.name: record for record in (BUILT_IN, MAXIMUM, STEP_DOWN, TUKEY)}


def correction(name: str) -> Correction:
    """The correction of that name, which can be chosen: none, bonferroni, holm and so on.

    >>> correction("Holm").adjusted(np.array([0.04, 0.01])).tolist()
    [0.04, 0.02]
    """
    return CORRECTIONS.known(name)


def any_correction(name: str) -> Correction:
    """The correction of that name, those that tests have by themselves included.

    >>> any_correction("maximum").is_simultaneous
    True
    """
    return _OF_TESTS.get(name) or correction(name)
